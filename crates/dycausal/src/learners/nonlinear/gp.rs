//! Effects of any shape, products of causes among them, that stay.

use std::collections::HashMap;

use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::curves::{Curves, evenly};
use super::edges::{Cause, tests};
use super::ranking::ranking;
use super::{data, lag};
use crate::basis::{Basis, Shape};
use crate::design::{Columns, Missing};
use crate::error::Result;
use crate::graph::{DynamicGraph, Edge, Effect, EffectCurve, Mark, Trajectory};
use crate::inference::pointwise;
use crate::method::memory::bytes;
use crate::method::{Auto, Described, Discover, PanelShape, Parameter, Run, Scope};
use crate::moments::TimeBasis;
use crate::panel::Panel;
use crate::scores::LocalScore;
use crate::scores::additive::{AdditiveScore, Fit, Scratch};
use crate::scores::gp::{Covariance, Posterior, ProcessFit, ProcessScore, Rows, Sets, Task};
use crate::search::{self, Start};

/// Functions of each cause in the additive model that processes compete with.
const FUNCTIONS: usize = 7;
/// Evidence that an edge has to be worth.
const WORTH: f64 = 5.0;
/// Evidence below which a fit without the edge is made before it is kept.
const DOUBTFUL: f64 = 15.0;
/// Iterations with all rows, and after inputs were dropped.
const EXACT: (usize, usize) = (5, 4);
/// Values of the cause at which an effect is told.
const VALUES: usize = 21;
/// Standard deviations by which means of steps have to exceed chance for each step to have its own.
const MOVING_MEANS: f64 = 8.0;
/// Share of the variance that means of steps have to explain beyond chance for that: every step that has its
/// own takes a row of each set, and small ones do little harm.
const LARGE_SHARE: f64 = 0.3;
/// Ways in which series are shifted to learn what is chance.
const SHIFTS: usize = 40;

type Given = search::Given<<ProcessScore as LocalScore>::Scratch>;

/// Learns an order of the variables, and causes whose effects have any shape.
///
/// x_i = f_i(causes) + noise with a function that a Gaussian process describes: nothing is said of its shape,
/// and causes may multiply. For each variable the evidence chooses among an additive model and several
/// families of covariances, and which inputs matter. Effects stay the same over time.
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
    const SUMMARY: &'static str =
        "effects of any shape, by Gaussian processes on the same order search";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "0 or more, or auto: by score" },
        Parameter {
            name: "covariance",
            purpose: "how functions may bend",
            range: "auto, additive, sums, arcsine, smooth, rough or linear_and_smooth",
        },
        Parameter {
            name: "alpha",
            purpose: "false discovery rate of the edges that are listed",
            range: "above 0, at most 1; 1 lists what evidence selects",
        },
        Parameter {
            name: "season",
            purpose: "steps after which a pattern repeats that is taken out",
            range: "3 or more, none, or auto: by score and calendar",
        },
        Parameter {
            name: "breaks",
            purpose: "whether jumps of the mean are looked for and taken out",
            range: "true or false",
        },
        Parameter { name: "missing", purpose: Missing::PURPOSE, range: Missing::RANGE },
        Parameter {
            name: "level",
            purpose: "how often a band of an effect holds it",
            range: "between 0 and 1",
        },
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
        let features = columns * FUNCTIONS as f64;
        let rows = shape.values() / shape.variables.max(1) as f64;
        let processes = 8.0 * 4.0 * rows.min(1_100.0).powi(2) * (8.0 + columns.min(40.0));
        bytes(8.0 * features * (3.0 * rows + 3.0 * features) + processes)
    }

    fn check(&self) -> Result<()> {
        super::check(self.alpha, self.level, self.season)
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let (preparation, prepared) =
            data::prepared(panel, self.season, self.breaks, self.missing, run)?;
        let lag = match self.lag {
            Auto::Value(lag) => lag,
            Auto::Auto => {
                run.stage("lag", None);
                let curve = run.parallel(|| lag::choose(&prepared, FUNCTIONS, run))?;
                run.tell("lag", &curve);
                curve.chosen.max(run.knowledge().longest_lag())
            }
        };
        let (columns, before) = run.parallel(|| prepared.columns(lag).map(Columns::sorted))?;
        let means: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let centres: Vec<f64> = before.iter().map(|v| means[*v]).collect();
        let graph = self.fitted(panel, columns, &before, &centres, run)?;
        Ok(graph.with_preparation(preparation))
    }
}

/// What explains one variable in the end.
struct Chosen {
    /// The process, or nothing where the additive model does.
    process: Option<ProcessFit>,
    /// The additive model.
    additive: Fit,
    /// Columns with −2 log likelihood that is lost without each, and their coefficients.
    causes: Vec<(usize, f64, f64)>,
}

