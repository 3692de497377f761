//! Frames of lines: means with their spread, published figures marked.

use dycausal_io::drawing::{Anchor, Colour, INK, LINE, Look, MUTED, Point, Scene, WHITE};

use super::tally::Mean;

/// Colours that are told apart by most eyes, in print too (after Okabe and Ito).
pub(crate) const COLOURS: [Colour; 8] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x7f, 0x7f, 0x7f],
    [0x00, 0x00, 0x00],
];

/// The size of titles.
pub(crate) const TITLE: f64 = 14.0;

/// One frame of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    pub title: String,
    /// Labels along the axis.
    pub ticks: Vec<String>,
    pub lines: Vec<Line>,
    pub scale: Scale,
}

/// One method in a frame: a value at each label where there is one.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub name: String,
    pub values: Vec<Option<Mean>>,
    pub published: bool,
}

/// The range of the values, and what they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scale {
    pub name: String,
    pub low: f64,
    pub high: f64,
}

const WIDTH: f64 = 336.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 44.0;
/// The width of a letter, as a share of its size, about.
const LETTER: f64 = 0.58;

/// Draws frames in rows, with a legend below.
pub(crate) fn draw(title: &str, rows: &[Vec<Panel>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let shown = |name: &str| {
        let lines = rows.iter().flatten().flat_map(|panel| &panel.lines);
        lines.filter(|l| l.name == name).any(|l| l.values.iter().any(Option::is_some))
    };
    let first = rows.iter().flatten().next();
    let names: Vec<(usize, &Line)> = first
        .map(|panel| panel.lines.iter().filter(|l| shown(&l.name)).enumerate().collect())
        .unwrap_or_default();
    let wide = 28.0 + TITLE * LETTER * title.chars().count() as f64;
    let width = (columns * WIDTH + 16.0).max(wide);
    let mut scene = Scene::new(width, 0.0);
    scene.text([14.0, 22.0], TITLE, Anchor::Start, title);
    for (r, row) in rows.iter().enumerate() {
        for (c, panel) in row.iter().enumerate() {
            let corner = [c as f64 * WIDTH, TOP + r as f64 * HEIGHT];
            draw_panel(&mut scene, corner, panel, &names);
        }
    }
    let bottom = TOP + rows.len() as f64 * HEIGHT + 8.0;
    let height = legend(&mut scene, bottom, width, &names);
    scene.resized(width, height).svg()
}

fn draw_panel(scene: &mut Scene, [left, top]: Point, panel: &Panel, names: &[(usize, &Line)]) {
    let scale = &panel.scale;
    let (x0, x1) = (left + LEFT, left + WIDTH - 10.0);
    let (y0, y1) = (top + HEIGHT - 34.0, top + 16.0);
    let up = |value: f64| {
        let share = (value - scale.low) / (scale.high - scale.low);
        y0 + (y1 - y0) * share.clamp(-0.02, 1.02)
    };
    let size = fitting(11.0, &panel.title, x1 - x0);
    scene.text([x0, top + 8.0], size, Anchor::Start, panel.title.as_str());
    for part in 0..=4 {
        let value = scale.low + (scale.high - scale.low) * f64::from(part) / 4.0;
        let y = up(value);
        scene.line(&[[x0, y], [x1, y]], Look::stroked(LINE, 1.0));
        let whole = scale.high - scale.low >= 8.0;
        let label = if whole { format!("{value:.0}") } else { format!("{value:.2}") };
        scene.words([x0 - 6.0, y + 3.5], (11.0, Anchor::End, MUTED), label);
    }
    scene.words([left + 8.0, top + 8.0], (9.0, Anchor::Start, MUTED), scale.name.as_str());
    let slot = (x1 - x0) / panel.ticks.len().max(1) as f64;
    let size = panel.ticks.iter().map(|tick| fitting(10.0, tick, slot)).fold(10.0, f64::min);
    for (at, tick) in panel.ticks.iter().enumerate() {
        let x = x0 + slot * (at as f64 + 0.5);
        scene.words([x, y0 + 15.0], (size, Anchor::Middle, MUTED), tick.as_str());
    }
    let spread = (slot * 0.6).min(11.0 * names.len() as f64);
    for (order, (index, known)) in names.iter().enumerate() {
        let Some(line) = panel.lines.iter().find(|line| line.name == known.name) else { continue };
        let share = order as f64 / (names.len() - 1).max(1) as f64;
        let shift = if names.len() > 1 { spread * (share - 0.5) } else { 0.0 };
        let x = |at: usize| x0 + slot * (at as f64 + 0.5) + shift;
        draw_line(scene, line, *index, &x, &up);
    }
}

fn draw_line(
    scene: &mut Scene,
    line: &Line,
    index: usize,
    x: &dyn Fn(usize) -> f64,
    up: &dyn Fn(f64) -> f64,
) {
    let values: Vec<(f64, Mean)> =
        line.values.iter().enumerate().filter_map(|(at, m)| m.map(|m| (x(at), m))).collect();
    let colour = if line.published { MUTED } else { COLOURS[index % COLOURS.len()] };
    if values.len() == line.values.len() && values.len() > 1 && !line.published {
        let points: Vec<Point> = values.iter().map(|(x, m)| [*x, up(m.mean)]).collect();
        scene.line(&points, Look::stroked(colour, 1.0).opacity(0.45));
    }
    for (x, mean) in values {
        if let Some(sd) = mean.sd {
            let ends = [[x, up(mean.mean - sd)], [x, up(mean.mean + sd)]];
            scene.line(&ends, Look::stroked(colour, 1.3));
        }
        mark(scene, [x, up(mean.mean)], 3.4, (!line.published).then_some(index));
    }
}

/// A value: a dot of a row, hollow where there are more rows than colours, or a diamond of what was published.
fn mark(scene: &mut Scene, [x, y]: Point, radius: f64, row: Option<usize>) {
    let Some(index) = row else {
        let corners = [[x, y - 4.5], [x + 4.5, y], [x, y + 4.5], [x - 4.5, y]];
        return scene.polygon(&corners, Look { fill: Some(WHITE), ..Look::stroked(MUTED, 1.6) });
    };
    let colour = COLOURS[index % COLOURS.len()];
    let inside = if index < COLOURS.len() { colour } else { WHITE };
    scene.disc([x, y], radius, Look { fill: Some(inside), ..Look::stroked(colour, 1.0) });
}

/// The size of words that have so much room: smaller than asked for where they would not fit.
fn fitting(size: f64, words: &str, room: f64) -> f64 {
    let wide = size * LETTER * words.chars().count().max(1) as f64;
    size * (room / wide).clamp(0.6, 1.0)
}

/// The legend, over as many lines as it takes; returns the height of the picture.
fn legend(scene: &mut Scene, top: f64, width: f64, names: &[(usize, &Line)]) -> f64 {
    let (mut x, mut y) = (LEFT, top + 6.0);
    for (index, line) in names {
        let wide = 34.0 + 6.2 * line.name.chars().count() as f64;
        if x + wide > width && x > LEFT {
            (x, y) = (LEFT, y + 18.0);
        }
        mark(scene, [x, y], 3.8, (!line.published).then_some(*index));
        scene.words([x + 9.0, y + 4.0], (11.0, Anchor::Start, INK), line.name.as_str());
        x += wide;
    }
    y + 20.0
}
