//! Figures as a readable table of means ± standard errors, or medians.

use std::fmt::Write;

use super::definition::Battery;
use super::findings::{Findings, Row};
use crate::study::{head, line, short};

/// The table of means ± standard errors, or of medians, then what the columns mean and what is missing.
pub fn markdown(findings: &Findings) -> String {
    let battery = findings.battery;
    let names: Vec<&str> = battery.figures.iter().map(|figure| figure.name).collect();
    let heads = [names.as_slice(), &["seconds", "seeds"]].concat();
    let mut text = format!("\n{}", head(&["data", "N × T × d", "method"], &heads));
    for row in &findings.rows {
        let seconds = row.tally.mean_seconds().map_or(String::new(), short);
        let place = [row.condition().to_owned(), row.size.to_string(), method(row)];
        let shown = names.iter().map(|name| cell(battery, row, name));
        let last = [seconds, row.tally.seconds.len().to_string()];
        let cells: Vec<String> = place.into_iter().chain(shown).chain(last).collect();
        line(&mut text, &cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    text.push('\n');
    for figure in battery.figures {
        let _ = writeln!(text, "- {}: {}", figure.name, figure.meaning);
    }
    text + &remarks(findings)
}

fn method(row: &Row) -> String {
    match row.tally.reading.as_str() {
        "default" => row.method.clone(),
        variant => format!("{} {variant}", row.method),
    }
}

fn cell(battery: &Battery, row: &Row, figure: &str) -> String {
    let median = row.median(figure).filter(|_| battery.medians.contains(&figure));
    if let Some(median) = median {
        return format!("{median:.3}");
    }
    match row.mean(figure) {
        None if row.tally.barred.is_some() => "not available".into(),
        None => "–".into(),
        Some(mean) => match mean.standard_error() {
            None => format!("{:.2}", mean.mean),
            Some(error) => format!("{:.2} ± {error:.2}", mean.mean),
        },
    }
}

/// What is missing and why; the same reason once for all the rows that share it.
fn remarks(findings: &Findings) -> String {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for row in &findings.rows {
        let remark = row.tally.remark();
        if remark.is_empty() {
            continue;
        }
        let reason = format!("{}: {remark}", method(row));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, rows)) => rows.push(row.condition()),
            None => reasons.push((reason, vec![row.condition()])),
        }
    }
    let line = |(reason, rows): &(String, Vec<&str>)| match rows.len() {
        1 => format!("- {}, {reason}\n", rows[0]),
        count => format!("- {count} rows, {reason}\n"),
    };
    let lines: String = reasons.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}
