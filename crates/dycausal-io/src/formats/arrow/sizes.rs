//! Whether the sizes that an Arrow file promises can be true.
//!
//! The reader allocates what a block or a compressed buffer says it needs, and a process that asks
//! for more memory than there is ends at once: damaged sizes have to be found before.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, Message, RecordBatch, root_as_footer, root_as_message};
use dycausal::internals::memory::available;

/// No compression of the format packs more into a byte; LZ4 and Zstandard stay well below.
const DENSEST: i64 = 1 << 17;

/// Whether every block lies within the file, and no buffer promises more than it can hold.
///
/// What is broken otherwise is left for the reader to tell.
pub(super) fn are_sound(file: &mut File, size: u64) -> io::Result<bool> {
    let mut end = [0; 10];
    file.seek(SeekFrom::Start(size.saturating_sub(10)))?;
    if file.read_exact(&mut end).is_err() {
        return Ok(true);
    }
    let Some(length) = read_footer_length(end).ok().and_then(|length| i64::try_from(length).ok())
    else {
        return Ok(true);
    };
    let start = size.cast_signed() - 10 - length;
    let Some(footer) = bytes_at(file, size, start, length)? else {
        return Ok(false);
    };
    let Ok(footer) = root_as_footer(&footer) else {
        return Ok(true);
    };
    let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches());
    for block in blocks.flatten() {
        if !is_sound(file, size, block)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_sound(file: &mut File, size: u64, block: &Block) -> io::Result<bool> {
    let head = i64::from(block.metaDataLength());
    let Some(bytes) = bytes_at(file, size, block.offset(), head)? else {
        return Ok(false);
    };
    let body = block.offset() + head;
    if block.bodyLength() < 0 || block.bodyLength() > size.cast_signed() - body {
        return Ok(false);
    }
    // Four bytes of length stand before the message, in newer files after four that mark it.
    let start = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
    // The reader looks for the message in all of the block, so that a damaged one may reach into the
    // body: what cannot be read from its own bytes is looked for there.
    let reaches = bytes.get(start..).is_some_and(|own| root_as_message(own).is_err());
    let whole = head.saturating_add(block.bodyLength());
    let bytes = if reaches { bytes_at(file, size, block.offset(), whole)? } else { Some(bytes) };
    let message = bytes.as_deref().and_then(|bytes| bytes.get(start..)).map(root_as_message);
    let Some(Ok(message)) = message else {
        return Ok(true);
    };
    let Some(batch) = batch(&message) else {
        return Ok(true);
    };
    if batch.compression().is_none() {
        return Ok(true);
    }
    let memory = available().map_or(i64::MAX, |limit| limit.bytes.try_into().unwrap_or(i64::MAX));
    for buffer in batch.buffers().into_iter().flatten() {
        let Some(place) = body.checked_add(buffer.offset()) else {
            return Ok(false);
        };
        let Some(bytes) = bytes_at(file, size, place, buffer.length().min(8))? else {
            return Ok(false);
        };
        let Ok(promised) = <[u8; 8]>::try_from(bytes).map(i64::from_le_bytes) else {
            continue;
        };
        if promised > buffer.length().saturating_mul(DENSEST).min(memory) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn batch<'a>(message: &Message<'a>) -> Option<RecordBatch<'a>> {
    let dictionary = message.header_as_dictionary_batch();
    message.header_as_record_batch().or_else(|| dictionary.and_then(|dictionary| dictionary.data()))
}

/// Some bytes of the file; `None` if they do not lie within it.
fn bytes_at(file: &mut File, size: u64, place: i64, length: i64) -> io::Result<Option<Vec<u8>>> {
    let (Ok(place), Ok(length)) = (u64::try_from(place), u64::try_from(length)) else {
        return Ok(None);
    };
    if place.checked_add(length).is_none_or(|end| end > size) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
