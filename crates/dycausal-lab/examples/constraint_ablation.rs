//! The scaled log-determinant against the plain one: steps, roll-backs, and how h falls.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example constraint_ablation -- [seeds=5] [rate=0.005]
//! ```
//!
//! Ten variables, as in the paper's ablation: the dynamic linear task (t = 1, 25, 50), and the
//! static nonlinear one.

#![allow(clippy::print_stdout)] // it prints a table: that is what it is for

use std::error::Error;

use dycausal::acyclicity::Constraint;
use dycausal::dycausal::Model;
use dycausal::{DyCausal, Run};
use dycausal_lab::metrics::{Options, score};
use dycausal_lab::simulate::Simulation;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut seeds, mut first, mut rate) = (5, 1000, 0.005);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').ok_or("write name=value")? {
            ("seeds", value) => seeds = value.parse()?,
            ("first", value) => first = value.parse()?,
            ("rate", value) => rate = value.parse()?,
            (name, _) => return Err(format!("no parameter `{name}`").into()),
        }
    }
    let dynamic = Simulation { variables: 10, ..Simulation::default() };
    let nonlinear = Simulation::of("mlp".parse()?);
    let linear = DyCausal { rate, ..DyCausal::default() };
    let network = DyCausal {
        model: Model::Mlp,
        lag: 2,
        window: 10,
        spacing: 5,
        iterations: 300,
        rate,
        ..DyCausal::default()
    };
    println!(
        "| task | constraint | seed | steps | roll-backs | last rate | mean F1 | h along the way |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (task, simulation, method) in
        [("dynamic", &dynamic, &linear), ("nonlinear", &nonlinear, &network)]
    {
        for seed in first..first + seeds {
            for constraint in [Constraint::NormLogDet, Constraint::LogDet] {
                let method = DyCausal { constraint, ..method.clone() };
                compare(task, simulation, &method, seed)?;
            }
        }
    }
    Ok(())
}

fn compare(
    task: &str,
    simulation: &Simulation,
    method: &DyCausal,
    seed: u64,
) -> Result<(), Box<dyn Error>> {
    let data = simulation.draw(seed)?;
    let fitted = match method.fit(&data.panel, &mut Run::new(seed)) {
        Ok(fitted) => fitted,
        Err(reason) => {
            println!("| {task} | {:?} | {seed} | | | | failed | {reason} |", method.constraint);
            return Ok(());
        }
    };
    let options = Options { threshold: method.threshold, ..Default::default() };
    let found = score(&data.truth, &fitted.graph, options)?.all.average.f1.unwrap_or(f64::NAN);
    let path = &fitted.path;
    let tenths = path.cyclicity.iter().step_by((path.cyclicity.len() / 8).max(1));
    let trace: Vec<String> = tenths.map(|h| format!("{h:.1e}")).collect();
    println!(
        "| {task} | {:?} | {seed} | {} | {} | {:.1e} | {:.1} | {} |",
        method.constraint,
        path.iterations,
        path.rollbacks,
        path.rate,
        100.0 * found,
        trace.join(" ")
    );
    Ok(())
}
