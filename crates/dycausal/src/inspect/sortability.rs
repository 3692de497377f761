//! How far a number per variable grows along the causal order.

/// Share of cause-effect pairs, over all directed paths, in which the effect has the larger score.
///
/// With variances as scores this is varsortability, with R² it is R²-sortability: near 1 the order
/// of the scores gives the causal order away, near 0.5 it says nothing, near 0 it is reversed.
///
/// Σ_k #{(i, j): a path of length k from i to j, score_i < score_j} / Σ_k #{(i, j): …}, ties count
/// half; k runs from 1 to the number of variables less one. `None` without any edge.
pub fn sortability(scores: &[f64], edges: &[(usize, usize)]) -> Option<f64> {
    let count = scores.len();
    let mut reached: Vec<Vec<bool>> = vec![vec![false; count]; count];
    for (from, to) in edges {
        reached[*from][*to] = true;
    }
    let (mut larger, mut all) = (0.0, 0.0);
    for _ in 1..count {
        let pairs = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let mut any = false;
        for (i, j) in pairs.filter(|(i, j)| i != j && reached[*i][*j]) {
            any = true;
            all += 1.0;
            larger += match scores[i].total_cmp(&scores[j]) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
        if !any {
            break;
        }
        reached = one_further(&reached, edges);
    }
    (all > 0.0).then(|| larger / all)
}

/// Pairs joined by paths that are one edge longer.
fn one_further(reached: &[Vec<bool>], edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let step = |row: &Vec<bool>| {
        let mut further = vec![false; row.len()];
        edges.iter().filter(|(via, _)| row[*via]).for_each(|(_, to)| further[*to] = true);
        further
    };
    reached.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_growing_scores_is_sorted() {
        let chain = [(0, 1), (1, 2)];
        assert_eq!(sortability(&[1.0, 2.0, 3.0], &chain), Some(1.0));
        assert_eq!(sortability(&[3.0, 2.0, 1.0], &chain), Some(0.0));
        assert_eq!(sortability(&[1.0, 1.0, 1.0], &chain), Some(0.5));
        // Paths 0-1, 1-2 (length 1) and 0-2 (length 2): two of three grow.
        assert_eq!(sortability(&[1.0, 3.0, 2.0], &chain), Some(2.0 / 3.0));
        assert_eq!(sortability(&[1.0, 3.0], &[]), None);
    }
}
