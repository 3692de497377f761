//! Parameters of a process with the most evidence, and inputs that evidence does not ask for.

use super::family::{Covariance, Place};
use super::process::Process;
use super::rows::{Rows, Sets};
use crate::bounded::Bounded;

/// Relevance below which an input does nothing.
const IRRELEVANT: f64 = 0.01;
/// A relevance at which an input does nothing that could be seen, and its slope can be told.
const NEXT_TO_NONE: f64 = 0.02;
/// Share of its usual start that an input begins with which did nothing before: at 0 it would stay there.
const RETURN: f64 = 0.5;
/// Share of noise below which a fit is looked at again from another start: it may have fitted the noise.
const LITTLE_NOISE: f64 = 0.01;

/// Iterations of a fit; and after which families are compared for the first time.
const ITERATIONS: (usize, usize) = (10, 5);
/// Families that are looked at again.
const FINALISTS: usize = 2;

/// A process that was fitted.
#[derive(Debug, Clone)]
pub(crate) struct ProcessFit {
    /// Its covariance.
    pub family: Covariance,
    /// Its inputs, as columns.
    pub columns: Vec<usize>,
    /// Relevances of the inputs, then the other parameters.
    pub parameters: Vec<f64>,
    /// The negative log evidence, brought to all rows.
    pub value: f64,
}

impl ProcessFit {
    /// Inputs that do something.
    pub fn relevant(&self) -> Vec<usize> {
        let inputs = self.columns.iter().zip(&self.parameters);
        inputs.filter(|(_, w)| **w > IRRELEVANT).map(|(column, _)| *column).collect()
    }

    /// Where to begin with other inputs: those that do nothing here, or are not here, as if nothing were known.
    pub fn moved_to(&self, columns: &[usize]) -> Vec<f64> {
        let mut out = self.family.start(columns.len());
        let inputs = self.columns.len();
        for (at, column) in columns.iter().enumerate() {
            if let Ok(known) = self.columns.binary_search(column) {
                out[at] = self.parameters[known].max(RETURN * out[at]);
            }
        }
        out[columns.len()..].copy_from_slice(&self.parameters[inputs..]);
        out
    }

    /// The same with so many inputs at most, the most relevant and those that are required.
    pub fn shortened(self, most: usize, required: &[usize]) -> Self {
        let mut by_relevance: Vec<(f64, usize)> =
            self.parameters.iter().copied().zip(self.columns.iter().copied()).collect();
        by_relevance.sort_by(|a, b| b.0.total_cmp(&a.0));
        let beyond = by_relevance.into_iter().skip(most).map(|(_, column)| column);
        let gone: Vec<usize> = beyond.filter(|column| !required.contains(column)).collect();
        let value = self.value;
        if gone.is_empty() { self } else { Self { value, ..self.without(&gone) } }
    }

    /// Rows as points of its inputs.
    pub fn places(&self, data: &Rows, rows: &[usize]) -> Vec<Place> {
        let inputs = data.inputs(&self.columns, rows, self.family.needs_zero());
        let point = |row: usize| inputs.iter().map(|x| f64::from(x[row])).collect();
        (0..rows.len()).map(|row| Place::new(&self.parameters, point(row))).collect()
    }

    /// The same without some inputs, as it stands: to be fitted further.
    fn without(&self, gone: &[usize]) -> Self {
        let stays = |at: usize| !gone.contains(&self.columns[at]);
        let inputs = self.columns.len();
        let kept = |at: &usize| *at >= inputs || stays(*at);
        Self {
            family: self.family,
            columns: (0..inputs).filter(|at| stays(*at)).map(|at| self.columns[at]).collect(),
            parameters: (0..self.parameters.len())
                .filter(kept)
                .map(|at| self.parameters[at])
                .collect(),
            value: f64::INFINITY,
        }
    }
}

/// One target with sets of rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The data.
    pub rows: &'a Rows,
    /// The rows that are fitted to.
    pub sets: &'a Sets,
    /// What is explained.
    pub target: usize,
}

