//! Tests where cells are missing: each on the rows that have all it needs.

use super::samples::Samples;
use super::{Covariance, Node, Test, Tested, normal_scores};

/// Columns with gaps, and which of their cells are there.
pub(crate) struct Gapped {
    samples: Samples,
    test: Test,
    /// Bits of the rows in which each column is there.
    there: Vec<Vec<u64>>,
}

impl Gapped {
    pub(super) fn new(samples: Samples, test: Test) -> Self {
        let bits = |column: &[f64]| -> Vec<u64> {
            let word = |part: &[f64]| {
                part.iter().rev().fold(0, |word, x| word << 1 | u64::from(!x.is_nan()))
            };
            column.chunks(64).map(word).collect()
        };
        let there = (0..samples.len()).map(|node| bits(samples.column(node))).collect();
        Self { samples, test, there }
    }

    /// The test on the rows in which x, y and all conditions are there.
    pub fn test(&self, x: Node, y: Node, given: &[Node]) -> Tested {
        let nodes: Vec<Node> = given.iter().copied().chain([x, y]).collect();
        let rows = self.rows_with(&nodes);
        let mut columns = Vec::with_capacity(rows.len() * nodes.len());
        for node in &nodes {
            let column = self.samples.column(*node);
            columns.extend(rows.iter().map(|row| column[*row]));
        }
        if self.test == Test::RobustParcorr {
            columns = normal_scores::of_columns(columns, rows.len());
        }
        let correlation = Covariance::correlations(columns, rows.len());
        let last = given.len();
        let conditions: Vec<usize> = (0..last).collect();
        correlation.test(last, last + 1, &conditions, rows.len(), 0)
    }

    fn rows_with(&self, nodes: &[Node]) -> Vec<usize> {
        let mut rows = Vec::new();
        for word in 0..self.samples.rows().div_ceil(64) {
            let mut left = nodes.iter().fold(u64::MAX, |bits, node| bits & self.there[*node][word]);
            while left != 0 {
                rows.push(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        rows
    }
}
