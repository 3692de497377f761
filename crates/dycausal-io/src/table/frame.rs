//! Rows that another library has read: data frames of Python.

use dycausal::{Panel, TimeIndex};
use ndarray::ArrayView2;

use super::Rows;
use crate::error::{Place, Result};
use crate::note::Note;
use crate::options::ReadOptions;

/// The rows of a table, and what each is of.
pub struct Frame<'a> {
    /// Values\[row, column\].
    pub values: ArrayView2<'a, f64>,
    /// The columns' names; `None` where each row has one value and names its variable.
    pub names: Option<Vec<String>>,
    /// The series of each row, in a long table.
    pub series: Option<Vec<String>>,
    /// The variable of each row, where each has one value.
    pub variables: Option<Vec<String>>,
    /// The time of each row.
    pub times: Option<FrameTimes>,
    /// What the column of times is called.
    pub column: String,
}

/// The times of rows.
pub enum FrameTimes {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Dates as written, with their seconds since 1970.
    Dates(Vec<String>, Vec<f64>),
    /// Numbers or dates as text.
    Text(Vec<String>),
}

/// A panel, or the times alone where the rows are one already.
pub enum Arranged {
    /// The rows are the steps of one series: their times.
    InPlace(TimeIndex),
    /// The rows are put in their places.
    Panel(Panel),
}

/// Puts rows on the steps of their series, as those of a file: times that are not there are missing,
/// and irregular ones brought to even steps where that is asked for.
///
/// # Errors
/// As for the rows of a file; it is called `data`.
pub fn arrange(frame: Frame<'_>, options: &ReadOptions, notes: &mut Vec<Note>) -> Result<Arranged> {
    let place = |row: usize| Place::Row(row as u64 + 1);
    let column = frame.times.is_some().then_some(frame.column.as_str());
    let wide = frame.series.is_none() && frame.names.is_some();
    let mut rows = Rows::new("data", frame.names, column, frame.series.is_some(), options)?;
    frame.series.iter().flatten().for_each(|id| rows.push_series(id));
    frame.variables.iter().flatten().for_each(|name| rows.push_variable(name));
    match frame.times {
        None => {}
        Some(FrameTimes::Text(texts)) => {
            for (row, text) in texts.iter().enumerate() {
                rows.push_time(place(row), text)?;
            }
        }
        Some(FrameTimes::Numbers(numbers)) => {
            for (row, number) in numbers.into_iter().enumerate() {
                rows.push_known_time(place(row), number, None);
            }
        }
        Some(FrameTimes::Dates(texts, seconds)) => {
            for (row, (text, second)) in texts.iter().zip(seconds).enumerate() {
                rows.push_known_time(place(row), second, Some(text));
            }
        }
    }
    let count = frame.values.nrows();
    rows.take_names();
    let (placing, times) = rows.place(count, notes)?;
    if wide && options.every.is_none() && placing.times.len() == count {
        return Ok(Arranged::InPlace(placing.times));
    }
    rows.values().extend(frame.values.iter());
    rows.panel(placing, times.as_ref(), count).map(Arranged::Panel)
}
