//! The search with a score that is not the linear one of the methods.

use std::sync::atomic::Ordering;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::moves::{Children, Move};
use super::{Given, Scorer, Start, learn};
use crate::knowledge::Knowledge;
use crate::run::Run;
use crate::scores::toy::Toy;

/// x_0 → x_1 → … with a collider at the end, so that the order of its last three is told apart.
fn chain(variables: usize) -> Toy {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut columns = vec![Vec::new(); variables];
    for _ in 0..2000 {
        let mut row: Vec<f64> = Vec::new();
        for v in 0..variables {
            let noise: f64 = StandardNormal.sample(&mut random);
            let cause = match v {
                0 => 0.0,
                v if v + 2 == variables => 0.0,
                v if v + 1 == variables => 0.8 * row[v - 1] + 0.8 * row[v - 2],
                v => 0.8 * row[v - 1],
            };
            row.push(cause + noise);
        }
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    for column in &mut columns {
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        for x in column {
            *x -= mean;
        }
    }
    Toy { columns, ..Toy::default() }
}

/// The edges of the chain, either way round, in increasing order.
fn skeleton(fits: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let ends = |(to, from): (usize, usize)| (from.min(to), from.max(to));
    let mut edges: Vec<(usize, usize)> = fits
        .iter()
        .enumerate()
        .flat_map(|(to, parents)| parents.iter().map(move |from| (to, *from)))
        .map(ends)
        .collect();
    edges.sort_unstable();
    edges
}

#[test]
fn another_score_finds_the_edges_of_a_chain_and_the_collider_at_its_end() {
    // 17 variables: more than those for which everything is a candidate.
    for d in [6, 17] {
        let found = learn(&chain(d), Start::Anywhere, &Given::default(), &Run::new(2)).unwrap();
        let mut edges: Vec<(usize, usize)> = (0..d - 3).map(|v| (v, v + 1)).collect();
        edges.extend([(d - 3, d - 1), (d - 2, d - 1)]);
        assert_eq!(skeleton(&found.fits), edges);
        assert_eq!(found.fits[d - 1], [d - 3, d - 2], "the collider");
    }
}

#[test]
fn a_score_that_never_falls_with_candidates_is_asked_less_and_says_the_same() {
    for d in [6, 17] {
        let plain = chain(d);
        let monotone = Toy { monotone: true, ..chain(d) };
        let of = |score: &Toy| {
            let found = learn(score, Start::Anywhere, &Given::default(), &Run::new(2)).unwrap();
            (skeleton(&found.fits), found.state.total())
        };
        // Orders of a chain that have the same score are told apart by nothing.
        let (first, second) = (of(&plain), of(&monotone));
        assert_eq!(first.0, second.0);
        assert!((first.1 - second.1).abs() < 1e-9, "{first:?} {second:?}");
        let sought = |score: &Toy| score.sought.load(Ordering::Relaxed);
        let (all, some) = (sought(&plain), sought(&monotone));
        assert!(some < all, "{some} regressions, {all} without knowing");
    }
}

#[test]
fn what_is_known_directs_the_chain() {
    // Of d variables, no later one precedes an earlier one.
    let d = 6;
    let orders: Vec<(usize, usize)> =
        (0..d).flat_map(|first| (0..first).map(move |second| (first, second))).collect();
    let given = Given::new(Knowledge::forbidding(d, &[], &orders));
    let found = learn(&chain(d), Start::Anywhere, &given, &Run::new(2)).unwrap();
    assert_eq!(found.state.order, (0..d).collect::<Vec<_>>());
    assert_eq!(found.fits[3], [2]);
    let given = Given::new(Knowledge::forbidding(d, &[(0, 1, 0), (1, 0, 0)], &[]));
    let found = learn(&chain(d), Start::Anywhere, &given, &Run::new(2)).unwrap();
    assert!(!skeleton(&found.fits).contains(&(0, 1)));
}

#[test]
fn a_known_order_stays_and_only_its_regressions_are_sought() {
    let d = 6;
    let turned: Vec<usize> = (0..d).rev().collect();
    let found = learn(&chain(d), Start::Known(&turned), &Given::default(), &Run::new(2)).unwrap();
    assert_eq!(found.state.order, turned);
    let position = &found.state.position;
    for (to, parents) in found.fits.iter().enumerate() {
        assert!(parents.iter().all(|from| position[*from] < position[to]), "{to}: {parents:?}");
    }
    // Beside the wrong order of a collider its causes are linked.
    assert!(skeleton(&found.fits).contains(&(d - 3, d - 2)));
}

#[test]
fn a_move_takes_along_all_relatives_in_between_and_no_others() {
    let d = 17;
    let score = chain(d);
    let given = Given::default();
    let everything: Vec<Vec<usize>> =
        (0..d).map(|v| (0..d).filter(|c| *c != v).collect()).collect();
    let scorer = Scorer::new(&score, &everything, &given);
    // A wrong order has many edges.
    let state = scorer.state((0..d).map(|k| k * 5 % d).collect()).unwrap();
    let children = Children::of_state(&state);
    let mut marks = vec![false; d];
    for (j, i) in state.edges() {
        let between = &state.order[state.position[j] + 1..state.position[i]];
        let mut ancestors = vec![i];
        for v in between.iter().rev() {
            if ancestors.iter().any(|a| state.parents(*a).contains(v)) {
                ancestors.insert(0, *v);
            }
        }
        assert_eq!(Move::tuck(&state, j, i, &mut marks).moved, ancestors);
        let mut descendants = vec![j];
        for v in between {
            if descendants.iter().any(|a| state.parents(*v).contains(a)) {
                descendants.push(*v);
            }
        }
        assert_eq!(Move::mirror(&state, &children, j, i, &mut marks).moved, descendants);
        assert!(marks.iter().all(|mark| !mark));
    }
}

#[test]
fn an_order_scored_from_another_has_the_scores_it_has_alone() {
    let d = 12;
    let score = chain(d);
    let given = Given::default();
    let near: Vec<Vec<usize>> =
        (0..d).map(|v| (0..d).filter(|c| *c != v && c.abs_diff(v) < 4).collect()).collect();
    let scorer = Scorer::new(&score, &near, &given);
    let state = scorer.state((0..d).collect()).unwrap();
    let mut order: Vec<usize> = (0..d).collect();
    order.swap(2, 3);
    let before = score.sought.load(Ordering::Relaxed);
    let other = scorer.state_near(order.clone(), &state).unwrap();
    let sought = score.sought.load(Ordering::Relaxed) - before;
    let alone = Scorer::new(&score, &near, &given).state(order).unwrap();
    assert!((0..d).all(|v| other.score(v) == alone.score(v)));
    assert_eq!(sought, 2, "only the two that changed places have other predecessors");
}
