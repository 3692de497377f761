//! Our scores beside the published ones.

use super::catalogue::ORACLE;
use super::published::{Published, published};
use super::report::Report;
use crate::error::Result;
use crate::study::{Mean, Tally};

/// The method of the paper, as the paper calls it.
pub(super) const PAPERS: &str = "DyCausal";

/// The published figures of an experiment.
#[derive(Debug, Clone, Default)]
pub(super) struct Beside {
    figures: Vec<Published>,
}

impl Beside {
    /// Those of a report; none where its sizes are not the paper's.
    pub(super) fn of(report: &Report) -> Result<Self> {
        let Some(name) = report.experiment.published.as_deref() else {
            return Ok(Self::default());
        };
        if !report.has_published_sizes() {
            return Ok(Self::default());
        }
        let figures = published()?.into_iter().filter(|figure| figure.experiment == name);
        Ok(Self { figures: figures.collect() })
    }

    /// The methods with figures in a setting, the paper's own first.
    pub(super) fn methods(&self, setting: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for figure in self.figures.iter().filter(|figure| figure.setting == setting) {
            if !names.contains(&figure.method) {
                names.push(figure.method.clone());
            }
        }
        names.sort_by_key(|name| name != PAPERS);
        names
    }

    /// One figure.
    pub(super) fn mean(
        &self,
        setting: &str,
        method: &str,
        (edges, at, metric): (&str, &str, &str),
    ) -> Option<Mean> {
        let time = at.strip_prefix("t=").and_then(|time| time.parse::<usize>().ok());
        let wanted = |figure: &&Published| {
            figure.setting == setting
                && figure.method == method
                && figure.edges == edges
                && figure.metric == metric
                && figure.time == time
        };
        let found = self.figures.iter().find(wanted)?;
        Some(Mean { mean: found.mean, sd: found.sd, count: 0 })
    }
}

/// The name of a setting in the published list, if it is there.
pub(super) fn published_setting<'a>(report: &'a Report, setting: &str) -> Option<&'a str> {
    let found = report.experiment.settings.iter().find(|own| own.name == setting);
    found.and_then(|own| own.published.as_deref())
}

/// In how many places our best is at or above the published method, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The setting.
    pub setting: String,
    /// The reading.
    pub reading: String,
    /// Which edges, and at which step; empty where it is all of them.
    pub part: String,
    /// Our best row there.
    pub best: String,
    /// Its score.
    pub ours: f64,
    /// The published method's.
    pub theirs: f64,
}

impl Verdict {
    /// Setting, reading, edges and step in words.
    pub fn place(&self) -> String {
        let Self { setting, reading, part, .. } = self;
        let comma = if part.is_empty() { "" } else { ", " };
        format!("{setting}, {reading}{comma}{part}")
    }

    /// Whether ours is at or above.
    pub fn holds(&self) -> bool {
        self.ours >= self.theirs
    }
}

/// Compares the first score of the experiment, F1 as a rule, place by place.
///
/// # Errors
/// If the published list is broken: a defect.
pub fn verdicts(report: &Report) -> Result<Vec<Verdict>> {
    let beside = Beside::of(report)?;
    let mut verdicts = Vec::new();
    let metric = report.experiment.metrics.first().map_or("F1", String::as_str);
    let settings = report.settings();
    for reading in report.readings() {
        for setting in &settings {
            let Some(name) = published_setting(report, &setting.name) else { continue };
            for edges in &report.experiment.edges {
                for at in report.places() {
                    let theirs = beside.mean(name, PAPERS, (edges, &at, metric));
                    let ours = best(report, reading, &setting.name, (edges, &at, metric));
                    if let (Some(theirs), Some((best, ours))) = (theirs, ours) {
                        verdicts.push(Verdict {
                            setting: setting.name.clone(),
                            reading: reading.to_owned(),
                            part: part(edges, &at),
                            best,
                            ours,
                            theirs: theirs.mean,
                        });
                    }
                }
            }
        }
    }
    Ok(verdicts)
}

/// Which edges and which step, in words.
fn part(edges: &str, at: &str) -> String {
    let edges = (edges != "all").then(|| edges.to_owned());
    let at = at.strip_prefix("t=").map(|step| format!("t = {step}"));
    edges.into_iter().chain(at).collect::<Vec<_>>().join(", ")
}

/// Our row with the highest mean; what is told the truth does not count.
fn best(
    report: &Report,
    reading: &str,
    setting: &str,
    (edges, at, metric): (&str, &str, &str),
) -> Option<(String, f64)> {
    let own = |tally: &&Tally| {
        tally.reading == reading && tally.setting == setting && tally.row != ORACLE
    };
    let means = report.tallies.iter().filter(own);
    let means = means.filter_map(|t| Some((t.row.clone(), t.mean(edges, at, metric)?.mean)));
    means.max_by(|a, b| a.1.total_cmp(&b.1))
}
