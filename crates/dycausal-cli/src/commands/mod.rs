//! One file per command.

pub mod compare;
pub mod completions;
pub mod demo;
pub mod fit;
pub mod inspect;
pub mod methods;
pub mod plot;
pub mod report;
pub mod reproduce;
pub mod score;
pub mod simulate;
