//! Whether a selected cause is one by chance.
//!
//! Two regressions of one variable on its selected causes, each with a covariance that holds whatever
//! goes on within a trajectory (or, where there are few of them, within a part of one). The integral
//! form is exact where all noise is in the observation; where the system itself is noisy its residuals
//! remember, and two series that wander look alike. Increments, x(t) − e^{−λ} x(t − 1) on
//! ½ (e^{−λ} x_j(t − 1) + x_j(t)) and x(t − 1), do not remember, but have more noise. An edge has to
//! stand up to both, with one sign: its p-value is the larger of the two.

use ndarray::{Array2, ArrayView1, ArrayView3, Axis, s};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::integral::Integral;
use crate::linear_algebra::symmetric_inverse;

/// Clusters that trajectories are cut into, at least.
const CLUSTERS: usize = 12;

/// The weight of each cause in the integral form, and its p-value.
pub(super) fn tests(
    values: ArrayView3<'_, f64>,
    integral: &Integral,
    decay: f64,
    effect: usize,
    causes: &[usize],
) -> Vec<(f64, f64)> {
    let cut = Clusters::of(values.dim());
    let whole: Vec<usize> = cut.rows(0).collect();
    let histories = integral.histories.select(Axis(1), causes);
    let level = Fitted::of(&histories, integral.values.column(effect), &whole, cut.count());
    let (design, change) = increments(values, decay, effect, causes);
    let later: Vec<usize> = cut.rows(1).collect();
    let change = Fitted::of(&design, change.view(), &later, cut.count());
    let (Some(level), Some(change)) = (level, change) else {
        return vec![(0.0, 1.0); causes.len()];
    };
    (0..causes.len())
        .map(|k| {
            let (weight, again) = (level.weights[k], change.weights[k]);
            let same = weight.is_sign_positive() == again.is_sign_positive();
            let p = if same { level.p[k].max(change.p[k]) } else { 1.0 };
            (weight, p)
        })
        .collect()
}

/// The weights of causes in the integral form.
pub(super) fn weights(integral: &Integral, effect: usize, causes: &[usize]) -> Vec<f64> {
    let histories = integral.histories.select(Axis(1), causes);
    let one = vec![0; histories.nrows()];
    Fitted::of(&histories, integral.values.column(effect), &one, 1)
        .map_or_else(|| vec![0.0; causes.len()], |fitted| fitted.weights)
}

/// What changes from one step to the next, and what may have changed it: causes, own level, constant.
fn increments(
    values: ArrayView3<'_, f64>,
    decay: f64,
    effect: usize,
    causes: &[usize],
) -> (Array2<f64>, ndarray::Array1<f64>) {
    let (series, steps, _) = values.dim();
    let left = (-decay).exp();
    let before = values.slice(s![.., ..steps - 1, ..]);
    let after = values.slice(s![.., 1.., ..]);
    let rows = series * (steps - 1);
    let at = |row: usize| (row / (steps - 1), row % (steps - 1));
    let design = Array2::from_shape_fn((rows, causes.len() + 2), |(row, k)| {
        let (n, t) = at(row);
        match causes.get(k) {
            Some(cause) => 0.5 * (left * before[[n, t, *cause]] + after[[n, t, *cause]]),
            None if k == causes.len() => before[[n, t, effect]],
            None => 1.0,
        }
    });
    let change = ndarray::Array1::from_shape_fn(rows, |row| {
        let (n, t) = at(row);
        after[[n, t, effect]] - left * before[[n, t, effect]]
    });
    (design, change)
}

/// Which rows go together.
struct Clusters {
    series: usize,
    steps: usize,
    parts: usize,
}

impl Clusters {
    fn of((series, steps, _): (usize, usize, usize)) -> Self {
        Self { series, steps, parts: CLUSTERS.div_ceil(series).min(steps) }
    }

    fn count(&self) -> usize {
        self.series * self.parts
    }

    /// The cluster of each row, without the first steps of each trajectory.
    fn rows(&self, skipped: usize) -> impl Iterator<Item = usize> {
        let of = |n: usize, t: usize| n * self.parts + t * self.parts / self.steps;
        (0..self.series).flat_map(move |n| (skipped..self.steps).map(move |t| of(n, t)))
    }
}

/// Least squares with p-values that allow for dependence within clusters.
struct Fitted {
    weights: Vec<f64>,
    p: Vec<f64>,
}

impl Fitted {
    fn of(
        design: &Array2<f64>,
        target: ArrayView1<'_, f64>,
        cluster: &[usize],
        clusters: usize,
    ) -> Option<Self> {
        let columns = design.ncols();
        let gram = design.t().dot(design);
        let inverse = symmetric_inverse(gram.iter().copied().collect(), columns)?;
        let inverse = Array2::from_shape_vec((columns, columns), inverse).ok()?;
        let weights = inverse.dot(&design.t().dot(&target));
        let left = &target - &design.dot(&weights);
        let mut scores = Array2::<f64>::zeros((clusters, columns));
        for ((row, u), cluster) in design.outer_iter().zip(&left).zip(cluster) {
            scores.row_mut(*cluster).scaled_add(*u, &row);
        }
        let meat = scores.t().dot(&scores);
        let small = clusters as f64 / (clusters as f64 - 1.0).max(1.0);
        let covariance = inverse.dot(&meat).dot(&inverse) * small;
        let law = StudentsT::new(0.0, 1.0, (clusters as f64 - 1.0).max(1.0)).ok()?;
        let p = |k: usize| 2.0 * law.sf(weights[k].abs() / covariance[[k, k]].sqrt());
        let p = (0..columns).map(|k| if covariance[[k, k]] > 0.0 { p(k) } else { 1.0 }).collect();
        Some(Self { weights: weights.to_vec(), p })
    }
}
