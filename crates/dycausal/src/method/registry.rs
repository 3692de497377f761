//! Methods by name, with parameters that come as text, TOML or keyword arguments.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::discover::{Discover, Scope};
use crate::error::{Error, Result, nearest};

/// The largest count that any parameter takes: more is a slip of the finger.
const LARGEST: u64 = 1_000_000_000;

/// What a parameter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name, as in the struct.
    pub name: &'static str,
    /// What it does, in a few words.
    pub purpose: &'static str,
    /// The values it takes.
    pub range: &'static str,
}

/// What a method says of itself to be listed: implement it beside [`Discover`].
pub trait Described: Discover + Default + Serialize + DeserializeOwned + 'static {
    /// One line for the list of methods.
    const SUMMARY: &'static str;
    /// Every field of the struct.
    const PARAMETERS: &'static [Parameter];
    /// The parameter that is the level of its tests or the false discovery rate of what it lists, if it has one.
    const LEVEL: Option<&'static str> = None;
    /// Raised whenever the method finds something else on the same data: what experiments kept of it is then
    /// run again. A test compares it with what the method finds on data that stay.
    const VERSION: u32 = 1;
}

/// An entry in the list of methods.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// What it looks for.
    pub scope: Scope,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// Which of them is the level of its tests or the false discovery rate of what it lists.
    pub level: Option<&'static str>,
    /// Which state of the method it is: another finds something else on the same data.
    pub version: u32,
    defaults: fn() -> Result<Map<String, Value>>,
    build: fn(Value) -> std::result::Result<Box<dyn Discover>, serde_json::Error>,
}

impl Method {
    /// The entry of one method.
    pub fn of<M: Described>() -> Self {
        let standard = M::default();
        Self {
            name: standard.name(),
            summary: M::SUMMARY,
            scope: standard.scope(),
            parameters: M::PARAMETERS,
            level: M::LEVEL,
            version: M::VERSION,
            defaults: || parameters_of(&M::default()),
            build: |value| Ok(Box::new(serde_json::from_value::<M>(value)?)),
        }
    }

    /// Every parameter with its default.
    ///
    /// # Errors
    /// If the defaults cannot be written as JSON: a defect of the method.
    pub fn defaults(&self) -> Result<Map<String, Value>> {
        (self.defaults)()
    }

    /// Name, summary, scope and parameters with their defaults, for programs to read.
    ///
    /// # Errors
    /// As [`Method::defaults`].
    pub fn describe(&self) -> Result<Value> {
        let defaults = self.defaults()?;
        let parameters = self.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "default": defaults.get(parameter.name),
                "range": parameter.range,
                "purpose": parameter.purpose,
            })
        });
        Ok(json!({
            "name": self.name,
            "summary": self.summary,
            "scope": self.scope,
            "parameters": parameters.collect::<Vec<_>>(),
        }))
    }

    /// The method with some parameters set and the others at their defaults, and all of them.
    ///
    /// # Errors
    /// If a parameter is unknown (the nearest name is suggested), of the wrong type or out of range.
    pub fn build(
        &self,
        set: &Map<String, Value>,
    ) -> Result<(Box<dyn Discover>, Map<String, Value>)> {
        let mut all = self.defaults()?;
        for (name, value) in set {
            if !all.contains_key(name) {
                return Err(self.unknown(name, &all));
            }
            if let Some(count) = value.as_u64().filter(|count| *count > LARGEST) {
                return Err(Error::parameter(name, count, format!("at most {LARGEST}")));
            }
            let kept = all.insert(name.clone(), value.clone());
            if let Err(reason) = (self.build)(Value::Object(all.clone())) {
                let default = kept.map(|value| value.to_string()).unwrap_or_default();
                let range = self.parameters.iter().find(|p| p.name == name).map_or("", |p| p.range);
                let expected = format!("{range} (default {default}; {reason})");
                return Err(Error::parameter(name, value, expected));
            }
        }
        let built = (self.build)(Value::Object(all.clone()))
            .map_err(|reason| Error::parameter(self.name, "not usable", reason.to_string()))?;
        built.check()?;
        Ok((built, all))
    }

    fn unknown(&self, name: &str, all: &Map<String, Value>) -> Error {
        Error::UnknownParameter {
            method: self.name.to_owned(),
            name: name.to_owned(),
            nearest: nearest(name, all.keys().map(String::as_str)),
            known: all.keys().cloned().collect(),
        }
    }
}

/// The method of this name.
///
/// # Errors
/// If there is none; the nearest name is suggested.
pub fn find<'a>(methods: &'a [Method], name: &str) -> Result<&'a Method> {
    methods.iter().find(|method| method.name == name).ok_or_else(|| Error::UnknownMethod {
        name: name.to_owned(),
        nearest: nearest(name, methods.iter().map(|method| method.name)),
        known: methods.iter().map(|method| method.name.to_owned()).collect(),
    })
}

fn parameters_of<M: Serialize>(method: &M) -> Result<Map<String, Value>> {
    match serde_json::to_value(method) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(Error::shape("parameters of a method", other, "a struct")),
        Err(reason) => Err(Error::shape("parameters of a method", reason, "plain values")),
    }
}
