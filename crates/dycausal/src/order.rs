//! Orders of nodes: what comes before what, or the cycle that there is.

/// An order of `count` nodes in which every edge points forward, or a cycle.
///
/// Among the nodes that may come next the smallest is taken, so the order is always the same.
///
/// # Errors
/// A cycle: each node a parent of the next, the last a parent of the first.
pub fn sort_or_cycle(count: usize, edges: &[(usize, usize)]) -> Result<Vec<usize>, Vec<usize>> {
    let mut children = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    for (from, to) in edges {
        children[*from].push(*to);
        waiting[*to] += 1;
    }
    let mut ready: std::collections::BinaryHeap<_> =
        (0..count).filter(|v| waiting[*v] == 0).map(std::cmp::Reverse).collect();
    let mut order = Vec::with_capacity(count);
    while let Some(std::cmp::Reverse(v)) = ready.pop() {
        order.push(v);
        for child in &children[v] {
            waiting[*child] -= 1;
            if waiting[*child] == 0 {
                ready.push(std::cmp::Reverse(*child));
            }
        }
    }
    if order.len() == count { Ok(order) } else { Err(cycle_among(edges, &waiting)) }
}

/// Walks backwards among the nodes that still wait for a parent until one comes up again.
/// The cycle begins with its smallest node.
fn cycle_among(edges: &[(usize, usize)], waiting: &[usize]) -> Vec<usize> {
    let mut parent = vec![usize::MAX; waiting.len()];
    for (from, to) in edges {
        if waiting[*from] > 0 && waiting[*to] > 0 {
            parent[*to] = *from;
        }
    }
    let mut seen = vec![usize::MAX; waiting.len()];
    let mut walk = Vec::new();
    let mut at = (0..waiting.len()).find(|v| waiting[*v] > 0).unwrap_or(0);
    while seen[at] == usize::MAX {
        seen[at] = walk.len();
        walk.push(at);
        at = parent[at];
    }
    let mut cycle = walk.split_off(seen[at]);
    cycle.reverse();
    let smallest = (0..cycle.len()).min_by_key(|at| cycle[*at]).unwrap_or(0);
    cycle.rotate_left(smallest);
    cycle
}
