//! Drawing by hand: the few shapes that figures need.

use std::fmt::Write;

/// Colours that are told apart by most eyes, in print too (after Okabe and Ito).
pub(crate) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000"];

/// The colour of what was published.
pub(crate) const GREY: &str = "#8a8a8a";

/// A drawing under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    /// A line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" {style}/>"#
        );
    }

    /// A line through points.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], style: &str) {
        let words: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ =
            writeln!(self.body, r#"<polyline points="{}" fill="none" {style}/>"#, words.join(" "));
    }

    /// What points enclose.
    pub(crate) fn area(&mut self, points: &[(f64, f64)], style: &str) {
        let words: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, r#"<polygon points="{}" {style}/>"#, words.join(" "));
    }

    /// A disc.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, style: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" {style}/>"#);
    }

    /// A diamond, hollow.
    pub(crate) fn diamond(&mut self, (x, y): (f64, f64), size: f64, colour: &str) {
        let _ = writeln!(
            self.body,
            r#"<path d="M{x:.1} {:.1} l{size} {size} l-{size} {size} l-{size} -{size} z" fill="white" stroke="{colour}" stroke-width="1.6"/>"#,
            y - size
        );
    }

    /// A box.
    pub(crate) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" {style}/>"#
        );
    }

    /// Text; `style` may set `text-anchor` and the like.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), words: &str, style: &str) {
        let _ =
            writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" {style}>{}</text>"#, escaped(words));
    }

    /// The whole file.
    pub(crate) fn finish(self, width: f64, height: f64, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" role=\"img\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
