//! What is left of causes and an effect beside causes that are given, from second moments alone.
//!
//! With l_kj the part of cause j along the k-th that was given, made orthogonal to those before it, what is left
//! of a product of causes i and j is s_ij − Σ_k l_ki l_kj: rows of a Cholesky factor, for all candidates at once.

use crate::linear_algebra::add_scaled;

/// An effect and all candidates, orthogonal to those that are given.
#[derive(Debug, Clone)]
pub(crate) struct Projection {
    /// The squares of each cause.
    squares: Vec<f64>,
    /// What those that are given explain of them.
    explained: Vec<f64>,
    /// The products of each cause and the effect.
    cross: Vec<f64>,
    /// What those that are given explain of them.
    shared: Vec<f64>,
    /// The part of each cause along each that is given.
    along: Vec<Vec<f64>>,
    /// The share of its square below which nothing is left of a cause.
    collinear: f64,
    /// What is left of the squares of the effect.
    pub residual: f64,
    /// The causes that are given.
    pub given: Vec<usize>,
}

impl Projection {
    /// Nothing is given yet: squares of causes, their products with the effect, its square; a cause of which a
    /// smaller share than `collinear` is left counts as nothing.
    pub fn new(squares: Vec<f64>, cross: Vec<f64>, effect: f64, collinear: f64) -> Self {
        let nothing = vec![0.0; squares.len()];
        Self {
            squares,
            explained: nothing.clone(),
            cross,
            shared: nothing,
            along: Vec::new(),
            collinear,
            residual: effect,
            given: Vec::new(),
        }
    }

    /// What is left of the squares of a cause; `None` where it says nothing new.
    pub fn left(&self, cause: usize) -> Option<f64> {
        let left = self.squares[cause] - self.explained[cause];
        (left > self.collinear * self.squares[cause]).then_some(left)
    }

    /// By how much a cause would lower the squares of the effect; 0 where it says nothing new.
    pub fn gain(&self, cause: usize) -> f64 {
        let left = self.left(cause).filter(|_| !self.given.contains(&cause));
        let cross = self.cross[cause] - self.shared[cause];
        left.map_or(0.0, |left| (cross * cross / left).min(self.residual))
    }

    /// The same of `width` causes from one on; what says nothing new beside others of them is left out.
    pub fn gain_of_group(
        &self,
        first: usize,
        width: usize,
        products: impl Fn(usize, usize) -> f64,
    ) -> f64 {
        let mut factor = vec![0.0; width * width];
        let mut told = vec![0.0; width];
        let mut gain = 0.0;
        for f in 0..width {
            let own = self.squares[first + f];
            for g in 0..=f {
                let known: f64 = self.along.iter().map(|a| a[first + f] * a[first + g]).sum();
                let inside: f64 =
                    (0..g).map(|e| factor[f * width + e] * factor[g * width + e]).sum();
                let left = products(first + f, first + g) - known - inside;
                factor[f * width + g] = match f == g {
                    true if left > self.collinear * own => left.sqrt(),
                    true => f64::INFINITY,
                    false => left / factor[g * width + g],
                };
            }
            let inside: f64 = (0..f).map(|e| factor[f * width + e] * told[e]).sum();
            let cross = self.cross[first + f] - self.shared[first + f];
            told[f] = (cross - inside) / factor[f * width + f];
            gain += told[f] * told[f];
        }
        gain
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

    /// Gives one more cause, of which the products with all are known; one that says nothing new changes nothing.
    pub fn give(&mut self, cause: usize, products: impl Fn(usize) -> f64) {
        self.given.push(cause);
        let Some(left) = self.left(cause) else { return };
        let length = left.sqrt();
        let told = (self.cross[cause] - self.shared[cause]) / length;
        let mut known = vec![0.0; self.squares.len()];
        self.along.iter().for_each(|before| add_scaled(&mut known, before[cause], before));
        for (other, known) in known.iter_mut().enumerate() {
            let part = (products(other) - *known) / length;
            self.explained[other] += part * part;
            self.shared[other] += part * told;
            *known = part;
        }
        self.along.push(known);
        self.residual = (self.residual - told * told).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regression::NormalEquations;

    /// Columns 0 and 1, their sum, and one beside them, with an effect of the first and the last.
    fn moments() -> (Vec<f64>, Vec<f64>, f64) {
        let x = |row: usize, k: usize| ((row * (7 + 4 * k) + k) % 13) as f64 - 6.0;
        let column = |row: usize, k: usize| if k == 2 { x(row, 0) + x(row, 1) } else { x(row, k) };
        let effect = |row: usize| 2.0 * x(row, 0) - x(row, 3) + ((row * 5) % 3) as f64;
        let sum = |of: &dyn Fn(usize) -> f64| (0..30).map(of).sum::<f64>();
        let gram = (0..16).map(|e| sum(&|row| column(row, e / 4) * column(row, e % 4))).collect();
        let cross = (0..4).map(|k| sum(&|row| column(row, k) * effect(row))).collect();
        (gram, cross, sum(&|row| effect(row).powi(2)))
    }

    #[test]
    fn gains_are_differences_of_least_squares() {
        let (gram, cross, square) = moments();
        let normal = NormalEquations::new(gram.clone(), cross.clone(), square, 30.0);
        let left = |which: &[usize]| {
            let mut b = vec![0.0; 4];
            let found = normal.coefficients(which, 0.0).unwrap();
            which.iter().zip(found).for_each(|(k, w)| b[*k] = w);
            normal.squares(&b)
        };
        let squares = (0..4).map(|k| gram[5 * k]).collect();
        let mut all = Projection::new(squares, cross, square, 1e-10);
        all.give(0, |other| gram[other]);
        assert!((all.gain(3) - (left(&[0]) - left(&[0, 3]))).abs() < 1e-8);
        let group = all.gain_of_group(1, 3, |a, b| gram[4 * a + b]);
        assert!((group - (left(&[0]) - left(&[0, 1, 3]))).abs() < 1e-8, "{group}");
        all.give(1, |other| gram[4 + other]);
        assert_eq!((all.left(2), all.gain(2), all.gain(1)), (None, 0.0, 0.0));
        let before = all.residual;
        all.give(2, |other| gram[8 + other]);
        assert_eq!(all.residual, before);
        assert!((before - left(&[0, 1])).abs() < 1e-8);
    }
}
