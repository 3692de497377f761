//! Effects of an additive model in the data's units: curves with bands, and how steep they are.

use faer::Mat;

use crate::graph::{Effect, EffectCurve, Trajectory, spaced};
use crate::inference::pointwise;
use crate::scores::additive::{AdditiveScore, Fit};

/// Values of the cause at which an effect is told.
const VALUES: usize = 41;
/// One in so many values at each end is not shown.
const OUTSIDE: usize = 100;
/// Steps at which an effect that moves is told.
const MOMENTS: usize = 5;
/// Steps at which it is told how steep it is.
const KNOTS: usize = 100;
/// Rows that a step is joined with others to have, so that how steep an effect is there is an average.
const ROWS: usize = 200;

/// What curves are made from.
pub(super) struct Curves<'a> {
    /// The data.
    pub score: &'a AdditiveScore,
    /// How often a band holds a curve.
    pub level: f64,
    /// The mean of each variable, in the data's units.
    pub centres: &'a [f64],
}

/// An effect, and how steep it is over time.
pub(super) struct Told {
    /// The curves.
    pub effect: Effect,
    /// How steep.
    pub trajectory: Trajectory,
}

impl Curves<'_> {
    /// The effect of a column in a regression.
    pub fn of(&self, to: usize, column: usize, fit: &Fit) -> Told {
        let (own, covariance) = self.score.estimate(to, column, fit);
        let freedom = (self.score.columns.rows() - fit.coefficients.len() as f64).max(1.0);
        let reach = pointwise(self.level, freedom);
        Told {
            effect: self.effect(to, column, &own, &covariance, reach),
            trajectory: self.steepness(to, column, &own),
        }
    }

    /// Coefficients of each spline function at a step with rows: back · coefficients, times ψ(t).
    fn at_step(&self, column: usize, step: usize) -> Mat<f64> {
        let back = &self.score.features.made[column].back;
        let psi = self.score.basis.values();
        let times = psi.ncols();
        let functions = back.nrows() / times;
        Mat::from_fn(functions, back.ncols(), |f, k| {
            (0..times).map(|b| psi[[step, b]] * back[(f * times + b, k)]).sum()
        })
    }

    fn effect(
        &self,
        to: usize,
        column: usize,
        own: &[f64],
        covariance: &Mat<f64>,
        reach: f64,
    ) -> Effect {
        let (columns, d) = (&self.score.columns, self.score.columns.variables());
        let spline = &self.score.features.splines[column % d];
        let mut x: Vec<f64> = columns.column(column).to_vec();
        x.sort_unstable_by(f64::total_cmp);
        let values = evenly(&x, VALUES);
        let unit = columns.scale()[to];
        // Every function, counted from its mean over the rows.
        let mut mean = vec![0.0; spline.size()];
        let mut at = vec![0.0; spline.size()];
        let stride = (x.len() / 500).max(1);
        let sample = x.iter().step_by(stride);
        let shares = 1.0 / sample.len() as f64;
        for value in x.iter().step_by(stride) {
            spline.values(*value, &mut at);
            mean.iter_mut().zip(&at).for_each(|(m, a)| *m += shares * a);
        }
        let curve = |step: usize| {
            let way = self.at_step(column, step);
            let mut curve = EffectCurve {
                step: step + columns.lag(),
                effect: Vec::new(),
                low: Vec::new(),
                high: Vec::new(),
            };
            for value in &values {
                let mut here = vec![0.0; spline.size()];
                spline.values(*value, &mut here);
                here.iter_mut().zip(&mean).for_each(|(h, m)| *h -= m);
                let loads: Vec<f64> = (0..own.len())
                    .map(|k| here.iter().enumerate().map(|(f, h)| h * way[(f, k)]).sum())
                    .collect();
                let middle: f64 = loads.iter().zip(own).map(|(l, c)| l * c).sum();
                let spread = |a: usize| -> f64 {
                    (0..own.len()).map(|b| loads[b] * covariance[(a, b)]).sum()
                };
                let variance: f64 = (0..own.len()).map(|a| loads[a] * spread(a)).sum();
                let room = reach * variance.max(0.0).sqrt();
                curve.effect.push(unit * middle);
                curve.low.push(unit * (middle - room));
                curve.high.push(unit * (middle + room));
            }
            curve
        };
        let stays = self.score.basis.size() == 1;
        let steps = if stays { vec![0] } else { spaced(columns.steps(), MOMENTS) };
        let scale = columns.scale()[column % d];
        let centre = self.centres[column % d];
        Effect {
            at: values.iter().map(|x| centre + scale * x).collect(),
            level: self.level,
            curves: steps.into_iter().map(curve).collect(),
        }
    }

    /// The root mean square of the derivative over rows near each step, with the sign of its mean.
    fn steepness(&self, to: usize, column: usize, own: &[f64]) -> Trajectory {
        let (columns, d) = (&self.score.columns, self.score.columns.variables());
        let spline = &self.score.features.splines[column % d];
        let (series, steps) = (columns.series(), columns.steps());
        let unit = columns.scale()[to] / columns.scale()[column % d];
        let x = columns.column(column);
        let mut at = vec![0.0; spline.size()];
        let mut over = |steps: std::ops::Range<usize>, way: &Mat<f64>| {
            let (mut sum, mut squares) = (0.0, 0.0);
            let rows = steps.start * series..steps.end * series;
            let count = rows.len() as f64;
            for value in &x[rows] {
                spline.slopes(*value, &mut at);
                let slope: f64 = own
                    .iter()
                    .enumerate()
                    .map(|(k, c)| {
                        c * at.iter().enumerate().map(|(f, s)| s * way[(f, k)]).sum::<f64>()
                    })
                    .sum();
                sum += slope;
                squares += slope * slope;
            }
            unit * (squares / count).sqrt().copysign(sum)
        };
        if self.score.basis.size() == 1 {
            return Trajectory::Constant(over(0..steps, &self.at_step(column, 0)));
        }
        let near = ROWS / series / 2;
        let knots = spaced(steps, KNOTS);
        let mut weights: Vec<f64> = Vec::with_capacity(knots.len());
        for step in &knots {
            let range = step.saturating_sub(near)..(step + near + 1).min(steps);
            weights.push(over(range, &self.at_step(column, *step)));
        }
        let at = knots.into_iter().map(|step| step + columns.lag()).collect();
        Trajectory::Knots { at, weights }
    }
}

/// Evenly spaced values over most of the range of sorted ones: all of it where most are the same.
pub(super) fn evenly(sorted: &[f64], count: usize) -> Vec<f64> {
    let rest = sorted.len() / OUTSIDE;
    let (mut low, mut high) = (sorted[rest], sorted[sorted.len() - 1 - rest]);
    if low >= high {
        (low, high) = (sorted[0], sorted[sorted.len() - 1]);
    }
    (0..count).map(|k| low + (high - low) * k as f64 / (count - 1) as f64).collect()
}
