//! The scores of all studies of a folder as one small file: pages are made again from it, and what it has is not
//! run again.
//!
//! Kept is what pages show, of every seed; the file is a tidy table, one score per row.

use std::path::{Path, PathBuf};

use dycausal_io::{TidyColumn, TidyTable, read_tidy, write_tidy};

use super::outcome::{Entry, GIVEN_UP, Outcome};
use super::stamp::Stamp;
use super::tally::Tally;
use crate::error::{Error, Result};

/// The name of the file in its folder.
const FILE: &str = "scores.parquet";

/// What stands in `metric` beside scores: seconds of a fit, and h in its course.
const SECONDS: &str = "seconds";
const TRACE: &str = "h";

/// What follows edges where effects of variables on themselves count.
const DIAGONAL: &str = " and self";

/// The columns of words, in order; `cell` stands once per seed, with its seconds or with why it has no scores.
const WORDS: [&str; 9] =
    ["study", "setting", "reading", "method", "edges", "at", "metric", "why", "cell"];
/// The columns of numbers, in order.
const NUMBERS: [&str; 2] = ["seed", "value"];

/// One row of the table.
#[derive(Debug, Clone, Default, PartialEq)]
struct Line {
    words: [Option<String>; 9],
    numbers: [Option<f64>; 2],
}

/// The scores of a study, and when they came about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept {
    /// Its name; the short form has one of its own.
    pub name: String,
    /// When, with what and on what.
    pub stamp: Stamp,
    /// The scores, in the order of its table.
    pub tallies: Vec<Tally>,
}

/// The scores of all studies of a folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    path: PathBuf,
    /// By name.
    pub studies: Vec<Kept>,
}

impl Scores {
    /// Those of a folder; none where there is no file yet.
    ///
    /// # Errors
    /// If the file is broken.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let studies = if path.is_file() { studies(&path)? } else { Vec::new() };
        Ok(Self { path, studies })
    }

    /// The scores of a study.
    pub fn of(&self, name: &str) -> Option<&Kept> {
        self.studies.iter().find(|kept| kept.name == name)
    }

    /// Writes the scores of a study in place of those it had, and gives them as they will be read: a page made from
    /// the file later is the same.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn keep(&mut self, kept: Kept) -> Result<(PathBuf, Kept)> {
        let name = kept.name.clone();
        self.studies.retain(|old| old.name != name);
        self.studies.push(kept);
        self.studies.sort_by(|a, b| a.name.cmp(&b.name));
        write_tidy(&self.path, &table(&self.studies)?)?;
        self.studies = studies(&self.path)?;
        Ok((self.path.clone(), self.of(&name).cloned().unwrap_or_default()))
    }
}

impl Kept {
    /// What is known of every cell that is known, by its fingerprint.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (&str, Outcome)> {
        self.tallies.iter().flat_map(|tally| {
            let known = tally.cells.iter();
            known.filter_map(|(seed, cell)| Some((cell.as_str(), outcome(tally, *seed)?)))
        })
    }
}

/// The outcome of a seed; none where more time may change it.
fn outcome(tally: &Tally, seed: u64) -> Option<Outcome> {
    if let Some((_, why)) = tally.failures.iter().find(|(failed, _)| *failed == seed) {
        return (!why.starts_with(GIVEN_UP)).then(|| Outcome::failed(why));
    }
    let (_, seconds) = tally.seconds.iter().find(|(known, _)| *known == seed)?;
    let scores = tally.scores.iter().filter(|(known, _)| *known == seed);
    let first = tally.seconds.first().is_some_and(|(known, _)| *known == seed);
    Some(Outcome {
        scores: scores.map(|(_, entry)| entry.clone()).collect(),
        seconds: *seconds,
        trace: if first { tally.trace.clone() } else { Vec::new() },
        ..Outcome::default()
    })
}

