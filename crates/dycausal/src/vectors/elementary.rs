//! Logarithms and exponentials in plain arithmetic, so that loops over many of them vectorise.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// 2⁵²: added to a small whole number, it leaves that number in the last bits.
const SHIFT: f64 = 4_503_599_627_370_496.0;
/// The exponent of 1, as it is written in a number.
const BIAS: f64 = 1023.0;
/// ln 2 in two parts: whole numbers times the first are exact.
const LN_2_PARTS: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
/// Below this e^x counts as nothing.
const NOTHING: f64 = -700.0;

/// 1 / k! from 13 down to 0.
const FACTORIALS: [f64; 14] = {
    let mut out = [1.0; 14];
    let (mut k, mut product) = (1, 1.0);
    while k < 14 {
        product *= k as f64;
        out[13 - k] = 1.0 / product;
        k += 1;
    }
    out
};

/// ln x of a positive number: with x = 2^e m, m between √½ and √2, and s = (m − 1) / (m + 1) it is
/// e ln 2 + 2 (s + s³/3 + s⁵/5 + …).
#[inline(always)]
#[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
pub fn logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = f64::from_bits(SHIFT.to_bits() | (bits >> 52)) - SHIFT - BIAS;
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 1f64.to_bits());
    let large = mantissa > SQRT_2;
    let m = if large { 0.5 * mantissa } else { mantissa };
    let e = if large { exponent + 1.0 } else { exponent };
    let s = (m - 1.0) / (m + 1.0);
    let q = s * s;
    let mut sum = 1.0 / 19.0;
    for odd in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * q + 1.0 / odd;
    }
    e * LN_2 + 2.0 * s * sum
}

/// e^x of a number that is not positive: 2^n Σ r^k / k! with r = x − n ln 2.
#[inline(always)]
#[allow(clippy::inline_always)] // only what is inlined is compiled for wider vectors
pub fn exponential(x: f64) -> f64 {
    let held = if x > NOTHING { x } else { NOTHING };
    // Half of 2⁵² more: what is added up stays above 2⁵² for negative n.
    let moved = held * LOG2_E + 1.5 * SHIFT;
    let n = moved - 1.5 * SHIFT;
    let r = held - n * LN_2_PARTS.0 - n * LN_2_PARTS.1;
    let mut sum = FACTORIALS[0];
    for over in &FACTORIALS[1..] {
        sum = sum * r + over;
    }
    let power = f64::from_bits(((n + BIAS + SHIFT).to_bits() & 0x7ff) << 52);
    if x > NOTHING { sum * power } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_the_library_says() {
        for k in -4000..4000 {
            let x = f64::from(k) / 20.0;
            let y = x.exp();
            assert!((logarithm(y) - y.ln()).abs() < 1e-14 * y.ln().abs().max(1.0), "{x}");
            let negative = -x.abs();
            let expected = negative.exp();
            assert!((exponential(negative) - expected).abs() < 1e-14 * expected, "{x}");
        }
        for x in [f64::MIN_POSITIVE, 1e-300, 1.0, 1.0 + f64::EPSILON, 1e300] {
            assert!((logarithm(x) - x.ln()).abs() < 1e-13 * x.ln().abs().max(1e-3), "{x}");
        }
        for x in [f64::NEG_INFINITY, -1e9, -800.0] {
            assert_eq!(exponential(x), 0.0);
        }
        assert_eq!(exponential(0.0), 1.0);
        assert!((exponential(-690.0) / (-690f64).exp() - 1.0).abs() < 1e-12);
    }
}
