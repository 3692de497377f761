//! The ordered engine: a causal order by a scale-free score, and sparse regressions in it.

mod basis_size;
mod directions;
mod edges;
mod lag;
pub(super) mod listed;
mod on_basis;
mod output;
pub(super) mod pipeline;
mod ranking;
pub(super) mod refit;
mod second_look;
mod self_lags;
mod series_effects;
mod settings;
mod stability;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use settings::{Movement, SeriesEffects};

use super::parameters::{
    ALPHA, BANDS, BREAKS, Common, LAG, LEVEL, MISSING, NON_GAUSSIAN, SEASON, SERIES_EFFECTS,
};
use crate::design::Columns;
use crate::design::Missing;
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Scope, agreeing, can_honour};
use crate::moments::Moments;
use crate::panel::{Panel, TimeIndex};
use crate::run::memory::bytes;
use crate::run::{Auto, PanelShape, Run};
use crate::scores::linear::forward::LARGEST_BASIS;

/// Learns a causal order and how the weights in it move.
///
/// Given an order, a linear model whose weights move is a regression of each variable on its
/// predecessors and lags with coefficients on a basis in time. Under the right order these
/// regressions are sparse, smooth, and have noise of stable variance (and, where it is not
/// Gaussian, of clear shape); a wrong order needs more and wilder coefficients. The search lowers
///
/// Σ_i min{ n log s²_i, Σ_t n_t log σ²_i(t) + (K − 1) log n } + B log n · |parents_i| − 2 n J_i,
///
/// with s² the residual variance, σ²(t) the same as a curve of K coefficients, and J the distance
/// of the residuals from Gaussian. No change of units touches it.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | `auto` | longest lag | 0 or more, or `auto`: by score |
/// | `movement` | `average` | how weights move: each edge in its own way, or along one basis | `average`, `legendre`, `hat`, `b_spline`, `step`, `constant` |
/// | `basis_size` | `auto` | functions of time in the search | 1 to 16, or `auto`: by score |
/// | `non_gaussian` | true | whether the shape of the noise counts | true, false |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed | above 0; 1 lists what the score selects |
/// | `season` | `auto` | steps after which a pattern repeats that is taken out | 3 or more, `none`, or `auto`: by score and calendar |
/// | `breaks` | true | whether jumps of the mean are looked for and taken out | true, false |
/// | `series_effects` | `auto` | what differs between series: levels, scales of the noise | `auto`, `none`, `levels`, `scales`, `both` |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `bands` | true | whether edges get bands | true, false |
/// | `level` | 0.95 | how often a band holds the truth | between 0 and 1 |
/// | `threshold` | 0 | weight that an edge has to exceed to be certain | 0 or more |
/// | `resamples` | 0 | halves of the data in which edges are sought again | 0 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordered {
    /// Longest lag.
    pub lag: Auto<usize>,
    /// How weights move.
    #[serde(alias = "basis")]
    pub movement: Movement,
    /// Functions of time in the search, and of the basis that weights move along.
    pub basis_size: Auto<usize>,
    /// Whether the shape of the noise counts.
    pub non_gaussian: bool,
    /// False discovery rate of the edges that are listed; 1 lists what the score selects.
    pub alpha: f64,
    /// Steps after which a pattern repeats that is taken out.
    pub season: Auto<usize>,
    /// Whether jumps of the mean are looked for and taken out.
    pub breaks: bool,
    /// What differs between series.
    pub series_effects: SeriesEffects,
    /// What is done about missing cells.
    #[serde(default)]
    pub missing: Missing,
    /// Whether edges get bands.
    pub bands: bool,
    /// How often a band holds the truth.
    pub level: f64,
    /// Weight that an edge has to exceed to be certain.
    pub threshold: f64,
    /// Halves of the data in which edges are sought again.
    pub resamples: usize,
}

impl Default for Ordered {
    fn default() -> Self {
        Self {
            lag: Auto::Auto,
            movement: Movement::Average,
            basis_size: Auto::Auto,
            non_gaussian: true,
            alpha: 0.05,
            season: Auto::Auto,
            breaks: true,
            series_effects: SeriesEffects::Auto,
            missing: Missing::Fill,
            bands: true,
            level: 0.95,
            threshold: 0.0,
            resamples: 0,
        }
    }
}

impl From<Common> for Ordered {
    fn from(Common { lag, alpha, season, breaks, missing, level }: Common) -> Self {
        Self { lag, alpha, season, breaks, missing, level, ..Self::default() }
    }
}

impl Ordered {
    fn common(&self) -> Common {
        let Self { lag, alpha, season, breaks, missing, level, .. } = *self;
        Common { lag, alpha, season, breaks, missing, level }
    }

