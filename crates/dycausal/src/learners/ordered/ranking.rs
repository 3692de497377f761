//! What the data say for every edge, given the causes that were listed.
//!
//! With s² the residual variance of a variable given its causes and its own lags, and n the rows, an
//! edge that is listed counts n log(1 + w / s²), where w is by how much leaving it out raises s²; one
//! that is not counts −n log(1 − g / s²), where g is by how much adding it lowers s². Both have as
//! many degrees of freedom as weights have functions of time. An edge within a step against the order
//! counts 0: the order is part of what was found.

use ndarray::Array3;
use rayon::prelude::*;

use super::pipeline::Fitted;
use crate::error::Result;
use crate::graph::Ranking;
use crate::inference::listing::Equation;
use crate::knowledge::Knowledge;
use crate::moments::{Gram, pair};
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
    if places > Ranking::MOST {
        let most = Ranking::MOST;
        run.warn(format!("no ranking of all edges: there are {places}, more than {most}"));
        return Ok(None);
    }
    let Source::All(gram) = &fitted.score.source else {
        run.warn(format!("no ranking of all {places} edges: moments of all pairs would not fit"));
        return Ok(None);
    };
    let one = |equation: &Equation| {
        run.proceed()?;
        Ok(statistics(fitted, gram, equation, knowledge))
    };
    let found: Vec<Vec<f64>> =
        run.parallel(|| equations.par_iter().map(one).collect::<Result<_>>())?;
    let mut values = Array3::from_elem((lag + 1, d, d), f64::NAN);
    for (equation, found) in equations.iter().zip(found) {
        for (column, statistic) in found.into_iter().enumerate() {
            let (from, to) = (fitted.before[column % d], fitted.before[equation.to]);
            values[[column / d, from, to]] = statistic;
        }
    }
    Ranking::new("log likelihood ratio", values).map(Some)
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
    let regression = Regression::of(gram, equation.to, &given);
    let (rows, mut scratch) = (columns.rows(), Vec::new());
    let mut statistic = |column: usize| {
        let (from, back) = (column % d, column / d);
        let before = back > 0 || position[from] < position[equation.to];
        if !before || !knowledge.allows(from, equation.to, back) {
            return 0.0;
        }
        if given.contains(&column) {
            let others: Vec<usize> = given.iter().copied().filter(|g| *g != column).collect();
            let without = Regression::of(gram, equation.to, &others);
            return rows * (without.variance / regression.variance).ln().max(0.0);
        }
        let gain = regression.gain(gram, equation.to, column, &mut scratch);
        -rows * (-gain / regression.variance).max(-1.0 + f64::EPSILON).ln_1p()
    };
    (0..columns.size()).map(&mut statistic).collect()
}

/// A regression of a column on groups of columns, as the Cholesky factor of their moments.
struct Regression<'a> {
    given: &'a [usize],
    /// Lower, row by row.
    factor: Vec<f64>,
    projected: Vec<f64>,
    variance: f64,
}

impl<'a> Regression<'a> {
    fn of(gram: &Gram, target: usize, given: &'a [usize]) -> Self {
        let mut all = Self {
            given,
            factor: Vec::new(),
            projected: Vec::new(),
            variance: gram.entry(target, target, 0),
        };
        let total = all.variance;
        for (group, column) in given.iter().enumerate() {
            for function in 0..gram.basis() {
                let before = group * gram.basis() + function;
                let mut row = all.solve(gram, before, *column, function);
                let left = row.iter().map(|x| x * x).sum::<f64>();
                let own = gram.entry(*column, *column, pair(function, function));
                // A function that says nothing new is left out: its row is nothing.
                let corner = (own - left).max(0.0).sqrt();
                let told = own - left > COLLINEAR * own;
                let dot: f64 = row.iter().zip(&all.projected).map(|(x, y)| x * y).sum();
                let y = if told {
                    (gram.entry(target, *column, pair(0, function)) - dot) / corner
                } else {
                    0.0
                };
                row.push(if told { corner } else { f64::INFINITY });
                all.factor.extend(row);
                all.projected.push(y);
                all.variance -= y * y;
            }
        }
        all.variance = all.variance.max(f64::EPSILON * total);
        all
    }

    /// Factor⁻¹ times the moments of a function of a column with the first `rows` of those given.
    fn solve(&self, gram: &Gram, rows: usize, column: usize, function: usize) -> Vec<f64> {
        let b = gram.basis();
        let mut solved = Vec::with_capacity(rows + 1);
        let mut start = 0;
        for row in 0..rows {
            let of = self.given[row / b];
            let line = &self.factor[start..=start + row];
            let dot: f64 = line.iter().zip(&solved).map(|(x, y)| x * y).sum();
            let moment = gram.entry(of, column, pair(row % b, function));
            solved.push((moment - dot) / line[row]);
            start += row + 1;
        }
        solved
    }

    /// By how much a column that is not given lowers the variance.
    fn gain(&self, gram: &Gram, target: usize, column: usize, scratch: &mut Vec<Vec<f64>>) -> f64 {
        let (b, rows) = (gram.basis(), self.projected.len());
        scratch.clear();
        scratch.extend((0..b).map(|function| self.solve(gram, rows, column, function)));
        let (mut block, mut cross) = (vec![0.0; b * b], vec![0.0; b]);
        for f in 0..b {
            let dot = |other: &[f64]| scratch[f].iter().zip(other).map(|(x, y)| x * y).sum::<f64>();
            cross[f] = gram.entry(target, column, pair(0, f)) - dot(&self.projected);
            for g in 0..=f {
                block[f * b + g] = gram.entry(column, column, pair(f, g)) - dot(&scratch[g]);
            }
        }
        explained(gram, column, &mut block, &mut cross)
    }
}

/// g' D⁻¹ g, functions that say nothing new left out.
fn explained(gram: &Gram, column: usize, block: &mut [f64], cross: &mut [f64]) -> f64 {
    let b = cross.len();
    let mut gain = 0.0;
    for f in 0..b {
        for g in 0..=f {
            let dot: f64 = (0..g).map(|e| block[f * b + e] * block[g * b + e]).sum();
            let left = block[f * b + g] - dot;
            block[f * b + g] = if f == g {
                let told = left > COLLINEAR * gram.entry(column, column, pair(f, f));
                if told { left.sqrt() } else { f64::INFINITY }
            } else {
                left / block[g * b + g]
            };
        }
        let dot: f64 = (0..f).map(|e| block[f * b + e] * cross[e]).sum();
        cross[f] = (cross[f] - dot) / block[f * b + f];
        gain += cross[f] * cross[f];
    }
    gain
}