fn table(studies: &[Kept]) -> Result<TidyTable> {
    let of_study = |kept: &Kept| -> Vec<Line> {
        let all = kept.tallies.iter().flat_map(lines);
        let named = |mut line: Line| {
            line.words[0] = Some(kept.name.clone());
            line
        };
        all.map(named).collect()
    };
    let (mut words, mut numbers): ([Vec<_>; 9], [Vec<_>; 2]) = Default::default();
    for line in studies.iter().flat_map(of_study) {
        words.iter_mut().zip(line.words).for_each(|(column, word)| column.push(word));
        numbers.iter_mut().zip(line.numbers).for_each(|(column, number)| column.push(number));
    }
    let words = WORDS.into_iter().zip(words.map(TidyColumn::Words));
    let numbers = NUMBERS.into_iter().zip(numbers.map(TidyColumn::Numbers));
    let columns = words.chain(numbers).map(|(name, column)| (name.to_owned(), column)).collect();
    let note = |kept: &Kept| {
        let stamp = serde_json::to_string(&kept.stamp).map_err(|reason| broken(&reason))?;
        Ok((kept.name.clone(), stamp))
    };
    let notes = studies.iter().map(note).collect::<Result<_>>()?;
    Ok(TidyTable { columns, notes })
}

fn broken(reason: &impl ToString) -> Error {
    Error::unusable(Path::new(FILE), reason.to_string())
}

/// The rows of a tally; the seeds of a score stand together, which packs best.
fn lines(tally: &Tally) -> Vec<Line> {
    let line = |entry: [Option<&str>; 4], seed: Option<u64>, value: Option<f64>| {
        let [edges, at, metric, why] = entry.map(|word| word.map(str::to_owned));
        let own = [&tally.setting, &tally.reading, &tally.row].map(|word| Some(word.clone()));
        let [setting, reading, row] = own;
        let words = [None, setting, reading, row, edges, at, metric, why, None];
        Line { words, numbers: [seed.map(|seed| seed as f64), value] }
    };
    let of_seed = |mut line: Line, seed: u64| {
        let cell = tally.cells.iter().find(|(known, _)| *known == seed);
        line.words[8] = cell.map(|(_, cell)| cell.clone());
        line
    };
    let mut scores: Vec<(u64, [String; 3], f64)> = tally.scores.iter().map(score).collect();
    scores.sort_by(|a, b| a.1.cmp(&b.1));
    let mut all = Vec::new();
    for (seed, [edges, at, metric], value) in &scores {
        all.push(line([Some(edges), Some(at), Some(metric), None], Some(*seed), Some(*value)));
    }
    for (seed, seconds) in &tally.seconds {
        let own = line([None, None, Some(SECONDS), None], Some(*seed), Some(*seconds));
        all.push(of_seed(own, *seed));
    }
    let trace = tally.trace.iter();
    all.extend(trace.map(|value| line([None, None, Some(TRACE), None], None, Some(*value))));
    for (seed, why) in &tally.failures {
        all.push(of_seed(line([None, None, None, Some(why)], Some(*seed), None), *seed));
    }
    all.extend(tally.barred.iter().map(|why| line([None, None, None, Some(why)], None, None)));
    all
}

/// A score as it stands in a row.
fn score((seed, entry): &(u64, Entry)) -> (u64, [String; 3], f64) {
    let Entry { edges, at, metric, value, diagonal } = entry;
    let edges = if *diagonal { format!("{edges}{DIAGONAL}") } else { edges.clone() };
    (*seed, [edges, at.clone(), metric.clone()], *value)
}

