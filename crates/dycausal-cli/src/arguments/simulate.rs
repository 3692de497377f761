//! What to simulate.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use dycausal_lab::simulate::{Dynamics, Model, NoiseLaw, NoiseScale};

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
