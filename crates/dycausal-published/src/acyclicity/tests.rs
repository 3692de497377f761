//! What holds of every constraint, and of each.

use ndarray::Array2;
use proptest::prelude::*;

use super::*;

fn evaluate(h: &dyn Acyclicity, squares: &Array2<f64>) -> (Result<f64, Outside>, Array2<f64>) {
    let d = squares.nrows();
    let mut gradient = Array2::zeros((d, d));
    let value = h.evaluate(squares.view(), gradient.view_mut(), &mut Workspace::new(d));
    (value, gradient)
}

fn value(h: &dyn Acyclicity, squares: &Array2<f64>) -> f64 {
    evaluate(h, squares).0.unwrap()
}

fn all() -> Vec<Box<dyn Acyclicity>> {
    Constraint::ALL.map(|c| c.build(1.001)).into()
}

/// Squares in [low, high] off the diagonal.
fn squares(d: usize, low: f64, high: f64) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(low..high, d * d).prop_map(move |numbers| {
        let mut squares = Array2::from_shape_vec((d, d), numbers).unwrap();
        squares.diag_mut().fill(0.0);
        squares
    })
}

/// Squares without a cycle: upper triangular, then the nodes shuffled; about half are 0.
fn acyclic(d: usize) -> impl Strategy<Value = Array2<f64>> {
    let order = Just((0..d).collect::<Vec<_>>()).prop_shuffle();
    (squares(d, -1.0, 1.0), order).prop_map(move |(dense, order)| {
        Array2::from_shape_fn((d, d), |(i, j)| {
            let forward = order[i] < order[j];
            if forward { dense[[i, j]].max(0.0) } else { 0.0 }
        })
    })
}

