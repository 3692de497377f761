//! The evidence of a Gaussian process on some rows, and its gradient.
//!
//! −log p(y) = ½ y'K⁻¹y + ½ log |K| + ½ n log 2π with K the covariance of a [family](super::family), 10 for
//! the mean that nobody knows, and noise on its diagonal. The gradient by a parameter θ is −½ Σ M ∘ ∂K/∂θ,
//! M = αα' − K⁻¹ and α = K⁻¹y.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{
    LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::cholesky::llt::inverse::{inverse, inverse_scratch};
use faer::linalg::cholesky::llt::solve::{solve_in_place, solve_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par, Spec};

use super::entries::{
    Arcsine, ArcsineSlopes, DotProduct, Exponentials, Outer, PairSums, Radial, RadialEntry, Rough,
    Smooth, SumSlopes, Times, mirror,
};
use super::family::Covariance;
use crate::real::Real;
use crate::vectors::vectorised;

/// Variance of the mean, which nobody knows: ten times that of the target.
pub(super) const MEAN: f64 = 10.0;

/// Rows of one process, and memory for its evidence.
pub(crate) struct Process<R: Real> {
    /// Inputs\[row, input\].
    z: Mat<R>,
    y: Mat<R>,
    /// The step that each row is of, where steps have means of their own.
    steps: Option<Vec<usize>>,
    /// Inputs times their relevance.
    scaled: Mat<R>,
    /// Their inner products.
    products: Mat<R>,
    /// The covariance, then its factor.
    k: Mat<R>,
    /// The covariance of the function alone, in the lower triangle.
    function: Mat<R>,
    /// What the gradient needs of each entry.
    slope: Mat<R>,
    /// K⁻¹, then M.
    m: Mat<R>,
    alpha: Mat<R>,
    /// M ∘ slope times the inputs.
    weighed: Mat<R>,
    /// k_j of each input, where they are summed up.
    parts: Vec<Mat<R>>,
    memory: MemBuffer,
}

impl<R: Real> Process<R> {
    /// A process on rows\[row\]\[input\] with a target of variance about 1.
    pub fn new(inputs: &[Vec<R>], y: &[R], steps: Option<Vec<usize>>) -> Self {
        let (n, p) = (y.len(), inputs.len());
        let params: Spec<LltParams, R> = Spec::default();
        let need = StackReq::any_of(&[
            cholesky_in_place_scratch::<R>(n, Par::Seq, params),
            inverse_scratch::<R>(n, Par::Seq),
            solve_in_place_scratch::<R>(n, 1, Par::Seq),
        ]);
        let square = || Mat::zeros(n, n);
        Self {
            z: Mat::from_fn(n, p, |row, input| inputs[input][row]),
            y: Mat::from_fn(n, 1, |row, _| y[row]),
            steps,
            scaled: Mat::zeros(n, p),
            products: square(),
            k: square(),
            function: square(),
            slope: square(),
            m: square(),
            alpha: Mat::zeros(n, 1),
            weighed: Mat::zeros(n, p),
            parts: Vec::new(),
            memory: MemBuffer::new(need),
        }
    }

    /// The negative log evidence; infinite where the covariance has no factor.
    pub fn value(&mut self, family: Covariance, parameters: &[f64]) -> f64 {
        self.fill(family, parameters);
        self.factor().unwrap_or(f64::INFINITY)
    }

    /// The same, with its gradient added to `gradient`.
    pub fn gradient(
        &mut self,
        family: Covariance,
        parameters: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let value = self.value(family, parameters);
        if !value.is_finite() {
            return value;
        }
        self.invert();
        let (n, p) = (self.z.nrows(), self.z.ncols());
        let (w, rest) = parameters.split_at(p);
        let (by_size, by_noise) = (p, p + 1);
        let mut trace = 0.0;
        let mut whole = 0.0;
        for b in 0..n {
            let (m, f) = (&self.m.col_as_slice(b)[b..], &self.function.col_as_slice(b)[b..]);
            trace += m[0].wide();
            whole += 2.0 * dot(m, f) - m[0].wide() * f[0].wide();
        }
        gradient[by_noise] += -0.5 * rest[1].exp() * trace;
        match family {
            Covariance::Sums => self.add_sums(w, rest, gradient),
            Covariance::Arcsine => {
                gradient[by_size] += -0.5 * whole;
                self.add_arcsine(w, rest, gradient);
            }
            Covariance::Smooth | Covariance::Rough => {
                gradient[by_size] += -0.5 * whole;
                self.add_radial(w, 0.0, gradient);
            }
            Covariance::LinearAndSmooth => {
                let linear = rest[2].exp();
                let mut line = 0.0;
                for b in 0..n {
                    let m = &self.m.col_as_slice(b)[b..];
                    let g = &self.products.col_as_slice(b)[b..];
                    line += 2.0 * dot(m, g) - m[0].wide() * g[0].wide();
                }
                line *= linear;
                gradient[by_size] += -0.5 * (whole - line);
                gradient[p + 2] += -0.5 * line;
                self.add_radial(w, linear, gradient);
            }
        }
        value
    }

