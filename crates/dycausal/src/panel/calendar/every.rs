//! Even steps that are asked for, whatever the times are: `1h`, `1d:last`, `1month:sum`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::civil::{DAY, datetime, in_month, monday_days, month_number, offset, seconds};
use super::label::Style;
use super::{Grid, Step};
use crate::error::{Error, Result};
use crate::panel::TimeIndex;

/// What a step takes of the values within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// Their mean.
    #[default]
    Mean,
    /// The last one that is there.
    Last,
    /// Their sum.
    Sum,
}

/// Steps of one width, and what each takes of the values within it.
///
/// Written `WIDTH` or `WIDTH:RULE`: a number (where times are numbers) or a number with a unit, `ms`,
/// `s`, `min`, `h`, `d`, `w`, `month`, `quarter` or `year`; and `mean`, `last` or `sum`.
///
/// ```
/// use dycausal::calendar::{Every, Rule};
///
/// let hourly: Every = "1h:last".parse()?;
/// assert_eq!((hourly.rule, hourly.to_string().as_str()), (Rule::Last, "1h:last"));
/// assert!("1 fortnight".parse::<Every>().is_err());
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Every {
    /// How wide a step is.
    pub width: Width,
    /// What it takes of its values.
    pub rule: Rule,
}

/// How wide a step is: so many units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width {
    count: f64,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Number,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// Each unit with the names it goes by, the one it is written with first.
const UNITS: [(Unit, &[&str]); 9] = [
    (Unit::Millisecond, &["ms", "millisecond", "milliseconds"]),
    (Unit::Second, &["s", "sec", "second", "seconds"]),
    (Unit::Minute, &["min", "minute", "minutes"]),
    (Unit::Hour, &["h", "hour", "hours"]),
    (Unit::Day, &["d", "day", "days"]),
    (Unit::Week, &["w", "week", "weeks"]),
    (Unit::Month, &["month", "months", "mo"]),
    (Unit::Quarter, &["quarter", "quarters", "q"]),
    (Unit::Year, &["year", "years", "y"]),
];

/// Times on the steps asked for.
pub struct Bins {
    /// The start of every step that has a time in it, in order.
    pub times: TimeIndex,
    /// Which steps these are.
    pub grid: Grid,
    /// For each of the times given, the number of its step among `times`.
    pub of_time: Vec<usize>,
}

impl Every {
    /// Steps of the unit that is closest to this distance of times, which has no more than two
    /// digits: what to propose where times are not even.
    pub fn near(times: &TimeIndex, distance: f64) -> Self {
        let unit = match times {
            TimeIndex::Dates { .. } => UNITS
                .iter()
                .rev()
                .map(|(unit, _)| *unit)
                .find(|unit| *unit != Unit::Quarter && distance > 0.97 * unit.seconds())
                .unwrap_or(Unit::Millisecond),
            _ => Unit::Number,
        };
        let count = distance / unit.seconds();
        let count = if unit == Unit::Number {
            format!("{count:.1e}").parse().unwrap_or(count)
        } else {
            count.round().max(1.0)
        };
        Self { width: Width { count, unit }, rule: Rule::Mean }
    }

    /// The step of each time.
    ///
    /// Steps begin at multiples of their width: hours at the full hour, days at midnight on the clock
    /// on the wall, weeks on Monday, months on the first, years in January. Days without a time on
    /// any weekend are business days.
    ///
    /// # Errors
    /// If the unit does not go with the times, or they are so far apart that steps cannot be counted.
    pub fn bins(&self, times: &TimeIndex) -> Result<Bins> {
        let refused = |expected: &str| Error::parameter("every", self, expected);
        let (text, values) = match (times, self.width.unit) {
            (TimeIndex::Numbers(numbers), Unit::Number) => (&[][..], &numbers[..]),
            (TimeIndex::Dates { text, seconds }, unit) if unit != Unit::Number => {
                (&text[..], &seconds[..])
            }
            (TimeIndex::Dates { .. }, _) => {
                return Err(refused("a width with a unit, such as 1h: times are dates"));
            }
            (TimeIndex::Numbers(_), _) => {
                return Err(refused("a width without a unit: times are numbers"));
            }
            (TimeIndex::Steps(_), _) => return Err(refused("to be left out: there are no times")),
        };
        let clock = Clock::of(text, values, self.width);
        let numbers: Option<Vec<f64>> =
            values.iter().enumerate().map(|(row, value)| clock.number(row, *value)).collect();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|n| n.abs() < 1e15));
        let numbers = numbers.ok_or_else(|| refused("a wider step: there are too many"))?;
        Ok(clock.bins(&numbers))
    }
}

