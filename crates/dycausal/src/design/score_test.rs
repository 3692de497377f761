//! Whether something that was left out of a regression belongs into it, without fitting it.
//!
//! With r the residual of y on the columns Q and h̃ what Q leaves of further columns h, the robust
//! score statistic is W = g' (Σ h̃ h̃' r²)⁻¹ g, g = Σ h̃ r: χ² with as many degrees of freedom as
//! there are further columns, whatever the variance of each row (White 1980).

use crate::linear_algebra::{add_scaled, dot};

/// Length below which a column is a sum of those before it.
const DISTINCT: f64 = 1e-7;

/// Share of what columns cost below which it does not matter what they gain to the digit: the robust statistic
/// would have to be four times the rough one.
const SMALL: f64 = 0.25;

/// A regression, by what it leaves.
#[derive(Debug, Clone, Default)]
pub(crate) struct NullRegression {
    /// Orthonormal columns.
    known: Vec<Vec<f64>>,
    residual: Vec<f64>,
    rows: usize,
}

impl NullRegression {
    /// The regression of y on nothing.
    pub fn new(target: Vec<f64>) -> Self {
        let rows = target.len();
        Self { known: Vec::new(), residual: target, rows }
    }

    /// Takes a column in; tells whether it was not there already.
    pub fn include(&mut self, column: &[f64]) -> bool {
        let Some(unit) = self.unit(column) else { return false };
        let shared = dot(&unit, &self.residual);
        add_scaled(&mut self.residual, -shared, &unit);
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

    /// The classical t of a further column.
    pub fn t(&self, column: &[f64]) -> f64 {
        let left = self.without_known(column);
        let (g, h) = (dot(&left, &self.residual), dot(&left, &left));
        let variance = (dot(&self.residual, &self.residual) - g * g / h) / self.rows();
        let t = g / (h * variance).sqrt();
        if t.is_finite() { t } else { 0.0 }
    }

    /// What is left of the target.
    pub fn residual(&self) -> &[f64] {
        &self.residual
    }

    /// How many further columns have the least criterion, taking in one after the other.
    pub fn fewest(&mut self, most: usize, add: impl FnMut(&mut Self, usize)) -> usize {
        self.least(most, add).0
    }

    /// The same with that criterion.
    pub fn least(&mut self, most: usize, mut add: impl FnMut(&mut Self, usize)) -> (usize, f64) {
        let mut best = (0, self.criterion());
        for count in 1..=most {
            add(self, count);
            let criterion = self.criterion();
            if criterion < best.1 {
                best = (count, criterion);
            }
        }
        best
    }

    /// What the first 1, 2, … of further columns lower n log s² by, less log n each; robust.
    ///
    /// W of the leading columns is Σ y² over as many entries of y = L⁻¹ g, with L L' the factor of
    /// Σ h̃ h̃' r²: one factorisation gives all. Columns that are sums of others gain nothing.
    pub fn gains<C: AsRef<[f64]>>(&self, columns: &[C]) -> Vec<f64> {
        let scores: Vec<Vec<f64>> = columns
            .iter()
            .map(|column| {
                let mut left = self.without_known(column.as_ref());
                left.iter_mut().zip(&self.residual).for_each(|(h, r)| *h *= r);
                left
            })
            .collect();
        let count = columns.len();
        let mut factor = vec![0.0; count * count];
        let mut projected = vec![0.0; count];
        let (mut statistic, mut used) = (0.0, 0.0);
        let mut out = Vec::with_capacity(count);
        for row in 0..count {
            let whole = dot(&scores[row], &scores[row]);
            for col in 0..row {
                let (above, current) = factor.split_at(row * count);
                let shared = dot(&current[..col], &above[col * count..col * count + col]);
                let pivot = above[col * count + col];
                let value = dot(&scores[row], &scores[col]) - shared;
                factor[row * count + col] = if pivot > 0.0 { value / pivot } else { 0.0 };
            }
            let own = &factor[row * count..row * count + row];
            let pivot = whole - dot(own, own);
            if pivot > DISTINCT * whole {
                let g: f64 = scores[row].iter().sum();
                projected[row] = (g - dot(own, &projected[..row])) / pivot.sqrt();
                factor[row * count + row] = pivot.sqrt();
                statistic += projected[row] * projected[row];
                used += 1.0;
            }
            // Beyond a quarter of the rows a fit says nothing.
            if 4.0 * (self.size() as f64 + used) > self.rows() {
                out.push(f64::NEG_INFINITY);
                continue;
            }
            let left = (1.0 - statistic / self.rows()).max(1e-12);
            out.push(-self.rows() * left.ln() - used * self.rows().ln());
        }
        out
    }

    /// The same roughly, for columns that have little to do with each other or with those that are in: Σ g² over
    /// s² h'h. None where it comes to more than a small part of what they cost, and has to be asked for in earnest.
    pub fn rough_gains<C: AsRef<[f64]>>(&self, columns: &[C]) -> Option<Vec<f64>> {
        let (variance, cost) = (self.variance(), self.rows().ln());
        let (mut statistic, mut used) = (0.0, 0.0);
        let mut out = Vec::with_capacity(columns.len());
        for column in columns {
            let (g, square) =
                (dot(column.as_ref(), &self.residual), dot(column.as_ref(), column.as_ref()));
            statistic += g * g / (variance * square).max(f64::MIN_POSITIVE);
            used += 1.0;
            if statistic > SMALL * used * cost || 4.0 * (self.size() as f64 + used) > self.rows() {
                return None;
            }
            out.push(statistic - used * cost);
        }
        Some(out)
    }

    /// The classical statistic g² / (s² h̃'h̃) of a column that is 0 up to a row and 1 from it on,
    /// for each of these rows: sums from the end give all of them at once.
    pub fn jumps(&self, rows: &[usize]) -> Vec<f64> {
        let tails = |values: &[f64]| {
            let mut sums = vec![0.0; values.len() + 1];
            for (row, x) in values.iter().enumerate().rev() {
                sums[row] = sums[row + 1] + x;
            }
            rows.iter().map(|row| sums[*row]).collect::<Vec<f64>>()
        };
        let mut left: Vec<f64> = rows.iter().map(|row| (self.rows - row) as f64).collect();
        for known in &self.known {
            left.iter_mut().zip(tails(known)).for_each(|(h, q)| *h -= q * q);
        }
        let variance = self.variance();
        let scores = tails(&self.residual);
        scores
            .iter()
            .zip(left)
            .map(|(g, h)| if h > 1e-9 { g * g / (variance * h) } else { 0.0 })
            .collect()
    }

    fn unit(&self, column: &[f64]) -> Option<Vec<f64>> {
        let mut out = self.without_known(column);
        let length = dot(&out, &out).sqrt();
        if length.is_nan() || length <= DISTINCT * dot(column, column).sqrt() {
            return None;
        }
        for x in &mut out {
            *x /= length;
        }
        Some(out)
    }

    fn without_known(&self, column: &[f64]) -> Vec<f64> {
        let mut out = column.to_vec();
        let before = dot(&out, &out);
        // Again where little is left: once leaves rounding errors there.
        for _ in 0..2 {
            for known in &self.known {
                let shared = dot(&out, known);
                add_scaled(&mut out, -shared, known);
            }
            if dot(&out, &out) > 1e-4 * before {
                break;
            }
        }
        out
    }
}
