//! Spreadsheets: one sheet of an Excel workbook or an OpenDocument spreadsheet, as a wide or long
//! table whose first row that is not empty is the header.

mod cell;
mod safety;
mod table;

use std::io::{BufReader, Seek};

use calamine::{Data, Ods, Reader, Xlsx};
use dycausal::Panel;

use self::table::Table;
use super::columnar::guarded;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;

/// Reads a sheet of an Excel workbook, cell by cell.
pub(crate) fn read_xlsx(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    let broken = |reason: String| {
        Error::malformed(&file, "XLSX", reason, "a workbook as Excel or LibreOffice saves it")
    };
    let (mut from, size) = source.file(options.limit)?;
    refuse_array(&file, options)?;
    guarded(broken, || {
        safety::check_archive(&from, size).map_err(broken)?;
        from.rewind().map_err(|reason| Error::unreadable(&file, reason))?;
        let mut book: Xlsx<_> =
            Xlsx::new(BufReader::new(from)).map_err(|reason| broken(reason.to_string()))?;
        let mut notes = Vec::new();
        let sheet = choose(&file, &book.sheet_names(), options.sheet.as_deref(), &mut notes)?;
        let mut cells =
            book.worksheet_cells_reader(&sheet).map_err(|reason| broken(reason.to_string()))?;
        let mut table = Table::new(&file, &sheet, options);
        while let Some(cell) = cells.next_cell().map_err(|reason| broken(reason.to_string()))? {
            let (row, column) = cell.get_position();
            table.push(row, column, Data::from(cell.get_value().clone()), &mut notes)?;
        }
        let panel = table.into_panel(&mut notes)?;
        Ok((panel, notes))
    })
}

/// Reads a sheet of an OpenDocument spreadsheet.
pub(crate) fn read_ods(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    let broken = |reason: String| {
        Error::malformed(&file, "ODS", reason, "a spreadsheet as LibreOffice saves it")
    };
    let (mut from, size) = source.file(options.limit)?;
    refuse_array(&file, options)?;
    guarded(broken, || {
        safety::check_archive(&from, size).map_err(broken)?;
        safety::check_repeats(&from).map_err(broken)?;
        from.rewind().map_err(|reason| Error::unreadable(&file, reason))?;
        let mut book: Ods<_> =
            Ods::new(BufReader::new(from)).map_err(|reason| broken(reason.to_string()))?;
        let mut notes = Vec::new();
        let sheet = choose(&file, &book.sheet_names(), options.sheet.as_deref(), &mut notes)?;
        let cells = book.worksheet_range(&sheet).map_err(|reason| broken(reason.to_string()))?;
        let (top, left) = cells.start().unwrap_or((0, 0));
        let mut table = Table::new(&file, &sheet, options);
        for (row, column, cell) in cells.used_cells() {
            let place = |from: u32, number: usize| {
                from.saturating_add(u32::try_from(number).unwrap_or(u32::MAX))
            };
            table.push(place(top, row), place(left, column), cell.clone(), &mut notes)?;
        }
        let panel = table.into_panel(&mut notes)?;
        Ok((panel, notes))
    })
}

fn refuse_array(file: &str, options: &ReadOptions) -> Result<()> {
    if options.array.is_some() {
        let (option, format) = ("array", "spreadsheets");
        return Err(Error::NotApplicable { file: file.into(), option, format });
    }
    Ok(())
}

/// The name of the sheet that is meant: by name, by number from 1, or the first.
fn choose(
    file: &str,
    sheets: &[String],
    asked: Option<&str>,
    notes: &mut Vec<Note>,
) -> Result<String> {
    let wrong =
        |problem: String| Error::WhichSheet { file: file.into(), problem, sheets: sheets.to_vec() };
    let Some(asked) = asked else {
        let first = sheets.first().ok_or_else(|| wrong("it has no sheet".into()))?;
        if sheets.len() > 1 {
            notes.push(Note::FirstSheet { sheet: first.clone(), of: sheets.len() });
        }
        return Ok(first.clone());
    };
    let by_number = || asked.parse::<usize>().ok()?.checked_sub(1).and_then(|n| sheets.get(n));
    let found = sheets.iter().find(|name| *name == asked).or_else(by_number);
    found.cloned().ok_or_else(|| wrong(format!("it has no sheet `{asked}`")))
}
