//! Tests of the engine's parts against slow, plain computations.

mod from_rows;
mod knowledge;
mod missing;
mod shared;

use ndarray::Array3;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::Ordered;
use super::pipeline::Given;
use crate::basis::Family;
use crate::design::Columns;
use crate::graph::{DynamicGraph, Mark};
use crate::method::Discover;
use crate::moments::{Gram, Moments, TimeBasis, pair};
use crate::panel::Panel;
use crate::run::{Auto, Cancel, Run};
use crate::scores::linear::forward::Forward;
use crate::scores::linear::{LinearScore, Source};
use crate::search::{self, Depth, Scorer, Start, regressions};

/// A random graph in a random order, with weights that turn like a cosine or a sine, and what it
/// makes of Gaussian noise of unequal size. Returns the values and the order.
fn simulated(d: usize, series: usize, steps: usize, seed: u64) -> (Array3<f64>, Vec<usize>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(7919) + 13);
    let mut order: Vec<usize> = (0..d).collect();
    for k in (1..d).rev() {
        order.swap(k, random.random_range(0..=k));
    }
    let mut edges = Vec::new();
    for late in 0..d {
        for early in 0..d {
            let chance = random.random::<f64>();
            let weight =
                random.random_range(0.5..1.0) * if random.random_bool(0.5) { 1.0 } else { -1.0 };
            let phase = if random.random_bool(0.5) { 0.0 } else { std::f64::consts::FRAC_PI_2 };
            if early < late && chance < 0.5 {
                edges.push((0, order[early], order[late], weight, phase));
            } else if chance > 0.8 {
                edges.push((1, order[early], order[late], weight / 1.8, phase));
            }
        }
    }
    // Causes before effects: by the place of the effect.
    let place = |v: usize| order.iter().position(|o| *o == v).unwrap_or(0);
    edges.sort_by_key(|e| place(e.2));
    let sd: Vec<f64> = (0..d).map(|_| random.random_range(0.5..1.5)).collect();
    let mut values = Array3::zeros((series, steps, d));
    for n in 0..series {
        for t in 0..steps {
            for v in &order {
                let noise: f64 = StandardNormal.sample(&mut random);
                let mut x = sd[*v] * noise;
                for (lag, from, to, weight, phase) in &edges {
                    if to == v && t >= *lag {
                        let turn = (std::f64::consts::PI * t as f64 / steps as f64 + phase).cos();
                        x += weight * turn * values[[n, t - lag, *from]];
                    }
                }
                values[[n, t, *v]] = x;
            }
        }
    }
    (values, order)
}

fn linear(values: Array3<f64>, lag: usize, size: usize, non_gaussian: bool) -> LinearScore {
    let panel = Panel::unnamed(values).unwrap();
    let columns = Columns::of(&panel, lag).unwrap();
    let basis = Family::Legendre.basis(size, panel.steps(), lag).unwrap();
    let inner = TimeBasis::new(&basis, &columns).unwrap();
    LinearScore::new(columns, inner, non_gaussian, &Cancel::default()).unwrap()
}

/// The moments of all pairs.
fn all_pairs(score: &LinearScore) -> &Gram {
    let Source::All(gram) = &score.source else { panic!("moments come from the rows") };
    gram
}

#[test]
fn collapsed_moments_are_sums_over_rows() {
    let (mut values, _) = simulated(3, 5, 12, 1);
    values[[2, 4, 1]] = f64::NAN;
    let score = linear(values, 1, 3, false);
    let (columns, psi) = (&score.columns, score.basis.values());
    let weights = columns.weights().unwrap();
    assert_eq!(columns.rows(), 5.0 * 11.0 - 2.0);
    for (j, k) in [(0, 0), (1, 4), (5, 2), (3, 3)] {
        for (b, c) in [(0, 0), (1, 2), (2, 2)] {
            let (x, y) = (columns.column(j), columns.column(k));
            let sum: f64 = (0..x.len())
                .map(|r| weights[r] * psi[[r / 5, b]] * psi[[r / 5, c]] * x[r] * y[r])
                .sum();
            let entry = all_pairs(&score).entry(j, k, pair(b, c));
            assert!((entry - sum / columns.rows()).abs() < 1e-12, "{j} {k} {b} {c}");
        }
    }
}

