//! A variable with what explains it, and the rows on which that is tested.

use std::sync::Arc;

use ndarray::s;
use rayon::prelude::*;

use super::covariance::Covariance;
use super::partial::Partial;
use crate::design::Columns;
use crate::moments::TimeBasis;
use crate::regression::{NormalEquations, Pieces, Regressor, Sample};
use crate::run::Cancel;

/// One variable with what explains it.
#[derive(Debug, Clone)]
pub(crate) struct Equation {
    /// The variable.
    pub to: usize,
    /// Its selected regressors, as columns.
    pub selected: Vec<usize>,
    /// The last of its own lags; beyond the lag of the columns they are there to be accounted for,
    /// and are no edges.
    pub own: usize,
    /// One over the noise variance of each step that has rows, where it moves.
    pub precision: Option<Vec<f64>>,
    /// p and q of each selected regressor.
    pub tests: Vec<(f64, f64)>,
    /// Regressors that were required: they are selected, and stay.
    pub required: Vec<usize>,
    /// What is known of rows with missing cells; `None` where there are none.
    pub partial: Option<Arc<Partial>>,
}

impl Equation {
    /// Leaves out rows of which a selected cause was not observed: what is left of it beside its filling
    /// depends on everything that goes with it, so that whatever is not among the causes would seem to be
    /// one.
    pub fn keep_whole_rows(&mut self) {
        self.partial = self.partial.as_ref().map(|partial| Arc::new(partial.whole_rows()));
    }
}

/// The data that equations are tested on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Data<'a> {
    /// The rows.
    pub columns: &'a Columns,
    /// How weights move.
    pub basis: &'a TimeBasis,
    /// How many of its functions weights have, from the first on.
    pub functions: usize,
    /// Where each variable stands in the order.
    pub position: &'a [usize],
    /// Whether to go on.
    pub cancel: &'a Cancel,
}

impl<'a> Data<'a> {
    /// The covariance that these data ask for.
    pub fn covariance(&self) -> Covariance {
        if self.columns.are_of_moments() {
            Covariance::Classical
        } else {
            Covariance::of_rows(self.columns.series(), self.functions)
        }
    }

    /// The rows of an equation with these regressors, and own lags beyond those of the columns.
    pub fn sample(&self, equation: &'a Equation, regressors: &[usize]) -> Sample<'a> {
        let columns = self.columns;
        let (d, lag) = (columns.variables(), columns.lag());
        let first = equation.own.max(lag);
        let skipped = first - lag;
        let whole = |column: usize| Regressor {
            values: self.cause(equation, column % d, column / d, first),
            functions: self.functions,
        };
        let own = |back: usize| Regressor {
            values: self.cause(equation, equation.to, back, first),
            functions: 1,
        };
        let series = columns.series();
        Sample {
            target: columns.lagged(equation.to, 0, first),
            regressors: regressors
                .iter()
                .map(|c| whole(*c))
                .chain((lag + 1..=equation.own).map(own))
                .collect(),
            psi: self.basis.values().slice_move(s![skipped.., ..]),
            series,
            weights: self.weights(equation, first),
            precision: equation.precision.as_deref().map(|p| &p[skipped..]),
            intercepts: columns.intercept_of(equation.to) as f64,
        }
    }

    /// The normal equations of these rows.
    pub(super) fn normal(&self, equation: &'a Equation, regressors: &[usize]) -> NormalEquations {
        let sample = self.sample(equation, regressors);
        match Pieces::of(&sample) {
            Some(pieces) => pieces.sample(&sample).normal(),
            None => sample.normal(),
        }
    }

    /// A cause of an equation from step `first` of the panel on, as far as the equation may know it.
    pub fn cause(
        &self,
        equation: &'a Equation,
        variable: usize,
        back: usize,
        first: usize,
    ) -> &'a [f64] {
        let partial = equation.partial.as_ref().and_then(|p| p.cause(variable, back, first));
        partial.unwrap_or_else(|| self.columns.lagged(variable, back, first))
    }

    /// What the rows of an equation count from step `first` of the panel on, where not all the same.
    pub fn weights(&self, equation: &'a Equation, first: usize) -> Option<&'a [f64]> {
        let columns = self.columns;
        let skipped = first.saturating_sub(columns.lag()) * columns.series();
        match &equation.partial {
            Some(partial) => Some(partial.weights(first)),
            None => columns.weights().map(|w| &w[skipped..]),
        }
    }

    /// Tells equations what is known of rows with missing cells: whatever they may be regressed on
    /// from now on is filled from what was observed of it.
    pub fn know_partial_rows(&self, equations: &mut [Equation], orders: Option<&[usize]>) {
        if self.columns.observed().is_none() {
            return;
        }
        let d = self.columns.variables();
        equations.par_iter_mut().for_each(|equation| {
            // Whoever goes on with this asks again.
            if self.cancel.is_cancelled() {
                return;
            }
            let mut columns = equation.selected.clone();
            for from in equation.selected.iter().map(|c| c % d) {
                columns.extend(self.admitted(from, equation.to));
            }
            let own = orders.map_or(equation.own, |orders| orders[equation.to].max(equation.own));
            equation.partial = Partial::of(self, equation, &columns, own).map(Arc::new);
        });
    }

    /// Own lags of a variable that are no edges of it yet.
    pub(super) fn own_lags(&self, equation: &Equation) -> Vec<usize> {
        let (d, lag) = (self.columns.variables(), self.columns.lag());
        let own = (1..=equation.own.min(lag)).map(|back| back * d + equation.to);
        own.filter(|column| !equation.selected.contains(column)).collect()
    }

    /// Everything of a variable that may be a cause, selected or not.
    pub(super) fn admitted(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let (d, lag) = (self.columns.variables(), self.columns.lag());
        let first = usize::from(self.position[from] >= self.position[to]);
        (first..=lag).map(move |back| back * d + from)
    }
}
