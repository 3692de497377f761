//! What a fit needs.

use dycausal::PanelShape;

use crate::parameters::{DyCausal, Encoder, Model, Precision};

/// Copies of the weights at the knots: gradients, means of Adam, what a step back needs.
const COPIES: f64 = 12.0;

/// Bytes: what the model reads of the data, weights at the knots, and the decoder's networks.
pub(crate) fn memory(method: &DyCausal, shape: PanelShape) -> f64 {
    let number = if method.precision == Precision::Single { 4.0 } else { 8.0 };
    let (steps, d) = (shape.steps as f64, shape.variables as f64);
    let causes = shape.columns(method.lag);
    let units = if method.model == Model::Linear { 1.0 } else { method.units as f64 };
    let knots = if method.window == 0 { 1.0 } else { steps / method.spacing as f64 + 1.0 };
    let (width, square) = (d * units, causes * causes);
    let window = if method.window == 0 { steps } else { (method.window as f64).min(steps) };
    let model = if method.model == Model::Linear {
        // Moments of every step, and those of every knot with its neighbours.
        8.0 * steps * (causes + 1.0).powi(2) + knots * square * (16.0 + 3.0 * number)
    } else {
        // Rows with their lags, and per step that is reconstructed weights, slopes and what is active.
        let rows = shape.rows() * (causes + d) * number;
        let active = window * shape.series as f64 * width;
        let reconstructed = if method.window == 0 { 1.0 } else { steps };
        rows + reconstructed * number * (2.0 * causes * width + active)
    };
    let networks = match method.encoder {
        Encoder::Convolution => {
            let hidden = method.hidden as f64;
            4.0 * number * causes * (hidden * (units + width) + knots * (units + hidden))
        }
        Encoder::Free => 0.0,
    };
    2.0 * shape.values() + model + COPIES * number * knots * causes * width + networks
}
