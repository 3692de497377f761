//! Effects that bend, add up, and may move in time.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::parameters::{ALPHA, BREAKS, Common, LAG, LEVEL, MISSING, NON_GAUSSIAN, SEASON};
use super::curves::Curves;
use super::data::{Sorted, sorted};
use super::explained::{Explained, Given};
use super::ranking::ranking;
use super::series_weights::SeriesWeights;
use crate::basis::{Basis, Family};
use crate::design::{Columns, Missing};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge};
use crate::listing::{Candidate, Decision, Searched, settled, warn_of_open, warn_of_untested};
use crate::method::{Described, Discover, Parameter, Scope};
use crate::moments::TimeBasis;
use crate::panel::Panel;
use crate::run::facts::FunctionsOfEffects;
use crate::run::memory::bytes;
use crate::run::{Auto, PanelShape, Run};
use crate::scores::LocalScore;
use crate::scores::additive::{AdditiveScore, Fit, Scratch};
use crate::search::{self, Start};

/// Sizes of the basis that are searched with, where the size is free.
const SIZES: [usize; 2] = [1, 4];
/// Sizes that are tried with the causes that were found.
const NEAR: [usize; 6] = [1, 2, 3, 4, 6, 8];
/// Functions of each cause that are searched with, where their number is free.
const FUNCTIONS: usize = 6;
/// Numbers of functions that are tried with the causes that were found.
const BENDS: [usize; 5] = [3, 4, 6, 9, 13];

/// Learns an order of the variables, and causes whose effects bend.
///
/// x_i(t) = Σ_j f_ij(x_j, t) + noise: every effect is a spline of the cause whose coefficients may move
/// along a basis in time. Given an order each variable is a regression on groups of features; under the
/// right order few groups do, and the noise is of one size. No change of units touches the score
///
/// Σ_i n log s²_i + (g + √(2g) ln n) · |parents_i|, g the functions of a group.
///
/// Selected causes are listed where they stand up to Wald's test of all their coefficients with a covariance
/// that holds whatever the variance of the noise, and to the likelihood ratio, beside the variable's own past
/// also beyond `lag`. Rows of
/// series whose noise differs in scale count by one over its variance. Levels of series stay (a warning says
/// so where they are far apart), for a function bends where it bends; and there is no second look at effects
/// that move so fast around nothing that the functions of time do not see them.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | `auto` | longest lag | 0 or more, or `auto`: by score |
/// | `functions` | `auto` | functions of each cause | 1 to 20, 1 is a straight line; or `auto`: by score |
/// | `basis_size` | `auto` | functions of time; 1 for effects that stay | 1 to 16, or `auto`: by score |
/// | `non_gaussian` | true | whether the shape of the noise counts | true, false |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0; 1 lists what the score selects |
/// | `season` | `auto` | steps after which a pattern repeats that is taken out | 3 or more, `none`, or `auto` |
/// | `breaks` | true | whether jumps of the mean are looked for and taken out | true, false |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `level` | 0.95 | how often a band of an effect holds it | between 0 and 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Additive {
    /// Longest lag.
    pub lag: Auto<usize>,
    /// Functions of each cause.
    pub functions: Auto<usize>,
    /// Functions of time.
    pub basis_size: Auto<usize>,
    /// Whether the shape of the noise counts.
    pub non_gaussian: bool,
    /// False discovery rate of the edges that are listed; 1 lists what the score selects.
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

impl Default for Additive {
    fn default() -> Self {
        Self {
            lag: Auto::Auto,
            functions: Auto::Auto,
            basis_size: Auto::Auto,
            non_gaussian: true,
            alpha: 0.05,
            season: Auto::Auto,
            breaks: true,
            missing: Missing::Fill,
            level: 0.95,
        }
    }
}

impl Described for Additive {
    const VERSION: u32 = 2;
    const SUMMARY: &'static str =
        "effects that bend, add up and move in time, on the same order search";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        LAG,
        Parameter {
            name: "functions",
            purpose: "functions of each cause",
            range: "1 to 20, 1 is a straight line; or auto: by score",
        },
        Parameter {
            name: "basis_size",
            purpose: "functions of time; 1 for effects that stay",
            range: "1 to 16, or auto: by score",
        },
        NON_GAUSSIAN,
        ALPHA,
        SEASON,
        BREAKS,
        MISSING,
        LEVEL,
    ];
}

