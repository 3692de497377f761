//! An order that changes: time is cut in two where that pays most, then either part again.
//!
//! Every stretch of time has an order and a regression of each variable. What a variable costs in a
//! stretch that is cut is the score of its regression there, if the orders of all parts allow its
//! parents, or what it costs in the two parts together, whichever is less. A cut costs 2 log n.
//!
//! Weights in a part move along polynomials, as many for its length as the whole has functions.

use std::ops::Range;

use super::engine::{self, Learned};
use super::problem::Problem;
use super::scratch::Pool;
use super::shrink::Fit;
use crate::basis::{Basis, Shape};
use crate::error::Result;
use crate::method::Run;
use crate::moments::TimeBasis;

/// Steps of the coarse grid of change points, about.
const GRID: usize = 10;
/// Rows that a segment needs for each of its functions.
const ROWS: f64 = 20.0;
/// Functions that a part has at least, if the whole has as many.
const FUNCTIONS: usize = 3;
/// Cuts that do not pay after which the search ends: one cut may pay only with another.
const PATIENCE: usize = 2;

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

/// The whole, cut into segments; number 0 is the whole.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    whole: (&'a Problem, &'a Learned),
    steps: Range<usize>,
    /// Numbers 1 and 2, 3 and 4, …
    pairs: Vec<[Segment; 2]>,
    /// The two parts of each, if it is cut.
    parts: Vec<Option<[usize; 2]>>,
}

