//! Where a tally of recorded data stands, and its scores.

use crate::study::Tally;

/// A case of a group, looked at in a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The group.
    pub group: &'a str,
    /// The case.
    pub case: &'a str,
    /// `pooled`, `one by one`, or `subsets`.
    pub way: &'a str,
    /// Whether columns were standardised before the fit.
    pub unit_free: bool,
}

impl<'a> Place<'a> {
    /// That of a tally.
    pub(super) fn of(tally: &'a Tally) -> Self {
        let (group, case) = tally.setting.split_once(' ').unwrap_or((&tally.setting, ""));
        let (way, columns) = tally.reading.split_once(", ").unwrap_or((&tally.reading, ""));
        Self { group, case, way, unit_free: columns == columns_of(true) }
    }

    /// A tally of a row there, without scores yet.
    pub(super) fn tally(self, row: &str) -> Tally {
        let Self { group, case, way, unit_free } = self;
        Tally::new(&format!("{group} {case}"), &format!("{way}, {}", columns_of(unit_free)), row)
    }
}

/// What columns are, in a word.
pub(super) fn columns_of(unit_free: bool) -> &'static str {
    if unit_free { "standardised" } else { "raw" }
}

/// One score of a tally: by what pairs are ranked, which edges, whether with effects of variables on themselves.
pub(super) fn area(
    tally: &Tally,
    (by, edges, diagonal): (&str, &str, bool),
    metric: &str,
) -> Option<f64> {
    let own = tally.scores.iter().map(|(_, entry)| entry);
    let wanted = |e: &crate::study::Entry| {
        e.at == by && e.edges == edges && e.diagonal == diagonal && e.metric == metric
    };
    own.into_iter().find(|entry| wanted(entry)).map(|entry| entry.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_knows_its_place() {
        for (case, unit_free) in [("sets of 5", true), ("sim1", false)] {
            let place = Place { group: "netsim", case, way: "one by one", unit_free };
            assert_eq!(Place::of(&place.tally("ordered")), place);
        }
    }
}
