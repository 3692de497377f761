//! Runs a method on a panel and keeps a record of it.

use std::sync::Arc;

use dycausal::{Checkpoint, Diagnostics, DynamicGraph, Panel, Run};
use dycausal_io::RunRecord;

use crate::failure::Failure;
use crate::plan::Plan;
use crate::{interrupt, knowledge, progress};

/// Learns a graph and checks it, with a progress bar, until Ctrl-C.
pub fn learn(
    panel: &Panel,
    plan: &Plan,
    source: &str,
    checkpoint: Option<Arc<dyn Checkpoint>>,
) -> Result<(DynamicGraph, RunRecord), Failure> {
    let mut run = Run::new(plan.seed).with_progress(progress::bar()).with_cancel(interrupt::heed());
    if let Some(threads) = plan.threads {
        run = run.with_threads(threads)?;
    }
    if let Some(checkpoint) = checkpoint {
        run = run.with_checkpoint(checkpoint);
    }
    let mut run = run.with_knowledge(knowledge::about(panel, plan.said.as_ref())?);
    let graph = plan.method.discover(panel, &mut run);
    let diagnostics = graph
        .as_ref()
        .ok()
        .and_then(|graph| Diagnostics::after_fit(graph, panel, &plan.parameters, &mut run));
    let timings = run.finish().to_vec();
    let graph = graph?;
    let mut record = RunRecord {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: Some(command()),
        method: plan.method.name().to_owned(),
        parameters: plan.parameters.clone(),
        seed: plan.seed,
        threads: run.threads(),
        timings,
        warnings: run.warnings().to_vec(),
        diagnostics,
        ..RunRecord::of(panel, &graph, source)
    };
    record.facts.extend(run.facts().clone());
    Ok((graph, record))
}

/// The command line as it was typed, to be run again.
fn command() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let words = std::env::args().skip(1).map(quoted);
    std::iter::once("dycausal".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
