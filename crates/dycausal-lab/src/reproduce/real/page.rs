//! Tables of recorded data.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use dycausal::graph::Sources;
use dycausal_io::write_tidy;

use super::super::figure::{Line, Panel, Scale, draw};
use super::super::report::Written;
use super::super::stamp::Stamp;
use super::super::store::write_whole;
use super::super::table::short;
use super::super::tally::Mean;
use super::kept::with_kept;
use super::run::{RANKINGS, RealReport, RealTally};
use super::scores::tidy_real;
use super::spec::Group;
use crate::error::Result;

/// Beside a case that was looked at while methods were made.
const LOOKED_AT: &str = " †";

/// Writes `real.md`, `real.parquet` and `real.svg` (`real-quick` in the short form) of all that is finished.
///
/// # Errors
/// If the folder cannot be written to, or the table in it is broken.
pub fn write_real(
    report: &RealReport,
    folder: &Path,
    stamp: &Stamp,
    (diagonal, sources): (bool, Option<Sources>),
) -> Result<Written> {
    let name = if report.request.quick { "real-quick" } else { "real" };
    let table = folder.join(format!("{name}.parquet"));
    let all = with_kept(report, &table)?;
    let mut files = write_real_page(&all, folder, stamp, (diagonal, sources))?;
    write_tidy(&table, &tidy_real(&all, stamp))?;
    files.insert(1, table);
    Ok(Written { table: markdown(report, diagonal, sources), files })
}

/// Writes the page and its picture alone, and says where.
///
/// # Errors
/// If the folder cannot be written to.
pub(in super::super) fn write_real_page(
    report: &RealReport,
    folder: &Path,
    stamp: &Stamp,
    (diagonal, sources): (bool, Option<Sources>),
) -> Result<Vec<PathBuf>> {
    let name = if report.request.quick { "real-quick" } else { "real" };
    let page = format!(
        "# Recorded data\n\n`dycausal reproduce real`, {}. [All results](../results.md).\n\n{}\n{}\n![AUROC of recorded data]({name}.svg)\n",
        stamp.words(),
        report.spec.about.trim(),
        markdown(report, diagonal, sources)
    );
    let mut files = Vec::new();
    for (ending, text) in [("md", &page), ("svg", &figure(report))] {
        let path = folder.join(format!("{name}.{ending}"));
        write_whole(&path, text.as_bytes())?;
        files.push(path);
    }
    Ok(files)
}

fn markdown(report: &RealReport, diagonal: bool, sources: Option<Sources>) -> String {
    let mut text = String::new();
    for (name, group) in &report.spec.groups {
        let here: Vec<&RealTally> = report.tallies.iter().filter(|t| t.group == *name).collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n## {name}\n\n{}", group.about.trim());
        if !group.looked_at.is_empty() {
            let cases = group.looked_at.join(", ");
            let _ =
                writeln!(text, "\n{cases}{LOOKED_AT}: looked at while methods were made; no test.");
        }
        table(&mut text, group, &here, false);
        together(&mut text, group, &here);
        rankings(&mut text, group, &here, sources);
        if diagonal {
            let _ = writeln!(text, "\nWith effects of variables on themselves:");
            table(&mut text, group, &here, true);
        }
        printed(&mut text, report, name);
        failures(&mut text, &here);
    }
    text
}

fn table(text: &mut String, group: &Group, tallies: &[&RealTally], diagonal: bool) {
    let _ = writeln!(
        text,
        "\n| case | way | method | AUROC raw | AUROC unit-free | AUROC statistic | AUPRC raw | AUPRC unit-free | best F1 raw | best F1 unit-free | seconds |\n|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for (raw, free) in pairs(tallies) {
        let weight = |tally: &RealTally, metric: &str| {
            tally
                .find("weight", counted(tally, group), diagonal, metric)
                .map_or("–".into(), |e| cell(e.mean))
        };
        let statistic = free.find("statistic", "", diagonal, "AUROC");
        let _ = writeln!(
            text,
            "| {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            raw.case,
            if group.looked_at.contains(&raw.case) { LOOKED_AT } else { "" },
            raw.way,
            raw.row,
            weight(raw, "AUROC"),
            weight(free, "AUROC"),
            statistic.map_or("–".into(), |e| cell(e.mean)),
            weight(raw, "AUPRC"),
            weight(free, "AUPRC"),
            weight(raw, "best F1"),
            weight(free, "best F1"),
            short(free.seconds)
        );
    }
}

/// The same row on the same case with raw columns and with standardised ones, where either has scores.
fn pairs<'a>(tallies: &[&'a RealTally]) -> Vec<(&'a RealTally, &'a RealTally)> {
    let raw = tallies.iter().filter(|t| !t.unit_free);
    let both = raw.filter_map(|raw| {
        let same = |t: &&&RealTally| {
            t.unit_free && (&t.case, &t.way, &t.row) == (&raw.case, &raw.way, &raw.row)
        };
        tallies.iter().find(same).map(|free| (*raw, *free))
    });
    both.filter(|(raw, free)| !(raw.entries.is_empty() && free.entries.is_empty())).collect()
}

