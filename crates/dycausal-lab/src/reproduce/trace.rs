//! How cyclicity falls in the course of a fit, as a picture.

use super::report::Report;
use crate::study::{Line, Mean, Panel, Scale, Tally, draw};

/// How many points of a path are drawn.
const POINTS: usize = 24;

/// h of the first seed along the way, a frame per setting and reading, a line per row.
pub fn trace_figure(report: &Report) -> String {
    let mut rows: Vec<Vec<Panel>> = Vec::new();
    for reading in report.readings() {
        let mut frames = Vec::new();
        for setting in report.settings() {
            let here = |t: &&Tally| {
                t.reading == reading && t.setting == setting.name && !t.trace.is_empty()
            };
            let tallies: Vec<&Tally> = report.tallies.iter().filter(here).collect();
            if !tallies.is_empty() {
                frames.push(frame(&format!("{} · {reading}", setting.name), &tallies));
            }
        }
        if !frames.is_empty() {
            rows.push(frames);
        }
    }
    draw("h in the course of the fit (first seed)", &rows)
}

fn frame(title: &str, tallies: &[&Tally]) -> Panel {
    let length = tallies.iter().map(|t| t.trace.len()).max().unwrap_or(1);
    let stride = length.div_ceil(POINTS).max(1);
    let line = |tally: &&Tally| {
        let value = |h: &f64| {
            let mean = h.max(1e-12).log10();
            mean.is_finite().then_some(Mean { mean, sd: None, count: 1 })
        };
        let mut values: Vec<Option<Mean>> = tally.trace.iter().step_by(stride).map(value).collect();
        values.resize(length.div_ceil(stride), None);
        Line { name: tally.row.clone(), values, published: false }
    };
    let lines: Vec<Line> = tallies.iter().map(line).collect();
    let values = lines.iter().flat_map(|line| line.values.iter().flatten()).map(|m| m.mean);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    // A label at every sixth point; h is kept at every tenth step.
    let count = length.div_ceil(stride);
    let tick = |at: usize| {
        if at.is_multiple_of(6) { (10 * at * stride).to_string() } else { String::new() }
    };
    let scale =
        Scale { name: "log10 h".into(), low: low.floor(), high: high.ceil().max(low + 1.0) };
    Panel { title: title.to_owned(), ticks: (0..count).map(tick).collect(), lines, scale }
}