impl GaussianProcess {
    fn fitted(
        &self,
        panel: &Panel,
        columns: Columns,
        before: &[usize],
        centres: &[f64],
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        let steps = columns.all_steps();
        let given = Given::new(run.knowledge().renumbered(before));
        let basis = Basis::new(Shape::Constant, steps, columns.lag())?;
        let inner = TimeBasis::new(&basis, &columns)?;
        let features = (columns.size() * FUNCTIONS) as f64;
        let needed = 8.0 * features * (3.0 * columns.rows() + 3.0 * features);
        run.afford("splines of all columns", bytes(needed), "leave variables out")?;
        let allowed = self.covariance.families();
        run.stage("candidates", None);
        let score = run.parallel(|| {
            let rows = Rows::of(&columns, centres, means_move(&columns, run));
            let additive = AdditiveScore::new(columns, inner, FUNCTIONS, true, run.cancel());
            ProcessScore::new(additive, rows, &allowed, &given.knowledge)
        })?;
        run.stage("start", None);
        let simple = search::Given::new(given.knowledge.clone());
        let start = search::learn(&score.additive, Start::Anywhere, &simple, run)?;
        run.stage("order", None);
        let learned = search::learn(&score, Start::Near(&start.state.order), &given, run)?;
        run.stage("causes", None);
        let exact = score.rows.exact();
        let position = &learned.state.position;
        let choose = |(target, fit): (usize, &<ProcessScore as LocalScore>::Regression)| {
            score.proceed()?;
            let required = given.knowledge.required_columns(target);
            let mut inputs = fit.selected.clone();
            inputs.extend(&fit.additive.selected);
            inputs.extend(required.iter().filter(|c| **c < score.columns()));
            inputs.sort_unstable();
            inputs.dedup();
            let d = score.variables();
            inputs.retain(|c| *c >= d || position[*c] < position[target]);
            Ok(chosen(&score, target, &inputs, &required, (&exact, &allowed)))
        };
        let fits = learned.fits.par_iter().enumerate();
        let chosen: Vec<Chosen> = run.parallel(|| fits.map(choose).collect::<Result<_>>())?;
        let reversals: HashMap<(usize, usize), f64> = learned.turns.iter().copied().collect();
        let d = score.variables();
        let causes: Vec<Cause> = chosen
            .iter()
            .enumerate()
            .flat_map(|(to, chosen)| chosen.causes.iter().map(move |cause| (to, cause)))
            .map(|(to, (column, statistic, freedom))| Cause {
                to,
                from: column % d,
                lag: column / d,
                statistic: *statistic,
                freedom: *freedom,
                required: given.knowledge.required_columns(to).contains(column),
                reversal: (*column < d).then(|| reversals.get(&(*column, to)).copied()).flatten(),
            })
            .collect();
        let tested = tests(&causes, d, score.additive.columns.lag());
        run.stage("effects", None);
        let listed = |at: &usize| causes[*at].required || tested[*at].1 <= self.alpha;
        let shown: Vec<usize> = (0..causes.len()).filter(listed).collect();
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
            for at in shown.iter().filter(|at| causes[**at].to == to) {
                let cause = &causes[*at];
                let (effect, weight) = told.effect(to, cause.lag * d + cause.from);
                let (from, to) = (before[cause.from], before[to]);
                let mut edge = Edge::new(from, to, cause.lag, Trajectory::Constant(weight), steps);
                edge.effect = Some(effect);
                cause.describe(&mut edge, tested[*at]);
                edges.push(edge);
            }
            edges
        };
        let edges: Vec<Edge> =
            run.parallel(|| (0..d).into_par_iter().flat_map_iter(of_target).collect());
        let (selected, shown) = (causes.len(), edges.len());
        run.tell("edges", json!({ "selected": selected, "tested": selected, "listed": shown }));
        run.tell("functions", words(&chosen, before, panel.names()));
        super::warn_of_open(edges.iter().filter(|e| e.mark != Mark::Directed).count(), run);
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

/// What is told of the effects on one variable.
struct Told<'a> {
    score: &'a ProcessScore,
    chosen: &'a Chosen,
    posterior: Option<Posterior<'a>>,
    centres: &'a [f64],
    level: f64,
}

impl Told<'_> {
    /// The curve of an effect in the data's units, and how steep it is.
    fn effect(&mut self, to: usize, column: usize) -> (Effect, f64) {
        let additive = &self.score.additive;
        let (columns, d) = (&additive.columns, additive.variables());
        let (Some(fit), Some(posterior)) = (&self.chosen.process, &mut self.posterior) else {
            let curves = Curves { score: additive, level: self.level, centres: self.centres };
            let told = curves.of(to, column, &self.chosen.additive);
            let weight = match told.trajectory {
                Trajectory::Constant(weight) => weight,
                _ => 0.0,
            };
            return (told.effect, weight);
        };
        let at = fit.columns.iter().position(|c| *c == column).unwrap_or(0);
        let mut x: Vec<f64> = columns.column(column).to_vec();
        x.sort_unstable_by(f64::total_cmp);
        let values = evenly(&x, VALUES);
        let told = posterior.effect(at, &values);
        let (unit, scale) = (columns.scale()[to], columns.scale()[column % d]);
        let reach = pointwise(self.level, columns.rows());
        let side = |sign: f64| {
            let both = told.effect.iter().zip(&told.error);
            both.map(|(e, error)| unit * (e + sign * reach * error)).collect()
        };
        let curve = EffectCurve {
            step: columns.lag(),
            effect: side(0.0),
            low: side(-1.0),
            high: side(1.0),
        };
        let at = values.iter().map(|x| self.centres[column % d] + scale * x).collect();
        let effect = Effect { at, level: self.level, curves: vec![curve] };
        (effect, told.steepness * unit / scale)
    }
}

