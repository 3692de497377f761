//! What is kept of an interrupted fit, as bytes: numbers keep every bit.

use dycausal::internals::real::Real;

/// Something that can be written down in the middle of a fit and taken up again.
pub trait State {
    /// Appends all that the next step depends on.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes over what [`State::write`] wrote; `None` if the bytes are of something else.
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()>;
}

/// Appends numbers, their count first.
pub fn write_numbers<R: Real>(numbers: &[R], out: &mut Vec<u8>) {
    out.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
    for number in numbers {
        number.write(out);
    }
}

/// A number that no change of a single word leaves as it is: every step of it can be undone.
pub fn checksum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| {
        let mut whole = [0; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(whole)
    };
    let length = bytes.len() as u64;
    bytes.chunks(8).map(word).chain([length]).fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
    })
}

/// Takes numbers off the front of some bytes.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next 8 bytes as a whole number.
    pub fn whole(&mut self) -> Option<u64> {
        let (front, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*front))
    }

    /// The next 8 bytes as a number.
    pub fn number(&mut self) -> Option<f64> {
        self.whole().map(f64::from_bits)
    }

    /// The next `count` bytes as they are.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    /// Fills `numbers` with what [`write_numbers`] wrote; `None` if there are not as many.
    pub fn numbers<R: Real>(&mut self, numbers: &mut [R]) -> Option<()> {
        let count = usize::try_from(self.whole()?).ok()?;
        if count != numbers.len() {
            return None;
        }
        let front = self.bytes(count * R::BYTES)?;
        for (number, own) in numbers.iter_mut().zip(front.chunks_exact(R::BYTES)) {
            *number = R::read(own);
        }
        Some(())
    }

    /// Whether everything was read.
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_changes_the_checksum() {
        let bytes: Vec<u8> = (0..53).collect();
        let whole = checksum(&bytes);
        for bit in 0..8 * bytes.len() {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&other), whole);
        }
        assert_ne!(checksum(&[0]), checksum(&[0, 0]));
    }

    #[test]
    fn numbers_come_back_with_every_bit_or_not_at_all() {
        let numbers = [0.1f32, -0.0, f32::MIN_POSITIVE];
        let mut bytes = Vec::new();
        write_numbers(&numbers, &mut bytes);
        let mut back = [1.0f32; 3];
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.numbers(&mut back), Some(()));
        assert!(reader.is_done());
        assert_eq!(back.map(f32::to_bits), numbers.map(f32::to_bits));
        assert_eq!(Reader::new(&bytes).numbers(&mut [0.0f32; 2]), None);
        assert_eq!(Reader::new(&bytes[..10]).numbers(&mut back), None);
        assert_eq!(Reader::new(&[1, 2]).whole(), None);
    }
}
