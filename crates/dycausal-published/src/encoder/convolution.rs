//! The sliding convolution of Eq. 3: one kernel over all series and the steps of a window.
//!
//! z_k = P·window_k + bias maps the numbers of a window (series × steps × variables) to d·m. P is by
//! far the largest part of the model, and is never stored: with g = Σ_k dz_k window_kᵀ its gradient,
//! Adam's means need g at every entry, but P itself is only ever seen through z, and
//! z_k ← z_k − rate · U·window_k follows Adam's update U exactly. One sweep over the means does
//! gradient, update and the next z, in blocks that stay in the first cache. The bias is the weight
//! of one more input that is always 1.
//!
//! Every step of Adam moves every entry of P by about the rate, and all inputs of a window add up:
//! with thousands of them a single step moves z by tens, the sigmoids behind it saturate, and
//! windows may end up with one and the same state for good. So the kernel takes shorter steps, such
//! that z moves by at most `reach` times the rate.

use dycausal::internals::real::Real;
use dycausal::internals::vectors::{Kernel, vectorised};
use rayon::prelude::*;

use super::Encode;
use crate::kernels::{LANES, Strided, dots, multiply};
use crate::optimise::{Adam, EPSILON, FIRST, Reader, SECOND, State, write_numbers};

/// Inputs of a block: with 13 knots it takes 13 KB of f32.
const BLOCK: usize = 256;
/// Outputs of a group: what one thread takes at a time.
const GROUP: usize = 16;

/// z\[knot, output\] and Adam's means of the kernel.
pub(crate) struct Convolution<R> {
    /// Windows\[block, knot, input\], with zeros after the last input.
    windows: Vec<R>,
    knots: usize,
    outputs: usize,
    /// z, in f64: it is the sum of thousands of small updates.
    state: Vec<f64>,
    groups: Vec<Group<R>>,
    /// Length of the kernel's steps, relative to the rate.
    pace: f64,
}

/// Adam's means of some outputs, \[block, output, input\], and room to work in.
struct Group<R> {
    first: Vec<R>,
    second: Vec<R>,
    /// Gradient of z\[output, knot\].
    slope: Vec<R>,
    /// Gradient of a block, and then its update, \[output, input\].
    update: Vec<R>,
    /// z's change\[output, knot\], in lanes.
    sums: Vec<[R; LANES]>,
}

impl<R: Real> Convolution<R> {
    /// A convolution over `windows` of equal length, one per knot, to `outputs` numbers.
    ///
    /// The kernel begins uniform in ±1/√length; `uniform` draws from ±1. A step moves z by at most
    /// `reach` times the rate; 0 stands for any distance.
    pub fn new(
        windows: &[Vec<f64>],
        outputs: usize,
        reach: f64,
        mut uniform: impl FnMut() -> f64,
    ) -> Self {
        let size = |window: &Vec<f64>| 1.0 + window.iter().map(|x| x.abs()).sum::<f64>();
        let largest = windows.iter().map(size).fold(1.0, f64::max);
        let knots = windows.len();
        let length = windows.first().map_or(0, Vec::len);
        let blocks = (length + 1).div_ceil(BLOCK);
        let mut blocked = vec![R::ZERO; blocks * knots * BLOCK];
        for (k, window) in windows.iter().enumerate() {
            for (i, x) in window.iter().chain([&1.0]).enumerate() {
                blocked[(i / BLOCK * knots + k) * BLOCK + i % BLOCK] = R::of(*x);
            }
        }
        let bound = 1.0 / (length.max(1) as f64).sqrt();
        let mut state = vec![0.0; knots * outputs];
        for output in 0..outputs {
            for i in 0..=length {
                let weight = bound * uniform();
                for (k, window) in windows.iter().enumerate() {
                    state[k * outputs + output] += weight * window.get(i).unwrap_or(&1.0);
                }
            }
        }
        let group = |start: usize| Group::new(GROUP.min(outputs - start), blocks, knots);
        Self {
            windows: blocked,
            knots,
            outputs,
            state,
            groups: (0..outputs).step_by(GROUP).map(group).collect(),
            pace: if reach > 0.0 { (reach / largest).min(1.0) } else { 1.0 },
        }
    }
}

impl<R: Real> Encode<R> for Convolution<R> {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn step(&mut self, slope: &[R], adam: Adam) {
        let (windows, knots, outputs) = (&self.windows, self.knots, self.outputs);
        self.groups.par_iter_mut().enumerate().for_each(|(g, group)| {
            let columns = g * GROUP..(g * GROUP + GROUP).min(outputs);
            for (c, output) in columns.enumerate() {
                for k in 0..knots {
                    group.slope[c * knots + k] = slope[k * outputs + output];
                }
            }
            vectorised::<Sweep, _>((group, windows.as_slice(), knots, adam));
        });
        for (g, group) in self.groups.iter().enumerate() {
            for (at, lanes) in group.sums.iter().enumerate() {
                let (output, k) = (g * GROUP + at / knots, at % knots);
                let moved: f64 = lanes.iter().map(|x| x.wide()).sum();
                let rate = self.pace * adam.rate * adam.first_correction;
                self.state[k * outputs + output] -= rate * moved;
            }
        }
    }

