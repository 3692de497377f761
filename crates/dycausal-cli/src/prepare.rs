//! `--prepare log:sales,difference:price,standardise`: what is done to columns first.

use clap::Args;
use dycausal::Panel;
use dycausal::prepare::{Kind, Prepared, Recipe};

use crate::failure::Failure;

/// With fewer cycles than this a season takes about as many numbers as it leaves.
const FEW_CYCLES: usize = 5;

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

/// What a season that comes only a few times does.
pub fn warnings(recipe: &Recipe, panel: &Panel) -> Vec<String> {
    let doubtful = |period: usize| (2 * period..FEW_CYCLES * period).contains(&panel.steps());
    let periods = recipe.0.iter().filter_map(|step| period_of(step.kind));
    let told = periods.filter(|period| doubtful(*period)).map(|period| {
        let cycles = panel.steps() as f64 / period as f64;
        format!(
            "--prepare deseason({period}): {} steps have {cycles:.1} cycles: the mean of each place in so few takes much of the data along, and makes edges of its own",
            panel.steps()
        )
    });
    told.collect()
}

/// Refuses periods and differences that the series are too short for, by their names.
fn check_lengths(recipe: &Recipe, panel: &Panel) -> Result<(), Failure> {
    let steps = panel.steps();
    for step in &recipe.0 {
        if let Some(period) = period_of(step.kind).filter(|period| steps < 2 * period) {
            return Err(Failure::input(format!(
                "--prepare deseason({period}): {steps} steps are fewer than 2 cycles, so the season cannot be told from the rest; give a shorter cycle, or longer series"
            )));
        }
        if let Kind::Difference(back) = step.kind
            && back + 2 > steps
        {
            return Err(Failure::input(format!(
                "--prepare difference({back}): {steps} steps are too few; give a shorter difference, or longer series"
            )));
        }
    }
    Ok(())
}

fn period_of(kind: Kind) -> Option<usize> {
    if let Kind::Deseason(period) = kind { Some(period) } else { None }
}

/// The panel as it is prepared, and the record where anything was done.
pub fn prepared(panel: Panel, recipe: &Recipe) -> Result<(Panel, Option<Prepared>), Failure> {
    if recipe.is_empty() {
        return Ok((panel, None));
    }
    check_lengths(recipe, &panel)?;
    let (panel, record) = recipe.apply(&panel)?;
    Ok((panel, Some(record)))
}
