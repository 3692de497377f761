//! Which method to run and with what: flags over config file over defaults.

use std::fs;
use std::path::Path;

use dycausal::{Discover, Statements, find};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::advice;
use crate::arguments::FitArguments;
use crate::failure::Failure;

/// The method of `dycausal fit` and `dycausal demo` unless another is named.
pub const DEFAULT_METHOD: &str = "ordered";

/// What turns causes into effects, and the method that learns it.
const MODELS: [(&str, &str); 6] = [
    ("linear", "ordered"),
    ("additive", "additive"),
    ("gp", "gp"),
    ("ode", "ode"),
    ("relax", "relax"),
    ("auto", "auto"),
];

/// A method ready to run.
pub struct Plan {
    /// The method.
    pub method: Box<dyn Discover>,
    /// All of its parameters.
    pub parameters: Map<String, Value>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads to work on; all cores if none are named.
    pub threads: Option<usize>,
    /// Bytes to work with; what the system has if none are named.
    pub memory: Option<u64>,
    /// What is known of the graph.
    pub said: Option<Statements>,
}

/// What a config file may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    method: Option<String>,
    model: Option<String>,
    lag: Option<Value>,
    alpha: Option<f64>,
    seed: Option<u64>,
    threads: Option<usize>,
    #[serde(default)]
    parameters: Map<String, Value>,
}

impl Plan {
    /// A method by name, with some of its parameters set.
    pub fn new(name: &str, set: &Map<String, Value>) -> Result<Self, Failure> {
        let methods = dycausal_baselines::all_methods();
        let (method, parameters) = find(&methods, name)?.build(set)?;
        Ok(Self { method, parameters, seed: 0, threads: None, memory: None, said: None })
    }

    /// What the arguments of `fit` ask for.
    pub fn of(arguments: &FitArguments) -> Result<Self, Failure> {
        let config = arguments.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
        let mut set = config.parameters;
        set.extend(config.lag.map(|lag| ("lag".to_owned(), lag)));
        let level = arguments.alpha.or(config.alpha);
        set.extend(level.map(|alpha| ("alpha".to_owned(), Value::from(alpha))));
        let model = arguments.model.as_deref().or(config.model.as_deref());
        set.extend(typed(arguments)?);
        let method = arguments.method.as_deref().or(config.method.as_deref());
        let name = named(method, model, &mut set)?;
        if level.is_some() && is_method(name) && !has_level(name) {
            let text = format!(
                "--alpha is a false discovery rate, and method `{name}` has none; leave it out (`dycausal methods {name}` lists what --set takes)"
            );
            return Err(Failure::input(text));
        }
        let mut plan = Self::new(name, &set)?;
        plan.seed = arguments.run.seed.or(config.seed).unwrap_or(0);
        plan.threads = arguments.run.threads.or(config.threads);
        plan.memory = arguments.run.memory.map(|size| size.0);
        plan.said = arguments.knowledge.read()?;
        Ok(plan)
    }
}

/// The parameters that were typed; two words that say different things are refused by name.
fn typed(arguments: &FitArguments) -> Result<Map<String, Value>, Failure> {
    let mut said: Vec<(String, String, Value)> = Vec::new();
    let mut note = |name: &str, words: String, value: Value| {
        let other =
            |(known, _, before): &&(String, String, Value)| known == name && *before != value;
        if let Some((_, before, _)) = said.iter().find(other) {
            let text = format!("{before} and {words} contradict each other; leave one of them out");
            return Err(Failure::input(text));
        }
        said.push((name.to_owned(), words, value));
        Ok(())
    };
    if let Some(lag) = &arguments.lag {
        note("lag", format!("--lag {lag}"), value(lag))?;
    }
    if let Some(alpha) = arguments.alpha {
        note("alpha", format!("--alpha {alpha}"), Value::from(alpha))?;
    }
    if arguments.order_changes.is_some() {
        let text = format!("--order-changes is no option any more: {}", advice::REORDERED);
        return Err(Failure::input(text));
    }
    for text in &arguments.set {
        let (name, value) = assignment(text)?;
        note(&name, format!("--set {text}"), value)?;
    }
    if let Some((model, set)) = arguments.model.as_ref().and_then(|model| {
        let set = said.iter().find(|(name, _, value)| name == "model" && value != model.as_str());
        set.map(|(_, words, _)| (model, words))
    }) {
        let text =
            format!("--model {model} and {set} contradict each other; leave one of them out");
        return Err(Failure::input(text));
    }
    Ok(said.into_iter().map(|(name, _, value)| (name, value)).collect())
}

fn is_method(name: &str) -> bool {
    find(&dycausal_baselines::all_methods(), name).is_ok()
}

/// Whether `alpha` of a method is the level of its tests; others call other constants so.
pub fn has_level(method: &str) -> bool {
    let methods = dycausal_baselines::all_methods();
    find(&methods, method).is_ok_and(|method| method.level == Some("alpha"))
}

/// The method of a model, where none is named; a model of the method, where one is.
fn named<'a>(
    method: Option<&'a str>,
    model: Option<&'a str>,
    set: &mut Map<String, Value>,
) -> Result<&'a str, Failure> {
    let Some(model) = model else { return Ok(method.unwrap_or(DEFAULT_METHOD)) };
    if let Some(method) = method {
        set.insert("model".to_owned(), Value::from(model));
        return Ok(method);
    }
    let found = MODELS.iter().find(|(word, _)| *word == model);
    found.map(|(_, method)| *method).ok_or_else(|| {
        let known: Vec<&str> = MODELS.iter().map(|(word, _)| *word).collect();
        Failure::input(format!("--model is `{model}`, expected one of {}", known.join(", ")))
    })
}

fn read_config(path: &Path) -> Result<Config, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("{}: cannot be read: {e}", path.display())))?;
    let refused = |e: toml::de::Error| Failure::input(e.to_string()).about(path.display());
    toml::from_str(&text).map_err(refused)
}

/// `key=value`, the value as in TOML; what is no TOML value is text.
pub fn assignment(text: &str) -> Result<(String, Value), Failure> {
    let Some((name, written)) = text.split_once('=') else {
        return Err(Failure::input(format!("--set {text}: expected KEY=VALUE")));
    };
    Ok((name.trim().to_owned(), value(written.trim())))
}

/// A value as in TOML; what is none is text.
fn value(written: &str) -> Value {
    let parsed = toml::from_str::<Map<String, Value>>(&format!("value = {written}"));
    let value = parsed.ok().and_then(|mut table| table.remove("value"));
    // Counts that TOML has no room for are counts all the same, and refused as such.
    let count = || written.parse::<u64>().ok().map(Value::from);
    value.or_else(count).unwrap_or_else(|| Value::from(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml_or_text() {
        let value = |text| assignment(text).unwrap().1;
        assert_eq!(value("a=3"), Value::from(3));
        assert_eq!(value("a = 0.5"), Value::from(0.5));
        assert_eq!(value("a=true"), Value::from(true));
        assert_eq!(value("a=free"), Value::from("free"));
        assert_eq!(value("a=\"free\""), Value::from("free"));
        assert_eq!(value("a=[1,2]"), Value::from(vec![1, 2]));
        assert_eq!(value("a="), Value::from(""));
        assert!(assignment("a").is_err());
    }
}