    fn restart(&mut self) {
        for group in &mut self.groups {
            group.first.fill(R::ZERO);
            group.second.fill(R::ZERO);
        }
    }
}

impl<R: Real> Group<R> {
    fn new(outputs: usize, blocks: usize, knots: usize) -> Self {
        let means = vec![R::ZERO; blocks * outputs * BLOCK];
        Self {
            first: means.clone(),
            second: means,
            slope: vec![R::ZERO; outputs * knots],
            update: vec![R::ZERO; outputs * BLOCK],
            sums: vec![[R::ZERO; LANES]; outputs * knots],
        }
    }
}

/// Sweeps once over the means; leaves U·window_k / (rate and first correction) in `sums`.
struct Sweep;

impl<R: Real> Kernel<(&mut Group<R>, &[R], usize, Adam)> for Sweep {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run((own, windows, knots, adam): (&mut Group<R>, &[R], usize, Adam)) {
        let outputs = own.slope.len() / knots;
        own.sums.fill([R::ZERO; LANES]);
        let correction = R::of(adam.second_correction);
        let means = own.first.chunks_exact_mut(outputs * BLOCK);
        let means = means.zip(own.second.chunks_exact_mut(outputs * BLOCK));
        for (block, (first, second)) in windows.chunks_exact(knots * BLOCK).zip(means) {
            own.update.fill(R::ZERO);
            let slope = Strided { numbers: &own.slope, row: knots, column: 1 };
            multiply(&mut own.update, outputs, knots, slope, block, BLOCK);
            take(&mut own.update, first, second, correction);
            let updates = own.update.chunks_exact(BLOCK);
            for (sums, update) in own.sums.chunks_exact_mut(knots).zip(updates) {
                dots(sums, update, block);
            }
        }
    }
}

/// Takes the gradient into Adam's means, and leaves m / (√(v · correction) + ε) in its place.
#[inline(always)]
#[allow(clippy::inline_always)]
fn take<R: Real>(update: &mut [R], first: &mut [R], second: &mut [R], correction: R) {
    let keep = (R::of(FIRST), R::of(SECOND));
    let add = (R::of(1.0 - FIRST), R::of(1.0 - SECOND));
    let epsilon = R::of(EPSILON);
    for ((u, m), v) in update.iter_mut().zip(first).zip(second) {
        let g = *u;
        *m = keep.0.times_plus(*m, add.0 * g);
        *v = keep.1.times_plus(*v, add.1 * g * g);
        *u = *m / ((*v * correction).root() + epsilon);
    }
}

impl<R: Real> State for Convolution<R> {
    fn write(&self, out: &mut Vec<u8>) {
        write_numbers(&self.state, out);
        for group in &self.groups {
            write_numbers(&group.first, out);
            write_numbers(&group.second, out);
        }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.numbers(&mut self.state)?;
        for group in &mut self.groups {
            from.numbers(&mut group.first)?;
            from.numbers(&mut group.second)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::optimise::Trained;

    /// The same convolution with a kernel that is stored, and Adam on it.
    #[test]
    fn a_kernel_that_is_never_stored_moves_as_one_that_is() {
        let (knots, length, outputs) = (3, 600, 18);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let windows: Vec<Vec<f64>> = (0..knots)
            .map(|_| (0..length).map(|_| random.random_range(-2.0..2.0)).collect())
            .collect();
        let mut draws = ChaCha8Rng::seed_from_u64(9);
        let mut again = draws.clone();
        let mut lean =
            Convolution::<f64>::new(&windows, outputs, 0.0, || draws.random_range(-1.0..1.0));
        let bound = 1.0 / (length as f64).sqrt();
        let count = outputs * (length + 1);
        let kernel = (0..count).map(|_| bound * again.random_range(-1.0..1.0)).collect();
        let mut stored = Trained::<f64>::new(kernel);
        let input = |k: usize, i: usize| windows[k].get(i).copied().unwrap_or(1.0);
        for n in 1..=20 {
            let slope: Vec<f64> = lean.state.iter().map(|z| z - 0.5 * z * z).collect();
            for (at, g) in stored.gradient.iter_mut().enumerate() {
                let (c, i) = (at / (length + 1), at % (length + 1));
                *g = (0..knots).map(|k| slope[k * outputs + c] * input(k, i)).sum();
            }
            stored.step(Adam::step(0.01, n));
            lean.step(&slope, Adam::step(0.01, n));
            for (at, z) in lean.state.iter().enumerate() {
                let (k, c) = (at / outputs, at % outputs);
                let row = &stored.values[c * (length + 1)..(c + 1) * (length + 1)];
                let expected: f64 = row.iter().enumerate().map(|(i, p)| p * input(k, i)).sum();
                assert!((z - expected).abs() < 1e-9, "step {n}: {z} {expected}");
            }
        }
    }
}
