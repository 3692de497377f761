//! What can be set: the parameters of the method.

mod check;
mod choices;
mod described;
mod preset;

use dycausal::{Missing, Panel};
use serde::{Deserialize, Serialize};

pub use choices::{Acyclic, Encoder, Ends, Importance, Model, Penalty};
pub use preset::Preset;

use crate::acyclicity::Constraint;

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
/// | `rolling` | false | whether changes add up from the reconstructed step before in `ode` | with `dropped` ends |
/// | `unit_changes` | true | whether changes in `ode` are divided by their root mean square | |
/// | `importance` | `norm` | weight of an edge in `mlp` and `ode` | `norm`, `derivative`, `likelihood` (`mlp`, or `linear` with `window = 0`) |
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
    /// Whether changes add up from the reconstructed step before, as Eq. 11 has it; else from the observed.
    pub rolling: bool,
    /// Whether changes are divided by their root mean square.
    pub unit_changes: bool,
    /// Weight of an edge in the models that are networks.
    pub importance: Importance,
    /// Whose choices are taken where the paper's text differs.
    pub preset: Preset,
}

impl Default for DyCausal {
    fn default() -> Self {
        Self {
            lag: 1,
            model: Model::Linear,
            encoder: Encoder::Convolution,
            window: 2,
            spacing: 4,
            interpolate: true,
            ends: Ends::Shifted,
            centre: true,
            balance: true,
            units: 10,
            bias: true,
            hidden: 32,
            reach: 10.0,
            acyclic: Acyclic::Knot,
            constraint: Constraint::NormLogDet,
            alpha: 1.001,
            penalty: Penalty::Lasso,
            sparsity: 0.05,
            ridge: 0.0,
            rate: 0.005,
            mu: 1.0,
            decay: 0.1,
            restart: true,
            stages: 4,
            iterations: 1500,
            tolerance: 0.0,
            threshold: 0.3,
            missing: Missing::Fill,
            rolling: false,
            unit_changes: true,
            importance: Importance::Norm,
            preset: Preset::Ours,
        }
    }
}

impl DyCausal {
    /// Whether large steps are held back: free knots need no help, and lose the small signals there.
    pub(crate) fn balances(&self) -> bool {
        self.balance && self.encoder == Encoder::Convolution
    }

    /// What each variable is counted from.
    pub(crate) fn centres(&self, panel: &Panel) -> Vec<f64> {
        let centre = |mean: f64| if self.centre { mean } else { 0.0 };
        panel.summaries().iter().map(|summary| centre(summary.mean)).collect()
    }
}
