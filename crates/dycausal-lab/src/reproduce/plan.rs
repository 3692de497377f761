//! Which cells an experiment consists of.

use dycausal::{Method, find};
use serde_json::{Map, Value};

use super::catalogue::ORACLE;
use super::cell::Cell;
use super::spec::{Experiment, Kind, Reading, Row, Setting};
use crate::error::{Error, Result};
use crate::oracle;
use crate::simulate::{Model, Simulation};
use crate::study::{Parameters, version};

/// The first seed; smaller ones were looked at while methods were made.
pub const FIRST_SEED: u64 = 7000;

/// What part of an experiment is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// The short form.
    pub quick: bool,
    /// How many seeds, where not those of the form.
    pub seeds: Option<u64>,
    /// The first seed, where it is not [`FIRST_SEED`].
    pub first_seed: Option<u64>,
    /// The rows that take part; none: all.
    pub methods: Vec<String>,
    /// The settings that take part; none: those of the form.
    pub settings: Vec<String>,
    /// Whether nothing is run, and what is finished is all that counts.
    pub finished: bool,
}

impl Part {
    /// All rows and settings of the form, and no fewer seeds than it has.
    pub(super) fn whole(&self, experiment: &Experiment) -> Self {
        let of_form = experiment.size(self.quick).seeds;
        Self {
            seeds: Some(self.seeds.unwrap_or(of_form).max(of_form)),
            methods: Vec::new(),
            settings: Vec::new(),
            finished: true,
            ..self.clone()
        }
    }
}

/// One place of the table, with its cells.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub setting: String,
    pub reading: String,
    pub row: String,
    /// The cells, by seed; or why there are none.
    pub cells: std::result::Result<Vec<Cell>, String>,
}

/// All places of a part of an experiment.
pub(super) fn places(experiment: &Experiment, part: &Part) -> Result<Vec<Place>> {
    let rows = chosen(experiment, &part.methods)?;
    let settings = experiment.settings_of(part)?;
    let chosen_readings = &experiment.size(part.quick).readings;
    let taken = |r: &&Reading| chosen_readings.is_empty() || chosen_readings.contains(&r.name);
    let mut places = Vec::new();
    for reading in experiment.readings.iter().filter(taken) {
        for setting in &settings {
            let simulation = experiment.simulation(setting, reading, part.quick)?;
            for row in &rows {
                places.push(place(experiment, part, (setting, reading, row), &simulation)?);
            }
        }
    }
    Ok(places)
}

/// The rows asked for, by their own name or their method's.
pub(super) fn chosen<'a>(experiment: &'a Experiment, names: &[String]) -> Result<Vec<&'a Row>> {
    let known = || experiment.rows.iter().map(|row| row.name.as_str());
    let answers = |row: &Row, name: &String| row.name == *name || row.method() == name;
    for name in names {
        if !experiment.rows.iter().any(|row| answers(row, name)) {
            return Err(Error::unknown("row", name, known()));
        }
    }
    let taken = |row: &&Row| names.is_empty() || names.iter().any(|name| answers(row, name));
    Ok(experiment.rows.iter().filter(taken).collect())
}

fn place(
    experiment: &Experiment,
    part: &Part,
    (setting, reading, row): (&Setting, &Reading, &Row),
    simulation: &Simulation,
) -> Result<Place> {
    let of_form = experiment.size(part.quick).seeds;
    let seeds = part.seeds.unwrap_or_else(|| row.seeds(of_form, simulation.variables));
    let first = part.first_seed.unwrap_or(FIRST_SEED);
    let cells = if let Some(why) = barred(row, simulation, part.quick) {
        Err(why)
    } else {
        let parameters = parameters(experiment, part, (setting, reading, row), simulation)?;
        let version = version_of(row, &parameters)?;
        let cell = |seed: u64| Cell {
            simulation: simulation.clone(),
            seed,
            method: row.method().to_owned(),
            parameters: parameters.clone(),
            threshold: if row.as_listed { 0.0 } else { reading.threshold },
            times: experiment.times.clone(),
            still: experiment.still,
            true_lags_only: experiment.true_lags_only,
            trace: experiment.kind == Kind::Traces,
            version,
        };
        Ok((first..first + seeds).map(cell).collect())
    };
    let (setting, reading, row) = (setting.name.clone(), reading.name.clone(), row.name.clone());
    Ok(Place { setting, reading, row, cells })
}

/// Why a row has nothing to say to a simulation, if so.
fn barred(row: &Row, simulation: &Simulation, quick: bool) -> Option<String> {
    if row.linear_only && simulation.model != Model::Linear {
        return Some("only where the truth is linear".into());
    }
    let limit = row.limit(quick)?;
    (simulation.variables > limit).then(|| format!("not run above {limit} variables: too slow"))
}

/// The parameters of a row in a setting: the experiment's, the row's own, the setting's, each
/// before what comes after it, and the lag and threshold that follow. What is the method's own default
/// is left out: it belongs to the version of the method, and a parameter that is added changes no cell.
pub(super) fn parameters(
    experiment: &Experiment,
    part: &Part,
    (setting, reading, row): (&Setting, &Reading, &Row),
    simulation: &Simulation,
) -> Result<Parameters> {
    let lag = setting.fit_lag.unwrap_or(simulation.lag);
    let of_method = |layer: &Parameters| match layer.get(row.method()) {
        Some(Value::Object(own)) => own.clone(),
        _ => Parameters::new(),
    };
    let mut all = of_method(&experiment.parameters);
    all.extend(row.set.clone());
    // A row's own word on what the settings vary would hide the variation; its short form only
    // shortens.
    all.extend(of_method(&setting.parameters));
    if part.quick {
        all.extend(row.quick.clone());
    }
    if row.method() == ORACLE {
        return Ok(all);
    }
    let methods = dycausal_baselines::all_methods();
    let method = find(&methods, row.method())?;
    if has(method, "lag") && !all.contains_key("lag") {
        all.insert("lag".into(), lag.into());
    }
    if let Some(name) = &row.prune {
        all.insert(name.clone(), reading.threshold.into());
    }
    let (_, complete) = method.build(&all)?;
    let (_, defaults) = method.build(&Parameters::new())?;
    Ok(ordered_by_name(complete).into_iter().filter(|(n, v)| defaults.get(n) != Some(v)).collect())
}

/// Which state of a row's method it is.
fn version_of(row: &Row, parameters: &Parameters) -> Result<u32> {
    if row.method() == ORACLE { Ok(oracle::VERSION) } else { version(row.method(), parameters) }
}

fn has(method: &Method, name: &str) -> bool {
    method.parameters.iter().any(|parameter| parameter.name == name)
}

/// The same parameters in one sequence, so that a key does not depend on where they came from.
fn ordered_by_name(parameters: Parameters) -> Parameters {
    let mut pairs: Vec<(String, Value)> = parameters.into_iter().collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    Map::from_iter(pairs)
}
