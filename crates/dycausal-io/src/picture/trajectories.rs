//! The edges that change most, each over all times.

use dycausal::graph::spaced;
use dycausal::{Basis, DynamicGraph, Edge};

use super::font::Font;
use super::scene::{ACCENT, Anchor, INK, LINE, Label, Look, MUTED, Point, Scene, number, sign};
use super::units::Units;
use crate::report::changes::changes;

const COLUMNS: usize = 3;
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 140.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 26.0;
/// Steps of a curve: more cannot be told apart.
const MOST_STEPS: usize = 1000;

/// Draws up to `most` edges; those whose weights move furthest come first.
pub(super) fn scene(
    graph: &DynamicGraph,
    truth: Option<&DynamicGraph>,
    most: usize,
    units: Units<'_>,
    font: &Font,
) -> Scene {
    let mut edges: Vec<(&Edge, f64)> =
        graph.edges().iter().map(|edge| (edge, range(graph, edge) * units.factor(edge))).collect();
    edges.sort_by(|a, b| b.1.total_cmp(&a.1));
    edges.truncate(most);
    let columns = COLUMNS.min(edges.len()).max(1);
    let rows = edges.len().div_ceil(columns).max(1);
    let mut scene = Scene::new(WIDTH * columns as f64, HEIGHT * rows as f64);
    if edges.is_empty() {
        let middle = [scene.width / 2.0, scene.height / 2.0];
        scene.text(middle, 13.0, Anchor::Middle, "No edge was found.");
    }
    for (k, (edge, _)) in edges.iter().enumerate() {
        let corner = [(k % columns) as f64 * WIDTH, (k / columns) as f64 * HEIGHT];
        let chart = Chart::new(graph, truth, edge, corner, units);
        chart.draw(&mut scene, font);
    }
    scene
}

/// How far the weight moves; where the edge is not there it is 0.
fn range(graph: &DynamicGraph, edge: &Edge) -> f64 {
    let weights = shown(0, graph.steps()).map(|step| edge.weight(graph.basis(), step));
    let (low, high) = weights
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| (low.min(w), high.max(w)));
    high - low
}

/// Steps from one to before another that are drawn: no more than can be told apart.
fn shown(start: usize, end: usize) -> impl Iterator<Item = usize> {
    spaced(end - start, MOST_STEPS).into_iter().map(move |step| start + step)
}

struct Chart<'a> {
    graph: &'a DynamicGraph,
    edge: &'a Edge,
    /// The true weight at steps.
    truth: Option<Vec<(usize, f64)>>,
    corner: Point,
    low: f64,
    high: f64,
    /// What weights are multiplied by.
    factor: f64,
}

