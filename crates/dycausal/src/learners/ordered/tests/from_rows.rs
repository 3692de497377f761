//! Moments that come from the rows lead to what moments of all pairs lead to.

use super::*;
use crate::scores::LocalScore;
use crate::scores::linear::shrink::Fit;

/// A sparse system: its values, and the columns that cause each variable. What is not explained are a few
/// shared factors, as far as `shared` says, and noise of the variable's own.
fn sparse(
    (d, series, steps): (usize, usize, usize),
    shared: f64,
    seed: u64,
) -> (Array3<f64>, Vec<Vec<usize>>) {
    const FACTORS: usize = 10;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut edges = Vec::new();
    for to in 0..d {
        for lag in [0, 0, 1, 1] {
            let from = random.random_range(0..d);
            let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
            let weight = sign * random.random_range(0.5..0.9) / if lag == 0 { 1.0 } else { 2.0 };
            let phase = if random.random_bool(0.5) { 0.0 } else { std::f64::consts::FRAC_PI_2 };
            if lag == 1 || from < to {
                edges.push((lag, from, to, weight, phase));
            }
        }
    }
    let loadings: Array3<f64> =
        Array3::from_shape_fn((d, FACTORS, 1), |_| StandardNormal.sample(&mut random));
    let mut values = Array3::zeros((series, steps, d));
    for n in 0..series {
        for t in 0..steps {
            let factors: Vec<f64> =
                (0..FACTORS).map(|_| StandardNormal.sample(&mut random)).collect();
            let mut at = 0;
            for to in 0..d {
                let own: f64 = StandardNormal.sample(&mut random);
                let common: f64 =
                    factors.iter().enumerate().map(|(f, x)| loadings[[to, f, 0]] * x).sum();
                let scale = (shared / FACTORS as f64).sqrt();
                let mut x = scale * common + (1.0 - shared).sqrt() * own;
                while let Some((lag, from, _, weight, phase)) = edges.get(at).filter(|e| e.2 == to)
                {
                    if t >= *lag {
                        let turn = (std::f64::consts::PI * t as f64 / steps as f64 + phase).cos();
                        x += weight * turn * values[[n, t - lag, *from]];
                    }
                    at += 1;
                }
                values[[n, t, to]] = x;
            }
        }
    }
    let mut causes = vec![Vec::new(); d];
    for (lag, from, to, ..) in edges {
        causes[to].push(lag * d + from);
    }
    (values, causes)
}

/// The same data, moments of all pairs and moments from the rows.
fn both(values: &Array3<f64>, lag: usize, size: usize, shape: bool) -> (LinearScore, LinearScore) {
    let all = linear(values.clone(), lag, size, shape);
    let (columns, basis) = (all.columns.clone(), all.basis.clone());
    let rows = LinearScore::from_rows(columns, basis, shape, &Cancel::default());
    (all, rows)
}

fn parents(fits: &[Fit]) -> Vec<Vec<usize>> {
    let sorted = |fit: &Fit| {
        let mut selected = fit.selected.clone();
        selected.sort_unstable();
        selected
    };
    fits.iter().map(sorted).collect()
}

#[test]
fn the_same_edges_are_found() {
    for (series, steps, lag, size, shape) in
        [(60, 20, 1, 3, true), (30, 30, 3, 2, true), (1, 900, 1, 2, false)]
    {
        let (mut values, _) = sparse((24, series, steps), 0.0, 3 + series as u64);
        if lag == 3 {
            values[[2, 4, 1]] = f64::NAN;
        }
        let (all, rows) = both(&values, lag, size, shape);
        let run = Run::new(5);
        let learn = |score| search::learn(score, Start::Anywhere, &Given::default(), &run).unwrap();
        let (one, other) = (learn(&all), learn(&rows));
        let (one, other) = (parents(&one.fits), parents(&other.fits));
        let edges = one.iter().map(Vec::len).sum::<usize>();
        let differ = one.iter().zip(&other).filter(|(a, b)| a != b).count();
        assert!(edges > 40 && differ <= 1, "{differ} variables differ, {edges} edges");
    }
}

