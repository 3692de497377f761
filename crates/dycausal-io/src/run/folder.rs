//! Writing a folder whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::aside::{self, Aside, parent};
use crate::error::{Error, Result};

/// The file that lists what was written, so that nothing else is ever replaced.
const LIST: &str = ".dycausal";

/// Writes a folder through `write`, which is given an empty folder to fill.
///
/// The folder is filled beside its place and put there at the end, so on an error or a panic
/// nothing stays behind. One that exists is kept, unless `force` says to replace it: then the old
/// one is put aside, the new one in place, and only then the old one removed. Not even with `force`
/// is anything replaced that holds files which were not written here.
///
/// # Errors
/// As [`check_folder`]; if the system does not let us write; or what `write` says.
pub fn write_folder<T>(
    folder: &Path,
    force: bool,
    write: impl FnOnce(&Path) -> Result<T>,
) -> Result<T> {
    check_target(folder, force)?;
    let parents = Parents::create(folder)?;
    let failed = |reason: io::Error| Error::unwritable(folder, &reason);
    // A folder within the temporary one gets the usual permissions; the temporary one is private.
    let aside = temporary_beside(folder)?;
    let fresh = aside.path().join("new");
    fs::create_dir(&fresh).map_err(failed)?;
    let answer = write(&fresh)?;
    list_entries(&fresh).map_err(failed)?;
    // Once more: the folder may have come to be while we were writing.
    check_target(folder, force)?;
    let placed = aside.put(|aside| put_in_place(&fresh, folder, &aside.join("old")));
    placed.map_err(failed)?;
    parents.keep();
    // What is left aside is only the old folder; failing to remove it is no failure of the new.
    drop(aside);
    Ok(answer)
}

/// Whether [`write_folder`] could write there: for finding out before hours of work.
///
/// # Errors
/// If the folder exists and `force` is not given, exists and holds what was not written here, or
/// its place cannot be written to.
pub fn check_folder(folder: &Path, force: bool) -> Result<()> {
    check_target(folder, force)?;
    let _parents = Parents::create(folder)?;
    temporary_beside(folder).map(drop)
}

fn check_target(folder: &Path, force: bool) -> Result<()> {
    let shown = || folder.display().to_string();
    if folder.file_name().is_none() {
        let reason =
            io::Error::new(io::ErrorKind::InvalidInput, "give a folder with a name of its own");
        return Err(Error::unwritable(folder, &reason));
    }
    match fs::symlink_metadata(folder) {
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(reason) => Err(Error::unwritable(folder, &reason)),
        Ok(_) if !force => Err(Error::Exists { folder: shown() }),
        Ok(about) if !about.is_dir() => {
            let stranger = "a file or link".into();
            Err(Error::NotOurs { folder: shown(), stranger })
        }
        Ok(_) => check_entries(folder),
    }
}

/// Refuses a folder that holds anything but what was listed when it was written.
fn check_entries(folder: &Path) -> Result<()> {
    let failed = |reason: io::Error| Error::unwritable(folder, &reason);
    let listed = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        if name != LIST && !listed.lines().any(|line| line == name) {
            return Err(Error::NotOurs {
                folder: folder.display().to_string(),
                stranger: name.into_owned(),
            });
        }
    }
    Ok(())
}

fn list_entries(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    fs::write(folder.join(LIST), names.join("\n") + "\n")
}

fn put_in_place(fresh: &Path, folder: &Path, old: &Path) -> io::Result<()> {
    match fs::rename(folder, old) {
        Ok(()) => fs::rename(fresh, folder).inspect_err(|_| {
            // Put the old one back; if that fails too, the first failure is the one to tell.
            let _ = fs::rename(old, folder);
        }),
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => fs::rename(fresh, folder),
        Err(reason) => Err(reason),
    }
}

fn temporary_beside(folder: &Path) -> Result<Aside> {
    Aside::beside(folder).map_err(|reason| Error::unwritable(folder, &reason))
}

/// The folders above that had to be created, which go again unless they are kept.
struct Parents(Vec<PathBuf>);

impl Parents {
    fn create(folder: &Path) -> Result<Self> {
        let missing = parent(folder)
            .ancestors()
            .take_while(|above| !above.as_os_str().is_empty() && !above.exists());
        let created = Self(missing.map(Path::to_owned).collect());
        created.0.iter().for_each(|folder| aside::forget_if_stopped(folder));
        let made = fs::create_dir_all(parent(folder));
        made.map_err(|reason| Error::unwritable(folder, &reason))?;
        Ok(created)
    }

    fn keep(mut self) {
        self.0.drain(..).for_each(|folder| aside::keep(&folder));
    }
}

impl Drop for Parents {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Only empty folders go: whatever somebody else put there stays.
            let _ = fs::remove_dir(folder);
            aside::keep(folder);
        }
    }
}
