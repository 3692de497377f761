//! When to stop: the objective no longer falls, relative to itself.

/// Compares the mean objective of one stretch of iterations with that of the stretch before.
///
/// The mean over a stretch smooths Adam's ripples. With a tolerance of 0 it never stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    tolerance: f64,
    stretch: usize,
    count: usize,
    sum: f64,
    before: f64,
}

impl Stopping {
    /// Stops when a stretch of `stretch` iterations gains less than `tolerance` of its mean.
    pub fn new(tolerance: f64, stretch: usize) -> Self {
        Self { tolerance, stretch, count: 0, sum: 0.0, before: f64::INFINITY }
    }

    /// Takes the objective of one more iteration; true if it is time to stop.
    pub fn reached(&mut self, objective: f64) -> bool {
        self.sum += objective;
        self.count += 1;
        if self.count < self.stretch {
            return false;
        }
        let mean = self.sum / self.count as f64;
        let gain = self.before - mean;
        (self.count, self.sum, self.before) = (0, 0.0, mean);
        self.tolerance > 0.0 && gain < self.tolerance * mean.abs()
    }

    /// All that the next answer depends on, for a checkpoint.
    pub fn parts(&self) -> [f64; 3] {
        [self.count as f64, self.sum, self.before]
    }

    /// Goes on from what [`Stopping::parts`] gave.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count, written by `parts`
    pub fn resume(&mut self, [count, sum, before]: [f64; 3]) {
        (self.count, self.sum, self.before) = (count as usize, sum, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stops_when_nothing_is_gained() {
        let mut stopping = Stopping::new(1e-3, 10);
        let falling = |n: i32| 1.0 + 10.0 * 0.9f64.powi(n);
        let stopped = (0..1000).position(|n| stopping.reached(falling(n)));
        assert!((50..200).contains(&stopped.unwrap()), "{stopped:?}");
    }

    #[test]
    fn without_tolerance_it_never_stops() {
        let mut stopping = Stopping::new(0.0, 5);
        assert!(!(0..100).any(|n| stopping.reached(f64::from(n))));
    }
}
