//! Writes what a battery found.

use std::path::Path;

use super::findings::Findings;
use super::sketch::picture;
use super::table::{csv, markdown};
use crate::error::Result;
use crate::reproduce::{Written, write_whole};

/// Writes `NAME.md` and `NAME.csv`, and `NAME.svg` where there is something to draw, to a folder
/// (`NAME-quick` in the short form).
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_battery(findings: &Findings, folder: &Path) -> Result<Written> {
    let (table, csv) = (markdown(findings), csv(findings));
    let battery = findings.battery;
    let (name, picture) = (findings.file_name(), picture(findings));
    let shown = picture.as_ref().map(|_| format!("\n![{}]({name}.svg)\n", battery.title));
    let page = format!(
        "## {}\n\n`dycausal reproduce {}{}`\n\n{}\nMeans ± standard errors over seeds from {} on.\n{table}{}",
        battery.title,
        battery.name,
        options(findings),
        battery.about,
        findings.request.first_seed.unwrap_or(super::FIRST_SEED),
        shown.unwrap_or_default(),
    );
    let mut files = Vec::new();
    let tables = [("md", &page), ("csv", &csv)].into_iter();
    for (ending, text) in tables.chain(picture.iter().map(|picture| ("svg", picture))) {
        let path = folder.join(format!("{name}.{ending}"));
        write_whole(&path, text.as_bytes())?;
        files.push(path);
    }
    Ok(Written { table, csv, files })
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
