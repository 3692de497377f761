//! A gene circuit: dx_i/dt = production_i - γ_i x_i + 0.1, with production from one or two regulators.
//!
//! A regulator j that activates counts h = x_j² / (K² + x_j²), one that represses 1 - h, each times β. Two
//! regulators add up, or multiply, with even odds.

use dycausal::Run;
use dycausal::graph::{Edge, Trajectory};
use rand::seq::index::sample;
use rand_distr::{Distribution, Uniform};

/// What is produced without any regulator.
const LEAK: f64 = 0.1;

/// One regulator of a gene.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Regulator {
    from: usize,
    activates: bool,
    half: f64,
    strength: f64,
}

/// One gene.
#[derive(Debug, Clone, PartialEq)]
struct Gene {
    regulators: Vec<Regulator>,
    multiply: bool,
    decay: f64,
}

/// Genes that regulate each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Circuit(Vec<Gene>);

impl Circuit {
    /// K from [0.5, 1.5], β from [1, 2], γ from [0.8, 1.2].
    pub(super) fn draw(variables: usize, seed: u64) -> Self {
        let mut random = Run::new(seed).random("simulate: circuit");
        let gene = |to: usize| {
            let mut between = |low: f64, high: f64| {
                Uniform::new_inclusive(low, high).map_or(low, |law| law.sample(&mut random))
            };
            let count = if between(0.0, 1.0) < 0.5 { 1 } else { 2 };
            let (multiply, decay) = (between(0.0, 1.0) < 0.5, between(0.8, 1.2));
            let mut regulators: Vec<Regulator> = (0..count)
                .map(|_| Regulator {
                    from: 0,
                    activates: between(0.0, 1.0) < 0.5,
                    half: between(0.5, 1.5),
                    strength: between(1.0, 2.0),
                })
                .collect();
            let others = sample(&mut random, variables - 1, count.min(variables - 1));
            regulators.truncate(others.len());
            for (regulator, other) in regulators.iter_mut().zip(others) {
                regulator.from = other + usize::from(other >= to);
            }
            Gene { regulators, multiply, decay }
        };
        Self((0..variables).map(gene).collect())
    }

    /// What moves each gene: its regulators and itself, one step before.
    pub(super) fn edges(&self, steps: usize) -> Vec<Edge> {
        let edge =
            |from: usize, to: usize| Edge::new(from, to, 1, Trajectory::Constant(1.0), steps);
        let of_one = |(to, gene): (usize, &Gene)| {
            let causes = gene.regulators.iter().map(|regulator| regulator.from);
            causes.chain([to]).map(|from| edge(from, to)).collect::<Vec<_>>()
        };
        self.0.iter().enumerate().flat_map(of_one).collect()
    }

    /// dx/dt.
    pub(super) fn slope(&self, x: &[f64], out: &mut [f64]) {
        for (i, gene) in self.0.iter().enumerate() {
            let parts = gene.regulators.iter().map(|r| r.strength * r.activity(x[r.from]));
            let made: f64 = if gene.multiply { parts.product() } else { parts.sum() };
            out[i] = made - gene.decay * x[i] + LEAK;
        }
    }
}

impl Regulator {
    fn activity(self, x: f64) -> f64 {
        let square = x.max(0.0).powi(2);
        let share = square / (self.half * self.half + square);
        if self.activates { share } else { 1.0 - share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_have_one_or_two_regulators_that_are_not_themselves() {
        for seed in 0..20 {
            let circuit = Circuit::draw(6, seed);
            for (i, gene) in circuit.0.iter().enumerate() {
                assert!((1..=2).contains(&gene.regulators.len()));
                assert!(gene.regulators.iter().all(|r| r.from != i && r.from < 6));
            }
            let (mut low, mut high) = (vec![0.0; 6], vec![0.0; 6]);
            circuit.slope(&[0.0; 6], &mut low);
            circuit.slope(&[100.0; 6], &mut high);
            // Nothing is produced without end: what is much decays.
            assert!(low.iter().all(|s| *s >= LEAK) && high.iter().all(|s| *s < -70.0));
        }
    }
}
