//! The nonlinear structural equation model: one hidden layer of sigmoids per variable.

use dycausal::{DynamicGraph, Run};
use ndarray::{ArrayViewMut2, s};
use rand::{Rng, RngExt};

use super::noise::Noise;
use super::order::Orders;
use super::skeleton::sign;
use crate::error::Result;

/// x_i = Σ_h v_ih σ(Σ_j u_ihj g_j(t) x_j) + noise, over the causes j of i at their lags.
///
/// u and v are drawn once and stay. The gain g_j(t) is the weight of the edge in the truth: 1 where
/// nothing moves, and no effect where it is 0. A variable without any cause is noise alone.
#[derive(Debug, Clone)]
pub(super) struct Network {
    orders: Orders,
    layers: Vec<Layer>,
    /// Gains\[step\]\[cause\] of each variable.
    gains: Vec<Vec<Vec<f64>>>,
}

/// The causes of one variable and its weights.
#[derive(Debug, Clone, Default)]
struct Layer {
    /// (lag, from) of every cause.
    causes: Vec<(usize, usize)>,
    /// u\[unit, cause\], row after row.
    inner: Vec<f64>,
    /// v\[unit\].
    outer: Vec<f64>,
}

impl Network {
    /// Draws the weights of the networks of a graph that is acyclic at every step.
    pub(super) fn draw(
        graph: &DynamicGraph,
        hidden: usize,
        range: (f64, f64),
        seed: u64,
    ) -> Result<Self> {
        let orders = Orders::of(graph)?;
        let mut layers = vec![Layer::default(); graph.variables()];
        for edge in graph.edges() {
            layers[edge.to].causes.push((edge.lag, edge.from));
        }
        for (variable, layer) in layers.iter_mut().enumerate() {
            let purpose = format!("simulate: network of variable {variable}");
            let mut random = Run::new(seed).random(&purpose);
            let mut one = || {
                let size = range.0 + (range.1 - range.0) * random.random::<f64>();
                sign(&mut random) * size
            };
            layer.outer = (0..hidden).map(|_| one()).collect();
            layer.inner = (0..hidden * layer.causes.len()).map(|_| one()).collect();
        }
        let mut gains = vec![vec![Vec::new(); graph.variables()]; graph.steps()];
        for edge in graph.edges() {
            for (step, row) in gains.iter_mut().enumerate() {
                row[edge.to].push(edge.weight(graph.basis(), step));
            }
        }
        Ok(Self { orders, layers, gains })
    }

    /// Fills values\[time, variable\] of one series, like the linear model's.
    pub(super) fn fill(
        &self,
        noise: &Noise,
        burn_in: usize,
        random: &mut impl Rng,
        values: &mut ArrayViewMut2<'_, f64>,
    ) {
        let widest = self.layers.iter().map(|layer| layer.causes.len()).max();
        let mut inputs = vec![0.0; widest.unwrap_or(0)];
        for row in 0..values.nrows() {
            let step = row.saturating_sub(burn_in);
            for (variable, value) in values.slice_mut(s![row, ..]).iter_mut().enumerate() {
                *value = noise.draw(step, variable, random);
            }
            for &variable in self.orders.at(step) {
                let layer = &self.layers[variable];
                let inputs = &mut inputs[..layer.causes.len()];
                for (input, ((lag, from), gain)) in
                    inputs.iter_mut().zip(layer.causes.iter().zip(&self.gains[step][variable]))
                {
                    *input = if *lag <= row { gain * values[[row - lag, *from]] } else { 0.0 };
                }
                values[[row, variable]] += layer.output(inputs);
            }
        }
    }
}

impl Layer {
    fn output(&self, inputs: &[f64]) -> f64 {
        if inputs.is_empty() {
            return 0.0;
        }
        let rows = self.inner.chunks_exact(inputs.len()).zip(&self.outer);
        rows.map(|(u, v)| {
            let sum: f64 = u.iter().zip(inputs).map(|(u, x)| u * x).sum();
            v / (1.0 + (-sum).exp())
        })
        .sum()
    }
}
