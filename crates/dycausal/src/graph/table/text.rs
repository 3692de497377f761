//! What is told in words: stretches of time, and sudden changes.

use crate::graph::Presence;
use crate::movement::Change;
use crate::panel::TimeIndex;

/// Stretches of time that are told, at most; of more the first are, and how many there are.
const STRETCHES: usize = 12;

/// Something that has as many words as it needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Text<'a> {
    /// The steps at which something holds.
    When(&'a Presence),
    /// Sudden changes.
    Changes(&'a [Change]),
    /// Names, one after the other.
    Names(&'a [String]),
}

impl Text<'_> {
    /// The words, with the labels of these times.
    ///
    /// ```
    /// use dycausal::TimeIndex;
    /// use dycausal::graph::Presence;
    /// use dycausal::graph::table::Text;
    /// use dycausal::movement::Change;
    ///
    /// let times = TimeIndex::Numbers((2000..2010).map(f64::from).collect());
    /// let when = Presence::when(10, |step| step < 4 || step == 8);
    /// assert_eq!(Text::When(&when).words(&times), "from 2000 to 2003; at 2008");
    /// assert_eq!(Text::When(&Presence::always(10)).words(&times), "always");
    /// let change = Change { at: 4, low: 3, high: 6 };
    /// assert_eq!(Text::Changes(&[change]).words(&times), "at 2004 (2003 to 2006)");
    /// ```
    pub fn words(&self, times: &TimeIndex) -> String {
        match self {
            Self::When(presence) => when(presence, times),
            Self::Changes(changes) => {
                let told: Vec<String> = changes.iter().map(|one| change(one, times)).collect();
                told.join("; ")
            }
            Self::Names(names) => names.join(", "),
        }
    }
}

fn when(presence: &Presence, times: &TimeIndex) -> String {
    match presence.ranges() {
        [] => "never certain".into(),
        [(0, end)] if *end == times.len() => "always".into(),
        ranges => {
            let stretch = |(start, end): &(usize, usize)| {
                let first = times.label(*start);
                if end - start == 1 {
                    format!("at {first}")
                } else {
                    format!("from {first} to {}", times.label(end - 1))
                }
            };
            let mut told: Vec<String> = ranges.iter().take(STRETCHES).map(stretch).collect();
            if ranges.len() > STRETCHES {
                told.push(format!("and {} more", ranges.len() - STRETCHES));
            }
            told.join("; ")
        }
    }
}

fn change(change: &Change, times: &TimeIndex) -> String {
    let at = times.label(change.at);
    if change.low == change.high {
        format!("at {at}")
    } else {
        format!("at {at} ({} to {})", times.label(change.low), times.label(change.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_never_certain_and_what_is_known_to_the_step_says_so() {
        let times = TimeIndex::Steps(5);
        assert_eq!(Text::When(&Presence::when(5, |_| false)).words(&times), "never certain");
        assert_eq!(Text::When(&Presence::when(5, |t| t > 2)).words(&times), "from 4 to 5");
        let often = Presence::when(60, |t| t % 3 == 0);
        let words = Text::When(&often).words(&TimeIndex::Steps(60));
        assert!(
            words.starts_with("at 1; at 4; ") && words.ends_with("at 34; and 8 more"),
            "{words}"
        );
        let two = [Change { at: 1, low: 1, high: 1 }, Change { at: 3, low: 2, high: 4 }];
        assert_eq!(Text::Changes(&two).words(&times), "at 2; at 4 (3 to 5)");
    }
}
