//! What was run in part adds to what is finished: rows of the table that was kept, beside those of now.

use std::path::Path;

use dycausal_io::read_tidy;

use super::run::{RealReport, RealTally};
use super::scores::real_from_tidy;
use crate::error::Result;

/// The report with the rows of the table in `path` that were not run now; rows of a case in the order of the file.
///
/// # Errors
/// If the table is broken.
pub(super) fn with_kept(report: &RealReport, path: &Path) -> Result<RealReport> {
    let mut all = report.clone();
    if path.is_file() {
        let kept = real_from_tidy(&report.spec, &read_tidy(path)?)?.tallies;
        let new = |old: &RealTally| !report.tallies.iter().any(|tally| tally.is_of(old));
        all.tallies.extend(kept.into_iter().filter(new));
    }
    let place = |name: &str| report.spec.rows.iter().position(|row| row.name == name);
    all.tallies.sort_by_cached_key(|tally| {
        let row = place(&tally.row).unwrap_or(usize::MAX);
        (tally.group.clone(), tally.case.clone(), row, tally.way.clone(), tally.unit_free)
    });
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::page::write_real;
    use super::super::run::{RealEntry, RealRequest};
    use super::super::spec::real_spec;
    use super::*;
    use crate::reproduce::Stamp;

    #[test]
    fn a_part_adds_to_what_is_there_and_replaces_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let tally = |row: &str, area: f64| RealTally {
            group: "netsim".into(),
            case: "sim1".into(),
            way: "pooled".into(),
            row: row.into(),
            unit_free: true,
            entries: vec![RealEntry {
                by: "weight".into(),
                edges: "all".into(),
                diagonal: false,
                metric: "AUROC".into(),
                mean: area,
                sd: None,
                count: 1,
            }],
            seconds: 1.0,
            failure: None,
        };
        let spec = real_spec().unwrap();
        let part = |tallies: Vec<RealTally>| {
            let request = RealRequest::default();
            let report = RealReport { spec: spec.clone(), request, tallies };
            write_real(&report, folder.path(), &Stamp::default(), (false, None)).unwrap();
            let kept = read_tidy(&folder.path().join("real.parquet")).unwrap();
            let kept = real_from_tidy(&spec, &kept).unwrap().tallies;
            kept.into_iter().map(|t| (t.row.clone(), t.entries[0].mean)).collect::<Vec<_>>()
        };
        let own = |row: &str, area: f64| (row.to_owned(), area);
        assert_eq!(part(vec![tally("ordered", 0.5), tally("var", 0.25)]).len(), 2);
        let all = part(vec![tally("ordered", 0.75)]);
        assert_eq!(all, [own("var", 0.25), own("ordered", 0.75)]);
    }
}
