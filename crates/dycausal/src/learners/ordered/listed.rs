//! Which of the selected edges are listed: those that stand up to a robust test.

use crate::error::Result;
use crate::inference::equation::{Data, Equation};
use crate::inference::p_values;
use crate::listing::{Candidate, Decision, Searched, settled};
use crate::run::facts::Counts;

/// Tests and leaves out, until what is left stands.
///
/// # Errors
/// If the run is cancelled.
pub(in crate::learners) fn list(
    data: &Data<'_>,
    equations: &mut [Equation],
    alpha: f64,
) -> Result<Counts> {
    let (d, lag) = (data.columns.variables(), data.columns.lag());
    let test = |equation: &Equation| {
        data.cancel.proceed()?;
        let candidate = |(column, p): (&usize, Option<f64>)| Candidate {
            from: column % d,
            to: equation.to,
            lag: column / d,
            p,
            required: equation.required.contains(column),
            ..Candidate::default()
        };
        Ok(equation.selected.iter().zip(p_values(data, equation)).map(candidate).collect())
    };
    let searched = Searched::in_order(d, lag);
    let (decisions, counts) = settled(equations, (searched, alpha), test, |equation, kept| {
        let column = |decision: &Decision| decision.candidate.lag * d + decision.candidate.from;
        equation.selected = kept.iter().map(column).collect();
    })?;
    for (equation, decisions) in equations.iter_mut().zip(decisions) {
        equation.tests = decisions.iter().map(|decision| (decision.p(), decision.q)).collect();
    }
    Ok(counts)
}
