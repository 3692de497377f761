//! What can be chosen by name.

use serde::{Deserialize, Serialize};

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
