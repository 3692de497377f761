//! What an experiment comes to in a line: the published figures, the published method here, our best.

use super::beside::{Beside, PAPERS, published_setting};
use super::catalogue::ORACLE;
use super::report::Report;
use super::spec::Setting;
use crate::error::Result;
use crate::study::Tally;

/// Rows of the published method by the paper's text, and by our reading of it.
const TEXT: [&str; 2] = ["dycausal (paper)", "paper"];
const OURS: [&str; 2] = ["dycausal (convolution)", "ours"];

/// From so many cells on their mean is shown instead of each.
const MANY: usize = 4;

/// Where there is no figure.
const NONE: &str = "–";

/// Beside a figure that is below the published one.
const BELOW: &str = " ↓";

/// One line of the page of all results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Headline {
    /// The settings.
    pub place: String,
    /// What the paper prints.
    pub published: String,
    /// The published method with the choices of the paper's text.
    pub text: String,
    /// The published method with ours.
    pub ours: String,
    /// The best row.
    pub best: String,
    /// Its name; several where settings stand side by side.
    pub rows: Vec<String>,
    /// How many seeds the figures are of: the fewest and the most.
    pub seeds: (usize, usize),
}

impl Headline {
    /// Settings of one figure each, side by side.
    fn beside(mut self, next: Self) -> Self {
        let columns = [
            (&mut self.published, next.published),
            (&mut self.text, next.text),
            (&mut self.ours, next.ours),
            (&mut self.best, next.best),
            (&mut self.place, next.place),
        ];
        for (column, other) in columns {
            if !(column == NONE && other == NONE) {
                *column = format!("{column} / {other}");
            }
        }
        self.rows.extend(next.rows);
        self.rows.dedup();
        self.seeds = (self.seeds.0.min(next.seeds.0), self.seeds.1.max(next.seeds.1));
        self
    }

    /// How many seeds, in a word.
    pub fn seeds(&self) -> String {
        let (fewest, most) = self.seeds;
        if fewest == most { most.to_string() } else { format!("{fewest}–{most}") }
    }
}

/// A cell of a line: the setting, which edges, and where.
type Place<'a> = (&'a Setting, String, String);

/// The lines of an experiment: one per published setting, or one for all where there are many or none, or where each
/// has a single figure.
pub(super) fn headlines(report: &Report) -> Result<Vec<Headline>> {
    let beside = Beside::of(report)?;
    let printed = |setting: &&&Setting| {
        let name = published_setting(report, &setting.name);
        name.is_some_and(|name| beside.methods(name).iter().any(|method| method == PAPERS))
    };
    let all = report.settings();
    let of_paper: Vec<&Setting> = all.iter().filter(printed).copied().collect();
    let groups: Vec<Vec<&Setting>> = match of_paper.len() {
        0 => vec![all],
        1..=MANY => of_paper.into_iter().map(|setting| vec![setting]).collect(),
        _ => vec![of_paper],
    };
    let lines = groups.iter().filter_map(|settings| headline(report, &beside, settings));
    let figures = report.experiment.edges.len() * report.places().len();
    if figures == 1 || figures > MANY {
        return Ok(lines.reduce(Headline::beside).into_iter().collect());
    }
    Ok(lines.collect())
}

fn headline(report: &Report, beside: &Beside, settings: &[&Setting]) -> Option<Headline> {
    let metric = report.experiment.metrics.first().map_or("F1", String::as_str);
    let reading = report.experiment.headline.as_deref();
    let reading = reading.or_else(|| report.readings().first().copied())?;
    let places: Vec<Place<'_>> = places(report, settings);
    let published: Vec<Option<f64>> = places
        .iter()
        .map(|(setting, edges, at)| {
            let name = published_setting(report, &setting.name)?;
            Some(beside.mean(name, PAPERS, (edges, at, metric))?.mean)
        })
        .collect();
    let of_row = |row: &str| -> Vec<Option<f64>> {
        let value = |(setting, edges, at): &Place<'_>| {
            let own = tally(report, reading, &setting.name, row)?;
            Some(own.mean(edges, at, metric)?.mean)
        };
        places.iter().map(value).collect()
    };
    let named = |names: [&'static str; 2]| {
        let mut rows = names.into_iter().map(|name| (name, of_row(name)));
        rows.find(|(_, values)| values.iter().any(Option::is_some))
    };
    let (text, ours) = (named(TEXT), named(OURS));
    let (best, values) = best(report, reading, &of_row)?;
    let many = settings.len() > 1;
    let rows = [&text, &ours].into_iter().flatten().map(|(name, _)| *name);
    let rows: Vec<&str> = rows.chain([best.as_str()]).collect();
    let tallies = settings.iter().flat_map(|setting| {
        rows.iter().filter_map(|row| tally(report, reading, &setting.name, row))
    });
    let counts: Vec<usize> =
        tallies.map(|tally| tally.seconds.len()).filter(|count| *count > 0).collect();
    let figures =
        |row: Option<(&str, Vec<_>)>| row.map_or(NONE.into(), |row| shown(&row.1, &published));
    Some(Headline {
        place: if many { format!("{} settings", settings.len()) } else { settings[0].name.clone() },
        published: shown(&published, &published),
        text: figures(text),
        ours: figures(ours),
        best: shown(&values, &published),
        seeds: (
            counts.iter().copied().min().unwrap_or(0),
            counts.iter().copied().max().unwrap_or(0),
        ),
        rows: vec![best],
    })
}

