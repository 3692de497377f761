//! Rows on the even steps of time.

use dycausal::TimeIndex;
use dycausal::calendar::{Every, Gap, Grid, Rule, Step};

use super::times::RowTimes;
use crate::error::{Error, Result};
use crate::note::Note;

/// How much longer than the times that are there a panel may become by its holes.
const MOST_STEPS: usize = 10;

/// The times of all steps, and the step of each row.
pub(crate) struct Placing {
    pub times: TimeIndex,
    pub steps: Vec<usize>,
}

/// Places rows by their times: on steps that are asked for, or on those that the times have.
pub(crate) fn place(
    file: &str,
    rows: &RowTimes,
    every: Option<Every>,
    notes: &mut Vec<Note>,
) -> Result<Placing> {
    let (times, grid, mut steps) = match every {
        Some(every) => {
            let bins = every.bins(&rows.index).map_err(|reason| Error::data(file, reason))?;
            notes.push(in_words(every, bins.grid.step).into());
            (bins.times, bins.grid, bins.of_time)
        }
        None if rows.values().is_sorted_by(|a, b| a < b) => {
            let grid = Grid::of(&rows.index).ok_or_else(|| {
                let all: Vec<usize> = (0..rows.values().len()).collect();
                uneven(file, rows, &all)
            })?;
            (rows.index.clone(), grid, (0..rows.values().len()).collect())
        }
        None => {
            let (firsts, steps) = rows.union();
            let times = rows.take(&firsts);
            let grid = Grid::of(&times).ok_or_else(|| uneven(file, rows, &firsts))?;
            (times, grid, steps)
        }
    };
    check_size(file, &rows.column, &times, &grid)?;
    tell(&grid, every.is_some(), notes);
    if grid.is_complete() {
        return Ok(Placing { times, steps });
    }
    for step in &mut steps {
        *step = grid.places[*step];
    }
    Ok(Placing { times: grid.complete(&times), steps })
}

fn in_words(every: Every, step: Step) -> String {
    let values = match every.rule {
        Rule::Mean => "the means",
        Rule::Last => "the last",
        Rule::Sum => "the sums",
    };
    format!("values are {values} of every {step}")
}

/// What a user should know of the steps.
fn tell(grid: &Grid, asked: bool, notes: &mut Vec<Note>) {
    if grid.step == Step::BusinessDay {
        notes.push("no time is on a weekend: steps are business days".into());
    }
    if !grid.exact && !asked {
        notes.push(
            format!("times jitter a little round steps of {}, which count as even", grid.step)
                .into(),
        );
    }
    let (holes, steps) = grid.gaps().fold((0, 0), |(n, steps), gap| (n + 1, steps + gap.steps));
    if holes > 0 {
        let plural = if holes == 1 { "" } else { "s" };
        notes.push(format!(
            "{steps} of {} steps (every {}) are not there, in {holes} hole{plural}: they are missing, and no lag reaches across",
            grid.len(),
            grid.step
        ).into());
    }
}

/// Refuses holes that would make a panel mostly of nothing.
fn check_size(file: &str, column: &str, times: &TimeIndex, grid: &Grid) -> Result<()> {
    if grid.len() <= times.len().saturating_mul(MOST_STEPS) {
        return Ok(());
    }
    let largest = grid.gaps().max_by_key(|gap| gap.steps);
    let Gap { before, steps } = largest.unwrap_or(Gap { before: 0, steps: 0 });
    Err(Error::TooManyHoles {
        file: file.into(),
        column: column.into(),
        times: times.len(),
        steps: grid.len(),
        step: grid.step.to_string().into(),
        from: times.label(before).into(),
        to: times.label(before + 1).into(),
        hole: steps,
    })
}

/// Names the first time that does not fit, and steps that would.
fn uneven(file: &str, rows: &RowTimes, firsts: &[usize]) -> Error {
    let times: Vec<f64> = firsts.iter().map(|row| rows.values()[*row]).collect();
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut sorted = gaps.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(1.0);
    let off = |gap: &f64| (gap / median - (gap / median).round().max(1.0)).abs();
    // The first that is far off; where none is, the worst.
    let first = gaps.iter().position(|gap| off(gap) > 0.05);
    let worst = || (0..gaps.len()).max_by(|a, b| off(&gaps[*a]).total_cmp(&off(&gaps[*b])));
    let at = first.or_else(worst).unwrap_or(0);
    let said = |distance: f64| match rows.index {
        TimeIndex::Dates { .. } => Step::Seconds(distance).to_string(),
        _ => Step::Number(distance).to_string(),
    };
    Error::Uneven {
        file: file.into(),
        column: rows.column.as_str().into(),
        typical: said(median).into(),
        gap: said(gaps.get(at).copied().unwrap_or(0.0)).into(),
        earlier: Box::new(rows.moment(firsts[at])),
        later: Box::new(rows.moment(firsts[(at + 1).min(firsts.len() - 1)])),
        every: Every::near(&rows.index, median).to_string().into(),
    }
}
