//! Runs an experiment of any kind and writes what came out.

use std::path::{Path, PathBuf};

use dycausal::Run;
use dycausal_io::{TidyTable, read_tidy, write_tidy};

use super::cell::Cell;
use super::constraints::{
    constraints_figure, constraints_markdown, constraints_tidy, measure_constraints,
};
use super::matrices::matrices;
use super::page::Page;
use super::plan::{Part, places};
use super::runner::run_experiment;
use super::scores::{from_tidy, tidy};
use super::spec::{Experiment, Kind};
use super::stamp::Stamp;
use super::store::write_whole;
use super::table::markdown;
use crate::error::Result;

/// What was written, and what to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The table of what was asked for, in markdown.
    pub table: String,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Runs a part of an experiment and writes `NAME.parquet`, `NAME.md` and `NAME.svg` to a folder
/// (`NAME-quick` in the short form) of all of the experiment that is finished; finished cells are
/// kept in `FOLDER/cells`.
///
/// # Errors
/// As [`run_experiment`].
pub fn reproduce(
    experiment: &Experiment,
    part: &Part,
    folder: &Path,
    stamp: &Stamp,
    run: &mut Run,
) -> Result<Written> {
    let form = if part.quick { "-quick" } else { "" };
    let name = format!("{}{form}", experiment.name);
    match experiment.kind {
        Kind::Scores | Kind::Traces => {
            let report = run_experiment(experiment, part, folder, run)?;
            let whole = run_experiment(experiment, &part.whole(experiment), folder, run)?;
            let path = folder.join(format!("{name}.parquet"));
            write_tidy(&path, &tidy(&whole, stamp))?;
            // As it will be read: what is made from the file later is the same page.
            let kept = from_tidy(experiment, &read_tidy(&path)?, part.quick)?;
            let mut files = write_page(folder, &name, &Page::of(&kept, stamp)?)?;
            files.insert(1, path);
            Ok(Written { table: markdown(&report)?, files })
        }
        Kind::Constraints => {
            let curves = measure_constraints(run)?;
            let pictures = vec![(name.clone(), constraints_figure(&curves))];
            let table = constraints_markdown(&curves);
            let page = Page::new(experiment, stamp, "", (table, pictures));
            write(folder, &name, page, Some(&constraints_tidy(&curves, stamp)))
        }
        Kind::Matrices => {
            let (picture, remarks) = matrices(&first_cells(experiment, part)?, run)?;
            let text =
                remarks.iter().fold(String::new(), |text, remark| text + "- " + remark + "\n");
            let page = Page::new(experiment, stamp, "", (text, vec![(name.clone(), picture)]));
            write(folder, &name, page, None)
        }
    }
}

/// The cell of the first seed of every row, in the first setting and reading.
fn first_cells(experiment: &Experiment, part: &Part) -> Result<Vec<(String, Cell)>> {
    let places = places(experiment, part)?;
    let first = places.first().map(|place| (place.setting.clone(), place.reading.clone()));
    let here = places.into_iter().filter(|p| Some((p.setting.clone(), p.reading.clone())) == first);
    let cell = |place: super::plan::Place| Some((place.row, place.cells.ok()?.into_iter().next()?));
    Ok(here.filter_map(cell).collect())
}

fn write(folder: &Path, name: &str, page: Page, table: Option<&TidyTable>) -> Result<Written> {
    let mut files = write_page(folder, name, &page)?;
    if let Some(table) = table {
        let path = folder.join(format!("{name}.parquet"));
        write_tidy(&path, table)?;
        files.insert(1, path);
    }
    Ok(Written { table: page.table, files })
}

/// Writes a page and its pictures, and says where.
pub(super) fn write_page(folder: &Path, name: &str, page: &Page) -> Result<Vec<PathBuf>> {
    let mut files = vec![folder.join(format!("{name}.md"))];
    write_whole(&files[0], page.text.as_bytes())?;
    for (picture, svg) in &page.pictures {
        let path = folder.join(format!("{picture}.svg"));
        write_whole(&path, svg.as_bytes())?;
        files.push(path);
    }
    Ok(files)
}
