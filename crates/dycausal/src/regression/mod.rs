//! Least squares of one variable on several causes.
//!
//! - From rows: [`Sample`] sums them up, step by step or by columns, in [pieces of time](Pieces) where a series is
//!   long;
//! - from sums: [`NormalEquations`] gives coefficients, what leaving some out costs, and what is left;
//! - one cause at a time: [`Projection`] keeps what is left of all candidates beside those that are given.
//!
//! How sure coefficients are is told in `inference::covariance`. Two regressions stay where they are, for they
//! are what a search spends its time on: `scores::linear` (from moments, factors kept between steps) and
//! `scores::additive` (groups of columns); and `design::score_test` orthogonalises columns, since it asks what is
//! left of each row.

mod normal;
mod pieces;
mod projection;
mod sample;

pub(crate) use normal::Fitted;
pub use normal::NormalEquations;
pub(crate) use pieces::Pieces;
pub(crate) use projection::Projection;
pub(crate) use sample::{Regressor, Sample};
