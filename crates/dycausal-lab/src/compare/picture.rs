//! Which method found which edge, as a picture.

use dycausal::graph::Edge;
use dycausal::{DynamicGraph, Panel};
use dycausal_io::drawing::{Anchor, Colour, INK, Label, Look, MUTED, Point, Scene, WHITE};

use super::Comparison;
use crate::error::Result;
use crate::study::COLOURS;

/// Most edges in the picture: those that most methods found.
const MOST: usize = 60;
const ROW: f64 = 16.0;
const COLUMN: f64 = 26.0;
const LEFT: f64 = 210.0;
const TOP: f64 = 120.0;

impl Comparison {
    /// A dot for every edge (rows) that a method (columns) found; hollow where its direction is open.
    ///
    /// # Errors
    /// As [`Comparison::union`].
    pub fn picture(&self, panel: &Panel) -> Result<String> {
        let union = self.union(panel)?;
        let mut edges: Vec<&Edge> = union.edges().iter().collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(edge.found_by.len()));
        let left_out = edges.len().saturating_sub(MOST);
        edges.truncate(MOST);
        let width = LEFT + COLUMN * self.entries.len() as f64 + 80.0;
        let bottom = TOP + ROW * edges.len() as f64 + 22.0;
        let mut scene = Scene::new(width, bottom);
        for (column, entry) in self.entries.iter().enumerate() {
            let x = LEFT + COLUMN * (column as f64 + 0.5);
            scene.label(Label {
                at: [x + 4.0, TOP - 10.0],
                size: 11.0,
                anchor: Anchor::Start,
                colour: INK,
                upright: true,
                halo: false,
                text: entry.method.clone(),
            });
            let Ok(graph) = &entry.outcome else {
                let look = (7.0, Anchor::Middle, COLOURS[1]);
                scene.words([x, TOP + ROW * 0.8], look, "failed");
                continue;
            };
            for (row, edge) in edges.iter().enumerate() {
                let y = TOP + ROW * (row as f64 + 0.5);
                draw(&mut scene, [x, y], graph, edge, COLOURS[column % COLOURS.len()]);
            }
        }
        for (row, edge) in edges.iter().enumerate() {
            let y = TOP + ROW * (row as f64 + 0.5) + 4.0;
            let (from, to) = (&union.names()[edge.from], &union.names()[edge.to]);
            let lag = if edge.lag == 0 { String::new() } else { format!(", lag {}", edge.lag) };
            let words: String = format!("{from} → {to}{lag}").chars().take(34).collect();
            scene.text([LEFT - 8.0, y], 11.0, Anchor::End, words);
        }
        if left_out > 0 {
            let words = format!("and {left_out} more edges that fewer methods found");
            scene.words([LEFT - 8.0, bottom - 6.0], (11.0, Anchor::End, MUTED), words);
        }
        Ok(scene.svg())
    }
}

fn draw(scene: &mut Scene, place: Point, graph: &DynamicGraph, edge: &Edge, colour: Colour) {
    let Some(found) = graph.edge(edge.lag, edge.from, edge.to) else {
        return scene.disc(place, 1.0, Look::filled(MUTED));
    };
    let inside = if found.mark.is_directed() { colour } else { WHITE };
    scene.disc(place, 4.5, Look { fill: Some(inside), ..Look::stroked(colour, 1.6) });
}
