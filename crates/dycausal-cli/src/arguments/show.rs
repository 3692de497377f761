//! What to score, show and draw.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use dycausal::graph::Sources;

use super::ReadArguments;

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
