//! Families of tests, and the q-values within each.

use super::candidate::{Candidate, Decision};
use crate::inference::adjusted_among;

/// How many edges could have been selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    /// Edges between variables.
    pub between: usize,
    /// Effects of variables on themselves.
    pub own: usize,
}

impl Searched {
    /// Every edge up to a lag, each pair within a step in the direction that the order admits.
    pub fn in_order(variables: usize, lag: usize) -> Self {
        let pairs = variables * variables.saturating_sub(1);
        Self { between: pairs / 2 + lag * pairs, own: lag * variables }
    }
}

/// What each candidate comes to.
///
/// ```
/// use dycausal::listing::{Candidate, Searched, decided};
///
/// let edge = |from, to, p, required| Candidate { from, to, lag: 1, p: Some(p), required, ..Candidate::default() };
/// let found = [edge(0, 1, 0.01, false), edge(0, 0, 0.01, false), edge(1, 2, 0.01, true)];
/// // Three variables and a lag of 1: 6 edges between variables, 3 effects on oneself, 1 that was required.
/// let decisions = decided(&found, Searched { between: 6, own: 3 });
/// let q: Vec<f64> = decisions.iter().map(|decision| decision.q).collect();
/// assert_eq!(q, [0.06, 0.03, 0.01]);
/// assert!(!decisions[0].is_listed(0.05) && decisions[1].is_listed(0.05));
/// ```
pub fn decided(candidates: &[Candidate], searched: Searched) -> Vec<Decision> {
    let open = |candidate: &Candidate| Decision { candidate: *candidate, q: 1.0 };
    let mut decisions: Vec<Decision> = candidates.iter().map(open).collect();
    adjust(decisions.iter_mut(), searched);
    decisions
}

/// Gives every decision its q among all of them.
pub(super) fn adjust<'a>(decisions: impl Iterator<Item = &'a mut Decision>, searched: Searched) {
    let (mut between, mut own, mut required) = (Vec::new(), Vec::new(), Vec::new());
    for decision in decisions {
        let family = match decision.candidate {
            Candidate { required: true, .. } => &mut required,
            candidate if candidate.is_own() => &mut own,
            _ => &mut between,
        };
        family.push(decision);
    }
    // Edges that were required were not looked for among others.
    let given = required.len();
    for (family, possible) in [(between, searched.between), (own, searched.own), (required, given)]
    {
        let p: Vec<f64> = family.iter().map(|decision| decision.p()).collect();
        let adjusted = adjusted_among(&p, possible.max(p.len()));
        family.into_iter().zip(adjusted).for_each(|(decision, q)| decision.q = q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize, p: f64) -> Candidate {
        Candidate { from, to, lag: 1, p: Some(p), ..Candidate::default() }
    }

    #[test]
    fn everything_is_listed_at_one_and_q_of_alpha_is() {
        let untested = Candidate { p: None, ..edge(0, 1, 0.0) };
        let decisions = decided(&[untested, edge(1, 2, 0.05)], Searched { between: 1, own: 0 });
        assert!(decisions.iter().all(|decision| decision.is_listed(1.0)));
        let alone = decided(&[edge(1, 2, 0.05)], Searched { between: 1, own: 0 });
        assert!(alone[0].is_listed(0.05) && !alone[0].is_listed(0.049));
    }

    #[test]
    fn what_was_required_makes_no_other_edge_look_better() {
        let searched = Searched::in_order(3, 1);
        assert_eq!(searched, Searched { between: 9, own: 3 });
        let alone = decided(&[edge(0, 1, 0.02)], searched)[0].q;
        let required = Candidate { required: true, ..edge(1, 2, 1e-9) };
        let beside = decided(&[edge(0, 1, 0.02), required], searched);
        assert_eq!(beside[0].q, alone);
        assert!(beside[1].q < 1e-8 && beside[1].is_listed(0.0));
    }
}
