//! Which experiment.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use dycausal::graph::Sources;

/// Which experiment.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal reproduce list                         the experiments
  dycausal reproduce dynamics --quick             Table A1, in minutes
  dycausal reproduce dynamics --methods ordered   all ten seeds, one method
  dycausal reproduce all --quick                  every experiment, one after the other
  dycausal reproduce real --data ../shared/data   recorded data with a known truth
  dycausal reproduce real --groups dream3,dream4 --methods relax --sources differ
  dycausal reproduce nulls --quick                what is listed where there is nothing to find
  dycausal reproduce nulls --set lag=2 --settings 'iid,AR(.7)'
  dycausal reproduce dynamics --finished          run nothing: tables of what is finished
  dycausal reproduce results -o docs/results      all pages again from the scores that were kept

Writes NAME.md and NAME.svg of all that is finished of an experiment; the scores of all of them are
kept in scores.parquet. Finished cells are kept in cells/ and not run again: the same command goes on with a run that was
interrupted. The batteries (nulls, power, coverage,
motion, directions, lag-choice, seasons) measure the engine anew each time and keep no cells.")]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub struct ReproduceArguments {
    /// An experiment or battery, or list, all, real, results
    #[arg(default_value = "list")]
    pub name: String,
    /// The short form: few seeds, some sizes left out, shorter fits
    #[arg(long)]
    pub quick: bool,
    /// Run nothing; write what is finished
    #[arg(long)]
    pub finished: bool,
    /// How many seeds, from 7000 on; of batteries, from 8000 on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: Option<u64>,
    /// The first seed [default: 7000; of batteries, 8000]
    #[arg(long, value_name = "S", visible_alias = "first")]
    pub first_seed: Option<u64>,
    /// Set a parameter of the method (batteries)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Run these methods or rows only
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Run these settings only, such as d=20; of batteries, these data, such as iid
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub settings: Vec<String>,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "dycausal-reproduce", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Folder of data sets (real)
    #[arg(long, value_name = "DIR", default_value = "../shared/data", value_hint = ValueHint::DirPath)]
    pub data: PathBuf,
    /// Groups of data sets (real)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub groups: Vec<String>,
    /// Show rankings with this belief about causes only (real) [default: both]
    #[arg(long, value_name = "same|differ")]
    pub sources: Option<Sources>,
    /// Also count effects of variables on themselves (real)
    #[arg(long)]
    pub diagonal: bool,
    /// The machine, in a few words, for the pages [default: cores and memory]
    #[arg(long, value_name = "TEXT")]
    pub machine: Option<String>,
    /// Threads to work on [default: all cores]; scores do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
