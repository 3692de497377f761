//! What a fit is made of: the parts that the parameters name, or parts of one's own in their place.

use std::sync::Arc;

use dycausal::internals::real::Real;
use dycausal::{Error, Moments, Panel, Result, Run};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::acyclicity::Acyclicity;
use crate::decoder::{Decode, Parallel};
use crate::encoder::{Convolution, Encode, windows};
use crate::grid::Grid;
use crate::model::{Heads, Linear, Loss, Perceptron, Rows};
use crate::objective::Objective;
use crate::order::Order;
use crate::parameters::{DyCausal, Encoder, Model, Penalty};
use crate::weights::{Coded, Free, Weights};

/// What a part is made for: sizes, data, and the parameters of the method.
pub struct Setting<'a> {
    /// The parameters.
    pub method: &'a DyCausal,
    /// Steps, knots, and where a weight stands.
    pub grid: &'a Grid,
    /// The series.
    pub panel: &'a Panel,
    run: &'a Run,
}

impl<'a> Setting<'a> {
    /// The same that a fit gives to what makes its parts; for tests of these.
    pub fn new(method: &'a DyCausal, grid: &'a Grid, panel: &'a Panel, run: &'a Run) -> Self {
        Self { method, grid, panel, run }
    }

    /// Values\[knot\]\[series, step, variable\] of the window of each knot, as the published encoder reads them.
    pub fn windows(&self) -> Vec<Vec<f64>> {
        windows(self.grid, self.panel, &self.method.centres(self.panel), self.method.balances())
    }

    /// Causes and effects of every step and series, as the networks read them.
    pub fn rows<R: Real>(&self) -> Rows<R> {
        self.method.rows(self.grid, self.panel)
    }

    /// Random numbers that depend on the seed of the run and on what they are for.
    pub fn random(&self, purpose: &str) -> ChaCha8Rng {
        self.run.random(purpose)
    }
}

/// Makes a part.
type Make<P> = dyn Fn(&Setting<'_>) -> Result<Box<P>> + Send + Sync;

/// A part of one's own, and the name by which a checkpoint knows it.
struct Own<P: ?Sized> {
    name: String,
    make: Arc<Make<P>>,
}

impl<P: ?Sized> Clone for Own<P> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), make: self.make.clone() }
    }
}

/// Parts of one's own; those that are not given are the ones that the parameters name.
#[derive(Clone, Default)]
pub(crate) struct Parts<R: Real> {
    constraint: Option<Arc<dyn Acyclicity>>,
    encoder: Option<Own<dyn Encode<R>>>,
    decoder: Option<Own<dyn Decode<R>>>,
    loss: Option<Own<dyn Loss<R>>>,
}

impl<R: Real> Parts<R> {
    /// The same with a constraint.
    pub fn set_constraint(&mut self, constraint: Arc<dyn Acyclicity>) {
        self.constraint = Some(constraint);
    }

    /// The same with an encoder.
    pub fn set_encoder(&mut self, name: &str, make: Arc<Make<dyn Encode<R>>>) {
        self.encoder = Some(Own { name: name.to_owned(), make });
    }

    /// The same with a decoder.
    pub fn set_decoder(&mut self, name: &str, make: Arc<Make<dyn Decode<R>>>) {
        self.decoder = Some(Own { name: name.to_owned(), make });
    }

    /// The same with a loss.
    pub fn set_loss(&mut self, name: &str, make: Arc<Make<dyn Loss<R>>>) {
        self.loss = Some(Own { name: name.to_owned(), make });
    }

    /// The names of what is given, for checkpoints.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = [
            self.constraint.as_ref().map(|constraint| constraint.name()),
            self.encoder.as_ref().map(|own| own.name.as_str()),
            self.decoder.as_ref().map(|own| own.name.as_str()),
            self.loss.as_ref().map(|own| own.name.as_str()),
        ];
        own.into_iter().flatten()
    }

    /// Whether cells may be missing: what is given was made for values.
    pub fn are_usual(&self) -> bool {
        self.names().next().is_none()
    }

    /// The function that a fit minimises.
    pub fn objective(&self, method: &DyCausal, panel: &Panel, run: &Run) -> Result<Objective<R>> {
        let grid = Grid::new(method, panel.steps(), panel.variables(), run.knowledge())?;
        let setting = Setting::new(method, &grid, panel, run);
        let count = grid.knots.len() * grid.size();
        let lasso = method.penalty == Penalty::Lasso;
        let named = || Arc::from(method.constraint.build(method.alpha));
        let constraint = self.constraint.clone().unwrap_or_else(named);
        Ok(Objective {
            weights: self.weights(&setting)?,
            model: self.loss(&setting)?,
            order: Order::new(&grid, method.acyclic, constraint),
            sparsity: if lasso { method.sparsity } else { 0.0 },
            knots: vec![R::ZERO; count],
            gradient: vec![R::ZERO; count],
            grid,
        })
    }

    fn weights(&self, setting: &Setting<'_>) -> Result<Box<dyn Weights<R>>> {
        let (method, grid) = (setting.method, setting.grid);
        let mut random = setting.random("encoder");
        let own = self.encoder.is_some() || self.decoder.is_some();
        if method.encoder == Encoder::Free && !own {
            let bound = 1.0 / (grid.causes as f64).sqrt();
            let free = Free::new(grid, || random.random_range(-bound..bound));
            return Ok(match method.penalty {
                Penalty::Lasso => Box::new(free),
                Penalty::Group => Box::new(free.with_group_lasso(grid, method.sparsity)),
            });
        }
        let mut uniform = || random.random_range(-1.0..1.0);
        let encoder = if let Some(own) = &self.encoder {
            (own.make)(setting)?
        } else {
            let (windows, outputs) = (setting.windows(), grid.variables * grid.units);
            Box::new(Convolution::new(&windows, outputs, method.reach, &mut uniform))
        };
        let decoder = if let Some(own) = &self.decoder {
            (own.make)(setting)?
        } else {
            let (found, read) = (encoder.state().len(), Parallel::<R>::reads(grid));
            if found != read {
                let expected = format!("{read}, as the decoder reads");
                return Err(Error::shape("numbers of the encoder's states", found, expected));
            }
            Box::new(Parallel::new(grid, method.hidden, &mut uniform))
        };
        Ok(Box::new(Coded::new(encoder, decoder)))
    }

    fn loss(&self, setting: &Setting<'_>) -> Result<Box<dyn Loss<R>>> {
        let Setting { method, grid, panel, run } = *setting;
        if let Some(own) = &self.loss {
            return (own.make)(setting);
        }
        if method.model != Model::Linear {
            let mut random = setting.random("heads");
            let uniform = || random.random_range(-1.0..1.0);
            let heads = Heads { ridge: method.ridge, bias: method.bias, rolling: method.rolling };
            return Ok(Box::new(Perceptron::new(grid, setting.rows(), heads, uniform)));
        }
        let moments = Moments::unless(panel, method.lag, run.cancel())?;
        let centres = method.centres(panel);
        let moments = if method.centre { moments } else { moments.recentred(&centres) };
        Ok(Box::new(Linear::new(grid, &moments, method.balances())?))
    }
}
