//! How many candidates there were, and how many of them could be tested.

use super::candidate::Candidate;
use crate::run::Run;
use crate::run::facts::Counts;

/// Of candidates as they were selected; nothing is listed yet.
pub fn counts<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> Counts {
    let mut counts = Counts::default();
    for candidate in candidates {
        counts.selected += 1;
        counts.tested += usize::from(candidate.p.is_some());
    }
    counts
}

/// Says how many edges could not be tested.
pub fn warn_of_untested(counts: Counts, run: &mut Run) {
    let Counts { selected, tested, .. } = counts;
    if tested < selected {
        run.warn(format!(
            "{} of {selected} edges that the score selected could not be tested, because rows are too few for their regressions, or causes are nearly copies of each other: they are not listed, most would be false",
            selected - tested,
        ));
    }
}