/// The residual variance of a column on others times the basis, from the rows by elimination.
fn plain_variance(score: &LinearScore, target: usize, others: &[usize]) -> f64 {
    let (columns, psi) = (&score.columns, score.basis.values());
    let (b, series) = (score.basis.size(), columns.series());
    let mut vectors: Vec<Vec<f64>> = Vec::new();
    for column in others {
        for f in 0..b {
            let x = columns.column(*column);
            vectors.push((0..x.len()).map(|r| psi[[r / series, f]] * x[r]).collect());
        }
    }
    let mut y = columns.column(target).to_vec();
    for k in 0..vectors.len() {
        let norm: f64 = vectors[k].iter().map(|x| x * x).sum();
        let pivot = vectors[k].clone();
        let project = |v: &mut Vec<f64>| {
            let dot: f64 = v.iter().zip(&pivot).map(|(a, b)| a * b).sum::<f64>() / norm;
            v.iter_mut().zip(&pivot).for_each(|(a, b)| *a -= dot * b);
        };
        vectors[k + 1..].iter_mut().for_each(project);
        project(&mut y);
    }
    y.iter().map(|x| x * x).sum::<f64>() / columns.rows()
}

#[test]
fn forward_selection_takes_the_largest_gain_each_time() {
    let (values, _) = simulated(9, 20, 20, 3);
    let score = linear(values, 1, 2, false);
    let mut forward = Forward::default();
    let mut stop = score.stop(0.0, 0);
    stop.most = 4;
    forward.select(&mut all_pairs(&score), 0, &|c| c != 0, &[], stop);
    let mut chosen = Vec::new();
    for step in 0..4 {
        let variance = |c: usize| {
            let mut set: Vec<usize> = chosen.clone();
            set.push(c);
            plain_variance(&score, 0, &set)
        };
        let free = (1..18).filter(|c| !chosen.contains(c));
        let best = free.min_by(|a, b| variance(*a).total_cmp(&variance(*b))).unwrap();
        assert_eq!(forward.selected[step], best);
        chosen.push(best);
    }
    let plain = plain_variance(&score, 0, &chosen);
    assert!((forward.variance - plain).abs() < 1e-10);
}

#[test]
fn shrinking_keeps_only_groups_that_pay() {
    let (values, _) = simulated(6, 40, 20, 5);
    let score = linear(values, 1, 2, false);
    let position: Vec<usize> = (0..6).collect();
    let fits = regressions(&score, &position, &[], &Given::default()).unwrap();
    for (target, fit) in fits.iter().enumerate() {
        let whole = plain_variance(&score, target, &fit.selected);
        assert!((whole - fit.variance).abs() < 1e-10);
        for left_out in 0..fit.selected.len() {
            let mut rest = fit.selected.clone();
            rest.remove(left_out);
            let without = plain_variance(&score, target, &rest);
            let worth = score.columns.rows() * (without / whole).ln();
            assert!(worth > score.penalty() - 1e-6, "{worth}");
        }
    }
}

/// Every order of 0..n.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(n - 1) {
        for at in 0..n {
            let mut longer = shorter.clone();
            longer.insert(at, n - 1);
            all.push(longer);
        }
    }
    all
}

#[test]
fn the_search_finds_the_best_of_all_orders() {
    let mut found = 0;
    for (seed, d) in (0..100).zip([4, 5, 6].into_iter().cycle()) {
        let (values, _) = simulated(d, 20, 20, 100 + seed);
        let score = linear(values, 1, 2, true);
        let given = Given::default();
        let learned = search::learn(&score, Start::Anywhere, &given, &Run::new(seed)).unwrap();
        let mut scorer = Scorer::new(&score, &learned.candidates, &given);
        scorer.depth = Depth::Whole;
        let totals = orders(d).into_iter().map(|order| scorer.state(order).unwrap().total());
        let best = totals.fold(f64::INFINITY, f64::min);
        found += usize::from(learned.state.total() <= best + 1e-6);
    }
    assert!(found >= 95, "{found} of 100");
}

