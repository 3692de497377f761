//! Where a long fit keeps what it has reached, beside its run folder, to go on from there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use dycausal::{Checkpoint, Error, Panel, Result};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// What was asked for, and of which data.
#[derive(Serialize, Deserialize)]
struct Request {
    words: Vec<String>,
    data: String,
}

/// A folder `RUN.unfinished` with the request and the state; gone when the run is written.
pub struct Unfinished {
    folder: PathBuf,
    request: Request,
    resumed: bool,
    saved: AtomicBool,
}

impl Unfinished {
    /// For a run that begins; nothing is written before the method first saves.
    pub fn begin(run: &Path, panel: &Panel) -> Self {
        let words = std::env::args().skip(1).collect();
        let request = Request { words, data: fingerprint(panel) };
        Self { folder: beside(run), request, resumed: false, saved: AtomicBool::new(false) }
    }

    /// For a run that goes on; refuses data that have changed.
    pub fn resume(run: &Path, panel: &Panel) -> std::result::Result<Self, Failure> {
        let folder = beside(run);
        let request = read(&folder)?;
        if request.data != fingerprint(panel) {
            let text =
                "the data are not those that the fit began with; begin anew without --resume";
            return Err(Failure::input(text).about(folder.display()));
        }
        Ok(Self { folder, request, resumed: true, saved: AtomicBool::new(true) })
    }

    /// The words of the command that began a run.
    pub fn words(run: &Path) -> std::result::Result<Vec<String>, Failure> {
        read(&beside(run)).map(|request| request.words)
    }

    /// How to go on, if anything was saved.
    pub fn how_to_go_on(&self, run: &Path) -> Option<String> {
        let saved = self.saved.load(Ordering::Relaxed);
        saved.then(|| format!("go on with: dycausal fit --resume {}", run.display()))
    }

    /// Forgets what was saved, once the run is written.
    pub fn forget(&self) {
        if self.saved.load(Ordering::Relaxed) {
            // What cannot be removed does no harm: the next fit replaces it.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    fn write(&self, state: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let request = serde_json::to_vec(&self.request)?;
        fs::write(self.folder.join("request.json"), request)?;
        // The old state stays until the new one is whole.
        fs::write(self.folder.join("state.new"), state)?;
        fs::rename(self.folder.join("state.new"), self.folder.join("state"))
    }
}

impl Checkpoint for Unfinished {
    fn load(&self) -> Result<Option<Vec<u8>>> {
        if !self.resumed {
            return Ok(None);
        }
        let path = self.folder.join("state");
        fs::read(&path).map(Some).map_err(|e| failed(&path, &e))
    }

    fn save(&self, state: &[u8]) -> Result<()> {
        self.write(state).map_err(|e| failed(&self.folder, &e))?;
        self.saved.store(true, Ordering::Relaxed);
        Ok(())
    }
}

fn failed(path: &Path, reason: &io::Error) -> Error {
    Error::Checkpoint { what: format!("{}: {reason}", path.display()) }
}

fn beside(run: &Path) -> PathBuf {
    let mut name = run.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    run.with_file_name(name)
}

fn read(folder: &Path) -> std::result::Result<Request, Failure> {
    let path = folder.join("request.json");
    let text = fs::read(&path).map_err(|e| {
        let text = format!("there is no unfinished fit to go on with: {e}");
        Failure::input(text).about(path.display())
    })?;
    serde_json::from_slice(&text).map_err(|e| Failure::input(e.to_string()).about(path.display()))
}

/// Tells whether two panels have the same values (FNV-1a over their bits).
fn fingerprint(panel: &Panel) -> String {
    let mix = |hash: u64, bits: u64| (hash ^ bits).wrapping_mul(0x0100_0000_01b3);
    let start = [panel.series(), panel.steps(), panel.variables()];
    let start = start.iter().fold(0xcbf2_9ce4_8422_2325, |hash, size| mix(hash, *size as u64));
    let hash = panel.values().iter().fold(start, |hash, x| mix(hash, x.to_bits()));
    format!("{hash:016x}")
}
