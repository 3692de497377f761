//! Apache Arrow IPC files, also called Feather version 2.

mod sizes;

use std::io::{BufReader, Seek};

use arrow_ipc::reader::FileReader;
use dycausal::Panel;

use super::columnar::{Columnar, guarded};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::options::ReadOptions;
use crate::source::Source;

/// Reads an Arrow IPC file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<(Panel, Vec<Note>)> {
    let file = source.to_string();
    let broken = |reason: String| {
        let expected =
            "an Arrow IPC file (Feather version 2), e.g. from pandas.DataFrame.to_feather";
        Error::malformed(&file, "Arrow", reason, expected)
    };
    let (mut from, size) = source.file(options.limit)?;
    let sound = sizes::are_sound(&mut from, size).and_then(|sound| from.rewind().map(|()| sound));
    if !sound.map_err(|reason| Error::unreadable(&file, reason))? {
        return Err(broken("sizes beyond the file".into()));
    }
    guarded(broken, || {
        let batches =
            FileReader::try_new(BufReader::new(from), None).map_err(|e| broken(e.to_string()))?;
        let mut notes = Vec::new();
        let mut table = Columnar::new(&file, &batches.schema(), options, &mut notes)?;
        for batch in batches {
            table.push(&batch.map_err(|e| broken(e.to_string()))?)?;
        }
        Ok((table.into_panel(&mut notes)?, notes))
    })
}
