//! One variable in the search: its neighbours, and the scores known so far.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::state::Depth;
use crate::knowledge::Knowledge;
use crate::scores::{Found, LocalScore, Whole};

/// The regression of a variable on what precedes it, and its score.
#[derive(Debug)]
pub(crate) struct Scored<R> {
    found: Found<R>,
    /// All of its score, once it was asked for.
    whole: OnceLock<Whole>,
}

impl<R> Scored<R> {
    /// Selected parents within the step.
    pub fn parents(&self) -> &[usize] {
        &self.found.parents
    }

    /// Whether it is that of fewer predecessors too, as far as it goes.
    pub fn stays(&self, before: impl Fn(usize) -> bool) -> bool {
        let tried = self.found.tried.as_ref();
        tried.is_some_and(|tried| self.parents().iter().chain(tried).all(|c| before(*c)))
    }

    /// The regression.
    pub fn regression(&self) -> &R {
        &self.found.regression
    }

    /// How much the shape of the noise took off the score, as far as it was looked at.
    pub fn shape(&self) -> f64 {
        self.whole.get().map_or(0.0, |whole| whole.shape)
    }
}

/// A score, and the regression it is the score of.
pub(super) type Entry<S> = (f64, Arc<Scored<<S as LocalScore>::Regression>>);

type Cache<T> = Mutex<HashMap<u64, T, BuildHasherDefault<Same>>>;

/// One variable with its candidates and the scores known so far.
#[derive(Debug)]
pub(crate) struct Node<S: LocalScore> {
    /// Candidates within the step, in increasing order: those whose place in the order matters.
    /// Whoever is one here has this variable among its own, whatever is known of the graph.
    pub within: Vec<usize>,
    target: usize,
    /// All candidate columns that may be causes, and those that have to be.
    candidates: Vec<usize>,
    required: Vec<usize>,
    /// Once it was asked for.
    prepared: OnceLock<S::Node>,
    /// By the set of predecessors.
    known: Cache<Arc<Scored<S::Regression>>>,
    /// By the regression, which many sets share: it is kept once, and going through the rows takes longest.
    distinct: Cache<Arc<Scored<S::Regression>>>,
}

impl<S: LocalScore> Node<S> {
    /// A variable with these candidate columns, in increasing order; those that are known not to
    /// be causes are not prepared.
    pub fn new(score: &S, knowledge: &Knowledge, target: usize, candidates: &[usize]) -> Self {
        let d = score.variables();
        let may = |c: &usize| knowledge.is_empty() || knowledge.allows_column(*c, target, d);
        Self {
            within: candidates.iter().copied().filter(|c| *c < d).collect(),
            target,
            candidates: candidates.iter().copied().filter(may).collect(),
            required: knowledge.required_columns(target),
            prepared: OnceLock::new(),
            known: Cache::default(),
            distinct: Cache::default(),
        }
    }

    /// Takes other candidates over; what the rows told of regressions stays known.
    pub fn replace(&mut self, mut other: Self) {
        other.distinct = std::mem::take(&mut self.distinct);
        *self = other;
    }

    /// The score if `before` tells which variables precede this one; `near` is the regression on others of them,
    /// and `stays` tells whether it is that on these too.
    pub fn score(
        &self,
        (score, keys, depth): (&S, &[u64], Depth),
        near: Option<&Arc<Scored<S::Regression>>>,
        stays: impl FnOnce(&Scored<S::Regression>) -> bool,
        before: impl Fn(usize) -> bool,
        scratch: &mut S::Scratch,
    ) -> Entry<S> {
        let key = self.key(keys, &before);
        let scored = self.look_up(key).unwrap_or_else(|| {
            let scored = match near {
                Some(near) if stays(near) => Arc::clone(near),
                Some(near) => {
                    let (node, near) = (self.prepared(score), near.regression());
                    self.only_once(score.find_near(node, near, before, scratch))
                }
                None => self.only_once(score.find(self.prepared(score), before, scratch)),
            };
            lock(&self.known).insert(key, Arc::clone(&scored));
            scored
        });
        let number = match depth {
            Depth::Quick => scored.found.score,
            Depth::Whole => {
                let whole = || score.whole(self.prepared(score), &scored.found, scratch);
                scored.whole.get_or_init(whole).score
            }
        };
        (number, scored)
    }

    /// The score, if it was computed before.
    pub fn known(
        &self,
        keys: &[u64],
        depth: Depth,
        before: impl Fn(usize) -> bool,
    ) -> Option<Entry<S>> {
        let scored = self.look_up(self.key(keys, &before))?;
        let number = match depth {
            Depth::Quick => scored.found.score,
            Depth::Whole => scored.whole.get()?.score,
        };
        Some((number, scored))
    }

    fn prepared(&self, score: &S) -> &S::Node {
        self.prepared.get_or_init(|| score.prepare(self.target, &self.candidates, &self.required))
    }

    fn look_up(&self, key: u64) -> Option<Arc<Scored<S::Regression>>> {
        lock(&self.known).get(&key).map(Arc::clone)
    }

    /// A set of variables as the exclusive or of their random keys.
    fn key(&self, keys: &[u64], before: &impl Fn(usize) -> bool) -> u64 {
        let own = self.within.iter().filter(|c| before(**c));
        own.fold(0, |key, c| key ^ keys[*c])
    }

    /// A regression, the one that is known already where there is one.
    fn only_once(&self, found: Found<S::Regression>) -> Arc<Scored<S::Regression>> {
        let key = S::key(&found.regression);
        let scored = |found| Arc::new(Scored { found, whole: OnceLock::new() });
        let Some(key) = key else { return scored(found) };
        let mut distinct = lock(&self.distinct);
        match distinct.get(&key) {
            Some(known) if known.found.score == found.score => Arc::clone(known),
            _ => {
                let scored = scored(found);
                distinct.insert(key, Arc::clone(&scored));
                scored
            }
        }
    }
}

fn lock<T>(cache: &Cache<T>) -> MutexGuard<'_, HashMap<u64, T, BuildHasherDefault<Same>>> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keys are random already: a hash would only cost time.
#[derive(Debug, Default)]
struct Same(u64);

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
