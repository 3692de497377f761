//! Differential equations from sampled trajectories: derivative regression.

mod choice;
mod design;
mod equation;
mod fitted;
mod followed;
mod outcome;
mod rows;
mod selection;
mod settings;
mod system;
mod terms;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub(crate) use followed::Equations;
pub use settings::{Library, Scheme};

use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Scope};
use crate::panel::Panel;
use crate::run::memory::bytes;
use crate::run::{Auto, PanelShape, Run};

/// Functions of time that a coefficient may have.
const MOST_FUNCTIONS: usize = 6;

/// Learns dx_i/dt = f_i(x, t) + noise: which variables are in f_i, and the equation.
///
/// What changes from one step to the next is the right-hand side averaged over the step,
///
/// (x_i(t + 1) − x_i(t)) / Δ = Σ_k c_ik(t) Σ_s w_s g_k(x(t + s)) + noise,
///
/// with terms g_k from a library, weights w_s of a scheme of integration and coefficients that may
/// move. The change itself is never smoothed, so all schemes explain the same numbers, and library,
/// scheme and functions of time are chosen by one score, n log σ² + log n · terms + 2 log d · causes,
/// where σ² allows for noise in the observation, which is in two changes with opposite signs. Terms are
/// selected first, then variables. x_j → x_i at lag 1 is listed if x_j is in f_i and stands up to a
/// robust Wald test at a false discovery rate of `alpha`; its weight is the mean of ∂f_i/∂x_j along the
/// data. Equations are in `run.json` (`equations`), in words and as LaTeX.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `library` | `auto` | terms of right-hand sides | `auto`: by score, `linear`, `quadratic`, `cubic`, `sines`, `hill` |
/// | `scheme` | `auto` | how they are averaged over a step | `auto`: by score, `forward`, `trapezium`, `four_point`, `smoothed` |
/// | `functions` | `auto` | functions of time that a coefficient has | 1 to 6, or `auto`: by score; 1: it stays |
/// | `interval` | 0 | time between two steps | above 0, or 0: that of the times where they are numbers, else 1 |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0, at most 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ode {
    /// Terms of right-hand sides.
    pub library: Library,
    /// How they are averaged over a step.
    pub scheme: Scheme,
    /// Functions of time that a coefficient has.
    pub functions: Auto<usize>,
    /// Time between two steps; 0 for that of the times.
    pub interval: f64,
    /// False discovery rate of the edges that are listed; 1 lists what was selected.
    pub alpha: f64,
}

impl Default for Ode {
    fn default() -> Self {
        Self {
            library: Library::Auto,
            scheme: Scheme::Auto,
            functions: Auto::Auto,
            interval: 0.0,
            alpha: 0.05,
        }
    }
}

impl Described for Ode {
    const VERSION: u32 = 2;
    const SUMMARY: &'static str = "differential equations by derivative regression, libraries and schemes by score; lagged edges only";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "library",
            purpose: "terms of right-hand sides",
            range: "auto: by score, linear, quadratic, cubic, sines or hill",
        },
        Parameter {
            name: "scheme",
            purpose: "how they are averaged over a step",
            range: "auto: by score, forward, trapezium, four_point or smoothed",
        },
        Parameter {
            name: "functions",
            purpose: "functions of time that a coefficient has; 1: it stays",
            range: "1 to 6, or auto: by score",
        },
        Parameter {
            name: "interval",
            purpose: "time between two steps; 0: that of the times where they are numbers, else 1",
            range: "0 or more",
        },
        Parameter {
            name: "alpha",
            purpose: "false discovery rate of the edges that are listed",
            range: "above 0, at most 1; 1 lists what was selected",
        },
    ];
}

impl Discover for Ode {
    fn name(&self) -> &'static str {
        "ode"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: false,
            lagged: true,
            time_varying: true,
            inference: true,
            missing: true,
            knowledge: true,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        1
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        // States twice, and the columns of a library.
        let (d, rows) = (shape.variables as f64, shape.values() / shape.variables.max(1) as f64);
        let library = (d * (d + 3.0) / 2.0 * rows).min(8.0 * system::LARGEST as f64);
        bytes(4.0 * shape.values() + library + 8.0 * 2.0 * d * d)
    }

    fn check(&self) -> Result<()> {
        if let Some(count) = self.functions.value().filter(|n| !(1..=MOST_FUNCTIONS).contains(n)) {
            return Err(Error::parameter("functions", count, "1 to 6, or auto"));
        }
        if !(self.interval >= 0.0 && self.interval.is_finite()) {
            return Err(Error::parameter("interval", self.interval, "a number, 0 or more"));
        }
        if !(self.alpha > 0.0 && self.alpha <= 1.0) {
            return Err(Error::parameter("alpha", self.alpha, "above 0, at most 1"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        Ok(self.learned(panel, run)?.0)
    }
}

impl Ode {
    /// The graph, and the equations that it is of.
    pub(crate) fn learned(
        &self,
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(DynamicGraph, Equations)> {
        outcome::learn(self, panel, run)
    }
}
