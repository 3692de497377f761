//! Tests and leaves out, until what is left stands.

use rayon::prelude::*;

use super::candidate::{Candidate, Decision};
use super::counts::counts;
use super::families::{Searched, adjust};
use crate::error::Result;
use crate::run::facts::Counts;

/// Rounds of testing and leaving out, at most.
const ROUNDS: usize = 5;

/// Tests the causes of every equation, leaves out those that are not listed, and tests again what is left:
/// what one cause loses another may explain. `test` gives the candidates of an equation as it stands, and
/// `leave` takes out of it all but those that it is given.
///
/// # Errors
/// If a test fails.
pub fn settled<E: Send + Sync>(
    equations: &mut [E],
    (searched, alpha): (Searched, f64),
    test: impl Fn(&E) -> Result<Vec<Candidate>> + Sync,
    leave: impl Fn(&mut E, &[Decision]),
) -> Result<(Vec<Vec<Decision>>, Counts)> {
    let mut decisions: Vec<Vec<Decision>> = equations.iter().map(|_| Vec::new()).collect();
    let mut changed = vec![true; equations.len()];
    let mut found = Counts::default();
    for round in 0..ROUNDS {
        let tested: Vec<Option<Vec<Candidate>>> = equations
            .par_iter()
            .zip(&changed)
            .map(|(equation, changed)| changed.then(|| test(equation)).transpose())
            .collect::<Result<_>>()?;
        if round == 0 {
            found = counts(tested.iter().flatten().flatten());
        }
        let open = |candidate| Decision { candidate, q: 1.0 };
        for (own, tested) in decisions.iter_mut().zip(tested) {
            if let Some(tested) = tested {
                *own = tested.into_iter().map(open).collect();
            }
        }
        adjust(decisions.iter_mut().flatten(), searched);
        for ((equation, own), changed) in equations.iter_mut().zip(&mut decisions).zip(&mut changed)
        {
            let before = own.len();
            own.retain(|decision| decision.is_listed(alpha));
            *changed = own.len() < before;
            if *changed {
                leave(equation, own);
            }
        }
        if !changed.contains(&true) {
            break;
        }
    }
    found.listed = decisions.iter().map(Vec::len).sum();
    Ok((decisions, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_tested_again() {
        // The second cause says something only beside the third.
        let mut equations = vec![vec![0.001, 0.01, 0.9]];
        let test = |p: &Vec<f64>| {
            let alone = |from: usize| p.len() < 3 && from == 1;
            let candidate = |(from, p): (usize, &f64)| Candidate {
                from,
                to: 9,
                lag: 1,
                p: Some(if alone(from) { 0.5 } else { *p }),
                ..Candidate::default()
            };
            Ok(p.iter().enumerate().map(candidate).collect())
        };
        let leave = |p: &mut Vec<f64>, kept: &[Decision]| {
            *p = kept.iter().map(|decision| p[decision.candidate.from]).collect();
        };
        let rule = (Searched { between: 3, own: 0 }, 0.05);
        let (decisions, found) = settled(&mut equations, rule, test, leave).unwrap();
        assert_eq!(equations, [[0.001]]);
        assert_eq!(found, Counts { selected: 3, tested: 3, listed: 1 });
        assert!((decisions[0][0].q - 0.003).abs() < 1e-12);
    }
}
