//! What was learned, as a graph in the data's units.

use std::collections::HashMap;

use rayon::prelude::*;

use super::directions::directions;
use super::edges::{Units, edge};
use super::listed::list;
use super::on_basis::wider;
use super::pipeline::{Fitted, Given, Labels};
use super::ranking::ranking;
use super::refit::{Estimated, Manner, Weight, equation, weights};
use super::second_look::{Found, second_look};
use super::self_lags::Mend;
use super::settings::Movement;
use super::{Ordered, stability};
use crate::basis::{Basis, Family};
use crate::design::{Preparation, own_orders};
use crate::error::Result;
use crate::graph::{DynamicGraph, Edge, Mark, Ranking};
use crate::inference::equation::{Data, Equation};
use crate::inference::own_past::{functions, settle};
use crate::listing::{Direction, adjust_unchanging, warn_of_open, warn_of_untested};
use crate::moments::TimeBasis;
use crate::movement::Moving;
use crate::run::Run;
use crate::run::facts::Counts;
use crate::scores::LocalScore;
use crate::search::Scorer;

/// Edges above which little is kept of how each moves: files and memory would grow with what nobody reads.
const MANY_EDGES: usize = 2_000;
/// q below which a lagged parent directs edges by structure.
const SURE: f64 = 0.001;

/// The listed edges with their weights, bands and tests.
pub(super) fn graph(
    method: &Ordered,
    labels: Labels<'_>,
    fitted: Fitted,
    preparation: Preparation,
    given: &Given,
    run: &mut Run,
) -> Result<DynamicGraph> {
    let mut stages = Stages::of(method, labels, fitted, preparation, given);
    stages.test(run)?;
    stages.direct(run)?;
    stages.widen()?;
    stages.look_again(run)?;
    stages.weigh(run)?;
    stages.resample(run)?;
    stages.rank(run)?;
    stages.graph(run)
}

/// What the stages from a search to a graph know, each of what those before it left. Variables are numbered as
/// in the sorted columns of the search until the last stage.
struct Stages<'a> {
    method: &'a Ordered,
    labels: Labels<'a>,
    given: &'a Given,
    fitted: Fitted,
    preparation: Preparation,
    equations: Vec<Equation>,
    /// How many functions of time weights have, and the basis they are told on.
    functions: usize,
    basis: Basis,
    inner: TimeBasis,
    /// What is known of edges within the step that structure does not direct.
    directions: HashMap<(usize, usize), Direction>,
    /// What the second look left.
    seen: Found,
    estimated: Vec<Estimated>,
    /// The share of resamples that have each edge.
    support: HashMap<(usize, usize), f64>,
    ranking: Option<Ranking>,
}

impl<'a> Stages<'a> {
    fn of(
        method: &'a Ordered,
        labels: Labels<'a>,
        fitted: Fitted,
        preparation: Preparation,
        given: &'a Given,
    ) -> Self {
        let (basis, inner) = (fitted.basis.clone(), fitted.score.basis.clone());
        Self {
            method,
            labels,
            given,
            preparation,
            equations: Vec::new(),
            functions: inner.size(),
            basis,
            inner,
            directions: HashMap::new(),
            seen: Found::default(),
            estimated: Vec::new(),
            support: HashMap::new(),
            ranking: None,
            fitted,
        }
    }

    /// Equations of what the search selected, and what of them stands up to its test.
    fn test(&mut self, run: &mut Run) -> Result<()> {
        run.stage("tests", None);
        self.equations = run.parallel(|| equations(&self.fitted, self.given));
        let (method, fitted, equations) = (self.method, &self.fitted, &mut self.equations);
        let (functions, counts) = run.parallel(|| tested(method, fitted, equations))?;
        self.functions = functions;
        run.facts_mut().edges = Some(counts);
        warn_of_untested(counts, run);
        Ok(())
    }

