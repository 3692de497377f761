//! Directions within a step that follow from others: no new colliders, no cycles (Meek 1995).

/// A variable at so many steps before.
pub type Node = (usize, usize);
/// A cause x, and two variables of the step: x and z are linked, z and y are, and a rule looks at all three.
pub type Triple = (Node, usize, usize);

/// Links between variables, of which some within the step have no direction yet.
pub trait Links {
    /// How many variables.
    fn variables(&self) -> usize;
    /// The variables of the step that a link without direction joins with this one, in increasing order.
    fn open(&self, variable: usize) -> Vec<usize>;
    /// What is known to cause a variable, by variable and lag.
    fn causes(&self, variable: usize) -> Vec<Node>;
    /// Whether a link without direction joins two variables of the step.
    fn is_open(&self, a: usize, b: usize) -> bool;
    /// Whether nothing links a cause and a variable of the step.
    fn apart(&self, cause: Node, variable: usize) -> bool;
}

/// A direction that a rule gives to an open link, with the triples that it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implied {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// What the rule looked at.
    pub because: Vec<Triple>,
}

/// What one rule says of links as they are.
pub type Rule<L> = fn(&L) -> Vec<Implied>;

/// Meek's first three rules; the fourth is needed only where directions are known beforehand.
pub fn rules<L: Links>() -> [Rule<L>; 3] {
    [no_collider, no_cycle, two_ways]
}

/// Variables of the step among causes.
fn within(causes: Vec<Node>) -> impl Iterator<Item = usize> {
    causes.into_iter().filter(|(_, lag)| *lag == 0).map(|(variable, _)| variable)
}

/// x → z – y with x and y not linked: z → y, else z would be a collider.
fn no_collider<L: Links>(links: &L) -> Vec<Implied> {
    let mut found = Vec::new();
    for y in 0..links.variables() {
        for z in links.open(y) {
            for x in links.causes(z).into_iter().filter(|x| links.apart(*x, y)) {
                found.push(Implied { from: z, to: y, because: vec![(x, z, y)] });
            }
        }
    }
    found
}

/// x → z → y with x – y: x → y, else there would be a cycle.
fn no_cycle<L: Links>(links: &L) -> Vec<Implied> {
    let mut found = Vec::new();
    for y in 0..links.variables() {
        for z in within(links.causes(y)) {
            for x in within(links.causes(z)).filter(|x| links.is_open(*x, y)) {
                found.push(Implied { from: x, to: y, because: vec![((x, 0), z, y)] });
            }
        }
    }
    found
}

/// x – z → y and x – w → y with x – y and z, w not linked: x → y, else there would be a cycle or a collider.
fn two_ways<L: Links>(links: &L) -> Vec<Implied> {
    let mut found = Vec::new();
    for y in 0..links.variables() {
        for x in links.open(y) {
            let ways: Vec<usize> =
                within(links.causes(y)).filter(|z| links.is_open(*z, x)).collect();
            for (z, w) in ways.iter().flat_map(|z| ways.iter().map(move |w| (*z, *w))) {
                if z != w && links.apart((z, 0), w) {
                    let because = vec![((x, 0), z, y), ((x, 0), w, y)];
                    found.push(Implied { from: x, to: y, because });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four variables of one step, no lags.
    struct Four {
        directed: Vec<(usize, usize)>,
        open: Vec<(usize, usize)>,
    }

    impl Links for Four {
        fn variables(&self) -> usize {
            4
        }
        fn open(&self, variable: usize) -> Vec<usize> {
            (0..4).filter(|other| self.is_open(*other, variable)).collect()
        }
        fn causes(&self, variable: usize) -> Vec<Node> {
            (0..4).filter(|x| self.directed.contains(&(*x, variable))).map(|x| (x, 0)).collect()
        }
        fn is_open(&self, a: usize, b: usize) -> bool {
            self.open.contains(&(a, b)) || self.open.contains(&(b, a))
        }
        fn apart(&self, (a, _): Node, b: usize) -> bool {
            a != b
                && !self.is_open(a, b)
                && ![(a, b), (b, a)].iter().any(|e| self.directed.contains(e))
        }
    }

    fn directed(directed: &[(usize, usize)], open: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
        let links = Four { directed: directed.to_vec(), open: open.to_vec() };
        let edges = |rule: Rule<Four>| {
            let mut edges: Vec<_> =
                rule(&links).iter().map(|found| (found.from, found.to)).collect();
            edges.dedup();
            edges
        };
        rules().into_iter().map(edges).collect()
    }

    #[test]
    fn each_rule_says_what_its_picture_says() {
        let none = Vec::new;
        assert_eq!(directed(&[(0, 1)], &[(1, 2)]), [vec![(1, 2)], none(), none()]);
        assert_eq!(directed(&[(0, 1), (1, 2)], &[(0, 2)]), [none(), vec![(0, 2)], none()]);
        let found = directed(&[(1, 3), (2, 3)], &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(found, [none(), none(), vec![(0, 3)]]);
        assert_eq!(directed(&[], &[(0, 1), (1, 2)]), [none(), none(), none()]);
    }
}
