//! True and estimated weights as a picture.

use dycausal::{DynamicGraph, Run};

use super::cell::Cell;
use super::svg::Svg;
use crate::error::Result;

/// Side of a square, one weight.
const SQUARE: f64 = 7.0;

/// A row of the picture: a name and the graph it shows.
struct Shown {
    name: String,
    graph: DynamicGraph,
}

/// Draws the truth and the estimate of every row at every step asked for: causes down, all lags
/// one below the other; effects across; blue is positive, red negative.
///
/// # Errors
/// If the run is cancelled, or a simulation fails. A row that fails is left out, with its reason
/// among the remarks returned.
pub(super) fn matrices(cells: &[(String, Cell)], run: &mut Run) -> Result<(String, Vec<String>)> {
    let mut remarks = Vec::new();
    let mut shown: Vec<Shown> = Vec::new();
    run.stage("matrices", Some(cells.len() as u64));
    for (name, cell) in cells {
        run.proceed()?;
        let drawn = cell.simulation.draw(cell.seed)?;
        if shown.is_empty() {
            let graph = drawn.in_own_units(&drawn.truth)?;
            shown.push(Shown { name: "truth".into(), graph });
        }
        match cell.estimate(&drawn, run) {
            Ok(graph) => shown.push(Shown { name: name.clone(), graph }),
            Err(error) => remarks.push(format!("{name}: {error}")),
        }
        run.advance(1);
    }
    let Some((_, cell)) = cells.first() else { return Ok((String::new(), remarks)) };
    Ok((picture(&shown, &cell.times, cell.threshold), remarks))
}

fn picture(shown: &[Shown], times: &[usize], threshold: f64) -> String {
    let mut svg = Svg::default();
    let Some(first) = shown.first() else { return String::new() };
    let d = first.graph.variables();
    let lags = first.graph.lag() + 1;
    let (across, down) = (d as f64 * SQUARE, (lags * d) as f64 * SQUARE);
    let title = format!("Weights above {threshold} in truth and estimate");
    svg.text((14.0, 22.0), &title, r##"font-size="14" font-weight="bold" fill="#222""##);
    for (column, row) in shown.iter().enumerate() {
        let left = 40.0 + column as f64 * (across + 24.0);
        svg.text((left, 46.0), &row.name, r##"font-weight="bold" fill="#333""##);
        for (at, time) in times.iter().enumerate() {
            let top = 56.0 + at as f64 * (down + 26.0);
            if column == 0 {
                svg.text((8.0, top + 12.0), &format!("t={time}"), r##"fill="#444""##);
            }
            svg.rect((left, top), (across, down), r##"fill="#fcfcfc" stroke="#bbb""##);
            for lag in 1..lags {
                let y = top + (lag * d) as f64 * SQUARE;
                svg.line((left, y), (left + across, y), r##"stroke="#bbb""##);
            }
            for (edge, weight) in row.graph.at(time.saturating_sub(1)) {
                if edge.lag < lags && weight.abs() > threshold {
                    let x = left + edge.to as f64 * SQUARE;
                    let y = top + (edge.lag * d + edge.from) as f64 * SQUARE;
                    svg.rect((x, y), (SQUARE, SQUARE), &format!("fill=\"{}\"", colour(weight)));
                }
            }
        }
    }
    let width = 40.0 + shown.len() as f64 * (across + 24.0);
    let height = 60.0 + times.len() as f64 * (down + 26.0) + 16.0;
    let key = "rows: causes, within the step above, one step earlier below; columns: effects; blue +, red −";
    svg.text((40.0, height - 14.0), key, r##"fill="#555""##);
    svg.finish(width.max(520.0), height, &title)
}

/// Blue for positive, red for negative, stronger for larger.
fn colour(weight: f64) -> String {
    let share = 0.25 + 0.75 * weight.abs().min(1.0);
    let mix = |full: f64| 255.0 - (255.0 - full) * share;
    let (r, g, b) = if weight > 0.0 { (0.0, 88.0, 170.0) } else { (200.0, 50.0, 30.0) };
    format!("rgb({:.0},{:.0},{:.0})", mix(r), mix(g), mix(b))
}
