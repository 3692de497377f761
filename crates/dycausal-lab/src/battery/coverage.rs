//! Whether bands hold the true weight as often as they say.

use dycausal::graph::Edge;

use super::bands::{Share, held, path_held, weights_inside};
use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::edges::is_cross;
use super::generate::{Innovations, Link, Subjects, System, links, moving, stable};
use crate::error::Result;

/// Bands against true weights.
pub(super) const COVERAGE: Battery = Battery {
    name: "coverage",
    title: "Bands",
    summary: "How often a 95 % band holds the true weight.",
    about: "How often a 95 % band holds the true weight, over edges and steps: five cross edges among 6 variables with memory 0.3, weights that stay or move as polynomials, noise of one size or of a size that moves, subjects that differ; and columns that only follow their own past. Bands count for true edges that are listed.",
    figures: &[
        Figure {
            name: "cross",
            meaning: "share of steps at which the band of a listed true cross edge holds its weight",
        },
        Figure {
            name: "cross, all steps",
            meaning: "share of listed true cross edges whose simultaneous band holds the whole path; empty where the graph gives no such band",
        },
        Figure { name: "listed", meaning: "share of true cross edges that are listed with a band" },
        Figure { name: "self", meaning: "as cross, for effects of variables on themselves" },
        Figure {
            name: "self, listed",
            meaning: "share of true effects of variables on themselves that are listed with a band",
        },
        Figure {
            name: "weight inside",
            meaning: "share of steps at which a listed edge's weight lies in its own band",
        },
    ],
    seeds: 100,
    quick_seeds: 10,
    conditions,
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let (graph, truth) = (trial.graph, &trial.sample.truth);
    let (mut cross, mut own, mut path) = (Share::default(), Share::default(), Share::default());
    let (mut cross_listed, mut own_listed) = (Share::default(), Share::default());
    for edge in truth.edges() {
        let weight = |step| edge.weight(truth.basis(), step);
        let found = graph.edge(edge.lag, edge.from, edge.to);
        let banded = found.filter(|found| found.band.is_some());
        let (steps, listed) = if is_cross(edge) {
            (&mut cross, &mut cross_listed)
        } else {
            (&mut own, &mut own_listed)
        };
        listed.add(banded.is_some());
        let Some(found) = banded else { continue };
        steps.join(held(graph, found, weight));
        if is_cross(edge) {
            path.join(path_held(graph, found, weight).into_iter().collect());
        }
    }
    let shares = [
        cross.named("cross"),
        path.named("cross, all steps"),
        cross_listed.named("listed"),
        own.named("self"),
        own_listed.named("self, listed"),
        weights_inside(graph).named("weight inside"),
    ];
    shares.into_iter().flatten().collect()
}

/// How the weights of the cross edges move: as polynomials of a degree.
fn system(stream: &mut Stream, size: Size, degree: usize, system: System) -> Result<Sample> {
    let edges = stable(stream, size, 1, |stream| {
        let cross = links(stream, size.variables, &[0, 1, 0, 1, 0], (0.3, 0.5));
        let own = (0..size.variables).map(|v| Link { from: v, to: v, lag: 1, weight: 0.3 });
        let own: Vec<Edge> = own.map(|link| link.edge(size.steps)).collect();
        let cross = cross.into_iter().map(|link| match degree {
            0 => link.edge(size.steps),
            degree => moving(stream, link, degree, size.steps),
        });
        cross.chain(own).collect()
    })?;
    system.sample(stream, size, edges)
}

fn own_past(stream: &mut Stream, size: Size, phi: f64, levels: bool) -> Result<Sample> {
    let link = |v| Link { from: v, to: v, lag: 1, weight: phi }.edge(size.steps);
    let subjects = Subjects { levels, scales: false };
    let edges = (0..size.variables).map(link).collect();
    System { subjects, ..System::PLAIN }.sample(stream, size, edges)
}

fn conditions() -> Vec<Condition> {
    let mut all = Vec::new();
    for (series, steps) in [(1, 500), (20, 50), (200, 50)] {
        for (degree, how) in [(0, "static"), (2, "quadratic"), (3, "cubic")] {
            for (innovations, noise) in
                [(Innovations::GAUSSIAN, ""), (Innovations::MovingScale, " moving noise")]
            {
                let name = format!("{how}{noise} N={series} T={steps}");
                let size = Size::new(series, steps, 6);
                let driven = System { innovations, ..System::PLAIN };
                all.push(Condition::new(name, size, move |s, size| {
                    system(s, size, degree, driven)
                }));
            }
        }
    }
    for (levels, scales, how) in
        [(true, false, "levels"), (false, true, "scales"), (true, true, "levels and scales")]
    {
        let subjects = Subjects { levels, scales };
        let differing = System { subjects, ..System::PLAIN };
        let draw = move |s: &mut Stream, size| system(s, size, 0, differing);
        all.push(Condition::new(format!("subjects with {how}"), Size::new(100, 20, 6), draw));
    }
    for phi in [0.5, 0.8, 0.95] {
        let draw = move |s: &mut Stream, size| own_past(s, size, phi, false);
        all.push(Condition::new(format!("AR({phi}) alone"), Size::new(1, 300, 4), draw));
    }
    for phi in [0.3, 0.6, 0.9] {
        let draw = move |s: &mut Stream, size| own_past(s, size, phi, true);
        let name = format!("AR({phi}) subjects with levels");
        all.push(Condition::new(name, Size::new(100, 20, 4), draw));
    }
    all
}
