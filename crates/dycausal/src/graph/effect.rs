//! What a cause does to its effect, where that is no straight line.

use serde::{Deserialize, Serialize};

/// The effect of one variable on another as a function of its value, at one or several steps.
///
/// Effects are counted from their mean over the data: a curve says what a value of the cause adds to the
/// effect, compared with what it usually adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Values of the cause, in the data's units, none below the one before.
    pub at: Vec<f64>,
    /// How often a band holds the curve at one value.
    pub level: f64,
    /// One curve where the effect stays, several where it moves.
    pub curves: Vec<EffectCurve>,
}

/// An effect at one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectCurve {
    /// The step.
    pub step: usize,
    /// What each value adds, in the data's units.
    pub effect: Vec<f64>,
    /// Lower bounds.
    pub low: Vec<f64>,
    /// Upper bounds.
    pub high: Vec<f64>,
}

impl Effect {
    /// What a value of the cause adds at a step: straight between the values and steps that are known,
    /// level beyond them.
    ///
    /// ```
    /// use dycausal::graph::{Effect, EffectCurve};
    ///
    /// let curve = EffectCurve {
    ///     step: 0, effect: vec![1.0, 0.0, 1.0], low: vec![0.9, -0.1, 0.9], high: vec![1.1, 0.1, 1.1],
    /// };
    /// let bent = Effect { at: vec![-1.0, 0.0, 1.0], level: 0.95, curves: vec![curve] };
    /// assert_eq!(bent.value(0.5, 7), 0.5);
    /// ```
    pub fn value(&self, x: f64, step: usize) -> f64 {
        let after = self.curves.partition_point(|curve| curve.step <= step);
        let at = |index: usize| self.curves.get(index).map_or(0.0, |curve| self.along(curve, x));
        if after == 0 || after == self.curves.len() {
            return at(after.saturating_sub(1));
        }
        let (before, next) = (&self.curves[after - 1], &self.curves[after]);
        let share = (step - before.step) as f64 / (next.step - before.step) as f64;
        at(after - 1) * (1.0 - share) + at(after) * share
    }

    fn along(&self, curve: &EffectCurve, x: f64) -> f64 {
        let above = self.at.partition_point(|known| *known <= x);
        if above == 0 || above == self.at.len() {
            return curve.effect.get(above.saturating_sub(1)).copied().unwrap_or(0.0);
        }
        let share = (x - self.at[above - 1]) / (self.at[above] - self.at[above - 1]);
        curve.effect[above - 1] * (1.0 - share) + curve.effect[above] * share
    }

    /// Whether it is as a method would write it: as many numbers everywhere, finite, in order.
    pub(super) fn is_sound(&self, steps: usize) -> bool {
        let finite = |numbers: &[f64]| {
            numbers.len() == self.at.len() && numbers.iter().all(|x| x.is_finite())
        };
        let increase = self.at.windows(2).all(|pair| pair[0] <= pair[1]);
        let in_order = self.curves.windows(2).all(|pair| pair[0].step < pair[1].step);
        let sound = |curve: &EffectCurve| {
            curve.step < steps && [&curve.effect, &curve.low, &curve.high].iter().all(|x| finite(x))
        };
        finite(&self.at)
            && increase
            && in_order
            && (0.0..=1.0).contains(&self.level)
            && self.curves.iter().all(sound)
    }
}
