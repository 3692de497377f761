//! Whether a spreadsheet would grow beyond all measure when it is unpacked.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use zip::ZipArchive;

/// How many times its packed size a spreadsheet may have, and what it may always have.
const MOST_DENSE: u64 = 300;
const ALWAYS: u64 = 1 << 28;

/// How many cells a spreadsheet may repeat.
const MOST_CELLS: u64 = 20_000_000;

/// Unpacks everything once, to nowhere, and says what is wrong.
pub(super) fn check_archive(file: &File, size: u64) -> Result<(), String> {
    let limit = size.saturating_mul(MOST_DENSE).max(ALWAYS);
    let mut left = limit;
    let mut archive = open(file)?;
    for number in 0..archive.len() {
        let entry = archive.by_index(number).map_err(|reason| reason.to_string())?;
        let read = io::copy(&mut entry.take(left.saturating_add(1)), &mut io::sink());
        left = left
            .checked_sub(read.map_err(|reason| reason.to_string())?)
            .ok_or_else(|| format!("an archive that unpacks to more than {} MiB", limit >> 20))?;
    }
    Ok(())
}

/// Refuses OpenDocument sheets whose cells are repeated too often.
pub(super) fn check_repeats(file: &File) -> Result<(), String> {
    let mut archive = open(file)?;
    let content = archive.by_name("content.xml").map_err(|reason| reason.to_string())?;
    let mut cells = Repeats::default();
    for byte in BufReader::with_capacity(1 << 16, content).bytes() {
        cells.take(byte.map_err(|reason| reason.to_string())?);
        if cells.count > MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} cells"));
        }
    }
    Ok(())
}

fn open(file: &File) -> Result<ZipArchive<BufReader<File>>, String> {
    let mut file = file.try_clone().map_err(|reason| reason.to_string())?;
    file.rewind().map_err(|reason| reason.to_string())?;
    ZipArchive::new(BufReader::new(file)).map_err(|reason| reason.to_string())
}

/// Counts the cells that the tags of a sheet ask for, as they pass by.
#[derive(Default)]
struct Repeats {
    tag: Vec<u8>,
    within: bool,
    quote: Option<u8>,
    /// Empty cells count only if another follows in their row.
    empty: u64,
    count: u64,
}

impl Repeats {
    fn take(&mut self, byte: u8) {
        const LONGEST: usize = 1 << 16;
        match (self.within, self.quote, byte) {
            (false, _, b'<') => self.within = true,
            (false, ..) => {}
            (true, None, b'>') => {
                self.end_tag();
                self.tag.clear();
                self.within = false;
            }
            (true, quote, _) => {
                if self.tag.len() < LONGEST {
                    self.tag.push(byte);
                }
                self.quote = match quote {
                    None if matches!(byte, b'"' | b'\'') => Some(byte),
                    Some(open) if open == byte => None,
                    other => other,
                };
            }
        }
    }

    fn end_tag(&mut self) {
        let tag = String::from_utf8_lossy(&self.tag);
        if tag.starts_with("table:table-row") {
            self.empty = 0;
        } else if tag.starts_with("table:table-cell") || tag.starts_with("table:covered-table-cell")
        {
            let repeats = tag.split("number-columns-repeated=").nth(1).and_then(|rest| {
                rest.trim_start_matches(['"', '\'']).split(['"', '\'']).next()?.parse::<u64>().ok()
            });
            let repeats = repeats.unwrap_or(1).min(1 << 14);
            self.count += std::mem::take(&mut self.empty);
            if tag.contains("office:") || tag.contains("table:formula") {
                self.count += repeats;
            } else {
                self.empty = repeats;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> u64 {
        let mut repeats = Repeats::default();
        text.bytes().for_each(|byte| repeats.take(byte));
        repeats.count
    }

    #[test]
    fn repeated_cells_count_unless_they_are_an_empty_end() {
        let end = "<table:table-row><table:table-cell office:value=\"1\"/><table:table-cell table:number-columns-repeated=\"16000\"/></table:table-row>";
        assert_eq!(count(&end.repeat(3)), 3);
        let bomb = "<table:table-row><table:table-cell a='>' table:number-columns-repeated=\"16000\" office:value=\"1\"/></table:table-row>";
        assert_eq!(count(&bomb.repeat(3)), 48_000);
        let between = "<table:table-row><table:table-cell table:number-columns-repeated=\"9\"/><table:table-cell office:value=\"1\"/></table:table-row>";
        assert_eq!(count(between), 10);
    }
}
