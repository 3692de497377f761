//! The score that tests the search: n log s² + log n · |parents| by ordinary least squares on plain
//! columns, without lags. It counts how often it is asked.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Found, LocalScore};
use crate::linear_algebra::quadratic;

type Set = Vec<usize>;

/// Columns\[variable\]\[row\], counted from their means.
#[derive(Default)]
pub(crate) struct Toy {
    pub columns: Vec<Vec<f64>>,
    /// Whether it says that more candidates never make it worse.
    pub monotone: bool,
    /// How many regressions were sought.
    pub sought: AtomicUsize,
}

impl Toy {
    fn score(&self, target: usize, parents: &[usize]) -> f64 {
        let (x, rows) = (&self.columns, self.columns[target].len() as f64);
        let dot = |a: usize, b: usize| x[a].iter().zip(&x[b]).map(|(a, b)| a * b).sum::<f64>();
        let entries = parents.iter().flat_map(|a| parents.iter().map(move |b| dot(*a, *b)));
        let mut cross: Vec<f64> = parents.iter().map(|p| dot(*p, target)).collect();
        let explained = quadratic(&mut entries.collect::<Vec<_>>(), &mut cross, 1e-9).unwrap();
        rows * ((dot(target, target) - explained) / rows).ln() + parents.len() as f64 * self.cost()
    }
}

impl LocalScore for Toy {
    type Node = (usize, Set, Set);
    type Regression = Set;
    type Scratch = ();

    fn variables(&self) -> usize {
        self.columns.len()
    }

    fn is_monotone(&self) -> bool {
        self.monotone
    }

    fn cost(&self) -> f64 {
        (self.columns[0].len() as f64).ln()
    }

    fn prepare(&self, target: usize, candidates: &[usize], required: &[usize]) -> Self::Node {
        (target, candidates.to_vec(), required.to_vec())
    }

    fn find(&self, node: &Self::Node, before: impl Fn(usize) -> bool, (): &mut ()) -> Found<Set> {
        self.sought.fetch_add(1, Ordering::Relaxed);
        let parents = self.regress(node.0, |c| node.1.contains(&c) && before(c), &node.2, &mut ());
        let score = self.score(node.0, &parents);
        Found {
            parents: parents.clone().into(),
            tried: self.monotone.then(Box::default),
            score,
            regression: parents,
        }
    }

    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        (): &mut (),
    ) -> Set {
        let mut kept: Set = (0..self.columns.len()).filter(|c| allowed(*c)).collect();
        let without = |kept: &[usize], k: usize| [&kept[..k], &kept[k + 1..]].concat();
        let score = |parents: &[usize]| self.score(target, parents);
        let may_go = |kept: &[usize], k: usize| {
            !required.contains(&kept[k]) && score(&without(kept, k)) < score(kept)
        };
        while let Some(k) = (0..kept.len()).find(|k| may_go(&kept, *k)) {
            kept.remove(k);
        }
        kept
    }

    fn selected(parents: &Set) -> &[usize] {
        parents
    }
}
