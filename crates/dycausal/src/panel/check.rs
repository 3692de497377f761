//! Whether a panel is sound, and whether a method can be run on it.

use std::collections::HashMap;

use ndarray::ArrayView3;

use super::Panel;
use crate::error::{Error, Result};

impl Panel {
    /// Whether a method with this lag can be run: every variable moves, and there are steps enough.
    ///
    /// # Errors
    /// Names the variable that has no value or never changes, or says how many steps are needed.
    pub fn check_for_fit(&self, lag: usize) -> Result<()> {
        self.check_length(lag)?;
        self.check_variables().next().map_or(Ok(()), Err)
    }

    /// Whether the longest series has steps enough.
    pub(crate) fn check_length(&self, lag: usize) -> Result<()> {
        let steps = (0..self.series()).map(|n| self.length(n)).max().unwrap_or(0);
        let needed = lag.saturating_add(2).max(3);
        if steps < needed { Err(Error::TooShort { steps, lag, needed }) } else { Ok(()) }
    }

    /// What is wrong with variables that have no value or never change.
    pub(crate) fn check_variables(&self) -> impl Iterator<Item = Error> {
        self.names().iter().zip(self.summaries()).filter_map(|(name, summary)| {
            let variable = name.clone();
            match summary.count {
                0 => Some(Error::AllMissing { variable }),
                _ if summary.is_constant() => {
                    Some(Error::Constant { variable, value: summary.low })
                }
                _ => None,
            }
        })
    }
}

/// Refuses names that occur twice.
pub(super) fn unique(what: &'static str, names: &[String]) -> Result<()> {
    let mut seen = HashMap::new();
    for (second, name) in names.iter().enumerate() {
        if let Some(first) = seen.insert(name, second) {
            return Err(Error::DuplicateName { what, name: name.clone(), first, second });
        }
    }
    Ok(())
}

/// Counts missing cells and refuses infinite ones.
pub(super) fn finite_or_missing(
    values: ArrayView3<'_, f64>,
    names: &[String],
    series: &[String],
) -> Result<usize> {
    let mut missing = 0;
    for (index, value) in values.iter().enumerate() {
        if value.is_nan() {
            missing += 1;
        } else if value.is_infinite() {
            let (_, steps, variables) = values.dim();
            return Err(Error::NotFinite {
                variable: names[index % variables].clone(),
                series: series[index / (steps * variables)].clone(),
                step: index / variables % steps,
                value: *value,
            });
        }
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array3, array};

    use super::*;

    fn panel(values: Array3<f64>) -> Panel {
        Panel::unnamed(values).unwrap()
    }

    #[test]
    fn constant_missing_and_short_are_told_apart() {
        let constant = panel(array![[[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]]]);
        assert_eq!(
            constant.check_for_fit(1),
            Err(Error::Constant { variable: "x2".into(), value: 2.0 })
        );
        let nan = f64::NAN;
        let missing = panel(array![[[1.0, nan], [2.0, nan], [3.0, nan]]]);
        assert_eq!(missing.check_for_fit(1), Err(Error::AllMissing { variable: "x2".into() }));
        let short = panel(array![[[1.0], [2.0], [3.0]]]);
        assert_eq!(short.check_for_fit(1), Ok(()));
        assert_eq!(short.check_for_fit(2), Err(Error::TooShort { steps: 3, lag: 2, needed: 4 }));
    }
}
