//! Equations in words and as LaTeX.

use std::fmt::Write;

use super::design::{Design, Moving};
use super::fitted::Fitted;
use super::rows::Rows;
use super::terms::Term;
use crate::basis::Basis;
use crate::run::facts::WrittenEquation;

/// A term with its coefficients along time.
struct Part {
    term: Term,
    coefficients: Vec<f64>,
}

/// The equation of a fit of one variable.
pub(super) fn written(
    names: &[String],
    effect: usize,
    (rows, design, basis): (&Rows, &Design, &Basis),
    fitted: &Fitted,
    mean: f64,
) -> WrittenEquation {
    let parts = parts(rows, design, basis, effect, fitted);
    let scale = rows.scale[effect];
    let constant = scale * (mean - offset(design, fitted));
    let moves = basis.size() > 1;
    let words =
        said(&parts, constant, &|part| shown(part, basis, moves), &|term| words(term, names));
    let latex = said(&parts, constant, &|part| shown(part, basis, moves), &|term| {
        format!("\\,{}", latex(term, names))
    });
    let variable = names[effect].clone();
    let left = format!("\\frac{{d{}}}{{dt}}", symbol(&variable));
    WrittenEquation {
        words: format!("d{variable}/dt = {words}"),
        latex: format!("{left} = {latex}"),
        variable,
    }
}
/// Coefficients in the data's units, terms that only differ in the function of time together.
fn parts(rows: &Rows, design: &Design, basis: &Basis, effect: usize, fitted: &Fitted) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (column, coefficient) in fitted.terms.iter().zip(&fitted.coefficients) {
        let Moving { term, function } = design.terms[*column];
        let (term, divisor) = term.in_units(&rows.scale);
        let value = coefficient / design.lengths[*column] * rows.scale[effect] / divisor;
        let known = parts.iter().position(|part| part.term == term).unwrap_or_else(|| {
            parts.push(Part { term, coefficients: vec![0.0; basis.size()] });
            parts.len() - 1
        });
        parts[known].coefficients[function] += value;
    }
    parts
}

/// What the means of terms add up to.
fn offset(design: &Design, fitted: &Fitted) -> f64 {
    let terms = fitted.terms.iter().zip(&fitted.coefficients);
    terms.map(|(k, c)| c / design.lengths[*k] * design.means[*k]).sum()
}

/// A coefficient: one number, or from where to where it moves.
fn shown(part: &Part, basis: &Basis, moves: bool) -> (bool, String) {
    let at = |step: usize| basis.evaluate(&part.coefficients, step);
    let (first, last) = (at(0), at(basis.steps() - 1));
    if moves && part.coefficients[1..].iter().any(|c| *c != 0.0) {
        return (false, format!("({} … {})", number(first), number(last)));
    }
    (first < 0.0, number(first.abs()))
}

fn said(
    parts: &[Part],
    constant: f64,
    coefficient: &dyn Fn(&Part) -> (bool, String),
    term: &dyn Fn(Term) -> String,
) -> String {
    let mut text = String::new();
    let mut add = |negative: bool, what: String| {
        let sign = match (text.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let _ = write!(text, "{sign}{what}");
    };
    for part in parts {
        let (negative, size) = coefficient(part);
        add(negative, format!("{size} {}", term(part.term)));
    }
    if constant.abs() > 1e-12 || parts.is_empty() {
        add(constant < 0.0, number(constant.abs()));
    }
    text
}

/// Three digits.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x.abs()) {
        let digits = if x.abs() >= 100.0 {
            0
        } else if x.abs() >= 10.0 {
            1
        } else {
            2
        };
        let digits = if x != 0.0 && x.abs() < 0.1 { 4 } else { digits };
        return format!("{x:.digits$}");
    }
    format!("{x:.2e}")
}

fn words(term: Term, names: &[String]) -> String {
    let hill = |j: usize, half: f64| format!("hill({}, {})", names[j], number(half));
    match term {
        Term::Linear(j) => names[j].clone(),
        Term::Product(j, k) if j == k => format!("{}^2", names[j]),
        Term::Product(j, k) => format!("{} {}", names[j], names[k]),
        Term::Cube(j) => format!("{}^3", names[j]),
        Term::SineOfDifference(j, i) => format!("sin({} - {})", names[j], names[i]),
        Term::CosineOfDifference(j, i) => format!("cos({} - {})", names[j], names[i]),
        Term::Sine(i) => format!("sin({})", names[i]),
        Term::Cosine(i) => format!("cos({})", names[i]),
        Term::Saturation(j, half) => hill(j, half),
        Term::Saturations((j, a), (k, b)) => format!("{} {}", hill(j, a), hill(k, b)),
    }
}

fn latex(term: Term, names: &[String]) -> String {
    let x = |j: usize| symbol(&names[j]);
    let hill = |j: usize, half: f64| {
        let (x, half) = (x(j), number(half));
        format!("\\frac{{{x}^2}}{{{half}^2 + {x}^2}}")
    };
    match term {
        Term::Linear(j) => x(j),
        Term::Product(j, k) if j == k => format!("{}^2", x(j)),
        Term::Product(j, k) => format!("{}\\,{}", x(j), x(k)),
        Term::Cube(j) => format!("{}^3", x(j)),
        Term::SineOfDifference(j, i) => format!("\\sin({} - {})", x(j), x(i)),
        Term::CosineOfDifference(j, i) => format!("\\cos({} - {})", x(j), x(i)),
        Term::Sine(i) => format!("\\sin {}", x(i)),
        Term::Cosine(i) => format!("\\cos {}", x(i)),
        Term::Saturation(j, half) => hill(j, half),
        Term::Saturations((j, a), (k, b)) => format!("{}\\,{}", hill(j, a), hill(k, b)),
    }
}

/// `x3` is x with an index; other names stand upright.
fn symbol(name: &str) -> String {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let letters = &name[..name.len() - digits.len()];
    let index = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if index && letters.len() == 1 && letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return format!("{letters}_{{{digits}}}");
    }
    let special = |c: char| match c {
        '\\' => "\\backslash ".to_owned(),
        '{' | '}' | '_' | '$' | '&' | '#' | '%' => format!("\\{c}"),
        '^' | '~' => format!("\\text{{\\{c}{{}}}}"),
        _ => c.to_string(),
    };
    format!("\\mathrm{{{}}}", name.chars().map(special).collect::<String>())
}
