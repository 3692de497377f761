//! The model that foretells best.

mod dynamics;
mod evidence;

use serde::{Deserialize, Serialize};

use self::dynamics::Dynamics;
use self::evidence::{Comparison, Evidence, Model, Teller};
use super::nonlinear::{Additive, GaussianProcess, prepared};
use super::ode::Ode;
use super::ordered::Ordered;
use super::parameters::{ALPHA, BREAKS, Common, LAG, LEVEL, MISSING, SEASON};
use super::relax::Relax;
use crate::design::Missing;
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Scope};
use crate::panel::Panel;
use crate::run::facts::ComparedModel;
use crate::run::{Auto, Facts, PanelShape, Run};
use crate::thresholds::SERIES_FOR_FOLDS;

/// Log likelihood, over all rows, that a bent model has to gain.
const LEAST: f64 = 10.0;
/// Standard errors over the folds that it has to gain.
const ERRORS: f64 = 2.0;

/// Learns with straight lines, with curves that add up, with functions of any shape, with differential equations
/// and, where there are many series, with trajectories that come to rest, and takes the model that foretells
/// unseen rows best: straight lines wherever they are as good.
///
/// Differential equations are followed from each step to the next, with a share of what they had not foretold
/// taken over; that needs data without missing cells.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | `auto` | longest lag | 0 or more, or `auto`: by score |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0; 1 lists what the score selects |
/// | `season` | `auto` | steps after which a pattern repeats that is taken out | 3 or more, `none`, or `auto` |
/// | `breaks` | true | whether jumps of the mean are looked for and taken out | true, false |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `level` | 0.95 | how often a band holds the truth | between 0 and 1 |
/// | `most` | 60 | variables up to which functions of any shape and differential equations are tried: they take long | 0 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByEvidence {
    /// Longest lag.
    pub lag: Auto<usize>,
    /// False discovery rate of the edges that are listed.
    pub alpha: f64,
    /// Steps after which a pattern repeats that is taken out.
    pub season: Auto<usize>,
    /// Whether jumps of the mean are looked for and taken out.
    pub breaks: bool,
    /// What is done about missing cells.
    pub missing: Missing,
    /// How often a band holds the truth.
    pub level: f64,
    /// Variables up to which functions of any shape and differential equations are tried.
    pub most: usize,
}

impl Default for ByEvidence {
    fn default() -> Self {
        Self {
            lag: Auto::Auto,
            alpha: 0.05,
            season: Auto::Auto,
            breaks: true,
            missing: Missing::Fill,
            level: 0.95,
            most: 60,
        }
    }
}

impl Described for ByEvidence {
    const VERSION: u32 = 5;
    const SUMMARY: &'static str =
        "linear, additive, any shape, ode or relax: the model that foretells unseen rows best";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        LAG,
        ALPHA,
        SEASON,
        BREAKS,
        MISSING,
        LEVEL,
        Parameter {
            name: "most",
            purpose: "variables up to which functions of any shape and differential equations are tried",
            range: "0 or more",
        },
    ];
}

impl Discover for ByEvidence {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn scope(&self) -> Scope {
        self.linear().scope()
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
        let simple = self.linear().memory(shape).max(self.additive().memory(shape));
        if shape.variables <= self.most { simple.max(self.gp().memory(shape)) } else { simple }
    }

    fn check(&self) -> Result<()> {
        self.common().check()
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let mut found = Vec::new();
        for model in self.models(panel) {
            run.stage(model.word(), None);
            let mut own = run.like();
            match self.one(model, panel, &mut own) {
                Ok((graph, teller)) => found.push(Found { model, graph, teller, run: own }),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) if model == Model::Linear => return Err(error),
                Err(error) => {
                    run.warn(format!("model `{}` was not compared: {error}", model.word()));
                }
            }
        }
        run.stage("evidence", None);
        let longest = found.iter().map(|found| found.graph.lag()).max().unwrap_or(0);
        let (_, data) = prepared(panel, self.common(), &mut run.like())?;
        let centres: Vec<f64> = panel.summaries().iter().map(|summary| summary.mean).collect();
        let comparison = Comparison::new(&data, longest, &centres)?;
        let mut told: Vec<Evidence> = Vec::new();
        for found in &found {
            told.push(comparison.evidence(&found.teller, &found.graph, panel, run)?);
        }
        let sound = |evidence: &Evidence| evidence.iter().all(|x| x.is_finite());
        for (found, _) in found.iter().zip(&told).filter(|(_, evidence)| !sound(evidence)) {
            let word = found.model.word();
            run.warn(format!("model `{word}` was not compared: it runs away from the data"));
        }
        let (mut found, told): (Vec<Found>, Vec<Evidence>) =
            found.into_iter().zip(told).filter(|(_, evidence)| sound(evidence)).unzip();
        let (best, lines) = table(&found, &told, comparison.rows());
        let Found { graph, run: own, .. } = found.swap_remove(best);
        let Facts { missing, knowledge, .. } = std::mem::take(run.facts_mut());
        *run.facts_mut() = Facts { models: Some(lines), missing, knowledge, ..own.facts().clone() };
        own.warnings().iter().for_each(|warning| run.warn(warning.clone()));
        Ok(graph)
    }
}

