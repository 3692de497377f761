//! Cause × effect heat maps: one row of them per time, one column per lag, the truth beside each.

use dycausal::{DynamicGraph, Edge};

use super::font::Font;
use super::scene::{Anchor, LINE, Label, Look, MUTED, Point, SOFT, Scene, sign};
use super::units::Units;

/// Up to this many variables rows and columns have names.
const MOST_NAMES: usize = 26;
const SIDE: f64 = 260.0;
const GAP: f64 = 22.0;
const TITLE: f64 = 26.0;

/// Draws the matrices at each of some steps.
pub(super) fn scene(
    graph: &DynamicGraph,
    truth: Option<&DynamicGraph>,
    steps: &[usize],
    units: Units<'_>,
    font: &Font,
) -> Scene {
    let both: Vec<(&str, &DynamicGraph)> =
        std::iter::once(("learned", graph)).chain(truth.map(|truth| ("true", truth))).collect();
    let named = graph.variables() <= MOST_NAMES;
    let names: Vec<String> =
        graph.names().iter().map(|name| font.clipped(name, 80.0, 10.0)).collect();
    let widest = names.iter().map(|name| font.width(name, 10.0)).fold(0.0, f64::max);
    let room = if named { widest + 10.0 } else { 12.0 };
    let panel = [SIDE + room + GAP, SIDE + room + TITLE + 8.0];
    let columns = (graph.lag() + 1) * both.len();
    let size = [panel[0] * columns as f64, panel[1] * steps.len() as f64];
    let mut scene = Scene::new(size[0], size[1]);
    let strongest = |graph: &DynamicGraph| {
        graph.edges().iter().map(|edge| units.strength(graph, edge)).fold(0.0, f64::max)
    };
    let most = both.iter().map(|(_, graph)| strongest(graph)).fold(f64::MIN_POSITIVE, f64::max);
    for (row, step) in steps.iter().enumerate() {
        for column in 0..columns {
            let (lag, (kind, of)) = (column / both.len(), both[column % both.len()]);
            let corner = [panel[0] * column as f64 + room, panel[1] * row as f64 + TITLE];
            let when = if lag == 0 { "same step".into() } else { format!("lag {lag}") };
            let title = format!("{kind}, {when}, at {}", graph.times().label(*step));
            scene.text([corner[0], corner[1] - 8.0], 12.0, Anchor::Start, title);
            let shade = |edge: &Edge, weight: f64| weight.abs() * units.factor(edge) / most;
            draw(&mut scene, of, *step, lag, corner, &shade);
            if named {
                label(&mut scene, &names, corner);
            }
        }
    }
    scene
}

fn draw(
    scene: &mut Scene,
    graph: &DynamicGraph,
    step: usize,
    lag: usize,
    [x, y]: Point,
    shade: &dyn Fn(&Edge, f64) -> f64,
) {
    let cell = SIDE / graph.variables() as f64;
    let look = Look { fill: Some(SOFT), ..Look::stroked(LINE, 1.0) };
    scene.rectangle([x, y], [SIDE, SIDE], look);
    if lag == 0 {
        scene.line(&[[x, y], [x + SIDE, y + SIDE]], Look::stroked(LINE, 1.0));
    }
    let gap = if cell > 6.0 { 1.0 } else { 0.0 };
    for (edge, weight) in graph.at(step) {
        if edge.lag != lag || weight == 0.0 {
            continue;
        }
        let opacity = 0.12 + 0.88 * shade(edge, weight).min(1.0);
        let at = [x + edge.to as f64 * cell + gap / 2.0, y + edge.from as f64 * cell + gap / 2.0];
        let side = cell.max(1.5) - gap;
        scene.rectangle(at, [side, side], Look::filled(sign(weight)).opacity(opacity));
    }
}

fn label(scene: &mut Scene, names: &[String], [x, y]: Point) {
    let cell = SIDE / names.len() as f64;
    let size = (0.8 * cell).min(10.0);
    for (k, name) in names.iter().enumerate() {
        let middle = (k as f64 + 0.5) * cell + 0.35 * size;
        let text = |at, upright| Label {
            at,
            size,
            anchor: Anchor::End,
            colour: MUTED,
            upright,
            halo: false,
            text: name.clone(),
        };
        scene.label(text([x - 5.0, y + middle], false));
        scene.label(text([x + middle, y + SIDE + 5.0], true));
    }
}
