//! What missing cells mean for a fit.

use super::finding::{Finding, Level, list};
use crate::design::{Missing, MissingCells};
use crate::panel::Panel;

/// Share of its cells below which a variable is mostly what others say of it.
const HALF: f64 = 0.5;
/// Share of the distances between observed steps that have to be the same.
const REGULAR: f64 = 0.9;
/// Such distances, at least.
const DISTANCES: usize = 5;

/// Variables that were observed rarely, in some series only, or at every so many-th step.
pub(super) fn of_variables(panel: &Panel, how: Missing) -> Vec<Finding> {
    let Some(cells) = MissingCells::of(panel, how) else { return Vec::new() };
    let rows = (panel.series() * panel.steps() - cells.rows_left_out).max(1) as f64;
    if how == Missing::CompleteRows {
        return Vec::new();
    }
    let mut found = Vec::new();
    let coarse: Vec<(usize, usize)> = (0..panel.variables())
        .filter_map(|v| sampled_every(panel, v).map(|every| (v, every)))
        .collect();
    for (v, every) in &coarse {
        let text = format!(
            "`{}` is there at every {every} steps only: what lies between is filled from other variables and tells nothing new; bring all variables to its steps (means or sums of {every} steps), or leave it out",
            panel.names()[*v]
        );
        found.push(Finding::new(Level::Warning, text));
    }
    let count = |v: usize| {
        panel.values().slice(ndarray::s![.., .., v]).iter().filter(|x| !x.is_nan()).count()
    };
    let named = |which: &dyn Fn(usize) -> bool| -> Vec<String> {
        let other = |v: &usize| coarse.iter().all(|(c, _)| c != v) && which(*v);
        (0..panel.variables()).filter(other).map(|v| panel.names()[v].clone()).collect()
    };
    let rare = named(&|v| (count(v) as f64) < HALF * rows);
    if !rare.is_empty() {
        let text = format!(
            "less than half of the cells of {} were observed: the others are filled, and edges from and to it rest on few rows",
            list(&rare)
        );
        found.push(Finding::new(Level::Warning, text));
    }
    let absent = named(&|v| never_in_some(panel, v) > 0);
    if !absent.is_empty() {
        let text = format!(
            "{} was never observed in some of the series: there it is filled by what others say of it",
            list(&absent)
        );
        found.push(Finding::new(Level::Warning, text));
    }
    found
}

/// In how many series with values a variable has none.
fn never_in_some(panel: &Panel, variable: usize) -> usize {
    let never = |n: &usize| {
        let rows = panel.one_series(*n);
        rows.column(variable).iter().all(|x| x.is_nan()) && rows.iter().any(|x| !x.is_nan())
    };
    (0..panel.series()).filter(never).count()
}

/// The distance between the steps at which a variable is there, where it is above 1 and others are
/// there in between.
fn sampled_every(panel: &Panel, variable: usize) -> Option<usize> {
    let values = panel.values();
    let any = |t: usize, v: usize| (0..panel.series()).any(|n| !values[[n, t, v]].is_nan());
    let seen: Vec<usize> = (0..panel.steps()).filter(|t| any(*t, variable)).collect();
    let distances: Vec<usize> = seen.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut sorted = distances.clone();
    sorted.sort_unstable();
    let every = *sorted.get(sorted.len() / 2)?;
    let same = distances.iter().filter(|distance| **distance == every).count();
    let regular = same >= DISTANCES && same as f64 >= REGULAR * distances.len() as f64;
    let others = |t: &usize| (0..panel.variables()).any(|v| v != variable && any(*t, v));
    let between = seen.windows(2).filter(|pair| (pair[0] + 1..pair[1]).any(|t| others(&t))).count();
    (every > 1 && regular && 2 * between > distances.len()).then_some(every)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    fn told(hide: impl Fn(usize, usize, usize) -> bool) -> Vec<String> {
        let value = |(n, t, v): (usize, usize, usize)| {
            if hide(n, t, v) { f64::NAN } else { ((n * 7 + t * 13 + v * 5) % 11) as f64 }
        };
        let panel = Panel::unnamed(Array3::from_shape_fn((4, 60, 3), value)).unwrap();
        of_variables(&panel, Missing::Fill).into_iter().map(|finding| finding.text).collect()
    }

    #[test]
    fn a_variable_at_every_third_step_is_told_with_the_distance() {
        let [text] = &told(|_, t, v| v == 1 && t % 3 != 0)[..] else { panic!() };
        assert!(text.starts_with("`x2` is there at every 3 steps only"), "{text}");
    }

    #[test]
    fn rare_variables_and_series_without_them_are_told() {
        let rare = told(|_, t, v| v == 0 && t % 7 != 0 && t % 5 != 0);
        assert!(rare.len() == 1 && rare[0].contains("less than half of the cells of `x1`"));
        let absent = told(|n, _, v| v == 2 && n == 3);
        assert!(absent.len() == 1 && absent[0].contains("`x3` was never observed in some"));
        assert!(told(|n, t, v| (n + t + v) % 10 == 0).is_empty());
        assert!(told(|_, t, _| t > 40).is_empty());
    }
}
