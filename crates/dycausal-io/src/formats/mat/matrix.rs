//! A numeric matrix in a MAT file.

use std::fmt;

use super::element::{Elements, word};

/// What a matrix says of itself before its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matrix {
    pub name: String,
    pub shape: Vec<usize>,
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name, self.shape)
    }
}

impl Matrix {
    /// The matrix whose content begins with these bytes, if it is real, numeric and no scalar.
    pub(super) fn describe(start: &[u8], big: bool) -> Option<Self> {
        const NUMERIC: std::ops::RangeInclusive<u32> = 6..=15;
        const COMPLEX: u32 = 0x0800;
        const LOGICAL: u32 = 0x0200;
        let mut parts = Elements::new(start, big);
        let flags = word(parts.next()??.data, 0, big)?;
        if !NUMERIC.contains(&(flags & 0xff)) || flags & (COMPLEX | LOGICAL) != 0 {
            return None;
        }
        let lengths = parts.next()??.data;
        let length = |at| word(lengths, 4 * at, big).map(|length| length as usize);
        let shape: Vec<usize> = (0..lengths.len() / 4).map(length).collect::<Option<_>>()?;
        let name = String::from_utf8_lossy(parts.next()??.data).into_owned();
        shape.iter().any(|length| *length > 1).then_some(Self { name, shape })
    }

    /// All values, the first axis moving fastest.
    pub(super) fn values(&self, content: &[u8], big: bool) -> Option<Vec<f64>> {
        let real = Elements::new(content, big).nth(3)??;
        let count = self.shape.iter().try_fold(1usize, |n, length| n.checked_mul(*length))?;
        let (size, convert) = stored(real.kind, big)?;
        // MATLAB stores whole numbers in as few bytes as they need, whatever the matrix is.
        (real.data.len() == count.checked_mul(size)?)
            .then(|| real.data.chunks_exact(size).map(convert).collect())
    }
}

type Convert = fn(&[u8]) -> f64;

/// How many bytes a stored number takes, and how they become a double.
fn stored(kind: u32, big: bool) -> Option<(usize, Convert)> {
    // `chunks_exact` gives exactly the bytes asked for; 0 never stands in for a value.
    macro_rules! of {
        ($number:ty) => {
            (
                size_of::<$number>(),
                if big {
                    |bytes: &[u8]| {
                        <$number>::from_be_bytes(bytes.try_into().unwrap_or_default()) as f64
                    }
                } else {
                    |bytes: &[u8]| {
                        <$number>::from_le_bytes(bytes.try_into().unwrap_or_default()) as f64
                    }
                },
            )
        };
    }
    #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
    Some(match kind {
        1 => of!(i8),
        2 => of!(u8),
        3 => of!(i16),
        4 => of!(u16),
        5 => of!(i32),
        6 => of!(u32),
        7 => of!(f32),
        9 => of!(f64),
        12 => of!(i64),
        13 => of!(u64),
        _ => return None,
    })
}
