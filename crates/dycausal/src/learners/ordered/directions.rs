//! Edges whose direction the data cannot tell.
//!
//! Two things direct an edge within a step. Structure: reversing it would make or break a collider
//! with non-adjacent parents, lagged ones included (what is left is the equivalence class, found
//! with Meek's rules). And evidence: weights or noise that move, or noise that is not Gaussian,
//! make the score of the reverse much worse ([`Direction::of`]), and by at least [`ERRORS`] standard
//! errors of that difference, which is added up over blocks of rows: heavy tails or a volatility
//! that variables share make large differences that mean little. An edge with neither is flagged,
//! unless its reverse is known not to be.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use statrs::distribution::{ContinuousCDF, Normal as Gaussian};

use crate::design::{Columns, Partition};
use crate::error::Result;
use crate::graph::orientation::{self, Links, Node};
use crate::knowledge::Knowledge;
use crate::listing::Direction;
use crate::scores::linear::LinearScore;
use crate::scores::linear::shrink::Fit;
use crate::search::{Depth, Scorer, State};

/// Standard errors that a difference of scores has to exceed.
const ERRORS: f64 = 2.5;
/// Series from which a block of rows is a series; with fewer it is a stretch of time.
const MANY_SERIES: usize = 20;
/// The largest group of undirected edges that is looked at; larger ones are flagged as a whole.
const LARGEST: usize = 200;

/// The edges (from, to) within a step that are not directed by structure.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn directions(
    scorer: &mut Scorer<'_, LinearScore>,
    state: &State<LinearScore>,
    fits: &[Fit],
) -> Result<HashMap<(usize, usize), Direction>> {
    let d = fits.len();
    let class = Class::of(fits, d, &scorer.given.knowledge);
    scorer.depth = Depth::Whole;
    let mut found = HashMap::new();
    for component in class.components() {
        let inside: Vec<(usize, usize)> =
            class.open.iter().copied().filter(|(from, _)| component.contains(from)).collect();
        if component.len() > LARGEST {
            found.extend(inside.into_iter().map(|edge| (edge, Direction::OPEN)));
            continue;
        }
        for root in &component {
            let rank = class.rooted(*root, &component);
            let turned: Vec<(usize, usize)> =
                inside.iter().copied().filter(|(from, to)| rank[*from] > rank[*to]).collect();
            let may = |(from, to): &(usize, usize)| scorer.given.knowledge.allows(*to, *from, 0);
            if turned.is_empty() || !turned.iter().all(may) {
                continue;
            }
            if let Some(order) = class.order(&turned, state) {
                let other = scorer.state_near(order, state)?;
                let against = compared(scorer.score, state, &other, &turned);
                for edge in turned {
                    let known = found.entry(edge).or_insert(against);
                    *known = known.and(against);
                }
            }
        }
    }
    Ok(found)
}

/// How much worse another order is for the ends of the edges that it turns, and how sure that is: as a Bayes
/// factor, and as a test, Φ(difference / its standard error).
///
/// What the order costs elsewhere says nothing of these edges, and adds up where variables are many.
fn compared(
    score: &LinearScore,
    state: &State<LinearScore>,
    other: &State<LinearScore>,
    turned: &[(usize, usize)],
) -> Direction {
    let ends: BTreeSet<usize> = turned.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let difference: f64 = ends.iter().map(|v| other.score(*v) - state.score(*v)).sum();
    let odds = Direction::of(difference);
    if !odds.told {
        return odds;
    }
    let mut blocks = Blocks::new(&score.columns);
    for v in ends {
        let (now, then) = (state.regression(v), other.regression(v));
        if now.selected != then.selected {
            blocks.add(&score.row_terms(v, then), 1.0);
            blocks.add(&score.row_terms(v, now), -1.0);
        }
    }
    let errors = difference / blocks.error();
    let sure = Gaussian::standard().cdf(errors);
    odds.and(Direction { told: errors >= ERRORS, confidence: sure })
}

/// Sums over blocks of rows that are about independent: series, or stretches of time.
struct Blocks {
    sums: Vec<f64>,
    series: usize,
    stretches: Partition,
}

impl Blocks {
    fn new(columns: &Columns) -> Self {
        let (series, steps) = (columns.series(), columns.steps());
        let length = if series >= MANY_SERIES { steps } else { steps.isqrt() };
        let stretches = Partition::every(length, steps);
        Self { sums: vec![0.0; series * stretches.count()], series, stretches }
    }

    fn add(&mut self, terms: &[f64], sign: f64) {
        for (row, term) in terms.iter().enumerate() {
            let (t, n) = (row / self.series, row % self.series);
            self.sums[self.stretches.of_step(t) * self.series + n] += sign * term;
        }
    }

    /// The standard error of the sum over all blocks.
    fn error(&self) -> f64 {
        let count = self.sums.len() as f64;
        let mean = self.sums.iter().sum::<f64>() / count;
        let squares: f64 = self.sums.iter().map(|sum| (sum - mean).powi(2)).sum();
        (squares * count / (count - 1.0).max(1.0)).sqrt().max(f64::MIN_POSITIVE)
    }
}

