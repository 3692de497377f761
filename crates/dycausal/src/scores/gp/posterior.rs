//! What a fitted process says of one of its inputs.

use super::family::Place;
use super::fit::{ProcessFit, Task};
use super::process::Process;
use crate::linear_algebra::dot;

/// Rows that an effect is averaged over, at most.
const ANCHORS: usize = 16;
/// Rows that steepness is averaged over, at most.
const SLOPES: usize = 60;
/// Half the distance over which steepness is measured, in standard deviations.
const STEP: f64 = 0.05;

/// The effect of one input, averaged over what the others do in the data.
#[derive(Debug, Clone)]
pub(crate) struct Averaged {
    /// Its mean at each value asked for, less the mean over them.
    pub effect: Vec<f64>,
    /// Its standard error there.
    pub error: Vec<f64>,
    /// The root mean square of the derivative over the data, with the sign of its mean.
    pub steepness: f64,
}

/// A process with what it learned from the first of some sets of rows.
pub(crate) struct Posterior<'a> {
    task: Task<'a>,
    fit: &'a ProcessFit,
    process: Process<f32>,
    /// K⁻¹y.
    alpha: Vec<f64>,
    /// The rows.
    points: Vec<Place>,
}

impl<'a> Posterior<'a> {
    /// What a fit learned.
    pub fn of(task: Task<'a>, fit: &'a ProcessFit) -> Option<Self> {
        let rows = task.sets.first()?;
        let points = fit.places(task.rows, rows);
        let mut process = task.processes(fit.family, &fit.columns).into_iter().next()?;
        process.value(fit.family, &fit.parameters);
        let alpha = process.solution();
        Some(Self { task, fit, process, alpha, points })
    }

    fn between(&self, a: &Place, b: &Place) -> f64 {
        self.fit.family.between(&self.fit.parameters, a, b)
    }

    /// A point with another value of one input.
    fn moved(&self, place: &Place, at: usize, value: f64) -> Place {
        let mut z = place.z.clone();
        z[at] = value;
        Place::new(&self.fit.parameters, z)
    }

    /// What is added to a value that is counted from the mean.
    fn zero(&self, at: usize) -> f64 {
        let first = &self.task.sets[0][..1];
        let centred = self.task.rows.inputs(&self.fit.columns[at..=at], first, false);
        self.points[0].z[at] - f64::from(centred[0][0])
    }

    /// The effect of one input at these values (standardised, counted from the mean), in standard deviations
    /// of the target.
    pub fn effect(&mut self, at: usize, values: &[f64]) -> Averaged {
        let zero = self.zero(at);
        let stride = self.points.len().div_ceil(ANCHORS).max(1);
        let anchors: Vec<Place> = self.points.iter().step_by(stride).cloned().collect();
        let moved = |anchor: &Place, value: f64| self.moved(anchor, at, value + zero);
        // Mean covariances of the averaged function with the rows, one vector per value.
        let load = |value: &f64| -> Vec<f64> {
            let moved: Vec<Place> = anchors.iter().map(|a| moved(a, *value)).collect();
            let mean = |b: &Place| moved.iter().map(|x| self.between(x, b)).sum::<f64>();
            self.points.iter().map(|b| mean(b) / anchors.len() as f64).collect()
        };
        let loads: Vec<Vec<f64>> = values.iter().map(load).collect();
        let shared = |x: f64, y: f64| -> f64 {
            let at = |value: f64| anchors.iter().map(|a| moved(a, value)).collect::<Vec<Place>>();
            let (x, y) = (at(x), at(y));
            let pairs = x.iter().flat_map(|a| y.iter().map(move |b| (a, b)));
            let sum: f64 = pairs.map(|(a, b)| self.between(a, b)).sum();
            sum / (anchors.len() * anchors.len()) as f64
        };
        // The middle of the curve stands for its mean: enough for a band around it.
        let middle = values.len() / 2;
        let (mid, own) = (values[middle], shared(values[middle], values[middle]));
        let priors: Vec<f64> =
            values.iter().map(|v| shared(*v, *v) + own - 2.0 * shared(*v, mid)).collect();
        let raw: Vec<f64> = loads.iter().map(|load| dot(load, &self.alpha)).collect();
        let mean = raw.iter().sum::<f64>() / raw.len() as f64;
        let mut error = Vec::with_capacity(values.len());
        for (load, prior) in loads.iter().zip(priors) {
            let away: Vec<f64> = load.iter().zip(&loads[middle]).map(|(l, m)| l - m).collect();
            let told = dot(&self.process.solve(&away), &away);
            error.push((prior - told).max(0.0).sqrt());
        }
        let effect = raw.iter().map(|value| value - mean).collect();
        Averaged { effect, error, steepness: self.steepness(at) }
    }

    /// The root mean square of the derivative, with the sign of its mean.
    fn steepness(&self, at: usize) -> f64 {
        let mean = |x: &Place| -> f64 {
            let parts = self.points.iter().zip(&self.alpha);
            parts.map(|(b, alpha)| alpha * self.between(x, b)).sum()
        };
        let side = |x: &Place, step: f64| mean(&self.moved(x, at, x.z[at] + step));
        let stride = self.points.len().div_ceil(SLOPES).max(1);
        let rows = self.points.iter().step_by(stride);
        let slopes: Vec<f64> =
            rows.map(|x| (side(x, STEP) - side(x, -STEP)) / (2.0 * STEP)).collect();
        let square = slopes.iter().map(|s| s * s).sum::<f64>() / slopes.len() as f64;
        square.sqrt().copysign(slopes.iter().sum())
    }
}