/// Cuts as often as it pays, or as often as `changes` says, if segments are long enough.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn cut<'a>(
    problem: &'a Problem,
    learned: &'a Learned,
    changes: Option<usize>,
    pool: &Pool,
    run: &Run,
) -> Result<Tree<'a>> {
    let used = |t: &usize| problem.columns.rows_at(*t) > 0.0;
    let mut rows = (0..problem.columns.steps()).filter(used);
    let first = rows.next().unwrap_or(0);
    let steps = first..rows.next_back().unwrap_or(first) + 1;
    let whole = (problem, learned);
    let mut tree = Tree { whole, steps, pairs: Vec::new(), parts: vec![None] };
    // The best cut of each segment, once it is known.
    let mut proposed: Vec<Option<[Segment; 2]>> = Vec::new();
    let mut made = Vec::new();
    let mut least = (tree.total(), 0);
    while changes.map_or(made.len() < least.1 + PATIENCE, |most| made.len() < most) {
        while proposed.len() < tree.parts.len() {
            let proposal = tree.propose(proposed.len(), pool, run)?;
            proposed.push(proposal);
        }
        let Some((number, total)) = tree.best(&mut proposed) else { break };
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

impl Tree<'_> {
    /// How often time is cut.
    pub fn cuts(&self) -> usize {
        self.pairs.len()
    }

    /// The first step of each part but the first, in order of time.
    pub fn changes(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = self.leaves(0).map(|leaf| self.steps(leaf).start).collect();
        starts.sort_unstable();
        starts.split_off(1)
    }

    /// The segments whose regressions hold for a variable; together they cover all steps.
    pub fn pieces(&self, v: usize) -> Vec<usize> {
        let mut pieces = Vec::new();
        self.walk(v, 0, &mut pieces);
        pieces
    }

    /// The steps of a segment.
    pub fn steps(&self, number: usize) -> Range<usize> {
        self.segment(number).map_or(&self.steps, |segment| &segment.steps).clone()
    }

    /// The data of a segment.
    pub fn problem(&self, number: usize) -> &Problem {
        self.segment(number).map_or(self.whole.0, |segment| &segment.problem)
    }

    /// What was learned from a segment.
    pub fn learned(&self, number: usize) -> &Learned {
        self.segment(number).map_or(self.whole.1, |segment| &segment.learned)
    }

    /// A segment that is not the whole.
    fn segment(&self, number: usize) -> Option<&Segment> {
        let index = number.checked_sub(1)?;
        Some(&self.pairs[index / 2][index % 2])
    }

    /// The proposal that leaves the least total, and that total.
    fn best(&mut self, proposed: &mut [Option<[Segment; 2]>]) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (number, proposal) in proposed.iter_mut().enumerate() {
            let Some(parts) = proposal.take() else { continue };
            self.attach(number, parts);
            let total = self.total();
            *proposal = self.detach(number);
            if best.is_none_or(|(_, least)| total < least) {
                best = Some((number, total));
            }
        }
        best
    }

    /// Segments that are not cut, within one.
    fn leaves(&self, number: usize) -> impl Iterator<Item = usize> {
        let mut open = vec![number];
        std::iter::from_fn(move || {
            loop {
                let next = open.pop()?;
                let Some(parts) = self.parts[next] else { return Some(next) };
                open.extend(parts);
            }
        })
    }

    /// Whether the regression of a variable in a segment fits the order of all of its parts.
    fn allowed(&self, v: usize, number: usize) -> bool {
        let fit: &Fit = &self.learned(number).fits[v];
        let within = |c: &&usize| **c < self.whole.0.variables();
        self.leaves(number).all(|leaf| {
            let position = &self.learned(leaf).state.position;
            fit.selected.iter().filter(within).all(|c| position[*c] < position[v])
        })
    }

    /// What a variable costs in a segment; appends the segments whose regressions hold.
    fn walk(&self, v: usize, number: usize, pieces: &mut Vec<usize>) -> f64 {
        let together = self.learned(number).state.score(v);
        let Some(parts) = self.parts[number] else {
            pieces.push(number);
            return together;
        };
        let before = pieces.len();
        let apart: f64 = parts.iter().map(|part| self.walk(v, *part, pieces)).sum();
        if together > apart || !self.allowed(v, number) {
            return apart;
        }
        pieces.truncate(before);
        pieces.push(number);
        together
    }

    /// The score of all variables, and of the cuts.
    fn total(&self) -> f64 {
        let (problem, mut pieces) = (self.whole.0, Vec::new());
        let scores: f64 = (0..problem.variables()).map(|v| self.walk(v, 0, &mut pieces)).sum();
        scores + 2.0 * problem.columns.rows().ln() * self.cuts() as f64
    }

    fn attach(&mut self, number: usize, parts: [Segment; 2]) {
        let next = self.parts.len();
        self.parts[number] = Some([next, next + 1]);
        self.parts.extend([None, None]);
        self.pairs.push(parts);
    }

    /// Takes back the parts that were attached last.
    fn detach(&mut self, number: usize) -> Option<[Segment; 2]> {
        let parts = self.pairs.pop();
        self.parts[number] = None;
        self.parts.truncate(2 * self.pairs.len() + 1);
        parts
    }

    /// The best cut of a segment, whether it pays or not; `None` if its parts would be too short.
    fn propose(&mut self, number: usize, pool: &Pool, run: &Run) -> Result<Option<[Segment; 2]>> {
        let steps = self.steps(number);
        let functions = self.whole.0.basis.size().min(FUNCTIONS);
        let range = steps.start + 2 * functions..(steps.end + 1).saturating_sub(2 * functions);
        if range.is_empty() {
            return Ok(None);
        }
        let mut best: Option<(f64, [Segment; 2])> = None;
        let mut spacing = (range.len() / GRID).max(1);
        let mut points: Vec<usize> = range.clone().step_by(spacing).collect();
        loop {
            for point in points {
                let enough = |part: Range<usize>| self.rows(part) >= ROWS * functions as f64;
                if !enough(steps.start..point) || !enough(point..steps.end) {
                    continue;
                }
                let parts = [
                    self.learn(number, steps.start..point, pool, run)?,
                    self.learn(number, point..steps.end, pool, run)?,
                ];
                self.attach(number, parts);
                let total = self.total();
                if let Some(parts) = self.detach(number)
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
        steps.map(|t| self.whole.0.columns.rows_at(t)).sum()
    }

    /// What some steps of a segment tell, beginning with its order.
    fn learn(&self, number: usize, steps: Range<usize>, pool: &Pool, run: &Run) -> Result<Segment> {
        let whole = self.whole.0;
        let columns = whole.columns.reweighted(|_, t| f64::from(u8::from(steps.contains(&t))));
        let size = whole.basis.size();
        let own = (size * steps.len()).div_ceil(self.steps.len()).max(size.min(FUNCTIONS));
        let own = own.min(steps.clone().filter(|t| columns.rows_at(*t) > 0.0).count());
        let basis = Basis::new(Shape::Legendre { size: own }, columns.steps() + columns.lag(), 0)?;
        let basis = TimeBasis::new(&basis, &columns)?;
        let problem = Problem::new(columns, basis, whole.non_gaussian);
        let order = &self.learned(number).state.order;
        let learned = engine::learn(&problem, Some(order), pool, run)?;
        Ok(Segment { steps, learned, problem })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use crate::graph::DynamicGraph;
    use crate::learners::ordered::{Count, Ordered};
    use crate::method::{Discover, Run};
    use crate::panel::Panel;

    /// Three variables in a chain, which runs from first to last and back in turns.
    fn turning(steps: usize, turns: &[usize]) -> Panel {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let mut values = Array3::zeros((60, steps, 3));
        for n in 0..60 {
            for t in 0..steps {
                let e: [f64; 3] = std::array::from_fn(|_| StandardNormal.sample(&mut random));
                let wave = (t as f64 / 6.0).sin();
                let forth = turns.iter().filter(|turn| t >= **turn).count() % 2 == 0;
                let (first, last) = if forth { (0, 2) } else { (2, 0) };
                values[[n, t, first]] = e[first];
                values[[n, t, 1]] = 0.9 * wave * e[first] + 0.6 * e[1];
                values[[n, t, last]] = 0.8 * values[[n, t, 1]] + e[last];
            }
        }
        Panel::unnamed(values).unwrap()
    }

    fn learned(panel: &Panel, order_changes: Count) -> (DynamicGraph, Vec<String>) {
        let mut run = Run::new(0);
        let method = Ordered { order_changes, ..Ordered::default() };
        let graph = method.discover(panel, &mut run).unwrap();
        assert!(graph.certify().is_acyclic());
        (graph, run.warnings().to_vec())
    }

    #[test]
    fn an_order_that_turns_round_is_found_where_it_turns() {
        let (graph, _) = learned(&turning(40, &[20]), Count::AUTO);
        let early = graph.edge(0, 0, 1).expect("first before second, early");
        let late = graph.edge(0, 2, 1).expect("third before second, late");
        let turn = early.presence.ranges()[0].1;
        assert!((18..=22).contains(&turn), "{turn}");
        assert!(late.presence.contains(39) && !late.presence.contains(5));
    }

    #[test]
    fn an_order_that_turns_twice_is_found_by_score_and_by_number() {
        for changes in [Count::AUTO, Count::Exactly(2)] {
            let (graph, warnings) = learned(&turning(90, &[30, 60]), changes);
            let middle = graph.edge(0, 2, 1).expect("third before second, in between");
            let outer = graph.edge(0, 0, 1).expect("first before second, before and after");
            for (t, within) in [(15, false), (45, true), (75, false)] {
                assert_eq!(middle.presence.contains(t), within, "{t}: {warnings:?}");
                assert_eq!(outer.presence.contains(t), !within, "{t}: {warnings:?}");
            }
        }
    }

    #[test]
    fn an_order_that_stays_is_left_alone_and_too_many_changes_are_warned_of() {
        let (graph, warnings) = learned(&turning(40, &[]), Count::AUTO);
        assert!(graph.edges().iter().any(|edge| edge.band.is_some()), "{warnings:?}");
        let (_, warnings) = learned(&turning(40, &[20]), Count::Exactly(50));
        assert!(warnings.iter().any(|w| w.contains("of 50 changes")), "{warnings:?}");
    }
}
