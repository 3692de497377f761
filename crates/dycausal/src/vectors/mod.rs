//! Loops compiled for the vectors that the machine has, chosen when the program runs.

use std::marker::PhantomData;

use pulp::{Arch, Simd, WithSimd};

mod elementary;

pub use elementary::{exponential, logarithm};

/// Numbers that kernels work on at once: those of the widest vectors that machines have.
pub const LANES: usize = 8;

/// A loop over some arguments.
///
/// `run` and all it calls have to be `#[inline(always)]`: only what is inlined into the call is
/// compiled for the machine's vectors. That is also why this is a trait: functions and closures
/// that are passed on are called through a shim that is not inlined.
pub trait Kernel<A> {
    /// What comes of it.
    type Output;

    /// The loop.
    fn run(arguments: A) -> Self::Output;
}

struct Call<K, A>(A, PhantomData<K>);

impl<K: Kernel<A>, A> WithSimd for Call<K, A> {
    type Output = K::Output;

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn with_simd<S: Simd>(self, _: S) -> K::Output {
        K::run(self.0)
    }
}

/// Runs a kernel, compiled for the widest vectors of this machine.
pub fn vectorised<K: Kernel<A>, A>(arguments: A) -> K::Output {
    Arch::new().dispatch(Call::<K, A>(arguments, PhantomData))
}
