//! A score of one's own, given to the search over orders: counts, by Poisson regression.
//!
//! x_i ~ Poisson(exp(b + Σ_j w_j log(1 + x_j))) costs −2 log likelihood + log n + 2 log columns for every parent
//! (the extended BIC). The search finds the order of the variables that costs least, and the parents of each at any lag.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use dycausal::scores::{Found, LocalScore};
use dycausal::search::{Given, Start, learn};
use dycausal::{Result, Run};
use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Poisson};

/// Counts of each variable in each row, and log(1 + count) of every column: lag · variables + variable.
struct Counts {
    effects: Vec<Vec<f64>>,
    causes: Vec<Vec<f64>>,
}

impl Counts {
    /// Rows from step 1 on, so that every column at lag 1 has a value.
    fn new(series: &[Vec<f64>]) -> Self {
        let logs = |counts: &[f64]| counts.iter().map(|x| x.ln_1p()).collect::<Vec<_>>();
        let within = series.iter().map(|x| logs(&x[1..]));
        let before = series.iter().map(|x| logs(&x[..x.len() - 1]));
        let effects = series.iter().map(|x| x[1..].to_vec()).collect();
        Self { effects, causes: within.chain(before).collect() }
    }

    /// −2 log likelihood, but for a constant of the data, plus the cost of the parents: a few steps of Newton.
    fn score(&self, target: usize, parents: &[usize]) -> f64 {
        let x = &self.effects[target];
        let row = |t: usize| -> Vec<f64> {
            std::iter::once(1.0).chain(parents.iter().map(|p| self.causes[*p][t])).collect()
        };
        let mut weights = vec![0.0; parents.len() + 1];
        weights[0] = (x.iter().sum::<f64>() / x.len() as f64).ln();
        let log_rate = |weights: &[f64], row: &[f64]| -> f64 {
            weights.iter().zip(row).map(|(w, z)| w * z).sum()
        };
        for _ in 0..12 {
            let mut slope = Mat::<f64>::zeros(weights.len(), 1);
            let mut bend = Mat::<f64>::zeros(weights.len(), weights.len());
            for (t, count) in x.iter().enumerate() {
                let row = row(t);
                let rate = log_rate(&weights, &row).exp();
                for (j, z) in row.iter().enumerate() {
                    slope[(j, 0)] += (count - rate) * z;
                    row.iter().enumerate().for_each(|(k, y)| bend[(j, k)] += rate * z * y);
                }
            }
            let Ok(factor) = Llt::new(bend.as_ref(), Side::Lower) else { return f64::INFINITY };
            let step = factor.solve(&slope);
            weights.iter_mut().enumerate().for_each(|(j, w)| *w += step[(j, 0)]);
        }
        let likelihood = x.iter().enumerate().map(|(t, count)| {
            let log_rate = log_rate(&weights, &row(t));
            count * log_rate - log_rate.exp()
        });
        -2.0 * likelihood.sum::<f64>() + parents.len() as f64 * self.cost()
    }
}

impl LocalScore for Counts {
    type Node = (usize, Vec<usize>, Vec<usize>);
    type Regression = Vec<usize>;
    type Scratch = ();

    fn variables(&self) -> usize {
        self.effects.len()
    }

    fn columns(&self) -> usize {
        self.causes.len()
    }

    fn cost(&self) -> f64 {
        (self.effects[0].len() as f64).ln() + 2.0 * (self.columns() as f64).ln()
    }

    fn prepare(&self, target: usize, candidates: &[usize], required: &[usize]) -> Self::Node {
        (target, candidates.to_vec(), required.to_vec())
    }

    fn find(
        &self,
        (target, candidates, required): &Self::Node,
        before: impl Fn(usize) -> bool,
        (): &mut (),
    ) -> Found<Vec<usize>> {
        let within = |c: usize| c < self.variables();
        let may = |c: usize| candidates.contains(&c) && (!within(c) || before(c));
        let columns = self.regress(*target, may, required, &mut ());
        let parents = columns.iter().copied().filter(|c| within(*c)).collect();
        Found { parents, tried: None, score: self.score(*target, &columns), regression: columns }
    }

    /// All that may be parents, without those that cost more than they explain.
    fn regress(
        &self,
        target: usize,
        allowed: impl Fn(usize) -> bool,
        required: &[usize],
        (): &mut (),
    ) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.columns()).filter(|c| allowed(*c)).collect();
        let mut least = self.score(target, &kept);
        let mut at = 0;
        while at < kept.len() {
            let without = [&kept[..at], &kept[at + 1..]].concat();
            let score = self.score(target, &without);
            if score < least && !required.contains(&kept[at]) {
                (kept, least, at) = (without, score, 0);
            } else {
                at += 1;
            }
        }
        kept
    }

    fn selected(regression: &Vec<usize>) -> &[usize] {
        regression
    }
}

fn main() -> Result<()> {
    let names = ["tickets", "visits", "calls"];
    let score = Counts::new(&simulated(400));
    let learned = learn(&score, Start::Anywhere, &Given::default(), &Run::new(0))?;

    let order: Vec<&str> = learned.order().iter().map(|v| names[*v]).collect();
    println!("causes first: {}; total cost {:.1}", order.join(", "), learned.total());
    for (effect, name) in names.iter().enumerate() {
        for column in learned.parents(effect) {
            let (lag, cause) = (column / names.len(), names[column % names.len()]);
            println!("{cause} -> {name} at lag {lag}");
        }
    }
    assert_eq!(learned.parents(0), [2], "calls bring tickets within the step");
    assert_eq!(learned.parents(1), [3], "tickets bring visits one step later");
    assert!(learned.parents(2).is_empty());
    Ok(())
}

/// Calls at random; tickets by the calls of the step, visits by the tickets of the step before.
fn simulated(steps: usize) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut counted =
        |log_rate: f64| Poisson::new(log_rate.exp()).map_or(0.0, |law| law.sample(&mut random));
    let [mut tickets, mut visits, mut calls] = [const { Vec::new() }; 3];
    for t in 0..steps {
        let earlier = if t == 0 { 0.0 } else { tickets[t - 1] };
        let called: f64 = counted(1.5);
        tickets.push(counted(0.1 + 0.8 * called.ln_1p()));
        visits.push(counted(0.2 + 0.6 * f64::ln_1p(earlier)));
        calls.push(called);
    }
    vec![tickets, visits, calls]
}
