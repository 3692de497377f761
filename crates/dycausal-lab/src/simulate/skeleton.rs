//! Which edges there are, before their weights move.

use dycausal::Run;
use rand::seq::{SliceRandom, index};
use rand::{Rng, RngExt};

/// A cause and an effect with the weight that the dynamics start from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Start {
    pub from: usize,
    pub to: usize,
    pub lag: usize,
    pub weight: f64,
}

/// An Erdős–Rényi graph: min(e d, d(d-1)/2) instantaneous pairs, chosen evenly among those that
/// agree with a random order, and each of the d² pairs at every lag with probability e/d.
pub(super) fn pairs(
    variables: usize,
    lag: usize,
    density: f64,
    seed: u64,
) -> Vec<(usize, usize, usize)> {
    let mut found = instantaneous(variables, density, seed);
    for p in 1..=lag {
        let mut random = Run::new(seed).random(&format!("simulate: graph at lag {p}"));
        let chance = density / variables as f64;
        let cells = variables * variables;
        let at = |cell: usize| (p, cell / variables, cell % variables);
        found.extend(chosen(cells, chance, &mut random).into_iter().map(at));
    }
    found
}

fn instantaneous(variables: usize, density: f64, seed: u64) -> Vec<(usize, usize, usize)> {
    let mut random = Run::new(seed).random("simulate: graph within a step");
    let mut order: Vec<usize> = (0..variables).collect();
    order.shuffle(&mut random);
    let possible = variables * variables.saturating_sub(1) / 2;
    // A density that was checked to be finite and not negative; above `possible` it saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let wanted = ((density * variables as f64).round() as usize).min(possible);
    let mut cells = index::sample(&mut random, possible, wanted).into_vec();
    cells.sort_unstable();
    // Cells count the pairs (early, late) of positions by `late`: late (late - 1) / 2 + early.
    let mut late = 1;
    let mut pair = |cell: usize| {
        while late * (late + 1) / 2 <= cell {
            late += 1;
        }
        (0, order[cell - late * (late - 1) / 2], order[late])
    };
    cells.into_iter().map(&mut pair).collect()
}

/// Each of `cells` with the same chance, by drawing the gaps: the cost is in what is chosen.
fn chosen(cells: usize, chance: f64, random: &mut impl Rng) -> Vec<usize> {
    if chance >= 1.0 {
        return (0..cells).collect();
    }
    let mut found = Vec::new();
    let mut next = 0.0;
    let rate = (-chance).ln_1p();
    while chance > 0.0 {
        next += ((1.0 - random.random::<f64>()).ln() / rate).floor();
        if next >= cells as f64 {
            break;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        found.push(next as usize);
        next += 1.0;
    }
    found
}

/// A weight from ±\[low, high\], divided by `decay` to the power of the lag.
pub(super) fn weight(range: (f64, f64), decay: f64, lag: usize, random: &mut impl Rng) -> f64 {
    let size = range.0 + (range.1 - range.0) * random.random::<f64>();
    let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
    let power = lag as i32;
    sign * size / decay.powi(power)
}
