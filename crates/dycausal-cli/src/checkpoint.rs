//! Where a long fit keeps what it has reached, beside its run folder, to go on from there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dycausal::{Checkpoint, Error, Panel, Result};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::words::{self, Word};
use crate::{interrupt, screen};

const REQUEST: &str = "request.json";
const STATE: &str = "state";
/// What follows the name of a run.
const ENDING: &str = ".unfinished";

/// What was asked for, and of which data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    words: Vec<Word>,
    data: String,
    /// Of the other two: a file that was damaged is not followed.
    checksum: String,
}

impl Request {
    fn new(words: Vec<Word>, data: String) -> Self {
        let checksum = Self::checksum_of(&words, &data);
        Self { words, data, checksum }
    }

    fn checksum_of(words: &[Word], data: &str) -> String {
        let text = serde_json::to_vec(&(words, data)).unwrap_or_default();
        format!("{:016x}", mixed(text.into_iter().map(u64::from)))
    }

    fn is_sound(&self) -> bool {
        self.checksum == Self::checksum_of(&self.words, &self.data)
    }
}

/// A folder `RUN.unfinished` with the request and the state; gone when the run is written.
pub struct Unfinished {
    run: PathBuf,
    folder: PathBuf,
    request: Request,
    interval: Duration,
    resumed: bool,
    /// Whether the request is kept: a fit that is stopped can be begun again from it.
    begun: AtomicBool,
    /// Whether a state is.
    saved: AtomicBool,
    /// Whether it was said that nothing can be kept.
    warned: AtomicBool,
}

impl Unfinished {
    /// For a run that begins; nothing is written unless the method keeps what it has reached, and
    /// what an earlier fit left, which was not refused, goes.
    pub fn begin(run: &Path, panel: &Panel, interval: Duration) -> Self {
        forget(run);
        let request = Request::new(words::typed(), fingerprint(panel));
        Self::new(run, request, interval, false)
    }

    /// For a run that goes on; refuses data that have changed.
    pub fn resume(
        run: &Path,
        panel: &Panel,
        interval: Duration,
    ) -> std::result::Result<Self, Failure> {
        let folder = beside(run);
        let request = read(&folder)?;
        if request.data != fingerprint(panel) {
            let text =
                "the data are not those that the fit began with; begin anew without --resume";
            return Err(Failure::input(text).about(folder.display()));
        }
        Ok(Self::new(run, request, interval, true))
    }

    fn new(run: &Path, request: Request, interval: Duration, resumed: bool) -> Self {
        Self {
            run: run.to_owned(),
            folder: beside(run),
            request,
            interval,
            resumed,
            begun: AtomicBool::new(resumed),
            saved: AtomicBool::new(resumed),
            warned: AtomicBool::new(false),
        }
    }

    /// The words of the command that began a run.
    pub fn words(run: &Path) -> std::result::Result<Vec<Word>, Failure> {
        read(&beside(run)).map(|request| request.words)
    }

    /// The command that began the run.
    pub fn command(&self) -> String {
        words::shown(&self.request.words)
    }

    /// The failure with how to go on after it; where there is nothing to go on from, nothing stays.
    pub fn after(&self, failure: Failure) -> Failure {
        let begun = failure.is_interruption() && self.begun.load(Ordering::Relaxed);
        if begun || self.saved.load(Ordering::Relaxed) {
            return failure.followed_by(how(&self.run));
        }
        self.forget();
        failure
    }

    /// Forgets what was saved, once the run is written.
    pub fn forget(&self) {
        if self.begun.load(Ordering::Relaxed) {
            forget(&self.run);
        }
    }

    /// Says once that nothing can be kept: no reason to end a fit that may be nearly done.
    fn warn(&self, reason: &io::Error) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            let folder = self.folder.display();
            screen::warn([format!("{folder}: what the fit has reached cannot be kept: {reason}")]);
        }
    }

    /// Keeps the request: once, before anything else.
    fn keep_request(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        // What an earlier fit of that name left is not ours to go on from.
        let stale = fs::remove_file(self.folder.join(STATE));
        stale.or_else(|e| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) })?;
        write_whole(&self.folder, REQUEST, &serde_json::to_vec(&self.request)?)
    }
}