/// The model with the most evidence on these inputs, and the inputs that it asks for.
fn chosen(
    score: &ProcessScore,
    target: usize,
    inputs: &[usize],
    required: &[usize],
    (exact, allowed): (&Sets, &[Covariance]),
) -> Chosen {
    let simple = || {
        let among = |c: usize| inputs.contains(&c);
        score.additive.regress(target, among, required, &mut Scratch::default())
    };
    let additive = simple();
    let rows = score.additive.columns.rows();
    let plain = rows * additive.variance.max(1e-15).ln() + score.additive.cost_of(&additive);
    let task = Task { rows: &score.rows, sets: exact, target };
    let quick = score.task(target);
    let family = score.families[target]
        .filter(|_| !inputs.is_empty())
        .or_else(|| score.family(target, inputs, &score.committee, allowed));
    let process = family.map(|family| {
        let rough = quick.fit(family, inputs, 10);
        let fit = task.from(family, &rough.columns, rough.parameters, EXACT.0);
        let fit = task.pruned(fit, WORTH, EXACT.1, required);
        doubted(&task, fit, required)
    });
    match process {
        Some((fit, losses)) if score.as_score(fit.value) < plain => {
            let causes = losses.into_iter().map(|(column, loss)| (column, 2.0 * loss, 1.0));
            Chosen { causes: causes.collect(), process: Some(fit), additive }
        }
        _ => {
            let share = (rows - additive.coefficients.len() as f64).max(1.0) / rows;
            let statistic =
                |at: usize| share * rows * (additive.weights[at] / additive.variance).ln_1p();
            let freedom = |c: usize| score.additive.features.groups[c].len() as f64;
            let causes = additive.selected.iter().enumerate();
            let causes = causes.map(|(at, c)| (*c, statistic(at), freedom(*c))).collect();
            Chosen { causes, process: None, additive }
        }
    }
}

/// Fits without each doubtful input in turn, and drops it where that costs little; what each that stays costs.
fn doubted(
    task: &Task<'_>,
    mut fit: ProcessFit,
    required: &[usize],
) -> (ProcessFit, Vec<(usize, f64)>) {
    loop {
        let mut losses = task.losses(&fit);
        let mut doubtful: Vec<(usize, f64)> =
            losses.iter().copied().filter(|(_, loss)| *loss < DOUBTFUL).collect();
        doubtful.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut dropped = false;
        for (column, _) in doubtful {
            let at = fit.columns.iter().position(|c| *c == column).unwrap_or(0);
            let (mut columns, mut start) = (fit.columns.clone(), fit.parameters.clone());
            columns.remove(at);
            start.remove(at);
            let without = task.from(fit.family, &columns, start, EXACT.1);
            let cost = without.value - fit.value;
            if cost < WORTH && !required.contains(&column) {
                fit = without;
                dropped = true;
                break;
            }
            if let Some(known) = losses.iter_mut().find(|(c, _)| *c == column) {
                known.1 = cost;
            }
        }
        if !dropped {
            return (fit, losses);
        }
    }
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

/// Whether means of steps differ by more than chance, where there are enough series to tell.
///
/// Series that remember themselves make means of steps that wander. So the size of these means is compared
/// with what it is after each series was shifted in time, around its end, by steps of its own: that keeps
/// what each remembers, and leaves nothing that all do at one time.
fn means_move(columns: &Columns, run: &Run) -> bool {
    let (series, steps) = (columns.series(), columns.steps());
    if series < 5 || steps < 2 || columns.weights().is_some() {
        return false;
    }
    let mut random = run.random("means of steps");
    let mut moves = |v: usize| {
        let column = columns.column(v);
        let size = |shifts: &[usize]| -> f64 {
            let mean = |t: usize| -> f64 {
                let value = |(n, shift): (usize, &usize)| column[(t + shift) % steps * series + n];
                shifts.iter().enumerate().map(value).sum::<f64>() / series as f64
            };
            (0..steps).map(|t| mean(t).powi(2)).sum()
        };
        let found = size(&vec![0; series]);
        let mut shifted = || {
            let shifts: Vec<usize> = (0..series).map(|_| random.random_range(0..steps)).collect();
            size(&shifts)
        };
        let others: Vec<f64> = (0..SHIFTS).map(|_| shifted()).collect();
        let mean = others.iter().sum::<f64>() / SHIFTS as f64;
        let spread = others.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / SHIFTS as f64;
        let all: f64 = column.iter().map(|x| x * x).sum();
        let share = (found - mean) * series as f64 / all.max(1e-300);
        share > LARGE_SHARE && found > mean + MOVING_MEANS * spread.sqrt()
    };
    (0..columns.variables()).any(&mut moves)
}
