//! What the user knows of the graph before the data are asked.

use std::collections::BTreeSet;

/// What is known of the graph: which edges, and which orders within a step, cannot be.
///
/// Empty, it allows everything. Variables are numbered as in the panel.
///
/// ```
/// use dycausal::{Knowledge, Run};
///
/// let run = Run::new(0).with_knowledge(Knowledge::default());
/// assert!(run.knowledge().is_empty());
/// assert!(run.knowledge().allows(0, 1, 0));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Knowledge {
    /// Edges (from, to, lag) that cannot be.
    edges: BTreeSet<(usize, usize, usize)>,
    /// Pairs (first, second) of which the first cannot precede the second within a step.
    orders: BTreeSet<(usize, usize)>,
}

impl Knowledge {
    /// Whether nothing is known: then everything is allowed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty() && self.orders.is_empty()
    }

    /// Whether there may be an edge `from` → `to` at a lag.
    #[inline]
    pub fn allows(&self, from: usize, to: usize, lag: usize) -> bool {
        self.is_empty()
            || !self.edges.contains(&(from, to, lag))
                && (lag > 0 || !self.orders.contains(&(from, to)))
    }

    /// Whether `first` may precede `second` within a step.
    #[inline]
    pub fn allows_order(&self, first: usize, second: usize) -> bool {
        self.orders.is_empty() || !self.orders.contains(&(first, second))
    }

    /// As [`Knowledge::allows`] for the column lag · variables + cause.
    #[inline]
    pub(crate) fn allows_column(&self, column: usize, to: usize, variables: usize) -> bool {
        self.is_empty() || self.allows(column % variables, to, column / variables)
    }

    /// The same for variables in another sequence; `before` tells the number each had.
    pub(crate) fn renumbered(&self, before: &[usize]) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let mut now = vec![usize::MAX; before.len()];
        before.iter().enumerate().for_each(|(new, old)| now[*old] = new);
        Self {
            edges: self.edges.iter().map(|(from, to, lag)| (now[*from], now[*to], *lag)).collect(),
            orders: self.orders.iter().map(|(first, second)| (now[*first], now[*second])).collect(),
        }
    }

    /// All that is known as numbers: the same for the same knowledge, none if there is none.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let edges = self.edges.iter().flat_map(|(from, to, lag)| [0, *from, *to, *lag]);
        let orders = self.orders.iter().flat_map(|(first, second)| [1, *first, *second]);
        edges.chain(orders).map(|number| number as u64)
    }

    /// The sequence as it is, but for variables that have to come later than others in it.
    pub(crate) fn arranged(&self, sequence: &[usize]) -> Vec<usize> {
        let mut left = sequence.to_vec();
        if self.orders.is_empty() {
            return left;
        }
        let mut arranged = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let first = |v: &usize| left.iter().all(|u| u == v || self.allows_order(*v, *u));
            // Knowledge that contradicts itself leaves none; whoever reads it in refuses that.
            let next = left.iter().position(first).unwrap_or(0);
            arranged.push(left.remove(next));
        }
        arranged
    }
}

#[cfg(test)]
impl Knowledge {
    /// Edges (from, to, lag) that cannot be, and pairs of which the first cannot precede the second.
    pub fn forbidding(edges: &[(usize, usize, usize)], orders: &[(usize, usize)]) -> Self {
        Self { edges: edges.iter().copied().collect(), orders: orders.iter().copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_known_allows_everything() {
        let nothing = Knowledge::default();
        assert!(nothing.is_empty() && nothing.allows(1, 1, 3) && nothing.allows_order(2, 0));
        assert_eq!(nothing.arranged(&[2, 0, 1]), [2, 0, 1]);
    }

    #[test]
    fn what_cannot_precede_cannot_cause_within_the_step() {
        let known = Knowledge::forbidding(&[(0, 1, 1)], &[(2, 0)]);
        assert!(!known.allows(0, 1, 1) && known.allows(0, 1, 0));
        assert!(!known.allows(2, 0, 0) && known.allows(2, 0, 1));
        assert!(!known.allows_column(3, 1, 3) && known.allows_column(3, 2, 3));
        assert_eq!(known.arranged(&[2, 1, 0]), [1, 0, 2]);
    }

    #[test]
    fn renumbering_follows_the_variables() {
        let known = Knowledge::forbidding(&[(0, 1, 1)], &[(2, 0)]);
        assert_eq!(known.renumbered(&[2, 0, 1]), Knowledge::forbidding(&[(1, 2, 1)], &[(0, 1)]));
    }
}
