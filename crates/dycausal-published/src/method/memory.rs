//! What a fit needs.

use dycausal::PanelShape;

use crate::parameters::{DyCausal, Encoder, Model};

/// Bytes of a number.
const NUMBER: f64 = 4.0;
/// Copies of the weights at the knots: gradients, means of Adam, what a step back needs.
const COPIES: f64 = 12.0;

/// Bytes: what the model reads of the data, weights at the knots, and the decoder's networks.
pub(crate) fn memory(method: &DyCausal, shape: PanelShape) -> f64 {
    let (steps, d) = (shape.steps as f64, shape.variables as f64);
    let causes = shape.columns(method.lag);
    let units = if method.model == Model::Linear { 1.0 } else { method.units as f64 };
    let knots = if method.window == 0 { 1.0 } else { steps / method.spacing as f64 + 1.0 };
    let (width, square) = (d * units, causes * causes);
    let window = if method.window == 0 { steps } else { (method.window as f64).min(steps) };
    let model = if method.model == Model::Linear {
        // Moments of every step, and those of every knot with its neighbours.
        8.0 * steps * (causes + 1.0).powi(2) + knots * square * (16.0 + 3.0 * NUMBER)
    } else {
        // Rows with their lags, and per step that is reconstructed weights, slopes and what is active.
        let rows = shape.rows() * (causes + d) * NUMBER;
        let active = window * shape.series as f64 * width;
        let reconstructed = if method.window == 0 { 1.0 } else { steps };
        rows + reconstructed * NUMBER * (2.0 * causes * width + active)
    };
    let networks = match method.encoder {
        Encoder::Convolution => {
            let hidden = method.hidden as f64;
            4.0 * NUMBER * causes * (hidden * (units + width) + knots * (units + hidden))
        }
        Encoder::Free => 0.0,
    };
    2.0 * shape.values() + model + COPIES * NUMBER * knots * causes * width + networks
}
