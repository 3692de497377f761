//! Cells that are missing.

use super::*;
use crate::design::Missing;

/// The same values with one cell in so many missing, in a pattern in which some series miss a whole variable.
fn holed(mut values: Array3<f64>, every: usize) -> Panel {
    for ((n, t, v), x) in values.indexed_iter_mut() {
        if (n * 31 + t * 17 + v * 7 + n * t).is_multiple_of(every) {
            *x = f64::NAN;
        }
    }
    Panel::unnamed(values).unwrap()
}

fn learned(panel: &Panel, method: &Ordered) -> (DynamicGraph, Run) {
    let mut run = Run::new(3);
    let graph = method.discover(panel, &mut run).unwrap();
    (graph, run)
}

fn places(graph: &DynamicGraph) -> Vec<(usize, usize, usize)> {
    let mut places: Vec<_> = graph.edges().iter().map(|e| (e.lag, e.from, e.to)).collect();
    places.sort_unstable();
    places
}

#[test]
fn the_graph_is_that_of_the_complete_data_and_says_what_was_filled() {
    let (values, _) = simulated(6, 100, 30, 4);
    let method = Ordered { lag: Auto::Value(1), ..Ordered::default() };
    let (complete, run) = learned(&Panel::unnamed(values.clone()).unwrap(), &method);
    assert!(complete.preparation().is_none_or(|p| p.missing.is_none()));
    assert!(run.facts().missing.is_none());
    let panel = holed(values, 10);
    let (filled, run) = learned(&panel, &method);
    let (found, all) = (places(&filled), places(&complete));
    let shared = found.iter().filter(|place| all.contains(place)).count();
    assert!(shared + 1 >= all.len() && shared + 1 >= found.len(), "{found:?} {all:?}");
    let cells = filled.preparation().and_then(|p| p.missing).unwrap();
    assert_eq!(
        (cells.how, cells.missing, cells.filled),
        (Missing::Fill, panel.missing(), panel.missing())
    );
    assert_eq!(run.facts().missing.as_ref().unwrap().filled, panel.missing());
    // Weights are those of the complete data, within what a tenth of the cells can change.
    for (lag, from, to) in found.iter().filter(|place| all.contains(place)) {
        for t in [5, 15, 25] {
            let gap = filled.weight(t, *lag, *from, *to) - complete.weight(t, *lag, *from, *to);
            assert!(gap.abs() < 0.15, "{lag} {from} {to} at {t}: {gap}");
        }
    }
}

#[test]
fn complete_rows_are_still_to_be_had() {
    let (values, _) = simulated(4, 60, 20, 5);
    let panel = holed(values, 12);
    let rows = Ordered { missing: Missing::CompleteRows, ..Ordered::default() };
    let (graph, run) = learned(&panel, &rows);
    assert_eq!(run.facts().missing.as_ref().unwrap().how, "complete_rows");
    assert_eq!(graph.preparation().and_then(|p| p.missing).map(|cells| cells.filled), Some(0));
    assert_ne!(graph, learned(&panel, &Ordered::default()).0);
}

#[test]
fn one_long_series_with_a_sensor_off_and_a_hole_in_time_is_learned() {
    let (mut values, _) = simulated(4, 1, 600, 6);
    values.slice_mut(ndarray::s![0, 100..140, 1]).fill(f64::NAN);
    values.slice_mut(ndarray::s![0, 300..310, ..]).fill(f64::NAN);
    let panel = Panel::unnamed(values).unwrap();
    let (graph, run) = learned(&panel, &Ordered::default());
    assert!(graph.certify().is_acyclic());
    assert_eq!(run.facts().missing.as_ref().unwrap().filled, 40);
    assert_eq!(run.facts().missing.as_ref().unwrap().rows_left_out, 10);
}

#[test]
fn a_variable_that_some_series_do_not_have_is_no_difference_of_scale() {
    let (mut values, _) = simulated(6, 100, 30, 4);
    let (complete, _) = learned(&Panel::unnamed(values.clone()).unwrap(), &Ordered::default());
    for n in (3..100).step_by(10) {
        values.slice_mut(ndarray::s![n, .., 1]).fill(f64::NAN);
    }
    let (graph, run) = learned(&Panel::unnamed(values).unwrap(), &Ordered::default());
    assert_eq!(run.facts().taken_out.as_ref().map(Vec::len), Some(0));
    let (found, all) = (places(&graph), places(&complete));
    let shared = found.iter().filter(|place| all.contains(place)).count();
    assert!(shared + 2 >= all.len() && shared + 2 >= found.len(), "{found:?} {all:?}");
}

#[test]
fn a_long_series_is_worked_on_in_pieces_with_and_without_missing_cells() {
    let steps = 9001;
    let noise = |k: usize| ((k * k * 7919 + k * 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
    let mut values = Array3::from_shape_fn((1, steps, 3), |(_, t, v)| noise(t + 4000 * v));
    for t in 1..steps {
        let weight = if t < 4000 { 0.6 } else { -0.4 };
        values[[0, t, 1]] += weight * values[[0, t - 1, 0]];
        values[[0, t, 2]] += 0.7 * values[[0, t, 1]];
    }
    let method = Ordered { lag: Auto::Value(1), ..Ordered::default() };
    let panels = [Panel::unnamed(values.clone()).unwrap(), holed(values, 11)];
    for (panel, room) in panels.iter().zip([0.05, 0.1]) {
        let (graph, _) = learned(panel, &method);
        for (t, lag, from, to, weight) in
            [(2000, 1, 0, 1, 0.6), (7000, 1, 0, 1, -0.4), (5000, 0, 1, 2, 0.7)]
        {
            let found = graph.weight(t, lag, from, to);
            assert!((found - weight).abs() < room, "{from} → {to} at {t}: {found}");
        }
    }
}

#[test]
fn moments_count_what_filling_left_of_a_cell() {
    use crate::design::{MissingCells, Preparation, Prepared};
    use crate::moments::{Gram, TimeBasis};

    let noise = |k: usize| (k * k * 7919 % 1009) as f64 / 1009.0 - 0.5;
    let values = Array3::from_shape_fn((40, 12, 3), |(n, t, v)| noise(n * 36 + t * 3 + v));
    let panel = holed(values, 9);
    let missing = MissingCells::of(&panel, Missing::Fill);
    let preparation = Preparation { missing, ..Preparation::plain(&panel) };
    let columns = Prepared::of(&panel, &preparation, &|| Ok(())).unwrap().columns(0).unwrap();
    let basis = crate::basis::Basis::constant(12).unwrap();
    let basis = TimeBasis::new(&basis, &columns).unwrap();
    let gram = Gram::of(&columns, &basis, &Cancel::default()).unwrap();
    for v in 0..3 {
        let column = columns.column(v);
        let filled = column.iter().map(|x| x * x).sum::<f64>() / columns.rows();
        // Independent cells tell nothing of each other: what is left is the share that is missing.
        let left = gram.entry(v, v, 0) - filled;
        let cells = panel.values();
        let gone = cells.index_axis(ndarray::Axis(2), v).iter().filter(|x| x.is_nan()).count();
        let share = gone as f64 / 480.0;
        assert!((left - share).abs() < 0.2 * share, "{left} {share}");
    }
}
