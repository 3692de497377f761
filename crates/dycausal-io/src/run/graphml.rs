//! `graph.graphml` for Gephi, igraph, networkx and others.

use std::io::{self, Write};

use dycausal::DynamicGraph;
use dycausal::graph::table::{Cell, CellKind, Column, EdgeTable, Layout};

/// Writes each edge once, with what the table of edges knows of it: `weight`, which other tools look
/// for, is its strongest with sign, and `max` that without.
pub(super) fn write(to: &mut impl Write, graph: &DynamicGraph) -> io::Result<()> {
    let table = EdgeTable::full(graph, Layout::Edges);
    writeln!(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(to, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    writeln!(to, "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>")?;
    for (key, kind) in table.columns().iter().filter_map(|column| key(column)).chain([MAX]) {
        writeln!(
            to,
            "  <key id=\"{key}\" for=\"edge\" attr.name=\"{key}\" attr.type=\"{kind}\"/>"
        )?;
    }
    writeln!(to, "  <graph id=\"dycausal\" edgedefault=\"directed\">")?;
    for (number, name) in graph.names().iter().enumerate() {
        let name = escaped(name);
        writeln!(to, "    <node id=\"v{number}\"><data key=\"name\">{name}</data></node>")?;
    }
    let mut edges = graph.edges().iter().enumerate();
    table.each(|cells| match edges.next() {
        Some((number, edge)) => {
            let ends = format!("source=\"v{}\" target=\"v{}\"", edge.from, edge.to);
            write!(to, "    <edge id=\"e{number}\" {ends}>")?;
            for (cell, column) in cells.iter().zip(table.columns()) {
                if let (Some((key, _)), Some(value)) = (key(column), shown(*cell, graph)) {
                    write!(to, "<data key=\"{key}\">{value}</data>")?;
                }
            }
            let max = edge.strength(graph.basis());
            writeln!(to, "<data key=\"{}\">{max}</data></edge>", MAX.0)
        }
        None => Ok(()),
    })?;
    writeln!(to, "  </graph>\n</graphml>")
}

const MAX: (&str, &str) = ("max", "double");

/// Name and type of what stands in a column; the ends of an edge are no data of it.
fn key(column: &Column) -> Option<(&'static str, &'static str)> {
    let name = if column.name == "strongest" { "weight" } else { column.name };
    match column.kind {
        CellKind::Variable => None,
        CellKind::Count => Some((name, "int")),
        CellKind::Number => Some((name, "double")),
        CellKind::Time | CellKind::Word | CellKind::Text => Some((name, "string")),
    }
}

fn shown(cell: Cell<'_>, graph: &DynamicGraph) -> Option<String> {
    match cell {
        Cell::Variable(_) | Cell::Nothing => None,
        Cell::Time(step) => Some(escaped(&graph.times().label(step))),
        Cell::Count(count) => Some(count.to_string()),
        Cell::Number(number) => Some(number.to_string()),
        Cell::Word(word) => Some(word.to_owned()),
        Cell::Text(text) => Some(escaped(&text.words(graph.times()))),
    }
}

/// A name as XML text; characters that XML does not have are replaced.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\r' => text.push_str("&#13;"),
            '\n' | '\t' => text.push(character),
            '\u{fffe}' | '\u{ffff}' => text.push(char::REPLACEMENT_CHARACTER),
            other if other < ' ' => text.push(char::REPLACEMENT_CHARACTER),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        assert_eq!(escaped("<script>&\"\u{1}"), "&lt;script&gt;&amp;&quot;\u{fffd}");
    }
}
