//! The values of an NPY file.

use std::io::Read;

use super::header::{Element, Header};
use crate::error::{Error, Result};

/// Reads `count` numbers as doubles; memory grows with what is really there.
pub(crate) fn read_values(
    file: &str,
    from: &mut impl Read,
    header: &Header,
    element: Element,
    count: usize,
) -> Result<Vec<f64>> {
    const AT_ONCE: usize = 1 << 16;
    let size = element.size();
    let convert = converter(element, header.big_endian())
        .ok_or_else(|| Error::array(file, header.element_in_words(), "numbers"))?;
    let mut values = Vec::with_capacity(count.min(1 << 20));
    let mut buffer = vec![0; AT_ONCE * size];
    while values.len() < count {
        let bytes = &mut buffer[..AT_ONCE.min(count - values.len()) * size];
        from.read_exact(bytes).map_err(|reason| {
            let found = format!("{} of {count} values ({reason})", values.len());
            Error::malformed(file, "NPY", found, "all of them: the file is cut, save it again")
        })?;
        convert(bytes, &mut values);
    }
    Ok(values)
}

/// Adds the elements in some bytes to others.
type Convert = fn(&[u8], &mut Vec<f64>);

/// How the bytes of elements become doubles: all of them by one call, in a loop of its own for each type.
fn converter(element: Element, big: bool) -> Option<Convert> {
    // `as_chunks` gives exactly the bytes of one element.
    macro_rules! of {
        ($number:ty) => {
            if big {
                |bytes, out| {
                    let (elements, _) = bytes.as_chunks::<{ size_of::<$number>() }>();
                    out.extend(elements.iter().map(|x| <$number>::from_be_bytes(*x) as f64));
                }
            } else {
                |bytes, out| {
                    let (elements, _) = bytes.as_chunks::<{ size_of::<$number>() }>();
                    out.extend(elements.iter().map(|x| <$number>::from_le_bytes(*x) as f64));
                }
            }
        };
    }
    #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
    Some(match element {
        Element::Float(8) => of!(f64),
        Element::Float(_) => of!(f32),
        Element::Signed(1) => of!(i8),
        Element::Signed(2) => of!(i16),
        Element::Signed(4) => of!(i32),
        Element::Signed(_) => of!(i64),
        Element::Unsigned(1) => of!(u8),
        Element::Unsigned(2) => of!(u16),
        Element::Unsigned(4) => of!(u32),
        Element::Unsigned(_) => of!(u64),
        Element::Bool => |bytes, out| {
            out.extend(bytes.iter().map(|byte| f64::from(u8::from(*byte != 0))));
        },
        Element::Text(_) => return None,
    })
}

/// Reads `count` texts of UTF-32.
pub(crate) fn read_strings(
    from: &mut impl Read,
    header: &Header,
    characters: usize,
    count: usize,
) -> Option<Vec<String>> {
    let mut bytes = Vec::new();
    let size = characters.checked_mul(4)?;
    let all = u64::try_from(size.checked_mul(count)?).ok()?;
    from.take(all).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 != all || size == 0 {
        return None;
    }
    let character = |bytes: &[u8]| {
        let bytes = bytes.try_into().ok()?;
        char::from_u32(if header.big_endian() {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        })
    };
    let text = |bytes: &[u8]| {
        let text: Option<String> = bytes.chunks_exact(4).map(character).collect();
        text.map(|text| text.trim_end_matches('\0').to_owned())
    };
    bytes.chunks_exact(size).map(text).collect()
}
