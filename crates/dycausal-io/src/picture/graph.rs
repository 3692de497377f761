//! The graph at some times, side by side; variables stay where they are.

use dycausal::graph::Given;
use dycausal::{DynamicGraph, Edge};

use super::arrow::{self, Node};
use super::font::Font;
use super::scene::{ACCENT, Anchor, INK, Label, Look, MUTED, Scene, WHITE, sign};
use super::units::Units;
use crate::layout::places;

/// Up to this many variables names stand in their nodes.
const NAMES_INSIDE: usize = 30;
/// The strongest edges that are drawn, at most.
const MOST_EDGES: usize = 160;

const SIDE: f64 = 460.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 34.0;

/// Draws the graph at each of some steps.
pub(super) fn scene(graph: &DynamicGraph, steps: &[usize], units: Units<'_>, font: &Font) -> Scene {
    let side = if graph.variables() > 80 { 1.5 * SIDE } else { SIDE };
    let mut scene = Scene::new(side * steps.len() as f64, side + TOP + BOTTOM);
    let nodes = nodes(graph, side, font);
    let shown = strongest(graph, units);
    let most = shown.iter().map(|(_, strength)| *strength).fold(f64::MIN_POSITIVE, f64::max);
    for (column, step) in steps.iter().enumerate() {
        let left = side * column as f64;
        let title = format!("at {}", graph.times().label(*step));
        scene.text([left + side / 2.0, 22.0], 15.0, Anchor::Middle, title);
        let nodes: Vec<Node> = nodes.iter().map(|node| node.moved(left, TOP)).collect();
        let place = DrawnPlace { step: *step, nodes: &nodes, middle: left + side / 2.0 };
        draw_edges(&mut scene, graph, &shown, most, units, &place);
        draw_nodes(&mut scene, &nodes, font);
    }
    legend(&mut scene, graph, shown.len(), units);
    scene
}

/// The strongest edges with their strength.
fn strongest<'a>(graph: &'a DynamicGraph, units: Units<'_>) -> Vec<(&'a Edge, f64)> {
    let mut edges: Vec<(&Edge, f64)> =
        graph.edges().iter().map(|edge| (edge, units.strength(graph, edge))).collect();
    edges.sort_by(|a, b| b.1.total_cmp(&a.1));
    edges.truncate(MOST_EDGES);
    edges
}

fn nodes(graph: &DynamicGraph, side: f64, font: &Font) -> Vec<Node> {
    let inside = graph.variables() <= NAMES_INSIDE;
    let node = |(place, name): ([f64; 2], &String)| {
        let name = font.clipped(name, if inside { 105.0 } else { 90.0 }, 12.0);
        let width = if inside { (font.width(&name, 12.0) + 16.0).max(28.0) } else { 8.0 };
        let room = |share: f64, margin: f64| margin + share * (side - 2.0 * margin);
        Node {
            at: [room(place[0], if inside { 68.0 } else { 40.0 }), room(place[1], 40.0)],
            size: [width, if inside { 24.0 } else { 8.0 }],
            name,
            inside,
        }
    };
    let mut nodes: Vec<Node> = places(graph).into_iter().zip(graph.names()).map(node).collect();
    if inside {
        arrow::separate(&mut nodes, side);
    }
    nodes
}

/// Which step is drawn, and where.
struct DrawnPlace<'a> {
    step: usize,
    nodes: &'a [Node],
    middle: f64,
}

