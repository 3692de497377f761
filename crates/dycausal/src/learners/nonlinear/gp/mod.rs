//! Effects of any shape, products of causes among them, that stay.

mod causes;
mod effects;

use std::collections::HashMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::causes::{Chosen, chosen};
use self::effects::Told;
use super::super::parameters::{ALPHA, BREAKS, Common, LAG, LEVEL, MISSING, SEASON};
use super::Additive;
use super::data::{self, Sorted};
use super::ranking::ranking;
use super::series_weights::SeriesWeights;
use crate::basis::{Basis, Shape};
use crate::design::{Columns, Missing, own_orders};
use crate::error::Result;
use crate::graph::{DynamicGraph, Edge, Trajectory};
use crate::knowledge::Knowledge;
use crate::listing::{
    Candidate, Direction, Searched, counts, decided, warn_of_open, warn_of_untested,
};
use crate::method::{Described, Discover, Parameter, Scope};
use crate::panel::Panel;
use crate::run::facts::{Counts, FunctionsOfEffects};
use crate::run::memory::bytes;
use crate::run::{Auto, PanelShape, Run};
use crate::scores::LocalScore;
use crate::scores::gp::{Covariance, Posterior, ProcessScore, Rows, Task};
use crate::search::{self, Start};

/// Functions of each cause that the lag is chosen with.
const FUNCTIONS: usize = 7;
/// Rows that the additive model is searched with, about: as many as processes see in the end. With more, whatever it
/// gets wrong of the functions would be significant, and every column a candidate.
const SEARCHED: f64 = 3_300.0;

type Given = search::Given<<ProcessScore as LocalScore>::Scratch>;

/// Learns an order of the variables, and causes whose effects have any shape.
///
/// x_i = f_i(causes) + noise with a function that a Gaussian process describes: nothing is said of its shape,
/// and causes may multiply. For each variable the evidence chooses among an additive model and several
/// families of covariances, and which inputs matter. Effects stay the same over time.
///
/// What a process loses without an input is compared with χ² of one degree of freedom: it has no coefficients
/// that a robust test could ask. Variables that the additive model explains are tested as in [`Additive`].
/// Levels and scales of series are not taken out; a warning says so where there are any.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | `auto` | longest lag | 0 or more, or `auto`: by score |
/// | `covariance` | `auto` | how functions may bend | `auto`, `additive`, `sums`, `arcsine`, `smooth`, `rough`, `linear_and_smooth` |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0; 1 lists what evidence selects |
/// | `season` | `auto` | steps after which a pattern repeats that is taken out | 3 or more, `none`, or `auto` |
/// | `breaks` | true | whether jumps of the mean are looked for and taken out | true, false |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `level` | 0.95 | how often a band of an effect holds it | between 0 and 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaussianProcess {
    /// Longest lag.
    pub lag: Auto<usize>,
    /// How functions may bend.
    pub covariance: Bends,
    /// False discovery rate of the edges that are listed; 1 lists what evidence selects.
    pub alpha: f64,
    /// Steps after which a pattern repeats that is taken out.
    pub season: Auto<usize>,
    /// Whether jumps of the mean are looked for and taken out.
    pub breaks: bool,
    /// What is done about missing cells.
    pub missing: Missing,
    /// How often a band of an effect holds it.
    pub level: f64,
}

/// Which functions come into question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bends {
    /// Whatever the evidence chooses.
    #[default]
    Auto,
    /// Sums of splines alone.
    Additive,
    /// Sums of functions of one input each, and of pairs.
    Sums,
    /// Networks of sigmoids without end.
    Arcsine,
    /// Smooth functions of all inputs together.
    Smooth,
    /// Rougher ones.
    Rough,
    /// A plane with dents.
    LinearAndSmooth,
}

impl Bends {
    /// The families that are tried beside the additive model.
    fn families(self) -> Vec<Covariance> {
        match self {
            Self::Auto => Covariance::ALL.to_vec(),
            Self::Additive => Vec::new(),
            Self::Sums => vec![Covariance::Sums],
            Self::Arcsine => vec![Covariance::Arcsine],
            Self::Smooth => vec![Covariance::Smooth],
            Self::Rough => vec![Covariance::Rough],
            Self::LinearAndSmooth => vec![Covariance::LinearAndSmooth],
        }
    }
}

impl Default for GaussianProcess {
    fn default() -> Self {
        Self {
            lag: Auto::Auto,
            covariance: Bends::Auto,
            alpha: 0.05,
            season: Auto::Auto,
            breaks: true,
            missing: Missing::Fill,
            level: 0.95,
        }
    }
}

impl Described for GaussianProcess {
    const VERSION: u32 = 4;
    const SUMMARY: &'static str =
        "effects of any shape, by Gaussian processes on the same order search";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        LAG,
        Parameter {
            name: "covariance",
            purpose: "how functions may bend",
            range: "auto, additive, sums, arcsine, smooth, rough or linear_and_smooth",
        },
        ALPHA,
        SEASON,
        BREAKS,
        MISSING,
        LEVEL,
    ];
}

