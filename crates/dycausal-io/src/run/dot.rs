//! `graph.dot` for Graphviz.

use std::io::{self, Write};

use dycausal::DynamicGraph;

use super::union::Overall;

/// Writes each edge once: dashed if lagged, as thick as it is strong, without a head if undirected.
pub(super) fn write(to: &mut impl Write, graph: &DynamicGraph) -> io::Result<()> {
    writeln!(to, "digraph dycausal {{")?;
    for (number, name) in graph.names().iter().enumerate() {
        writeln!(to, "  v{number} [label=\"{}\"];", escaped(name))?;
    }
    let overall: Vec<Overall> = graph.edges().iter().map(|edge| Overall::of(graph, edge)).collect();
    let largest = overall.iter().map(|o| o.strongest.abs()).fold(f64::MIN_POSITIVE, f64::max);
    for (edge, overall) in graph.edges().iter().zip(&overall) {
        let style = if edge.lag == 0 { "solid" } else { "dashed" };
        let head = if edge.undirected { ", dir=none" } else { "" };
        writeln!(
            to,
            "  v{} -> v{} [label=\"lag {}: {:.3}\", lag={}, strength=\"{}\", penwidth={:.2}, style={style}{head}];",
            edge.from,
            edge.to,
            edge.lag,
            overall.strongest,
            edge.lag,
            overall.strongest,
            0.5 + 2.5 * overall.strongest.abs() / largest,
        )?;
    }
    writeln!(to, "}}")
}

/// A name within quotes: Graphviz also gives a meaning to backslashes there.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\n' => text.push_str("\\n"),
            // Graphviz knows HTML entities within labels.
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            other if other.is_control() => text.push(char::REPLACEMENT_CHARACTER),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escaped(r#"a"]; b\ "#), r#"a\"]; b\\ "#);
        assert_eq!(escaped("two\nlines <b>&"), "two\\nlines &lt;b&gt;&amp;");
    }
}
