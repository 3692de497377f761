//! Dates with the year at their end: is the day first, or the month?

use jiff::civil::{Date, DateTime, Time};

/// A date with the year at its end, and the two days that it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turned {
    /// The day that it is with the day first, if there is such a day.
    pub day_first: Option<DateTime>,
    /// The day that it is with the month first, if there is such a day.
    pub month_first: Option<DateTime>,
}

impl Turned {
    /// Reads `D/M/YYYY`, `M/D/YYYY` (also with dashes) and `D.M.YYYY`, with or without a time of day.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (date, clock) = match text.split_once([' ', 'T']) {
            Some((date, clock)) => (date, Some(clock.trim())),
            None => (text, None),
        };
        let separator = date.chars().find(|c| matches!(c, '/' | '-' | '.'))?;
        let mut parts = date.split(separator);
        let [first, second] = [parts.next()?, parts.next()?].map(small);
        let year = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
        if parts.next().is_some() {
            return None;
        }
        let (first, second) = (first?, second?);
        let time = clock.map_or(Some(Time::midnight()), time_of_day)?;
        let on = |month, day| Date::new(year, month, day).ok().map(|date| date.to_datetime(time));
        // Where people write points, the day stands first.
        let month_first = if separator == '.' { None } else { on(first, second) };
        let turned = Self { day_first: on(second, first), month_first };
        (turned.day_first.is_some() || month_first.is_some()).then_some(turned)
    }
}

fn small(part: &str) -> Option<i8> {
    (matches!(part.len(), 1 | 2) && part.bytes().all(|b| b.is_ascii_digit()))
        .then(|| part.parse().ok())?
}

/// `H:MM`, `HH:MM:SS`, with a fraction, with AM or PM.
fn time_of_day(text: &str) -> Option<Time> {
    let upper = text.to_ascii_uppercase();
    let (clock, half) = match upper.strip_suffix("AM").map(|clock| (clock, Some(0))) {
        Some(found) => found,
        None => upper.strip_suffix("PM").map_or((upper.as_str(), None), |clock| (clock, Some(12))),
    };
    let mut parts = clock.trim().split(':');
    let (hour, minute) = (small(parts.next()?)?, small(parts.next()?)?);
    let seconds: f64 = parts.next().unwrap_or("0").parse().ok()?;
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(noon) => hour % 12 + noon,
        None => hour,
    };
    if parts.next().is_some() || !(0.0..60.0).contains(&seconds) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // below 60, and below a second
    let (whole, nanoseconds) =
        (seconds as i8, (seconds.fract() * 1e9).round().min(999_999_999.0) as i32);
    Time::new(hour, minute, whole, nanoseconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_are_told_apart_where_they_can_be() {
        let days = |text: &str| {
            Turned::parse(text).map(|found| {
                let day = |date: Option<DateTime>| date.map(|date| date.to_string());
                (day(found.day_first), day(found.month_first))
            })
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(days("31/12/2020"), Some((some("2020-12-31T00:00:00"), None)));
        assert_eq!(days("12/31/2020"), Some((None, some("2020-12-31T00:00:00"))));
        assert_eq!(
            days("3/4/2021 5:30 PM"),
            Some((some("2021-04-03T17:30:00"), some("2021-03-04T17:30:00")))
        );
        assert_eq!(days("03.04.2021 08:15"), Some((some("2021-04-03T08:15:00"), None)));
        assert_eq!(days("03-04-2021").map(|found| found.0), Some(some("2021-04-03T00:00:00")));
        for text in ["31/31/2020", "3/4/21", "2020/03/04", "3/4/2020 25:00", "a/b/2020", "3/4"] {
            assert_eq!(days(text), None, "{text}");
        }
    }
}
