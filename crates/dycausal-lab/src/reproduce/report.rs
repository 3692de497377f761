//! Runs an experiment of any kind and writes what came out.

use std::path::{Path, PathBuf};

use dycausal::Run;

use super::cell::Cell;
use super::constraints::{
    constraints_csv, constraints_figure, constraints_markdown, measure_constraints,
};
use super::figure::figure;
use super::matrices::matrices;
use super::plan::{Part, places};
use super::runner::run_experiment;
use super::spec::{Experiment, Kind};
use super::store::write_whole;
use super::table::{csv, markdown};
use super::trace::trace_figure;
use crate::error::Result;

/// What was written, and what to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The table, in markdown.
    pub table: String,
    /// Every score, as a tidy table.
    pub csv: String,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Runs a part of an experiment and writes `NAME.csv`, `NAME.md` and `NAME.svg` to a folder
/// (`NAME-quick` in the short form); finished cells are kept in `FOLDER/cells`.
///
/// # Errors
/// As [`run_experiment`].
pub fn reproduce(
    experiment: &Experiment,
    part: &Part,
    folder: &Path,
    run: &mut Run,
) -> Result<Written> {
    let form = if part.quick { "-quick" } else { "" };
    let name = format!("{}{form}", experiment.name);
    let (table, csv, pictures) = match experiment.kind {
        Kind::Scores | Kind::Traces => {
            let report = run_experiment(experiment, part, folder, run)?;
            let mut pictures = vec![(name.clone(), figure(&report)?)];
            if experiment.kind == Kind::Traces {
                pictures.push((format!("{name}-trace"), trace_figure(&report)));
            }
            (markdown(&report)?, csv(&report), pictures)
        }
        Kind::Constraints => {
            let curves = measure_constraints(run)?;
            let picture = constraints_figure(&curves);
            (constraints_markdown(&curves), constraints_csv(&curves), vec![(name.clone(), picture)])
        }
        Kind::Matrices => {
            let (picture, remarks) = matrices(&first_cells(experiment, part)?, run)?;
            let text =
                remarks.iter().fold(String::new(), |text, remark| text + "- " + remark + "\n");
            (text, String::new(), vec![(name.clone(), picture)])
        }
    };
    write(folder, &name, experiment, (table, csv, pictures))
}

/// The cell of the first seed of every row, in the first setting and reading.
fn first_cells(experiment: &Experiment, part: &Part) -> Result<Vec<(String, Cell)>> {
    let places = places(experiment, part)?;
    let first = places.first().map(|place| (place.setting.clone(), place.reading.clone()));
    let here = places.into_iter().filter(|p| Some((p.setting.clone(), p.reading.clone())) == first);
    let cell = |place: super::plan::Place| Some((place.row, place.cells.ok()?.into_iter().next()?));
    Ok(here.filter_map(cell).collect())
}

/// The page of an experiment: what it is, its table, its pictures, what they teach.
fn page(experiment: &Experiment, table: &str, pictures: &[(String, String)]) -> String {
    let Experiment { title, paper, name, about, lesson, .. } = experiment;
    let paper = if paper.is_empty() { String::new() } else { format!("Paper: {paper}. ") };
    let shown = |text: String, (picture, _): &(String, String)| {
        text + &format!("\n![{title}]({picture}.svg)\n")
    };
    let pictures = pictures.iter().fold(String::new(), shown);
    let lesson = match lesson.trim() {
        "" => String::new(),
        lesson => format!("\n{lesson}\n"),
    };
    let about = about.trim();
    format!(
        "## {title}\n\n{paper}`dycausal reproduce {name}`\n\n{about}\n{table}{pictures}{lesson}"
    )
}

fn write(
    folder: &Path,
    name: &str,
    experiment: &Experiment,
    (table, csv, pictures): (String, String, Vec<(String, String)>),
) -> Result<Written> {
    let page = page(experiment, &table, &pictures);
    let mut files = Vec::new();
    let mut put = |file: String, text: &str| {
        let path = folder.join(file);
        write_whole(&path, text.as_bytes())?;
        files.push(path);
        Ok::<(), crate::Error>(())
    };
    put(format!("{name}.md"), &page)?;
    if !csv.is_empty() {
        put(format!("{name}.csv"), &csv)?;
    }
    for (picture, svg) in &pictures {
        put(format!("{picture}.svg"), svg)?;
    }
    Ok(Written { table, csv, files })
}
