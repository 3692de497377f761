//! A run in a few lines: what was learned, how sure it is, where it was written.

use std::fmt::Write;
use std::path::Path;

use dycausal::facts::{ComparedModel, Counts, LagChoice};
use dycausal::graph::Given;
use dycausal::graph::table::Text;
use dycausal::{DynamicGraph, Edge, Facts, Mark};
use dycausal_io::{RunRecord, Written};

use crate::table::{Side, Table, counted, number};
use crate::{plan, screen};

/// How many edges are shown.
const SHOWN: usize = 12;

/// The summary of a run.
pub fn of_run(graph: &DynamicGraph, record: &RunRecord) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}: {} series of {} steps, {}, lag {}; {:.2} s on {}",
        record.method,
        record.series,
        record.steps,
        counted(record.variables.len(), "variable"),
        record.lag,
        record.timings.iter().map(|timing| timing.seconds).sum::<f64>(),
        counted(record.threads, "thread")
    );
    match graph.preparation().and_then(|preparation| preparation.missing) {
        Some(cells) => text.extend([&cells.words(), "\n"]),
        None if record.missing > 0 => {
            let _ = writeln!(text, "{}", counted(record.missing, "missing cell"));
        }
        None => {}
    }
    let instantaneous = graph.instantaneous().count();
    let lagged = graph.edges().len() - instantaneous;
    let _ = write!(text, "{instantaneous} instantaneous and {lagged} lagged edges");
    let changing = graph.edges().iter().filter(|edge| graph.is_changing(edge)).count();
    if changing > 0 {
        let _ = write!(text, ", {changing} of which change over time");
    }
    text.push('\n');
    text += &models(record);
    text += &listing(record);
    let _ = writeln!(text, "{}", record.certificate);
    text += &open_directions(graph);
    text += &known_before(graph);
    for regime in graph.regimes() {
        let _ = writeln!(text, "regime changes at {}", regime.words(graph));
    }
    text += &equations(record);
    if let Some(found) = &record.diagnostics {
        let _ = writeln!(text, "checks: {}", found.summary);
    }
    if !graph.edges().is_empty() {
        text.push('\n');
        text += &best_supported(graph);
    }
    text
}

/// Which model was taken where several were tried.
fn models(record: &RunRecord) -> String {
    let taken = record.facts.models.iter().flatten().find(|line| line.chosen);
    taken.map_or_else(String::new, |ComparedModel { model: word, .. }| {
        format!("model taken: {word} (what the others foretell: `facts.models` of run.json)\n")
    })
}

/// The first equations in words, where the method learns any.
fn equations(record: &RunRecord) -> String {
    let Facts { equations, library, scheme, .. } = &record.facts;
    let Some(told) = equations.as_ref().filter(|told| !told.is_empty()) else {
        return String::new();
    };
    let (library, scheme) = (library.as_deref().unwrap_or("-"), scheme.as_deref().unwrap_or("-"));
    let mut text = format!("library {library}, scheme {scheme}\n");
    for equation in told.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}", equation.words);
    }
    let more = told.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "  … and {more} more in run.json");
    }
    text
}

/// What was given, where anything was.
fn known_before(graph: &DynamicGraph) -> String {
    let Some(known) = graph.known() else { return String::new() };
    let count = |given: Given| graph.edges().iter().filter(|edge| edge.given == given).count();
    format!(
        "known before ({}): {} edge(s) required, {} more with their direction\n",
        known.source,
        count(Given::Edge),
        count(Given::Direction)
    )
}

/// How many edges stood up to their tests, and how the lag was chosen, where the method tells.
fn listing(record: &RunRecord) -> String {
    let mut text = String::new();
    if let Some(Counts { selected, tested, listed }) = record.facts.edges {
        let level = record.parameters.get("alpha").filter(|_| plan::has_level(&record.method));
        let level = level.map_or_else(String::new, |q| format!(" (false discovery rate {q})"));
        let _ = writeln!(
            text,
            "{selected} selected by score, {tested} tested, {listed} listed{level}",
        );
    }
    let count = record.facts.second_look.as_ref().map_or(0, |look| look.added.len());
    if count > 0 {
        let _ = writeln!(text, "{count} more by a second look at weights that move fast around 0");
    }
    if let Some(choice) = &record.facts.lag {
        let _ = writeln!(text, "lag {} by score ({})", record.lag, curve(choice));
    }
    for what in record.facts.taken_out.iter().flatten() {
        let _ = writeln!(text, "{what}");
    }
    text
}

/// How much worse each lag is than the best: `1: +0, 2: +7`.
pub fn curve(choice: &LagChoice) -> String {
    let each = choice.worse.iter().enumerate().map(|(k, gap)| format!("{}: {gap:+.0}", k + 1));
    let margin =
        (choice.margin > 0.0).then(|| format!("a longer one has to gain {:.0}", choice.margin));
    each.chain(margin).collect::<Vec<_>>().join(", ")
}

/// Where a run was written.
pub fn of_files(folder: &Path, written: &Written) -> String {
    format!("\nwritten to {}: {}\n", folder.display(), written.files.join(", "))
}

/// What `dycausal fit` left out, and how to have it.
pub fn of_left_out(written: &Written) -> String {
    let told = |reason| format!("weights.npy was left out: {reason} (--dense writes it)\n");
    written.dense_left_out.as_ref().map_or_else(String::new, told)
}

