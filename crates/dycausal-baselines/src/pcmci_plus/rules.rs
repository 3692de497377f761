//! Directions that follow from others, by Meek's rules: those that rest on a triple that tests were not of
//! one mind about are left out.

use std::collections::HashSet;

use dycausal::graph::orientation::{self, Node, Triple};

use super::colliders::Directed;
use super::within::{Links, State};

/// Applies the rules until none of them finds anything.
pub(super) fn apply(links: &mut Links, ambiguous: &HashSet<Triple>, conflicts: bool) {
    let mut directed = Directed::new(conflicts);
    loop {
        let mut any = false;
        for rule in orientation::rules() {
            for implied in rule(links) {
                if implied.because.iter().any(|triple| ambiguous.contains(triple)) {
                    continue;
                }
                any = true;
                directed.orient(links, implied.from, implied.to);
            }
        }
        if !any {
            return;
        }
    }
}

impl orientation::Links for Links {
    fn variables(&self) -> usize {
        self.variables
    }

    fn open(&self, variable: usize) -> Vec<usize> {
        (0..self.variables).filter(|other| self.is_open(variable, *other)).collect()
    }

    fn causes(&self, variable: usize) -> Vec<Node> {
        let known = |(from, lag): &Node| Links::causes(self, *from, variable, *lag);
        self.around(variable).into_iter().filter(known).collect()
    }

    fn is_open(&self, a: usize, b: usize) -> bool {
        self.state(a, b) == State::Open
    }

    fn apart(&self, (cause, lag): Node, variable: usize) -> bool {
        !self.is_there(cause, variable, lag)
    }
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