    /// Learns from moments alone, which may be those of any number of series, merged.
    ///
    /// The edges are those it finds in the data without [`Ordered::non_gaussian`]; the moments
    /// of data that do not fit in memory, or that lie in several places, are added up with
    /// [`Moments::merge`].
    ///
    /// ```
    /// use dycausal::{Moments, Ordered, Panel, Run, TimeIndex};
    /// use ndarray::Array3;
    ///
    /// let part = |shift: usize| {
    ///     let value = |(n, t, v)| (((n + shift) * 37 + t * 17 + v * 5) % 23) as f64;
    ///     Panel::unnamed(Array3::from_shape_fn((20, 10, 2), value))
    /// };
    /// let mut moments = Moments::of(&part(0)?, 1)?;
    /// moments.merge(&Moments::of(&part(20)?, 1)?)?;
    /// let names = ["a".to_owned(), "b".to_owned()];
    /// let graph = Ordered::default().discover_moments(
    ///     &moments,
    ///     &names,
    ///     &TimeIndex::Steps(10),
    ///     &mut Run::new(1),
    /// )?;
    /// assert!(graph.certify().is_acyclic());
    /// # Ok::<(), dycausal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If parameters, names, times and moments do not fit together, resamples are asked for (they
    /// need the rows), a variable does not move, or the run is cancelled.
    pub fn discover_moments(
        &self,
        moments: &Moments,
        names: &[String],
        times: &TimeIndex,
        run: &mut Run,
    ) -> Result<DynamicGraph> {
        self.check()?;
        let lag = self.lag.value().unwrap_or(moments.lag());
        let found = (names.len(), times.len(), lag);
        let expected = (moments.variables(), moments.steps(), moments.lag());
        if found != expected {
            let expected = format!("{expected:?}, as in the moments");
            return Err(Error::shape("names, times and lag", format!("{found:?}"), expected));
        }
        if self.resamples > 0 {
            let expected = "0 where only moments are known: resamples need the rows";
            return Err(Error::parameter("resamples", self.resamples, expected));
        }
        can_honour(self.name(), self.scope(), Some(lag), names.len(), run)?;
        let method = Self { non_gaussian: false, ..self.clone() };
        run.stage("moments", None);
        let columns = run.parallel(|| Columns::of_moments(moments, names))?;
        let labels = pipeline::Labels { names, times };
        let graph = pipeline::learn_columns(&method, columns, labels, run)?;
        let graph = agreeing(self.name(), graph, run)?;
        graph.with_finite_scale(moments.standard_deviations())
    }
}

impl Described for Ordered {
    const VERSION: u32 = 4;
    const SUMMARY: &'static str = "causal order by a scale-free score, sparse regressions in it";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        LAG,
        Parameter {
            name: "movement",
            purpose: "how weights move: each edge in its own way, or along one basis",
            range: "average, legendre, hat, b_spline, step or constant",
        },
        Parameter {
            name: "basis_size",
            purpose: "functions of time in the search",
            range: "1 to 16, or auto: by score",
        },
        NON_GAUSSIAN,
        ALPHA,
        SEASON,
        BREAKS,
        SERIES_EFFECTS,
        MISSING,
        BANDS,
        LEVEL,
        Parameter {
            name: "threshold",
            purpose: "weight that an edge has to exceed to be certain",
            range: "0 or more",
        },
        Parameter {
            name: "resamples",
            purpose: "halves of the data in which edges are sought again",
            range: "0 or more",
        },
    ];
}

impl Discover for Ordered {
    fn name(&self) -> &'static str {
        "ordered"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: true,
            inference: true,
            missing: true,
            knowledge: true,
            periods: false,
        }
    }

    fn missing(&self) -> Missing {
        self.missing
    }

    fn lag(&self) -> usize {
        self.lag.value().unwrap_or(1)
    }

    fn longest_lag(&self) -> Option<usize> {
        self.lag.value()
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        let size = self.basis_size.value().unwrap_or(pipeline::FIRST_SIZE);
        // Values as they are prepared, once more where several lags are tried, and in a look at residuals.
        let copies = if self.lag.value().is_none() { 3.0 } else { 2.0 };
        bytes(copies * shape.values() + pipeline::moments(shape, self.lag(), size))
    }

    fn check(&self) -> Result<()> {
        let size = self.basis_size.value();
        if size.is_some_and(|size| !(1..=LARGEST_BASIS).contains(&size)) {
            let expected = format!("1 to {LARGEST_BASIS}, or auto");
            return Err(Error::parameter("basis_size", size.unwrap_or(0), expected));
        }
        self.common().check()?;
        if !(self.threshold >= 0.0 && self.threshold.is_finite()) {
            return Err(Error::parameter("threshold", self.threshold, "a number, 0 or more"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        pipeline::learn(self, panel, run)
    }
}
