//! A drawing as SVG.

use std::fmt::Write;

use super::scene::{Anchor, Colour, Label, Look, Piece, Point, Scene, Shape};

/// The whole file.
pub(super) fn svg(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n"
    );
    for shape in &scene.shapes {
        match shape {
            Shape::Path(pieces, look) => path(&mut text, pieces, look),
            Shape::Disc(middle, radius, look) => disc(&mut text, *middle, *radius, look),
            Shape::Text(label) => line(&mut text, label),
        }
    }
    text.push_str("</svg>\n");
    text
}

fn path(to: &mut String, pieces: &[Piece], look: &Look) {
    to.push_str("<path d=\"");
    for piece in pieces {
        // Writing to memory does not fail.
        let _ = match piece {
            Piece::Move([x, y]) => write!(to, "M{x:.2} {y:.2}"),
            Piece::Line([x, y]) => write!(to, "L{x:.2} {y:.2}"),
            Piece::Quadratic([a, b], [x, y]) => write!(to, "Q{a:.2} {b:.2} {x:.2} {y:.2}"),
            Piece::Cubic([a, b], [c, d], [x, y]) => {
                write!(to, "C{a:.2} {b:.2} {c:.2} {d:.2} {x:.2} {y:.2}")
            }
            Piece::Close => write!(to, "Z"),
        };
    }
    to.push('"');
    finish(to, look);
}

fn disc(to: &mut String, [x, y]: Point, radius: f64, look: &Look) {
    let _ = write!(to, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"");
    finish(to, look);
}

/// How a shape looks, and its end.
fn finish(to: &mut String, look: &Look) {
    let _ = write!(to, " fill=\"{}\"", look.fill.map_or("none".into(), hex));
    if let Some(stroke) = look.stroke {
        let _ = write!(to, " stroke=\"{}\" stroke-width=\"{:.2}\"", hex(stroke), look.width);
    }
    if let Some([dash, gap]) = look.dash {
        let _ = write!(to, " stroke-dasharray=\"{dash:.2} {gap:.2}\"");
    }
    if look.opacity < 1.0 {
        let _ = write!(to, " opacity=\"{:.3}\"", look.opacity);
    }
    to.push_str("/>\n");
}

fn line(to: &mut String, label: &Label) {
    let anchor = match label.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let [x, y] = label.at;
    let place = if label.upright {
        format!("transform=\"translate({x:.2} {y:.2}) rotate(-90)\"")
    } else {
        format!("x=\"{x:.2}\" y=\"{y:.2}\"")
    };
    let halo = if label.halo {
        " stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\""
    } else {
        ""
    };
    let _ = writeln!(
        to,
        "<text {place} font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{halo}>{}</text>",
        label.size,
        hex(label.colour),
        escaped(&label.text)
    );
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text that cannot be taken for markup; what XML does not have is replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => {
                safe.push(char::REPLACEMENT_CHARACTER);
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_and_nothing_else() {
        assert_eq!(
            escaped("</text><script>\"&\u{7}"),
            "&lt;/text&gt;&lt;script&gt;&quot;&amp;\u{fffd}"
        );
    }
}
