//! Time cut into parts, each with an order of its own.
//!
//! Every part has an order and a regression of each variable. What a variable costs in a part that
//! is cut is the score of its regression there, if the orders of all parts allow its parents, or
//! what it costs in the two parts together, whichever is less. A cut costs 2 log n.

use std::ops::Range;

use super::stretch::Epoch;
use crate::learners::ordered::pipeline::Learned;
use crate::scores::LocalScore;
use crate::scores::linear::LinearScore;

/// The two parts that a cut makes.
pub(super) type EpochPair = [Epoch; 2];

/// The whole, cut into parts; number 0 is the whole.
#[derive(Debug)]
pub(super) struct EpochTree<'a> {
    whole: (&'a LinearScore, &'a Learned),
    steps: Range<usize>,
    /// Numbers 1 and 2, 3 and 4, …
    pairs: Vec<EpochPair>,
    /// The two parts of each, if it is cut.
    parts: Vec<Option<[usize; 2]>>,
}

impl<'a> EpochTree<'a> {
    /// The whole, which is not cut.
    pub fn new(score: &'a LinearScore, learned: &'a Learned) -> Self {
        let mut used = (0..score.columns.steps()).filter(|t| score.columns.rows_at(*t) > 0.0);
        let first = used.next().unwrap_or(0);
        let steps = first..used.next_back().unwrap_or(first) + 1;
        Self { whole: (score, learned), steps, pairs: Vec::new(), parts: vec![None] }
    }

    /// How often time is cut.
    pub fn cuts(&self) -> usize {
        self.pairs.len()
    }

    /// How many parts there are, those that are cut and the whole counted.
    pub fn size(&self) -> usize {
        self.parts.len()
    }

    /// The first step of each part but the first, in order of time.
    pub fn changes(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = self.leaves(0).map(|leaf| self.steps(leaf).start).collect();
        starts.sort_unstable();
        starts.split_off(1)
    }

    /// The parts whose regressions hold for a variable; together they cover all steps.
    pub fn pieces(&self, v: usize) -> Vec<usize> {
        let mut pieces = Vec::new();
        self.walk(v, 0, &mut pieces);
        pieces
    }

    /// The steps of a part.
    pub fn steps(&self, number: usize) -> Range<usize> {
        self.part(number).map_or(&self.steps, |part| &part.steps).clone()
    }

    /// What a variable costs in a part.
    pub fn score(&self, number: usize) -> &LinearScore {
        self.part(number).map_or(self.whole.0, |part| &part.score)
    }

    /// What was learned from a part.
    pub fn learned(&self, number: usize) -> &Learned {
        self.part(number).map_or(self.whole.1, |part| &part.learned)
    }

    /// The score of all variables, and of the cuts.
    pub fn total(&self) -> f64 {
        let (score, mut pieces) = (self.whole.0, Vec::new());
        let scores: f64 = (0..score.variables()).map(|v| self.walk(v, 0, &mut pieces)).sum();
        scores + 2.0 * score.columns.rows().ln() * self.cuts() as f64
    }

    /// Cuts a part in two.
    pub fn attach(&mut self, number: usize, parts: EpochPair) {
        let next = self.parts.len();
        self.parts[number] = Some([next, next + 1]);
        self.parts.extend([None, None]);
        self.pairs.push(parts);
    }

    /// Takes back the parts that were attached last.
    pub fn detach(&mut self, number: usize) -> Option<EpochPair> {
        let parts = self.pairs.pop();
        self.parts[number] = None;
        self.parts.truncate(2 * self.pairs.len() + 1);
        parts
    }

    /// A part that is not the whole.
    fn part(&self, number: usize) -> Option<&Epoch> {
        let index = number.checked_sub(1)?;
        Some(&self.pairs[index / 2][index % 2])
    }

    /// Parts that are not cut, within one.
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

    /// Whether the regression of a variable in a part fits the order of all parts of that.
    fn allowed(&self, v: usize, number: usize) -> bool {
        let selected = LinearScore::selected(&self.learned(number).fits[v]);
        let within = |c: &&usize| **c < self.whole.0.variables();
        self.leaves(number).all(|leaf| {
            let position = &self.learned(leaf).state.position;
            selected.iter().filter(within).all(|c| position[*c] < position[v])
        })
    }

    /// What a variable costs in a part; appends the parts whose regressions hold.
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
}
