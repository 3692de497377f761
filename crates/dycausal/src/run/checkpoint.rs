//! Where an unfinished fit is kept.

use std::time::Duration;

use crate::error::Result;

/// Keeps the state of a fit that takes long, so that an interrupted one goes on to the same bits.
///
/// The bytes are the method's own: they name its parameters, seed and data by a fingerprint, and a
/// method refuses the bytes of another fit. The library opens no files: the command line keeps them
/// in the folder of the run.
pub trait Checkpoint: Send + Sync {
    /// What was kept last; `None` where nothing was, and the fit begins anew.
    ///
    /// # Errors
    /// [`crate::Error::Checkpoint`] if it is there and cannot be read.
    fn load(&self) -> Result<Option<Vec<u8>>>;

    /// Keeps `state` in place of what was kept before; all of it or nothing.
    ///
    /// # Errors
    /// [`crate::Error::Checkpoint`] if it cannot be written.
    fn save(&self, state: &[u8]) -> Result<()>;

    /// How long to work between two saves.
    fn interval(&self) -> Duration {
        Duration::from_secs(30)
    }
}
