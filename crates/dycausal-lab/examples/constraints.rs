//! The figure of constraints: value, gradient and run time of all of them, on random matrices and
//! on cycles.
//!
//! ```text
//! cargo run --release -p dycausal-lab --example constraints -- docs/pictures/constraints.svg
//! ```
//!
//! Left: squares of matrices of 20 variables uniform in \[0, k\]. Right: cycles of d nodes with
//! weights ±0.5. Prints a table, and draws it if given a file.

#![allow(clippy::print_stdout)] // it prints a table: that is what it is for

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use dycausal::Run;
use dycausal::acyclicity::{Constraint, Workspace};
use ndarray::Array2;
use rand::RngExt;

/// One line of the figure.
struct Line {
    name: &'static str,
    points: Vec<Point>,
}

const NAMES: [&str; 3] = ["h", "largest |gradient|", "microseconds"];
const COLOURS: [&str; 6] = ["#1b6ca8", "#7fb3d5", "#c0392b", "#e67e22", "#27ae60", "#8e44ad"];

/// Where on the axis, and h, its largest gradient and the time it took there.
type Point = (f64, [f64; 3]);

fn main() -> Result<(), Box<dyn Error>> {
    let scales: Vec<(f64, Array2<f64>)> =
        [0.01, 0.1, 0.3, 1.0, 3.0, 10.0].map(|k| (k, uniform(20, k))).into();
    let cycles: Vec<(f64, Array2<f64>)> =
        [5usize, 10, 20, 50, 100, 200].map(|d| (d as f64, cycle(d))).into();
    let random = lines(&scales);
    let round = lines(&cycles);
    table("k (uniform in [0, k], d = 20)", &random);
    table("d (cycle, weights ±0.5)", &round);
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, picture(&[("k", &random), ("d", &round)])?)?;
    }
    Ok(())
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

fn lines(inputs: &[(f64, Array2<f64>)]) -> Vec<Line> {
    let line = |constraint: Constraint| {
        let h = constraint.build(1.001);
        let measure = |squares: &Array2<f64>| {
            let d = squares.nrows();
            let (mut workspace, mut gradient) = (Workspace::new(d), Array2::zeros((d, d)));
            let mut evaluate = || h.evaluate(squares.view(), gradient.view_mut(), &mut workspace);
            let value = evaluate();
            let begun = Instant::now();
            let mut count = 0;
            while count < 1000 && begun.elapsed().as_secs_f64() < 0.05 {
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
        Line { name: h.name(), points: points.collect() }
    };
    Constraint::ALL.map(line).into()
}

fn table(title: &str, lines: &[Line]) {
    println!("\n{title}: {}; – is outside the domain", NAMES.join(" / "));
    let heads: Vec<&str> = lines.iter().map(|line| line.name).collect();
    println!("| | {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len() + 1));
    for row in 0..lines.first().map_or(0, |line| line.points.len()) {
        let cells: Vec<String> = lines.iter().map(|line| cell(line.points[row].1)).collect();
        println!("| {} | {} |", lines[0].points[row].0, cells.join(" | "));
    }
}

fn cell(numbers: [f64; 3]) -> String {
    let text = |x: f64| if x.is_nan() { "–".to_owned() } else { format!("{x:.1e}") };
    numbers.map(text).join(" / ")
}

/// Six panels, both axes logarithmic.
fn picture(rows: &[(&str, &Vec<Line>)]) -> Result<String, Box<dyn Error>> {
    let (width, height) = (300.0, 220.0);
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n",
        3.0 * width,
        2.0 * height + 30.0
    );
    for (r, (axis, lines)) in rows.iter().enumerate() {
        for (c, name) in NAMES.iter().enumerate() {
            let corner = (c as f64 * width, r as f64 * height);
            panel(&mut svg, corner, (axis, name), lines, c)?;
        }
    }
    for (at, line) in rows[0].1.iter().enumerate() {
        let x = 20.0 + 145.0 * at as f64;
        let y = 2.0 * height + 15.0;
        writeln!(svg, "<text x='{x}' y='{y}' fill='{}'>{}</text>", COLOURS[at], line.name)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn panel(
    svg: &mut String,
    (left, top): (f64, f64),
    (axis, name): (&str, &str),
    lines: &[Line],
    which: usize,
) -> Result<(), Box<dyn Error>> {
    let shown = |y: f64| y.is_finite() && y > 1e-30;
    let all = || lines.iter().flat_map(|line| &line.points).filter(|p| shown(p.1[which]));
    let bounds = |of: &dyn Fn(&Point) -> f64| {
        let logs = all().map(|p| of(p).log10());
        logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
    };
    let (x_low, x_high) = bounds(&|p| p.0);
    let (y_low, y_high) = bounds(&|p| p.1[which]);
    let at = |x: f64, y: f64| {
        let across = (x.log10() - x_low) / (x_high - x_low).max(1e-9);
        let up = (y.log10() - y_low) / (y_high - y_low).max(1e-9);
        (left + 45.0 + 235.0 * across, top + 190.0 - 155.0 * up)
    };
    writeln!(
        svg,
        "<rect x='{}' y='{}' width='245' height='165' fill='none' stroke='#999'/>",
        left + 40.0,
        top + 30.0
    )?;
    writeln!(svg, "<text x='{}' y='{}'>{name} against {axis}</text>", left + 45.0, top + 22.0)?;
    writeln!(svg, "<text x='{}' y='{}'>1e{y_high:.0}</text>", left + 5.0, top + 40.0)?;
    writeln!(svg, "<text x='{}' y='{}'>1e{y_low:.0}</text>", left + 5.0, top + 195.0)?;
    writeln!(
        svg,
        "<text x='{}' y='{}'>{}</text>",
        left + 45.0,
        top + 208.0,
        (100.0 * 10f64.powf(x_low)).round() / 100.0
    )?;
    writeln!(
        svg,
        "<text x='{}' y='{}'>{}</text>",
        left + 262.0,
        top + 208.0,
        10f64.powf(x_high).round()
    )?;
    for (line, colour) in lines.iter().zip(COLOURS) {
        let points: Vec<String> = line
            .points
            .iter()
            .filter(|p| shown(p.1[which]))
            .map(|p| at(p.0, p.1[which]))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        writeln!(
            svg,
            "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='1.5'/>",
            points.join(" ")
        )?;
    }
    Ok(())
}
