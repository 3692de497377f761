//! What the page is given: a text that describes, and bytes behind it.
//!
//! The payload is `length of the text (4 bytes, little-endian) · JSON text · bytes`, compressed with
//! gzip and written in base64, so that nothing in it can end the script element it stands in. The
//! bytes are, one after the other: curves of weights, of lower and of upper bounds, of true
//! weights (see [`super::curves`]), and the series (see [`super::series`]).

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};

use dycausal::diagnostics::ASSUMPTION;
use dycausal::graph::Regime;
use dycausal::graph::table::{self, Cell, Column, EdgeTable, Layout, Value as Of};
use dycausal::graph::{Bounds as Shape, Edge, Effect, EffectCurve};
use dycausal::{DynamicGraph, Missing, Prepared, TimeIndex};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Value, json};

use super::changes::{Event, changes};
use super::checks::{Checks, checks};
use super::curves::{Curves, Range};
use super::series::{Series, series};
use super::{Report, frames, short};
use crate::layout::places;
use crate::run::RunRecord;

/// Three digits of a weight can be read off; of a band only its place.
const WEIGHT_LEVELS: u16 = 16_383;
const BOUND_LEVELS: u16 = 1023;

/// The size that the data may have in the page, unless even few steps take more.
const LARGEST: usize = 800_000;

/// The text in front.
#[derive(Serialize)]
struct Text<'a> {
    names: &'a [String],
    lag: usize,
    steps: usize,
    weight_levels: u16,
    bound_levels: u16,
    /// The steps that are shown, from 0.
    frames: &'a [usize],
    /// Their times, where they are more than their number.
    labels: Option<Vec<String>>,
    /// Where each variable stands, from 0 to 1.
    places: Vec<[f64; 2]>,
    /// The standard deviation of each variable, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Vec<f64>>,
    /// What is known of each edge, whatever the time; see [`Shown::cells`].
    columns: Vec<&'static Column>,
    edges: Vec<Shown>,
    edges_left_out: usize,
    /// What counts as changing.
    changing_means: String,
    /// Changes that several of them make together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regimes: Vec<Together>,
    truth: Option<Vec<True>>,
    truth_left_out: usize,
    series: Option<Series>,
    /// What was done to columns before.
    #[serde(skip_serializing_if = "Option::is_none")]
    prepared: Option<&'a Prepared>,
    /// What the residuals say, or why nothing is known of them.
    checks: Option<Checks>,
    /// What no check can show.
    assumption: &'static str,
    run: RunRecord,
    certificate: String,
    notes: Vec<String>,
}

/// An edge, without its curves.
#[derive(Serialize)]
struct Shown {
    from: usize,
    to: usize,
    lag: usize,
    weight: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<Bounds>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Value>,
    /// Whether it changes over time.
    changing: bool,
    /// How it moves, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    motion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<Vec<(usize, usize)>>,
    /// What values of the cause do.
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<Effect>,
    /// One for each of the columns; null where it is not known.
    cells: Vec<Value>,
}

#[derive(Serialize)]
struct Bounds {
    level: f64,
    low: [f64; 2],
    high: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<Whole>,
}

/// How to widen a band to one that holds the whole path: on either side of a centre c, `times` the
/// way from c to the bound, which counts as `least` at the least.
#[derive(Serialize)]
struct Whole {
    times: f64,
    least: f64,
    /// Whether c is half-way between the bounds; else it is the weight.
    halfway: bool,
    /// How many steps to either side it covers as well.
    within: usize,
}

/// A change of several edges.
#[derive(Serialize)]
struct Together {
    at: usize,
    low: usize,
    high: usize,
    /// Those that are shown, by their place among them.
    edges: Vec<usize>,
    words: String,
}

#[derive(Serialize)]
struct True {
    from: usize,
    to: usize,
    lag: usize,
    weight: [f64; 2],
}

