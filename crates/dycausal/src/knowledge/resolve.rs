//! From statements by name to knowledge by number.

use super::claims::Claims;
use super::contradictions;
use super::lags::Lags;
use super::names::Names;
use super::statements::Statements;
use super::{Forbidden, Knowledge, Required};
use crate::error::Result;
use crate::order::sort_or_cycle;
use crate::panel::TimeIndex;

impl Statements {
    /// Holds the statements against the variables and times of data.
    ///
    /// `seconds` reads a date: seconds since 1970.
    ///
    /// # Errors
    /// [`crate::Error::Knowledge`], with the lines: names that are not there, patterns that fit no
    /// name, periods without steps, and whatever contradicts itself.
    pub fn resolve(
        &self,
        names: &[String],
        times: &TimeIndex,
        seconds: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<Knowledge> {
        let statements = self.words();
        if statements.is_empty() {
            return Ok(Knowledge::default());
        }
        let count = names.len();
        let names = Names::new(self, names)?;
        let claims = Claims::of(self, &names, count, times, seconds)?;
        contradictions::refuse(self, &names, &claims)?;
        let mut known =
            Knowledge { source: self.source.clone(), statements, ..Knowledge::about(count) };
        for claim in claims.forbidden {
            match claim.steps {
                None => known.forbid(claim.from, claim.to, claim.lags),
                Some(steps) => {
                    let (from, to, lags) = (claim.from, claim.to, claim.lags);
                    known.periods.push(Forbidden { from, to, lags, steps });
                }
            }
        }
        let mut before: Vec<(usize, usize)> =
            claims.before.iter().map(|pair| (pair.first, pair.second)).collect();
        for claim in claims.required {
            for lag in claim.lags.named() {
                let (from, to, steps) = (claim.from, claim.to, claim.steps.clone());
                if lag == 0 && steps.is_none() {
                    before.push((from, to));
                }
                known.required.push(Required { from, to, lag, steps });
            }
        }
        known.required.sort_by_key(|edge| (edge.to, edge.lag, edge.from));
        known.required.dedup();
        known.put_before(&before);
        Ok(known)
    }
}

impl Knowledge {
    /// Nothing known yet, about so many variables.
    pub(super) fn about(variables: usize) -> Self {
        let forbidden = vec![Lags::NONE; variables * variables];
        let before = vec![false; variables * variables];
        Self { variables, forbidden, before, ..Self::default() }
    }

    pub(super) fn forbid(&mut self, from: usize, to: usize, lags: Lags) {
        let known = &mut self.forbidden[from * self.variables + to];
        *known = known.with(lags);
    }

    /// Pairs of which the first comes before the second within a step, and what follows from them.
    pub(super) fn put_before(&mut self, pairs: &[(usize, usize)]) {
        let d = self.variables;
        // Those that contradict themselves were refused.
        let Ok(order) = sort_or_cycle(d, pairs) else { return };
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); d];
        for (first, second) in pairs {
            after[*first].push(*second);
        }
        for v in order.into_iter().rev() {
            for next in &after[v] {
                self.before[v * d + next] = true;
                let (from, to) = (next * d, v * d);
                for k in 0..d {
                    self.before[to + k] |= self.before[from + k];
                }
            }
        }
    }
}
