//! Damaged files, by the million: whatever they hold, they are read or refused, and never a panic.
//!
//! `fuzz --inputs N [--seed S] [--first K] [--keep FOLDER]`: input k of seed s is the same everywhere.
//! What fails is kept in FOLDER; where the process itself ends, the input lies there as `current.*`.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod bytes;
mod packed;
mod random;
mod seeds;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dycausal::{Discover, Run};
use dycausal_io::{Picture, PictureKind, ReadOptions, Report, Source};

use crate::random::Random;
use crate::seeds::{Kept, Reader, Seed};

/// Seconds that an input may take, also on a machine that is busy.
const LONGEST: u64 = 120;

struct Wanted {
    inputs: u64,
    first: u64,
    seed: u64,
    keep: PathBuf,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Test runners ask what there is.
    if words.iter().any(|word| word == "--list") {
        if !words.iter().any(|word| word == "--ignored") {
            println!("damaged_files_are_read_or_refused: test");
        }
        return ExitCode::SUCCESS;
    }
    let scratch = tempfile::tempdir().unwrap();
    let value = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let number = |name: &str, usual: u64| value(name).map_or(usual, |text| text.parse().unwrap());
    let wanted = Wanted {
        inputs: number("--inputs", 2000),
        first: number("--first", 0),
        seed: number("--seed", 1),
        keep: value("--keep").map_or_else(|| scratch.path().join("kept"), PathBuf::from),
    };
    fs::create_dir_all(&wanted.keep).unwrap();
    set_hook(Box::new(|_| {}));
    let failures = run(&wanted, scratch.path());
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reads as many inputs as are wanted; tells how many failed.
fn run(wanted: &Wanted, scratch: &Path) -> usize {
    let seeds = seeds::seeds(scratch);
    let begun = Instant::now();
    let at = watched();
    let (mut failures, mut accepted, mut by_name) = (0, 0u64, BTreeMap::new());
    for input in wanted.first..wanted.first + wanted.inputs {
        at.store(begun.elapsed().as_secs(), Ordering::Relaxed);
        let mut random = Random::new(wanted.seed, input);
        let seed = random.choose(&seeds);
        let bytes = damaged(seed, &seeds, &mut random);
        let folder = wanted.keep.join("current");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(&seed.name);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| look(seed, &seeds, &path, &bytes, &mut random)));
        match outcome {
            Ok(sound) => {
                accepted += u64::from(sound);
                let of_name = by_name.entry(seed.name.as_str()).or_insert((0u64, 0u64));
                *of_name = (of_name.0 + u64::from(sound), of_name.1 + 1);
            }
            Err(reason) => {
                failures += 1;
                let kept =
                    wanted.keep.join(format!("failed-{}-{input}-{}", wanted.seed, seed.name));
                fs::write(&kept, &bytes).unwrap();
                let reason = reason.downcast_ref::<String>().cloned().unwrap_or_default();
                eprintln!("input {input} of seed {}: {} ({reason})", wanted.seed, kept.display());
            }
        }
    }
    let _ = fs::remove_dir_all(wanted.keep.join("current"));
    for (name, (sound, all)) in by_name {
        println!("{name:14} {sound:9} of {all:9} read");
    }
    println!(
        "{} inputs of {} seed files from seed {}: {accepted} read, {} refused, {failures} failed; {:.0} s",
        wanted.inputs,
        seeds.len(),
        wanted.seed,
        wanted.inputs - accepted - failures as u64,
        begun.elapsed().as_secs_f64()
    );
    failures
}

/// Where to note the second at which an input begins: one that takes far too long ends the process,
/// and lies in `current`.
fn watched() -> Arc<AtomicU64> {
    let at = Arc::new(AtomicU64::new(0));
    let (noted, begun) = (at.clone(), Instant::now());
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            if begun.elapsed().as_secs() > noted.load(Ordering::Relaxed) + LONGEST {
                eprintln!("an input takes longer than {LONGEST} s: the newest file of `current`");
                std::process::abort();
            }
        }
    });
    at
}

/// A seed file, damaged as bytes, as text, or inside of its packing.
fn damaged(seed: &Seed, seeds: &[Seed], random: &mut Random) -> Vec<u8> {
    let alike: Vec<&Seed> = seeds.iter().filter(|other| other.name == seed.name).collect();
    let other = random.choose(&alike).bytes.clone();
    let (which, within) = (random.below(64), !random.one_in(3));
    let mut change = |whole: Vec<u8>| {
        let readable = std::str::from_utf8(&whole).is_ok();
        if readable && !random.one_in(3) {
            text::mutated(whole, random)
        } else {
            bytes::mutated(whole, &other, random)
        }
    };
    let is_packed = matches!(
        &seed.bytes[..],
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [b'P', b'K', 3, 4, ..]
    );
    if within && is_packed {
        return packed::inside(&seed.bytes, which, change).unwrap_or_default();
    }
    change(seed.bytes.clone())
}

/// Whether the file is read; whatever is read is used.
fn look(seed: &Seed, seeds: &[Seed], path: &Path, bytes: &[u8], random: &mut Random) -> bool {
    match seed.reader {
        Reader::Data => {
            fs::write(path, bytes).unwrap();
            let source = Source::from(path);
            if random.one_in(8) && seed.name.ends_with("npy") {
                return dycausal_io::read_truth(path).is_ok();
            }
            dycausal_io::read(&source, &options(seed, random)).is_ok()
        }
        Reader::Run => run_folder(seeds, path, bytes),
        Reader::Checkpoint => goes_on(bytes),
        Reader::Knowledge => std::str::from_utf8(bytes)
            .is_ok_and(|text| dycausal_io::knowledge_of("k", text).is_ok()),
    }
}

/// How it is read: mostly as it comes.
fn options(seed: &Seed, random: &mut Random) -> ReadOptions {
    let usual = seed.options.clone();
    match random.below(32) {
        0 => ReadOptions { id: Some("id".into()), ..usual },
        1 => ReadOptions { time: Some("t".into()), ..usual },
        2 => ReadOptions { every: "1d:mean".parse().ok(), ..usual },
        3 => ReadOptions { zone: Some("Europe/Berlin".into()), sheet: Some("2".into()), ..usual },
        4 => ReadOptions { time: Some(String::new()), ..usual },
        _ => usual,
    }
}

/// Reads a run folder with one damaged file, and shows what it holds.
fn run_folder(seeds: &[Seed], path: &Path, bytes: &[u8]) -> bool {
    let folder = path.parent().unwrap();
    for sound in seeds.iter().filter(|seed| seed.reader == Reader::Run) {
        fs::write(folder.join(&sound.name), &sound.bytes).unwrap();
    }
    fs::write(path, bytes).unwrap();
    let Ok((record, graph)) = dycausal_io::read_run(folder) else { return false };
    if graph.steps() <= 1000 && graph.lag() <= 10 {
        let _ = graph.certify();
        let _ = Report::new(&graph, &record).html();
        let _ = Picture::new(&graph, PictureKind::Trajectories).svg();
    }
    true
}

/// Whether a fit goes on from these bytes.
fn goes_on(bytes: &[u8]) -> bool {
    let kept = Kept { given: Some(bytes.to_vec()), ..Kept::default() };
    let mut run = Run::new(0).with_checkpoint(Arc::new(kept));
    seeds::published().discover(&seeds::panel(), &mut run).is_ok()
}
