//! Rows of an equation of which a part was not observed.
//!
//! Cells that were filled from all around know of the effect itself: in a regression they would count
//! twice what was observed once. So every equation fills its own causes, z, anew from those causes of
//! the same row that were observed, o, and from nothing else: ẑ = S_zo S_oo⁻¹ o. These know nothing of
//! the noise u of the effect, so that y = β'ẑ + β'(z − ẑ) + u is a regression with the same β. Its noise
//! has variance σ² + β'Cβ, C = S_zz − S_zo S_oo⁻¹ S_oz, and rows count by one over that. Rows of which
//! the effect was not observed do not count at all.

use std::collections::HashMap;

use ndarray::{Array2, ArrayView2, Axis, s};

use super::equation::{Data, Equation};
use crate::design::{Columns, Observed, Partition};
use crate::linear_algebra::{dot, symmetric_inverse};
use crate::regression::{Regressor, Sample};
use crate::thresholds::LEAST_SHRINKAGE;
use crate::thresholds::ROWS_PER_VARIABLE_OF_COVARIANCE;

/// Bins of time that covariances are taken in, at most.
const BINS: usize = 24;
/// Steps that a bin has, at least.
const STEPS_PER_BIN: usize = 2;
/// How often weights of rows are taken from a regression.
const ROUNDS: usize = 2;

/// A cause: a variable, and how many steps before.
type LaggedCause = (usize, usize);

/// The causes of one equation as far as they are known, and what its rows count.
#[derive(Debug, Clone)]
pub(crate) struct Partial {
    series: usize,
    /// \[step\]\[series\] of the panel, for causes of which cells are missing.
    causes: HashMap<LaggedCause, Vec<f64>>,
    /// \[step\]\[series\] of the panel.
    weights: Vec<f64>,
    /// The same where only rows count of which all selected causes were observed.
    whole: Vec<f64>,
}

impl Partial {
    /// For a regression of `equation` on any of the columns named and its own lags; `None` where all
    /// cells were observed.
    pub fn of(data: &Data<'_>, equation: &Equation, columns: &[usize], own: usize) -> Option<Self> {
        let observed = data.columns.observed()?;
        let d = data.columns.variables();
        let mut causes: Vec<LaggedCause> = columns.iter().map(|c| (c % d, c / d)).collect();
        causes.extend((1..=own).map(|back| (equation.to, back)));
        causes.sort_unstable();
        causes.dedup();
        let known = ObservedCauses::of(data.columns, observed, &causes);
        let rows = known.filled();
        let target = data.columns.weights_of(equation.to)?;
        let series = known.series;
        let mut weights = vec![0.0; known.there.nrows()];
        let start = weights.len() - target.len();
        let there = |(w, target): (&mut f64, &f64)| *w = f64::from(u8::from(*target > 0.0));
        weights[start..].iter_mut().zip(target).for_each(there);
        // Rows before the lag count where regressions may have them.
        if data.columns.has_earlier_rows() {
            let early = observed.lagged(equation.to, 0, 0);
            weights[..start].iter_mut().zip(early).for_each(|(w, o)| *w = f64::from(u8::from(*o)));
        }
        let filled = |(k, cause): (usize, &LaggedCause)| {
            let absent = known.there.column(k).iter().any(|there| !there);
            absent.then(|| (*cause, rows.values.column(k).to_vec()))
        };
        let causes_filled = causes.iter().enumerate().filter_map(filled).collect();
        let mut partial = Self { series, causes: causes_filled, weights, whole: Vec::new() };
        partial.weigh(data, equation, &known, &rows);
        Some(partial)
    }

    /// A cause from step `first` on; `None` where all of it was observed.
    pub fn cause(&self, variable: usize, back: usize, first: usize) -> Option<&[f64]> {
        self.causes.get(&(variable, back)).map(|values| &values[first * self.series..])
    }

    /// What each row counts from step `first` on.
    pub fn weights(&self, first: usize) -> &[f64] {
        &self.weights[first * self.series..]
    }

    /// The same with rows alone of which all selected causes were observed.
    pub fn whole_rows(&self) -> Self {
        Self { weights: self.whole.clone(), ..self.clone() }
    }

