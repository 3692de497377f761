//! All equations under one library, scheme and basis in time.

use std::sync::Arc;

use rayon::prelude::*;

use super::design::Design;
use super::fitted::Fitted;
use super::rows::Rows;
use super::selection::{Allowed, select, select_among};
use super::settings::{Library, Scheme};
use super::terms::terms;
use crate::basis::Basis;
use crate::error::Result;
use crate::linear_algebra::dot;
use crate::run::Run;

/// Numbers of a library that all effects share, at most.
pub(super) const LARGEST: usize = 24_000_000;
/// Terms that stand for the others where there are too many.
const POOL: usize = 48;
/// Terms that are looked at together for that.
const TOGETHER: usize = 512;

/// How equations are made.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub library: Library,
    pub scheme: Scheme,
    pub basis: Basis,
}

/// The equation of one variable.
#[derive(Debug, Clone)]
pub(super) struct OneEquation {
    pub design: Arc<Design>,
    pub change: Arc<Vec<f64>>,
    pub allowed: Allowed,
    pub fitted: Fitted,
    /// The score that setups are compared by, in the units of the data.
    pub score: f64,
}

/// The equations of some variables.
///
/// # Errors
/// If the run is cancelled.
pub(super) fn equations(
    rows: &Rows,
    setup: &Setup,
    effects: &[usize],
    allowed: &[Allowed],
    run: &Run,
) -> Result<Vec<OneEquation>> {
    let all: Vec<usize> = (0..rows.scale.len()).collect();
    let shared = (setup.library != Library::Sines && fits(rows, setup, all.len()))
        .then(|| Arc::new(design(rows, setup, 0, &all)));
    let one = |effect: &usize| {
        run.proceed()?;
        let change = Arc::new(rows.changes(*effect));
        let columns = match &shared {
            Some(shared) => shared.clone(),
            None if fits(rows, setup, all.len()) => Arc::new(design(rows, setup, *effect, &all)),
            None => {
                let near = pool(rows, setup, *effect, &change, &allowed[*effect]);
                Arc::new(design(rows, setup, *effect, &near))
            }
        };
        let chosen = select(&columns, &change, &allowed[*effect]);
        Ok(finished(rows, columns, change, allowed[*effect].clone(), &chosen))
    };
    run.parallel(|| effects.par_iter().map(one).collect())
}

/// The same equation with only some variables.
pub(super) fn restricted(rows: &Rows, equation: &OneEquation, variables: &[usize]) -> OneEquation {
    let OneEquation { design, change, allowed, .. } = equation;
    let chosen = select_among(design, change, allowed, variables);
    finished(rows, design.clone(), change.clone(), allowed.clone(), &chosen)
}

fn finished(
    rows: &Rows,
    design: Arc<Design>,
    change: Arc<Vec<f64>>,
    allowed: Allowed,
    chosen: &super::selection::Chosen,
) -> OneEquation {
    let fitted = Fitted::of(&design, &change, &chosen.terms);
    let count = change.len() as f64;
    let cost = chosen.score - count * (chosen.squares / count).max(f64::MIN_POSITIVE).ln();
    let units = 2.0 * count * rows.scale[allowed.effect].ln();
    let score = fitted.noise(rows) + cost + units;
    OneEquation { design, change, allowed, fitted, score }
}

fn fits(rows: &Rows, setup: &Setup, variables: usize) -> bool {
    let terms = match setup.library {
        Library::Linear | Library::Sines => 2 * variables,
        _ => variables * (variables + 7) / 2,
    };
    terms.saturating_mul(rows.windows.len() * setup.basis.size()) <= LARGEST
}

fn design(rows: &Rows, setup: &Setup, effect: usize, among: &[usize]) -> Design {
    let terms = terms(setup.library, effect, among, &rows.halves);
    Design::of(rows, &terms, setup.scheme, &setup.basis)
}

/// The variables of the terms that go best with a change, and the effect itself.
fn pool(
    rows: &Rows,
    setup: &Setup,
    effect: usize,
    change: &[f64],
    allowed: &Allowed,
) -> Vec<usize> {
    let all: Vec<usize> = (0..rows.scale.len()).filter(|v| allowed.causes[*v]).collect();
    let terms = terms(setup.library, effect, &all, &rows.halves);
    let mut best: Vec<(f64, [usize; 2])> = Vec::new();
    for some in terms.chunks(TOGETHER) {
        let design = Design::of(rows, some, setup.scheme, &setup.basis);
        let shares = design.columns.iter().zip(&design.terms);
        best.extend(shares.map(|(c, moving)| (dot(c, change).abs(), moving.term.variables())));
        best.sort_by(|a, b| b.0.total_cmp(&a.0));
        best.truncate(POOL);
    }
    let mut near: Vec<usize> = best.into_iter().flat_map(|(_, variables)| variables).collect();
    near.push(effect);
    near.extend(&allowed.required);
    near.sort_unstable();
    near.dedup();
    near
}
