//! One time, as it is written in a cell.

use jiff::civil::{Date, DateTime, ISOWeekDate, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::order::Turned;

/// A number, or a date with or without a time zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Instant {
    /// A number.
    Number(f64),
    /// A date or date-time without a zone: seconds since 1970-01-01T00:00 there.
    Local(f64),
    /// A date-time with a zone: seconds since 1970-01-01T00:00Z.
    Zoned(f64),
}

/// What [`Instant::parse`] understands, for messages.
pub(crate) const EXPECTED: &str = "a number or a date such as 2024-05-31, 2024-05-31 18:00:00, 2024-05-31T18:00:00Z, 2024/05/31, 31/05/2024, 2024-05, 2024-Q2 or 2024-W22";

impl Instant {
    /// Reads a number, an ISO date or date-time (zone optional), `YYYY/MM/DD`, a month, a quarter or
    /// a week.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Ok(number) = fast_float2::parse::<f64, _>(text) {
            return number.is_finite().then_some(Self::Number(number));
        }
        let dashed;
        let text = if text.contains('/') && !text.contains('[') {
            dashed = text.replace('/', "-");
            dashed.as_str()
        } else {
            text
        };
        zoned(text).or_else(|| local(text)).or_else(|| {
            let date = month(text).or_else(|| quarter(text)).or_else(|| week(text));
            date.and_then(start)
        })
    }

    /// What can be compared: the number, or the seconds.
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Number(value) | Self::Local(value) | Self::Zoned(value) => value,
        }
    }

    /// The kind, in words.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Local(_) => "a date without a time zone",
            Self::Zoned(_) => "a date-time with a time zone",
        }
    }
}

/// Seconds since 1970 of a date or date-time as text; `None` for anything else, numbers included.
///
/// ```
/// assert_eq!(dycausal_io::date_seconds("1970-01-02"), Some(86_400.0));
/// assert_eq!(dycausal_io::date_seconds("1970-Q2"), Some(90.0 * 86_400.0));
/// assert_eq!(dycausal_io::date_seconds("soon"), None);
/// ```
pub fn date_seconds(text: &str) -> Option<f64> {
    match Instant::parse(text)? {
        Instant::Number(_) => None,
        Instant::Local(seconds) | Instant::Zoned(seconds) => Some(seconds),
    }
}

/// Whether a text is a date, in any order of day and month.
pub(crate) fn is_date(text: &str) -> bool {
    match Instant::parse(text) {
        Some(instant) => !matches!(instant, Instant::Number(_)),
        None => Turned::parse(text).is_some(),
    }
}

/// Seconds, with their fraction: a double holds microseconds for centuries around 1970.
fn seconds(moment: Timestamp) -> f64 {
    moment.as_second() as f64 + f64::from(moment.subsec_nanosecond()) * 1e-9
}

fn zoned(text: &str) -> Option<Instant> {
    let moment =
        text.parse::<Timestamp>().or_else(|_| text.parse::<Zoned>().map(|zoned| zoned.timestamp()));
    moment.ok().map(|moment| Instant::Zoned(seconds(moment)))
}

fn local(text: &str) -> Option<Instant> {
    start_at(text.parse::<DateTime>().ok()?)
}

fn start(date: Date) -> Option<Instant> {
    start_at(date.into())
}

/// A date and time of day without a zone.
pub(super) fn start_at(moment: DateTime) -> Option<Instant> {
    let utc = moment.to_zoned(TimeZone::UTC).ok()?;
    Some(Instant::Local(seconds(utc.timestamp())))
}

/// `YYYY-MM` or `YYYYMmm`.
fn month(text: &str) -> Option<Date> {
    let (year, month) = text.split_once(['-', 'M', 'm'])?;
    Date::new(four_digits(year)?, month.trim_start_matches(['M', 'm']).parse().ok()?, 1).ok()
}

/// `YYYY-Www` or `YYYYWww`: its Monday.
fn week(text: &str) -> Option<Date> {
    let (year, week) = text.split_once(['W', 'w'])?;
    let year = four_digits(year.trim_end_matches('-'))?;
    ISOWeekDate::new(year, week.parse().ok()?, Weekday::Monday).ok().map(ISOWeekDate::date)
}

/// `YYYY-Qn` or `YYYYQn`.
fn quarter(text: &str) -> Option<Date> {
    let (year, quarter) = text.split_once(['Q', 'q'])?;
    let quarter: i8 = quarter.parse().ok()?;
    let year = four_digits(year.trim_end_matches('-'))?;
    (1..=4).contains(&quarter).then(|| Date::new(year, 3 * quarter - 2, 1).ok())?
}

fn four_digits(year: &str) -> Option<i16> {
    (year.len() == 4).then(|| year.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_people_write_them() {
        let day = 86_400.0;
        for (text, expected) in [
            ("1990.5", Instant::Number(1990.5)),
            ("1970-01-02", Instant::Local(day)),
            ("1970/01/02", Instant::Local(day)),
            ("1970-01-02 00:00:01.5", Instant::Local(day + 1.5)),
            ("1970-01-02T00:00", Instant::Local(day)),
            ("1970-02", Instant::Local(31.0 * day)),
            ("1970Q2", Instant::Local(90.0 * day)),
            ("1970-Q2", Instant::Local(90.0 * day)),
            ("1970M02", Instant::Local(31.0 * day)),
            ("1970-W02", Instant::Local(4.0 * day)),
            ("1970-01-02T00:00:00Z", Instant::Zoned(day)),
            ("1970-01-02 01:00:00+01:00", Instant::Zoned(day)),
            ("1969-12-31T23:59:59.5Z", Instant::Zoned(-0.5)),
        ] {
            assert_eq!(Instant::parse(text), Some(expected), "{text}");
        }
        for text in ["", "yesterday", "31/12/2020", "2020-13", "2020Q5", "2021-W53", "inf"] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
