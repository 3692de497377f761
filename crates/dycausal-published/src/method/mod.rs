//! The published method: coarse-to-fine learning of dynamic causal structures.

mod fingerprint;
mod likelihood;
mod memory;
mod outcome;
mod units;

use std::borrow::Cow;

use dycausal::internals::memory::bytes;
use dycausal::internals::real::Real;
use dycausal::{
    Discover, DynamicGraph, Error, Missing, Moments, Panel, PanelShape, Result, Run, Scope,
};
use rand::RngExt;

use crate::balance;
use crate::encoder::{Decoder, Encode, Free, windows};
use crate::grid::Grid;
use crate::model::{Heads, Linear, Perceptron, Reconstruct};
use crate::objective::Objective;
use crate::optimise::{CentralPath, Path};
use crate::order::Order;
use crate::parameters::{DyCausal, Encoder, Model, Penalty, Precision};

/// A graph, and how it was come by.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The graph.
    pub graph: DynamicGraph,
    /// The way there: loss, h, roll-backs.
    pub path: Path,
}

impl Discover for DyCausal {
    fn name(&self) -> &'static str {
        "dycausal"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: self.model != Model::Ode,
            lagged: true,
            time_varying: true,
            inference: false,
            missing: self.model == Model::Linear && self.encoder == Encoder::Free,
            knowledge: true,
            periods: false,
        }
    }

    fn missing(&self) -> Missing {
        self.missing
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        bytes(memory::memory(&self.settled(), shape))
    }

    fn check(&self) -> Result<()> {
        self.check_ranges()?;
        self.check_preset()?;
        self.settled().check_combinations()
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        self.fit(panel, run).map(|fitted| fitted.graph)
    }
}

impl DyCausal {
    /// As [`Discover::learn`], with the way there.
    ///
    /// # Errors
    /// As [`Discover::learn`].
    pub fn fit(&self, panel: &Panel, run: &mut Run) -> Result<Fitted> {
        let (graphs, path) = self.along_path(&[self.threshold], panel, run)?;
        let graph =
            graphs.into_iter().next().ok_or_else(|| Error::numerical("dycausal", "no graph"))?;
        Ok(Fitted { graph, path })
    }

    /// One fit, and the graph for each of several thresholds: edges are cut at the very end, so that
    /// thresholds are compared at the price of one.
    ///
    /// # Errors
    /// As [`Discover::discover`].
    pub fn fit_at(
        &self,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        for threshold in thresholds {
            Self { threshold: *threshold, ..self.clone() }.check()?;
        }
        self.suits(panel, run)?;
        self.along_path(thresholds, panel, run)
    }

    fn along_path(
        &self,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        let usable = if self.scope().missing {
            self.missing.usable(panel, run)?
        } else {
            Cow::Borrowed(panel)
        };
        let settled = self.settled();
        let fitted = match self.precision {
            Precision::Single => settled.fit_in::<f32>(thresholds, &usable, run),
            Precision::Double => settled.fit_in::<f64>(thresholds, &usable, run),
        };
        let (graphs, path) = fitted?;
        let recorded = |graph: DynamicGraph| graph.with_missing(panel, self.missing);
        Ok((graphs.into_iter().map(recorded).collect(), path))
    }

    fn fit_in<R: Real>(
        &self,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        run.stage("moments", None);
        let shared = &*run;
        let mut objective = shared.parallel(|| self.objective::<R>(panel, shared))?;
        let fingerprint = fingerprint::fingerprint(self, panel, shared);
        let mut path = self.central_path();
        if self.balances() && self.model == Model::Linear {
            path.iterations *= balance::patience(panel);
        }
        run.stage("optimise", Some((path.stages * path.iterations) as u64));
        let shared = &*run;
        let path = shared.parallel(|| path.follow(&mut objective, shared, fingerprint))?;
        run.stage("graph", None);
        units::warn(panel, &objective.errors(), run);
        let cut = |threshold: &f64| {
            Self { threshold: *threshold, ..self.clone() }.graph(&mut objective, panel, run)
        };
        Ok((thresholds.iter().map(cut).collect::<Result<_>>()?, path))
    }

    fn central_path(&self) -> CentralPath {
        CentralPath {
            mu: self.mu,
            decay: self.decay,
            stages: if self.model == Model::Ode { 1 } else { self.stages },
            iterations: self.iterations,
            rate: self.rate,
            tolerance: self.tolerance,
            restart: self.restart,
        }
    }

    fn objective<R: Real>(&self, panel: &Panel, run: &Run) -> Result<Objective<R>> {
        let grid = Grid::new(self, panel.steps(), panel.variables(), run.knowledge())?;
        let count = grid.knots.len() * grid.size();
        let lasso = self.penalty == Penalty::Lasso;
        Ok(Objective {
            encoder: self.encoder(&grid, panel, run),
            model: self.reconstruction(&grid, panel, run)?,
            order: Order::new(&grid, self.acyclic, self.constraint.build(self.alpha)),
            sparsity: if lasso { self.sparsity } else { 0.0 },
            knots: vec![R::ZERO; count],
            gradient: vec![R::ZERO; count],
            grid,
        })
    }

    fn encoder<R: Real>(&self, grid: &Grid, panel: &Panel, run: &Run) -> Box<dyn Encode<R>> {
        let mut random = run.random("encoder");
        match self.encoder {
            Encoder::Convolution => {
                let windows = windows(grid, panel, &self.centres(panel), self.balances());
                let uniform = || random.random_range(-1.0..1.0);
                Box::new(Decoder::new(grid, self.hidden, self.reach, &windows, uniform))
            }
            Encoder::Free => {
                let bound = 1.0 / (grid.causes as f64).sqrt();
                let free = Free::new(grid, || random.random_range(-bound..bound));
                match self.penalty {
                    Penalty::Lasso => Box::new(free),
                    Penalty::Group => Box::new(free.with_group_lasso(grid, self.sparsity)),
                }
            }
        }
    }

    fn reconstruction<R: Real>(
        &self,
        grid: &Grid,
        panel: &Panel,
        run: &Run,
    ) -> Result<Box<dyn Reconstruct<R>>> {
        if self.model != Model::Linear {
            let mut random = run.random("heads");
            let uniform = || random.random_range(-1.0..1.0);
            let rows = self.rows(grid, panel);
            let heads = Heads { ridge: self.ridge, bias: self.bias, rolling: self.rolling };
            return Ok(Box::new(Perceptron::new(grid, rows, heads, uniform)));
        }
        let moments = Moments::unless(panel, self.lag, run.cancel())?;
        let moments = if self.centre { moments } else { moments.recentred(&self.centres(panel)) };
        Ok(Box::new(Linear::new(grid, &moments, self.balances())?))
    }
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
