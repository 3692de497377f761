//! Data with cells missing, beside the same data with all of them.

use dycausal::Run;
use ndarray::Array3;

use super::bands::{Share, held};
use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::edges::{cross, is_cross, without_direction};
use super::generate::{
    Innovations, Link, System, autoregression, hide, independent, links, moving, off, random_walk,
    stable, standard,
};
use crate::error::Result;
use crate::metrics::{Options, score};
use crate::simulate::{NoiseScale, Simulation};

/// What missing cells cost.
pub(super) const MISSING: Battery = Battery {
    name: "missing",
    title: "Missing cells",
    summary: "What is found, listed falsely and covered by bands where cells are missing.",
    about: "The same data sets complete, with cells missing at random, and with sensors that are off: every variable for 30 steps of one long series, or for 10 steps of a third of many short ones. *Benchmark*: 20 variables, noise of unequal size, weights that move; F1 at steps 1, 25 and 50 with a threshold of .3 (weights .5 to 1) or .15 (.3 to .5). *Independent*: nothing between variables is true. *Bands*: five cross edges among 6 variables with memory .3.",
    figures: &[
        Figure { name: "F1", meaning: "percent, the mean of steps 1, 25 and 50" },
        Figure {
            name: "false edges",
            meaning: "cross edges that are not true, directions within the step ignored",
        },
        Figure { name: "listed", meaning: "share of true cross edges that are listed" },
        Figure {
            name: "cross",
            meaning: "share of steps at which the band of a listed true cross edge holds its weight",
        },
        Figure { name: "self", meaning: "the same for effects of variables on themselves" },
        Figure { name: "rows", meaning: "share of rows whose cells are all there, with lag 1" },
    ],
    seeds: 20,
    quick_seeds: 4,
    conditions,
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let (graph, truth) = (trial.graph, &trial.sample.truth);
    let listed = without_direction(&cross(graph));
    let known = without_direction(&cross(truth));
    let mut figures = vec![("false edges", listed.difference(&known).count() as f64)];
    let (mut between, mut own) = (Share::default(), Share::default());
    for edge in truth.edges() {
        let found = graph.edge(edge.lag, edge.from, edge.to).filter(|found| found.band.is_some());
        let share = if is_cross(edge) { &mut between } else { &mut own };
        if let Some(found) = found {
            share.join(held(graph, found, |step| edge.weight(truth.basis(), step)));
        }
    }
    figures.extend(between.named("cross"));
    figures.extend(own.named("self"));
    let found: Share = known.iter().map(|place| listed.contains(place)).collect();
    figures.extend(found.named("listed"));
    figures.push(("rows", complete_rows(trial.sample.panel.values().to_owned())));
    figures.extend(trial.sample.threshold.and_then(|threshold| {
        let scores = score(truth, graph, Options { threshold, ..Options::default() }).ok()?;
        let steps = &scores.all.steps;
        let at = [0, (steps.len() - 1) / 2, steps.len() - 1];
        let mean = at.iter().map(|t| steps[*t].f1.unwrap_or(1.0)).sum::<f64>() / 3.0;
        Some(("F1", 100.0 * mean))
    }));
    figures
}

/// The share of rows that have every cell of a step and the one before.
fn complete_rows(values: Array3<f64>) -> f64 {
    let (series, steps, _) = values.dim();
    let whole =
        |n: usize, t: usize| values.slice(ndarray::s![n, t, ..]).iter().all(|x| !x.is_nan());
    let rows = (0..series).flat_map(|n| (1..steps).map(move |t| (n, t)));
    let count = rows.filter(|(n, t)| whole(*n, *t) && whole(*n, *t - 1)).count();
    count as f64 / (series * (steps - 1)) as f64
}

/// What is taken out of a data set.
#[derive(Debug, Clone, Copy)]
enum Loss {
    Nothing,
    /// A share of the cells, at random.
    Random(f64),
    /// Every variable for so many steps, in a share of the series.
    Off(usize, f64),
}

impl Loss {
    fn name(self) -> String {
        match self {
            Self::Nothing => "complete".into(),
            Self::Random(share) => format!("{:.0} % missing", 100.0 * share),
            Self::Off(steps, _) => format!("off for {steps} steps"),
        }
    }

