//! What can be said on the command line.

use std::path::PathBuf;

use crate::reading::TableArguments;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use dycausal::graph::Sources;
use dycausal_lab::simulate::{Dynamics, Model, NoiseLaw, NoiseScale};

use crate::knowledge::KnowledgeArguments;
use crate::prepare::PrepareArguments;
use crate::size::Size;

/// Learns how cause and effect change over time from multivariate time series.
#[derive(Parser)]
#[command(name = "dycausal", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  dycausal demo                                   the whole way on a built-in example
  dycausal inspect data.csv                       what the data can support
  dycausal fit data.csv -o run --lag 2            learn a graph for every step
  dycausal report run -o report.html              see how the graph moves
  dycausal plot run --kind matrix -o file.svg     a still picture
  dycausal score run --truth truth.npy            compare with a known truth
  dycausal compare data.csv --methods pcmci-plus,granger -o compared

Exit codes: 0 fine, 1 the method failed, 2 bad input, 130 interrupted.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Simulate an example, learn its graph, score it and write a run folder
    Demo(DemoArguments),
    /// Simulate data with a known truth
    Simulate(SimulateArguments),
    /// Say what the data look like and what that means for a fit
    Inspect(InspectArguments),
    /// Learn a graph for every step and write it to a run folder
    Fit(FitArguments),
    /// Run several methods on the same data and say where they agree
    Compare(CompareArguments),
    /// Compare a run with a known truth
    Score(ScoreArguments),
    /// Write a run as a page that shows how its graph moves
    Report(ReportArguments),
    /// Draw a run as a still picture
    Plot(PlotArguments),
    /// List the methods, or the parameters of one
    Methods(MethodsArguments),
    /// Run an experiment of the paper again, or score on recorded data
    Reproduce(ReproduceArguments),
    /// Print completions for a shell
    Completions(CompletionsArguments),
}

/// The built-in example.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal demo                                   writes the folder dycausal-demo
  dycausal demo -o first --seed 7                 another example, another folder")]
pub struct DemoArguments {
    /// Folder to write
    #[arg(short, long, value_name = "DIR", default_value = "dycausal-demo", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    #[command(flatten)]
    pub run: RunArguments,
}

/// What to simulate.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal simulate linear -o sim --variables 20 --series 200 --steps 50
  dycausal simulate linear -o sim --dynamics regimes --noise laplace --noise-sd 0.5,1.5
  dycausal simulate lorenz -o sim --variables 10 --series 5 --steps 500
  dycausal simulate lorenz -o sim --process-noise 0 --observation-noise 0.05
  dycausal simulate kuramoto -o ring --variables 10          oscillators in a ring
  dycausal simulate hill -o genes --variables 10             a gene circuit