#[test]
fn coefficients_are_those_of_all_pairs() {
    let (values, _) = sparse((20, 30, 20), 0.0, 7);
    let (all, rows) = both(&values, 1, 3, false);
    let position: Vec<usize> = (0..20).collect();
    let known = vec![(0..40).collect::<Vec<usize>>(); 20];
    let given = Given::default();
    let of = |score| regressions(score, &position, &known, &given).unwrap();
    for (a, b) in of(&all).iter().zip(&of(&rows)) {
        assert_eq!(a.selected, b.selected);
        assert!((a.variance - b.variance).abs() < 1e-12);
        assert!(a.coefficients.iter().zip(&b.coefficients).all(|(x, y)| (x - y).abs() < 1e-10));
    }
}

#[test]
fn looks_go_on_where_causes_hide_behind_shared_factors() {
    let d = 90;
    let (values, causes) = sparse((d, 40, 25), 0.8, 11);
    let (all, rows) = both(&values, 1, 3, false);
    let mut scratch = <LinearScore as LocalScore>::Scratch::default();
    let of_all: Vec<Vec<usize>> =
        (0..d).map(|v| all.grow(v, |c| c != v, &[], 0.5, &mut scratch)).collect();
    let of_rows = rows.grow_together(&|c, v| c != v, &|_| Vec::new(), 0.5).unwrap().unwrap();
    let missed = |found: &[Vec<usize>]| {
        let of = |v: usize| causes[v].iter().filter(|c| !found[v].contains(c)).count();
        (0..d).map(of).sum::<usize>()
    };
    let (total, of_all, of_rows) =
        (causes.iter().map(Vec::len).sum::<usize>(), missed(&of_all), missed(&of_rows));
    assert!(of_rows <= of_all + total / 20, "{of_rows} and {of_all} of {total} missed");
}

#[test]
fn coefficients_that_were_not_kept_are_solved_for_again() {
    let d = 20;
    let (values, _) = sparse((d, 40, 20), 0.0, 13);
    let (all, rows) = both(&values, 1, 3, true);
    let mut scratch = <LinearScore as LocalScore>::Scratch::default();
    let mut selected = 0;
    for target in 0..d {
        let candidates: Vec<usize> = (0..2 * d).filter(|c| *c != target).collect();
        let mut of = |score: &LinearScore| {
            let node = score.prepare(target, &candidates, &[]);
            let found = score.find(&node, |c| c < target, &mut scratch);
            (score.whole(&node, &found, &mut scratch).score, found.regression)
        };
        let ((score, fit), (other, bare)) = (of(&all), of(&rows));
        assert_eq!(fit.selected, bare.selected);
        assert!(bare.coefficients.is_empty());
        assert!((score - other).abs() < 1e-3, "{score} and {other}");
        let terms = all.row_terms(target, &fit);
        let again = rows.row_terms(target, &bare);
        assert!(terms.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + a.abs())));
        selected += fit.selected.len();
    }
    assert!(selected > d);
}

#[test]
fn moments_of_candidates_are_there_for_the_last_look_until_they_are_let_go() {
    let (values, _) = sparse((20, 30, 20), 0.0, 7);
    let (_, mut rows) = both(&values, 1, 3, false);
    let position: Vec<usize> = (0..20).collect();
    let known: Vec<Vec<usize>> =
        (0..20).map(|v| (0..40).filter(|c| *c != v).collect::<Vec<usize>>()).collect();
    let given = Given::default();
    let of = |score: &LinearScore| regressions(score, &position, &known, &given).unwrap();
    let afresh = of(&rows);
    rows.forget();
    (0..20).for_each(|v| drop(rows.prepare(v, &known[v], &[])));
    for (a, b) in afresh.iter().zip(&of(&rows)) {
        assert_eq!(a.selected, b.selected);
        let near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-5;
        assert!(a.coefficients.iter().zip(&b.coefficients).all(near));
    }
}
