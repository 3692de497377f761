//! What was learned of a probe, step by step, and a picture of it.

use super::bands::rows;
use super::definition::Trial;
use super::findings::{Findings, Row};
use crate::reproduce::{COLOURS, Svg};

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
    let mut svg = Svg::default();
    let title = format!("{}: the first seed of each", findings.battery.title);
    svg.text((14.0, 22.0), &title, r##"font-size="14" font-weight="bold" fill="#222""##);
    for (place, (row, sketch)) in frames.into_iter().enumerate() {
        let corner = ((place % COLUMNS) as f64 * WIDTH, TOP + (place / COLUMNS) as f64 * HEIGHT);
        let frame = Frame { corner, steps: sketch.steps };
        frame.draw(&mut svg, &format!("{} · {}", row.condition, row.method), sketch);
    }
    let bottom = TOP + count.div_ceil(COLUMNS) as f64 * HEIGHT + 8.0;
    let legend =
        "dashed: true weight; line: learned; shaded: band; lighter: band of the whole path";
    svg.text((14.0, bottom), legend, r##"fill="#444""##);
    Some(svg.finish(COLUMNS.min(count).max(2) as f64 * WIDTH + 12.0, bottom + 14.0, &title))
}

/// One pair of axes.
struct Frame {
    corner: (f64, f64),
    steps: usize,
}

impl Frame {
    fn at(&self, step: usize, weight: f64) -> (f64, f64) {
        let across = (step as f64 + 0.5) / self.steps as f64;
        let down = 0.5 - 0.5 * (weight / REACH).clamp(-1.0, 1.0);
        let (width, height) = (WIDTH - LEFT - 6.0, HEIGHT - 34.0);
        (self.corner.0 + LEFT + across * width, self.corner.1 + 14.0 + down * height)
    }

    fn draw(&self, svg: &mut Svg, title: &str, sketch: &Sketch) {
        let last = self.steps - 1;
        svg.text(
            (self.corner.0 + LEFT, self.corner.1 + 8.0),
            title,
            r##"font-weight="bold" fill="#333""##,
        );
        for weight in [-REACH, 0.0, REACH] {
            let (x, y) = self.at(0, weight);
            svg.line((x, y), self.at(last, weight), r##"stroke="#e4e4e4""##);
            let label = format!("{weight}").replace('-', "−");
            svg.text((x - 6.0, y + 3.5), &label, r##"text-anchor="end" fill="#666""##);
        }
        let colour = COLOURS[0];
        for (bounds, opacity) in [
            ((|moment| moment.simultaneous) as fn(&Moment) -> Bounds, 0.12),
            (|moment| moment.band, 0.24),
        ] {
            let style = format!(r#"fill="{colour}" fill-opacity="{opacity}""#);
            svg.area(&self.outline(&sketch.learned, bounds), &style);
        }
        let points = |weights: &mut dyn Iterator<Item = (usize, f64)>| -> Vec<(f64, f64)> {
            weights.map(|(step, weight)| self.at(step, weight)).collect()
        };
        let truth = points(&mut sketch.truth.iter().copied().enumerate());
        let learned = points(&mut sketch.learned.iter().map(|m| (m.step, m.weight)));
        if learned.is_empty() {
            let middle = self.at(self.steps / 2, -0.85 * REACH);
            svg.text(middle, "not listed", r##"text-anchor="middle" fill="#666""##);
        } else {
            svg.path(&learned, &format!(r#"stroke="{colour}" stroke-width="1.6""#));
        }
        svg.path(&truth, r##"stroke="#222" stroke-width="1" stroke-dasharray="4 3""##);
    }

    /// Along the upper bounds, and back along the lower ones.
    fn outline(&self, moments: &[Moment], bounds: fn(&Moment) -> Bounds) -> Vec<(f64, f64)> {
        let known = moments.iter().filter_map(|moment| Some((moment.step, bounds(moment)?)));
        let known = known.filter(|(_, (low, high))| (low + high).is_finite());
        let known: Vec<(usize, (f64, f64))> = known.collect();
        let above = known.iter().map(|(step, (_, high))| self.at(*step, *high));
        let below = known.iter().rev().map(|(step, (low, _))| self.at(*step, *low));
        above.chain(below).collect()
    }
}
