//! How far back effects reach, where nobody said.
//!
//! Each variable is regressed by grow-and-shrink with effects up to lag L, on the same rows for every L; the
//! lag is that of the least total cost, or the shortest of those within a margin of it.

use rayon::prelude::*;

use crate::error::Result;
use crate::run::facts::LagChoice;
use crate::scores::LocalScore;

/// What a lag is chosen by, of a score with regressions `R`.
pub(super) struct LagQuestion<'a, R> {
    /// The longest lag that is tried.
    pub longest: usize,
    /// The lag that the run at least needs, whatever the data ask for.
    pub least: usize,
    /// What a longer lag has to gain.
    pub margin: f64,
    /// Variables that are asked where a score looks at many columns at once.
    pub some: Vec<usize>,
    /// Whether, with effects up to a lag, a column may be a cause of a variable.
    pub allowed: &'a (dyn Fn(usize, usize, usize) -> bool + Sync),
    /// Columns that a variable has to have.
    pub required: &'a (dyn Fn(usize) -> Vec<usize> + Sync),
    /// What the regression of a variable costs, with effects up to a lag.
    pub cost: &'a (dyn Fn(usize, usize, &R) -> f64 + Sync),
}

impl<R> LagQuestion<'_, R> {
    /// The lag that a score asks for.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn asked<S: LocalScore<Regression = R>>(&self, score: &S) -> Result<LagChoice> {
        let costs = (1..=self.longest).map(|lag| self.total(score, lag)).collect::<Result<_>>()?;
        Ok(self.chosen(costs))
    }

    /// What all variables cost with effects up to a lag.
    fn total<S: LocalScore<Regression = R>>(&self, score: &S, lag: usize) -> Result<f64> {
        let allowed = |column: usize, to: usize| (self.allowed)(lag, column, to);
        if let Some(found) = score.regress_some(&self.some, &allowed, self.required)? {
            let each = self.some.iter().zip(&found);
            return Ok(each.map(|(to, regression)| (self.cost)(lag, *to, regression)).sum());
        }
        let one = |scratch: &mut S::Scratch, to: usize| {
            score.proceed()?;
            let regression = score.regress(to, |c| allowed(c, to), &(self.required)(to), scratch);
            Ok((self.cost)(lag, to, &regression))
        };
        let all = (0..score.variables()).into_par_iter().map_init(S::Scratch::default, one);
        Ok(all.collect::<Result<Vec<f64>>>()?.iter().sum())
    }

    fn chosen(&self, costs: Vec<f64>) -> LagChoice {
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let near = least + self.margin;
        let chosen = costs.iter().position(|cost| *cost <= near).unwrap_or(0) + 1;
        let worse = costs.iter().map(|cost| cost - least).collect();
        LagChoice { chosen: chosen.max(self.least), worse, margin: self.margin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(costs: Vec<f64>, margin: f64, least: usize) -> LagChoice {
        let (allowed, required) = (&|_, _, _| true, &|_| Vec::new());
        let cost = &|_, _, (): &()| 0.0;
        let some = Vec::new();
        LagQuestion { longest: 3, least, margin, some, allowed, required, cost }.chosen(costs)
    }

    #[test]
    fn a_longer_lag_has_to_gain_more_than_the_margin() {
        let costs = || vec![5.0, 2.0, 1.0];
        let free = chosen(costs(), 0.0, 1);
        assert_eq!((free.chosen, free.worse), (3, vec![4.0, 1.0, 0.0]));
        assert_eq!(chosen(costs(), 1.5, 1).chosen, 2);
        assert_eq!(chosen(costs(), 9.0, 1).chosen, 1);
        assert_eq!(chosen(costs(), 9.0, 2).chosen, 2);
    }
}
