//! Edges that the search could not see, because their weights move fast around 0.
//!
//! Every column that is not in an equation is looked at along cosines, with the working models of
//! those that are in it projected out. The clearest of each equation is added, if its p-value times
//! the number of all candidates is below `alpha`; then the equation is fitted anew and looked at
//! again, until nothing is added.

use rayon::prelude::*;

use super::refit::Rows;
use crate::basis::Basis;
use crate::inference::listing::{Data, Equation};
use crate::knowledge::Knowledge;
use crate::linear_algebra::dot;
use crate::movement::{Absent, Moving};

/// Edges that are added to one equation, at most.
const ROUNDS: usize = 10;
/// Rows times candidates above which there is no second look.
const LARGEST: f64 = 1e10;
/// What the chance of any false edge is held below.
const CHANCE: f64 = 0.05;

/// What a second look found.
#[derive(Debug)]
pub(super) struct Found {
    /// The working models of every equation; none where there was no second look.
    pub moving: Vec<Option<Moving>>,
    /// Edges that were added.
    pub added: Vec<(usize, usize)>,
    /// Whether there were too many candidates.
    pub skipped: bool,
}

/// Adds what was missed to the equations.
pub(super) fn second_look(
    data: &Data<'_>,
    equations: &mut [Equation],
    basis: &Basis,
    knowledge: &Knowledge,
) -> Found {
    let candidates: Vec<Vec<usize>> =
        equations.iter().map(|equation| candidates(data, equation, knowledge)).collect();
    let count: usize = candidates.iter().map(Vec::len).sum();
    if count as f64 * data.columns.rows() > LARGEST {
        let moving = equations.iter().map(|_| None).collect();
        return Found { moving, added: Vec::new(), skipped: true };
    }
    let (moving, added): (Vec<Option<Moving>>, Vec<Vec<(usize, usize)>>) = equations
        .par_iter_mut()
        .zip(candidates)
        .map(|(equation, candidates)| {
            let (moving, added) = of_one(data, equation, candidates, count);
            // Weights may have rows that candidates with longer lags do not have.
            let same = Rows::of(data, equation, Some(basis)).first() == first(data, equation);
            (Some(moving).filter(|_| same), added)
        })
        .unzip();
    Found { moving, added: added.into_iter().flatten().collect(), skipped: false }
}

/// Columns that an equation may have and does not.
fn candidates(data: &Data<'_>, equation: &Equation, knowledge: &Knowledge) -> Vec<usize> {
    let (d, lag) = (data.columns.variables(), data.columns.lag());
    let may = |column: &usize| {
        let (from, back) = (column % d, column / d);
        let earlier = back > 0 || data.position[from] < data.position[equation.to];
        earlier && !equation.selected.contains(column) && knowledge.allows(from, equation.to, back)
    };
    (0..d * (lag + 1)).filter(may).collect()
}

/// The first step at which all candidates have rows.
fn first(data: &Data<'_>, equation: &Equation) -> usize {
    Rows::of(data, equation, None).first()
}

fn of_one(
    data: &Data<'_>,
    equation: &mut Equation,
    mut candidates: Vec<usize>,
    count: usize,
) -> (Moving, Vec<(usize, usize)>) {
    let columns = data.columns;
    let d = columns.variables();
    let mut added = Vec::new();
    let mut memory = Vec::new();
    loop {
        let rows = Rows::of(data, equation, None);
        let sample = rows.sample(data, equation);
        let moving = Moving::new(&sample, equation.selected.len(), columns.all_steps());
        if added.len() == ROUNDS {
            return (moving, added);
        }
        let best = Absent::new(&moving, &sample).and_then(|absent| {
            candidates
                .iter()
                .filter_map(|column| {
                    let values = columns.lagged(column % d, column / d, rows.first());
                    let worth = absent.is_worth(values, dot(values, values), &mut memory);
                    worth.then(|| (*column, absent.p_value(values)))
                })
                .min_by(|a, b| a.1.total_cmp(&b.1))
        });
        let Some((column, p)) = best.filter(|(_, p)| p * (count as f64) < CHANCE) else {
            return (moving, added);
        };
        candidates.retain(|other| *other != column);
        added.push((column, equation.to));
        equation.selected.push(column);
        equation.tests.push((p, (p * count as f64).min(1.0)));
    }
}
