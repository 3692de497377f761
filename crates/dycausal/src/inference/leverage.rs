//! The leverage of the rows of long series, z'A z.
//!
//! With A_t the inverse moments A between the functions of time ψ_t, the leverage of a row of step t is
//! x'A_t x. Functions move little from piece to piece, and leverages of long series are small: so neighbouring
//! pieces share one A_t, and their rows are multiplied with it at once.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::regression::{Fitted, Sample};

/// Blocks of steps that share their functions of time.
const BLOCKS: usize = 64;

/// z'A z of every row.
pub(crate) fn leverage(sample: &Sample<'_>, fitted: &Fitted) -> Vec<f64> {
    let (count, rows) = (sample.regressors.len(), sample.target.len());
    let steps = sample.psi.nrows();
    let each = steps.div_ceil(BLOCKS).max(1);
    let mut out = vec![0.0; rows];
    let mut shared = vec![0.0; count * count];
    let (mut values, mut product) = (Vec::new(), Vec::new());
    for (block, out) in out.chunks_mut(each * sample.series).enumerate() {
        let start = block * each * sample.series;
        let middle = (block * each + each / 2).min(steps - 1);
        share(sample, fitted, middle, &mut shared);
        values.clear();
        for x in &sample.regressors {
            values.extend_from_slice(&x.values[start..start + out.len()]);
        }
        product.resize(values.len(), 0.0);
        matmul(
            MatMut::from_column_major_slice_mut(&mut product, out.len(), count),
            Accum::Replace,
            MatRef::from_column_major_slice(&values, out.len(), count),
            MatRef::from_column_major_slice(&shared, count, count),
            1.0,
            Par::Seq,
        );
        let columns = values.chunks_exact(out.len()).zip(product.chunks_exact(out.len()));
        for (x, a) in columns {
            out.iter_mut().zip(x).zip(a).for_each(|((h, x), a)| *h += x * a);
        }
    }
    out
}

/// Σ ψ_b ψ_c A between all regressors at a step.
fn share(sample: &Sample<'_>, fitted: &Fitted, step: usize, out: &mut [f64]) {
    let (psi, count, size) =
        (sample.psi.row(step), sample.regressors.len(), fitted.coefficients.len());
    for g in 0..count {
        for h in 0..=g {
            let cols = fitted.starts[h]..fitted.starts[h + 1];
            let row = |(r, p): (usize, &f64)| {
                let entries = &fitted.inverse[r * size + cols.start..r * size + cols.end];
                p * entries.iter().zip(psi).map(|(a, p)| a * p).sum::<f64>()
            };
            let value: f64 = (fitted.starts[g]..fitted.starts[g + 1]).zip(psi).map(row).sum();
            out[g * count + h] = value;
            out[h * count + g] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::super::regression::Regressor;
    use super::*;

    #[test]
    fn it_is_that_of_every_row_but_for_what_functions_move_in_a_block() {
        let steps = 1030; // the last block is shorter
        let series = 3;
        let rows = steps * series;
        let noise = |k: usize| ((k * k * 7919 + k * 104_729) % 10_007) as f64 / 10_007.0 - 0.5;
        let u = |t: usize| 2.0 * t as f64 / steps as f64 - 1.0;
        let psi = Array2::from_shape_fn((steps, 3), |(t, b)| u(t).powi(i32::try_from(b).unwrap()));
        let x: Vec<Vec<f64>> =
            (0..3).map(|j| (0..rows).map(|t| noise(t + 31 * j)).collect()).collect();
        let functions = [3, 3, 1];
        let regressor = |(x, functions)| Regressor { values: x, functions };
        let sample = Sample {
            target: &x[0],
            regressors: x.iter().map(Vec::as_slice).zip(functions).map(regressor).collect(),
            psi: psi.view(),
            series,
            weights: None,
            precision: None,
            intercepts: 0.0,
        };
        let fitted = sample.normal().solve(&[0, 1, 2]).unwrap();
        let found = leverage(&sample, &fitted);
        let size = fitted.coefficients.len();
        for row in (0..rows).step_by(7) {
            let z: Vec<f64> = (0..3)
                .flat_map(|g| (0..functions[g]).map(move |b| (g, b)))
                .map(|(g, b)| x[g][row] * psi[[row / series, b]])
                .collect();
            let exact: f64 =
                (0..size * size).map(|at| z[at / size] * fitted.inverse[at] * z[at % size]).sum();
            assert!((found[row] - exact).abs() < 0.15 * exact + 1e-5, "{} {exact}", found[row]);
        }
        let total: f64 = found.iter().sum();
        assert!((total - size as f64).abs() < 0.02 * size as f64, "{total}");
    }
}