#[test]
fn the_true_order_is_recovered_whatever_the_noise() {
    let (mut correct, mut all) = (0, 0);
    for seed in 0..5 {
        let (values, order) = simulated(8, 100, 40, 500 + seed);
        let panel = Panel::unnamed(values).unwrap();
        let graph = Ordered::default().discover(&panel, &mut Run::new(seed)).unwrap();
        let place = |v: usize| order.iter().position(|o| *o == v).unwrap();
        for edge in graph.instantaneous() {
            all += 1;
            correct += usize::from(place(edge.from) < place(edge.to));
        }
    }
    assert!(all >= 40 && correct * 100 >= 97 * all, "{correct} of {all}");
}

fn learn(values: Array3<f64>, threads: usize) -> DynamicGraph {
    let method = Ordered { resamples: 2, ..Ordered::default() };
    let mut run = Run::new(3).with_threads(threads).unwrap();
    method.discover(&Panel::unnamed(values).unwrap(), &mut run).unwrap()
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    for (seed, d) in [(1, 6), (2, 18)] {
        let (values, _) = simulated(d, 30, 30, seed);
        let one = learn(values.clone(), 1);
        assert!(!one.edges().is_empty());
        assert_eq!(one, learn(values.clone(), 2));
        assert_eq!(one, learn(values, 3));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Other units and another sequence of the columns: the same graph in other units.
    #[test]
    fn units_and_sequence_of_columns_do_not_matter(
        seed in 0u64..1000,
        exponents in prop::collection::vec(-6.0..6.0f64, 7),
        sequence in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let (values, _) = simulated(7, 40, 25, seed);
        let factor: Vec<f64> = exponents.iter().map(|e| 10f64.powf(*e)).collect();
        let changed = Array3::from_shape_fn(values.dim(), |(n, t, v)| {
            values[[n, t, sequence[v]]] * factor[sequence[v]]
        });
        let (one, other) = (learn(values, 2), learn(changed, 2));
        prop_assert_eq!(one.edges().len(), other.edges().len());
        prop_assert_eq!(one.basis(), other.basis());
        let place = |v: usize| sequence.iter().position(|s| *s == v).unwrap();
        for edge in one.edges() {
            let twin = other.edge(edge.lag, place(edge.from), place(edge.to));
            let twin = twin.expect("the same edge");
            let unit = factor[edge.to] / factor[edge.from];
            let size = edge.strength(one.basis());
            for t in 0..25 {
                let (a, b) = (edge.weight(one.basis(), t) * unit, twin.weight(other.basis(), t));
                prop_assert!((a - b).abs() < 1e-7 * size * unit, "{} {}", a, b);
            }
            prop_assert_eq!(edge.mark, twin.mark);
            prop_assert_eq!(edge.support, twin.support);
        }
    }
}

#[test]
fn static_gaussian_pairs_are_flagged_and_laplace_pairs_are_not() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut pair = |gaussian: bool| {
        let mut draw = || {
            let x: f64 = StandardNormal.sample(&mut random);
            if gaussian { x } else { x * x * x }
        };
        let mut values = Array3::zeros((40, 25, 2));
        for mut row in values.lanes_mut(ndarray::Axis(2)) {
            row[0] = draw();
            row[1] = 0.8 * row[0] + draw();
        }
        let panel = Panel::unnamed(values).unwrap();
        let method = Ordered { lag: 0.into(), ..Ordered::default() };
        let graph = method.discover(&panel, &mut Run::new(0)).unwrap();
        let edge = graph.edges().first().cloned().expect("one edge");
        (edge.from, edge.mark)
    };
    assert_eq!(pair(true).1, Mark::Undirected);
    assert_eq!(pair(false), (0, Mark::Directed));
}

#[test]
fn fewer_rows_than_columns_still_give_an_answer_and_a_warning() {
    let (values, _) = simulated(30, 1, 40, 8);
    let mut run = Run::new(0);
    let graph = Ordered::default().discover(&Panel::unnamed(values).unwrap(), &mut run).unwrap();
    assert!(graph.certify().is_acyclic());
    assert!(run.warnings().iter().any(|w| w.contains("rows")));
}

