//! A list of preparations, by the names of columns.

use std::fmt;
use std::str::FromStr;

use ndarray::{Axis, s};

use super::column::Column;
use super::kind::{Kind, refused};
use super::record::{Prepared, Recorder};
use super::{clip, deseason, detrend, difference, log, rank, standardise};
use crate::error::{Error, Result, nearest};
use crate::knowledge::{is_pattern, matches};
use crate::panel::{Panel, TimeIndex};

/// One preparation of some columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What is done.
    pub kind: Kind,
    /// Which columns, by name or pattern, joined by `+`; all if none is named.
    pub columns: Option<String>,
}

/// What is done to the columns of a panel, one after the other.
///
/// ```
/// use dycausal::{Panel, Recipe};
/// use ndarray::Array3;
///
/// let values = Array3::from_shape_fn((1, 8, 2), |(_, t, v)| (1.0 + t as f64) * 10f64.powi(v as i32));
/// let panel = Panel::new(values, vec!["price".into(), "sales".into()])?;
/// let recipe: Recipe = "log:sales,difference:price".parse()?;
/// let (prepared, record) = recipe.apply(&panel)?;
/// assert_eq!(prepared.steps(), 7); // a difference has one step less
/// assert_eq!(prepared.values()[[0, 0, 0]], 1.0);
/// assert_eq!(record.words(), ["log:sales", "difference:price"]);
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recipe(pub Vec<Step>);

impl FromStr for Recipe {
    type Err = Error;

    /// Reads `log:sales,difference(12):price*+volume,standardise`.
    fn from_str(text: &str) -> Result<Self> {
        let steps = text.split(',').map(str::trim).filter(|step| !step.is_empty());
        steps.map(str::parse).collect::<Result<_>>().map(Self)
    }
}

impl FromStr for Step {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, columns) = match text.split_once(':') {
            Some((kind, columns)) if !columns.trim().is_empty() => (kind, Some(columns.trim())),
            Some(_) => return Err(refused(text, "the name of a column after the colon")),
            None => (text, None),
        };
        Ok(Self { kind: Kind::read(kind)?, columns: columns.map(str::to_owned) })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.columns {
            Some(columns) => write!(to, "{}:{columns}", self.kind),
            None => write!(to, "{}", self.kind),
        }
    }
}

impl Recipe {
    /// Whether nothing is done.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each preparation as it is written.
    pub fn words(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Prepares a panel; differences take the first steps away, of all columns.
    ///
    /// # Errors
    /// If a column is not there, a logarithm of what is not positive is asked for, or too few steps
    /// are left.
    pub fn apply(&self, panel: &Panel) -> Result<(Panel, Prepared)> {
        let mut values = panel.values().to_owned();
        let mut lost = vec![0; panel.variables()];
        let mut recorder = Recorder::new(panel);
        for step in &self.0 {
            for variable in step.variables(panel.names())? {
                let mut column = Column(values.index_axis_mut(Axis(2), variable));
                let units = apply_one(step.kind, &mut column, panel, variable)?;
                recorder.note(variable, step.kind, units);
                lost[variable] += step.kind.lost();
            }
        }
        let lost = lost.into_iter().max().unwrap_or(0);
        if lost + 2 > panel.steps() {
            return Err(Error::TooShort { steps: panel.steps(), lag: lost, needed: lost + 2 });
        }
        let kept = values.slice(s![.., lost.., ..]).to_owned();
        let prepared = Panel::new(kept, panel.names().to_vec())?
            .with_times(later(panel.times(), lost))?
            .with_series_names(panel.series_names().to_vec())?;
        let record = recorder.finish(self.words(), lost, &prepared);
        Ok((prepared, record))
    }
}

impl Step {
    /// The columns that are meant.
    fn variables(&self, names: &[String]) -> Result<Vec<usize>> {
        let Some(columns) = &self.columns else { return Ok((0..names.len()).collect()) };
        if let Some(one) = names.iter().position(|name| name == columns) {
            return Ok(vec![one]);
        }
        let mut found = Vec::new();
        for name in columns.split('+').map(str::trim) {
            let fits = |known: &String| known == name || is_pattern(name) && matches(name, known);
            let before = found.len();
            found.extend((0..names.len()).filter(|v| fits(&names[*v])));
            if found.len() == before {
                let near = nearest(name, names.iter().map(String::as_str));
                let hint =
                    near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
                let expected = format!("columns that are there: `{name}` is none{hint}");
                return Err(refused(&self.to_string(), &expected));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// Prepares one column; tells what was found on the way, in words.
fn apply_one(
    kind: Kind,
    column: &mut Column<'_>,
    panel: &Panel,
    variable: usize,
) -> Result<Option<[f64; 2]>> {
    Ok(match kind {
        Kind::Log => {
            log::log(column, panel, variable)?;
            None
        }
        Kind::Difference(steps) => {
            difference::difference(column, steps);
            None
        }
        Kind::Detrend => {
            detrend::detrend(column);
            None
        }
        Kind::Deseason(period) => {
            deseason::deseason(column, period);
            None
        }
        Kind::Clip(sd) => Some(clip::clip(column, sd).0),
        Kind::Rank => {
            rank::rank(column);
            None
        }
        Kind::Standardise => Some(standardise::standardise(column)),
    })
}

/// The times without the first ones.
fn later(times: &TimeIndex, lost: usize) -> TimeIndex {
    match times {
        TimeIndex::Steps(count) if lost == 0 => TimeIndex::Steps(*count),
        // What is left keeps the numbers that its steps had.
        TimeIndex::Steps(count) => {
            TimeIndex::Numbers((lost..*count).map(|step| step as f64 + 1.0).collect())
        }
        TimeIndex::Numbers(numbers) => TimeIndex::Numbers(numbers[lost..].to_vec()),
        TimeIndex::Dates { text, seconds } => {
            TimeIndex::Dates { text: text[lost..].to_vec(), seconds: seconds[lost..].to_vec() }
        }
    }
}
