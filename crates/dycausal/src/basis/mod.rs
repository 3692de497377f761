//! How a weight moves in time: a sum of basis functions with one coefficient each.
//!
//! To add a basis, write a file like `hat.rs` with its formula and a `fill`, and give it a variant
//! in [`Shape`].

mod b_spline;
mod constant;
mod family;
mod hat;
mod legendre;
mod step;

pub use family::Family;
use ndarray::{Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::run::memory::{afford, available, bytes};

/// The family a [`Basis`] belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// One function that is 1 everywhere: weights do not move.
    Constant,
    /// Hat functions on knots: linear interpolation between them (Eq. 5 of the paper).
    Hat {
        /// Steps at which the weight is a coefficient, in increasing order.
        knots: Vec<usize>,
    },
    /// Legendre polynomials up to degree `size - 1`, of mean square 1.
    Legendre {
        /// How many functions.
        size: usize,
    },
    /// B-splines on evenly spaced knots.
    BSpline {
        /// How many functions.
        size: usize,
        /// The degree of each piece; 3 is the usual cubic.
        degree: usize,
    },
    /// Weights that jump at breaks and stay in between.
    Step {
        /// First steps of the second, third, … piece, in increasing order.
        breaks: Vec<usize>,
    },
}

/// Basis functions on the steps of a series; weight at t = Σ_b coefficient_b · φ_b(t).
///
/// Steps before `first` (those that have no lagged values) hold the value at `first`.
///
/// ```
/// use dycausal::basis::{Basis, Shape};
///
/// let basis = Basis::new(Shape::Hat { knots: vec![0, 4] }, 5, 0)?;
/// assert_eq!(basis.evaluate(&[1.0, 3.0], 1), 1.5);
/// # Ok::<(), dycausal::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Recipe", into = "Recipe")]
pub struct Basis {
    shape: Shape,
    first: usize,
    values: Array2<f64>,
}

impl Basis {
    /// The basis of this shape on `steps` steps, of which those before `first` hold its value.
    ///
    /// # Errors
    /// If `first` is not below `steps`, or the shape has no function, more functions than there
    /// are steps, or knots or breaks that do not increase or lie outside.
    pub fn new(shape: Shape, steps: usize, first: usize) -> Result<Self> {
        if first >= steps {
            return Err(Error::parameter("first", first, format!("below {steps}, the steps")));
        }
        let span = steps - first;
        let size = shape.size();
        if size == 0 || size > span {
            return Err(Error::parameter("basis size", size, format!("1 to {span}, the steps")));
        }
        let mut inner = Array2::zeros((span, size));
        match &shape {
            Shape::Constant => constant::fill(&mut inner),
            Shape::Hat { knots } => hat::fill(knots, first, &mut inner)?,
            Shape::Legendre { .. } => legendre::fill(&mut inner),
            Shape::BSpline { degree, .. } => b_spline::fill(*degree, &mut inner)?,
            Shape::Step { breaks } => step::fill(breaks, first, &mut inner)?,
        }
        let values =
            Array2::from_shape_fn((steps, size), |(t, b)| inner[[t.max(first) - first, b]]);
        Ok(Self { shape, first, values })
    }

    /// The basis of a single constant function.
    ///
    /// # Errors
    /// If there is no step.
    pub fn constant(steps: usize) -> Result<Self> {
        Self::new(Shape::Constant, steps, 0)
    }

    /// Knots at `first`, `first + spacing`, … and the last step, as in the paper.
    pub fn even_knots(steps: usize, first: usize, spacing: usize) -> Vec<usize> {
        let last = steps.saturating_sub(1);
        let mut knots: Vec<usize> = (first..last).step_by(spacing.max(1)).collect();
        knots.push(last);
        knots
    }

    /// The family.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How many functions there are.
    pub fn size(&self) -> usize {
        self.values.ncols()
    }

    /// How many steps they are known on.
    pub fn steps(&self) -> usize {
        self.values.nrows()
    }

    /// The step before which the functions are held.
    pub fn first(&self) -> usize {
        self.first
    }

    /// φ\[step, function\].
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// φ(t).
    pub fn at(&self, step: usize) -> ArrayView1<'_, f64> {
        self.values.row(step)
    }

    /// The weight at a step.
    pub fn evaluate(&self, coefficients: &[f64], step: usize) -> f64 {
        self.at(step).iter().zip(coefficients).map(|(phi, c)| phi * c).sum()
    }

    /// The coefficients of a weight that is 1 at every step.
    pub fn constant_coefficients(&self) -> Vec<f64> {
        let mut one = vec![1.0; self.size()];
        if let Shape::Legendre { .. } = self.shape {
            one[1..].fill(0.0);
        }
        one
    }
}

