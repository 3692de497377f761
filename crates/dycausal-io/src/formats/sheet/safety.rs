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

/// Refuses OpenDocument sheets whose cells are repeated too often, or whose tags do not match: the
/// reader looks for the end of a table for ever.
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
    if cells.torn || !cells.open.is_empty() || cells.within {
        return Err("tags that do not match".into());
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
    /// Names of elements that are not closed yet.
    open: Vec<Vec<u8>>,
    /// Whether one was closed that was not open.
    torn: bool,
}

impl Repeats {
    fn take(&mut self, byte: u8) {
        const LONGEST: usize = 1 << 16;
        match (self.within, self.quote, byte) {
            (false, _, b'<') => self.within = true,
            (false, ..) => {}
            (true, None, b'>') if self.is_whole() => {
                self.nest();
                self.end_tag();
                self.tag.clear();
                self.within = false;
            }
            (true, quote, _) => {
                if self.tag.len() < LONGEST {
                    self.tag.push(byte);
                } else if self.is_remark() {
                    // Long remarks are fine; what counts is how they end.
                    self.tag.drain(16..LONGEST / 2);
                    self.tag.push(byte);
                }
                if self.is_remark() {
                    self.quote = None;
                    return;
                }
                self.quote = match quote {
                    None if matches!(byte, b'"' | b'\'') => Some(byte),
                    Some(open) if open == byte => None,
                    other => other,
                };
            }
        }
    }

    /// Comments and the like, in which quotes are letters.
    fn is_remark(&self) -> bool {
        self.tag.starts_with(b"!--") || self.tag.starts_with(b"![CDATA[")
    }

    /// Whether a `>` ends the tag: in remarks only after their own signs.
    fn is_whole(&self) -> bool {
        match self.tag.as_slice() {
            [b'!', b'-', b'-', rest @ ..] => rest.ends_with(b"--"),
            tag if self.is_remark() => tag.ends_with(b"]]"),
            _ => true,
        }
    }

    /// Opens or closes an element.
    fn nest(&mut self) {
        let name = |tag: &[u8]| {
            let end = tag.iter().position(|b| b.is_ascii_whitespace() || *b == b'/');
            tag[..end.unwrap_or(tag.len())].to_vec()
        };
        match self.tag.as_slice() {
            [b'!' | b'?', ..] | [.., b'/'] => {}
            [b'/', closed @ ..] => self.torn |= self.open.pop() != Some(name(closed)),
            opened => self.open.push(name(opened)),
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
    fn tags_match_or_are_found_not_to() {
        let torn = |text: &str| {
            let mut repeats = Repeats::default();
            text.bytes().for_each(|byte| repeats.take(byte));
            repeats.torn || !repeats.open.is_empty()
        };
        assert!(!torn("<?xml version='1.0'?><a><!-- don't > --><b c='>'/><![CDATA[ > ]]></a>"));
        assert!(torn("<a><b></a></b>") && torn("<a>") && torn("</a>") && torn("<a></A>"));
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
