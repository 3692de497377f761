//! `dycausal plot RUN --kind KIND -o FILE`.

use dycausal::DynamicGraph;
use dycausal::internals::nearest;
use dycausal_io::{Picture, read_run};

use super::report::check_free;
use super::score::truth_for;
use crate::arguments::PlotArguments;
use crate::failure::Failure;
use crate::screen;

/// Draws the picture.
pub fn run(arguments: &PlotArguments) -> Result<(), Failure> {
    Picture::check_name(&arguments.output)?;
    check_free(&arguments.output, arguments.force)?;
    if arguments.edges == 0 {
        return Err(Failure::input("--edges 0: expected at least 1"));
    }
    let (_, graph) = read_run(&arguments.run)?;
    let truth = arguments.truth.as_deref().map(|path| truth_for(&graph, path)).transpose()?;
    let mut picture = Picture::new(&graph, arguments.kind).with_edges(arguments.edges);
    picture = picture.in_data_units(arguments.data_units);
    if let Some(truth) = &truth {
        picture = picture.with_truth(truth)?;
    }
    if !arguments.at.is_empty() {
        let steps: Result<Vec<usize>, Failure> =
            arguments.at.iter().map(|time| step(&graph, time)).collect();
        picture = picture.with_steps(steps?);
    }
    picture.write(&arguments.output)?;
    screen::show(&format!("written to {}\n", arguments.output.display()))
}

/// The step that has a time.
fn step(graph: &DynamicGraph, time: &str) -> Result<usize, Failure> {
    let labels: Vec<String> = (0..graph.steps()).map(|step| graph.times().label(step)).collect();
    labels.iter().position(|label| label == time.trim()).ok_or_else(|| {
        let near = nearest(time, labels.iter().map(String::as_str));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let (first, last) = (&labels[0], &labels[labels.len() - 1]);
        Failure::input(format!(
            "--at {time}: the run has no such time; expected one from {first} to {last}{hint}"
        ))
    })
}
