//! The published method: coarse-to-fine learning of dynamic causal structures.

mod balance;
mod convolution;
mod decoder;
mod encode;
mod fingerprint;
mod free;
mod grid;
mod importance;
mod kernels;
mod likelihood;
mod linear;
mod memory;
mod objective;
mod order;
mod outcome;
mod parameters;
mod perceptron;
mod preset;
mod reconstruct;
mod rows;
mod source;
mod sparsity;
mod spread;
mod units;
mod windows;

use std::borrow::Cow;

use rand::RngExt;
use serde::{Deserialize, Serialize};

pub use parameters::{Acyclic, Difference, Encoder, Ends, Importance, Model, Penalty, Precision};
pub use preset::Preset;

use self::decoder::Decoder;
use self::encode::Encode;
use self::free::Free;
use self::grid::Grid;
use self::linear::Linear;
use self::objective::Objective;
use self::order::Order;
use self::perceptron::{Heads, Perceptron};
use self::reconstruct::Reconstruct;
use crate::acyclicity::Constraint;
use crate::design::Missing;
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Discover, Scope, recorded};
use crate::moments::Moments;
use crate::optimise::{CentralPath, Path, Real};
use crate::panel::Panel;
use crate::run::memory::bytes;
use crate::run::{PanelShape, Run};

