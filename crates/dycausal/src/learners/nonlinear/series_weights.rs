//! Series whose noise differs in scale.
//!
//! A straight line stays one when a series is divided by a number, a curve does not: the series keep their
//! values, and their rows count by one over the variance of their noise ([`series_scales`]).

use rayon::prelude::*;

use crate::design::Columns;
use crate::learners::series_scales::{LogScales, SERIES_FOR_SCALES, explodes, series_scales};
use crate::scores::additive::{AdditiveScore, Fit};

/// What a row of each series counts, on average 1.
#[derive(Debug)]
pub(super) struct SeriesWeights(Vec<f64>);

impl SeriesWeights {
    /// What the residuals ask for; `None` where series do not differ by more than chance.
    pub fn of(score: &AdditiveScore, fits: &[Fit]) -> Option<Self> {
        let columns = &score.columns;
        let series = columns.series();
        if series < SERIES_FOR_SCALES || explodes(columns) {
            return None;
        }
        let weights = columns.weights();
        let rows = columns.rows();
        let one = |(target, fit): (usize, &Fit)| {
            let mut residuals = Vec::new();
            score.residuals(target, fit, &mut residuals);
            // Residuals are multiplied by the roots of their weights.
            if let Some(weights) = weights {
                let pairs = residuals.iter_mut().zip(weights);
                pairs.for_each(|(u, w)| *u = if *w > 0.0 { *u / w.sqrt() } else { 0.0 });
            }
            let freedom = ((rows - fit.coefficients.len() as f64).max(1.0), rows);
            LogScales::of(&residuals, weights, series, freedom)
        };
        let found: Vec<LogScales> = fits.par_iter().enumerate().map(one).collect();
        let scales = series_scales(&found, series, false)?;
        let precision: Vec<f64> = scales.iter().map(|scale| scale.powi(-2)).collect();
        let mean = precision.iter().sum::<f64>() / series as f64;
        Some(Self(precision.iter().map(|weight| weight / mean).collect()))
    }

    /// The columns with rows that count by series.
    pub fn weigh(&self, columns: &Columns) -> Columns {
        columns.reweighted(|series, _| self.0[series])
    }

    /// What is told of it.
    pub fn words(&self) -> String {
        let range = self.0.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), weight| {
            (low.min(*weight), high.max(*weight))
        });
        let ratio = (range.1 / range.0).sqrt();
        format!(
            "the noise of series differs by up to {ratio:.1} times: rows count by one over its variance"
        )
    }
}
