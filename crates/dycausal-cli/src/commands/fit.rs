//! `dycausal fit DATA -o RUN`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use dycausal::prepare::{Prepared, Recipe};
use dycausal::{Checkpoint, Panel};
use dycausal_io::{Dense, ReadOptions, Report, WriteOptions, check_folder, read_run, write_run};

use crate::arguments::{Arguments, Command, FitArguments};
use crate::checkpoint::Unfinished;
use crate::data::Found;
use crate::failure::Failure;
use crate::learn::learn;
use crate::plan::Plan;
use crate::{checkpoint, data, prepare, screen, summary, words};

/// Learns a graph and writes a run folder.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    match &arguments.resume {
        Some(run) if is_finished(run) => {
            checkpoint::forget(run);
            screen::show(&format!("{} is finished; there is nothing left to do\n", run.display()))
        }
        Some(run) => fit(&as_begun(run)?, true),
        None => fit(arguments, false),
    }
}

/// Whether the run is there: it was interrupted after it was written, and before that was noted.
fn is_finished(run: &Path) -> bool {
    let words = Unfinished::words(run).ok().map(|words| words::shown(&words));
    let same = |command: Option<String>| words.is_none() || command == words;
    Unfinished::is_there(run) && read_run(run).is_ok_and(|(record, _)| same(record.command))
}

/// The arguments of a fit that was interrupted.
fn as_begun(run: &Path) -> Result<FitArguments, Failure> {
    let words = Unfinished::words(run)?.into_iter().map(OsString::from);
    let words = std::iter::once(OsString::from("dycausal")).chain(words);
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
    let interval = Duration::try_from_secs_f64(arguments.save_every)
        .map_err(|e| Failure::input(format!("--save-every {}: {e}", arguments.save_every)))?;
    let unfinished = if resumed {
        Unfinished::resume(output, &panel, interval)?
    } else {
        Unfinished::begin(output, &panel, interval)
    };
    let unfinished = Arc::new(unfinished);
    let begun =
        Begun { arguments, output, recipe: &recipe, panel: &panel, unfinished: &unfinished };
    let origin = Origin { notes: reading.notes, source, files, read, prepared };
    let finished = begun.finish(&plan, origin);
    finished.map_err(|failure| unfinished.after(failure))
}

/// A fit whose data are read.
struct Begun<'a> {
    arguments: &'a FitArguments,
    output: &'a Path,
    recipe: &'a Recipe,
    panel: &'a Panel,
    unfinished: &'a Arc<Unfinished>,
}

/// What was read beside the data.
struct Origin {
    notes: Vec<String>,
    source: String,
    files: Vec<String>,
    read: ReadOptions,
    prepared: Option<Prepared>,
}

impl Begun<'_> {
    /// Learns the graph and writes the run.
    fn finish(&self, plan: &Plan, origin: Origin) -> Result<(), Failure> {
        let Self { arguments, output, panel, unfinished, .. } = self;
        let (graph, mut record) =
            learn(panel, plan, &origin.source, Some((*unfinished).clone() as Arc<dyn Checkpoint>))?;
        record.command = Some(unfinished.command());
        record.warnings.splice(0..0, origin.notes);
        record.read = origin.read;
        record.files = origin.files;
        record.prepare = self.recipe.words();
        let graph = match origin.prepared {
            Some(prepared) => graph.with_prepared(prepared)?,
            None => graph,
        };
        let report = Report::new(&graph, &record).with_panel(panel)?;
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
}
