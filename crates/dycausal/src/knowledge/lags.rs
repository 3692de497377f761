//! Sets of lags.

/// A set of lags: each from 0 to [`Lags::LONGEST`], and all beyond that together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Lags(u128);

impl Lags {
    /// The longest lag that can be named.
    pub const LONGEST: usize = 126;
    /// No lag.
    pub const NONE: Self = Self(0);
    /// Every lag.
    pub const ALL: Self = Self(u128::MAX);
    /// Every lag but 0.
    pub const EARLIER: Self = Self(u128::MAX - 1);

    /// One lag.
    pub fn one(lag: usize) -> Self {
        Self(1 << lag.min(Self::LONGEST + 1))
    }

    /// Whether a lag is among them.
    #[inline]
    pub fn contains(self, lag: usize) -> bool {
        self.0 >> lag.min(Self::LONGEST + 1) & 1 == 1
    }

    /// Those of either.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that can be named, in increasing order.
    pub fn named(self) -> impl Iterator<Item = usize> {
        (0..=Self::LONGEST).filter(move |lag| self.contains(*lag))
    }

    /// As numbers, for a fingerprint.
    #[allow(clippy::cast_possible_truncation)] // halves
    pub(super) fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// "all lags", "lag 0", "lags 1, 2".
    pub(super) fn text(self) -> String {
        if self == Self::ALL {
            return "all lags".into();
        }
        let named: Vec<String> = self.named().map(|lag| lag.to_string()).collect();
        let word = if named.len() == 1 { "lag" } else { "lags" };
        format!("{word} {}", named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let some = Lags::one(0).with(Lags::one(7)).with(Lags::one(Lags::LONGEST));
        assert_eq!(some.named().collect::<Vec<_>>(), [0, 7, Lags::LONGEST]);
        assert!(!some.contains(1) && !some.contains(500));
        assert!(Lags::ALL.contains(500) && Lags::EARLIER.contains(1) && !Lags::EARLIER.contains(0));
        assert_eq!((Lags::ALL.text(), Lags::one(2).text()), ("all lags".into(), "lag 2".into()));
    }
}
