//! `dycausal simulate MODEL`.

use dycausal_io::{check_folder, write_folder, write_json, write_npy, write_truth};
use dycausal_lab::simulate::{Model, Seen, Simulated, Simulation};
use serde::Serialize;

use crate::arguments::SimulateArguments;
use crate::failure::Failure;
use crate::screen;

/// What `spec.json` says.
#[derive(Serialize)]
struct Spec<'a> {
    version: &'static str,
    #[serde(flatten)]
    made: &'a dycausal_lab::simulate::Spec,
    edges: usize,
    files: Vec<String>,
}

/// Simulates and writes a folder.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    check_folder(&arguments.output, arguments.force)?;
    let simulated = simulation(arguments)?.draw(arguments.seed)?;
    let spec = write_folder(&arguments.output, arguments.force, |folder| {
        write_npy(&folder.join("series.npy"), simulated.panel.values())?;
        let truth = write_truth(folder, &simulated.truth, arguments.every_step)?;
        let spec = spec(&simulated, &truth);
        write_json(&folder.join("spec.json"), &spec)?;
        Ok(spec)
    })?;
    if arguments.json {
        return screen::show_json(&spec);
    }
    let (series, steps, variables) = simulated.panel.values().dim();
    let files: Vec<&str> =
        spec.files.iter().filter_map(|file| file.split_whitespace().next()).collect();
    screen::show(&format!(
        "{series} series of {steps} steps and {variables} variables, {} true edges\nwritten to {}: {}, spec.json\n",
        simulated.truth.edges().len(),
        arguments.output.display(),
        files.join(", "),
    ))
}

fn spec<'a>(simulated: &'a Simulated, truth: &[&'static str]) -> Spec<'a> {
    let about = |file: &&str| match *file {
        "truth.json" => "truth.json (the graph)".to_owned(),
        "truth.csv" => "truth.csv (a row per edge)".to_owned(),
        "truth.parquet" => "truth.parquet (weights over time)".to_owned(),
        file => format!("{file} [time, lag, from, to]"),
    };
    let series = "series.npy [series, time, variable]".to_owned();
    Spec {
        version: env!("CARGO_PKG_VERSION"),
        made: &simulated.spec,
        edges: simulated.truth.edges().len(),
        files: std::iter::once(series).chain(truth.iter().map(about)).collect(),
    }
}

fn simulation(arguments: &SimulateArguments) -> Result<Simulation, Failure> {
    let usual = Simulation::of(arguments.model);
    let model = seen(arguments)?;
    let reshaped = arguments.series.is_some() || arguments.steps.is_some();
    Ok(Simulation {
        variables: arguments.variables.unwrap_or(usual.variables),
        series: arguments.series.unwrap_or(usual.series),
        steps: arguments.steps.unwrap_or(usual.steps),
        lag: arguments.lag.unwrap_or(usual.lag),
        density: arguments.density,
        dynamics: arguments.dynamics.clone().unwrap_or(usual.dynamics),
        weights: (arguments.weights.low, arguments.weights.high),
        decay: arguments.decay,
        noise: arguments.noise,
        noise_scale: arguments.noise_sd,
        standardise: arguments.standardise,
        burn_in: arguments.burn_in.or(usual.burn_in),
        cut: arguments.cut.unwrap_or(if reshaped { 1 } else { usual.cut }),
        model,
    })
}

/// The model with the noise that was asked for.
fn seen(arguments: &SimulateArguments) -> Result<Model, Failure> {
    let (process, observation) = (arguments.process_noise, arguments.observation_noise);
    let asked = process.is_some() || observation.is_some();
    match arguments.model.seen() {
        None if asked => Err(Failure::input(
            "--process-noise, --observation-noise: only lorenz, kuramoto and hill have them; see --noise-sd",
        )),
        None => Ok(arguments.model),
        Some(usual) => Ok(arguments.model.with_seen(Seen {
            process_noise: process.unwrap_or(usual.process_noise),
            observation_noise: observation.unwrap_or(usual.observation_noise),
            ..usual
        })),
    }
}
