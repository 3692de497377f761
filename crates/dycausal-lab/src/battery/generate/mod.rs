//! Data with a known answer: columns that move on their own, and systems with known edges.

mod autoregression;
mod counts;
mod courses;
mod dates;
mod holes;
mod innovations;
mod links;
mod mechanisms;
mod season;
mod shift;
mod subjects;
mod system;
mod volatility;

use ndarray::Array3;

pub(super) use autoregression::{autoregression, oscillation, random_walk};
pub(super) use counts::counts;
pub(super) use courses::Course;
pub(super) use dates::daily;
pub(super) use holes::{hide, off};
pub(super) use innovations::{Innovations, standard};
pub(super) use links::{Link, links, moving};
pub(super) use mechanisms::{Mechanisms, Shape, nonlinear_memory};
pub(super) use season::{profile, rush, sines, weekend};
pub(super) use shift::{jumps, trend};
pub(super) use subjects::Subjects;
pub(super) use system::{System, stable};
pub(super) use volatility::garch;

use super::condition::{Size, Stream};

/// Values\[series, time, variable\] whose columns know nothing of each other.
pub(super) fn independent(
    stream: &mut Stream,
    size: Size,
    column: impl Fn(&mut Stream, usize) -> Vec<f64>,
) -> Array3<f64> {
    let mut values = Array3::zeros(size.shape());
    for series in 0..size.series {
        for variable in 0..size.variables {
            for (step, value) in column(stream, size.steps).into_iter().enumerate() {
                values[[series, step, variable]] = value;
            }
        }
    }
    values
}
