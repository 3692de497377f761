//! Regressions that several places of a variable share.

use super::*;
use crate::scores::LocalScore;

/// Places of a variable are scored with few regressions, and as each would be scored alone.
#[test]
fn what_was_never_tried_leaves_without_a_change() {
    let d = 16;
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let mut values = Array3::zeros((30, 20, d));
    for n in 0..30 {
        for t in 0..20 {
            for v in 0..d {
                let own: f64 = StandardNormal.sample(&mut random);
                let parents = [v.wrapping_sub(1), v.wrapping_sub(3)];
                let from = parents.iter().filter(|p| **p < d).map(|p| values[[n, t, *p]]);
                values[[n, t, v]] = own + 0.6 * from.sum::<f64>();
            }
        }
    }
    let score = linear(values, 1, 2, true);
    let everything: Vec<Vec<usize>> =
        (0..d).map(|v| (0..2 * d).filter(|c| *c != v).collect()).collect();
    let given = Given::default();
    let order: Vec<usize> = (0..d).map(|k| k * 5 % d).collect();
    for depth in [Depth::Quick, Depth::Whole] {
        let mut scorer = Scorer::new(&score, &everything, &given);
        scorer.depth = depth;
        let state = scorer.state(order.clone()).unwrap();
        let mut scratch = <LinearScore as LocalScore>::Scratch::default();
        let mut shared = 0;
        for v in 0..d {
            let mut alone = Scorer::new(&score, &everything, &given);
            alone.depth = depth;
            let others: Vec<usize> = order.iter().copied().filter(|c| *c != v).collect();
            let before = |slot: usize| {
                let others = &others;
                move |c: usize| others[..slot].contains(&c)
            };
            let mut known = scorer.score_near(&state, v, before(d - 1), &mut scratch);
            for slot in (0..d - 1).rev() {
                let last = (&known.1, others[slot]);
                let next = scorer.score_without(last, v, before(slot), &mut scratch);
                shared += usize::from(std::sync::Arc::ptr_eq(&known.1, &next.1));
                let afresh = alone.score(v, before(slot), &mut scratch);
                assert_eq!(next.0.to_bits(), afresh.0.to_bits(), "{v} after {slot}");
                assert_eq!(next.1.parents(), afresh.1.parents());
                known = next;
            }
        }
        assert!(shared > d * (d - 1) / 3, "{shared} of {} were shared", d * (d - 1));
    }
}
