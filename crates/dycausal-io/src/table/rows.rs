//! Rows as they are read, and the panel they make.

use dycausal::calendar::{Every, Rule};
use dycausal::{Panel, TimeIndex};
use ndarray::Array3;

use super::labels::Labels;
use super::placing::{Placing, place};
use super::times::{RowTimes, Times};
use crate::error::{Error, Place, Result};
use crate::note::Note;
use crate::options::ReadOptions;

/// The values, times and series of the rows so far.
pub(crate) struct Rows {
    file: String,
    names: Vec<String>,
    values: Vec<f64>,
    times: Option<Times>,
    series: Option<Labels>,
    /// The variable of each row, where each row holds one value.
    variables: Option<Labels>,
    every: Option<Every>,
}

impl Rows {
    /// No rows yet, of variables with these names; none where each row names its own.
    pub(crate) fn new(
        file: &str,
        names: Option<Vec<String>>,
        time: Option<&str>,
        long: bool,
        options: &ReadOptions,
    ) -> Result<Self> {
        Ok(Self {
            file: file.into(),
            variables: names.is_none().then(Labels::default),
            names: names.unwrap_or_default(),
            values: Vec::new(),
            times: time.map(|column| Times::new(file, column, options)).transpose()?,
            series: long.then(Labels::default),
            every: options.every,
        })
    }

    /// Where the values of the next row go: one per variable, in order.
    pub(crate) fn values(&mut self) -> &mut Vec<f64> {
        &mut self.values
    }

    /// Says which series the next row belongs to.
    pub(crate) fn push_series(&mut self, id: &str) {
        if let Some(series) = &mut self.series {
            series.push(id);
        }
    }

    /// Says which variable the next row is of.
    pub(crate) fn push_variable(&mut self, name: &str) {
        if let Some(variables) = &mut self.variables {
            variables.push(name);
        }
    }

    /// Says which time the next row is of.
    pub(crate) fn push_time(&mut self, place: Place, text: &str) -> Result<()> {
        self.times.as_mut().map_or(Ok(()), |times| times.push(&self.file, place, text))
    }

    /// Says which time the next row is of: a number, or seconds and a date as written.
    pub(crate) fn push_known_time(&mut self, place: Place, value: f64, text: Option<&str>) {
        if let Some(times) = &mut self.times {
            times.push_known(place, value, text);
        }
    }

    /// The panel of all rows, and what a user should know of it.
    pub(crate) fn into_panel(mut self, notes: &mut Vec<Note>) -> Result<Panel> {
        self.take_names();
        let rows = self.values.len() / self.width().max(1);
        if rows < 2 {
            let file = self.file;
            return Err(Error::TooFewRows { file, found: rows });
        }
        self.values.shrink_to_fit();
        let (placing, times) = self.place(rows, notes)?;
        self.panel(placing, times.as_ref(), rows)
    }

    /// The step of each of so many rows.
    pub(super) fn place(
        &mut self,
        rows: usize,
        notes: &mut Vec<Note>,
    ) -> Result<(Placing, Option<RowTimes>)> {
        let of_row = self.series.as_ref().map(|series| series.of_row.as_slice());
        let times = self.times.take();
        let times = times.map(|times| times.finish(&self.file, of_row, notes)).transpose()?;
        let placing = match (&times, &self.series) {
            (Some(times), _) => {
                self.check_order(times)?;
                place(&self.file, times, self.every, notes)?
            }
            (None, _) if self.every.is_some() => {
                let file = self.file.clone();
                return Err(Error::NotApplicable {
                    file,
                    option: "every",
                    format: "rows without times",
                });
            }
            (None, Some(series)) => {
                let (longest, steps) = series.in_order();
                Placing { times: TimeIndex::Steps(longest), steps }
            }
            (None, None) => Placing { times: TimeIndex::Steps(rows), steps: (0..rows).collect() },
        };
        Ok((placing, times))
    }

    /// Calls the variables as the rows do, where each row names its own.
    pub(super) fn take_names(&mut self) {
        if let Some(variables) = &self.variables {
            self.names.clone_from(&variables.names);
        }
    }

    /// How many values a row has.
    fn width(&self) -> usize {
        if self.variables.is_some() { 1 } else { self.names.len() }
    }

    /// Refuses times that stand still or go back in a table with one row per time.
    fn check_order(&self, times: &RowTimes) -> Result<()> {
        if self.series.is_some() || self.variables.is_some() {
            return Ok(());
        }
        // Within a step that is asked for, several rows may have one time.
        let still = self.every.is_some();
        let wrong = |pair: &[f64]| if still { pair[0] > pair[1] } else { pair[0] >= pair[1] };
        match times.values().windows(2).position(wrong) {
            None => Ok(()),
            Some(row) => Err(Error::TimeOrder {
                file: self.file.clone(),
                column: times.column.clone(),
                earlier: Box::new(times.moment(row)),
                later: Box::new(times.moment(row + 1)),
            }),
        }
    }

