//! The graph that data are simulated from.

use dycausal::graph::Trajectory;
use dycausal::{Basis, DynamicGraph, Edge, Run, TimeIndex};

use super::hill::Circuit;
use super::linear::Equations;
use super::movement::Movement;
use super::skeleton::{self, Place, Skeleton};
use super::{Model, Simulation, kuramoto, lorenz, stability};
use crate::error::{Error, Result};

/// How many draws of the lagged weights of a regime are made to find a stable system.
const DRAWS: usize = 200;

/// A graph and how it was found.
#[derive(Debug, Clone)]
pub(super) struct Truth {
    pub graph: DynamicGraph,
    /// Draws of the lagged weights that were unstable.
    pub redraws: usize,
    /// The largest spectral radius of the regimes, where weights stay.
    pub radius: Option<f64>,
}

impl Simulation {
    /// Draws the graph; the lagged weights of a linear one are drawn until it is stable wherever
    /// weights stay.
    pub(super) fn truth(&self, seed: u64) -> Result<Truth> {
        let (d, steps) = (self.variables, self.steps);
        let of_flow = match self.model {
            Model::Lorenz { .. } => Some(lorenz::edges(d, steps)),
            Model::Kuramoto { .. } => Some(kuramoto::edges(d, steps)),
            Model::Hill { .. } => Some(Circuit::draw(d, seed).edges(steps)),
            Model::Linear | Model::Mlp { .. } => None,
        };
        if let Some(edges) = of_flow {
            let graph = self.graph(edges, steps)?;
            return Ok(Truth { graph, redraws: 0, radius: None });
        }
        let places = skeleton::places(self.variables, self.lag, self.density, seed);
        let regimes = self.dynamics.regimes(self.steps);
        let count = regimes.as_ref().map_or(1, Vec::len);
        let weights = self.first_weights(&places, count, seed);
        let mut skeleton = Skeleton { variables: self.variables, places, weights };
        let (mut redraws, mut radius) = (0, None);
        if regimes.is_some() && self.model == Model::Linear {
            for regime in 0..count {
                let (more, found) = self.stabilise(&mut skeleton, regime, seed)?;
                redraws += more;
                radius = Some(radius.map_or(found, |largest: f64| largest.max(found)));
            }
        }
        let movement =
            Movement { dynamics: &self.dynamics, skeleton: &skeleton, steps: self.steps };
        let graph = self.graph(movement.edges(seed)?, self.steps)?;
        Ok(Truth { graph, redraws, radius })
    }

    fn graph(&self, edges: Vec<Edge>, steps: usize) -> Result<DynamicGraph> {
        let names = (1..=self.variables).map(|v| format!("x{v}")).collect();
        let (times, basis) = (TimeIndex::Steps(steps), Basis::constant(steps)?);
        Ok(DynamicGraph::new(names, times, self.lag, basis, edges)?)
    }

    /// Weights of a linear model; gains of a nonlinear one: 1, and ±1 from the second regime on.
    fn first_weights(&self, places: &[Place], regimes: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Run::new(seed).random("simulate: weights");
        let mut draw = |regime: usize, lag: usize| match (&self.model, regime) {
            (Model::Linear, _) => skeleton::weight(self.weights, self.decay, lag, &mut random),
            (_, 0) => 1.0,
            _ => skeleton::sign(&mut random),
        };
        let mut level = |regime| places.iter().map(|place| draw(regime, place.0)).collect();
        (0..regimes).map(&mut level).collect()
    }

    /// Draws the lagged weights of a regime until it is stable: how often they were drawn anew,
    /// and the spectral radius.
    fn stabilise(&self, skeleton: &mut Skeleton, regime: usize, seed: u64) -> Result<(usize, f64)> {
        let mut best = f64::INFINITY;
        for redraws in 0..DRAWS {
            if redraws > 0 {
                let purpose =
                    format!("simulate: lagged weights of regime {regime}, draw {redraws}");
                let mut random = Run::new(seed).random(&purpose);
                let Skeleton { places, weights, .. } = &mut *skeleton;
                for (weight, (lag, ..)) in weights[regime].iter_mut().zip(places) {
                    if *lag > 0 {
                        *weight = skeleton::weight(self.weights, self.decay, *lag, &mut random);
                    }
                }
            }
            let radius = self.radius(skeleton, regime)?;
            if radius < 1.0 {
                return Ok((redraws, radius));
            }
            best = best.min(radius);
        }
        let ((low, high), density, decay) = (self.weights, self.density, self.decay);
        Err(Error::Unstable { radius: best, draws: DRAWS, low, high, density, decay })
    }

    fn radius(&self, skeleton: &Skeleton, regime: usize) -> Result<f64> {
        let still = skeleton.places.iter().zip(&skeleton.weights[regime]);
        let edge = |(&(lag, from, to), weight): (&Place, &f64)| {
            Edge::new(from, to, lag, Trajectory::Constant(*weight), 1)
        };
        let equations = Equations::of(&self.graph(still.map(edge).collect(), 1)?)?;
        Ok(stability::radius(&equations, self.variables, self.lag))
    }
}
