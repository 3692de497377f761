//! What is left of causes and an effect beside causes that are given, from second moments alone.

/// A conditional square below this share of the unconditional one counts as nothing.
const COLLINEAR: f64 = 1e-8;

/// An effect and all causes, orthogonal to those that are given.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    /// The squares of each cause.
    whole: Vec<f64>,
    /// What is left of them.
    squares: Vec<f64>,
    /// What is left of the products of each cause and the effect.
    cross: Vec<f64>,
    /// The part of each cause along each that is given.
    along: Vec<Vec<f64>>,
    /// What is left of the squares of the effect.
    pub residual: f64,
    /// The causes that are given.
    pub given: Vec<usize>,
}

impl Projection {
    /// Nothing is given yet: squares of causes, their products with the effect, its square.
    pub fn new(squares: Vec<f64>, cross: Vec<f64>, effect: f64) -> Self {
        let (along, given) = (Vec::new(), Vec::new());
        Self { whole: squares.clone(), squares, cross, along, residual: effect, given }
    }

    /// By how much a cause would lower the squares of the effect; 0 where it says nothing new.
    pub fn gain(&self, cause: usize) -> f64 {
        let left = self.squares[cause];
        if left > COLLINEAR * self.whole[cause] && !self.given.contains(&cause) {
            return (self.cross[cause] * self.cross[cause] / left).min(self.residual);
        }
        0.0
    }

    /// The cause with the largest gain among some, the first of equals.
    pub fn best(&self, among: impl Iterator<Item = usize>) -> Option<(usize, f64)> {
        let mut best = None;
        for (cause, gain) in among.map(|cause| (cause, self.gain(cause))) {
            if gain > best.map_or(0.0, |(_, most)| most) {
                best = Some((cause, gain));
            }
        }
        best
    }

    /// Gives one more cause, of which the products with all are known.
    pub fn give(&mut self, cause: usize, products: impl Fn(usize) -> f64) {
        let length = self.squares[cause].max(f64::MIN_POSITIVE).sqrt();
        let explained = self.cross[cause] / length;
        let part = |other: usize| {
            let before: f64 = self.along.iter().map(|a| a[cause] * a[other]).sum();
            (products(other) - before) / length
        };
        let along: Vec<f64> = (0..self.squares.len()).map(part).collect();
        for (other, part) in along.iter().enumerate() {
            self.squares[other] -= part * part;
            self.cross[other] -= part * explained;
        }
        self.residual = (self.residual - explained * explained).max(0.0);
        self.along.push(along);
        self.given.push(cause);
    }
}