impl Shape {
    /// How many functions the shape has.
    pub fn size(&self) -> usize {
        match self {
            Self::Constant => 1,
            Self::Hat { knots } => knots.len(),
            Self::Legendre { size } | Self::BSpline { size, .. } => *size,
            Self::Step { breaks } => breaks.len() + 1,
        }
    }
}

/// Steps of a basis that is read from a file, at most.
const MOST_STEPS: usize = 100_000_000;

/// What a basis is in a file; the functions are computed anew.
#[derive(Serialize, Deserialize)]
struct Recipe {
    shape: Shape,
    steps: usize,
    first: usize,
}

impl From<Basis> for Recipe {
    fn from(basis: Basis) -> Self {
        Self { steps: basis.steps(), first: basis.first, shape: basis.shape }
    }
}

impl TryFrom<Recipe> for Basis {
    type Error = Error;

    fn try_from(recipe: Recipe) -> Result<Self> {
        // The functions are computed when a file is read: one that is damaged must not ask for more
        // than there is.
        if recipe.steps > MOST_STEPS {
            let expected = format!("at most {MOST_STEPS}");
            return Err(Error::parameter("steps", recipe.steps, expected));
        }
        let needed = bytes(16.0 * recipe.steps as f64 * recipe.shape.size() as f64);
        afford("the basis of a graph", needed, available(), "its file may be damaged".into())?;
        Self::new(recipe.shape, recipe.steps, recipe.first)
    }
}

/// Refuses steps that do not increase or lie outside `low..=high`.
fn increasing(name: &str, steps: &[usize], low: usize, high: usize) -> Result<()> {
    let inside = steps.iter().all(|step| (low..=high).contains(step));
    if inside && steps.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    let expected = format!("increasing steps from {low} to {high}");
    Err(Error::parameter(name, format!("{steps:?}"), expected))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Constant,
            Shape::Hat { knots: vec![2, 5, 9, 19] },
            Shape::Legendre { size: 4 },
            Shape::BSpline { size: 6, degree: 3 },
            Shape::BSpline { size: 3, degree: 1 },
            Shape::Step { breaks: vec![7, 12] },
        ]
    }

    #[test]
    fn every_basis_holds_a_constant_and_its_first_value() {
        for shape in shapes() {
            let basis = Basis::new(shape, 20, 2).unwrap();
            let one = basis.constant_coefficients();
            for t in 0..20 {
                assert!((basis.evaluate(&one, t) - 1.0).abs() < 1e-12, "{:?}", basis.shape());
            }
            assert_eq!(basis.at(0), basis.at(2));
        }
    }

    #[test]
    fn a_basis_comes_back_from_json_with_the_same_bits() {
        for shape in shapes() {
            let basis = Basis::new(shape, 20, 2).unwrap();
            let text = serde_json::to_string(&basis).unwrap();
            assert_eq!(serde_json::from_str::<Basis>(&text).unwrap(), basis);
        }
        let lying = r#"{"shape":{"kind":"legendre","size":99},"steps":5,"first":0}"#;
        assert!(serde_json::from_str::<Basis>(lying).is_err());
    }

    #[test]
    fn impossible_bases_are_refused() {
        for shape in [
            Shape::Hat { knots: vec![] },
            Shape::Hat { knots: vec![3, 3] },
            Shape::Hat { knots: vec![3, 20] },
            Shape::Legendre { size: 0 },
            Shape::Legendre { size: 21 },
            Shape::BSpline { size: 3, degree: 3 },
            Shape::Step { breaks: vec![9, 4] },
            Shape::Step { breaks: vec![0] },
        ] {
            assert!(Basis::new(shape.clone(), 20, 0).is_err(), "{shape:?}");
        }
        assert!(Basis::new(Shape::Constant, 4, 4).is_err());
    }

    #[test]
    fn even_knots_end_at_the_last_step() {
        assert_eq!(Basis::even_knots(10, 1, 4), [1, 5, 9]);
        assert_eq!(Basis::even_knots(11, 1, 4), [1, 5, 9, 10]);
        assert_eq!(Basis::even_knots(50, 1, 4).len(), 13);
    }

    proptest! {
        #[test]
        fn interpolation_is_exact_at_knots(weights in prop::collection::vec(-5.0..5.0f64, 4)) {
            let knots = vec![1, 4, 8, 15];
            let basis = Basis::new(Shape::Hat { knots: knots.clone() }, 16, 1).unwrap();
            for (knot, weight) in knots.iter().zip(&weights) {
                prop_assert_eq!(basis.evaluate(&weights, *knot), *weight);
            }
        }

        #[test]
        fn splines_and_hats_are_never_negative_and_sum_to_one(size in 4usize..12, degree in 0usize..4) {
            let basis = Basis::new(Shape::BSpline { size, degree }, 40, 0).unwrap();
            for row in basis.values().outer_iter() {
                prop_assert!(row.iter().all(|phi| *phi >= 0.0));
                prop_assert!((row.sum() - 1.0).abs() < 1e-12);
            }
        }
    }
}
