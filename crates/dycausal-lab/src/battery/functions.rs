//! Effects that are no straight lines: what is found of them, by which model, and in what time.

use std::collections::HashSet;

use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::edges::{Place, cross};
use super::generate::{Innovations, Mechanisms, Shape, nonlinear_memory};
use crate::error::Result;
use crate::simulate::{Dynamics, Model, NoiseLaw, NoiseScale, Simulation};

/// Nonlinear systems.
pub(super) const FUNCTIONS: Battery = Battery {
    name: "functions",
    title: "Effects that bend",
    summary: "What is found where effects are no straight lines: networks, other functions, functions that move, and nothing at all.",
    about: "*Networks*: the paper's nonlinear model, 100 sigmoids per variable, 20 series of 50 steps, lag 2; also with noise of standard deviation .5 to 1.5 and columns in random units. *Sine* to *product*: 10 variables, 20 edges within the step and 20 from the step before, amplitudes .7 to 1.5, noise of standard deviation .5 to 1.5, random units, 20 series of 50 steps. *Moving*: the same with effects of four shapes that move along half a cosine. *Memory*: 8 independent series of 500 steps with a nonlinear memory, where no edge is true. *Linear*: the paper's linear model with weights that stay. An edge counts if cause, effect and lag are right, however strong it is.",
    figures: &[
        Figure { name: "F1", meaning: "percent; an edge is right if cause, effect and lag are" },
        Figure { name: "SHD", meaning: "edges too many, too few or reversed" },
        Figure { name: "false edges", meaning: "cross edges that are not true" },
        Figure {
            name: "took lines",
            meaning: "percent of runs in which `auto` took straight lines",
        },
    ],
    seeds: 10,
    quick_seeds: 2,
    conditions,
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let place = |edge: &dycausal::Edge| (edge.lag, edge.from, edge.to);
    let listed: HashSet<Place> = trial.graph.edges().iter().map(place).collect();
    let truth: HashSet<Place> = trial.sample.truth.edges().iter().map(place).collect();
    let right = listed.intersection(&truth).count() as f64;
    let turned = |(lag, from, to): &Place| {
        *lag == 0 && !truth.contains(&(0, *from, *to)) && truth.contains(&(0, *to, *from))
    };
    let reversed = listed.iter().filter(|place| turned(place)).count() as f64;
    let wrong = (listed.len() + truth.len()) as f64 - 2.0 * right;
    let known = cross(&trial.sample.truth);
    let extra = cross(trial.graph).difference(&known).count() as f64;
    let mut figures = vec![("false edges", extra)];
    if !truth.is_empty() {
        figures.push(("SHD", wrong - reversed));
        let most = (listed.len() + truth.len()) as f64;
        figures.push(("F1", 100.0 * 2.0 * right / most));
    }
    figures.extend(took_lines(trial).map(|took| ("took lines", 100.0 * f64::from(u8::from(took)))));
    figures
}

/// Whether a method that compares models took the linear one.
fn took_lines(trial: &Trial<'_>) -> Option<bool> {
    let models = trial.run.facts().models.as_ref()?;
    let chosen = models.iter().find(|line| line.chosen)?;
    Some(chosen.model == "linear")
}

fn conditions() -> Vec<Condition> {
    let mut all: Vec<Condition> =
        [10, 20, 40, 80].into_iter().map(|d| networks(d, false)).collect();
    all.extend([10, 20].map(|d| networks(d, true)));
    let laplace = Innovations::Independent(NoiseLaw::Laplace);
    for (name, shape) in [
        ("sine", Shape::Sine),
        ("quadratic", Shape::Quadratic),
        ("step", Shape::Step),
        ("tanh", Shape::Tanh),
        ("product", Shape::Product),
    ] {
        all.push(other(name.into(), shape, Innovations::GAUSSIAN));
        all.push(other(format!("{name} Laplace"), shape, laplace));
    }
    for (variables, series) in [(10, 200), (10, 50), (20, 200), (20, 50)] {
        let name = format!("moving d={variables} N={series}");
        let system = Mechanisms {
            shape: Shape::Mixed,
            moves: true,
            edges: 2 * variables,
            noise: Innovations::GAUSSIAN,
        };
        let size = Size::new(series, 50, variables);
        all.push(Condition::new(name, size, move |stream, size| system.sample(stream, size)));
    }
    for (name, threshold) in [("memory that saturates", false), ("memory with a threshold", true)] {
        all.push(Condition::new(name, Size::new(1, 500, 8), move |stream, size| {
            nonlinear_memory(stream, size, threshold)
        }));
    }
    all.push(Condition::seeded("linear", Size::new(20, 50, 10), |_, size, seed| {
        drawn(Simulation { weights: (0.3, 0.5), ..static_system(Model::Linear, size) }, seed)
    }));
    all
}

fn other(name: String, shape: Shape, noise: Innovations) -> Condition {
    let system = Mechanisms { shape, moves: false, edges: 20, noise };
    Condition::new(name, Size::new(20, 50, 10), move |stream: &mut Stream, size| {
        system.sample(stream, size)
    })
}

fn networks(variables: usize, uneven: bool) -> Condition {
    let name = if uneven {
        format!("networks d={variables} units")
    } else {
        format!("networks d={variables}")
    };
    let condition =
        Condition::seeded(name, Size::new(20, 50, variables), move |stream, size, seed| {
            let model = Model::Mlp { hidden: 100, weights: (0.5, 2.0) };
            let mut system = static_system(model, size);
            if uneven {
                system.noise_scale = NoiseScale::Range { low: 0.5, high: 1.5 };
            }
            let sample = drawn(system, seed)?;
            if !uneven {
                return Ok(sample);
            }
            let units: Vec<f64> = (0..size.variables)
                .map(|_| 10f64.powf(rand::RngExt::random_range(stream, -1.0..1.0)))
                .collect();
            sample.with_values(|values| {
                for mut row in values.rows_mut() {
                    row.iter_mut().zip(&units).for_each(|(x, unit)| *x *= unit);
                }
            })
        });
    if variables > 20 { condition.in_full_only() } else { condition }
}

/// One long series in pieces, lag 2, nothing moves.
fn static_system(model: Model, size: Size) -> Simulation {
    Simulation {
        model,
        variables: size.variables,
        series: 1,
        steps: size.series * size.steps,
        lag: 2,
        dynamics: Dynamics::Static,
        cut: size.series,
        ..Simulation::default()
    }
}

fn drawn(system: Simulation, seed: u64) -> Result<Sample> {
    let drawn = system.draw(seed)?;
    Ok(Sample::of(drawn.panel, drawn.truth))
}