    /// K⁻¹ y at the parameters that were last evaluated.
    pub fn solution(&self) -> Vec<f64> {
        self.alpha.col_as_slice(0).iter().map(|a| a.wide()).collect()
    }

    /// K⁻¹ v at the parameters that were last evaluated by [`Process::value`].
    pub fn solve(&mut self, v: &[f64]) -> Vec<f64> {
        let mut x = Mat::from_fn(v.len(), 1, |row, _| R::of(v[row]));
        let stack = MemStack::new(&mut self.memory);
        solve_in_place(self.k.as_ref(), x.as_mut(), Par::Seq, stack);
        x.col_as_slice(0).iter().map(|a| a.wide()).collect()
    }

    /// Writes the covariance and what its gradient needs.
    fn fill(&mut self, family: Covariance, parameters: &[f64]) {
        let (n, p) = (self.z.nrows(), self.z.ncols());
        let (w, rest) = parameters.split_at(p);
        let size = R::of(rest[0].exp());
        if family == Covariance::Sums {
            self.fill_sums(w, rest);
        } else {
            for (j, w) in w.iter().enumerate() {
                let w = R::of(*w);
                let to = self.scaled.col_as_slice_mut(j).iter_mut();
                to.zip(self.z.col_as_slice(j)).for_each(|(s, z)| *s = w * *z);
            }
            let (x, out) = (self.scaled.as_ref(), self.products.as_mut());
            matmul(out, Accum::Replace, x, x.transpose(), R::ONE, Par::Seq);
            let own: Vec<R> = (0..n).map(|a| self.products[(a, a)]).collect();
            match family {
                Covariance::Arcsine => {
                    let bias = R::of(rest[2].exp());
                    let two = R::of(2.0);
                    let root: Vec<R> =
                        own.iter().map(|s| R::ONE / (R::ONE + two * (bias + *s)).root()).collect();
                    for b in 0..n {
                        let g = &self.products.col_as_slice(b)[b..];
                        let f = &mut self.function.col_as_slice_mut(b)[b..];
                        let u = &mut self.slope.col_as_slice_mut(b)[b..];
                        vectorised::<Arcsine, _>((g, &root[b..], (bias, root[b], size), u, f));
                    }
                }
                Covariance::Rough => self.fill_radial::<Rough>(&own, size, R::ZERO),
                Covariance::Smooth => self.fill_radial::<Smooth>(&own, size, R::ZERO),
                Covariance::LinearAndSmooth | Covariance::Sums => {
                    self.fill_radial::<Smooth>(&own, size, R::of(rest[2].exp()));
                }
            }
        }
        let (mean, noise) = (R::of(MEAN), R::of(rest[1].exp()));
        for b in 0..n {
            let f = &self.function.col_as_slice(b)[b..];
            let k = &mut self.k.col_as_slice_mut(b)[b..];
            if let Some(steps) = &self.steps {
                let own = steps[b];
                for ((k, f), step) in k.iter_mut().zip(f).zip(&steps[b..]) {
                    *k = *f + if *step == own { mean } else { R::ZERO };
                }
            } else {
                k.iter_mut().zip(f).for_each(|(k, f)| *k = *f + mean);
            }
            k[0] += noise;
        }
    }

    fn fill_radial<P: RadialEntry>(&mut self, own: &[R], size: R, linear: R) {
        for b in 0..own.len() {
            let g = &self.products.col_as_slice(b)[b..];
            let f = &mut self.function.col_as_slice_mut(b)[b..];
            let s = &mut self.slope.col_as_slice_mut(b)[b..];
            vectorised::<Radial<P>, _>((g, &own[b..], (size, linear), f, s));
        }
    }

