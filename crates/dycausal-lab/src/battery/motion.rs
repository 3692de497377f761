//! How well the movement of one edge is learned.

use dycausal::graph::{Edge, Trajectory};

use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure};
use super::generate::{Course, Innovations, Link, System, links, stable};
use super::probe::{Probe, measure};
use super::sketch::sketch;
use crate::error::Result;

/// |weight| of the cross edges that stay.
const WEIGHTS: (f64, f64) = (0.3, 0.5);
/// Weight of every variable's own past.
const OWN: f64 = 0.3;

/// Courses against true courses.
pub(super) const MOTION: Battery = Battery {
    name: "motion",
    title: "How an edge moves",
    summary: "How well the course of an edge's weight is learned, and what it is called.",
    about: "One probe, a cross edge of weight up to 0.6 within the step (odd seeds) or one step later (even ones), moves in a known way over time; four cross edges of weight 0.3 to 0.5 and memory 0.3 of all 6 variables stay. Where the noise moves, its size goes from 1 to 2. Steps before the longest lag do not count. Figures of the probe's band, motion and tests are those of seeds in which it is listed the right way round.",
    figures: &[
        Figure {
            name: "cover",
            meaning: "share of steps at which the band of the probe holds its weight",
        },
        Figure {
            name: "cover, others",
            meaning: "the same of the cross edges that stay, where they are listed",
        },
        Figure {
            name: "all steps",
            meaning: "share of probes whose simultaneous band holds the whole path",
        },
        Figure { name: "all steps, others", meaning: "the same of the cross edges that stay" },
        Figure {
            name: "rmse",
            meaning: "root mean square error of the probe's weight over steps; 0 is its weight where it is not listed",
        },
        Figure {
            name: "listed",
            meaning: "share of probes that are listed at their lag; within the step either way round",
        },
        Figure {
            name: "false",
            meaning: "false cross edges per graph; a true one within the step may be the wrong way round",
        },
        Figure {
            name: "false, second look",
            meaning: "of these, those that the second look added; the listing allows one false edge in twenty (`alpha`)",
        },
        Figure { name: "kind", meaning: "share of probes whose motion is called what it is" },
        Figure {
            name: "start",
            meaning: "|time found − true time| of the first sudden change, as a share of T: the median over probes with one found",
        },
        Figure {
            name: "within 2 %",
            meaning: "share of probes with a sudden change of which that is at most 0.02; no time found is not",
        },
        Figure {
            name: "within 2 %, all else known",
            meaning: "the same for the likeliest time given the true weights before and after, all other true edges and noise that stays",
        },
        Figure {
            name: "false presence",
            meaning: "share of steps at which the probe is off and certainly not 0 all the same",
        },
        Figure {
            name: "missed presence",
            meaning: "share of steps at which the probe is on and not certainly so",
        },
        Figure {
            name: "moves",
            meaning: "share of probes with p < 0.05 of \"the weight never changes\": of static ones too many are false",
        },
        Figure {
            name: "weight inside",
            meaning: "share of steps at which a listed edge's weight lies in its own band",
        },
    ],
    seeds: 40,
    quick_seeds: 4,
    medians: &["start"],
    conditions,
    measure,
    sketch: Some(sketch),
    ..Battery::PLAIN
};

/// Edges of which the first is the probe, and moves on this course.
fn edges(stream: &mut Stream, size: Size, lag: usize, course: Course) -> Result<Vec<Edge>> {
    let along = |course: Course| Trajectory::Steps(course.path(size.steps));
    let mut edges = stable(stream, size, 1, |stream| {
        let cross = links(stream, size.variables, &[lag, 0, 1, 0, 1], WEIGHTS);
        let own = (0..size.variables).map(|v| Link { from: v, to: v, lag: 1, weight: OWN });
        let mut edges: Vec<Edge> =
            cross.into_iter().chain(own).map(|link| link.edge(size.steps)).collect();
        // A flip has both extremes of every course, and at steps that are looked at.
        edges[0].trajectory = along(Course::Flip);
        edges
    })?;
    edges[0].trajectory = along(course);
    Ok(edges)
}

fn draw(
    stream: &mut Stream,
    size: Size,
    seed: u64,
    (course, innovations): (Course, Innovations),
) -> Result<Sample> {
    let lag = usize::from(seed.is_multiple_of(2));
    let edges = edges(stream, size, lag, course)?;
    let probe = Probe { lag, from: edges[0].from, to: edges[0].to, course };
    let system = System { innovations, ..System::PLAIN };
    Ok(system.sample(stream, size, edges)?.with_probe(probe))
}

fn conditions() -> Vec<Condition> {
    let calm = Course::ALL.map(|course| (course, Innovations::GAUSSIAN, ""));
    let louder = (Course::On, Innovations::RisingScale, " moving noise");
    let mut all = Vec::new();
    for (course, innovations, noise) in calm.into_iter().chain([louder]) {
        for (series, steps, quick) in
            [(1, 500, true), (1, 2000, false), (20, 50, true), (200, 50, false)]
        {
            let name = format!("{}{noise} N={series} T={steps}", course.name());
            let size = Size::new(series, steps, 6);
            let condition = Condition::seeded(name, size, move |stream, size, seed| {
                draw(stream, size, seed, (course, innovations))
            });
            all.push(if quick { condition } else { condition.in_full_only() });
        }
    }
    all
}
