//! A room of a crate imports only from rooms that stand above it in the picture of its `lib.rs`.
//!
//! The picture is the last block of the page that begins with ` ```text`. Each line names rooms of one rank, separated
//! by single spaces; what they are for follows after three spaces or more. A room asks rooms of earlier lines and those
//! before it in its own. A test of a crate says so in one line:
//!
//! ```
//! let root = env!("CARGO_MANIFEST_DIR");
//! let page = "//! ```text\n//! first second   what they are\n//! ```";
//! assert_eq!(dycausal_rooms::wrong(root, page)?, ["`first` is drawn and not there", "`second` is drawn and not there"]);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Files and folders that hold tests and what these need: they may ask whom they like.
const TESTS: [&str; 5] = ["tests.rs", "tests", "golden.rs", "fixed_noise.rs", "rooms.rs"];

/// What is wrong with the rooms of the crate in the folder `root`, whose `lib.rs` is `page`; nothing if all is well.
///
/// # Errors
/// If a source file cannot be read.
pub fn wrong(root: impl AsRef<Path>, page: &str) -> io::Result<Vec<String>> {
    let order = drawn(page);
    let place = |room: &str| order.iter().position(|name| name == room);
    let folder = root.as_ref().join("src");
    let (mut seen, mut undrawn, mut found) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for path in sources(&folder)? {
        let inside = path.strip_prefix(&folder).unwrap_or(&path);
        let room = room(inside);
        if room == "lib" || room == "main" {
            continue;
        }
        let Some(here) = place(&room) else {
            undrawn.insert(room);
            continue;
        };
        for other in asked(&fs::read_to_string(&path)?) {
            if place(&other).is_none_or(|there| there > here) {
                found
                    .push(format!("{} asks {other}, which does not stand above", inside.display()));
            }
        }
        seen.insert(room);
    }
    let absent = order.iter().filter(|room| !seen.contains(*room));
    found.extend(absent.map(|room| format!("`{room}` is drawn and not there")));
    found.extend(undrawn.iter().map(|room| format!("`{room}` is not drawn")));
    Ok(found)
}

/// The rooms in the order that the page draws.
fn drawn(page: &str) -> Vec<String> {
    let picture = page.rsplit("```text").next().and_then(|rest| rest.split("```").next());
    let names = |line: &str| -> Vec<String> {
        let line = line.trim_start_matches("//!").trim_start();
        line.split("   ").next().unwrap_or_default().split_whitespace().map(String::from).collect()
    };
    picture.unwrap_or_default().lines().flat_map(names).collect()
}

/// The room of a file: the first part of its path below `src`.
fn room(inside: &Path) -> String {
    let first = inside.iter().next().unwrap_or_default().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Source files below a folder, without those that are tests, by name.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    let mut paths = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if TESTS.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            all.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    Ok(all)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_read_off_the_last_picture() {
        let page = "//! ```text\n//! panel ─▶ graph\n//! ```\n//! ```text\n//! a  b   two\n//! c     one\n//! ```";
        assert_eq!(drawn(page), ["a", "b", "c"]);
    }

    #[test]
    fn what_a_text_asks_is_found_and_comments_and_tests_are_not() {
        let text = "use crate::{a, b::C};\n// crate::d\nfn f() { crate::e::g() }\n#[cfg(test)]\nmod tests {\nuse crate::h;}";
        let expected = ["a", "b", "e"].map(String::from);
        assert_eq!(asked(text), BTreeSet::from(expected));
    }

    #[test]
    fn an_import_that_goes_down_and_a_room_that_is_not_drawn_are_told() {
        let root = std::env::temp_dir().join(format!("rooms-{}", std::process::id()));
        fs::create_dir_all(root.join("src/upper")).unwrap();
        fs::write(root.join("src/upper.rs"), "use crate::lower::X;").unwrap();
        fs::write(root.join("src/upper/tests.rs"), "use crate::lower::X;").unwrap();
        fs::write(root.join("src/lower.rs"), "use crate::upper::Y;").unwrap();
        fs::write(root.join("src/aside.rs"), "").unwrap();
        let found = wrong(&root, "//! ```text\n//! upper\n//! lower\n//! ```").unwrap();
        fs::remove_dir_all(&root).unwrap();
        let expected = ["upper.rs asks lower, which does not stand above", "`aside` is not drawn"];
        assert_eq!(found, expected);
    }
}
