//! Giving up on a fit that takes too long, or that nobody waits for any more.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use dycausal::{Cancel, Run};

/// How often a fit is looked after.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does `work` with a request to stop that is made after so many seconds, or when the run's is.
pub(crate) fn within<T>(seconds: f64, run: &Run, work: impl FnOnce(Cancel) -> T) -> T {
    let (done, ended) = channel::<()>();
    let cancel = Cancel::default();
    let request = cancel.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            let begun = Instant::now();
            // The channel closes when the work has ended, however it ended.
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(INTERVAL) {
                if begun.elapsed().as_secs_f64() >= seconds || run.proceed().is_err() {
                    request.cancel();
                    return;
                }
            }
        });
        let answer = work(cancel);
        drop(done);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_in_time_and_only_then() {
        let run = Run::new(0);
        let wait = |cancel: Cancel| {
            for _ in 0..200 {
                if cancel.is_cancelled() {
                    return true;
                }
                thread::sleep(Duration::from_millis(10));
            }
            false
        };
        assert!(within(0.1, &run, wait));
        assert!(!within(60.0, &run, |cancel| cancel.is_cancelled()));
    }
}
