use ndarray::{Array3, Axis};
use proptest::prelude::*;

use super::*;

fn any_statistics() -> impl Strategy<Value = Array3<f64>> {
    (1..3usize, 2..6usize).prop_flat_map(|(lags, d)| {
        let cell = prop_oneof![9 => 0.0..50.0f64, 1 => Just(f64::NAN)];
        prop::collection::vec(cell, lags * d * d)
            .prop_map(move |cells| Array3::from_shape_vec((lags, d, d), cells).unwrap())
    })
}

#[test]
fn a_ranking_of_other_causes_than_effects_is_refused() {
    assert!(Ranking::new("Wald", Array3::zeros((2, 3, 4))).is_err());
    assert!(Ranking::new("Wald", Array3::zeros((0, 3, 3))).is_err());
    assert!(Ranking::of_weights(Array3::zeros((2, 3, 3)), &[1.0; 2]).is_err());
}

#[test]
fn weights_are_ranked_in_standard_deviations() {
    let mut weights = Array3::zeros((2, 2, 2));
    weights[[1, 0, 1]] = -3.0;
    let ranking = Ranking::of_weights(weights, &[2.0, 4.0]).unwrap();
    assert_eq!(ranking.get(1, 0, 1), Some(1.5));
}

#[test]
fn a_cause_of_much_lends_weight_to_its_other_edges() {
    // Variable 0 surely drives all but the last; of it and of variable 1 there is the same evidence.
    let chance = |(_, i, j): (usize, usize, usize)| 0.3 + 0.05 * ((3 * i + j) % 7) as f64;
    let mut values = Array3::from_shape_fn((2, 8, 8), chance);
    (1..7).for_each(|to| values[[1, 0, to]] = 60.0);
    values[[1, 0, 7]] = 3.0;
    values[[1, 1, 7]] = 3.0;
    let ranking = Ranking::new("Wald", values).unwrap();
    let differ = ranking.with_sources(Sources::Differ);
    assert!(differ.get(1, 0, 7).unwrap() > differ.get(1, 1, 7).unwrap() + 1.0);
    assert_eq!(ranking.with_sources(Sources::Same), ranking);
}

proptest! {
    #[test]
    fn units_of_a_statistic_do_not_matter_and_rows_keep_their_order(
        statistics in any_statistics(), unit in 0.01..100.0f64,
    ) {
        let ranking = Ranking::new("Wald", statistics.clone()).unwrap();
        let differ = ranking.with_sources(Sources::Differ);
        let scaled = Ranking::new("Wald", statistics.mapv(|s| s * unit)).unwrap();
        let scaled = scaled.with_sources(Sources::Differ);
        for ((lag, from, to), odds) in differ.places() {
            let other = scaled.get(lag, from, to).unwrap();
            prop_assert!((odds - other).abs() <= 1e-3 * (1.0 + odds.abs()), "{odds} {other}");
            for next in 0..ranking.variables() {
                let (Some(a), Some(b)) = (ranking.get(lag, from, to), ranking.get(lag, from, next))
                else { continue };
                if a <= b {
                    prop_assert!(odds <= differ.get(lag, from, next).unwrap());
                }
            }
        }
        prop_assert_eq!(ranking.places().count(), differ.places().count());
    }

    #[test]
    fn variables_may_be_numbered_in_any_way(statistics in any_statistics(), turn in 0..5usize) {
        let d = statistics.dim().1;
        let order: Vec<usize> = (0..d).map(|v| (v + turn) % d).collect();
        let turned = statistics.select(Axis(1), &order).select(Axis(2), &order);
        let one = Ranking::new("Wald", statistics).unwrap().with_sources(Sources::Differ);
        let two = Ranking::new("Wald", turned).unwrap().with_sources(Sources::Differ);
        for ((lag, from, to), odds) in two.places() {
            let other = one.get(lag, order[from], order[to]).unwrap();
            prop_assert!((odds - other).abs() <= 1e-4 * (1.0 + odds.abs()), "{odds} {other}");
        }
    }
}
