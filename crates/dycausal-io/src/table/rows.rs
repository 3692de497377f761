//! Rows as they are read, and the panel they make.

use std::collections::HashMap;

use dycausal::{Panel, TimeIndex};
use ndarray::Array3;

use super::times::Times;
use crate::error::{Error, Moment, Place, Result};

/// The values, times and series of the rows so far.
pub(crate) struct Rows {
    file: String,
    names: Vec<String>,
    values: Vec<f64>,
    times: Option<Times>,
    series: Option<Series>,
    last: Option<Place>,
}

/// Which series each row belongs to.
#[derive(Default)]
struct Series {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
    of_row: Vec<usize>,
    places: Vec<Place>,
}

impl Rows {
    /// No rows yet, of variables with these names.
    pub(crate) fn new(file: &str, names: Vec<String>, time: Option<&str>, long: bool) -> Self {
        Self {
            file: file.into(),
            names,
            values: Vec::new(),
            times: time.map(Times::new),
            series: long.then(Series::default),
            last: None,
        }
    }

    /// Where the values of the next row go: one per variable, in order.
    pub(crate) fn values(&mut self) -> &mut Vec<f64> {
        &mut self.values
    }

    /// Says which series the next row belongs to.
    pub(crate) fn push_series(&mut self, place: Place, id: &str) {
        if let Some(series) = &mut self.series {
            series.push(place, id);
        }
    }

    /// Says which time the next row is of; within one series they have to increase.
    pub(crate) fn push_time(&mut self, place: Place, text: &str) -> Result<()> {
        let Some(times) = &mut self.times else {
            return Ok(());
        };
        times.push(&self.file, place, text)?;
        let last = self.last.replace(place);
        if let (None, Some(last), [.., first, second]) = (&self.series, last, times.values())
            && first >= second
        {
            let row = times.values().len() - 1;
            let moment = |place, row| {
                let text = times.label(row);
                Box::new(Moment { place, text })
            };
            return Err(Error::TimeOrder {
                file: self.file.clone(),
                column: times.column().into(),
                earlier: moment(last, row - 1),
                later: moment(place, row),
            });
        }
        Ok(())
    }

    /// The panel of all rows.
    pub(crate) fn into_panel(mut self) -> Result<Panel> {
        let rows = self.values.len() / self.names.len().max(1);
        if rows < 2 {
            let file = self.file;
            return Err(Error::TooFewRows { file, found: rows });
        }
        self.values.shrink_to_fit();
        match self.series.take() {
            None => self.wide(rows),
            Some(series) => self.long(&series, rows),
        }
    }

    fn wide(self, rows: usize) -> Result<Panel> {
        let times = self.times.map_or(TimeIndex::Steps(rows), Times::into_index);
        let panel = panel([1, rows, self.names.len()], self.values, self.names, times);
        panel.map_err(|reason| Error::data(&self.file, reason))
    }

    fn long(mut self, series: &Series, rows: usize) -> Result<Panel> {
        let (times, steps) = match self.times.take() {
            Some(times) => times.into_union(),
            None => series.in_order(),
        };
        let cells = self.check_size(series, times.len(), rows)?;
        self.check_once(series, &times, &steps, cells)?;
        let slot = |row: usize| series.of_row[row] * times.len() + steps[row];
        let d = self.names.len();
        let values = if cells == rows && (0..rows).all(|row| slot(row) == row) {
            self.values
        } else {
            let mut values = vec![f64::NAN; cells * d];
            for (row, found) in self.values.chunks_exact(d).enumerate() {
                values[slot(row) * d..][..d].copy_from_slice(found);
            }
            values
        };
        let shape = [series.names.len(), times.len(), d];
        panel(shape, values, self.names, times)
            .and_then(|panel| panel.with_series_names(series.names.clone()))
            .map_err(|reason| Error::data(&self.file, reason))
    }

    /// How many (series, time) there are, unless the table has next to none of them.
    fn check_size(&self, series: &Series, times: usize, rows: usize) -> Result<usize> {
        const SPARSEST: usize = 1000;
        const SMALL: usize = 1 << 24;
        let cells = series.names.len().checked_mul(times);
        match cells.filter(|cells| cells / rows < SPARSEST || *cells < SMALL) {
            Some(cells) => Ok(cells),
            None => Err(Error::FewCommonTimes {
                file: self.file.clone(),
                series: series.names.len(),
                times,
                rows,
            }),
        }
    }

    /// Refuses a second row of one series and time.
    fn check_once(
        &self,
        series: &Series,
        times: &TimeIndex,
        steps: &[usize],
        cells: usize,
    ) -> Result<()> {
        let mut seen = vec![false; cells];
        for (second, step) in steps.iter().enumerate() {
            let number = series.of_row[second];
            if std::mem::replace(&mut seen[number * times.len() + step], true) {
                let same = |row: &usize| series.of_row[*row] == number && steps[*row] == *step;
                let first = (0..second).find(same).unwrap_or(second);
                return Err(Error::DuplicateRow {
                    file: self.file.clone(),
                    id: series.names[number].clone(),
                    time: times.label(*step),
                    first: series.places[first],
                    second: series.places[second],
                });
            }
        }
        Ok(())
    }
}

impl Series {
    fn push(&mut self, place: Place, id: &str) {
        // Looked up first: most rows are of a series that is known, and need no copy of its name.
        let known = self.numbers.get(id).copied();
        let number = known.unwrap_or(self.names.len());
        if known.is_none() {
            self.numbers.insert(id.into(), number);
            self.names.push(id.into());
        }
        self.of_row.push(number);
        self.places.push(place);
    }

    /// The rows of each series in the order in which they stand.
    fn in_order(&self) -> (TimeIndex, Vec<usize>) {
        let mut lengths = vec![0; self.names.len()];
        let steps = self.of_row.iter().map(|number| {
            lengths[*number] += 1;
            lengths[*number] - 1
        });
        let steps = steps.collect();
        let longest = lengths.into_iter().max().unwrap_or(0);
        (TimeIndex::Steps(longest), steps)
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
