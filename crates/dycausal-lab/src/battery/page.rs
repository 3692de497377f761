//! Writes what a battery found.

use std::path::Path;

use dycausal_io::write_tidy;

use super::findings::Findings;
use super::sketch::picture;
use super::table::{markdown, tidy};
use crate::error::Result;
use crate::reproduce::{Stamp, Written, write_whole};

/// Writes `NAME.md` and `NAME.parquet`, and `NAME.svg` where there is something to draw, to a folder
/// (`NAME-quick` in the short form).
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_battery(findings: &Findings, folder: &Path, stamp: &Stamp) -> Result<Written> {
    let table = markdown(findings);
    let battery = findings.battery;
    let (name, picture) = (findings.file_name(), picture(findings));
    let shown = picture.as_ref().map(|_| format!("\n![{}]({name}.svg)\n", battery.title));
    let page = format!(
        "# {}\n\n`dycausal reproduce {}{}`, {}. [All results](../results.md).\n\n{}\nMeans ± standard errors over seeds from {} on.\n{table}{}",
        battery.title,
        battery.name,
        options(findings),
        stamp.words(),
        battery.about,
        findings.request.first_seed.unwrap_or(super::FIRST_SEED),
        shown.unwrap_or_default(),
    );
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    let mut files = vec![path("md"), path("parquet")];
    write_whole(&files[0], page.as_bytes())?;
    write_tidy(&files[1], &tidy(findings, stamp))?;
    if let Some(picture) = picture {
        write_whole(&path("svg"), picture.as_bytes())?;
        files.push(path("svg"));
    }
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
