//! `graph.graphml` for Gephi, igraph, networkx and others.

use std::io::{self, Write};

use dycausal::DynamicGraph;

use super::union::Overall;

/// What each edge carries: name and type.
const KEYS: [(&str, &str); 8] = [
    ("lag", "int"),
    ("weight", "double"),
    ("mean", "double"),
    ("max", "double"),
    ("first", "string"),
    ("last", "string"),
    ("steps", "int"),
    ("undirected", "boolean"),
];

/// Writes each edge once: `weight` is its strongest with sign, `max` that without, `mean` the mean
/// over the steps at which it is there, `first` and `last` the times of the first and last of them.
pub(super) fn write(to: &mut impl Write, graph: &DynamicGraph) -> io::Result<()> {
    writeln!(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(to, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    writeln!(to, "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>")?;
    for (name, kind) in KEYS {
        writeln!(
            to,
            "  <key id=\"{name}\" for=\"edge\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        )?;
    }
    writeln!(to, "  <graph id=\"dycausal\" edgedefault=\"directed\">")?;
    for (number, name) in graph.names().iter().enumerate() {
        let name = escaped(name);
        writeln!(to, "    <node id=\"v{number}\"><data key=\"name\">{name}</data></node>")?;
    }
    for (number, edge) in graph.edges().iter().enumerate() {
        let overall = Overall::of(graph, edge);
        write!(
            to,
            "    <edge id=\"e{number}\" source=\"v{}\" target=\"v{}\">",
            edge.from, edge.to
        )?;
        let values = [
            edge.lag.to_string(),
            overall.strongest.to_string(),
            overall.mean.to_string(),
            overall.strongest.abs().to_string(),
            escaped(&graph.times().label(overall.first)),
            escaped(&graph.times().label(overall.last)),
            overall.steps.to_string(),
            edge.undirected.to_string(),
        ];
        for ((name, _), value) in KEYS.iter().zip(values) {
            write!(to, "<data key=\"{name}\">{value}</data>")?;
        }
        writeln!(to, "</edge>")?;
    }
    writeln!(to, "  </graph>\n</graphml>")
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
