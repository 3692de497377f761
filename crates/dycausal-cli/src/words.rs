//! The words of a command, which need not be text everywhere.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

/// A word as it is kept in a file: text, or the bytes of what is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Word {
    /// Text.
    Text(String),
    /// The bytes of a word that is no text.
    Bytes(Vec<u8>),
}

impl From<OsString> for Word {
    fn from(word: OsString) -> Self {
        match word.into_string() {
            Ok(text) => Self::Text(text),
            Err(other) => Self::Bytes(other.as_encoded_bytes().to_vec()),
        }
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => of_bytes(bytes),
        }
    }
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// What was typed after the name of the program.
pub fn typed() -> Vec<Word> {
    std::env::args_os().skip(1).map(Word::from).collect()
}

/// A command line to be read and run again.
pub fn shown(words: &[Word]) -> String {
    let quoted = |word: &Word| {
        let word = OsString::from(word.clone()).to_string_lossy().into_owned();
        let plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let words = words.iter().map(quoted);
    std::iter::once("dycausal".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_text_come_back() {
        let word = Word::Bytes(vec![b'a', 0xff]);
        let kept = serde_json::to_string(&word).unwrap();
        let back: Word = serde_json::from_str(&kept).unwrap();
        assert_eq!(back, word);
        #[cfg(unix)]
        assert_eq!(Word::from(OsString::from(back)), word);
        assert_eq!(shown(&[Word::Text("it's".into())]), r"dycausal 'it'\''s'");
    }
}
