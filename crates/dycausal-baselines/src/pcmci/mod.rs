//! PCMCI (Runge et al. 2019).

mod lagged_parents;
mod momentary;

use dycausal::graph::Ranking;
use dycausal::{
    Auto, Described, Discover, DynamicGraph, Error, Mark, Panel, PanelShape, Parameter, Result,
    Run, Scope,
};
use ndarray::{Array3, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub(crate) use lagged_parents::{Candidates, Selection, Subsets};
pub(crate) use momentary::{adjusted_lags, conditions};

use crate::independence::{Independence, Test, memory};
use crate::links::{self, Link};
use crate::orientation::{Within, acyclic};

/// Control over many tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fdr {
    /// None: each link is tested on its own.
    #[default]
    None,
    /// The false discovery rate of lagged links, by Benjamini and Hochberg: all of them as one family, effects
    /// of variables on themselves among them, as PCMCI was published.
    Bh,
}

/// Tests every link given the causes of both of its ends, which a first phase narrows down.
///
/// 1. *Condition selection.* For every variable, a PC algorithm over all variables at lags 1 to
///    `lag` leaves candidates P(x_t) that tests at `pc_alpha` could not explain away.
/// 2. *Momentary conditional independence.* x_{t−l} → y_t is a link if "x_{t−l} and y_t are
///    independent given P(y_t) without x_{t−l}, and P(x_{t−l})" is rejected at `alpha`.
///
/// All tests are made on the rows that have twice the lag, of all series together; with missing
/// cells, each on the rows in which all that it names is there. Links within a step have no
/// direction here: their mark is `undirected`, and they have to be refused by both of their tests
/// to be left out. Weights are those of a regression of each variable on all causes found.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | at least 1 |
/// | `instantaneous` | true | whether links within a step are tested | true or false |
/// | `test` | parcorr | test of conditional independence | parcorr, robust_parcorr |
/// | `pc_alpha` | 0.05 | level of the first phase | 0 to 1 |
/// | `alpha` | 0.05 | level at which a link counts | 0 to 1 |
/// | `fdr` | none | control over all lagged links | none, bh |
/// | `max_conditions` | auto | most conditions at once in the first phase | 0 or more, or auto: all |
/// | `max_combinations` | 1 | most sets of conditions of one size | at least 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pcmci {
    /// Longest lag.
    pub lag: usize,
    /// Whether links within a step are tested.
    pub instantaneous: bool,
    /// Test of conditional independence.
    pub test: Test,
    /// Level of the first phase.
    pub pc_alpha: f64,
    /// Level at which a link counts.
    pub alpha: f64,
    /// Control over all lagged links.
    pub fdr: Fdr,
    /// Most conditions at once in the first phase.
    pub max_conditions: Auto<usize>,
    /// Most sets of conditions of one size.
    pub max_combinations: usize,
}

impl Default for Pcmci {
    fn default() -> Self {
        Self {
            lag: 1,
            instantaneous: true,
            test: Test::Parcorr,
            pc_alpha: 0.05,
            alpha: 0.05,
            fdr: Fdr::None,
            max_conditions: Auto::Auto,
            max_combinations: 1,
        }
    }
}

impl Described for Pcmci {
    const SUMMARY: &'static str =
        "tests of every link given the causes of both ends (PCMCI); weights that stay";
    const LEVEL: Option<&'static str> = Some("alpha");
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        Parameter {
            name: "instantaneous",
            purpose: "whether links within a step are tested; they have no direction",
            range: "true or false",
        },
        TEST,
        Parameter {
            name: "pc_alpha",
            purpose: "level at which the first phase drops candidates",
            range: "0 to 1",
        },
        Parameter { name: "alpha", purpose: "level at which a link counts", range: "0 to 1" },
        FDR,
        MAX_CONDITIONS,
        MAX_COMBINATIONS,
    ];
}

pub(crate) const TEST: Parameter = Parameter {
    name: "test",
    purpose: "test of conditional independence: of values, or of normal scores of their ranks",
    range: "parcorr or robust_parcorr",
};
pub(crate) const FDR: Parameter = Parameter {
    name: "fdr",
    purpose: "control over all lagged links (Benjamini and Hochberg)",
    range: "none or bh",
};
pub(crate) const MAX_CONDITIONS: Parameter = Parameter {
    name: "max_conditions",
    purpose: "most conditions at once; auto: as many as there are",
    range: "0 or more, or auto",
};
pub(crate) const MAX_COMBINATIONS: Parameter = Parameter {
    name: "max_combinations",
    purpose: "most sets of conditions of one size that the first phase tries",
    range: "at least 1",
};

/// Refuses what PCMCI and PCMCI+ both cannot work with.
pub(crate) fn check(lag: usize, combinations: usize, levels: &[(&str, f64)]) -> Result<()> {
    if lag == 0 {
        return Err(Error::parameter("lag", lag, "at least 1"));
    }
    if combinations == 0 {
        return Err(Error::parameter("max_combinations", combinations, "at least 1"));
    }
    let bad = levels.iter().find(|(_, level)| !(0.0..=1.0).contains(level));
    bad.map_or(Ok(()), |(name, level)| Err(Error::parameter(*name, level, "0 to 1")))
}

/// Statistics and p-values\[lag, from, to\] of all links.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkTests {
    /// Partial correlations.
    pub values: Array3<f64>,
    /// p-values; 1 where nothing was tested.
    pub p: Array3<f64>,
    /// p-values adjusted for all lagged links.
    pub q: Array3<f64>,
}

