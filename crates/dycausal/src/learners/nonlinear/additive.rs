//! Effects that bend, add up, and may move in time.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::parameters::{ALPHA, BREAKS, LAG, LEVEL, MISSING, NON_GAUSSIAN, SEASON};
use super::curves::Curves;
use super::data::{Sorted, sorted};
use super::edges::{Cause, tests};
use super::ranking::ranking;
use crate::basis::{Basis, Family};
use crate::design::{Columns, Missing};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge};
use crate::method::{Described, Discover, Parameter, Scope};
use crate::moments::TimeBasis;
use crate::panel::Panel;
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

/// What is known of the graph, and memory for the search.
type Given = search::Given<<AdditiveScore as LocalScore>::Scratch>;

/// Learns an order of the variables, and causes whose effects bend.
///
/// x_i(t) = Σ_j f_ij(x_j, t) + noise: every effect is a spline of the cause whose coefficients may move
/// along a basis in time. Given an order each variable is a regression on groups of features; under the
/// right order few groups do, and the noise is of one size. No change of units touches the score
///
/// Σ_i n log s²_i + (g + √(2g) ln n) · |parents_i|, g the functions of a group.
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
        super::check(self.alpha, self.level, self.season)?;
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
        let choices = (self.season, self.breaks, self.missing);
        let lag = (self.lag, self.first_functions());
        let Sorted { preparation, columns, before } = sorted(panel, lag, choices, run)?;
        let columns = columns.by_information();
        let given = Given::new(run.knowledge().renumbered(&before));
        let found = self.searched(&columns, &given, run)?;
        let graph = self.graph(panel, &found, &before, &given, run)?;
        Ok(graph.with_preparation(preparation))
    }
}

/// How many functions an effect is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

impl Additive {
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

    fn graph(
        &self,
        panel: &Panel,
        found: &Found,
        before: &[usize],
        given: &Given,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let Found { basis, score, learned, functions } = found;
        let reversals: HashMap<(usize, usize), f64> = learned.turns.iter().copied().collect();
        let (d, rows) = (score.variables(), score.columns.rows());
        let mut causes = Vec::new();
        for (to, fit) in learned.fits.iter().enumerate() {
            let required = given.knowledge.required_columns(to);
            for (at, column) in fit.selected.iter().enumerate() {
                let (from, lag) = (column % d, column / d);
                let used: usize = fit.coefficients.len();
                let scale = (rows - used as f64).max(1.0) / rows;
                causes.push(Cause {
                    to,
                    from,
                    lag,
                    statistic: scale * rows * (fit.weights[at] / fit.variance.max(1e-15)).ln_1p(),
                    freedom: score.features.groups[*column].len() as f64,
                    required: required.contains(column),
                    reversal: (lag == 0).then(|| reversals.get(&(from, to)).copied()).flatten(),
                });
            }
        }
        let tested = tests(&causes, d, score.columns.lag());
        run.stage("effects", None);
        let means: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let centres: Vec<f64> = before.iter().map(|v| means[*v]).collect();
        let curves = Curves { score, level: self.level, centres: &centres };
        let one = |(cause, test): (&Cause, &(f64, f64))| {
            let column = cause.lag * d + cause.from;
            let told = curves.of(cause.to, column, &learned.fits[cause.to]);
            let trajectory = told.trajectory;
            let steps = panel.steps();
            let mut edge =
                Edge::new(before[cause.from], before[cause.to], cause.lag, trajectory, steps);
            edge.effect = Some(told.effect);
            cause.describe(&mut edge, *test);
            edge
        };
        let listed = |(cause, test): &(&Cause, &(f64, f64))| cause.required || test.1 <= self.alpha;
        let pairs: Vec<_> = causes.iter().zip(&tested).filter(listed).collect();
        let edges: Vec<Edge> = run.parallel(|| pairs.into_par_iter().map(one).collect());
        run.tell("edges", serde_json::json!({ "selected": causes.len(), "tested": causes.len(), "listed": edges.len() }));
        run.tell("functions", functions);
        let open = edges.iter().filter(|edge| edge.mark != crate::graph::Mark::Directed).count();
        super::warn_of_open(open, run);
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let graph = DynamicGraph::new(names, times, score.columns.lag(), basis.clone(), edges)?;
        let known = (&given.knowledge, before);
        match ranking(score, &learned.state.position, &causes, known, run)? {
            Some(ranking) => graph.with_ranking(ranking),
            None => Ok(graph),
        }
    }
}
