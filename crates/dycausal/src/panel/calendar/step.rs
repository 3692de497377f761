//! How far the steps of a series are apart.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::civil::DAY;

/// The distance from one step to the next.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Step {
    /// So much, where times are numbers.
    Number(f64),
    /// So many seconds.
    Seconds(f64),
    /// So many seconds of the clock on the wall, which is put forward and back in summer and winter.
    Clock(f64),
    /// One day, Monday to Friday.
    BusinessDay,
    /// So many months.
    Months(u32),
}

impl fmt::Display for Step {
    /// As in "every …": `month`, `15 minutes`, `business day`, `0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(step) => write!(f, "{step}"),
            Self::Seconds(step) | Self::Clock(step) => seconds(f, step),
            Self::BusinessDay => f.write_str("business day"),
            Self::Months(months) => match months {
                months if months % 12 == 0 => counted(f, f64::from(months / 12), "year"),
                3 => f.write_str("quarter"),
                months => counted(f, f64::from(months), "month"),
            },
        }
    }
}

/// Seconds in the largest unit of which they are a whole number.
fn seconds(f: &mut fmt::Formatter<'_>, seconds: f64) -> fmt::Result {
    const UNITS: [(f64, &str); 7] = [
        (7.0 * DAY, "week"),
        (DAY, "day"),
        (3600.0, "hour"),
        (60.0, "minute"),
        (1.0, "second"),
        (1e-3, "millisecond"),
        (1e-6, "microsecond"),
    ];
    let whole = |unit: &&(f64, &str)| {
        let count = seconds / unit.0;
        count > 0.999 && (count - count.round()).abs() < 1e-6 * count
    };
    match UNITS.iter().find(whole) {
        Some((size, unit)) => counted(f, (seconds / size).round(), unit),
        None => write!(f, "{} seconds", (seconds * 1e6).round() / 1e6),
    }
}

fn counted(f: &mut fmt::Formatter<'_>, count: f64, unit: &str) -> fmt::Result {
    if count == 1.0 { f.write_str(unit) } else { write!(f, "{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_said_as_people_say_them() {
        for (step, expected) in [
            (Step::Number(0.5), "0.5"),
            (Step::Seconds(900.0), "15 minutes"),
            (Step::Seconds(604_800.0), "week"),
            (Step::Seconds(0.72), "720 milliseconds"),
            (Step::Clock(86_400.0), "day"),
            (Step::Months(1), "month"),
            (Step::Months(3), "quarter"),
            (Step::Months(24), "2 years"),
            (Step::BusinessDay, "business day"),
        ] {
            assert_eq!(step.to_string(), expected);
        }
    }
}
