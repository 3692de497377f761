//! Moments that are added up from the rows whenever they are asked for.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::LinearScore;
use super::screen::Screen;
use super::shrink::Fit;
use crate::design::Columns;
use crate::moments::{Gram, PackedGram, Precision, TimeBasis, Workspace, products};

/// Columns that explain what a target and its selected columns leave.
type ScreenedColumns = HashMap<(usize, Vec<usize>), Vec<usize>>;

/// The moments of a variable and its candidates.
#[derive(Debug)]
pub(super) struct RowCandidates {
    /// The candidates as columns, and the variable itself last.
    columns: Vec<usize>,
    pub(super) gram: PackedGram,
}

/// What looks at columns need, and what they found.
#[derive(Debug)]
pub(crate) struct FromRows {
    pub(super) screen: Screen,
    /// ψ_b ψ_c / rows.
    products: Vec<f64>,
    /// The moments of each variable and its candidates, once they were asked for: the search, the last look and
    /// directions ask for the same ones.
    candidates: Vec<Mutex<Option<Arc<RowCandidates>>>>,
    /// What explains the residuals of a target, given what is selected.
    seen: Mutex<ScreenedColumns>,
    /// Regressions of the last look: most orders ask for those of the order before.
    pub(super) fits: MomentCache<Fit>,
    /// What forward selection found near an edge that could be turned around.
    pub(super) grown: MomentCache<Vec<usize>>,
}

impl FromRows {
    pub fn new(columns: &Columns, basis: &TimeBasis) -> Self {
        let products = products(basis, columns.rows());
        let screen = Screen::new(columns, basis, &products);
        Self {
            screen,
            products,
            candidates: (0..columns.variables()).map(|_| Mutex::default()).collect(),
            seen: Mutex::default(),
            fits: MomentCache::default(),
            grown: MomentCache::default(),
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

    /// The moments of a variable, the last of these columns, and of its candidates.
    pub(super) fn candidates(&self, score: &LinearScore, columns: &[usize]) -> Arc<RowCandidates> {
        let target = columns[columns.len() - 1];
        let mut place = lock(&self.candidates[target]);
        if let Some(known) = place.as_ref().filter(|known| known.columns == columns) {
            return Arc::clone(known);
        }
        let mut gram = Gram::default();
        self.fill(score, columns, &mut Workspace::<f64>::default(), &mut gram);
        let found = RowCandidates { columns: columns.to_vec(), gram: PackedGram::of(&gram) };
        Arc::clone(place.insert(Arc::new(found)))
    }

    /// The moments of some of the candidates of a variable and itself, where they are known; tells whether.
    pub(super) fn recall(&self, target: usize, which: &[usize], gram: &mut Gram) -> bool {
        let Some(known) = lock(&self.candidates[target]).clone() else { return false };
        let place = |column: &usize| known.columns.iter().position(|c| c == column);
        let places: Option<Vec<usize>> = which.iter().map(place).collect();
        places.is_some_and(|places| {
            known.gram.select(&places, gram);
            true
        })
    }

    /// Lets go of what only a search asks for.
    pub(super) fn forget(&mut self) {
        self.candidates.iter_mut().for_each(|place| *place = Mutex::default());
        (self.seen, self.fits, self.grown) = Default::default();
    }

    /// The variance of a column.
    pub(super) fn variance(&self, score: &LinearScore, column: usize) -> f64 {
        let mut gram = Gram::default();
        self.fill(score, &[column], &mut Workspace::<f64>::default(), &mut gram);
        gram.own(0, 0)
    }

    /// What was found before.
    pub(super) fn seen(&self, target: usize, selected: &[usize]) -> Option<Vec<usize>> {
        lock(&self.seen).get(&key(target, selected)).cloned()
    }

    /// Keeps what was found.
    pub(super) fn see(&self, target: usize, selected: &[usize], found: Vec<usize>) {
        lock(&self.seen).insert(key(target, selected), found);
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was worked out before, by what it depends on.
#[derive(Debug)]
pub(super) struct MomentCache<T>(Mutex<HashMap<u64, T>>);

impl<T> Default for MomentCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> MomentCache<T> {
    /// What is known under a key, or else is worked out now.
    pub fn get_or(&self, key: u64, work: impl FnOnce() -> T) -> T {
        if let Some(known) = lock(&self.0).get(&key) {
            return known.clone();
        }
        let value = work();
        lock(&self.0).insert(key, value.clone());
        value
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
