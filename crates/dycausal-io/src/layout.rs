//! Where the variables of a graph stand on paper: one place for all times, the same on every run.

use std::collections::VecDeque;
use std::f64::consts::TAU;

use dycausal::DynamicGraph;

/// Graphs of more linked variables than this stand on a spiral: distances between all pairs would
/// take too long.
const MOST_LINKED: usize = 2000;

/// Rounds of moving every variable to where its distances ask it to be.
const ROUNDS: usize = 120;

/// A place for each variable, in a square from 0 to 1.
///
/// Variables that are linked at any time stand so that distances on paper are near those in the
/// graph (stress majorisation), turned so that effects tend to stand to the right of their causes.
/// Variables without any edge stand in rows below.
pub(crate) fn places(graph: &DynamicGraph) -> Vec<[f64; 2]> {
    let neighbours = neighbours(graph);
    let linked: Vec<usize> =
        (0..graph.variables()).filter(|v| !neighbours[*v].is_empty()).collect();
    let alone: Vec<usize> = (0..graph.variables()).filter(|v| neighbours[*v].is_empty()).collect();
    let mut places = vec![[0.5, 0.5]; graph.variables()];
    let mut found = if linked.len() > MOST_LINKED {
        spiral(linked.len())
    } else {
        arrange(&linked, &neighbours)
    };
    turn_effects_right(graph, &linked, &mut found);
    spread(&mut found);
    keep_apart(&mut found);
    let floor = fit(&mut found, alone.len());
    for (variable, place) in linked.iter().zip(found) {
        places[*variable] = place;
    }
    stand_in_rows(&alone, floor, &mut places);
    places
}