    fn fill_sums(&mut self, w: &[f64], rest: &[f64]) {
        let n = self.z.nrows();
        while self.parts.len() < w.len() {
            self.parts.push(Mat::zeros(n, n));
        }
        let (size, pairs) = (R::of(rest[0].exp()), R::of(0.5 * rest[3].exp()));
        let sharp = R::of(-0.5 * (-2.0 * rest[2]).exp());
        for b in 0..n {
            let total = &mut self.slope.col_as_slice_mut(b)[b..];
            let squares = &mut self.function.col_as_slice_mut(b)[b..];
            total.fill(R::ZERO);
            squares.fill(R::ZERO);
            for (j, w) in w.iter().enumerate().filter(|(_, w)| **w > 0.0) {
                let z = &self.z.col_as_slice(j)[b..];
                let part = &mut self.parts[j].col_as_slice_mut(b)[b..];
                vectorised::<Exponentials, _>((
                    z,
                    sharp,
                    R::of(w * w),
                    part,
                    &mut *total,
                    &mut *squares,
                ));
            }
            vectorised::<PairSums, _>((&*total, (size, pairs), squares));
        }
    }

    /// Factors K, solves for α; the negative log evidence.
    fn factor(&mut self) -> Option<f64> {
        let n = self.k.nrows();
        let params: Spec<LltParams, R> = Spec::default();
        let stack = MemStack::new(&mut self.memory);
        let plain = LltRegularization::default();
        cholesky_in_place(self.k.as_mut(), plain, Par::Seq, stack, params).ok()?;
        self.alpha.copy_from(&self.y);
        let stack = MemStack::new(&mut self.memory);
        solve_in_place(self.k.as_ref(), self.alpha.as_mut(), Par::Seq, stack);
        let fit = dot(self.alpha.col_as_slice(0), self.y.col_as_slice(0));
        let log_det: f64 = (0..n).map(|a| self.k[(a, a)].wide().ln()).sum();
        let value = 0.5 * fit + log_det + 0.5 * n as f64 * std::f64::consts::TAU.ln();
        value.is_finite().then_some(value)
    }

    /// M = αα' − K⁻¹, in the lower triangle.
    fn invert(&mut self) {
        let n = self.k.nrows();
        let stack = MemStack::new(&mut self.memory);
        inverse(self.m.as_mut(), self.k.as_ref(), Par::Seq, stack);
        for b in 0..n {
            let alpha = &self.alpha.col_as_slice(0)[b..];
            let own = alpha[0];
            let m = &mut self.m.col_as_slice_mut(b)[b..];
            vectorised::<Outer, _>((alpha, own, m));
        }
    }

    /// Derivatives by relevance of a function of r², and of a linear part.
    ///
    /// Σ_ab Q_ab (z_a − z_b)² = 2 Σ_a q_a z_a² − 2 z'Qz with Q = M ∘ slope, q = Q 1; the linear part has only
    /// −½ z'Mz, so that ½ M is taken off Q for the product alone.
    fn add_radial(&mut self, w: &[f64], linear: f64, gradient: &mut [f64]) {
        let n = self.k.nrows();
        let mut sums = vec![R::ZERO; n];
        let line = R::of(-0.5 * linear);
        for b in 0..n {
            let m = &self.m.col_as_slice(b)[b..];
            let q = &mut self.slope.col_as_slice_mut(b)[b..];
            let own = vectorised::<Times, _>((m, line, q, &mut sums[b..]));
            // The diagonal counts once.
            sums[b] = own;
        }
        mirror(&mut self.slope);
        let (q, z) = (self.slope.as_ref(), self.z.as_ref());
        matmul(self.weighed.as_mut(), Accum::Replace, q, z, R::ONE, Par::Seq);
        for (j, w) in w.iter().enumerate() {
            let z = self.z.col_as_slice(j);
            let own: f64 = z.iter().zip(&sums).map(|(z, q)| q.wide() * z.wide() * z.wide()).sum();
            let cross = dot(z, self.weighed.col_as_slice(j));
            gradient[j] += -(own - cross) * 2.0 * w;
        }
    }

