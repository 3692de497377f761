//! Recorded data in a line per group.

use std::fmt::Write;

use super::super::tally::Mean;
use super::page::counted;
use super::run::{RealReport, RealTally};
use super::spec::{Group, Printed};

/// The row of the published method by our reading.
const OURS: &str = "dycausal (convolution)";
/// The method of the paper in the list of what others printed.
const PAPERS: &str = "DyCausal, published";

/// The lines: area under the receiver operating characteristic by unit-free weights, where the paper prints a
/// figure on the cases it is of, else over the cases of the group that nobody looked at.
pub(in super::super) fn recorded(report: &RealReport, page: &str) -> String {
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
    let wanted = |case: &String| match printed {
        Some(printed) if !printed.ours.is_empty() => printed.ours.contains(case),
        _ => !group.looked_at.contains(case),
    };
    let here = report.tallies.iter().filter(|t| t.group == name && t.unit_free && wanted(&t.case));
    let here: Vec<&RealTally> = here.filter(|tally| tally.way != "one by one").collect();
    let value = |row: &str| {
        let own = here.iter().filter(|tally| tally.row == row);
        let areas = own.filter_map(|t| t.find("weight", counted(t, group), false, "AUROC"));
        Mean::of(&areas.map(|entry| entry.mean).collect::<Vec<f64>>())
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
