//! Recorded data in a line per group.

use std::fmt::Write;

use super::page::counted;
use super::place::{Place, area};
use super::report::RealReport;
use super::spec::{Group, Printed};
use crate::study::{Mean, Tally};

/// The row of the published method by our reading.
const OURS: &str = "dycausal (convolution)";
/// The method of the paper in the list of what others printed.
const PAPERS: &str = "DyCausal, published";

/// The lines: area under the receiver operating characteristic by unit-free weights, where the paper prints a
/// figure on the cases it is of, else over the cases of the group that nobody looked at.
pub(crate) fn recorded(report: &RealReport, page: &str) -> String {
    let mut text = format!(
        "AUROC of pairs by weights, columns standardised; each group on [its page]({page}).\n\n| data | published | published method, our reading | best here | cases |\n|---|---:|---:|---|---|\n"
    );
    for (name, group) in &report.spec.groups {
        let of_paper = |p: &&Printed| p.group == *name && p.method == PAPERS;
        let printed = report.spec.published.iter().find(of_paper);
        if let Some(line) = line(report, (name, group), printed) {
            let _ = writeln!(text, "{line}");
        }
    }
    let looked_at: Vec<String> = report
        .spec
        .groups
        .iter()
        .filter(|(_, group)| !group.looked_at.is_empty())
        .map(|(name, group)| format!("{name}: {}", group.looked_at.join(", ")))
        .collect();
    if !looked_at.is_empty() {
        let _ = writeln!(
            text,
            "\n† Looked at while methods were made, so that their figures are no test, and left out above: {}.",
            looked_at.join("; ")
        );
    }
    text
}

fn line(
    report: &RealReport,
    (name, group): (&str, &Group),
    printed: Option<&Printed>,
) -> Option<String> {
    let has = |cases: &[String], case: &str| cases.iter().any(|known| known == case);
    let wanted = |case: &str| match printed {
        Some(printed) if !printed.ours.is_empty() => has(&printed.ours, case),
        _ => !has(&group.looked_at, case),
    };
    let counts = |tally: &&Tally| {
        let place = Place::of(tally);
        let pooled = place.way != "one by one";
        place.group == name && place.unit_free && wanted(place.case) && pooled
    };
    let here: Vec<&Tally> = report.tallies.iter().filter(counts).collect();
    let value = |row: &str| {
        let own = here.iter().filter(|tally| tally.row == row);
        let areas = own.filter_map(|t| area(t, ("weight", counted(t, group), false), "AUROC"));
        Mean::of(&areas.collect::<Vec<f64>>())
    };
    let most = report.spec.rows.iter().filter_map(|row| Some(value(&row.name)?.count)).max()?;
    let whole = report.spec.rows.iter().filter_map(|row| Some((&row.name, value(&row.name)?)));
    let whole = whole.filter(|(_, mean)| mean.count == most);
    let (best, area) = whole.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
    let theirs = printed.map_or("–".into(), |printed| format!("{:.3}", printed.auroc));
    let below = |mean: f64| if printed.is_some_and(|p| mean < p.auroc) { " ↓" } else { "" };
    let shown = |mean: f64| format!("{mean:.3}{}", below(mean));
    let ours = value(OURS).map_or("–".into(), |mean| shown(mean.mean));
    let cases = match printed {
        Some(printed) if !printed.ours.is_empty() => printed.ours.join(", "),
        _ => most.to_string(),
    };
    Some(format!("| {name} | {theirs} | {ours} | {} ({best}) | {cases} |", shown(area.mean)))
}
