//! The whole path of the lasso by least angle regression (Efron et al. 2004), from second moments.

use dycausal::internals::linear_algebra::dot;
use dycausal::internals::regression::NormalEquations;

/// Correlation, of 1 at most, below which there is nothing left to explain.
const NOTHING: f64 = 1e-12;
/// Squared pivot, of 1 at most, below which a column counts as determined by the active ones.
const DETERMINED: f64 = 1e-14;
/// Coefficients up to this size count as 0.
const ZERO: f64 = f64::EPSILON;

/// A regression on second moments.
pub(crate) struct Regression(pub NormalEquations);

impl Regression {
    /// How many regressors.
    pub fn len(&self) -> usize {
        self.0.size()
    }

    /// Least squares coefficients; `None` where regressors are collinear.
    pub fn least_squares(&self) -> Option<Vec<f64>> {
        self.0.coefficients(&(0..self.len()).collect::<Vec<_>>(), 0.0)
    }

    /// The same on some of the regressors; the others' coefficients are 0.
    pub fn least_squares_on(&self, which: &[usize]) -> Option<Vec<f64>> {
        let mut coefficients = vec![0.0; self.len()];
        let found = self.0.coefficients(which, 0.0)?;
        which.iter().zip(found).for_each(|(k, b)| coefficients[*k] = b);
        Some(coefficients)
    }

    fn gram(&self, row: usize, column: usize) -> f64 {
        self.0.gram()[row * self.len() + column]
    }

    /// The same regression with each regressor multiplied by a factor.
    pub fn scaled(&self, factors: &[f64]) -> Self {
        let all = self.len();
        let entry = |e: usize| self.0.gram()[e] * factors[e / all] * factors[e % all];
        let gram = (0..all * all).map(entry).collect();
        let cross = self.0.cross().iter().zip(factors).map(|(c, f)| c * f).collect();
        Self(NormalEquations::new(gram, cross, self.0.square(), self.0.rows))
    }

    /// The lasso whose penalty has the smallest BIC: RSS / σ² + log n · (coefficients that are not
    /// 0), over all penalties at which that number changes, σ² from least squares.
    ///
    /// `None` where regressors are collinear or rows too few.
    pub fn lasso(&self) -> Option<Vec<f64>> {
        let freedom = self.0.rows - self.len() as f64 - 1.0;
        let noise = self.0.squares(&self.least_squares()?) / freedom;
        if freedom < 1.0 || noise <= 0.0 {
            return None;
        }
        let criterion = |b: &Vec<f64>| -> f64 {
            let count = b.iter().filter(|x| x.abs() > ZERO).count() as f64;
            self.0.squares(b) / noise + self.0.rows.ln() * count
        };
        let path = self.path();
        let values: Vec<f64> = path.iter().map(criterion).collect();
        let best = (0..path.len()).min_by(|a, b| values[*a].total_cmp(&values[*b]))?;
        path.into_iter().nth(best)
    }

    /// The same with every regressor in units of its standard deviation, coefficients in the units
    /// of the data.
    pub fn unit_free_lasso(&self) -> Option<Vec<f64>> {
        let units = self.units()?;
        let found = self.scaled(&units).lasso()?;
        Some(found.iter().zip(&units).map(|(b, unit)| b * unit).collect())
    }

    /// One over the size of every regressor; `None` where one does not move.
    fn units(&self) -> Option<Vec<f64>> {
        let unit = |k: usize| 1.0 / self.gram(k, k).sqrt();
        let units: Vec<f64> = (0..self.len()).map(unit).collect();
        units.iter().all(|u| u.is_finite()).then_some(units)
    }

    /// The adaptive lasso (Zou 2006) with least squares on what it leaves: regressors weighted by
    /// their absolute least squares coefficients, [`Regression::lasso`] on them, and a refit.
    pub fn adaptive_lasso(&self) -> Option<Vec<f64>> {
        let standard = self.scaled(&self.units()?);
        let weights: Vec<f64> = standard.least_squares()?.iter().map(|b| b.abs()).collect();
        let chosen = standard.scaled(&weights).lasso()?;
        let left: Vec<usize> =
            (0..self.len()).filter(|k| (chosen[*k] * weights[*k]).abs() > 0.0).collect();
        self.least_squares_on(&left)
    }

