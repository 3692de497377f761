//! Scores of recorded data as a tidy table that is kept, and back.

use dycausal_io::{TidyColumn, TidyTable};

use super::super::stamp::Stamp;
use super::run::{RealEntry, RealReport, RealRequest, RealTally};
use super::spec::RealSpec;
use crate::error::{Error, Result};

/// The columns of words, in order.
const WORDS: [&str; 10] =
    ["group", "case", "way", "method", "columns", "by", "edges", "diagonal", "metric", "why"];
/// The columns of numbers, in order.
const NUMBERS: [&str; 4] = ["mean", "sd", "count", "seconds"];

type Line = ([Option<String>; 10], [Option<f64>; 4]);

/// Every score of every case, one per row; what has none says why.
pub fn tidy_real(report: &RealReport, stamp: &Stamp) -> TidyTable {
    let lines: Vec<Line> = report.tallies.iter().flat_map(lines).collect();
    let words = WORDS.iter().enumerate().map(|(at, name)| {
        let column = lines.iter().map(|line| line.0[at].clone()).collect();
        ((*name).to_owned(), TidyColumn::Words(column))
    });
    let numbers = NUMBERS.iter().enumerate().map(|(at, name)| {
        let column = lines.iter().map(|line| line.1[at]).collect();
        ((*name).to_owned(), TidyColumn::Numbers(column))
    });
    TidyTable { columns: words.chain(numbers).collect(), notes: stamp.notes() }
}

fn lines(tally: &RealTally) -> Vec<Line> {
    let columns = if tally.unit_free { "standardised" } else { "raw" };
    let line = |entry: [Option<&str>; 5], numbers: [Option<f64>; 4]| {
        let own = [&tally.group, &tally.case, &tally.way, &tally.row].map(String::as_str);
        let place = [own[0], own[1], own[2], own[3], columns].map(Some);
        let words: Vec<Option<String>> =
            place.into_iter().chain(entry).map(|word| word.map(str::to_owned)).collect();
        (std::array::from_fn(|at| words.get(at).cloned().flatten()), numbers)
    };
    let entry = |e: &RealEntry| {
        let diagonal = if e.diagonal { "true" } else { "false" };
        let words = [Some(e.by.as_str()), Some(&e.edges), Some(diagonal), Some(&e.metric), None];
        line(words, [Some(e.mean), e.sd, Some(e.count as f64), Some(tally.seconds)])
    };
    let mut all: Vec<Line> = tally.entries.iter().map(entry).collect();
    if let Some(why) = &tally.failure {
        all.push(line([None, None, None, None, Some(why)], [None, None, None, None]));
    }
    all
}

/// The scores from the table that was kept of them.
///
/// # Errors
/// If a column is missing.
pub fn real_from_tidy(spec: &RealSpec, table: &TidyTable) -> Result<RealReport> {
    let missing = |name: &str| Error::Experiment {
        experiment: "real".into(),
        reason: format!("its table of scores has no column `{name}` of the right kind"),
    };
    let words = WORDS.map(|name| table.words(name).ok_or_else(|| missing(name)));
    let numbers = NUMBERS.map(|name| table.numbers(name).ok_or_else(|| missing(name)));
    let words = words.into_iter().collect::<Result<Vec<_>>>()?;
    let numbers = numbers.into_iter().collect::<Result<Vec<_>>>()?;
    let mut tallies: Vec<RealTally> = Vec::new();
    for row in 0..words[0].len() {
        let word = |at: usize| words[at].get(row).and_then(Option::as_deref);
        let number = |at: usize| numbers[at].get(row).copied().flatten();
        let place = [0, 1, 2, 3, 4].map(|at| word(at).unwrap_or_default());
        let tally = fresh(place, number(3).unwrap_or(0.0));
        let same = |last: &RealTally| last.is_of(&tally);
        if !tallies.last().is_some_and(same) {
            tallies.push(tally);
        }
        if let Some(tally) = tallies.last_mut() {
            take(tally, [5, 6, 7, 8, 9].map(word), [0, 1, 2].map(number));
        }
    }
    Ok(RealReport { spec: spec.clone(), request: RealRequest::default(), tallies })
}

fn fresh([group, case, way, row, columns]: [&str; 5], seconds: f64) -> RealTally {
    let [group, case, way, row] = [group, case, way, row].map(str::to_owned);
    let unit_free = columns == "standardised";
    RealTally { group, case, way, row, unit_free, entries: Vec::new(), seconds, failure: None }
}

/// Adds one row of the table to its tally.
fn take(
    tally: &mut RealTally,
    [by, edges, diagonal, metric, why]: [Option<&str>; 5],
    [mean, sd, count]: [Option<f64>; 3],
) {
    if let (Some(by), Some(metric), Some(mean)) = (by, metric, mean) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // a count that was written
        let count = count.unwrap_or(0.0) as usize;
        tally.entries.push(RealEntry {
            by: by.to_owned(),
            edges: edges.unwrap_or_default().to_owned(),
            diagonal: diagonal == Some("true"),
            metric: metric.to_owned(),
            mean,
            sd,
            count,
        });
    }
    if let Some(why) = why {
        tally.failure = Some(why.to_owned());
    }
}