impl Discover for GaussianProcess {
    fn name(&self) -> &'static str {
        "gp"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: false,
            inference: true,
            missing: true,
            knowledge: true,
            periods: false,
        }
    }

    fn missing(&self) -> Missing {
        self.missing
    }

    fn lag(&self) -> usize {
        self.lag.value().unwrap_or(1)
    }

    fn longest_lag(&self) -> Option<usize> {
        self.lag.value()
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        let columns = shape.columns(self.lag());
        let rows = shape.values() / shape.variables.max(1) as f64;
        let processes = 8.0 * 4.0 * rows.min(1_100.0).powi(2) * (8.0 + columns.min(40.0));
        self.simple().memory(shape) + bytes(processes)
    }

    fn check(&self) -> Result<()> {
        self.common().check()
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        self.learned(panel, None, run)
    }
}

impl From<Common> for GaussianProcess {
    fn from(Common { lag, alpha, season, breaks, missing, level }: Common) -> Self {
        Self { lag, alpha, season, breaks, missing, level, ..Self::default() }
    }
}

impl GaussianProcess {
    fn common(&self) -> Common {
        let Self { lag, alpha, season, breaks, missing, level, .. } = *self;
        Common { lag, alpha, season, breaks, missing, level }
    }

    /// The model that processes compete with.
    fn simple(&self) -> Additive {
        Additive { lag: self.lag, basis_size: Auto::Value(1), ..Additive::default() }
    }

    /// What is learned where the order of the variables is known, causes first: only edges and effects are sought.
    ///
    /// # Errors
    /// As [`Discover::learn`].
    pub fn learn_in_order(
        &self,
        order: &[usize],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        self.learned(panel, Some(order), run)
    }

    /// What is learned, in an order of the variables where one is known.
    fn learned(
        &self,
        panel: &Panel,
        order: Option<&[usize]>,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let sorted = data::sorted(panel, self.common(), FUNCTIONS, run)?;
        let preparation = sorted.preparation.clone();
        let graph = self.fitted(panel, sorted, order, run)?;
        Ok(graph.with_preparation(preparation))
    }

    fn fitted(
        &self,
        panel: &Panel,
        Sorted { columns, before, .. }: Sorted,
        order: Option<&[usize]>,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let means: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let centres: Vec<f64> = before.iter().map(|v| means[*v]).collect();
        let (before, centres) = (&before[..], &centres[..]);
        let steps = columns.all_steps();
        let given = Given::new(run.knowledge().renumbered(before));
        let basis = Basis::new(Shape::Constant, steps, columns.lag())?;
        let allowed = self.covariance.families();
        let some = thinned(&columns);
        let simple = self.simple().searched(some.as_ref().unwrap_or(&columns), &given, run)?;
        if let Some(weights) =
            run.parallel(|| SeriesWeights::of(&simple.score, &simple.learned.fits))
        {
            run.warn(format!("{}, but not in functions of any shape, which may take it for an effect; `ordered` and `additive` account for it", weights.words()));
        }
        run.stage("candidates", None);
        let mut score = run.parallel(|| {
            let rows = Rows::of(&columns, centres, data::means_move(&columns, run), run.cancel());
            ProcessScore::new(simple.score, rows, &allowed, &given.knowledge)
        })?;
        let learned = if let Some(order) = order {
            run.stage("regressions", None);
            let known: Vec<usize> =
                order.iter().filter_map(|v| before.iter().position(|b| b == v)).collect();
            search::learn(&score, Start::Known(&known), &given, run)?
        } else {
            run.stage("order", None);
            search::learn(&score, Start::Near(&simple.learned.state.order), &given, run)?
        };
        run.stage("causes", None);
        if some.is_some() {
            let all = || self.simple().score(simple.functions, &columns, run);
            score.additive = run.parallel(all)?.1;
        }
        let exact = score.rows.exact();
        let position = &learned.state.position;
        let choose = |(target, fit): (usize, &<ProcessScore as LocalScore>::Regression)| {
            score.proceed()?;
            let (inputs, others) = inputs_of(&score, target, fit, position, &given.knowledge);
            let required = given.knowledge.required_columns(target);
            Ok(chosen(&score, target, (&inputs, others), &required, (&exact, &allowed)))
        };
        let fits = learned.fits.par_iter().enumerate();
        let chosen: Vec<Chosen> = run.parallel(|| fits.map(choose).collect::<Result<_>>())?;
        run.proceed()?;
        let d = score.variables();
        run.stage("tests", None);
        let causes = run.parallel(|| candidates(&score, &chosen, &learned.turns, &given.knowledge));
        run.proceed()?;
        let mut listed = decided(&causes, Searched::in_order(d, score.additive.columns.lag()));
        listed.retain(|decision| decision.is_listed(self.alpha));
        run.stage("effects", None);
        let of_target = |to: usize| -> Vec<Edge> {
            let mut told = Told {
                score: &score,
                chosen: &chosen[to],
                posterior: chosen[to].process.as_ref().and_then(|fit| {
                    Posterior::of(Task { rows: &score.rows, sets: &exact, target: to }, fit)
                }),
                centres,
                level: self.level,
            };
            let mut edges = Vec::new();
            for decision in listed.iter().filter(|decision| decision.candidate.to == to) {
                let cause = &decision.candidate;
                let (effect, weight) = told.effect(to, cause.lag * d + cause.from);
                let (from, to) = (before[cause.from], before[to]);
                let mut edge = Edge::new(from, to, cause.lag, Trajectory::Constant(weight), steps);
                edge.effect = Some(effect);
                decision.describe(&mut edge);
                edges.push(edge);
            }
            edges
        };
        let edges: Vec<Edge> =
            run.parallel(|| (0..d).into_par_iter().flat_map_iter(of_target).collect());
        let found = Counts { listed: edges.len(), ..counts(&causes) };
        warn_of_untested(found, run);
        let facts = run.facts_mut();
        facts.edges = Some(found);
        facts.functions = Some(FunctionsOfEffects::Words(words(&chosen, before, panel.names())));
        warn_of_open(edges.iter().filter(|edge| !edge.mark.is_directed()).count(), run);
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let lag = score.additive.columns.lag();
        let graph = DynamicGraph::new(names, times, lag, basis, edges)?;
        let known = (&given.knowledge, before);
        match ranking(&score.additive, position, &causes, known, run)? {
            Some(ranking) => graph.with_ranking(ranking),
            None => Ok(graph),
        }
    }
}

