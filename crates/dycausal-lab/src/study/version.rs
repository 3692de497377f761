//! Which state of a method it is.

use dycausal::find;
use serde_json::{Map, Value};

use crate::error::Result;

/// Parameters by name.
pub type Parameters = Map<String, Value>;

/// Which state of a method it is, and of the one that decides about its edges: a cell of another is run again.
///
/// # Errors
/// If there is no such method.
pub(crate) fn version(method: &str, parameters: &Parameters) -> Result<u32> {
    let methods = dycausal_baselines::all_methods();
    let own = find(&methods, method)?.version;
    let is = |name: &str, value: &str| parameters.get(name).is_some_and(|set| set == value);
    if is("importance", "likelihood") && is("model", "mlp") {
        return Ok(own + 1000 * find(&methods, "gp")?.version);
    }
    Ok(own)
}
