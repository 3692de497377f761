//! `dycausal report RUN -o FILE.html`.

use std::path::Path;

use dycausal::{DynamicGraph, Panel};
use dycausal_io::{ReadOptions, Report, RunRecord, read_run};

use super::score::truth_for;
use crate::arguments::ReportArguments;
use crate::failure::Failure;
use crate::{data, prepare, screen};

/// Writes the page.
pub fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    check_free(&arguments.output, arguments.force)?;
    let (record, graph) = read_run(&arguments.run)?;
    let truth = arguments.truth.as_deref().map(|path| truth_for(&graph, path)).transpose()?;
    let (panel, note) = match &arguments.data {
        Some(data) => (Some(given(data, arguments, &record)?), None),
        None => where_they_were(&record, &graph, &arguments.read()),
    };
    let mut report = Report::new(&graph, &record);
    if let Some(panel) = &panel {
        report = report.with_panel(panel)?;
    }
    if let Some(truth) = &truth {
        report = report.with_truth(truth)?;
    }
    if let Some(note) = &note {
        screen::warn([note]);
        report = report.with_note(note);
    }
    report.write(&arguments.output)?;
    screen::show(&format!("written to {}: open it in a browser\n", arguments.output.display()))
}

/// Refuses to replace a file unless that was asked for.
pub fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        return Err(Failure::input("is already there; --force replaces it").about(path.display()));
    }
    Ok(())
}

impl ReportArguments {
    fn read(&self) -> ReadOptions {
        data::options(&self.read)
    }
}

/// The data that were named: what is wrong with them is an error.
fn given(data: &str, arguments: &ReportArguments, record: &RunRecord) -> Result<Panel, Failure> {
    let asked = arguments.read();
    let options = if asked.is_default() { &record.read } else { &asked };
    let panel = data::read_data(&[data.to_owned()], options)?.panel;
    Ok(prepare::prepared(panel, &prepare::recipe(&record.prepare)?)?.0)
}

/// The data where the run found them, or why there are none.
fn where_they_were(
    record: &RunRecord,
    graph: &DynamicGraph,
    asked: &ReadOptions,
) -> (Option<Panel>, Option<String>) {
    let without = |reason: String| {
        // What the run has checked itself needs no data.
        let checks = if record.diagnostics.is_some() { "" } else { " and no residual checks" };
        let note = format!("No series{checks}: {reason}; give --data FILE.");
        (None, Some(note))
    };
    let source = vec![record.source.clone()];
    let files = if record.files.is_empty() { &source } else { &record.files };
    if let Some(gone) = files.iter().find(|file| !Path::new(file).is_file()) {
        return without(format!("the data ({gone}) are not there"));
    }
    let options = if asked.is_default() { &record.read } else { asked };
    let again = || {
        let panel = data::read_data(files, options)?.panel;
        prepare::prepared(panel, &prepare::recipe(&record.prepare)?)
    };
    match again() {
        Err(failure) => without(format!("the data can no longer be read: {failure}")),
        Ok((panel, _)) => {
            let same = panel.names() == graph.names()
                && panel.steps() == graph.steps()
                && panel.missing() == record.missing
                && panel.series() == record.series;
            if same {
                (Some(panel), None)
            } else {
                without(format!("{} is no longer what the run was learned from", record.source))
            }
        }
    }
}
