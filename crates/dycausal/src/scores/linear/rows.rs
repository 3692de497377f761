//! Moments that are added up from the rows whenever they are asked for.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::LinearScore;
use super::screen::Screen;
use crate::moments::{Columns, Gram, Precision, TimeBasis, Workspace, products};

/// Columns that explain what a target and its selected columns leave.
type Seen = HashMap<(usize, Vec<usize>), Vec<usize>>;

/// What looks at columns need, and what they found.
#[derive(Debug)]
pub(crate) struct FromRows {
    pub(super) screen: Screen,
    /// ψ_b ψ_c / rows.
    products: Vec<f64>,
    /// What explains the residuals of a target, given what is selected.
    seen: Mutex<Seen>,
}

impl FromRows {
    pub fn new(columns: &Columns, basis: &TimeBasis) -> Self {
        let products = products(basis, columns.rows());
        let screen = Screen::new(columns, basis, &products);
        Self { screen, products, seen: Mutex::default() }
    }

    /// The moments of some columns.
    pub(super) fn gram<P: Precision>(
        &self,
        score: &LinearScore,
        which: &[usize],
        work: &mut Workspace<P>,
    ) -> Gram {
        Gram::of_some(&score.columns, &self.products, score.basis.size(), which, work)
    }

    /// The variance of a column.
    pub(super) fn variance(&self, score: &LinearScore, column: usize) -> f64 {
        self.gram(score, &[column], &mut Workspace::<f64>::default()).entry(0, 0, 0)
    }

    /// What was found before.
    pub(super) fn seen(&self, target: usize, selected: &[usize]) -> Option<Vec<usize>> {
        self.lock().get(&key(target, selected)).cloned()
    }

    /// Keeps what was found.
    pub(super) fn see(&self, target: usize, selected: &[usize], found: Vec<usize>) {
        self.lock().insert(key(target, selected), found);
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(target: usize, selected: &[usize]) -> (usize, Vec<usize>) {
    let mut selected = selected.to_vec();
    selected.sort_unstable();
    (target, selected)
}
