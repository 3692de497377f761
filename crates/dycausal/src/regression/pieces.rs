//! Regressions on long series, in [pieces of time](crate::design::Partition).

use ndarray::Array2;

use super::Sample;
use crate::design::Partition;

/// Functions of time and precisions of pieces.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    psi: Array2<f64>,
    precision: Option<Vec<f64>>,
    /// Rows of a piece.
    rows: usize,
}

impl Pieces {
    /// The pieces of a sample; `None` where each step is one.
    pub fn of(sample: &Sample<'_>) -> Option<Self> {
        let steps = sample.target.len() / sample.series;
        let pieces = Partition::pieces(steps, sample.series);
        if !pieces.are_long() {
            return None;
        }
        let psi = Array2::from_shape_fn((pieces.count(), sample.psi.ncols()), |(piece, b)| {
            sample.psi[[pieces.middle(piece), b]]
        });
        let at_middle = |p: &[f64]| (0..pieces.count()).map(|k| p[pieces.middle(k)]).collect();
        let precision = sample.precision.map(at_middle);
        Some(Self { psi, precision, rows: pieces.each() * sample.series })
    }

    /// The sample with pieces as its steps.
    pub fn sample<'a>(&'a self, of: &Sample<'a>) -> Sample<'a> {
        Sample {
            psi: self.psi.view(),
            precision: self.precision.as_deref(),
            series: self.rows,
            ..of.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Regressor;
    use super::*;
    use crate::inference::covariance::{Covariance, Errors};

    #[test]
    fn pieces_say_what_every_step_says() {
        let steps = 20_011; // not a number of whole pieces
        let noise = |k: usize| ((k * k * 7919 + k * 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
        let u = |t: usize| 2.0 * t as f64 / steps as f64 - 1.0;
        let psi = Array2::from_shape_fn((steps, 3), |(t, b)| u(t).powi(i32::try_from(b).unwrap()));
        let x: Vec<Vec<f64>> =
            (0..2).map(|j| (0..steps).map(|t| noise(t + 31 * j)).collect()).collect();
        let value = |t: usize| (0.4 + 0.5 * u(t)) * x[0][t] - 0.2 * x[1][t] + noise(t + 9000);
        let target: Vec<f64> = (0..steps).map(value).collect();
        let precision: Vec<f64> = (0..steps).map(|t| 1.0 + 0.5 * u(t)).collect();
        let sample = Sample {
            target: &target,
            regressors: x.iter().map(|x| Regressor { values: x, functions: 3 }).collect(),
            psi: psi.view(),
            series: 1,
            weights: None,
            precision: Some(&precision),
            intercepts: 1.0,
        };
        let pieces = Pieces::of(&sample).unwrap();
        let found = [sample.clone(), pieces.sample(&sample)].map(|sample| {
            let fitted = sample.normal().solve(&[0, 1]).unwrap();
            let errors = Errors::new(&sample, &fitted, Covariance::Robust);
            let (covariance, freedom) = errors.covariance(0);
            [fitted.coefficients.clone(), covariance, vec![freedom]].concat()
        });
        let [exact, close] = found;
        // Coefficients differ by little of a standard error, and errors by little of themselves.
        let error = exact[6].sqrt();
        for (exact, close) in exact[..6].iter().zip(&close) {
            assert!((exact - close).abs() < 0.05 * error, "{exact} {close} ± {error}");
        }
        for (exact, close) in exact[6..].iter().zip(&close[6..]) {
            assert!(
                (exact - close).abs() < 0.01 * exact.abs().max(error * error),
                "{exact} {close}"
            );
        }
    }
}
