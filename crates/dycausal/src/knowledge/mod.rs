//! What the user knows of the graph before the data are asked.
//!
//! [`Written`] values, with the lines they stand on, are read as [`Statements`] by name; held against
//! the variables and times of data these are [`Knowledge`] by number, which a [`crate::Run`] carries
//! and candidates, moves, regressions and masks ask.

mod claims;
mod contradictions;
mod glob;
mod lags;
mod names;
mod parse;
mod period;
mod resolve;
mod statements;
#[cfg(test)]
mod tests;
mod written;

use std::ops::Range;

pub use lags::Lags;
pub use statements::Statements;
pub use written::{Content, Written};

pub(crate) use glob::{is_pattern, matches};

/// What is known of the graph: edges that cannot be, edges that have to be, and which variables come
/// before others within a step. [`Statements::resolve`] makes it.
///
/// Empty, it allows everything. Variables are numbered as in the panel.
///
/// ```
/// use dycausal::{Knowledge, Run};
///
/// let run = Run::new(0).with_knowledge(Knowledge::default());
/// assert!(run.knowledge().is_empty());
/// assert!(run.knowledge().allows(0, 1, 0));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Knowledge {
    variables: usize,
    /// Lags at which \[from, to\] cannot be.
    forbidden: Vec<Lags>,
    /// Whether \[first, second\] the first comes before the second within a step.
    before: Vec<bool>,
    required: Vec<Required>,
    periods: Vec<Forbidden>,
    source: String,
    statements: Vec<String>,
}

/// An edge that has to be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Required {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// How many steps the cause is ahead.
    pub lag: usize,
    /// When it has to be; always if there is none.
    pub steps: Option<Range<usize>>,
}

/// An edge that cannot be for a while.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Forbidden {
    from: usize,
    to: usize,
    lags: Lags,
    steps: Range<usize>,
}

