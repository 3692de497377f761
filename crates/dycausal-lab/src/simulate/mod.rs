//! Data whose causes are known (appendix B.1 of the paper).
//!
//! A [`Simulation`] says what is wanted; [`Simulation::draw`] gives the data and the truth. The
//! graph, its weights, how they move, the scale of the noise and the noise of each series come
//! from random streams of their own: another law of the noise keeps the graph, and more series
//! keep the first ones.

mod check;
mod dynamics;
mod flow;
mod hill;
mod kuramoto;
mod linear;
mod lorenz;
mod mlp;
mod movement;
mod noise;
mod order;
mod simulation;
mod skeleton;
mod stability;
mod truth;
mod units;

pub use dynamics::Dynamics;
pub use noise::{NoiseLaw, NoiseScale};
pub use simulation::{Model, Seen, Simulation};

use dycausal::graph::Edge;
use dycausal::{Basis, DynamicGraph, Panel, Run, TimeIndex};
use ndarray::{Array2, Array3, ArrayViewMut2, Axis, s};
use rand::Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::{Error, Result};
use flow::{Flow, System};
use hill::Circuit;
use kuramoto::Ring;
pub(crate) use linear::Equations;
use mlp::Network;
use noise::Noise;

/// The largest root mean square of the values at a step.
const LIMIT: f64 = 1e6;

/// Data and what made them.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The data.
    pub panel: Panel,
    /// The graph they come from, in the units of the data.
    ///
    /// For a linear model the weights of its equations; for a network the gains of its inputs;
    /// for flows 1 where there is an edge.
    pub truth: DynamicGraph,
    /// How they were made.
    pub spec: Spec,
}

/// All that is needed to make the data again, and what was found on the way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spec {
    /// What was asked for.
    pub simulation: Simulation,
    /// The seed.
    pub seed: u64,
    /// How many draws of the lagged weights were unstable and thrown away.
    ///
    /// The weights are then those of the law asked for, given that the system is stable.
    pub redraws: usize,
    /// The spectral radius, where weights stay: of the companion matrix of (I - W_0ᵀ)⁻¹ W_pᵀ.
    pub radius: Option<f64>,
    /// What each column, and with it the truth, was divided by: 1, unless the columns of a linear
    /// model were standardised.
    pub units: Vec<f64>,
}

/// A model, ready to run.
enum Engine {
    Linear(Equations),
    Mlp(Network),
    Flow(Flow),
}

impl Simulated {
    /// A graph of the data in the units they had before they were standardised.
    ///
    /// There a threshold on weights means the same for every variable and simulation.
    ///
    /// # Errors
    /// If the graph has other variables.
    pub fn in_own_units(&self, graph: &DynamicGraph) -> Result<DynamicGraph> {
        let units = &self.spec.units;
        if graph.variables() != units.len() {
            let expected = units.len().to_string();
            let found = graph.variables();
            return Err(dycausal::Error::shape("variables of the graph", found, expected).into());
        }
        let inverse: Vec<f64> = units.iter().map(|unit| 1.0 / unit).collect();
        units::divided(graph, &inverse)
    }
}

impl Simulation {
    /// Simulates; the same seed gives the same bits on any number of threads.
    ///
    /// # Errors
    /// If a parameter is out of range, no stable system is found, or values explode.
    pub fn draw(&self, seed: u64) -> Result<Simulated> {
        self.check()?;
        let truth = self.truth(seed)?;
        let engine = self.engine(&truth.graph, seed)?;
        let noise = Noise::new(self.noise, self.noise_scale, self.variables, self.steps, seed);
        let panel = Panel::unnamed(self.values(&engine, &noise, seed)?)?;
        let (panel, units) = if self.standardise {
            panel.standardised()?
        } else {
            (panel, vec![1.0; self.variables])
        };
        let linear = self.model == Model::Linear;
        let units = if linear { units } else { vec![1.0; self.variables] };
        let spec = Spec {
            simulation: self.clone(),
            seed,
            redraws: truth.redraws,
            radius: truth.radius,
            units,
        };
        let truth = pieces(&units::divided(&truth.graph, &spec.units)?, self.cut)?;
        Ok(Simulated { panel, truth, spec })
    }

