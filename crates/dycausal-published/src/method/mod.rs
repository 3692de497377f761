//! The published method: coarse-to-fine learning of dynamic causal structures.

mod fingerprint;
mod likelihood;
mod memory;
mod outcome;
mod units;
mod variant;

use std::borrow::Cow;

use dycausal::internals::memory::bytes;
use dycausal::internals::real::Real;
use dycausal::{Discover, DynamicGraph, Error, Missing, Panel, PanelShape, Result, Run, Scope};

pub use variant::Variant;

use crate::balance;
use crate::optimise::{CentralPath, Path};
use crate::parameters::{DyCausal, Encoder, Model};
use crate::parts::Parts;

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
        self.fit_with(&Parts::default(), panel, run)
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
        self.check_thresholds(thresholds)?;
        self.suits(panel, run)?;
        self.along_path(&Parts::default(), thresholds, panel, run)
    }

    fn check_thresholds(&self, thresholds: &[f64]) -> Result<()> {
        let at = |threshold: &f64| Self { threshold: *threshold, ..self.clone() }.check();
        thresholds.iter().try_for_each(at)
    }

    fn fit_with(&self, parts: &Parts<f32>, panel: &Panel, run: &mut Run) -> Result<Fitted> {
        let (graphs, path) = self.along_path(parts, &[self.threshold], panel, run)?;
        let graph =
            graphs.into_iter().next().ok_or_else(|| Error::numerical("dycausal", "no graph"))?;
        Ok(Fitted { graph, path })
    }

    fn along_path(
        &self,
        parts: &Parts<f32>,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        let usable = if self.scope().missing {
            self.missing.usable(panel, run)?
        } else {
            Cow::Borrowed(panel)
        };
        let (graphs, path) = self.settled().fit_in(parts, thresholds, &usable, run)?;
        let recorded = |graph: DynamicGraph| graph.with_missing(panel, self.missing);
        Ok((graphs.into_iter().map(recorded).collect(), path))
    }

    fn fit_in<R: Real>(
        &self,
        parts: &Parts<R>,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        run.stage("moments", None);
        let shared = &*run;
        let mut objective = shared.parallel(|| parts.objective(self, panel, shared))?;
        let fingerprint = fingerprint::fingerprint(self, parts.names(), panel, shared);
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
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
