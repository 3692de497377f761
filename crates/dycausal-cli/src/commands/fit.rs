//! `dycausal fit DATA -o RUN`.

use dycausal_io::{Dense, WriteOptions, check_folder, write_run};

use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::learn::learn;
use crate::plan::Plan;
use crate::{data, screen, summary};

/// Learns a graph and writes a run folder.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    // What can be refused at once is, before hours are spent.
    let plan = Plan::of(arguments)?;
    check_folder(&arguments.output, arguments.run.force)?;
    let (reading, source) = data::read_data(&arguments.data)?;
    let (graph, mut record) = learn(&reading.panel, &plan, &source)?;
    record.warnings.splice(0..0, reading.notes);
    let options = WriteOptions {
        force: arguments.run.force,
        dense: if arguments.dense { Dense::Always } else { Dense::Auto },
        extra: arguments.also.clone(),
    };
    let written = write_run(&arguments.output, &graph, &record, &options)?;
    screen::warn(&record.warnings);
    if arguments.run.json {
        return screen::show_json(&record);
    }
    screen::show(
        &(summary::of_run(&graph, &record) + &summary::of_files(&arguments.output, &written)),
    )
}
