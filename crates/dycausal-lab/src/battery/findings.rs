//! Figures of many seeds, put together.

use super::condition::{Condition, Size};
use super::definition::{Battery, Request};
use super::sketch::Sketch;
use crate::study::{Mean, Tally};

/// One row of the table: a method in a variant under a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// How much was drawn.
    pub size: Size,
    /// The method.
    pub method: String,
    /// Every figure of every seed: the condition is its setting, the variant its reading.
    pub tally: Tally,
    /// What the first seed looks like.
    pub(super) sketch: Option<Sketch>,
}

impl Row {
    pub(super) fn new(condition: &Condition, method: &str, variant: &str) -> Self {
        let tally = Tally::new(&condition.name, variant, method);
        Self { size: condition.size, method: method.to_owned(), tally, sketch: None }
    }

    /// The data.
    pub fn condition(&self) -> &str {
        &self.tally.setting
    }

    /// Mean and spread of a figure over the seeds on which it is defined.
    pub fn mean(&self, figure: &str) -> Option<Mean> {
        self.tally.mean("", "", figure)
    }

    /// The middle of a figure over the seeds on which it is defined.
    pub fn median(&self, figure: &str) -> Option<f64> {
        self.tally.median("", "", figure)
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
        let all = self.rows.iter().flat_map(|row| &row.tally.scores);
        let values = all.filter(|(_, entry)| entry.metric == figure);
        Mean::of(&values.map(|(_, entry)| entry.value).collect::<Vec<f64>>())
    }

    /// The name of its files.
    pub fn file_name(&self) -> String {
        let form = if self.request.quick { "-quick" } else { "" };
        format!("{}{form}", self.battery.name)
    }
}
