//! Letters as outlines, for pictures without a browser.
//!
//! Only Latin, Greek and Cyrillic letters and some symbols are at hand; others become a box. SVG
//! has no such limit: there the reader's own fonts are used.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::scene::{Anchor, Label, Piece, Point};

const BYTES: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");

/// The font that is at hand.
pub(super) struct Font(Option<Face<'static>>);

impl Font {
    pub(super) fn new() -> Self {
        Self(Face::parse(BYTES, 0).ok())
    }

    /// How wide a text is.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        let Some(face) = &self.0 else { return 0.6 * size * text.chars().count() as f64 };
        let units: f64 = text.chars().map(|letter| advance(face, glyph(face, letter))).sum();
        units * size / f64::from(face.units_per_em())
    }

    /// The text, cut with an ellipsis where it is wider than `most`.
    pub(super) fn clipped(&self, text: &str, most: f64, size: f64) -> String {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let text = if text.trim().is_empty() { "(no name)".to_owned() } else { text };
        if self.width(&text, size) <= most {
            return text;
        }
        let (mut kept, mut width) = (String::new(), self.width("…", size));
        for letter in text.chars() {
            width += self.width(letter.encode_utf8(&mut [0; 4]), size);
            if width > most {
                break;
            }
            kept.push(letter);
        }
        kept + "…"
    }

    /// The outlines of a line of text where it stands.
    pub(super) fn outlines(&self, label: &Label) -> Vec<Piece> {
        let Some(face) = &self.0 else { return Vec::new() };
        let scale = label.size / f64::from(face.units_per_em());
        let width = self.width(&label.text, label.size);
        let start = match label.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let mut pen = Pen { pieces: Vec::new(), label, scale, x: start / scale };
        for letter in label.text.chars() {
            let glyph = glyph(face, letter);
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance(face, glyph);
        }
        pen.pieces
    }
}

/// The letter, or a box.
fn glyph(face: &Face<'_>, letter: char) -> GlyphId {
    let found = face.glyph_index(letter).or_else(|| face.glyph_index('□'));
    found.unwrap_or_default()
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// Collects outlines, from the font's units upwards to pixels downwards.
struct Pen<'a> {
    pieces: Vec<Piece>,
    label: &'a Label,
    scale: f64,
    x: f64,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> Point {
        let (right, up) = ((self.x + f64::from(x)) * self.scale, f64::from(y) * self.scale);
        let [x, y] = self.label.at;
        if self.label.upright { [x - up, y - right] } else { [x + right, y - up] }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pieces.push(Piece::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.pieces.push(Piece::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.pieces.push(Piece::Quadratic(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.pieces.push(Piece::Cubic(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }

    fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_empty_and_foreign_names_have_a_width() {
        let font = Font::new();
        assert!(font.0.is_some());
        assert!(font.width(&font.clipped(&"x".repeat(200), 80.0, 12.0), 12.0) <= 80.0);
        assert_eq!(font.clipped("", 80.0, 12.0), "(no name)");
        assert!(font.width("🌊", 12.0) > 0.0);
        assert!(font.width("rain → soil", 12.0) > font.width("rain", 12.0));
    }
}
