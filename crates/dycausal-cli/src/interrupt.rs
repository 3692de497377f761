//! Ctrl-C: stops a fit at its next step, and anything else at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use dycausal::Cancel;

use crate::failure::{Failure, INTERRUPTED};

static REQUEST: OnceLock<Cancel> = OnceLock::new();
static STOPS_BY_ITSELF: AtomicBool = AtomicBool::new(false);

/// Begins to listen.
pub fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if STOPS_BY_ITSELF.load(Ordering::Relaxed) {
            request().cancel();
        } else {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .map_err(|e| Failure::system(format!("cannot listen for Ctrl-C: {e}")))
}

/// The request to stop that a run should heed; from now on Ctrl-C makes it.
///
/// Until then nothing has been written, so that the program can simply end.
pub fn heed() -> Cancel {
    STOPS_BY_ITSELF.store(true, Ordering::Relaxed);
    request()
}

fn request() -> Cancel {
    REQUEST.get_or_init(Cancel::default).clone()
}
