//! Times that are not there, written as those beside them.

use std::fmt::Write;

use jiff::civil::DateTime;

use super::civil::{DAY, datetime, in_month, monday_days, month_number, offset, seconds};
use super::{Grid, Step};
use crate::panel::TimeIndex;

/// The times of every step of a grid.
pub(super) fn complete(grid: &Grid, times: &TimeIndex) -> TimeIndex {
    match times {
        TimeIndex::Steps(_) => TimeIndex::Steps(grid.len()),
        TimeIndex::Numbers(numbers) => TimeIndex::Numbers(complete_numbers(grid, numbers)),
        TimeIndex::Dates { text, seconds } => complete_dates(grid, text, seconds),
    }
}

fn complete_numbers(grid: &Grid, numbers: &[f64]) -> Vec<f64> {
    let mut all = Vec::with_capacity(grid.len());
    for (number, time) in numbers.iter().enumerate() {
        all.push(*time);
        let steps = steps_after(grid, number);
        let next = numbers.get(number + 1).copied().unwrap_or(*time);
        for step in 1..steps {
            all.push(tidy(time + (next - time) * step as f64 / steps as f64));
        }
    }
    all
}

/// How many steps after a time the next one stands.
fn steps_after(grid: &Grid, number: usize) -> usize {
    grid.places.get(number + 1).map_or(1, |next| next - grid.places[number])
}

/// A number without the noise of its last digits.
fn tidy(number: f64) -> f64 {
    format!("{number:.12e}").parse().unwrap_or(number)
}

fn complete_dates(grid: &Grid, text: &[String], seconds: &[f64]) -> TimeIndex {
    let style = Style::of(text, seconds);
    let day = anchor(grid.step, text, seconds);
    let (mut labels, mut all) = (Vec::with_capacity(grid.len()), Vec::with_capacity(grid.len()));
    for (number, second) in seconds.iter().enumerate() {
        labels.push(text[number].clone());
        all.push(*second);
        let steps = steps_after(grid, number);
        let ahead = offset(&text[number]);
        let next = seconds.get(number + 1).zip(text.get(number + 1));
        let next = next.map(|(second, text)| second + offset(text).unwrap_or(0.0));
        for step in 1..steps {
            let share = step as f64 / steps as f64;
            let local = second + ahead.unwrap_or(0.0);
            let local = match grid.step {
                Step::Months(months) => months_after(local, step, months, day),
                Step::BusinessDay => Some(business_days_after(local, step)),
                Step::Clock(_) => next.map(|next| local + (next - local) * share),
                _ => seconds.get(number + 1).map(|next| local + (next - second) * share),
            };
            let local = local.unwrap_or(f64::NAN);
            all.push(local - ahead.unwrap_or(0.0));
            labels.push(style.write(local, ahead));
        }
    }
    TimeIndex::Dates { text: labels, seconds: all }
}

/// The day of the month that a monthly time stands on: the largest, or the first week's smallest.
fn anchor(step: Step, text: &[String], seconds: &[f64]) -> i8 {
    if !matches!(step, Step::Months(_)) {
        return 1;
    }
    let days = text.iter().zip(seconds).filter_map(|(text, second)| {
        datetime(second + offset(text).unwrap_or(0.0)).map(|moment| moment.date().day())
    });
    let (low, high) = days.fold((31, 1), |(low, high), day| (day.min(low), day.max(high)));
    if high <= 7 { low } else { high }
}

fn months_after(local: f64, steps: usize, months: u32, day: i8) -> Option<f64> {
    let moment = datetime(local)?;
    let months = i64::try_from(steps).ok()?.checked_mul(i64::from(months))?;
    let date = in_month(month_number(moment.date()).checked_add(months)?, day)?;
    seconds(date.to_datetime(moment.time()))
}

fn business_days_after(local: f64, steps: usize) -> f64 {
    let (day, left) = monday_days(local);
    let number = 5.0 * (day / 7.0).floor() + day.rem_euclid(7.0) + steps as f64;
    let day = 7.0 * (number / 5.0).floor() + number.rem_euclid(5.0);
    (day - 3.0) * DAY + left
}

/// How dates are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Style {
    example: String,
    day_first: bool,
    padded: bool,
}

