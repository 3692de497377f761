//! A comparison as a table.

use dycausal::{DynamicGraph, Scope};
use serde::Serialize;

use super::{Comparison, Entry};
use crate::error::Result;
use crate::metrics::{Average, score};

/// One method in the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The method.
    pub method: String,
    /// Edges that are there at any step.
    pub edges: Option<usize>,
    /// Of these, those within a step.
    pub instantaneous: Option<usize>,
    /// Of these, those whose direction is open or in conflict.
    pub open: Option<usize>,
    /// Edges and steps that it shares with the standard method, of those that either has.
    pub agreement: Option<f64>,
    /// F1 against the truth, the mean over steps.
    pub f1: Option<f64>,
    /// Precision against the truth.
    pub precision: Option<f64>,
    /// Recall of the truth.
    pub recall: Option<f64>,
    /// Structural Hamming distance from the truth.
    pub shd: Option<f64>,
    /// How long it took.
    pub seconds: f64,
    /// What it can see.
    pub sees: String,
    /// Why there is nothing.
    pub failure: Option<String>,
}

impl Comparison {
    /// One row per method, with scores where a truth is known.
    ///
    /// # Errors
    /// If the truth has other variables or steps than the data.
    pub fn rows(&self, truth: Option<&DynamicGraph>) -> Result<Vec<Row>> {
        let standard = self.entries.first().and_then(|entry| entry.outcome.as_ref().ok());
        self.entries.iter().map(|entry| self.row(entry, standard, truth)).collect()
    }

    fn row(
        &self,
        entry: &Entry,
        standard: Option<&DynamicGraph>,
        truth: Option<&DynamicGraph>,
    ) -> Result<Row> {
        let graph = entry.outcome.as_ref().ok();
        let average = match (graph, truth) {
            (Some(graph), Some(truth)) => score(truth, graph, self.options)?.all.average,
            _ => Average::default(),
        };
        let agreement = match (graph, standard) {
            (Some(graph), Some(standard)) => Some(agreement(standard, graph)?),
            _ => None,
        };
        let open = |graph: &DynamicGraph| {
            graph.edges().iter().filter(|edge| !edge.mark.is_directed()).count()
        };
        Ok(Row {
            method: entry.method.clone(),
            edges: graph.map(|graph| graph.edges().len()),
            instantaneous: graph.map(|graph| graph.instantaneous().count()),
            open: graph.map(open),
            agreement,
            f1: average.f1,
            precision: average.precision,
            recall: average.recall,
            shd: average.shd,
            seconds: entry.seconds,
            sees: sees(entry.scope),
            failure: entry.outcome.as_ref().err().cloned(),
        })
    }
}

/// Edges per step that both have, of those that either has; 1 where neither has any.
fn agreement(standard: &DynamicGraph, other: &DynamicGraph) -> Result<f64> {
    let difference = standard.compare(other)?;
    let all = difference.shared + difference.only_first + difference.only_second;
    Ok(if all == 0 { 1.0 } else { difference.shared as f64 / all as f64 })
}

/// What a method can see, in words.
fn sees(scope: Scope) -> String {
    let words = [
        (scope.instantaneous, "within a step"),
        (scope.lagged, "lags"),
        (scope.time_varying, "motion"),
        (scope.inference, "how sure"),
    ];
    let seen: Vec<&str> =
        words.into_iter().filter(|(there, _)| *there).map(|(_, word)| word).collect();
    seen.join(", ")
}

/// The rows as CSV; what is not known is empty.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "method,edges,instantaneous,open,agreement,f1,precision,recall,shd,seconds,sees,failure\n",
    );
    for row in rows {
        let count = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
        let number = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.6}"));
        let cells = [
            quoted(&row.method),
            count(row.edges),
            count(row.instantaneous),
            count(row.open),
            number(row.agreement),
            number(row.f1),
            number(row.precision),
            number(row.recall),
            number(row.shd),
            number(Some(row.seconds)),
            quoted(&row.sees),
            quoted(row.failure.as_deref().unwrap_or("")),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A cell of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
