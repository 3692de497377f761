//! The rows a network reads, from a panel.

use dycausal::Panel;
use dycausal::internals::real::Real;

use super::perceptron::Rows;
use crate::grid::Grid;
use crate::parameters::{DyCausal, Model};

impl DyCausal {
    /// Causes and effects of every step and series.
    ///
    /// Changes (model `ode`) are divided by their root mean square over all variables where that was not
    /// forbidden: steps may then be as short as one likes, and the sparsity means the same.
    pub(crate) fn rows<R: Real>(&self, grid: &Grid, panel: &Panel) -> Rows<R> {
        let centres = self.centres(panel);
        let values = panel.values();
        let first = grid.knots[0];
        let count = (panel.steps() - first) * panel.series();
        let mut causes = Vec::with_capacity(count * grid.causes);
        let mut effects = Vec::with_capacity(count * grid.variables);
        for step in first..panel.steps() {
            for series in 0..panel.series() {
                for lag in grid.first_lag..=self.lag {
                    let at = |v: usize| R::of(values[[series, step - lag, v]] - centres[v]);
                    causes.extend((0..grid.variables).map(at));
                }
                let x = |back: usize, v: usize| values[[series, step - back, v]];
                let effect = |v: usize| match self.model {
                    Model::Ode => x(0, v) - x(1, v),
                    _ => x(0, v) - centres[v],
                };
                effects.extend((0..grid.variables).map(|v| R::of(effect(v))));
            }
        }
        if self.model == Model::Ode && self.unit_changes {
            let squares: f64 = effects.iter().map(|x: &R| x.wide() * x.wide()).sum();
            let size = (squares / effects.len() as f64).sqrt();
            if size > 0.0 {
                let scale = R::of(1.0 / size);
                for effect in &mut effects {
                    *effect *= scale;
                }
            }
        }
        Rows { per_step: panel.series(), first, causes, effects }
    }
}
