//! Pipes and devices, which may have no end: they are read up to a limit.

use std::io::{self, BufRead, BufReader, Read};

/// What is read without being asked for more.
const USUAL: u64 = 4 << 30;

/// The limit of what is kept in memory: 4 GiB, or half of what is free.
pub(crate) fn memory() -> u64 {
    dycausal::internals::memory::available().map_or(USUAL, |limit| USUAL.min(limit.bytes / 2))
}

/// The limit of what is copied to the folder for temporary files: 4 GiB, or half of what is free.
pub(crate) fn disk() -> u64 {
    free_space().map_or(USUAL, |free| USUAL.min(free / 2))
}

#[cfg(unix)]
fn free_space() -> Option<u64> {
    let about = rustix::fs::statvfs(std::env::temp_dir()).ok()?;
    Some(about.f_bavail.saturating_mul(about.f_frsize))
}

#[cfg(not(unix))]
fn free_space() -> Option<u64> {
    None
}

/// The bytes of a stream, and an error where there are more.
pub(crate) fn limited(stream: Box<dyn BufRead>, limit: u64) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(1 << 18, Limited { stream, limit, left: limit }))
}

/// What is no file has more bytes than are allowed.
#[derive(Debug, thiserror::Error)]
#[error("more than {limit} bytes")]
pub(crate) struct Endless {
    /// How many are allowed.
    pub limit: u64,
}

struct Limited {
    stream: Box<dyn BufRead>,
    limit: u64,
    left: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other(Endless { limit: self.limit }))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_read_up_to_the_limit() {
        let mut whole = Vec::new();
        limited(Box::new(&b"1234"[..]), 4).read_to_end(&mut whole).unwrap();
        assert_eq!(whole, b"1234");
        let endless = BufReader::new(io::repeat(0));
        let reason = limited(Box::new(endless), 1000).read_to_end(&mut whole).unwrap_err();
        assert!(reason.to_string().contains("1000 bytes"));
        assert!((1..=USUAL).contains(&memory()) && disk() <= USUAL);
    }
}
