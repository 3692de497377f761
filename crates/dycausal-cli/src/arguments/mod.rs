//! What can be said on the command line.

mod fit;
mod read;
mod reproduce;
mod show;
mod simulate;

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
pub use fit::{CompareArguments, FitArguments, RunArguments};
pub use read::{InspectArguments, ReadArguments};
pub use reproduce::ReproduceArguments;
pub use show::{PlotArguments, ReportArguments, ScoreArguments};
pub use simulate::SimulateArguments;

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

impl Arguments {
    /// What was typed; where that makes no sense the program ends and says why.
    pub fn typed() -> Self {
        let matches = Self::command().mut_subcommand("fit", fit::with_resume_alone).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|reason| reason.exit())
    }
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
