//! Which edges there are, and the weights they start from.

use dycausal::Run;
use rand::seq::{SliceRandom, index};
use rand::{Rng, RngExt};

/// A place (lag, from, to) for an edge.
pub(super) type Place = (usize, usize, usize);

/// Edges before they move.
#[derive(Debug, Clone)]
pub(super) struct Skeleton {
    /// How many variables.
    pub variables: usize,
    /// Where the edges are, instantaneous ones first.
    pub places: Vec<Place>,
    /// Weights\[regime\]\[edge\].
    pub weights: Vec<Vec<f64>>,
}

/// An Erdős–Rényi graph: min(e d, d(d-1)/2) instantaneous pairs, chosen evenly among those that
/// agree with a random order, and each of the d² pairs at every lag with probability e/d.
pub(super) fn places(variables: usize, lag: usize, density: f64, seed: u64) -> Vec<Place> {
    let mut found = instantaneous(variables, density, seed);
    for p in 1..=lag {
        let mut random = Run::new(seed).random(&format!("simulate: graph at lag {p}"));
        let chance = density / variables as f64;
        let at = |cell: usize| (p, cell / variables, cell % variables);
        found.extend(chosen(variables * variables, chance, &mut random).into_iter().map(at));
    }
    found
}

/// How many instantaneous edges there are.
pub(super) fn instantaneous_edges(variables: usize, density: f64) -> usize {
    let possible = variables * variables.saturating_sub(1) / 2;
    // The density was checked to be finite and not negative; too large a number saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let wanted = (density * variables as f64).round() as usize;
    wanted.min(possible)
}

fn instantaneous(variables: usize, density: f64, seed: u64) -> Vec<Place> {
    let mut random = Run::new(seed).random("simulate: graph within a step");
    let mut order: Vec<usize> = (0..variables).collect();
    order.shuffle(&mut random);
    let possible = variables * variables.saturating_sub(1) / 2;
    let wanted = instantaneous_edges(variables, density);
    let mut cells = index::sample(&mut random, possible, wanted).into_vec();
    cells.sort_unstable();
    // Cells count the pairs (early, late) of positions by `late`: late (late - 1) / 2 + early.
    let mut late = 1;
    let pair = |cell: usize| {
        while late * (late + 1) / 2 <= cell {
            late += 1;
        }
        (0, order[cell - late * (late - 1) / 2], order[late])
    };
    cells.into_iter().map(pair).collect()
}

/// Each of `cells` with the same chance, by drawing the gaps: the cost is in what is chosen.
fn chosen(cells: usize, chance: f64, random: &mut impl Rng) -> Vec<usize> {
    if chance >= 1.0 {
        return (0..cells).collect();
    }
    let mut found = Vec::new();
    let mut next = 0.0;
    let rate = (-chance).ln_1p();
    loop {
        // Without a chance the gap is infinite, or 0/0.
        next += ((1.0 - random.random::<f64>()).ln() / rate).floor();
        if next.is_nan() || next >= cells as f64 {
            return found;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        found.push(next as usize);
        next += 1.0;
    }
}

/// ±1, each with probability 1/2.
pub(super) fn sign(random: &mut impl Rng) -> f64 {
    if random.random_bool(0.5) { 1.0 } else { -1.0 }
}

/// A weight from ±\[low, high\], divided by `decay` to the power of the lag.
pub(super) fn weight(range: (f64, f64), decay: f64, lag: usize, random: &mut impl Rng) -> f64 {
    let size = range.0 + (range.1 - range.0) * random.random::<f64>();
    sign(random) * size / decay.powf(lag as f64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use dycausal::internals::order::sort_or_cycle;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_graph_within_a_step_has_its_edges_once_and_no_cycle(
            variables in 1usize..30, density in 0.0..20.0f64, seed in 0u64..1000,
        ) {
            let found = instantaneous(variables, density, seed);
            let pairs: Vec<_> = found.iter().map(|(_, from, to)| (*from, *to)).collect();
            prop_assert_eq!(pairs.len(), instantaneous_edges(variables, density));
            prop_assert_eq!(pairs.iter().collect::<HashSet<_>>().len(), pairs.len());
            prop_assert!(sort_or_cycle(variables, &pairs).is_ok());
        }
    }

    #[test]
    fn edges_are_even_over_pairs_and_over_directions() {
        let mut counts = [0u32; 25];
        for seed in 0..2000 {
            for (_, from, to) in instantaneous(5, 1.0, seed) {
                counts[from * 5 + to] += 1;
            }
        }
        // 5 of 20 directed pairs each time: 500 expected, sd √(2000 · 0.25 · 0.75) = 19.4.
        for (cell, count) in counts.iter().enumerate() {
            let expected = if cell % 6 == 0 { 0.0 } else { 500.0 };
            assert!((f64::from(*count) - expected).abs() < 90.0, "{cell}: {count}");
        }
    }

    #[test]
    fn lagged_edges_come_with_their_probability_self_effects_included() {
        let found = places(300, 1, 2.0, 5);
        let lagged: Vec<_> = found.iter().filter(|place| place.0 == 1).collect();
        // 90 000 cells with probability 2/300: 600 expected, sd 24.4.
        assert!((lagged.len() as f64 - 600.0).abs() < 100.0, "{}", lagged.len());
        let own =
            |seed| places(300, 1, 100.0, seed).iter().filter(|p| p.0 == 1 && p.1 == p.2).count();
        // 300 cells with probability 1/3: sd 8.2.
        assert!((own(1) as f64 - 100.0).abs() < 40.0);
        let whole = places(4, 2, 4.0, 1);
        assert_eq!(whole.len(), 6 + 32);
    }
}
