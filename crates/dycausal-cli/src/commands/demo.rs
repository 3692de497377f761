//! `dycausal demo`: the main job on a built-in example.

use dycausal_io::{Dense, Report, WriteOptions, check_folder, write_run};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::{NoiseScale, Simulation};
use serde_json::{Map, json};

use super::score::render;
use crate::arguments::DemoArguments;
use crate::failure::Failure;
use crate::learn::learn;
use crate::plan::{DEFAULT_METHOD, Plan};
use crate::{screen, summary};

/// Weight above which the truth and the estimate count as an edge.
const THRESHOLD: f64 = 0.3;

/// Simulates, learns, scores and writes.
pub fn run(arguments: &DemoArguments) -> Result<(), Failure> {
    check_folder(&arguments.output, arguments.run.force)?;
    let mut plan = Plan::new(DEFAULT_METHOD, &Map::new())?;
    plan.seed = arguments.run.seed.unwrap_or(1);
    plan.threads = arguments.run.threads;
    plan.memory = arguments.run.memory.map(|size| size.0);
    let simulation = Simulation {
        variables: 8,
        series: 100,
        noise_scale: NoiseScale::Range { low: 0.5, high: 1.5 },
        ..Simulation::default()
    };
    let simulated = simulation.draw(plan.seed)?;
    let (graph, record) = learn(&simulated.panel, &plan, "built-in example", None)?;
    let report =
        Report::new(&graph, &record).with_panel(&simulated.panel)?.with_truth(&simulated.truth)?;
    let options = WriteOptions {
        force: arguments.run.force,
        dense: Dense::Auto,
        extra: Vec::new(),
        every_step: false,
        report: Some(report.html()?),
        beside: Vec::new(),
    };
    let written = write_run(&arguments.output, &graph, &record, &options)?;
    let scores =
        score(&simulated.truth, &graph, Options { threshold: THRESHOLD, ..Options::default() })?;
    screen::warn(&record.warnings);
    if arguments.run.json {
        return screen::show_json(&json!({ "run": record, "scores": scores }));
    }
    let story = format!(
        "A made-up system of {} variables whose {} causal effects grow, fade and change sign over {} steps,\nseen in {} noisy series.\n\n",
        simulation.variables,
        simulated.truth.edges().len(),
        simulation.steps,
        simulation.series
    );
    let learned = summary::of_run(&graph, &record);
    let compared = render(&scores, &graph);
    let page = arguments.output.join("report.html");
    let next = format!(
        "\nSee it move: open {} in a browser\nYour own data: dycausal fit data.csv -o run --report\n",
        page.display()
    );
    screen::show(&format!(
        "{story}{learned}\nAgainst the truth, {compared}{}{next}",
        summary::of_files(&arguments.output, &written)
    ))
}