/// The variables each variable has an edge with, at any time and lag, without itself.
fn neighbours(graph: &DynamicGraph) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); graph.variables()];
    for edge in graph.edges().iter().filter(|edge| edge.from != edge.to) {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Stress majorisation from a circle on which neighbours are close to each other.
fn arrange(linked: &[usize], neighbours: &[Vec<usize>]) -> Vec<[f64; 2]> {
    let count = linked.len();
    let distances = distances(linked, neighbours);
    let mut places = circle(linked, neighbours);
    for _ in 0..ROUNDS {
        for here in 0..count {
            let (mut sum, mut total) = ([0.0; 2], 0.0);
            for there in (0..count).filter(|there| *there != here) {
                let wanted = distances[here * count + there];
                let [dx, dy] = [0, 1].map(|axis| places[here][axis] - places[there][axis]);
                let far = dx.hypot(dy).max(1e-9);
                let importance = wanted.powi(-2);
                sum[0] += importance * (places[there][0] + wanted * dx / far);
                sum[1] += importance * (places[there][1] + wanted * dy / far);
                total += importance;
            }
            if total > 0.0 {
                places[here] = sum.map(|s| s / total);
            }
        }
    }
    places
}

/// Steps between all pairs of linked variables; those that no path joins are one step further
/// apart than any that one does.
fn distances(linked: &[usize], neighbours: &[Vec<usize>]) -> Vec<f64> {
    let count = linked.len();
    let mut row_of = vec![usize::MAX; neighbours.len()];
    linked.iter().enumerate().for_each(|(row, variable)| row_of[*variable] = row);
    let mut distances = vec![f64::NAN; count * count];
    let mut furthest: f64 = 1.0;
    for (row, start) in linked.iter().enumerate() {
        let line = &mut distances[row * count..(row + 1) * count];
        line[row] = 0.0;
        let mut queue = VecDeque::from([*start]);
        while let Some(variable) = queue.pop_front() {
            let next = line[row_of[variable]] + 1.0;
            for neighbour in &neighbours[variable] {
                if line[row_of[*neighbour]].is_nan() {
                    line[row_of[*neighbour]] = next;
                    furthest = furthest.max(next);
                    queue.push_back(*neighbour);
                }
            }
        }
    }
    distances.iter_mut().filter(|d| d.is_nan()).for_each(|d| *d = furthest + 1.0);
    distances
}

/// A circle in the order of a walk from neighbour to neighbour, beginning with the best linked.
fn circle(linked: &[usize], neighbours: &[Vec<usize>]) -> Vec<[f64; 2]> {
    let mut starts = linked.to_vec();
    starts.sort_by_key(|variable| std::cmp::Reverse(neighbours[*variable].len()));
    let mut rank = vec![usize::MAX; neighbours.len()];
    let mut reached = 0;
    for start in starts {
        let mut stack = vec![start];
        while let Some(variable) = stack.pop() {
            if rank[variable] == usize::MAX {
                rank[variable] = reached;
                reached += 1;
                stack.extend(neighbours[variable].iter().rev());
            }
        }
    }
    let radius = linked.len() as f64 / TAU;
    let at = |variable: &usize| {
        let angle = TAU * rank[*variable] as f64 / linked.len() as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    linked.iter().map(at).collect()
}

/// Evenly filled, for graphs too large to arrange.
fn spiral(count: usize) -> Vec<[f64; 2]> {
    let golden = TAU * 0.381_966_011_250_105;
    let at = |k: usize| {
        let (radius, angle) = ((k as f64 + 0.5).sqrt(), golden * k as f64);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..count).map(at).collect()
}

/// Turns the whole so that edges, by their strength, point to the right on average.
fn turn_effects_right(graph: &DynamicGraph, linked: &[usize], places: &mut [[f64; 2]]) {
    let mut row_of = vec![usize::MAX; graph.variables()];
    linked.iter().enumerate().for_each(|(row, variable)| row_of[*variable] = row);
    let mut way = [0.0; 2];
    for edge in graph.edges().iter().filter(|edge| edge.from != edge.to) {
        let (from, to) = (places[row_of[edge.from]], places[row_of[edge.to]]);
        let far = (to[0] - from[0]).hypot(to[1] - from[1]).max(1e-9);
        way[0] += (to[0] - from[0]) / far;
        way[1] += (to[1] - from[1]) / far;
    }
    let length = way[0].hypot(way[1]);
    if length > 1e-9 {
        let [c, s] = way.map(|x| x / length);
        for [x, y] in places {
            (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
        }
    }
}

/// Thins out the middle, where most stand, by moving each coordinate half-way to its rank.
fn spread(places: &mut [[f64; 2]]) {
    let Some([low, high]) = extent(places) else { return };
    for axis in 0..2 {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|a, b| places[*a][axis].total_cmp(&places[*b][axis]));
        for (rank, at) in order.into_iter().enumerate() {
            let even = (rank as f64 + 0.5) / places.len() as f64;
            let even = low[axis] + even * (high[axis] - low[axis]);
            places[at][axis] = 0.5 * (places[at][axis] + even);
        }
    }
}

/// Pushes apart what stands closer than half of what an even spread would give.
fn keep_apart(places: &mut [[f64; 2]]) {
    let Some([width, height]) =
        extent(places).map(|[low, high]| [high[0] - low[0], high[1] - low[1]])
    else {
        return;
    };
    let least = 0.62 * (width.max(1e-6) * height.max(1e-6) / places.len() as f64).sqrt();
    for _ in 0..60 {
        let mut moved = false;
        for a in 0..places.len().min(MOST_LINKED) {
            for b in a + 1..places.len().min(MOST_LINKED) {
                let [dx, dy] = [0, 1].map(|axis| places[b][axis] - places[a][axis]);
                let far = dx.hypot(dy);
                if far < least {
                    // Two at the very same place part along a way of their own.
                    let angle = TAU * 0.381_966 * (a + b) as f64;
                    let way =
                        if far > 1e-9 { [dx / far, dy / far] } else { [angle.cos(), angle.sin()] };
                    let push = 0.51 * (least - far);
                    for axis in 0..2 {
                        places[a][axis] -= push * way[axis];
                        places[b][axis] += push * way[axis];
                    }
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
}

fn extent(places: &[[f64; 2]]) -> Option<[[f64; 2]; 2]> {
    let first = *places.first()?;
    Some(places.iter().fold([first, first], |[low, high], place| {
        [
            [low[0].min(place[0]), low[1].min(place[1])],
            [high[0].max(place[0]), high[1].max(place[1])],
        ]
    }))
}

/// Scales to the square, with room below for those that stand alone; says where that room begins.
fn fit(places: &mut [[f64; 2]], alone: usize) -> f64 {
    let Some([low, high]) = extent(places) else { return 0.0 };
    let rows = alone.div_ceil(per_row(alone));
    let share = rows as f64 / (rows as f64 + (places.len() as f64).sqrt());
    let floor = if alone == 0 { 1.0 } else { 1.0 - share.min(0.6) };
    for place in places {
        for (axis, room) in [(0, 1.0), (1, floor)] {
            let span = high[axis] - low[axis];
            let share = if span > 1e-9 { (place[axis] - low[axis]) / span } else { 0.5 };
            place[axis] = room * share;
        }
    }
    floor
}

fn per_row(alone: usize) -> usize {
    let mut width = 1;
    while width * width < alone * 3 {
        width += 1;
    }
    width
}

fn stand_in_rows(alone: &[usize], floor: f64, places: &mut [[f64; 2]]) {
    let width = per_row(alone.len());
    let rows = alone.len().div_ceil(width);
    for (k, variable) in alone.iter().enumerate() {
        let in_row = width.min(alone.len() - k / width * width);
        let x = ((k % width) as f64 + 0.5) / in_row as f64;
        let y = floor + (1.0 - floor) * ((k / width) as f64 + 1.0) / rows as f64;
        places[*variable] = [x, y];
    }
}

#[cfg(test)]
mod tests {
    use dycausal::graph::Trajectory;
    use dycausal::{Basis, Edge, TimeIndex};

    use super::*;

    fn graph(variables: usize, links: &[(usize, usize)]) -> DynamicGraph {
        let names = (0..variables).map(|v| format!("v{v}")).collect();
        let edge =
            |(from, to): &(usize, usize)| Edge::new(*from, *to, 1, Trajectory::Constant(1.0), 3);
        let edges = links.iter().map(edge).collect();
        DynamicGraph::new(names, TimeIndex::Steps(3), 1, Basis::constant(3).unwrap(), edges)
            .unwrap()
    }

    #[test]
    fn everybody_has_a_place_of_their_own_in_the_square() {
        let star: Vec<(usize, usize)> = (1..40).map(|v| (0, v)).collect();
        for graph in [graph(1, &[]), graph(7, &[]), graph(60, &star), graph(3, &[(0, 1), (1, 0)])] {
            let places = places(&graph);
            for (k, [x, y]) in places.iter().enumerate() {
                assert!((-1e-9..=1.0 + 1e-9).contains(x) && (-1e-9..=1.0 + 1e-9).contains(y));
                for [u, v] in &places[..k] {
                    assert!((x - u).hypot(y - v) > 0.02, "{places:?}");
                }
            }
        }
    }

    #[test]
    fn a_chain_runs_from_left_to_right() {
        let places = places(&graph(4, &[(2, 0), (0, 3), (3, 1)]));
        let order: Vec<f64> = [2, 0, 3, 1].map(|v: usize| places[v][0]).to_vec();
        assert!(order.is_sorted(), "{places:?}");
    }
}
