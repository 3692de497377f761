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

/// Seconds between two saves, where nothing else is said.
const SAVE_EVERY: f64 = 30.0;

/// Learns a graph and writes a run folder.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    match &arguments.resume {
        Some(named) => go_on(&checkpoint::run_of(named), arguments),
        None => fit(arguments, false),
    }
}

/// Goes on with a fit; what does not change its result may be said anew.
fn go_on(run: &Path, said: &FitArguments) -> Result<(), Failure> {
    if is_finished(run) {
        checkpoint::forget(run);
        let text = format!("{} is finished; there is nothing left to do\n", run.display());
        return screen::show(&text);
    }
    let mut begun = as_begun(run)?;
    begun.run.threads = said.run.threads.or(begun.run.threads);
    begun.run.memory = said.run.memory.or(begun.run.memory);
    begun.save_every = said.save_every.or(begun.save_every);
    begun.run.force |= said.run.force;
    begun.run.json |= said.run.json;
    fit(&begun, true)
}

/// Whether the run is there, and nothing of another fit beside it: it ended well, or was interrupted after
/// it was written and before that was noted.
fn is_finished(run: &Path) -> bool {
    let words = Unfinished::words(run).ok().map(|words| words::shown(&words));
    let same = |command: Option<String>| words.is_none() || command == words;
    read_run(run).is_ok_and(|(record, _)| same(record.command))
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
    if !resumed && !arguments.run.force {
        checkpoint::check_none(output)?;
    }
    let read = data::options(&arguments.read);
    let recipe = arguments.prepare.recipe()?;
    let Found { panel, mut notes, taken, source, files } = data::read_data(&arguments.data, &read)?;
    notes.extend(prepare::warnings(&recipe, &panel));
    let (panel, prepared) = prepare::prepared(panel, &recipe)?;
    let seconds = arguments.save_every.unwrap_or(SAVE_EVERY);
    let interval = Duration::try_from_secs_f64(seconds)
        .map_err(|e| Failure::input(format!("--save-every {seconds}: {e}")))?;
    let unfinished = if resumed {
        Unfinished::resume(output, &panel, interval)?
    } else {
        Unfinished::begin(output, &panel, interval)
    };
    let unfinished = Arc::new(unfinished);
    let begun =
        Begun { arguments, output, recipe: &recipe, panel: &panel, unfinished: &unfinished };
    let origin = Origin { notes, taken, source, files, read, prepared };
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
    taken: Vec<String>,
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
        screen::note(&origin.taken);
        screen::warn(&record.warnings);
        if arguments.run.json {
            return screen::show_json(&record);
        }
        let files = summary::of_files(output, &written) + &summary::of_left_out(&written);
        screen::show(&(summary::of_run(&graph, &record) + &files))
    }
}
