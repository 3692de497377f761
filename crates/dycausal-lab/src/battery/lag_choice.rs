//! Whether the longest lag that is chosen is the right one.

use dycausal::graph::Edge;

use super::condition::{Condition, Size, Stream};
use super::definition::{Battery, Figure, Trial, Variant};
use super::generate::{Link, System, links, stable};

/// The longest lag by itself.
pub(super) const LAG_CHOICE: Battery = Battery {
    name: "lag-choice",
    title: "The longest lag, chosen",
    summary: "How often lag=auto chooses the true longest lag.",
    about: "Six variables with two cross edges at every lag from 0 to L = 1, 2, 3, and memory of their own of order 0, 2, 4, in one series and in a hundred short ones: how often `lag=auto` chooses L, whatever the order of the memory.",
    figures: &[
        Figure { name: "right", meaning: "share of data sets in which the chosen lag is L" },
        Figure { name: "too short", meaning: "share in which it is less" },
        Figure { name: "too long", meaning: "share in which it is more" },
    ],
    seeds: 20,
    quick_seeds: 6,
    conditions,
    variants: || vec![Variant::with("lag", "auto")],
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let (chosen, truth) = (trial.graph.lag(), longest(&trial.sample.truth));
    let share = |hit: bool| f64::from(u8::from(hit));
    vec![
        ("right", share(chosen == truth)),
        ("too short", share(chosen < truth)),
        ("too long", share(chosen > truth)),
    ]
}

/// The longest lag between two variables: memory may be longer.
fn longest(truth: &dycausal::DynamicGraph) -> usize {
    let cross = truth.edges().iter().filter(|edge| super::edges::is_cross(edge));
    cross.map(|edge| edge.lag).max().unwrap_or(0)
}

/// Coefficients of a variable's own past of an order; the last is as large as any.
fn memory(order: usize) -> &'static [f64] {
    match order {
        0 => &[],
        1 => &[0.4],
        2 => &[0.3, 0.3],
        3 => &[0.3, 0.1, 0.3],
        _ => &[0.3, 0.1, 0.0, 0.3],
    }
}

fn edges(stream: &mut Stream, size: Size, lag: usize, order: usize) -> Vec<Edge> {
    let lags: Vec<usize> = (0..=lag).flat_map(|lag| [lag, lag]).collect();
    let cross = links(stream, size.variables, &lags, (0.3, 0.5));
    let own = |v: usize| {
        let terms = memory(order).iter().zip(1..).filter(|(phi, _)| **phi != 0.0);
        terms.map(move |(phi, lag)| Link { from: v, to: v, lag, weight: *phi })
    };
    let own = (0..size.variables).flat_map(own);
    cross.into_iter().chain(own).map(|link| link.edge(size.steps)).collect()
}

fn conditions() -> Vec<Condition> {
    let mut all = Vec::new();
    for (series, steps) in [(1, 500), (100, 20)] {
        for lag in 1..=3 {
            for order in [0, 2, 4] {
                let name = format!("L={lag} order={order} N={series}");
                let longest = lag.max(order);
                let draw = move |stream: &mut Stream, size: Size| {
                    let edges = stable(stream, size, longest, |s| edges(s, size, lag, order))?;
                    System { lag: longest, ..System::PLAIN }.sample(stream, size, edges)
                };
                all.push(Condition::new(name, Size::new(series, steps, 6), draw));
            }
        }
    }
    all
}
