//! What can be set, and what makes sense.

use serde::{Deserialize, Serialize};

use super::{DyCausal, Preset};
use crate::design::Missing;
use crate::error::{Error, Result};
use crate::method::{Described, Parameter};

/// What reconstructs the series from their causes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Eq. 9: x̂_t = W_t (x_t, x_{t-1}, …).
    #[default]
    Linear,
    /// Eq. 10: one small network per effect, with W_t as its first layer.
    Mlp,
    /// Eq. 11: such networks for the change from one step to the next; lagged causes only.
    Ode,
}

/// Where the weights at the knots come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoder {
    /// Eq. 3-4: a convolution over the window of each knot, and a parallel decoder.
    #[default]
    Convolution,
    /// They are parameters themselves.
    Free,
}

/// What has to be acyclic as one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acyclic {
    /// Each knot: steps in between may still have cycles.
    #[default]
    Knot,
    /// Each step: the constraint of Eq. 9.
    Step,
    /// Each pair of neighbouring knots: covers every step in between.
    Pair,
    /// All knots together: one order for all steps.
    Union,
}

/// What becomes of windows that the end of the series cuts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// They are moved back, and the last step is a knot.
    #[default]
    Shifted,
    /// They are left out, as the sum of Eq. 9 does: it ends at T − K.
    Dropped,
}

/// How sparsity is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// Mean over steps of |W_t|₁, as in Eq. 9.
    #[default]
    Lasso,
    /// Norm of an edge's weights at all knots, by a proximal step: edges vanish as a whole.
    Group,
}

/// Numbers inside the optimiser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// f32: about twice as fast.
    #[default]
    Single,
    /// f64.
    Double,
}

/// How the change of a variable is read off the steps (model `ode`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// x_t − x_{t−1} from x_{t−1}, as in Eq. 11; biased by the length of a step.
    #[default]
    Forward,
    /// (x_t − x_{t−2}) / 2 from x_{t−1}: no such bias to first order.
    Central,
}

/// What the weight of an edge is in the models that are networks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Importance {
    /// Norm of the first layer's weights, as published.
    #[default]
    Norm,
    /// sd of the cause times the root mean square of the effect's derivative by it.
    Derivative,
    /// The network says in which order variables are, by derivatives; which edges there are in it, and how
    /// strong, the evidence of Gaussian processes does. Edges stay. With `linear` and one matrix: edges that lower
    /// squared errors by more than they cost, in an order near that of the matrix, with weights that no penalty shrinks.
    Likelihood,
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
            constraint: crate::acyclicity::Constraint::NormLogDet,
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
            difference: Difference::Forward,
            rolling: false,
            unit_changes: true,
            importance: Importance::Norm,
            precision: Precision::Single,
            preset: Preset::Ours,
        }
    }
}

/// One row of the table of parameters.
const fn parameter(name: &'static str, purpose: &'static str, range: &'static str) -> Parameter {
    Parameter { name, purpose, range }
}

impl Described for DyCausal {
    const SUMMARY: &'static str = "the published coarse-to-fine method: knots, interpolation, acyclicity by a log-determinant";
    const PARAMETERS: &'static [Parameter] = &[
        parameter("lag", "longest lag", "0 or more; at least 1 for `ode`"),
        parameter("model", "what reconstructs the series", "linear, mlp or ode"),
        parameter("encoder", "where the weights at the knots come from", "convolution or free"),
        parameter("window", "steps that share one matrix (K)", "at least 1; 0: all steps"),
        parameter("spacing", "steps from knot to knot (S)", "at least 1"),
        parameter("interpolate", "whether steps between knots take part", "true or false"),
        parameter(
            "ends",
            "what becomes of windows that the end of the series cuts: moved back, or left out",
            "shifted or dropped",
        ),
        parameter(
            "centre",
            "whether values are counted from each variable's mean",
            "true or false",
        ),
        parameter(
            "balance",
            "whether steps with large values count as the median one, and linear series that explode get four times the iterations (`convolution`)",
            "true or false",
        ),
        parameter("units", "hidden units per effect in `mlp` and `ode` (m)", "at least 1"),
        parameter(
            "bias",
            "whether hidden units of `mlp` and `ode` have a constant of their own",
            "true or false",
        ),
        parameter("hidden", "hidden layer of the decoder's networks", "1 or more; 0: none"),
        parameter(
            "reach",
            "how far a step may move the encoder's state, in units of rate",
            "above 0; 0: any distance",
        ),
        parameter("acyclic", "what has to be acyclic as one", "knot, step, pair or union"),
        parameter(
            "constraint",
            "measure of cyclicity",
            "norm-log-det, norm-log-det-full, log-det, trace-exp, polynomial or spectral-radius",
        ),
        parameter("alpha", "constant of the log-determinants", "above 1"),
        parameter("penalty", "how sparsity is asked for", "lasso, or group with the free encoder"),
        parameter("sparsity", "weight of the penalty (beta)", "0 or more"),
        parameter(
            "ridge",
            "weight of the squares of the second layer in `mlp` and `ode`",
            "0 or more; 0 with linear",
        ),
        parameter("rate", "length of Adam's steps", "above 0"),
        parameter("mu", "weight of the loss in the first stage", "above 0"),
        parameter(
            "decay",
            "what mu is multiplied with after each stage (gamma)",
            "above 0, at most 1",
        ),
        parameter("restart", "whether Adam's means begin anew at each stage", "true or false"),
        parameter("stages", "stages of the central path (r)", "at least 1"),
        parameter("iterations", "most steps per stage", "at least 1"),
        parameter(
            "tolerance",
            "relative gain per 100 steps below which a stage ends; 0 never",
            "0 or more",
        ),
        parameter("threshold", "weight above which there is an edge (delta)", "0 or more"),
        parameter("missing", Missing::PURPOSE, Missing::RANGE),
        parameter("difference", "how change is read off the steps in `ode`", "forward or central"),
        parameter(
            "rolling",
            "whether changes add up from the reconstructed step before in `ode`, as Eq. 11 has it",
            "true or false; only with ends = dropped and a window",
        ),
        parameter(
            "unit_changes",
            "whether changes in `ode` are divided by their root mean square",
            "true or false",
        ),
        parameter(
            "importance",
            "weight of an edge in `mlp` and `ode`",
            "norm, derivative or likelihood (`mlp`, or `linear` with one matrix)",
        ),
        parameter("precision", "numbers inside the optimiser", "single or double"),
        parameter(
            "preset",
            "`paper` takes the choices of the paper's text where ours differ (docs/methods/dycausal.md)",
            "ours or paper",
        ),
    ];
}

