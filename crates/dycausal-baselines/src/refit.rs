//! Weights of causes that are known, by least squares.

use dycausal::internals::regression::NormalEquations;
use dycausal::{Error, Panel, Result};

/// Shares of its own square that are added to each cause until weights can be told.
const RIDGES: [f64; 4] = [0.0, 1e-9, 1e-6, 1e-3];

/// Regressions of one variable on others at lags, with an intercept, over all series and steps.
pub(crate) struct Refit<'a> {
    panel: &'a Panel,
    lengths: Vec<usize>,
}

impl<'a> Refit<'a> {
    pub fn new(panel: &'a Panel) -> Self {
        Self { panel, lengths: (0..panel.series()).map(|n| panel.length(n)).collect() }
    }

    /// The weights of the causes (lag, variable) of a variable, in the units of the data, on the
    /// rows that have all of them.
    ///
    /// Causes that are copies of each other share what they explain.
    ///
    /// # Errors
    /// If a weight is too large for a number.
    pub fn weights(&self, to: usize, causes: &[(usize, usize)]) -> Result<Vec<f64>> {
        let width = causes.len() + 1;
        let (gram, units) = self.gram(to, causes);
        let size = causes.len();
        let scale: Vec<f64> =
            (0..width).map(|k| gram[k * width + k].sqrt().max(f64::MIN_POSITIVE)).collect();
        let at = |j: usize, k: usize| gram[j * width + k] / (scale[j] * scale[k]);
        let own = (0..size * size).map(|e| at(e / size + 1, e % size + 1)).collect();
        let cross = (0..size).map(|k| at(k + 1, 0)).collect();
        let normal = NormalEquations::new(own, cross, 1.0, 0.0);
        let all: Vec<usize> = (0..size).collect();
        // A ridge that no well-behaved data can see, then more until the factorisation holds.
        let solved = RIDGES.iter().find_map(|ridge| normal.coefficients(&all, *ridge));
        let Some(solved) = solved else { return Ok(vec![0.0; size]) };
        let weight = |j: usize| solved[j] * (scale[0] / scale[j + 1]) * (units[0] / units[j + 1]);
        let weights: Vec<f64> = (0..size).map(weight).collect();
        if weights.iter().any(|w| !w.is_finite()) {
            let what = format!(
                "units of variable `{}` and its causes are too far apart; rescale them",
                self.panel.names()[to]
            );
            return Err(Error::numerical("weights", what));
        }
        Ok(weights)
    }

    /// Σ z z' of z = (variable, causes), each counted from its mean in units of its largest value,
    /// over complete rows; and these units.
    fn gram(&self, to: usize, causes: &[(usize, usize)]) -> (Vec<f64>, Vec<f64>) {
        let values = self.panel.values();
        let width = causes.len() + 1;
        let first = causes.iter().map(|(lag, _)| *lag).max().unwrap_or(0);
        let mut rows: Vec<f64> = Vec::new();
        for (n, length) in self.lengths.iter().enumerate() {
            for t in first..*length {
                let begun = rows.len();
                rows.push(values[[n, t, to]]);
                rows.extend(causes.iter().map(|(lag, from)| values[[n, t - lag, *from]]));
                if rows[begun..].iter().any(|x| x.is_nan()) {
                    rows.truncate(begun);
                }
            }
        }
        let count = (rows.len() / width).max(1) as f64;
        let mean = |k: usize| rows.iter().skip(k).step_by(width).sum::<f64>() / count;
        let means: Vec<f64> = (0..width).map(mean).collect();
        let largest = |k: usize| {
            let sizes = rows.iter().skip(k).step_by(width).map(|x| (x - means[k]).abs());
            let most = sizes.fold(0.0, f64::max);
            if most > 0.0 { most } else { 1.0 }
        };
        let units: Vec<f64> = (0..width).map(largest).collect();
        let mut gram = vec![0.0; width * width];
        let mut z = vec![0.0; width];
        for row in rows.chunks_exact(width) {
            (0..width).for_each(|k| z[k] = (row[k] - means[k]) / units[k]);
            for j in 0..width {
                for k in 0..=j {
                    gram[j * width + k] += z[j] * z[k];
                }
            }
        }
        for j in 0..width {
            (0..j).for_each(|k| gram[k * width + j] = gram[j * width + k]);
        }
        (gram, units)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    #[test]
    fn exact_weights_come_back_in_the_units_of_the_data_and_gaps_are_passed_over() {
        let noise = |k: usize| ((k * k * 7919 + k * 104_729) % 10_007) as f64;
        let mut values = Array3::from_shape_fn((2, 40, 3), |(n, t, v)| noise(n * 997 + t * 31 + v));
        for (n, t) in (0..2).flat_map(|n| (1..40).map(move |t| (n, t))) {
            values[[n, t, 2]] = 500.0 * values[[n, t, 0]] - 0.25 * values[[n, t - 1, 1]] + 3.0;
        }
        values[[1, 5, 0]] = f64::NAN;
        let panel = Panel::unnamed(values).unwrap();
        let found = Refit::new(&panel).weights(2, &[(0, 0), (1, 1)]).unwrap();
        assert!((found[0] - 500.0).abs() < 1e-8 && (found[1] + 0.25).abs() < 1e-6, "{found:?}");
        let twice = Refit::new(&panel).weights(2, &[(0, 0), (0, 0), (1, 1)]).unwrap();
        assert!((twice[0] + twice[1] - 500.0).abs() < 1e-2, "{twice:?}");
    }
}
