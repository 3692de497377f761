//! The page of a study: what it is, its tables, its pictures, what they teach.

use std::path::{Path, PathBuf};

use super::stamp::Stamp;
use super::store::write_whole;
use crate::error::Result;

/// What was written, and what to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The table of what was asked for, in markdown.
    pub table: String,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// What is written of a study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// The title.
    pub title: String,
    /// Where it stands elsewhere; empty or a sentence and a space.
    pub paper: String,
    /// What makes it again, after `dycausal reproduce`.
    pub command: String,
    /// Which seeds; empty or words after a comma.
    pub seeds: String,
    /// What is done.
    pub about: String,
    /// The tables.
    pub table: String,
    /// Name, title and content of each picture.
    pub pictures: Vec<(String, String, String)>,
    /// What draws them; empty where they stand on the page itself.
    pub drawn_by: &'static str,
    /// What was learned from it.
    pub lesson: String,
}

impl Page {
    /// The text: the same scores give the same page.
    pub(crate) fn text(&self, stamp: &Stamp) -> String {
        let Self { title, paper, command, seeds, about, table, .. } = self;
        let lesson = match self.lesson.trim() {
            "" => String::new(),
            lesson => format!("\n{lesson}\n"),
        };
        let pictures: String = self.pictures.iter().map(|picture| self.picture(picture)).collect();
        let (about, stamp) = (about.trim(), stamp.words());
        format!(
            "# {title}\n\n{paper}`dycausal reproduce {command}`{seeds}, {stamp}. [All results](../results.md).\n\n{about}\n{table}{pictures}{lesson}"
        )
    }

    fn picture(&self, (name, title, _): &(String, String, String)) -> String {
        match self.drawn_by {
            "" => format!("\n![{title}]({name}.svg)\n"),
            command => format!("\nPicture: `{name}.svg`, drawn beside this page by {command}.\n"),
        }
    }

    /// Writes `NAME.md` and the pictures, and says where.
    pub(crate) fn write(&self, folder: &Path, name: &str, stamp: &Stamp) -> Result<Vec<PathBuf>> {
        let mut files = vec![folder.join(format!("{name}.md"))];
        write_whole(&files[0], self.text(stamp).as_bytes())?;
        for (picture, _, svg) in &self.pictures {
            let path = folder.join(format!("{picture}.svg"));
            write_whole(&path, svg.as_bytes())?;
            files.push(path);
        }
        Ok(files)
    }
}
