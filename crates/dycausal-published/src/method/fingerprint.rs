//! A number that tells one fit from another, so that a checkpoint is not taken for that of another.

use dycausal::{Panel, Run};

use crate::parameters::DyCausal;

/// A hash of parameters, parts of one's own, seed, data and what is known, word by word: the same on every platform.
pub(crate) fn fingerprint<'a>(
    method: &DyCausal,
    parts: impl Iterator<Item = &'a str>,
    panel: &Panel,
    run: &Run,
) -> u64 {
    let parameters = serde_json::to_vec(method).unwrap_or_default();
    let values = panel.values();
    let words = parameters.into_iter().map(u64::from);
    let words = words.chain([run.seed()]).chain(values.shape().iter().map(|size| *size as u64));
    let before = words.fold(0xcbf2_9ce4_8422_2325, mix);
    let all = values.iter().fold(before, |hash, x| mix(hash, x.to_bits()));
    // Nothing known adds nothing: checkpoints from before there was knowledge still serve.
    let known = run.knowledge().numbers().fold(all, mix);
    parts.flat_map(str::bytes).map(u64::from).fold(known, mix)
}

/// As FNV-1a, and turned, so that high bits of a word reach low bits of the hash.
fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
}
