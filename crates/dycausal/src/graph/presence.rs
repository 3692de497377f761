//! When an edge is there.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The steps at which an edge is there: disjoint half-open ranges in increasing order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Presence(Vec<(usize, usize)>);

impl Presence {
    /// Steps `0..steps`.
    pub fn always(steps: usize) -> Self {
        Self(if steps == 0 { Vec::new() } else { vec![(0, steps)] })
    }

    /// The steps at which `there` holds.
    pub fn when(steps: usize, mut there: impl FnMut(usize) -> bool) -> Self {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for step in (0..steps).filter(|step| there(*step)) {
            match ranges.last_mut() {
                Some((_, end)) if *end == step => *end += 1,
                _ => ranges.push((step, step + 1)),
            }
        }
        Self(ranges)
    }

    /// The steps at which `there` holds, asked at `probes`, in increasing order, and in between only
    /// where neighbours differ: by halves, as if it changed once.
    pub(crate) fn probed(
        steps: usize,
        probes: &[usize],
        mut there: impl FnMut(usize) -> bool,
    ) -> Self {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut open: Option<usize> = None;
        let mut before: Option<usize> = None;
        for probe in probes {
            let here = there(*probe);
            if here != open.is_some() {
                // The first step that is like this one.
                let (mut low, mut high) = (before.map_or(0, |step| step + 1), *probe);
                while low < high && before.is_some() {
                    let middle = low.midpoint(high);
                    if there(middle) == here { high = middle } else { low = middle + 1 }
                }
                match open.take() {
                    Some(start) => ranges.push((start, low)),
                    None => open = Some(low),
                }
            }
            before = Some(*probe);
        }
        ranges.extend(open.map(|start| (start, steps)));
        Self(ranges)
    }

    /// The ranges, from inclusive to exclusive.
    pub fn ranges(&self) -> &[(usize, usize)] {
        &self.0
    }

    /// Whether the edge is there at a step.
    pub fn contains(&self, step: usize) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= step);
        after > 0 && step < self.0[after - 1].1
    }

    /// Whether the edge is never there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// At how many steps the edge is there.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// The steps themselves.
    pub fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().flat_map(|(start, end)| *start..*end)
    }

    /// What is left without the steps `start..end`.
    pub fn without(&self, start: usize, end: usize) -> Self {
        let keep = |&(from, to): &(usize, usize)| [(from, to.min(start)), (from.max(end), to)];
        Self(self.0.iter().flat_map(keep).filter(|(from, to)| from < to).collect())
    }

    /// Refuses ranges that are empty, overlap, do not increase or end after `steps`.
    pub(super) fn check(&self, steps: usize) -> Result<()> {
        let mut reached = 0;
        for (index, (start, end)) in self.0.iter().enumerate() {
            if start >= end || *end > steps || (index > 0 && *start <= reached) {
                let expected = format!("disjoint, increasing ranges within 0..{steps}");
                return Err(Error::shape("presence of an edge", format!("{:?}", self.0), expected));
            }
            reached = *end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_what_the_steps_say() {
        let there = |t: usize| !(3..5).contains(&t) && t != 8;
        let presence = Presence::when(10, there);
        assert_eq!(presence.ranges(), [(0, 3), (5, 8), (9, 10)]);
        assert_eq!(presence.count(), 7);
        assert!((0..10).all(|t| presence.contains(t) == there(t)));
        assert!(!presence.contains(10));
        assert!(presence.check(10).is_ok());
        assert!(presence.check(9).is_err());
    }

    #[test]
    fn a_few_probes_find_the_ranges() {
        let there = |t: usize| (13..57).contains(&t) || t >= 90;
        let probes: Vec<usize> = (0..100).step_by(9).collect();
        let presence = Presence::probed(100, &probes, there);
        assert_eq!(presence.ranges(), [(13, 57), (90, 100)]);
        assert_eq!(Presence::probed(100, &probes, |_| true), Presence::always(100));
        assert!(Presence::probed(100, &probes, |_| false).is_empty());
    }

    #[test]
    fn taking_steps_away_splits_ranges() {
        let presence = Presence::always(10).without(3, 5);
        assert_eq!(presence.ranges(), [(0, 3), (5, 10)]);
        assert_eq!(presence.without(0, 10).ranges(), []);
        assert_eq!(presence.without(2, 6).ranges(), [(0, 2), (6, 10)]);
    }
}
