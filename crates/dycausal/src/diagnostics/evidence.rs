//! What the checks look at: residuals on the very rows that the fit had.
//!
//! Variables are centred and scaled as for the fit ([`Columns`]); with s the standard deviations,
//! the residual of variable i in a row of step t is
//!
//! u = y_i − Σ_{j, lag} w_t(j → i, lag) · (s_j / s_i) · x_{j, t−lag}.

use ndarray::s;
use rayon::prelude::*;

use super::dependence;
use super::figures::Pair;
use super::held_out::{self, Held};
use crate::design::{Columns, Preparation};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge};
use crate::panel::Panel;
use crate::run::Cancel;
use crate::thresholds::PRODUCTS_IN_A_SECOND;
use crate::thresholds::SERIES_FOR_STEP_MEANS;

/// Rows that are looked at, at most, where there are series to leave out.
const MOST_ROWS: usize = 100_000;
/// Cells that are looked at, at most: they are there three times.
const MOST_CELLS: usize = 3_000_000;
/// Rows that are looked at, at least, however dense the graph is.
const FEWEST_ROWS: usize = 5_000;

/// Residuals of a graph with the columns that they came from.
pub(super) struct Evidence<'a> {
    pub graph: &'a DynamicGraph,
    pub columns: Columns,
    /// 1 for every row that has values, 0 for the others.
    whole: Vec<f64>,
    /// How many rows have values.
    pub rows: f64,
    /// Prediction of rows that were left out, by variable; none without causes.
    pub held_out: Vec<Option<Held>>,
    /// The pairs whose residuals depend most on each other.
    pub pairs: Vec<Pair>,
    residuals: Vec<Vec<f64>>,
    /// The edges into each variable.
    into: Vec<Vec<usize>>,
}

