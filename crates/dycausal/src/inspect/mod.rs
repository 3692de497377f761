//! What can be said of the data before a fit, and what it means for one.

mod collinear;
mod finding;
mod missing;
mod proposals;
mod rows;
mod series_effects;
mod sortability;
mod unit_root;

use serde::Serialize;

pub use collinear::Dependence;
pub use finding::{Finding, Level};
pub use proposals::{Proposal, proposals, together};
pub use sortability::sortability;

use crate::design::{Missing, MissingCells, UsableRows};
use crate::error::Result;
use crate::panel::{Hole, Panel, Summary};
use crate::run::PanelShape;
use crate::run::memory::{afford, available, bytes, what_fits};

/// What one variable looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Missing cells.
    pub missing: usize,
    /// Mean over all series and steps.
    pub mean: Option<f64>,
    /// Standard deviation over all series and steps.
    pub sd: Option<f64>,
    /// Whether it never changes.
    pub constant: bool,
    /// How much of its variance the other variables of the same step explain, linearly.
    pub explained: Option<f64>,
}

/// What a panel looks like to a method with some lag.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// How many series.
    pub series: usize,
    /// The shortest and the longest series.
    pub lengths: (usize, usize),
    /// The time of the first and the last step.
    pub times: (String, String),
    /// The distance between steps (seconds, for dates), where it is even.
    pub spacing: Option<f64>,
    /// The same in words: `month`, `business day`, `15 minutes`; numbers for numbers.
    pub step: Option<String>,
    /// Steps within series at which nothing was recorded.
    pub holes: Vec<Hole>,
    /// Missing cells.
    pub missing: usize,
    /// The variables.
    pub columns: Vec<ColumnSummary>,
    /// Variables that others determine.
    pub dependences: Vec<Dependence>,
    /// The lag the following refer to.
    pub lag: usize,
    /// Rows that can be worked with at all lags.
    pub rows: usize,
    /// Of these, rows of which no cell is missing.
    pub complete: usize,
    /// What a fit does about missing cells by default; none where none is missing.
    pub filled: Option<MissingCells>,
    /// Rows per weight that has to be estimated, if weights do not move.
    pub rows_per_weight: f64,
    /// What all this means for a fit.
    pub findings: Vec<Finding>,
    /// What could be done to columns first, with the figure that says so.
    pub proposals: Vec<Proposal>,
}

impl Inspection {
    /// Looks at a panel with the eyes of a method of this lag.
    ///
    /// # Errors
    /// If rows cannot be compared because numbers overflow, or memory does not suffice.
    pub fn of(panel: &Panel, lag: usize) -> Result<Self> {
        let shape = PanelShape::of(panel);
        let limit = available();
        let help = limit.as_ref().map(|limit| what_fits(shape, limit.bytes, memory));
        afford("a look at the data", memory(shape), limit, help.unwrap_or_default())?;
        let lengths = (0..panel.series()).map(|n| panel.length(n));
        let lengths = (lengths.clone().min().unwrap_or(0), lengths.max().unwrap_or(0));
        let rows = UsableRows::of(panel, Missing::Fill).count(lag);
        let (dependences, explained) = collinear::look(panel, usize::MAX)?;
        let weights = panel.variables() * (lag + 1);
        let mut inspection = Self {
            series: panel.series(),
            lengths,
            times: (panel.times().label(0), panel.times().label(panel.steps() - 1)),
            spacing: panel.times().spacing(),
            step: panel.times().step().map(|step| step.to_string()),
            holes: panel.holes(),
            missing: panel.missing(),
            columns: columns(panel, &explained),
            dependences,
            lag,
            rows,
            complete: UsableRows::complete(panel).count(lag),
            filled: MissingCells::of(panel, Missing::Fill),
            rows_per_weight: rows as f64 / weights as f64,
            findings: Vec::new(),
            proposals: proposals(panel),
        };
        inspection.findings = finding::all(panel, &inspection);
        Ok(inspection)
    }
}

/// About how many bytes a look at data of this shape takes, beside them.
pub fn memory(shape: PanelShape) -> u64 {
    // Rows once more, standardised; correlations, their factor and its inverse where rows suffice.
    let squares = if shape.rows() > shape.columns(0) + 1.0 { 5.0 } else { 0.0 };
    bytes(2.0 * shape.values() + squares * 8.0 * shape.columns(0).powi(2))
}

/// Variables above which a fit looks for copies alone among them.
const MANY: usize = 1000;

