//! Curves from node to node that do not lie on each other.

use super::scene::{Piece, Point};

/// A variable where it stands.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub at: Point,
    pub size: [f64; 2],
    pub name: String,
    /// Whether the name stands in the node, or beside it.
    pub inside: bool,
}

impl Node {
    pub(super) fn moved(&self, x: f64, y: f64) -> Self {
        Self { at: [self.at[0] + x, self.at[1] + y], ..self.clone() }
    }

    /// Where the way to a point leaves the node: a box with half circles at its sides.
    fn border(&self, to: Point) -> Point {
        let [dx, dy] = [to[0] - self.at[0], to[1] - self.at[1]];
        let far = dx.hypot(dy).max(1e-9);
        let radius = self.size[1] / 2.0 + 2.0;
        let flat = (self.size[0] / 2.0 + 2.0 - radius).max(0.0);
        if dy.abs() > 1e-6 && (dx * radius / dy.abs()).abs() <= flat {
            let share = radius / dy.abs();
            return [self.at[0] + dx * share, self.at[1] + dy * share];
        }
        let (ux, uy) = (dx / far, dy / far);
        let along = ux * flat * dx.signum();
        let reach = along + (along * along - flat * flat + radius * radius).max(0.0).sqrt();
        [self.at[0] + ux * reach, self.at[1] + uy * reach]
    }
}

/// A line, the head at its end, and a place for a label.
pub(super) struct Curve {
    pub line: Vec<Piece>,
    pub head: [Point; 3],
    pub middle: Point,
}

/// From one node to another, bent to the right of its way, further for each edge before it.
pub(super) fn between(from: &Node, to: &Node, bend: f64, width: f64, headless: bool) -> Curve {
    let [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    let far = dx.hypot(dy).max(1e-9);
    let away = (0.11 * far).min(40.0) + 15.0 * bend;
    let control = [
        f64::midpoint(from.at[0], to.at[0]) - dy / far * away,
        f64::midpoint(from.at[1], to.at[1]) + dx / far * away,
    ];
    let (start, tip) = (from.border(control), to.border(control));
    let size = 4.5 + 1.5 * width;
    let way = (tip[0] - control[0]).hypot(tip[1] - control[1]).max(1e-9);
    let unit = [(tip[0] - control[0]) / way, (tip[1] - control[1]) / way];
    let short = if headless { 0.0 } else { 0.8 * size };
    let end = [tip[0] - unit[0] * short, tip[1] - unit[1] * short];
    Curve {
        line: vec![Piece::Move(start), Piece::Quadratic(control, end)],
        head: head(tip, unit, size),
        middle: [0, 1].map(|axis| (start[axis] + 2.0 * control[axis] + end[axis]) / 4.0),
    }
}

/// An effect of a variable on itself: a loop above or below, away from the middle.
pub(super) fn around(node: &Node, middle: f64, bend: f64, width: f64) -> Curve {
    let up = if node.at[1] <= middle { -1.0 } else { 1.0 };
    let large = node.size[1] > 20.0;
    let (reach, spread) =
        (if large { 25.0 } else { 15.0 } + 9.0 * bend, if large { 8.0 } else { 3.0 });
    let [x, y] = [node.at[0], node.at[1] + up * (node.size[1] / 2.0 + 2.0)];
    let size = 3.5 + 1.1 * width;
    let end = [x + spread + 1.5, y + up * 0.8 * size];
    Curve {
        line: vec![
            Piece::Move([x - spread, y]),
            Piece::Cubic(
                [x - spread - 12.0, y + up * reach],
                [x + spread + 12.0, y + up * reach],
                end,
            ),
        ],
        head: head([x + spread, y], [-0.25, -up], size),
        middle: [x, y + up * (0.75 * reach + 4.0)],
    }
}

fn head(tip: Point, [ux, uy]: [f64; 2], size: f64) -> [Point; 3] {
    let half = 0.48 * size;
    let back = [tip[0] - ux * size, tip[1] - uy * size];
    [tip, [back[0] - uy * half, back[1] + ux * half], [back[0] + uy * half, back[1] - ux * half]]
}

/// Pushes nodes apart that lie on each other, within a square.
pub(super) fn separate(nodes: &mut [Node], side: f64) {
    for _ in 0..40 {
        let mut moved = false;
        for a in 0..nodes.len() {
            for b in a + 1..nodes.len() {
                let overlap = [(0, 12.0), (1, 16.0)].map(|(axis, gap)| {
                    let wanted = f64::midpoint(nodes[a].size[axis], nodes[b].size[axis]) + gap;
                    wanted - (nodes[a].at[axis] - nodes[b].at[axis]).abs()
                });
                if overlap[0] <= 0.0 || overlap[1] <= 0.0 {
                    continue;
                }
                moved = true;
                let axis = usize::from(overlap[1] <= overlap[0]);
                let way = if nodes[a].at[axis] <= nodes[b].at[axis] { 0.5 } else { -0.5 };
                nodes[a].at[axis] -= way * overlap[axis];
                nodes[b].at[axis] += way * overlap[axis];
            }
        }
        for node in &mut *nodes {
            let half = (node.size[0] / 2.0 + 6.0).min(side / 2.0);
            node.at = [node.at[0].clamp(half, side - half), node.at[1].clamp(24.0, side - 24.0)];
        }
        if !moved {
            break;
        }
    }
}
