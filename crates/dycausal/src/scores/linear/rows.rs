//! Moments that are added up from the rows whenever they are asked for.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::LinearScore;
use super::screen::Screen;
use super::shrink::Fit;
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
    /// Regressions of the last look: most orders ask for those of the order before.
    pub(super) fits: Remembered<Fit>,
    /// What forward selection found near an edge that could be turned around.
    pub(super) grown: Remembered<Vec<usize>>,
}

impl FromRows {
    pub fn new(columns: &Columns, basis: &TimeBasis) -> Self {
        let products = products(basis, columns.rows());
        let screen = Screen::new(columns, basis, &products);
        Self {
            screen,
            products,
            seen: Mutex::default(),
            fits: Remembered::default(),
            grown: Remembered::default(),
        }
    }

    /// The moments of some columns, in place of others.
    pub(super) fn fill<P: Precision>(
        &self,
        score: &LinearScore,
        which: &[usize],
        work: &mut Workspace<P>,
        gram: &mut Gram,
    ) {
        gram.fill(&score.columns, &self.products, score.basis.size(), which, work);
    }

    /// The variance of a column.
    pub(super) fn variance(&self, score: &LinearScore, column: usize) -> f64 {
        let mut gram = Gram::default();
        self.fill(score, &[column], &mut Workspace::<f64>::default(), &mut gram);
        gram.own(0, 0)
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

/// What was worked out before, by what it depends on.
#[derive(Debug)]
pub(super) struct Remembered<T>(Mutex<HashMap<u64, T>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Remembered<T> {
    /// What is known under a key, or else is worked out now.
    pub fn get_or(&self, key: u64, work: impl FnOnce() -> T) -> T {
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        let value = work();
        self.lock().insert(key, value.clone());
        value
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All that selection inside a pool depends on, as one number.
pub(super) fn pool_key(target: usize, pool: &[usize], required: &[usize], share: f64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (target, pool, required, share.to_bits()).hash(&mut hasher);
    hasher.finish()
}

fn key(target: usize, selected: &[usize]) -> (usize, Vec<usize>) {
    let mut selected = selected.to_vec();
    selected.sort_unstable();
    (target, selected)
}
