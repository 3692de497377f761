//! Which values make sense, and which make sense together.

use dycausal::{Error, Result};

use super::{DyCausal, Encoder, Ends, Importance, Model, Penalty};

impl DyCausal {
    /// Refuses parameters out of range.
    pub(crate) fn check_ranges(&self) -> Result<()> {
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
    pub(crate) fn rolls(&self) -> bool {
        self.model == Model::Ode && self.interpolate && self.window > 0
    }

    /// Refuses parameters that contradict each other.
    pub(crate) fn check_combinations(&self) -> Result<()> {
        if self.model == Model::Ode && self.lag == 0 {
            let expected = "at least 1: the model `ode` has lagged causes only";
            return Err(Error::parameter("lag", self.lag, expected));
        }
        if self.rolling && !self.rolls() {
            let expected = "false; it takes the model `ode`, interpolation and a window, and windows at the ends that are dropped";
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
