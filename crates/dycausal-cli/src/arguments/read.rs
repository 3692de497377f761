//! How to read data, and what to look at.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::knowledge::KnowledgeArguments;
use crate::prepare::PrepareArguments;
use crate::reading::TableArguments;
use crate::size::Size;

/// How to read the data.
#[derive(Args)]
pub struct ReadArguments {
    /// Format, where the file's name does not tell
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<dycausal_io::Format>,
    /// Column that holds the time
    #[arg(long, value_name = "COLUMN")]
    pub time: Option<String>,
    /// Column that tells series apart (long tables)
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Which array of an NPZ or MAT file
    #[arg(long, value_name = "NAME")]
    pub array: Option<String>,
    /// Use these columns only
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Leave these columns out
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub drop: Vec<String>,
    /// How much of a pipe or device is read, such as 10GB [default: 4GiB, or half of what is free]
    #[arg(long, value_name = "SIZE")]
    pub limit: Option<Size>,
    #[command(flatten)]
    pub table: TableArguments,
}

/// What to look at.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal inspect data.csv
  dycausal inspect panel.csv --id subject --time second --lag 3
  dycausal inspect data.csv --fit                            what a fit would leave unexplained
  dycausal inspect data.csv --prepare log:sales              what the columns look like then
  dycausal inspect sim/series.npy --truth sim/truth.npy      sortability by the true graph
  dycausal inspect 'subject-*.csv.gz'                        several files, each one series
  dycausal inspect log.csv --every 1h:mean                   irregular times
  dycausal inspect book.xlsx --sheet 2 --dates day-first")]
pub struct InspectArguments {
    /// CSV, TSV, Parquet, Arrow/Feather, NPY, NPZ, MAT, XLSX or ODS file; `-` is standard input.
    /// Several files or a pattern ('subject-*.csv') are the series of one panel
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required = true)]
    pub data: Vec<String>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// The lag a fit would have [default: what the data ask for]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub lag: Option<usize>,
    /// Fit the default method, and check what it leaves unexplained
    #[arg(long)]
    pub fit: bool,
    #[command(flatten)]
    pub prepare: PrepareArguments,
    #[command(flatten)]
    pub knowledge: KnowledgeArguments,
    /// Memory to work with, such as 8GB [default: what the system has]; what needs more is refused
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads to work on [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// True weights, to tell sortability by
    #[arg(long, value_name = "TRUTH.npy", value_hint = ValueHint::FilePath)]
    pub truth: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
