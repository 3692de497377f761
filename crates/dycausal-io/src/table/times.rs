//! The column of times as it is read.

use dycausal::TimeIndex;
use jiff::tz::TimeZone;

use super::instant::{EXPECTED, Instant, start_at};
use super::order::Turned;
use super::zone;
use crate::error::{Error, Moment, Place, Result};
use crate::note::Note;
use crate::options::{DateOrder, ReadOptions};
use crate::remedy::{Expected, Remedy};

/// The time of each row so far.
#[derive(Debug, Default)]
pub(super) struct Times {
    column: String,
    order: Option<DateOrder>,
    zone: Option<TimeZone>,
    first: Option<Instant>,
    text: Vec<String>,
    /// Numbers or seconds; with the day first, as long as that is open.
    values: Vec<f64>,
    /// The same with the month first, from the first date on that has its year at the end.
    month_first: Vec<f64>,
    /// Rows at which day first, or month first, is no date.
    impossible: [Option<usize>; 2],
    places: Vec<Place>,
}

/// The times of all rows, as they stand.
pub(crate) struct RowTimes {
    pub index: TimeIndex,
    pub places: Vec<Place>,
    pub column: String,
}

impl Times {
    pub(super) fn new(file: &str, column: &str, options: &ReadOptions) -> Result<Self> {
        let zone = options.zone.as_deref().map(|name| zone::find(file, name)).transpose()?;
        Ok(Self { column: column.into(), order: options.dates, zone, ..Self::default() })
    }

    /// Takes the time of the next row, which has to be of the same kind as the first.
    pub(super) fn push(&mut self, file: &str, place: Place, text: &str) -> Result<()> {
        self.places.push(place);
        let plain = Instant::parse(text);
        let turned = if plain.is_none() { Turned::parse(text) } else { None };
        let Some(instant) = plain.or_else(|| turned.map(|turned| self.turn(turned))) else {
            return Err(self.refused(file, text, EXPECTED.into()));
        };
        let first = *self.first.get_or_insert(instant);
        if first.kind() != instant.kind() {
            return Err(self.refused(file, text, format!("{}, as in the first row", first.kind())));
        }
        if !matches!(instant, Instant::Number(_)) {
            self.text.push(text.into());
        }
        self.values.push(instant.value());
        if turned.is_none() && !self.month_first.is_empty() {
            self.month_first.push(instant.value());
        }
        if let [Some(day), Some(month)] = self.impossible {
            let other = &self.text[day.min(month)];
            return Err(self.refused(file, text, format!("a date written as `{other}` is")));
        }
        Ok(())
    }

    /// Takes a number, or a date with its seconds, that another library has read.
    pub(super) fn push_known(&mut self, place: Place, value: f64, text: Option<&str>) {
        self.places.push(place);
        self.first.get_or_insert(text.map_or(Instant::Number(value), |_| Instant::Local(value)));
        self.text.extend(text.map(str::to_owned));
        self.values.push(value);
    }

    /// The moment with the day first, or else with the month first; keeps both.
    fn turn(&mut self, turned: Turned) -> Instant {
        let row = self.values.len();
        if self.month_first.is_empty() {
            self.month_first.clone_from(&self.values);
        }
        let [day, month] = [turned.day_first, turned.month_first].map(|day| day.and_then(start_at));
        for (impossible, found) in self.impossible.iter_mut().zip([day, month]) {
            if found.is_none() && impossible.is_none() {
                *impossible = Some(row);
            }
        }
        self.month_first.push(month.map_or(f64::NAN, Instant::value));
        Instant::Local(day.map_or(f64::NAN, Instant::value))
    }

    fn refused(&self, file: &str, text: &str, expected: String) -> Error {
        Error::Cell {
            file: file.into(),
            place: self.places.last().copied().unwrap_or(Place::Row(1)),
            column: self.column.clone(),
            found: text.into(),
            expected: Box::new(expected.into()),
        }
    }

    /// The times of all rows, which belong to these series.
    pub(super) fn finish(
        mut self,
        file: &str,
        series: Option<&[usize]>,
        notes: &mut Vec<Note>,
    ) -> Result<RowTimes> {
        self.choose_order(file, notes)?;
        let Self { column, zone, first, mut text, mut values, places, .. } = self;
        if text.is_empty()
            && let Some((labels, seconds)) = digits(&values)
        {
            notes.push(
                format!("numbers of column `{column}` such as {} are dates", labels[0]).into(),
            );
            (text, values) = (labels, seconds);
        }
        if let Some(zone) = zone {
            let local = matches!(first, Some(Instant::Local(_) | Instant::Number(_)));
            zone::apply(zone, local, &mut text, &mut values, series).map_err(|row| {
                Error::Cell {
                    file: file.into(),
                    place: places[row],
                    column: column.clone(),
                    found: text.get(row).cloned().unwrap_or_else(|| values[row].to_string()),
                    expected: Box::new(Expected::new(
                        "a date and time that exist in the zone given",
                        [Remedy::of("zone")],
                    )),
                }
            })?;
        }
        let index = if text.is_empty() {
            TimeIndex::Numbers(values)
        } else {
            TimeIndex::Dates { text, seconds: values }
        };
        Ok(RowTimes { index, places, column })
    }

