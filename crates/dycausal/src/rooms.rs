//! A room imports only from rooms that stand above it in `lib.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders that hold tests and what these need.
const TESTS: [&str; 5] = ["tests.rs", "tests", "golden.rs", "fixed_noise.rs", "rooms.rs"];

/// The rooms in the order that the page of the crate draws.
fn drawn() -> Vec<String> {
    let page = include_str!("lib.rs");
    let picture = page.split("```text").nth(2).and_then(|rest| rest.split("```").next());
    let lines = picture.unwrap_or_default().lines();
    let names = |line: &str| -> Vec<String> {
        let line = line.trim_start_matches("//!").trim_start();
        line.split("   ").next().unwrap_or_default().split_whitespace().map(String::from).collect()
    };
    lines.flat_map(names).collect()
}

/// Source files below a folder, without those that are tests: these may ask whom they like.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let all = entries.flat_map(below);
    let is_test = |path: &PathBuf| {
        let names = path.iter().map(|name| name.to_string_lossy());
        names.map(|name| name.into_owned()).any(|name| TESTS.contains(&name.as_str()))
    };
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    all.filter(|path| is_source(path) && !is_test(path)).collect()
}

/// The rooms that a text asks: what follows `crate::`, alone or in braces.
fn asked(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        text[..end].to_owned()
    };
    let of = |rest: &str| match rest.strip_prefix('{') {
        Some(list) => {
            let list = list.split('}').next().unwrap_or_default();
            list.split(',').map(|item| word(item.trim())).collect::<Vec<_>>()
        }
        None => vec![word(rest)],
    };
    code.split("crate::").skip(1).flat_map(of).filter(|name| !name.is_empty()).collect()
}

#[test]
fn imports_go_up() {
    let order = drawn();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let place = |room: &str| order.iter().position(|name| name == room);
    let mut found = Vec::new();
    let mut missing = BTreeSet::new();
    for path in sources(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let first = inside.iter().next().unwrap().to_string_lossy();
        let room = first.trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        let Some(here) = place(room) else {
            missing.insert(room.to_owned());
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for other in asked(&text) {
            if place(&other).is_none_or(|there| there > here) {
                found.push(format!("{} asks {other}", inside.display()));
            }
        }
    }
    assert!(missing.is_empty(), "rooms that `lib.rs` does not draw: {missing:?}");
    assert!(found.is_empty(), "imports that go down, or past the rooms to the root: {found:#?}");
    assert!(order.len() > 15, "{order:?}");
}
