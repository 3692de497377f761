//! What the data say for every edge, given the causes that were listed.
//!
//! With s² the residual variance of a variable given its causes and its own lags, and n the rows, an
//! edge that is listed counts n log(1 + w / s²), where w is by how much leaving it out raises s²; one
//! that is not counts −n log(1 − g / s²), where g is by how much adding it lowers s². Both have as
//! many degrees of freedom as weights have functions of time. An edge within a step against the order
//! counts 0: the order is part of what was found.

use rayon::prelude::*;

use super::pipeline::Fitted;
use crate::error::Result;
use crate::graph::Ranking;
use crate::inference::equation::Equation;
use crate::knowledge::Knowledge;
use crate::listing::{self, has_room};
use crate::moments::{Gram, pair};
use crate::regression::Projection;
use crate::run::Run;
use crate::scores::linear::Source;
use crate::scores::linear::forward::COLLINEAR;

/// The ranking in the panel's numbers; `None` where there are too many places.
pub(super) fn ranking(
    fitted: &Fitted,
    equations: &[Equation],
    knowledge: &Knowledge,
    run: &mut Run,
) -> Result<Option<Ranking>> {
    let columns = &fitted.score.columns;
    let (d, lag) = (columns.variables(), columns.lag());
    let places = (lag + 1) * d * d;
    if !has_room(places, run) {
        return Ok(None);
    }
    let Source::All(gram) = &fitted.score.source else {
        run.warn(format!("no ranking of all {places} edges: moments of all pairs would not fit"));
        return Ok(None);
    };
    let one = |equation: &Equation| {
        run.proceed()?;
        Ok((equation.to, statistics(fitted, gram, equation, knowledge)))
    };
    let found: Vec<(usize, Vec<f64>)> =
        run.parallel(|| equations.par_iter().map(one).collect::<Result<_>>())?;
    listing::ranking(found, &fitted.before, (0, lag)).map(Some)
}

/// The statistic of every column for one variable.
fn statistics(
    fitted: &Fitted,
    gram: &Gram,
    equation: &Equation,
    knowledge: &Knowledge,
) -> Vec<f64> {
    let columns = &fitted.score.columns;
    let (d, lag) = (columns.variables(), columns.lag());
    let position = &fitted.learned.state.position;
    let mut given = equation.selected.clone();
    let own = (1..=equation.own.min(lag)).map(|back| back * d + equation.to);
    given.extend(own.filter(|column| !equation.selected.contains(column)));
    let possible = |column: &usize| {
        let (from, back) = (column % d, column / d);
        let before = back > 0 || position[from] < position[equation.to];
        before && knowledge.allows(from, equation.to, back)
    };
    let others = (0..columns.size()).filter(|k| possible(k) && !given.contains(k));
    let all: Vec<usize> = given.iter().copied().chain(others).collect();
    let left = beside(gram, equation.to, &all, &given);
    let (rows, b) = (columns.rows(), gram.basis());
    let mut found = vec![0.0; columns.size()];
    for (place, column) in all.iter().enumerate().filter(|(_, column)| possible(column)) {
        found[*column] = if place < given.len() {
            let others: Vec<usize> = given.iter().copied().filter(|g| g != column).collect();
            let without = beside(gram, equation.to, &others, &others);
            rows * (without.residual / left.residual).ln().max(0.0)
        } else {
            let product = |j: usize, k: usize| gram.entry(*column, *column, pair(j % b, k % b));
            let gain = left.gain_of_group(place * b, b, product);
            -rows * (-gain / left.residual).max(-1.0 + f64::EPSILON).ln_1p()
        };
    }
    found
}

/// What is left of some columns, times their functions, beside those that are given.
fn beside(gram: &Gram, target: usize, columns: &[usize], given: &[usize]) -> Projection {
    let b = gram.basis();
    let part = |k: usize| (columns[k / b], k % b);
    let product = |j: usize, k: usize| {
        let ((column, f), (other, g)) = (part(j), part(k));
        gram.entry(column, other, pair(f, g))
    };
    let all = 0..columns.len() * b;
    let cross = all.clone().map(|k| gram.entry(target, part(k).0, pair(0, part(k).1))).collect();
    let squares = all.map(|k| product(k, k)).collect();
    let total = gram.entry(target, target, 0);
    let mut left = Projection::new(squares, cross, total, COLLINEAR);
    for place in (0..columns.len()).filter(|place| given.contains(&columns[*place])) {
        (place * b..(place + 1) * b).for_each(|k| left.give(k, |other| product(k, other)));
    }
    left.residual = left.residual.max(f64::EPSILON * total);
    left
}
