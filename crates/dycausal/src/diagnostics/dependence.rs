//! Do residuals of two variables depend on each other?
//!
//! For a, b the residuals themselves, their absolute values, or tanh of them, each less its mean,
//! z = Σ a b / √(Σ a² b²) is standard normal without dependence, whatever the sizes of the noise.
//! A shared cause shows here only if it is not Gaussian: within a step least squares leaves nothing
//! that is linear. So this is a hint, never more, and silence proves nothing ([`ASSUMPTION`]).

use ndarray::Array2;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::evidence::Evidence;
use super::figures::Pair;
use super::finding::{Finding, Verdict};
use super::rounded;
use crate::thresholds::P_WORTH_A_WORD;

/// What every edge rests on, and no check can show.
pub const ASSUMPTION: &str =
    "Edges assume that no unmeasured variable drives both ends; these data cannot rule that out.";

/// Products, at most, in each of six sums over pairs.
const MOST_PRODUCTS: usize = 100_000_000;
/// Rows, at least, however many variables there are.
const FEWEST_ROWS: usize = 500;
/// Pairs that are told.
const PAIRS: usize = 8;
/// Correlations that are not worth a word, however many rows prove them.
const NEGLIGIBLE: f64 = 0.1;

/// The name of the check.
const NAME: &str = "dependence";

/// One finding for the graph, and one for each of the most dependent pairs.
pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Finding> {
    let pairs = evidence.pairs.iter();
    let mut found: Vec<Finding> = pairs.filter(|pair| clear(pair)).map(told).collect();
    let graph = Finding::about(NAME, &[]).with("pairs", found.len() as f64);
    let words = match &found[..] {
        [] => format!("No two residuals are seen to depend on each other. {ASSUMPTION}"),
        [one] => format!("{}. {ASSUMPTION}", one.words),
        [one, rest @ ..] => {
            format!("{}, and so for {} more pairs. {ASSUMPTION}", one.words, rest.len())
        }
    };
    let verdict = if found.is_empty() { Verdict::Fine } else { Verdict::Doubtful };
    found.push(graph.judged(verdict, words));
    found
}

fn clear(pair: &Pair) -> bool {
    pair.p < P_WORTH_A_WORD && pair.correlation.abs() >= NEGLIGIBLE
}

fn told(pair: &Pair) -> Finding {
    let [a, b] = &pair.variables;
    let words = format!(
        "the residuals of `{a}` and `{b}` depend on each other ({:.2}, {}): they may share a cause that is not among the variables, or an edge within the step may be missing",
        pair.correlation, pair.of
    );
    Finding::about(NAME, &[a, b])
        .with("correlation", pair.correlation)
        .with_p(pair.p)
        .judged(Verdict::Doubtful, words)
}

/// Variables whose pairs are looked at, at most: every so many-th where there are more.
const MOST_VARIABLES: usize = 1000;

/// A name and a function of residuals.
type Form = (&'static str, fn(f64) -> f64);

/// The pairs that depend most on each other, from the strongest.
pub(super) fn strongest(evidence: &Evidence<'_>) -> Vec<Pair> {
    let d = evidence.variables();
    if d < 2 {
        return Vec::new();
    }
    let looked: Vec<usize> = (0..d).step_by(d.div_ceil(MOST_VARIABLES)).collect();
    let d = looked.len();
    let rows = rows(evidence, d);
    let forms: [Form; 3] = [("as they are", |u| u), ("in size", f64::abs), ("bounded", f64::tanh)];
    let seen = forms.map(|(of, form)| (of, DependenceSums::of(evidence, &looked, &rows, form)));
    let count = (d * (d - 1) / 2 * seen.len()) as f64;
    let of_pair = |a: usize, b: usize| {
        let best = seen.iter().max_by(|x, y| x.1.z(a, b).abs().total_cmp(&y.1.z(a, b).abs()));
        best.map(|(of, sums)| (sums.z(a, b), sums.correlation(a, b), *of, a, b))
    };
    // A list of all pairs would be long.
    let of_one = |a: usize| cut((a + 1..d).filter_map(|b| of_pair(a, b)).collect());
    let each: Vec<Vec<PairStatistic>> = (0..d).into_par_iter().map(of_one).collect();
    let pairs = cut(each.into_iter().flatten().collect());
    let both = |z: f64| Normal::standard().sf(z.abs()) * 2.0;
    let told = pairs.into_iter().map(|(z, correlation, of, a, b)| Pair {
        variables: [a, b].map(|v| evidence.name(looked[v]).to_owned()),
        of: of.to_owned(),
        correlation: rounded(correlation),
        p: rounded((both(z) * count).min(1.0)),
    });
    told.collect()
}

/// z, correlation and form of two variables.
type PairStatistic = (f64, f64, &'static str, usize, usize);

/// Those that depend most, the first of equals.
fn cut(mut pairs: Vec<PairStatistic>) -> Vec<PairStatistic> {
    pairs.sort_by(|x, y| y.0.abs().total_cmp(&x.0.abs()));
    pairs.truncate(PAIRS);
    pairs
}

/// The whole rows that are looked at.
fn rows(evidence: &Evidence<'_>, variables: usize) -> Vec<usize> {
    let most = (MOST_PRODUCTS / variables.pow(2)).max(FEWEST_ROWS);
    let whole: Vec<usize> =
        (0..evidence.whole().len()).filter(|row| evidence.whole()[*row] > 0.0).collect();
    let every = whole.len().div_ceil(most).max(1);
    whole.into_iter().step_by(every).collect()
}

/// Σ a b and Σ a² b² of all pairs.
struct DependenceSums {
    products: Array2<f64>,
    squares: Array2<f64>,
}

impl DependenceSums {
    fn of(evidence: &Evidence<'_>, looked: &[usize], rows: &[usize], form: fn(f64) -> f64) -> Self {
        let mut values = Array2::zeros((looked.len(), rows.len()));
        for (v, mut line) in looked.iter().zip(values.outer_iter_mut()) {
            let (u, there) = (evidence.residuals(*v), evidence.there(*v));
            let count: f64 = rows.iter().map(|row| there[*row]).sum();
            let size = rows.iter().map(|row| u[*row] * u[*row]).sum::<f64>() / count;
            let unit = size.sqrt().max(f64::MIN_POSITIVE);
            line.iter_mut().zip(rows).for_each(|(x, row)| *x = there[*row] * form(u[*row] / unit));
            let mean = line.sum() / count;
            line.iter_mut().zip(rows).for_each(|(x, row)| *x -= there[*row] * mean);
        }
        let squared = values.mapv(|x| x * x);
        let (products, squares) =
            rayon::join(|| values.dot(&values.t()), || squared.dot(&squared.t()));
        Self { products, squares }
    }

    fn z(&self, a: usize, b: usize) -> f64 {
        let z = self.products[[a, b]] / self.squares[[a, b]].sqrt();
        if z.is_finite() { z } else { 0.0 }
    }

    fn correlation(&self, a: usize, b: usize) -> f64 {
        let sizes = self.products[[a, a]] * self.products[[b, b]];
        let correlation = self.products[[a, b]] / sizes.sqrt();
        if correlation.is_finite() { correlation } else { 0.0 }
    }
}
