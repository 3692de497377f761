//! Tables of recorded data.

use std::fmt::Write;
use std::path::Path;

use dycausal::graph::Sources;

use super::job::RANKINGS;
use super::place::{Place, area, columns_of};
use super::report::{RealReport, failure};
use super::spec::Group;
use crate::error::Result;
use crate::study::{
    Line, Mean, Page, Panel, Scale, Scores, Stamp, Tally, Written, draw, head, line, short,
};

/// Beside a case that was looked at while methods were made.
const LOOKED_AT: &str = " †";

/// Writes `real.md` and `real.svg` (`real-quick` in the short form) of all that is finished, and keeps the scores.
///
/// # Errors
/// If the folder cannot be written to, or the scores in it are broken.
pub fn write_real(
    report: &RealReport,
    folder: &Path,
    stamp: &Stamp,
    (diagonal, sources): (bool, Option<Sources>),
) -> Result<Written> {
    let mut scores = Scores::open(folder)?;
    let all = report.to_keep(&scores, stamp);
    let (path, _) = scores.keep(all.clone())?;
    let all = RealReport { tallies: all.tallies, ..report.clone() };
    let mut files = real_page(&all, (diagonal, sources)).write(folder, all.file_name(), stamp)?;
    files.insert(1, path);
    Ok(Written { table: markdown(report, diagonal, sources), files })
}

/// The page of all cases.
pub(crate) fn real_page(report: &RealReport, (diagonal, sources): (bool, Option<Sources>)) -> Page {
    let picture = (report.file_name().to_owned(), "AUROC of recorded data".into(), figure(report));
    Page {
        title: "Recorded data".into(),
        command: "real".into(),
        about: report.spec.about.clone(),
        table: markdown(report, diagonal, sources),
        pictures: vec![picture],
        drawn_by: "`dycausal reproduce results`",
        ..Page::default()
    }
}

fn markdown(report: &RealReport, diagonal: bool, sources: Option<Sources>) -> String {
    let mut text = String::new();
    for (name, group) in &report.spec.groups {
        let here = |tally: &&Tally| Place::of(tally).group == name;
        let here: Vec<&Tally> = report.tallies.iter().filter(here).collect();
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
        let failures: Vec<String> = here.iter().filter_map(|tally| failure(tally)).collect();
        if !failures.is_empty() {
            let _ = writeln!(text, "\nWithout scores:\n\n{}", failures.join("\n"));
        }
    }
    text
}

fn table(text: &mut String, group: &Group, tallies: &[&Tally], diagonal: bool) {
    text.push('\n');
    text.push_str(&head(
        &["case", "way", "method"],
        &[
            "AUROC raw",
            "AUROC unit-free",
            "AUROC statistic",
            "AUPRC raw",
            "AUPRC unit-free",
            "best F1 raw",
            "best F1 unit-free",
            "seconds",
        ],
    ));
    for (raw, free) in pairs(tallies) {
        let weight = |tally: &Tally, metric: &str| {
            cell(area(tally, ("weight", counted(tally, group), diagonal), metric))
        };
        let place = Place::of(raw);
        let looked_at = group.looked_at.iter().any(|case| case == place.case);
        let case = format!("{}{}", place.case, if looked_at { LOOKED_AT } else { "" });
        let statistic = cell(area(free, ("statistic", "", diagonal), "AUROC"));
        let both = |metric: &str| [weight(raw, metric), weight(free, metric)];
        let [auroc, auprc, f1] = ["AUROC", "AUPRC", "best F1"].map(both);
        let seconds = short(free.mean_seconds().unwrap_or(0.0));
        let numbers = [auroc.as_slice(), &[statistic], &auprc, &f1, &[seconds]].concat();
        row(text, [&case, place.way, &raw.row], &numbers);
    }
}

fn row(text: &mut String, place: [&str; 3], numbers: &[String]) {
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    line(text, &[&place, numbers.as_slice()].concat());
}

/// The same row on the same case with raw columns and with standardised ones, where either has scores.
fn pairs<'a>(tallies: &[&'a Tally]) -> Vec<(&'a Tally, &'a Tally)> {
    let raw = tallies.iter().filter(|tally| !Place::of(tally).unit_free);
    let both = raw.filter_map(|raw| {
        let free = Place { unit_free: true, ..Place::of(raw) }.tally(&raw.row);
        tallies.iter().find(|tally| tally.is_of(&free)).map(|free| (*raw, *free))
    });
    both.filter(|(raw, free)| !(raw.scores.is_empty() && free.scores.is_empty())).collect()
}

