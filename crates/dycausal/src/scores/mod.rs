//! Local scores: what a variable costs, given what may be its causes.
//!
//! A score is all that the search over orders ([`crate::search`]) knows of a model: with any score of one's own
//! it finds the order of the variables and the causes of each. Columns are
//! numbered lag · variables + variable, so those below [`LocalScore::variables`] stand for the step
//! itself; only they depend on the order. In units of −2 log likelihood; smaller is better.
//!
//! Four functions and a cost make a score: [`LocalScore::prepare`] a variable with its candidates, [`LocalScore::find`]
//! its best regression among them, [`LocalScore::regress`] the same among all columns, and
//! [`LocalScore::selected`] the columns of a regression. The others have defaults that are right for every score and
//! are there to save time. `examples/own_score.rs` of this crate is a whole one, for counts.

pub(crate) mod additive;
pub(crate) mod gp;
pub(crate) mod linear;
mod symmetric;
#[cfg(test)]
pub(crate) mod toy;

pub(crate) use symmetric::make_symmetric;

use std::fmt::Debug;

use crate::error::Result;

/// The score of one variable at a time, given what precedes it.
///
/// The search is compiled for each score: no call in its loops goes through a table.
pub trait LocalScore: Sync + Sized {
    /// One variable with its candidates, prepared.
    type Node: Debug + Send + Sync;
    /// What is kept of a regression.
    type Regression: Debug + Clone + Send + Sync;
    /// Memory for one thread at a time.
    type Scratch: Debug + Default + Send;

    /// How many variables.
    fn variables(&self) -> usize;

    /// How many columns: every variable at every lag.
    fn columns(&self) -> usize {
        self.variables()
    }

    /// Whether a regression takes so little that every column may be a candidate and the search may begin
    /// several times, where there are few variables.
    fn is_cheap(&self) -> bool {
        true
    }

    /// Whether a regression stays the best where candidates that it did not select are admitted no more, and
    /// is never worse with more of them: then many need not be made.
    fn is_monotone(&self) -> bool {
        false
    }

    /// Whether moves of one variable are made as long as they help before others are looked at: fewer
    /// regressions, where one takes long.
    fn insertions_first(&self) -> bool {
        false
    }

    /// A total that is lowered by less than this is not lowered.
    fn least(&self) -> f64 {
        1e-6
    }

    /// Whether to go on: asked before every regression of a round.
    ///
    /// # Errors
    /// If the run is cancelled.
    fn proceed(&self) -> Result<()> {
        Ok(())
    }

    /// What one more parent costs: the unit in which calls are close.
    fn cost(&self) -> f64;

    /// A variable with these candidate columns, in increasing order; those of them that are required
    /// are in every regression.
    fn prepare(&self, target: usize, candidates: &[usize], required: &[usize]) -> Self::Node;

    /// The best regression of a variable on candidates within the step that `before` admits, and
    /// on lagged ones; with as much of its score as is quickly known.
    fn find(
        &self,
        node: &Self::Node,
        before: impl Fn(usize) -> bool,
        scratch: &mut Self::Scratch,
    ) -> Found<Self::Regression>;

    /// The same where a regression on other candidates is known: a start, where that saves time.
    fn find_near(
        &self,
        node: &Self::Node,
        _known: &Self::Regression,
        before: impl Fn(usize) -> bool,
        scratch: &mut Self::Scratch,
    ) -> Found<Self::Regression> {
        self.find(node, before, scratch)
    }

    /// The whole score of a regression, where more than the quick part is to be known.
    fn whole(
        &self,
        _node: &Self::Node,
        found: &Found<Self::Regression>,
        _scratch: &mut Self::Scratch,
    ) -> Whole {
        Whole { score: found.score, shape: 0.0 }
    }

    /// A number that identifies a regression to the last bit, where [`LocalScore::whole`] takes so
    /// long that regressions that several sets of predecessors share should be looked at once.
    fn key(_regression: &Self::Regression) -> Option<u64> {
        None
    }

    /// Columns that may be parents among those `allowed`, before anything is dropped: those that are
    /// required, and each that lowers the score, its cost counted as `share` of it. All of them,
    /// where nothing tells quickly.
    fn grow(
        &self,
        _target: usize,
        allowed: impl Fn(usize) -> bool,
        _required: &[usize],
        _share: f64,
        _scratch: &mut Self::Scratch,
    ) -> Vec<usize> {
        (0..self.columns()).filter(|column| allowed(*column)).collect()
    }

    /// The same among columns that are `near`, where a score has too many to look at all.
    fn grow_near(
        &self,
        target: usize,
        _near: &[usize],
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        share: f64,
        scratch: &mut Self::Scratch,
    ) -> Vec<usize> {
        self.grow(target, allowed, required, share, scratch)
    }

    /// What [`LocalScore::grow`] finds for all variables, where a score looks at many at once;
    /// `allowed` is asked with a column and its target.
    ///
    /// # Errors
    /// If the run is cancelled.
    fn grow_together(
        &self,
        _allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        _required: &(dyn Fn(usize) -> Vec<usize> + Sync),
        _share: f64,
    ) -> Result<Option<Vec<Vec<usize>>>> {
        Ok(None)
    }

    /// What [`LocalScore::regress`] finds for all variables, where a score looks at many at once;
    /// `known` are columns of each that are worth a look.
    ///
    /// # Errors
    /// If the run is cancelled.
    fn regress_together(
        &self,
        _known: &[Vec<usize>],
        _allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        _required: &(dyn Fn(usize) -> Vec<usize> + Sync),
    ) -> Result<Option<Vec<Self::Regression>>> {
        Ok(None)
    }

    /// What [`LocalScore::regress`] finds for some variables, where a score looks at many at once.
    ///
    /// # Errors
    /// If the run is cancelled.
    fn regress_some(
        &self,
        _targets: &[usize],
        _allowed: &(dyn Fn(usize, usize) -> bool + Sync),
        _required: &(dyn Fn(usize) -> Vec<usize> + Sync),
    ) -> Result<Option<Vec<Self::Regression>>> {
        Ok(None)
    }

    /// The best regression on the columns that are `allowed`, candidates or not, with those of them
    /// that are required.
    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        scratch: &mut Self::Scratch,
    ) -> Self::Regression;

    /// The columns of a regression.
    fn selected(regression: &Self::Regression) -> &[usize];
}

/// A regression that was found.
#[derive(Debug)]
pub struct Found<R> {
    /// Selected parents within the step.
    pub parents: Box<[usize]>,
    /// Those that were tried within the step and dropped, where a regression stays as it is when others leave
    /// that were never tried: then it need not be made again. `None`: where it may not.
    pub tried: Option<Box<[usize]>>,
    /// The part of the score that is quickly known.
    pub score: f64,
    /// What the score keeps of it.
    pub regression: R,
}

/// The whole score of a regression.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    /// All of it.
    pub score: f64,
    /// How much of it the shape of the noise took off; 0 in a score that does not look at it.
    pub shape: f64,
}