Writes series.npy [series, time, variable], spec.json, and the truth as truth.json (the graph),
truth.csv (a row per edge), truth.parquet (weights over time) and, where that is small, truth.npy
[time, lag, from, to].")]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub struct SimulateArguments {
    /// The equations: linear, mlp, lorenz, kuramoto or hill
    pub model: Model,
    /// Folder to write
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// How many variables [default: 20 for linear; else 10]
    #[arg(long, value_name = "D")]
    pub variables: Option<usize>,
    /// How many series [default: 200; 1 for mlp and lorenz, 20 for kuramoto and hill]
    #[arg(long, value_name = "N")]
    pub series: Option<usize>,
    /// How many steps each series has [default: 50; 1000 for mlp and lorenz]
    #[arg(long, value_name = "T")]
    pub steps: Option<usize>,
    /// The longest lag [default: 1; 2 for mlp]
    #[arg(long, value_name = "L")]
    pub lag: Option<usize>,
    /// How weights move: full, instantaneous, static, nonsmooth, regimes, appearing or reordering
    /// [default: full for linear; else static]
    #[arg(long, value_name = "HOW")]
    pub dynamics: Option<Dynamics>,
    /// Cut each series into so many, where weights stay [default: 1; 20 for mlp and lorenz unless
    /// --series or --steps is given]
    #[arg(long, value_name = "PIECES")]
    pub cut: Option<usize>,
    /// Steps to throw away before the first [default: 100 where weights stay, 0 where they move]
    #[arg(long, value_name = "STEPS")]
    pub burn_in: Option<usize>,
    /// Range of absolute weights before they move
    #[arg(long, value_name = "LO,HI", default_value = "0.5,1")]
    pub weights: Range,
    /// Instantaneous edges per variable, and lagged edges per variable and lag
    #[arg(long, value_name = "E", default_value_t = 2.0)]
    pub density: f64,
    /// What weights are divided by for each step of lag
    #[arg(long, value_name = "ETA", default_value_t = 1.5)]
    pub decay: f64,
    /// Law of the noise: gaussian, laplace, uniform or student-t
    #[arg(long, value_name = "LAW", default_value = "gaussian")]
    pub noise: NoiseLaw,
    /// Standard deviation of the noise: one for all, a range to draw each variable's from, or
    /// moving:LO,HI,DEPTH
    #[arg(long, value_name = "SD|LO,HI", default_value = "1")]
    pub noise_sd: NoiseScale,
    /// Noise that is added to the state of lorenz, kuramoto or hill in the course of a step
    #[arg(long, value_name = "SD")]
    pub process_noise: Option<f64>,
    /// Noise that is added to what is seen of lorenz, kuramoto or hill
    #[arg(long, value_name = "SD")]
    pub observation_noise: Option<f64>,
    /// Bring columns to mean 0 and standard deviation 1, and the truth with them
    #[arg(long)]
    pub standardise: bool,
    /// Write the truth at every step, not at 500 steps at most
    #[arg(long)]
    pub every_step: bool,
    /// Replace the folder if it is there
    #[arg(long)]
    pub force: bool,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

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
    #[arg(long, value_name = "L")]
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
    /// True weights, to tell sortability by
    #[arg(long, value_name = "TRUTH.npy", value_hint = ValueHint::FilePath)]
    pub truth: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How to run and what to write.
