//! What data ask for, with the figure that says so; the user decides.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::unit_root;
use crate::design::calendar;
use crate::panel::Panel;
use crate::prepare::{Column, Kind, Recipe, Step, bounds, line};
use crate::thresholds::SKEWNESS_THAT_MATTERS;

/// Standard deviations, told by the median deviation, beyond which a value is an outlier.
const OUTLIER: f64 = 6.0;
/// The share of values that may be outliers: more are no accident.
const FEW: f64 = 0.02;
/// The critical value of Dickey and Fuller at 5 % with a constant and a line (MacKinnon 2010).
const CRITICAL_BESIDE_A_LINE: f64 = -3.41;
/// t of a slope from which on a trend is told.
const TREND: f64 = 4.0;
/// p of a season below which it is told, times the periods tried.
const SEASON: f64 = 1e-4;
/// Periods that are tried where the calendar says nothing.
const PERIODS: [usize; 4] = [4, 7, 12, 24];

/// A preparation that a column asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proposal {
    /// The column.
    pub variable: String,
    /// What to do, as a recipe is written.
    pub prepare: String,
    /// Why, with the figure of the test.
    pub why: String,
}

/// What the columns of a panel ask for, in the order in which it should be done.
pub fn proposals(panel: &Panel) -> Vec<Proposal> {
    (0..panel.variables()).flat_map(|v| of_column(panel, v)).collect()
}

/// All proposals as one list, as a recipe is written: columns that ask for the same stand
/// together, and go without saying where they are all there are.
pub fn together(proposals: &[Proposal], variables: usize) -> String {
    const ORDER: [&str; 5] = ["log", "detrend", "difference", "deseason", "clip"];
    let kind = |proposal: &Proposal| {
        let columns = proposal.prepare.len() - proposal.variable.len() - 1;
        proposal.prepare[..columns].to_owned()
    };
    let rank = |kind: &str| ORDER.iter().position(|word| kind.starts_with(word));
    let mut kinds: Vec<String> = proposals.iter().map(kind).collect();
    kinds.sort_by_key(|kind| (rank(kind), kind.clone()));
    kinds.dedup();
    let step = |wanted: &String| {
        let of_kind = proposals.iter().filter(|proposal| kind(proposal) == *wanted);
        let columns: Vec<&str> = of_kind.map(|proposal| proposal.variable.as_str()).collect();
        let all = columns.len() == variables;
        if all { wanted.clone() } else { format!("{wanted}:{}", columns.join("+")) }
    };
    kinds.iter().map(step).collect::<Vec<_>>().join(",")
}

/// What a column asks for, with the figure that says so.
type Check = fn(&Panel) -> Option<(Kind, String)>;

fn of_column(panel: &Panel, variable: usize) -> Vec<Proposal> {
    let Ok(mut one) = panel.select(&[variable]) else { return Vec::new() };
    let name = &panel.names()[variable];
    let mut found = Vec::new();
    let checks: [Check; 4] = [skew, unit_root, season, outliers];
    for check in checks {
        let Some((kind, why)) = check(&one) else { continue };
        let step = Step { kind, columns: None };
        let Ok((next, _)) = Recipe(vec![step]).apply(&one) else { continue };
        // What comes later is asked of what this leaves.
        one = next;
        found.push(Proposal { variable: name.clone(), prepare: format!("{kind}:{name}"), why });
    }
    let straight = |proposal: &Proposal| {
        proposal.prepare.starts_with("difference") || proposal.prepare.starts_with("detrend")
    };
    if !found.iter().any(straight)
        && let Some((kind, why)) = trend(&one)
    {
        found.push(Proposal { variable: name.clone(), prepare: format!("{kind}:{name}"), why });
    }
    found
}

/// A positive column with a long right tail that a logarithm takes away.
fn skew(panel: &Panel) -> Option<(Kind, String)> {
    let known: Vec<f64> = panel.values().iter().copied().filter(|x| !x.is_nan()).collect();
    let before = skewness(&known);
    if !(before > SKEWNESS_THAT_MATTERS && known.iter().all(|x| *x > 0.0)) {
        return None;
    }
    let after = skewness(&known.iter().map(|x| x.ln()).collect::<Vec<_>>());
    let better = after.abs() < before / 2.0;
    better.then(|| (Kind::Log, format!("skewness {before:.1}; {after:.1} after a logarithm")))
}

fn skewness(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let moment = |power: i32| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
    moment(3) / moment(2).powf(1.5)
}

/// What cannot be told from a random walk; what is none beside a straight line has a trend.
fn unit_root(panel: &Panel) -> Option<(Kind, String)> {
    let t = unit_root::statistic(panel, 0).filter(|t| *t > unit_root::CRITICAL)?;
    let line = Recipe(vec![Step { kind: Kind::Detrend, columns: None }]);
    let beside = line.apply(panel).ok().and_then(|(beside, _)| unit_root::statistic(&beside, 0));
    if let Some(beside) = beside.filter(|beside| *beside < CRITICAL_BESIDE_A_LINE) {
        let why = format!(
            "a trend: Dickey-Fuller t {t:.2}, and {beside:.2} without a straight line, below {CRITICAL_BESIDE_A_LINE}"
        );
        return Some((Kind::Detrend, why));
    }
    let why = format!(
        "cannot be told from a random walk: Dickey-Fuller t {t:.2}, above {}",
        unit_root::CRITICAL
    );
    Some((Kind::Difference(1), why))
}

