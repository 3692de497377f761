//! `dycausal fit DATA -o RUN`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use dycausal_io::{Dense, Report, WriteOptions, check_folder, write_run};

use crate::arguments::{Arguments, Command, FitArguments};
use crate::checkpoint::Unfinished;
use crate::data::Found;
use crate::failure::Failure;
use crate::learn::learn;
use crate::plan::Plan;
use crate::{data, prepare, screen, summary};

/// Learns a graph and writes a run folder.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    match &arguments.resume {
        Some(run) => fit(&as_begun(run)?, true),
        None => fit(arguments, false),
    }
}

/// The arguments of a fit that was interrupted.
fn as_begun(run: &Path) -> Result<FitArguments, Failure> {
    let words = std::iter::once("dycausal".to_owned()).chain(Unfinished::words(run)?);
    match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
        Ok(Command::Fit(arguments)) if arguments.resume.is_none() => Ok(arguments),
        _ => Err(Failure::input("what was kept is no fit; begin anew").about(run.display())),
    }
}

fn fit(arguments: &FitArguments, resumed: bool) -> Result<(), Failure> {
    let missing = || Failure::input("DATA and -o RUN are needed");
    if arguments.data.is_empty() {
        return Err(missing());
    }
    let output: &PathBuf = arguments.output.as_ref().ok_or_else(missing)?;
    // What can be refused at once is, before hours are spent.
    let plan = Plan::of(arguments)?;
    check_folder(output, arguments.run.force)?;
    let read = data::options(&arguments.read);
    let recipe = arguments.prepare.recipe()?;
    let Found { reading, source, files } = data::read_data(&arguments.data, &read)?;
    let (panel, prepared) = prepare::prepared(reading.panel, &recipe)?;
    let unfinished = if resumed {
        Unfinished::resume(output, &panel)?
    } else {
        Unfinished::begin(output, &panel)
    };
    let unfinished = Arc::new(unfinished);
    let learned = learn(&panel, &plan, &source, Some(unfinished.clone()));
    let (graph, mut record) = learned.map_err(|failure| match unfinished.how_to_go_on(output) {
        Some(how) => failure.followed_by(how),
        None => failure,
    })?;
    record.warnings.splice(0..0, reading.notes);
    record.read = read;
    record.files = files;
    record.prepare = recipe.words();
    let graph = match prepared {
        Some(prepared) => graph.with_prepared(prepared)?,
        None => graph,
    };
    let report = Report::new(&graph, &record).with_panel(&panel)?;
    let options = WriteOptions {
        force: arguments.run.force,
        dense: if arguments.dense { Dense::Always } else { Dense::Auto },
        extra: arguments.also.clone(),
        every_step: arguments.every_step,
        report: arguments.report.then(|| report.html()).transpose()?,
        beside: Vec::new(),
    };
    let written = write_run(output, &graph, &record, &options)?;
    unfinished.forget();
    screen::warn(&record.warnings);
    if arguments.run.json {
        return screen::show_json(&record);
    }
    screen::show(&(summary::of_run(&graph, &record) + &summary::of_files(output, &written)))
}
