//! How well differential equations foretell rows that they have not seen.

use std::f64::consts::TAU;

use ndarray::ArrayView3;
use rayon::prelude::*;

use super::evidence::{Comparison, Evidence};
use crate::design::FOLDS;
use crate::error::Result;
use crate::learners::flow::{Flow, SHARES, errors};
use crate::learners::ode::Equations;
use crate::learners::relax::Relaxation;
use crate::panel::Panel;
use crate::run::Run;

/// Standard deviations of a variable below which its errors are not believed to be.
const LEAST: f64 = 1e-6;

/// Dynamics that were learned.
pub(super) enum Dynamics {
    Ode(Equations),
    Relax(Relaxation),
}

impl Dynamics {
    /// Their flow as the rows tell it that are `seen`, by series and step. Trajectories that come to rest are
    /// whole: they are cut by series.
    fn flow(&self, seen: &dyn Fn(usize, usize) -> bool, last: usize) -> Box<dyn Flow + '_> {
        match self {
            Self::Ode(equations) => equations.flow(seen),
            Self::Relax(relaxation) => relaxation.flow(&|series| seen(series, last)),
        }
    }
}

impl Comparison<'_> {
    /// What dynamics say of unseen rows, followed from each step to the next; no number where they run away.
    pub(super) fn followed(
        &self,
        dynamics: &Dynamics,
        panel: &Panel,
        run: &Run,
    ) -> Result<Evidence> {
        let values = panel.values();
        let fold = |fold: usize| {
            run.proceed()?;
            Ok(self.of_fold(dynamics, values.view(), fold))
        };
        (0..FOLDS).into_par_iter().map(fold).collect()
    }

    /// The log likelihood of the rows of a fold, per row; the share of errors that is taken over, and the
    /// variance of what is left, are those of the other rows.
    fn of_fold(&self, dynamics: &Dynamics, values: ArrayView3<'_, f64>, fold: usize) -> f64 {
        let (series, steps, d) = values.dim();
        let lag = self.columns.lag();
        let fold_of = |n: usize, t: usize| self.folds.get((t - lag) * series + n);
        let seen = |n: usize, t: usize| t < lag || fold_of(n, t) != Some(&fold);
        let flow = dynamics.flow(&seen, steps - 1);
        let places: Vec<(usize, usize)> =
            (0..series).flat_map(|n| (lag.max(1)..steps).map(move |t| (n, t))).collect();
        let (known, asked): (Vec<_>, Vec<_>) = places.into_iter().partition(|(n, t)| seen(*n, *t));
        let mut best = (f64::NEG_INFINITY, f64::NAN);
        for share in SHARES {
            let left = errors(&*flow, values, share);
            let (mut inside, mut outside) = (0.0, 0.0);
            for v in 0..d {
                let unit = self.columns.scale()[v];
                let square = |(n, t): &(usize, usize)| (left[[*n, *t, v]] / unit).powi(2);
                let mean = |rows: &[(usize, usize)]| {
                    rows.iter().map(square).sum::<f64>() / rows.len().max(1) as f64
                };
                let variance = mean(&known).max(LEAST * LEAST);
                inside -= 0.5 * (variance.ln() + TAU.ln() + 1.0);
                outside -= 0.5 * (variance.ln() + TAU.ln() + mean(&asked) / variance);
            }
            if inside > best.0 && outside.is_finite() {
                best = (inside, outside);
            }
        }
        best.1
    }
}