    fn from(self, stream: &mut Stream, sample: Sample) -> Result<Sample> {
        match self {
            Self::Nothing => Ok(sample),
            Self::Random(share) => sample.with_values(|values| hide(stream, values, share)),
            Self::Off(steps, share) => {
                sample.with_values(|values| off(stream, values, steps, share))
            }
        }
    }
}

/// A generator with each of the losses; data are the same, so that only the loss differs.
fn with_losses(
    name: &str,
    size: Size,
    losses: &[Loss],
    draw: impl Fn(&mut Stream, Size, u64) -> Result<Sample> + Copy + Send + Sync + 'static,
) -> Vec<Condition> {
    let condition = |loss: &Loss| {
        let (stream, loss) = (format!("battery: missing: {name}"), *loss);
        Condition::seeded(format!("{name} {}", loss.name()), size, move |own, size, seed| {
            let sample = draw(&mut Run::new(seed).random(&stream), size, seed)?;
            loss.from(own, sample)
        })
    };
    losses.iter().map(condition).collect()
}

fn benchmark(seed: u64, weights: (f64, f64), threshold: f64, size: Size) -> Result<Sample> {
    let noise_scale = NoiseScale::Range { low: 0.5, high: 1.5 };
    let (series, steps, variables) = size.shape();
    let simulation =
        Simulation { variables, series, steps, weights, noise_scale, ..Simulation::default() };
    let drawn = simulation.draw(seed)?;
    Ok(Sample::of(drawn.panel, drawn.truth).with_threshold(threshold))
}

fn system(stream: &mut Stream, size: Size, degree: usize) -> Result<Sample> {
    let edges = stable(stream, size, 1, |stream| {
        let cross = links(stream, size.variables, &[0, 1, 0, 1, 0], (0.3, 0.5));
        let own = (0..size.variables).map(|v| Link { from: v, to: v, lag: 1, weight: 0.3 });
        let own: Vec<_> = own.map(|link| link.edge(size.steps)).collect();
        let cross = cross.into_iter().map(|link| match degree {
            0 => link.edge(size.steps),
            degree => moving(stream, link, degree, size.steps),
        });
        cross.chain(own).collect()
    })?;
    let innovations = Innovations::GAUSSIAN;
    System { innovations, ..System::PLAIN }.sample(stream, size, edges)
}

/// A column of so many steps.
type Draw = fn(&mut Stream, usize) -> Vec<f64>;

fn conditions() -> Vec<Condition> {
    use Loss::{Nothing, Off, Random};
    let mut all = Vec::new();
    let size = Size::new(200, 50, 20);
    let losses = [Nothing, Random(0.05), Random(0.2), Off(10, 0.33)];
    for (name, weights, threshold) in
        [("benchmark .5-1", (0.5, 1.0), 0.3), ("benchmark .3-.5", (0.3, 0.5), 0.15)]
    {
        all.extend(with_losses(name, size, &losses, move |_, size, seed| {
            benchmark(seed, weights, threshold, size)
        }));
    }
    let columns: [(&str, Draw); 3] = [
        ("iid", |s, t| (0..t).map(|_| standard(s)).collect()),
        ("AR(.7)", |s, t| autoregression(s, t, &[0.7])),
        ("random walks", random_walk),
    ];
    for (variables, losses) in [
        (8, &[Nothing, Random(0.1), Random(0.2), Off(30, 1.0)][..]),
        (20, &[Nothing, Random(0.05)][..]),
    ] {
        let size = Size::new(1, 300, variables);
        for (name, column) in columns {
            let name = format!("{name} d={variables}");
            all.extend(with_losses(&name, size, losses, move |stream, size, _| {
                Sample::without_cross_edges(independent(stream, size, column))
            }));
        }
    }
    for (series, steps, out) in
        [(1, 500, Off(30, 1.0)), (20, 50, Off(10, 0.33)), (200, 50, Off(10, 0.33))]
    {
        let losses = [Nothing, Random(0.05), Random(0.1), Random(0.2), out];
        for (degree, how) in [(0, "static"), (2, "quadratic")] {
            let name = format!("bands {how} N={series}");
            let size = Size::new(series, steps, 6);
            all.extend(with_losses(&name, size, &losses, move |stream, size, _| {
                system(stream, size, degree)
            }));
        }
    }
    all
}