    /// Keeps the values of one order of day and month.
    fn choose_order(&mut self, file: &str, notes: &mut Vec<Note>) -> Result<()> {
        if self.month_first.is_empty() {
            return Ok(());
        }
        let order = match (self.order, self.impossible) {
            (Some(order), _) => order,
            (None, [None, Some(_)]) => DateOrder::DayFirst,
            (None, [Some(_), None]) => DateOrder::MonthFirst,
            (None, _) if self.values == self.month_first => DateOrder::DayFirst,
            (None, _) => {
                let differ = |(day, month): (&f64, &f64)| day != month;
                let row = self.values.iter().zip(&self.month_first).position(differ).unwrap_or(0);
                let expected = Expected::new(
                    "to be told whether days or months come first: no date of the file tells which",
                    ["day-first", "month-first"].map(|order| Remedy::with("dates", order)),
                );
                return Err(self.refused_at(file, row, expected));
            }
        };
        let asked = self.order.is_some();
        let (impossible, other) = match order {
            DateOrder::DayFirst => (self.impossible[0], None),
            DateOrder::MonthFirst => (self.impossible[1], Some(&mut self.month_first)),
        };
        if let Some(row) = impossible {
            return Err(self.refused_at(file, row, format!("a date that is {order}")));
        }
        if let Some(other) = other {
            std::mem::swap(&mut self.values, other);
        }
        if !asked && self.values != self.month_first {
            notes.push(format!("dates of column `{}` are {order}", self.column).into());
        }
        Ok(())
    }

    fn refused_at(&self, file: &str, row: usize, expected: impl Into<Expected>) -> Error {
        let expected = Box::new(expected.into());
        Error::Cell {
            file: file.into(),
            place: self.places[row],
            column: self.column.clone(),
            found: self.text[row].clone(),
            expected,
        }
    }
}

impl RowTimes {
    /// The numbers behind the times.
    pub(super) fn values(&self) -> &[f64] {
        match &self.index {
            TimeIndex::Steps(_) => &[],
            TimeIndex::Numbers(values) | TimeIndex::Dates { seconds: values, .. } => values,
        }
    }

    /// A time as it is written, and where.
    pub(super) fn moment(&self, row: usize) -> Moment {
        Moment { place: self.places[row], text: self.index.label(row) }
    }

    /// Each different time once, in order: the first row that has it; and the number of each row's.
    pub(super) fn union(&self) -> (Vec<usize>, Vec<usize>) {
        let values = self.values();
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut steps = vec![0; order.len()];
        let mut firsts: Vec<usize> = Vec::new();
        for row in order {
            // -0 and 0 are one time, so compare by value and not by bits.
            if firsts.last().is_none_or(|last| values[*last] < values[row]) {
                firsts.push(row);
            }
            steps[row] = firsts.len() - 1;
        }
        (firsts, steps)
    }

    /// The times of some rows.
    pub(super) fn take(&self, rows: &[usize]) -> TimeIndex {
        let seconds: Vec<f64> = rows.iter().map(|row| self.values()[*row]).collect();
        match &self.index {
            TimeIndex::Dates { text, .. } => {
                let text = rows.iter().map(|row| text[*row].clone()).collect();
                TimeIndex::Dates { text, seconds }
            }
            _ => TimeIndex::Numbers(seconds),
        }
    }
}

/// Dates written as numbers, `20240531` or `202405`, if all of them are: texts and seconds.
fn digits(values: &[f64]) -> Option<(Vec<String>, Vec<f64>)> {
    const DAYS: std::ops::Range<f64> = 18_000_101.0..22_000_000.0;
    const MONTHS: std::ops::Range<f64> = 180_001.0..220_000.0;
    let months = MONTHS.contains(values.first()?);
    let range = if months { MONTHS } else { DAYS };
    let mut texts = Vec::new();
    let mut seconds = Vec::new();
    for value in values {
        if !range.contains(value) || value.fract() != 0.0 {
            return None;
        }
        let text = value.to_string();
        let dashed = if months {
            format!("{}-{}", &text[..4], &text[4..])
        } else {
            format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..])
        };
        seconds.push(Instant::parse(&dashed)?.value());
        texts.push(text);
    }
    Some((texts, seconds))
}