impl<'a> Chart<'a> {
    fn new(
        graph: &'a DynamicGraph,
        truth: Option<&DynamicGraph>,
        edge: &'a Edge,
        corner: Point,
        units: Units<'_>,
    ) -> Self {
        let factor = units.factor(edge);
        let truth = truth.map(|truth| {
            let at = |step| (step, truth.weight(step, edge.lag, edge.from, edge.to));
            shown(0, graph.steps()).map(at).collect::<Vec<(usize, f64)>>()
        });
        let stretches = edge.presence.ranges().iter();
        let there: Vec<usize> = stretches.flat_map(|(start, end)| shown(*start, *end)).collect();
        let weights = there.iter().map(|step| edge.weight(graph.basis(), *step));
        let known = there.iter().flat_map(|&step| {
            [edge.bounds(graph.basis(), step), edge.simultaneous_bounds(graph.basis(), step)]
        });
        let bounds = known.flatten().flat_map(|(low, high)| [low, high]);
        let values = weights.chain(bounds).chain(truth.iter().flatten().map(|(_, weight)| *weight));
        let (low, high) = values
            .map(|value| value * factor)
            .filter(|value| value.is_finite())
            .fold((0.0, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
        Self { graph, edge, truth, corner, low, high, factor }
    }

    /// Where a weight stands.
    fn at(&self, step: usize, weight: f64) -> Point {
        self.place(step, weight * self.factor)
    }

    /// Where a number of the axis stands.
    fn place(&self, step: usize, value: f64) -> Point {
        let across = step as f64 / (self.graph.steps() - 1).max(1) as f64;
        let span = if self.high > self.low { self.high - self.low } else { 1.0 };
        let up = (value - self.low) / span;
        [
            self.corner[0] + LEFT + across * (WIDTH - LEFT - RIGHT),
            self.corner[1] + HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM),
        ]
    }

    fn draw(&self, scene: &mut Scene, font: &Font) {
        self.frame(scene, font);
        for (start, end) in self.edge.presence.ranges() {
            self.stretch(scene, *start, *end);
        }
        if let Some(truth) = &self.truth {
            let points: Vec<Point> =
                truth.iter().map(|(step, weight)| self.at(*step, *weight)).collect();
            scene.line(&points, Look::stroked(INK, 1.0).dashed(2.0, 3.0).opacity(0.75));
        }
        let (top, bottom) = (self.corner[1] + TOP, self.corner[1] + HEIGHT - BOTTOM);
        for change in changes(self.graph, self.edge) {
            let [x, _] = self.at(change.step, 0.0);
            if let Some((low, high)) = change.within.filter(|(low, high)| low < high) {
                let [left, right] = [low, high].map(|step| self.at(step, 0.0)[0]);
                let area = [[left, top], [right, top], [right, bottom], [left, bottom]];
                scene.polygon(&area, Look::filled(ACCENT).opacity(0.12));
            }
            scene.line(&[[x, top], [x, bottom]], Look::stroked(ACCENT, 1.0).dashed(1.0, 3.0));
            let mark = [[x, top - 8.0], [x + 4.0, top - 4.0], [x, top], [x - 4.0, top - 4.0]];
            scene.polygon(&mark, Look::filled(ACCENT));
        }
    }

    fn frame(&self, scene: &mut Scene, font: &Font) {
        let edge = self.edge;
        let names = self.graph.names();
        let lag = if edge.lag > 0 { format!(", lag {}", edge.lag) } else { String::new() };
        let room = (WIDTH - LEFT - RIGHT - font.width(&lag, 12.0) - 24.0) / 2.0;
        let [from, to] = [edge.from, edge.to].map(|v| font.clipped(&names[v], room, 12.0));
        let [x, y] = self.corner;
        scene.text([x + LEFT, y + 18.0], 12.0, Anchor::Start, format!("{from} → {to}{lag}"));
        let last = self.graph.steps() - 1;
        scene.line(&[self.at(0, 0.0), self.at(last, 0.0)], Look::stroked(LINE, 1.0));
        for value in [self.high, self.low].into_iter().filter(|value| *value != 0.0) {
            let [left, level] = self.place(0, value);
            scene.label(tick([left - 5.0, level + 3.5], Anchor::End, number(value)));
        }
        let below = y + HEIGHT - BOTTOM + 15.0;
        for (step, anchor) in [(0, Anchor::Start), (last, Anchor::End)] {
            let at = [self.at(step, 0.0)[0], below];
            scene.label(tick(at, anchor, self.graph.times().label(step)));
        }
    }

    /// The band and the weight over steps at which the edge is there.
    fn stretch(&self, scene: &mut Scene, start: usize, end: usize) {
        let basis = self.graph.basis();
        let steps: Vec<usize> = shown(start, end).collect();
        for (bounds, opacity) in [
            (Edge::simultaneous_bounds as fn(&Edge, &Basis, usize) -> Option<(f64, f64)>, 0.1),
            (Edge::bounds, 0.2),
        ] {
            let known: Option<Vec<(f64, f64)>> =
                steps.iter().map(|step| bounds(self.edge, basis, *step)).collect();
            let Some(known) = known.filter(|all| all.iter().all(|b| (b.0 + b.1).is_finite()))
            else {
                continue;
            };
            let above = steps.iter().zip(&known).map(|(step, b)| self.at(*step, b.1));
            let below = steps.iter().zip(&known).rev().map(|(step, b)| self.at(*step, b.0));
            let points: Vec<Point> = above.chain(below).collect();
            scene.polygon(&points, Look::filled(MUTED).opacity(opacity));
        }
        let weight = |step: usize| self.edge.weight(self.graph.basis(), step);
        let mut piece: Vec<Point> = vec![self.at(start, weight(start))];
        for pair in steps.windows(2) {
            let (last, step) = (pair[0], pair[1]);
            let (before, here) = (weight(last), weight(step));
            if sign(before) != sign(here) {
                let crossing =
                    middle(self.at(last, 0.0), self.at(step, 0.0), before / (before - here));
                piece.push(crossing);
                scene.line(&piece, Look::stroked(sign(before), 1.8));
                piece = vec![crossing];
            }
            piece.push(self.at(step, here));
        }
        if piece.len() == 1 {
            let [x, y] = piece[0];
            piece.push([x + 0.5, y]);
        }
        scene.line(&piece, Look::stroked(sign(weight(end - 1)), 1.8));
    }
}

fn middle(a: Point, b: Point, share: f64) -> Point {
    [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
}

fn tick(at: Point, anchor: Anchor, text: String) -> Label {
    Label { at, size: 10.0, anchor, colour: MUTED, upright: false, halo: false, text }
}
