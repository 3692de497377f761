//! μ · (reconstruction + sparsity) + h, over the parameters of encoder and model.

use dycausal::internals::real::Real;

use crate::acyclicity::Outside;
use crate::grid::Grid;
use crate::model::Loss;
use crate::optimise::{Adam, Evaluation, Problem, Reader, State};
use crate::order::Order;
use crate::sparsity::lasso;
use crate::weights::Weights;

/// The whole problem with all of its buffers: nothing is allocated from one step to the next.
pub(crate) struct Objective<R: Real> {
    pub grid: Grid,
    /// Where the weights come from.
    pub weights: Box<dyn Weights<R>>,
    pub model: Box<dyn Loss<R>>,
    pub order: Option<Order<R>>,
    /// β of the lasso.
    pub sparsity: f64,
    /// Weights\[knot, cause, effect, unit\].
    pub knots: Vec<R>,
    /// Their gradient.
    pub gradient: Vec<R>,
}

impl<R: Real> Objective<R> {
    /// Mean squared error of every effect.
    pub fn errors(&mut self) -> Vec<f64> {
        self.encode();
        self.gradient.fill(R::ZERO);
        self.model.evaluate(&self.knots, 0.0, &mut self.gradient);
        self.model.errors(&self.knots)
    }

    /// The weights the parameters stand for.
    pub fn encode(&mut self) {
        self.weights.write_weights(&mut self.knots);
        self.grid.mask(&mut self.knots, R::ZERO);
    }
}

impl<R: Real> Problem for Objective<R> {
    fn evaluate(&mut self, mu: f64) -> Result<Evaluation, Outside> {
        self.encode();
        self.gradient.fill(R::ZERO);
        let mut loss = self.model.evaluate(&self.knots, mu, &mut self.gradient);
        loss += lasso(&self.grid, self.sparsity, &self.knots, mu, &mut self.gradient);
        loss += self.weights.group_penalty(mu);
        let cyclicity = match &mut self.order {
            Some(order) => order.evaluate(&self.grid, &self.knots, &mut self.gradient)?,
            None => 0.0,
        };
        self.grid.mask(&mut self.gradient, R::ZERO);
        Ok(Evaluation { loss, cyclicity })
    }

    fn step(&mut self, adam: Adam) {
        self.weights.step(&self.gradient, adam);
        self.model.step(adam);
    }

    fn restart(&mut self) {
        self.weights.restart();
        self.model.restart();
    }

    fn halve(&mut self) {
        self.weights.halve();
    }

    fn has_domain(&self) -> bool {
        self.order.as_ref().is_some_and(Order::has_domain)
    }
}

impl<R: Real> State for Objective<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.weights.write(out);
        self.model.write(out);
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.weights.read(from)?;
        self.model.read(from)
    }
}
