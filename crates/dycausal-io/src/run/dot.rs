//! `graph.dot` for Graphviz.

use std::io::{self, Write};

use dycausal::{DynamicGraph, Mark};

/// Writes each edge once: dashed if lagged, as thick as it is strong, without a head if
/// undirected, barred at both ends if in conflict.
pub(super) fn write(to: &mut impl Write, graph: &DynamicGraph) -> io::Result<()> {
    writeln!(to, "digraph dycausal {{")?;
    for (number, name) in graph.names().iter().enumerate() {
        writeln!(to, "  v{number} [label=\"{}\"];", escaped(name))?;
    }
    let strongest: Vec<f64> =
        graph.edges().iter().map(|edge| edge.strongest(graph.basis())).collect();
    let largest = strongest.iter().map(|weight| weight.abs()).fold(f64::MIN_POSITIVE, f64::max);
    for (edge, strongest) in graph.edges().iter().zip(&strongest) {
        let style = if edge.lag == 0 { "solid" } else { "dashed" };
        let head = match edge.mark {
            Mark::Directed => "",
            Mark::Undirected => ", dir=none",
            Mark::Conflict => ", dir=both, arrowhead=tee, arrowtail=tee",
        };
        writeln!(
            to,
            "  v{} -> v{} [label=\"lag {}: {:.3}\", lag={}, strength=\"{}\", penwidth={:.2}, style={style}{head}];",
            edge.from,
            edge.to,
            edge.lag,
            strongest,
            edge.lag,
            strongest,
            0.5 + 2.5 * strongest.abs() / largest,
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