    fn engine(&self, truth: &DynamicGraph, seed: u64) -> Result<Engine> {
        Ok(match self.model {
            Model::Linear => Engine::Linear(Equations::of(truth)?),
            Model::Mlp { hidden, weights } => {
                Engine::Mlp(Network::draw(truth, hidden, weights, seed)?)
            }
            Model::Lorenz { forcing, interval, substeps, process_noise, observation_noise } => {
                let (process, observation) = (process_noise, observation_noise);
                let system = System::Lorenz(forcing);
                Engine::Flow(Flow { system, interval, substeps, process, observation })
            }
            Model::Kuramoto { coupling, seen } => {
                Engine::Flow(seen.flow(System::Ring(Ring::draw(self.variables, coupling, seed))))
            }
            Model::Hill { seen } => {
                Engine::Flow(seen.flow(System::Circuit(Circuit::draw(self.variables, seed))))
            }
        })
    }

    /// Values\[series, time, variable\], cut into pieces.
    fn values(&self, engine: &Engine, noise: &Noise, seed: u64) -> Result<Array3<f64>> {
        let burn_in = self.burn_in();
        let mut values = Array3::zeros((self.series, self.steps, self.variables));
        let each = values.axis_iter_mut(Axis(0)).into_par_iter().enumerate();
        each.for_each(|(series, mut kept)| {
            let mut random = Run::new(seed).random(&format!("simulate: noise of series {series}"));
            if burn_in == 0 {
                return engine.fill(noise, 0, &mut random, &mut kept);
            }
            let mut rows = Array2::zeros((burn_in + self.steps, self.variables));
            engine.fill(noise, burn_in, &mut random, &mut rows.view_mut());
            kept.assign(&rows.slice(s![burn_in.., ..]));
        });
        bounded(&values)?;
        let shape = (self.series * self.cut, self.steps / self.cut, self.variables);
        // Consecutive steps of a series lie side by side, so a cut is another shape.
        let wrong =
            |reason: ndarray::ShapeError| dycausal::Error::shape("cut", reason, "a divisor");
        Ok(values.into_shape_with_order(shape).map_err(wrong)?)
    }
}

impl Engine {
    fn fill(
        &self,
        noise: &Noise,
        burn_in: usize,
        random: &mut impl Rng,
        values: &mut ArrayViewMut2<'_, f64>,
    ) {
        match self {
            Self::Linear(equations) => equations.fill(noise, burn_in, random, values),
            Self::Mlp(network) => network.fill(noise, burn_in, random, values),
            Self::Flow(flow) => flow.fill(noise, burn_in, random, values),
        }
    }
}

/// The truth of each of the pieces that a series is cut into; it does not move.
fn pieces(truth: &DynamicGraph, cut: usize) -> Result<DynamicGraph> {
    if cut == 1 {
        return Ok(truth.clone());
    }
    let steps = truth.steps() / cut;
    let shorter =
        |edge: &Edge| Edge::new(edge.from, edge.to, edge.lag, edge.trajectory.clone(), steps);
    let edges = truth.edges().iter().map(shorter).collect();
    let (times, basis) = (TimeIndex::Steps(steps), Basis::constant(steps)?);
    Ok(DynamicGraph::new(truth.names().to_vec(), times, truth.lag(), basis, edges)?)
}

/// Refuses values beyond the limit; not-a-number counts as beyond.
fn bounded(values: &Array3<f64>) -> Result<()> {
    for (step, rows) in values.axis_iter(Axis(1)).enumerate() {
        let rms = (rows.iter().map(|x| x * x).sum::<f64>() / rows.len() as f64).sqrt();
        if rms.is_nan() || rms > LIMIT {
            return Err(Error::Explodes { step, rms, limit: LIMIT });
        }
    }
    Ok(())
}
