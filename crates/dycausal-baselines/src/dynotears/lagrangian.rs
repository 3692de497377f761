//! The augmented Lagrangian.

use dycausal::internals::bounded::Bounded;
use dycausal::{Knowledge, Result, Run};
use dycausal_published::acyclicity::{Acyclicity, TraceExp, Workspace};
use ndarray::Array2;

use super::Dynotears;
use crate::equations::Equations;

/// ρ beyond which constraints are not enforced any harder.
const LARGEST: f64 = 1e20;
/// What ρ is multiplied with.
const GROWTH: f64 = 10.0;
/// Share of the last h that the next has to fall below for ρ to stay.
const PROGRESS: f64 = 0.25;

/// Where it ended.
pub(super) struct Solution {
    /// Weights\[lag · variables + from, to\].
    pub weights: Vec<f64>,
    /// Loss and penalties there.
    pub objective: f64,
    /// h there.
    pub cyclicity: f64,
}

struct Problem<'a> {
    equations: &'a Equations,
    /// The penalty of each weight that there may be, and its place among all.
    penalties: Vec<(usize, f64)>,
    weights: Vec<f64>,
    gradient: Vec<f64>,
    squares: Array2<f64>,
    slopes: Array2<f64>,
    workspace: Workspace,
}

/// Minimises for growing α and ρ until h is small enough.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn solve(
    method: &Dynotears,
    equations: &Equations,
    free: &[bool],
    run: &Run,
) -> Result<Solution> {
    let mut problem = Problem::new(method, equations, free, run.knowledge());
    let mut parts = vec![0.0; 2 * problem.penalties.len()];
    let (mut alpha, mut rho, mut cyclicity) = (0.0, 1.0, f64::INFINITY);
    for _ in 0..method.iterations {
        run.advance(1);
        while rho < LARGEST {
            let found = Bounded::default().minimise(parts.clone(), |parts, gradient| {
                run.proceed()?;
                Ok(problem.lagrangian(parts, gradient, alpha, rho))
            })?;
            let now = problem.cyclicity_of(&found.point);
            if now > PROGRESS * cyclicity {
                rho *= GROWTH;
                if rho >= LARGEST {
                    (parts, cyclicity) = (found.point, now);
                }
            } else {
                (parts, cyclicity) = (found.point, now);
                break;
            }
        }
        alpha += rho * cyclicity;
        if cyclicity <= method.tolerance || rho >= LARGEST {
            break;
        }
    }
    let objective = problem.lagrangian(&parts, &mut vec![0.0; parts.len()], 0.0, 0.0);
    Ok(Solution { objective, cyclicity, weights: problem.weights })
}

impl<'a> Problem<'a> {
    fn new(method: &Dynotears, equations: &'a Equations, free: &[bool], known: &Knowledge) -> Self {
        let d = equations.variables();
        let penalty = |place: usize| {
            let penalty = if place < d * d { method.lambda_w } else { method.lambda_a };
            // What has to be there is not drawn towards 0.
            (place, if equations.is_required(known, place) { 0.0 } else { penalty })
        };
        Self {
            equations,
            penalties: (0..free.len()).filter(|place| free[*place]).map(penalty).collect(),
            weights: vec![0.0; free.len()],
            gradient: vec![0.0; free.len()],
            squares: Array2::zeros((d, d)),
            slopes: Array2::zeros((d, d)),
            workspace: Workspace::new(d),
        }
    }

    /// Weights as the difference of their positive and negative parts.
    fn assemble(&mut self, parts: &[f64]) {
        let (up, down) = parts.split_at(self.penalties.len());
        for (((place, _), up), down) in self.penalties.iter().zip(up).zip(down) {
            self.weights[*place] = up - down;
        }
        for (square, w) in self.squares.iter_mut().zip(&self.weights) {
            *square = w * w;
        }
    }

    fn cyclicity(&mut self) -> f64 {
        let (squares, slopes) = (self.squares.view(), self.slopes.view_mut());
        TraceExp.evaluate(squares, slopes, &mut self.workspace).unwrap_or(f64::INFINITY)
    }

    fn cyclicity_of(&mut self, parts: &[f64]) -> f64 {
        self.assemble(parts);
        self.cyclicity()
    }

    /// Loss, penalties, α h + ½ ρ h², and the gradient by the parts.
    fn lagrangian(&mut self, parts: &[f64], gradient: &mut [f64], alpha: f64, rho: f64) -> f64 {
        let h = self.cyclicity_of(parts);
        if !h.is_finite() {
            return f64::INFINITY;
        }
        let loss = self.equations.evaluate(&self.weights, &mut self.gradient);
        let slope = alpha + rho * h;
        for ((g, w), s) in self.gradient.iter_mut().zip(&self.weights).zip(&self.slopes) {
            *g += 2.0 * slope * w * s;
        }
        let (up, down) = gradient.split_at_mut(self.penalties.len());
        let mut penalty = 0.0;
        for (k, (place, size)) in self.penalties.iter().enumerate() {
            let g = self.gradient[*place];
            (up[k], down[k]) = (size + g, size - g);
            penalty += size * (parts[k] + parts[self.penalties.len() + k]);
        }
        loss + penalty + alpha * h + 0.5 * rho * h * h
    }
}
