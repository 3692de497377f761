//! Statements held against the names and times of data: one claim per edge.

use std::ops::Range;

use super::lags::Lags;
use super::names::{Meant, Names};
use super::period;
use super::statements::{Name, Statements};
use crate::error::Result;
use crate::panel::TimeIndex;

/// An edge that is forbidden or required, and by which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub from: usize,
    pub to: usize,
    pub lags: Lags,
    /// When; always if there is none.
    pub steps: Option<Range<usize>>,
    pub line: Option<usize>,
    /// The key it was written under.
    pub key: &'static str,
}

/// One variable that comes before another within a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Before {
    pub first: usize,
    pub second: usize,
    pub lines: [Option<usize>; 2],
    pub key: &'static str,
}

/// Everything that was said, edge by edge.
#[derive(Debug, Default)]
pub(super) struct Claims {
    pub forbidden: Vec<Claim>,
    pub required: Vec<Claim>,
    pub before: Vec<Before>,
}

impl Claims {
    /// Looks up all names and times.
    pub fn of(
        said: &Statements,
        names: &Names<'_>,
        count: usize,
        times: &TimeIndex,
        seconds: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<Self> {
        let mut claims = Self::default();
        for edge in &said.edges {
            let (from, to) = (names.all(&edge.from)?, names.all(&edge.to)?);
            let steps = period::steps(said, edge, times, seconds)?;
            let (list, key) = if edge.required {
                (&mut claims.required, "require")
            } else {
                (&mut claims.forbidden, "forbid")
            };
            for (from, to) in pairs(&from, &to) {
                let claim =
                    Claim { from, to, lags: edge.lags, steps: steps.clone(), line: edge.line, key };
                list.push(claim);
            }
        }
        claims.add_tiers(said, names, &said.tiers, "tiers")?;
        claims.add_tiers(said, names, &said.order, "order")?;
        claims.add_ends(names, said, count)?;
        claims.add_groups(said, names)?;
        Ok(claims)
    }

    fn add_tiers(
        &mut self,
        said: &Statements,
        names: &Names<'_>,
        tiers: &[Vec<Name>],
        key: &'static str,
    ) -> Result<()> {
        let mut earlier: Vec<(usize, Option<usize>)> = Vec::new();
        for tier in tiers {
            let mut own: Vec<(usize, Option<usize>)> = Vec::new();
            for name in tier {
                let found = names.all(std::slice::from_ref(name))?.variables;
                own.extend(found.into_iter().map(|v| (v, name.line)));
            }
            for (later, line) in &own {
                if let Some((_, other)) = earlier.iter().find(|(v, _)| v == later) {
                    let what = format!("`{}` is in two of the `{key}`", names.of(*later));
                    return Err(said.refused([*other, *line], what));
                }
                for (first, other) in &earlier {
                    let lags = if key == "order" { Lags::one(0) } else { Lags::ALL };
                    let (from, to) = (*later, *first);
                    self.forbidden.push(Claim { from, to, lags, steps: None, line: *line, key });
                    let lines = [*other, *line];
                    self.before.push(Before { first: *first, second: *later, lines, key });
                }
            }
            earlier.extend(own);
        }
        Ok(())
    }

    /// Roots, sinks, and variables with own lags only.
    fn add_ends(&mut self, names: &Names<'_>, said: &Statements, count: usize) -> Result<()> {
        for (list, key, lags) in [
            (&said.roots, "roots", Lags::ALL),
            (&said.sinks, "sinks", Lags::ALL),
            (&said.own_lags_only, "own_lags_only", Lags::EARLIER),
        ] {
            for name in list {
                for v in names.all(std::slice::from_ref(name))?.variables {
                    for other in (0..count).filter(|other| *other != v) {
                        let (from, to) = if key == "sinks" { (v, other) } else { (other, v) };
                        let line = name.line;
                        self.forbidden.push(Claim { from, to, lags, steps: None, line, key });
                    }
                }
            }
        }
        Ok(())
    }

    /// Where it is said which group may point at which, the others may not.
    fn add_groups(&mut self, said: &Statements, names: &Names<'_>) -> Result<()> {
        for (from, to) in &said.allowed {
            names.group(from)?;
            names.group(to)?;
        }
        let Some(line) = said.allowed.first().map(|(from, _)| from.line) else { return Ok(()) };
        for (a, _) in &said.groups {
            for (b, _) in said.groups.iter().filter(|(b, _)| b != a) {
                if said.allowed.iter().any(|(from, to)| from.text == a.text && to.text == b.text) {
                    continue;
                }
                let (from, to) = (names.group(a)?, names.group(b)?);
                // A variable of both groups is within one.
                let apart = |v: &usize, w: &usize| !to.contains(v) && !from.contains(w);
                for v in from {
                    for w in to.iter().filter(|w| apart(v, w)) {
                        let (lags, steps) = (Lags::ALL, None);
                        self.forbidden.push(Claim {
                            from: *v,
                            to: *w,
                            lags,
                            steps,
                            line,
                            key: "allow",
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// All pairs; own effects only where one variable is named on both sides.
fn pairs(from: &Meant, to: &Meant) -> Vec<(usize, usize)> {
    let itself = from.alone && to.alone;
    let all = from.variables.iter().flat_map(|a| to.variables.iter().map(move |b| (*a, *b)));
    all.filter(|(a, b)| itself || a != b).collect()
}