impl Discover for Additive {
    fn name(&self) -> &'static str {
        "additive"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: true,
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
        let times = self.basis_size.value().unwrap_or(SIZES[1]) as f64;
        let features = shape.columns(self.lag()) * self.first_functions() as f64 * times;
        bytes(
            8.0 * (3.0 * shape.values() / shape.variables.max(1) as f64 + 3.0 * features)
                * features,
        )
    }

    fn check(&self) -> Result<()> {
        self.common().check()?;
        if let Some(functions) = self.functions.value().filter(|f| !(1..=20).contains(f)) {
            return Err(Error::parameter("functions", functions, "1 to 20, or auto"));
        }
        match self.basis_size.value() {
            Some(size) if !(1..=16).contains(&size) => {
                Err(Error::parameter("basis_size", size, "1 to 16, or auto"))
            }
            _ => Ok(()),
        }
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let Sorted { mut preparation, columns, before } =
            sorted(panel, self.common(), self.first_functions(), run)?;
        let columns = columns.by_information();
        let given = Given::new(run.knowledge().renumbered(&before));
        let mut found = self.searched(&columns, &given, run)?;
        run.stage("series effects", None);
        let weights = run.parallel(|| SeriesWeights::of(&found.score, &found.learned.fits));
        if let Some(weights) = weights {
            found = self.searched(&weights.weigh(&columns), &given, run)?;
            run.facts_mut().taken_out.get_or_insert_default().push(weights.words());
        }
        let (graph, own_lags) = self.graph(panel, &found, &before, &given, run)?;
        if own_lags.iter().any(|own| !own.is_empty()) {
            preparation.own_lags = own_lags;
        }
        Ok(graph.with_preparation(preparation))
    }
}

/// How many functions an effect is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Functions {
    /// Of the cause.
    pub of_cause: usize,
    /// Of time.
    pub of_time: usize,
}

/// What was learned with some functions.
pub(super) struct Found {
    /// How many functions.
    pub functions: Functions,
    /// How effects move.
    pub basis: Basis,
    /// The data.
    pub score: AdditiveScore,
    /// Order and regressions.
    pub learned: search::Learned<AdditiveScore>,
}

impl From<Common> for Additive {
    fn from(Common { lag, alpha, season, breaks, missing, level }: Common) -> Self {
        Self { lag, alpha, season, breaks, missing, level, ..Self::default() }
    }
}

impl Additive {
    fn common(&self) -> Common {
        let Self { lag, alpha, season, breaks, missing, level, .. } = *self;
        Common { lag, alpha, season, breaks, missing, level }
    }

    /// Functions of each cause that the search begins with.
    fn first_functions(&self) -> usize {
        self.functions.value().unwrap_or(FUNCTIONS)
    }

    /// Searches with the sizes that come into question, and takes the one with the least score.
    pub(super) fn searched(
        &self,
        columns: &Columns,
        given: &Given,
        run: &mut Run,
    ) -> Result<Found> {
        let functions = self.first_functions();
        let sizes = self.basis_size.value().map_or(SIZES.to_vec(), |size| vec![size]);
        let free = sizes.len() > 1;
        let mut best: Option<Found> = None;
        for size in sizes {
            let enough = columns.rows() >= 40.0 * (size * functions) as f64;
            if free && size > 1 && !(enough && columns.steps() >= 4 * size) {
                continue;
            }
            let model = Functions { of_cause: functions, of_time: size };
            let found = self.with_functions(model, columns, Start::Anywhere, given, run)?;
            let total = found.learned.state.total();
            if best.as_ref().is_none_or(|best| total < best.learned.state.total()) {
                best = Some(found);
            }
        }
        let Some(found) = best else {
            return Err(Error::numerical("additive", "no size of basis fits the data"));
        };
        let better = self.preferred(&found, columns, run)?;
        if better == found.functions {
            return Ok(found);
        }
        let start = Start::Near(&found.learned.state.order);
        let near = self.with_functions(better, columns, start, given, run)?;
        let pays = near.learned.state.total() < found.learned.state.total();
        Ok(if pays { near } else { found })
    }

    /// The score with so many functions.
    pub(super) fn score(
        &self,
        functions: Functions,
        columns: &Columns,
        run: &Run,
    ) -> Result<(Basis, AdditiveScore)> {
        let Functions { of_cause, of_time } = functions;
        let basis = Family::Legendre.basis(of_time, columns.all_steps(), columns.lag())?;
        let inner = TimeBasis::new(&basis, columns)?;
        let features = (columns.size() * of_cause * inner.size()) as f64;
        let needed = 8.0 * features * (2.0 * columns.rows() + 3.0 * features);
        let what = format!("{features} features of {} columns", columns.size());
        run.afford(&what, bytes(needed), "leave variables out, or set fewer `functions`")?;
        let (columns, cancel) = (columns.clone(), run.cancel());
        let score = AdditiveScore::new(columns, inner, of_cause, self.non_gaussian, cancel);
        Ok((basis, score))
    }