/// The studies of a file.
fn studies(path: &Path) -> Result<Vec<Kept>> {
    let table = read_tidy(path)?;
    let missing = |name: &str| Error::unusable(path, format!("no column `{name}`"));
    let words = WORDS.map(|name| table.words(name).ok_or_else(|| missing(name)));
    let numbers = NUMBERS.map(|name| table.numbers(name).ok_or_else(|| missing(name)));
    let words = words.into_iter().collect::<Result<Vec<_>>>()?;
    let numbers = numbers.into_iter().collect::<Result<Vec<_>>>()?;
    let mut all: Vec<Kept> = Vec::new();
    for row in 0..words[0].len() {
        let word = |at: usize| words[at].get(row).and_then(Option::as_deref);
        let number = |at: usize| numbers[at].get(row).copied().flatten();
        let [name, setting, reading, method] = [0, 1, 2, 3].map(|at| word(at).unwrap_or_default());
        if all.last().is_none_or(|kept| kept.name != name) {
            let stamp = serde_json::from_str(table.note(name).unwrap_or_default());
            let stamp = stamp.unwrap_or_default();
            all.push(Kept { name: name.to_owned(), stamp, tallies: Vec::new() });
        }
        let Some(kept) = all.last_mut() else { continue };
        let place = Tally::new(setting, reading, method);
        if !kept.tallies.last().is_some_and(|tally| tally.is_of(&place)) {
            kept.tallies.push(place);
        }
        if let Some(tally) = kept.tallies.last_mut() {
            take(tally, [4, 5, 6, 7, 8].map(word), [0, 1].map(number));
        }
    }
    Ok(all)
}

/// Adds one row of the table to its tally.
fn take(
    tally: &mut Tally,
    [edges, at, metric, why, cell]: [Option<&str>; 5],
    [seed, value]: [Option<f64>; 2],
) {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a seed that was written
    let seed = seed.map(|seed| seed as u64);
    if let (Some(seed), Some(cell)) = (seed, cell) {
        tally.cells.push((seed, cell.to_owned()));
    }
    match (metric, value, why) {
        (Some(SECONDS), Some(value), _) => tally.seconds.push((seed.unwrap_or(0), value)),
        (Some(TRACE), Some(value), _) => tally.trace.push(value),
        (Some(metric), Some(value), _) => {
            let edges = edges.unwrap_or_default();
            let (edges, diagonal) =
                edges.strip_suffix(DIAGONAL).map_or((edges, false), |edges| (edges, true));
            let entry = Entry::new(edges, at.unwrap_or_default(), metric, value);
            tally.scores.push((seed.unwrap_or(0), Entry { diagonal, ..entry }));
        }
        (_, _, Some(why)) => match seed {
            Some(seed) => tally.failures.push((seed, why.to_owned())),
            None => tally.barred = Some(why.to_owned()),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_by_study_and_takes_the_place_of_what_was() {
        let folder = tempfile::tempdir().unwrap();
        let tally = |row: &str, value: f64| {
            let mut tally = Tally::new("d=10", "threshold 0.3", row);
            let entry = Entry::new("lagged", "t=1", "F1", value);
            let own = Entry { diagonal: true, ..entry.clone() };
            let outcome = Outcome { scores: vec![entry, own], seconds: 2.0, ..Outcome::default() };
            tally.add(7000, "first", &outcome);
            tally.add(7001, "second", &Outcome::failed("too few rows"));
            tally.add(7002, "third", &Outcome::given_up(60.0));
            tally
        };
        let stamp = Stamp { date: "today".into(), ..Stamp::default() };
        let kept = |name: &str, value: f64| Kept {
            name: name.into(),
            stamp: stamp.clone(),
            tallies: vec![tally("ordered", value), tally("gp", value)],
        };
        let mut scores = Scores::open(folder.path()).unwrap();
        assert_eq!(scores.of("noise"), None);
        scores.keep(kept("noise", 50.0)).unwrap();
        scores.keep(kept("beta", 75.0)).unwrap();
        let (_, again) = scores.keep(kept("noise", 25.0)).unwrap();
        assert_eq!(again, kept("noise", 25.0));
        assert_eq!(Scores::open(folder.path()).unwrap(), scores);
        let names: Vec<&str> = scores.studies.iter().map(|kept| kept.name.as_str()).collect();
        assert_eq!(names, ["beta", "noise"]);
        // What was given up may yet finish.
        let known: Vec<&str> = again.outcomes().map(|(cell, _)| cell).collect();
        assert_eq!(known, ["first", "second", "first", "second"]);
        std::fs::write(folder.path().join(FILE), "no table").unwrap();
        assert!(Scores::open(folder.path()).is_err());
    }
}
