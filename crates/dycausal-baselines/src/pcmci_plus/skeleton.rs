//! Which links there are: those that no set of neighbours within the step explains away.

use std::collections::HashMap;

use dycausal::{Result, Run};
use ndarray::Array3;
use rayon::prelude::*;

use super::within::Links;
use crate::independence::{Independence, Node, Tested};
use crate::pcmci::{Candidates, Subsets, conditions};

/// Links with their weakest tests, and what separated those that went.
pub(super) struct Skeleton {
    pub links: Links,
    /// Statistic of the weakest test\[lag, from, to\].
    pub values: Array3<f64>,
    /// Its p-value.
    pub p: Array3<f64>,
    /// Neighbours given which a link (from, to, lag) vanished.
    pub separating: HashMap<(usize, usize, usize), Vec<usize>>,
}

/// One link in one direction of testing.
#[derive(Debug, Clone, Copy)]
struct Progress {
    from: usize,
    to: usize,
    lag: usize,
    /// The smallest absolute statistic so far.
    strength: f64,
    weakest: Tested,
}

/// What one level of tests did to a pair: its tests, and what separated it.
type Outcome = (Vec<Progress>, Option<Vec<usize>>);

/// Tests every link given the lagged parents of both ends and 0, 1, 2, … neighbours of its end.
pub(super) fn find(
    independence: &Independence,
    candidates: &[Candidates],
    (lag, alpha, most): (usize, f64, usize),
    run: &mut Run,
) -> Result<Skeleton> {
    let d = candidates.len();
    let parents: Vec<Vec<Node>> = candidates.iter().map(|found| found.parents.clone()).collect();
    let mut links = Links::open(d, lag);
    for (to, nodes) in parents.iter().enumerate() {
        for node in nodes {
            links.add(node % d, to, node / d);
        }
    }
    let mut pairs = pairs_of(&links);
    let mut separating = HashMap::new();
    let mut gone: Vec<Progress> = Vec::new();
    let mut order: Vec<Vec<usize>> = (0..d).map(|v| links.neighbours(v)).collect();
    for size in 0..=most.min(d) {
        let can = |p: &Progress| others(&order[p.to], p).count() >= size;
        if !pairs.iter().flatten().any(can) {
            break;
        }
        run.stage(&format!("links given {size} neighbours"), Some(pairs.len() as u64));
        let shared = &*run;
        let each = |pair: &Vec<Progress>| {
            shared.proceed()?;
            shared.advance(1);
            Ok(level(independence, &parents, &order, pair, (size, alpha)))
        };
        let outcomes: Vec<Outcome> =
            shared.parallel(|| pairs.par_iter().map(each).collect::<Result<_>>())?;
        pairs.clear();
        for (pair, separator) in outcomes {
            let Some(set) = separator else {
                pairs.push(pair);
                continue;
            };
            for one in &pair {
                links.remove(one.from, one.to, one.lag);
                separating.insert((one.from, one.to, one.lag), set.clone());
            }
            gone.extend(pair);
        }
        order = sorted_neighbours(&links, &pairs);
    }
    let (values, p) = tables(candidates, lag, pairs.iter().flatten().chain(&gone));
    Ok(Skeleton { links, values, p, separating })
}

/// Both directions of every link within the step together, then each link from before it alone.
fn pairs_of(links: &Links) -> Vec<Vec<Progress>> {
    let d = links.variables;
    let fresh = |from, to, lag| {
        let weakest = Tested { value: 0.0, p: 0.0 };
        Progress { from, to, lag, strength: f64::INFINITY, weakest }
    };
    let mut pairs = Vec::new();
    for (a, b) in (0..d).flat_map(|a| (a + 1..d).map(move |b| (a, b))) {
        pairs.push(vec![fresh(a, b, 0), fresh(b, a, 0)]);
    }
    for lag in 1..=links.lag() {
        for (from, to) in (0..d).flat_map(|a| (0..d).map(move |b| (a, b))) {
            if links.is_there(from, to, lag) {
                pairs.push(vec![fresh(from, to, lag)]);
            }
        }
    }
    pairs
}

