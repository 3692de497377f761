//! A warning where the answer hangs on the units of the data.

use dycausal::{Panel, Run};

/// Ratio of residual standard deviations above which the user is told.
const RATIO: f64 = 1.5;

/// Warns if what is left unexplained of one variable is much larger than of another.
///
/// The sum of squared errors over all variables is a likelihood only if the noise of all is equally
/// large; otherwise it prefers to explain the noisy ones, whatever causes what, and multiplying a
/// column by a number changes the order that is found. `errors` are mean squares per variable.
pub(crate) fn warn(panel: &Panel, errors: &[f64], run: &mut Run) {
    let by_size = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
    let numbered = || errors.iter().enumerate();
    let (Some(least), Some(most)) = (numbered().min_by(by_size), numbered().max_by(by_size)) else {
        return;
    };
    let (small, large) = (least.1.max(0.0).sqrt(), most.1.max(0.0).sqrt());
    if large <= RATIO * small {
        return;
    }
    run.warn(format!(
        "scale-dependent result: the noise of `{}` (sd {large:.3}) and of `{}` (sd {small:.3}) differ, and least squares over all variables takes them for equal; other units would give another graph. Use a method that does not depend on units, or units in which the noise is equal",
        panel.names()[most.0],
        panel.names()[least.0],
    ));
}
