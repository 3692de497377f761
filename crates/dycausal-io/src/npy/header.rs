//! The header of an NPY file: what its elements are, in what order, and how many.

use std::io::Read;

use crate::error::{Error, Result};

/// What an NPY file says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The element type as NumPy writes it, e.g. `<f8`.
    pub descr: String,
    /// Whether the first axis moves fastest.
    pub fortran: bool,
    /// The length of each axis.
    pub shape: Vec<usize>,
    /// How many bytes the header takes, with everything before it.
    pub bytes: u64,
}

/// The kind of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    /// Floating point, of so many bytes.
    Float(usize),
    /// Signed integer, of so many bytes.
    Signed(usize),
    /// Unsigned integer, of so many bytes.
    Unsigned(usize),
    /// One byte, 0 or 1.
    Bool,
    /// UTF-32 text of so many characters.
    Text(usize),
}

impl Element {
    /// How many bytes one element takes.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Float(size) | Self::Signed(size) | Self::Unsigned(size) => size,
            Self::Bool => 1,
            Self::Text(characters) => characters.saturating_mul(4),
        }
    }
}

impl Header {
    /// Reads the header, which leaves `from` at the first value.
    pub(crate) fn read(file: &str, from: &mut impl Read) -> Result<Self> {
        let broken =
            |found: &str| Error::malformed(file, "NPY", found, "a header as numpy.save writes it");
        let mut start = [0; 8];
        from.read_exact(&mut start).map_err(|_| broken("no header"))?;
        if &start[..6] != b"\x93NUMPY" {
            return Err(broken("other first bytes"));
        }
        // Version 1 has two bytes for the length of the header, later ones four.
        let mut length = [0; 4];
        let wide = match start[6] {
            1 => 2,
            2 | 3 => 4,
            _ => return Err(broken("an unknown version")),
        };
        from.read_exact(&mut length[..wide]).map_err(|_| broken("a cut header"))?;
        let length = u32::from_le_bytes(length);
        if length > 1 << 20 {
            return Err(broken("a header of more than a megabyte"));
        }
        let mut text = vec![0; length as usize];
        from.read_exact(&mut text).map_err(|_| broken("a cut header"))?;
        let bytes = 8 + wide as u64 + u64::from(length);
        let text = String::from_utf8(text).map_err(|_| broken("a header that is not text"))?;
        parse(&text, bytes).ok_or_else(|| broken(&format!("the header {}", text.trim())))
    }

    /// Whether the first byte of an element is its highest.
    pub(crate) fn big_endian(&self) -> bool {
        self.descr.starts_with('>')
    }

    /// What one element is, where it is anything that can be read here.
    pub(crate) fn element(&self) -> Option<Element> {
        let code = self.descr.trim_start_matches(['<', '>', '|', '=']);
        let mut characters = code.chars();
        let kind = characters.next()?;
        let size: usize = characters.as_str().parse().ok()?;
        match (kind, size) {
            ('f', 4 | 8) => Some(Element::Float(size)),
            ('i', 1 | 2 | 4 | 8) => Some(Element::Signed(size)),
            ('u', 1 | 2 | 4 | 8) => Some(Element::Unsigned(size)),
            ('b', 1) => Some(Element::Bool),
            ('U', _) => Some(Element::Text(size)),
            _ => None,
        }
    }

    /// The type of the elements, in words.
    pub(crate) fn element_in_words(&self) -> String {
        let words = match self.element() {
            Some(Element::Float(size)) => format!("{}-bit floats", 8 * size),
            Some(Element::Signed(_) | Element::Unsigned(_)) => "integers".into(),
            Some(Element::Bool) => "booleans".into(),
            Some(Element::Text(_)) => "text".into(),
            None if self.descr.contains('c') => "complex numbers".into(),
            None if self.descr.contains('O') => "Python objects".into(),
            None => "unknown elements".into(),
        };
        format!("{words} (dtype {})", self.descr)
    }

    /// How many elements there are, and how many bytes they take.
    pub(crate) fn promised(&self, element: Element) -> Option<(usize, u64)> {
        let count =
            self.shape.iter().try_fold(1usize, |product, length| product.checked_mul(*length))?;
        let bytes = u64::try_from(count.checked_mul(element.size())?).ok()?;
        Some((count, bytes))
    }

    /// Refuses a header that promises more or fewer bytes than there are.
    pub(crate) fn check_size(&self, file: &str, element: Element, present: u64) -> Result<usize> {
        let promised = self.promised(element);
        match promised {
            Some((count, bytes)) if bytes == present => Ok(count),
            _ => {
                let needed =
                    promised.map_or("more than any".into(), |(_, bytes)| bytes.to_string());
                let found = format!("{present} bytes of values");
                let expected = format!(
                    "{needed} bytes for shape {:?} of {}: the file is cut, or its header wrong; save it again",
                    self.shape, self.descr
                );
                Err(Error::malformed(file, "NPY", found, expected))
            }
        }
    }
}

/// `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`
fn parse(text: &str, bytes: u64) -> Option<Header> {
    let after = |key: &str| {
        let quoted = [format!("'{key}'"), format!("\"{key}\"")];
        let start = quoted.iter().find_map(|key| Some(text.find(key)? + key.len()))?;
        text[start..].trim_start().strip_prefix(':').map(str::trim_start)
    };
    let descr = after("descr")?;
    let descr = match descr.chars().next()? {
        quote @ ('\'' | '"') => descr[1..].split(quote).next()?,
        // Fields of a record: a list of pairs, kept to be shown.
        _ => descr.split(']').next()?,
    };
    let fortran = after("fortran_order")?;
    let fortran = fortran.starts_with("True") || !fortran.starts_with("False").then_some(true)?;
    let inside = after("shape")?.strip_prefix('(')?.split(')').next()?;
    let lengths = inside.split(',').map(str::trim).filter(|length| !length.is_empty());
    Some(Header {
        descr: descr.to_owned(),
        fortran,
        shape: lengths
            .map(|length| length.trim_end_matches('L').parse().ok())
            .collect::<Option<_>>()?,
        bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_several_writers_are_read() {
        let header =
            parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }  \n", 80).unwrap();
        assert_eq!((header.shape.as_slice(), header.fortran), ([3, 2].as_slice(), false));
        assert_eq!(header.element(), Some(Element::Float(8)));
        let header =
            parse("{\"shape\":(7L,),\"fortran_order\":True,\"descr\":\">i4\"}", 80).unwrap();
        assert_eq!((header.shape.as_slice(), header.fortran), ([7].as_slice(), true));
        assert!(header.big_endian());
        assert_eq!(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 2)}", 80), None);
        assert_eq!(parse("{'descr': '<f8'}", 80), None);
    }
}
