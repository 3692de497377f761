//! Edges that the search could not see, because their weights move fast around 0.
//!
//! Every column that is not in an equation is looked at along cosines, with the working models of
//! those that are in it projected out. The clearest of all is added, if its p-value times the number of
//! all candidates is below `CHANCE`; then its equation is fitted anew and looked at again, until
//! nothing is added.

use std::collections::HashMap;

use rayon::prelude::*;

use super::refit::Rows;
use crate::basis::Basis;
use crate::design::Columns;
use crate::error::Result;
use crate::inference::equation::{Data, Equation};
use crate::knowledge::Knowledge;
use crate::linear_algebra::dot;
use crate::movement::{Absent, Masses, Memory, Moving, Worth};
use crate::run::facts::{NamedEdge, SecondLook};

/// Edges that are added per variable, at most.
const ROUNDS: usize = 10;
/// Rows times candidates above which there is no second look.
const LARGEST: f64 = 1e10;
/// Autocorrelation from which on a variable hardly moves.
const PERSISTENT: f64 = 0.9;
/// What the chance of any false edge is held below.
const CHANCE: f64 = 0.05;

/// ln p by which one direction has to be clearer than the other to be told.
const TOLD: f64 = 5.0;

/// What a second look found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The working models of every equation; none where there was no second look.
    pub moving: Vec<Option<Moving>>,
    /// How likely each class of motion is, learned from all edges.
    pub masses: Masses,
    /// Edges that were added, as columns and effects, and whether their direction is told.
    pub added: HashMap<(usize, usize), bool>,
    /// How many could have been.
    pub candidates: usize,
    /// Whether there were too many candidates.
    pub skipped: bool,
}

impl Found {
    /// Of equations that were not looked at.
    pub fn nothing(equations: usize) -> Self {
        Self { moving: (0..equations).map(|_| None).collect(), ..Self::default() }
    }

    /// How many edges could have been added, and which were, for the facts of a run.
    pub fn told(&self, names: &[String], before: &[usize]) -> SecondLook {
        let d = before.len();
        let mut added: Vec<&(usize, usize)> = self.added.keys().collect();
        added.sort_unstable();
        let named = |&&(column, to): &&(usize, usize)| NamedEdge {
            source: names[before[column % d]].clone(),
            target: names[before[to]].clone(),
            lag: column / d,
        };
        SecondLook { added: added.iter().map(named).collect(), candidates: self.candidates }
    }
}

/// What a candidate has to reach.
struct Bar {
    /// The p-value, at most.
    most: f64,
    /// What makes a test worth it.
    worth: Worth,
}

impl Bar {
    fn new(most: f64) -> Self {
        Self { most, worth: Worth::new(most) }
    }
}

/// The p-values of the candidates of one equation that are worth a test.
struct Looked {
    moving: Moving,
    found: Vec<(usize, f64)>,
}

/// Adds what was missed to the equations, the clearest of all first.
///
/// Instantaneous edges may go against the order, which was found without them, as long as they close
/// no cycle: of two directions the clearer one wins.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn second_look(
    data: &Data<'_>,
    equations: &mut [Equation],
    basis: &Basis,
    knowledge: &Knowledge,
) -> Result<Found> {
    let sums: Vec<Option<f64>> =
        (0..data.columns.variables()).into_par_iter().map(|v| squares(data, v)).collect();
    // Counted first: of very many variables the list would not fit.
    let of = |equation: &Equation| candidates(data, equation, &sums, knowledge).count();
    let count: usize = equations.par_iter().map(of).sum();
    if count as f64 * data.columns.rows() > LARGEST {
        let nothing = Found::nothing(equations.len());
        return Ok(Found { candidates: count, skipped: true, ..nothing });
    }
    let candidates: Vec<Vec<usize>> = equations
        .iter()
        .map(|equation| candidates(data, equation, &sums, knowledge).collect())
        .collect();
    // What is added, and what tells that it does not point the other way.
    let bar = Bar::new((CHANCE / count.max(1) as f64 * TOLD.exp()).min(1.0));
    // What was filled knows of the effect, so that it would seem to explain it.
    let seen = data.columns.observed_only();
    let mut looked: Vec<Looked> = equations
        .par_iter()
        .zip(&candidates)
        .map(|(equation, candidates)| look(data, equation, candidates, &seen, &sums, &bar))
        .collect::<Result<_>>()?;
    let d = data.columns.variables();
    let mut added = HashMap::new();
    for _ in 0..ROUNDS * d {
        let within = within(equations, d, knowledge);
        let open = |column: usize, to: usize| column >= d || !leads(&within, d, to, column);
        let all = looked
            .iter()
            .enumerate()
            .flat_map(|(e, looked)| looked.found.iter().map(move |(column, p)| (e, *column, *p)));
        let best = all
            .filter(|(e, column, _)| open(*column, equations[*e].to))
            .min_by(|a, b| a.2.total_cmp(&b.2));
        let Some((e, column, p)) = best.filter(|(.., p)| p * (count as f64) < CHANCE) else {
            break;
        };
        let to = equations[e].to;
        added.insert((column, to), column >= d || is_clear(&looked, equations, column, to, p));
        equations[e].selected.push(column);
        equations[e].tests.push((p, (p * count as f64).min(1.0)));
        data.know_partial_rows(std::slice::from_mut(&mut equations[e]), None);
        let left: Vec<usize> =
            candidates[e].iter().copied().filter(|c| !equations[e].selected.contains(c)).collect();
        looked[e] = look(data, &equations[e], &left, &seen, &sums, &bar)?;
    }
    let shares: Vec<Masses> =
        looked.iter().flat_map(|looked| looked.moving.shares()).copied().collect();
    let moving = equations.iter().zip(looked).map(|(equation, looked)| {
        // Weights may have rows that candidates with longer lags do not have.
        let own = Rows::of(data, equation, Some(basis)).first();
        let same = own == Rows::of(data, equation, None).first();
        // Where cells are missing, weights have rows that a look at candidates must not have.
        Some(looked.moving).filter(|_| same && equation.partial.is_none())
    });
    let (moving, masses) = (moving.collect(), Masses::learned(&shares));
    Ok(Found { moving, masses, added, candidates: count, skipped: false })
}