impl Style {
    /// The style of times as they were written.
    pub(super) fn of<'a>(text: &'a [String], seconds: &[f64]) -> Self {
        let date = |(text, second): (&'a String, &f64)| {
            let day = text.split(['T', 't', ' ']).next().unwrap_or(text);
            Some((day, datetime(second + offset(text).unwrap_or(0.0))?.date()))
        };
        let mut written = text.iter().zip(seconds).filter_map(date);
        // A date on which day and month differ tells which of them stands first.
        let first = written.clone().find(|(_, date)| date.day() != date.month());
        let day_first = first.is_none_or(|(text, date)| {
            groups(text).first().and_then(|first| first.parse().ok()) == Some(date.day())
        });
        // A small number tells whether it has a zero before it.
        let small = written.find(|(_, date)| date.day() < 10 || date.month() < 10);
        let padded = small.is_none_or(|(text, _)| groups(text).iter().all(|part| part.len() > 1));
        let example = text.first().cloned().unwrap_or_default();
        Self { example, day_first, padded }
    }

    /// The same style for dates without a time of day.
    pub(super) fn without_clock(mut self) -> Self {
        if let Some(at) = self.example.find(['T', 't', ' ']).filter(|_| self.example.contains(':'))
        {
            self.example.truncate(at);
        }
        self
    }

    /// A moment on the clock on the wall, so far ahead of UTC.
    pub(super) fn write(&self, local: f64, ahead: Option<f64>) -> String {
        let Some(moment) = datetime(local) else {
            return String::from("?");
        };
        let example = self.example.as_str();
        let (date, clock) = match example.find(['T', 't', ' ']) {
            Some(at) if example.contains(':') => example.split_at(at),
            _ => (example, ""),
        };
        let mut written = self.date(date, moment);
        write_clock(&mut written, clock, moment, ahead);
        written
    }

    fn date(&self, example: &str, moment: DateTime) -> String {
        let (year, month, day) = (moment.year(), moment.month(), moment.day());
        let dash = if example.contains('-') { "-" } else { "" };
        if example.contains(['Q', 'q']) {
            return format!("{year:04}{dash}Q{}", (month - 1) / 3 + 1);
        }
        if example.contains(['M', 'm']) {
            return format!("{year:04}{dash}M{month:02}");
        }
        if example.contains(['W', 'w']) {
            let week = moment.date().iso_week_date();
            return format!("{:04}{dash}W{:02}", week.year(), week.week());
        }
        let separator = example.chars().find(|c| !c.is_ascii_digit());
        let groups = groups(example);
        let Some(separator) = separator else {
            return match groups.first().map(String::len) {
                Some(6) => format!("{year:04}{month:02}"),
                Some(8) => format!("{year:04}{month:02}{day:02}"),
                _ => format!("{year:04}"),
            };
        };
        let part =
            |number: i8| if self.padded { format!("{number:02}") } else { number.to_string() };
        let parts = match (groups.len(), groups.first().map(String::len)) {
            (2, Some(4)) => vec![format!("{year:04}"), part(month)],
            (_, Some(4)) => vec![format!("{year:04}"), part(month), part(day)],
            _ if self.day_first => vec![part(day), part(month), format!("{year:04}")],
            _ => vec![part(month), part(day), format!("{year:04}")],
        };
        parts.join(&separator.to_string())
    }
}

/// The runs of digits of a text.
fn groups(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty()).map(str::to_owned).collect()
}

/// The time of day as in the example: as many parts, the same zone.
fn write_clock(written: &mut String, example: &str, moment: DateTime, ahead: Option<f64>) {
    if example.is_empty() {
        return;
    }
    let plain = example.split('[').next().unwrap_or(example);
    written.push_str(&plain[..1]);
    let _ = write!(written, "{:02}:{:02}", moment.hour(), moment.minute());
    let body = &plain[1..];
    let zone = body.find(['+', '-', 'Z', 'z']).unwrap_or(body.len());
    if body[..zone].matches(':').count() > 1 {
        let _ = write!(written, ":{:02}", moment.second());
    }
    if let Some(digits) = body[..zone].split_once('.').map(|(_, digits)| digits.trim().len()) {
        let fraction = format!("{:09}", moment.subsec_nanosecond());
        let _ = write!(written, ".{}", &fraction[..digits.min(9)]);
    }
    match ahead {
        Some(_) if body[zone..].starts_with(['Z', 'z']) => written.push('Z'),
        Some(ahead) => {
            #[allow(clippy::cast_possible_truncation)] // less than two days
            let minutes = (ahead / 60.0).round() as i64;
            let sign = if minutes < 0 { '-' } else { '+' };
            let colon = if body[zone..].contains(':') { ":" } else { "" };
            let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
            let _ = write!(written, "{sign}{hours:02}{colon}{minutes:02}");
        }
        None => {}
    }
    if let Some(at) = example.find('[') {
        written.push_str(&example[at..]);
    }
}
