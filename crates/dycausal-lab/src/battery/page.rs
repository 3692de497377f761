//! Writes what a battery found.

use std::path::Path;

use super::findings::Findings;
use super::sketch::picture;
use super::table::markdown;
use crate::error::Result;
use crate::study::{Kept, Page, Scores, Stamp, Written};

/// Writes `NAME.md`, and `NAME.svg` where there is something to draw, to a folder (`NAME-quick` in the short form),
/// and keeps the figures with the scores of the folder.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_battery(findings: &Findings, folder: &Path, stamp: &Stamp) -> Result<Written> {
    let (battery, name) = (findings.battery, findings.file_name());
    let first = findings.request.first_seed.unwrap_or(super::FIRST_SEED);
    let table = markdown(findings);
    let means = format!("Means ± standard errors over seeds from {first} on.\n");
    let picture = picture(findings).map(|svg| (name.clone(), battery.title.to_owned(), svg));
    let page = Page {
        title: battery.title.to_owned(),
        command: format!("{}{}", battery.name, options(findings)),
        about: battery.about.to_owned(),
        table: means + &table,
        pictures: picture.into_iter().collect(),
        drawn_by: "the command above",
        ..Page::default()
    };
    let mut files = page.write(folder, &name, stamp)?;
    let tallies = findings.rows.iter().map(|row| row.tally.clone()).collect();
    let kept = Kept { name, stamp: stamp.clone(), tallies };
    files.insert(1, Scores::open(folder)?.keep(kept)?.0);
    Ok(Written { table, files })
}

/// What was asked for beside the name, as it is typed: without it the page could not be made again.
fn options(findings: &Findings) -> String {
    let request = &findings.request;
    let mut text = String::new();
    let mut say = |words: String| {
        text.push(' ');
        text.push_str(&words);
    };
    if request.quick {
        say("--quick".into());
    }
    if let Some(seeds) = request.seeds {
        say(format!("--seeds {seeds}"));
    }
    if let Some(first) = request.first_seed {
        say(format!("--first {first}"));
    }
    if !request.methods.is_empty() {
        say(format!("--methods {}", request.methods.join(",")));
    }
    if !request.conditions.is_empty() {
        say(format!("--settings '{}'", request.conditions.join(",")));
    }
    for (name, value) in &request.set {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        say(format!("--set {name}={value}"));
    }
    text
}
