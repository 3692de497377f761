//! Methods to compare dycausal with, one file each, and the list of everything that ships.

use dycausal::Method;

/// The methods of this crate; a new one is one line here.
pub fn methods() -> Vec<Method> {
    Vec::new()
}

/// Everything that ships: the methods of the library, then those to compare with.
///
/// The command, the Python package and the experiments all ask here. It stands in this crate
/// because none other sees both lists and is seen by all three.
///
/// ```
/// let methods = dycausal_baselines::all_methods();
/// let standard = dycausal::find(&methods, "ordered")?;
/// assert!(standard.scope.instantaneous);
/// # Ok::<(), dycausal::Error>(())
/// ```
pub fn all_methods() -> Vec<Method> {
    let mut all = dycausal::methods();
    all.extend(methods());
    all
}