/// Times, and how they are counted.
struct Clock<'a> {
    text: &'a [String],
    width: Width,
    offsets: Vec<Option<f64>>,
    style: Style,
}

impl<'a> Clock<'a> {
    fn of(text: &'a [String], values: &[f64], width: Width) -> Self {
        let offsets: Vec<Option<f64>> = text.iter().map(|text| offset(text)).collect();
        let mut style = Style::of(text, values);
        if width.unit.seconds() >= DAY && offsets.iter().all(Option::is_none) {
            style = style.without_clock();
        }
        Self { text, width, offsets, style }
    }

    /// The number of the step that a time is in.
    fn number(&self, row: usize, value: f64) -> Option<f64> {
        // Below a day the clock of the first time counts, so that no hour is counted twice.
        let row = if self.width.unit.seconds() < DAY { 0 } else { row };
        let local = value + self.offsets.get(row).copied().flatten().unwrap_or(0.0);
        let count = self.width.count;
        let steps = match self.width.unit {
            Unit::Month | Unit::Quarter | Unit::Year => {
                month_number(datetime(local)?.date()) as f64 / self.width.months()
            }
            Unit::Week => monday_days(local).0 / (7.0 * count),
            unit => local / (count * unit.seconds()),
        };
        // A time on the border belongs to the step that begins there, whatever its last bit.
        Some((steps + 1e-9).floor())
    }

    /// When a step begins, as on the clock on the wall.
    fn start(&self, number: f64) -> f64 {
        let count = self.width.count;
        match self.width.unit {
            Unit::Month | Unit::Quarter | Unit::Year => {
                #[allow(clippy::cast_possible_truncation)] // below 1e15
                let date = in_month((number * self.width.months()) as i64, 1);
                date.and_then(|date| seconds(date.into())).unwrap_or(f64::NAN)
            }
            Unit::Week => (number * 7.0 * count - 3.0) * DAY,
            unit => number * count * unit.seconds(),
        }
    }

    fn bins(&self, numbers: &[f64]) -> Bins {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
        let mut of_time = vec![0; numbers.len()];
        let mut firsts: Vec<usize> = Vec::new();
        for row in order {
            if firsts.last().is_none_or(|last| numbers[*last] < numbers[row]) {
                firsts.push(row);
            }
            of_time[row] = firsts.len() - 1;
        }
        let distinct: Vec<f64> = firsts.iter().map(|row| numbers[*row]).collect();
        Bins { times: self.times(&firsts, &distinct), grid: self.grid(&distinct), of_time }
    }

    fn times(&self, firsts: &[usize], numbers: &[f64]) -> TimeIndex {
        if self.text.is_empty() {
            let tidy = |x: f64| format!("{x:.12e}").parse().unwrap_or(x);
            return TimeIndex::Numbers(numbers.iter().map(|n| tidy(self.start(*n))).collect());
        }
        let (mut text, mut all) = (Vec::new(), Vec::new());
        for (row, number) in firsts.iter().zip(numbers) {
            let row = if self.width.unit.seconds() < DAY { 0 } else { *row };
            let (local, ahead) = (self.start(*number), self.offsets[row]);
            text.push(self.style.write(local, ahead));
            all.push(local - ahead.unwrap_or(0.0));
        }
        TimeIndex::Dates { text, seconds: all }
    }