/// Something of every variable, until stopping is asked for.
fn per_variable<T: Send>(
    count: usize,
    cancel: &Cancel,
    of: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>> {
    (0..count).into_par_iter().map(|v| cancel.proceed().map(|()| of(v))).collect()
}

impl<'a> Evidence<'a> {
    /// The residuals of a graph on a panel.
    ///
    /// # Errors
    /// If the panel has other variables or steps than the graph, or no whole row; or if stopping is
    /// asked for.
    pub fn of(graph: &'a DynamicGraph, panel: &Panel, cancel: &Cancel) -> Result<Self> {
        if graph.names() != panel.names() {
            let (found, expected) = (panel.names().join(", "), graph.names().join(", "));
            return Err(Error::shape("variables of the data", found, expected));
        }
        if graph.steps() != panel.steps() {
            return Err(Error::shape(
                "steps of the data",
                panel.steps(),
                graph.steps().to_string(),
            ));
        }
        let columns = columns(graph, panel)?;
        let length = columns.steps() * columns.series();
        let whole: Vec<f64> = match columns.weights() {
            Some(weights) => weights.iter().map(|w| f64::from(u8::from(*w > 0.0))).collect(),
            None => vec![1.0; length],
        };
        let mut evidence = Self {
            graph,
            columns,
            rows: whole.iter().sum(),
            whole,
            held_out: Vec::new(),
            pairs: Vec::new(),
            residuals: Vec::new(),
            into: vec![Vec::new(); graph.variables()],
        };
        for (k, edge) in graph.edges().iter().enumerate() {
            evidence.into[edge.to].push(k);
        }
        evidence.residuals =
            per_variable(graph.variables(), cancel, |to| evidence.residuals_of(to))?;
        evidence.held_out =
            per_variable(graph.variables(), cancel, |to| held_out::predict(&evidence, to))?;
        cancel.proceed()?;
        evidence.pairs = dependence::strongest(&evidence);
        Ok(evidence)
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.graph.variables()
    }

    /// The name of a variable.
    pub fn name(&self, variable: usize) -> &'a str {
        &self.graph.names()[variable]
    }

    /// 1 for every row in which a variable was observed and its causes have values, 0 for the others.
    pub fn there(&self, variable: usize) -> &[f64] {
        let own = self.columns.observed().and_then(|_| self.columns.weights_of(variable));
        own.unwrap_or(&self.whole)
    }

    /// 1 for every row that has values, 0 for the others.
    pub fn whole(&self) -> &[f64] {
        &self.whole
    }

    /// How many such rows there are.
    pub fn rows_of(&self, variable: usize) -> f64 {
        match self.columns.observed() {
            Some(_) => self.there(variable).iter().sum(),
            None => self.rows,
        }
    }

    /// Residuals of a variable by row, series within steps; 0 where it is not there.
    pub fn residuals(&self, variable: usize) -> &[f64] {
        &self.residuals[variable]
    }

    /// Values of a variable some steps before, by row.
    pub fn values(&self, variable: usize, lag: usize) -> &[f64] {
        self.columns.column(lag * self.variables() + variable)
    }

    /// The mean over rows that a variable is there in, of something that is known by row.
    pub fn mean(&self, variable: usize, of: impl Iterator<Item = f64>) -> f64 {
        let sum = of.zip(self.there(variable)).map(|(x, there)| x * there).sum::<f64>();
        sum / self.rows_of(variable)
    }

    /// The edges into a variable.
    pub fn causes(&self, to: usize) -> Vec<&'a Edge> {
        let edges = self.graph.edges();
        self.into[to].iter().map(|k| &edges[*k]).collect()
    }

    fn residuals_of(&self, to: usize) -> Vec<f64> {
        let (series, lag, scale) =
            (self.columns.series(), self.columns.lag(), self.columns.scale());
        let mut left = self.values(to, 0).to_vec();
        for edge in self.causes(to) {
            let unit = scale[edge.from] / scale[to];
            let cause = self.values(edge.from, edge.lag);
            let curve = edge.curve(self.graph.basis());
            let weights = curve.along(lag, self.columns.steps());
            let steps = left.chunks_exact_mut(series).zip(cause.chunks_exact(series)).zip(weights);
            for (step, ((left, cause), weight)) in steps.enumerate() {
                let weight = unit * weight;
                if weight != 0.0 && edge.presence.contains(step + lag) {
                    left.iter_mut().zip(cause).for_each(|(u, x)| *u -= weight * x);
                }
            }
        }
        for (back, weight) in self.own_lags(to) {
            left.iter_mut().zip(self.values(to, back)).for_each(|(u, x)| *u -= weight * x);
        }
        left.iter_mut().zip(self.there(to)).for_each(|(u, there)| *u *= there);
        left
    }

    /// Lags of a variable that the fit took into account and that are no edges, with their weights.
    fn own_lags(&self, variable: usize) -> impl Iterator<Item = (usize, f64)> {
        let own = self.graph.preparation().and_then(|known| known.own_lags.get(variable));
        let weights = own.map_or(&[][..], Vec::as_slice);
        weights.iter().enumerate().map(|(k, weight)| (k + 1, *weight)).filter(|(_, w)| *w != 0.0)
    }
}

/// The rows of the graph's fit, as they were prepared for it.
fn columns(graph: &DynamicGraph, panel: &Panel) -> Result<Columns> {
    let mut known = graph.preparation().cloned().unwrap_or_else(|| Preparation::plain(panel));
    known.check(panel)?;
    let remembered = known.own_lags.iter().map(Vec::len).max().unwrap_or(0);
    let lag = graph.lag().max(remembered);
    let every = every(graph, panel);
    if every == 1 {
        return Columns::prepared(panel, lag, &known);
    }
    known.scales = known.scales.map(|scales| scales.into_iter().step_by(every).collect());
    let some = panel.values().slice(s![..;every, .., ..]).to_owned();
    Columns::prepared(&Panel::new(some, panel.names().to_vec())?, lag, &known)
}

/// Every so many-th series is looked at.
fn every(graph: &DynamicGraph, panel: &Panel) -> usize {
    let products = PRODUCTS_IN_A_SECOND / (graph.edges().len() + 10 * graph.variables()).max(1);
    let rows = MOST_ROWS.min(products.max(FEWEST_ROWS));
    let rows = rows.min(MOST_CELLS / graph.variables().max(1));
    let series = (rows / panel.steps()).max(SERIES_FOR_STEP_MEANS);
    panel.series().div_ceil(series).max(1)
}
