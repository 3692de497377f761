//! Several files as the series of one panel.

use std::collections::HashSet;
use std::path::Path;

use dycausal::{Panel, TimeIndex};
use ndarray::{Array3, s};

use crate::error::{Error, Place, Result};
use crate::format::Format;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::read::{Reading, read};
use crate::source::Source;
use crate::table::{Placing, RowTimes, place};
use crate::unpack::Packing;

/// The sources that words stand for: `-`, the path of a file, or a pattern such as `subject-*.csv`,
/// which stands for all files it fits, in the order of their names.
///
/// A file whose name has the signs of a pattern is taken as that file.
///
/// # Errors
/// If a pattern fits no file or is none.
pub fn find_sources(words: &[String]) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for word in words {
        if !word.contains(['*', '?', '[']) || Path::new(word).exists() {
            sources.push(Source::from(word.as_str()));
            continue;
        }
        let none = |reason: String| Error::NoFileFits { pattern: word.clone(), reason };
        let paths = glob::glob(word).map_err(|reason| none(reason.to_string()))?;
        let before = sources.len();
        for path in paths {
            let path = path.map_err(|reason| none(reason.to_string()))?;
            if path.is_file() {
                sources.push(Source::Path(path));
            }
        }
        if sources.len() == before {
            return Err(none("no file fits".into()));
        }
    }
    Ok(sources)
}

/// Reads several files, each as one or more series of one panel, named after the files.
///
/// Variables are matched by name. Steps are those of all times together; without times each series
/// begins at the first step.
///
/// # Errors
/// As [`read`] for each file; and if variables or kinds of times differ.
pub fn read_several(sources: &[Source], options: &ReadOptions) -> Result<Reading> {
    let [source, rest @ ..] = sources else {
        return Err(Error::NoFileFits {
            pattern: String::new(),
            reason: "no file is named".into(),
        });
    };
    let first = read(source, options)?;
    if rest.is_empty() {
        return Ok(first);
    }
    let names = first.panel.names().to_vec();
    let mut readings = vec![first];
    for other in rest {
        let mut reading = read(other, options)?;
        reading.panel = in_order(reading.panel, &names, &other.to_string(), &source.to_string())?;
        readings.push(reading);
    }
    let mut notes = together(sources, &readings);
    let format = readings[0].format;
    let panels: Vec<Panel> = readings.into_iter().map(|reading| reading.panel).collect();
    let panel = side_by_side(sources, &panels, options, &mut notes)?;
    Ok(Reading { panel, format, notes })
}

/// The panel with its variables in the order of the first file.
fn in_order(panel: Panel, names: &[String], file: &str, first: &str) -> Result<Panel> {
    if panel.names() == names {
        return Ok(panel);
    }
    let other = |column: &String, here: bool| Error::OtherColumns {
        file: file.into(),
        first: first.into(),
        column: column.clone(),
        here,
    };
    if let Some(extra) = panel.names().iter().find(|name| !names.contains(name)) {
        return Err(other(extra, true));
    }
    let number = |name: &String| {
        let found = panel.names().iter().position(|known| known == name);
        found.ok_or_else(|| other(name, false))
    };
    let order: Vec<usize> = names.iter().map(number).collect::<Result<_>>()?;
    panel.select(&order).map_err(|reason| Error::data(file, reason))
}

/// What to know of all files once, and of some with the name of the file.
fn together(sources: &[Source], readings: &[Reading]) -> Vec<Note> {
    let in_all = |note: &Note| readings.iter().all(|reading| reading.notes.contains(note));
    let mut notes: Vec<Note> = readings[0].notes.iter().filter(|n| in_all(n)).cloned().collect();
    for (source, reading) in sources.iter().zip(readings) {
        let own = reading.notes.iter().filter(|note| !in_all(note));
        let file = source.to_string();
        notes.extend(own.map(|note| Note::In { file: file.clone(), note: Box::new(note.clone()) }));
    }
    notes
}

