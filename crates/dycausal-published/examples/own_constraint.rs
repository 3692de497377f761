//! A constraint of one's own: cycles of two and of three variables.
//!
//! h(A) = tr A² / 2 + tr A³ / 3 and ∂h/∂A = (A + A²)ᵀ for the squares A of the weights within a step. Longer cycles are
//! not seen by it; what is left of them after the cut is broken at the weakest edge, as with every constraint.
#![allow(clippy::print_stdout)]

use dycausal::{Panel, Result, Run};
use dycausal_published::DyCausal;
use dycausal_published::acyclicity::{Acyclicity, Outside, Workspace};
use ndarray::{Array3, ArrayView2, ArrayViewMut2};
use rand::RngExt;

/// tr A² / 2 + tr A³ / 3.
struct ShortCycles;

impl Acyclicity for ShortCycles {
    fn name(&self) -> &'static str {
        "short-cycles"
    }

    fn has_domain(&self) -> bool {
        false
    }

    fn evaluate(
        &self,
        squares: ArrayView2<'_, f64>,
        mut gradient: ArrayViewMut2<'_, f64>,
        _: &mut Workspace,
    ) -> std::result::Result<f64, Outside> {
        let paths = squares.dot(&squares);
        let value = paths.diag().sum() / 2.0 + (&paths * &squares.t()).sum() / 3.0;
        gradient.assign(&(&squares + &paths).t());
        if value.is_finite() { Ok(value) } else { Err(Outside::Overflow) }
    }
}

/// Forty series of three variables: a → b → c within the step, and each variable follows itself.
fn chain() -> Result<Panel> {
    let mut random = Run::new(1).random("noise");
    let mut values = Array3::from_shape_simple_fn((40, 30, 3), || random.random_range(-1.0..1.0));
    for n in 0..40 {
        for t in 1..30 {
            for v in 0..3 {
                let within = if v == 0 { 0.0 } else { 0.8 * values[[n, t, v - 1]] };
                values[[n, t, v]] += within + 0.5 * values[[n, t - 1, v]];
            }
        }
    }
    Panel::new(values, ["a", "b", "c"].map(String::from).to_vec())
}

fn main() -> Result<()> {
    let panel = chain()?;
    let method = DyCausal { iterations: 400, ..DyCausal::default() }.with_constraint(ShortCycles);
    let fitted = method.fit(&panel, &mut Run::new(0))?;
    for edge in fitted.graph.edges() {
        let weight = edge.weight(fitted.graph.basis(), 15);
        let (from, to) = (&panel.names()[edge.from], &panel.names()[edge.to]);
        println!("{from} → {to} at lag {}: {weight:.2}", edge.lag);
    }
    println!(
        "h went from {:?} to {:?}",
        fitted.path.cyclicity.first(),
        fitted.path.cyclicity.last()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    #[test]
    fn the_gradient_is_that_of_central_differences() {
        let squares = array![[0.0, 0.5, 0.1], [0.3, 0.0, 0.7], [0.2, 0.4, 0.0]];
        let mut gradient = Array2::zeros((3, 3));
        let mut value = |squares: &Array2<f64>| {
            let mut workspace = Workspace::new(3);
            ShortCycles.evaluate(squares.view(), gradient.view_mut(), &mut workspace).unwrap()
        };
        let moved = |at: (usize, usize), by: f64| {
            let mut squares = squares.clone();
            squares[at] += by;
            squares
        };
        let places = || (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
        let slopes: Vec<f64> = places()
            .map(|at| (value(&moved(at, 1e-5)) - value(&moved(at, -1e-5))) / 2e-5)
            .collect();
        value(&squares);
        for (at, slope) in places().zip(slopes) {
            assert!((gradient[at] - slope).abs() < 1e-6, "{at:?}: {} {slope}", gradient[at]);
        }
    }

    #[test]
    fn it_finds_the_chain() {
        let method =
            DyCausal { iterations: 400, ..DyCausal::default() }.with_constraint(ShortCycles);
        let graph = method.fit(&chain().unwrap(), &mut Run::new(0)).unwrap().graph;
        for (from, to) in [(0, 1), (1, 2)] {
            assert!(graph.weight(15, 0, from, to) > 0.5, "{from} → {to}: {graph:?}");
        }
        assert!(main().is_ok());
    }
}