    fn grid(&self, numbers: &[f64]) -> Grid {
        let weekday = |n: &f64| (n + 3.0).rem_euclid(7.0);
        let one_day = self.width == Width { count: 1.0, unit: Unit::Day };
        let weeks = |n: Option<&f64>| n.map(|n| ((n + 3.0) / 7.0).floor());
        let business = one_day
            && numbers.iter().all(|n| weekday(n) < 4.5)
            && weeks(numbers.first()) != weeks(numbers.last());
        let place = |n: &f64| {
            let place = if business { 5.0 * ((n + 3.0) / 7.0).floor() + weekday(n) } else { *n };
            let first = numbers.first().copied().unwrap_or(0.0);
            let first = if business {
                5.0 * ((first + 3.0) / 7.0).floor() + weekday(&first)
            } else {
                first
            };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sorted, below 1e15
            let steps = (place - first) as usize;
            steps
        };
        let step = if business { Step::BusinessDay } else { self.width.step() };
        Grid { step, places: numbers.iter().map(place).collect(), exact: true }
    }
}

impl Width {
    fn months(self) -> f64 {
        let months = match self.unit {
            Unit::Quarter => 3.0,
            Unit::Year => 12.0,
            _ => 1.0,
        };
        self.count * months
    }

    fn step(self) -> Step {
        match self.unit {
            Unit::Number => Step::Number(self.count),
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked when read
            Unit::Month | Unit::Quarter | Unit::Year => Step::Months(self.months() as u32),
            unit if unit.seconds() >= DAY => Step::Clock(self.count * unit.seconds()),
            unit => Step::Seconds(self.count * unit.seconds()),
        }
    }
}

impl Unit {
    /// Seconds of a unit, those of a month and a year on average.
    fn seconds(self) -> f64 {
        match self {
            Self::Number | Self::Second => 1.0,
            Self::Millisecond => 1e-3,
            Self::Minute => 60.0,
            Self::Hour => 3600.0,
            Self::Day => DAY,
            Self::Week => 7.0 * DAY,
            Self::Month => 30.436_875 * DAY,
            Self::Quarter => 91.310_625 * DAY,
            Self::Year => 365.2425 * DAY,
        }
    }
}

impl FromStr for Every {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            let expected = "a width such as 0.5, 30s, 15min, 1h, 1d, 1w, 1month, 1quarter or 1year, and after a colon mean, last or sum: 1h:mean";
            Error::parameter("every", text, expected)
        };
        let (width, rule) = text.split_once(':').unwrap_or((text, "mean"));
        let rule = match rule.trim() {
            "mean" => Rule::Mean,
            "last" => Rule::Last,
            "sum" => Rule::Sum,
            _ => return Err(refused()),
        };
        let width = width.trim();
        let end = width.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(width.len());
        let (count, unit) = (&width[..end], width[end..].trim());
        let count = if count.is_empty() && !unit.is_empty() { "1" } else { count };
        let count: f64 = count.parse().map_err(|_| refused())?;
        let unit = if unit.is_empty() {
            Unit::Number
        } else {
            let known = UNITS.iter().find(|(_, names)| names.contains(&unit));
            known.map(|(unit, _)| *unit).ok_or_else(refused)?
        };
        let calendar = unit != Unit::Number && unit.seconds() >= DAY;
        let sound =
            count > 0.0 && count < 1e9 && (!calendar || (count.fract() == 0.0 && count < 1e4));
        sound.then_some(Self { width: Width { count, unit }, rule }).ok_or_else(refused)
    }
}

impl fmt::Display for Every {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(unit, _)| *unit == self.width.unit);
        let unit = unit.and_then(|(_, names)| names.first()).copied().unwrap_or("");
        let rule = match self.rule {
            Rule::Mean => "mean",
            Rule::Last => "last",
            Rule::Sum => "sum",
        };
        write!(f, "{}{unit}:{rule}", self.width.count)
    }
}

impl TryFrom<String> for Every {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Every> for String {
    fn from(every: Every) -> Self {
        every.to_string()
    }
}
