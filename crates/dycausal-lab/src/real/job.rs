//! One cell of recorded data: what determines what comes out, and the fits that answer it.

use dycausal::graph::Sources;
use dycausal::{Cancel, Panel, Run};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::case::Case;
use super::fit::{Evidence, fit, ranking};
use super::place::Place;
use super::spec::{Group, RealRow};
use crate::error::Result;
use crate::metrics::Areas;
use crate::study::{Entry, Mean, Outcome, Parameters, Tally, attempt};

/// Rankings of all edges, and what they believe of causes.
pub(super) const RANKINGS: [(&str, Sources); 2] =
    [("ranking", Sources::Same), ("ranking, sources differ", Sources::Differ)];

/// Everything that determines what comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RealCell {
    pub group: String,
    pub case: String,
    pub way: String,
    pub method: String,
    pub parameters: Parameters,
    pub unit_free: bool,
    pub each: bool,
    pub every: usize,
    pub series: usize,
    pub data: u64,
    pub version: u32,
    /// Whether rankings of all edges are scored too: cells from before they were are made anew.
    pub ranked: bool,
}

/// A cell with what it needs.
pub(super) struct Job<'a> {
    pub case: &'a Case,
    pub group: &'a Group,
    pub row: &'a RealRow,
    pub cell: RealCell,
}

impl Job<'_> {
    /// Why it is not run, if so.
    pub(super) fn barred(&self) -> Option<String> {
        let small =
            |most: &usize| self.case.panel.variables() <= *most || !self.case.subsets.is_empty();
        let most = self.row.up_to.filter(|most| !small(most))?;
        Some(format!("not run above {most} variables: too slow"))
    }

    /// A tally without scores yet.
    pub(super) fn tally(&self) -> Tally {
        let RealCell { group, case, way, unit_free, .. } = &self.cell;
        Place { group, case, way, unit_free: *unit_free }.tally(&self.row.name)
    }

    /// Fits and ranks; a method that fails is an outcome too.
    pub(super) fn run(&self, limit: f64, run: &Run) -> Result<Vec<Outcome>> {
        let (seconds, ranked) = attempt(limit, run, |cancel| self.rankings(&cancel))?;
        let scored = |scores| Outcome { scores, seconds, ..Outcome::default() };
        Ok(vec![ranked.map_or_else(|outcome| outcome, scored)])
    }

    /// Fits all there is to fit and gives the mean of every score.
    pub(super) fn rankings(&self, cancel: &Cancel) -> Result<Vec<Entry>> {
        let panel = match (self.cell.unit_free, self.group.each) {
            (false, _) => self.case.panel.clone(),
            (true, true) => self.case.panel.standardised_by_series()?,
            (true, false) => self.case.panel.standardised()?.0,
        };
        let mut fits: Vec<(Evidence, Array2<bool>)> = Vec::new();
        for (part, truth) in self.parts(&panel)? {
            let fitted = fit(self.row.method(), &self.cell.parameters, &part, cancel.clone())?;
            fits.push((fitted, truth));
        }
        let mut entries = Vec::new();
        for diagonal in [false, true] {
            for edges in ["instantaneous", "lagged", "all"] {
                let ranked =
                    fits.iter().map(|(e, truth)| ranking(&e.pairs(edges), truth, diagonal));
                push(&mut entries, ("weight", edges, diagonal), ranked.collect());
                for (by, sources) in RANKINGS {
                    let ranked = fits.iter().filter_map(|(e, truth)| {
                        Some(ranking(&e.ranked(edges, sources)?, truth, diagonal))
                    });
                    push(&mut entries, (by, edges, diagonal), ranked.collect());
                }
            }
            let tested = fits
                .iter()
                .filter_map(|(e, truth)| Some(ranking(e.statistic.as_ref()?, truth, diagonal)));
            push(&mut entries, ("statistic", "", diagonal), tested.collect());
        }
        Ok(entries)
    }

    /// The panels that are fitted, each with its truth.
    fn parts(&self, panel: &Panel) -> Result<Vec<(Panel, Array2<bool>)>> {
        match self.cell.way.as_str() {
            "subsets" => {
                let some = self.case.subsets.iter().step_by(self.cell.every.max(1));
                some.map(|subset| {
                    let d = subset.len();
                    let truth = Array2::from_shape_fn((d, d), |(i, j)| {
                        self.case.truth[[subset[i], subset[j]]]
                    });
                    Ok((panel.select(subset)?, truth))
                })
                .collect()
            }
            "one by one" => (0..panel.series().min(self.cell.series))
                .map(|series| {
                    let rows =
                        panel.values().slice(ndarray::s![series..=series, .., ..]).to_owned();
                    let alone = Panel::new(rows, panel.names().to_vec())?;
                    Ok((alone, self.case.truth_of(series).clone()))
                })
                .collect(),
            _ => Ok(vec![(panel.clone(), self.case.truth.clone())]),
        }
    }
}

/// Adds the mean of every score over the series or subsets that were looked at.
fn push(entries: &mut Vec<Entry>, (by, edges, diagonal): (&str, &str, bool), ranked: Vec<Areas>) {
    let metrics: [(&str, Vec<f64>); 3] = [
        ("AUROC", ranked.iter().filter_map(|r| r.auroc).collect()),
        ("AUPRC", ranked.iter().filter_map(|r| r.auprc).collect()),
        ("best F1", ranked.iter().filter_map(|r| r.best_f1).collect()),
    ];
    for (metric, values) in metrics {
        let mean = Mean::of(&values);
        let entry = |mean: Mean| Entry { diagonal, ..Entry::new(edges, by, metric, mean.mean) };
        entries.extend(mean.map(entry));
    }
}
