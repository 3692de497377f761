//! Times as they are kept in files: a few of many that are even.

use serde::{Deserialize, Serialize};

use super::calendar::{Grid, Step};
use super::time::TimeIndex;
use crate::error::{Error, Result};

/// How many times are kept of those that are even.
const KEPT: usize = 32;

/// More steps than any series has: a file that says so is broken.
const MOST: usize = 1 << 33;

/// What times are in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TimeForm {
    /// How many steps.
    Steps(usize),
    /// Numbers.
    Numbers(Vec<f64>),
    /// first + k · step.
    EvenNumbers {
        /// The first.
        first: f64,
        /// From one to the next.
        step: f64,
        /// How many.
        count: usize,
    },
    /// Dates as they were written.
    Dates {
        /// As written.
        text: Vec<String>,
        /// Seconds since 1970.
        seconds: Vec<f64>,
    },
    /// Some of many dates; those between follow.
    EvenDates {
        /// How far they are apart.
        step: Step,
        /// Which are kept, from 0, the first and the last among them.
        at: Vec<usize>,
        /// As written.
        text: Vec<String>,
        /// Seconds since 1970.
        seconds: Vec<f64>,
    },
}

impl From<TimeIndex> for TimeForm {
    fn from(times: TimeIndex) -> Self {
        match times {
            TimeIndex::Steps(count) => Self::Steps(count),
            TimeIndex::Numbers(numbers) => even_numbers(&numbers).unwrap_or(Self::Numbers(numbers)),
            dates @ TimeIndex::Dates { .. } => match (even_dates(&dates), dates) {
                (Some(even), _) => even,
                (None, TimeIndex::Dates { text, seconds }) => Self::Dates { text, seconds },
                (None, other) => Self::Steps(other.len()),
            },
        }
    }
}

impl TryFrom<TimeForm> for TimeIndex {
    type Error = Error;

    fn try_from(written: TimeForm) -> Result<Self> {
        match written {
            TimeForm::Steps(count) => Ok(Self::Steps(count)),
            TimeForm::Numbers(numbers) => Ok(Self::Numbers(numbers)),
            TimeForm::EvenNumbers { first, step, count } if count <= MOST => {
                Ok(Self::Numbers((0..count).map(|k| first + k as f64 * step).collect()))
            }
            TimeForm::EvenNumbers { count, .. } => {
                Err(Error::shape("even numbers", count, format!("at most {MOST}")))
            }
            TimeForm::Dates { text, seconds } => Ok(Self::Dates { text, seconds }),
            TimeForm::EvenDates { step, at, text, seconds } => {
                let fits = at.len() == text.len() && at.len() == seconds.len();
                let inside = at.first() == Some(&0) && at.last().is_some_and(|last| *last < MOST);
                if !fits || !inside || !at.is_sorted_by(|a, b| a < b) {
                    let expected = format!("one text and number for each, from 0 to {MOST}");
                    return Err(Error::shape(
                        "even dates",
                        format!("{} places", at.len()),
                        expected,
                    ));
                }
                Ok(Grid { step, places: at, exact: true }.complete(&Self::Dates { text, seconds }))
            }
        }
    }
}

/// Numbers that a first one and a step give again, to the last bit.
fn even_numbers(numbers: &[f64]) -> Option<TimeForm> {
    let (first, last, count) = (*numbers.first()?, *numbers.last()?, numbers.len());
    if count <= KEPT {
        return None;
    }
    let steps = [numbers[1] - first, (last - first) / (count - 1) as f64];
    let gives = |step: &f64| {
        let mut all = numbers.iter().enumerate();
        all.all(|(k, time)| (first + k as f64 * step).to_bits() == time.to_bits())
    };
    let step = steps.into_iter().find(gives)?;
    Some(TimeForm::EvenNumbers { first, step, count })
}

/// Dates of which a few give the others again, as they were written.
fn even_dates(times: &TimeIndex) -> Option<TimeForm> {
    let TimeIndex::Dates { text, seconds } = times else { return None };
    if text.len() <= KEPT {
        return None;
    }
    let step = times.step()?;
    let last = text.len() - 1;
    let at: Vec<usize> = (0..KEPT).map(|k| k * last / (KEPT - 1)).collect();
    let kept_text = at.iter().map(|k| text[*k].clone()).collect();
    let kept_seconds = at.iter().map(|k| seconds[*k]).collect();
    let few = TimeIndex::Dates { text: kept_text, seconds: kept_seconds };
    let grid = Grid { step, places: at, exact: true };
    if grid.complete(&few) != *times {
        return None;
    }
    match few {
        TimeIndex::Dates { text, seconds } => {
            Some(TimeForm::EvenDates { step: grid.step, at: grid.places, text, seconds })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(times: &TimeIndex) -> String {
        let text = serde_json::to_string(times).unwrap();
        assert_eq!(&serde_json::from_str::<TimeIndex>(&text).unwrap(), times, "{text}");
        text
    }

    fn dates(count: i32, gap: i32, label: impl Fn(i64) -> String) -> TimeIndex {
        let at = |k: i32| 1_704_067_200 + i64::from(k) * i64::from(gap);
        TimeIndex::Dates {
            text: (0..count).map(|k| label(at(k))).collect(),
            seconds: (0..count).map(|k| at(k) as f64).collect(),
        }
    }

    #[test]
    fn even_times_take_no_room_and_come_back() {
        assert_eq!(written(&TimeIndex::Steps(9)), r#"{"steps":9}"#);
        let halves = TimeIndex::Numbers((0..900).map(|k| 1990.0 + 0.5 * f64::from(k)).collect());
        assert!(written(&halves).len() < 80);
        let tenths = TimeIndex::Numbers((0..900).map(|k| f64::from(k) / 10.0).collect());
        written(&tenths);
        let uneven = TimeIndex::Numbers((0..900).map(|k| f64::from(k * k)).collect());
        assert!(written(&uneven).len() > 4000);
        let hours = dates(5000, 3600, |second| {
            let moment = jiff::Timestamp::from_second(second).unwrap();
            moment.strftime("%Y-%m-%d %H:%M:%S").to_string()
        });
        assert!(written(&hours).len() < 2000, "{}", written(&hours).len());
        let odd = dates(200, 86_400, |second| format!("day {second}"));
        assert!(written(&odd).contains("\"dates\""), "what cannot be written again is kept");
    }

    #[test]
    fn broken_files_are_refused() {
        let text = r#"{"even_dates":{"step":"business_day","at":[1,0],"text":["a","b"],"seconds":[0.0,1.0]}}"#;
        assert!(serde_json::from_str::<TimeIndex>(text).is_err());
    }
}
