//! Codes for "missing", such as -999: a value far from all others that comes again.

use dycausal::Panel;

/// Fewer other values than this do not tell what is far.
const FEWEST: usize = 10;
/// How many ranges of the other values a code that reads as one (9999) is away from them, and any other.
const FAR: f64 = 1.0;
const VERY_FAR: f64 = 5.0;
/// What reads as a code, of either sign.
const NINES: [f64; 8] =
    [99.0, 999.0, 9_999.0, 99_999.0, 999_999.0, 9_999_999.0, 99_999_999.0, 999_999_999.0];

/// A warning for each variable that seems to have a code for missing cells.
pub fn warnings(panel: &Panel) -> Vec<String> {
    let mut seen = vec![Seen::default(); panel.variables()];
    // Row by row, as values lie: a look at each column in turn takes ten times as long.
    for row in panel.values().rows() {
        for (of, x) in seen.iter_mut().zip(row) {
            of.take(*x);
        }
    }
    let told = panel.names().iter().zip(&seen).filter_map(|(name, of)| of.warning(name));
    told.collect()
}

/// Values between two ends, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Range {
    from: f64,
    to: f64,
    count: usize,
}

impl Default for Range {
    fn default() -> Self {
        Self { from: f64::INFINITY, to: f64::NEG_INFINITY, count: 0 }
    }
}

impl Range {
    fn take(&mut self, x: f64) {
        self.from = self.from.min(x);
        self.to = self.to.max(x);
        self.count += 1;
    }

    /// Whether so many cells of a value are far from these.
    fn is_far(&self, x: f64, cells: usize, times: f64) -> bool {
        let away = (self.from - x).max(x - self.to) > times * (self.to - self.from);
        self.count >= FEWEST.max(cells) && self.to > self.from && away
    }
}

/// What tells of codes in the values of a variable.
#[derive(Debug, Clone, Default)]
struct Seen {
    all: Range,
    /// The least value with the one next to it, and the largest.
    least: End,
    largest: End,
    /// Values that read as codes, with their counts, and all others.
    nines: Vec<(f64, usize)>,
    others: Range,
}

/// The least value, how often it is there, and the value next to it; of the largest, all with the other sign.
#[derive(Debug, Clone, Copy)]
struct End {
    first: f64,
    count: usize,
    next: f64,
}

impl Default for End {
    fn default() -> Self {
        Self { first: f64::INFINITY, count: 0, next: f64::INFINITY }
    }
}

impl End {
    fn take(&mut self, x: f64) {
        if x < self.first {
            *self = Self { first: x, count: 1, next: self.first };
        } else if x == self.first {
            self.count += 1;
        } else if x < self.next {
            self.next = x;
        }
    }
}

impl Seen {
    fn take(&mut self, x: f64) {
        if !x.is_finite() {
            return;
        }
        self.all.take(x);
        self.least.take(x);
        self.largest.take(-x);
        if !NINES.contains(&x.abs()) {
            self.others.take(x);
        } else if let Some((_, count)) = self.nines.iter_mut().find(|(nine, _)| *nine == x) {
            *count += 1;
        } else {
            self.nines.push((x, 1));
        }
    }

    /// The values that seem to be codes, with their counts.
    fn codes(&self) -> Option<Vec<(f64, usize)>> {
        let cells = self.nines.iter().map(|(_, count)| count).sum::<usize>();
        let far = |(nine, _): &(f64, usize)| self.others.is_far(*nine, cells, FAR);
        if cells >= 2 && self.nines.iter().all(far) {
            let mut codes = self.nines.clone();
            codes.sort_by(|a, b| a.0.total_cmp(&b.0));
            return Some(codes);
        }
        let Range { from, to, count } = self.all;
        let ends = [
            (from, self.least.count, Range { from: self.least.next, to, count }),
            (to, self.largest.count, Range { from, to: -self.largest.next, count }),
        ];
        ends.into_iter().find_map(|(code, cells, rest)| {
            let rest = Range { count: rest.count - cells, ..rest };
            (cells >= 2 && rest.is_far(code, cells, VERY_FAR)).then(|| vec![(code, cells)])
        })
    }

    fn warning(&self, name: &str) -> Option<String> {
        let each: Vec<String> = self
            .codes()?
            .iter()
            .map(|(code, count)| {
                format!("{code} in {count} cell{}", if *count == 1 { "" } else { "s" })
            })
            .collect();
        Some(format!(
            "`{name}` has {}, far from all other values: a code for missing? Leave these cells empty in the file, or write NaN",
            each.join(", ")
        ))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn warning(values: impl Iterator<Item = f64>) -> Option<String> {
        let mut seen = Seen::default();
        values.for_each(|x| seen.take(x));
        seen.warning("b")
    }

    fn with(extra: &[f64]) -> Option<String> {
        let noise = (0..60).map(|t| f64::from(t * 37 % 61) / 61.0 - 0.5);
        warning(noise.chain(extra.iter().copied()))
    }

    #[test]
    fn values_that_stand_apart_and_come_again_are_told() {
        let told = with(&[-999.0, -999.0, -9999.0]).unwrap();
        assert!(told.contains("-9999 in 1 cell, -999 in 2 cells"), "{told}");
        assert!(with(&[1e6, 1e6]).unwrap().contains("1000000 in 2 cells"));
    }

    #[test]
    fn a_lone_outlier_a_value_within_reach_and_two_levels_are_none() {
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[-999.0]), None);
        assert_eq!(with(&[2.0, 2.0]), None);
        assert_eq!(warning((0..60).map(|t| if t < 30 { 0.0 } else { 99.0 })), None);
    }
}
