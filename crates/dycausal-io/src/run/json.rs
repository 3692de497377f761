//! JSON that a person can look at and that stays small: lines down to the edges, nothing within them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use crate::error::{Error, Result};

/// Writes indented JSON; numbers that JSON does not have become null.
///
/// # Errors
/// If the file cannot be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write(path, value, PrettyFormatter::new())
}

/// Writes JSON with a line for each edge.
pub(super) fn write_graph(path: &Path, value: &impl Serialize) -> Result<()> {
    write(
        path,
        value,
        JsonLines { depth: 0, outer: PrettyFormatter::new(), inner: CompactFormatter },
    )
}

fn write(path: &Path, value: &impl Serialize, formatter: impl Formatter) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(path, &reason);
    let mut to = BufWriter::new(File::create(path).map_err(failed)?);
    value
        .serialize(&mut Serializer::with_formatter(&mut to, formatter))
        .map_err(|reason| failed(reason.into()))?;
    to.write_all(b"\n").map_err(failed)?;
    to.flush().map_err(failed)
}

/// Reads a file of a folder.
pub(super) fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T> {
    let refused = |reason: String| Error::NotARun {
        folder: folder.display().to_string(),
        reason: format!("{name}: {reason}"),
    };
    let file = File::open(folder.join(name)).map_err(|reason| refused(reason.to_string()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|reason| refused(reason.to_string()))
}

/// How deep lists and objects have lines of their own.
const LINES: usize = 2;

/// Indented down to the elements of the outermost lists, compact below.
struct JsonLines {
    depth: usize,
    outer: PrettyFormatter<'static>,
    inner: CompactFormatter,
}

/// Passes on to the formatter of the present depth.
macro_rules! by_depth {
    ($($name:ident $(, $argument:ident: $kind:ty)*;)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, to: &mut W $(, $argument: $kind)*) -> io::Result<()> {
            if self.depth <= LINES {
                self.outer.$name(to $(, $argument)*)
            } else {
                self.inner.$name(to $(, $argument)*)
            }
        }
    )*};
}

/// The same, where one level begins or ends.
macro_rules! levels {
    ($($begin:ident $end:ident)*) => {$(
        fn $begin<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
            self.depth += 1;
            if self.depth <= LINES { self.outer.$begin(to) } else { self.inner.$begin(to) }
        }

        fn $end<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
            let depth = self.depth;
            self.depth -= 1;
            if depth <= LINES { self.outer.$end(to) } else { self.inner.$end(to) }
        }
    )*};
}

impl Formatter for JsonLines {
    levels! {
        begin_array end_array
        begin_object end_object
    }
    by_depth! {
        begin_array_value, first: bool;
        end_array_value;
        begin_object_key, first: bool;
        end_object_key;
        begin_object_value;
        end_object_value;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn edges_stand_on_lines_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let value = json!({"edges": [{"a": [1, 2]}, {"b": {"c": []}}], "lag": 1, "none": []});
        let path = folder.path().join("graph.json");
        write_graph(&path, &value).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = "{\n  \"edges\": [\n    {\"a\":[1,2]},\n    {\"b\":{\"c\":[]}}\n  ],\n  \"lag\": 1,\n  \"none\": []\n}\n";
        assert_eq!(text, expected);
        assert_eq!(read_json::<serde_json::Value>(folder.path(), "graph.json").unwrap(), value);
    }
}
