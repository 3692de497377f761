//! When something happens to an edge.

use dycausal::graph::Edge;
use dycausal::movement::{self, Motion};
use dycausal::{Basis, DynamicGraph};
use serde::Serialize;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The edge comes into being.
    Appears,
    /// The edge is no longer there.
    Goes,
    /// The weight changes sign.
    Turns,
    /// The weight leaps.
    Jumps,
}

/// A share of the strongest weight below which a weight has no sign to speak of.
const NO_SIGN: f64 = 0.1;
/// A leap is at least this share of the range of weights …
const LEAP_OF_RANGE: f64 = 0.2;
/// … and this many times the usual move from one step to the next.
const LEAP_OF_USUAL: f64 = 6.0;

/// Something that happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    /// The first step after it.
    pub step: usize,
    /// What happens.
    pub kind: Kind,
    /// The steps that it lies between, where that is known.
    pub within: Option<(usize, usize)>,
}

/// What happens to an edge, in order: what its motion says, where that is known, else what can be
/// read off its curve.
pub(crate) fn changes(graph: &DynamicGraph, edge: &Edge) -> Vec<Event> {
    let seen = |(step, kind)| Event { step, kind, within: None };
    let mut changes: Vec<Event> = presence(graph, edge).into_iter().map(seen).collect();
    match &edge.motion {
        Some(motion) => changes.extend(sudden(motion)),
        None => changes.extend(curve(graph, edge).into_iter().map(seen)),
    }
    changes.sort_by_key(|change| change.step);
    // A leap through 0 is one change, not two.
    changes.dedup_by_key(|change| change.step);
    changes
}

/// When an edge comes and goes.
fn presence(graph: &DynamicGraph, edge: &Edge) -> Vec<(usize, Kind)> {
    let mut changes = Vec::new();
    for (start, end) in edge.presence.ranges() {
        if *start > 0 {
            changes.push((*start, Kind::Appears));
        }
        if *end < graph.steps() {
            changes.push((*end, Kind::Goes));
        }
    }
    changes
}

/// The sudden changes of a motion.
fn sudden(motion: &Motion) -> impl Iterator<Item = Event> + '_ {
    motion.changes.iter().enumerate().map(|(index, change)| {
        let kind = match (motion.kind, index) {
            (movement::Kind::Appears, _) | (movement::Kind::Pulses, 0) => Kind::Appears,
            (movement::Kind::Vanishes | movement::Kind::Pulses, _) => Kind::Goes,
            (movement::Kind::Flips, _) => Kind::Turns,
            _ => Kind::Jumps,
        };
        Event { step: change.at, kind, within: Some((change.low, change.high)) }
    })
}

/// Turns and leaps of the curve itself.
fn curve(graph: &DynamicGraph, edge: &Edge) -> Vec<(usize, Kind)> {
    let mut changes = Vec::new();
    let least = NO_SIGN * edge.strength(graph.basis());
    for (start, end) in edge.presence.ranges() {
        let weights: Vec<f64> =
            (*start..*end).map(|step| edge.trajectory.value(graph.basis(), step)).collect();
        let signs = weights
            .iter()
            .enumerate()
            .map(|(at, weight)| sign(edge, graph.basis(), start + at, *weight, least));
        changes.extend(turns(signs).map(|at| (start + at, Kind::Turns)));
        changes.extend(leaps(&weights).map(|at| (start + at, Kind::Jumps)));
    }
    changes
}

/// The sign of a weight that is clearly not 0: large enough, and with a band that leaves 0 out.
fn sign(edge: &Edge, basis: &Basis, step: usize, weight: f64, least: f64) -> Option<f64> {
    let open = edge.bounds(basis, step).is_some_and(|(low, high)| low < 0.0 && high > 0.0);
    (weight.abs() > least && !open).then(|| weight.signum())
}

/// Where a sign is another than the last that was clear.
fn turns(signs: impl Iterator<Item = Option<f64>>) -> impl Iterator<Item = usize> {
    let mut last = None;
    signs.enumerate().filter_map(move |(at, sign)| {
        let turned = sign.is_some() && last.is_some() && last != sign;
        last = sign.or(last);
        turned.then_some(at)
    })
}

fn leaps(weights: &[f64]) -> impl Iterator<Item = usize> {
    let moves: Vec<f64> = weights.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let mut sorted = moves.clone();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let high = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = weights.iter().copied().fold(f64::INFINITY, f64::min);
    let least = (LEAP_OF_USUAL * usual).max(LEAP_OF_RANGE * (high - low));
    let leap = move |(at, size): (usize, f64)| (size > least && size > 0.0).then_some(at + 1);
    moves.into_iter().enumerate().filter_map(leap)
}

#[cfg(test)]
mod tests {
    use dycausal::graph::{Presence, Trajectory};
    use dycausal::{Basis, TimeIndex};

    use super::*;

    fn of(weights: Vec<f64>, there: impl Fn(usize) -> bool) -> Vec<(usize, Kind)> {
        let steps = weights.len();
        let presence = Presence::when(steps, there);
        let edge = Edge { presence, ..Edge::new(0, 1, 1, Trajectory::Steps(weights), steps) };
        let names = vec!["a".into(), "b".into()];
        let basis = Basis::constant(steps).unwrap();
        let graph =
            DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, vec![edge]).unwrap();
        let events = changes_of(&graph);
        events.iter().map(|event| (event.step, event.kind)).collect()
    }

    #[test]
    fn what_the_motion_says_stands_in_place_of_what_the_curve_looks_like() {
        let step = Trajectory::Steps([[0.0; 8], [0.9; 8]].concat());
        let change = |at: usize| movement::Change { at, low: at - 1, high: at + 2 };
        let edge = |kind, changes: Vec<movement::Change>| {
            let motion = Some(Motion { kind, probability: 0.9, shares: vec![], changes });
            let edge = Edge { motion, ..Edge::new(0, 1, 1, step.clone(), 16) };
            let (names, times) = (vec!["a".into(), "b".into()], TimeIndex::Steps(16));
            let basis = Basis::constant(16).unwrap();
            let graph = DynamicGraph::new(names, times, 1, basis, vec![edge]).unwrap();
            changes_of(&graph)
        };
        assert_eq!(edge(movement::Kind::Drifts, vec![]), []);
        let event = |step, kind| Event { step, kind, within: Some((step - 1, step + 2)) };
        let pulse = edge(movement::Kind::Pulses, vec![change(3), change(9)]);
        assert_eq!(pulse, [event(3, Kind::Appears), event(9, Kind::Goes)]);
        assert_eq!(edge(movement::Kind::Flips, vec![change(7)]), [event(7, Kind::Turns)]);
    }

    fn changes_of(graph: &DynamicGraph) -> Vec<Event> {
        changes(graph, &graph.edges()[0])
    }

    #[test]
    fn coming_going_turning_and_leaping_are_told_apart() {
        assert_eq!(
            of(vec![1.0; 9], |t| (2..7).contains(&t)),
            [(2, Kind::Appears), (7, Kind::Goes)]
        );
        let smooth = (0..21).map(|t| f64::from(t) / 10.0 - 1.05).collect();
        assert_eq!(of(smooth, |_| true), [(12, Kind::Turns)]);
        let step = [[0.5; 8], [0.9; 8]].concat();
        assert_eq!(of(step, |_| true), [(8, Kind::Jumps)]);
        assert_eq!(of(vec![0.4; 5], |_| true), []);
    }
}
