//! Scores as a picture: means with their spread, published figures marked.

use super::beside::{Beside, PAPERS, published_setting};
use super::svg::{COLOURS, GREY, Svg};
use super::tally::{Mean, Report};
use crate::error::Result;

/// One frame of the picture.
#[derive(Debug, Clone)]
pub(super) struct Panel {
    pub title: String,
    /// Labels along the axis.
    pub ticks: Vec<String>,
    pub lines: Vec<Line>,
    pub scale: Scale,
}

/// One method in a frame: a value at each label where there is one.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub name: String,
    pub values: Vec<Option<Mean>>,
    pub published: bool,
}

/// The range of the values, and what they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Scale {
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

/// The picture of an experiment's first score.
///
/// Settings along the axis and a frame per step; or, where there are many steps, steps along the
/// axis and a frame per setting. One row of frames per reading.
///
/// # Errors
/// If the published list is broken: a defect.
pub fn figure(report: &Report) -> Result<String> {
    let metric = report.experiment.metrics.first().map_or("F1", String::as_str);
    let mut rows = frames(report, metric)?;
    let all = rows.iter().flatten().flat_map(|panel| &panel.lines).flat_map(|line| &line.values);
    let high = all.flatten().map(|mean| mean.mean).fold(0.0, f64::max);
    let share = ["F1", "TPR", "FPR", "precision", "AUROC", "AUPRC"].contains(&metric);
    let high = if share { 100.0 } else { (1.1 * high).max(1e-9) };
    let name = if share { format!("{metric} (%)") } else { metric.to_owned() };
    let title = format!("{}: {metric}, mean ± standard deviation", report.experiment.title);
    for panel in rows.iter_mut().flatten() {
        panel.scale = Scale { name: name.clone(), low: 0.0, high };
    }
    Ok(draw(&title, &rows))
}

fn frames(report: &Report, metric: &str) -> Result<Vec<Vec<Panel>>> {
    let beside = Beside::of(report)?;
    let places = report.places();
    let settings: Vec<&str> = report.settings().iter().map(|s| s.name.as_str()).collect();
    let along_steps = places.len() > 5;
    let mut rows = Vec::new();
    for reading in report.readings() {
        for edges in &report.experiment.edges {
            let outer: Vec<&str> = if along_steps {
                settings.clone()
            } else {
                places.iter().map(String::as_str).collect()
            };
            let panel = |outer: &str| {
                let inner: Vec<(&str, &str)> = if along_steps {
                    places.iter().map(|at| (outer, at.as_str())).collect()
                } else {
                    settings.iter().map(|setting| (*setting, outer)).collect()
                };
                frame(report, &beside, (reading, edges, metric), outer, &inner)
            };
            rows.push(outer.into_iter().map(panel).collect());
        }
    }
    Ok(rows)
}

fn frame(
    report: &Report,
    beside: &Beside,
    (reading, edges, metric): (&str, &str, &str),
    outer: &str,
    inner: &[(&str, &str)],
) -> Panel {
    let mut names: Vec<&str> = Vec::new();
    for tally in &report.tallies {
        if !names.contains(&tally.row.as_str()) {
            names.push(&tally.row);
        }
    }
    let value = |row: &str, (setting, at): (&str, &str)| {
        let here = report
            .tallies
            .iter()
            .find(|t| t.row == row && t.reading == reading && t.setting == setting);
        here.and_then(|tally| tally.mean(edges, at, metric))
    };
    let own = |row: &&str| Line {
        name: (*row).to_owned(),
        values: inner.iter().map(|at| value(row, *at)).collect(),
        published: false,
    };
    let mut lines: Vec<Line> = names.iter().map(own).collect();
    let theirs = |(setting, at): &(&str, &str)| {
        let name = published_setting(report, setting)?;
        beside.mean(name, PAPERS, (edges, at, metric))
    };
    lines.push(Line {
        name: format!("{PAPERS}, published"),
        values: inner.iter().map(theirs).collect(),
        published: true,
    });
    let steps = inner.windows(2).all(|pair| pair[0].0 == pair[1].0) && inner.len() > 1;
    let tick = |(setting, at): &(&str, &str)| {
        if steps { at.trim_start_matches("t=").to_owned() } else { (*setting).to_owned() }
    };
    let where_ = if matches!(outer, "still" | "mean") { "" } else { outer };
    let which = if edges == "all" { String::new() } else { format!(", {edges}") };
    let title = [where_, reading].iter().filter(|w| !w.is_empty()).copied().collect::<Vec<_>>();
    let ticks = inner.iter().map(tick).collect();
    Panel { title: title.join(" · ") + &which, ticks, lines, scale: Scale::default() }
}

