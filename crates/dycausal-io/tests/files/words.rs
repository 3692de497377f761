//! Messages say what is wrong in words that suit a command, Python and Rust alike.

use std::fs;
use std::path::{Path, PathBuf};

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Whether a line has what reads as an option of a command, such as `--drop`.
fn has_option(line: &str) -> bool {
    line.split("--").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn no_source_of_the_library_or_of_files_names_an_option_of_the_command() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for path in ["dycausal/src", "dycausal-io/src"].iter().flat_map(|f| sources(&crates.join(f))) {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| has_option(line));
        found.extend(
            lines.map(|(number, line)| {
                format!("{}:{}: {}", path.display(), number + 1, line.trim())
            }),
        );
    }
    assert!(found.is_empty(), "say it as a `Remedy`: {found:#?}");
    assert!(has_option("leave it out with --drop") && !has_option("a -- b --- --1"));
}
