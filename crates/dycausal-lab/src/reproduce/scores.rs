//! The scores of an experiment as a tidy table that is kept, and back.

use dycausal_io::{TidyColumn, TidyTable};

use super::cell::Entry;
use super::plan::Part;
use super::spec::Experiment;
use super::stamp::Stamp;
use super::tally::{Report, Tally};
use crate::error::{Error, Result};

/// What stands in `metric` beside scores: seconds of a fit, and h in its course.
const SECONDS: &str = "seconds";
const TRACE: &str = "h";

/// The columns of words, in order; `cell` stands once per seed, with its seconds or with why it has no scores.
const WORDS: [&str; 8] = ["setting", "reading", "method", "edges", "at", "metric", "why", "cell"];
/// The place of a column that tables did not always have.
const CELL: usize = 7;
/// The columns of numbers, in order.
const NUMBERS: [&str; 2] = ["seed", "value"];

/// One row of the table.
#[derive(Debug, Clone, Default, PartialEq)]
struct Line {
    words: [Option<String>; 8],
    numbers: [Option<f64>; 2],
}

/// Every score of every seed, one per row; seeds without scores, and rows that were not run, say why.
pub fn tidy(report: &Report, stamp: &Stamp) -> TidyTable {
    let lines: Vec<Line> = report.tallies.iter().flat_map(lines).collect();
    let words = WORDS.iter().enumerate().map(|(at, name)| {
        let column = lines.iter().map(|line| line.words[at].clone()).collect();
        ((*name).to_owned(), TidyColumn::Words(column))
    });
    let numbers = NUMBERS.iter().enumerate().map(|(at, name)| {
        let column = lines.iter().map(|line| line.numbers[at]).collect();
        ((*name).to_owned(), TidyColumn::Numbers(column))
    });
    TidyTable { columns: words.chain(numbers).collect(), notes: stamp.notes() }
}

/// The rows of a tally; the seeds of a score stand together, which packs best.
fn lines(tally: &Tally) -> Vec<Line> {
    let place = |entry: [Option<&str>; 3], why: Option<&str>| {
        let [edges, at, metric] = entry.map(|word| word.map(str::to_owned));
        let own = [&tally.setting, &tally.reading, &tally.row].map(|word| Some(word.clone()));
        let [setting, reading, row] = own;
        [setting, reading, row, edges, at, metric, why.map(str::to_owned), None]
    };
    let of_seed = |mut words: [Option<String>; 8], seed: u64| {
        let cell = tally.cells.iter().find(|(known, _)| *known == seed);
        words[CELL] = cell.map(|(_, cell)| cell.clone());
        words
    };
    let mut scores: Vec<&(u64, Entry)> = tally.scores.iter().collect();
    scores.sort_by_key(|(_, e)| (&e.edges, &e.at, &e.metric));
    let mut all: Vec<Line> = Vec::new();
    for (seed, entry) in scores {
        let Entry { edges, at, metric, value } = entry;
        let words = place([Some(edges), Some(at), Some(metric)], None);
        all.push(Line { words, numbers: [Some(*seed as f64), Some(*value)] });
    }
    for (seed, seconds) in &tally.seconds {
        let words = of_seed(place([None, None, Some(SECONDS)], None), *seed);
        all.push(Line { words, numbers: [Some(*seed as f64), Some(*seconds)] });
    }
    for value in &tally.trace {
        all.push(Line {
            words: place([None, None, Some(TRACE)], None),
            numbers: [None, Some(*value)],
        });
    }
    for (seed, why) in &tally.failures {
        let words = of_seed(place([None; 3], Some(why)), *seed);
        all.push(Line { words, numbers: [Some(*seed as f64), None] });
    }
    if let Some(why) = &tally.barred {
        all.push(Line { words: place([None; 3], Some(why)), numbers: [None, None] });
    }
    all
}

/// The scores of an experiment from the table that was kept of them.
///
/// # Errors
/// If a column is missing.
pub fn from_tidy(experiment: &Experiment, table: &TidyTable, quick: bool) -> Result<Report> {
    let missing = |name: &str| Error::Experiment {
        experiment: experiment.name.clone(),
        reason: format!("its table of scores has no column `{name}` of the right kind"),
    };
    let rows = table.words(WORDS[0]).map_or(0, <[_]>::len);
    let none: Vec<Option<String>> = vec![None; rows];
    let words = WORDS.map(|name| match table.words(name) {
        None if name == WORDS[CELL] => Ok(&none[..]),
        found => found.ok_or_else(|| missing(name)),
    });
    let numbers = NUMBERS.map(|name| table.numbers(name).ok_or_else(|| missing(name)));
    let words = words.into_iter().collect::<Result<Vec<_>>>()?;
    let numbers = numbers.into_iter().collect::<Result<Vec<_>>>()?;
    let mut tallies: Vec<Tally> = Vec::new();
    for row in 0..words[0].len() {
        let word = |at: usize| words[at].get(row).and_then(Option::as_deref);
        let number = |at: usize| numbers[at].get(row).copied().flatten();
        let place = [0, 1, 2].map(|at| word(at).unwrap_or_default());
        let same = |t: &Tally| [&t.setting, &t.reading, &t.row].map(String::as_str) == place;
        if !tallies.last().is_some_and(same) {
            tallies.push(Tally::new(place[0], place[1], place[2]));
        }
        if let Some(tally) = tallies.last_mut() {
            take(tally, [3, 4, 5, 6, CELL].map(word), [0, 1].map(number));
        }
    }
    let named = |name: &String| tallies.iter().any(|tally| tally.setting == *name);
    let settings = experiment.settings.iter().map(|s| s.name.clone()).filter(named).collect();
    Ok(Report::new(experiment, &Part { quick, settings, ..Part::default() }, tallies))
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
            let [edges, at] = [edges, at].map(|word| word.unwrap_or_default().to_owned());
            let entry = Entry { edges, at, metric: metric.to_owned(), value };
            tally.scores.push((seed.unwrap_or(0), entry));
        }
        (_, _, Some(why)) => match seed {
            Some(seed) => tally.failures.push((seed, why.to_owned())),
            None => tally.barred = Some(why.to_owned()),
        },
        _ => {}
    }
}
