//! Files that are packed with gzip or Zstandard, unpacked as they are read.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstandard,
}

/// How many times its packed size a file may have: numbers that were measured stay well below.
const MOST_DENSE: u64 = 300;

/// What a file may always have.
const ALWAYS: u64 = 1 << 26;

impl Packing {
    /// The packing that these first bytes tell.
    pub(crate) fn of_bytes(first: &[u8]) -> Option<Self> {
        match first {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// Whether an extension names a packing.
    pub(crate) fn is_extension(extension: &str) -> bool {
        matches!(extension, "gz" | "gzip" | "zst" | "zstd")
    }

    /// The unpacked bytes of a packed stream.
    pub(crate) fn unpack(self, packed: impl BufRead + 'static) -> io::Result<impl Read> {
        let packed = Counted { inner: packed, count: 0 };
        let unpacked = match self {
            Self::Gzip => Unpacked::Gzip(Box::new(MultiGzDecoder::new(packed))),
            Self::Zstandard => {
                Unpacked::Zstandard(zstd::stream::read::Decoder::with_buffer(packed)?)
            }
        };
        Ok(Guarded { unpacked, packing: self, count: 0 })
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
        })
    }
}

/// The bytes of a stream, unpacked if its first bytes say that it is packed.
pub(crate) fn unpacked(mut stream: Box<dyn BufRead>) -> io::Result<Box<dyn BufRead>> {
    const BUFFER: usize = 1 << 18;
    match Packing::of_bytes(stream.fill_buf()?) {
        None => Ok(stream),
        Some(packing) => Ok(Box::new(BufReader::with_capacity(BUFFER, packing.unpack(stream)?))),
    }
}

enum Unpacked<R: BufRead> {
    Gzip(Box<MultiGzDecoder<Counted<R>>>),
    Zstandard(zstd::stream::read::Decoder<'static, Counted<R>>),
}

impl<R: BufRead> Unpacked<R> {
    /// How many packed bytes were read.
    fn packed(&self) -> u64 {
        match self {
            Self::Gzip(decoder) => decoder.get_ref().count,
            Self::Zstandard(decoder) => decoder.get_ref().count,
        }
    }
}

/// A stream that says what is wrong with it, and ends where it grows beyond all measure.
struct Guarded<R: BufRead> {
    unpacked: Unpacked<R>,
    packing: Packing,
    count: u64,
}

impl<R: BufRead> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.unpacked {
            Unpacked::Gzip(decoder) => decoder.read(buffer),
            Unpacked::Zstandard(decoder) => decoder.read(buffer),
        };
        let count = read.map_err(|reason| damaged(self.packing, &reason))?;
        self.count += count as u64;
        if self.count > ALWAYS && self.count > MOST_DENSE.saturating_mul(self.unpacked.packed()) {
            let what = format!(
                "its {} data grow to more than {MOST_DENSE} times their size, which measurements never do; unpack it yourself if you trust it",
                self.packing
            );
            return Err(io::Error::other(what));
        }
        Ok(count)
    }
}

fn damaged(packing: Packing, reason: &io::Error) -> io::Error {
    let what = match reason.kind() {
        io::ErrorKind::UnexpectedEof => {
            format!("its {packing} data end too early; copy or download it again")
        }
        _ => format!("its {packing} data are damaged ({reason}); copy or download it again"),
    };
    io::Error::new(reason.kind(), what)
}

/// A stream that counts what was taken of it.
struct Counted<R> {
    inner: R,
    count: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.inner.consume(amount);
    }
}