/// The equivalence class of a graph: which edges within the step structure leaves open.
struct Class {
    d: usize,
    edges: Vec<(usize, usize)>,
    adjacent: HashSet<(usize, usize)>,
    open: HashSet<(usize, usize)>,
}

impl Class {
    fn of(fits: &[Fit], d: usize, knowledge: &Knowledge) -> Self {
        let all = fits
            .iter()
            .enumerate()
            .flat_map(|(to, fit)| fit.selected.iter().map(move |c| (*c, to)));
        let edges: Vec<(usize, usize)> = all.collect();
        let adjacent = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        let open = edges.iter().copied().filter(|(from, _)| *from < d).collect();
        let mut class = Self { d, edges, adjacent, open };
        class.close_colliders(fits);
        // Whatever is known not to be the other way round is no question.
        class.open.retain(|(from, to)| knowledge.allows(*to, *from, 0));
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

    /// Meek's rules, once over all open edges; tells whether one applied.
    fn close_by_rules(&mut self, fits: &[Fit]) -> bool {
        let mut open = vec![Vec::new(); self.d];
        for (a, b) in &self.open {
            open[*a].push(*b);
            open[*b].push(*a);
        }
        for others in &mut open {
            others.sort_unstable();
        }
        let pattern = Pattern { class: self, fits, open };
        let found: Vec<_> = orientation::rules().iter().flat_map(|rule| rule(&pattern)).collect();
        for implied in &found {
            self.open.remove(&(implied.from, implied.to));
            self.open.remove(&(implied.to, implied.from));
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

    /// The order nearest to that of a state with some edges turned round, if there is one.
    ///
    /// It keeps what the search selected beside the edges of the class, where that closes no cycle: whoever
    /// lost such a cause would make the other order look worse, whatever the direction of these edges.
    fn order(&self, turned: &[(usize, usize)], state: &State<LinearScore>) -> Option<Vec<usize>> {
        let turned: HashSet<(usize, usize)> = turned.iter().copied().collect();
        let turn = |(a, b): (usize, usize)| if turned.contains(&(a, b)) { (b, a) } else { (a, b) };
        let within = self.edges.iter().copied().filter(|(from, _)| *from < self.d);
        let listed: Vec<(usize, usize)> = within.map(turn).collect();
        let all = listed.iter().copied().chain(state.edges().map(turn)).collect::<Vec<_>>();
        near_order(&state.position, &all).or_else(|| near_order(&state.position, &listed))
    }
}

/// A class as Meek's rules read it.
struct Pattern<'a> {
    class: &'a Class,
    fits: &'a [Fit],
    /// The variables that an open edge joins with each.
    open: Vec<Vec<usize>>,
}

impl Links for Pattern<'_> {
    fn variables(&self) -> usize {
        self.class.d
    }

    fn open(&self, variable: usize) -> Vec<usize> {
        self.open[variable].clone()
    }

    fn causes(&self, variable: usize) -> Vec<Node> {
        let selected = self.fits[variable].selected.iter();
        let known = selected.filter(|column| !self.class.open.contains(&(**column, variable)));
        known.map(|column| (column % self.class.d, column / self.class.d)).collect()
    }

    fn is_open(&self, a: usize, b: usize) -> bool {
        self.class.is_open(a, b)
    }

    fn apart(&self, (cause, lag): Node, variable: usize) -> bool {
        self.class.apart(lag * self.class.d + cause, variable)
    }
}

/// Variables by causes first, and by their position where that leaves them free; none if there is a cycle.
fn near_order(position: &[usize], edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut effects = vec![Vec::new(); position.len()];
    let mut waits = vec![0_usize; position.len()];
    for (from, to) in edges {
        effects[*from].push(*to);
        waits[*to] += 1;
    }
    let free = |v: usize| Reverse((position[v], v));
    let mut open: BinaryHeap<_> =
        (0..position.len()).filter(|v| waits[*v] == 0).map(free).collect();
    let mut order = Vec::with_capacity(position.len());
    while let Some(Reverse((_, v))) = open.pop() {
        order.push(v);
        for to in &effects[v] {
            waits[*to] -= 1;
            if waits[*to] == 0 {
                open.push(free(*to));
            }
        }
    }
    (order.len() == position.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::near_order;

    #[test]
    fn an_order_moves_no_more_than_an_edge_asks_for() {
        let position = [0, 1, 2, 3, 4];
        assert_eq!(near_order(&position, &[(0, 1), (1, 2)]), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(near_order(&position, &[(2, 1), (1, 3)]), Some(vec![0, 2, 1, 3, 4]));
        assert_eq!(near_order(&position, &[(2, 1), (2, 1), (3, 4)]), Some(vec![0, 2, 1, 3, 4]));
        assert_eq!(near_order(&position, &[(2, 1), (1, 2)]), None);
    }
}
