//! The command `dycausal`: time series in, graphs that move out.

mod advice;
mod arguments;
mod checkpoint;
mod checks;
mod codes;
mod commands;
mod data;
mod failure;
mod interrupt;
mod knowledge;
mod learn;
mod plan;
mod prepare;
mod progress;
mod reading;
mod screen;
mod size;
mod summary;
mod table;
mod words;

use std::panic;
use std::process::ExitCode;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let arguments = Arguments::typed();
    // A defect is reported like any failure, once, by what catches it.
    panic::set_hook(Box::new(|_| {}));
    let outcome = panic::catch_unwind(|| run(arguments.command));
    match outcome.unwrap_or_else(|defect| Err(Failure::defect(defect.as_ref()))) {
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
        Command::Compare(compare) => commands::compare::run(&compare),
        Command::Score(score) => commands::score::run(&score),
        Command::Report(report) => commands::report::run(&report),
        Command::Plot(plot) => commands::plot::run(&plot),
        Command::Methods(methods) => commands::methods::run(&methods),
        Command::Reproduce(reproduce) => commands::reproduce::run(&reproduce),
        Command::Completions(completions) => commands::completions::run(&completions),
    }
}
