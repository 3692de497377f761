//! What is changed: sound files of every kind.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dycausal::{Cancel, Checkpoint, Discover, Ordered, Panel, Progress, Run};
use dycausal_io::{ReadOptions, RunRecord, Source, WriteOptions, read, write_run};
use dycausal_published::DyCausal;
use ndarray::Array3;

/// What reads a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A panel.
    Data,
    /// `graph.json` or `run.json` of a run folder.
    Run,
    /// What was kept of a fit.
    Checkpoint,
    /// What is known before.
    Knowledge,
}

/// A file.
pub struct Seed {
    pub name: String,
    pub bytes: Vec<u8>,
    pub reader: Reader,
    /// How it is read when it is sound.
    pub options: ReadOptions,
}

const KNOWLEDGE: &str = "roots = ['a']\ntiers = [['a'], ['b', 'c*']]\n\n[[require]]\nfrom = 'a'\nto = 'b'\nlag = 1\n\n[[forbid]]\nfrom = '*'\nto = 'a'\nsince = 3\n";

/// All of them: the files of the tests, a run and a checkpoint made here.
pub fn seeds(scratch: &Path) -> Vec<Seed> {
    let mut all = Vec::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for folder in [data.clone(), data.join("kept")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_file() && extension != "py" {
                let name = format!("file.{extension}");
                let bytes = fs::read(&path).unwrap();
                all.push(Seed { name, bytes, reader: Reader::Data, options: options(&path) });
            }
        }
    }
    // The order of a folder is not the same everywhere.
    all.sort_by(|a, b| (&a.name, &a.bytes).cmp(&(&b.name, &b.bytes)));
    let text = fs::read(data.join("dated.csv")).unwrap();
    let packed = crate::packed::packed(&text);
    let usual = ReadOptions::default;
    let (name, reader) = ("file.csv.gz".into(), Reader::Data);
    all.push(Seed { name, bytes: packed, reader, options: usual() });
    let run = scratch.join("seed");
    write_run(&run, &graph(), &record(), &WriteOptions::default()).unwrap();
    for name in ["graph.json", "run.json"] {
        let bytes = fs::read(run.join(name)).unwrap();
        all.push(Seed { name: name.into(), bytes, reader: Reader::Run, options: usual() });
    }
    let (name, reader) = ("state".into(), Reader::Checkpoint);
    all.push(Seed { name, bytes: checkpoint(), reader, options: usual() });
    let (name, bytes) = ("known.toml".into(), KNOWLEDGE.into());
    all.push(Seed { name, bytes, reader: Reader::Knowledge, options: usual() });
    all
}

/// The first way in which a file can be read at all.
fn options(path: &Path) -> ReadOptions {
    let usual = ReadOptions::default();
    let long = ReadOptions { id: Some("station".into()), ..usual.clone() };
    let one = ReadOptions { array: Some("x".into()), ..usual.clone() };
    let ways = [usual.clone(), long, one];
    let reads = |way: &ReadOptions| read(&Source::from(path), way).is_ok();
    ways.into_iter().find(reads).unwrap_or(usual)
}

/// Three variables, of which the second follows the first; small, and quickly fitted.
pub fn panel() -> Panel {
    let noise = |k: usize| (k * k * 7919 % 1009) as f64 / 1009.0 - 0.5;
    let values = Array3::from_shape_fn((1, 60, 3), |(_, t, v)| match v {
        1 if t > 0 => noise(t - 1) + 0.2 * noise(t + 500),
        _ => noise(3 * t + v),
    });
    Panel::new(values, ["a", "b", "c"].map(String::from).to_vec()).unwrap()
}

fn graph() -> dycausal::DynamicGraph {
    let method = Ordered { alpha: 0.9, ..Ordered::default() };
    method.discover(&panel(), &mut Run::new(0)).unwrap()
}

fn record() -> RunRecord {
    RunRecord::of(&panel(), &graph(), "a test")
}

/// A fit of few steps.
pub fn published() -> DyCausal {
    DyCausal { iterations: 3, stages: 2, spacing: 20, hidden: 2, ..DyCausal::default() }
}

/// What a fit is given to go on from, and what it keeps.
#[derive(Default)]
pub struct Kept {
    pub given: Option<Vec<u8>>,
    pub kept: Mutex<Vec<u8>>,
}

impl Checkpoint for Kept {
    fn load(&self) -> dycausal::Result<Option<Vec<u8>>> {
        Ok(self.given.clone())
    }

    fn save(&self, state: &[u8]) -> dycausal::Result<()> {
        *self.kept.lock().unwrap() = state.to_vec();
        Ok(())
    }

    fn interval(&self) -> Duration {
        Duration::from_secs(3600)
    }
}

/// What is kept of a fit that is stopped before its first step.
fn checkpoint() -> Vec<u8> {
    let (cancel, kept) = (Cancel::default(), Arc::new(Kept::default()));
    let stop = Arc::new(StopsAtTheOptimiser(cancel.clone()));
    let mut run = Run::new(0).with_checkpoint(kept.clone()).with_progress(stop).with_cancel(cancel);
    assert!(published().discover(&panel(), &mut run).is_err());
    let bytes = kept.kept.lock().unwrap().clone();
    assert!(!bytes.is_empty());
    bytes
}

struct StopsAtTheOptimiser(Cancel);

impl Progress for StopsAtTheOptimiser {
    fn begin(&self, stage: &str, _: Option<u64>) {
        if stage == "optimise" {
            self.0.cancel();
        }
    }

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}

    fn end(&self) {}
}
