//! Directions that follow from others: no new colliders, no cycles (Meek 1995).

use std::collections::HashSet;

use super::colliders::{Directed, Triple};
use super::within::{Links, State};

/// What a rule found: the triples it rests on, and the link (cause, effect) it directs.
type Directions = Vec<(Vec<Triple>, (usize, usize))>;

/// Applies the three rules until none of them finds anything.
pub(super) fn apply(links: &mut Links, ambiguous: &HashSet<Triple>, conflicts: bool) {
    let mut directed = Directed::new(conflicts);
    let rules: [fn(&Links) -> Directions; 3] = [no_collider, no_cycle, two_ways];
    loop {
        let mut any = false;
        for rule in rules {
            for (triples, (from, to)) in rule(links) {
                if triples.iter().any(|triple| ambiguous.contains(triple)) {
                    continue;
                }
                any = true;
                directed.orient(links, from, to);
            }
        }
        if !any {
            return;
        }
    }
}

/// x → z – y with x and y not linked: z → y, else z would be a collider.
fn no_collider(links: &Links) -> Directions {
    let mut found = Vec::new();
    for y in 0..links.variables {
        for z in (0..links.variables).filter(|z| links.state(y, *z) == State::Open) {
            for (x, lag) in links.around(z) {
                if (x, lag) != (y, 0) && links.causes(x, z, lag) && !links.is_there(x, y, lag) {
                    found.push((vec![((x, lag), z, y)], (z, y)));
                }
            }
        }
    }
    found
}

/// x → z → y with x – y: x → y, else there would be a cycle.
fn no_cycle(links: &Links) -> Directions {
    let d = links.variables;
    let mut found = Vec::new();
    for y in 0..d {
        for z in (0..d).filter(|z| links.state(*z, y) == State::Forth) {
            for x in (0..d).filter(|x| links.state(*x, z) == State::Forth) {
                if x != y && links.state(x, y) == State::Open {
                    found.push((vec![((x, 0), z, y)], (x, y)));
                }
            }
        }
    }
    found
}

/// x – z → y and x – w → y with x – y and z, w not linked: x → y.
fn two_ways(links: &Links) -> Directions {
    let d = links.variables;
    let mut found = Vec::new();
    for y in 0..d {
        for x in (0..d).filter(|x| links.state(y, *x) == State::Open) {
            let way = |z: &usize| {
                *z != x && links.state(*z, y) == State::Forth && links.state(*z, x) == State::Open
            };
            let ways: Vec<usize> = (0..d).filter(way).collect();
            for (z, w) in ways.iter().flat_map(|z| ways.iter().map(move |w| (*z, *w))) {
                if z != w && links.state(z, w) == State::Absent {
                    found.push((vec![((x, 0), z, y), ((x, 0), w, y)], (x, y)));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only these open links within a step.
    fn open(variables: usize, pairs: &[(usize, usize)]) -> Links {
        let mut links = Links::open(variables, 1);
        for (a, b) in (0..variables).flat_map(|a| (0..a).map(move |b| (b, a))) {
            if !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                links.remove(a, b, 0);
            }
        }
        links
    }

    #[test]
    fn a_lagged_cause_directs_the_chain_behind_it() {
        let mut links = open(3, &[(0, 1), (1, 2)]);
        links.add(0, 0, 1);
        apply(&mut links, &HashSet::new(), true);
        assert_eq!((links.state(0, 1), links.state(1, 2)), (State::Forth, State::Forth));
        let mut held = open(3, &[(0, 1), (1, 2)]);
        held.add(0, 0, 1);
        apply(&mut held, &HashSet::from([((0, 1), 0, 1)]), true);
        assert_eq!(held.state(0, 1), State::Open);
    }

    #[test]
    fn cycles_are_avoided_and_two_ways_meet() {
        let mut links = open(3, &[(0, 1), (1, 2), (0, 2)]);
        links.orient(0, 1);
        links.orient(1, 2);
        apply(&mut links, &HashSet::new(), true);
        assert_eq!(links.state(0, 2), State::Forth);
        let mut diamond = open(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]);
        diamond.orient(1, 3);
        diamond.orient(2, 3);
        apply(&mut diamond, &HashSet::new(), true);
        assert_eq!(diamond.state(0, 3), State::Forth);
        assert_eq!(diamond.state(0, 1), State::Open);
    }
}
