//! Which column is the time, which the series, and which are variables.

use std::collections::HashMap;

use dycausal::Panel;

use super::Rows;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;

/// What each column of a table is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    /// The column of times.
    pub time: Option<usize>,
    /// The column that names the series.
    pub id: Option<usize>,
    /// The columns of variables, in the panel's order; the one of values where each row holds one.
    pub variables: Vec<usize>,
    /// The column that names the variable of each row, where each row holds one value.
    pub variable: Option<usize>,
}

/// What pandas calls an index that has no name.
const PANDAS_INDEX: &str = "__index_level_0__";

impl Roles {
    /// The roles of columns with these names (empty for none), which are filled in where missing.
    pub(crate) fn assign(
        file: &str,
        names: &mut [String],
        options: &ReadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self> {
        let index = names
            .iter()
            .position(|name| name == PANDAS_INDEX)
            .or_else(|| names.first().is_some_and(String::is_empty).then_some(0));
        for (number, name) in names.iter_mut().enumerate() {
            if name.is_empty() {
                *name = format!("column{}", number + 1);
                if index != Some(number) {
                    notes.push(
                        format!("column {} has no name; it is called `{name}`", number + 1).into(),
                    );
                }
            }
        }
        unique(file, names)?;
        if options.variable.is_some() || options.value.is_some() {
            return Self::one_value_per_row(file, names, options, notes);
        }
        let find = |name: &String| find(file, names, name);
        let dropped = options.drop.iter().map(find).collect::<Result<Vec<_>>>()?;
        let kept = options.columns.iter().map(find).collect::<Result<Vec<_>>>()?;
        let id = options.id.as_ref().map(find).transpose()?;
        let free = |column: &usize| {
            !dropped.contains(column) && !kept.contains(column) && id != Some(*column)
        };
        let index = index.filter(free);
        let time = match options.time.as_deref() {
            Some("") => None,
            Some(_) => options.time.as_ref().map(find).transpose()?,
            None => {
                let named = named_time(names, free);
                let time = named.or(index.filter(|_| id.is_none()));
                if let Some(column) = time {
                    notes.push(Note::TimeByName { column: names[column].clone() });
                }
                time
            }
        };
        if let Some(column) = index.filter(|column| time != Some(*column)) {
            notes.push(format!("column `{}`, an index, is left out", names[column]).into());
        }
        let variables = if kept.is_empty() {
            (0..names.len()).filter(|c| free(c) && time != Some(*c) && index != Some(*c)).collect()
        } else {
            kept.into_iter()
                .filter(|c| !dropped.contains(c) && time != Some(*c) && id != Some(*c))
                .collect::<Vec<_>>()
        };
        if variables.is_empty() {
            return Err(Error::NoVariable { file: file.into() });
        }
        Ok(Self { time, id, variables, variable: None })
    }

    /// No rows yet of a table with these roles.
    pub(crate) fn rows(&self, file: &str, names: &[String], options: &ReadOptions) -> Result<Rows> {
        let kept = self.variables.iter().map(|column| names[*column].clone());
        let kept = self.variable.is_none().then(|| kept.collect());
        let time = self.time.map(|column| names[column].as_str());
        Rows::new(file, kept, time, self.id.is_some(), options)
    }

    /// The roles in a table with one row per value.
    fn one_value_per_row(
        file: &str,
        names: &[String],
        options: &ReadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self> {
        let missing = |option| Error::OptionsTogether { file: file.into(), option };
        let named =
            |name: Option<&String>, option| find(file, names, name.ok_or_else(|| missing(option))?);
        let variable = named(options.variable.as_ref(), "variable")?;
        let value = named(options.value.as_ref(), "value")?;
        let id = options.id.as_ref().map(|name| find(file, names, name)).transpose()?;
        let free = |column: &usize| ![Some(variable), Some(value), id].contains(&Some(*column));
        let time = if let Some(name) = &options.time {
            find(file, names, name)?
        } else {
            let time = named_time(names, free).ok_or_else(|| missing("time"))?;
            notes.push(Note::TimeByName { column: names[time].clone() });
            time
        };
        Ok(Self { time: Some(time), id, variables: vec![value], variable: Some(variable) })
    }
}

/// The first column that is called as times are; a year alone, where nothing says more.
fn named_time(names: &[String], free: impl Fn(&usize) -> bool) -> Option<usize> {
    const PARTS: [&str; 5] = ["month", "quarter", "week", "day", "hour"];
    let called = |name: &str, known: &str| known.eq_ignore_ascii_case(name);
    let mut columns = (0..names.len()).filter(|column| free(column));
    columns.clone().find(|column| is_time(&names[*column])).or_else(|| {
        let in_parts = names.iter().any(|name| PARTS.iter().any(|part| called(name, part)));
        columns.find(|column| !in_parts && called(&names[*column], "year"))
    })
}

fn is_time(name: &str) -> bool {
    const NAMES: [&str; 4] = ["time", "date", "datetime", "timestamp"];
    // A capital T is a temperature more often than a time.
    name == "t" || NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn unique(file: &str, names: &[String]) -> Result<()> {
    let mut seen = HashMap::new();
    for (second, name) in names.iter().enumerate() {
        if let Some(first) = seen.insert(name, second) {
            return Err(Error::DuplicateColumn {
                file: file.into(),
                name: name.clone(),
                first: first + 1,
                second: second + 1,
            });
        }
    }
    Ok(())
}

/// The column of this name.
pub(crate) fn find(file: &str, names: &[String], name: &str) -> Result<usize> {
    names.iter().position(|known| known == name).ok_or_else(|| Error::NoSuchColumn {
        file: file.into(),
        name: name.into(),
        nearest: dycausal::internals::nearest(name, names.iter().map(String::as_str)),
        known: names.to_vec(),
    })
}

/// The panel of the variables asked for.
pub(crate) fn keep(file: &str, panel: Panel, options: &ReadOptions) -> Result<Panel> {
    if options.columns.is_empty() && options.drop.is_empty() {
        return Ok(panel);
    }
    let numbers = |names: &[String]| -> Result<Vec<usize>> {
        names.iter().map(|name| find(file, panel.names(), name)).collect()
    };
    let (mut kept, dropped) = (numbers(&options.columns)?, numbers(&options.drop)?);
    if kept.is_empty() {
        kept = (0..panel.variables()).collect();
    }
    kept.retain(|variable| !dropped.contains(variable));
    if kept.is_empty() {
        return Err(Error::NoVariable { file: file.into() });
    }
    panel.select(&kept).map_err(|reason| Error::data(file, reason))
}
