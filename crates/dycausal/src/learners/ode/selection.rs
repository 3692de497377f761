//! The terms of one equation: first terms from the whole library, then variables.
//!
//! Terms are added while each lowers n log RSS by more than log n + 2 log(terms), and dropped while
//! one does not. Where the library does not hold the truth, terms of other variables make up for its
//! shape; so the variables of these terms are then taken as a set V, whose score is
//!
//! s(V) = min over terms of V alone of n log RSS + log n · terms + 2 log d · |V|,
//!
//! and the variable whose loss lowers s(V) most is dropped, as long as there is one.

use super::design::Design;
use crate::linear_algebra::dot;
use crate::regression::{NormalEquations, Projection};
use crate::thresholds::LEAST_SHARE_OF_NOISE;
use crate::thresholds::SHARE_OF_SQUARE_LEFT;

/// Terms of an equation, at most.
const MOST: usize = 24;
/// Rows that a term has, at least.
const ROWS_PER_TERM: usize = 8;

/// What may and what has to be in an equation.
#[derive(Debug, Clone)]
pub(super) struct Allowed {
    /// The variable it is of, which costs nothing as a cause of itself.
    pub effect: usize,
    /// Whether each variable may be a cause.
    pub causes: Vec<bool>,
    /// Variables that have to be.
    pub required: Vec<usize>,
}

/// An equation as columns of a design.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    /// The columns.
    pub terms: Vec<usize>,
    /// The sum of squares that is left.
    pub squares: f64,
    /// n log(RSS / n) and all costs.
    pub score: f64,
}

/// Second moments of some columns with each other and with a change.
struct Moments<'a> {
    design: &'a Design,
    which: Vec<usize>,
    normal: NormalEquations,
}

/// Selects the terms of a change.
pub(super) fn select(design: &Design, change: &[f64], allowed: &Allowed) -> Chosen {
    let rows = design.rows() as f64;
    let possible: Vec<usize> = design.moving().filter(|k| allowed.admits(design, *k)).collect();
    let price = rows.ln() + 2.0 * (possible.len().max(1) as f64).ln();
    let first = grown(design, change, &possible, price);
    let mut variables = allowed.required.clone();
    variables.push(allowed.effect);
    variables.extend(first.iter().flat_map(|k| design.terms[*k].term.variables()));
    variables.sort_unstable();
    variables.dedup();
    let among = |variables: &[usize]| -> Vec<usize> {
        let inside =
            |k: &usize| design.terms[*k].term.variables().iter().all(|v| variables.contains(v));
        possible.iter().copied().filter(inside).collect()
    };
    let moments = Moments::of(design, change, among(&variables));
    let mut best = moments.best(&variables, allowed);
    loop {
        let used = used(design, &best.terms, allowed);
        let may_go = used.iter().filter(|v| **v != allowed.effect && !allowed.required.contains(v));
        let without = may_go.map(|gone| {
            let left: Vec<usize> = used.iter().copied().filter(|v| v != gone).collect();
            moments.best(&left, allowed)
        });
        let next = without.min_by(|a, b| a.score.total_cmp(&b.score));
        match next {
            Some(next) if next.score < best.score => best = next,
            _ => return best,
        }
    }
}

/// The best equation in which only some variables are.
pub(super) fn select_among(
    design: &Design,
    change: &[f64],
    allowed: &Allowed,
    variables: &[usize],
) -> Chosen {
    let inside = |k: &usize| {
        allowed.admits(design, *k)
            && design.terms[*k].term.variables().iter().all(|v| variables.contains(v))
    };
    let which = design.moving().filter(inside).collect();
    Moments::of(design, change, which).best(variables, allowed)
}

/// The variables of some terms, with the effect and those that are required.
pub(super) fn used(design: &Design, terms: &[usize], allowed: &Allowed) -> Vec<usize> {
    let mut all: Vec<usize> =
        terms.iter().flat_map(|k| design.terms[*k].term.variables()).collect();
    all.push(allowed.effect);
    all.extend(&allowed.required);
    all.sort_unstable();
    all.dedup();
    all
}

impl Allowed {
    fn admits(&self, design: &Design, column: usize) -> bool {
        design.terms[column].term.variables().iter().all(|v| self.causes[*v])
    }
}

