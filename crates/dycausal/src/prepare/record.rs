//! What was done to columns, and what they looked like before and after.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::panel::Panel;

/// Values of a sketch, at most.
const SKETCH: usize = 60;

/// The record of a preparation; a graph keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// What was done, in order, as it is written.
    steps: Vec<String>,
    /// How many steps at the beginning were lost.
    pub lost: usize,
    /// One per variable.
    pub columns: Vec<PreparedColumn>,
}

/// What was done to one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreparedColumn {
    /// What was done to it, in order; nothing if it is as it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// How many original units one unit of it is; none where that differs from value to value.
    pub unit: Option<f64>,
    /// What a unit of it is, in words, where it is not that of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// What it looked like before, where anything was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Sketch>,
    /// What it looks like now, where anything was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Sketch>,
}

/// A column in a few numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    /// Mean of all series.
    pub mean: Option<f64>,
    /// Standard deviation.
    pub sd: Option<f64>,
    /// Values of the first series, evenly spread; null where they are missing.
    pub values: Vec<Option<f64>>,
}

impl Prepared {
    /// What was done, in order, as it is written.
    pub fn words(&self) -> &[String] {
        &self.steps
    }

    /// What a weight is multiplied by to be one in original units: units of the effect per unit of the
    /// cause. None where either has no fixed unit.
    pub fn unit(&self, from: usize, to: usize) -> Option<f64> {
        let unit = self.columns.get(to)?.unit? / self.columns.get(from)?.unit?;
        unit.is_finite().then_some(unit)
    }

    /// Whether the unit of any column is another than that of the data, and known.
    pub fn rescales(&self) -> bool {
        self.columns.iter().any(|column| column.unit.is_some_and(|unit| unit != 1.0))
    }
}

/// Notes what is done while it is done.
pub(super) struct Recorder {
    columns: Vec<PreparedColumn>,
    before: Vec<Sketch>,
}

impl Recorder {
    pub fn new(panel: &Panel) -> Self {
        let column = PreparedColumn {
            done: Vec::new(),
            unit: Some(1.0),
            meaning: None,
            before: None,
            after: None,
        };
        Self { columns: vec![column; panel.variables()], before: sketches(panel) }
    }

    /// Notes a preparation of a column, with the two numbers that it found, if any.
    pub fn note(&mut self, variable: usize, kind: Kind, found: Option<[f64; 2]>) {
        let column = &mut self.columns[variable];
        let told = match (kind, found) {
            (Kind::Standardise, Some([mean, sd])) => {
                column.unit = column.unit.map(|unit| unit * sd);
                column.meaning = Some(match column.meaning.take() {
                    Some(of) => format!("{sd:.4} times: {of}"),
                    None => format!("one standard deviation, {sd:.4}"),
                });
                format!("standardise (mean {mean:.4}, sd {sd:.4})")
            }
            (Kind::Clip(_), Some([low, high])) if low > f64::MIN => {
                format!("{kind} ({low:.4} to {high:.4})")
            }
            (Kind::Log, _) => {
                column.unit = None;
                column.meaning = Some("a factor of e; 0.01 is about 1 %".into());
                kind.to_string()
            }
            (Kind::Rank, _) => {
                column.unit = None;
                column.meaning = Some("one standard deviation of normal scores of ranks".into());
                kind.to_string()
            }
            (Kind::Difference(steps), _) => {
                let over = if steps == 1 { "a step".into() } else { format!("{steps} steps") };
                column.meaning = Some(match column.meaning.take() {
                    Some(of) => format!("{of}, as a change over {over}"),
                    None => format!("one unit of change over {over}"),
                });
                kind.to_string()
            }
            _ => kind.to_string(),
        };
        column.done.push(told);
    }

    pub fn finish(self, steps: Vec<String>, lost: usize, prepared: &Panel) -> Prepared {
        let mut columns = self.columns;
        let sketched = self.before.into_iter().zip(sketches(prepared));
        for (column, (before, after)) in columns.iter_mut().zip(sketched) {
            if !column.done.is_empty() {
                (column.before, column.after) = (Some(before), Some(after));
            }
        }
        Prepared { steps, lost, columns }
    }
}

fn sketches(panel: &Panel) -> Vec<Sketch> {
    let values = panel.values();
    let steps = panel.steps();
    let count = SKETCH.min(steps);
    let at = |k: usize| if count > 1 { k * (steps - 1) / (count - 1) } else { 0 };
    let known = |x: f64| x.is_finite().then_some(x);
    let sketch = |(v, summary): (usize, crate::panel::Summary)| Sketch {
        mean: known(summary.mean),
        sd: known(summary.sd),
        values: (0..count).map(|k| known(values[[0, at(k), v]])).collect(),
    };
    panel.summaries().into_iter().enumerate().map(sketch).collect()
}
