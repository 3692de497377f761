#![doc = include_str!("../README.md")]
//! Methods to compare dycausal with, one file each, and the list of everything that ships.

mod dagma;
mod dynotears;
mod equations;
#[cfg(test)]
mod golden;
mod granger;
mod independence;
mod inner;
mod lagged_least_squares;
mod lagged_rows;
mod lasso;
mod links;
mod orientation;
mod pcmci;
mod pcmci_plus;
mod pooled;
mod refit;
mod var_lingam;
mod windowed;

use dycausal::Method;

pub use dagma::Dagma;
pub use dynotears::Dynotears;
pub use granger::{Autoregression, Coefficients, Granger, Statistic};
pub use independence::{Test, Tested};
pub use lagged_least_squares::LaggedLeastSquares;
pub use pcmci::{Fdr, LinkTests, Pcmci};
pub use pcmci_plus::{ColliderRule, PcmciPlus};
pub use pooled::Pooled;
pub use var_lingam::{Criterion, Found as VarLingamFound, VarLingam};
pub use windowed::Windowed;

/// The methods of this crate; a new one is one line in `plain`.
pub fn methods() -> Vec<Method> {
    let mut all = plain();
    all.extend([Method::of::<Windowed>(), Method::of::<Pooled>()]);
    all
}

/// Those that have no other inside.
fn plain() -> Vec<Method> {
    vec![
        Method::of::<LaggedLeastSquares>(),
        Method::of::<Pcmci>(),
        Method::of::<PcmciPlus>(),
        Method::of::<Granger>(),
        Method::of::<VarLingam>(),
        Method::of::<Dagma>(),
        Method::of::<Dynotears>(),
    ]
}

/// Everything that ships: the methods of the library, the published one, then those to compare with.
///
/// The command, the Python package and the experiments all ask here. It stands in this crate
/// because none other sees all three lists and is seen by all who ask.
///
/// ```
/// let methods = dycausal_baselines::all_methods();
/// let standard = dycausal::find(&methods, "ordered")?;
/// assert!(standard.scope.instantaneous);
/// # Ok::<(), dycausal::Error>(())
/// ```
pub fn all_methods() -> Vec<Method> {
    let mut all = dycausal::methods();
    all.extend(dycausal_published::methods());
    all.extend(methods());
    all
}
