//! Library, scheme and functions of time, by the score of a few equations.

use super::Ode;
use super::rows::Rows;
use super::selection::Allowed;
use super::settings::{Library, Scheme};
use super::system::{Setup, equations};
use crate::basis::{Basis, Shape};
use crate::error::Result;
use crate::graph::spaced;
use crate::panel::Panel;
use crate::run::Run;
use crate::run::facts::TriedSystem;

/// Equations that setups are compared by, at most.
const PILOT: usize = 12;
/// What a richer library, or coefficients that move, have to lower the score of an equation by.
const MARGIN: f64 = 6.0;
/// Functions of time that are tried where the data decide.
const FUNCTIONS: [usize; 3] = [1, 2, 3];
/// Steps per function of time, at least.
const STEPS_PER_FUNCTION: usize = 10;

/// The data as one library needs them.
pub(super) struct Data<'a> {
    panel: &'a Panel,
    interval: f64,
}

impl<'a> Data<'a> {
    pub fn of(method: &Ode, panel: &'a Panel) -> Self {
        let told = match panel.times() {
            crate::panel::TimeIndex::Numbers(_) => panel.times().spacing(),
            _ => None,
        };
        let given = Some(method.interval).filter(|interval| *interval > 0.0);
        Self { panel, interval: given.or(told).unwrap_or(1.0) }
    }

    pub fn rows(&self, library: Library) -> Rows {
        Rows::of(self.panel, library, self.interval)
    }
}

/// The setup with the best score, its rows, and all that were tried.
pub(super) fn choose(
    method: &Ode,
    data: &Data<'_>,
    allowed: &[Allowed],
    run: &mut Run,
) -> Result<(Setup, Rows, Vec<TriedSystem>)> {
    run.stage("library and scheme", None);
    let mut search = Search { data, allowed, tried: Vec::new(), run };
    let libraries = match method.library {
        Library::Auto => Library::ALL.to_vec(),
        one => vec![one],
    };
    let (all, few) = match method.scheme {
        Scheme::Auto => (Scheme::ALL.to_vec(), vec![Scheme::Forward, Scheme::FourPoint]),
        one => (vec![one], vec![one]),
    };
    let first = method.functions.value().unwrap_or(1);
    // Libraries from plain to rich, each with the better of two schemes.
    let mut simplest = Vec::new();
    for library in libraries {
        let pairs = few.iter().map(|scheme| (library, *scheme, first)).collect();
        simplest.push(search.best(pairs, 0.0)?);
    }
    let (library, mut scheme, _) = search.best(simplest, MARGIN)?;
    if all.len() > 1 {
        let rest = all.iter().map(|scheme| (library, *scheme, first)).collect();
        scheme = search.best(rest, 0.0)?.1;
    }
    let mut functions = first;
    if method.functions.value().is_none() {
        let steps = data.panel.steps();
        let room =
            |functions: &&usize| **functions == 1 || **functions * STEPS_PER_FUNCTION <= steps;
        let counts = FUNCTIONS.iter().filter(room).map(|count| (library, scheme, *count));
        functions = search.best(counts.collect(), MARGIN)?.2;
    }
    let tried = search.tried;
    let setup = setup(data, library, scheme, functions)?;
    Ok((setup, data.rows(library), tried))
}

type Combination = (Library, Scheme, usize);

struct Search<'a, 'b> {
    data: &'a Data<'a>,
    allowed: &'a [Allowed],
    tried: Vec<TriedSystem>,
    run: &'b Run,
}

impl Search<'_, '_> {
    /// The combination with the smallest score; a later one has to win by a margin per equation.
    fn best(&mut self, combinations: Vec<Combination>, margin: f64) -> Result<Combination> {
        let margin = margin * self.allowed.len().min(PILOT) as f64;
        let mut best = (combinations[0], f64::INFINITY);
        if combinations.len() == 1 {
            return Ok(best.0);
        }
        for combination in combinations {
            let score = self.score(combination)?;
            if score < best.1 - margin || best.1.is_infinite() {
                best = (combination, score);
            }
        }
        Ok(best.0)
    }

    fn score(&mut self, (library, scheme, functions): Combination) -> Result<f64> {
        let words = (library.word(), scheme.word());
        let same =
            |t: &&TriedSystem| (&*t.library, &*t.scheme) == words && t.functions == functions;
        if let Some(known) = self.tried.iter().find(same) {
            return Ok(known.score);
        }
        let rows = self.data.rows(library);
        let setup = setup(self.data, library, scheme, functions)?;
        let effects = spaced(self.allowed.len(), PILOT);
        let found = equations(&rows, &setup, &effects, self.allowed, self.run)?;
        let score = found.iter().map(|equation| equation.score).sum();
        let (library, scheme) = (words.0.to_owned(), words.1.to_owned());
        self.tried.push(TriedSystem { library, scheme, functions, score });
        Ok(score)
    }
}

fn setup(data: &Data<'_>, library: Library, scheme: Scheme, functions: usize) -> Result<Setup> {
    let basis = Basis::new(Shape::Legendre { size: functions }, data.panel.steps(), 0)?;
    Ok(Setup { library, scheme, basis })
}
