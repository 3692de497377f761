//! Folders in which something is written before it is put in its place.
//!
//! Each holds a file `lock` that its writer keeps locked, with the path of the place in it. What a
//! killed writer left is therefore known by a lock that nobody holds, and is removed by the next
//! writer beside it; a swap that was cut in two is finished first. What a writer that is asked to
//! stop has open is removed by [`abandon`].

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// What the names of these folders begin with.
const PREFIX: &str = ".dycausal-";
/// The file that a living writer keeps locked.
const LOCK: &str = "lock";
/// Its name before it is locked.
const UNLOCKED: &str = "lock.new";
/// Age from which a folder that never came to have a lock is left over.
const ABANDONED: Duration = Duration::from_secs(3600);
/// How often a folder that is still being written to is removed.
const ATTEMPTS: usize = 20;

/// What is open, to be removed where the program is stopped.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder to write in; gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Aside {
    /// Held as long as the folder is there, without where the file system knows no locks; given back
    /// first, because some systems remove no file that is open.
    _lock: Option<File>,
    folder: TempDir,
}

impl Aside {
    /// A folder beside a place, after those that killed writers left there are cleared away.
    pub(crate) fn beside(place: &Path) -> io::Result<Self> {
        let parent = parent(place);
        clear(parent);
        let mut open = open();
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        open.push(folder.path().to_owned());
        drop(open);
        let lock = locked(folder.path(), place);
        Ok(Self { _lock: lock.unwrap_or_default(), folder })
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts something from this folder in its place, unless the program is being stopped.
    pub(crate) fn put<T>(&self, put: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let _open = open();
        put(self.path())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let own = self.folder.path();
        open().retain(|path| path != own);
    }
}

/// Keeps a folder among those that are removed where the program is stopped, if they are empty.
pub(crate) fn forget_if_stopped(folder: &Path) {
    open().insert(0, folder.to_owned());
}

/// Takes a folder off that list.
pub(crate) fn keep(folder: &Path) {
    open().retain(|path| path != folder);
}

/// Removes what is being written beside its place, for good: nothing is put in place after this.
///
/// For a program that is asked to stop and ends right after; whoever writes meanwhile waits.
pub fn abandon() {
    let open = open();
    for folder in open.iter().rev() {
        let ours =
            folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
        for _ in 0..ATTEMPTS {
            // A folder above what is written goes only where it is empty.
            let removed = if ours { fs::remove_dir_all(folder) } else { fs::remove_dir(folder) };
            if removed.is_ok() || !ours || !folder.exists() {
                break;
            }
        }
    }
    // Never given back: what is put in place asks for it first.
    std::mem::forget(open);
}

/// The folder that a place is in.
pub(crate) fn parent(place: &Path) -> &Path {
    match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A locked file that says what the folder is for; it has its name only once it is locked.
fn locked(folder: &Path, place: &Path) -> io::Result<Option<File>> {
    let unlocked = folder.join(UNLOCKED);
    let mut file = File::create(&unlocked)?;
    let name = place.file_name().unwrap_or_default();
    file.write_all(name.as_encoded_bytes())?;
    if file.try_lock().is_err() {
        return Ok(None);
    }
    fs::rename(unlocked, folder.join(LOCK))?;
    Ok(Some(file))
}

/// Removes what killed writers left in a folder; whatever cannot be removed stays.
fn clear(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            let _ = clear_one(&entry.path(), parent);
        }
    }
}

fn clear_one(folder: &Path, parent: &Path) -> io::Result<()> {
    let Ok(lock) = File::open(folder.join(LOCK)) else {
        let old = |at: SystemTime| at.elapsed().is_ok_and(|age| age > ABANDONED);
        let names: Vec<_> = fs::read_dir(folder)?.flatten().map(|e| e.file_name()).collect();
        let bare = names.iter().all(|name| name == UNLOCKED);
        return match fs::metadata(folder)?.modified() {
            Ok(at) if bare && old(at) => fs::remove_dir_all(folder),
            _ => Ok(()),
        };
    };
    if lock.try_lock().is_err() {
        return Ok(());
    }
    finish_swap(folder, parent)?;
    fs::remove_dir_all(folder)
}

/// Puts the new one in place where a writer was killed between taking the old one away and that.
fn finish_swap(folder: &Path, parent: &Path) -> io::Result<()> {
    let (fresh, old) = (folder.join("new"), folder.join("old"));
    let name = fs::read_to_string(folder.join(LOCK))?;
    let place = parent.join(&name);
    if name.is_empty() || !old.exists() || place.exists() {
        return Ok(());
    }
    fs::rename(if fresh.exists() { fresh } else { old }, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_over(parent: &Path, name: &str) -> PathBuf {
        let folder = parent.join(".dycausal-left");
        fs::create_dir_all(folder.join("new")).unwrap();
        fs::write(folder.join("new/graph.json"), "half").unwrap();
        fs::write(folder.join(LOCK), name).unwrap();
        folder
    }

    #[test]
    fn what_a_killed_writer_left_is_cleared_and_what_a_living_one_has_is_not() {
        let scratch = tempfile::tempdir().unwrap();
        let left = left_over(scratch.path(), "run");
        let living = Aside::beside(&scratch.path().join("run")).unwrap();
        assert!(!left.exists());
        let second = Aside::beside(&scratch.path().join("run")).unwrap();
        assert!(living.path().exists() && second.path().exists());
        drop((living, second));
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_swap_that_was_cut_in_two_is_finished() {
        let scratch = tempfile::tempdir().unwrap();
        let left = left_over(scratch.path(), "run");
        fs::create_dir(left.join("old")).unwrap();
        drop(Aside::beside(&scratch.path().join("other")).unwrap());
        assert!(!left.exists());
        assert!(scratch.path().join("run/graph.json").exists());
    }

    #[test]
    fn folders_of_others_that_begin_alike_stay() {
        let scratch = tempfile::tempdir().unwrap();
        let other = scratch.path().join(".dycausal-notes");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("mine"), "text").unwrap();
        drop(Aside::beside(&scratch.path().join("run")).unwrap());
        assert!(other.join("mine").exists());
    }
}
