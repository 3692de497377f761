//! The ordered engine: a causal order by a scale-free score, and sparse regressions in it.

mod augment;
mod candidates;
mod engine;
mod forward;
mod insertion;
mod moves;
mod noise;
mod problem;
mod score;
mod scratch;
mod search;
mod shrink;
mod state;

use serde::{Deserialize, Serialize};

use crate::basis::{Basis, Shape};
use crate::error::{Error, Result};
use crate::graph::{DynamicGraph, Edge, Trajectory};
use crate::method::{Described, Discover, Parameter, Run, Scope};
use crate::moments::{Columns, TimeBasis};
use crate::panel::Panel;

use problem::Problem;
use scratch::Pool;

/// Learns a causal order and how the weights in it move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordered {
    /// Longest lag.
    pub lag: usize,
    /// How many basis functions a weight has.
    pub basis_size: usize,
    /// Whether the shape of the noise helps to tell cause from effect.
    pub non_gaussian: bool,
}

impl Default for Ordered {
    fn default() -> Self {
        Self { lag: 1, basis_size: 4, non_gaussian: true }
    }
}

impl Described for Ordered {
    const SUMMARY: &'static str = "causal order by a scale-free score, sparse regressions in it";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "0 or more" },
        Parameter {
            name: "basis_size",
            purpose: "how many basis functions a weight has",
            range: "1 to 16",
        },
        Parameter {
            name: "non_gaussian",
            purpose: "whether the shape of the noise helps to tell cause from effect",
            range: "true or false",
        },
    ];
}

impl Discover for Ordered {
    fn name(&self) -> &'static str {
        "ordered"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: true,
            inference: true,
            missing: true,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn check(&self) -> Result<()> {
        if !(1..=forward::LARGEST_BASIS).contains(&self.basis_size) {
            let expected = format!("1 to {}", forward::LARGEST_BASIS);
            return Err(Error::parameter("basis_size", self.basis_size, expected));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        run.stage("moments", None);
        let steps = panel.steps();
        let size = self.basis_size.min(steps - self.lag);
        let basis = Basis::new(Shape::Legendre { size }, steps, self.lag)?;
        let problem = run.parallel(|| -> Result<Problem> {
            let columns = Columns::of(panel, self.lag)?;
            let inner = TimeBasis::new(&basis, &columns)?;
            Ok(Problem::new(columns, inner, self.non_gaussian))
        })?;
        let pool = Pool::default();
        let learned = engine::learn(&problem, None, &pool, run)?;
        run.stage("graph", None);
        let edges = edges(&problem, &learned, steps);
        let names = panel.names().to_vec();
        DynamicGraph::new(names, panel.times().clone(), self.lag, basis, edges)
    }
}

/// The selected regressors as edges, in the data's units.
fn edges(problem: &Problem, learned: &engine::Learned, steps: usize) -> Vec<Edge> {
    let (d, size) = (problem.variables(), problem.basis.size());
    let scale = problem.columns.scale();
    let mut edges = Vec::new();
    for (to, fit) in learned.fits.iter().enumerate() {
        for (group, column) in fit.selected.iter().enumerate() {
            let (lag, from) = (column / d, column % d);
            let inner = &fit.coefficients[group * size..(group + 1) * size];
            let unit = scale[to] / scale[from];
            let coefficients = problem.basis.to_basis(inner).iter().map(|c| c * unit).collect();
            let trajectory = Trajectory::Coefficients(coefficients);
            edges.push(Edge::new(from, to, lag, trajectory, steps));
        }
    }
    edges
}
