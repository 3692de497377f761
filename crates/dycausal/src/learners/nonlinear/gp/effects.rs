//! The effects on one variable, in the data's units.

use super::super::curves::{Curves, evenly};
use super::causes::Chosen;
use crate::graph::{Effect, EffectCurve, Trajectory};
use crate::inference::pointwise;
use crate::scores::LocalScore;
use crate::scores::gp::{Posterior, ProcessScore};

/// Values of the cause at which an effect is told.
const VALUES: usize = 21;

/// What is told of the effects on one variable.
pub(super) struct Told<'a> {
    /// The data.
    pub score: &'a ProcessScore,
    /// What explains it.
    pub chosen: &'a Chosen,
    /// What its process learned, where it has one.
    pub posterior: Option<Posterior<'a>>,
    /// The mean of each variable, in the data's units.
    pub centres: &'a [f64],
    /// How often a band holds a curve.
    pub level: f64,
}

impl Told<'_> {
    /// The curve of an effect in the data's units, and how steep it is.
    pub fn effect(&mut self, to: usize, column: usize) -> (Effect, f64) {
        let additive = &self.score.additive;
        let (columns, d) = (&additive.columns, additive.variables());
        let (Some(fit), Some(posterior)) = (&self.chosen.process, &mut self.posterior) else {
            let curves = Curves { score: additive, level: self.level, centres: self.centres };
            let told = curves.of(to, column, &self.chosen.additive);
            let weight = match told.trajectory {
                Trajectory::Constant(weight) => weight,
                _ => 0.0,
            };
            return (told.effect, weight);
        };
        let at = fit.columns.iter().position(|c| *c == column).unwrap_or(0);
        let mut x: Vec<f64> = columns.column(column).to_vec();
        x.sort_unstable_by(f64::total_cmp);
        let values = evenly(&x, VALUES);
        let told = posterior.effect(at, &values);
        let (unit, scale) = (columns.scale()[to], columns.scale()[column % d]);
        let reach = pointwise(self.level, columns.rows());
        let side = |sign: f64| {
            let both = told.effect.iter().zip(&told.error);
            both.map(|(e, error)| unit * (e + sign * reach * error)).collect()
        };
        let curve = EffectCurve {
            step: columns.lag(),
            effect: side(0.0),
            low: side(-1.0),
            high: side(1.0),
        };
        let at = values.iter().map(|x| self.centres[column % d] + scale * x).collect();
        let effect = Effect { at, level: self.level, curves: vec![curve] };
        (effect, told.steepness * unit / scale)
    }
}
