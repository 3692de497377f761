//! PCMCI+ (Runge 2020).

mod colliders;
mod rules;
mod skeleton;
mod within;

use dycausal::{
    Auto, Described, Discover, DynamicGraph, Mark, Panel, PanelShape, Parameter, Result, Run, Scope,
};
use serde::{Deserialize, Serialize};

pub use colliders::ColliderRule;
use skeleton::Skeleton;
use within::{Links, State};

use crate::independence::{Independence, Node, Test, memory};
use crate::links::{self, Link};
use crate::orientation::{Within, acyclic};
use crate::pcmci::{
    LinkTests, MAX_COMBINATIONS, MAX_CONDITIONS, Selection, TEST, adjusted_lags, candidates, check,
};

/// PCMCI with links within a step that are found and, as far as the data tell, directed.
///
/// 1. *Candidates.* As in [`crate::Pcmci`], at `pc_alpha`.
/// 2. *Skeleton.* Candidates and all links within the step, each tested given the lagged
///    candidates of both ends and 0, 1, 2, … neighbours of its end within the step; a link that one
///    set separates goes.
/// 3. *Colliders.* x – z – y with x and y not linked become x → z ← y where `collider_rule` says so.
/// 4. *Rules.* What follows from there being no further collider and no cycle is directed too.
///
/// Links that stay without direction are marked `undirected`, and those that were directed both
/// ways `conflict`. Rows, tests and weights as in [`crate::Pcmci`]; q-values too, of one family of all lagged
/// links, but links are decided at `pc_alpha`, as the method was published.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `lag` | 1 | longest lag | at least 1 |
/// | `test` | parcorr | test of conditional independence | parcorr, robust_parcorr |
/// | `pc_alpha` | 0.01 | level of all tests | 0 to 1 |
/// | `collider_rule` | majority | how colliders are told | majority, conservative, none |
/// | `conflicts` | true | whether contradictions are marked | true or false: the first counts |
/// | `max_conditions` | auto | most conditions, or neighbours, at once | 0 or more, or auto: all |
/// | `max_combinations` | 1 | most sets of one size in the first phase | at least 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PcmciPlus {
    /// Longest lag.
    pub lag: usize,
    /// Test of conditional independence.
    pub test: Test,
    /// Level of all tests.
    pub pc_alpha: f64,
    /// How colliders are told.
    pub collider_rule: ColliderRule,
    /// Whether links that are directed both ways are marked; else the first direction counts.
    pub conflicts: bool,
    /// Most conditions, or neighbours, at once.
    pub max_conditions: Auto<usize>,
    /// Most sets of conditions of one size in the first phase.
    pub max_combinations: usize,
}

impl Default for PcmciPlus {
    fn default() -> Self {
        Self {
            lag: 1,
            test: Test::Parcorr,
            pc_alpha: 0.01,
            collider_rule: ColliderRule::Majority,
            conflicts: true,
            max_conditions: Auto::Auto,
            max_combinations: 1,
        }
    }
}

impl Described for PcmciPlus {
    const SUMMARY: &'static str =
        "PCMCI with directions within a step as far as tests tell (PCMCI+); weights that stay";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "lag", purpose: "longest lag", range: "at least 1" },
        TEST,
        Parameter { name: "pc_alpha", purpose: "level of all tests", range: "0 to 1" },
        Parameter {
            name: "collider_rule",
            purpose: "how two causes of one variable are told from a chain",
            range: "majority, conservative or none",
        },
        Parameter {
            name: "conflicts",
            purpose: "whether links that are directed both ways are marked; else the first counts",
            range: "true or false",
        },
        MAX_CONDITIONS,
        MAX_COMBINATIONS,
    ];
}

impl Discover for PcmciPlus {
    fn name(&self) -> &'static str {
        "pcmci-plus"
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
        check(self.lag, self.max_combinations, &[("pc_alpha", self.pc_alpha)])
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let skeleton = self.oriented(panel, run)?;
        let d = panel.variables();
        let q = adjusted_lags(&skeleton.p);
        let link = |(lag, from, to): (usize, usize, usize), mark| Link {
            from,
            to,
            lag,
            mark,
            value: skeleton.values[[lag, from, to]],
            p: skeleton.p[[lag, from, to]],
            q: q[[lag, from, to]],
        };
        let within = acyclic(d, within(&skeleton));
        let mut found: Vec<Link> =
            within.into_iter().map(|l| link((0, l.from, l.to), l.mark)).collect();
        for (lag, from) in (1..=self.lag).flat_map(|lag| (0..d).map(move |from| (lag, from))) {
            let there = (0..d).filter(|to| skeleton.links.is_there(from, *to, lag));
            found.extend(there.map(|to| link((lag, from, to), Mark::Directed)));
        }
        let graph = links::graph(panel, self.lag, &found)?;
        let tests = LinkTests { values: skeleton.values, p: skeleton.p, q };
        graph.with_ranking(tests.ranking()?)
    }
}

impl PcmciPlus {
    /// Statistics and p-values of the weakest test of every link.
    ///
    /// # Errors
    /// If the series are too short, or the run is cancelled.
    pub fn tests(&self, panel: &Panel, run: &mut Run) -> Result<LinkTests> {
        let skeleton = self.oriented(panel, run)?;
        let q = adjusted_lags(&skeleton.p);
        Ok(LinkTests { values: skeleton.values, p: skeleton.p, q })
    }

    fn oriented(&self, panel: &Panel, run: &mut Run) -> Result<Skeleton> {
        run.stage("correlations", None);
        run.proceed()?;
        let independence = run.parallel(|| Independence::new(panel, self.lag, self.test))?;
        let most = self.max_conditions.value().unwrap_or(usize::MAX);
        let selection = Selection {
            variables: panel.variables(),
            lag: self.lag,
            alpha: self.pc_alpha,
            max_conditions: most,
            max_combinations: self.max_combinations,
        };
        let candidates = candidates(&selection, &independence, run)?;
        let level = (self.lag, self.pc_alpha, most);
        let mut skeleton = skeleton::find(&independence, &candidates, level, run)?;
        let parents: Vec<Vec<Node>> = candidates.into_iter().map(|found| found.parents).collect();
        let how = (self.collider_rule, self.pc_alpha, self.conflicts);
        let ambiguous = colliders::orient(&mut skeleton, &independence, &parents, how, run)?;
        rules::apply(&mut skeleton.links, &ambiguous, self.conflicts);
        Ok(skeleton)
    }
}

/// The links within a step with their marks.
fn within(skeleton: &Skeleton) -> Vec<Within> {
    let links: &Links = &skeleton.links;
    let pairs = (0..links.variables).flat_map(|a| (0..a).map(move |b| (b, a)));
    let link = |(a, b): (usize, usize)| {
        let strength = skeleton.values[[0, a, b]].abs();
        let (from, to, mark) = match links.state(a, b) {
            State::Absent => return None,
            State::Open => (a, b, Mark::Undirected),
            State::Forth => (a, b, Mark::Directed),
            State::Back => (b, a, Mark::Directed),
            State::Torn => (a, b, Mark::Conflict),
        };
        Some(Within { from, to, mark, strength })
    };
    pairs.filter_map(link).collect()
}

#[cfg(test)]
mod tests;
