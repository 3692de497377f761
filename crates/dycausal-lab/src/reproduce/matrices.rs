//! True and estimated weights as a picture.

use dycausal::{DynamicGraph, Run};
use dycausal_io::drawing::{Anchor, LINE, Look, MUTED, SOFT, Scene};

use super::cell::Cell;
use crate::error::Result;
use crate::study::{COLOURS, TITLE};

/// Side of a square, one weight.
const SQUARE: f64 = 7.0;

/// A row of the picture: a name and the graph it shows.
struct Shown {
    name: String,
    graph: DynamicGraph,
}

/// Draws the truth and the estimate of every row at every step asked for: causes down, all lags
/// one below the other; effects across; blue is positive, orange negative.
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
    let Some(first) = shown.first() else { return String::new() };
    let d = first.graph.variables();
    let lags = first.graph.lag() + 1;
    let (across, down) = (d as f64 * SQUARE, (lags * d) as f64 * SQUARE);
    let width = (40.0 + shown.len() as f64 * (across + 24.0)).max(520.0);
    let height = 76.0 + times.len() as f64 * (down + 26.0);
    let mut scene = Scene::new(width, height);
    let title = format!("Weights above {threshold} in truth and estimate");
    scene.text([14.0, 22.0], TITLE, Anchor::Start, title);
    for (column, row) in shown.iter().enumerate() {
        let left = 40.0 + column as f64 * (across + 24.0);
        scene.text([left, 46.0], 11.0, Anchor::Start, row.name.as_str());
        for (at, time) in times.iter().enumerate() {
            let top = 56.0 + at as f64 * (down + 26.0);
            if column == 0 {
                scene.words([8.0, top + 12.0], (11.0, Anchor::Start, MUTED), format!("t={time}"));
            }
            let paper = Look { fill: Some(SOFT), ..Look::stroked(LINE, 1.0) };
            scene.rectangle([left, top], [across, down], paper);
            for lag in 1..lags {
                let y = top + (lag * d) as f64 * SQUARE;
                scene.line(&[[left, y], [left + across, y]], Look::stroked(MUTED, 1.0));
            }
            for (edge, weight) in row.graph.at(time.saturating_sub(1)) {
                if edge.lag < lags && weight.abs() > threshold {
                    let x = left + edge.to as f64 * SQUARE;
                    let y = top + (edge.lag * d + edge.from) as f64 * SQUARE;
                    scene.rectangle([x, y], [SQUARE, SQUARE], shade(weight));
                }
            }
        }
    }
    let key = "rows: causes, within the step above, one step earlier below; columns: effects; blue +, orange −";
    scene.words([40.0, height - 14.0], (11.0, Anchor::Start, MUTED), key);
    scene.svg()
}

/// Blue for positive, orange for negative, stronger for larger.
fn shade(weight: f64) -> Look {
    let colour = COLOURS[usize::from(weight < 0.0)];
    Look::filled(colour).opacity(0.25 + 0.75 * weight.abs().min(1.0))
}
