//! How well a process foretells rows that it has not seen.

use std::f64::consts::TAU;

use super::fit::{ProcessFit, Task};
use super::process::{MEAN, Process};
use super::rows::Rows;

/// Rows that are learned from, at most.
const LEARNED: usize = 800;

impl Rows {
    /// The log likelihood of the rows of one fold under a process that knows the others, per row; the
    /// parameters are those of the fit. The target is in standard deviations.
    pub fn foretold(&self, target: usize, fit: &ProcessFit, folds: &[usize], fold: usize) -> f64 {
        let seen: Vec<usize> = self.kept.iter().copied().filter(|r| folds[*r] != fold).collect();
        let stride = seen.len().div_ceil(LEARNED).max(1);
        let seen: Vec<usize> = seen.into_iter().step_by(stride).collect();
        let unseen: Vec<usize> = self.kept.iter().copied().filter(|r| folds[*r] == fold).collect();
        let stride = unseen.len().div_ceil(LEARNED / 4).max(1);
        let unseen: Vec<usize> = unseen.into_iter().step_by(stride).collect();
        if seen.is_empty() || unseen.is_empty() {
            return 0.0;
        }
        let set = vec![seen];
        let task = Task { rows: self, sets: &set, target };
        let mut processes: Vec<Process<f32>> = task.processes(fit.family, &fit.columns);
        let process = &mut processes[0];
        process.value(fit.family, &fit.parameters);
        let alpha = process.solution();
        let (known, asked) = (fit.places(self, &set[0]), fit.places(self, &unseen));
        let y = self.target(target, &unseen);
        let (old, new) = (self.steps(&set[0]), self.steps(&unseen));
        let noise = fit.parameters[fit.columns.len() + 1].exp();
        let shared = |a: usize, b: usize| match (&new, &old) {
            (Some(new), Some(old)) if new[a] != old[b] => 0.0,
            _ => MEAN,
        };
        let mut total = 0.0;
        for (a, x) in asked.iter().enumerate() {
            let load: Vec<f64> = known
                .iter()
                .enumerate()
                .map(|(b, z)| fit.family.between(&fit.parameters, x, z) + shared(a, b))
                .collect();
            let mean: f64 = load.iter().zip(&alpha).map(|(l, a)| l * a).sum();
            let solved = process.solve(&load);
            let told: f64 = solved.iter().zip(&load).map(|(s, l)| s * l).sum();
            let own = fit.family.between(&fit.parameters, x, x) + MEAN + noise;
            let variance = (own - told).max(0.5 * noise).max(1e-9);
            let away = f64::from(y[a]) - mean;
            total += -0.5 * (away * away / variance + variance.ln() + TAU.ln());
        }
        total / asked.len() as f64
    }
}