/// Draws frames in rows, with a legend below.
pub(super) fn draw(title: &str, rows: &[Vec<Panel>]) -> String {
    let mut svg = Svg::default();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let shown = |name: &str| {
        let lines = rows.iter().flatten().flat_map(|panel| &panel.lines);
        lines.filter(|l| l.name == name).any(|l| l.values.iter().any(Option::is_some))
    };
    let first = rows.iter().flatten().next();
    let names: Vec<(usize, &Line)> = first
        .map(|panel| panel.lines.iter().filter(|l| shown(&l.name)).enumerate().collect())
        .unwrap_or_default();
    let wide = 28.0 + 14.0 * LETTER * title.chars().count() as f64;
    let width = (columns * WIDTH + 16.0).max(wide);
    svg.text((14.0, 22.0), title, r##"font-size="14" font-weight="bold" fill="#222""##);
    for (r, row) in rows.iter().enumerate() {
        for (c, panel) in row.iter().enumerate() {
            let corner = (c as f64 * WIDTH, TOP + r as f64 * HEIGHT);
            draw_panel(&mut svg, corner, panel, &names);
        }
    }
    let bottom = TOP + rows.len() as f64 * HEIGHT + 8.0;
    let height = legend(&mut svg, bottom, width, &names);
    svg.finish(width, height, title)
}

fn draw_panel(svg: &mut Svg, (left, top): (f64, f64), panel: &Panel, names: &[(usize, &Line)]) {
    let scale = &panel.scale;
    let (x0, x1) = (left + LEFT, left + WIDTH - 10.0);
    let (y0, y1) = (top + HEIGHT - 34.0, top + 16.0);
    let up = |value: f64| {
        let share = (value - scale.low) / (scale.high - scale.low);
        y0 + (y1 - y0) * share.clamp(-0.02, 1.02)
    };
    let size = fitting(11.0, &panel.title, x1 - x0);
    let style = format!(r##"font-weight="bold" fill="#333" font-size="{size:.1}""##);
    svg.text((x0, top + 8.0), &panel.title, &style);
    for part in 0..=4 {
        let value = scale.low + (scale.high - scale.low) * f64::from(part) / 4.0;
        let y = up(value);
        svg.line((x0, y), (x1, y), r##"stroke="#e4e4e4""##);
        let whole = scale.high - scale.low >= 8.0;
        let label = if whole { format!("{value:.0}") } else { format!("{value:.2}") };
        svg.text((x0 - 6.0, y + 3.5), &label, r##"text-anchor="end" fill="#666""##);
    }
    svg.text((left + 8.0, top + 8.0), &scale.name, r##"fill="#666" font-size="9""##);
    let slot = (x1 - x0) / panel.ticks.len().max(1) as f64;
    let size = panel.ticks.iter().map(|tick| fitting(10.0, tick, slot)).fold(10.0, f64::min);
    let style = format!(r##"text-anchor="middle" fill="#444" font-size="{size:.1}""##);
    for (at, tick) in panel.ticks.iter().enumerate() {
        svg.text((x0 + slot * (at as f64 + 0.5), y0 + 15.0), tick, &style);
    }
    let spread = (slot * 0.6).min(11.0 * names.len() as f64);
    for (order, (index, known)) in names.iter().enumerate() {
        let Some(line) = panel.lines.iter().find(|line| line.name == known.name) else { continue };
        let shift = if names.len() > 1 {
            spread * (order as f64 / (names.len() - 1) as f64 - 0.5)
        } else {
            0.0
        };
        let x = |at: usize| x0 + slot * (at as f64 + 0.5) + shift;
        draw_line(svg, line, *index, &x, &up);
    }
}

fn draw_line(
    svg: &mut Svg,
    line: &Line,
    index: usize,
    x: &dyn Fn(usize) -> f64,
    up: &dyn Fn(f64) -> f64,
) {
    let values: Vec<(f64, Mean)> =
        line.values.iter().enumerate().filter_map(|(at, m)| m.map(|m| (x(at), m))).collect();
    let colour = if line.published { GREY } else { COLOURS[index % COLOURS.len()] };
    if values.len() == line.values.len() && values.len() > 1 && !line.published {
        let points: Vec<(f64, f64)> = values.iter().map(|(x, m)| (*x, up(m.mean))).collect();
        let style = format!(r#"stroke="{colour}" stroke-width="1" stroke-opacity="0.45""#);
        svg.path(&points, &style);
    }
    for (x, mean) in values {
        if let Some(sd) = mean.sd {
            let style = format!(r#"stroke="{colour}" stroke-width="1.3""#);
            svg.line((x, up(mean.mean - sd)), (x, up(mean.mean + sd)), &style);
        }
        if line.published {
            svg.diamond((x, up(mean.mean)), 4.5, colour);
        } else {
            svg.dot((x, up(mean.mean)), 3.4, &filled(index));
        }
    }
}

/// How the dots of a row look: where there are more rows than colours, they are hollow.
fn filled(index: usize) -> String {
    let colour = COLOURS[index % COLOURS.len()];
    let inside = if index < COLOURS.len() { colour } else { "white" };
    format!(r#"fill="{inside}" stroke="{colour}" stroke-width="1""#)
}

/// The size of words that have so much room: smaller than asked for where they would not fit.
fn fitting(size: f64, words: &str, room: f64) -> f64 {
    let wide = size * LETTER * words.chars().count().max(1) as f64;
    size * (room / wide).clamp(0.6, 1.0)
}

/// The legend, over as many lines as it takes; returns the height of the picture.
fn legend(svg: &mut Svg, top: f64, width: f64, names: &[(usize, &Line)]) -> f64 {
    let (mut x, mut y) = (LEFT, top + 6.0);
    for (index, line) in names {
        let wide = 34.0 + 6.2 * line.name.chars().count() as f64;
        if x + wide > width && x > LEFT {
            (x, y) = (LEFT, y + 18.0);
        }
        if line.published {
            svg.diamond((x, y), 4.5, GREY);
        } else {
            svg.dot((x, y), 3.8, &filled(*index));
        }
        svg.text((x + 9.0, y + 4.0), &line.name, r##"fill="#333""##);
        x += wide;
    }
    y + 20.0
}
