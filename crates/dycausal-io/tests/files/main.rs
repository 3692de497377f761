//! Files in and out, from the outside.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod calendars;
mod golden;
mod kept;
mod motions;
mod pages;
mod round_trip;
mod run_folder;
mod tables;
mod words;
mod written;

use std::path::{Path, PathBuf};

use dycausal::Panel;
use dycausal_io::{Error, Note, ReadOptions, Reading, Remedy, Source, read};
use tempfile::TempDir;

/// A file of `tests/data`.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A folder with one file in it.
fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn read_path(path: &Path, options: &ReadOptions) -> Result<Reading, Error> {
    read(&Source::from(path), options)
}

/// The panel of a text file.
fn csv(text: &str, options: &ReadOptions) -> Result<Reading, Error> {
    let (_folder, path) = file("data.csv", text);
    read_path(&path, options)
}

/// A message with the settings that help: `… (drop, decimal=comma)`.
fn said(error: &Error) -> String {
    let setting = |Remedy { setting, value }: &Remedy| match value {
        None => (*setting).to_owned(),
        Some(value) => format!("{setting}={value}"),
    };
    format!("{error}{}", Remedy::list(&error.remedies(), setting))
}

/// Whether a note has these words.
fn noted(reading: &Reading, words: &str) -> bool {
    reading.notes.iter().map(Note::to_string).any(|note| note.contains(words))
}

/// Bits of all values, so that -0, the smallest doubles and missing cells all count.
fn bits(panel: &Panel) -> Vec<u64> {
    let missing = f64::NAN.to_bits();
    let values = panel.values();
    values.iter().map(|x| if x.is_nan() { missing } else { x.to_bits() }).collect()
}

fn options() -> ReadOptions {
    ReadOptions::default()
}

fn long(id: &str, time: &str) -> ReadOptions {
    ReadOptions { id: Some(id.into()), time: (!time.is_empty()).then(|| time.into()), ..options() }
}
