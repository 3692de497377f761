//! Rows that processes are fitted to: all of them at once, or in committees.
//!
//! Evidence takes the cube of the rows. A committee adds up that of several sets of rows, taken in turn, with
//! shared parameters: some less is learned from each row, in a fraction of the time.

use crate::design::Columns;
use crate::run::Cancel;

/// Rows of a member of a committee, about.
const MEMBER: usize = 240;
/// Members, at most.
const MEMBERS: usize = 8;
/// Rows up to which a process takes them all at once.
const EXACT: usize = 1_100;
/// Members of that size, where there are more rows.
const LARGE_MEMBERS: usize = 3;
/// Standard deviations that 0 may lie from the mean for functions to know of it.
const FAR: f64 = 50.0;
/// Weight of a row below which it is left out.
const COUNTS: f64 = 0.5;

/// The data as processes take them.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Values\[column\]\[row\], of standard deviation 1, counted from their means.
    values: Vec<Vec<f32>>,
    /// Where 0 of the data lies, for each variable.
    zeros: Vec<f32>,
    /// What is explained, for each variable, likewise.
    targets: Vec<Vec<f32>>,
    /// The step of each row, where steps have means of their own.
    steps: Option<Vec<usize>>,
    /// Rows that count.
    pub(super) kept: Vec<usize>,
    /// Whether to go on: a fit to all rows takes longer than anybody who wants to stop should wait.
    pub(super) cancel: Cancel,
}

/// Sets of rows.
pub(crate) type Sets = Vec<Vec<usize>>;

impl Rows {
    /// The rows of columns whose variables have these means, in the data's units.
    pub fn of(columns: &Columns, means: &[f64], own_means: bool, cancel: &Cancel) -> Self {
        #[allow(clippy::cast_possible_truncation)] // single precision is enough
        let single = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let d = columns.variables();
        #[allow(clippy::cast_possible_truncation)] // likewise
        let zero = |v: usize| {
            let away = means[v] / columns.scale()[v];
            if away.abs() <= FAR { away as f32 } else { 0.0 }
        };
        let weight = |row: usize| columns.weights().map_or(1.0, |w| w[row]);
        let rows = columns.steps() * columns.series();
        let kept: Vec<usize> = (0..rows).filter(|row| weight(*row) >= COUNTS).collect();
        let series = columns.series();
        Self {
            values: (0..columns.size()).map(|c| single(columns.column(c))).collect(),
            zeros: (0..d).map(zero).collect(),
            targets: (0..d).map(|v| standardised(columns.column(v), &kept)).collect(),
            steps: own_means.then(|| (0..rows).map(|row| row / series).collect()),
            kept,
            cancel: cancel.clone(),
        }
    }

    /// A committee for searching.
    pub fn committee(&self) -> Sets {
        let members = self.kept.len().div_ceil(MEMBER).clamp(1, MEMBERS);
        self.sets(members, MEMBER + MEMBER / 8)
    }

    /// All rows at once, or a committee of large sets.
    pub fn exact(&self) -> Sets {
        let members = self.kept.len().div_ceil(EXACT).clamp(1, LARGE_MEMBERS);
        self.sets(members, EXACT)
    }

    /// So many sets of at most so many rows, every one of them spread over all.
    fn sets(&self, members: usize, most: usize) -> Sets {
        let stride = self.kept.len().div_ceil(most).max(members);
        let member = |m: usize| {
            let first = m * stride / members;
            self.kept.iter().copied().skip(first).step_by(stride).collect()
        };
        (0..members).map(member).collect()
    }

    /// Inputs of some columns on some rows; counted from 0 of the data where a family asks for it.
    pub fn inputs(&self, columns: &[usize], rows: &[usize], from_zero: bool) -> Vec<Vec<f32>> {
        let one = |column: &usize| {
            let zero = if from_zero { self.zeros[column % self.zeros.len()] } else { 0.0 };
            rows.iter().map(|row| self.values[*column][*row] + zero).collect()
        };
        columns.iter().map(one).collect()
    }

    /// The target on some rows.
    pub fn target(&self, target: usize, rows: &[usize]) -> Vec<f32> {
        rows.iter().map(|row| self.targets[target][*row]).collect()
    }

    /// The steps of some rows, where they have means of their own.
    pub fn steps(&self, rows: &[usize]) -> Option<Vec<usize>> {
        self.steps.as_ref().map(|steps| rows.iter().map(|row| steps[*row]).collect())
    }
}

#[allow(clippy::cast_possible_truncation)] // single precision is enough
fn standardised(x: &[f64], kept: &[usize]) -> Vec<f32> {
    let count = kept.len().max(1) as f64;
    let mean = kept.iter().map(|row| x[*row]).sum::<f64>() / count;
    let square = kept.iter().map(|row| (x[*row] - mean).powi(2)).sum::<f64>() / count;
    let sd = square.sqrt().max(1e-12);
    x.iter().map(|x| ((x - mean) / sd) as f32).collect()
}
