//! When a weight changes, if everything else were known.

use super::condition::Sample;
use super::edges::Place;

/// The likeliest first step after a sudden change of one edge: the least Σ u² of its equation, given
/// the weight before and after, the rest of its course, and all other true edges.
///
/// Noise is taken to stay as large as it is.
pub(super) fn change_time(sample: &Sample, place: Place, time: usize, path: &[f64]) -> usize {
    let (before, after) = (path[time - 1], path[time]);
    // The weight stays until it changes again.
    let again = (time + 1..path.len()).find(|t| path[*t] != after).unwrap_or(path.len());
    let (lag, from, _) = place;
    let values = sample.panel.values();
    let mut squares = vec![[0.0; 2]; again];
    for n in 0..sample.panel.series() {
        for (t, square) in squares.iter_mut().enumerate().skip(sample.truth.lag()) {
            let rest = unexplained(sample, place, n, t);
            let cause = values[[n, t - lag, from]];
            square[0] += (rest - before * cause).powi(2);
            square[1] += (rest - after * cause).powi(2);
        }
    }
    let mut sum: f64 = squares.iter().map(|square| square[1]).sum();
    let mut best = (sum, 0);
    for (t, square) in squares.iter().enumerate() {
        sum += square[0] - square[1];
        if sum < best.0 {
            best = (sum, t + 1);
        }
    }
    best.1
}

/// What is left of an effect without all of its causes but one.
fn unexplained(sample: &Sample, (lag, from, to): Place, series: usize, step: usize) -> f64 {
    let (values, truth) = (sample.panel.values(), &sample.truth);
    let others = truth.edges().iter().filter(|e| e.to == to && (e.lag, e.from) != (lag, from));
    let explained = |edge: &dycausal::Edge| {
        edge.weight(truth.basis(), step) * values[[series, step - edge.lag, edge.from]]
    };
    values[[series, step, to]] - others.map(explained).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use dycausal::graph::{Edge, Trajectory};
    use ndarray::Array3;

    use super::*;

    #[test]
    fn without_noise_the_time_is_exact() {
        // y_t = 2 x_t + w_t z_{t−1}, with w from 1 to −1 at step 12.
        let path: Vec<f64> = (0..20).map(|t| if t < 12 { 1.0 } else { -1.0 }).collect();
        let mut values = Array3::from_shape_fn((2, 20, 3), |(n, t, v)| {
            ((n * 7 + t * 5 + v * 3) % 11) as f64 - 4.6
        });
        for n in 0..2 {
            for t in 1..20 {
                values[[n, t, 1]] = 2.0 * values[[n, t, 0]] + path[t] * values[[n, t - 1, 2]];
            }
        }
        let edges = vec![
            Edge::new(0, 1, 0, Trajectory::Constant(2.0), 20),
            Edge::new(2, 1, 1, Trajectory::Steps(path.clone()), 20),
        ];
        let sample = Sample::new(values, 1, edges).unwrap();
        assert_eq!(change_time(&sample, (1, 2, 1), 12, &path), 12);
    }
}
