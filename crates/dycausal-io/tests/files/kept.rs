//! Files that once did harm: they are refused.

use dycausal_io::{Source, read};

use crate::{data, options};

#[test]
fn what_once_did_harm_is_read_or_refused() {
    let mut seen = 0;
    for entry in std::fs::read_dir(data("kept")).unwrap() {
        let path = entry.unwrap().path();
        // Read or refused, but not the end of the process.
        if let Err(error) = read(&Source::from(path.as_path()), &options()) {
            assert!(error.is_input(), "{error}");
        }
        seen += 1;
    }
    assert!(seen > 0);
}
