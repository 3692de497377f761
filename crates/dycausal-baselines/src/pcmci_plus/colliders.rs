//! Directions that two causes of one variable give away: x → z ← y with x and y not linked.

use std::collections::HashSet;

use dycausal::graph::orientation::Triple;
use dycausal::{Error, Result, Run};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::skeleton::Skeleton;
use super::within::{Links, State};
use crate::independence::{Independence, Node};
use crate::pcmci::conditions;

/// How a triple x – z – y is told to be x → z ← y.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColliderRule {
    /// z is in fewer than half of the sets of neighbours that separate x and y; half: not decided.
    #[default]
    Majority,
    /// z is in none of them; in some but not all: not decided.
    Conservative,
    /// z was not in the set that separated x and y when their link was removed.
    None,
}

/// Most neighbours of which all subsets are looked at.
const MOST: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Collider,
    Chain,
    Ambiguous,
}

/// Directs links at colliders; returns the triples on which the tests were not of one mind.
pub(super) fn orient(
    skeleton: &mut Skeleton,
    independence: &Independence,
    parents: &[Vec<Node>],
    (rule, alpha, conflicts): (ColliderRule, f64, bool),
    run: &mut Run,
) -> Result<HashSet<Triple>> {
    let triples = unshielded(&skeleton.links);
    run.stage("colliders", Some(triples.len() as u64));
    let (shared, found) = (&*run, &*skeleton);
    let judge = |triple: &Triple| {
        shared.proceed()?;
        shared.advance(1);
        if rule == ColliderRule::None {
            let ((x, lag), z, y) = *triple;
            let within = found.separating.get(&(x, y, lag)).is_some_and(|set| set.contains(&z));
            return Ok(if within { Verdict::Chain } else { Verdict::Collider });
        }
        let (with, all) = separating(&found.links, independence, parents, *triple, alpha)?;
        Ok(decide(rule, with, all))
    };
    let verdicts: Vec<Verdict> =
        shared.parallel(|| triples.par_iter().map(judge).collect::<Result<_>>())?;
    let mut directed = Directed::new(conflicts);
    for (((x, lag), z, y), _) in
        triples.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Collider)
    {
        directed.orient(&mut skeleton.links, *y, *z);
        if *lag == 0 {
            directed.orient(&mut skeleton.links, *x, *z);
        }
    }
    let open = triples.into_iter().zip(verdicts).filter(|(_, v)| *v == Verdict::Ambiguous);
    Ok(open.map(|(triple, _)| triple).collect())
}

fn decide(rule: ColliderRule, with: usize, all: usize) -> Verdict {
    match rule {
        _ if all == 0 => Verdict::Ambiguous,
        ColliderRule::Conservative if with == 0 => Verdict::Collider,
        ColliderRule::Conservative if with == all => Verdict::Chain,
        ColliderRule::Majority if 2 * with < all => Verdict::Collider,
        ColliderRule::Majority if 2 * with > all => Verdict::Chain,
        _ => Verdict::Ambiguous,
    }
}

/// Links that were given a direction in one phase: a second, opposite one is a conflict.
pub(super) struct Directed {
    done: HashSet<(usize, usize)>,
    conflicts: bool,
}

impl Directed {
    pub fn new(conflicts: bool) -> Self {
        Self { done: HashSet::new(), conflicts }
    }

    /// Directs a link, or marks it as in conflict if it was directed the other way before.
    pub fn orient(&mut self, links: &mut Links, from: usize, to: usize) {
        if self.done.contains(&(to, from)) {
            if self.conflicts {
                links.tear(from, to);
            }
        } else if self.done.insert((from, to)) {
            links.orient(from, to);
        }
    }
}

/// Triples x – z – y with an open link z – y, and x and y not linked.
fn unshielded(links: &Links) -> Vec<Triple> {
    let mut triples = Vec::new();
    for y in 0..links.variables {
        for z in (0..links.variables).filter(|z| links.state(*z, y) == State::Open) {
            for (x, lag) in links.around(z) {
                let points = lag > 0 || links.state(x, z) == State::Open;
                if (x, lag) != (y, 0) && points && !links.is_there(x, y, lag) {
                    triples.push(((x, lag), z, y));
                }
            }
        }
    }
    triples
}

/// How many sets of neighbours of y, or of x within the step, separate x and y: those with z, all.
fn separating(
    links: &Links,
    independence: &Independence,
    parents: &[Vec<Node>],
    ((x, lag), z, y): Triple,
    alpha: f64,
) -> Result<(usize, usize)> {
    let d = links.variables;
    let without = |of: usize, other: usize, skip: bool| -> Vec<usize> {
        links.neighbours(of).into_iter().filter(|v| !(skip && *v == other)).collect()
    };
    let of_y = without(y, x, lag == 0);
    let of_x = if lag == 0 { without(x, y, true) } else { Vec::new() };
    if of_y.len().max(of_x.len()) > MOST {
        let most = of_y.len().max(of_x.len());
        let what = format!(
            "a variable has {most} neighbours within a step, too many to look at every set of them; lower `pc_alpha` or take collider_rule = none"
        );
        return Err(Error::numerical("colliders", what));
    }
    let mut nodes = of_y.clone();
    nodes.extend(of_x.iter().filter(|v| !of_y.contains(v)));
    let always = conditions(parents, d, (x, y, lag));
    let all: Vec<Node> = [lag * d + x, y].into_iter().chain(nodes.iter().copied()).collect();
    let tests = independence.given(&all, &always);
    let (mut with, mut count) = (0, 0);
    let mut look = |members: &[usize], only_new: bool| {
        for set in 0..1usize << members.len() {
            let chosen: Vec<usize> = (0..members.len())
                .filter(|bit| set >> bit & 1 == 1)
                .map(|bit| members[bit])
                .collect();
            if only_new && chosen.iter().all(|place| *place < of_y.len()) {
                continue;
            }
            let places: Vec<usize> = chosen.iter().map(|place| place + 2).collect();
            if tests.test(0, 1, &places).p > alpha {
                count += 1;
                with += usize::from(chosen.iter().any(|place| nodes[*place] == z));
            }
        }
    };
    look(&(0..of_y.len()).collect::<Vec<_>>(), false);
    if lag == 0 {
        let places = of_x.iter().filter_map(|v| nodes.iter().position(|node| node == v));
        look(&places.collect::<Vec<_>>(), true);
    }
    Ok((with, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majorities_and_halves() {
        use Verdict::{Ambiguous, Chain, Collider};
        let majority = |with, all| decide(ColliderRule::Majority, with, all);
        assert_eq!([majority(1, 3), majority(2, 3), majority(1, 2)], [Collider, Chain, Ambiguous]);
        let careful = |with, all| decide(ColliderRule::Conservative, with, all);
        assert_eq!([careful(0, 3), careful(3, 3), careful(1, 3)], [Collider, Chain, Ambiguous]);
        assert_eq!([majority(0, 0), careful(0, 0)], [Ambiguous, Ambiguous]);
    }

    #[test]
    fn a_second_opinion_is_a_conflict_only_if_asked_for() {
        for conflicts in [true, false] {
            let mut links = Links::open(2, 1);
            let mut directed = Directed::new(conflicts);
            directed.orient(&mut links, 0, 1);
            directed.orient(&mut links, 0, 1);
            assert_eq!(links.state(0, 1), State::Forth);
            directed.orient(&mut links, 1, 0);
            let expected = if conflicts { State::Torn } else { State::Forth };
            assert_eq!(links.state(0, 1), expected);
        }
    }
}
