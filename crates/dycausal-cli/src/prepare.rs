//! `--prepare log:sales,difference:price,standardise`: what is done to columns first.

use clap::Args;
use dycausal::Panel;
use dycausal::prepare::{Prepared, Recipe};

use crate::failure::Failure;

/// What is done to the columns before anything else.
#[derive(Args)]
pub struct PrepareArguments {
    /// Prepare columns, in this order: log, difference, difference(STEPS), detrend, deseason(STEPS),
    /// clip(SD), rank, standardise; each of all columns, or :COLUMN, or :A+B*
    #[arg(long, value_name = "STEP:COLUMN,…")]
    pub prepare: Vec<String>,
}

impl PrepareArguments {
    /// What is asked for.
    pub fn recipe(&self) -> Result<Recipe, Failure> {
        recipe(&self.prepare)
    }
}

/// What some words ask for, one after the other.
pub fn recipe(words: &[String]) -> Result<Recipe, Failure> {
    let parts: Result<Vec<Recipe>, dycausal::Error> =
        words.iter().map(|text| text.parse()).collect();
    Ok(Recipe(parts?.into_iter().flat_map(|part| part.0).collect()))
}

/// The panel as it is prepared, and the record where anything was done.
pub fn prepared(panel: Panel, recipe: &Recipe) -> Result<(Panel, Option<Prepared>), Failure> {
    if recipe.is_empty() {
        return Ok((panel, None));
    }
    let (panel, record) = recipe.apply(&panel)?;
    Ok((panel, Some(record)))
}
