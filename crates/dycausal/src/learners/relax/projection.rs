//! What is left of causes and an effect beside causes that are given, from second moments alone.

use ndarray::{ArrayView1, ArrayView2};

/// A conditional square below this share of the unconditional one counts as nothing.
const COLLINEAR: f64 = 1e-8;

/// An effect and all causes, orthogonal to those that are given.
#[derive(Debug, Clone)]
pub(super) struct Projection<'a> {
    moments: ArrayView2<'a, f64>,
    /// What is left of the squares of each cause.
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

impl<'a> Projection<'a> {
    /// Nothing is given yet.
    pub fn new(moments: ArrayView2<'a, f64>, cross: ArrayView1<'_, f64>, effect: f64) -> Self {
        Self {
            moments,
            squares: moments.diag().to_vec(),
            cross: cross.to_vec(),
            along: Vec::new(),
            residual: effect,
            given: Vec::new(),
        }
    }

    /// By how much a cause would lower the squares of the effect; 0 where it says nothing new.
    pub fn gain(&self, cause: usize) -> f64 {
        let left = self.squares[cause];
        if left > COLLINEAR * self.moments[[cause, cause]] && !self.given.contains(&cause) {
            return (self.cross[cause] * self.cross[cause] / left).min(self.residual);
        }
        0.0
    }

    /// Gives one more cause.
    pub fn give(&mut self, cause: usize) {
        let length = self.squares[cause].max(f64::MIN_POSITIVE).sqrt();
        let explained = self.cross[cause] / length;
        let part = |other: usize| {
            let before: f64 = self.along.iter().map(|a| a[cause] * a[other]).sum();
            (self.moments[[cause, other]] - before) / length
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
