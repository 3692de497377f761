//! Runs an experiment of any kind and writes what came out.

use std::path::Path;

use dycausal::Run;

use super::cell::Cell;
use super::constraints::{
    constraints_figure, constraints_markdown, constraints_scores, measure_constraints,
};
use super::matrices::matrices;
use super::page::{around, page};
use super::plan::{Part, Place, places};
use super::report::{Report, file_name};
use super::runner::run_experiment;
use super::spec::{Experiment, Kind};
use super::table::markdown;
use crate::error::Result;
use crate::study::{Kept, Scores, Stamp, Written};

/// Runs a part of an experiment and writes `NAME.md` and `NAME.svg` to a folder (`NAME-quick` in the short form) of
/// all of the experiment that is finished; its scores are kept in `scores.parquet` and finished cells in `cells`.
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
    let name = file_name(experiment, part.quick);
    let mut files = Vec::new();
    let (table, picture) = match experiment.kind {
        Kind::Scores | Kind::Traces => return scored(experiment, part, folder, stamp, run),
        Kind::Constraints => {
            let curves = measure_constraints(run)?;
            let (stamp, tallies) = (stamp.clone(), constraints_scores(&curves));
            let kept = Kept { name: name.clone(), stamp, tallies };
            files.push(Scores::open(folder)?.keep(kept)?.0);
            (constraints_markdown(&curves), constraints_figure(&curves))
        }
        Kind::Matrices => {
            let (picture, remarks) = matrices(&first_cells(experiment, part)?, run)?;
            (remarks.iter().fold(String::new(), |all, remark| all + "- " + remark + "\n"), picture)
        }
    };
    let page = around(experiment, (table, vec![(name.clone(), picture)]));
    files.splice(0..0, page.write(folder, &name, stamp)?);
    Ok(Written { table: page.table, files })
}

/// Runs a part of an experiment and writes all of it that is finished.
fn scored(
    experiment: &Experiment,
    part: &Part,
    folder: &Path,
    stamp: &Stamp,
    run: &mut Run,
) -> Result<Written> {
    let report = run_experiment(experiment, part, folder, run)?;
    let whole = run_experiment(experiment, &part.whole(experiment), folder, run)?;
    let (path, kept) = Scores::open(folder)?.keep(whole.to_keep(stamp))?;
    let whole = Report::kept(experiment, kept, part.quick);
    let mut files = page(&whole)?.write(folder, &whole.file_name(), stamp)?;
    files.insert(1, path);
    Ok(Written { table: markdown(&report)?, files })
}

/// The cell of the first seed of every row, in the first setting and reading.
fn first_cells(experiment: &Experiment, part: &Part) -> Result<Vec<(String, Cell)>> {
    let places = places(experiment, part)?;
    let first = places.first().map(|place| (place.setting.clone(), place.reading.clone()));
    let here = places.into_iter().filter(|p| Some((p.setting.clone(), p.reading.clone())) == first);
    let cell = |place: Place| Some((place.row, place.cells.ok()?.into_iter().next()?));
    Ok(here.filter_map(cell).collect())
}
