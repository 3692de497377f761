//! Long work on threads of its own, while the thread that called listens to Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often signals are looked for: Ctrl-C is answered well within 0.2 s.
const TICK: Duration = Duration::from_millis(40);

/// Does `job` on `threads` threads (0: one per core) without Python's lock.
///
/// Meanwhile `listen` is called at every tick and once at the end. Where it or a signal handler
/// raises, `stop` is called and the exception returned at once: what is left of the job ends on its
/// own threads as soon as it looks, and its answer is dropped.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    mut listen: impl FnMut(Python<'_>) -> PyResult<()>,
    stop: impl FnOnce(),
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = take(threads)?;
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
            (Ok(Ok(answer)), Ok(())) => {
                give_back(threads, pool);
                return Ok(answer);
            }
            (Ok(Err(_)) | Err(RecvTimeoutError::Disconnected), _) => {
                return Err(PyRuntimeError::new_err("a defect of dycausal: please report it"));
            }
            (Err(RecvTimeoutError::Timeout), Ok(())) => {}
        }
    }
}

/// Threads that have nothing to do, and the process that they belong to.
struct Idle {
    process: u32,
    threads: usize,
    pool: ThreadPool,
}

/// Threads are kept for the next call: new ones would begin with cold memory.
static IDLE: Mutex<Option<Idle>> = Mutex::new(None);

/// The threads of an earlier call, if there are as many, or new ones.
///
/// Calls at the same time have threads of their own. Python forks with its lock held, and `IDLE` is
/// only looked at under that lock, so a child never finds it locked; but it finds threads that
/// stayed behind with its parent, which can only be forgotten.
fn take(threads: usize) -> PyResult<ThreadPool> {
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).take();
    match idle {
        Some(idle) if idle.process != process::id() => std::mem::forget(idle.pool),
        Some(idle) if idle.threads == threads => return Ok(idle.pool),
        _ => {}
    }
    let no_threads = |reason| PyRuntimeError::new_err(format!("{threads} threads: {reason}"));
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(no_threads)
}

fn give_back(threads: usize, pool: ThreadPool) {
    let idle = Idle { process: process::id(), threads, pool };
    *IDLE.lock().unwrap_or_else(PoisonError::into_inner) = Some(idle);
}

/// The same where there is nothing to listen to but signals.
pub fn quietly<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    work(py, threads, |_| Ok(()), || {}, job)
}