fn central_differences(h: &dyn Acyclicity, squares: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn(squares.dim(), |at| {
        let step = 1e-6 * squares.sum();
        let moved = |by: f64| {
            let mut moved = squares.clone();
            moved[at] += by;
            value(h, &moved)
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    })
}

#[test]
fn golden_values() {
    // Two nodes, A = [[0, a], [b, 0]]: every constraint has a closed form.
    let (a, b) = (0.36, 0.25);
    let squares = ndarray::array![[0.0, a], [b, 0.0]];
    let expected = [
        -(1.001f64 * 1.001 - b / a).ln() + 2.0 * 1.001f64.ln(),
        -(1.001f64 * 1.001 - b / a).ln() + 2.0 * 1.001f64.ln(),
        -(1.001f64 * 1.001 - a * b).ln() + 2.0 * 1.001f64.ln(),
        2.0 * (a * b).sqrt().cosh() - 2.0,
        a * b / 2.0,
        (a * b).sqrt(),
    ];
    for (h, expected) in all().iter().zip(expected) {
        let found = value(h.as_ref(), &squares);
        assert!((found - expected).abs() < 1e-12, "{}: {found}", h.name());
    }
}

#[test]
fn nothing_is_acyclic() {
    for h in all() {
        let (value, gradient) = evaluate(h.as_ref(), &Array2::zeros((3, 3)));
        assert_eq!(value, Ok(0.0), "{}", h.name());
        assert!(gradient.iter().all(|g| g.is_finite()), "{}", h.name());
    }
}

#[test]
fn outside_the_domain_is_a_value() {
    let cycle = ndarray::array![[0.0, 2.0], [2.0, 0.0]];
    let domain = Outside::Domain { bound: 1.001 };
    assert_eq!(evaluate(&LogDet { alpha: 1.001 }, &cycle).0, Err(domain));
    let huge = cycle * 1e300;
    assert_eq!(evaluate(&TraceExp, &huge).0, Err(Outside::Overflow));
    assert_eq!(evaluate(&Polynomial, &huge).0, Err(Outside::Overflow));
    assert!(evaluate(&NormLogDet::default(), &huge).0.is_ok());
    let nan = Array2::from_elem((2, 2), f64::NAN);
    for h in all() {
        assert!(evaluate(h.as_ref(), &nan).0.is_err(), "{}", h.name());
    }
}

#[test]
fn a_plain_cycle_has_the_radius_of_its_edges() {
    for d in [2, 5, 30] {
        let cycle =
            Array2::from_shape_fn((d, d), |(i, j)| if j == (i + 1) % d { 0.25 } else { 0.0 });
        assert!((value(&SpectralRadius::default(), &cycle) - 0.25).abs() < 1e-9);
    }
}

#[test]
fn the_detached_gradient_is_not_the_derivative_and_the_full_one_is() {
    let squares = Array2::from_shape_fn((4, 4), |(i, j)| {
        if i == j { 0.0 } else { ((3 * i + 5 * j) % 7) as f64 / 7.0 + 0.1 }
    });
    let full = NormLogDet { detached: false, ..Default::default() };
    let differences = central_differences(&full, &squares);
    let worst = |g: Array2<f64>| (&g - &differences).mapv(f64::abs).into_iter().fold(0.0, f64::max);
    let detached = worst(evaluate(&NormLogDet::default(), &squares).1);
    assert!(detached > 0.1, "{detached}");
    assert!(worst(evaluate(&full, &squares).1) < 1e-6);
}

#[test]
fn the_two_factorisations_agree() {
    let d = elimination::LARGEST + 7;
    let squares = Array2::from_shape_fn((d, d), |(i, j)| {
        if i == j { 0.0 } else { (((i * 31 + j * 17) % 101) as f64 / 101.0).powi(4) }
    });
    let (found, gradient) = evaluate(&NormLogDet::default(), &squares);
    let norm = squares.outer_iter().map(|r| r.sum()).fold(0.0, f64::max);
    let mut matrix: Vec<f64> = squares.iter().map(|a| -a / norm).collect();
    matrix.iter_mut().step_by(d + 1).for_each(|x| *x += 1.001);
    let expected = elimination::log_det_and_inverse(&mut matrix, d, 1.001).unwrap();
    assert!((found.unwrap() - expected).abs() < 1e-10 * expected);
    for ((i, j), g) in gradient.indexed_iter() {
        let other = matrix[j * d + i] / norm;
        assert!((g - other).abs() < 1e-9 * other.abs().max(1.0));
    }
}

proptest! {
    #[test]
    fn gradients_are_those_of_central_differences(squares in squares(5, 0.01, 0.15)) {
        // The norm has a kink where two rows have the same sum: no derivative there.
        let mut sums: Vec<f64> = squares.outer_iter().map(|r| r.sum()).collect();
        sums.sort_by(f64::total_cmp);
        prop_assume!(sums[4] - sums[3] > 1e-4);
        for h in all().iter().filter(|h| h.name() != "norm-log-det") {
            let gradient = evaluate(h.as_ref(), &squares).1;
            let largest = gradient.iter().fold(0.0f64, |m, g| m.max(g.abs()));
            let mut gap = gradient - central_differences(h.as_ref(), &squares);
            // A weight of a variable on itself is not what is promised.
            gap.diag_mut().fill(0.0);
            let worst = gap.iter().fold(0.0f64, |m, g| m.max(g.abs()));
            prop_assert!(worst < 1e-6 * largest, "{}: {worst} of {largest}", h.name());
        }
    }

    #[test]
    fn exactly_zero_without_a_cycle(squares in acyclic(9)) {
        for h in all() {
            let found = evaluate(h.as_ref(), &squares).0;
            prop_assert_eq!(found, Ok(0.0), "{}", h.name());
        }
    }

    #[test]
    fn positive_with_a_cycle(squares in acyclic(6), ends in (0usize..6, 0usize..6), weight in 0.01..0.2f64) {
        prop_assume!(ends.0 != ends.1);
        let mut squares = squares * 0.1;
        squares[[ends.0, ends.1]] = weight;
        squares[[ends.1, ends.0]] = weight;
        for h in all() {
            let found = value(h.as_ref(), &squares);
            prop_assert!(found > 0.0, "{}: {found}", h.name());
        }
    }

    #[test]
    fn the_scaled_constraint_knows_no_units(squares in squares(6, 0.0, 1.0), power in -20i32..20) {
        let h = NormLogDet::default();
        // A power of 2 changes no bit of the mantissa, so the value is the same to the last bit.
        let scaled = squares.mapv(|a| a * 2f64.powi(power));
        prop_assert_eq!(value(&h, &squares), value(&h, &scaled));
        let close = value(&h, &squares.mapv(|a| a * 1.7f64.powi(power)));
        prop_assert!((value(&h, &squares) - close).abs() < 1e-9);
    }

    #[test]
    fn the_order_of_the_variables_does_not_matter(
        squares in squares(6, 0.0, 0.15),
        order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let shuffled = Array2::from_shape_fn((6, 6), |(i, j)| squares[[order[i], order[j]]]);
        for h in all() {
            let (a, b) = (value(h.as_ref(), &squares), value(h.as_ref(), &shuffled));
            prop_assert!((a - b).abs() < 1e-9 * a.max(1e-3), "{}: {a} {b}", h.name());
        }
    }
}
