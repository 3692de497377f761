//! A method of one's own, found by its name among the others: correlations of what was with what is.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use dycausal::graph::{Edge, Trajectory};
use dycausal::{
    Basis, Described, Discover, DynamicGraph, Error, Method, Panel, Parameter, Result, Run, Scope,
    find, methods,
};
use ndarray::{Array3, ArrayView2, Axis};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An edge wherever an earlier value and a later one of another variable are correlated enough.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Echo {
    /// Longest lag.
    lag: usize,
    /// Correlation from which on there is an edge.
    least: f64,
}

impl Default for Echo {
    fn default() -> Self {
        Self { lag: 1, least: 0.5 }
    }
}

impl Described for Echo {
    const SUMMARY: &'static str = "correlations of what was with what is";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        Parameter { name: "least", purpose: "correlation of an edge", range: "between 0 and 1" },
    ];
}

impl Discover for Echo {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn scope(&self) -> Scope {
        // Within a step it sees nothing, and data with holes are refused before `learn` is called.
        Scope { lagged: true, ..Scope::default() }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn check(&self) -> Result<()> {
        if self.lag == 0 {
            return Err(Error::parameter("lag", self.lag, "at least 1"));
        }
        if !(0.0..=1.0).contains(&self.least) {
            return Err(Error::parameter("least", self.least, "between 0 and 1"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let (d, steps) = (panel.variables(), panel.steps());
        let mut edges = Vec::new();
        run.stage("correlations", Some(self.lag as u64));
        for lag in 1..=self.lag {
            run.proceed()?; // stops where the user asks for it
            for (from, to) in (0..d).flat_map(|from| (0..d).map(move |to| (from, to))) {
                let r = correlation(panel, from, to, lag);
                if from != to && r.abs() >= self.least {
                    edges.push(Edge::new(from, to, lag, Trajectory::Constant(r), steps));
                }
            }
            run.advance(1);
        }
        let basis = Basis::constant(steps)?;
        DynamicGraph::new(panel.names().to_vec(), panel.times().clone(), self.lag, basis, edges)
    }
}

/// The correlation of a variable with another so many steps later, over all series.
fn correlation(panel: &Panel, from: usize, to: usize, lag: usize) -> f64 {
    let values = panel.values();
    let pairs = values.axis_iter(Axis(0)).flat_map(|series: ArrayView2<'_, f64>| {
        (lag..series.nrows())
            .map(|t| (series[[t - lag, from]], series[[t, to]]))
            .collect::<Vec<_>>()
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (a, b) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let both = sum(&|p| (p.0 - a) * (p.1 - b));
    both / (sum(&|p| (p.0 - a).powi(2)) * sum(&|p| (p.1 - b).powi(2))).sqrt()
}

fn main() -> Result<()> {
    let mut registry = methods();
    registry.push(Method::of::<Echo>());

    // As the command line does: a name and parameters as text or numbers, checked.
    let set = json!({ "lag": 2 }).as_object().cloned().unwrap_or_default();
    let (method, parameters) = find(&registry, "echo")?.build(&set)?;
    println!("{} with {}", method.name(), serde_json::Value::Object(parameters));

    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut values = Array3::from_shape_simple_fn((5, 200, 2), || random.random_range(-1.0..1.0));
    for (n, t) in (0..5).flat_map(|n| (2..200).map(move |t| (n, t))) {
        values[[n, t, 1]] += values[[n, t - 2, 0]];
    }
    let panel = Panel::new(values, vec!["flash".into(), "thunder".into()])?;
    let graph = method.discover(&panel, &mut Run::new(0))?;
    for edge in graph.edges() {
        let (from, to) = (&graph.names()[edge.from], &graph.names()[edge.to]);
        println!("{from} -> {to} at lag {}: {:.2}", edge.lag, edge.weight(graph.basis(), 0));
    }
    assert!(graph.edge(2, 0, 1).is_some() && graph.edges().len() == 1);
    // Nothing is learned with parameters that make no sense, and the nearest name is suggested.
    let refused = find(&registry, "ecco").err().map(|error| error.to_string());
    println!("{}", refused.unwrap_or_default());
    Ok(())
}
