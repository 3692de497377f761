//! Whether a season is found where there is one, and only there.

use super::condition::{Condition, Sample, Size, Stream};
use super::definition::{Battery, Figure, Trial};
use super::engine::found_season;
use super::generate::{daily, independent, profile, sines};
use super::nulls::{COLUMNS, null};
use crate::error::Result;

/// Seasons found and made up.
pub(super) const SEASONS: Battery = Battery {
    name: "seasons",
    title: "Seasons",
    summary: "Whether a season is found where there is one, and only there.",
    about: "Columns that share a period and columns that do not, some of which look as if they did: what the run says it found.",
    figures: &[
        Figure {
            name: "right",
            meaning: "share of data sets in which the true period is found, or none where there is none",
        },
        Figure {
            name: "false",
            meaning: "share in which another period is found, or one where there is none",
        },
        Figure { name: "missed", meaning: "share in which a period is there and none is found" },
    ],
    seeds: 20,
    quick_seeds: 6,
    conditions,
    measure,
    ..Battery::PLAIN
};

fn measure(trial: &Trial<'_>) -> Vec<(&'static str, f64)> {
    let (found, truth) = (found_season(trial.graph), trial.sample.season);
    let share = |hit: bool| f64::from(u8::from(hit));
    vec![
        ("right", share(found == truth)),
        ("false", share(found.is_some() && found != truth)),
        ("missed", share(found.is_none() && truth.is_some())),
    ]
}

fn seasonal(
    name: &str,
    steps: usize,
    period: usize,
    dated: bool,
    column: fn(&mut Stream, usize) -> Vec<f64>,
) -> Condition {
    let draw = move |stream: &mut Stream, size: Size| -> Result<Sample> {
        let values = independent(stream, size, column);
        let sample = Sample::without_cross_edges(values)?.with_season(period);
        if dated { sample.with_times(daily(size.steps)) } else { Ok(sample) }
    };
    Condition::new(name, Size::new(1, steps, 8), draw)
}

fn conditions() -> Vec<Condition> {
    let mut all = vec![
        seasonal("season of 24", 300, 24, false, |s, t| sines(s, t, 24.0, 3)),
        seasonal("one sine of 24", 300, 24, false, |s, t| sines(s, t, 24.0, 1)),
        seasonal("monthly profile", 300, 12, false, |s, t| profile(s, t, 12)),
        seasonal("weekday without dates", 400, 7, false, |s, t| profile(s, t, 7)),
        seasonal("weekday with dates", 400, 7, true, |s, t| profile(s, t, 7)),
        seasonal("year in 900 days with dates", 900, 365, true, |s, t| sines(s, t, 365.25, 2)),
    ];
    let none = |name: &str| !name.contains("season") && !name.contains("profile");
    let nulls = COLUMNS.iter().filter(|(name, _)| none(name));
    all.extend(
        nulls.map(|(name, column)| null(format!("none: {name}"), Size::new(1, 300, 8), *column)),
    );
    all
}
