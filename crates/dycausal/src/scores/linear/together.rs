//! Regressions of many variables at once, where moments of all pairs of columns would not fit.
//!
//! All columns are looked through for what explains the residuals ([`super::screen`]); the best go into a pool,
//! whose moments are added up from the rows, and forward selection begins anew inside it. What it leaves is
//! looked through again, as long as that finds something. With many columns some gain by chance what half of a
//! parent's cost asks for; so a group has to gain at least what five of all columns would.

use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::forward::Stop;
use super::local_score::Scratch;
use super::rows::{FromRows, pool_key};
use super::screen::{AllowedColumns, Look};
use super::shrink::Fit;
use super::{LinearScore, Source};
use crate::error::Result;

/// Columns of the first pool.
const FIRST_POOL: usize = 32;
/// Columns that a later look adds, at most.
const ADDED: usize = 32;
/// Share of what a group has to gain given the others, that it has to gain on its own.
const NEAR: f64 = 0.7;
/// Looks at everything, at least and at most.
const ROUNDS: (usize, usize) = (2, 6);
/// Costs of a parent that what a look finds for a variable has to gain, on average, for another one to follow: what
/// is near to the causes gains about one, causes that were hidden gain many.
const MUCH: f64 = 5.0;
/// Columns per variable from which on so many are alike that looks go on whatever they gain.
const DENSE: usize = 24;
/// Share of variables for which a look has to find much, for another one to follow.
const MANY: f64 = 0.15;
/// Columns that gain by chance what a group has to, per target.
const CHANCE: f64 = 5.0;

/// The columns that are required of a target.
pub(super) type RequiredColumns<'a> = &'a (dyn Fn(usize) -> Vec<usize> + Sync);

/// What is asked of many regressions.
pub(super) struct JointRequest<'a> {
    /// Which columns a target may have.
    pub allowed: AllowedColumns<'a>,
    /// Which it has to have.
    pub required: RequiredColumns<'a>,
    /// What a parent has to gain, as a share of its cost.
    pub share: f64,
}

impl LinearScore {
    /// What a group has to lower rows · log s² by, where there are many columns.
    pub(super) fn stop_of_many(&self, share: f64, required: usize) -> Stop {
        let stop = self.stop(share, required);
        let tail = (CHANCE / self.columns.size() as f64).min(0.5);
        let law = ChiSquared::new(self.basis.size() as f64);
        let chance = law.map_or(0.0, |law| law.inverse_cdf(1.0 - tail));
        Stop { penalty: stop.penalty.max(chance), ..stop }
    }