/// Means of the places in a cycle that differ, in changes from step to step: F by least squares.
fn season(panel: &Panel) -> Option<(Kind, String)> {
    let steps = panel.steps();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and positive
    let mut periods: Vec<usize> = calendar(panel.times())
        .into_iter()
        .filter(|period| period.fract() == 0.0 && *period <= 400.0)
        .map(|period| period as usize)
        .collect();
    if periods.is_empty() {
        periods.extend(PERIODS);
    }
    periods.retain(|period| 4 * period <= steps);
    let tested = periods.iter().filter_map(|period| Some((*period, f_of(panel, *period)?)));
    let (period, (f, p)) = tested.min_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
    (p * (periods.len() as f64) < SEASON).then(|| {
        (Kind::Deseason(period), format!("a season of {period} steps: F {f:.1}, p {p:.1e}"))
    })
}

fn f_of(panel: &Panel, period: usize) -> Option<(f64, f64)> {
    let values = panel.values();
    let mut rows: Vec<(usize, f64)> = Vec::new();
    for series in 0..panel.series() {
        for step in 1..panel.steps() {
            let change = values[[series, step, 0]] - values[[series, step - 1, 0]];
            if !change.is_nan() {
                rows.push((step % period, change));
            }
        }
    }
    let count = rows.len() as f64;
    let mean = rows.iter().map(|row| row.1).sum::<f64>() / count;
    let mut sums = vec![(0.0, 0.0); period];
    for (place, x) in &rows {
        sums[*place] = (sums[*place].0 + 1.0, sums[*place].1 + x);
    }
    let total: f64 = rows.iter().map(|row| (row.1 - mean).powi(2)).sum();
    let between: f64 = sums
        .iter()
        .filter(|(count, _): &&(f64, f64)| *count > 0.0)
        .map(|(count, sum)| count * (sum / count - mean).powi(2))
        .sum();
    let (above, below) = (period as f64 - 1.0, count - period as f64);
    let f = between / above / ((total - between) / below);
    let law = FisherSnedecor::new(above, below).ok()?;
    f.is_finite().then(|| (f, law.sf(f)))
}

/// A few values far from all others.
fn outliers(panel: &Panel) -> Option<(Kind, String)> {
    let mut values = panel.values().to_owned();
    let column = Column(values.index_axis_mut(ndarray::Axis(2), 0));
    let [low, high] = bounds(&column, OUTLIER);
    let count = column.known().count() as f64;
    let beyond = column.known().filter(|x| *x < low || *x > high).count();
    (beyond > 0 && beyond as f64 <= FEW * count).then(|| {
        let why = format!("{beyond} value(s) beyond {OUTLIER} sd (by the median deviation)");
        (Kind::Clip(OUTLIER), why)
    })
}

/// A slope in time; its error is that of as many independent values as the autocorrelation leaves.
fn trend(panel: &Panel) -> Option<(Kind, String)> {
    let values = panel.values();
    let mut t = 0.0f64;
    for series in 0..panel.series() {
        let own: Vec<f64> = (0..panel.steps()).map(|step| values[[series, step, 0]]).collect();
        let Some((slope, middle)) = line(&own) else { continue };
        let known: Vec<(f64, f64)> = own
            .iter()
            .enumerate()
            .filter(|(_, x)| !x.is_nan())
            .map(|(step, x)| (step as f64 - middle, *x))
            .collect();
        let mean = known.iter().map(|(_, x)| x).sum::<f64>() / known.len() as f64;
        let left: Vec<f64> = known.iter().map(|(step, x)| x - mean - slope * step).collect();
        let square: f64 = left.iter().map(|x| x * x).sum();
        let memory = left.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / square;
        let fewer = ((1.0 - memory) / (1.0 + memory)).clamp(1e-3, 1.0);
        let spread: f64 = known.iter().map(|(step, _)| step * step).sum();
        let error = (square / (known.len() as f64 - 2.0).max(1.0) / spread / fewer).sqrt();
        if error > 0.0 {
            t += slope / error;
        }
    }
    let t = t / (panel.series() as f64).sqrt();
    (t.abs() > TREND && t.is_finite()).then(|| (Kind::Detrend, format!("a trend: t {t:.1}")))
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    #[test]
    fn proposals_name_what_is_there_and_nothing_else() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        let mut values = Array3::zeros((1, 300, 6));
        let mut walk = 0.0;
        for t in 0..300 {
            walk += noise();
            values[[0, t, 0]] = noise();
            values[[0, t, 1]] = walk;
            values[[0, t, 2]] = (1.5 * noise()).exp();
            values[[0, t, 3]] = noise() + 0.05 * t as f64;
            values[[0, t, 4]] = noise() + if t % 7 == 0 { 4.0 } else { 0.0 };
            values[[0, t, 5]] = if t == 100 { 60.0 } else { noise() };
        }
        let names =
            ["noise", "walk", "skewed", "trend", "week", "spike"].map(String::from).to_vec();
        let panel = Panel::new(values, names).unwrap();
        let found = proposals(&panel);
        let words: Vec<&str> = found.iter().map(|p| p.prepare.as_str()).collect();
        assert_eq!(
            words,
            ["difference:walk", "log:skewed", "detrend:trend", "deseason(7):week", "clip(6):spike"]
        );
        let all = "log:skewed,detrend:trend,difference:walk,deseason(7):week,clip(6):spike";
        assert_eq!(together(&found, panel.variables()), all);
        assert_eq!(together(&found[..1], 1), "difference");
        for proposal in &found {
            assert!(proposal.prepare.parse::<Recipe>().unwrap().apply(&panel).is_ok());
        }
    }
}
