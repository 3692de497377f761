//! An order that changes: time is cut in two where that pays most, then either part again.
//!
//! Effects in a part have functions of their own, as many for its length as those of the whole.

use std::ops::Range;

use super::stretch::{Epoch, score_of};
use super::tree::{EpochPair, EpochTree};
use crate::error::Result;
use crate::learners::ordered::pipeline::{Given, Learned};
use crate::run::Run;
use crate::scores::linear::LinearScore;
use crate::search::{self, Start};

/// Steps of the coarse grid of change points, about.
const GRID: usize = 10;
/// Rows that a part needs for each of its functions.
const ROWS: f64 = 20.0;
/// Functions that a part has at least, if the whole has as many.
const FUNCTIONS: usize = 3;
/// Cuts that do not pay after which the search ends: one cut may pay only with another.
const PATIENCE: usize = 2;

/// Cuts as often as it pays, or as often as `changes` says, if parts are long enough.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn cut<'a>(
    score: &'a LinearScore,
    learned: &'a Learned,
    changes: Option<usize>,
    given: &Given,
    run: &Run,
) -> Result<EpochTree<'a>> {
    let mut tree = EpochTree::new(score, learned);
    let cutter = Cutter { score, whole: tree.steps(0), given, run };
    // The best cut of each part, once it is known.
    let mut proposed: Vec<Option<EpochPair>> = Vec::new();
    let mut made = Vec::new();
    let mut least = (tree.total(), 0);
    while changes.map_or(made.len() < least.1 + PATIENCE, |most| made.len() < most) {
        while proposed.len() < tree.size() {
            let proposal = cutter.propose(&mut tree, proposed.len())?;
            proposed.push(proposal);
        }
        let Some((number, total)) = best(&mut tree, &mut proposed) else { break };
        let Some(parts) = proposed[number].take() else { break };
        tree.attach(number, parts);
        made.push(number);
        if changes.is_some() || total < least.0 {
            least = (total, made.len());
        }
    }
    for number in made.drain(least.1..).rev() {
        tree.detach(number);
    }
    Ok(tree)
}

/// The proposal that leaves the least total, and that total.
fn best(tree: &mut EpochTree<'_>, proposed: &mut [Option<EpochPair>]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (number, proposal) in proposed.iter_mut().enumerate() {
        let Some(parts) = proposal.take() else { continue };
        tree.attach(number, parts);
        let total = tree.total();
        *proposal = tree.detach(number);
        if best.is_none_or(|(_, least)| total < least) {
            best = Some((number, total));
        }
    }
    best
}

/// What every cut is made from.
struct Cutter<'a> {
    score: &'a LinearScore,
    /// Steps with rows.
    whole: Range<usize>,
    given: &'a Given,
    run: &'a Run,
}

impl Cutter<'_> {
    /// The best cut of a part, whether it pays or not; `None` if what it leaves is too short.
    fn propose(&self, tree: &mut EpochTree<'_>, number: usize) -> Result<Option<EpochPair>> {
        let steps = tree.steps(number);
        let functions = self.score.basis.size().min(FUNCTIONS);
        let range = steps.start + 2 * functions..(steps.end + 1).saturating_sub(2 * functions);
        if range.is_empty() {
            return Ok(None);
        }
        let mut best: Option<(f64, EpochPair)> = None;
        let mut spacing = (range.len() / GRID).max(1);
        let mut points: Vec<usize> = range.clone().step_by(spacing).collect();
        loop {
            for point in points {
                let enough = |part: Range<usize>| self.rows(part) >= ROWS * functions as f64;
                if !enough(steps.start..point) || !enough(point..steps.end) {
                    continue;
                }
                let order = &tree.learned(number).state.order;
                let parts =
                    [self.learn(order, steps.start..point)?, self.learn(order, point..steps.end)?];
                tree.attach(number, parts);
                let total = tree.total();
                if let Some(parts) = tree.detach(number)
                    && best.as_ref().is_none_or(|(least, _)| total < *least)
                {
                    best = Some((total, parts));
                }
            }
            let Some((_, parts)) = best.as_ref().filter(|_| spacing > 1) else {
                return Ok(best.map(|(_, parts)| parts));
            };
            spacing = spacing.div_ceil(2).min(spacing - 1);
            let centre = parts[1].steps.start;
            let near = [centre.saturating_sub(spacing), centre + spacing];
            points = near.into_iter().filter(|p| range.contains(p)).collect();
        }
    }

    /// How many rows some steps have.
    fn rows(&self, steps: Range<usize>) -> f64 {
        steps.map(|t| self.score.columns.rows_at(t)).sum()
    }

    /// What some steps tell, beginning with an order.
    fn learn(&self, order: &[usize], steps: Range<usize>) -> Result<Epoch> {
        let functions = self.score.basis.size();
        let own = (functions * steps.len()).div_ceil(self.whole.len());
        let own = own.max(functions.min(FUNCTIONS));
        let own = own.min(steps.clone().filter(|t| self.score.columns.rows_at(*t) > 0.0).count());
        let score = score_of(self.score, &steps, own)?;
        let learned = search::learn(&score, Start::Near(order), self.given, self.run)?;
        Ok(Epoch { steps, learned, score })
    }
}
