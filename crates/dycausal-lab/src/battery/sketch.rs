//! What was learned of a probe, step by step, and a picture of it.

use dycausal_io::drawing::{Anchor, INK, LINE, Look, MUTED, Point, Scene};

use super::bands::rows;
use super::definition::Trial;
use super::findings::{Findings, Row};
use crate::study::{COLOURS, TITLE};

/// The steps of the one series of which a probe is drawn.
const STEPS: usize = 500;

/// Every so many steps are drawn: more are less than half a pixel apart.
const STRIDE: usize = 2;

const COLUMNS: usize = 3;
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 36.0;
const TOP: f64 = 44.0;
/// Weights run from minus this to this; what is beyond is drawn at the edge.
const REACH: f64 = 1.0;

/// Bounds of a band at a step.
type Bounds = Option<(f64, f64)>;

/// The true course of a probe and the one that was learned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sketch {
    steps: usize,
    truth: Vec<f64>,
    /// What was learned, from the first step that has rows on; nothing where it is not listed.
    learned: Vec<Moment>,
}

/// What was learned of a weight at a step.
#[derive(Debug, Clone, PartialEq)]
struct Moment {
    step: usize,
    weight: f64,
    band: Bounds,
    simultaneous: Bounds,
}

/// The sketch of a trial, where it is of the size that is drawn.
pub(super) fn sketch(trial: &Trial<'_>) -> Option<Sketch> {
    let (graph, probe) = (trial.graph, trial.sample.probe?);
    let (series, steps, _) = trial.sample.panel.values().dim();
    if (series, steps) != (1, STEPS) {
        return None;
    }
    let found = probe.in_graph(graph).into_iter();
    let moments = found.flat_map(|edge| {
        rows(graph).step_by(STRIDE).map(move |step| Moment {
            step,
            weight: edge.weight(graph.basis(), step),
            band: edge.bounds(graph.basis(), step),
            simultaneous: edge.simultaneous_bounds(graph.basis(), step),
        })
    });
    Some(Sketch { steps, truth: probe.course.path(steps), learned: moments.collect() })
}

/// All sketches of a battery, a frame each; none without any.
pub(super) fn picture(findings: &Findings) -> Option<String> {
    let rows = findings.rows.iter();
    let frames: Vec<(&Row, &Sketch)> =
        rows.filter_map(|row| Some((row, row.sketch.as_ref()?))).collect();
    let count = frames.len();
    if count == 0 {
        return None;
    }
    let width = COLUMNS.min(count).max(2) as f64 * WIDTH + 12.0;
    let bottom = TOP + count.div_ceil(COLUMNS) as f64 * HEIGHT + 8.0;
    let mut scene = Scene::new(width, bottom + 14.0);
    let title = format!("{}: the first seed of each", findings.battery.title);
    scene.text([14.0, 22.0], TITLE, Anchor::Start, title);
    for (place, (row, sketch)) in frames.into_iter().enumerate() {
        let corner = [(place % COLUMNS) as f64 * WIDTH, TOP + (place / COLUMNS) as f64 * HEIGHT];
        let frame = Frame { corner, steps: sketch.steps };
        frame.draw(&mut scene, &format!("{} · {}", row.condition(), row.method), sketch);
    }
    let legend =
        "dashed: true weight; line: learned; shaded: band; lighter: band of the whole path";
    scene.words([14.0, bottom], (11.0, Anchor::Start, MUTED), legend);
    Some(scene.svg())
}

/// One pair of axes.
struct Frame {
    corner: Point,
    steps: usize,
}

impl Frame {
    fn at(&self, step: usize, weight: f64) -> Point {
        let across = (step as f64 + 0.5) / self.steps as f64;
        let down = 0.5 - 0.5 * (weight / REACH).clamp(-1.0, 1.0);
        let (width, height) = (WIDTH - LEFT - 6.0, HEIGHT - 34.0);
        [self.corner[0] + LEFT + across * width, self.corner[1] + 14.0 + down * height]
    }

    fn draw(&self, scene: &mut Scene, title: &str, sketch: &Sketch) {
        let last = self.steps - 1;
        let [x, y] = self.corner;
        scene.text([x + LEFT, y + 8.0], 11.0, Anchor::Start, title);
        for weight in [-REACH, 0.0, REACH] {
            let [x, y] = self.at(0, weight);
            scene.line(&[[x, y], self.at(last, weight)], Look::stroked(LINE, 1.0));
            let label = format!("{weight}").replace('-', "−");
            scene.words([x - 6.0, y + 3.5], (11.0, Anchor::End, MUTED), label);
        }
        let colour = COLOURS[0];
        for (bounds, opacity) in [
            ((|moment| moment.simultaneous) as fn(&Moment) -> Bounds, 0.12),
            (|moment| moment.band, 0.24),
        ] {
            let outline = self.outline(&sketch.learned, bounds);
            scene.polygon(&outline, Look::filled(colour).opacity(opacity));
        }
        let points = |weights: &mut dyn Iterator<Item = (usize, f64)>| -> Vec<Point> {
            weights.map(|(step, weight)| self.at(step, weight)).collect()
        };
        let truth = points(&mut sketch.truth.iter().copied().enumerate());
        let learned = points(&mut sketch.learned.iter().map(|m| (m.step, m.weight)));
        if learned.is_empty() {
            let middle = self.at(self.steps / 2, -0.85 * REACH);
            scene.words(middle, (11.0, Anchor::Middle, MUTED), "not listed");
        } else {
            scene.line(&learned, Look::stroked(colour, 1.6));
        }
        scene.line(&truth, Look::stroked(INK, 1.0).dashed(4.0, 3.0));
    }

    /// Along the upper bounds, and back along the lower ones.
    fn outline(&self, moments: &[Moment], bounds: fn(&Moment) -> Bounds) -> Vec<Point> {
        let known = moments.iter().filter_map(|moment| Some((moment.step, bounds(moment)?)));
        let known = known.filter(|(_, (low, high))| (low + high).is_finite());
        let known: Vec<(usize, (f64, f64))> = known.collect();
        let above = known.iter().map(|(step, (_, high))| self.at(*step, *high));
        let below = known.iter().rev().map(|(step, (low, _))| self.at(*step, *low));
        above.chain(below).collect()
    }
}