impl Task<'_> {
    /// A process from its usual start, improved so many times; once more with more noise where it fitted the noise.
    pub fn fit(&self, family: Covariance, columns: &[usize], iterations: usize) -> ProcessFit {
        let start = family.start(columns.len());
        let found = self.from(family, columns, start, iterations);
        let noise = found.parameters[columns.len() + 1];
        if noise > LITTLE_NOISE.ln() {
            return found;
        }
        let mut other = family.start(columns.len());
        other[..columns.len()].iter_mut().for_each(|w| *w *= 0.5);
        other[columns.len() + 1] = 0.2f64.ln();
        let other = self.from(family, columns, other, iterations);
        if other.value < found.value { other } else { found }
    }

    /// The family with the most evidence: a first look at all, a second one at those that did best.
    pub fn best(&self, families: &[Covariance], columns: &[usize]) -> Option<ProcessFit> {
        let (all, glance) = ITERATIONS;
        let mut fits = self.glances(families, columns);
        fits.truncate(FINALISTS);
        let further =
            |fit: ProcessFit| self.from(fit.family, &fit.columns, fit.parameters, all - glance);
        fits.into_iter().map(further).min_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// The family that a first look speaks for.
    pub fn at_a_glance(&self, families: &[Covariance], columns: &[usize]) -> Option<ProcessFit> {
        self.glances(families, columns).into_iter().next()
    }

    /// A first look at families with the first set of rows, the one with the most evidence first.
    fn glances(&self, families: &[Covariance], columns: &[usize]) -> Vec<ProcessFit> {
        let first = self.sets[..1].to_vec();
        let quick = Task { sets: &first, ..*self };
        let mut fits: Vec<ProcessFit> =
            families.iter().map(|family| quick.fit(*family, columns, ITERATIONS.1)).collect();
        fits.sort_by(|a, b| a.value.total_cmp(&b.value));
        fits
    }

    /// A process improved from given parameters; without evidence where the run is cancelled, which whoever asked
    /// for it finds out next.
    pub fn from(
        &self,
        family: Covariance,
        columns: &[usize],
        start: Vec<f64>,
        iterations: usize,
    ) -> ProcessFit {
        let mut processes = self.processes(family, columns);
        let bounds = family.bounds(columns.len());
        let upper: Vec<f64> = bounds.iter().map(|(low, high)| high - low).collect();
        let low: Vec<f64> = bounds.iter().map(|(low, _)| *low).collect();
        let shifted: Vec<f64> = start.iter().zip(&low).map(|(x, low)| x - low).collect();
        let search = Bounded { memory: 20, iterations, gradient: 1e-2, decrease: 1e-5 };
        let mut parameters = vec![0.0; start.len()];
        let factor = self.factor();
        let found = search.minimise_below(shifted, &upper, |x, gradient| {
            self.rows.cancel.proceed()?;
            parameters.iter_mut().zip(x.iter().zip(&low)).for_each(|(p, (x, low))| *p = x + low);
            gradient.fill(0.0);
            let sum: f64 =
                processes.iter_mut().map(|p| p.gradient(family, &parameters, gradient)).sum();
            Ok(sum)
        });
        let (point, value) = match found {
            Ok(found) => (found.point, found.value),
            Err(_) => (start.iter().zip(&low).map(|(x, low)| x - low).collect(), f64::INFINITY),
        };
        let parameters = point.iter().zip(&low).map(|(x, low)| x + low).collect();
        ProcessFit { family, columns: columns.to_vec(), parameters, value: factor * value }
    }

    /// The negative log evidence of a fit on these rows, as it stands.
    pub fn value(&self, fit: &ProcessFit) -> f64 {
        let mut processes = self.processes(fit.family, &fit.columns);
        let sum: f64 = processes.iter_mut().map(|p| p.value(fit.family, &fit.parameters)).sum();
        self.factor() * sum
    }

    /// Drops inputs whose removal costs less than `least` of the evidence of the rows in use, the worst two
    /// thirds at a time, and fits on; `required` ones stay.
    pub fn pruned(
        &self,
        mut fit: ProcessFit,
        least: f64,
        iterations: usize,
        required: &[usize],
    ) -> ProcessFit {
        loop {
            let tiny: Vec<usize> = fit
                .columns
                .iter()
                .zip(&fit.parameters)
                .filter(|(c, w)| **w <= IRRELEVANT && !required.contains(c))
                .map(|(c, _)| *c)
                .collect();
            if !tiny.is_empty() {
                let value = fit.value;
                fit = ProcessFit { value, ..fit.without(&tiny) };
            }
            let mut weak: Vec<(usize, f64)> = self
                .losses(&fit)
                .into_iter()
                .filter(|(c, loss)| *loss < least && !required.contains(c))
                .collect();
            if weak.is_empty() {
                return fit;
            }
            weak.sort_by(|a, b| a.1.total_cmp(&b.1));
            weak.truncate((2 * weak.len()).div_ceil(3));
            let gone: Vec<usize> = weak.iter().map(|(c, _)| *c).collect();
            let rest = fit.without(&gone);
            fit = self.from(rest.family, &rest.columns, rest.parameters, iterations);
        }
    }

    /// A fit together with a few more inputs: those by whose relevance evidence grows the most where they have
    /// next to none. To be fitted further.
    pub fn joined_by(&self, fit: &ProcessFit, others: &[usize], most: usize) -> ProcessFit {
        let known = fit.columns.len();
        let columns = [&fit.columns[..], others].concat();
        let mut parameters = fit.parameters[..known].to_vec();
        parameters.extend(others.iter().map(|_| NEXT_TO_NONE));
        parameters.extend(&fit.parameters[known..]);
        let mut gradient = vec![0.0; parameters.len()];
        for process in &mut self.processes(fit.family, &columns) {
            process.gradient(fit.family, &parameters, &mut gradient);
        }
        let mut by_growth: Vec<(f64, usize)> =
            gradient[known..].iter().copied().zip(others.iter().copied()).collect();
        by_growth.retain(|(slope, _)| *slope < 0.0);
        by_growth.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined: Vec<usize> = by_growth.iter().take(most).map(|(_, c)| *c).collect();
        joined.extend(&fit.columns);
        joined.sort_unstable();
        let mut parameters = fit.moved_to(&joined);
        for (column, w) in fit.columns.iter().zip(&fit.parameters) {
            if let Ok(at) = joined.binary_search(column) {
                parameters[at] = *w;
            }
        }
        ProcessFit { family: fit.family, columns: joined, parameters, value: f64::INFINITY }
    }

    /// What removing each input costs of the evidence of the rows in use, the other parameters as they are:
    /// rows that were not looked at speak for nothing.
    pub fn losses(&self, fit: &ProcessFit) -> Vec<(usize, f64)> {
        let mut processes = self.processes(fit.family, &fit.columns);
        let mut parameters = fit.parameters.clone();
        let mut value = |parameters: &[f64]| -> f64 {
            processes.iter_mut().map(|p| p.value(fit.family, parameters)).sum()
        };
        let all = value(&parameters);
        let mut out = Vec::with_capacity(fit.columns.len());
        for (at, column) in fit.columns.iter().enumerate() {
            let kept = std::mem::replace(&mut parameters[at], 0.0);
            out.push((*column, value(&parameters) - all));
            parameters[at] = kept;
        }
        out
    }

    /// The rows of every set, as this family takes them.
    pub fn processes(&self, family: Covariance, columns: &[usize]) -> Vec<Process<f32>> {
        let one = |rows: &Vec<usize>| {
            let inputs = self.rows.inputs(columns, rows, family.needs_zero());
            Process::new(&inputs, &self.rows.target(self.target, rows), self.rows.steps(rows))
        };
        self.sets.iter().map(one).collect()
    }

    /// By how much more evidence the rows in use speak for one fit than for another.
    pub fn gain(&self, fit: &ProcessFit, over: &ProcessFit) -> f64 {
        (over.value - fit.value) / self.factor()
    }

    /// All rows for one that is in a set.
    fn factor(&self) -> f64 {
        let used: usize = self.sets.iter().map(Vec::len).sum();
        self.rows.kept.len() as f64 / used.max(1) as f64
    }
}
