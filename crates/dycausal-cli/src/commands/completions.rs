//! `dycausal completions SHELL`.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Failure;
use crate::screen;

/// Prints the completions of a shell.
pub fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "dycausal", &mut text);
    screen::show(&String::from_utf8_lossy(&text))
}
