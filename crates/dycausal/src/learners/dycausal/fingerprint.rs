//! A number that tells one fit from another, so that a checkpoint is not taken for that of another.

use super::DyCausal;
use crate::panel::Panel;

/// FNV-1a over parameters, seed and data: the same on every platform.
pub(super) fn fingerprint(method: &DyCausal, panel: &Panel, seed: u64) -> u64 {
    let parameters = serde_json::to_vec(method).unwrap_or_default();
    let shape = panel.values().shape().to_vec();
    let words = shape.into_iter().map(|size| size as u64);
    let words = words.chain(panel.values().iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    let bytes =
        parameters.into_iter().chain(std::iter::once(seed).chain(words).flat_map(u64::to_le_bytes));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
