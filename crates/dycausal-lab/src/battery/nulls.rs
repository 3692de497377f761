//! Data without any cross edge: everything listed between two variables is false.

use rand::RngExt;

use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::edges::cross;
use super::generate::{
    Innovations, Subjects, System, autoregression, counts, daily, garch, independent, jumps,
    oscillation, profile, random_walk, rush, sines, standard, trend, weekend,
};
use crate::simulate::NoiseLaw;

/// False cross edges per data set.
pub(super) const NULLS: Battery = Battery {
    name: "nulls",
    title: "Nothing to find",
    summary: "What is listed between variables that know nothing of each other.",
    about: "What is listed between variables that know nothing of each other: series with memory, seasons, breaks, trends, shared volatility, heavy tails, counts, and subjects that differ. Effects of a variable on itself do not count.",
    figures: &[
        Figure { name: "false edges", meaning: "cross edges listed per data set; all are false" },
        Figure { name: "any", meaning: "share of data sets with at least one" },
    ],
    seeds: 50,
    quick_seeds: 8,
    conditions,
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let count = cross(trial.graph).len() as f64;
    vec![("false edges", count), ("any", count.min(1.0))]
}

/// One column of a null.
type Column = fn(&mut Stream, usize) -> Vec<f64>;

fn white(stream: &mut Stream, steps: usize) -> Vec<f64> {
    (0..steps).map(|_| standard(stream)).collect()
}

fn memory_of_half(stream: &mut Stream, steps: usize) -> Vec<f64> {
    autoregression(stream, steps, &[0.5])
}

/// Rain in a desert: one step in thirty-three has an event.
fn rare_events(stream: &mut Stream, steps: usize) -> Vec<f64> {
    let event = |stream: &mut Stream| stream.random_bool(0.03);
    (0..steps).map(|_| if event(stream) { standard(stream).abs() } else { 0.0 }).collect()
}

/// Every column by itself, from the plain to the awkward.
pub(super) const COLUMNS: &[(&str, Column)] = &[
    ("iid", white),
    ("AR(.7)", |s, t| autoregression(s, t, &[0.7])),
    ("AR(.9)", |s, t| autoregression(s, t, &[0.9])),
    ("random walks", random_walk),
    ("AR(2)", |s, t| autoregression(s, t, &[0.5, 0.3])),
    ("oscillating AR(2)", |s, t| autoregression(s, t, &oscillation(12.0, 0.95))),
    ("AR(3)", |s, t| autoregression(s, t, &[0.4, 0.2, 0.25])),
    ("season of 24", |s, t| sines(s, t, 24.0, 3)),
    ("monthly profile", |s, t| profile(s, t, 12)),
    ("jumps in mean", jumps),
    ("GARCH", garch),
    ("heavy tails", |s, t| {
        let law = NoiseLaw::StudentT { degrees: 3.0 };
        (0..t).map(|_| law.draw(s)).collect()
    }),
    ("counts", counts),
    ("linear trend", |s, t| trend(s, t, false)),
    ("quadratic trend", |s, t| trend(s, t, true)),
];

/// A null whose columns are independent.
pub(super) fn null(name: impl Into<String>, size: Size, column: Column) -> Condition {
    Condition::new(name, size, move |stream, size| {
        Sample::without_cross_edges(independent(stream, size, column))
    })
}

fn dated(name: &str, size: Size, column: Column) -> Condition {
    Condition::new(name, size, move |stream, size| {
        let values = independent(stream, size, column);
        Sample::without_cross_edges(values)?.with_times(daily(size.steps))
    })
}

fn subjects(name: &str, subjects: Subjects) -> Condition {
    Condition::new(name, Size::new(100, 20, 8), move |stream, size| {
        let mut values = independent(stream, size, memory_of_half);
        subjects.shape(stream, &mut values);
        Sample::without_cross_edges(values)
    })
}

fn conditions() -> Vec<Condition> {
    let usual = Size::new(1, 300, 8);
    let mut all: Vec<Condition> =
        COLUMNS.iter().map(|(name, column)| null(*name, usual, *column)).collect();
    all.push(Condition::new("common volatility", usual, |stream, size| {
        let system = System { innovations: Innovations::CommonVolatility, ..System::PLAIN };
        system.sample(stream, size, Vec::new())
    }));
    all.push(null("rare events", usual, rare_events));
    let weekday: Column = |s, t| profile(s, t, 7);
    all.push(dated("weekday with dates", Size::new(1, 400, 8), weekday));
    all.push(null("weekday without dates", Size::new(1, 400, 8), weekday));
    all.push(dated("weekend in 150 days with dates", Size::new(1, 150, 5), weekend));
    all.push(null("weekend in 150 days without dates", Size::new(1, 150, 5), weekend));
    all.push(null("rush hours of 20 days", Size::new(1, 480, 5), rush));
    let year: Column = |s, t| sines(s, t, 365.25, 2);
    all.push(dated("year in 900 days with dates", Size::new(1, 900, 8), year));
    all.push(null("year in 900 days without dates", Size::new(1, 900, 8), year));
    for variables in [20, 40] {
        for name in ["iid", "AR(.7)", "random walks"] {
            let column = COLUMNS.iter().find(|(known, _)| *known == name);
            let named = format!("{name} d={variables}");
            let size = Size::new(1, 300, variables);
            all.extend(column.map(|(_, column)| null(named, size, *column)));
        }
    }
    all.push(null("iid 260 × 45", Size::new(1, 260, 45), white));
    let strong: Column = |s, t| autoregression(s, t, &[0.7]);
    all.push(null("AR(.7) 260 × 45", Size::new(1, 260, 45), strong));
    let differ = |levels, scales| Subjects { levels, scales };
    all.push(subjects("subjects", differ(false, false)));
    all.push(subjects("subjects with scales", differ(false, true)));
    all.push(subjects("subjects with levels", differ(true, false)));
    all.push(subjects("subjects with both", differ(true, true)));
    all.push(Condition::new("one variable far apart", Size::new(12, 60, 4), |stream, size| {
        let mut values = independent(stream, size, memory_of_half);
        for (n, mut subject) in values.outer_iter_mut().enumerate() {
            subject.column_mut(0).mapv_inplace(|x| x + 10.0 * n as f64);
        }
        Sample::without_cross_edges(values)
    }));
    for series in [4, 5, 6, 8, 10] {
        let named = format!("{series} series");
        let few = null(named, Size::new(series, 60, 8), memory_of_half);
        all.push(if series == 6 || series == 8 { few.in_full_only() } else { few });
    }
    all
}
