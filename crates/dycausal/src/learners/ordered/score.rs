//! The score of a variable given what precedes it, computed once for each set.
//!
//! s(i, P) = L + B log n · |parents| − 2 n J, where the parents are chosen among the candidates of
//! i in P and at earlier steps by grow-and-shrink with the same cost, L is n log s² or, where that
//! is less, what a variance that moves gives with its own cost (see [`super::variance`]), and J how
//! far the residuals are from Gaussian (see [`super::noise`]). In units of −2 log likelihood;
//! smaller is better. Multiplying a column by a constant adds the same to every s(i, ·).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::noise::{self, Regression, Residuals, Sums, negentropy};
use super::problem::Problem;
use super::scratch::Scratch;
use crate::moments::Gram;

/// How much of the score is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// n log s² + B log n · |parents|: what the moments tell.
    Moments,
    /// All of it: what the residuals tell too.
    Residuals,
}

/// The regression of a variable on what precedes it, and its score.
#[derive(Debug)]
pub(super) struct Scored {
    /// Selected parents within the step.
    pub parents: Box<[usize]>,
    /// The part of the score that the moments tell.
    moments: f64,
    /// All of it, once it was asked for.
    full: OnceLock<Whole>,
    selected: Box<[usize]>,
    coefficients: Box<[f64]>,
}

/// The whole score of a regression.
#[derive(Debug, Clone, Copy)]
struct Whole {
    score: f64,
    /// 2 n J: how much of it the shape of the noise took off.
    shape: f64,
}

impl Scored {
    /// How much the shape of the noise took off the score, as far as it was looked at.
    pub fn shape(&self) -> f64 {
        self.full.get().map_or(0.0, |whole| whole.shape)
    }

    /// A number that identifies the regression to the last bit of its coefficients.
    fn regression(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.selected.hash(&mut hasher);
        self.coefficients.iter().for_each(|c| hasher.write_u64(c.to_bits()));
        hasher.finish()
    }
}

type Cache<T> = Mutex<HashMap<u64, T, BuildHasherDefault<Same>>>;

/// One variable with its candidates, their moments and the scores known so far.
#[derive(Debug)]
pub(super) struct Node {
    /// Candidates within the step, in increasing order.
    pub within: Vec<usize>,
    /// All candidates as columns, those within the step first, and the variable itself last.
    columns: Vec<usize>,
    gram: Gram,
    /// By the set of predecessors.
    known: Cache<Arc<Scored>>,
    /// By the regression, which many sets share: going through the rows takes longest.
    wholes: Cache<Whole>,
}

impl Node {
    /// A variable with these candidate columns, in increasing order.
    pub fn new(problem: &Problem, target: usize, candidates: &[usize]) -> Self {
        let d = problem.variables();
        let mut columns = candidates.to_vec();
        columns.push(target);
        Self {
            within: candidates.iter().copied().filter(|c| *c < d).collect(),
            gram: problem.gram.select(&columns),
            columns,
            known: Cache::default(),
            wholes: Cache::default(),
        }
    }

    /// Takes other candidates over; what the rows told of regressions stays known.
    pub fn replace(&mut self, mut other: Self) {
        other.wholes = std::mem::take(&mut self.wholes);
        *self = other;
    }

