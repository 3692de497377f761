//! An order that changes: stretches of time, each with a causal order of its own.

mod courses;
mod cut;
mod graph;
mod stretch;
#[cfg(test)]
mod tests;
mod tree;

use serde::{Deserialize, Serialize};

use super::ordered::{Ordered, SeriesEffects, pipeline};
use super::parameters::{
    ALPHA, BANDS, BREAKS, LAG, LEVEL, MISSING, NON_GAUSSIAN, SEASON, SERIES_EFFECTS,
};
use crate::design::Missing;
use crate::error::{Error, Result};
use crate::graph::DynamicGraph;
use crate::method::{Described, Discover, Parameter, Scope};
use crate::panel::Panel;
use crate::run::{Auto, PanelShape, Run};

/// Learns a causal order that changes over time, and how the weights in it move.
///
/// Time is cut in two where the score of [`Ordered`], summed over both parts, falls most, then either
/// part again, as long as that pays: each cut costs 2 log n. What a variable costs in a part that is cut is
/// the score of its one regression there, where the orders of all parts allow its parents, or what it
/// costs in the parts together, whichever is less. So an edge that stays keeps one course of weights, and
/// one that turns round is there until the change and its reverse after it.
///
/// Each stretch of time has weights and bands of its own; edges have no tests, since where the order
/// changes was sought in the same data. Where one order does for all steps, the graph is that of [`Ordered`].
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `changes` | `auto` | how often the order changes | 1 or more, or `auto`: by score |
/// | `lag` | `auto` | longest lag | 0 or more, or `auto`: by score |
/// | `non_gaussian` | true | whether the shape of the noise counts | true, false |
/// | `alpha` | 0.05 | false discovery rate of the edges that are listed in a stretch | above 0; 1 lists what the score selects |
/// | `season` | `auto` | steps after which a pattern repeats that is taken out | 3 or more, `none`, or `auto`: by score and calendar |
/// | `breaks` | true | whether jumps of the mean are looked for and taken out | true, false |
/// | `series_effects` | `auto` | what differs between series: levels, scales of the noise | `auto`, `none`, `levels`, `scales`, `both` |
/// | `missing` | `fill` | what is done about missing cells | `fill`, `complete_rows` |
/// | `bands` | true | whether edges get bands | true, false |
/// | `level` | 0.95 | how often a band holds the truth | between 0 and 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reordered {
    /// How often the order changes.
    pub changes: Auto<usize>,
    /// Longest lag.
    pub lag: Auto<usize>,
    /// Whether the shape of the noise counts.
    pub non_gaussian: bool,
    /// False discovery rate of the edges that are listed in a stretch; 1 lists what the score selects.
    pub alpha: f64,
    /// Steps after which a pattern repeats that is taken out.
    pub season: Auto<usize>,
    /// Whether jumps of the mean are looked for and taken out.
    pub breaks: bool,
    /// What differs between series and is taken out.
    pub series_effects: SeriesEffects,
    /// What is done about missing cells.
    pub missing: Missing,
    /// Whether edges get bands.
    pub bands: bool,
    /// How often a band holds the truth.
    pub level: f64,
}

impl Default for Reordered {
    fn default() -> Self {
        let Ordered {
            lag,
            non_gaussian,
            alpha,
            season,
            breaks,
            series_effects,
            missing,
            bands,
            level,
            ..
        } = Ordered::default();
        Self {
            changes: Auto::Auto,
            lag,
            non_gaussian,
            alpha,
            season,
            breaks,
            series_effects,
            missing,
            bands,
            level,
        }
    }
}

impl Reordered {
    /// The same with one order for all steps.
    fn one_order(&self) -> Ordered {
        Ordered {
            lag: self.lag,
            non_gaussian: self.non_gaussian,
            alpha: self.alpha,
            season: self.season,
            breaks: self.breaks,
            series_effects: self.series_effects,
            missing: self.missing,
            bands: self.bands,
            level: self.level,
            ..Ordered::default()
        }
    }
}

impl Described for Reordered {
    const SUMMARY: &'static str = "a causal order that changes: as ordered, in stretches of time";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "changes",
            purpose: "how often the order changes",
            range: "1 or more, or auto: by score",
        },
        LAG,
        NON_GAUSSIAN,
        ALPHA,
        SEASON,
        BREAKS,
        SERIES_EFFECTS,
        MISSING,
        BANDS,
        LEVEL,
    ];
}

impl Discover for Reordered {
    fn name(&self) -> &'static str {
        "reordered"
    }

    fn scope(&self) -> Scope {
        self.one_order().scope()
    }

    fn missing(&self) -> Missing {
        self.missing
    }

    fn lag(&self) -> usize {
        self.one_order().lag()
    }

    fn longest_lag(&self) -> Option<usize> {
        self.lag.value()
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        self.one_order().memory(shape)
    }

    fn check(&self) -> Result<()> {
        if self.changes.value() == Some(0) {
            let expected = "1 or more, or auto; `ordered` learns one order for all steps";
            return Err(Error::parameter("changes", 0, expected));
        }
        self.one_order().check()
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let method = self.one_order();
        let (fitted, preparation) = pipeline::fitted(&method, panel, run)?;
        let labels = pipeline::Labels::of(panel);
        let given = pipeline::Given::new(run.knowledge().renumbered(&fitted.before));
        run.stage("order changes", None);
        let changed = graph::graph(self.changes.value(), &method, labels, &fitted, &given, run)?;
        match changed {
            Some(graph) => Ok(graph.with_preparation(preparation)),
            None => pipeline::finish(&method, labels, fitted, preparation, run),
        }
    }
}
