//! Does a weight hang on a few rows?
//!
//! Without a row a weight would move by about x u / ((1 − h) Σ x²) with h = x² / Σ x². The check
//! looks at the share of Σ (x u / (1 − h))², the robust variance of the weight, that the
//! strongest few rows have.

use rayon::prelude::*;

use super::evidence::Evidence;
use super::finding::{Finding, Verdict, percent};
use crate::graph::Edge;

/// A few rows are one in a hundred, from one to three.
const FEW: usize = 3;
/// The share of a few rows that is too much.
const TOO_MUCH: f64 = 0.5;
/// Rows below which a few are too many anyway.
const FEWEST_ROWS: f64 = 50.0;

/// One finding per variable with causes: the edge that hangs most on a few rows.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    (0..evidence.variables()).into_par_iter().filter_map(|v| of_variable(evidence, v)).collect()
}

fn of_variable(evidence: &Evidence<'_>, to: usize) -> Option<Finding> {
    let rows = evidence.rows_of(to);
    if rows < FEWEST_ROWS {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let few = ((rows / 100.0) as usize).clamp(1, FEW);
    let causes = evidence.causes(to);
    let shares = causes.iter().map(|edge| (share(evidence, edge, few), *edge));
    let (share, edge) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (from, name) = (evidence.name(edge.from), evidence.name(to));
    let finding =
        Finding::about("influence", &[name]).with("share", share).with("rows", few as f64);
    if share > TOO_MUCH {
        let rows = if few == 1 { "one row".to_owned() } else { format!("{few} rows") };
        let words = format!(
            "the weight of `{from}` → `{name}` at lag {} hangs on {rows} ({} of its variance): look at them",
            edge.lag,
            percent(share)
        );
        return Some(finding.judged(Verdict::Doubtful, words));
    }
    Some(finding.judged(Verdict::Fine, "no weight hangs on a few rows"))
}

fn share(evidence: &Evidence<'_>, edge: &Edge, few: usize) -> f64 {
    let (x, u) = (evidence.values(edge.from, edge.lag), evidence.residuals(edge.to));
    let squares = evidence.rows_of(edge.to) * evidence.mean(edge.to, x.iter().map(|x| x * x));
    let (mut sum, mut strongest) = (0.0, [0.0; FEW]);
    for (x, u) in x.iter().zip(u) {
        let outside = (1.0 - x * x / squares).max(1e-6);
        let pull = (x * u / outside).powi(2);
        sum += pull;
        if pull > strongest[few - 1] {
            strongest[few - 1] = pull;
            strongest[..few].sort_by(|a, b| b.total_cmp(a));
        }
    }
    let share = strongest[..few].iter().sum::<f64>() / sum;
    if share.is_finite() { share } else { 0.0 }
}
