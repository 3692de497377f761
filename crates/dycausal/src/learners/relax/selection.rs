//! The causes of one variable at one decay, and what speaks for every other.

use super::integral::Products;
use crate::regression::Projection;
use crate::thresholds::LEAST_SHARE_OF_NOISE;
use crate::thresholds::SHARE_OF_SQUARE_LEFT;

/// What may and what has to be a cause of a variable.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Those that may be.
    pub allowed: Vec<usize>,
    /// Those that have to be.
    pub required: Vec<usize>,
}

/// Causes that were selected.
#[derive(Debug, Clone)]
pub(super) struct Selected {
    /// The causes.
    pub causes: Vec<usize>,
    /// What is left of the squares of the effect.
    pub residual: f64,
}

/// Selects while the best of the others gains more than 2 log d.
pub(super) fn select(
    products: &Products,
    effect: usize,
    candidates: &Candidates,
    most: usize,
) -> Selected {
    let mut left = projection(products, effect);
    candidates.required.iter().for_each(|cause| give(&mut left, products, *cause));
    let threshold = 2.0 * (products.values.len() as f64).ln();
    while left.given.len() < most.max(candidates.required.len()) {
        let Some((best, gain)) = left.best(candidates.allowed.iter().copied()) else { break };
        if ratio(products, gain, left.residual) <= threshold {
            break;
        }
        give(&mut left, products, best);
    }
    Selected { residual: left.residual, causes: left.given }
}

/// (√L_m + √L_c)² / 4 for every cause: L_m of the cause alone, L_c given the selected others; NaN
/// where it may not be one.
pub(super) fn statistics(
    products: &Products,
    effect: usize,
    candidates: &Candidates,
    selected: &Selected,
) -> Vec<f64> {
    let alone = projection(products, effect);
    let mut given = alone.clone();
    selected.causes.iter().for_each(|cause| give(&mut given, products, *cause));
    let mut out = vec![f64::NAN; products.values.len()];
    for cause in candidates.allowed.iter().copied() {
        let marginal = ratio(products, alone.gain(cause), alone.residual);
        let conditional = if selected.causes.contains(&cause) {
            let mut others = alone.clone();
            let rest = selected.causes.iter().filter(|other| **other != cause);
            rest.for_each(|other| give(&mut others, products, *other));
            ratio(products, others.gain(cause), others.residual)
        } else {
            ratio(products, given.gain(cause), given.residual)
        };
        out[cause] = (marginal.sqrt() + conditional.sqrt()).powi(2) / 4.0;
    }
    out
}

fn projection(products: &Products, effect: usize) -> Projection {
    let squares = products.histories.diag().to_vec();
    Projection::new(
        squares,
        products.cross.column(effect).to_vec(),
        products.values[effect],
        SHARE_OF_SQUARE_LEFT,
    )
}

fn give(left: &mut Projection, products: &Products, cause: usize) {
    left.give(cause, |other| products.histories[[cause, other]]);
}

/// −n log(1 − gain / residual): a log likelihood ratio.
fn ratio(products: &Products, gain: f64, residual: f64) -> f64 {
    if residual <= 0.0 {
        return 0.0;
    }
    -products.freedom * (1.0 - gain / residual).max(LEAST_SHARE_OF_NOISE).ln()
}
