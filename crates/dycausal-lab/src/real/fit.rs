//! One fit to recorded data, and how it ranks the pairs of variables.

use dycausal::graph::{Ranking, Sources};
use dycausal::{Cancel, DynamicGraph, Error, Panel, Run, find};
use dycausal_baselines::Granger;
use ndarray::{Array2, Array3, Axis};
use serde_json::Value;

use crate::error::Result;
use crate::metrics::{Areas, rank};
use crate::study::Parameters;

/// The method of which all weights and statistics are ranked, not only those of the edges it lists.
const ALL_PAIRS: &str = "granger";

/// The seed of every fit.
pub(super) const SEED: u64 = 7;

/// What a fit says of the pairs of variables.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// Mean absolute weights\[lag, from, to\].
    pub weights: Array3<f64>,
    /// A statistic without units\[from, to\], where the method has one.
    pub statistic: Option<Array2<f64>>,
    /// A statistic for every possible edge, where the method has one.
    pub ranking: Option<Ranking>,
}

/// Fits a method.
pub(super) fn fit(
    method: &str,
    parameters: &Parameters,
    panel: &Panel,
    cancel: Cancel,
) -> Result<Evidence> {
    let methods = dycausal_baselines::all_methods();
    let (built, all) = find(&methods, method)?.build(parameters)?;
    if method == ALL_PAIRS {
        return all_pairs(Value::Object(all), panel);
    }
    let mut run = Run::new(SEED).with_threads(1)?.with_cancel(cancel);
    Ok(evidence(&built.discover(panel, &mut run)?))
}

/// The weights and statistics of an autoregression, of every pair.
fn all_pairs(parameters: Value, panel: &Panel) -> Result<Evidence> {
    let unusable =
        |reason: serde_json::Error| Error::parameter(ALL_PAIRS, "not usable", format!("{reason}"));
    let method: Granger = serde_json::from_value(parameters).map_err(unusable)?;
    let fitted = method.fit(panel)?;
    let (lags, d, _) = fitted.weights.dim();
    let mut weights = Array3::zeros((lags + 1, d, d));
    weights.slice_mut(ndarray::s![1.., .., ..]).assign(&fitted.weights.mapv(f64::abs));
    let ranking = Some(fitted.ranking()?);
    Ok(Evidence { weights, statistic: Some(fitted.statistic), ranking })
}

/// Mean absolute weights over all steps, and -ln p where edges were tested.
fn evidence(graph: &DynamicGraph) -> Evidence {
    let d = graph.variables();
    let mut weights = Array3::zeros((graph.lag() + 1, d, d));
    let mut statistic = Array2::<f64>::zeros((d, d));
    let mut tested = false;
    for edge in graph.edges() {
        let sizes = edge.presence.steps().map(|t| edge.trajectory.value(graph.basis(), t).abs());
        weights[[edge.lag, edge.from, edge.to]] = sizes.sum::<f64>() / graph.steps() as f64;
        if let Some(p) = edge.tests.as_ref().and_then(|tests| tests.absent) {
            tested = true;
            let place = &mut statistic[[edge.from, edge.to]];
            *place = place.max(-p.max(f64::MIN_POSITIVE).ln());
        }
    }
    let ranking = graph.ranking().cloned();
    Evidence { weights, statistic: tested.then_some(statistic), ranking }
}

impl Evidence {
    /// The score of every pair: the largest over the lags that count.
    pub(super) fn pairs(&self, edges: &str) -> Array2<f64> {
        let lags = self.weights.dim().0;
        let counted = match edges {
            "instantaneous" => 0..1,
            "lagged" => 1..lags,
            _ => 0..lags,
        };
        let d = self.weights.dim().1;
        let mut best = Array2::zeros((d, d));
        for lag in counted {
            best.zip_mut_with(&self.weights.index_axis(Axis(0), lag), |a: &mut f64, b| {
                *a = a.max(*b);
            });
        }
        best
    }
}

impl Evidence {
    /// The largest statistic of every pair over the lags that count; those that are not known come
    /// last. `None` where the method gives no statistic for them.
    pub(super) fn ranked(&self, edges: &str, sources: Sources) -> Option<Array2<f64>> {
        let ranking = self.ranking.as_ref()?.with_sources(sources);
        let counted = match edges {
            "instantaneous" => 0..=0,
            "lagged" => 1..=ranking.lag(),
            _ => 0..=ranking.lag(),
        };
        let pairs = ranking.over_lags(counted);
        let known = pairs.iter().any(|s| !s.is_nan());
        known.then(|| pairs.mapv(|s| if s.is_nan() { f64::NEG_INFINITY } else { s }))
    }
}

/// Ranks pairs; on the diagonal stand effects of variables on themselves.
pub(super) fn ranking(scores: &Array2<f64>, truth: &Array2<bool>, diagonal: bool) -> Areas {
    let places = scores.indexed_iter().filter(|((i, j), _)| diagonal || i != j);
    let scored: Vec<(f64, bool)> = places.map(|(place, score)| (*score, truth[place])).collect();
    rank(&scored)
}