/// How many directions are not known, and why.
fn open_directions(graph: &DynamicGraph) -> String {
    let mut text = String::new();
    let reasons = [
        (Mark::Undirected, "might as well point the other way: the data cannot tell"),
        (Mark::Conflict, "point both ways in parts of the data"),
    ];
    for (mark, reason) in reasons {
        let open = graph.edges().iter().filter(|edge| edge.mark == mark).count();
        if open > 0 {
            let _ = writeln!(
                text,
                "{open} instantaneous edges {reason} (`{mark}` in the column `mark` of edges.csv)"
            );
        }
    }
    text
}

/// The edges with the smallest q-values, of equal ones the strongest.
fn best_supported(graph: &DynamicGraph) -> String {
    let order = graph.ranked();
    let last = graph.steps() - 1;
    let moves = order.iter().any(|index| graph.edges()[*index].motion.is_some());
    let mut table = Table::new(&[
        ("cause", Side::Left),
        ("effect", Side::Left),
        ("lag", Side::Right),
        ("first", Side::Right),
        ("middle", Side::Right),
        ("last", Side::Right),
        ("over time", Side::Left),
        ("there", Side::Left),
        ("q", Side::Right),
        // Last, because it is the longest: what does not fit on the line is cut.
        (if moves { "motion" } else { "" }, Side::Left),
    ]);
    for edge in order.iter().take(SHOWN).map(|index| &graph.edges()[*index]) {
        let weight = |step| number(edge.weight(graph.basis(), step));
        table.row([
            graph.names()[edge.from].clone(),
            graph.names()[edge.to].clone(),
            edge.lag.to_string(),
            weight(0),
            weight(last / 2),
            weight(last),
            sparkline(graph, edge),
            there(graph, edge),
            q_value(edge),
            edge.motion.as_ref().map_or_else(String::new, |motion| motion.words(graph.times())),
        ]);
    }
    let more = order.len().saturating_sub(SHOWN);
    let mut text = table.render_within(screen::width().unwrap_or(usize::MAX));
    if more > 0 {
        let _ = writeln!(text, "  … and {more} more in edges.csv");
    }
    text
}

/// The q-value of "there is no such edge", where that was tested.
fn q_value(edge: &Edge) -> String {
    match edge.tests.as_ref().and_then(|tests| tests.absent_adjusted) {
        Some(q) if q < 1e-4 => "< 0.0001".into(),
        Some(q) => format!("{q:.4}"),
        None => "-".into(),
    }
}

/// The weight over time in twelve characters; zero is the middle of the scale where signs change.
fn sparkline(graph: &DynamicGraph, edge: &Edge) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let width = graph.steps().min(12);
    let step = |k: usize| k * (graph.steps() - 1) / width.saturating_sub(1).max(1);
    let weights: Vec<f64> = (0..width).map(|k| edge.weight(graph.basis(), step(k))).collect();
    let low = weights.iter().copied().fold(0.0, f64::min);
    let high = weights.iter().copied().fold(0.0, f64::max);
    let bar = |weight: &f64| {
        let share = (weight - low) / (high - low).max(f64::MIN_POSITIVE);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let height = (share * 7.0).round() as usize;
        BARS[height.min(7)]
    };
    weights.iter().map(bar).collect()
}

/// When the edge is there, in the times of the data; certainly so, where that is known.
fn there(graph: &DynamicGraph, edge: &Edge) -> String {
    let certain = edge.tests.as_ref().and_then(|tests| tests.certain.as_ref());
    let when = certain.unwrap_or(&edge.presence);
    match when.ranges() {
        [] | [_] => Text::When(when).words(graph.times()),
        ranges => format!("{} stretches, {} steps", ranges.len(), when.count()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use dycausal::graph::{Presence, Tests, Trajectory};
    use dycausal::movement::{Change, Kind, Motion};
    use dycausal::{Basis, Panel};
    use ndarray::Array3;

    use super::*;

    #[test]
    fn motions_certain_times_and_regimes_are_told() {
        let panel = Panel::unnamed(Array3::zeros((1, 50, 2))).unwrap();
        let edge = |to: usize, kind: Kind, at: usize| {
            let changes = vec![Change { at, low: at - 2, high: at + 1 }];
            let certain = Presence::when(50, |step| to == 0 && step > at);
            Edge {
                motion: Some(Motion { kind, probability: 0.97, shares: Vec::new(), changes }),
                tests: Some(Tests { certain: Some(certain), ..Tests::default() }),
                ..Edge::new(0, to, 1, Trajectory::Constant(1.0), 50)
            }
        };
        let edges = vec![edge(0, Kind::Appears, 19), edge(1, Kind::Flips, 19)];
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        let basis = Basis::constant(50).unwrap();
        let graph = DynamicGraph::new(names, times, 1, basis, edges).unwrap();
        let text = of_run(&graph, &RunRecord::of(&panel, &graph, "data.csv"));
        let regime = "regime changes at 20 (19 to 21): 2 edges: x1 → x1 (lag 1), x1 → x2 (lag 1)\n";
        assert!(text.contains(regime), "{text}");
        for words in ["appears at 20 ± 2 steps (97 %)\n", "flips at 20 ± 2 steps (97 %)\n"] {
            assert!(text.contains(words), "{text}");
        }
        assert!(text.contains("from 21 to 50") && text.contains("never certain"), "{text}");
    }
}