impl LinkTests {
    /// −log(1 − ρ²) of every link that was tested: the log likelihood ratio per row.
    ///
    /// # Errors
    /// Never: there are as many causes as effects.
    pub fn ranking(&self) -> Result<Ranking> {
        let tested = self.p.iter().any(|p| *p < 1.0);
        let mut values = self.values.mapv(|r| -(-r * r).ln_1p());
        // Links within a step that were not asked about are not known; their p-values are all 1.
        if tested && self.p.index_axis(Axis(0), 0).iter().all(|p| *p == 1.0) {
            values.index_axis_mut(Axis(0), 0).fill(f64::NAN);
        }
        Ranking::new("log likelihood ratio per row", values)
    }
}

impl Discover for Pcmci {
    fn name(&self) -> &'static str {
        "pcmci"
    }

    fn scope(&self) -> Scope {
        Scope {
            instantaneous: true,
            lagged: true,
            time_varying: false,
            inference: true,
            missing: true,
            knowledge: false,
            periods: false,
        }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        memory(shape, self.lag)
    }

    fn check(&self) -> Result<()> {
        let levels = [("pc_alpha", self.pc_alpha), ("alpha", self.alpha)];
        check(self.lag, self.max_combinations, &levels)
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let tests = self.tests(panel, run)?;
        run.facts_mut().links_tested = Some(tests.p.len() - panel.variables());
        links::graph(panel, self.lag, &self.links(&tests))?.with_ranking(tests.ranking()?)
    }
}

impl Pcmci {
    /// All tests of the second phase.
    ///
    /// # Errors
    /// If the series are too short, or the run is cancelled.
    pub fn tests(&self, panel: &Panel, run: &mut Run) -> Result<LinkTests> {
        let d = panel.variables();
        run.stage("correlations", None);
        run.proceed()?;
        let independence = run.parallel(|| Independence::new(panel, self.lag, self.test))?;
        let selection = Selection {
            variables: d,
            lag: self.lag,
            alpha: self.pc_alpha,
            max_conditions: self.max_conditions.value().unwrap_or(usize::MAX),
            max_combinations: self.max_combinations,
        };
        let parents = candidates(&selection, &independence, run)?;
        let parents: Vec<_> = parents.into_iter().map(|found| found.parents).collect();
        run.stage("momentary tests", Some(d as u64));
        let first = usize::from(!self.instantaneous);
        let shared = &*run;
        let each = |to: usize| {
            shared.proceed()?;
            shared.advance(1);
            Ok(momentary::tests_of(&independence, &parents, d, to, first..=self.lag))
        };
        let found: Vec<Vec<_>> =
            shared.parallel(|| (0..d).into_par_iter().map(each).collect::<Result<_>>())?;
        let mut values = Array3::zeros((self.lag + 1, d, d));
        let mut p = Array3::ones((self.lag + 1, d, d));
        for (to, tests) in found.iter().enumerate() {
            for (place, tested) in tests.iter().enumerate() {
                values[[place / d + first, place % d, to]] = tested.value;
                p[[place / d + first, place % d, to]] = tested.p;
            }
        }
        let q = adjusted_lags(&p);
        Ok(LinkTests { values, p, q })
    }

    fn links(&self, tests: &LinkTests) -> Vec<Link> {
        let (lags, d, _) = tests.p.dim();
        let decided = match self.fdr {
            Fdr::None => &tests.p,
            Fdr::Bh => &tests.q,
        };
        let link = |(lag, from, to): (usize, usize, usize), mark| Link {
            from,
            to,
            lag,
            mark,
            value: tests.values[[lag, from, to]],
            p: tests.p[[lag, from, to]],
            q: tests.q[[lag, from, to]],
        };
        let there = |lag: usize, from: usize, to: usize| decided[[lag, from, to]] <= self.alpha;
        let pairs = (0..d).flat_map(|a| (0..a).map(move |b| (b, a)));
        let mut within = Vec::new();
        for (a, b) in pairs {
            // A pair that only one of its tests links is shown that way round.
            let (forth, back) = (there(0, a, b), there(0, b, a));
            let mark = if forth && back { Mark::Undirected } else { Mark::Directed };
            let (from, to) = if forth { (a, b) } else { (b, a) };
            if forth || back {
                let strength = tests.values[[0, from, to]].abs();
                within.push(Within { from, to, mark, strength });
            }
        }
        let mut links: Vec<Link> = acyclic(d, within)
            .into_iter()
            .map(|l| {
                // The weaker of the two tests, as for every link that two tests are made of.
                let weaker = tests.p[[0, l.from, l.to]] < tests.p[[0, l.to, l.from]];
                let (a, b) = if weaker { (l.to, l.from) } else { (l.from, l.to) };
                Link { from: l.from, to: l.to, ..link((0, a, b), Mark::Undirected) }
            })
            .collect();
        for (lag, from) in (1..lags).flat_map(|lag| (0..d).map(move |from| (lag, from))) {
            let found = (0..d).filter(|to| there(lag, from, *to));
            links.extend(found.map(|to| link((lag, from, to), Mark::Directed)));
        }
        links
    }
}

/// The first phase for every variable.
pub(crate) fn candidates(
    selection: &Selection,
    independence: &Independence,
    run: &mut Run,
) -> Result<Vec<Candidates>> {
    run.stage("candidates", Some(selection.variables as u64));
    let shared = &*run;
    let each = |target: usize| {
        shared.proceed()?;
        shared.advance(1);
        Ok(selection.run(independence, target))
    };
    shared.parallel(|| (0..selection.variables).into_par_iter().map(each).collect())
}

#[cfg(test)]
mod tests;
