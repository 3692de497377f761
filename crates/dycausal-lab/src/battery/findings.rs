//! Figures of many seeds, put together.

use super::condition::{Condition, Size};
use super::definition::{Battery, Request};
use super::sketch::Sketch;
use crate::reproduce::Mean;

/// One row of the table: a method in a variant under a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The condition.
    pub condition: String,
    /// How much was drawn.
    pub size: Size,
    /// The method.
    pub method: String,
    /// Its variant.
    pub variant: String,
    /// Every figure of every seed.
    pub figures: Vec<(u64, &'static str, f64)>,
    /// Seconds of every fit.
    pub seconds: Vec<f64>,
    /// Seeds without figures, and why.
    pub failures: Vec<(u64, String)>,
    /// Why it was not run at all.
    pub unavailable: Option<String>,
    /// What the first seed looks like.
    pub(super) sketch: Option<Sketch>,
}

/// What one data set gave.
pub(super) struct Measured {
    /// Figures by name.
    pub figures: Vec<(&'static str, f64)>,
    /// Seconds of the fit.
    pub seconds: f64,
    /// What it looks like, where that is drawn.
    pub sketch: Option<Sketch>,
}

impl Row {
    pub(super) fn new(condition: &Condition, method: &str, variant: &str) -> Self {
        Self {
            condition: condition.name.clone(),
            size: condition.size,
            method: method.to_owned(),
            variant: variant.to_owned(),
            figures: Vec::new(),
            seconds: Vec::new(),
            failures: Vec::new(),
            unavailable: None,
            sketch: None,
        }
    }

    pub(super) fn add(&mut self, seed: u64, outcome: Result<Measured, String>) {
        match outcome {
            Ok(Measured { figures, seconds, sketch }) => {
                self.figures.extend(figures.into_iter().map(|(name, value)| (seed, name, value)));
                self.seconds.push(seconds);
                self.sketch = self.sketch.take().or(sketch);
            }
            Err(why) => self.failures.push((seed, why)),
        }
    }

    /// Mean and spread of a figure over the seeds on which it is defined.
    pub fn mean(&self, figure: &str) -> Option<Mean> {
        Mean::of(&self.values(figure))
    }

    /// The middle of a figure over the seeds on which it is defined.
    pub fn median(&self, figure: &str) -> Option<f64> {
        let mut values = self.values(figure);
        values.sort_by(f64::total_cmp);
        let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
        Some(0.5 * (values[below] + values[above]))
    }

    fn values(&self, figure: &str) -> Vec<f64> {
        let here = self.figures.iter().filter(|(_, name, _)| *name == figure);
        here.map(|(_, _, value)| *value).collect()
    }

    /// Why there is nothing, or less than there should be; empty where all is there.
    pub fn remark(&self) -> String {
        if let Some(why) = &self.unavailable {
            return why.clone();
        }
        match self.failures.as_slice() {
            [] => String::new(),
            [(seed, why), ..] => {
                let all = self.failures.len() + self.seconds.len();
                format!("{} of {all} seeds without figures; {seed}: {why}", self.failures.len())
            }
        }
    }
}

/// A battery with its figures.
pub struct Findings {
    /// The battery.
    pub battery: &'static Battery,
    /// What part of it was run.
    pub request: Request,
    /// The rows, in the order of the table.
    pub rows: Vec<Row>,
}

impl Findings {
    /// Mean of a figure over all rows and seeds on which it is defined.
    pub fn overall(&self, figure: &str) -> Option<Mean> {
        let all = self.rows.iter().flat_map(|row| &row.figures);
        let values: Vec<f64> = all.filter(|f| f.1 == figure).map(|f| f.2).collect();
        Mean::of(&values)
    }

    /// The name of its files.
    pub fn file_name(&self) -> String {
        let form = if self.request.quick { "-quick" } else { "" };
        format!("{}{form}", self.battery.name)
    }
}