    /// Gives rows of which causes are missing what they count, 1 on average.
    fn weigh(
        &mut self,
        data: &Data<'_>,
        equation: &Equation,
        known: &ObservedCauses<'_>,
        rows: &FilledRows,
    ) {
        let d = data.columns.variables();
        let number = |c: &usize| known.causes.iter().position(|cause| *cause == (c % d, c / d));
        self.whole.clone_from(&self.weights);
        let Some(which) = equation.selected.iter().map(number).collect::<Option<Vec<usize>>>()
        else {
            return;
        };
        let there = self.weights.clone();
        let start = data.columns.lag() * self.series;
        let whole = |row: usize| which.iter().all(|k| known.there[[row, *k]]);
        // To begin with, rows that are complete, if they carry the regression.
        let complete = |(row, w): (usize, &f64)| if whole(row) { *w } else { 0.0 };
        self.weights = there.iter().enumerate().map(complete).collect();
        self.whole.clone_from(&self.weights);
        for round in 0..=ROUNDS {
            let sample = self.sample(data, equation);
            let all: Vec<usize> = (0..sample.regressors.len()).collect();
            let Some(fitted) = sample.normal().solve(&all) else {
                self.weights.clone_from(&there);
                continue;
            };
            if round == ROUNDS {
                break;
            }
            let noise = fitted.squares / fitted.freedom;
            let psi = data.basis.values();
            let size = data.functions;
            let path = |t: usize, g: usize| {
                let c = &fitted.coefficients[g * size..(g + 1) * size];
                c.iter().zip(psi.row(t)).map(|(c, p)| c * p).sum::<f64>()
            };
            let mut weights = there.clone();
            for (row, w) in weights.iter_mut().enumerate().skip(start).filter(|(_, w)| **w > 0.0) {
                let t = row / self.series - data.columns.lag();
                let beta: Vec<(usize, f64)> =
                    which.iter().enumerate().map(|(g, k)| (*k, path(t, g))).collect();
                *w *= noise / (noise + rows.left(row, &beta));
            }
            let (before, after): (f64, f64) =
                (there[start..].iter().sum(), weights[start..].iter().sum());
            for w in &mut weights {
                *w *= before / after.max(f64::MIN_POSITIVE);
            }
            self.weights = weights;
        }
    }

    /// The rows of the equation after the lag.
    fn sample<'a>(&'a self, data: &Data<'a>, equation: &'a Equation) -> Sample<'a> {
        let (d, lag) = (data.columns.variables(), data.columns.lag());
        let values = |c: &usize| {
            let own = self.cause(c % d, c / d, lag);
            own.unwrap_or_else(|| data.columns.lagged(c % d, c / d, lag))
        };
        let regressor = |c: &usize| Regressor { values: values(c), functions: data.functions };
        Sample {
            target: data.columns.lagged(equation.to, 0, lag),
            regressors: equation.selected.iter().map(regressor).collect(),
            psi: data.basis.values().slice_move(s![.., ..]),
            series: self.series,
            weights: Some(self.weights(lag)),
            precision: equation.precision.as_deref(),
            intercepts: data.columns.intercept_of(equation.to) as f64,
        }
    }
}

/// The causes of all rows, as far as they were observed.
struct ObservedCauses<'a> {
    series: usize,
    causes: &'a [LaggedCause],
    /// \[row\]\[cause\], as it was observed or filled from all around.
    values: Array2<f64>,
    /// The variance that filling leaves.
    left: Array2<f64>,
    there: Array2<bool>,
    /// Rows that have values at all.
    usable: Vec<bool>,
}

/// What was filled, with what is left of the variance.
struct FilledRows {
    values: Array2<f64>,
    /// Which of the patterns a row has; `None` where nothing is missing.
    pattern: Vec<Option<usize>>,
    patterns: Vec<Pattern>,
}

/// How the missing causes of a row follow from the others.
struct Pattern {
    missing: Vec<usize>,
    observed: Vec<usize>,
    /// S_zo S_oo⁻¹\[missing, observed\].
    weights: Array2<f64>,
    /// C\[missing, missing\].
    left: Array2<f64>,
}

