//! What data are drawn: a generator at a size, and the answer that comes with it.

use std::fmt;

use dycausal::graph::Edge;
use dycausal::{Basis, DynamicGraph, Panel, Run, TimeIndex};
use ndarray::Array3;
use rand_chacha::ChaCha8Rng;

use super::probe::Probe;
use crate::error::Result;

/// The random numbers of a generator.
pub type Stream = ChaCha8Rng;

/// How many series, steps and variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// N, independent series.
    pub series: usize,
    /// T, steps of each.
    pub steps: usize,
    /// d, variables.
    pub variables: usize,
}

impl Size {
    /// N series of T steps of d variables.
    pub const fn new(series: usize, steps: usize, variables: usize) -> Self {
        Self { series, steps, variables }
    }

    /// As an array has it: \[series, time, variable\].
    pub(super) fn shape(self) -> (usize, usize, usize) {
        (self.series, self.steps, self.variables)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} × {}", self.series, self.steps, self.variables)
    }
}

/// One data set, with the answer.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The data.
    pub panel: Panel,
    /// All true edges, also those of variables on themselves where their weights are known.
    pub truth: DynamicGraph,
    /// The period that all columns share, in steps.
    pub season: Option<usize>,
    /// The edge that moves in a known way.
    pub(super) probe: Option<Probe>,
    /// The weight from which an edge counts, where F1 is measured.
    pub(super) threshold: Option<f64>,
}

impl Sample {
    /// Data that follow these edges, up to this lag.
    pub(super) fn new(values: Array3<f64>, lag: usize, edges: Vec<Edge>) -> Result<Self> {
        let steps = values.dim().1;
        let panel = Panel::unnamed(values)?;
        let (names, times) = (panel.names().to_vec(), TimeIndex::Steps(steps));
        let truth = DynamicGraph::new(names, times, lag, Basis::constant(steps)?, edges)?;
        Ok(Self::of(panel, truth))
    }

    /// Data and the answer, as they were drawn.
    pub(super) fn of(panel: Panel, truth: DynamicGraph) -> Self {
        Self { panel, truth, season: None, probe: None, threshold: None }
    }

    /// Data of which no variable moves another.
    pub(super) fn without_cross_edges(values: Array3<f64>) -> Result<Self> {
        Self::new(values, 1, Vec::new())
    }

    /// The same data with the dates of their steps.
    pub(super) fn with_times(self, times: TimeIndex) -> Result<Self> {
        Ok(Self { panel: self.panel.with_times(times)?, ..self })
    }

    /// The same data, known to have a season.
    pub(super) fn with_season(self, period: usize) -> Self {
        Self { season: Some(period), ..self }
    }

    /// The same data, of which F1 is measured.
    pub(super) fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold: Some(threshold), ..self }
    }

    /// The same data with other values.
    pub(super) fn with_values(self, change: impl FnOnce(&mut Array3<f64>)) -> Result<Self> {
        let mut values = self.panel.values().to_owned();
        change(&mut values);
        let panel = Panel::new(values, self.panel.names().to_vec())?;
        Ok(Self { panel: panel.with_times(self.panel.times().clone())?, ..self })
    }

    /// The same data, one edge of which moves in a known way.
    pub(super) fn with_probe(self, probe: Probe) -> Self {
        Self { probe: Some(probe), ..self }
    }
}

type Draw = Box<dyn Fn(&mut Stream, Size, u64) -> Result<Sample> + Send + Sync>;

/// A generator at a size, by name.
pub struct Condition {
    /// Unique within its battery, and without commas: the command line lists names with them.
    pub name: String,
    /// How much is drawn.
    pub size: Size,
    /// Whether it is part of the short form.
    pub quick: bool,
    draw: Draw,
}

impl Condition {
    pub(super) fn new(
        name: impl Into<String>,
        size: Size,
        draw: impl Fn(&mut Stream, Size) -> Result<Sample> + Send + Sync + 'static,
    ) -> Self {
        Self::seeded(name, size, move |stream, size, _| draw(stream, size))
    }

    /// The same, of a generator that does not do the same with every seed.
    pub(super) fn seeded(
        name: impl Into<String>,
        size: Size,
        draw: impl Fn(&mut Stream, Size, u64) -> Result<Sample> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), size, quick: true, draw: Box::new(draw) }
    }

    /// The same, left out of the short form.
    pub(super) fn in_full_only(self) -> Self {
        Self { quick: false, ..self }
    }

    /// The data set of a seed: the same bits on every machine.
    ///
    /// The stream belongs to the condition's name, so that conditions do not share their noise and
    /// no method, whose streams have names of their own, begins with the same numbers.
    ///
    /// # Errors
    /// If the generator finds no stable system.
    pub fn sample(&self, seed: u64) -> Result<Sample> {
        let mut stream = Run::new(seed).random(&format!("battery: {}", self.name));
        (self.draw)(&mut stream, self.size, seed)
    }
}
