//! The command `dycausal`: time series in, graphs that move out.

mod arguments;
mod commands;
mod data;
mod failure;
mod interrupt;
mod learn;
mod plan;
mod progress;
mod screen;
mod summary;
mod table;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            screen::complain(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    interrupt::listen()?;
    match command {
        Command::Demo(demo) => commands::demo::run(&demo),
        Command::Simulate(simulate) => commands::simulate::run(&simulate),
        Command::Inspect(inspect) => commands::inspect::run(&inspect),
        Command::Fit(fit) => commands::fit::run(&fit),
        Command::Score(score) => commands::score::run(&score),
        Command::Methods(methods) => commands::methods::run(&methods),
        Command::Completions(completions) => commands::completions::run(&completions),
    }
}