#[derive(Args)]
pub struct RunArguments {
    /// Seed of the random numbers
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Threads to work on [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Memory to work with, such as 8GB [default: what the system has]; what needs more is refused
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Replace the run folder if it is there
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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
    /// Go on with a fit that was interrupted, as it was begun
    #[arg(long, value_name = "RUN", value_hint = ValueHint::DirPath, exclusive = true)]
    pub resume: Option<PathBuf>,
    /// Seconds between two saves of what a fit has reached, where the method can go on from it
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub save_every: f64,
    /// The method (see `dycausal methods`)
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// What turns causes into effects: linear (as `ordered`), additive (curves that may move), gp (any
    /// shape), ode (rates of change), relax (trajectories that come
    /// to rest) or auto (what foretells best); beside --method, a model of that method
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The longest lag to look at: a number, or auto where the method can choose it
    #[arg(long, value_name = "L|auto")]
    pub lag: Option<String>,
    /// False discovery rate of the edges that are listed; 1 lists all that were selected (method
    /// `ordered`)
    #[arg(long, value_name = "Q")]
    pub alpha: Option<f64>,
    /// TOML file with method, lag, seed, threads and parameters
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Set a parameter of the method (see `dycausal methods NAME`)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Let the causal order change over time: a number of changes, or auto (method `ordered`)
    #[arg(long, value_name = "N|auto")]
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
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub threshold: f64,
    /// The longest lag of all methods [default: what the default method chooses]
    #[arg(long, value_name = "L")]
    pub lag: Option<usize>,
    /// Set a parameter of a method
    #[arg(long, value_name = "METHOD.KEY=VALUE")]
    pub set: Vec<String>,
    /// Seconds after which a method is given up
    #[arg(long, value_name = "S", default_value_t = 600.0)]
    pub seconds: f64,
    #[command(flatten)]
    pub run: RunArguments,
}

/// What to compare.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal score run --truth sim                         a folder of `dycausal simulate`
  dycausal score run --truth truth.npy --threshold 0.3 --json
  dycausal score run --truth sim --ranking               AUROC and AUPR of all edges, listed or not
  dycausal score run --truth sim --ranking --sources differ --no-diagonal

A weight counts as an edge where it is above the threshold, in the truth and in the run. With
--ranking the run needs no threshold: every possible edge is ranked by its statistic.")]
pub struct ScoreArguments {
    /// Run folder
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub run: PathBuf,
    /// The truth: truth.json or truth.npy [time, lag, from, to], the folder of a simulation, or a run
    #[arg(long, value_name = "TRUTH", value_hint = ValueHint::AnyPath)]
    pub truth: PathBuf,
    /// Absolute weight above which there is an edge
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub threshold: f64,
    /// Leave out effects of a variable on itself
    #[arg(long)]
    pub no_diagonal: bool,
    /// Score the statistic of every possible edge, listed or not (ranking.parquet)
    #[arg(long)]
    pub ranking: bool,
    /// What is believed of causes: same, or differ (some drive much, others little)
    #[arg(long, value_name = "same|differ", requires = "ranking")]
    pub sources: Option<Sources>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What to show.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal report run -o report.html
  dycausal report run -o report.html --truth truth.npy       the true weights beside the learned
  dycausal report run -o report.html --data moved/data.csv   where the data are no longer where they were

One file that needs no network: the graph at every step, trajectories with bands, matrices, the
data, residual checks, and how to do it again.")]
pub struct ReportArguments {
    /// Run folder
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub run: PathBuf,
    /// HTML file to write
    #[arg(short, long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// True weights [time, lag, from, to], or a run folder to compare with
    #[arg(long, value_name = "TRUTH.npy|RUN", value_hint = ValueHint::AnyPath)]
    pub truth: Option<PathBuf>,
    /// The data that the run was learned from [default: where they were]
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub data: Option<String>,
    #[command(flatten)]
    pub read: ReadArguments,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// What to draw.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal plot run --kind graph -o graph.svg                at the first, middle and last step
  dycausal plot run --kind graph --at 5,25,45 -o graph.png
  dycausal plot run --kind trajectories --edges 6 -o weights.svg
  dycausal plot run --kind matrix --truth truth.npy -o matrices.png")]
pub struct PlotArguments {
    /// Run folder
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub run: PathBuf,
    /// What to draw: graph, trajectories or matrix
    #[arg(long, value_name = "KIND", default_value = "graph")]
    pub kind: dycausal_io::PictureKind,
    /// SVG or PNG file to write
    #[arg(short, long, value_name = "FILE.svg|FILE.png", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Times to draw, as the data have them [default: first, middle and last]
    #[arg(long, value_name = "TIME,…", value_delimiter = ',')]
    pub at: Vec<String>,
    /// How many trajectories to draw, those that change most first
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub edges: usize,
    /// True weights [time, lag, from, to], or a run folder to compare with
    #[arg(long, value_name = "TRUTH.npy|RUN", value_hint = ValueHint::AnyPath)]
    pub truth: Option<PathBuf>,
    /// Draw weights in the units of the data, and not in standard deviations
    #[arg(long)]
    pub data_units: bool,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// Which method.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal methods                                the list
  dycausal methods lagged-least-squares           its parameters")]
pub struct MethodsArguments {
    /// The method whose parameters to list
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

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
  dycausal reproduce results -o docs/results      the page of results from what was run

Writes NAME.md, NAME.csv and NAME.svg. Finished cells are kept in cells/ and not run again:
the same command goes on with a run that was interrupted. The batteries (nulls, power, coverage,
motion, directions, lag-choice, seasons) measure the engine anew each time and keep no cells.")]
pub struct ReproduceArguments {
    /// An experiment or battery, or list, all, real, results
    #[arg(default_value = "list")]
    pub name: String,
    /// The short form: few seeds, some sizes left out, shorter fits
    #[arg(long)]
    pub quick: bool,
    /// How many seeds, from 1000 on; of batteries, from 8000 on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: Option<u64>,
    /// The first seed [default: 1000; of batteries, 8000]
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
    /// The machine, in a few words (results) [default: cores and memory]
    #[arg(long, value_name = "TEXT")]
    pub machine: Option<String>,
    /// Threads to work on [default: all cores]; scores do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  dycausal completions bash > ~/.local/share/bash-completion/completions/dycausal
  dycausal completions zsh > ~/.zfunc/_dycausal")]
pub struct CompletionsArguments {
    /// The shell
    pub shell: Shell,
}

/// One number, or two with a comma between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The first number.
    pub low: f64,
    /// The second, or the first again.
    pub high: f64,
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let part = part.trim();
            part.parse::<f64>().map_err(|_| format!("`{part}` is not a number; expected LO,HI"))
        };
        let (low, high) = text.split_once(',').unwrap_or((text, text));
        Ok(Self { low: number(low)?, high: number(high)? })
    }
}
