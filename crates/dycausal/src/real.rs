//! The two kinds of floating-point numbers the kernels run on.

use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use faer::traits::ComplexField;

/// f32, which the kernels were measured to be faster in, or f64, which their tests need.
pub trait Real:
    ComplexField
    + Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Sum
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Bytes of one number in a checkpoint.
    const BYTES: usize;

    /// The nearest number.
    fn of(value: f64) -> Self;
    /// The number as f64.
    fn wide(self) -> f64;
    /// self · factor + summand, rounded once: one instruction on the machines this is for.
    fn times_plus(self, factor: Self, summand: Self) -> Self;
    /// Square root.
    fn root(self) -> Self;
    /// Absolute value.
    fn size(self) -> Self;
    /// 1 / (1 + e^−x), in a form that works on vectors.
    fn sigmoid(self) -> Self;
    /// e^x, in a form that works on vectors.
    fn exponential(self) -> Self;
    /// The arcsine of a number from −1 to 1, likewise.
    fn arcsine(self) -> Self;
    /// Appends the number's bytes.
    fn write(self, out: &mut Vec<u8>);
    /// The number of these bytes; they have to be [`Real::BYTES`] many.
    fn read(bytes: &[u8]) -> Self;

    /// −1, 0 or 1.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn sign(self) -> Self {
        let up = if self > Self::ZERO { Self::ONE } else { Self::ZERO };
        let down = if self < Self::ZERO { Self::ONE } else { Self::ZERO };
        up - down
    }
}

macro_rules! real {
    ($kind:ty, $bytes:literal, $sigmoid:path, $exponential:path, $arcsine:path) => {
        #[allow(
            clippy::inline_always,
            clippy::cast_possible_truncation,
            clippy::cast_lossless,
            trivial_numeric_casts
        )]
        impl Real for $kind {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const BYTES: usize = $bytes;

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn times_plus(self, factor: Self, summand: Self) -> Self {
                self.mul_add(factor, summand)
            }
            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn size(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sigmoid(self) -> Self {
                $sigmoid(self)
            }
            #[inline(always)]
            fn exponential(self) -> Self {
                $exponential(self)
            }
            #[inline(always)]
            fn arcsine(self) -> Self {
                $arcsine(self)
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; $bytes];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    };
}

real!(f32, 4, sigmoid_single, exponential_single, arcsine_single);
real!(f64, 8, sigmoid_double, f64::exp, f64::asin);

fn sigmoid_double(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// 1 / (1 + e^−x) in single precision.
#[inline(always)]
#[allow(clippy::inline_always)]
fn sigmoid_single(x: f32) -> f32 {
    1.0 / (1.0 + exponential_single(-x))
}

/// e^y = 2^n e^r with n the integer nearest to y / ln 2 and a polynomial for e^r, |r| ≤ ln 2 / 2.
///
/// Adding 1.5 · 2²³ rounds to the integer and leaves it in the low bits, from where a shift puts it
/// into the exponent: no branch and no conversion, so the compiler turns loops of it into vectors.
/// Relative error below 3e-7 between −87 and 87, by the test beside it; beyond it stays what it is there.
#[inline(always)]
#[allow(clippy::inline_always)]
fn exponential_single(y: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with so few bits that its multiples are exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let y = y.clamp(-87.0, 87.0);
    let shifted = y * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = y - n * LN_2_HIGH - n * LN_2_LOW;
    let mut e: f32 = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        e = e.mul_add(r, coefficient);
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    e * power
}

/// asin s = s + s³ P(s²) up to ½, P by least squares at Chebyshev's points; beyond it
/// asin x = π/2 − 2 asin √((1 − x)/2). Error below 3e-7, by the test beside it.
#[inline(always)]
#[allow(clippy::inline_always)]
fn arcsine_single(x: f32) -> f32 {
    let size = x.abs();
    let far = size > 0.5;
    let square = if far { (1.0 - size) * 0.5 } else { size * size };
    let s = if far { square.sqrt() } else { size };
    let mut p: f32 = 0.038_206_314;
    for coefficient in [0.026_494_354, 0.045_010_686, 0.074_988_09, 0.166_666_73] {
        p = p.mul_add(square, coefficient);
    }
    let near = (s * square).mul_add(p, s);
    let out = if far { std::f32::consts::FRAC_PI_2 - 2.0 * near } else { near };
    out.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_sigmoid_is_right_to_single_precision() {
        for step in -40_000..=40_000 {
            let x = step as f32 * 1e-3;
            let (fast, exact) = (f64::from(x.sigmoid()), f64::from(x).sigmoid());
            assert!((fast - exact).abs() < 3e-7 * exact, "{x}: {fast} {exact}");
        }
        assert!(f32::NAN.sigmoid().is_nan());
        assert_eq!(1e9f32.sigmoid(), 1.0);
        assert!((-1e9f32).sigmoid() < 1e-37);
    }

    #[test]
    fn the_fast_exponential_and_arcsine_are_right_to_single_precision() {
        for step in -80_000..=80_000 {
            let x = step as f32 * 1e-3;
            let (fast, exact) = (f64::from(x.exponential()), f64::from(x).exp());
            assert!((fast - exact).abs() < 3e-7 * exact, "{x}: {fast} {exact}");
            let x = step as f32 / 80_000.0;
            let (fast, exact) = (f64::from(x.arcsine()), f64::from(x).asin());
            assert!((fast - exact).abs() < 3e-7, "{x}: {fast} {exact}");
        }
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([0.0f64.sign(), 3.0.sign(), (-0.1).sign()], [0.0, 1.0, -1.0]);
    }
}
