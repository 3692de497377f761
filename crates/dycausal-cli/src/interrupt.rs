//! Ctrl-C and SIGTERM: a fit stops at its next step and keeps what it has; nothing goes on for long.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dycausal::Cancel;

use crate::failure::{Failure, INTERRUPTED};
use crate::screen;

/// How long a run may take to stop by itself: some single steps cannot be cut.
const PATIENCE: Duration = Duration::from_millis(350);
/// How long what is being kept of it may take to be written.
const SAVING: Duration = Duration::from_secs(20);

static REQUEST: OnceLock<Cancel> = OnceLock::new();
static STOPS_BY_ITSELF: AtomicBool = AtomicBool::new(false);
static SAVES: AtomicUsize = AtomicUsize::new(0);
static REMARK: Mutex<Option<String>> = Mutex::new(None);

/// Begins to listen.
pub fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        request().cancel();
        wait();
        leave();
    })
    .map_err(|e| Failure::system(format!("cannot listen for Ctrl-C: {e}")))?;
    full_files_are_errors()
}

/// The request to stop that a run should heed; until [`at_once`] it is given time to do so.
pub fn heed() -> Cancel {
    STOPS_BY_ITSELF.store(true, Ordering::Relaxed);
    request()
}

/// From now on nothing heeds a request: Ctrl-C ends the program, and what is half written goes.
pub fn at_once() -> Result<(), Failure> {
    STOPS_BY_ITSELF.store(false, Ordering::Relaxed);
    if request().is_cancelled() { Err(dycausal::Error::Cancelled.into()) } else { Ok(()) }
}

/// What to add to the message where a run is interrupted.
pub fn remark(text: String) {
    *REMARK.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
}

/// Does something that should not be cut off: keeping what a fit has reached.
pub fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    SAVES.fetch_add(1, Ordering::SeqCst);
    let answer = work();
    SAVES.fetch_sub(1, Ordering::SeqCst);
    answer
}

/// Gives a run the time to stop by itself; where it does, the program ends meanwhile.
fn wait() {
    let begun = Instant::now();
    let busy = || SAVES.load(Ordering::SeqCst) > 0;
    let patient = || STOPS_BY_ITSELF.load(Ordering::Relaxed) && begun.elapsed() < PATIENCE;
    while patient() || (busy() && begun.elapsed() < SAVING) {
        thread::sleep(Duration::from_millis(10));
    }
}

fn leave() -> ! {
    dycausal_io::abandon();
    let failure = Failure::from(dycausal::Error::Cancelled);
    let remark = REMARK.lock().unwrap_or_else(PoisonError::into_inner).take();
    screen::complain(&match remark {
        Some(remark) => failure.followed_by(remark),
        None => failure,
    });
    std::process::exit(INTERRUPTED.into());
}

fn request() -> Cancel {
    REQUEST.get_or_init(Cancel::default).clone()
}

/// Where files may only grow to a limit (`ulimit -f`), a signal would end the program; with a
/// handler the write fails instead, and the failure is told.
#[cfg(unix)]
fn full_files_are_errors() -> Result<(), Failure> {
    let seen = std::sync::Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen)
        .map(drop)
        .map_err(|e| Failure::system(format!("cannot listen for signals: {e}")))
}

#[cfg(not(unix))]
fn full_files_are_errors() -> Result<(), Failure> {
    Ok(())
}
