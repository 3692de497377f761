//! Learns from the moments of a panel alone and prints the graph: what `scripts/golden` compares.

#![allow(clippy::print_stdout)] // it prints one graph: that is what it is for

use dycausal::{Moments, Ordered, Panel, Run, TimeIndex};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected: moments_only SERIES.npy")?;
    let options = dycausal_io::ReadOptions::default();
    let panel: Panel = dycausal_io::read_panel(&dycausal_io::Source::Path(file.into()), &options)?;
    let moments = Moments::of(&panel, 1)?;
    let times = TimeIndex::Steps(panel.steps());
    let method = Ordered { lag: 1.into(), ..Ordered::default() };
    let graph = method.discover_moments(&moments, panel.names(), &times, &mut Run::new(0))?;
    println!("{}", serde_json::to_string(&graph)?);
    Ok(())
}
