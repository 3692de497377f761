//! Scores as a picture: means with their spread, published figures marked.

use super::beside::{Beside, PAPERS, published_setting};
use super::report::Report;
use crate::error::Result;
use crate::study::{Line, Panel, Scale, draw};

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
