//! Terms of right-hand sides: values, derivatives, words.

use super::settings::Library;

/// One function of the state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Term {
    /// x_j.
    Linear(usize),
    /// x_j x_k, also with j = k.
    Product(usize, usize),
    /// x_j³.
    Cube(usize),
    /// sin(x_j − x_i).
    SineOfDifference(usize, usize),
    /// cos(x_j − x_i).
    CosineOfDifference(usize, usize),
    /// sin x_i.
    Sine(usize),
    /// cos x_i.
    Cosine(usize),
    /// x_j² / (K² + x_j²).
    Saturation(usize, f64),
    /// The product of two saturations.
    Saturations((usize, f64), (usize, f64)),
}

impl Term {
    /// The variables it is a function of; the same one twice where it is one.
    pub fn variables(self) -> [usize; 2] {
        match self {
            Self::Linear(j)
            | Self::Cube(j)
            | Self::Sine(j)
            | Self::Cosine(j)
            | Self::Saturation(j, _) => [j, j],
            Self::Product(j, k) | Self::Saturations((j, _), (k, _)) => [j, k],
            Self::SineOfDifference(j, i) | Self::CosineOfDifference(j, i) => [j, i],
        }
    }

    /// Whether it is a function of a variable.
    pub fn has(self, variable: usize) -> bool {
        self.variables().contains(&variable)
    }

    /// Its value at a state.
    pub fn value(self, x: &[f64]) -> f64 {
        match self {
            Self::Linear(j) => x[j],
            Self::Product(j, k) => x[j] * x[k],
            Self::Cube(j) => x[j].powi(3),
            Self::SineOfDifference(j, i) => (x[j] - x[i]).sin(),
            Self::CosineOfDifference(j, i) => (x[j] - x[i]).cos(),
            Self::Sine(i) => x[i].sin(),
            Self::Cosine(i) => x[i].cos(),
            Self::Saturation(j, half) => saturation(x[j], half),
            Self::Saturations((j, a), (k, b)) => saturation(x[j], a) * saturation(x[k], b),
        }
    }

    /// ∂/∂x_v at a state.
    pub fn slope(self, x: &[f64], v: usize) -> f64 {
        let one = |j: usize, slope: f64| if j == v { slope } else { 0.0 };
        match self {
            Self::Linear(j) => one(j, 1.0),
            Self::Product(j, k) => one(j, x[k]) + one(k, x[j]),
            Self::Cube(j) => one(j, 3.0 * x[j] * x[j]),
            Self::SineOfDifference(j, i) => {
                let slope = (x[j] - x[i]).cos();
                one(j, slope) - one(i, slope)
            }
            Self::CosineOfDifference(j, i) => {
                let slope = -(x[j] - x[i]).sin();
                one(j, slope) - one(i, slope)
            }
            Self::Sine(i) => one(i, x[i].cos()),
            Self::Cosine(i) => one(i, -x[i].sin()),
            Self::Saturation(j, half) => one(j, saturation_slope(x[j], half)),
            Self::Saturations((j, a), (k, b)) => {
                one(j, saturation_slope(x[j], a) * saturation(x[k], b))
                    + one(k, saturation_slope(x[k], b) * saturation(x[j], a))
            }
        }
    }

    /// The same term of variables in their own units, u = x / scale, and what it is to be divided by.
    pub fn in_units(self, scale: &[f64]) -> (Self, f64) {
        match self {
            Self::Linear(j) => (self, scale[j]),
            Self::Product(j, k) => (self, scale[j] * scale[k]),
            Self::Cube(j) => (self, scale[j].powi(3)),
            Self::Saturation(j, half) => (Self::Saturation(j, half * scale[j]), 1.0),
            Self::Saturations((j, a), (k, b)) => {
                (Self::Saturations((j, a * scale[j]), (k, b * scale[k])), 1.0)
            }
            _ => (self, 1.0),
        }
    }
}

/// x² / (K² + x²); 0 below 0.
fn saturation(x: f64, half: f64) -> f64 {
    let square = x.max(0.0).powi(2);
    square / (half * half + square)
}

fn saturation_slope(x: f64, half: f64) -> f64 {
    let (x, square) = (x.max(0.0), half * half);
    2.0 * x * square / (square + x * x).powi(2)
}

/// Values that saturation is half at: the quartiles of each variable.
pub(super) type Halves = Vec<[f64; 3]>;

/// The terms of one effect among some variables.
pub(super) fn terms(
    library: Library,
    effect: usize,
    among: &[usize],
    halves: &Halves,
) -> Vec<Term> {
    let pairs = |own: bool| {
        among.iter().enumerate().flat_map(move |(a, j)| {
            let rest = if own { &among[a..] } else { &among[a + 1..] };
            rest.iter().map(move |k| (*j, *k))
        })
    };
    let linear = among.iter().map(|j| Term::Linear(*j));
    let products = pairs(true).map(|(j, k)| Term::Product(j, k));
    match library {
        Library::Linear => linear.collect(),
        Library::Auto | Library::Quadratic => linear.chain(products).collect(),
        Library::Cubic => {
            let cubes = among.iter().map(|j| Term::Cube(*j));
            linear.chain(products).chain(cubes).collect()
        }
        Library::Sines => {
            let others = among.iter().filter(|j| **j != effect);
            let differences = others.flat_map(|j| {
                [Term::SineOfDifference(*j, effect), Term::CosineOfDifference(*j, effect)]
            });
            differences.chain([Term::Sine(effect), Term::Cosine(effect)]).collect()
        }
        Library::Hill => {
            let steep = |j: &usize| halves[*j].map(|half| Term::Saturation(*j, half));
            let both =
                pairs(false).map(|(j, k)| Term::Saturations((j, halves[j][1]), (k, halves[k][1])));
            linear.chain(among.iter().flat_map(steep)).chain(both).collect()
        }
    }
}
