//! `dycausal simulate MODEL`.

use dycausal::TimeIndex;
use dycausal_io::{write_folder, write_json, write_npy};
use dycausal_lab::simulate::{Dynamics, Model, NoiseScale, Simulated, Simulation};
use serde::Serialize;

use crate::arguments::{Range, SimulateArguments};
use crate::failure::Failure;
use crate::screen;

/// The largest truth written as a dense array.
const LIMIT: u128 = 8 << 30;

/// What `spec.json` says.
#[derive(Serialize)]
struct Spec<'a> {
    version: &'static str,
    #[serde(flatten)]
    made: &'a dycausal_lab::simulate::Spec,
    edges: usize,
    files: [&'static str; 2],
}

/// Simulates and writes a folder.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let simulation = simulation(arguments);
    let simulated = simulation.draw(arguments.seed)?;
    write_folder(&arguments.output, arguments.force, |folder| {
        write_npy(&folder.join("series.npy"), simulated.panel.values())?;
        let truth = simulated.truth.dense(LIMIT)?;
        write_npy(&folder.join("truth.npy"), truth.view())?;
        write_json(&folder.join("spec.json"), &spec(&simulated))
    })?;
    let (series, steps, variables) = simulated.panel.values().dim();
    screen::show(&format!(
        "{series} series of {steps} steps and {variables} variables, {} true edges\nwritten to {}: series.npy, truth.npy, spec.json\n",
        simulated.truth.edges().len(),
        arguments.output.display(),
    ))
}

fn spec(simulated: &Simulated) -> Spec<'_> {
    debug_assert!(matches!(simulated.panel.times(), TimeIndex::Steps(_)));
    Spec {
        version: env!("CARGO_PKG_VERSION"),
        made: &simulated.spec,
        edges: simulated.truth.edges().len(),
        files: ["series.npy [series, time, variable]", "truth.npy [time, lag, from, to]"],
    }
}

fn simulation(arguments: &SimulateArguments) -> Simulation {
    let moves = if arguments.model == Model::Linear { Dynamics::Full } else { Dynamics::Static };
    let Range { low, high } = arguments.noise_sd;
    let noise_scale =
        if low == high { NoiseScale::Equal(low) } else { NoiseScale::Range { low, high } };
    Simulation {
        model: arguments.model,
        variables: arguments.variables,
        series: arguments.series,
        steps: arguments.steps,
        lag: arguments.lag,
        density: arguments.density,
        dynamics: arguments.dynamics.clone().unwrap_or(moves),
        weights: (arguments.weights.low, arguments.weights.high),
        decay: arguments.decay,
        noise: arguments.noise,
        noise_scale,
        standardise: arguments.standardise,
        ..Simulation::default()
    }
}
