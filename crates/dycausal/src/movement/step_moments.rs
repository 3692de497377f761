//! Second moments of one regression, step by step: all that models of its weights are asked by.

use std::ops::Range;

use super::course::Span;
use crate::design::Partition;
use crate::linear_algebra::dot;
use crate::regression::Sample;

/// Steps that are told apart at most; longer series are cut into as many pieces.
const MOST: usize = 1024;

/// Σ_rows w z_j z_k of each piece of time, the target among the columns as the last.
#[derive(Debug, Clone)]
pub(crate) struct StepMoments {
    /// The steps.
    pub span: Span,
    /// The first step of each piece.
    pub starts: Vec<usize>,
    /// Where the middle of each piece lies between 0 and 1.
    pub places: Vec<f64>,
    /// Rows, less those that means have used up.
    pub freedom: f64,
    width: usize,
    products: Vec<f64>,
}

impl StepMoments {
    /// The moments of a sample whose rows end with the last of `steps` steps.
    pub fn of(sample: &Sample<'_>, steps: usize) -> Self {
        let series = sample.series;
        let own = sample.target.len() / series;
        let span = Span { first: steps - own, steps };
        let cut = Partition::at_most(MOST, own);
        let (each, pieces) = (cut.each(), cut.count());
        let width = sample.regressors.len() + 1;
        let mut products = vec![0.0; width * (width + 1) / 2 * pieces];
        let columns: Vec<&[f64]> =
            sample.regressors.iter().map(|x| x.values).chain([sample.target]).collect();
        let mut weighted = Vec::with_capacity(each * series);
        let rows = sample.weights.map_or((own * series) as f64, |w| added_up(w, series));
        for piece in 0..pieces {
            let steps = cut.range(piece);
            let range = steps.start * series..steps.end * series;
            for (j, column) in columns.iter().enumerate() {
                weigh(sample, column, steps.clone(), &mut weighted);
                for (k, other) in columns[..=j].iter().enumerate() {
                    let at = (j * (j + 1) / 2 + k) * pieces + piece;
                    products[at] += dot(&weighted, &other[range.clone()]);
                }
            }
        }
        let starts: Vec<usize> = (0..pieces).map(|piece| span.first + piece * each).collect();
        let middle = |start: &usize| {
            let last = (start + each).min(steps) - 1;
            span.place(f64::midpoint(*start as f64, last as f64))
        };
        let places = starts.iter().map(middle).collect();
        Self { span, starts, places, freedom: rows - sample.intercepts, width, products }
    }

    /// The moments with one more regressor, after the others.
    pub fn with(&self, sample: &Sample<'_>, values: &[f64]) -> Self {
        let (series, pieces, target) = (sample.series, self.pieces(), self.target());
        let own = sample.target.len() / series;
        let cut = Partition::at_most(pieces, own);
        let width = self.width + 1;
        let mut products = self.products[..target * (target + 1) / 2 * pieces].to_vec();
        let columns: Vec<&[f64]> = sample.regressors.iter().map(|x| x.values).collect();
        let mut weighted = Vec::with_capacity(cut.each() * series);
        let mut with_new = vec![0.0; (target + 2) * pieces];
        for piece in 0..pieces {
            let steps = cut.range(piece);
            let range = steps.start * series..steps.end * series;
            weigh(sample, values, steps, &mut weighted);
            let others = columns.iter().copied().chain([values, sample.target]);
            for (k, other) in others.enumerate() {
                with_new[k * pieces + piece] = dot(&weighted, &other[range.clone()]);
            }
        }
        let (beside, with_target) = with_new.split_at((target + 1) * pieces);
        products.extend_from_slice(beside);
        for k in 0..target {
            products.extend_from_slice(self.pair(target, k));
        }
        products.extend_from_slice(with_target);
        products.extend_from_slice(self.pair(target, target));
        let (starts, places) = (self.starts.clone(), self.places.clone());
        Self { span: self.span, starts, places, freedom: self.freedom, width, products }
    }

    /// How many pieces.
    pub fn pieces(&self) -> usize {
        self.starts.len()
    }

    /// How many columns explain the target.
    pub fn regressors(&self) -> usize {
        self.width - 1
    }

    /// The number of the target among the columns.
    pub fn target(&self) -> usize {
        self.width - 1
    }

    /// The products of two columns, piece by piece.
    pub fn pair(&self, j: usize, k: usize) -> &[f64] {
        let (high, low) = (j.max(k), j.min(k));
        let start = (high * (high + 1) / 2 + low) * self.pieces();
        &self.products[start..start + self.pieces()]
    }

    /// The sum of the products of two columns.
    pub fn total(&self, j: usize, k: usize) -> f64 {
        self.pair(j, k).iter().sum()
    }
}

/// The weights of all rows, step by step.
fn added_up(weights: &[f64], series: usize) -> f64 {
    weights.chunks_exact(series).map(|step| step.iter().sum::<f64>()).sum()
}

/// The rows of some steps, times what each counts.
fn weigh(sample: &Sample<'_>, column: &[f64], steps: Range<usize>, out: &mut Vec<f64>) {
    let series = sample.series;
    let range = steps.start * series..steps.end * series;
    out.clear();
    out.extend_from_slice(&column[range.clone()]);
    if let Some(weights) = sample.weights {
        out.iter_mut().zip(&weights[range]).for_each(|(x, w)| *x *= w);
    }
    if let Some(precision) = sample.precision {
        let each = out.chunks_exact_mut(series).zip(&precision[steps]);
        each.for_each(|(values, p)| values.iter_mut().for_each(|x| *x *= p));
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::regression::Regressor;

    #[test]
    fn one_more_column_is_as_if_it_had_been_there() {
        for (steps, series) in [(3000, 1), (40, 7)] {
            let rows = steps * series;
            let noise = |k: usize| ((k * k * 7919 + k) % 1009) as f64 / 1009.0 - 0.5;
            let columns: Vec<Vec<f64>> =
                (0..4).map(|j| (0..rows).map(|row| noise(row + 50 * j)).collect()).collect();
            let precision: Vec<f64> = (0..steps).map(|t| 1.0 + noise(t)).collect();
            let psi = Array2::ones((steps, 1));
            let regressor = |values| Regressor { values, functions: 1 };
            let mut sample = Sample {
                target: &columns[3],
                regressors: vec![regressor(&columns[0]), regressor(&columns[1])],
                psi: psi.view(),
                series,
                weights: Some(&columns[1]),
                precision: Some(&precision),
                intercepts: 1.0,
            };
            let more = StepMoments::of(&sample, steps + 2).with(&sample, &columns[2]);
            sample.regressors.push(regressor(&columns[2]));
            let whole = StepMoments::of(&sample, steps + 2);
            assert_eq!((more.width, more.freedom), (whole.width, whole.freedom));
            for (x, y) in more.products.iter().zip(&whole.products) {
                assert!((x - y).abs() < 1e-12, "{x} {y}");
            }
        }
    }
}
