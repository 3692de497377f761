//! What the residuals say, as a table and in words.

use std::fmt::Write;

use dycausal::Diagnostics;
use dycausal::diagnostics::{Finding, Verdict};

use crate::table::{Side, Table, number};

/// The checks of all variables, of which `shown` are listed, those that are not fine first.
pub fn render(found: &Diagnostics, shown: usize) -> String {
    let mut text = format!("\nAfter a fit: {}\n", found.summary);
    text += &table(found, shown);
    if found.variables.len() > shown {
        let _ = writeln!(text, "  … and {} more (--json lists all)", found.variables.len() - shown);
    }
    let told =
        |finding: &&Finding| finding.verdict > Verdict::Fine && !finding.variables.is_empty();
    for finding in found.findings.iter().filter(told).take(shown) {
        let _ = writeln!(text, "  {}: {}", word(finding.verdict), finding.words);
    }
    let of_graph = found.findings.iter().filter(|finding| finding.variables.is_empty());
    for finding in of_graph {
        let _ = writeln!(text, "  {}: {}", finding.check, finding.words);
    }
    text
}

fn table(found: &Diagnostics, shown: usize) -> String {
    let mut table = Table::new(&[
        ("variable", Side::Left),
        ("explained", Side::Right),
        ("held out", Side::Right),
        ("autocorrelation", Side::Right),
        ("skewness", Side::Right),
        ("excess kurtosis", Side::Right),
        ("verdict", Side::Left),
    ]);
    let worst = |name: &str| {
        let own = found.findings.iter().filter(|finding| finding.variables == [name]);
        own.map(|finding| finding.verdict).max().unwrap_or(Verdict::Fine)
    };
    let mut rows: Vec<_> = found.variables.iter().map(|v| (worst(&v.variable), v)).collect();
    rows.sort_by_key(|(verdict, _)| std::cmp::Reverse(*verdict));
    let plain = |x: Option<f64>| x.map_or("-".into(), number);
    let share = |x: Option<f64>| x.map_or("-".into(), |x| format!("{:.0} %", 100.0 * x));
    for (verdict, figures) in rows.into_iter().take(shown) {
        table.row([
            figures.variable.clone(),
            share(figures.explained),
            share(figures.held_out),
            plain(figures.autocorrelation),
            plain(figures.skewness),
            plain(figures.excess_kurtosis),
            word(verdict).into(),
        ]);
    }
    table.render()
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fine => "fine",
        Verdict::Doubtful => "doubtful",
        Verdict::Bad => "bad",
    }
}
