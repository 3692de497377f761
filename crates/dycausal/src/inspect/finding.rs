//! What the look of the data means for a fit, in words.

use std::fmt::Write;

use serde::Serialize;

use super::{Dependence, Inspection, missing, series_effects, unit_root};
use crate::design::Missing;
use crate::panel::{Hole, Panel};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Good to know.
    Note,
    /// The result will suffer.
    Warning,
    /// A fit will be refused.
    Obstacle,
}

/// One thing to know before a fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// What was found, and what to do.
    pub text: String,
}

impl Finding {
    pub(super) fn new(level: Level, text: String) -> Self {
        Self { level, text }
    }
}

/// Rows per weight below which estimates are mostly noise, and below which they are shaky.
const FEW: [f64; 2] = [1.0, 5.0];

/// Percent of filled cells from which the result suffers.
const MANY: f64 = 20.0;

/// What a user should be told when a method is run.
pub(super) fn for_fit(
    panel: &Panel,
    lag: usize,
    rows: usize,
    dependences: &[Dependence],
) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(too_few(panel.variables(), lag, rows));
    for Dependence { variable, others } in dependences {
        found.push(Finding::new(Level::Warning, match &others[..] {
            [twin] => format!("`{variable}` is a copy of `{twin}` up to scale and offset: an effect of one cannot be told from the other's; leave one out"),
            _ => format!("`{variable}` is determined by {}: their effects cannot be told apart; leave one out", list(others)),
        }));
    }
    found.extend(uneven(panel));
    found
}

/// Everything there is to say.
pub(super) fn all(panel: &Panel, seen: &Inspection) -> Vec<Finding> {
    let mut found = obstacles(panel, seen.lag);
    found.extend(for_fit(panel, seen.lag, seen.rows, &seen.dependences));
    found.extend(holes(seen));
    found.extend(gaps(panel, seen));
    found.extend(missing::of_variables(panel, Missing::Fill));
    found.extend(units(seen));
    found.extend(random_walks(panel));
    found.extend(series_effects::of_series(panel));
    if seen.series == 1 {
        let text = "there is one series: how weights move can only be told from neighbouring steps, so fast changes are blurred".into();
        found.push(Finding::new(Level::Note, text));
    }
    found
}

fn obstacles(panel: &Panel, lag: usize) -> Vec<Finding> {
    let refused = |error: crate::error::Error| Finding::new(Level::Obstacle, error.to_string());
    panel.check_variables().chain(panel.check_length(lag).err()).map(refused).collect()
}

fn too_few(variables: usize, lag: usize, rows: usize) -> Option<Finding> {
    let weights = variables * (lag + 1);
    let ratio = rows as f64 / weights as f64;
    let verdict = if ratio < FEW[0] {
        "least squares has no unique answer and what is found rests on regularisation"
    } else if ratio < FEW[1] {
        "expect wide bands and missed edges"
    } else {
        return None;
    };
    let text = format!(
        "{rows} rows for {weights} possible causes of each variable ({ratio:.1} per weight, even if weights do not move): {verdict}; use fewer variables, a shorter lag or more data"
    );
    Some(Finding::new(Level::Warning, text))
}

fn uneven(panel: &Panel) -> Option<Finding> {
    if panel.steps() < 3 || panel.times().step().is_some() {
        return None;
    }
    let text = "steps are not evenly spaced in time: a lag counts steps, not time; read them at even steps (`every`) if that matters";
    Some(Finding::new(Level::Warning, text.into()))
}

/// Stretches of time that are not there.
fn holes(seen: &Inspection) -> Option<Finding> {
    const SHOWN: usize = 5;
    if seen.holes.is_empty() {
        return None;
    }
    let mut longest: Vec<&Hole> = seen.holes.iter().collect();
    longest.sort_by_key(|hole| std::cmp::Reverse(hole.steps));
    let shown = longest.iter().take(SHOWN).map(|hole| {
        let when = match hole.steps {
            1 => hole.from.clone(),
            steps => format!("{} to {} ({steps} steps)", hole.from, hole.to),
        };
        hole.series.as_ref().map_or(when.clone(), |series| format!("{when} of `{series}`"))
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = match seen.holes.len() {
        few if few <= SHOWN => String::new(),
        many => format!(" and {} more", many - SHOWN),
    };
    let text = format!(
        "{} hole{} in time ({} steps): {shown}{more}; no lag reaches across",
        seen.holes.len(),
        if seen.holes.len() == 1 { "" } else { "s" },
        seen.holes.iter().map(|hole| hole.steps).sum::<usize>()
    );
    Some(Finding::new(Level::Note, text))
}

fn gaps(panel: &Panel, seen: &Inspection) -> Option<Finding> {
    let cells = seen.filled?;
    let possible = panel.series() * panel.steps().saturating_sub(seen.lag);
    let all = panel.series() * panel.steps() * panel.variables();
    let share = 100.0 * cells.filled as f64 / all as f64;
    let level = if share > MANY { Level::Warning } else { Level::Note };
    let mut text = format!(
        "{} cells are missing, which leaves {} of {possible} rows complete; a fit fills {} cells ({share:.1} %) from those around them, which leaves {} rows",
        cells.missing, seen.complete, cells.filled, seen.rows
    );
    if cells.rows_left_out > 0 {
        let _ = write!(
            text,
            "; of {} rows nothing was observed: they stay out, and no lag reaches across them",
            cells.rows_left_out
        );
    }
    Some(Finding::new(level, text))
}

/// Whether a method that minimises squared errors over all variables would follow the units.
fn units(seen: &Inspection) -> Option<Finding> {
    let spread = seen.columns.iter().filter_map(|column| column.sd).filter(|sd| *sd > 0.0);
    let (low, high) = spread.fold((f64::MAX, 0.0f64), |(l, h), sd| (l.min(sd), h.max(sd)));
    if high <= 3.0 * low {
        return None;
    }
    let text = format!(
        "standard deviations range from {low:.3e} to {high:.3e}: methods that add up squared errors of all variables will follow the units; use one that does not (`dycausal methods`)"
    );
    Some(Finding::new(Level::Note, text))
}

/// Variables that cannot be told from random walks.
fn random_walks(panel: &Panel) -> Option<Finding> {
    let walks =
        |v: &usize| unit_root::statistic(panel, *v).is_some_and(|t| t > unit_root::CRITICAL);
    let names: Vec<String> =
        (0..panel.variables()).filter(walks).map(|v| panel.names()[v].clone()).collect();
    let text = format!(
        "{} cannot be told from a random walk (Dickey-Fuller t above {}): a fit accounts for a variable's own past, but changes (differences) may say more",
        list(&names),
        unit_root::CRITICAL
    );
    (!names.is_empty()).then(|| Finding::new(Level::Note, text))
}

pub(super) fn list(names: &[String]) -> String {
    let shown = names.iter().take(6).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "the others together".into(),
        1..=6 => shown,
        more => format!("{shown} and {} more", more - 6),
    }
}
