//! `--knowledge FILE.toml`: what is known of the graph.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use dycausal::{Knowledge, Panel, Statements};
use dycausal_io::{date_seconds, read_knowledge};

use crate::failure::Failure;

/// What is known of the graph.
#[derive(Args)]
pub struct KnowledgeArguments {
    /// TOML file that says which edges are forbidden or required, tiers, roots and sinks (see
    /// docs/concepts.md)
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub knowledge: Option<PathBuf>,
}

impl KnowledgeArguments {
    /// What the file says, if one was named.
    pub fn read(&self) -> Result<Option<Statements>, Failure> {
        Ok(self.knowledge.as_deref().map(read_knowledge).transpose()?)
    }
}

/// What was said, held against the names and times of the data.
pub fn about(panel: &Panel, said: Option<&Statements>) -> Result<Knowledge, Failure> {
    let known = said.map(|said| said.resolve(panel.names(), panel.times(), &date_seconds));
    Ok(known.transpose()?.unwrap_or_default())
}
