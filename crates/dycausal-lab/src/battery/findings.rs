//! Figures of many seeds, put together.

use super::condition::{Condition, Size};
use super::definition::{Battery, Request};
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
}

/// Figures of one data set by name, and the seconds of its fit.
pub(super) type Measured = (Vec<(&'static str, f64)>, f64);

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
        }
    }

    pub(super) fn add(&mut self, seed: u64, outcome: Result<Measured, String>) {
        match outcome {
            Ok((figures, seconds)) => {
                self.figures.extend(figures.into_iter().map(|(name, value)| (seed, name, value)));
                self.seconds.push(seconds);
            }
            Err(why) => self.failures.push((seed, why)),
        }
    }

    /// Mean and spread of a figure over the seeds on which it is defined.
    pub fn mean(&self, figure: &str) -> Option<Mean> {
        let here = self.figures.iter().filter(|(_, name, _)| *name == figure);
        let values: Vec<f64> = here.map(|(_, _, value)| *value).collect();
        Mean::of(&values)
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
