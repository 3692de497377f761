//! Edges whose direction the data cannot tell.
//!
//! Two things direct an edge within a step. Structure: reversing it would make or break a collider
//! with non-adjacent parents, lagged ones included (what is left is the equivalence class, found
//! with Meek's rules). And evidence: weights or noise that move, or noise that is not Gaussian,
//! make the score of the reverse worse by at least [`MARGIN`]. An edge with neither is flagged, unless
//! its reverse is known not to be.

use std::collections::HashSet;

use crate::graph::sort_or_cycle;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::search::{Depth, Scorer, State};

/// Evidence, in units of −2 log likelihood, that counts as very strong (Kass and Raftery 1995).
const MARGIN: f64 = 10.0;
/// The largest group of undirected edges that is looked at; larger ones are flagged as a whole.
const LARGEST: usize = 200;

/// The edges (from, to) within a step that are not directed by structure or evidence.
pub(super) fn undirected(
    scorer: &mut Scorer<'_, LinearScore>,
    state: &State<LinearScore>,
    fits: &[Fit],
) -> HashSet<(usize, usize)> {
    let d = fits.len();
    let class = Class::of(fits, d);
    scorer.depth = Depth::Whole;
    let total = state.total();
    let mut flagged = HashSet::new();
    for component in class.components() {
        let inside: Vec<(usize, usize)> =
            class.open.iter().copied().filter(|(from, _)| component.contains(from)).collect();
        if component.len() > LARGEST {
            flagged.extend(inside);
            continue;
        }
        for root in &component {
            let rank = class.rooted(*root, &component);
            let turned: Vec<(usize, usize)> =
                inside.iter().copied().filter(|(from, to)| rank[*from] > rank[*to]).collect();
            let may = |(from, to): &(usize, usize)| scorer.given.knowledge.allows(*to, *from, 0);
            let done = turned.iter().all(|edge| flagged.contains(edge));
            if turned.is_empty() || done || !turned.iter().all(may) {
                continue;
            }
            if let Some(order) = class.order(&turned)
                && scorer.state(order).total() - total < MARGIN
            {
                flagged.extend(turned);
            }
        }
    }
    flagged
}

/// The equivalence class of a graph: which edges within the step structure leaves open.
struct Class {
    d: usize,
    edges: Vec<(usize, usize)>,
    adjacent: HashSet<(usize, usize)>,
    open: HashSet<(usize, usize)>,
}

impl Class {
    fn of(fits: &[Fit], d: usize) -> Self {
        let all = fits
            .iter()
            .enumerate()
            .flat_map(|(to, fit)| fit.selected.iter().map(move |c| (*c, to)));
        let edges: Vec<(usize, usize)> = all.collect();
        let adjacent = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        let open = edges.iter().copied().filter(|(from, _)| *from < d).collect();
        let mut class = Self { d, edges, adjacent, open };
        class.close_colliders(fits);
        while class.close_by_rules(fits) {}
        class
    }

    /// Lags are known to come first, so two of them count as adjacent.
    fn apart(&self, a: usize, b: usize) -> bool {
        a != b && (a < self.d || b < self.d) && !self.adjacent.contains(&(a, b))
    }

    fn close_colliders(&mut self, fits: &[Fit]) {
        for (to, fit) in fits.iter().enumerate() {
            for a in &fit.selected {
                if fit.selected.iter().any(|b| self.apart(*a, *b)) {
                    self.open.remove(&(*a, to));
                }
            }
        }
    }

    fn is_open(&self, a: usize, b: usize) -> bool {
        self.open.contains(&(a, b)) || self.open.contains(&(b, a))
    }

    /// Meek's first three rules, once over all open edges; tells whether one applied.
    fn close_by_rules(&mut self, fits: &[Fit]) -> bool {
        let closed = |class: &Self, a: usize, b: usize| {
            fits[b].selected.contains(&a) && !class.open.contains(&(a, b))
        };
        let directs = |class: &Self, a: usize, b: usize| {
            // Some x → a, x not adjacent to b: a → b, or there would be a new collider.
            let first = fits[a].selected.iter().any(|x| closed(class, *x, a) && class.apart(*x, b));
            // a → x → b: a → b, or there would be a cycle.
            let second = fits[b]
                .selected
                .iter()
                .any(|x| *x < class.d && closed(class, *x, b) && closed(class, a, *x));
            let spokes: Vec<usize> = fits[b]
                .selected
                .iter()
                .copied()
                .filter(|x| closed(class, *x, b) && class.is_open(a, *x))
                .collect();
            let third = spokes.iter().any(|x| spokes.iter().any(|y| class.apart(*x, *y)));
            first || second || third
        };
        let found: Vec<(usize, usize)> = self
            .open
            .iter()
            .copied()
            .filter(|(a, b)| directs(self, *a, *b) || directs(self, *b, *a))
            .collect();
        for edge in &found {
            self.open.remove(edge);
        }
        !found.is_empty()
    }

    /// Variables connected by open edges, in increasing order.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut label: Vec<usize> = (0..self.d).collect();
        loop {
            let mut changed = false;
            for (a, b) in &self.open {
                let least = label[*a].min(label[*b]);
                changed |= label[*a] != least || label[*b] != least;
                (label[*a], label[*b]) = (least, least);
            }
            if !changed {
                break;
            }
        }
        (0..self.d)
            .map(|root| (0..self.d).filter(|v| label[*v] == root).collect::<Vec<_>>())
            .filter(|members| members.len() > 1)
            .collect()
    }

    /// Ranks by maximum cardinality search from a root: a member of the class that begins there.
    fn rooted(&self, root: usize, component: &[usize]) -> Vec<usize> {
        let mut rank = vec![usize::MAX; self.d];
        rank[root] = 0;
        for next in 1..component.len() {
            let ranked = |v: usize| {
                component.iter().filter(|u| rank[**u] < usize::MAX && self.is_open(**u, v)).count()
            };
            let best = component
                .iter()
                .copied()
                .filter(|v| rank[*v] == usize::MAX)
                .max_by_key(|v| (ranked(*v), usize::MAX - *v));
            if let Some(v) = best {
                rank[v] = next;
            }
        }
        rank
    }

    /// An order with some edges turned round, if there is one.
    fn order(&self, turned: &[(usize, usize)]) -> Option<Vec<usize>> {
        let within = self.edges.iter().copied().filter(|(from, _)| *from < self.d);
        let edges: Vec<(usize, usize)> =
            within.map(|(a, b)| if turned.contains(&(a, b)) { (b, a) } else { (a, b) }).collect();
        sort_or_cycle(self.d, &edges).ok()
    }
}