    /// Coefficients at every penalty at which a regressor comes or goes, from none to all.
    fn path(&self) -> Vec<Vec<f64>> {
        let mut walk = Walk::new(self);
        let mut path = vec![vec![0.0; self.len()]];
        // Regressors that come and go make more knots than regressors; none needs this many.
        while path.len() <= 8 * self.len() + 8 && walk.step() {
            path.push(walk.coefficients.clone());
        }
        path
    }
}

/// Where on the path one is.
struct Walk<'a> {
    of: &'a Regression,
    coefficients: Vec<f64>,
    /// z'(y − z b) of every regressor.
    correlations: Vec<f64>,
    active: Vec<usize>,
    signs: Vec<f64>,
    /// Rows of the Cholesky factor of the active Gram.
    factor: Vec<Vec<f64>>,
    /// Regressors that active ones determine.
    determined: Vec<bool>,
    /// The one that was dropped last: it cannot come back in the same breath.
    dropped: Option<usize>,
    largest: f64,
}

impl<'a> Walk<'a> {
    fn new(of: &'a Regression) -> Self {
        let largest = of.0.cross().iter().fold(0.0f64, |most, c| most.max(c.abs()));
        Self {
            of,
            coefficients: vec![0.0; of.len()],
            correlations: of.0.cross().to_vec(),
            active: Vec::new(),
            signs: Vec::new(),
            factor: Vec::new(),
            determined: vec![false; of.len()],
            dropped: None,
            largest,
        }
    }

    /// To the next knot; false at the end of the path.
    fn step(&mut self) -> bool {
        if self.dropped.is_none() && !self.join() {
            return false;
        }
        let (Some(first), Some(sign)) = (self.active.first(), self.signs.first()) else {
            return false;
        };
        let now = self.correlations[*first] * sign;
        let direction = self.direction();
        let slopes = self.slopes(&direction);
        let mut length = now;
        for j in (0..self.of.len()).filter(|j| self.may_join(*j)) {
            let c = self.correlations[j];
            for (gap, speed) in [(now - c, 1.0 - slopes[j]), (now + c, 1.0 + slopes[j])] {
                let reached = gap / speed;
                if reached > 0.0 && reached < length {
                    length = reached;
                }
            }
        }
        let mut leaves = None;
        for (place, (k, w)) in self.active.iter().zip(&direction).enumerate() {
            let reached = -self.coefficients[*k] / w;
            if reached > 0.0 && reached < length {
                (length, leaves) = (reached, Some(place));
            }
        }
        for (k, w) in self.active.iter().zip(&direction) {
            self.coefficients[*k] += length * w;
        }
        for (c, slope) in self.correlations.iter_mut().zip(&slopes) {
            *c -= length * slope;
        }
        self.dropped = leaves.map(|place| self.drop(place));
        true
    }

    fn may_join(&self, regressor: usize) -> bool {
        !self.active.contains(&regressor)
            && !self.determined[regressor]
            && self.dropped != Some(regressor)
    }

    /// Takes in the regressor that explains most of what is left; false if none does.
    fn join(&mut self) -> bool {
        loop {
            let candidates = (0..self.of.len()).filter(|j| self.may_join(*j));
            let size = |j: usize| self.correlations[j].abs();
            let Some(next) = candidates.max_by(|a, b| size(*a).total_cmp(&size(*b))) else {
                return false;
            };
            if size(next) <= NOTHING * self.largest {
                return false;
            }
            if self.append(next) {
                self.signs.push(self.correlations[next].signum());
                self.active.push(next);
                return true;
            }
            self.determined[next] = true;
        }
    }

    /// One more row of the factor; false if the active regressors determine this one.
    fn append(&mut self, regressor: usize) -> bool {
        let mut row = Vec::with_capacity(self.factor.len() + 1);
        for (place, k) in self.active.iter().enumerate() {
            let above = &self.factor[place];
            let value = self.of.gram(regressor, *k) - dot(&row, &above[..place]);
            row.push(value / above[place]);
        }
        let whole = self.of.gram(regressor, regressor);
        let left = whole - dot(&row, &row);
        if left.is_nan() || left <= DETERMINED * whole {
            return false;
        }
        row.push(left.sqrt());
        self.factor.push(row);
        true
    }

