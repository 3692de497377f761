//! Long work on threads of its own, while the thread that called listens to Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

/// How often signals are looked for: Ctrl-C is answered well within 0.2 s.
const TICK: Duration = Duration::from_millis(40);

/// Does `job` on `threads` threads (0: one per core) without Python's lock.
///
/// Meanwhile `listen` is called at every tick and once at the end. Where it or a signal handler
/// raises, `stop` is called and the exception returned at once: what is left of the job ends on its
/// own threads as soon as it looks, and its answer is dropped.
///
/// The threads belong to this call: a process that forks later has no dead pool to wait for.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    mut listen: impl FnMut(Python<'_>) -> PyResult<()>,
    stop: impl FnOnce(),
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let no_threads = |reason| PyRuntimeError::new_err(format!("{threads} threads: {reason}"));
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(no_threads)?;
    let (sender, mut receiver) = mpsc::channel();
    pool.spawn(move || {
        // Nobody listens any more where the caller was interrupted.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(job)));
    });
    loop {
        let waited = py.detach(move || {
            let answer = receiver.recv_timeout(TICK);
            (receiver, answer)
        });
        receiver = waited.0;
        let heard = py.check_signals().and_then(|()| listen(py));
        match (waited.1, heard) {
            (_, Err(raised)) => {
                stop();
                return Err(raised);
            }
            (Ok(Ok(answer)), Ok(())) => return Ok(answer),
            (Ok(Err(_)) | Err(RecvTimeoutError::Disconnected), _) => {
                return Err(PyRuntimeError::new_err("a defect of dycausal: please report it"));
            }
            (Err(RecvTimeoutError::Timeout), Ok(())) => {}
        }
    }
}

/// The same where there is nothing to listen to but signals.
pub fn quietly<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    work(py, threads, |_| Ok(()), || {}, job)
}
