//! Times on the clock on the wall of a place.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};

use crate::error::{Error, Result};

/// The zone of this name.
pub(super) fn find(file: &str, name: &str) -> Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        let expected = "the name of a time zone, such as Europe/Berlin or UTC";
        Error::data(file, dycausal::Error::parameter("zone", name, expected))
    })
}

/// Turns times into those of a zone: `local` ones are of its clock on the wall, others are shown on it.
///
/// An hour that the clock goes through twice is the first where a series comes to it, and the second
/// where it comes to it again. Fails with the row of a time that the clock does not have.
pub(super) fn apply(
    zone: TimeZone,
    local: bool,
    text: &mut [String],
    values: &mut [f64],
    series: Option<&[usize]>,
) -> std::result::Result<(), usize> {
    if text.is_empty() {
        return Err(0);
    }
    let mut last: HashMap<usize, f64> = HashMap::new();
    for row in 0..values.len() {
        let number = series.map_or(0, |series| series[row]);
        let (seconds, offset) = if local {
            let moment = datetime(values[row]).ok_or(row)?;
            let after = last.get(&number).copied().unwrap_or(f64::NEG_INFINITY);
            let offset = match zone.to_ambiguous_timestamp(moment).offset() {
                AmbiguousOffset::Unambiguous { offset } => offset,
                AmbiguousOffset::Gap { .. } => return Err(row),
                AmbiguousOffset::Fold { before, after: second } => {
                    let first = values[row] - f64::from(before.seconds());
                    if first > after { before } else { second }
                }
            };
            (values[row] - f64::from(offset.seconds()), offset)
        } else {
            let moment = datetime(values[row]).ok_or(row)?;
            let moment = TimeZone::UTC.to_timestamp(moment).map_err(|_| row)?;
            (values[row], zone.to_offset(moment))
        };
        text[row] = if local {
            format!("{}{}", clock(&text[row]), shown(offset))
        } else {
            on_wall(seconds, offset).ok_or(row)?
        };
        values[row] = seconds;
        last.insert(number, seconds);
    }
    Ok(())
}

/// A date with a time of day: midnight where it has none.
fn clock(text: &str) -> String {
    if text.contains(':') { text.to_owned() } else { format!("{text}T00:00") }
}

fn shown(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

fn on_wall(seconds: f64, offset: Offset) -> Option<String> {
    let moment = datetime(seconds + f64::from(offset.seconds()))?;
    Some(format!("{moment}{}", shown(offset)))
}

fn datetime(seconds: f64) -> Option<DateTime> {
    #[allow(clippy::cast_possible_truncation)] // a float that is too large ends at the border
    let moment = Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok()?;
    Some(TimeZone::UTC.to_datetime(moment))
}