/// The payload before it is compressed, with curves of about so many values.
pub(super) fn payload(report: &Report<'_>, values: usize) -> serde_json::Result<Vec<u8>> {
    let graph = report.graph;
    let table = EdgeTable::new(graph, Layout::Edges);
    let known = known(&table);
    let (edges, edges_left_out) = frames::strongest(graph);
    let (true_edges, truth_left_out) = report.truth.map(frames::strongest).unwrap_or_default();
    let bands = edges.iter().filter(|edge| edge.band.is_some()).count();
    let frames = frames::frames(graph.steps(), edges.len() + 2 * bands + true_edges.len(), values);
    let levels = [WEIGHT_LEVELS, BOUND_LEVELS, BOUND_LEVELS, WEIGHT_LEVELS];
    let mut curves = levels.map(Curves::new);
    let shown = edges.iter().map(|edge| shown(graph, edge, &known, &frames, &mut curves)).collect();
    let truth = report.truth.map(|truth| {
        let weight = |edge: &&Edge| weight_curve(truth, edge, &frames, &mut curves[3]);
        let weights: Vec<[f64; 2]> = true_edges.iter().map(weight).collect();
        let both = true_edges.iter().zip(weights);
        both.map(|(e, weight)| True { from: e.from, to: e.to, lag: e.lag, weight }).collect()
    });
    let missing = graph.preparation().and_then(|preparation| preparation.missing);
    let how = missing.map_or(Missing::CompleteRows, |cells| cells.how);
    let (series, rows) = report.panel.map(|panel| series(panel, how)).unzip();
    let mut notes = report.notes.clone();
    let text = Text {
        names: graph.names(),
        lag: graph.lag(),
        steps: graph.steps(),
        weight_levels: WEIGHT_LEVELS,
        bound_levels: BOUND_LEVELS,
        labels: labels(graph.times(), &frames),
        frames: &frames,
        places: places(graph).into_iter().map(|place| place.map(short)).collect(),
        scale: graph.scale().map(|scale| scale.iter().copied().map(short).collect()),
        columns: columns(&table).map(|(_, column)| column).collect(),
        edges: shown,
        regimes: regimes(graph, &edges),
        edges_left_out,
        changing_means: graph.changing_means(),
        truth,
        truth_left_out,
        series,
        prepared: graph.prepared(),
        checks: checks(report, &mut notes),
        assumption: ASSUMPTION,
        // Checks stand beside, without those that found nothing.
        run: RunRecord { diagnostics: None, ..report.record.clone() },
        certificate: report.record.certificate.to_string(),
        notes,
    };
    let text = serde_json::to_vec(&text)?;
    let mut bytes = u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    bytes.extend(text);
    for curves in &curves {
        bytes.extend(curves.bytes());
    }
    bytes.extend(rows.unwrap_or_default());
    Ok(bytes)
}

/// The payload as it stands in the page: with fewer steps where it would be too large.
pub(super) fn packed(report: &Report<'_>) -> io::Result<String> {
    let mut values = frames::MOST_VALUES;
    loop {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&payload(report, values)?)?;
        let text = super::base64::encode(&encoder.finish()?);
        if text.len() <= LARGEST || values <= frames::FEWEST_VALUES {
            return Ok(text);
        }
        values /= 2;
    }
}

/// The columns that say something of an edge, whatever the time, other than its ends and its lag; each
/// with its place in the table.
fn columns<'a>(table: &'a EdgeTable<'_>) -> impl Iterator<Item = (usize, &'static Column)> + 'a {
    let wanted = |(_, column): &(usize, &'static Column)| {
        matches!(column.value, Of::Edge(_) | Of::Strength(_))
            && matches!(
                column.kind,
                table::CellKind::Number | table::CellKind::Word | table::CellKind::Text
            )
    };
    table.columns().iter().copied().enumerate().filter(wanted)
}

/// What stands in these columns, by edge.
fn known(table: &EdgeTable<'_>) -> HashMap<EdgePlace, Vec<Value>> {
    let graph = table.graph();
    let places: Vec<usize> = columns(table).map(|(place, _)| place).collect();
    let mut known = HashMap::new();
    let mut edges = graph.edges().iter();
    let Ok(()) = table.each(|cells| {
        if let Some(edge) = edges.next() {
            let values = places.iter().map(|place| cell(cells[*place], graph)).collect();
            known.insert(place(edge), values);
        }
        Ok::<(), Infallible>(())
    });
    known
}

/// Lag, cause and effect.
type EdgePlace = (usize, usize, usize);

fn place(edge: &Edge) -> EdgePlace {
    (edge.lag, edge.from, edge.to)
}

fn cell(cell: Cell<'_>, graph: &DynamicGraph) -> Value {
    match cell {
        Cell::Number(number) => short(number).into(),
        Cell::Word(word) => word.into(),
        Cell::Text(text) => text.words(graph.times()).into(),
        _ => Value::Null,
    }
}

