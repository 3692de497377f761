//! One acyclic graph that agrees with directions of which only some are known.

use dycausal::Mark;
use dycausal::internals::order::sort_or_cycle;

/// A link within a step, as found: `from` → `to` where it is directed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Within {
    pub from: usize,
    pub to: usize,
    pub mark: Mark,
    /// How strong it is: the weakest of a directed cycle gives way.
    pub strength: f64,
}

/// Turns links that are not directed so that the whole has no cycle, and where possible no further
/// pair of causes that are not linked (Dor and Tarsi 1992).
///
/// Directed links that close a cycle contradict each other: the weakest of each cycle is marked
/// as in conflict.
pub(crate) fn acyclic(variables: usize, mut links: Vec<Within>) -> Vec<Within> {
    loop {
        let directed: Vec<_> = links
            .iter()
            .filter(|link| link.mark.is_directed())
            .map(|link| (link.from, link.to))
            .collect();
        let Err(cycle) = sort_or_cycle(variables, &directed) else { break };
        let follows = |link: &Within| {
            let at = cycle.iter().position(|v| *v == link.from);
            link.mark.is_directed() && at.is_some_and(|at| cycle[(at + 1) % cycle.len()] == link.to)
        };
        let on_cycle = links.iter_mut().filter(|link| follows(link));
        let Some(weakest) = on_cycle.min_by(|a, b| a.strength.total_cmp(&b.strength)) else {
            break;
        };
        weakest.mark = Mark::Conflict;
    }
    let order = order(variables, &links);
    let mut place = vec![0; variables];
    order.iter().enumerate().for_each(|(at, v)| place[*v] = at);
    for link in &mut links {
        if place[link.from] > place[link.to] {
            std::mem::swap(&mut link.from, &mut link.to);
        }
    }
    links
}

/// An order, causes first: again and again the variable is put last that no directed link leaves,
/// preferably one whose undirected neighbours are linked to all its others.
fn order(variables: usize, links: &[Within]) -> Vec<usize> {
    let mut linked = vec![false; variables * variables];
    for link in links {
        linked[link.from * variables + link.to] = true;
        linked[link.to * variables + link.from] = true;
    }
    let mut left: Vec<usize> = (0..variables).collect();
    let mut last_first = Vec::with_capacity(variables);
    while !left.is_empty() {
        let is_left = |link: &&Within| left.contains(&link.from) && left.contains(&link.to);
        let here: Vec<&Within> = links.iter().filter(is_left).collect();
        let is_sink = |v: usize| !here.iter().any(|l| l.from == v && l.mark.is_directed());
        let fits = |v: usize| {
            let ends = |l: &Within| (l.from == v || l.to == v).then(|| l.from + l.to - v);
            let neighbours: Vec<usize> = here.iter().filter_map(|l| ends(l)).collect();
            let open = here.iter().filter(|l| !l.mark.is_directed()).filter_map(|l| ends(l));
            open.into_iter()
                .all(|u| neighbours.iter().all(|w| *w == u || linked[u * variables + w]))
        };
        let sinks: Vec<usize> = left.iter().copied().filter(|v| is_sink(*v)).collect();
        // Directed links have no cycle, so there is a sink; of equals the last stays last.
        let next = sinks.iter().rev().find(|v| fits(**v)).or(sinks.last());
        let Some(next) = next.copied().or(left.last().copied()) else { break };
        left.retain(|v| *v != next);
        last_first.push(next);
    }
    last_first.reverse();
    last_first
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn link(from: usize, to: usize, mark: Mark) -> Within {
        Within { from, to, mark, strength: (from + 2 * to) as f64 }
    }

    #[test]
    fn an_open_chain_gets_no_new_pair_of_causes() {
        // 0 - 2 - 1: turning by number would make 0 and 1 causes of 2.
        let open = Mark::Undirected;
        let turned = acyclic(3, vec![link(0, 2, open), link(1, 2, open)]);
        let causes_of_two = turned.iter().filter(|l| l.to == 2).count();
        assert!(causes_of_two < 2, "{turned:?}");
    }

    #[test]
    fn directed_links_stay_and_the_weakest_of_a_cycle_is_in_conflict() {
        let known = Mark::Directed;
        let weak = Within { strength: 0.1, ..link(2, 0, known) };
        let turned = acyclic(3, vec![link(0, 1, known), link(1, 2, known), weak]);
        let marks: Vec<Mark> = turned.iter().map(|l| l.mark).collect();
        assert_eq!(marks, [known, known, Mark::Conflict]);
        assert_eq!((turned[0].from, turned[1].from, turned[2].from), (0, 1, 0));
    }

    proptest! {
        #[test]
        fn whatever_is_found_becomes_acyclic(
            picks in prop::collection::btree_map((0..7usize, 0..7usize), 0..3usize, 0..30),
        ) {
            let links: Vec<Within> = picks
                .into_iter()
                .filter(|((a, b), _)| a < b)
                .map(|((a, b), kind)| match kind {
                    0 => link(a, b, Mark::Undirected),
                    1 => link(a, b, Mark::Directed),
                    _ => link(b, a, Mark::Directed),
                })
                .collect();
            let turned = acyclic(7, links.clone());
            prop_assert_eq!(turned.len(), links.len());
            let pairs: Vec<_> = turned.iter().map(|l| (l.from, l.to)).collect();
            prop_assert!(sort_or_cycle(7, &pairs).is_ok());
            for (before, after) in links.iter().zip(&turned) {
                if after.mark.is_directed() {
                    prop_assert_eq!((before.from, before.to), (after.from, after.to));
                }
            }
        }
    }
}
