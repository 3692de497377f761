//! Stretches of a series at which nothing was recorded.

use serde::Serialize;

use super::Panel;

/// Steps within a series at which no variable has a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Hole {
    /// The series; none where every series of several has the same hole.
    pub series: Option<String>,
    /// The time of the first step that is not there.
    pub from: String,
    /// The time of the last.
    pub to: String,
    /// How many steps.
    pub steps: usize,
}

impl Panel {
    /// The holes of all series: steps without any value between the first and the last that have
    /// some. Missing starts and ends are no holes.
    ///
    /// ```
    /// use dycausal::Panel;
    /// use ndarray::array;
    ///
    /// let nan = f64::NAN;
    /// let values = array![[[nan, nan], [1.0, 2.0], [nan, nan], [nan, nan], [3.0, nan], [nan, nan]]];
    /// let holes = Panel::unnamed(values)?.holes();
    /// assert_eq!(holes.len(), 1);
    /// assert_eq!((holes[0].from.as_str(), holes[0].to.as_str(), holes[0].steps), ("3", "4", 2));
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    pub fn holes(&self) -> Vec<Hole> {
        let each: Vec<Vec<(usize, usize)>> = (0..self.series()).map(|n| self.holes_of(n)).collect();
        let hole = |series: Option<usize>, (first, steps): (usize, usize)| Hole {
            series: series.map(|n| self.series_names()[n].clone()),
            from: self.times().label(first),
            to: self.times().label(first + steps - 1),
            steps,
        };
        if each.iter().all(|holes| *holes == each[0]) {
            return each[0].iter().map(|found| hole(None, *found)).collect();
        }
        let all = each.iter().enumerate();
        all.flat_map(|(n, holes)| holes.iter().map(move |found| hole(Some(n), *found))).collect()
    }

    /// The first step and the number of steps of each hole of one series.
    fn holes_of(&self, series: usize) -> Vec<(usize, usize)> {
        let rows = self.one_series(series);
        let mut last = None;
        let mut holes = Vec::new();
        for (step, row) in rows.outer_iter().enumerate() {
            if row.iter().all(|x| x.is_nan()) {
                continue;
            }
            if let Some(last) = last.replace(step).filter(|last| last + 1 < step) {
                holes.push((last + 1, step - last - 1));
            }
        }
        holes
    }
}
