//! Changes that several edges make together.
//!
//! Sudden changes of edges that are known to move are put in order of their times; one joins those before it while the intervals
//! of all still have a step in common. What at least two edges share is a change of regime. Its
//! time is the mean of theirs, each with weight 1 / w², where w is how many steps its interval
//! has; its interval is 1 / √(Σ 1 / w²) steps wide, within what the intervals have in common.

use serde::Serialize;

use super::{DynamicGraph, Edge};
use crate::movement::{Change, Kind};

/// How many edges are named in words.
const NAMED: usize = 4;

/// A sudden change of several edges at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Regime {
    /// The first step after it.
    pub at: usize,
    /// No earlier.
    pub low: usize,
    /// No later.
    pub high: usize,
    /// The edges that change, by their number in the graph, in order.
    pub edges: Vec<usize>,
}

impl DynamicGraph {
    /// The changes that at least two edges make together, in order of time.
    ///
    /// ```
    /// use dycausal::graph::{DynamicGraph, Edge, Trajectory};
    /// use dycausal::movement::{Change, Kind, Motion};
    /// use dycausal::{Basis, TimeIndex};
    ///
    /// let edge = |to: usize, at: usize| {
    ///     let changes = vec![Change { at, low: at - 3, high: at + 3 }];
    ///     let motion = Motion { kind: Kind::Jumps, probability: 0.9, shares: vec![], changes };
    ///     Edge { motion: Some(motion), ..Edge::new(0, to, 1, Trajectory::Constant(1.0), 90) }
    /// };
    /// let names = ["a", "b", "c"].map(String::from).to_vec();
    /// let edges = vec![edge(0, 40), edge(1, 42), edge(2, 70)];
    /// let graph = DynamicGraph::new(names, TimeIndex::Steps(90), 1, Basis::constant(90)?, edges)?;
    /// let regimes = graph.regimes();
    /// assert_eq!((regimes.len(), regimes[0].at), (1, 41));
    /// assert_eq!(regimes[0].words(&graph), "42 (40 to 44): 2 edges: a → a (lag 1), a → b (lag 1)");
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn regimes(&self) -> Vec<Regime> {
        let mut changes: Vec<(usize, Change)> = self
            .edges()
            .iter()
            .enumerate()
            .flat_map(|(k, e)| sudden(e).map(move |c| (k, c)))
            .collect();
        changes.sort_by_key(|(edge, change)| (change.at, *edge));
        let mut regimes = Vec::new();
        let mut together = SharedChange::default();
        for (edge, change) in changes {
            if !together.takes(edge, change) {
                regimes.extend(std::mem::take(&mut together).regime());
            }
            together.add(edge, change);
        }
        regimes.extend(together.regime());
        regimes
    }
}

impl Regime {
    /// In words: `2020-03-01 (2020-02-27 to 2020-03-04): 4 edges: a → b, …`.
    pub fn words(&self, graph: &DynamicGraph) -> String {
        let label = |step: usize| graph.times().label(step);
        let within = if self.low < self.high {
            format!(" ({} to {})", label(self.low), label(self.high))
        } else {
            String::new()
        };
        let edges = self.edges.iter().filter_map(|number| graph.edges().get(*number));
        let named: Vec<String> = edges.take(NAMED).map(|edge| title(graph, edge)).collect();
        let more = if self.edges.len() > NAMED { ", …" } else { "" };
        let (at, count, named) = (label(self.at), self.edges.len(), named.join(", "));
        format!("{at}{within}: {count} edges: {named}{more}")
    }
}

fn title(graph: &DynamicGraph, edge: &Edge) -> String {
    let [from, to] = [edge.from, edge.to].map(|variable| graph.names()[variable].as_str());
    let lag = if edge.lag > 0 { format!(" (lag {})", edge.lag) } else { String::new() };
    format!("{from} → {to}{lag}")
}

/// The sudden changes of an edge; one that stays or drifts has none, nor has one that may as well stay:
/// two likeliest times of nothing often meet.
fn sudden(edge: &Edge) -> impl Iterator<Item = Change> + '_ {
    let sudden = |kind: Kind| !matches!(kind, Kind::Static | Kind::Drifts);
    let moves = edge.moves_by_test().unwrap_or(true);
    let motion = edge.motion.as_ref().filter(|motion| moves && sudden(motion.kind));
    motion.into_iter().flat_map(|motion| motion.changes.iter().copied())
}

/// Changes whose intervals have a step in common, one of each edge at the most.
#[derive(Default)]
struct SharedChange {
    changes: Vec<(usize, Change)>,
    /// What the intervals have in common.
    common: Option<(usize, usize)>,
}

impl SharedChange {
    fn takes(&self, edge: usize, change: Change) -> bool {
        let other = self.changes.iter().all(|(known, _)| *known != edge);
        let meets = |(low, high): (usize, usize)| change.low.max(low) <= change.high.min(high);
        other && self.common.is_none_or(meets)
    }

    fn add(&mut self, edge: usize, change: Change) {
        let (low, high) = self.common.unwrap_or((change.low, change.high));
        self.common = Some((change.low.max(low), change.high.min(high)));
        self.changes.push((edge, change));
    }