    /// Forward selection of these targets among all allowed columns, nothing dropped.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(super) fn grown(
        &self,
        rows: &FromRows,
        targets: &[usize],
        asked: &JointRequest<'_>,
    ) -> Result<Vec<Fit>> {
        let nothing = |target: &usize| {
            let variance = rows.variance(self, *target);
            Fit { variance, ..Fit::default() }
        };
        let mut fits: Vec<Fit> = targets.par_iter().map(nothing).collect();
        let mut active: Vec<usize> = (0..targets.len()).collect();
        for round in 0..ROUNDS.1 {
            let looks: Vec<Look<'_>> = active
                .iter()
                .map(|k| self.look(targets[*k], &fits[*k], asked.share, round == 0))
                .collect();
            let found = rows.screen.found(&self.columns, &looks, asked.allowed, &self.cancel)?;
            let grown: Vec<Option<Fit>> = active
                .par_iter()
                .zip(found)
                .map_init(Scratch::default, |scratch, (k, found)| {
                    self.cancel.proceed()?;
                    let (target, known) = (targets[*k], &fits[*k].selected);
                    let pool =
                        pool(known, &found, &(asked.required)(target), asked.allowed, target);
                    let more = round == 0 || pool.iter().any(|c| !known.contains(c));
                    Ok(more.then(|| self.within(rows, target, &pool, asked, false, scratch)))
                })
                .collect::<Result<_>>()?;
            let (mut some, mut much) = (Vec::new(), Vec::new());
            for (k, fit) in active.iter().zip(grown) {
                let Some(fit) = fit else { continue };
                let before = &fits[*k];
                let is_new = |c: &&usize| !before.selected.contains(c);
                let new = fit.selected.iter().filter(is_new).fold(0.0, |count, _| count + 1.0);
                let gained = self.columns.rows() * (before.variance / fit.variance).ln();
                if new > 0.0 {
                    some.push(*k);
                }
                if gained > MUCH * self.penalty() * new {
                    much.push(*k);
                }
                fits[*k] = fit;
            }
            let chosen: usize = fits.iter().map(|fit| fit.selected.len()).sum();
            let again = round + 1 < ROUNDS.0 || chosen > DENSE * targets.len();
            active = if again { some } else { much };
            let few = active.len() as f64 <= MANY * targets.len() as f64;
            if active.is_empty() || (round + 1 >= ROUNDS.0 && few) {
                break;
            }
        }
        Ok(fits)
    }

    /// Grow and shrink of these targets, beginning with columns that are known to be worth a look.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(super) fn regressed(
        &self,
        rows: &FromRows,
        targets: &[usize],
        known: &[Vec<usize>],
        asked: &JointRequest<'_>,
    ) -> Result<Vec<Fit>> {
        let fit = |target: usize, more: &[usize], scratch: &mut Scratch| {
            let required = (asked.required)(target);
            let pool = pool(&known[target], more, &required, asked.allowed, target);
            let key = pool_key(target, &pool, &required, asked.share);
            rows.fits.get_or(key, || self.within(rows, target, &pool, asked, true, scratch))
        };
        let mut fits: Vec<Fit> = targets
            .par_iter()
            .map_init(Scratch::default, |scratch, target| {
                self.cancel.proceed()?;
                Ok(fit(*target, &[], scratch))
            })
            .collect::<Result<_>>()?;
        // What explains the residuals depends on the regression alone, whatever the order.
        let new: Vec<usize> = (0..targets.len())
            .filter(|k| rows.seen(targets[*k], &fits[*k].selected).is_none())
            .collect();
        let looks: Vec<Look<'_>> =
            new.iter().map(|k| self.look(targets[*k], &fits[*k], asked.share, false)).collect();
        let others: AllowedColumns<'_> = &|column, target| column != target;
        let found = rows.screen.found(&self.columns, &looks, others, &self.cancel)?;
        for (k, found) in new.iter().zip(found) {
            rows.see(targets[*k], &fits[*k].selected, found);
        }
        let grown: Vec<Option<Fit>> = targets
            .par_iter()
            .zip(&fits)
            .map_init(Scratch::default, |scratch, (target, now)| {
                self.cancel.proceed()?;
                let mut found = rows.seen(*target, &now.selected).unwrap_or_default();
                found.retain(|c| (asked.allowed)(*c, *target) && !known[*target].contains(c));
                Ok((!found.is_empty()).then(|| fit(*target, &found, scratch)))
            })
            .collect::<Result<_>>()?;
        for (fit, grown) in fits.iter_mut().zip(grown) {
            if let Some(grown) = grown {
                *fit = grown;
            }
        }
        Ok(fits)
    }

    /// Grow and shrink of these targets among all allowed columns, where moments come from the rows.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(super) fn some_grown(
        &self,
        targets: &[usize],
        allowed: AllowedColumns<'_>,
        required: RequiredColumns<'_>,
    ) -> Result<Option<Vec<Fit>>> {
        let Source::Rows(rows) = &self.source else { return Ok(None) };
        let asked = JointRequest { allowed, required, share: 1.0 };
        let grown = self.grown(rows, targets, &asked)?;
        let shrunk =
            targets.par_iter().zip(&grown).map_init(Scratch::default, |scratch, (target, fit)| {
                self.within(rows, *target, &fit.selected, &asked, true, scratch)
            });
        Ok(Some(shrunk.collect()))
    }

    fn look<'a>(&self, target: usize, fit: &'a Fit, share: f64, first: bool) -> Look<'a> {
        let stop = self.stop_of_many(share, 0);
        let least = fit.variance * -(-NEAR * stop.penalty / stop.rows).exp_m1();
        let (least, most) = if first { (0.0, FIRST_POOL) } else { (least, ADDED) };
        Look { target, fit, least, most }
    }

    /// Selection inside a pool of columns.
    pub(super) fn within(
        &self,
        rows: &FromRows,
        target: usize,
        pool: &[usize],
        asked: &JointRequest<'_>,
        shrink: bool,
        scratch: &mut Scratch,
    ) -> Fit {
        let required = (asked.required)(target);
        let mut which = pool.to_vec();
        which.push(target);
        if !shrink {
            rows.fill(self, &which, &mut scratch.rough, &mut scratch.gram);
        } else if !rows.recall(target, &which, &mut scratch.gram) {
            // Not candidates alone, whose moments the search knows.
            rows.fill(self, &which, &mut scratch.work, &mut scratch.gram);
        }
        let place = |column: &usize| pool.iter().position(|c| c == column);
        let required: Vec<usize> = required.iter().filter_map(place).collect();
        let mut stop = self.stop_of_many(asked.share, required.len());
        stop.most = stop.most.min(pool.len());
        let allowed = |c: usize| c < pool.len();
        let mut fit = select(pool.len(), &allowed, &required, stop, shrink, scratch);
        fit.selected.iter_mut().for_each(|c| *c = pool[*c]);
        // What was dropped leaves room behind, for every variable.
        fit.selected.shrink_to_fit();
        fit.coefficients.shrink_to_fit();
        fit
    }
}

/// Selection among the moments in `scratch`.
fn select(
    target: usize,
    allowed: &dyn Fn(usize) -> bool,
    required: &[usize],
    mut stop: Stop,
    shrink: bool,
    scratch: &mut Scratch,
) -> Fit {
    scratch.forward.select(&mut &scratch.gram, target, allowed, required, stop);
    if !shrink {
        // Whatever a group is worth is more than this.
        stop.penalty = f64::NEG_INFINITY;
    }
    let mut fit = Fit::default();
    scratch.shrink.backward(&scratch.forward, &scratch.gram, target, stop, &mut fit);
    fit
}

/// Allowed columns of all three lists, each once, in increasing order.
fn pool(
    known: &[usize],
    found: &[usize],
    required: &[usize],
    allowed: AllowedColumns<'_>,
    target: usize,
) -> Vec<usize> {
    let all = known.iter().chain(found).chain(required);
    let mut pool: Vec<usize> = all.copied().filter(|c| allowed(*c, target)).collect();
    pool.sort_unstable();
    pool.dedup();
    pool
}
