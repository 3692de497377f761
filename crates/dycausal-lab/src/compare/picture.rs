//! Which method found which edge, as a picture.

use dycausal::graph::Edge;
use dycausal::{DynamicGraph, Panel};

use super::Comparison;
use crate::error::Result;
use crate::reproduce::{COLOURS, Svg};

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
        let mut svg = Svg::default();
        for (column, entry) in self.entries.iter().enumerate() {
            let x = LEFT + COLUMN * (column as f64 + 0.5);
            let turned = format!(r#"transform="rotate(-50 {x:.1} {:.1})""#, TOP - 10.0);
            svg.text((x, TOP - 10.0), &entry.method, &turned);
            let Ok(graph) = &entry.outcome else {
                svg.text(
                    (x, TOP + ROW * 0.8),
                    "failed",
                    r##"text-anchor="middle" font-size="7" fill="#d55e00""##,
                );
                continue;
            };
            for (row, edge) in edges.iter().enumerate() {
                let y = TOP + ROW * (row as f64 + 0.5);
                draw(&mut svg, (x, y), graph, edge, COLOURS[column % COLOURS.len()]);
            }
        }
        for (row, edge) in edges.iter().enumerate() {
            let y = TOP + ROW * (row as f64 + 0.5) + 4.0;
            let (from, to) = (&union.names()[edge.from], &union.names()[edge.to]);
            let lag = if edge.lag == 0 { String::new() } else { format!(", lag {}", edge.lag) };
            let words: String = format!("{from} → {to}{lag}").chars().take(34).collect();
            svg.text((LEFT - 8.0, y), &words, r#"text-anchor="end""#);
        }
        let bottom = TOP + ROW * edges.len() as f64 + 22.0;
        if left_out > 0 {
            let words = format!("and {left_out} more edges that fewer methods found");
            svg.text((LEFT - 8.0, bottom - 6.0), &words, r##"text-anchor="end" fill="#8a8a8a""##);
        }
        let width = LEFT + COLUMN * self.entries.len() as f64 + 80.0;
        Ok(svg.finish(width, bottom, "Edges and the methods that found them"))
    }
}

fn draw(svg: &mut Svg, place: (f64, f64), graph: &DynamicGraph, edge: &Edge, colour: &str) {
    let Some(found) = graph.edge(edge.lag, edge.from, edge.to) else {
        return svg.dot(place, 1.0, r##"fill="#cccccc""##);
    };
    let style = if found.mark.is_directed() {
        format!(r#"fill="{colour}""#)
    } else {
        format!(r#"fill="white" stroke="{colour}" stroke-width="1.6""#)
    };
    svg.dot(place, 4.5, &style);
}
