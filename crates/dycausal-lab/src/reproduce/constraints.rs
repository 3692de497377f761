//! Constraints side by side: value, gradient and run time on random matrices and on cycles.

use std::fmt::Write;
use std::time::Instant;

use dycausal::Run;
use dycausal_published::acyclicity::{Constraint, Workspace};
use ndarray::Array2;
use rand::RngExt;

use crate::study::{Entry, Line, Mean, Panel, Scale, Tally, draw};

/// What is measured of a constraint.
const NAMES: [&str; 3] = ["h", "largest |gradient|", "microseconds"];

/// Seconds over which run time is averaged.
const SECONDS: f64 = 0.05;

/// One constraint on one kind of matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The constraint.
    pub name: &'static str,
    /// The size or scale of the matrix, and h, its largest gradient and its run time there; not a
    /// number outside the domain.
    pub points: Vec<(f64, [f64; 3])>,
}

/// What was measured on one kind of matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The kind of matrix.
    pub title: &'static str,
    /// Every constraint.
    pub curves: Vec<Curve>,
}

/// Measures all constraints: squares of 20 variables uniform in \[0, k\], and cycles of d nodes with
/// weights ±0.5. One measurement at a time: run times are among them.
///
/// # Errors
/// If the run is cancelled.
pub fn measure_constraints(run: &mut Run) -> dycausal::Result<Vec<Curves>> {
    let scales = [0.01, 0.1, 0.3, 1.0, 3.0, 10.0].map(|k| (k, uniform(20, k)));
    let cycles = [5usize, 10, 20, 50, 100, 200].map(|d| (d as f64, cycle(d)));
    let kinds = [("k: uniform in [0, k], 20 variables", scales), ("d: a cycle of d, ±0.5", cycles)];
    run.stage("constraints", Some((2 * Constraint::ALL.len()) as u64));
    let mut all = Vec::new();
    for (title, inputs) in kinds {
        let mut curves = Vec::new();
        for constraint in Constraint::ALL {
            run.proceed()?;
            curves.push(curve(constraint, &inputs));
            run.advance(1);
        }
        all.push(Curves { title, curves });
    }
    Ok(all)
}

fn uniform(d: usize, k: f64) -> Array2<f64> {
    let mut random = Run::new(0).random("matrix");
    let mut squares =
        Array2::from_shape_fn((d, d), |_| (k * random.random_range(0.0..1.0f64)).powi(2));
    squares.diag_mut().fill(0.0);
    squares
}

fn cycle(d: usize) -> Array2<f64> {
    Array2::from_shape_fn((d, d), |(i, j)| if j == (i + 1) % d { 0.25 } else { 0.0 })
}

fn curve(constraint: Constraint, inputs: &[(f64, Array2<f64>)]) -> Curve {
    let h = constraint.build(1.001);
    let measure = |squares: &Array2<f64>| {
        let d = squares.nrows();
        let (mut workspace, mut gradient) = (Workspace::new(d), Array2::zeros((d, d)));
        let mut evaluate = || h.evaluate(squares.view(), gradient.view_mut(), &mut workspace);
        let value = evaluate();
        let begun = Instant::now();
        let mut count = 0;
        while count < 1000 && begun.elapsed().as_secs_f64() < SECONDS {
            let _ = evaluate();
            count += 1;
        }
        let micros = begun.elapsed().as_secs_f64() * 1e6 / f64::from(count);
        let slope = gradient.indexed_iter().filter(|((i, j), _)| i != j);
        let largest = slope.fold(0.0, |most: f64, (_, g)| most.max(g.abs()));
        // Outside its domain a constraint has neither value nor gradient.
        value.map_or([f64::NAN, f64::NAN, micros], |h| [h, largest, micros])
    };
    let points = inputs.iter().map(|(x, squares)| (*x, measure(squares)));
    Curve { name: h.name(), points: points.collect() }
}

/// The table: h / largest gradient / microseconds.
pub fn constraints_markdown(all: &[Curves]) -> String {
    let mut text = format!("\n{}; – is outside the domain.\n", NAMES.join(" / "));
    for Curves { title, curves } in all {
        let heads: Vec<&str> = curves.iter().map(|curve| curve.name).collect();
        let _ = writeln!(text, "\n| {title} | {} |", heads.join(" | "));
        let _ = writeln!(text, "|{}", "---|".repeat(heads.len() + 1));
        for row in 0..curves.first().map_or(0, |curve| curve.points.len()) {
            let cells: Vec<String> = curves.iter().map(|c| cell(c.points[row].1)).collect();
            let _ = writeln!(text, "| {} | {} |", curves[0].points[row].0, cells.join(" | "));
        }
    }
    text
}

fn cell(numbers: [f64; 3]) -> String {
    let text = |x: f64| if x.is_nan() { "–".to_owned() } else { format!("{x:.1e}") };
    numbers.map(text).join(" / ")
}

/// The same as scores: a place per kind of matrix and constraint, named by size or scale.
pub(super) fn constraints_scores(all: &[Curves]) -> Vec<Tally> {
    let of = |title: &'static str| {
        move |Curve { name, points }: &Curve| {
            let mut tally = Tally::new(title, "", name);
            for (at, values) in points {
                let known = NAMES.iter().zip(values).filter(|(_, value)| value.is_finite());
                let entry = |(name, value): (&&str, &f64)| {
                    (0, Entry::new("", &at.to_string(), name, *value))
                };
                tally.scores.extend(known.map(entry));
            }
            tally
        }
    };
    all.iter().flat_map(|Curves { title, curves }| curves.iter().map(of(title))).collect()
}

/// Six frames: three measures, two kinds of matrix, on logarithmic scales.
pub fn constraints_figure(all: &[Curves]) -> String {
    let row =
        |kind: &Curves| (0..NAMES.len()).map(|which| frame(kind, which)).collect::<Vec<Panel>>();
    let rows: Vec<Vec<Panel>> = all.iter().map(row).collect();
    draw("Constraints: value, gradient and run time", &rows)
}

fn frame(kind: &Curves, which: usize) -> Panel {
    let log = |value: f64| {
        let shown = value.is_finite() && value > 1e-30;
        shown.then(|| Mean { mean: value.log10(), sd: None, count: 1 })
    };
    let line = |curve: &Curve| Line {
        name: curve.name.to_owned(),
        values: curve.points.iter().map(|(_, numbers)| log(numbers[which])).collect(),
        published: false,
    };
    let lines: Vec<Line> = kind.curves.iter().map(line).collect();
    let values = lines.iter().flat_map(|line| line.values.iter().flatten()).map(|m| m.mean);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let ticks = kind
        .curves
        .first()
        .map_or_else(Vec::new, |curve| curve.points.iter().map(|(at, _)| at.to_string()).collect());
    let scale = Scale { name: "log10".into(), low: low.floor(), high: high.ceil() };
    Panel { title: format!("{} · {}", NAMES[which], kind.title), ticks, lines, scale }
}
