//! Finished cells on disk: what an interrupted run need not do again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::error::{Error, Result};

/// A folder of finished cells, one small file each.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// What a file holds: the question beside the answer, so that a hash is never trusted alone.
#[derive(Serialize, Deserialize)]
struct Kept<Q, A> {
    cell: Q,
    outcome: A,
}

impl Store {
    /// The store in a folder, which is made where it is not there.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let folder = folder.join("cells");
        fs::create_dir_all(&folder).map_err(|reason| Error::unusable(&folder, reason))?;
        Ok(Self { folder })
    }

    /// The outcome of a cell, if it was kept; a broken file counts as none.
    pub(crate) fn load<Q, A>(&self, cell: &Q) -> Option<A>
    where
        Q: Serialize + DeserializeOwned + PartialEq,
        A: DeserializeOwned,
    {
        let text = fs::read_to_string(self.path(cell)?).ok()?;
        let kept: Kept<Q, A> = serde_json::from_str(&text).ok()?;
        (kept.cell == *cell).then_some(kept.outcome)
    }

    /// Keeps the outcome of a cell: whole or not at all.
    pub(crate) fn keep<Q: Serialize, A: Serialize>(&self, cell: &Q, outcome: &A) -> Result<()> {
        let Some(path) = self.path(cell) else {
            return Err(Error::unusable(&self.folder, "a cell that cannot be written as JSON"));
        };
        let failed = |reason: String| Error::unusable(&path, reason);
        let text = serde_json::to_string(&Kept { cell, outcome })
            .map_err(|reason| failed(reason.to_string()))?;
        write_whole(&path, text.as_bytes())
    }

    fn path<Q: Serialize>(&self, cell: &Q) -> Option<PathBuf> {
        let text = serde_json::to_string(cell).ok()?;
        Some(self.folder.join(format!("{}.json", fingerprint(&text))))
    }
}

/// All that determines what comes out of a cell, as text.
pub(crate) fn key(cell: &impl Serialize) -> String {
    serde_json::to_string(cell).unwrap_or_default()
}

/// FNV-1a of a key: any fixed hash that is the same on every platform will do.
pub(crate) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Writes a file under another name and puts it in place at the end.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |reason: std::io::Error| Error::unusable(path, reason);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let aside = folder.join(name);
    let written = fs::File::create(&aside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&aside, path));
    written.map_err(|reason| {
        // Nothing half-written stays; that it may not be removed either changes no answer.
        let _ = fs::remove_file(&aside);
        failed(reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_broken_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let cell = ("ordered".to_owned(), 7u64);
        assert_eq!(store.load::<_, f64>(&cell), None);
        store.keep(&cell, &0.1).unwrap();
        assert_eq!(store.load::<_, f64>(&cell), Some(0.1));
        assert_eq!(store.load::<_, f64>(&("ordered".to_owned(), 8u64)), None);
        let path = store.path(&cell).unwrap();
        // Another question under the same name is not answered.
        fs::write(&path, r#"{"cell":["other",7],"outcome":0.5}"#).unwrap();
        assert_eq!(store.load::<_, f64>(&cell), None);
        fs::write(&path, r#"{"cell":["ord"#).unwrap();
        assert_eq!(store.load::<_, f64>(&cell), None);
        let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(names.len(), 1);
    }
}