/// Effects within a step and from steps before ranked together, where the other table has the former alone.
fn together(text: &mut String, group: &Group, tallies: &[&RealTally]) {
    if group.edges != "instantaneous" {
        return;
    }
    let _ = writeln!(
        text,
        "\nA pair by its strongest effect, within a step or from the step before:\n\n| case | way | method | AUROC raw | AUROC unit-free |\n|---|---|---|---:|---:|"
    );
    for (raw, free) in pairs(tallies) {
        let [own, other] = [raw, free].map(|tally| {
            tally.find("weight", "all", false, "AUROC").map_or("–".into(), |e| cell(e.mean))
        });
        let _ = writeln!(text, "| {} | {} | {} | {own} | {other} |", raw.case, raw.way, raw.row);
    }
}

/// How well the statistic of every possible edge ranks them, listed or not, where there is one.
fn rankings(text: &mut String, group: &Group, tallies: &[&RealTally], sources: Option<Sources>) {
    let shown = |by: &(&str, Sources)| sources.is_none_or(|only| only == by.1);
    let ways: Vec<&str> = RANKINGS.iter().filter(|by| shown(by)).map(|by| by.0).collect();
    let area = |tally: &RealTally, by: &str, metric: &str| {
        let own = tally.find(by, &group.edges, false, metric);
        own.or_else(|| tally.find(by, "lagged", false, metric)).map(|e| cell(e.mean))
    };
    let mut rows = String::new();
    for tally in tallies.iter().filter(|t| t.unit_free) {
        let of = |by: &&str| Some([area(tally, by, "AUROC")?, area(tally, by, "AUPRC")?]);
        let Some(areas) = ways.iter().map(of).collect::<Option<Vec<_>>>() else { continue };
        let cells = areas.concat().join(" | ");
        let _ = writeln!(rows, "| {} | {} | {} | {cells} |", tally.case, tally.way, tally.row);
    }
    if rows.is_empty() {
        return;
    }
    let heads = ways.iter().map(|by| format!("AUROC ({by}) | AUPR ({by})"));
    let heads = heads.collect::<Vec<_>>().join(" | ");
    let rule = "---:|".repeat(2 * ways.len());
    let _ = write!(
        text,
        "\nBy the statistic of every possible edge, listed or not (columns standardised):\n\n| case | way | method | {heads} |\n|---|---|---|{rule}\n{rows}"
    );
}

/// The edges that are ranked: those of the group, but lagged ones where a method finds no others.
pub(super) fn counted<'a>(tally: &RealTally, group: &'a Group) -> &'a str {
    let none = tally.find("weight", "instantaneous", false, "AUROC").is_none_or(|e| e.mean == 0.5);
    let lagged = tally.find("weight", "lagged", false, "AUROC").is_some();
    if group.edges == "instantaneous" && none && lagged { "lagged" } else { &group.edges }
}

fn cell(share: f64) -> String {
    format!("{share:.3}")
}

fn printed(text: &mut String, report: &RealReport, group: &str) {
    let here: Vec<_> = report.spec.published.iter().filter(|p| p.group == group).collect();
    if here.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\nPrinted elsewhere:\n\n| case | method | AUROC | comparable? |\n|---|---|---:|---|"
    );
    for p in here {
        let _ = writeln!(text, "| {} | {} | {:.3} | {} |", p.case, p.method, p.auroc, p.note);
    }
}

/// Every reason once, with the rows and cases it holds for.
fn failures(text: &mut String, tallies: &[&RealTally]) {
    let mut lines: Vec<String> = Vec::new();
    for tally in tallies {
        if let Some(why) = &tally.failure {
            let columns = if tally.unit_free { "standardised" } else { "raw" };
            let line = format!("- {}, {}, {}, {columns}: {why}", tally.row, tally.case, tally.way);
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(text, "\nWithout scores:\n\n{}", lines.join("\n"));
    }
}

/// AUROC by raw weights on the left and by unit-free ones on the right, a row of frames per group.
fn figure(report: &RealReport) -> String {
    let mut rows: Vec<Vec<Panel>> = Vec::new();
    for (name, group) in &report.spec.groups {
        let panel = |unit_free: bool| frame(report, name, group, unit_free);
        let frames = vec![panel(false), panel(true)];
        if frames.iter().any(|panel| !panel.ticks.is_empty()) {
            rows.push(frames);
        }
    }
    draw("Recorded data: AUROC by raw and by unit-free weights, mean over cases ± sd", &rows)
}

fn frame(report: &RealReport, name: &str, group: &Group, unit_free: bool) -> Panel {
    let here = |t: &&RealTally| t.group == name && t.unit_free == unit_free;
    let tallies: Vec<&RealTally> = report.tallies.iter().filter(here).collect();
    let mut ways: Vec<&str> = Vec::new();
    for tally in &tallies {
        if !ways.contains(&tally.way.as_str()) {
            ways.push(&tally.way);
        }
    }
    let line = |row: &str| {
        let value = |way: &&str| {
            let own = tallies.iter().filter(|t| t.row == row && t.way == **way);
            let scores = own.filter_map(|t| t.find("weight", counted(t, group), false, "AUROC"));
            Mean::of(&scores.map(|e| e.mean).collect::<Vec<f64>>())
        };
        let values = ways.iter().map(value).collect();
        Line { name: row.to_owned(), values, published: false }
    };
    let lines = report.spec.rows.iter().map(|row| line(&row.name)).collect();
    let columns = if unit_free { "standardised" } else { "raw" };
    let scale = Scale { name: "AUROC".into(), low: 0.0, high: 1.0 };
    let ticks = ways.iter().map(|way| (*way).to_owned()).collect();
    Panel { title: format!("{name} · {columns}"), ticks, lines, scale }
}
