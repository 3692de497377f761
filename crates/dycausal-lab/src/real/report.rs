//! Recorded data with their scores.

use super::place::{Place, columns_of};
use super::spec::RealSpec;
use crate::study::{Entry, Kept, Scores, Stamp, Tally};

/// What is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RealRequest {
    /// The short form.
    pub quick: bool,
    /// Rows; none: all.
    pub methods: Vec<String>,
    /// Groups; none: all.
    pub groups: Vec<String>,
}

/// All rows on all cases.
#[derive(Debug, Clone, PartialEq)]
pub struct RealReport {
    /// What was run.
    pub spec: RealSpec,
    /// What part of it.
    pub request: RealRequest,
    /// What came out.
    pub tallies: Vec<Tally>,
}

impl RealReport {
    /// What came out of a part.
    pub(super) fn new(spec: &RealSpec, request: &RealRequest, tallies: Vec<Tally>) -> Self {
        Self { spec: spec.clone(), request: request.clone(), tallies }
    }

    /// The report of all that was kept.
    pub(crate) fn kept(spec: &RealSpec, kept: Kept) -> Self {
        Self::new(spec, &RealRequest::default(), kept.tallies)
    }

    /// The name of its files.
    pub fn file_name(&self) -> &'static str {
        if self.request.quick { "real-quick" } else { "real" }
    }

    /// What is kept of it, the rows that were kept before and not run now among them: scores that pages show, rows of a
    /// case in the order of the file.
    pub(super) fn to_keep(&self, before: &Scores, stamp: &Stamp) -> Kept {
        let before = before.of(self.file_name()).into_iter().flat_map(|kept| &kept.tallies);
        let new = |old: &&Tally| !self.tallies.iter().any(|tally| tally.is_of(old));
        let mut tallies: Vec<Tally> =
            self.tallies.iter().chain(before.filter(new)).cloned().collect();
        for tally in &mut tallies {
            tally.scores.retain(|(_, entry)| is_shown(entry));
        }
        let row = |name: &str| self.spec.rows.iter().position(|row| row.name == name);
        tallies.sort_by_cached_key(|tally| {
            let Place { group, case, way, unit_free } = Place::of(tally);
            let [group, case, way] = [group, case, way].map(str::to_owned);
            (group, case, row(&tally.row).unwrap_or(usize::MAX), way, unit_free)
        });
        Kept { name: self.file_name().to_owned(), stamp: stamp.clone(), tallies }
    }
}

/// Whether pages show a score.
fn is_shown(entry: &Entry) -> bool {
    match (entry.at.as_str(), entry.metric.as_str()) {
        ("weight", _) => true,
        ("statistic", metric) => metric == "AUROC",
        (_, metric) => !entry.diagonal && metric != "best F1",
    }
}

/// Why a tally has no scores, with its place.
pub(super) fn failure(tally: &Tally) -> Option<String> {
    let why = tally.failures.first().map(|(_, why)| why).or(tally.barred.as_ref())?;
    let Place { case, way, unit_free, .. } = Place::of(tally);
    Some(format!("- {}, {case}, {way}, {}: {why}", tally.row, columns_of(unit_free)))
}

#[cfg(test)]
mod tests {
    use super::super::page::write_real;
    use super::super::spec::real_spec;
    use super::*;

    #[test]
    fn a_part_adds_to_what_is_there_and_replaces_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place { group: "netsim", case: "sim1", way: "pooled", unit_free: true };
        let tally = |row: &str, area: f64| {
            let mut tally = place.tally(row);
            tally.seconds.push((7, 1.0));
            tally.scores.push((7, Entry::new("all", "weight", "AUROC", area)));
            tally
        };
        let spec = real_spec().unwrap();
        let part = |tallies: Vec<Tally>| {
            let request = RealRequest::default();
            let report = RealReport { spec: spec.clone(), request, tallies };
            write_real(&report, folder.path(), &Stamp::default(), (false, None)).unwrap();
            let scores = Scores::open(folder.path()).unwrap();
            let kept = scores.of("real").unwrap().tallies.iter();
            kept.map(|t| (t.row.clone(), t.scores[0].1.value)).collect::<Vec<_>>()
        };
        let own = |row: &str, area: f64| (row.to_owned(), area);
        assert_eq!(part(vec![tally("ordered", 0.5), tally("var", 0.25)]).len(), 2);
        let all = part(vec![tally("ordered", 0.75)]);
        assert_eq!(all, [own("var", 0.25), own("ordered", 0.75)]);
    }
}