/// What one model learned.
struct Found {
    model: Model,
    graph: DynamicGraph,
    teller: Teller,
    run: Run,
}

impl ByEvidence {
    /// The models that the data can be asked for, the simplest first.
    fn models(&self, panel: &Panel) -> Vec<Model> {
        let mut models = vec![Model::Linear, Model::Additive];
        let (few, whole) = (panel.variables() <= self.most, panel.missing() == 0);
        let lagged = self.lag != Auto::Value(0);
        if few {
            models.push(Model::Gp);
        }
        if few && whole && lagged {
            models.push(Model::Ode);
        }
        if panel.series() >= SERIES_FOR_FOLDS && whole && lagged {
            models.push(Model::Relax);
        }
        models
    }

    fn one(&self, model: Model, panel: &Panel, run: &mut Run) -> Result<(DynamicGraph, Teller)> {
        let learned = |method: &dyn Discover, run: &mut Run| {
            method.suits(panel, run)?;
            method.learn(panel, run)
        };
        let alpha = self.alpha;
        Ok(match model {
            Model::Linear => (learned(&self.linear(), run)?, Teller::Lines),
            Model::Additive => (learned(&self.additive(), run)?, Teller::Curves),
            Model::Gp => (learned(&self.gp(), run)?, Teller::Processes),
            Model::Ode => {
                let method = Ode { alpha, ..Ode::default() };
                method.suits(panel, run)?;
                let (graph, equations) = method.learned(panel, run)?;
                (graph, Teller::Flow(Box::new(Dynamics::Ode(equations))))
            }
            Model::Relax => {
                let method = Relax { alpha, ..Relax::default() };
                method.suits(panel, run)?;
                let (graph, relaxation) = method.learned(panel, run)?;
                (graph, Teller::Flow(Box::new(Dynamics::Relax(relaxation))))
            }
        })
    }

    fn common(&self) -> Common {
        let Self { lag, alpha, season, breaks, missing, level, .. } = *self;
        Common { lag, alpha, season, breaks, missing, level }
    }

    fn linear(&self) -> Ordered {
        self.common().into()
    }

    fn additive(&self) -> Additive {
        self.common().into()
    }

    fn gp(&self) -> GaussianProcess {
        self.common().into()
    }
}

/// The model to take, and what is known of each: one that is less simple has to be clearly better.
fn table(found: &[Found], told: &[Evidence], rows: f64) -> (usize, Vec<ComparedModel>) {
    let mut best = 0;
    let mut lines = Vec::new();
    for (at, (Found { model, graph, .. }, evidence)) in found.iter().zip(told).enumerate() {
        let (gain, error) = gained(evidence, &told[best], rows);
        if gain > LEAST && gain > ERRORS * error {
            best = at;
        }
        let (gain, error) = gained(evidence, &told[0], rows);
        let log_likelihood = evidence.iter().sum::<f64>() / evidence.len().max(1) as f64;
        let edges = graph.edges().len();
        let model = model.word().to_owned();
        lines.push(ComparedModel { model, log_likelihood, gain, error, edges, chosen: false });
    }
    lines[best].chosen = true;
    (best, lines)
}

/// How much more one model says of unseen rows than another, over all rows, and the standard error of that.
fn gained(evidence: &Evidence, other: &Evidence, rows: f64) -> (f64, f64) {
    let folds = evidence.len().max(1) as f64;
    let gains: Vec<f64> = evidence.iter().zip(other).map(|(a, b)| a - b).collect();
    let mean = gains.iter().sum::<f64>() / folds;
    let spread = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>();
    (mean * rows, (spread / (folds - 1.0).max(1.0) / folds).sqrt() * rows)
}

#[cfg(test)]
mod tests;
