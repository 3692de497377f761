//! The second phase of PCMCI: every link tested given the causes of both of its ends.

use dycausal::inference::adjusted;
use ndarray::Array3;

use crate::independence::{Independence, Node, Tested};

/// Conditions of a link: the parents of the effect but the cause itself, and the parents of the
/// cause as many steps earlier.
pub(crate) fn conditions(
    parents: &[Vec<Node>],
    variables: usize,
    (from, to, lag): (usize, usize, usize),
) -> Vec<Node> {
    let cause = lag * variables + from;
    let mut given: Vec<Node> = parents[to].iter().copied().filter(|node| *node != cause).collect();
    for node in &parents[from] {
        let earlier = node + lag * variables;
        if !given.contains(&earlier) {
            given.push(earlier);
        }
    }
    given
}

/// Tests of all links of one effect: \[lag − first, from\].
pub(super) fn tests_of(
    independence: &Independence,
    parents: &[Vec<Node>],
    variables: usize,
    to: usize,
    lags: std::ops::RangeInclusive<usize>,
) -> Vec<Tested> {
    let mut all = Vec::with_capacity(variables * lags.clone().count());
    for (lag, from) in lags.flat_map(|lag| (0..variables).map(move |from| (lag, from))) {
        all.push(if lag == 0 && from == to {
            Tested { value: 0.0, p: 1.0 }
        } else {
            let given = conditions(parents, variables, (from, to, lag));
            independence.test(lag * variables + from, to, &given)
        });
    }
    all
}

/// p-values\[lag, from, to\] with those of lags adjusted by Benjamini and Hochberg; those within a
/// step stay as they are.
pub(crate) fn adjusted_lags(p: &Array3<f64>) -> Array3<f64> {
    let mut out = p.clone();
    let mut lagged = out.slice_mut(ndarray::s![1.., .., ..]);
    // A link that could not be tested is not there.
    let values: Vec<f64> = lagged.iter().map(|p| if p.is_nan() { 1.0 } else { *p }).collect();
    for (q, adjusted) in lagged.iter_mut().zip(adjusted(&values)) {
        *q = adjusted;
    }
    out
}
