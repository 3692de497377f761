//! The central path of DAGMA: μ · (loss + sparsity) + h, with a μ that falls from stage to stage.

use dycausal::{Error, Knowledge, Result, Run};
use dycausal_published::acyclicity::{Acyclicity, LogDet, Workspace};
use dycausal_published::optimise::{Adam, Trained};
use ndarray::Array2;

use super::Dagma;
use crate::equations::Equations;

/// How fast Adam's means forget.
const FORGET: (f64, f64) = (0.99, 0.999);
/// Steps between two looks at the objective.
const CHECKPOINT: usize = 1000;
/// Relative change of the objective between two looks below which a stage ends.
const TOLERANCE: f64 = 1e-6;
/// Retries of a stage, each with a larger domain and shorter steps.
const RETRIES: usize = 60;

pub(super) struct Path<'a> {
    method: &'a Dagma,
    equations: &'a Equations,
    /// Which weights there may be, and the penalty of each.
    free: Vec<bool>,
    penalties: Vec<f64>,
    workspace: Workspace,
    squares: Array2<f64>,
    slopes: Array2<f64>,
}

/// What a stage aims at.
#[derive(Debug, Clone, Copy)]
struct Stage {
    mu: f64,
    domain: f64,
    rate: f64,
    iterations: usize,
}

/// How a stage ended.
enum End {
    /// At these weights.
    There(Vec<f64>),
    /// Outside of the domain of h, where there is no step back.
    Outside,
}

impl<'a> Path<'a> {
    pub fn new(method: &'a Dagma, equations: &'a Equations, known: &Knowledge) -> Self {
        let d = equations.variables();
        // What has to be there is not drawn towards 0.
        let penalty =
            |place| if equations.is_required(known, place) { 0.0 } else { method.sparsity };
        Self {
            method,
            equations,
            free: equations.free(known),
            penalties: (0..equations.weights()).map(penalty).collect(),
            workspace: Workspace::new(d),
            squares: Array2::zeros((d, d)),
            slopes: Array2::zeros((d, d)),
        }
    }

    /// Follows the path to its end.
    ///
    /// # Errors
    /// If the domain is left whatever the step, or the run is cancelled.
    pub fn follow(&mut self, run: &Run) -> Result<Vec<f64>> {
        let mut weights = vec![0.0; self.equations.weights()];
        let mut mu = self.method.mu;
        for stage in 0..self.method.stages {
            let last = stage + 1 == self.method.stages;
            let domains = &self.method.domain;
            let mut aim = Stage {
                mu,
                domain: domains[stage.min(domains.len() - 1)],
                rate: self.method.rate,
                iterations: if last { self.method.iterations } else { self.method.warm_iterations },
            };
            let mut retries = 0;
            weights = loop {
                if let End::There(found) = self.minimise(&weights, aim, run)? {
                    break found;
                }
                retries += 1;
                if retries > RETRIES {
                    let what = "the weights leave the domain of the constraint whatever the step; rescale the columns";
                    return Err(Error::numerical("optimise", what));
                }
                aim = Stage { rate: aim.rate / 2.0, domain: aim.domain + 0.1, ..aim };
            };
            run.advance(1);
            mu *= self.method.decay;
        }
        Ok(weights)
    }

    fn minimise(&mut self, start: &[f64], mut aim: Stage, run: &Run) -> Result<End> {
        let mut trained = Trained::new(start.to_vec());
        let mut before = start.to_vec();
        let mut objective = 1e16;
        for iteration in 1..=aim.iterations {
            if iteration % 100 == 1 {
                run.proceed()?;
            }
            while self.cyclicity(&trained.values, aim.domain).is_none() {
                if iteration == 1 || aim.domain <= 0.9 {
                    return Ok(End::Outside);
                }
                aim.rate /= 2.0;
                if aim.rate <= 1e-16 {
                    return Ok(End::There(before));
                }
                // Half of the last step is taken back.
                for (w, b) in trained.values.iter_mut().zip(&before) {
                    *w = f64::midpoint(*w, *b);
                }
            }
            self.gradient(&mut trained, aim.mu);
            before.copy_from_slice(&trained.values);
            trained.step(Adam::step(aim.rate, iteration).forgetting(FORGET, iteration));
            self.clear(&mut trained.values);
            if iteration % CHECKPOINT == 0 || iteration == aim.iterations {
                let Some(now) = self.objective(&trained.values, aim) else { continue };
                if ((objective - now) / objective).abs() <= TOLERANCE {
                    break;
                }
                objective = now;
            }
        }
        Ok(End::There(trained.values))
    }

    /// h, with its slopes by squared weights kept; `None` outside of its domain.
    fn cyclicity(&mut self, weights: &[f64], domain: f64) -> Option<f64> {
        for (square, w) in self.squares.iter_mut().zip(weights) {
            *square = w * w;
        }
        let h = LogDet { alpha: domain };
        h.evaluate(self.squares.view(), self.slopes.view_mut(), &mut self.workspace).ok()
    }

    /// The gradient of μ (loss + λ |W|) + h, h as it was computed last.
    fn gradient(&self, trained: &mut Trained<f64>, mu: f64) {
        let (values, gradient) = (&trained.values, &mut trained.gradient);
        self.equations.evaluate(values, gradient);
        for ((g, w), penalty) in gradient.iter_mut().zip(values).zip(&self.penalties) {
            let sign = f64::from(u8::from(*w > 0.0)) - f64::from(u8::from(*w < 0.0));
            *g = mu * (*g + penalty * sign);
        }
        for ((g, w), slope) in gradient.iter_mut().zip(values).zip(&self.slopes) {
            *g += 2.0 * w * slope;
        }
        self.clear(gradient);
    }

    fn clear(&self, weights: &mut [f64]) {
        let fixed = weights.iter_mut().zip(&self.free).filter(|(_, free)| !**free);
        fixed.for_each(|(w, _)| *w = 0.0);
    }

    /// μ (loss + λ |W|) + h; what does not depend on W is in it, because the end of a stage is told
    /// by its relative change.
    fn objective(&mut self, weights: &[f64], aim: Stage) -> Option<f64> {
        let h = self.cyclicity(weights, aim.domain)?;
        let mut scratch = vec![0.0; weights.len()];
        let loss = self.equations.evaluate(weights, &mut scratch) + self.equations.of_lags();
        let size: f64 = weights.iter().zip(&self.penalties).map(|(w, p)| p * w.abs()).sum();
        Some(aim.mu * (loss + size) + h)
    }
}