/// DyCausal: weights at knots, interpolated in between, that reconstruct the series from their
/// causes and are driven towards acyclicity (Algorithm 1 of the paper).
///
/// Minimises μ · (mean_t |x_t − x̂_t|² over the window of t + β mean_t |W_t|₁) + h(W), with μ falling in
/// stages, and keeps the weights above a threshold. Where the paper's text has it otherwise, the `preset`
/// called `paper` does as well ([`DyCausal::paper`]).
/// Least squares over all variables depends on their units: see the warning it gives.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | 0 or more; at least 1 for `ode` |
/// | `model` | `linear` | what reconstructs the series | `linear`, `mlp`, `ode` |
/// | `encoder` | `convolution` | where the weights at the knots come from | `convolution`, `free` |
/// | `window` | 2 | steps that share one matrix (K) | at least 1; 0: all steps |
/// | `spacing` | 4 | steps from knot to knot (S) | at least 1 |
/// | `interpolate` | true | whether steps between knots take part | |
/// | `ends` | `shifted` | what becomes of windows that the end of the series cuts | `shifted`, `dropped` |
/// | `centre` | true | whether values are counted from each variable's mean | |
/// | `balance` | true | whether steps with large values count as the median one, and series that explode are given four times the `iterations` (`convolution`) | |
/// | `units` | 10 | hidden units per effect in `mlp` and `ode` (m) | at least 1 |
/// | `bias` | true | whether hidden units of `mlp` and `ode` have a constant of their own | |
/// | `hidden` | 32 | hidden layer of the decoder's networks | 1 or more; 0: none |
/// | `reach` | 10 | how far a step may move the encoder's state, in units of `rate` | above 0; 0: any distance |
/// | `acyclic` | `knot` | what has to be acyclic as one | `knot`, `step`, `pair`, `union` |
/// | `constraint` | `norm-log-det` | measure of cyclicity | see [`Constraint`] |
/// | `alpha` | 1.001 | constant of the log-determinants | above 1 |
/// | `penalty` | `lasso` | how sparsity is asked for | `lasso`, `group` |
/// | `sparsity` | 0.05 | weight of the penalty (β) | 0 or more |
/// | `ridge` | 0 | weight of the squares of the second layer in `mlp` and `ode` | 0 or more; 0 with `linear` |
/// | `rate` | 0.005 | length of Adam's steps | above 0 |
/// | `mu` | 1 | weight of the loss in the first stage (μ) | above 0 |
/// | `decay` | 0.1 | what μ is multiplied with after each stage (γ) | above 0, at most 1 |
/// | `restart` | true | whether Adam's means begin anew at each stage | |
/// | `stages` | 4 | stages of the central path (r) | at least 1 |
/// | `iterations` | 1500 | most steps per stage | at least 1 |
/// | `tolerance` | 0 | relative gain per 100 steps below which a stage ends | 0 (never) or more |
/// | `threshold` | 0.3 | weight above which there is an edge (δ) | 0 or more |
/// | `missing` | `fill` | what is done about missing cells (`linear` with `free`) | `fill`, `complete_rows` |
/// | `difference` | `forward` | how change is read off the steps in `ode` | `forward`, `central` |
/// | `rolling` | false | whether changes add up from the reconstructed step before in `ode` | with `dropped` ends |
/// | `unit_changes` | true | whether changes in `ode` are divided by their root mean square | |
/// | `importance` | `norm` | weight of an edge in `mlp` and `ode` | `norm`, `derivative`, `likelihood` (`mlp`, or `linear` with `window = 0`) |
/// | `precision` | `single` | numbers inside the optimiser | `single`, `double` |
/// | `preset` | `ours` | whose choices are taken where the paper's text differs | `ours`, `paper` |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is a choice of its own, by the name that users set
pub struct DyCausal {
    /// Longest lag (τ).
    pub lag: usize,
    /// What reconstructs the series.
    pub model: Model,
    /// Where the weights at the knots come from.
    pub encoder: Encoder,
    /// Steps that share one matrix (K); 0: all steps, whose weights then stay.
    pub window: usize,
    /// Steps from knot to knot (S).
    pub spacing: usize,
    /// Whether steps between knots take part in the reconstruction (Eq. 5).
    pub interpolate: bool,
    /// What becomes of windows that the end of the series cuts.
    pub ends: Ends,
    /// Whether values are counted from each variable's mean.
    pub centre: bool,
    /// Whether steps with large values count as the median one, and linear series that explode are given four
    /// times the `iterations`, with the encoder `convolution`.
    pub balance: bool,
    /// Hidden units per effect in the models that are networks (m).
    pub units: usize,
    /// Whether the hidden units have a constant of their own.
    pub bias: bool,
    /// Hidden layer of the decoder's networks; 0: none.
    pub hidden: usize,
    /// How far a step may move a number of the encoder's state, in units of `rate`; 0: any
    /// distance.
    pub reach: f64,
    /// What has to be acyclic as one.
    pub acyclic: Acyclic,
    /// Measure of cyclicity.
    pub constraint: Constraint,
    /// Constant of the log-determinants (α).
    pub alpha: f64,
    /// How sparsity is asked for.
    pub penalty: Penalty,
    /// Weight of the penalty (β).
    pub sparsity: f64,
    /// Weight of the squares of the second layer in the models that are networks.
    pub ridge: f64,
    /// Length of Adam's steps.
    pub rate: f64,
    /// Weight of the loss in the first stage (μ).
    pub mu: f64,
    /// What μ is multiplied with after each stage (γ).
    pub decay: f64,
    /// Whether Adam's means begin anew at each stage.
    pub restart: bool,
    /// Stages of the central path (r); the model `ode` has one.
    pub stages: usize,
    /// Most steps of Adam per stage.
    pub iterations: usize,
    /// Relative gain per 100 steps below which a stage ends; 0 never.
    pub tolerance: f64,
    /// Weight above which there is an edge (δ).
    pub threshold: f64,
    /// What is done about missing cells, in the linear model with free knots.
    pub missing: Missing,
    /// How change is read off the steps in the model `ode`.
    pub difference: Difference,
    /// Whether changes add up from the reconstructed step before, as Eq. 11 has it; else from the observed.
    pub rolling: bool,
    /// Whether changes are divided by their root mean square.
    pub unit_changes: bool,
    /// Weight of an edge in the models that are networks.
    pub importance: Importance,
    /// Numbers inside the optimiser.
    pub precision: Precision,
    /// Whose choices are taken where the paper's text differs.
    pub preset: Preset,
}

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
        let recorded = |graph| recorded(self.missing, graph, panel);
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

    /// Whether large steps are held back: free knots need no help, and lose the small signals there.
    fn balances(&self) -> bool {
        self.balance && self.encoder == Encoder::Convolution
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

    /// What each variable is counted from.
    fn centres(&self, panel: &Panel) -> Vec<f64> {
        let centre = |mean: f64| if self.centre { mean } else { 0.0 };
        panel.summaries().iter().map(|summary| centre(summary.mean)).collect()
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
                let windows = windows::windows(grid, panel, &self.centres(panel), self.balances());
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