impl DyCausal {
    /// Refuses parameters out of range.
    pub(super) fn check_ranges(&self) -> Result<()> {
        let counts = [
            ("spacing", self.spacing),
            ("units", self.units),
            ("stages", self.stages),
            ("iterations", self.iterations),
        ];
        for (name, count) in counts {
            if count == 0 {
                return Err(Error::parameter(name, count, "at least 1"));
            }
        }
        let most = [
            ("units", self.units, 10_000),
            ("hidden", self.hidden, 100_000),
            ("stages", self.stages, 10_000),
            ("iterations", self.iterations, 1_000_000_000),
        ];
        if let Some((name, count, most)) = most.into_iter().find(|(_, n, most)| n > most) {
            return Err(Error::parameter(name, count, format!("at most {most}")));
        }
        let positive = [("rate", self.rate), ("mu", self.mu), ("decay", self.decay)];
        for (name, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number above 0"));
            }
        }
        let from_zero = [
            ("sparsity", self.sparsity),
            ("ridge", self.ridge),
            ("tolerance", self.tolerance),
            ("threshold", self.threshold),
            ("reach", self.reach),
        ];
        for (name, value) in from_zero {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::parameter(name, value, "a number, 0 or more"));
            }
        }
        if self.decay > 1.0 {
            return Err(Error::parameter("decay", self.decay, "at most 1"));
        }
        if !(self.alpha > 1.0 && self.alpha.is_finite()) {
            return Err(Error::parameter("alpha", self.alpha, "a number above 1"));
        }
        Ok(())
    }

    /// Whether changes can add up from step to step.
    pub(super) fn rolls(&self) -> bool {
        let each_step = self.interpolate && self.window > 0;
        self.model == Model::Ode && self.difference == Difference::Forward && each_step
    }

    /// Refuses parameters that contradict each other.
    pub(super) fn check_combinations(&self) -> Result<()> {
        if self.model == Model::Ode && self.lag == 0 {
            let expected = "at least 1: the model `ode` has lagged causes only";
            return Err(Error::parameter("lag", self.lag, expected));
        }
        if self.rolling && !self.rolls() {
            let expected = "false; it takes the model `ode`, forward differences, interpolation and a window, and windows at the ends that are dropped";
            return Err(Error::parameter("rolling", true, expected));
        }
        if self.rolling && self.ends == Ends::Shifted {
            let expected =
                "`dropped`, or no `rolling`: a window that is moved back has no step before";
            return Err(Error::parameter("ends", "shifted", expected));
        }
        let one_matrix = self.model == Model::Linear && self.window == 0;
        if self.importance == Importance::Likelihood && self.model != Model::Mlp && !one_matrix {
            let expected = "`norm` or `derivative`, the model `mlp`, or `linear` with one matrix (`window = 0`)";
            return Err(Error::parameter("importance", "likelihood", expected));
        }
        if self.model == Model::Linear && self.ridge > 0.0 {
            let expected = "0, or the model `mlp` or `ode`: the linear one has no second layer";
            return Err(Error::parameter("ridge", self.ridge, expected));
        }
        if self.penalty == Penalty::Group && self.encoder != Encoder::Free {
            let expected =
                "`lasso`, or the encoder `free`: a proximal step needs weights that are parameters";
            return Err(Error::parameter("penalty", "group", expected));
        }
        Ok(())
    }
}
