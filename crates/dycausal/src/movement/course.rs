//! The courses that a weight can take: which functions of time each is made of.
//!
//! With u = (t + ½) / T over the steps that have rows:
//! cosines φ_0 = 1, φ_k = √2 cos(πk (u + 0.1) / 1.2), which do not have to be flat at the ends;
//! polynomials √(2k+1) P_k(2u − 1); jumps 1(t ≥ τ).

use std::f64::consts::{PI, SQRT_2};

use serde::{Deserialize, Serialize};

use super::motion::Kind;

/// How far cosines reach beyond either end, in lengths of the series.
const BEYOND: f64 = 0.1;
/// Highest degree of a polynomial.
pub(crate) const DEGREE: usize = 4;

/// Steps `first..steps`, and where each lies between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first step that has rows; those before hold its weight.
    pub first: usize,
    /// How many steps there are.
    pub steps: usize,
}

impl Span {
    /// Where a step lies; half-way through it for whole numbers.
    pub(crate) fn place(self, step: f64) -> f64 {
        let step = step.max(self.first as f64) - self.first as f64;
        (step + 0.5) / (self.steps - self.first).max(1) as f64
    }
}

/// Functions of time that one weight is a sum of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// It stays.
    Static,
    /// A polynomial up to a degree.
    Polynomial(usize),
    /// Cosines 0 to one less than this.
    Smooth(usize),
    /// A level, and a jump at each of these steps.
    Jumps(Vec<usize>),
    /// 0 before a step, a level from it on.
    From(usize),
    /// A level before a step, 0 from it on.
    Until(usize),
    /// A level from one step to before another, 0 elsewhere.
    Between(usize, usize),
    /// Cosines, and a jump at a step.
    SmoothJump(usize, usize),
}

impl Course {
    /// How many functions there are.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Static | Self::From(_) | Self::Until(_) | Self::Between(..) => 1,
            Self::Polynomial(degree) => degree + 1,
            Self::Smooth(cosines) => *cosines,
            Self::Jumps(at) => at.len() + 1,
            Self::SmoothJump(cosines, _) => cosines + 1,
        }
    }

    /// How many of its first functions are cosines, the constant among them.
    pub(super) fn leading_waves(&self) -> usize {
        match self {
            Self::From(_) | Self::Until(_) | Self::Between(..) => 0,
            Self::Static | Self::Polynomial(_) | Self::Jumps(_) => 1,
            Self::Smooth(cosines) | Self::SmoothJump(cosines, _) => *cosines,
        }
    }

    /// The steps at which it jumps.
    pub(super) fn jumps(&self) -> Vec<usize> {
        match self {
            Self::Static | Self::Polynomial(_) | Self::Smooth(_) => Vec::new(),
            Self::Jumps(at) => at.clone(),
            Self::From(at) | Self::Until(at) | Self::SmoothJump(_, at) => vec![*at],
            Self::Between(from, to) => vec![*from, *to],
        }
    }

    /// The largest number of a function or step in it.
    pub(super) fn extent(&self) -> (usize, usize) {
        match self {
            Self::Static => (1, 0),
            Self::Polynomial(degree) => (degree + 1, 0),
            Self::Smooth(cosines) => (*cosines, 0),
            Self::Jumps(at) => (at.len() + 1, at.iter().copied().max().unwrap_or(0)),
            Self::From(at) | Self::Until(at) => (1, *at),
            Self::Between(from, to) => (1, *from.max(to)),
            Self::SmoothJump(cosines, at) => (cosines + 1, *at),
        }
    }

    /// What a user calls it.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Static => Kind::Static,
            Self::Polynomial(_) | Self::Smooth(_) => Kind::Drifts,
            Self::Jumps(at) if at.len() > 1 => Kind::JumpsTwice,
            Self::Jumps(_) => Kind::Jumps,
            Self::From(_) => Kind::Appears,
            Self::Until(_) => Kind::Vanishes,
            Self::Between(..) => Kind::Pulses,
            Self::SmoothJump(..) => Kind::DriftsAndJumps,
        }
    }

    /// The same course with a single jump so many steps later.
    pub(super) fn later(&self, by: usize) -> Self {
        match self {
            Self::Jumps(at) => Self::Jumps(at.iter().map(|at| at + by).collect()),
            Self::From(at) => Self::From(at + by),
            Self::Until(at) => Self::Until(at + by),
            other => other.clone(),
        }
    }

    /// The functions of a course that only jumps, after its single jump or before.
    pub(super) fn fill_side(&self, jumped: bool, out: &mut Vec<f64>) {
        let since = f64::from(u8::from(jumped));
        out.clear();
        match self {
            Self::From(_) => out.push(since),
            Self::Until(_) => out.push(1.0 - since),
            _ => out.extend([1.0, since]),
        }
    }

    /// Whether it has levels and jumps alone.
    pub(super) fn is_level(&self) -> bool {
        !matches!(self, Self::Polynomial(_) | Self::Smooth(_) | Self::SmoothJump(..))
    }

    /// Whether its only functions are levels with a single jump.
    pub(super) fn jumps_once(&self) -> bool {
        matches!(self, Self::From(_) | Self::Until(_))
            || matches!(self, Self::Jumps(at) if at.len() == 1)
    }

    /// The functions at a step.
    pub(crate) fn fill(&self, span: Span, step: usize, out: &mut Vec<f64>) {
        let mut cosines = Vec::with_capacity(self.waves());
        waves(span.place(step as f64), self.waves(), &mut cosines);
        self.fill_with(span, step, &cosines, out);
    }

    /// How many cosines it has, where it is made of them.
    pub(super) fn waves(&self) -> usize {
        match self {
            Self::Smooth(cosines) | Self::SmoothJump(cosines, _) => *cosines,
            _ => 0,
        }
    }

    /// The functions at a step at which all cosines, or more of them, are known.
    pub(super) fn fill_with(&self, span: Span, step: usize, cosines: &[f64], out: &mut Vec<f64>) {
        let step = step.max(span.first);
        let since = |at: usize| f64::from(u8::from(step >= at));
        out.clear();
        out.extend_from_slice(&cosines[..self.waves()]);
        match self {
            Self::Static => out.push(1.0),
            Self::Polynomial(degree) => polynomials(span.place(step as f64), degree + 1, out),
            Self::Smooth(_) => {}
            Self::Jumps(at) => {
                out.push(1.0);
                out.extend(at.iter().map(|at| since(*at)));
            }
            Self::From(at) | Self::SmoothJump(_, at) => out.push(since(*at)),
            Self::Until(at) => out.push(1.0 - since(*at)),
            Self::Between(from, to) => out.push(since(*from) - since(*to)),
        }
    }
}

