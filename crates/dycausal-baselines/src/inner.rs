//! A method inside another, by name.

use dycausal::{Discover, Error, Result, find};
use serde_json::{Map, Value};

/// The method of this name with these parameters.
///
/// # Errors
/// If there is none, it cannot be nested, or a parameter is not its.
pub(crate) fn build(name: &str, set: &Map<String, Value>, lag: usize) -> Result<Box<dyn Discover>> {
    // Without those that have others inside: they would have no end.
    let mut all = dycausal::methods();
    all.extend(crate::plain());
    let method = find(&all, name)?;
    let mut parameters = set.clone();
    if method.parameters.iter().any(|parameter| parameter.name == "lag") {
        if let Some(other) = parameters.get("lag") {
            let expected = "no lag of its own: set `lag` beside `inner`";
            return Err(Error::parameter("inner_set", format!("lag = {other}"), expected));
        }
        parameters.insert("lag".to_owned(), Value::from(lag));
    }
    let named = |error: Error| {
        let expected = format!("parameters of `{name}` ({error})");
        Error::parameter("inner_set", Value::Object(set.clone()), expected)
    };
    Ok(method.build(&parameters).map_err(named)?.0)
}