fn side_by_side(
    sources: &[Source],
    panels: &[Panel],
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Panel> {
    let (times, steps) = common_steps(sources, panels, notes)?;
    let series: usize = panels.iter().map(Panel::series).sum();
    let found: usize = panels.iter().map(|panel| panel.series() * panel.steps()).sum();
    let file = || format!("{} files", sources.len());
    let sparse = series.saturating_mul(times.len()) / found.max(1) >= 1000;
    if sparse {
        let (times, rows) = (times.len(), found);
        return Err(Error::FewCommonTimes { file: file(), series, times, rows });
    }
    let d = panels[0].variables();
    let mut values = Array3::from_elem((series, times.len(), d), f64::NAN);
    let mut begin = 0;
    for (panel, steps) in panels.iter().zip(&steps) {
        let mut part = values.slice_mut(s![begin..begin + panel.series(), .., ..]);
        for (from, to) in steps.iter().enumerate() {
            part.slice_mut(s![.., *to, ..]).assign(&panel.values().slice(s![.., from, ..]));
        }
        begin += panel.series();
    }
    let names = series_names(sources, panels, options);
    Panel::new(values, panels[0].names().to_vec())
        .and_then(|panel| panel.with_times(times)?.with_series_names(names))
        .map_err(|reason| Error::data(file(), reason))
}

/// The times of all panels, and the steps of each.
fn common_steps(
    sources: &[Source],
    panels: &[Panel],
    notes: &mut Vec<Note>,
) -> Result<(TimeIndex, Vec<Vec<usize>>)> {
    let (mut text, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut longest = 0;
    for (source, panel) in sources.iter().zip(panels) {
        if std::mem::discriminant(panel.times()) != std::mem::discriminant(panels[0].times()) {
            let (file, first) = (source.to_string(), sources[0].to_string());
            return Err(Error::OtherTimes { file, first });
        }
        longest = longest.max(panel.steps());
        places.extend((1..=panel.steps() as u64).map(Place::Row));
        match panel.times() {
            TimeIndex::Steps(_) => {}
            TimeIndex::Numbers(numbers) => values.extend_from_slice(numbers),
            TimeIndex::Dates { text: labels, seconds } => {
                text.extend_from_slice(labels);
                values.extend_from_slice(seconds);
            }
        }
    }
    let index = match panels[0].times() {
        TimeIndex::Steps(_) => {
            let steps = panels.iter().map(|panel| (0..panel.steps()).collect());
            return Ok((TimeIndex::Steps(longest), steps.collect()));
        }
        TimeIndex::Numbers(_) => TimeIndex::Numbers(values),
        TimeIndex::Dates { .. } => TimeIndex::Dates { text, seconds: values },
    };
    let rows = RowTimes { index, places, column: "time".into() };
    let Placing { times, steps: all } =
        place(&format!("{} files", sources.len()), &rows, None, notes)?;
    let mut begin = 0;
    let steps = panels.iter().map(|panel| {
        begin += panel.steps();
        all[begin - panel.steps()..begin].to_vec()
    });
    Ok((times, steps.collect()))
}

/// The files' names without folder and extension, and the series' own where a file has several.
fn series_names(sources: &[Source], panels: &[Panel], options: &ReadOptions) -> Vec<String> {
    let stems: Vec<String> = sources.iter().map(stem).collect();
    let unique = stems.iter().collect::<HashSet<_>>().len() == stems.len();
    let files = sources.iter().zip(stems);
    let files = files.map(|(source, stem)| if unique { stem } else { source.to_string() });
    let several = options.id.is_some() || panels.iter().any(|panel| panel.series() > 1);
    let named = files.zip(panels).flat_map(|(file, panel)| {
        let name = move |own: &String| if several { format!("{file}/{own}") } else { file.clone() };
        panel.series_names().iter().map(name).collect::<Vec<_>>()
    });
    named.collect()
}

/// A file's name without its folder, its extension and that of its packing.
fn stem(source: &Source) -> String {
    let Source::Path(path) = source else { return source.to_string() };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parts = |name: &str| name.rsplit_once('.').map(|(a, b)| (a.to_owned(), b.to_lowercase()));
    match parts(&name) {
        Some((inner, extension)) if Packing::is_extension(&extension) => match parts(&inner) {
            Some((stem, extension)) if extension.parse::<Format>().is_ok() => stem,
            _ => inner,
        },
        Some((stem, extension)) if extension.parse::<Format>().is_ok() => stem,
        _ => name,
    }
}