/// Adds cosines 0 to `count` − 1 at u.
pub(crate) fn waves(u: f64, count: usize, out: &mut Vec<f64>) {
    let angle = PI * (u + BEYOND) / (1.0 + 2.0 * BEYOND);
    let turn = 2.0 * angle.cos();
    // cos(kα) = 2 cos α cos((k−1)α) − cos((k−2)α).
    let (mut before, mut current) = (angle.cos(), 1.0);
    for k in 0..count {
        out.push(if k == 0 { 1.0 } else { SQRT_2 * current });
        (before, current) = (current, turn * current - before);
    }
}

/// Adds polynomials of degree 0 to `count` − 1 at u.
pub(crate) fn polynomials(u: f64, count: usize, out: &mut Vec<f64>) {
    let x = 2.0 * u - 1.0;
    let (mut before, mut current) = (0.0, 1.0);
    for degree in 0..count {
        let b = degree as f64;
        out.push((2.0 * b + 1.0).sqrt() * current);
        (before, current) = (current, ((2.0 * b + 1.0) * x * current - b * before) / (b + 1.0));
    }
}

/// The frequency of cosine k: it repeats after 2π over it, in lengths of the series.
pub(super) fn frequency(k: usize) -> f64 {
    PI * k as f64 / (1.0 + 2.0 * BEYOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_formulas() {
        let span = Span { first: 2, steps: 12 };
        let mut out = Vec::new();
        Course::Smooth(4).fill(span, 5, &mut out);
        let u = 3.5 / 10.0;
        for (k, phi) in out.iter().enumerate().skip(1) {
            let expected = SQRT_2 * (PI * k as f64 * (u + 0.1) / 1.2).cos();
            assert!((phi - expected).abs() < 1e-14);
        }
        Course::Polynomial(2).fill(span, 5, &mut out);
        let x: f64 = 2.0 * u - 1.0;
        assert!((out[2] - 5f64.sqrt() * (1.5 * x * x - 0.5)).abs() < 1e-14);
        Course::Between(4, 6).fill(span, 5, &mut out);
        assert_eq!(out, [1.0]);
        Course::Until(5).fill(span, 5, &mut out);
        assert_eq!(out, [0.0]);
        Course::SmoothJump(3, 5).fill(span, 4, &mut out);
        assert_eq!((out.len(), out[3]), (4, 0.0));
        Course::From(3).fill(span, 0, &mut out);
        assert_eq!(out, [0.0], "steps without rows hold the first that has");
    }
}
