//! Runs a method on a panel and keeps a record of it.

use std::sync::Arc;

use dycausal::{Checkpoint, Diagnostics, DynamicGraph, Panel, Run};
use dycausal_io::RunRecord;

use crate::failure::Failure;
use crate::plan::Plan;
use crate::{interrupt, knowledge, progress, words};

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
    if let Some(bytes) = plan.memory {
        run = run.with_memory(bytes);
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
    // What is left to do heeds nothing, and stops at once.
    interrupt::at_once()?;
    let mut record = RunRecord {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: Some(words::shown(&words::typed())),
        method: plan.method.name().to_owned(),
        parameters: plan.parameters.clone(),
        seed: plan.seed,
        threads: run.threads(),
        timings,
        warnings: run.warnings().to_vec(),
        diagnostics,
        ..RunRecord::of(panel, &graph, source)
    };
    record.tell(run.facts());
    Ok((graph, record))
}
