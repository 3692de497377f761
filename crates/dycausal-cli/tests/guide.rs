//! The guide does what it says: every block of commands is run as it stands, and every line that is shown is printed.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod support;

use std::env;
use std::path::Path;
use std::process::Command;

use support::Scratch;

/// Blocks of commands, each with the lines that the page shows below it.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        match (kind, found.last_mut()) {
            ("text", Some((_, shown))) => shown.extend(text.lines().map(String::from)),
            ("sh", _) => found.push((text.to_owned(), Vec::new())),
            _ => {}
        }
    }
    found
}

#[test]
fn the_guide_of_messy_data_runs_and_prints_what_it_shows() {
    let page = include_str!("../../../docs/guides/messy-data.md");
    let scratch = Scratch::new();
    let own = Path::new(env!("CARGO_BIN_EXE_dycausal")).parent().unwrap();
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([own.to_owned()].into_iter().chain(env::split_paths(&others)));
    let blocks = blocks(page);
    assert!(blocks.len() > 9, "{}", blocks.len());
    for (commands, shown) in blocks {
        let run = Command::new("sh")
            .args(["-c", &commands])
            .current_dir(scratch.path(""))
            .env("PATH", path.as_ref().unwrap())
            .output()
            .unwrap();
        let printed =
            [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        let refused = shown.iter().any(|line| line.starts_with("error: "));
        assert_eq!(run.status.success(), !refused, "{commands}\n{printed}");
        for line in shown {
            assert!(printed.contains(&line), "`{line}` is not printed by\n{commands}\n{printed}");
        }
    }
}
