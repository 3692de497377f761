//! How well each model foretells rows that it has not seen.
//!
//! Given a graph each variable has its causes, and the density of a step is the product of those of its
//! variables. Rows are cut into folds: series where there are many, else stretches of time; each fold is
//! foretold from the others.

use rayon::prelude::*;

use super::dynamics::Dynamics;
use crate::basis::Family;
use crate::design::{Columns, FOLDS, Folds, Prepared};
use crate::error::Result;
use crate::graph::DynamicGraph;
use crate::moments::TimeBasis;
use crate::panel::Panel;
use crate::run::Run;
use crate::scores::additive::AdditiveScore;
use crate::scores::gp::{Covariance, Rows, Task};

/// Functions of time that are tried.
const OF_TIME: [usize; 3] = [1, 2, 4];

/// Functions of each cause that are tried where effects bend.
const OF_CAUSE: [usize; 2] = [6, 10];

/// What turns causes into effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Straight lines that may move.
    Linear,
    /// Curves that add up and may move.
    Additive,
    /// Functions of any shape that stay.
    Gp,
    /// Differential equations.
    Ode,
    /// Trajectories that come to rest.
    Relax,
}

impl Model {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Additive => "additive",
            Self::Gp => "gp",
            Self::Ode => "ode",
            Self::Relax => "relax",
        }
    }
}

/// What foretells.
pub(super) enum Teller {
    /// Straight lines from the causes.
    Lines,
    /// Curves, added up.
    Curves,
    /// Functions of any shape.
    Processes,
    /// A flow.
    Flow(Box<Dynamics>),
}

/// The log likelihood of unseen rows, for each fold, added up over variables, per row.
pub(super) type Evidence = Vec<f64>;

/// The data and folds that models are compared on.
pub(super) struct Comparison<'a> {
    pub(super) columns: Columns,
    pub(super) folds: Vec<usize>,
    centres: &'a [f64],
}

impl<'a> Comparison<'a> {
    /// Rows of all graphs' lags.
    pub fn new(data: &Prepared, lag: usize, centres: &'a [f64]) -> Result<Self> {
        let columns = data.columns(lag)?;
        let (series, steps) = (columns.series(), columns.steps());
        let folds = Folds::of(series, steps);
        let folds =
            (0..series * steps).map(|row| folds.of_row(row / series, row % series)).collect();
        Ok(Self { columns, folds, centres })
    }

    /// How many rows.
    pub fn rows(&self) -> f64 {
        self.columns.rows()
    }

    /// What a model says of unseen rows, with the causes of a graph.
    pub fn evidence(
        &self,
        teller: &Teller,
        graph: &DynamicGraph,
        panel: &Panel,
        run: &Run,
    ) -> Result<Evidence> {
        let causes = causes(graph);
        run.parallel(|| match teller {
            Teller::Lines => self.of_curves(&[1], &causes, run),
            Teller::Curves => self.of_curves(&OF_CAUSE, &causes, run),
            Teller::Processes => self.of_processes(&causes, run),
            Teller::Flow(dynamics) => self.followed(dynamics, panel, run),
        })
    }

    /// With as many functions of causes and of time as do best.
    fn of_curves(&self, functions: &[usize], causes: &[Vec<usize>], run: &Run) -> Result<Evidence> {
        let mut best: Option<(f64, Evidence)> = None;
        let sizes = OF_TIME.into_iter().filter(|size| 4 * size <= self.columns.steps().max(4));
        for (size, functions) in sizes.flat_map(|size| functions.iter().map(move |f| (size, *f))) {
            run.proceed()?;
            let (steps, lag) = (self.columns.all_steps(), self.columns.lag());
            let basis = Family::Legendre.basis(size, steps, lag)?;
            let inner = TimeBasis::new(&basis, &self.columns)?;
            let cancel = run.cancel();
            let columns = self.columns.clone();
            let score = AdditiveScore::new(columns, inner, functions, false, cancel);
            let fold = |fold: usize| -> f64 {
                let told = causes.par_iter().enumerate();
                let told: Vec<f64> = told
                    .map(|(to, columns)| score.foretold(to, columns, &self.folds, fold))
                    .collect();
                told.iter().sum()
            };
            let found: Evidence = (0..FOLDS).map(fold).collect();
            let total: f64 = found.iter().sum();
            if best.as_ref().is_none_or(|(most, _)| total > *most) {
                best = Some((total, found));
            }
        }
        Ok(best.map(|(_, found)| found).unwrap_or_default())
    }

    fn of_processes(&self, causes: &[Vec<usize>], run: &Run) -> Result<Evidence> {
        let rows = Rows::of(&self.columns, self.centres, false, run.cancel());
        let (committee, d) = (rows.committee(), causes.len());
        let of_one = |(to, columns): (usize, &Vec<usize>)| {
            run.proceed()?;
            let task = Task { rows: &rows, sets: &committee, target: to };
            let fit = task.best(&Covariance::ALL, columns);
            let fold = |fold: usize| {
                fit.as_ref().map_or(0.0, |fit| rows.foretold(to, fit, &self.folds, fold))
            };
            Ok((0..FOLDS).map(fold).collect::<Vec<f64>>())
        };
        let told: Vec<Vec<f64>> =
            causes.par_iter().enumerate().map(of_one).collect::<Result<_>>()?;
        Ok((0..FOLDS).map(|fold| (0..d).map(|to| told[to][fold]).sum()).collect())
    }
}

/// The columns that are causes of each variable.
fn causes(graph: &DynamicGraph) -> Vec<Vec<usize>> {
    let d = graph.variables();
    let mut out = vec![Vec::new(); d];
    for edge in graph.edges() {
        out[edge.to].push(edge.lag * d + edge.from);
    }
    out
}
