//! The page of an experiment: what it is, its tables, its pictures, what they teach.

use super::figure::figure;
use super::spec::{Experiment, Kind};
use super::stamp::Stamp;
use super::table::markdown;
use super::tally::Report;
use super::trace::trace_figure;
use crate::error::Result;

/// What is written of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// The tables, in markdown.
    pub table: String,
    /// The whole page.
    pub text: String,
    /// Name and content of its pictures.
    pub pictures: Vec<(String, String)>,
}

impl Page {
    /// The page of scores: the same scores give the same page.
    pub(super) fn of(report: &Report, stamp: &Stamp) -> Result<Self> {
        let name = report.file_name();
        let mut pictures = vec![(name.clone(), figure(report)?)];
        if report.experiment.kind == Kind::Traces {
            pictures.push((format!("{name}-trace"), trace_figure(report)));
        }
        let seeds = seeds(report);
        Ok(Self::new(&report.experiment, stamp, &seeds, (markdown(report)?, pictures)))
    }

    /// The page around a table and pictures.
    pub(super) fn new(
        experiment: &Experiment,
        stamp: &Stamp,
        seeds: &str,
        (table, pictures): (String, Vec<(String, String)>),
    ) -> Self {
        let Experiment { title, paper, name, about, lesson, .. } = experiment;
        let paper = if paper.is_empty() { String::new() } else { format!("Paper: {paper}. ") };
        let shown = |text: String, (picture, _): &(String, String)| {
            text + &format!("\n![{title}]({picture}.svg)\n")
        };
        let shown = pictures.iter().fold(String::new(), shown);
        let lesson = match lesson.trim() {
            "" => String::new(),
            lesson => format!("\n{lesson}\n"),
        };
        let (about, stamp) = (about.trim(), stamp.words());
        let text = format!(
            "# {title}\n\n{paper}`dycausal reproduce {name}`{seeds}, {stamp}. [All results](../results.md).\n\n{about}\n{table}{shown}{lesson}"
        );
        Self { table, text, pictures }
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
