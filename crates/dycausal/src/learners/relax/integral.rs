//! The integral form at one decay: what is left of values and histories beside starts and constants.

use ndarray::{Array2, Array3, ArrayView3, ArrayViewMut2, Axis};

/// Rows (series by series, step by step) of values and of histories, with e^{−λt} of each trajectory
/// and the history of a constant taken out.
#[derive(Debug)]
pub(super) struct Integral {
    /// Values\[row, variable\].
    pub values: Array2<f64>,
    /// Histories\[row, variable\].
    pub histories: Array2<f64>,
}

/// Second moments of an integral form.
#[derive(Debug)]
pub(super) struct Products {
    /// H'H.
    pub histories: Array2<f64>,
    /// H'Y\[cause, effect\].
    pub cross: Array2<f64>,
    /// The squares of each value.
    pub values: Vec<f64>,
    /// Rows less starts and the constant.
    pub freedom: f64,
}

impl Integral {
    /// The form of values\[series, step, variable\] counted from rest.
    pub fn at(decay: f64, values: ArrayView3<'_, f64>) -> Self {
        let constant = Array3::ones((values.dim().0, values.dim().1, 1));
        let mut constant = rows(without_starts(history(constant.view(), decay), decay));
        let length = constant.iter().map(|x| x * x).sum::<f64>().sqrt();
        constant.mapv_inplace(|x| if length > 0.0 { x / length } else { 0.0 });
        let left = |of: Array3<f64>| {
            let mut all = rows(without_starts(of, decay));
            let share = constant.t().dot(&all);
            all -= &constant.dot(&share);
            all
        };
        Self { values: left(values.to_owned()), histories: left(history(values, decay)) }
    }

    /// Its second moments; there are so many trajectories.
    pub fn products(&self, series: usize) -> Products {
        let square = |column: ndarray::ArrayView1<'_, f64>| column.iter().map(|x| x * x).sum();
        Products {
            histories: self.histories.t().dot(&self.histories),
            cross: self.histories.t().dot(&self.values),
            values: self.values.axis_iter(Axis(1)).map(square).collect(),
            freedom: (self.values.nrows() as f64 - series as f64 - 1.0).max(1.0),
        }
    }
}

/// h(t) = e^{−λ} h(t − 1) + ½ (e^{−λ} x(t − 1) + x(t)), from h(0) = 0.
fn history(values: ArrayView3<'_, f64>, decay: f64) -> Array3<f64> {
    let left = (-decay).exp();
    let mut out = Array3::zeros(values.dim());
    for (mut past, now) in out.outer_iter_mut().zip(values.outer_iter()) {
        for step in 1..now.nrows() {
            for variable in 0..now.ncols() {
                let area = 0.5 * (left * now[[step - 1, variable]] + now[[step, variable]]);
                past[[step, variable]] = left * past[[step - 1, variable]] + area;
            }
        }
    }
    out
}

/// Takes e^{−λt} out of every trajectory: its start is free.
fn without_starts(mut values: Array3<f64>, decay: f64) -> Array3<f64> {
    let steps = values.dim().1;
    let shape: Vec<f64> = (0..steps).map(|t| (-decay * t as f64).exp()).collect();
    let square: f64 = shape.iter().map(|s| s * s).sum();
    values.outer_iter_mut().for_each(|series| take_out(series, &shape, square));
    values
}

fn take_out(mut series: ArrayViewMut2<'_, f64>, shape: &[f64], square: f64) {
    for mut column in series.axis_iter_mut(Axis(1)) {
        let share = column.iter().zip(shape).map(|(x, s)| x * s).sum::<f64>() / square;
        column.iter_mut().zip(shape).for_each(|(x, s)| *x -= share * s);
    }
}

/// The trajectories one below the other.
fn rows(values: Array3<f64>) -> Array2<f64> {
    let (series, steps, variables) = values.dim();
    let standard = values.as_standard_layout().into_owned();
    let shape = (series * steps, variables);
    standard.into_shape_with_order(shape).unwrap_or_else(|_| Array2::zeros(shape))
}