impl Knowledge {
    /// Whether nothing is known: then everything is allowed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.variables == 0
    }

    /// How many variables it is about; 0 if nothing is known.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Where it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What was said, in words.
    pub fn statements(&self) -> &[String] {
        &self.statements
    }

    /// Edges that have to be.
    pub fn required(&self) -> &[Required] {
        &self.required
    }

    /// Whether some of it holds for a while only.
    pub fn has_periods(&self) -> bool {
        !self.periods.is_empty() || self.required.iter().any(|edge| edge.steps.is_some())
    }

    /// The longest lag of an edge that has to be.
    pub fn longest_lag(&self) -> usize {
        self.required.iter().map(|edge| edge.lag).max().unwrap_or(0)
    }

    /// Whether there may ever be an edge `from` → `to` at a lag.
    #[inline]
    pub fn allows(&self, from: usize, to: usize, lag: usize) -> bool {
        let d = self.variables;
        d == 0
            || !self.forbidden[from * d + to].contains(lag)
                && (lag > 0 || !self.before[to * d + from])
    }

    /// The same at a step.
    pub fn allows_at(&self, from: usize, to: usize, lag: usize, step: usize) -> bool {
        let forbids = |period: &Forbidden| {
            (period.from, period.to) == (from, to)
                && period.lags.contains(lag)
                && period.steps.contains(&step)
        };
        self.allows(from, to, lag) && !self.periods.iter().any(forbids)
    }

    /// Whether there has to be an edge at a step.
    pub fn requires_at(&self, from: usize, to: usize, lag: usize, step: usize) -> bool {
        self.required.iter().any(|edge| {
            (edge.from, edge.to, edge.lag) == (from, to, lag)
                && edge.steps.as_ref().is_none_or(|steps| steps.contains(&step))
        })
    }

    /// Whether there has to be an edge at some step.
    pub fn requires(&self, from: usize, to: usize, lag: usize) -> bool {
        self.required.iter().any(|edge| (edge.from, edge.to, edge.lag) == (from, to, lag))
    }

    /// Whether `first` may precede `second` within a step.
    #[inline]
    pub fn allows_order(&self, first: usize, second: usize) -> bool {
        self.variables == 0 || !self.before[second * self.variables + first]
    }

    /// Pairs of which the first comes before the second within a step.
    pub fn orders(&self) -> impl Iterator<Item = (usize, usize)> {
        let d = self.variables;
        (0..self.before.len()).filter(|at| self.before[*at]).map(move |at| (at / d, at % d))
    }

    /// As [`Knowledge::allows`] for the column lag · variables + cause.
    #[inline]
    pub(crate) fn allows_column(&self, column: usize, to: usize, variables: usize) -> bool {
        self.is_empty() || self.allows(column % variables, to, column / variables)
    }

    /// The columns lag · variables + cause that a variable has to be regressed on.
    pub(crate) fn required_columns(&self, to: usize) -> Vec<usize> {
        let own = self.required.iter().filter(|edge| edge.to == to);
        let mut columns: Vec<usize> =
            own.map(|edge| edge.lag * self.variables + edge.from).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The same for variables in another sequence; `before` tells the number each had.
    pub(crate) fn renumbered(&self, before: &[usize]) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let d = self.variables;
        let mut now = vec![usize::MAX; d];
        before.iter().enumerate().for_each(|(new, old)| now[*old] = new);
        let cell = |at: usize| before[at / d] * d + before[at % d];
        let mut known = Self {
            forbidden: (0..d * d).map(|at| self.forbidden[cell(at)]).collect(),
            before: (0..d * d).map(|at| self.before[cell(at)]).collect(),
            ..self.clone()
        };
        let required = known.required.iter_mut().map(|edge| (&mut edge.from, &mut edge.to));
        let periods = known.periods.iter_mut().map(|edge| (&mut edge.from, &mut edge.to));
        for (from, to) in required.chain(periods) {
            (*from, *to) = (now[*from], now[*to]);
        }
        known
    }

    /// All that is known as numbers: the same for the same knowledge, none if there is none.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let forbidden = self.forbidden.iter().flat_map(|lags| lags.words());
        let before = self.before.iter().map(|before| u64::from(*before));
        let steps = |steps: &Option<Range<usize>>| {
            steps.as_ref().map_or([u64::MAX; 2], |s| [s.start as u64, s.end as u64])
        };
        let required = self.required.iter().flat_map(move |edge| {
            let [start, end] = steps(&edge.steps);
            [edge.from as u64, edge.to as u64, edge.lag as u64, start, end]
        });
        let periods = self.periods.iter().flat_map(|edge| {
            let [low, high] = edge.lags.words();
            let numbers = [edge.from, edge.to, edge.steps.start, edge.steps.end];
            numbers.map(|number| number as u64).into_iter().chain([low, high])
        });
        forbidden.chain(before).chain(required).chain(periods)
    }

    /// The sequence as it is, but for variables that have to come later than others in it.
    pub fn arranged(&self, sequence: &[usize]) -> Vec<usize> {
        let mut left = sequence.to_vec();
        if !self.before.contains(&true) {
            return left;
        }
        let mut arranged = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let first = |v: &usize| left.iter().all(|u| u == v || self.allows_order(*v, *u));
            // Knowledge that contradicts itself leaves none; whoever reads it in refuses that.
            let next = left.iter().position(first).unwrap_or(0);
            arranged.push(left.remove(next));
        }
        arranged
    }
}

#[cfg(test)]
impl Knowledge {
    /// Of so many variables: edges (from, to, lag) that cannot be, and pairs of which the first cannot
    /// precede the second.
    pub fn forbidding(
        variables: usize,
        edges: &[(usize, usize, usize)],
        orders: &[(usize, usize)],
    ) -> Self {
        let mut known = Self::about(variables);
        for (from, to, lag) in edges {
            known.forbid(*from, *to, Lags::one(*lag));
        }
        known.put_before(
            &orders.iter().map(|(first, second)| (*second, *first)).collect::<Vec<_>>(),
        );
        known
    }

    /// Of so many variables: edges (from, to, lag) that have to be.
    pub fn requiring(variables: usize, edges: &[(usize, usize, usize)]) -> Self {
        let mut known = Self::about(variables);
        let within = edges.iter().filter(|edge| edge.2 == 0).map(|edge| (edge.0, edge.1));
        known.put_before(&within.collect::<Vec<_>>());
        let required = |(from, to, lag): &(usize, usize, usize)| Required {
            from: *from,
            to: *to,
            lag: *lag,
            steps: None,
        };
        known.required = edges.iter().map(required).collect();
        known
    }
}
