//! The column of times as it is read.

use dycausal::TimeIndex;

use super::instant::{EXPECTED, Instant};
use crate::error::{Error, Place, Result};

/// The time of each row so far.
#[derive(Debug, Default)]
pub(super) struct Times {
    column: String,
    first: Option<Instant>,
    text: Vec<String>,
    values: Vec<f64>,
}

impl Times {
    pub(super) fn new(column: &str) -> Self {
        Self { column: column.into(), ..Self::default() }
    }

    /// Takes the time of the next row, which has to be of the same kind as the first.
    pub(super) fn push(&mut self, file: &str, place: Place, text: &str) -> Result<()> {
        let refused = |expected: String| Error::Cell {
            file: file.into(),
            place,
            column: self.column.clone(),
            found: text.into(),
            expected,
        };
        let instant = Instant::parse(text).ok_or_else(|| refused(EXPECTED.into()))?;
        let first = *self.first.get_or_insert(instant);
        if first.kind() != instant.kind() {
            return Err(refused(format!("{}, as in the first row", first.kind())));
        }
        if !matches!(instant, Instant::Number(_)) {
            self.text.push(text.into());
        }
        self.values.push(instant.value());
        Ok(())
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn column(&self) -> &str {
        &self.column
    }

    /// The time of a row as it was written.
    pub(super) fn label(&self, row: usize) -> String {
        self.text.get(row).cloned().unwrap_or_else(|| self.values[row].to_string())
    }

    /// The times of all rows.
    pub(super) fn into_index(self) -> TimeIndex {
        if self.text.is_empty() {
            TimeIndex::Numbers(self.values)
        } else {
            TimeIndex::Dates { text: self.text, seconds: self.values }
        }
    }

    /// Each different time once, in order, and the number of each row's.
    pub(super) fn into_union(self) -> (TimeIndex, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|a, b| self.values[*a].total_cmp(&self.values[*b]));
        let mut steps = vec![0; order.len()];
        let mut firsts: Vec<usize> = Vec::new();
        for row in order {
            // -0 and 0 are one time, so compare by value and not by bits.
            if firsts.last().is_none_or(|last| self.values[*last] < self.values[row]) {
                firsts.push(row);
            }
            steps[row] = firsts.len() - 1;
        }
        let union = Self {
            text: firsts.iter().filter_map(|row| self.text.get(*row).cloned()).collect(),
            values: firsts.iter().map(|row| self.values[*row]).collect(),
            ..self
        };
        (union.into_index(), steps)
    }
}
