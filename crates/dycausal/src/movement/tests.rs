//! Regressions whose weights move in known ways.

use ndarray::Array2;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Absent, Component, Course, Kind, Masses, Memory, Mixture, Moving, Span, Told, Wanted};
use crate::inference::covariance::Covariance;
use crate::regression::{Regressor, Sample};

/// Columns of noise, and a target that two of them explain: one with a weight that moves, one with
/// a weight of 0.5.
struct Made {
    columns: Vec<Vec<f64>>,
    target: Vec<f64>,
    psi: Array2<f64>,
}

impl Made {
    fn new(steps: usize, seed: u64, weight: impl Fn(f64) -> f64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut noise =
            || (0..steps).map(|_| StandardNormal.sample(&mut random)).collect::<Vec<f64>>();
        let columns = vec![noise(), noise(), noise()];
        let mut target = noise();
        for (t, y) in target.iter_mut().enumerate() {
            let u = (t as f64 + 0.5) / steps as f64;
            *y += weight(u) * columns[0][t] + 0.5 * columns[1][t];
        }
        Self { columns, target, psi: Array2::ones((steps, 1)) }
    }

    fn sample(&self, which: &[usize]) -> Sample<'_> {
        let regressor = |c: &usize| Regressor { values: &self.columns[*c], functions: 1 };
        Sample {
            target: &self.target,
            regressors: which.iter().map(regressor).collect(),
            psi: self.psi.view(),
            series: 1,
            weights: None,
            precision: None,
            intercepts: 1.0,
        }
    }

    fn told(&self) -> Vec<Told> {
        let sample = self.sample(&[0, 1]);
        let masses = Masses::default();
        let wanted = Wanted { level: 0.95, covariance: Covariance::Robust, masses, brief: false };
        Moving::new(&sample, 2, self.target.len()).tell(&sample, wanted).unwrap()
    }
}

#[test]
fn each_weight_moves_in_its_own_way() {
    for (kind, weight) in [
        (Kind::Static, (|_| 0.7) as fn(f64) -> f64),
        (Kind::Appears, |u| if u < 0.6 { 0.0 } else { 0.9 }),
        (Kind::Vanishes, |u| if u < 0.4 { 0.9 } else { 0.0 }),
        (Kind::Flips, |u| if u < 0.5 { 0.8 } else { -0.8 }),
        (Kind::Drifts, |u| 0.9 * (8.0 * u).sin()),
        (Kind::Pulses, |u| if (0.4..0.6).contains(&u) { 1.2 } else { 0.0 }),
    ] {
        let told = Made::new(800, 3, weight).told();
        assert_eq!(told[0].motion.kind, kind, "{:?}", told[0].motion);
        assert_eq!(told[1].motion.kind, Kind::Static);
        let moves = told[0].unchanging < 1e-6;
        assert_eq!(moves, kind != Kind::Static, "{kind:?}: {}", told[0].unchanging);
        let missed = (0..800).filter(|t| {
            let (low, _, high) = told[0].mixture.interval(*t, 0.95);
            let truth = weight((*t as f64 + 0.5) / 800.0);
            !(low..=high).contains(&truth)
        });
        assert!(missed.count() < 120, "{kind:?}");
    }
}

#[test]
fn the_time_of_a_jump_is_found() {
    let told = Made::new(800, 5, |u| if u < 0.6 { 0.0 } else { 0.9 }).told();
    let change = told[0].motion.changes[0];
    assert!(change.at.abs_diff(480) < 16 && change.low <= 480 && 480 <= change.high, "{change:?}");
    let absent = told[0].mixture.absent(100);
    assert!(absent > 0.5 && told[0].mixture.median(100) == 0.0, "{absent}");
}