    /// w with (Z'Z of the active) w = signs: correlations of the active then fall at speed 1.
    fn direction(&self) -> Vec<f64> {
        let count = self.active.len();
        let mut w = self.signs.clone();
        for k in 0..count {
            let sum = dot(&self.factor[k][..k], &w[..k]);
            w[k] = (w[k] - sum) / self.factor[k][k];
        }
        for k in (0..count).rev() {
            w[k] /= self.factor[k][k];
            for other in 0..k {
                w[other] -= self.factor[k][other] * w[k];
            }
        }
        w
    }

    /// How fast every correlation falls along a direction.
    fn slopes(&self, direction: &[f64]) -> Vec<f64> {
        let all = self.of.len();
        let slope = |j: usize| {
            let row = &self.of.0.gram()[j * all..(j + 1) * all];
            self.active.iter().zip(direction).map(|(k, w)| row[*k] * w).sum()
        };
        (0..all).map(slope).collect()
    }

    /// Takes an active regressor out and factors the others anew.
    fn drop(&mut self, place: usize) -> usize {
        let gone = self.active.remove(place);
        self.signs.remove(place);
        self.coefficients[gone] = 0.0;
        let kept = std::mem::take(&mut self.active);
        self.factor.clear();
        for k in kept {
            // They were a factor before, so they are one again.
            self.append(k);
            self.active.push(k);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::noise;

    fn regression(rows: usize, size: usize, weights: &[f64]) -> Regression {
        let x = |row: usize, k: usize| {
            noise(row * size + k) + if k > 0 { 0.6 * noise(row * size + k - 1) } else { 0.0 }
        };
        let y = |row: usize| {
            let sum: f64 = weights.iter().enumerate().map(|(k, w)| w * x(row, k)).sum();
            sum + noise(900_000 + row)
        };
        let sum = |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>();
        let gram = (0..size * size).map(|e| sum(&|r| x(r, e / size) * x(r, e % size))).collect();
        let cross = (0..size).map(|k| sum(&|r| x(r, k) * y(r))).collect();
        let square = sum(&|r| y(r) * y(r));
        Regression(NormalEquations::new(gram, cross, square, rows as f64))
    }

    /// At every knot the conditions of Karush, Kuhn and Tucker hold: |z'(y − zb)| is the penalty
    /// where a coefficient is not 0, and at most the penalty elsewhere.
    #[test]
    fn every_knot_solves_its_lasso() {
        let problem = regression(60, 6, &[0.8, -0.7, 0.0, 0.3, 0.2, -0.4]);
        let path = problem.path();
        assert!(path.len() >= 7);
        let mut before = f64::INFINITY;
        for b in &path {
            let left =
                |j: usize| problem.0.cross()[j] - dot(&problem.0.gram()[j * 6..(j + 1) * 6], b);
            let penalty = (0..6).map(|j| left(j).abs()).fold(0.0, f64::max);
            assert!(penalty <= before + 1e-9);
            before = penalty;
            for j in (0..6).filter(|j| b[*j] != 0.0) {
                assert!((left(j) - penalty * b[j].signum()).abs() < 1e-9, "{j} {b:?}");
            }
        }
        let last = path.last().unwrap();
        let full = problem.least_squares().unwrap();
        assert!(last.iter().zip(&full).all(|(a, b)| (a - b).abs() < 1e-9), "{last:?} {full:?}");
    }

    #[test]
    fn the_adaptive_lasso_finds_the_support() {
        let found = regression(400, 6, &[0.9, 0.0, -0.8, 0.0, 0.0, 0.5]).adaptive_lasso().unwrap();
        let there: Vec<bool> = found.iter().map(|b| *b != 0.0).collect();
        assert_eq!(there, [true, false, true, false, false, true], "{found:?}");
    }

    #[test]
    fn collinear_regressors_are_told() {
        let copy = Regression(NormalEquations::new(vec![1.0; 4], vec![0.5; 2], 1.0, 9.0));
        assert!(copy.least_squares().is_none() && copy.adaptive_lasso().is_none());
        assert_eq!(copy.path().len(), 2);
    }
}
