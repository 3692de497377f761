//! What can happen inside of packed files, so that changes get past checksums.

use std::io::{Cursor, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Packs with gzip.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Unpacks, changes and packs again (in an archive the entry that `which` falls on); `None` where
/// these bytes are not packed.
pub fn inside(
    bytes: &[u8],
    which: usize,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> Option<Vec<u8>> {
    match bytes {
        [0x1f, 0x8b, ..] => {
            let mut whole = Vec::new();
            MultiGzDecoder::new(bytes).read_to_end(&mut whole).ok()?;
            Some(packed(&change(whole)))
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            let whole = zstd::decode_all(bytes).ok()?;
            zstd::encode_all(&change(whole)[..], 1).ok()
        }
        [b'P', b'K', 3, 4, ..] => archive(bytes, which, change),
        _ => None,
    }
}

fn archive(bytes: &[u8], which: usize, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut change = Some(change);
    let mut from = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    let chosen = which % from.len().max(1);
    for number in 0..from.len() {
        let mut entry = from.by_index(number).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut whole = Vec::new();
        entry.read_to_end(&mut whole).ok()?;
        to.start_file(name, SimpleFileOptions::default()).ok()?;
        let change = if number == chosen { change.take() } else { None };
        let content = match change {
            Some(change) => change(whole),
            None => whole,
        };
        to.write_all(&content).ok()?;
    }
    Some(to.finish().ok()?.into_inner())
}