    /// Which way edges within the step point, by those that were listed.
    fn direct(&mut self, run: &mut Run) -> Result<()> {
        let d = self.fitted.score.variables();
        for (fit, equation) in self.fitted.learned.fits.iter_mut().zip(&self.equations) {
            fit.selected = directing(equation, d);
        }
        run.stage("directions", None);
        let Fitted { score, learned, .. } = &self.fitted;
        self.directions = run.parallel(|| {
            let mut scorer = Scorer::new(score, &learned.candidates, self.given);
            directions(&mut scorer, &learned.state, &learned.fits)
        })?;
        let open = self.directions.values().filter(|direction| !direction.told).count();
        warn_of_open(open, run);
        self.fitted.score.forget();
        Ok(())
    }

    /// A basis that bands have room on.
    fn widen(&mut self) -> Result<()> {
        let steps = self.labels.steps();
        (self.basis, self.inner) = wider(self.method, &self.fitted, self.functions, steps)?;
        Ok(())
    }

    /// The rows on which weights are estimated.
    fn data(&self) -> Data<'_> {
        Data { basis: &self.inner, functions: self.inner.size(), ..self.fitted.data() }
    }

    /// Adds edges whose weights move fast around 0.
    fn look_again(&mut self, run: &mut Run) -> Result<()> {
        run.stage("weights", None);
        if self.method.movement != Movement::Average || self.method.alpha >= 1.0 {
            self.seen = Found::nothing(self.equations.len());
            return Ok(());
        }
        let mut equations = std::mem::take(&mut self.equations);
        let (data, knowledge) = (self.data(), &self.given.knowledge);
        self.seen = run.parallel(|| second_look(&data, &mut equations, &self.basis, knowledge))?;
        self.equations = equations;
        if self.seen.skipped {
            run.warn("too many possible edges for a second look at those whose weights move fast around 0");
        }
        let told = self.seen.told(self.labels.names, &self.fitted.before);
        run.facts_mut().second_look = Some(told);
        Ok(())
    }

    /// The weight of every edge.
    fn weigh(&mut self, run: &mut Run) -> Result<()> {
        let Ordered { movement, bands, level, .. } = *self.method;
        let moving = std::mem::take(&mut self.seen.moving);
        let (preparation, before) = (&self.preparation, &self.fitted.before[..]);
        let mend = Mend { preparation, before, seed: run.seed() };
        let manner = Manner {
            movement,
            basis: Some(&self.basis),
            functions: self.functions,
            level: bands.then_some(level),
            mend: (bands && preparation.biases()).then_some(&mend),
            masses: self.seen.masses,
            brief: self.equations.iter().map(|e| e.selected.len()).sum::<usize>() > MANY_EDGES,
        };
        let (data, equations) = (self.data(), &self.equations);
        self.estimated = run.parallel(|| estimated(&data, equations, moving, manner))?;
        Ok(())
    }

    /// How often each edge is found again in half of the data.
    fn resample(&mut self, run: &mut Run) -> Result<()> {
        let resamples = self.method.resamples;
        if resamples > 0 {
            run.stage("resamples", Some(resamples as u64));
            let Fitted { score, learned, .. } = &self.fitted;
            let order = &learned.state.order;
            self.support = stability::support(score, resamples, order, self.given, run)?;
        }
        Ok(())
    }

    fn rank(&mut self, run: &mut Run) -> Result<()> {
        self.ranking = ranking(&self.fitted, &self.equations, &self.given.knowledge, run)?;
        Ok(())
    }

    /// All of it in the panel's numbers and the data's units.
    fn graph(self, run: &Run) -> Result<DynamicGraph> {
        let Self {
            method,
            labels,
            fitted,
            mut preparation,
            equations,
            basis,
            inner,
            directions,
            seen,
            estimated,
            support,
            ranking,
            ..
        } = self;
        // Where there are very many edges, they need the room that the values take.
        let Fitted { score, before, .. } = fitted;
        let (d, lag) = (score.variables(), score.columns.lag());
        let units = Units { before, scale: score.columns.scale().to_vec(), inner };
        drop(score);
        let seed = run.seed();
        let of_one = |(equation, weights): (&Equation, Vec<Weight>)| -> Vec<Edge> {
            let one = |weight: Weight| {
                let column = weight.column;
                let mut edge = edge(method, &units, equation, weight, &basis, seed);
                let (from, to) = (column % d, equation.to);
                if let Some(direction) = directions.get(&(from, to)).filter(|_| column < d) {
                    direction.describe(&mut edge);
                } else if seen.added.get(&(column, to)) == Some(&false) {
                    // The search that found the order did not see it.
                    edge.mark = Mark::Undirected;
                }
                if method.resamples > 0 {
                    edge.support = Some(support.get(&(column, to)).copied().unwrap_or(0.0));
                }
                edge
            };
            // An edge that its weight says is nowhere is none.
            weights.into_iter().map(one).filter(|edge| !edge.presence.is_empty()).collect()
        };
        let (weights, own_lags): (Vec<Vec<Weight>>, Vec<Vec<f64>>) =
            estimated.into_iter().map(|e| (e.weights, e.own_lags)).unzip();
        let mut edges: Vec<Edge> =
            run.parallel(|| equations.par_iter().zip(weights).flat_map_iter(of_one).collect());
        run.proceed()?;
        adjust_unchanging(&mut edges);
        if own_lags.iter().any(|own| !own.is_empty()) {
            preparation.own_lags = vec![Vec::new(); d];
            for (equation, own) in equations.iter().zip(own_lags) {
                preparation.own_lags[units.before[equation.to]] = own;
            }
        }
        let (names, times) = (labels.names.to_vec(), labels.times.clone());
        let graph = DynamicGraph::new(names, times, lag, basis, edges)?;
        let graph = graph.with_preparation(preparation);
        match ranking {
            Some(ranking) => graph.with_ranking(ranking),
            None => Ok(graph),
        }
    }
}

