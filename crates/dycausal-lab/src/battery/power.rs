//! Data with weak edges: how many are found, and at what price.

use dycausal::graph::Edge;
use rand::RngExt;

use super::condition::{Condition, Size, Stream};
use super::definition::{Battery, Figure, Trial, Variant};
use super::edges::{cross, cross_as_marked, discovery, without_direction};
use super::generate::{Link, System, links, stable};

/// |weight| of the cross edges.
const WEIGHTS: (f64, f64) = (0.3, 0.5);
/// Weight of every variable's own past.
const OWN: f64 = 0.3;

/// False discovery rate and power.
pub(super) const POWER: Battery = Battery {
    name: "power",
    title: "Weak edges",
    summary: "How many weak edges are found, and how many of those listed are false.",
    about: "Five edges of weight 0.3 to 0.5 among 8 variables with memory 0.3, at lag 0 or 1, in one series; and 500 rows of 200 variables with 597 edges: 200 within the step, 200 one step later, 197 of variables on themselves. An edge counts if cause, effect and lag are right; effects of a variable on itself do not count.",
    figures: &[
        Figure {
            name: "FDR",
            meaning: "share of listed cross edges that are false; one marked undirected claims no direction",
        },
        Figure { name: "TPR", meaning: "share of true cross edges that are listed, likewise" },
        Figure { name: "FDR directed", meaning: "the same if every edge is read as it points" },
        Figure { name: "TPR directed", meaning: "likewise" },
        Figure {
            name: "FDR adjacent",
            meaning: "share of false ones with the direction of edges within the step ignored",
        },
        Figure { name: "TPR adjacent", meaning: "likewise" },
    ],
    seeds: 20,
    quick_seeds: 4,
    conditions,
    variants: || vec![Variant::with("lag", 1), Variant::with("lag", "auto")],
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let (listed, truth) = (cross(trial.graph), cross(&trial.sample.truth));
    let (fdr, tpr) = discovery(&cross_as_marked(trial.graph, &truth), &truth);
    let (fdr_directed, tpr_directed) = discovery(&listed, &truth);
    let (fdr_adjacent, tpr_adjacent) =
        discovery(&without_direction(&listed), &without_direction(&truth));
    let mut figures =
        vec![("FDR", fdr), ("FDR directed", fdr_directed), ("FDR adjacent", fdr_adjacent)];
    figures.extend(tpr_directed.map(|share| ("TPR directed", share)));
    figures.extend(tpr.map(|share| ("TPR", share)));
    figures.extend(tpr_adjacent.map(|share| ("TPR adjacent", share)));
    figures
}

/// Cross edges at these lags, and a past of its own for the first `own` variables.
pub(super) fn edges(stream: &mut Stream, size: Size, lags: &[usize], own: usize) -> Vec<Edge> {
    let cross = links(stream, size.variables, lags, WEIGHTS);
    let own = (0..own).map(|v| Link { from: v, to: v, lag: 1, weight: OWN });
    cross.into_iter().chain(own).map(|link| link.edge(size.steps)).collect()
}

fn conditions() -> Vec<Condition> {
    let mut all: Vec<Condition> = [100, 200, 300, 1000].map(few).into();
    all.push(Condition::new("597 edges", Size::new(1, 500, 200), |stream, size| {
        let lags = [[0; 200], [1; 200]].concat();
        let edges = stable(stream, size, 1, |stream| edges(stream, size, &lags, 197))?;
        System::PLAIN.sample(stream, size, edges)
    }));
    all
}

fn few(steps: usize) -> Condition {
    let name = format!("5 edges T={steps}");
    Condition::new(name, Size::new(1, steps, 8), |stream, size| {
        let edges = stable(stream, size, 1, |stream| {
            let lags: Vec<usize> = (0..5).map(|_| stream.random_range(0..=1)).collect();
            edges(stream, size, &lags, size.variables)
        })?;
        System::PLAIN.sample(stream, size, edges)
    })
}