impl Checkpoint for Unfinished {
    fn load(&self) -> Result<Option<Vec<u8>>> {
        if !self.resumed {
            match interrupt::undisturbed(|| self.keep_request()) {
                Ok(()) => self.begun.store(true, Ordering::Relaxed),
                Err(reason) => {
                    self.warn(&reason);
                    forget(&self.run);
                    return Ok(None);
                }
            }
        }
        interrupt::remark(how(&self.run));
        let path = self.folder.join(STATE);
        match fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(|e| failed(&path, &e)),
        }
    }

    fn save(&self, state: &[u8]) -> Result<()> {
        match interrupt::undisturbed(|| write_whole(&self.folder, STATE, state)) {
            Ok(()) => self.saved.store(true, Ordering::Relaxed),
            Err(reason) => self.warn(&reason),
        }
        Ok(())
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

/// Refuses to begin where a fit was stopped: hours of work are not replaced without a word.
pub fn check_none(run: &Path) -> std::result::Result<(), Failure> {
    let folder = beside(run);
    if !folder.join(REQUEST).exists() {
        return Ok(());
    }
    let begun = read(&folder).map_or_else(
        |_| "a fit".to_owned(),
        |request| format!("`{}`", words::shown(&request.words)),
    );
    let text = format!(
        "{begun} was stopped and is kept here; {}, or give --force to begin anew",
        how(run)
    );
    Err(Failure::input(text).about(folder.display()))
}

/// The run that is meant, where the folder of what is unfinished is named in its place.
pub fn run_of(named: &Path) -> PathBuf {
    let name = named.file_name().map(|name| name.to_string_lossy().into_owned());
    match name.as_deref().and_then(|name| name.strip_suffix(ENDING)) {
        Some(run) if !run.is_empty() && named.join(REQUEST).exists() => named.with_file_name(run),
        _ => named.to_owned(),
    }
}

/// Forgets what was kept of a run.
pub fn forget(run: &Path) {
    // What cannot be removed does no harm: the next fit replaces it. The request goes last, so that
    // whoever is killed on the way can still be told that the run is finished.
    let _ = fs::remove_file(beside(run).join(STATE));
    let _ = fs::remove_dir_all(beside(run));
}

fn how(run: &Path) -> String {
    format!("go on with: dycausal fit --resume {}", run.display())
}

/// Writes a file so that after a fall of the machine there is the old one or the new one, whole.
fn write_whole(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let fresh = folder.join(format!("{name}.new"));
    let written = File::create(&fresh).and_then(|mut file| {
        file.write_all(content)?;
        file.flush()?;
        file.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&fresh, folder.join(name)));
    placed.inspect_err(|_| {
        // The first failure is the one to tell.
        let _ = fs::remove_file(&fresh);
    })?;
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

fn failed(path: &Path, reason: &io::Error) -> Error {
    Error::Checkpoint { what: format!("{}: {reason}", path.display()) }
}

fn beside(run: &Path) -> PathBuf {
    let mut name = run.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    run.with_file_name(name)
}

fn read(folder: &Path) -> std::result::Result<Request, Failure> {
    let path = folder.join(REQUEST);
    let text = fs::read(&path).map_err(|e| {
        let text = format!("there is no unfinished fit to go on with: {e}");
        Failure::input(text).about(path.display())
    })?;
    let refused = |what: &str| Failure::input(format!("{what}; begin anew")).about(path.display());
    let request: Request = serde_json::from_slice(&text).map_err(|e| refused(&e.to_string()))?;
    if request.is_sound() { Ok(request) } else { Err(refused("it is damaged")) }
}

/// Tells whether two panels have the same values.
fn fingerprint(panel: &Panel) -> String {
    let sizes = [panel.series(), panel.steps(), panel.variables()];
    let sizes = sizes.into_iter().map(|size| size as u64);
    let values = panel.values();
    let bits = values.iter().map(|x| x.to_bits());
    format!("{:016x}", mixed(sizes.chain(bits)))
}

/// FNV-1a over words.
fn mixed(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}
