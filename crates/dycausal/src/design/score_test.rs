//! Whether something that was left out of a regression belongs into it, without fitting it.
//!
//! With r the residual of y on the columns Q and h̃ what Q leaves of further columns h, the robust
//! score statistic is W = g' (Σ h̃ h̃' r²)⁻¹ g, g = Σ h̃ r: χ² with as many degrees of freedom as
//! there are further columns, whatever the variance of each row (White 1980).

use crate::linear_algebra::symmetric_inverse;

/// Length below which a column is a sum of those before it.
const DISTINCT: f64 = 1e-7;

/// A regression, by what it leaves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Null {
    /// Orthonormal columns.
    known: Vec<Vec<f64>>,
    residual: Vec<f64>,
    rows: usize,
}

impl Null {
    /// The regression of y on nothing.
    pub fn new(target: Vec<f64>) -> Self {
        let rows = target.len();
        Self { known: Vec::new(), residual: target, rows }
    }

    /// Takes a column in; tells whether it was not there already.
    pub fn include(&mut self, column: &[f64]) -> bool {
        let Some(unit) = self.unit(column) else { return false };
        let shared = dot(&unit, &self.residual);
        add(&mut self.residual, -shared, &unit);
        self.known.push(unit);
        true
    }

    /// How many rows.
    pub fn rows(&self) -> f64 {
        self.rows as f64
    }

    /// How many columns.
    pub fn size(&self) -> usize {
        self.known.len()
    }

    /// Σ r² / n.
    pub fn variance(&self) -> f64 {
        dot(&self.residual, &self.residual) / self.rows()
    }

    /// n log s² + k log n of this regression.
    pub fn criterion(&self) -> f64 {
        self.rows() * self.variance().max(1e-300).ln() + self.size() as f64 * self.rows().ln()
    }

    /// How many further columns have the least criterion, taking in one after the other.
    pub fn fewest(&mut self, most: usize, mut add: impl FnMut(&mut Self, usize)) -> usize {
        let mut best = (0, self.criterion());
        for count in 1..=most {
            add(self, count);
            let criterion = self.criterion();
            if criterion < best.1 {
                best = (count, criterion);
            }
        }
        best.0
    }

    /// W of further columns, and how many of them are not sums of others.
    pub fn statistic(&self, columns: &[Vec<f64>]) -> (f64, usize) {
        let mut left: Vec<Vec<f64>> = Vec::with_capacity(columns.len());
        for column in columns {
            let mut unit = self.without_known(column);
            for _ in 0..2 {
                for other in &left {
                    let shared = dot(&unit, other);
                    add(&mut unit, -shared, other);
                }
            }
            let length = dot(&unit, &unit).sqrt();
            if length > DISTINCT * dot(column, column).sqrt() {
                unit.iter_mut().for_each(|x| *x /= length);
                left.push(unit);
            }
        }
        let count = left.len();
        let scores: Vec<Vec<f64>> = left
            .iter()
            .map(|h| h.iter().zip(&self.residual).map(|(h, r)| h * r).collect())
            .collect();
        let mut meat = vec![0.0; count * count];
        for j in 0..count {
            for k in 0..=j {
                meat[j * count + k] = dot(&scores[j], &scores[k]);
            }
        }
        let g: Vec<f64> = scores.iter().map(|s| s.iter().sum()).collect();
        let Some(inverse) = symmetric_inverse(meat, count) else { return (0.0, count) };
        let entry = |k: usize| inverse[k] * g[k / count] * g[k % count];
        ((0..count * count).map(entry).sum(), count)
    }

    /// What further columns lower n log s² by, less log n each; robust.
    pub fn gain(&self, columns: &[Vec<f64>]) -> f64 {
        let (statistic, count) = self.statistic(columns);
        let left = (1.0 - statistic / self.rows()).max(1e-12);
        -self.rows() * left.ln() - count as f64 * self.rows().ln()
    }

    fn unit(&self, column: &[f64]) -> Option<Vec<f64>> {
        let mut out = self.without_known(column);
        let length = dot(&out, &out).sqrt();
        if !(length > DISTINCT * dot(column, column).sqrt()) {
            return None;
        }
        out.iter_mut().for_each(|x| *x /= length);
        Some(out)
    }

    fn without_known(&self, column: &[f64]) -> Vec<f64> {
        let mut out = column.to_vec();
        // Twice: once leaves rounding errors where columns are nearly sums of others.
        for known in self.known.iter().chain(&self.known) {
            let shared = dot(&out, known);
            add(&mut out, -shared, known);
        }
        out
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn add(out: &mut [f64], factor: f64, values: &[f64]) {
    out.iter_mut().zip(values).for_each(|(o, x)| *o += factor * x);
}
