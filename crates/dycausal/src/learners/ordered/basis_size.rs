//! How many basis functions the data pay for.
//!
//! With the order and the parents as found, Σ_i n log s²_i + B log n · |parents_i| for each size B,
//! over a sample of variables: the same score, at the cost of small regressions.

use rayon::prelude::*;

use crate::error::Result;
use crate::moments::TimeBasis;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::scores::linear::step_grams::StepGrams;
use crate::thresholds::VARIABLES_IN_A_SAMPLE;

/// The total score of each basis, with the parents of these fits.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn scores(score: &LinearScore, fits: &[Fit], bases: &[TimeBasis]) -> Result<Vec<f64>> {
    let d = score.variables();
    let count = d.min(VARIABLES_IN_A_SAMPLE);
    let rows = score.columns.rows();
    let each: Vec<Vec<f64>> = (0..count)
        .into_par_iter()
        .map_init(StepGrams::default, |grams, k| {
            score.proceed()?;
            let target = k * d / count;
            let mut which = fits[target].selected.clone();
            which.push(target);
            grams.fill(&score.columns, &which);
            let total = |basis: &TimeBasis| {
                let normal = grams.collapse(basis.by_piece());
                let residual = normal.residual() / rows;
                rows * residual.max(1e-15).ln() + normal.size() as f64 * rows.ln()
            };
            Ok(bases.iter().map(total).collect())
        })
        .collect::<Result<_>>()?;
    Ok((0..bases.len()).map(|b| each.iter().map(|scores| scores[b]).sum()).collect())
}