    fn with_functions(
        &self,
        functions: Functions,
        columns: &Columns,
        start: Start<'_>,
        given: &Given,
        run: &mut Run,
    ) -> Result<Found> {
        run.stage("moments", None);
        let (basis, score) = run.parallel(|| self.score(functions, columns, run))?;
        run.stage("order", None);
        let learned = search::learn(&score, start, given, run)?;
        Ok(Found { functions, basis, score, learned })
    }

    /// The functions that do best with the causes as they are: first of time, then of causes.
    fn preferred(&self, found: &Found, columns: &Columns, run: &mut Run) -> Result<Functions> {
        run.stage("functions", None);
        let mut best = found.functions;
        let enough = |f: Functions| columns.rows() >= 40.0 * (f.of_cause * f.of_time) as f64;
        if self.basis_size.value().is_none() {
            let steps = columns.steps().max(4);
            let sizes = NEAR.into_iter().filter(|size| 4 * size <= steps);
            let tried = sizes.map(|of_time| Functions { of_time, ..best });
            best = self.least(found, tried.filter(|f| enough(*f)), columns, run)?.unwrap_or(best);
        }
        if self.functions.value().is_none() {
            let tried = BENDS.into_iter().map(|of_cause| Functions { of_cause, ..best });
            best = self.least(found, tried.filter(|f| enough(*f)), columns, run)?.unwrap_or(best);
        }
        Ok(best)
    }

    /// The one of several with the least total score.
    fn least(
        &self,
        found: &Found,
        tried: impl Iterator<Item = Functions>,
        columns: &Columns,
        run: &Run,
    ) -> Result<Option<Functions>> {
        let mut best: Option<(Functions, f64)> = None;
        for functions in tried {
            run.proceed()?;
            let (_, score) = run.parallel(|| self.score(functions, columns, run))?;
            let one = |(target, fit): (usize, &Fit)| {
                let fit = score.fit(target, &fit.selected, &mut Scratch::default());
                columns.rows() * fit.variance.max(1e-15).ln() + score.cost_of(&fit)
            };
            let fits = found.learned.fits.par_iter().enumerate();
            let scores: Vec<f64> = run.parallel(|| fits.map(one).collect());
            let total = scores.iter().sum();
            if best.is_none_or(|(_, least)| total < least) {
                best = Some((functions, total));
            }
        }
        Ok(best.map(|(functions, _)| functions))
    }

    /// What the search selected, tested, with the curves of what is listed; and the weights of own lags that
    /// are no edges.
    fn graph(
        &self,
        panel: &Panel,
        found: &Found,
        before: &[usize],
        given: &Given,
        run: &mut Run,
    ) -> Result<(DynamicGraph, Vec<Vec<f64>>)> {
        let Found { basis, score, learned, functions } = found;
        let (d, lag, steps) = (score.variables(), score.columns.lag(), panel.steps());
        run.stage("tests", None);
        let mut explained = run.parallel(|| Explained::all(score, learned, given));
        let causes: Vec<Candidate> =
            explained.iter().flat_map(|one| one.candidates(score)).collect();
        let test = |one: &Explained| {
            score.proceed()?;
            Ok(one.tested(score))
        };
        let leave = |one: &mut Explained, kept: &[Decision]| one.keep(score, kept);
        let rule = (Searched::in_order(d, lag), self.alpha);
        let (decisions, counts) = run.parallel(|| settled(&mut explained, rule, test, leave))?;
        run.stage("effects", None);
        let means: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let centres: Vec<f64> = before.iter().map(|v| means[*v]).collect();
        let curves = Curves { score, level: self.level, centres: &centres };
        let one = |decision: &Decision| {
            let Candidate { from, to, lag, .. } = decision.candidate;
            let told = curves.of(to, lag * d + from, &explained[to].fit);
            let mut edge = Edge::new(before[from], before[to], lag, told.trajectory, steps);
            edge.effect = Some(told.effect);
            decision.describe(&mut edge);
            edge
        };
        let listed = decisions.par_iter().flatten();
        let edges: Vec<Edge> = run.parallel(|| listed.map(one).collect());
        let mut own_lags = vec![Vec::new(); d];
        for one in &explained {
            own_lags[before[one.to]] = one.own_weights(score);
        }
        let facts = run.facts_mut();
        facts.edges = Some(counts);
        let Functions { of_cause, of_time } = *functions;
        facts.functions = Some(FunctionsOfEffects::OfCauses { of_cause, of_time });
        warn_of_untested(counts, run);
        warn_of_open(edges.iter().filter(|edge| !edge.mark.is_directed()).count(), run);
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let graph = DynamicGraph::new(names, times, lag, basis.clone(), edges)?;
        let known = (&given.knowledge, before);
        let graph = match ranking(score, &learned.state.position, &causes, known, run)? {
            Some(ranking) => graph.with_ranking(ranking)?,
            None => graph,
        };
        Ok((graph, own_lags))
    }
}
