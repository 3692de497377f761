//! The variance of noise as a smooth curve over time.
//!
//! log σ²(t) = Σ_k a_k ψ_k(t) with polynomials ψ_k orthonormal over the rows, fitted by maximum
//! likelihood to the sums of squared residuals in bins of time: Fisher scoring, whose steps are
//! plain sums because the polynomials are orthonormal. The curve costs log n per coefficient beyond
//! the first, and the constant is kept where no curve pays for itself.

use std::ops::Range;

use super::noise::{BINS, Sums};
use crate::design::Columns;

/// Coefficients of the curves that are tried, the constant apart.
const SIZES: [usize; 2] = [3, 6];
/// Steps of Fisher scoring, from the logarithms of the variances of the bins.
const STEPS: usize = 3;
/// Length, over the rows, below which a polynomial is a sum of those before it.
const DISTINCT: f64 = 1e-6;
/// A variance below this counts as this.
const LEAST: f64 = 1e-15;

/// The polynomials at each bin.
#[derive(Debug, Clone)]
pub(crate) struct VarianceCurves {
    /// ψ\[function\]\[bin\].
    values: Vec<[f64; BINS]>,
    /// Share of the rows in each bin.
    shares: [f64; BINS],
    bins: usize,
    rows: f64,
}

/// The curve that was chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VarianceCurve {
    /// −2 log likelihood without its constants, n log σ² where the variance is constant, plus log n
    /// per further coefficient.
    pub score: f64,
    /// The variance in each bin.
    pub variances: [f64; BINS],
    /// Whether it moves.
    pub moves: bool,
}

impl VarianceCurves {
    /// The polynomials for rows in bins.
    pub fn new(columns: &Columns, bins: &[Range<usize>]) -> Self {
        let (steps, rows) = (columns.steps() as f64, columns.rows());
        let mut shares = [0.0; BINS];
        let mut middle = [0.0; BINS];
        for (k, bin) in bins.iter().enumerate() {
            shares[k] = bin.clone().map(|t| columns.rows_at(t)).sum::<f64>() / rows;
            middle[k] = (bin.start + bin.end) as f64 / steps - 1.0;
        }
        let mut values: Vec<[f64; BINS]> = Vec::new();
        let mut power = [1.0; BINS];
        while values.len() < SIZES[SIZES.len() - 1].min(bins.len()) {
            let mut next = power;
            // Twice: once leaves rounding errors where bins are few.
            for before in values.iter().chain(&values) {
                let dot = weighted(&shares, &next, before);
                next.iter_mut().zip(before).for_each(|(x, y)| *x -= dot * y);
            }
            let length = weighted(&shares, &next, &next).sqrt();
            if length < DISTINCT {
                break; // bins without rows tell no more polynomials apart
            }
            next = next.map(|x| x / length);
            values.push(next);
            power.iter_mut().zip(&middle).for_each(|(p, u)| *p *= u);
        }
        Self { values, shares, bins: bins.len(), rows }
    }

    /// The curve with the best score, or the constant.
    pub fn fit(&self, sums: &[Sums]) -> VarianceCurve {
        let pooled = mean_square(sums, self.rows).max(LEAST);
        let score = self.rows * pooled.ln();
        let mut best = VarianceCurve { score, variances: [pooled; BINS], moves: false };
        for size in SIZES.into_iter().filter(|size| *size <= self.values.len()) {
            let curve = self.fit_size(size, sums);
            if curve.score < best.score {
                best = curve;
            }
        }
        best
    }

    fn fit_size(&self, size: usize, sums: &[Sums]) -> VarianceCurve {
        let pooled = mean_square(sums, self.rows);
        let mut found = [1.0; BINS];
        for (variance, bin) in found.iter_mut().zip(sums) {
            // Bins in which the variable was never observed say nothing.
            let mean = if bin.rows == 0.0 { pooled } else { bin.square / bin.rows.max(1.0) };
            *variance = mean.max(LEAST);
        }
        let mut logs = [0.0_f64; BINS];
        let mut error = found.map(f64::ln);
        for step in 0..=STEPS {
            if step > 0 {
                for k in 0..self.bins {
                    error[k] = found[k] * (-logs[k]).exp() - 1.0;
                }
            }
            for psi in &self.values[..size] {
                let coefficient = weighted(&self.shares, &error, psi);
                logs.iter_mut().zip(psi).for_each(|(x, y)| *x += coefficient * y);
            }
        }
        let variances = logs.map(f64::exp);
        let one = [1.0; BINS];
        let mut ratio = [0.0; BINS];
        (0..self.bins).for_each(|k| ratio[k] = found[k] / variances[k]);
        let excess = weighted(&self.shares, &ratio, &one) - 1.0;
        let likelihood = self.rows * (weighted(&self.shares, &logs, &one) + excess);
        let score = likelihood + (size as f64 - 1.0) * self.rows.ln();
        VarianceCurve { score, variances, moves: true }
    }
}