/// The same of a look before a fit.
pub(crate) fn memory_of_warnings(shape: PanelShape) -> u64 {
    if shape.variables > MANY { bytes(4096.0 * shape.columns(0)) } else { memory(shape) }
}

/// What a user should be told of the data when a method of this lag, which does that about missing
/// cells, is run on it.
///
/// Quicker than [`Inspection::of`]: linear dependence is looked for among a part of the rows, which
/// is enough to find it where it is exact; among many variables only copies are looked for.
///
/// # Errors
/// As [`Inspection::of`].
pub fn warnings(panel: &Panel, lag: usize, how: Missing) -> Result<Vec<String>> {
    let enough = 2 * panel.variables() + 50;
    let dependences = match panel.variables() {
        0..=MANY => collinear::dependences(panel, enough.max(1000))?.0,
        _ => collinear::copies(panel),
    };
    let rows = UsableRows::of(panel, how).count(lag);
    let mut found = finding::for_fit(panel, lag, rows, &dependences);
    found.extend(missing::of_variables(panel, how));
    Ok(found.into_iter().map(|finding| finding.text).collect())
}

fn columns(panel: &Panel, explained: &[Option<f64>]) -> Vec<ColumnSummary> {
    let cells = panel.series() * panel.steps();
    let described = panel.names().iter().zip(panel.summaries()).zip(explained);
    let column = |((name, summary), explained): ((&String, Summary), &Option<f64>)| ColumnSummary {
        name: name.clone(),
        missing: cells - summary.count,
        mean: (summary.count > 0).then_some(summary.mean),
        sd: (summary.count > 0).then_some(summary.sd),
        constant: summary.is_constant(),
        explained: *explained,
    };
    described.map(column).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn noise(series: usize, steps: usize, variables: usize) -> Array3<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        Array3::from_shape_fn((series, steps, variables), |_| random.random::<f64>())
    }

    #[test]
    fn clean_data_raise_no_warning() {
        let panel = Panel::unnamed(noise(3, 100, 4)).unwrap();
        assert_eq!(warnings(&panel, 1, Missing::Fill).unwrap(), Vec::<String>::new());
        let inspection = Inspection::of(&panel, 1).unwrap();
        assert_eq!((inspection.rows, inspection.lengths), (3 * 99, (100, 100)));
        assert!(inspection.dependences.is_empty());
    }

    #[test]
    fn a_sum_of_columns_is_named_with_its_parts() {
        let mut values = noise(2, 60, 4);
        for mut row in values.rows_mut() {
            row[2] = 3.0 * row[0] - row[3] + 7.0;
        }
        let panel = Panel::unnamed(values).unwrap();
        let inspection = Inspection::of(&panel, 1).unwrap();
        let [dependence] = &inspection.dependences[..] else { panic!("{inspection:?}") };
        let mut involved = dependence.others.clone();
        involved.push(dependence.variable.clone());
        involved.sort();
        assert_eq!(involved, ["x1", "x3", "x4"]);
        assert_eq!(warnings(&panel, 1, Missing::Fill).unwrap().len(), 1);
    }

    #[test]
    fn holes_are_told_with_their_times() {
        let mut values = noise(1, 40, 2);
        values.slice_mut(ndarray::s![0, 10..13, ..]).fill(f64::NAN);
        let inspection = Inspection::of(&Panel::unnamed(values).unwrap(), 1).unwrap();
        let [hole] = &inspection.holes[..] else { panic!("{inspection:?}") };
        assert_eq!((hole.from.as_str(), hole.to.as_str(), hole.steps), ("11", "13", 3));
        let told = |finding: &Finding| finding.text.contains("1 hole in time (3 steps): 11 to 13");
        assert!(inspection.findings.iter().any(told), "{:?}", inspection.findings);
    }

    #[test]
    fn too_few_rows_are_told() {
        let panel = Panel::unnamed(noise(1, 12, 6)).unwrap();
        let told = warnings(&panel, 1, Missing::Fill).unwrap();
        assert!(told.iter().any(|text| text.contains("rows")), "{told:?}");
    }

    #[test]
    fn explained_variance_is_that_of_a_regression() {
        // x2 = x1 + e with var e = var x1: half of either is explained by the other.
        let mut values = noise(4, 4000, 2);
        for mut row in values.rows_mut() {
            row[1] += row[0];
        }
        let inspection = Inspection::of(&Panel::unnamed(values).unwrap(), 0).unwrap();
        for column in &inspection.columns {
            assert!((column.explained.unwrap() - 0.5).abs() < 0.02, "{column:?}");
        }
    }
}
