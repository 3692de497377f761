//! Whether the dictionaries of a Parquet file can hold what they promise.
//!
//! The reader sets memory aside for as many values as a dictionary says it has, and a process that
//! asks for more memory than there is ends at once: damaged counts have to be found before.

use std::fs::File;

use ::parquet::column::page::{Page, PageReader};
use ::parquet::errors::Result;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

/// Whether every dictionary has at most as many values as bytes; other pages are passed over.
pub(super) fn are_sound(file: &File) -> Result<bool> {
    let reader = SerializedFileReader::new(file.try_clone()?)?;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        for column in 0..group.num_columns() {
            if !is_sound(group.get_column_page_reader(column)?)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn is_sound(mut pages: Box<dyn PageReader>) -> Result<bool> {
    while let Some(about) = pages.peek_next_page()? {
        if !about.is_dict {
            pages.skip_next_page()?;
            continue;
        }
        if let Some(Page::DictionaryPage { buf, num_values, .. }) = pages.get_next_page()?
            && num_values as usize > buf.len()
        {
            return Ok(false);
        }
    }
    Ok(true)
}