fn shown(
    graph: &DynamicGraph,
    edge: &Edge,
    known: &HashMap<EdgePlace, Vec<Value>>,
    frames: &[usize],
    curves: &mut [Curves; 4],
) -> Shown {
    let [weights, lows, highs, _] = curves;
    let certain = edge.tests.as_ref().and_then(|tests| tests.certain.as_ref());
    let there = |step: &usize| edge.presence.contains(*step);
    let band = edge.band.as_ref().map(|band| {
        let unknown = (f64::NAN, f64::NAN);
        let at = |step: &usize| {
            let bounds = edge.bounds(graph.basis(), *step).filter(|_| there(step));
            bounds.unwrap_or(unknown)
        };
        let bounds: Vec<(f64, f64)> = frames.iter().map(at).collect();
        let low = ends(lows.push(bounds.iter().map(|(low, _)| *low)));
        let high = ends(highs.push(bounds.iter().map(|(_, high)| *high)));
        Bounds { level: band.level, low, high, whole: whole(&band.bounds) }
    });
    Shown {
        from: edge.from,
        to: edge.to,
        lag: edge.lag,
        weight: weight_curve(graph, edge, frames, weights),
        band,
        changes: changes(graph, edge).iter().map(event).collect(),
        changing: graph.is_changing(edge),
        motion: edge.motion.as_ref().map(|motion| motion.words(graph.times())),
        certain: certain.map(|certain| certain.ranges().to_vec()),
        effect: edge.effect.as_ref().map(rounded),
        cells: known.get(&place(edge)).cloned().unwrap_or_default(),
    }
}

/// The curves with as many digits as a picture needs.
fn rounded(effect: &Effect) -> Effect {
    let all = |numbers: &[f64]| numbers.iter().map(|x| short(*x)).collect();
    let curve = |curve: &EffectCurve| EffectCurve {
        step: curve.step,
        effect: all(&curve.effect),
        low: all(&curve.low),
        high: all(&curve.high),
    };
    Effect {
        at: all(&effect.at),
        level: effect.level,
        curves: effect.curves.iter().map(curve).collect(),
    }
}

/// `[step, kind]`, and the steps that it lies between where they are known.
fn event(event: &Event) -> Value {
    match event.within {
        Some((low, high)) => json!([event.step, event.kind, low, high]),
        None => json!([event.step, event.kind]),
    }
}

/// The same as [`Edge::simultaneous_bounds`] does, to be done by the page: two numbers, no curves.
fn whole(bounds: &Shape) -> Option<Whole> {
    match bounds {
        Shape::Steps { .. } | Shape::Knots { .. } => None,
        Shape::Gaussian { reach, simultaneous, .. } => {
            let times = Some(simultaneous / reach).filter(|times| times.is_finite())?;
            Some(Whole { times: short(times), least: 0.0, halfway: true, within: 0 })
        }
        Shape::Quantiles { simultaneous, least, within } => {
            let (times, least) = (short(*simultaneous), short(*least));
            Some(Whole { times, least, halfway: false, within: *within })
        }
    }
}

/// Changes of regime, with the edges that are shown.
fn regimes(graph: &DynamicGraph, shown: &[&Edge]) -> Vec<Together> {
    let among = |number: &usize| {
        let edge = &graph.edges()[*number];
        shown.binary_search_by_key(&place(edge), |edge| place(edge)).ok()
    };
    let told = |regime: Regime| Together {
        edges: regime.edges.iter().filter_map(among).collect(),
        words: regime.words(graph),
        at: regime.at,
        low: regime.low,
        high: regime.high,
    };
    graph.regimes().into_iter().map(told).collect()
}

fn weight_curve(
    graph: &DynamicGraph,
    edge: &Edge,
    frames: &[usize],
    curves: &mut Curves,
) -> [f64; 2] {
    let at = |step: &usize| {
        let there = edge.presence.contains(*step);
        if there { edge.trajectory.value(graph.basis(), *step) } else { f64::NAN }
    };
    ends(curves.push(frames.iter().map(at)))
}

fn ends(range: Range) -> [f64; 2] {
    [range.low, range.high]
}

fn labels(times: &TimeIndex, frames: &[usize]) -> Option<Vec<String>> {
    let own = !matches!(times, TimeIndex::Steps(_));
    own.then(|| frames.iter().map(|step| times.label(*step)).collect())
}