impl<'a> ObservedCauses<'a> {
    fn of(columns: &Columns, observed: &Observed, causes: &'a [LaggedCause]) -> Self {
        let (series, steps) = (columns.series(), columns.all_steps());
        let mut values = Array2::zeros((series * steps, causes.len()));
        let mut left = Array2::zeros(values.raw_dim());
        let mut there = Array2::from_elem(values.raw_dim(), false);
        for (k, (variable, back)) in causes.iter().enumerate() {
            let cells = columns.lagged(*variable, *back, *back);
            let seen = observed.lagged(*variable, *back, *back);
            let spread = observed.left(*variable, *back, *back);
            for row in 0..cells.len() {
                let at = [back * series + row, k];
                (values[at], there[at], left[at]) = (cells[row], seen[row], spread[row]);
            }
        }
        // Cells that are neither observed nor filled have no variance left either.
        let known = |row: usize| (0..causes.len()).all(|k| there[[row, k]] || left[[row, k]] > 0.0);
        let usable = (0..series * steps).map(known).collect();
        Self { series, causes, values, left, there, usable }
    }

    /// Fills every row from what was observed of it.
    fn filled(&self) -> FilledRows {
        let (rows, count) = self.values.dim();
        let steps = rows / self.series;
        let bins = BINS
            .min(rows / (ROWS_PER_VARIABLE_OF_COVARIANCE * count.max(1)))
            .min(steps / STEPS_PER_BIN);
        let mut filled = FilledRows {
            values: self.values.clone(),
            pattern: vec![None; rows],
            patterns: Vec::new(),
        };
        for bin in Partition::stretches(bins, steps).ranges() {
            let range = bin.start * self.series..bin.end * self.series;
            let covariance = self.covariance(range.clone());
            let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
            for row in range {
                let there = self.there.row(row);
                if there.iter().all(|there| *there) {
                    continue;
                }
                let number = *seen.entry(there.to_vec()).or_insert_with(|| {
                    filled.patterns.push(Pattern::of(&there.to_vec(), covariance.view()));
                    filled.patterns.len() - 1
                });
                filled.pattern[row] = Some(number);
                let pattern = &filled.patterns[number];
                let known: Vec<f64> =
                    pattern.observed.iter().map(|k| self.values[[row, *k]]).collect();
                for (k, weights) in pattern.missing.iter().zip(pattern.weights.outer_iter()) {
                    let weights = weights.iter().zip(&known).map(|(w, x)| w * x);
                    filled.values[[row, *k]] = weights.sum();
                }
            }
        }
        filled
    }

    /// Σ z z' of what was observed or filled, with the variances that filling leaves, and shrunk.
    fn covariance(&self, rows: std::ops::Range<usize>) -> Array2<f64> {
        let kept: Vec<usize> = rows.filter(|row| self.usable[*row]).collect();
        let values = self.values.select(Axis(0), &kept);
        let left = self.left.select(Axis(0), &kept).sum_axis(Axis(0));
        let count = kept.len().max(1) as f64;
        let shrinkage = (self.causes.len() as f64 / count).clamp(LEAST_SHRINKAGE, 1.0);
        let mut out = values.t().dot(&values) / count;
        for ((j, k), entry) in out.indexed_iter_mut() {
            *entry = match (j == k, *entry + left[j] / count) {
                (true, variance) if variance > 0.0 => variance,
                (true, _) => 1.0,
                (false, _) => (1.0 - shrinkage) * *entry,
            };
        }
        out
    }
}

impl Pattern {
    fn of(there: &[bool], covariance: ArrayView2<'_, f64>) -> Self {
        let (mut observed, mut missing): (Vec<usize>, Vec<usize>) =
            (0..there.len()).partition(|k| there[*k]);
        let entries = |rows: &[usize], cols: &[usize]| {
            Array2::from_shape_fn((rows.len(), cols.len()), |(j, k)| covariance[[rows[j], cols[k]]])
        };
        let square = entries(&observed, &observed);
        let inverse = symmetric_inverse(square.iter().copied().collect(), observed.len());
        if inverse.is_none() {
            // Pairs that were observed in different rows need not go together.
            observed.clear();
        }
        missing.sort_unstable();
        let size = observed.len();
        let inverse = Array2::from_shape_vec((size, size), inverse.unwrap_or_default())
            .unwrap_or_else(|_| Array2::zeros((size, size)));
        let cross = entries(&missing, &observed);
        let weights = cross.dot(&inverse);
        let left = entries(&missing, &missing) - weights.dot(&cross.t());
        Self { missing, observed, weights, left }
    }
}

