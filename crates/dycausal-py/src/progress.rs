//! How far a run is, kept where the thread that called can look.

use std::sync::{Mutex, PoisonError};

use dycausal::Progress;

/// What a bar shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// The stage under way.
    pub stage: String,
    /// Units done.
    pub done: u64,
    /// Units in all, where that is known.
    pub total: Option<u64>,
    /// What stands beside the bar.
    pub note: String,
}

/// The latest state; Python is only called by the thread that called, which looks now and then.
#[derive(Debug, Default)]
pub struct Board(Mutex<Seen>);

impl Board {
    /// The state now.
    pub fn look(&self) -> Seen {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Board {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.change(|seen| {
            *seen = Seen { stage: stage.to_owned(), total, ..Seen::default() };
        });
    }

    fn advance(&self, units: u64) {
        self.change(|seen| seen.done += units);
    }

    fn note(&self, text: &str) {
        self.change(|seen| text.clone_into(&mut seen.note));
    }

    fn end(&self) {}
}
