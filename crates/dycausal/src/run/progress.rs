//! How a run tells how far it is.

/// Receives the progress of a run; called from several threads at once.
pub trait Progress: Send + Sync {
    /// A stage begins; `total` units of work lie ahead, where that is known.
    fn begin(&self, stage: &str, total: Option<u64>);
    /// So many more units are done.
    fn advance(&self, units: u64);
    /// Something worth showing beside the bar: a loss, a score.
    fn note(&self, text: &str);
    /// The run is over.
    fn end(&self);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {}
    fn end(&self) {}
}