impl FilledRows {
    /// β'Cβ of a row, where β are weights of some of the causes.
    fn left(&self, row: usize, beta: &[(usize, f64)]) -> f64 {
        let Some(pattern) = self.pattern[row].map(|number| &self.patterns[number]) else {
            return 0.0;
        };
        let weight = |k: &usize| beta.iter().find(|(cause, _)| cause == k).map_or(0.0, |(_, b)| *b);
        let beta: Vec<f64> = pattern.missing.iter().map(weight).collect();
        let products = pattern.left.outer_iter().map(|row| dot(&row.to_vec(), &beta));
        products.zip(&beta).map(|(x, b)| x * b).sum::<f64>().max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::basis::{Basis, Shape};
    use crate::design::{Missing, MissingCells, Preparation, Prepared};
    use crate::moments::TimeBasis;
    use crate::panel::Panel;
    use crate::run::Cancel;

    /// y = .5 a + .3 b + noise, a and b alike, with a share of all cells missing.
    fn panel(share: f64) -> Panel {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let mut normal = || (0..12).map(|_| random.random::<f64>() - 0.5).sum::<f64>();
        let mut values = Array3::zeros((60, 100, 3));
        for mut row in values.rows_mut() {
            row[0] = normal();
            row[1] = 0.6 * row[0] + 0.8 * normal();
            row[2] = 0.5 * row[0] + 0.3 * row[1] + 0.5 * normal();
        }
        let mut random = ChaCha8Rng::seed_from_u64(10);
        values.mapv_inplace(|x| if random.random::<f64>() < share { f64::NAN } else { x });
        Panel::unnamed(values).unwrap()
    }

    /// Coefficients in units of the data, and their errors, with or without own filling.
    fn fitted(share: f64, own: bool) -> Vec<(f64, f64)> {
        let panel = panel(share);
        let missing = MissingCells::of(&panel, Missing::Fill);
        let preparation = Preparation { missing, ..Preparation::plain(&panel) };
        let columns = Prepared::of(&panel, &preparation, &|| Ok(())).unwrap().columns(1).unwrap();
        let basis = Basis::new(Shape::Constant, 100, 1).unwrap();
        let basis = TimeBasis::new(&basis, &columns).unwrap();
        let position = [0, 1, 2];
        let data = Data {
            columns: &columns,
            basis: &basis,
            functions: 1,
            position: &position,
            cancel: &Cancel::default(),
        };
        let mut equations = [Equation {
            to: 2,
            selected: vec![0, 1],
            own: 0,
            precision: None,
            tests: Vec::new(),
            required: Vec::new(),
            partial: None,
        }];
        if own {
            data.know_partial_rows(&mut equations, None);
            assert_eq!(equations[0].partial.is_some(), share > 0.0);
        }
        let sample = data.sample(&equations[0], &[0, 1]);
        let fitted = sample.normal().solve(&[0, 1]).unwrap();
        let scale = columns.scale();
        let errors = super::super::covariance::Errors::new(
            &sample,
            &fitted,
            super::super::covariance::Covariance::Robust,
        );
        let one = |g: usize| {
            let unit = scale[2] / scale[g];
            (unit * fitted.coefficients[g], unit * errors.covariance(g).0[0].sqrt())
        };
        (0..2).map(one).collect()
    }

    #[test]
    fn weights_are_right_with_three_tenths_of_the_cells_missing() {
        for (share, own) in [(0.0, false), (0.0, true), (0.3, true)] {
            for ((found, error), truth) in fitted(share, own).into_iter().zip([0.5, 0.3]) {
                assert!((found - truth).abs() < 3.0 * error, "{share}: {found} ± {error}, {truth}");
                assert!(error < 0.03, "{share}: {error}");
            }
        }
    }

    #[test]
    fn what_was_filled_from_the_effect_counts_it_twice() {
        let (found, error) = fitted(0.3, false)[0];
        assert!(found > 0.5 + 3.0 * error, "{found} ± {error}");
    }

    #[test]
    fn patterns_leave_what_the_observed_do_not_explain() {
        let covariance = ndarray::array![[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 2.0]];
        let pattern = Pattern::of(&[true, false, false], covariance.view());
        assert_eq!((&pattern.missing[..], &pattern.observed[..]), (&[1, 2][..], &[0][..]));
        assert!((pattern.weights[[0, 0]] - 0.6).abs() < 1e-12 && pattern.weights[[1, 0]] == 0.0);
        assert!((pattern.left[[0, 0]] - 0.64).abs() < 1e-12 && pattern.left[[1, 1]] == 2.0);
    }
}