#[test]
fn columns_that_are_copies_do_not_break_it() {
    let (mut values, _) = simulated(5, 30, 20, 2);
    for mut row in values.lanes_mut(ndarray::Axis(2)) {
        row[4] = 2.0 * row[3];
    }
    let mut run = Run::new(0);
    let graph = Ordered::default().discover(&Panel::unnamed(values).unwrap(), &mut run).unwrap();
    assert!(graph.edges().iter().all(|e| e.strength(graph.basis()).is_finite()));
}

#[test]
fn selecting_columns_of_moments_keeps_their_values() {
    let (values, _) = simulated(6, 10, 12, 4);
    let score = linear(values, 1, 2, false);
    let which = [9, 0, 4];
    let part: Gram = all_pairs(&score).select(&which);
    for (a, row) in which.iter().enumerate() {
        for (b, column) in which.iter().enumerate() {
            for pair in 0..3 {
                assert_eq!(part.entry(a, b, pair), all_pairs(&score).entry(*row, *column, pair));
            }
        }
    }
}

#[test]
fn few_rows_get_fewer_functions_and_no_error() {
    for steps in [5, 10, 40] {
        let (mut values, _) = simulated(3, 1, steps, 4);
        values.iter_mut().skip(4).step_by(17).for_each(|x| *x = f64::NAN);
        let graph = Ordered::default().discover(&Panel::unnamed(values).unwrap(), &mut Run::new(0));
        assert!(graph.is_ok(), "{steps} steps: {graph:?}");
    }
}

#[test]
fn moments_alone_tell_what_the_rows_tell() {
    let (values, _) = simulated(6, 60, 20, 3);
    // Bands of moments know nothing of single rows, and a weight that leaves its band is its centre.
    let method = Ordered { non_gaussian: false, bands: false, ..Ordered::default() };
    let panel = Panel::unnamed(values.clone()).unwrap();
    let from_rows = method.discover(&panel, &mut Run::new(1)).unwrap();
    let part = |range: std::ops::Range<usize>| {
        let rows = values.slice(ndarray::s![range, .., ..]).to_owned();
        Moments::of(&Panel::unnamed(rows).unwrap(), 1).unwrap()
    };
    let mut moments = part(0..25);
    moments.merge(&part(25..60)).unwrap();
    let from_moments =
        method.discover_moments(&moments, panel.names(), panel.times(), &mut Run::new(1)).unwrap();
    assert_eq!(from_rows.edges().len(), from_moments.edges().len());
    for edge in from_rows.edges() {
        let other = from_moments.edge(edge.lag, edge.from, edge.to).unwrap();
        let (basis, other_basis) = (from_rows.basis(), from_moments.basis());
        // Without lagged causes, the rows of the first step count too, and moments do not have them.
        let lagged = from_rows.edges().iter().any(|e| e.to == edge.to && e.lag == 1);
        for t in usize::from(!lagged)..20 {
            let gap = edge.weight(basis, t) - other.weight(other_basis, t);
            assert!(gap.abs() < if lagged { 1e-8 } else { 0.2 }, "{gap} at {t}");
        }
    }
    assert!(from_rows.edges().iter().any(|e| e.lag == 1));
    // The moments do not have the first step, so the deviations are only about the same.
    let deviations = from_rows.scale().unwrap().iter().zip(from_moments.scale().unwrap());
    assert!(deviations.into_iter().all(|(a, b)| (a / b - 1.0).abs() < 0.05));
}

#[test]
fn moments_that_do_not_fit_are_refused() {
    let (values, _) = simulated(3, 30, 10, 1);
    let panel = Panel::unnamed(values).unwrap();
    let moments = Moments::of(&panel, 1).unwrap();
    let ask = |method: Ordered| {
        method.discover_moments(&moments, panel.names(), panel.times(), &mut Run::new(1))
    };
    assert!(ask(Ordered { lag: 2.into(), ..Ordered::default() }).is_err());
    assert!(ask(Ordered { resamples: 5, ..Ordered::default() }).is_err());
    assert!(ask(Ordered::default()).is_ok());
}
