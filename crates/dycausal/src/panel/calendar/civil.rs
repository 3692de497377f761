//! Seconds since 1970 as dates, and back.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Seconds of a day.
pub(crate) const DAY: f64 = 86_400.0;

/// The date and time of day of seconds since 1970-01-01T00:00; `None` outside of the calendar.
pub(super) fn datetime(seconds: f64) -> Option<DateTime> {
    // Whole nanoseconds of a double are noise below a microsecond: take what was meant.
    let micros = (seconds * 1e6).round();
    if micros.is_nan() || micros.abs() > 9e17 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // checked above
    let moment = Timestamp::from_microsecond(micros as i64).ok()?;
    Some(TimeZone::UTC.to_datetime(moment))
}

/// Seconds since 1970-01-01T00:00 of a date and time of day.
pub(super) fn seconds(moment: DateTime) -> Option<f64> {
    let moment = TimeZone::UTC.to_timestamp(moment).ok()?;
    Some(moment.as_second() as f64 + f64::from(moment.subsec_nanosecond()) * 1e-9)
}

/// The number of a month since year 0.
pub(super) fn month_number(date: Date) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month()) - 1
}

/// A day of a month by its number, or the last day of a shorter month.
pub(super) fn in_month(number: i64, day: i8) -> Option<Date> {
    let year = i16::try_from(number.div_euclid(12)).ok()?;
    let month = i8::try_from(number.rem_euclid(12) + 1).ok()?;
    let first = Date::new(year, month, 1).ok()?;
    Date::new(year, month, day.min(first.days_in_month())).ok()
}

/// Days since the Monday 1969-12-29, and the seconds left.
pub(super) fn monday_days(seconds: f64) -> (f64, f64) {
    let day = (seconds / DAY).floor();
    (day + 3.0, seconds - day * DAY)
}

/// How far the clock on the wall is ahead of UTC, in seconds, where a time says so at its end.
pub(super) fn offset(text: &str) -> Option<f64> {
    let text = text.split('[').next().unwrap_or(text).trim_end();
    let (_, clock) = text.split_once(['T', 't', ' '])?;
    if clock.ends_with(['Z', 'z']) {
        return Some(0.0);
    }
    let at = clock.rfind(['+', '-'])?;
    let sign = if clock[at..].starts_with('-') { -1.0 } else { 1.0 };
    let digits: Vec<f64> =
        clock[at + 1..].chars().filter_map(|digit| digit.to_digit(10).map(f64::from)).collect();
    match digits[..] {
        [a, b] => Some(sign * 3600.0 * (10.0 * a + b)),
        [a, b, c, d] => Some(sign * (3600.0 * (10.0 * a + b) + 60.0 * (10.0 * c + d))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_from_the_end() {
        for (text, expected) in [
            ("2024-05-31T18:00:00+02:00", Some(7200.0)),
            ("2024-05-31T18:00:00-0330[America/St_Johns]", Some(-12_600.0)),
            ("2024-05-31 18:00Z", Some(0.0)),
            ("2024-05-31 18:00", None),
            ("2024-05-31", None),
        ] {
            assert_eq!(offset(text), expected, "{text}");
        }
    }

    #[test]
    fn weeks_begin_on_monday() {
        // 2024-01-01 was a Monday.
        let (days, left) = monday_days(1_704_067_200.0 + 60.0);
        assert_eq!((days % 7.0, left), (0.0, 60.0));
    }
}
