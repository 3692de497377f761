//! Figures as text: a readable table of means ± standard errors, or medians, and the same as a tidy one.

use std::fmt::Write;

use dycausal_io::{TidyColumn, TidyTable};

use super::definition::Battery;
use super::findings::{Findings, Row};
use crate::reproduce::{Mean, Stamp, short};

/// The table of means ± standard errors, or of medians, then what the columns mean and what is missing.
pub fn markdown(findings: &Findings) -> String {
    let battery = findings.battery;
    let names: Vec<&str> = battery.figures.iter().map(|figure| figure.name).collect();
    let mut text = format!(
        "\n| data | N × T × d | method | {} | seconds | seeds |\n|---|---|---|{}---:|---:|\n",
        names.join(" | "),
        "---:|".repeat(names.len())
    );
    for row in &findings.rows {
        let shown: Vec<String> = names.iter().map(|name| cell(battery, row, name)).collect();
        let seconds = Mean::of(&row.seconds).map_or(String::new(), |mean| short(mean.mean));
        let (condition, size, seeds) = (&row.condition, row.size, row.seconds.len());
        let (method, shown) = (method(row), shown.join(" | "));
        let _ =
            writeln!(text, "| {condition} | {size} | {method} | {shown} | {seconds} | {seeds} |");
    }
    text.push('\n');
    for figure in battery.figures {
        let _ = writeln!(text, "- {}: {}", figure.name, figure.meaning);
    }
    text + &remarks(findings)
}

/// One line per row and figure: seeds, mean, standard error and median, or why there is none.
pub fn tidy(findings: &Findings, stamp: &Stamp) -> TidyTable {
    const WORDS: [&str; 5] = ["data", "method", "variant", "figure", "why"];
    const NUMBERS: [&str; 7] =
        ["series", "steps", "variables", "seeds", "mean", "standard_error", "median"];
    let mut words: [Vec<Option<String>>; 5] = Default::default();
    let mut numbers: [Vec<Option<f64>>; 7] = Default::default();
    for row in &findings.rows {
        let size = [row.size.series, row.size.steps, row.size.variables].map(|n| Some(n as f64));
        let mut push = |figure: Option<&str>, why: Option<&str>, figures: [Option<f64>; 4]| {
            let own = [row.condition.as_str(), &row.method, &row.variant].map(Some);
            let all = own.into_iter().chain([figure, why]).map(|word| word.map(str::to_owned));
            words.iter_mut().zip(all).for_each(|(column, word)| column.push(word));
            let all = size.into_iter().chain(figures);
            numbers.iter_mut().zip(all).for_each(|(column, number)| column.push(number));
        };
        for figure in findings.battery.figures {
            if let Some(mean) = row.mean(figure.name) {
                let count = Some(mean.count as f64);
                let median = row.median(figure.name);
                let figures = [count, Some(mean.mean), mean.standard_error(), median];
                push(Some(figure.name), None, figures);
            }
        }
        let remark = row.remark();
        if !remark.is_empty() {
            push(None, Some(&remark), [None; 4]);
        }
    }
    let words = WORDS.into_iter().zip(words.map(TidyColumn::Words));
    let numbers = NUMBERS.into_iter().zip(numbers.map(TidyColumn::Numbers));
    let columns = words.chain(numbers).map(|(name, column)| (name.to_owned(), column));
    TidyTable { columns: columns.collect(), notes: stamp.notes() }
}

fn method(row: &Row) -> String {
    match row.variant.as_str() {
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
        None if row.unavailable.is_some() => "not available".into(),
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
        let remark = row.remark();
        if remark.is_empty() {
            continue;
        }
        let reason = format!("{}: {remark}", method(row));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, rows)) => rows.push(&row.condition),
            None => reasons.push((reason, vec![&row.condition])),
        }
    }
    let line = |(reason, rows): &(String, Vec<&str>)| match rows.len() {
        1 => format!("- {}, {reason}\n", rows[0]),
        count => format!("- {count} rows, {reason}\n"),
    };
    let lines: String = reasons.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}