/// Effects within a step and from steps before ranked together, where the other table has the former alone.
fn together(text: &mut String, group: &Group, tallies: &[&Tally]) {
    if group.edges != "instantaneous" {
        return;
    }
    text.push_str("\nA pair by its strongest effect, within a step or from the step before:\n\n");
    text.push_str(&head(&["case", "way", "method"], &["AUROC raw", "AUROC unit-free"]));
    for (raw, free) in pairs(tallies) {
        let both = [raw, free].map(|tally| cell(area(tally, ("weight", "all", false), "AUROC")));
        let place = Place::of(raw);
        row(text, [place.case, place.way, &raw.row], &both);
    }
}

/// How well the statistic of every possible edge ranks them, listed or not, where there is one.
fn rankings(text: &mut String, group: &Group, tallies: &[&Tally], sources: Option<Sources>) {
    let shown = |by: &(&str, Sources)| sources.is_none_or(|only| only == by.1);
    let ways: Vec<&str> = RANKINGS.iter().filter(|by| shown(by)).map(|by| by.0).collect();
    let of = |tally: &Tally, by: &str, metric: &str| {
        let own = area(tally, (by, &group.edges, false), metric);
        own.or_else(|| area(tally, (by, "lagged", false), metric)).map(|area| cell(Some(area)))
    };
    let mut rows = String::new();
    for tally in tallies.iter().filter(|tally| Place::of(tally).unit_free) {
        let both = |by: &&str| Some([of(tally, by, "AUROC")?, of(tally, by, "AUPRC")?]);
        let Some(areas) = ways.iter().map(both).collect::<Option<Vec<_>>>() else { continue };
        let place = Place::of(tally);
        row(&mut rows, [place.case, place.way, &tally.row], &areas.concat());
    }
    if rows.is_empty() {
        return;
    }
    let heads: Vec<String> =
        ways.iter().flat_map(|by| [format!("AUROC ({by})"), format!("AUPR ({by})")]).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let head = head(&["case", "way", "method"], &heads);
    let _ = write!(
        text,
        "\nBy the statistic of every possible edge, listed or not (columns standardised):\n\n{head}{rows}"
    );
}

/// The edges that are ranked: those of the group, but lagged ones where a method finds no others.
pub(super) fn counted<'a>(tally: &Tally, group: &'a Group) -> &'a str {
    let auroc = |edges: &str| area(tally, ("weight", edges, false), "AUROC");
    let none = auroc("instantaneous").is_none_or(|area| area == 0.5);
    let lagged = auroc("lagged").is_some();
    if group.edges == "instantaneous" && none && lagged { "lagged" } else { &group.edges }
}

fn cell(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{share:.3}"))
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
        line(text, &[&p.case, &p.method, &cell(Some(p.auroc)), &p.note]);
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
    let placed = report.tallies.iter().map(|tally| (Place::of(tally), tally));
    let here =
        |(place, _): &(Place<'_>, &Tally)| place.group == name && place.unit_free == unit_free;
    let tallies: Vec<(Place<'_>, &Tally)> = placed.filter(here).collect();
    let mut ways: Vec<&str> = Vec::new();
    for (place, _) in &tallies {
        if !ways.contains(&place.way) {
            ways.push(place.way);
        }
    }
    let line = |row: &str| {
        let value = |way: &&str| {
            let own = tallies.iter().filter(|(place, t)| t.row == row && place.way == *way);
            let areas =
                own.filter_map(|(_, t)| area(t, ("weight", counted(t, group), false), "AUROC"));
            Mean::of(&areas.collect::<Vec<f64>>())
        };
        let values = ways.iter().map(value).collect();
        Line { name: row.to_owned(), values, published: false }
    };
    let lines = report.spec.rows.iter().map(|row| line(&row.name)).collect();
    let scale = Scale { name: "AUROC".into(), low: 0.0, high: 1.0 };
    let ticks = ways.iter().map(|way| (*way).to_owned()).collect();
    Panel { title: format!("{name} · {}", columns_of(unit_free)), ticks, lines, scale }
}
