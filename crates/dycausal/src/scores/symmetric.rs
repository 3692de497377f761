//! Candidates of which each knows of the other.

/// Adds to every variable those that have it as a candidate within the step; sorts.
pub(crate) fn make_symmetric(candidates: &mut [Vec<usize>], d: usize) {
    for target in 0..d {
        let within: Vec<usize> = candidates[target].iter().copied().filter(|c| *c < d).collect();
        for other in within {
            candidates[other].push(target);
        }
    }
    for list in candidates {
        list.sort_unstable();
        list.dedup();
    }
}
