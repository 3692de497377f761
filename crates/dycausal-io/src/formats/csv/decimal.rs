//! Which mark separates the fraction of a number, as a file shows it.

use std::borrow::Cow;

use super::cell::{self, grouped};
use crate::error::Place;
use crate::options::Decimal;
use crate::remedy::{Expected, Remedy};

/// The numbers of a file: the first that has a mark says which mark they have.
///
/// Where cells are separated by commas a decimal comma has to be asked for.
pub(in crate::formats) struct Numbers {
    asked: Option<Decimal>,
    commas: bool,
    seen: Option<(Decimal, Place)>,
}

impl Numbers {
    pub(in crate::formats) fn new(asked: Option<Decimal>, separator: u8) -> Self {
        Self { asked, commas: separator != b',', seen: None }
    }

    /// Whether a comma can be a decimal mark.
    pub(in crate::formats) fn commas(&self) -> bool {
        self.commas || self.asked == Some(Decimal::Comma)
    }

    /// Whether the file was found to have decimal commas.
    pub(in crate::formats) fn found_commas(&self) -> bool {
        self.asked.is_none() && self.seen.is_some_and(|(mark, _)| mark == Decimal::Comma)
    }

    /// The number in a cell: NaN where it is missing, `None` where it is neither.
    pub(in crate::formats) fn read(&mut self, cell: &[u8], place: Place) -> Option<f64> {
        if let Some(asked) = self.asked {
            return grouped(cell, asked.mark()).or_else(|| missing(cell));
        }
        if !self.commas {
            return cell::number(cell);
        }
        let mark = if cell.contains(&b'.') { Decimal::Point } else { Decimal::Comma };
        if mark == Decimal::Comma && !cell.contains(&b',') {
            return cell::number(cell);
        }
        // `1.234,5` has both: the last of them is the mark.
        let number = match mark {
            Decimal::Comma => grouped(cell, b','),
            Decimal::Point => cell::number(cell),
        };
        let (number, mark) = match number {
            None => (grouped(cell, b','), Decimal::Comma),
            number => (number, mark),
        };
        if number.is_some_and(f64::is_nan) {
            return number;
        }
        number.filter(|_| self.seen.get_or_insert((mark, place)).0 == mark)
    }

    /// A time as it is to be read: a number with a point.
    pub(in crate::formats) fn time<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let comma = self.commas() && text.contains(',') && !text.contains(':');
        match grouped(text.as_bytes(), b',').filter(|_| comma) {
            Some(number) => Cow::Owned(number.to_string()),
            None => Cow::Borrowed(text),
        }
    }

    /// What should have been there in place of a cell.
    pub(in crate::formats) fn expected(&self, text: &str, infinite: bool) -> Expected {
        let comma = grouped(text.as_bytes(), b',').is_some();
        let point = cell::number(text.as_bytes()).is_some();
        let with_comma = |words: String| Expected::new(words, [Remedy::with("decimal", "comma")]);
        match (self.asked, self.seen) {
            _ if infinite => "a finite number, or an empty cell where it is missing".into(),
            (None, Some((Decimal::Point, place))) if comma => with_comma(format!(
                "a decimal point, as in {place}; say so if commas mark the fraction and points group thousands"
            )),
            (None, Some((Decimal::Comma, place))) if point => with_comma(format!(
                "a decimal comma, as in {place}; say so if points group thousands"
            )),
            (None, None) if comma => with_comma(
                "a number with a decimal point; say so if commas mark the fraction".into(),
            ),
            (Some(asked), _) if comma || point => format!("a number with a decimal {asked}").into(),
            _ => Expected::new(
                "a number, or an empty cell where it is missing; leave a column of text out",
                [Remedy::of("drop")],
            ),
        }
    }
}

fn missing(cell: &[u8]) -> Option<f64> {
    cell::number(cell).filter(|number| number.is_nan() || number.is_infinite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(numbers: &mut Numbers, cell: &str) -> Option<f64> {
        numbers.read(cell.as_bytes(), Place::Line(2))
    }

    #[test]
    fn the_first_mark_decides() {
        let mut comma = Numbers::new(None, b';');
        for (cell, expected) in
            [("7", Some(7.0)), ("1,5", Some(1.5)), ("1.234,5", Some(1234.5)), ("1.5", None)]
        {
            assert_eq!(read(&mut comma, cell), expected, "{cell}");
        }
        assert!(read(&mut comma, "NA").is_some_and(f64::is_nan));
        let mut point = Numbers::new(None, b';');
        assert_eq!(read(&mut point, "1.5"), Some(1.5));
        assert_eq!(read(&mut point, "1,5"), None);
        assert_eq!(point.expected("1,5", false).remedies, [Remedy::with("decimal", "comma")]);
        let mut plain = Numbers::new(None, b',');
        assert_eq!(read(&mut plain, "1,5"), None);
    }

    #[test]
    fn what_is_asked_for_may_group_thousands() {
        let mut comma = Numbers::new(Some(Decimal::Comma), b',');
        assert_eq!(read(&mut comma, "1.234"), Some(1234.0));
        assert_eq!(read(&mut comma, "-1.234.567,25"), Some(-1_234_567.25));
        assert_eq!(read(&mut comma, "1.5"), None);
        let mut point = Numbers::new(Some(Decimal::Point), b';');
        assert_eq!(read(&mut point, "1,234.5"), Some(1234.5));
        assert_eq!(read(&mut point, "1,5"), None);
        assert!(read(&mut point, "").is_some_and(f64::is_nan));
    }
}
