//! A scratch folder and the command in it.
// Not every test uses all of it; what fails here fails the test.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// Runs `dycausal` with these words in the scratch folder.
    pub fn run(&self, words: &str) -> Assert {
        self.command(words).assert()
    }

    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::cargo_bin("dycausal").unwrap();
        command.current_dir(self.0.path()).args(words.split_whitespace());
        command
    }

    /// What is in the scratch folder, sorted.
    pub fn listing(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// A CSV of `rows` rows in which `b` follows `a` one step later and `c` is on its own.
pub fn following(rows: usize) -> String {
    let noise = |t: usize, v: usize| ((t * 7919 + v * 104_729 + t * t * 31) % 997) as f64 / 997.0;
    let row = |t: usize| {
        let b = if t == 0 { 0.0 } else { noise(t - 1, 0) } + 0.1 * noise(t, 1);
        format!("{},{b},{}", noise(t, 0), noise(t, 2))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("a,b,c\n{}\n", rows.join("\n"))
}
