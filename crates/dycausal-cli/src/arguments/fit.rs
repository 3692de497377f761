//! What to learn from, how, and with which methods.

use std::path::PathBuf;

use clap::{Arg, Args, Command, Id, ValueHint};

use super::ReadArguments;
use crate::knowledge::KnowledgeArguments;
use crate::prepare::PrepareArguments;
use crate::size::Size;

/// How to run and what to write.
#[derive(Args)]
pub struct RunArguments {
    /// Seed of the random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Threads to work on [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Memory to work with, such as 8GB [default: what the system has]; what needs more is refused
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Replace the run folder if it is there, and what a fit that was stopped left beside it
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What a fit that goes on may be given anew; all else it takes from its beginning: other words would be
/// another fit.
const ANEW: [&str; 6] = ["resume", "save_every", "threads", "memory", "force", "json"];

/// The same command, which takes beside `--resume` only what may be given anew.
pub fn with_resume_alone(fit: Command) -> Command {
    let of_beginning = |argument: &Arg| !ANEW.contains(&argument.get_id().as_str());
    let fixed: Vec<Id> =
        fit.get_arguments().filter(|a| of_beginning(a)).map(|a| a.get_id().clone()).collect();
    fit.mut_arg("resume", |resume| resume.conflicts_with_all(fixed))
}

/// What to learn from.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal fit data.csv -o run
  dycausal fit panel.csv --id subject --time second -o run --lag 2
  dycausal fit 'subject-*.csv' -o run
  dycausal fit prices.csv --variable symbol --value close --time date -o run
  dycausal fit data.csv -o run --method dycausal --set encoder=free --set acyclic=union
  dycausal fit flow.csv -o run --model ode --set interval=0.05      differential equations
  dycausal fit genes.csv --id well -o run --model relax             short trajectories that come to rest
  dycausal fit data.csv -o run --config fit.toml
  dycausal fit data.csv -o run --prepare log:sales,difference:price
  dycausal fit data.csv -o run --knowledge known.toml        edges that are forbidden or required
  dycausal fit --resume run                       go on with a long fit that was interrupted

A config file has the same names:
  method = \"lagged-least-squares\"
  lag = 2
  seed = 1
  [parameters]
  window = 5

Writes run.json, edges.csv (a row per edge), trajectories.parquet (weights over time), graph.json,
where the method has one ranking.parquet (every possible edge) and, where that is small, weights.npy
[time, lag, from, to].")]
pub struct FitArguments {
    /// CSV, TSV, Parquet, Arrow/Feather, NPY, NPZ, MAT, XLSX or ODS file; `-` is standard input.
    /// Several files or a pattern ('subject-*.csv') are the series of one panel
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required_unless_present = "resume")]
    pub data: Vec<String>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Run folder to write
    #[arg(short, long, value_name = "RUN", value_hint = ValueHint::DirPath, required_unless_present = "resume")]
    pub output: Option<PathBuf>,
    /// Go on with a fit that was interrupted, as it was begun; --threads, --memory, --save-every, --force
    /// and --json may be given anew
    #[arg(long, value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub resume: Option<PathBuf>,
    /// Seconds between two saves of what a fit has reached, where the method can go on from it
    /// [default: 30]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub save_every: Option<f64>,
    /// The method (see `dycausal methods`)
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// What turns causes into effects: linear (as `ordered`), additive (curves that may move), gp (any
    /// shape), ode (rates of change), relax (trajectories that come
    /// to rest) or auto (what foretells best); beside --method, a model of that method
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The longest lag to look at: a number, or auto where the method can choose it
    #[arg(long, value_name = "L|auto", allow_negative_numbers = true)]
    pub lag: Option<String>,
    /// False discovery rate of the edges that are listed; 1 lists all that were selected (methods that
    /// test edges, such as `ordered`)
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// TOML file with method, lag, seed, threads and parameters
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Set a parameter of the method (see `dycausal methods NAME`)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// No option any more: an order that changes is a method of its own
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "auto")]
    pub order_changes: Option<String>,
    #[command(flatten)]
    pub prepare: PrepareArguments,
    #[command(flatten)]
    pub knowledge: KnowledgeArguments,
    /// Also write: parquet, dot, graphml, tigramite, trajectories-csv
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',')]
    pub also: Vec<dycausal_io::Extra>,
    /// Write trajectories at every step, not at 500 steps at most
    #[arg(long)]
    pub every_step: bool,
    /// Also write report.html, a page that shows how the graph moves
    #[arg(long)]
    pub report: bool,
    /// Write weights.npy even above 2,000 steps or 16 MiB
    #[arg(long)]
    pub dense: bool,
    #[command(flatten)]
    pub run: RunArguments,
}

/// Which methods to compare.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal compare data.csv --methods pcmci-plus,granger,var-lingam -o compared
  dycausal compare sim/series.npy --truth sim/truth.npy --methods pcmci,dagma --threshold 0.1 -o compared
  dycausal compare data.csv --methods windowed,granger --set windowed.window=60 --seconds 120 -o compared

The default method comes first, and the others are held against it. Writes comparison.csv (a row per method),
comparison.svg, report.html and edges.csv (every edge that a method found, with the names of those that did).")]
pub struct CompareArguments {
    /// CSV, TSV, Parquet, Arrow/Feather, NPY, NPZ, MAT, XLSX or ODS file; `-` is standard input.
    /// Several files or a pattern ('subject-*.csv') are the series of one panel
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath, required = true)]
    pub data: Vec<String>,
    #[command(flatten)]
    pub read: ReadArguments,
    #[command(flatten)]
    pub prepare: PrepareArguments,
    /// The methods (see `dycausal methods`)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', required = true)]
    pub methods: Vec<String>,
    /// Folder to write
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// The truth: truth.json or truth.npy, the folder of a simulation, or a run folder
    #[arg(long, value_name = "TRUTH", value_hint = ValueHint::AnyPath)]
    pub truth: Option<PathBuf>,
    /// Absolute weight above which there is an edge in scores
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true)]
    pub threshold: f64,
    /// The longest lag of all methods [default: what the default method chooses]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub lag: Option<usize>,
    /// Set a parameter of a method
    #[arg(long, value_name = "METHOD.KEY=VALUE")]
    pub set: Vec<String>,
    /// Seconds after which a method is given up
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_negative_numbers = true)]
    pub seconds: f64,
    #[command(flatten)]
    pub run: RunArguments,
}
