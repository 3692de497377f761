//! What can happen to bytes, whatever they mean.

use crate::random::Random;

/// Numbers at which readers go wrong.
const NUMBERS: [u64; 14] = [
    0,
    1,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Changes some bytes, a few times over; `other` is another file of the format.
pub fn mutated(mut bytes: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    // One change gets furthest; several at once are for what one alone does not reach.
    let more = if random.one_in(2) { random.below(4) } else { 0 };
    for _ in 0..=more {
        once(&mut bytes, other, random);
    }
    bytes
}

fn once(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let place = random.below(bytes.len());
    match random.below(9) {
        0 | 1 => flip(bytes, place, random),
        2 | 3 => overwrite(bytes, place, random),
        4 => bytes.truncate(place),
        5 => {
            let end = (place + 1 + random.below(64)).min(bytes.len());
            bytes.drain(place.min(end)..end);
        }
        6 => {
            let end = (place + random.below(64)).min(bytes.len());
            let copy = bytes[place.min(end)..end].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        7 => {
            let from = random.below(other.len());
            let end = (from + random.below(256)).min(other.len());
            let until = (place + end - from).min(bytes.len());
            bytes.splice(place.min(until)..until, other[from..end].iter().copied());
        }
        _ => {
            // A few more in a row: a count that moves with what follows it.
            let count = random.below(16);
            let byte = random.next().to_le_bytes()[0];
            bytes.splice(place..place, std::iter::repeat_n(byte, count));
        }
    }
}

fn flip(bytes: &mut [u8], place: usize, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(place) {
        *byte ^= 1 << random.below(8);
    }
}

/// A number of one, two, four or eight bytes, of either order, near one that is suspicious.
fn overwrite(bytes: &mut [u8], place: usize, random: &mut Random) {
    let width = 1 << random.below(4);
    let place = if random.one_in(2) { place / width * width } else { place };
    let number = random.choose(&NUMBERS).wrapping_add(random.below(3) as u64).wrapping_sub(1);
    let mut number = number.to_le_bytes();
    if random.one_in(4) {
        number[..width].reverse();
    }
    for (to, from) in bytes.iter_mut().skip(place).zip(&number[..width]) {
        *to = *from;
    }
}
