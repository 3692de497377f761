//! What cannot all be true.

use std::ops::Range;

use super::claims::{Before, Claim, Claims};
use super::names::Names;
use super::statements::Statements;
use crate::error::Result;
use crate::order::sort_or_cycle;

/// Refuses statements that contradict each other, with the lines of both.
pub(super) fn refuse(said: &Statements, names: &Names<'_>, claims: &Claims) -> Result<()> {
    for required in &claims.required {
        own_cause(said, names, required)?;
        for forbidden in &claims.forbidden {
            against(said, names, required, forbidden)?;
        }
    }
    // Required edges that hold at the same time, wherever that changes.
    let starts = claims.required.iter().filter_map(|claim| claim.steps.as_ref().map(|s| s.start));
    let mut starts: Vec<usize> = starts.chain([0]).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.into_iter().try_for_each(|step| no_order(said, names, claims, step))
}

fn own_cause(said: &Statements, names: &Names<'_>, required: &Claim) -> Result<()> {
    if required.from == required.to && required.lags.contains(0) {
        let name = names.of(required.to);
        let what = format!("`{name}` is required to cause itself within a step");
        return Err(said.refused([required.line], what));
    }
    Ok(())
}

fn against(
    said: &Statements,
    names: &Names<'_>,
    required: &Claim,
    forbidden: &Claim,
) -> Result<()> {
    let same = (required.from, required.to) == (forbidden.from, forbidden.to);
    let lag = required.lags.named().find(|lag| forbidden.lags.contains(*lag));
    if let Some(lag) =
        lag.filter(|_| same && meet(required.steps.as_ref(), forbidden.steps.as_ref()))
    {
        let edge = arrow(names, required.from, required.to);
        let key = forbidden.key;
        let what = format!("{edge} at lag {lag} is required, and `{key}` forbids it");
        return Err(said.refused([forbidden.line, required.line], what));
    }
    Ok(())
}

/// Whether two periods have a step in common.
fn meet(a: Option<&Range<usize>>, b: Option<&Range<usize>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
        _ => true,
    }
}

/// Refuses what leaves no order of the variables within a step.
fn no_order(said: &Statements, names: &Names<'_>, claims: &Claims, step: usize) -> Result<()> {
    let holds = |claim: &&Claim| {
        claim.lags.contains(0) && claim.steps.as_ref().is_none_or(|steps| steps.contains(&step))
    };
    let required = claims.required.iter().filter(holds).map(|claim| Before {
        first: claim.from,
        second: claim.to,
        lines: [claim.line, None],
        key: "require",
    });
    let all: Vec<Before> = required.chain(claims.before.iter().cloned()).collect();
    let count = all.iter().map(|pair| pair.first.max(pair.second) + 1).max().unwrap_or(0);
    let pairs: Vec<(usize, usize)> = all.iter().map(|pair| (pair.first, pair.second)).collect();
    let Err(cycle) = sort_or_cycle(count, &pairs) else { return Ok(()) };
    let next = |at: usize| cycle[(at + 1) % cycle.len()];
    let links: Vec<&Before> = (0..cycle.len())
        .filter_map(|at| all.iter().find(|p| (p.first, p.second) == (cycle[at], next(at))))
        .collect();
    let around: Vec<String> =
        cycle.iter().chain(cycle.first()).map(|v| format!("`{}`", names.of(*v))).collect();
    let mut keys: Vec<&str> = links.iter().map(|link| link.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let keys = keys.join("` and `");
    let what = format!(
        "{} is a cycle within a step (by `{keys}`): no variable of it could come first",
        around.join(" → ")
    );
    Err(said.refused(links.iter().flat_map(|link| link.lines), what))
}

/// An edge in words.
pub(super) fn arrow(names: &Names<'_>, from: usize, to: usize) -> String {
    format!("`{}` → `{}`", names.of(from), names.of(to))
}