    /// The score if `before` tells which variables precede this one.
    pub fn score(
        &self,
        view: View<'_>,
        before: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> (f64, Arc<Scored>) {
        let key = self.key(view.keys, &before);
        let scored = self.look_up(key).unwrap_or_else(|| {
            let scored = Arc::new(self.compute(view.problem, before, scratch));
            lock(&self.known).insert(key, Arc::clone(&scored));
            scored
        });
        let score = match view.depth {
            Depth::Moments => scored.moments,
            Depth::Residuals => {
                let all = || self.total(view.problem, &scored, &mut scratch.residuals);
                scored.full.get_or_init(all).score
            }
        };
        (score, scored)
    }

    /// The score, if it was computed before.
    pub fn known(
        &self,
        view: View<'_>,
        before: impl Fn(usize) -> bool,
    ) -> Option<(f64, Arc<Scored>)> {
        let scored = self.look_up(self.key(view.keys, &before))?;
        let score = match view.depth {
            Depth::Moments => scored.moments,
            Depth::Residuals => scored.full.get()?.score,
        };
        Some((score, scored))
    }

    fn look_up(&self, key: u64) -> Option<Arc<Scored>> {
        lock(&self.known).get(&key).map(Arc::clone)
    }

    /// A set of variables as the exclusive or of their random keys.
    fn key(&self, keys: &[u64], before: &impl Fn(usize) -> bool) -> u64 {
        let own = self.within.iter().filter(|c| before(**c));
        own.fold(0, |key, c| key ^ keys[*c])
    }

    fn compute(
        &self,
        problem: &Problem,
        before: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Scored {
        let target = self.columns.len() - 1;
        let admitted = &mut scratch.admitted;
        admitted.clear();
        admitted.extend(self.within.iter().map(|c| before(*c)));
        admitted.resize(target, true);
        admitted.push(false);
        let mut stop = problem.stop(1.0);
        stop.most = stop.most.min(target);
        let admitted = &scratch.admitted;
        let allowed = |c: usize| admitted.get(c).copied().unwrap_or(false);
        scratch.forward.select(&self.gram, target, &allowed, stop);
        let (forward, fit) = (&scratch.forward, &mut scratch.fit);
        scratch.shrink.backward(forward, &self.gram, target, stop, fit);
        let fit = &scratch.fit;
        let within = fit.selected.iter().filter(|c| **c < self.within.len());
        let rows = problem.columns.rows();
        let cost = problem.penalty() * fit.selected.len() as f64;
        Scored {
            parents: within.map(|c| self.columns[*c]).collect(),
            moments: rows * floored(fit.variance).ln() + cost,
            full: OnceLock::new(),
            selected: fit.selected.iter().map(|c| self.columns[*c]).collect(),
            coefficients: fit.coefficients.as_slice().into(),
        }
    }

    /// The whole score of a regression.
    fn total(&self, problem: &Problem, scored: &Scored, residuals: &mut Residuals) -> Whole {
        let key = scored.regression();
        if let Some(whole) = lock(&self.wholes).get(&key) {
            return *whole;
        }
        let whole = self.residual_score(problem, scored, residuals);
        lock(&self.wholes).insert(key, whole);
        whole
    }

    /// The same, from the rows.
    fn residual_score(
        &self,
        problem: &Problem,
        scored: &Scored,
        residuals: &mut Residuals,
    ) -> Whole {
        let rows = problem.columns.rows();
        let mut sums = [Sums::default(); noise::BINS];
        let sums = &mut sums[..problem.bins.len()];
        let regression = Regression {
            target: self.columns[self.columns.len() - 1],
            selected: &scored.selected,
            coefficients: &scored.coefficients,
        };
        residuals.sums(&problem.columns, &problem.basis, &problem.bins, regression, sums);
        let noise = problem.curves.fit(sums);
        let away = || 2.0 * rows * negentropy(sums, &noise.variances);
        let shape = if problem.non_gaussian { away() } else { 0.0 };
        let cost = problem.penalty() * scored.selected.len() as f64;
        Whole { score: noise.score + cost - shape, shape }
    }
}

fn lock<T>(cache: &Cache<T>) -> MutexGuard<'_, HashMap<u64, T, BuildHasherDefault<Same>>> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A variance that is not below what rounding leaves of 1.
fn floored(variance: f64) -> f64 {
    variance.max(1e-15)
}

/// What a score is computed from.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// The data.
    pub problem: &'a Problem,
    /// A random number for each variable.
    pub keys: &'a [u64],
    /// How much of the score is looked at.
    pub depth: Depth,
}

/// Keys are random already: a hash would only cost time.
#[derive(Debug, Default)]
pub(super) struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
