//! What is drawn, before it is known whether it becomes SVG or PNG.

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

pub(super) const INK: Colour = [0x1b, 0x1f, 0x27];
pub(super) const MUTED: Colour = [0x64, 0x6c, 0x7a];
pub(super) const LINE: Colour = [0xdf, 0xe2, 0xe8];
pub(super) const SOFT: Colour = [0xee, 0xf0, 0xf4];
pub(super) const WHITE: Colour = [0xff, 0xff, 0xff];
pub(super) const ACCENT: Colour = [0x5b, 0x3f, 0xc4];
/// Blue and vermilion can be told apart by nearly everybody.
const POSITIVE: Colour = [0x00, 0x68, 0xab];
const NEGATIVE: Colour = [0xc6, 0x4b, 0x00];

/// The colour of a weight.
pub(super) fn sign(weight: f64) -> Colour {
    if weight < 0.0 { NEGATIVE } else { POSITIVE }
}

pub(super) type Point = [f64; 2];

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Piece {
    Move(Point),
    Line(Point),
    Quadratic(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

/// How a path is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    pub fill: Option<Colour>,
    pub stroke: Option<Colour>,
    pub width: f64,
    /// Length of dashes and of gaps.
    pub dash: Option<[f64; 2]>,
    pub opacity: f64,
}

impl Look {
    pub(super) fn filled(colour: Colour) -> Self {
        Self { fill: Some(colour), opacity: 1.0, ..Self::default() }
    }

    pub(super) fn stroked(colour: Colour, width: f64) -> Self {
        Self { stroke: Some(colour), width, opacity: 1.0, ..Self::default() }
    }

    pub(super) fn opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    pub(super) fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dash: Some([dash, gap]), ..self }
    }
}

/// Where the point of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Debug, Clone)]
pub(super) struct Label {
    pub at: Point,
    pub size: f64,
    pub anchor: Anchor,
    pub colour: Colour,
    /// Reads from below to above.
    pub upright: bool,
    /// Lines behind it are kept away.
    pub halo: bool,
    pub text: String,
}

#[derive(Debug, Clone)]
pub(super) enum Shape {
    Path(Vec<Piece>, Look),
    Text(Label),
}

/// A drawing, in pixels from the top left.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn new(width: f64, height: f64) -> Self {
        let mut scene = Self { width, height, shapes: Vec::new() };
        scene.rectangle([0.0, 0.0], [width, height], Look::filled(WHITE));
        scene
    }

    pub(super) fn path(&mut self, pieces: Vec<Piece>, look: Look) {
        if !pieces.is_empty() {
            self.shapes.push(Shape::Path(pieces, look));
        }
    }

    pub(super) fn line(&mut self, points: &[Point], look: Look) {
        let piece = |(k, point): (usize, &Point)| {
            if k == 0 { Piece::Move(*point) } else { Piece::Line(*point) }
        };
        self.path(points.iter().enumerate().map(piece).collect(), look);
    }

    pub(super) fn polygon(&mut self, points: &[Point], look: Look) {
        let mut pieces: Vec<Piece> = points.iter().map(|point| Piece::Line(*point)).collect();
        if let Some(first) = pieces.first_mut() {
            *first = Piece::Move(points[0]);
            pieces.push(Piece::Close);
        }
        self.path(pieces, look);
    }

    pub(super) fn rectangle(&mut self, [x, y]: Point, [w, h]: [f64; 2], look: Look) {
        self.polygon(&[[x, y], [x + w, y], [x + w, y + h], [x, y + h]], look);
    }

    /// A box with half circles at its sides; a circle if it is as wide as high.
    pub(super) fn pill(&mut self, [x, y]: Point, [w, h]: [f64; 2], look: Look) {
        // What of the radius makes a cubic curve a quarter of a circle.
        let (r, k) = (h / 2.0, 0.552_284_75 * h / 2.0);
        let flat = (w / 2.0 - r).max(0.0);
        let pieces = vec![
            Piece::Move([x - flat, y - r]),
            Piece::Line([x + flat, y - r]),
            Piece::Cubic([x + flat + k, y - r], [x + flat + r, y - k], [x + flat + r, y]),
            Piece::Cubic([x + flat + r, y + k], [x + flat + k, y + r], [x + flat, y + r]),
            Piece::Line([x - flat, y + r]),
            Piece::Cubic([x - flat - k, y + r], [x - flat - r, y + k], [x - flat - r, y]),
            Piece::Cubic([x - flat - r, y - k], [x - flat - k, y - r], [x - flat, y - r]),
            Piece::Close,
        ];
        self.path(pieces, look);
    }

    pub(super) fn text(&mut self, at: Point, size: f64, anchor: Anchor, text: impl Into<String>) {
        self.label(Label {
            at,
            size,
            anchor,
            colour: INK,
            upright: false,
            halo: false,
            text: text.into(),
        });
    }

    pub(super) fn label(&mut self, label: Label) {
        self.shapes.push(Shape::Text(label));
    }
}

/// A number as a reader wants it: three digits, and a real minus.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    let text = if value == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let places = (2 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.places$}");
        match text.split_once('.') {
            Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            None => text,
        }
    } else {
        format!("{value:.1e}")
    };
    text.replace('-', "−")
}