/// Terms added one by one from the whole library.
fn grown(design: &Design, change: &[f64], possible: &[usize], price: f64) -> Vec<usize> {
    let rows = change.len() as f64;
    let most = MOST.min(change.len() / ROWS_PER_TERM);
    let cross = possible.iter().map(|k| dot(&design.columns[*k], change)).collect();
    let mut left = Projection::new(
        vec![1.0; possible.len()],
        cross,
        dot(change, change),
        SHARE_OF_SQUARE_LEFT,
    );
    while left.given.len() < most {
        let Some((best, gain)) = left.best(0..possible.len()) else { break };
        if ratio(rows, gain, left.residual) <= price {
            break;
        }
        let own = &design.columns[possible[best]];
        left.give(best, |other| dot(own, &design.columns[possible[other]]));
    }
    let moments = Moments::of(design, change, left.given.iter().map(|k| possible[*k]).collect());
    let all: Vec<usize> = (0..moments.which.len()).collect();
    moments.shrunk(all, price, &[]).into_iter().map(|k| moments.which[k]).collect()
}

impl<'a> Moments<'a> {
    fn of(design: &'a Design, change: &[f64], which: Vec<usize>) -> Self {
        let size = which.len();
        let mut gram = vec![0.0; size * size];
        for a in 0..size {
            for b in 0..=a {
                let product = dot(&design.columns[which[a]], &design.columns[which[b]]);
                gram[a * size + b] = product;
                gram[b * size + a] = product;
            }
        }
        let cross = which.iter().map(|k| dot(&design.columns[*k], change)).collect();
        let normal = NormalEquations::new(gram, cross, dot(change, change), change.len() as f64);
        Self { design, which, normal }
    }

    /// Grow and shrink among the terms of some variables.
    fn best(&self, variables: &[usize], allowed: &Allowed) -> Chosen {
        let rows = self.design.rows() as f64;
        let (normal, size) = (&self.normal, self.which.len());
        let term = |k: usize| self.design.terms[self.which[k]].term;
        let inside = |k: &usize| term(*k).variables().iter().all(|v| variables.contains(v));
        let possible: Vec<usize> = (0..size).filter(inside).collect();
        let mut left = Projection::new(
            vec![1.0; size],
            normal.cross().to_vec(),
            normal.square(),
            SHARE_OF_SQUARE_LEFT,
        );
        let mut forced = Vec::new();
        for needed in allowed.required.iter().filter(|v| variables.contains(v)) {
            let first = possible.iter().copied().find(|k| term(*k).has(*needed));
            forced.extend(first.filter(|k| left.gain(*k) > 0.0 && !forced.contains(k)));
        }
        for k in forced.clone() {
            left.give(k, |other| normal.gram()[k * size + other]);
        }
        let most = MOST.min(self.design.rows() / ROWS_PER_TERM);
        while left.given.len() < most {
            let Some((best, gain)) = left.best(possible.iter().copied()) else { break };
            if ratio(rows, gain, left.residual) <= rows.ln() {
                break;
            }
            left.give(best, |other| normal.gram()[best * size + other]);
        }
        let kept = self.shrunk(left.given, rows.ln(), &forced);
        let squares = self.residual(&kept);
        let terms: Vec<usize> = kept.iter().map(|k| self.which[*k]).collect();
        let causes = used(self.design, &terms, allowed).len() as f64;
        let cost =
            rows.ln() * terms.len() as f64 + 2.0 * (allowed.causes.len() as f64).ln() * causes;
        let score = rows * (squares / rows).max(f64::MIN_POSITIVE).ln() + cost;
        Chosen { terms, squares, score }
    }

    /// Drops the weakest of some columns while none is worth its price.
    fn shrunk(&self, mut kept: Vec<usize>, price: f64, forced: &[usize]) -> Vec<usize> {
        let rows = self.design.rows() as f64;
        while let Some(fitted) = self.normal.solve_single(&kept).filter(|_| !kept.is_empty()) {
            let loss = |k: usize| fitted.single_loss(k);
            let squares = fitted.squares.max(LEAST_SHARE_OF_NOISE * self.normal.square());
            let may_go = (0..kept.len()).filter(|k| !forced.contains(&kept[*k]));
            let weakest = may_go.min_by(|a, b| loss(*a).total_cmp(&loss(*b)));
            match weakest {
                Some(k) if rows * (loss(k) / squares).ln_1p() <= price => kept.remove(k),
                _ => break,
            };
        }
        kept
    }

    fn residual(&self, kept: &[usize]) -> f64 {
        let square = self.normal.square();
        let fitted = self.normal.solve_single(kept);
        fitted.map_or(square, |fitted| fitted.squares).max(LEAST_SHARE_OF_NOISE * square)
    }
}

/// −n log(1 − gain / residual).
pub(super) fn ratio(rows: f64, gain: f64, residual: f64) -> f64 {
    if residual <= 0.0 {
        return 0.0;
    }
    -rows * (1.0 - gain / residual).max(LEAST_SHARE_OF_NOISE).ln()
}
