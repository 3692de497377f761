//! The method with parts of one's own.

use std::sync::Arc;

use dycausal::{Discover, DynamicGraph, Missing, Panel, PanelShape, Result, Run, Scope};

use super::Fitted;
use crate::acyclicity::Acyclicity;
use crate::decoder::Decode;
use crate::encoder::Encode;
use crate::model::Loss;
use crate::optimise::Path;
use crate::parameters::DyCausal;
use crate::parts::{Parts, Setting};

/// The method with a constraint, an encoder, a decoder or a loss of one's own in place of the one that its parameters
/// name.
///
/// Parameters are numbers and words that a file can hold; a part of one's own is code, and stands beside them here.
/// Fits run in f32, so parts are of that kind; write them for any [`Real`](dycausal::internals::real::Real) and test their gradients
/// in f64.
///
/// ```
/// use dycausal::{Discover, Panel, Run};
/// use dycausal_published::DyCausal;
/// use dycausal_published::acyclicity::TraceExp;
/// use ndarray::Array3;
///
/// let values = Array3::from_shape_fn((4, 12, 2), |(n, t, v)| ((n * 31 + t * 17 + v * 7) % 11) as f64);
/// let panel = Panel::unnamed(values)?;
/// let method = DyCausal { iterations: 20, ..DyCausal::default() }.with_constraint(TraceExp);
/// let graph = method.discover(&panel, &mut Run::new(0))?;
/// assert!(graph.certify().is_acyclic());
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Clone)]
pub struct Variant {
    method: DyCausal,
    parts: Parts<f32>,
}

impl From<DyCausal> for Variant {
    fn from(method: DyCausal) -> Self {
        Self { method, parts: Parts::default() }
    }
}

impl DyCausal {
    /// The method with a constraint of one's own.
    pub fn with_constraint(self, constraint: impl Acyclicity + 'static) -> Variant {
        Variant::from(self).with_constraint(constraint)
    }

    /// The method with an encoder of one's own: see [`Variant::with_encoder`].
    pub fn with_encoder(
        self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Encode<f32>>> + Send + Sync + 'static,
    ) -> Variant {
        Variant::from(self).with_encoder(name, make)
    }

    /// The method with a decoder of one's own: see [`Variant::with_decoder`].
    pub fn with_decoder(
        self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Decode<f32>>> + Send + Sync + 'static,
    ) -> Variant {
        Variant::from(self).with_decoder(name, make)
    }

    /// The method with a loss of one's own: see [`Variant::with_loss`].
    pub fn with_loss(
        self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Loss<f32>>> + Send + Sync + 'static,
    ) -> Variant {
        Variant::from(self).with_loss(name, make)
    }
}

impl Variant {
    /// The same with this constraint.
    #[must_use]
    pub fn with_constraint(mut self, constraint: impl Acyclicity + 'static) -> Self {
        self.parts.set_constraint(Arc::new(constraint));
        self
    }

    /// The same with the encoder that `make` makes for a problem; a checkpoint knows it by `name`.
    #[must_use]
    pub fn with_encoder(
        mut self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Encode<f32>>> + Send + Sync + 'static,
    ) -> Self {
        self.parts.set_encoder(name, Arc::new(make));
        self
    }

    /// The same with the decoder that `make` makes for a problem; a checkpoint knows it by `name`.
    #[must_use]
    pub fn with_decoder(
        mut self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Decode<f32>>> + Send + Sync + 'static,
    ) -> Self {
        self.parts.set_decoder(name, Arc::new(make));
        self
    }

    /// The same with the loss that `make` makes for a problem; a checkpoint knows it by `name`.
    #[must_use]
    pub fn with_loss(
        mut self,
        name: &str,
        make: impl Fn(&Setting<'_>) -> Result<Box<dyn Loss<f32>>> + Send + Sync + 'static,
    ) -> Self {
        self.parts.set_loss(name, Arc::new(make));
        self
    }

    /// As [`Discover::learn`], with the way there.
    ///
    /// # Errors
    /// As [`Discover::learn`].
    pub fn fit(&self, panel: &Panel, run: &mut Run) -> Result<Fitted> {
        self.method.fit_with(&self.parts, panel, run)
    }

    /// As [`DyCausal::fit_at`].
    ///
    /// # Errors
    /// As [`Discover::discover`].
    pub fn fit_at(
        &self,
        thresholds: &[f64],
        panel: &Panel,
        run: &mut Run,
    ) -> Result<(Vec<DynamicGraph>, Path)> {
        self.method.check_thresholds(thresholds)?;
        self.suits(panel, run)?;
        self.method.along_path(&self.parts, thresholds, panel, run)
    }
}

impl Discover for Variant {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn scope(&self) -> Scope {
        let scope = self.method.scope();
        Scope { missing: scope.missing && self.parts.are_usual(), ..scope }
    }

    fn missing(&self) -> Missing {
        self.method.missing
    }

    fn lag(&self) -> usize {
        self.method.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        self.method.memory(shape)
    }

    fn check(&self) -> Result<()> {
        self.method.check()
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        self.fit(panel, run).map(|fitted| fitted.graph)
    }
}
