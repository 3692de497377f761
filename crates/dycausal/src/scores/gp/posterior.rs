//! What a fitted process says of one of its inputs.

use super::family::Covariance;
use super::fit::{ProcessFit, Task};

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

impl Task<'_> {
    /// The effect of the input `at` of a fit at these values (standardised, counted from the mean), in
    /// standard deviations of the target; from the first set of rows.
    pub fn effect(&self, fit: &ProcessFit, at: usize, values: &[f64]) -> Averaged {
        let rows = &self.sets[0];
        let from_zero = fit.family == Covariance::Arcsine;
        let inputs = self.rows.inputs(&fit.columns, rows, from_zero);
        let centred = self.rows.inputs(&fit.columns[at..=at], &rows[..1], false);
        let zero = f64::from(inputs[at][0]) - f64::from(centred[0][0]);
        let point = |row: usize| -> Vec<f64> { inputs.iter().map(|x| f64::from(x[row])).collect() };
        let points: Vec<Vec<f64>> = (0..rows.len()).map(point).collect();
        let mut processes = self.processes(fit.family, &fit.columns);
        let process = &mut processes[0];
        process.value(fit.family, &fit.parameters);
        let alpha = process.solution();
        let between = |a: &[f64], b: &[f64]| fit.family.between(&fit.parameters, a, b);
        let mean = |x: &[f64]| -> f64 {
            points.iter().zip(&alpha).map(|(b, alpha)| alpha * between(x, b)).sum()
        };
        let stride = rows.len().div_ceil(ANCHORS).max(1);
        let anchors: Vec<&Vec<f64>> = points.iter().step_by(stride).collect();
        let count = anchors.len() as f64;
        let moved = |anchor: &[f64], value: f64| {
            let mut x = anchor.to_vec();
            x[at] = value + zero;
            x
        };
        // Mean covariances of the averaged function with the rows, one vector per value.
        let loads: Vec<Vec<f64>> = values
            .iter()
            .map(|value| {
                let moved: Vec<Vec<f64>> = anchors.iter().map(|a| moved(a, *value)).collect();
                let load = |b: &Vec<f64>| moved.iter().map(|x| between(x, b)).sum::<f64>() / count;
                points.iter().map(load).collect()
            })
            .collect();
        let many = values.len() as f64;
        let middle: Vec<f64> = (0..points.len())
            .map(|row| loads.iter().map(|load| load[row]).sum::<f64>() / many)
            .collect();
        let few: Vec<&Vec<f64>> = anchors.iter().copied().step_by(4).collect();
        let pairs = (few.len() * few.len()) as f64;
        let shared = |x: f64, y: f64| -> f64 {
            let sum: f64 = few
                .iter()
                .flat_map(|a| few.iter().map(move |b| (a, b)))
                .map(|(a, b)| between(&moved(a, x), &moved(b, y)))
                .sum();
            sum / pairs
        };
        // The centre of the curve stands for its mean: enough for a band around it.
        let mid = values[values.len() / 2];
        let own = shared(mid, mid);
        let (mut effect, mut error) = (Vec::new(), Vec::new());
        for (value, load) in values.iter().zip(&loads) {
            let away: Vec<f64> = load.iter().zip(&middle).map(|(l, m)| l - m).collect();
            effect.push(away.iter().zip(&alpha).map(|(l, a)| l * a).sum());
            let from_mid: Vec<f64> =
                load.iter().zip(&loads[values.len() / 2]).map(|(l, m)| l - m).collect();
            let prior = shared(*value, *value) + own - 2.0 * shared(*value, mid);
            let solved = process.solve(&from_mid);
            let told: f64 = solved.iter().zip(&from_mid).map(|(s, l)| s * l).sum();
            error.push((prior - told).max(0.0).sqrt());
        }
        let stride = points.len().div_ceil(SLOPES).max(1);
        let slopes: Vec<f64> = points
            .iter()
            .step_by(stride)
            .map(|x| {
                let side = |step: f64| {
                    let mut x = x.clone();
                    x[at] += step;
                    mean(&x)
                };
                (side(STEP) - side(-STEP)) / (2.0 * STEP)
            })
            .collect();
        let square = slopes.iter().map(|s| s * s).sum::<f64>() / slopes.len() as f64;
        Averaged { effect, error, steepness: square.sqrt().copysign(slopes.iter().sum()) }
    }
}