#[test]
fn what_moves_fast_around_nothing_is_seen() {
    let made = Made::new(500, 7, |u| 0.6 * (25.0 * u).sin());
    let sample = made.sample(&[1]);
    let moving = Moving::new(&sample, 1, 500);
    let absent = Absent::new(&moving, &sample).unwrap();
    assert!(absent.p_value(&made.columns[0], 1.0, &mut Memory::default()) < 1e-6);
    assert!(absent.p_value(&made.columns[2], 1.0, &mut Memory::default()) > 1e-3);
}

#[test]
fn long_series_are_cut_into_pieces_and_jump_at_steps() {
    let told = Made::new(5000, 11, |u| if u < 0.5 { 0.8 } else { -0.8 }).told();
    let (before, after) = (told[0].mixture.median(2400), told[0].mixture.median(2600));
    assert!((before - 0.8).abs() < 0.15 && (after + 0.8).abs() < 0.15, "{before} {after}");
    assert!(told[0].motion.changes[0].at.abs_diff(2500) < 40);
}

fn any_mixture() -> impl Strategy<Value = Mixture> {
    let course = prop_oneof![
        Just(Course::Static),
        (1usize..5).prop_map(Course::Polynomial),
        (1usize..9).prop_map(Course::Smooth),
        (1usize..25).prop_map(|at| Course::Jumps(vec![at])),
        (1usize..25).prop_map(Course::From),
        (1usize..25).prop_map(Course::Until),
        (1usize..15, 16usize..30).prop_map(|(from, to)| Course::Between(from, to)),
        (1usize..9, 1usize..30).prop_map(|(count, at)| Course::SmoothJump(count, at)),
    ];
    let later = prop::collection::vec(0usize..5, 0..4);
    let component = (course, 0.01..1.0f64, later).prop_flat_map(|(course, share, later)| {
        let size = course.size();
        let later = if course.jumps_once() { later } else { Vec::new() };
        let numbers = prop::collection::vec(-2.0..2.0f64, 3 * size);
        numbers.prop_map(move |numbers| Component {
            share,
            course: course.clone(),
            later: later.clone(),
            mean: numbers[..size].to_vec(),
            factor: numbers[size..].to_vec(),
        })
    });
    prop::collection::vec(component, 1..6)
        .prop_map(|parts| Mixture::new(Span { first: 1, steps: 30 }, parts).unwrap())
}

proptest! {
    #[test]
    fn a_weight_lies_in_its_band(mixture in any_mixture(), step in 0usize..30, level in 0.5..0.99f64) {
        let (low, weight, high) = mixture.interval(step, level);
        prop_assert!(low <= weight && weight <= high, "{low} {weight} {high}");
        prop_assert_eq!(weight, mixture.median(step));
    }

    #[test]
    fn jumps_that_come_later_are_courses_of_their_own(mixture in any_mixture(), step in 0usize..30) {
        let own = |part: &Component| -> Vec<Component> {
            let one = |course| Component { course, later: Vec::new(), ..part.clone() };
            part.courses().map(one).collect()
        };
        let all: Vec<Component> = mixture.components().iter().flat_map(own).collect();
        let apart = Mixture::new(mixture.span(), all).unwrap();
        let (low, weight, high) = mixture.interval(step, 0.9);
        let (same_low, same, same_high) = apart.interval(step, 0.9);
        for (x, y) in [(low, same_low), (weight, same), (high, same_high)] {
            prop_assert!((x - y).abs() < 1e-6, "{x} {y}");
        }
        prop_assert_eq!(mixture.probes(), apart.probes());
        prop_assert!((mixture.absent(step) - apart.absent(step)).abs() < 1e-12);
    }

    #[test]
    fn a_mixture_comes_back_from_json_with_the_same_bits(mixture in any_mixture()) {
        let text = serde_json::to_string(&mixture).unwrap();
        prop_assert_eq!(serde_json::from_str::<Mixture>(&text).unwrap(), mixture);
    }

    #[test]
    fn other_units_scale_a_weight(mixture in any_mixture(), step in 0usize..30) {
        let scaled = mixture.clone().times(-8.0);
        prop_assert!((scaled.median(step) + 8.0 * mixture.median(step)).abs() < 1e-6);
    }
}