/// The mean square of residuals, of which there are `rows` but for those of a variable that was not
/// observed.
pub(crate) fn mean_square(sums: &[Sums], rows: f64) -> f64 {
    let seen: f64 = sums.iter().map(|bin| bin.rows).sum();
    // Weights that are not whole numbers may be rounded otherwise here and there.
    let rows = if seen < rows * (1.0 - 1e-9) { seen.max(1.0) } else { rows };
    sums.iter().map(|bin| bin.square).sum::<f64>() / rows
}

fn weighted(shares: &[f64; BINS], x: &[f64; BINS], y: &[f64; BINS]) -> f64 {
    shares.iter().zip(x).zip(y).map(|((w, x), y)| w * x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::super::noise;
    use super::*;
    use crate::panel::Panel;
    use ndarray::Array3;

    fn curves(steps: usize) -> (VarianceCurves, Vec<Range<usize>>) {
        let value = |(n, t, v): (usize, usize, usize)| ((n * 7 + t * 3 + v) % 11) as f64;
        let values = Array3::from_shape_fn((100, steps, 2), value);
        let panel = Panel::new(values, vec!["a".into(), "b".into()]).unwrap();
        let columns = Columns::of(&panel, 0).unwrap();
        let bins = noise::bins(&columns);
        (VarianceCurves::new(&columns, &bins), bins)
    }

    fn sums(bins: &[Range<usize>], variance: impl Fn(f64) -> f64) -> Vec<Sums> {
        let of = |bin: &Range<usize>| {
            let rows = 100.0 * bin.len() as f64;
            let square = rows * variance((bin.start + bin.end) as f64 / 96.0 - 1.0);
            Sums { rows, square, ..Sums::default() }
        };
        bins.iter().map(of).collect()
    }

    #[test]
    fn polynomials_are_orthonormal_over_the_rows() {
        let (curves, _) = curves(48);
        for (j, x) in curves.values.iter().enumerate() {
            for (k, y) in curves.values.iter().enumerate() {
                let dot = weighted(&curves.shares, x, y);
                assert!((dot - f64::from(u8::from(j == k))).abs() < 1e-12, "{j} {k}: {dot}");
            }
        }
    }

    #[test]
    fn a_variance_that_moves_is_found_and_a_constant_one_is_left_alone() {
        let (curves, bins) = curves(48);
        let still = curves.fit(&sums(&bins, |_| 2.0));
        assert!(!still.moves && (still.variances[0] - 2.0).abs() < 1e-12);
        let law = |u: f64| (1.0 + 0.5 * (3.0 * u).sin()).powi(2);
        let own = sums(&bins, law);
        let mean = own.iter().map(|bin| bin.square).sum::<f64>() / 4800.0;
        let moving = curves.fit(&own);
        assert!(moving.moves && moving.score < 4800.0 * mean.ln(), "{moving:?}");
        for (bin, found) in bins.iter().zip(moving.variances) {
            let truth = law((bin.start + bin.end) as f64 / 96.0 - 1.0);
            assert!((found / truth).ln().abs() < 0.25, "{found} for {truth}");
        }
    }

    #[test]
    fn bins_without_rows_leave_fewer_polynomials_and_no_nonsense() {
        let value = |(n, t, v): (usize, usize, usize)| {
            let gap = t != 1 && t != 4;
            if gap { f64::NAN } else { ((n * 7 + t * 3 + v * n) % 11) as f64 }
        };
        let values = Array3::from_shape_fn((400, 8, 2), value);
        let panel = Panel::new(values, vec!["a".into(), "b".into()]).unwrap();
        let columns = Columns::of(&panel, 0).unwrap();
        let bins = noise::bins(&columns);
        let curves = VarianceCurves::new(&columns, &bins);
        assert!(curves.values.len() <= 2, "{}", curves.values.len());
        assert!(curves.values.iter().flatten().all(|x| x.is_finite()));
        assert!(curves.fit(&sums(&bins, |_| 2.0)).score.is_finite());
    }

    #[test]
    fn other_units_only_add_to_the_score() {
        let (curves, bins) = curves(48);
        let law = |u: f64| (1.5 * u).exp();
        let (one, other) = (sums(&bins, law), sums(&bins, |u| 1e-8 * law(u)));
        let (one, other) = (curves.fit(&one), curves.fit(&other));
        assert!((one.score - other.score + 4800.0 * 1e-8f64.ln()).abs() < 1e-6);
    }
}