/// The causes of every variable, tested.
fn candidates(
    score: &ProcessScore,
    chosen: &[Chosen],
    turns: &[((usize, usize), f64)],
    knowledge: &Knowledge,
) -> Vec<Candidate> {
    let d = score.variables();
    let orders = own_orders(&score.additive.columns);
    let worse: HashMap<(usize, usize), f64> = turns.iter().copied().collect();
    let of_one = |(to, chosen): (usize, &Chosen)| -> Vec<Candidate> {
        let required = knowledge.required_columns(to);
        let candidate = |((column, statistic), p): (&(usize, f64), Option<f64>)| Candidate {
            to,
            from: column % d,
            lag: column / d,
            p,
            statistic: Some(*statistic),
            required: required.contains(column),
            direction: worse.get(&(*column, to)).map(|worse| Direction::of(*worse)),
        };
        let p_values = chosen.p_values(score, to, orders[to]);
        chosen.causes.iter().zip(p_values).map(candidate).collect()
    };
    chosen.par_iter().enumerate().flat_map_iter(of_one).collect()
}

/// Columns of which only some rows count, evenly spread over series and steps, where there are many.
fn thinned(columns: &Columns) -> Option<Columns> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a small count
    let stride = (columns.rows() / SEARCHED).ceil() as usize;
    let taken = |n: usize, t: usize| f64::from(u8::from((n + t).is_multiple_of(stride)));
    (stride > 1).then(|| columns.reweighted(taken))
}

/// Columns that may be causes of a variable in an order, and those of which few rows had nothing to say.
fn inputs_of(
    score: &ProcessScore,
    target: usize,
    fit: &<ProcessScore as LocalScore>::Regression,
    position: &[usize],
    knowledge: &Knowledge,
) -> (Vec<usize>, Vec<usize>) {
    let d = score.variables();
    let may = |c: usize| {
        (c >= d || position[c] < position[target]) && knowledge.allows_column(c, target, d)
    };
    let mut inputs = fit.selected.clone();
    inputs.extend(&fit.additive.selected);
    if score.families[target].is_none() {
        inputs.extend(&score.candidates[target]);
    }
    inputs.extend(knowledge.required_columns(target).iter().filter(|c| **c < score.columns()));
    inputs.sort_unstable();
    inputs.dedup();
    inputs.retain(|c| may(*c));
    let others = (0..score.columns()).filter(|c| may(*c) && !inputs.contains(c)).collect();
    (inputs, others)
}

/// Which function each variable has, in words.
fn words(chosen: &[Chosen], before: &[usize], names: &[String]) -> Vec<String> {
    let mut out: Vec<(usize, String)> = chosen
        .iter()
        .enumerate()
        .filter(|(_, chosen)| !chosen.causes.is_empty())
        .map(|(v, chosen)| {
            let what = chosen.process.as_ref().map_or("additive", |fit| fit.family.word());
            (before[v], format!("{}: {what}", names[before[v]]))
        })
        .collect();
    out.sort();
    out.into_iter().map(|(_, words)| words).collect()
}