/// Σ x² of a variable; None where it hardly moves from one step to the next: then it is alike to much
/// else that moves slowly, with or without a cause, and tests of it do not hold.
fn squares(data: &Data<'_>, variable: usize) -> Option<f64> {
    let (values, series) = (data.columns.whole(variable), data.columns.series());
    let (now, before) = (&values[series..], &values[..values.len() - series]);
    (dot(now, before) <= PERSISTENT * dot(before, before)).then(|| dot(values, values))
}

/// Columns that an equation may have and does not.
fn candidates(
    data: &Data<'_>,
    equation: &Equation,
    sums: &[Option<f64>],
    knowledge: &Knowledge,
) -> impl Iterator<Item = usize> {
    let (d, lag, to) = (data.columns.variables(), data.columns.lag(), equation.to);
    let may = move |column: &usize| {
        let (from, back) = (column % d, column / d);
        sums[from].is_some()
            && (back > 0 || (from != to && knowledge.allows_order(from, to)))
            && !equation.selected.contains(column)
            && knowledge.allows(from, to, back)
    };
    (0..d * (lag + 1)).filter(may)
}

/// Looks at the candidates of one equation.
fn look(
    data: &Data<'_>,
    equation: &Equation,
    candidates: &[usize],
    seen: &Columns,
    sums: &[Option<f64>],
    bar: &Bar,
) -> Result<Looked> {
    let columns = data.columns;
    let d = columns.variables();
    data.cancel.proceed()?;
    let mut equation = equation.clone();
    equation.keep_whole_rows();
    let equation = &equation;
    let rows = Rows::of(data, equation, None);
    let sample = rows.sample(data, equation);
    let moving = Moving::new(&sample, equation.selected.len(), columns.all_steps());
    let mut memory = Memory::default();
    let mut found = Vec::new();
    if let Some(absent) = Absent::new(&moving, &sample) {
        for column in candidates {
            data.cancel.proceed()?;
            let values = seen.lagged(column % d, column / d, rows.first());
            let squares = sums[column % d].unwrap_or(f64::INFINITY);
            if absent.is_worth(values, squares, &bar.worth, &mut memory) {
                found.push((*column, absent.p_value(values, bar.most, &mut memory)));
            }
        }
    }
    Ok(Looked { moving, found })
}

/// Instantaneous edges: causes of each variable, and what is known to come before it.
fn within(equations: &[Equation], variables: usize, knowledge: &Knowledge) -> Vec<Vec<usize>> {
    let mut causes = vec![Vec::new(); variables];
    knowledge.orders().for_each(|(first, second)| causes[second].push(first));
    for equation in equations {
        causes[equation.to].extend(equation.selected.iter().filter(|c| **c < variables));
    }
    causes
}

/// Whether `from` is `to` or one of its causes, or their causes, within a step.
fn leads(causes: &[Vec<usize>], variables: usize, from: usize, to: usize) -> bool {
    let mut seen = vec![false; variables];
    let mut open = vec![to];
    while let Some(v) = open.pop() {
        if v == from {
            return true;
        }
        if !std::mem::replace(&mut seen[v], true) {
            open.extend_from_slice(&causes[v]);
        }
    }
    false
}

/// Whether the other direction is much less clear.
fn is_clear(looked: &[Looked], equations: &[Equation], from: usize, to: usize, p: f64) -> bool {
    let other = equations.iter().position(|equation| equation.to == from);
    let found = other.and_then(|e| looked[e].found.iter().find(|(column, _)| *column == to));
    let reverse = found.map_or(1.0, |(_, p)| *p);
    reverse.ln() - p.max(1e-300).ln() > TOLD
}