/// Tests the equations and leaves out what fails; how many functions weights have, and how many edges there
/// were.
fn tested(
    method: &Ordered,
    fitted: &Fitted,
    equations: &mut [Equation],
) -> Result<(usize, Counts)> {
    let mut data = fitted.data();
    let orders = own_orders(data.columns);
    data.know_partial_rows(equations, Some(&orders));
    settle(&data, equations, &orders)?;
    let remembers = equations.iter().any(|equation| equation.own > data.columns.lag());
    let free = method.movement.family() == Family::Legendre && method.basis_size.value().is_none();
    if free && remembers {
        let fewer = functions(&data, equations);
        if fewer < data.functions {
            data.functions = fewer;
            settle(&data, equations, &orders)?;
        }
    }
    let counts = list(&data, equations, method.alpha)?;
    Ok((data.functions, counts))
}

/// The weights of all equations, with working models where they are known.
fn estimated(
    data: &Data<'_>,
    equations: &[Equation],
    moving: Vec<Option<Moving>>,
    manner: Manner<'_>,
) -> Result<Vec<Estimated>> {
    let one = |(at, moving): (usize, Option<Moving>)| {
        data.cancel.proceed()?;
        Ok((at, weights(data, &equations[at], moving, manner)))
    };
    // Those with most causes take longest by far: with them last, one thread would work alone.
    let mut turns: Vec<(usize, Option<Moving>)> = moving.into_iter().enumerate().collect();
    turns.sort_by_key(|(at, _)| std::cmp::Reverse(equations[*at].selected.len()));
    let done: Result<Vec<(usize, Estimated)>> =
        turns.into_par_iter().with_max_len(1).map(one).collect();
    let mut done = done?;
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, estimated)| estimated).collect())
}

/// What the search selected, as equations to be tested.
fn equations(fitted: &Fitted, given: &Given) -> Vec<Equation> {
    let fits = fitted.learned.fits.par_iter().enumerate();
    fits.map(|(to, fit)| equation(&fitted.score, to, fit, &given.knowledge)).collect()
}

/// What structure may direct edges by: a lagged parent makes a collider of every edge that meets it,
/// so that one which is there by chance would direct them all. Only those far beyond chance count.
fn directing(equation: &Equation, variables: usize) -> Vec<usize> {
    let sure = |(column, test): &(&usize, &(f64, f64))| **column < variables || test.1 < SURE;
    equation.selected.iter().zip(&equation.tests).filter(sure).map(|(c, _)| *c).collect()
}