    /// The change that they are, if they are at least two.
    fn regime(self) -> Option<Regime> {
        let (low, high) = self.common.filter(|(low, high)| low <= high)?;
        if self.changes.len() < 2 {
            return None;
        }
        let (mut weight, mut sum) = (0.0, 0.0);
        for (_, change) in &self.changes {
            let width = (change.high - change.low.min(change.high) + 1) as f64;
            weight += width.powi(-2);
            sum += width.powi(-2) * change.at as f64;
        }
        let (mean, room) = (sum / weight, 0.5 / weight.sqrt());
        // A step is as wide as 1, half of it before its number.
        let at = whole(mean.round(), low, high);
        let mut edges: Vec<usize> = self.changes.iter().map(|(edge, _)| *edge).collect();
        edges.sort_unstable();
        Some(Regime {
            at,
            low: whole((mean - room + 0.5).floor(), low, at),
            high: whole((mean + room - 0.5).ceil(), at, high),
            edges,
        })
    }
}

/// A step between two others.
fn whole(step: f64, low: usize, high: usize) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let step = step.max(0.0) as usize;
    step.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::graph::{Tests, Trajectory};
    use crate::movement::Motion;
    use crate::panel::TimeIndex;

    /// A kind of motion, and (at, low, high) of its changes.
    type Moves<'a> = (Kind, &'a [(usize, usize, usize)]);

    fn of(edges: &[Moves<'_>]) -> Vec<Regime> {
        let edge = |(to, (kind, changes)): (usize, &Moves<'_>)| {
            let change = |&(at, low, high): &(usize, usize, usize)| Change { at, low, high };
            let changes = changes.iter().map(change).collect();
            let motion = Motion { kind: *kind, probability: 0.9, shares: Vec::new(), changes };
            Edge { motion: Some(motion), ..Edge::new(0, to, 1, Trajectory::Constant(1.0), 100) }
        };
        let names = (0..edges.len()).map(|k| format!("x{k}")).collect();
        let edges = edges.iter().enumerate().map(edge).collect();
        let basis = Basis::constant(100).unwrap();
        DynamicGraph::new(names, TimeIndex::Steps(100), 1, basis, edges).unwrap().regimes()
    }

    #[test]
    fn changes_that_overlap_are_one_and_narrower_together() {
        let jumps: Vec<_> = (0..4).map(|_| (Kind::Jumps, &[(60, 56, 64)][..])).collect();
        let found = of(&jumps);
        assert_eq!(found, [Regime { at: 60, low: 58, high: 62, edges: vec![0, 1, 2, 3] }]);
    }

    #[test]
    fn the_surest_change_has_most_to_say() {
        let found = of(&[(Kind::Appears, &[(50, 49, 51)]), (Kind::Vanishes, &[(60, 40, 80)])]);
        assert_eq!((found[0].at, found[0].low, found[0].high), (50, 49, 51));
    }

    #[test]
    fn edges_that_may_as_well_stay_make_no_regime() {
        let changes = vec![Change { at: 60, low: 20, high: 90 }];
        let motion = Motion { kind: Kind::Vanishes, probability: 0.5, shares: vec![], changes };
        let edge = |to: usize, q: f64| {
            let tests = Tests { unchanging_adjusted: Some(q), ..Tests::default() };
            let edge = Edge::new(0, to, 1, Trajectory::Constant(1.0), 100);
            Edge { motion: Some(motion.clone()), tests: Some(tests), ..edge }
        };
        let graph = |q: f64| {
            let names = ["a", "b"].map(String::from).to_vec();
            let (times, basis) = (TimeIndex::Steps(100), Basis::constant(100).unwrap());
            DynamicGraph::new(names, times, 1, basis, vec![edge(0, q), edge(1, q)]).unwrap()
        };
        assert_eq!(graph(0.8).regimes(), []);
        assert_eq!(graph(0.01).regimes().len(), 1);
    }

    #[test]
    fn one_edge_alone_drifting_edges_and_changes_apart_are_no_regime() {
        assert_eq!(of(&[(Kind::Jumps, &[(50, 49, 51)]), (Kind::Jumps, &[(55, 53, 57)])]), []);
        assert_eq!(of(&[(Kind::Pulses, &[(50, 45, 55), (52, 47, 57)])]), []);
        assert_eq!(of(&[(Kind::Drifts, &[(50, 45, 55)]), (Kind::Jumps, &[(50, 45, 55)])]), []);
    }

    #[test]
    fn two_regimes_have_the_edges_that_change_twice_in_both() {
        let found = of(&[
            (Kind::Pulses, &[(20, 19, 22), (70, 66, 71)]),
            (Kind::Jumps, &[(21, 20, 22)]),
            (Kind::Flips, &[(69, 69, 69)]),
        ]);
        let edges: Vec<_> = found.iter().map(|regime| regime.edges.clone()).collect();
        assert_eq!(edges, [vec![0, 1], vec![0, 2]]);
        assert_eq!((found[1].at, found[1].low, found[1].high), (69, 69, 69));
    }
}
