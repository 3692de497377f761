//! `dycausal simulate MODEL`.

use dycausal_io::{check_folder, write_folder, write_json, write_npy};
use dycausal_lab::simulate::{Simulated, Simulation};
use serde::Serialize;

use crate::arguments::SimulateArguments;
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
    check_folder(&arguments.output, arguments.force)?;
    let simulated = simulation(arguments).draw(arguments.seed)?;
    write_folder(&arguments.output, arguments.force, |folder| {
        write_npy(&folder.join("series.npy"), simulated.panel.values())?;
        let truth = simulated.truth.dense(LIMIT)?;
        write_npy(&folder.join("truth.npy"), truth.view())?;
        write_json(&folder.join("spec.json"), &spec(&simulated))
    })?;
    if arguments.json {
        return screen::show_json(&spec(&simulated));
    }
    let (series, steps, variables) = simulated.panel.values().dim();
    screen::show(&format!(
        "{series} series of {steps} steps and {variables} variables, {} true edges\nwritten to {}: series.npy, truth.npy, spec.json\n",
        simulated.truth.edges().len(),
        arguments.output.display(),
    ))
}

fn spec(simulated: &Simulated) -> Spec<'_> {
    Spec {
        version: env!("CARGO_PKG_VERSION"),
        made: &simulated.spec,
        edges: simulated.truth.edges().len(),
        files: ["series.npy [series, time, variable]", "truth.npy [time, lag, from, to]"],
    }
}

fn simulation(arguments: &SimulateArguments) -> Simulation {
    let usual = Simulation::of(arguments.model);
    let reshaped = arguments.series.is_some() || arguments.steps.is_some();
    Simulation {
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
        burn_in: arguments.burn_in,
        cut: arguments.cut.unwrap_or(if reshaped { 1 } else { usual.cut }),
        model: arguments.model,
    }
}
