//! One fit for all cells that differ in nothing but the weight above which there is an edge.

use dycausal::basis::Shape;
use dycausal::{Basis, Cancel, DynamicGraph, Run, find};
use dycausal_published::DyCausal;
use dycausal_published::optimise::Path;
use dycausal_published::parameters::Importance;
use serde_json::Value;

use super::catalogue::ORACLE;
use super::cell::Cell;
use crate::error::Result;
use crate::oracle;
use crate::simulate::Simulated;
use crate::study::{Outcome, attempt, within};

/// The parameter of the published method that is a threshold.
const THRESHOLD: &str = "threshold";

/// The cells by the fit they need, in the order of the first of each.
pub(super) fn by_fit<'a>(cells: &[&'a Cell]) -> Vec<Vec<&'a Cell>> {
    let mut fits: Vec<(Cell, Vec<&Cell>)> = Vec::new();
    for cell in cells {
        let fit = without_threshold(cell);
        match fits.iter_mut().find(|(known, _)| *known == fit) {
            Some((_, sharing)) => sharing.push(cell),
            None => fits.push((fit, vec![cell])),
        }
    }
    fits.into_iter().map(|(_, sharing)| sharing).collect()
}

/// What is the same in all cells that share a fit.
fn without_threshold(cell: &Cell) -> Cell {
    let mut cell = Cell { threshold: 0.0, ..cell.clone() };
    if published(&cell).is_some() {
        cell.parameters.remove(THRESHOLD);
    }
    cell
}

/// The published method of a cell, if that is its method and a threshold is all that it does at the end.
fn published(cell: &Cell) -> Option<DyCausal> {
    if cell.method != "dycausal" {
        return None;
    }
    let method: DyCausal = serde_json::from_value(Value::Object(cell.parameters.clone())).ok()?;
    (method.importance != Importance::Likelihood).then_some(method)
}

/// Simulates, fits once and scores every cell; a method or a simulation that fails is an outcome too.
///
/// # Errors
/// If the run was cancelled.
pub(super) fn run_together(cells: &[&Cell], run: &Run, limit: f64) -> Result<Vec<Outcome>> {
    let all = |outcome: Outcome| Ok(vec![outcome; cells.len()]);
    let Some(first) = cells.first() else { return Ok(Vec::new()) };
    let drawn = match first.simulation.draw(first.seed) {
        Ok(drawn) => drawn,
        Err(error) => return all(Outcome::failed(format!("not simulated: {error}"))),
    };
    let (seconds, fitted) = attempt(limit, run, |cancel| fit(cells, &drawn, cancel))?;
    let (graphs, path) = match fitted {
        Ok(fitted) => fitted,
        Err(outcome) => return all(outcome),
    };
    let outcome = |(cell, graph): (&&Cell, &DynamicGraph)| Outcome {
        seconds,
        ..cell.outcome(&drawn, graph, &path)
    };
    Ok(cells.iter().zip(&graphs).map(outcome).collect())
}

/// The graph of every cell.
fn fit(cells: &[&Cell], drawn: &Simulated, cancel: Cancel) -> Result<(Vec<DynamicGraph>, Path)> {
    let cell = cells[0];
    let alike = |graph: DynamicGraph| (vec![graph; cells.len()], Path::default());
    if cell.method == ORACLE {
        let size = cell.parameters.get("basis_size").and_then(Value::as_u64).unwrap_or(5);
        let size = usize::try_from(size).unwrap_or(5);
        let (steps, lag) = (drawn.panel.steps(), drawn.truth.lag());
        let shape = if cell.still { Shape::Constant } else { Shape::Legendre { size } };
        let basis = Basis::new(shape, steps, lag)?;
        return Ok(alike(oracle(&drawn.truth, &drawn.panel, &basis)?));
    }
    // The seed of the method is not that of the data: a search that began with the same random
    // numbers could begin at the truth.
    let mut run = Run::new(cell.seed + 7919).with_threads(1)?.with_cancel(cancel);
    if let Some(method) = published(cell) {
        let thresholds = cells.iter().map(|cell| published(cell).map_or(0.0, |m| m.threshold));
        return Ok(method.fit_at(&thresholds.collect::<Vec<_>>(), &drawn.panel, &mut run)?);
    }
    let methods = dycausal_baselines::all_methods();
    let (method, _) = find(&methods, &cell.method)?.build(&cell.parameters)?;
    Ok(alike(method.discover(&drawn.panel, &mut run)?))
}

impl Cell {
    /// The estimate alone, in the units the data had before they were standardised.
    pub(super) fn estimate(&self, drawn: &Simulated, run: &Run) -> Result<DynamicGraph> {
        let (graphs, _) = within(f64::INFINITY, run, |cancel| fit(&[self], drawn, cancel))?;
        drawn.in_own_units(&graphs[0])
    }
}
