//! An order that changes: for each change point, one order before it and one after it.
//!
//! total(c) = Σ_i min{ shared fit of i, if its parents precede it in both orders; fit of i in each
//! segment } + 2 log n. There is a change where that is below the total of one order for all.

use std::ops::Range;

use super::engine::{self, Learned};
use super::problem::Problem;
use super::scratch::Pool;
use super::shrink::Fit;
use crate::error::Result;
use crate::method::Run;

/// Steps of the coarse grid of change points, about.
const GRID: usize = 10;
/// Coefficients' worth of rows that a segment needs.
const ROWS: f64 = 20.0;

/// A stretch of steps with one order.
#[derive(Debug)]
pub(super) struct Segment {
    /// Steps, counted from the first that has rows.
    pub steps: Range<usize>,
    /// What was learned from them.
    pub learned: Learned,
    /// The data of the segment.
    pub problem: Problem,
}

/// A change of order.
#[derive(Debug)]
pub(super) struct Split {
    /// The segments before and after.
    pub parts: [Segment; 2],
    /// Variables whose regression is the same in both.
    pub shared: Vec<bool>,
    /// total(c).
    pub total: f64,
}

/// The best change point of the data, whether it pays or not; `None` if no segment is long enough.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn best_split(
    problem: &Problem,
    whole: &Learned,
    pool: &Pool,
    run: &Run,
) -> Result<Option<Split>> {
    let used: Vec<usize> =
        (0..problem.columns.steps()).filter(|t| problem.columns.rows_at(*t) > 0.0).collect();
    let (Some(first), Some(last)) = (used.first().copied(), used.last().copied()) else {
        return Ok(None);
    };
    let per_step = problem.columns.rows() / (last + 1 - first) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
    let least = (ROWS * problem.basis.size() as f64 / per_step).ceil() as usize;
    let least = least.max(2 * problem.basis.size());
    let range = first + least..(last + 2).saturating_sub(least);
    if range.is_empty() {
        return Ok(None);
    }
    let mut best: Option<Split> = None;
    let mut spacing = (range.len() / GRID).max(1);
    let mut points: Vec<usize> = range.clone().step_by(spacing).collect();
    loop {
        for point in &points {
            let split = split_at(problem, whole, first..last + 1, *point, pool, run)?;
            if best.as_ref().is_none_or(|b| split.total < b.total) {
                best = Some(split);
            }
        }
        if spacing == 1 {
            return Ok(best);
        }
        spacing = spacing.div_ceil(2).min(spacing - 1);
        let Some(centre) = best.as_ref().map(|b| b.parts[1].steps.start) else {
            return Ok(None);
        };
        let near = [centre.saturating_sub(spacing), centre + spacing];
        points = near.into_iter().filter(|p| range.contains(p)).collect();
    }
}

fn split_at(
    problem: &Problem,
    whole: &Learned,
    steps: Range<usize>,
    point: usize,
    pool: &Pool,
    run: &Run,
) -> Result<Split> {
    let part = |steps: Range<usize>| -> Result<Segment> {
        let columns = problem.columns.reweighted(|_, t| f64::from(u8::from(steps.contains(&t))));
        let segment = Problem::new(columns, problem.basis.clone(), problem.non_gaussian);
        let learned = engine::learn(&segment, Some(&whole.state.order), pool, run)?;
        Ok(Segment { steps, learned, problem: segment })
    };
    let parts = [part(steps.start..point)?, part(point..steps.end)?];
    let d = problem.variables();
    let fits_both = |v: usize, fit: &Fit| {
        let precedes = |c: &usize| {
            *c >= d
                || parts.iter().all(|p| p.learned.state.position[*c] < p.learned.state.position[v])
        };
        fit.selected.iter().all(precedes)
    };
    let mut shared = vec![false; d];
    let mut total = 2.0 * problem.columns.rows().ln();
    for (v, shared) in shared.iter_mut().enumerate() {
        let apart: f64 = parts.iter().map(|p| p.learned.state.score(v)).sum();
        let together = whole.state.score(v);
        *shared = together <= apart && fits_both(v, &whole.fits[v]);
        total += if *shared { together } else { apart };
    }
    Ok(Split { parts, shared, total })
}
