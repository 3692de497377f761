//! What is drawn, before it is known whether it becomes SVG or PNG.

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Text and outlines.
pub const INK: Colour = [0x1b, 0x1f, 0x27];
/// Text that is not the first to be read.
pub const MUTED: Colour = [0x64, 0x6c, 0x7a];
/// Lines of a grid.
pub const LINE: Colour = [0xdf, 0xe2, 0xe8];
/// What lies behind.
pub const SOFT: Colour = [0xee, 0xf0, 0xf4];
/// Paper.
pub const WHITE: Colour = [0xff, 0xff, 0xff];
/// What is marked.
pub(super) const ACCENT: Colour = [0x5b, 0x3f, 0xc4];
/// Blue and vermilion can be told apart by nearly everybody.
const POSITIVE: Colour = [0x00, 0x68, 0xab];
const NEGATIVE: Colour = [0xc6, 0x4b, 0x00];

/// The colour of a weight.
pub(super) fn sign(weight: f64) -> Colour {
    if weight < 0.0 { NEGATIVE } else { POSITIVE }
}

/// Across and down, in pixels.
pub type Point = [f64; 2];

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// Begins somewhere.
    Move(Point),
    /// Straight to a point.
    Line(Point),
    /// A parabola by a point to another.
    Quadratic(Point, Point),
    /// A cubic curve by two points to another.
    Cubic(Point, Point, Point),
    /// Back to the beginning.
    Close,
}

/// How a path is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// What is inside.
    pub fill: Option<Colour>,
    /// The outline.
    pub stroke: Option<Colour>,
    /// Width of the outline.
    pub width: f64,
    /// Length of dashes and of gaps.
    pub dash: Option<[f64; 2]>,
    /// From 0 to 1.
    pub opacity: f64,
}

impl Look {
    /// One colour, without an outline.
    pub fn filled(colour: Colour) -> Self {
        Self { fill: Some(colour), opacity: 1.0, ..Self::default() }
    }

    /// An outline of a colour and a width.
    pub fn stroked(colour: Colour, width: f64) -> Self {
        Self { stroke: Some(colour), width, opacity: 1.0, ..Self::default() }
    }

    /// The same, through which something shows.
    pub fn opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// The same in dashes.
    pub fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dash: Some([dash, gap]), ..self }
    }
}

/// Where the point of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Where it begins.
    Start,
    /// In its middle.
    Middle,
    /// Where it ends.
    End,
}

/// A line of text.
#[derive(Debug, Clone)]
pub struct Label {
    /// The point of its anchor, on the line it stands on.
    pub at: Point,
    /// Height of its letters.
    pub size: f64,
    /// Which of its points that is.
    pub anchor: Anchor,
    /// Its colour.
    pub colour: Colour,
    /// Reads from below to above.
    pub upright: bool,
    /// Lines behind it are kept away.
    pub halo: bool,
    /// What it says.
    pub text: String,
}

/// One thing in a drawing.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Lines and curves.
    Path(Vec<Piece>, Look),
    /// A disc: its middle and its radius.
    Disc(Point, f64, Look),
    /// Words.
    Text(Label),
}

/// A drawing, in pixels from the top left.
#[derive(Debug, Clone)]
pub struct Scene {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// What is drawn, from behind to the front; the first is the paper.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// White paper.
    pub fn new(width: f64, height: f64) -> Self {
        let mut scene = Self { width, height, shapes: Vec::new() };
        scene.rectangle([0.0, 0.0], [width, height], Look::filled(WHITE));
        scene
    }

    /// The same drawing on paper of another size.
    #[must_use]
    pub fn resized(mut self, width: f64, height: f64) -> Self {
        let paper = Self::new(width, height).shapes;
        self.shapes.splice(..self.shapes.len().min(1), paper);
        Self { width, height, ..self }
    }

    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        super::svg::svg(self)
    }

    /// Lines and curves.
    pub fn path(&mut self, pieces: Vec<Piece>, look: Look) {
        if !pieces.is_empty() {
            self.shapes.push(Shape::Path(pieces, look));
        }
    }

    /// Straight from point to point.
    pub fn line(&mut self, points: &[Point], look: Look) {
        let piece = |(k, point): (usize, &Point)| {
            if k == 0 { Piece::Move(*point) } else { Piece::Line(*point) }
        };
        self.path(points.iter().enumerate().map(piece).collect(), look);
    }

    /// What points enclose.
    pub fn polygon(&mut self, points: &[Point], look: Look) {
        let mut pieces: Vec<Piece> = points.iter().map(|point| Piece::Line(*point)).collect();
        if let Some(first) = pieces.first_mut() {
            *first = Piece::Move(points[0]);
            pieces.push(Piece::Close);
        }
        self.path(pieces, look);
    }

    /// A box by its corner and its sides.
    pub fn rectangle(&mut self, [x, y]: Point, [w, h]: [f64; 2], look: Look) {
        self.polygon(&[[x, y], [x + w, y], [x + w, y + h], [x, y + h]], look);
    }

    /// A box with half circles at its sides; a circle if it is as wide as high.
    pub fn pill(&mut self, [x, y]: Point, [w, h]: [f64; 2], look: Look) {
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

    /// A disc by its middle and its radius.
    pub fn disc(&mut self, middle: Point, radius: f64, look: Look) {
        self.shapes.push(Shape::Disc(middle, radius, look));
    }

    /// Words in ink.
    pub fn text(&mut self, at: Point, size: f64, anchor: Anchor, text: impl Into<String>) {
        self.words(at, (size, anchor, INK), text);
    }

    /// Words in a colour.
    pub fn words(
        &mut self,
        at: Point,
        (size, anchor, colour): (f64, Anchor, Colour),
        text: impl Into<String>,
    ) {
        let text = text.into();
        self.label(Label { at, size, anchor, colour, upright: false, halo: false, text });
    }

    /// Words as they are told.
    pub fn label(&mut self, label: Label) {
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
