//! Many smooth curves in few bytes.
//!
//! A value becomes a whole number from 0 to some number of levels between the lowest and highest of
//! its curve, and 65535 where there is none. What is written is how the difference from one step to the next
//! changes, which is nearly 0 for smooth curves: first all low bytes, then all high bytes, which
//! compresses well.

/// Stands for "no value here".
const NONE: u16 = u16::MAX;

/// The range that the numbers of a curve lie in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// The range of the values that are finite; from 0 to 0 without any.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let finite = values.filter(|x| x.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low <= high { Self { low, high } } else { Self { low: 0.0, high: 0.0 } }
    }

    /// Where a value lies in the range, from 0 to `most`; `None` if it is not finite.
    pub(super) fn share(&self, value: f64, most: f64) -> Option<f64> {
        // Halves first: the span of a range of huge numbers may not be finite.
        let span = 0.5 * self.high - 0.5 * self.low;
        let above = 0.5 * value - 0.5 * self.low;
        let share = if span > 0.0 { (above / span).clamp(0.0, 1.0) } else { 0.0 };
        value.is_finite().then(|| (share * most).round())
    }
}

/// Whole numbers of curves, all of one length, to be written together.
pub(super) struct Curves {
    /// The number that stands for the highest value of a curve.
    levels: u16,
    codes: Vec<u16>,
}

impl Curves {
    /// No curve yet.
    pub(super) const fn new(levels: u16) -> Self {
        Self { levels, codes: Vec::new() }
    }

    /// Adds a curve; values that are not finite are none.
    pub(super) fn push(&mut self, values: impl Iterator<Item = f64> + Clone) -> Range {
        let range = Range::of(values.clone());
        let (mut last, mut slope) = (0u16, 0u16);
        for value in values {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let code =
                range.share(value, f64::from(self.levels)).map_or(NONE, |share| share as u16);
            let step = code.wrapping_sub(last);
            self.codes.push(zigzag(step.wrapping_sub(slope)));
            (last, slope) = (code, step);
        }
        range
    }

    /// All low bytes, then all high bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let low = self.codes.iter().map(|code| code.to_le_bytes()[0]);
        let high = self.codes.iter().map(|code| code.to_le_bytes()[1]);
        low.chain(high).collect()
    }
}

/// Small numbers of either sign become small numbers: 0, −1, 1, −2 … become 0, 1, 2, 3 ….
fn zigzag(number: u16) -> u16 {
    if number < 0x8000 { number << 1 } else { ((!number) << 1) | 1 }
}

#[cfg(test)]
pub(super) fn decode(bytes: &[u8], length: usize) -> Vec<Vec<Option<u16>>> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    let codes: Vec<u16> =
        low.iter().zip(high).map(|(low, high)| u16::from_le_bytes([*low, *high])).collect();
    let curve = |codes: &[u16]| {
        let (mut last, mut slope) = (0u16, 0u16);
        let one = |code: &u16| {
            let bend = if code & 1 == 0 { code >> 1 } else { !(code >> 1) };
            slope = slope.wrapping_add(bend);
            last = last.wrapping_add(slope);
            (last != NONE).then_some(last)
        };
        codes.iter().map(one).collect()
    };
    codes.chunks(length).map(curve).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn curves_come_back_within_their_rounding(
            values in prop::collection::vec(prop_oneof![8 => -1e3..1e3f64, 1 => Just(f64::NAN)], 6..60)
        ) {
            let mut curves = Curves::new(4095);
            let range = curves.push(values.iter().copied());
            let back = decode(&curves.bytes(), values.len()).remove(0);
            for (value, code) in values.iter().zip(back) {
                match code {
                    None => prop_assert!(value.is_nan()),
                    Some(code) => {
                        let read = range.low + (range.high - range.low) * f64::from(code) / 4095.0;
                        prop_assert!((read - value).abs() <= (range.high - range.low) / 4095.0);
                    }
                }
            }
        }
    }

    #[test]
    fn huge_and_single_values_keep_their_place() {
        let range = Range::of([f64::MAX, -f64::MAX].into_iter());
        assert_eq!(range.share(f64::MAX, 100.0), Some(100.0));
        assert_eq!(Range::of([3.0, 3.0].into_iter()).share(3.0, 100.0), Some(0.0));
        assert_eq!(Range::of([f64::NAN].into_iter()), Range { low: 0.0, high: 0.0 });
    }
}
