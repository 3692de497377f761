//! The table of parameters.

use dycausal::{Described, Missing, Parameter};

use super::DyCausal;

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
        parameter(
            "preset",
            "`paper` takes the choices of the paper's text where ours differ (docs/methods/dycausal.md)",
            "ours or paper",
        ),
    ];
}
