//! The places where two graphs can differ, without visiting those where both are empty.

use std::collections::BTreeMap;

use dycausal::DynamicGraph;
use dycausal::graph::{Edge, Knots};
use rayon::prelude::*;

/// Which edges are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    Instantaneous,
    Lagged,
}

impl Part {
    fn holds(self, lag: usize) -> bool {
        match self {
            Self::All => true,
            Self::Instantaneous => lag == 0,
            Self::Lagged => lag > 0,
        }
    }
}

/// One place (lag, from, to) with the weight of the truth and of the estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub lag: usize,
    pub from: usize,
    pub to: usize,
    pub truth: f64,
    pub estimate: f64,
}

/// Cells where at least one of two graphs has a weight, sorted by place; all others are 0 and 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cells {
    /// The cells that are listed.
    pub listed: Vec<Cell>,
    /// How many cells there are, the unlisted included.
    pub total: u64,
    /// Whether lag 0 means "within the step", so that a reversed edge is one mistake.
    pub reversible: bool,
}

/// Two graphs side by side.
pub(super) struct Pairing<'a> {
    truth: &'a DynamicGraph,
    lag: usize,
    diagonal: bool,
    places: Vec<(Place, Option<Path<'a>>, Option<Path<'a>>)>,
}

/// An edge with its weight over time.
struct Path<'a> {
    edge: &'a Edge,
    curve: Knots,
    strength: f64,
}

impl<'a> Path<'a> {
    fn of(graph: &DynamicGraph, edge: &'a Edge) -> Self {
        let strength = edge.strength(graph.basis());
        Self { edge, curve: edge.curve(graph.basis()), strength }
    }

    fn at(&self, step: usize) -> f64 {
        if self.edge.presence.contains(step) { self.curve.value(step) } else { 0.0 }
    }
}

type Place = (usize, usize, usize);

impl<'a> Pairing<'a> {
    /// Lines up the edges of two graphs of the same variables and steps.
    pub(super) fn new(truth: &'a DynamicGraph, estimate: &'a DynamicGraph, diagonal: bool) -> Self {
        let mut places: BTreeMap<Place, (Option<&Edge>, Option<&Edge>)> = BTreeMap::new();
        let counted = |edge: &&Edge| diagonal || edge.from != edge.to;
        for edge in truth.edges().iter().filter(counted) {
            places.entry(place(edge)).or_default().0 = Some(edge);
        }
        for edge in estimate.edges().iter().filter(counted) {
            places.entry(place(edge)).or_default().1 = Some(edge);
        }
        let places: Vec<_> = places.into_iter().collect();
        let paths = |(at, (t, e)): (Place, (Option<&'a Edge>, Option<&'a Edge>))| {
            let (t, e) = (t.map(|t| Path::of(truth, t)), e.map(|e| Path::of(estimate, e)));
            (at, t, e)
        };
        let places = places.into_par_iter().map(paths).collect();
        Self { truth, lag: truth.lag().max(estimate.lag()), diagonal, places }
    }

    /// The cells of one step, with their weights.
    pub(super) fn at(&self, part: Part, step: usize) -> Cells {
        self.collect(part, |path| path.at(step))
    }

    /// The window graph: per lag, the largest absolute weight over time.
    pub(super) fn window(&self, part: Part) -> Cells {
        self.collect(part, |path| path.strength)
    }

    fn collect(&self, part: Part, weigh: impl Fn(&Path<'_>) -> f64) -> Cells {
        let listed = self
            .places
            .iter()
            .filter(|(place, ..)| part.holds(place.0))
            .map(|((lag, from, to), truth, estimate)| Cell {
                lag: *lag,
                from: *from,
                to: *to,
                truth: truth.as_ref().map_or(0.0, &weigh),
                estimate: estimate.as_ref().map_or(0.0, &weigh),
            })
            .filter(|cell| cell.truth != 0.0 || cell.estimate != 0.0)
            .collect();
        let d = self.truth.variables() as u64;
        let within = if part.holds(0) { d * (d - 1) } else { 0 };
        let lags = if part == Part::Instantaneous { 0 } else { self.lag as u64 };
        let total = within + lags * if self.diagonal { d * d } else { d * (d - 1) };
        Cells { listed, total, reversible: true }
    }

    /// The summary graph: the largest absolute weight over time and lags.
    pub(super) fn summary(&self, part: Part) -> Cells {
        let mut merged: BTreeMap<(usize, usize), Cell> = BTreeMap::new();
        for cell in self.window(part).listed {
            let kept = merged.entry((cell.from, cell.to)).or_insert(Cell { lag: 0, ..cell });
            kept.truth = kept.truth.max(cell.truth);
            kept.estimate = kept.estimate.max(cell.estimate);
        }
        let d = self.truth.variables() as u64;
        let own = self.diagonal && self.lag > 0 && part != Part::Instantaneous;
        let total = match part {
            Part::Lagged if self.lag == 0 => 0,
            _ if own => d * d,
            _ => d * (d - 1),
        };
        Cells {
            listed: merged.into_values().collect(),
            total,
            reversible: part == Part::Instantaneous,
        }
    }
}

fn place(edge: &Edge) -> Place {
    (edge.lag, edge.from, edge.to)
}
