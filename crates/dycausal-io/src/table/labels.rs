//! Names as they appear: series, or variables of a table with one row per value.

use std::collections::HashMap;

/// The name of each row, by number, and all names in the order in which they appear.
#[derive(Debug, Default)]
pub(super) struct Labels {
    numbers: HashMap<String, usize>,
    pub names: Vec<String>,
    pub of_row: Vec<usize>,
}

impl Labels {
    pub(super) fn push(&mut self, name: &str) {
        // Looked up first: most rows have a name that is known, and need no copy of it.
        let known = self.numbers.get(name).copied();
        let number = known.unwrap_or(self.names.len());
        if known.is_none() {
            self.numbers.insert(name.into(), number);
            self.names.push(name.into());
        }
        self.of_row.push(number);
    }

    /// The rows of each name in the order in which they stand: the place of each, and how many there
    /// are at most.
    pub(super) fn in_order(&self) -> (usize, Vec<usize>) {
        let mut lengths = vec![0; self.names.len()];
        let steps = self.of_row.iter().map(|number| {
            lengths[*number] += 1;
            lengths[*number] - 1
        });
        let steps = steps.collect();
        (lengths.into_iter().max().unwrap_or(0), steps)
    }
}