/// The neighbours of the end of a link without its cause.
fn others<'a>(neighbours: &'a [usize], link: &Progress) -> impl Iterator<Item = usize> + 'a {
    let skip = if link.lag == 0 { link.from } else { usize::MAX };
    neighbours.iter().copied().filter(move |v| *v != skip)
}

/// Tests a pair given `size` neighbours, until one set separates it.
fn level(
    independence: &Independence,
    parents: &[Vec<Node>],
    order: &[Vec<usize>],
    pair: &[Progress],
    (size, alpha): (usize, f64),
) -> Outcome {
    let d = parents.len();
    let mut pair = pair.to_vec();
    for one in &mut pair {
        let neighbours: Vec<usize> = others(&order[one.to], one).collect();
        if neighbours.len() < size {
            continue;
        }
        let always = conditions(parents, d, (one.from, one.to, one.lag));
        let mut nodes = vec![one.lag * d + one.from, one.to];
        if size > 0 {
            nodes.extend(&neighbours);
        }
        let tests = independence.given(&nodes, &always);
        for places in Subsets::new((2..2 + neighbours.len()).collect(), size) {
            let tested = tests.test(0, 1, &places);
            one.strength = one.strength.min(tested.value.abs());
            if tested.p >= one.weakest.p {
                one.weakest = tested;
            }
            // Where there are too few rows for a test, nothing speaks for the link.
            if tested.p.is_nan() || tested.p > alpha {
                let set = places.iter().map(|place| tests.nodes()[*place]).collect();
                return (pair, Some(set));
            }
        }
    }
    (pair, None)
}

/// The neighbours of every variable, the strongest first.
fn sorted_neighbours(links: &Links, pairs: &[Vec<Progress>]) -> Vec<Vec<usize>> {
    let mut strength = vec![0.0; links.variables * links.variables];
    for one in pairs.iter().flatten().filter(|one| one.lag == 0) {
        strength[one.from * links.variables + one.to] = one.strength;
    }
    let sorted = |to: usize| {
        let mut list = links.neighbours(to);
        let of = |from: usize| strength[from * links.variables + to];
        list.sort_by(|a, b| of(*b).total_cmp(&of(*a)));
        list
    };
    (0..links.variables).map(sorted).collect()
}

/// Statistics and p-values\[lag, from, to\]: of the weakest test of each link, the weaker of both
/// directions within a step, and of the first phase where a candidate did not pass it.
fn tables<'a>(
    candidates: &[Candidates],
    lag: usize,
    tested: impl Iterator<Item = &'a Progress>,
) -> (Array3<f64>, Array3<f64>) {
    let d = candidates.len();
    let mut values = Array3::zeros((lag + 1, d, d));
    let mut p = Array3::ones((lag + 1, d, d));
    for (to, found) in candidates.iter().enumerate() {
        for (place, weakest) in found.weakest.iter().enumerate() {
            values[[place / d + 1, place % d, to]] = weakest.value;
            p[[place / d + 1, place % d, to]] = weakest.p;
        }
    }
    let mut within: HashMap<(usize, usize), Tested> = HashMap::new();
    for one in tested {
        if one.lag > 0 {
            values[[one.lag, one.from, one.to]] = one.weakest.value;
            p[[one.lag, one.from, one.to]] = one.weakest.p;
            continue;
        }
        let pair = (one.from.min(one.to), one.from.max(one.to));
        let kept = within.entry(pair).or_insert(one.weakest);
        if one.weakest.p > kept.p {
            *kept = one.weakest;
        }
    }
    for ((a, b), weakest) in within {
        for place in [[0, a, b], [0, b, a]] {
            values[place] = weakest.value;
            p[place] = weakest.p;
        }
    }
    (values, p)
}
