//! Squared errors summed over variables: the likelihood of a linear model whose noise is of one size.
//!
//! n Σ_i s²_i / σ² + log n · |parents|, with s² the residual variance of a variable given its parents and σ² the
//! variance of the noise of all. It depends on units, as the loss of the published method does, and it tells
//! directions where that loss does.

mod sweep;

use dycausal::scores::{Found, LocalScore};
use dycausal::{Cancel, Result};
use ndarray::{Array2, ArrayView2};

use self::sweep::Sweep;

/// Share of the mean square of all columns that the noise has at least.
const LEAST: f64 = 1e-12;

/// Moments of every variable at every lag, in units of their own size.
#[derive(Debug)]
pub(crate) struct EqualNoise {
    variables: usize,
    gram: Array2<f64>,
    /// Root mean square of every column.
    sizes: Vec<f64>,
    rows: f64,
    noise: f64,
    cancel: Cancel,
}

/// A variable with its candidates.
#[derive(Debug)]
pub(crate) struct Node {
    target: usize,
    candidates: Vec<usize>,
    required: Vec<usize>,
}

/// A regression.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fit {
    /// The selected columns.
    pub selected: Vec<usize>,
    /// Their weights.
    pub weights: Vec<f64>,
    /// The mean square that is left.
    pub variance: f64,
}

/// Memory for one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sweep: Sweep,
    admitted: Vec<usize>,
}

impl EqualNoise {
    /// The score of moments\[column, column\], means over so many rows, with noise of this variance.
    pub fn new(moments: ArrayView2<'_, f64>, variables: usize, rows: f64, noise: f64) -> Self {
        let sizes: Vec<f64> =
            moments.diag().iter().map(|m| m.max(f64::MIN_POSITIVE).sqrt()).collect();
        let entry = |(a, b): (usize, usize)| moments[[a, b]] / (sizes[a] * sizes[b]);
        let gram = Array2::from_shape_fn(moments.dim(), entry);
        // Where nothing is left of the variables, what rounding leaves is no noise.
        let noise = noise
            .max(LEAST * sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len() as f64);
        Self { variables, gram, sizes, rows, noise, cancel: Cancel::default() }
    }

    /// The same, which stops when it is asked to.
    pub fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// What a share of a variable's mean square is in units of the score.
    fn unit(&self, target: usize) -> f64 {
        self.rows * self.sizes[target].powi(2) / self.noise
    }

    /// Grow, then shrink where it is asked for, among the admitted columns.
    fn select(
        &self,
        target: usize,
        required: &[usize],
        share: f64,
        shrink: bool,
        scratch: &mut Scratch,
    ) -> Fit {
        let Scratch { sweep, admitted } = scratch;
        sweep.take(self.gram.view(), admitted, target);
        let (unit, cost) = (self.unit(target), share * self.cost());
        let is_required = |place: usize| required.contains(&admitted[place]);
        let mut inside: Vec<usize> = (0..admitted.len())
            .filter(|place| is_required(*place) && sweep.switch(*place))
            .collect();
        loop {
            let outside = (0..admitted.len()).filter(|place| !inside.contains(place));
            let best = outside.map(|place| (unit * sweep.weight(place), place));
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(gain, _)| *gain > cost);
            let Some((_, place)) = best else { break };
            if !sweep.switch(place) {
                break;
            }
            inside.push(place);
        }
        loop {
            let may_go = inside.iter().copied().filter(|place| shrink && !is_required(*place));
            let losses = may_go.map(|place| (unit * sweep.weight(place), place));
            let weakest =
                losses.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(loss, _)| *loss <= cost);
            let Some((_, place)) = weakest else { break };
            sweep.switch(place);
            inside.retain(|other| *other != place);
        }
        inside.sort_unstable();
        let size = self.sizes[target];
        let weight =
            |place: &usize| sweep.coefficient(*place) * size / self.sizes[admitted[*place]];
        Fit {
            weights: inside.iter().map(weight).collect(),
            selected: inside.iter().map(|place| admitted[*place]).collect(),
            variance: sweep.left().max(0.0) * size * size,
        }
    }
}

impl LocalScore for EqualNoise {
    type Node = Node;
    type Regression = Fit;
    type Scratch = Scratch;

    fn variables(&self) -> usize {
        self.variables
    }

    fn columns(&self) -> usize {
        self.sizes.len()
    }

    /// It is asked where a search that begins at a given order ends, so that no other start is tried.
    fn is_cheap(&self) -> bool {
        false
    }

    fn proceed(&self) -> Result<()> {
        self.cancel.proceed()
    }

    fn cost(&self) -> f64 {
        self.rows.ln()
    }

    fn prepare(&self, target: usize, candidates: &[usize], required: &[usize]) -> Node {
        Node { target, candidates: candidates.to_vec(), required: required.to_vec() }
    }

    fn find(
        &self,
        node: &Node,
        before: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Found<Fit> {
        let d = self.variables;
        scratch.admitted.clear();
        scratch.admitted.extend(node.candidates.iter().filter(|c| **c >= d || before(**c)));
        let fit = self.select(node.target, &node.required, 1.0, true, scratch);
        Found {
            parents: fit.selected.iter().copied().filter(|c| *c < d).collect(),
            tried: None,
            score: self.rows * fit.variance / self.noise + self.cost() * fit.selected.len() as f64,
            regression: fit,
        }
    }

    fn grow(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        scratch.admitted.clear();
        scratch.admitted.extend((0..self.columns()).filter(|c| allowed(*c)));
        self.select(target, required, share, false, scratch).selected
    }

    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        scratch: &mut Scratch,
    ) -> Fit {
        scratch.admitted.clear();
        scratch.admitted.extend((0..self.columns()).filter(|c| allowed(*c)));
        self.select(target, required, 1.0, true, scratch)
    }

    fn selected(fit: &Fit) -> &[usize] {
        &fit.selected
    }
}

#[cfg(test)]
mod tests {
    use dycausal::Run;
    use dycausal::search::{self, Given, Start};
    use ndarray::array;

    use super::*;

    /// Moments of x, y = 2x + e with noise of variance 1: only variances tell the direction.
    #[test]
    fn the_variable_with_more_variance_than_noise_is_the_effect() {
        let moments = array![[1.0, 2.0], [2.0, 5.0]];
        let score = EqualNoise::new(moments.view(), 2, 500.0, 1.0);
        let run = Run::new(0);
        for start in [[0, 1], [1, 0]] {
            let learned =
                search::learn(&score, Start::Near(&start), &Given::default(), &run).unwrap();
            assert_eq!(learned.order(), [0, 1]);
            assert_eq!(learned.fits[1].selected, vec![0]);
            assert!((learned.fits[1].weights[0] - 2.0).abs() < 1e-12);
            assert!((learned.fits[1].variance - 1.0).abs() < 1e-12);
            assert!(learned.fits[0].selected.is_empty());
        }
    }
}
