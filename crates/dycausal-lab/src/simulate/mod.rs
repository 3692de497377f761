//! Data whose causes are known.

mod dynamics;
mod linear;
mod noise;
mod skeleton;
mod units;

pub use dynamics::Dynamics;
pub use noise::{NoiseLaw, NoiseScale};

use dycausal::{Basis, DynamicGraph, Panel, Run, TimeIndex};
use ndarray::{Array2, Array3, Axis, s};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use linear::Equations;
use noise::Noise;
use skeleton::Start;

/// The largest root mean square of the values at a step.
const LIMIT: f64 = 1e6;

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// How many variables.
    pub variables: usize,
    /// How many series.
    pub series: usize,
    /// How many steps each series has.
    pub steps: usize,
    /// The longest lag.
    pub lag: usize,
    /// e: instantaneous edges per variable, and expected edges per variable and lag.
    pub density: f64,
    /// How weights move.
    pub dynamics: Dynamics,
    /// The range of absolute weights before they move; signs are even.
    pub weights: (f64, f64),
    /// η: weights at lag p are divided by η^p.
    pub decay: f64,
    /// The law of the noise.
    pub noise: NoiseLaw,
    /// The standard deviation of the noise.
    pub noise_scale: NoiseScale,
    /// Whether columns are brought to mean 0 and standard deviation 1, and the truth with them.
    pub standardise: bool,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            variables: 20,
            series: 200,
            steps: 50,
            lag: 1,
            density: 2.0,
            dynamics: Dynamics::Full,
            weights: (0.5, 1.0),
            decay: 1.5,
            noise: NoiseLaw::Gaussian,
            noise_scale: NoiseScale::Equal(1.0),
            standardise: false,
        }
    }
}

/// Data and what made them.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The data.
    pub panel: Panel,
    /// The graph they come from, in the units of the data.
    pub truth: DynamicGraph,
    /// What each column was divided by: 1, unless columns were standardised.
    pub units: Vec<f64>,
}

impl Simulated {
    /// A graph of the data in the units they had before they were standardised.
    ///
    /// Thresholds on weights mean the same in every simulation there.
    ///
    /// # Errors
    /// If the graph has other variables.
    pub fn in_own_units(&self, graph: &DynamicGraph) -> Result<DynamicGraph> {
        if graph.variables() != self.units.len() {
            let expected = self.units.len().to_string();
            let found = graph.variables();
            return Err(dycausal::Error::shape("variables of the graph", found, expected).into());
        }
        let inverse: Vec<f64> = self.units.iter().map(|unit| 1.0 / unit).collect();
        units::divided(graph, &inverse)
    }
}

impl Simulation {
    /// Simulates; the same seed gives the same bits on any number of threads.
    ///
    /// # Errors
    /// If a parameter is out of range, or values explode.
    pub fn draw(&self, seed: u64) -> Result<Simulated> {
        self.check()?;
        let truth = self.truth(seed)?;
        let noise = Noise::new(self.noise, self.noise_scale, self.variables, self.steps, seed);
        let equations = Equations::of(&truth)?;
        let mut values = Array3::zeros((self.series, self.steps, self.variables));
        let each = values.axis_iter_mut(Axis(0)).into_par_iter().enumerate();
        each.for_each(|(series, mut rows)| {
            let mut random = Run::new(seed).random(&format!("simulate: noise of series {series}"));
            let mut all = Array2::zeros((self.steps, self.variables));
            linear::fill(&equations, &noise, 0, &mut random, &mut all.view_mut());
            rows.assign(&all.slice(s![.., ..]));
        });
        bounded(&values)?;
        if !self.standardise {
            let units = vec![1.0; self.variables];
            return Ok(Simulated { panel: Panel::unnamed(values)?, truth, units });
        }
        let (values, units) = units::standardise(values)?;
        let truth = units::divided(&truth, &units)?;
        Ok(Simulated { panel: Panel::unnamed(values)?, truth, units })
    }

    /// Whether the parameters make sense.
    ///
    /// # Errors
    /// Names the parameter, its value and what it has to be.
    pub fn check(&self) -> Result<()> {
        for (name, count) in
            [("variables", self.variables), ("series", self.series), ("steps", self.steps)]
        {
            if count == 0 {
                return Err(Error::parameter(name, count, "at least 1"));
            }
        }
        if self.lag >= self.steps {
            return Err(Error::parameter("lag", self.lag, "below the number of steps"));
        }
        if !(self.density >= 0.0 && self.density.is_finite()) {
            return Err(Error::parameter("density", self.density, "a number, 0 or more"));
        }
        let (low, high) = self.weights;
        if !(low > 0.0 && low <= high && high.is_finite()) {
            let found = format!("{low},{high}");
            return Err(Error::parameter("weights", found, "positive numbers, the lower first"));
        }
        if !(self.decay > 0.0 && self.decay.is_finite()) {
            return Err(Error::parameter("decay", self.decay, "a positive number"));
        }
        self.noise.check()?;
        self.noise_scale.check()
    }

    fn truth(&self, seed: u64) -> Result<DynamicGraph> {
        let pairs = skeleton::pairs(self.variables, self.lag, self.density, seed);
        let mut random = Run::new(seed).random("simulate: weights");
        let starts: Vec<Start> = pairs
            .into_iter()
            .map(|(lag, from, to)| {
                let weight = skeleton::weight(self.weights, self.decay, lag, &mut random);
                Start { from, to, lag, weight }
            })
            .collect();
        let edges = self.dynamics.edges(&starts, self.steps, seed);
        let names = (1..=self.variables).map(|v| format!("x{v}")).collect();
        let (times, basis) = (TimeIndex::Steps(self.steps), Basis::constant(self.steps)?);
        Ok(DynamicGraph::new(names, times, self.lag, basis, edges)?)
    }
}

/// Refuses values beyond the limit; not-a-number counts as beyond.
fn bounded(values: &Array3<f64>) -> Result<()> {
    for (step, rows) in values.axis_iter(Axis(1)).enumerate() {
        let rms = (rows.iter().map(|x| x * x).sum::<f64>() / rows.len() as f64).sqrt();
        if !(rms <= LIMIT) {
            return Err(Error::Explodes { step, rms, limit: LIMIT });
        }
    }
    Ok(())
}
