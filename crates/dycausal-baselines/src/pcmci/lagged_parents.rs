//! The first phase of PCMCI and PCMCI+: which earlier values may be causes of a variable.

use crate::independence::{Independence, Node, Tested};

/// How candidates are thinned out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection {
    /// Variables of the data.
    pub variables: usize,
    /// Longest lag.
    pub lag: usize,
    /// Candidates go where p is above this.
    pub alpha: f64,
    /// Most conditions at once.
    pub max_conditions: usize,
    /// Most sets of conditions of one size per candidate.
    pub max_combinations: usize,
}

/// What is left of the candidates of one variable.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    /// Those that are left, the strongest first.
    pub parents: Vec<Node>,
    /// The weakest test\[(lag − 1) · variables + variable\] of each candidate, also of those gone.
    pub weakest: Vec<Tested>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    node: Node,
    /// The smallest absolute value of its tests.
    strength: f64,
}

impl Selection {
    /// Condition-selection by the PC algorithm with the strongest conditions first.
    ///
    /// For p = 0, 1, …: each candidate is tested given the p strongest others, and goes if
    /// independence is not rejected; the strength of a candidate is the smallest absolute value of
    /// its tests so far.
    pub fn run(&self, independence: &Independence, target: usize) -> Candidates {
        let d = self.variables;
        let mut weakest = vec![Tested { value: 0.0, p: -1.0 }; d * self.lag];
        // By variable, then lag: what counts among equals.
        let nodes = (0..d).flat_map(|v| (1..=self.lag).map(move |back| back * d + v));
        let mut left: Vec<Candidate> =
            nodes.map(|node| Candidate { node, strength: f64::INFINITY }).collect();
        for size in 0..=self.max_conditions {
            if left.len() < size + 1 {
                break;
            }
            let order: Vec<Node> = left.iter().map(|candidate| candidate.node).collect();
            left.retain_mut(|candidate| {
                let (node, weakest) = (candidate.node, &mut weakest[candidate.node - d]);
                let others = order.iter().copied().filter(|other| *other != node).collect();
                let mut subsets = Subsets::new(others, size).take(self.max_combinations);
                subsets.all(|given| {
                    let tested = independence.test(node, target, &given);
                    candidate.strength = candidate.strength.min(tested.value.abs());
                    if weakest.p < 0.0 || tested.p > weakest.p {
                        *weakest = tested;
                    }
                    tested.p <= self.alpha
                })
            });
            left.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        }
        Candidates { parents: left.iter().map(|candidate| candidate.node).collect(), weakest }
    }
}

/// The subsets of one size, in the order of their members.
pub(crate) struct Subsets<T> {
    members: Vec<T>,
    places: Vec<usize>,
    done: bool,
}

impl<T: Copy> Subsets<T> {
    pub fn new(members: Vec<T>, size: usize) -> Self {
        let done = size > members.len();
        Self { members, places: (0..size).collect(), done }
    }
}

impl<T: Copy> Iterator for Subsets<T> {
    type Item = Vec<T>;

    fn next(&mut self) -> Option<Vec<T>> {
        if self.done {
            return None;
        }
        let subset = self.places.iter().map(|place| self.members[*place]).collect();
        let (size, count) = (self.places.len(), self.members.len());
        // The last place that can still move on.
        match (0..size).rev().find(|k| self.places[*k] < count - size + k) {
            Some(k) => {
                let first = self.places[k] + 1;
                (k..size).for_each(|place| self.places[place] = first + place - k);
            }
            None => self.done = true,
        }
        Some(subset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_once_and_in_order() {
        let all: Vec<Vec<usize>> = Subsets::new(vec![7, 8, 9], 2).collect();
        assert_eq!(all, [[7, 8], [7, 9], [8, 9]]);
        assert_eq!(Subsets::new(vec![7, 8], 0).count(), 1);
        assert_eq!(Subsets::new(vec![7, 8], 3).count(), 0);
        assert_eq!(Subsets::new((0..7).collect(), 3).count(), 35);
    }
}
