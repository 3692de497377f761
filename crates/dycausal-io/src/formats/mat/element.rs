//! The elements a MAT file is made of: a type, a size and bytes.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;

/// The type of an element that holds a compressed one.
const COMPRESSED: u32 = 15;
/// The type of an element that holds a matrix.
const MATRIX: u32 = 14;

/// One element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    /// What its bytes are.
    pub kind: u32,
    /// Its bytes.
    pub data: &'a [u8],
}

/// The elements in a row; `None` where one is cut.
pub(super) struct Elements<'a> {
    rest: &'a [u8],
    big: bool,
}

impl<'a> Elements<'a> {
    pub(super) fn new(rest: &'a [u8], big: bool) -> Self {
        Self { rest, big }
    }

    fn take(&mut self) -> Option<Element<'a>> {
        let kind = word(self.rest, 0, self.big)?;
        // Up to four bytes stand where the size would.
        let small = kind >> 16;
        let (kind, start, size) = match small {
            0 => (kind, 8, word(self.rest, 4, self.big)?),
            _ => (kind & 0xffff, 4, small),
        };
        let end = start + size as usize;
        let data = self.rest.get(start..end)?;
        // All but compressed elements are filled up to a multiple of eight.
        let next = if kind == COMPRESSED { end } else { end.next_multiple_of(8) };
        self.rest = self.rest.get(next..).unwrap_or_default();
        Some(Element { kind, data })
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Option<Element<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let element = self.take();
        if element.is_none() {
            self.rest = &[];
        }
        Some(element)
    }
}

/// The four bytes at a place as a number.
pub(super) fn word(bytes: &[u8], at: usize, big: bool) -> Option<u32> {
    let four = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) })
}

/// The content of a matrix, unpacked where it is compressed and cut after `limit` bytes.
///
/// `None` if the compression is damaged, `Some(None)` if it is no matrix.
#[allow(clippy::option_option)]
pub(super) fn inflate<'a>(
    element: &Element<'a>,
    big: bool,
    limit: Option<u64>,
) -> Option<Option<Cow<'a, [u8]>>> {
    if element.kind == MATRIX {
        return Some(Some(Cow::Borrowed(element.data)));
    }
    if element.kind != COMPRESSED {
        return Some(None);
    }
    let mut unpacked = ZlibDecoder::new(element.data);
    let mut tag = [0; 8];
    unpacked.read_exact(&mut tag).ok()?;
    if word(&tag, 0, big)? != MATRIX {
        return Some(None);
    }
    let size = u64::from(word(&tag, 4, big)?);
    let mut content = Vec::new();
    unpacked.take(size.min(limit.unwrap_or(size))).read_to_end(&mut content).ok()?;
    Some(Some(Cow::Owned(content)))
}