    fn add_arcsine(&mut self, w: &[f64], rest: &[f64], gradient: &mut [f64]) {
        let (n, p, size) = (self.k.nrows(), w.len(), R::of(rest[0].exp()));
        let bias = rest[2].exp();
        // u_a = Σ_b Q_ab U_ab, Q = s_f² M / √(1 − U²); Q takes the place of U.
        let mut sums = vec![R::ZERO; n];
        for b in 0..n {
            let m = &self.m.col_as_slice(b)[b..];
            let q = &mut self.slope.col_as_slice_mut(b)[b..];
            let own = vectorised::<ArcsineSlopes, _>((m, size, q, &mut sums[b..]));
            sums[b] = own;
        }
        mirror(&mut self.slope);
        let mut u: Vec<f64> = sums.iter().map(|u| u.wide()).collect();
        let root: Vec<f64> = (0..n)
            .map(|a| 1.0 / (1.0 + 2.0 * (bias + self.products[(a, a)].wide())).sqrt())
            .collect();
        u.iter_mut().zip(&root).for_each(|(u, r)| *u *= r * r);
        for j in 0..p {
            let to = self.scaled.col_as_slice_mut(j).iter_mut();
            let from = self.z.col_as_slice(j).iter().zip(&root);
            to.zip(from).for_each(|(s, (z, r))| *s = *z * R::of(*r));
        }
        let (q, x) = (self.slope.as_ref(), self.scaled.as_ref());
        matmul(self.weighed.as_mut(), Accum::Replace, q, x, R::ONE, Par::Seq);
        for (j, w) in w.iter().enumerate() {
            let cross = dot(self.scaled.col_as_slice(j), self.weighed.col_as_slice(j));
            let z = self.z.col_as_slice(j);
            let own: f64 = z.iter().zip(&u).map(|(z, u)| u * z.wide() * z.wide()).sum();
            gradient[j] += -(cross - own) * 2.0 * w;
        }
        let roots = Mat::from_fn(n, 1, |row, _| R::of(root[row]));
        let mut through = Mat::zeros(n, 1);
        matmul(through.as_mut(), Accum::Replace, q, roots.as_ref(), R::ONE, Par::Seq);
        let ones = dot(roots.col_as_slice(0), through.col_as_slice(0));
        gradient[p + 2] += -(ones - u.iter().sum::<f64>()) * bias;
    }

    fn add_sums(&mut self, w: &[f64], rest: &[f64], gradient: &mut [f64]) {
        let (n, p) = (self.k.nrows(), w.len());
        let (size, ratio) = (rest[0].exp(), rest[3].exp());
        let sharp = (-2.0 * rest[2]).exp();
        let (mut first, mut second, mut length) = (0.0, 0.0, 0.0);
        let mut squares = vec![R::ZERO; n];
        for b in 0..n {
            // Twice below the diagonal.
            let m = &mut self.m.col_as_slice_mut(b)[b..];
            m[1..].iter_mut().for_each(|m| *m = *m + *m);
            let m = &self.m.col_as_slice(b)[b..];
            let total = &self.slope.col_as_slice(b)[b..];
            let by_total = dot(m, total);
            first += by_total;
            let squares = &mut squares[b..];
            squares.fill(R::ZERO);
            for (j, w) in w.iter().enumerate().filter(|(_, w)| **w > 0.0) {
                let relevance = w * w;
                let part = &self.parts[j].col_as_slice(b)[b..];
                let z = &self.z.col_as_slice(j)[b..];
                let factors = (R::of(relevance), R::of(ratio));
                let (by_relevance, by_length) =
                    vectorised::<SumSlopes, _>((m, total, part, z, factors, &mut *squares));
                gradient[j] += -0.5 * size * by_relevance.wide() * 2.0 * w;
                length += relevance * by_length.wide() * sharp;
            }
            let pairs = total.iter().zip(squares.iter()).zip(m);
            second += pairs.map(|((t, s), m)| (*m * (*t * *t - *s)).wide()).sum::<f64>() / 2.0;
        }
        gradient[p] += -0.5 * size * (first + ratio * second);
        gradient[p + 2] += -0.5 * size * length;
        gradient[p + 3] += -0.5 * size * ratio * second;
    }
}

/// Σ a b, added up in double precision.
fn dot<R: Real>(a: &[R], b: &[R]) -> f64 {
    vectorised::<DotProduct, _>((a, b))
}