fn draw_edges(
    scene: &mut Scene,
    graph: &DynamicGraph,
    shown: &[(&Edge, f64)],
    most: f64,
    units: Units<'_>,
    place: &DrawnPlace<'_>,
) {
    let (nodes, middle) = (place.nodes, place.middle);
    // Weak edges first, so that strong ones lie on them.
    for (edge, _) in shown.iter().rev() {
        let weight = edge.weight(graph.basis(), place.step) * units.factor(edge);
        if weight == 0.0 {
            continue;
        }
        let share = (weight.abs() / most).min(1.0);
        let (width, opacity) = (0.7 + 4.3 * share, 0.3 + 0.65 * share.sqrt());
        let before = |other: &&(&Edge, f64)| {
            (other.0.from, other.0.to) == (edge.from, edge.to) && other.0.lag < edge.lag
        };
        let bend = shown.iter().filter(before).count() as f64;
        let open = !edge.mark.is_directed();
        let curve = if edge.from == edge.to {
            arrow::around(&nodes[edge.from], middle, bend, width)
        } else {
            arrow::between(&nodes[edge.from], &nodes[edge.to], bend, width, open)
        };
        if edge.given == Given::Edge {
            scene.path(curve.line.clone(), Look::stroked(ACCENT, width + 6.0).opacity(0.25));
        }
        let look = Look::stroked(sign(weight), width).opacity(opacity);
        let look = if edge.lag > 0 { look.dashed(3.0 + width, 2.5 + width) } else { look };
        scene.path(curve.line, look);
        if !open {
            scene.polygon(&curve.head, Look::filled(sign(weight)).opacity(opacity));
        }
        if edge.lag > 0 && graph.lag() > 1 && shown.len() <= 90 {
            let [x, y] = curve.middle;
            let label = Label { colour: sign(weight), ..small([x, y + 4.0], edge.lag.to_string()) };
            scene.label(label);
        }
    }
}

fn small(at: [f64; 2], text: String) -> Label {
    Label { at, size: 11.0, anchor: Anchor::Middle, colour: INK, upright: false, halo: true, text }
}

fn draw_nodes(scene: &mut Scene, nodes: &[Node], font: &Font) {
    let mut taken: Vec<([f64; 2], f64)> = Vec::new();
    for node in nodes {
        let [x, y] = node.at;
        scene.pill(node.at, node.size, Look { fill: Some(WHITE), ..Look::stroked(INK, 1.3) });
        if node.inside {
            scene.text([x, y + 4.3], 12.0, Anchor::Middle, node.name.clone());
            continue;
        }
        // A name that would lie on another is left out.
        let half = font.width(&node.name, 11.0) / 2.0;
        let free = |(at, other): &([f64; 2], f64)| {
            (at[1] - y).abs() > 12.0 || (at[0] - x).abs() > half + other + 3.0
        };
        if taken.iter().all(free) {
            taken.push((node.at, half));
            scene.label(small([x, y - 7.0], node.name.clone()));
        }
    }
}

fn legend(scene: &mut Scene, graph: &DynamicGraph, shown: usize, units: Units<'_>) {
    let y = scene.height - 14.0;
    let mut x = 16.0;
    let samples = [
        ("raises", sign(1.0), false),
        ("lowers", sign(-1.0), false),
        ("same step", MUTED, false),
        ("later, with its lag", MUTED, true),
    ];
    for (text, colour, dashed) in samples {
        let look = Look::stroked(colour, 3.0);
        let look = if dashed { look.dashed(6.0, 4.0) } else { look };
        scene.line(&[[x, y - 4.0], [x + 26.0, y - 4.0]], look);
        scene.text([x + 32.0, y], 12.0, Anchor::Start, text);
        x += 54.0 + 6.6 * text.len() as f64;
    }
    if graph.edges().iter().any(|edge| edge.given == Given::Edge) {
        scene.line(&[[x, y - 4.0], [x + 26.0, y - 4.0]], Look::stroked(ACCENT, 9.0).opacity(0.25));
        scene.text([x + 32.0, y], 12.0, Anchor::Start, "required");
        x += 54.0 + 6.6 * 8.0;
    }
    scene.text([x, y], 12.0, Anchor::Start, format!("width: {}", units.words()));
    if shown < graph.edges().len() {
        let text = format!("the {shown} strongest of {} edges", graph.edges().len());
        scene.text([scene.width - 16.0, y], 12.0, Anchor::End, text);
    }
}
