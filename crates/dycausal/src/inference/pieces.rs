//! Long series in pieces of time: regressions that do not grow with steps times functions.
//!
//! The functions of time hardly change within one of a thousand pieces. Taken as they are in the middle
//! of the piece, its rows are what the series of a step are to a panel: products of columns are added up
//! once per piece, and functions are multiplied in afterwards.

use ndarray::Array2;

use super::regression::Sample;

/// Steps up to which each counts on its own.
const SHORT: usize = 8192;
/// Pieces of a longer series, at most.
const PIECES: usize = 1024;

/// Functions of time and precisions of pieces.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    psi: Array2<f64>,
    precision: Option<Vec<f64>>,
    /// Rows of a piece.
    rows: usize,
}

impl Pieces {
    /// The pieces of a sample with few series; `None` where it is short.
    pub fn of(sample: &Sample<'_>) -> Option<Self> {
        let steps = sample.target.len() / sample.series;
        if !sample.is_long() || steps <= SHORT {
            return None;
        }
        let each = steps.div_ceil(PIECES);
        let middle = |piece: usize| (piece * each + each / 2).min(steps - 1);
        let count = steps.div_ceil(each);
        let psi = Array2::from_shape_fn((count, sample.psi.ncols()), |(piece, b)| {
            sample.psi[[middle(piece), b]]
        });
        let precision = sample.precision.map(|p| (0..count).map(|piece| p[middle(piece)]).collect());
        Some(Self { psi, precision, rows: each * sample.series })
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
    use super::super::covariance::{Covariance, Errors};
    use super::super::regression::Regressor;
    use super::*;

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
        for (exact, close) in found[0].iter().zip(&found[1]) {
            assert!((exact - close).abs() < 1e-4 * exact.abs().max(1e-4), "{exact} {close}");
        }
    }
}
