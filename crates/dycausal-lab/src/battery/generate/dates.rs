//! Days of a calendar.

use dycausal::TimeIndex;

/// 2021-01-01, a Friday, in days since 1970-01-01.
const FIRST: i64 = 18_628;

/// So many days in a row, from 2021-01-01 on.
pub(in super::super) fn daily(steps: usize) -> TimeIndex {
    let days = (FIRST..).take(steps);
    let text = days.clone().map(written).collect();
    TimeIndex::Dates { text, seconds: days.map(|day| day as f64 * 86_400.0).collect() }
}

/// A day since 1970-01-01 as `2021-01-01`, in the Gregorian calendar.
///
/// Years are counted from March, so that the day of a leap year comes last; 400 years have
/// 146 097 days.
fn written(day: i64) -> String {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(written(0), "1970-01-01");
        assert_eq!(written(11_016), "2000-02-29");
        assert_eq!(written(FIRST), "2021-01-01");
        let times = daily(1200);
        assert_eq!(times.label(1154), "2024-02-29");
        assert_eq!(times.spacing(), Some(86_400.0));
    }
}
