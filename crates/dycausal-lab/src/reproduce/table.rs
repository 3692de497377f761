//! Scores as a readable table of means.

use std::fmt::Write;

use super::beside::{Beside, published_setting, verdicts};
use super::report::Report;
use crate::error::Result;
use crate::study::{Mean, Tally, head, line, short};

/// A column: which edges, where, which score.
struct Column {
    edges: String,
    at: String,
    metric: String,
}

/// The table of means ± standard deviations, published figures below ours, one table per reading.
///
/// # Errors
/// If the published list is broken: a defect.
pub fn markdown(report: &Report) -> Result<String> {
    let beside = Beside::of(report)?;
    let columns = columns(report);
    let mut text = String::new();
    for reading in report.readings() {
        let _ = writeln!(text, "\n{reading}:\n");
        text.push_str(&heading(report, &columns));
        for setting in report.settings() {
            let here = |t: &&Tally| t.reading == reading && t.setting == setting.name;
            for tally in report.tallies.iter().filter(here).filter(|t| !t.is_empty()) {
                ours(&mut text, tally, &columns);
            }
            let Some(name) = published_setting(report, &setting.name) else { continue };
            for method in beside.methods(name) {
                let figure = |column: &Column| {
                    let at = (column.edges.as_str(), column.at.as_str(), column.metric.as_str());
                    beside.mean(name, &method, at)
                };
                let figures: Vec<Option<Mean>> = columns.iter().map(figure).collect();
                if figures.iter().any(Option::is_some) {
                    let theirs = format!("*{method}, published*");
                    row(&mut text, [&setting.name, &theirs], &figures, ["", ""]);
                }
            }
        }
    }
    text.push_str(&remarks(report));
    text.push_str(&summary(report)?);
    Ok(text)
}

/// The edges and scores that are shown, at every place.
fn columns(report: &Report) -> Vec<Column> {
    let places = report.places();
    let of = |(edges, metric): (&String, &String)| {
        let column =
            |at: &String| Column { edges: edges.clone(), at: at.clone(), metric: metric.clone() };
        places.iter().map(column).collect::<Vec<_>>()
    };
    report.experiment.shown().into_iter().flat_map(of).collect()
}

fn heading(report: &Report, columns: &[Column]) -> String {
    let many = report.experiment.edges.len() > 1;
    let name = |column: &Column| {
        let at = if column.at.starts_with("t=") { column.at.as_str() } else { "" };
        let edges = if many { column.edges.as_str() } else { "" };
        let words = [column.metric.as_str(), edges, at].into_iter();
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let names: Vec<String> = columns.iter().map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).chain(["seconds", "seeds"]).collect();
    head(&["setting", "method"], &names)
}

fn ours(text: &mut String, tally: &Tally, columns: &[Column]) {
    let means: Vec<Option<Mean>> =
        columns.iter().map(|c| tally.mean(&c.edges, &c.at, &c.metric)).collect();
    let seconds = tally.mean_seconds().map_or(String::new(), short);
    let seeds = tally.seconds.len().to_string();
    row(text, [&tally.setting, &tally.row], &means, [&seconds, &seeds]);
}

fn row(text: &mut String, place: [&str; 2], means: &[Option<Mean>], last: [&str; 2]) {
    let means: Vec<String> = means.iter().map(|mean| cell(*mean)).collect();
    let means: Vec<&str> = means.iter().map(String::as_str).collect();
    line(text, &[&place, means.as_slice(), &last].concat());
}

fn cell(mean: Option<Mean>) -> String {
    match mean {
        None => "–".into(),
        Some(Mean { mean, sd: None, .. }) => format!("{mean:.1}"),
        Some(Mean { mean, sd: Some(sd), .. }) => format!("{mean:.1} ± {sd:.1}"),
    }
}

/// What is missing and why: each reason once, with the rows and places it holds for.
fn remarks(report: &Report) -> String {
    let mut reasons: Vec<(&str, String, Vec<&Tally>)> = Vec::new();
    for tally in report.tallies.iter().filter(|tally| !tally.remark().is_empty()) {
        let (row, remark) = (tally.row.as_str(), tally.remark());
        match reasons.iter_mut().find(|(own, known, _)| *own == row && *known == remark) {
            Some((.., tallies)) => tallies.push(tally),
            None => reasons.push((row, remark, vec![tally])),
        }
    }
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (row, remark, tallies) in reasons {
        let line = format!("{remark}{}", places(report, &tallies));
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, rows)) => rows.push(row),
            None => lines.push((line, vec![row])),
        }
    }
    let shown = lines.iter().map(|(line, rows)| format!("- {}: {line}", rows.join(", ")));
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::new() } else { format!("\n{}\n", shown.join("\n")) }
}

/// Settings, with the reading where not all of a setting's are meant; nothing where all settings are.
fn places(report: &Report, tallies: &[&Tally]) -> String {
    let readings = report.readings().len();
    let mut names: Vec<String> = Vec::new();
    let mut whole = 0;
    let settings = report.settings();
    for setting in &settings {
        let here: Vec<&&Tally> = tallies.iter().filter(|t| t.setting == setting.name).collect();
        if here.len() == readings {
            whole += 1;
            names.push(setting.name.clone());
        } else {
            names.extend(here.iter().map(|t| format!("{}, {}", t.setting, t.reading)));
        }
    }
    if whole == settings.len() { String::new() } else { format!(" ({})", names.join("; ")) }
}

/// Where our best is at or above the published method, and where it is not.
fn summary(report: &Report) -> Result<String> {
    let verdicts = verdicts(report)?;
    if verdicts.is_empty() {
        return Ok(String::new());
    }
    let above = verdicts.iter().filter(|verdict| verdict.holds()).count();
    let mut best: Vec<&str> = verdicts.iter().map(|verdict| verdict.best.as_str()).collect();
    best.sort_unstable();
    best.dedup();
    let mut text = format!(
        "\nAt or above the published method in {above} of {} cells; our best there: {}.\n",
        verdicts.len(),
        best.join(", ")
    );
    for verdict in verdicts.iter().filter(|verdict| !verdict.holds()) {
        let _ = writeln!(
            text,
            "- below in {}: {:.1} ({}) against {:.1}",
            verdict.place(),
            verdict.ours,
            verdict.best,
            verdict.theirs
        );
    }
    Ok(text)
}