    /// The panel of rows whose steps are known.
    pub(super) fn panel(
        mut self,
        placing: Placing,
        times: Option<&RowTimes>,
        rows: usize,
    ) -> Result<Panel> {
        let Placing { times: index, steps } = placing;
        let count = self.series.as_ref().map_or(1, |series| series.names.len());
        let cells = self.check_size(count, index.len(), rows)?;
        let values = if let Some(every) = self.every {
            self.resampled(every.rule, &steps, index.len(), cells, times)
        } else {
            self.check_once(&steps, &index, times, cells)?;
            self.scattered(&steps, index.len(), cells)
        };
        let shape = [count, index.len(), self.names.len()];
        let refused = |reason| Error::data(&self.file, reason);
        let panel = panel(shape, values, self.names, index).map_err(refused)?;
        match self.series {
            Some(series) => panel.with_series_names(series.names).map_err(refused),
            None => Ok(panel),
        }
    }

    /// Where the first value of a row goes.
    fn slot(&self, row: usize, steps: &[usize], length: usize) -> usize {
        let series = self.series.as_ref().map_or(0, |series| series.of_row[row]);
        let variable = self.variables.as_ref().map_or(0, |variables| variables.of_row[row]);
        (series * length + steps[row]) * self.names.len() + variable
    }

    /// How many cells there are, unless the table has next to none of them.
    fn check_size(&self, series: usize, times: usize, rows: usize) -> Result<usize> {
        const SPARSEST: usize = 1000;
        const SMALL: usize = 1 << 24;
        let found = rows * self.width();
        let cells = series.checked_mul(times).and_then(|n| n.checked_mul(self.names.len()));
        match cells.filter(|cells| cells / found.max(1) < SPARSEST || *cells < SMALL) {
            Some(cells) => Ok(cells),
            None => Err(Error::FewCommonTimes { file: self.file.clone(), series, times, rows }),
        }
    }

    /// Refuses a second row of one series and time (and variable, where each row is of one).
    fn check_once(
        &self,
        steps: &[usize],
        index: &TimeIndex,
        times: Option<&RowTimes>,
        cells: usize,
    ) -> Result<()> {
        let Some(times) = times.filter(|_| self.series.is_some() || self.variables.is_some())
        else {
            return Ok(());
        };
        let width = self.width();
        let slot = |row: usize| self.slot(row, steps, index.len()) / width;
        let mut seen = vec![false; cells / width];
        for second in 0..steps.len() {
            if !std::mem::replace(&mut seen[slot(second)], true) {
                continue;
            }
            let first = (0..second).find(|row| slot(*row) == slot(second)).unwrap_or(second);
            let id = self.series.as_ref().map(|series| series.names[series.of_row[second]].clone());
            let (file, time) = (self.file.clone(), index.label(steps[second]));
            let (first, place) = (times.places[first], times.places[second]);
            return Err(match &self.variables {
                None => {
                    let id = id.unwrap_or_default();
                    Error::DuplicateRow { file, id, time, first, second: place }
                }
                Some(variables) => {
                    let variable = variables.names[variables.of_row[second]].as_str().into();
                    let time = time.into();
                    Error::DuplicateValue {
                        file,
                        id: id.map(Into::into),
                        time,
                        variable,
                        first,
                        second: place,
                    }
                }
            });
        }
        Ok(())
    }

    /// Every value in its place; those that are there already are not moved.
    fn scattered(&mut self, steps: &[usize], length: usize, cells: usize) -> Vec<f64> {
        let found = std::mem::take(&mut self.values);
        let width = self.width();
        let in_place = |row: usize| self.slot(row, steps, length) == row * width;
        if cells == found.len() && (0..steps.len()).all(in_place) {
            return found;
        }
        let mut values = vec![f64::NAN; cells];
        for (row, found) in found.chunks_exact(width).enumerate() {
            values[self.slot(row, steps, length)..][..width].copy_from_slice(found);
        }
        values
    }

    /// What each step takes of the values within it; what is missing is passed over.
    fn resampled(
        &self,
        rule: Rule,
        steps: &[usize],
        length: usize,
        cells: usize,
        times: Option<&RowTimes>,
    ) -> Vec<f64> {
        let width = self.width();
        let mut values = vec![f64::NAN; cells];
        let mut counts = vec![0u32; if rule == Rule::Mean { cells } else { 0 }];
        let mut order: Vec<usize> = (0..steps.len()).collect();
        if let Some(times) = times {
            order.sort_by(|a, b| times.values()[*a].total_cmp(&times.values()[*b]));
        }
        for row in order {
            let slot = self.slot(row, steps, length);
            for (k, value) in self.values[row * width..][..width].iter().enumerate() {
                let kept = &mut values[slot + k];
                if value.is_nan() {
                    continue;
                }
                *kept = if rule == Rule::Last || kept.is_nan() { *value } else { *kept + value };
                if rule == Rule::Mean {
                    counts[slot + k] += 1;
                }
            }
        }
        for (value, count) in values.iter_mut().zip(counts) {
            *value /= f64::from(count.max(1));
        }
        values
    }
}

fn panel(
    shape: [usize; 3],
    values: Vec<f64>,
    names: Vec<String>,
    times: TimeIndex,
) -> dycausal::Result<Panel> {
    let size = values.len();
    let values = Array3::from_shape_vec(shape, values)
        .map_err(|_| dycausal::Error::shape("values", size, format!("{shape:?}")))?;
    Panel::new(values, names)?.with_times(times)
}
