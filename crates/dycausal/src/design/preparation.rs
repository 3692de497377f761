//! What is taken out of the data before anything is learned from them, by name.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::mean::{MeanRecipe, smooth_mean};
use super::mean_curve::{self, MeanCurve, Means, Sought};
use super::missing::MissingCells;
use super::rows::read;
use super::season;
use crate::error::{Error, Result};
use crate::panel::Panel;
use crate::run::{Auto, Cancel};

/// What was taken out of the data: means, levels and scales of series.
///
/// It goes with the graph, so that what checks or draws it prepares the data in the same way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Preparation {
    /// The mean of each variable over time; `None` where the mean of each step is taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<Means>,
    /// Whether each series is counted from its own mean.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub levels: bool,
    /// What each series is divided by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scales: Option<Vec<f64>>,
    /// Weights of each variable's own lags 1, 2, … that were taken into account and are no edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_lags: Vec<Vec<f64>>,
    /// Cells that are missing, and what was done about them; `None` where none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingCells>,
}

impl Preparation {
    /// Means of a fixed size and nothing else: what methods do that do not look further.
    pub(crate) fn plain(panel: &Panel) -> Self {
        let smooth = smooth_mean(panel.series() as f64, panel.steps()).ok().flatten();
        let curve = |size: usize| MeanCurve { polynomials: size, breaks: Vec::new() };
        let means = smooth.map(|basis| Means {
            curves: vec![curve(basis.size()); panel.variables()],
            seasons: Vec::new(),
        });
        Self { means, ..Self::default() }
    }

    /// What the data ask for.
    ///
    /// # Errors
    /// If the steps do not carry the functions of a mean, or the run is cancelled.
    pub(crate) fn found(
        panel: &Panel,
        season: Auto<usize>,
        breaks: bool,
        cancel: &Cancel,
    ) -> Result<Self> {
        if smooth_mean(panel.series() as f64, panel.steps())?.is_none() {
            return Ok(Self::default());
        }
        let (series, steps, variables) = panel.values().dim();
        let steps = mean_curve::looked_at(series, steps);
        let mut values = vec![0.0; series * steps * variables];
        for (v, column) in values.chunks_exact_mut(series * steps).enumerate() {
            read(panel, v, column);
        }
        let calendar = season::calendar(panel.times());
        let sought = Sought { season, breaks, calendar: &calendar, cancel };
        let means = mean_curve::find(&values, series, steps, sought)?;
        Ok(Self { means: Some(means), ..Self::default() })
    }

    /// Refuses a preparation of other data: one curve per variable, one scale per series.
    ///
    /// # Errors
    /// If numbers of variables or series differ, or a scale is not above 0.
    pub(crate) fn check(&self, panel: &Panel) -> Result<()> {
        let curves = self.means.as_ref().map(|means| means.curves.len());
        if let Some(found) = curves.filter(|count| *count != panel.variables()) {
            let expected = format!("{}, one per variable", panel.variables());
            return Err(Error::shape("means of the preparation", found, expected));
        }
        let Some(scales) = &self.scales else { return Ok(()) };
        let sound = scales.iter().all(|scale| *scale > 0.0 && scale.is_finite());
        if scales.len() != panel.series() || !sound {
            let expected = format!("{} numbers above 0, one per series", panel.series());
            return Err(Error::shape("scales of the preparation", scales.len(), expected));
        }
        Ok(())
    }

    /// Refuses what a file says and no fit would: numbers that are not finite, more functions than
    /// steps can carry.
    ///
    /// # Errors
    /// Names the part, what was found and what was expected.
    pub(crate) fn check_read(&self, variables: usize, steps: usize) -> Result<()> {
        if let Some(means) = &self.means {
            means.check(variables, steps)?;
        }
        let numbers = self.scales.iter().chain(&self.own_lags).flatten();
        if let Some(number) = numbers.into_iter().find(|number| !number.is_finite()) {
            return Err(Error::shape("a number of the preparation", number, "a finite number"));
        }
        let longest = self.own_lags.iter().map(Vec::len).max().unwrap_or(0);
        if longest > steps || ![0, variables].contains(&self.own_lags.len()) {
            let found = format!("{} of up to {longest}", self.own_lags.len());
            let expected = format!("{variables}, of at most {steps} each");
            return Err(Error::shape("own lags of the preparation", found, expected));
        }
        Ok(())
    }

    /// How the columns of a variable are made.
    pub(super) fn recipe(&self, variable: usize, steps: usize) -> Result<MeanRecipe<'_>> {
        let functions = self.means.as_ref().map(|means| {
            let all = means.curves[variable].functions(&means.seasons, steps)?;
            Ok(Array2::from_shape_fn((steps, all.len()), |(t, f)| all[f][t]))
        });
        let (levels, scales) = (self.levels, self.scales.as_deref());
        Ok(MeanRecipe { functions: functions.transpose()?, levels, scales })
    }

    /// Whether means were estimated from the steps that they are taken out of: own weights are then
    /// biased.
    pub(crate) fn biases(&self) -> bool {
        self.means.is_some() || self.levels
    }

    /// Takes the mean out of \[step\]\[series\] of a variable as out of the data.
    ///
    /// # Errors
    /// If the steps do not carry the functions of the mean.
    pub(crate) fn centre(
        &self,
        variable: usize,
        steps: usize,
        column: &mut [f64],
        series: usize,
    ) -> Result<()> {
        self.recipe(variable, steps)?.centre(column, series);
        Ok(())
    }

    /// What was taken out, in words; nothing where only a mean was.
    pub fn words(&self, names: &[String]) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(means) = &self.means {
            for season in &means.seasons {
                let period = if season.period.fract() == 0.0 {
                    format!("{}", season.period)
                } else {
                    format!("{:.1}", season.period)
                };
                out.push(format!(
                    "a season of {period} steps was taken out of {} variables",
                    names.len()
                ));
            }
            let broken: Vec<&str> = means
                .curves
                .iter()
                .zip(names)
                .filter(|(curve, _)| !curve.breaks.is_empty())
                .map(|(_, name)| name.as_str())
                .collect();
            if !broken.is_empty() {
                out.push(format!("jumps of the mean were taken out of {}", listed(&broken)));
            }
            let bent: Vec<&str> = means
                .curves
                .iter()
                .zip(names)
                .filter(|(curve, _)| curve.polynomials > 1)
                .map(|(_, name)| name.as_str())
                .collect();
            if !bent.is_empty() {
                out.push(format!("a smooth trend was taken out of {}", listed(&bent)));
            }
        }
        if self.levels {
            out.push("each series was counted from its own mean: their levels differ".into());
        }
        if self.scales.is_some() {
            out.push("each series was divided by its own scale: their noise differs".into());
        }
        out
    }
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..=5 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - 5),
    }
}
