//! Which steps a period holds.

use std::ops::Range;

use super::statements::{EdgeStatement, Name, Statements};
use crate::error::Result;
use crate::panel::TimeIndex;

/// The steps of a statement; `None` where it holds always.
///
/// Both ends belong to the period. A date may be cut short: 2024-05 is the whole month.
pub(super) fn steps(
    said: &Statements,
    edge: &EdgeStatement,
    times: &TimeIndex,
    seconds: &dyn Fn(&str) -> Option<f64>,
) -> Result<Option<Range<usize>>> {
    if edge.since.is_none() && edge.until.is_none() {
        return Ok(None);
    }
    let bound = |time: &Name| -> Result<f64> {
        let value = match times {
            TimeIndex::Dates { .. } => seconds(&time.text),
            _ => time.text.parse().ok().filter(|number: &f64| number.is_finite()),
        };
        value.ok_or_else(|| {
            let like = if times.is_empty() { String::new() } else { times.label(0) };
            let what =
                format!("`{}` is no time of these data; theirs are like `{like}`", time.text);
            said.refused([time.line], what)
        })
    };
    let starts_with = |step: usize, time: &Name| match times {
        TimeIndex::Dates { text, .. } => text[step].starts_with(time.text.as_str()),
        _ => false,
    };
    let value = |step: usize| match times {
        TimeIndex::Steps(_) => step as f64 + 1.0,
        TimeIndex::Numbers(numbers) => numbers[step],
        TimeIndex::Dates { seconds, .. } => seconds[step],
    };
    let since = edge.since.as_ref().map(bound).transpose()?;
    let until = edge.until.as_ref().map(bound).transpose()?;
    let within = |step: &usize| {
        since.is_none_or(|since| value(*step) >= since)
            && until.is_none_or(|until| {
                let named = edge.until.as_ref().is_some_and(|time| starts_with(*step, time));
                value(*step) <= until || named
            })
    };
    let inside: Vec<usize> = (0..times.len()).filter(within).collect();
    if let (Some(first), Some(last)) = (inside.first(), inside.last()) {
        Ok(Some(*first..last + 1))
    } else {
        let ends = [&edge.since, &edge.until].map(|time| time.as_ref().and_then(|t| t.line));
        Err(said.refused(ends, "no step of these data lies in the period"))
    }
}
