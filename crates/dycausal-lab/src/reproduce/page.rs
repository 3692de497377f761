//! The page of an experiment: what it is, its tables, its pictures, what they teach.

use super::figure::figure;
use super::report::Report;
use super::spec::{Experiment, Kind};
use super::table::markdown;
use super::trace::trace_figure;
use crate::error::Result;
use crate::study::Page;

/// The page of scores: the same scores give the same page.
pub(super) fn page(report: &Report) -> Result<Page> {
    let name = report.file_name();
    let mut pictures = vec![(name.clone(), figure(report)?)];
    if report.experiment.kind == Kind::Traces {
        pictures.push((format!("{name}-trace"), trace_figure(report)));
    }
    let around = around(&report.experiment, (markdown(report)?, pictures));
    Ok(Page { seeds: seeds(report), drawn_by: "`dycausal reproduce results`", ..around })
}

/// The page around a table and pictures.
pub(super) fn around(
    experiment: &Experiment,
    (table, pictures): (String, Vec<(String, String)>),
) -> Page {
    let Experiment { title, paper, name, about, lesson, kind, .. } = experiment;
    let titled = pictures.into_iter().map(|(name, picture)| (name, title.clone(), picture));
    Page {
        title: title.clone(),
        paper: if paper.is_empty() { String::new() } else { format!("Paper: {paper}. ") },
        command: name.clone(),
        about: about.clone(),
        table,
        pictures: titled.collect(),
        drawn_by: if *kind == Kind::Constraints { "" } else { "the command above" },
        lesson: lesson.clone(),
        ..Page::default()
    }
}

/// The seeds that were run, in words.
fn seeds(report: &Report) -> String {
    let all = || report.tallies.iter().flat_map(|tally| &tally.seconds).map(|(seed, _)| *seed);
    match (all().min(), all().max()) {
        (Some(first), Some(last)) if first < last => format!(", seeds {first} to {last}"),
        (Some(only), _) => format!(", seed {only}"),
        _ => String::new(),
    }
}
