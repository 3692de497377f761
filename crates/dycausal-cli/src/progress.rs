//! A progress bar on the terminal, with the time left; nothing where there is no terminal.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dycausal::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// One bar, begun anew for each stage.
struct Bar(Mutex<ProgressBar>);

/// Progress for a run.
pub fn bar() -> Arc<dyn Progress> {
    Arc::new(Bar(Mutex::new(ProgressBar::hidden())))
}

impl Bar {
    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, total: Option<u64>) {
        let (fresh, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "{prefix:>14} [{bar:32}] {percent:>3} %  {eta} left  {msg}",
            ),
            None => (ProgressBar::new_spinner(), "{prefix:>14} {spinner} {elapsed}  {msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            fresh.set_style(style.progress_chars("━╸ "));
        }
        fresh.set_prefix(stage.to_owned());
        fresh.enable_steady_tick(Duration::from_millis(200));
        self.with(|bar| {
            bar.finish_and_clear();
            *bar = fresh;
        });
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn note(&self, text: &str) {
        self.with(|bar| bar.set_message(text.to_owned()));
    }

    fn end(&self) {
        self.with(|bar| bar.finish_and_clear());
    }
}