fn places<'a>(report: &Report, settings: &[&'a Setting]) -> Vec<Place<'a>> {
    let mut all = Vec::new();
    for setting in settings {
        for edges in &report.experiment.edges {
            for at in report.places() {
                all.push((*setting, edges.clone(), at));
            }
        }
    }
    all
}

fn tally<'a>(report: &'a Report, reading: &str, setting: &str, row: &str) -> Option<&'a Tally> {
    let same = |t: &&Tally| t.row == row && t.reading == reading && t.setting == setting;
    report.tallies.iter().find(same)
}

/// The row with the highest mean over all places; what is told the truth does not count, nor what was
/// not run everywhere, unless no row was.
fn best(
    report: &Report,
    reading: &str,
    of_row: &impl Fn(&str) -> Vec<Option<f64>>,
) -> Option<(String, Vec<Option<f64>>)> {
    let mut names: Vec<&str> = Vec::new();
    for tally in report.tallies.iter().filter(|t| t.reading == reading && t.row != ORACLE) {
        if !names.contains(&tally.row.as_str()) {
            names.push(&tally.row);
        }
    }
    let rated = names.into_iter().filter_map(|name| {
        let values = of_row(name);
        let whole = values.iter().all(Option::is_some);
        Some(((whole, mean(&values)?), name.to_owned(), values))
    });
    let best = rated.max_by(|a, b| a.0.0.cmp(&b.0.0).then(a.0.1.total_cmp(&b.0.1)))?;
    Some((best.1, best.2))
}

fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// Figures, each marked where it is below the published one; their mean where they are many.
fn shown(values: &[Option<f64>], published: &[Option<f64>]) -> String {
    let cell = |value: Option<f64>, theirs: Option<f64>| match (value, theirs) {
        (None, _) => NONE.to_owned(),
        (Some(value), Some(theirs)) if value < theirs => format!("{value:.1}{BELOW}"),
        (Some(value), _) => format!("{value:.1}"),
    };
    if values.len() > MANY {
        // Only where both are there can one be below the other.
        let both = values.iter().zip(published).filter(|(own, theirs)| {
            own.is_some() && (theirs.is_some() || published.iter().all(Option::is_none))
        });
        let (own, theirs): (Vec<_>, Vec<_>) = both.unzip();
        return cell(mean(&own), mean(&theirs));
    }
    let cells = values.iter().zip(published).map(|(value, theirs)| cell(*value, *theirs));
    cells.collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_one_figure_stand_side_by_side() {
        let line = |place: &str, row: &str, seeds: usize| Headline {
            place: place.into(),
            published: "98.5".into(),
            text: "–".into(),
            ours: "85.8 ↓".into(),
            best: "99.3".into(),
            rows: vec![row.into()],
            seeds: (seeds, 10),
        };
        let lines = [line("d=10", "gp", 10), line("d=20", "gp", 10), line("d=40", "ordered", 5)];
        let all = lines.into_iter().reduce(Headline::beside).unwrap();
        assert_eq!(all.place, "d=10 / d=20 / d=40");
        assert_eq!(all.ours, "85.8 ↓ / 85.8 ↓ / 85.8 ↓");
        assert_eq!(all.text, "–");
        assert_eq!(all.rows, ["gp", "ordered"]);
        assert_eq!(all.seeds(), "5–10");
        assert_eq!(line("d=10", "gp", 10).seeds(), "10");
    }

    #[test]
    fn what_is_below_is_marked_and_many_become_their_mean() {
        let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let (ours, theirs) = (some(&[99.0, 80.04, 90.0]), some(&[91.0, 81.0, 90.0]));
        assert_eq!(shown(&ours, &theirs), "99.0 / 80.0 ↓ / 90.0");
        assert_eq!(shown(&[None, Some(5.0)], &[Some(1.0), None]), "– / 5.0");
        let (ours, theirs) = (some(&[90.0; 6]), some(&[90.5; 6]));
        assert_eq!(shown(&ours, &theirs), "90.0 ↓");
        assert_eq!(shown(&ours, &[None; 6]), "90.0");
        assert_eq!(shown(&[None; 6], &theirs), "–");
    }
}
