//! `tigramite.npz`: the graph over all steps as tigramite lays it out.
//!
//! `graph`\[i, j, lag\] is `-->` where i causes j `lag` steps later. At lag 0 the reverse place holds
//! `<--`; both hold `o-o` where the direction is not known, and `x-x` where it changes over time or
//! is in conflict.
//! `val_matrix`, of the same shape, holds the strongest weights; `var_names` the names.

use std::io::{Seek, Write};

use dycausal::{DynamicGraph, Mark};
use ndarray::Array3;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::npy::header_bytes;

/// Writes the archive.
pub(super) fn write(to: impl Write + Seek, graph: &DynamicGraph) -> ZipResult<()> {
    let (links, values) = tigramite_arrays(graph);
    let shape = links.shape();
    let mut archive = ZipWriter::new(to);
    // Large matrices of strings are nearly all zeros.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    archive.start_file("graph.npy", options)?;
    archive.write_all(&header_bytes("<U3", shape))?;
    for link in &links {
        archive.write_all(&wide(link, 3))?;
    }
    archive.start_file("val_matrix.npy", options)?;
    archive.write_all(&header_bytes("<f8", shape))?;
    for value in &values {
        archive.write_all(&value.to_le_bytes())?;
    }
    let names = graph.names();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(1);
    archive.start_file("var_names.npy", options)?;
    archive.write_all(&header_bytes(&format!("<U{longest}"), &[names.len()]))?;
    for name in names {
        archive.write_all(&wide(name, longest))?;
    }
    archive.finish()?.flush()?;
    Ok(())
}

/// Links and strongest weights\[from, to, lag\] over all steps, as tigramite lays them out.
///
/// `-->` where `from` causes `to`, `<--` in the reverse place at lag 0; both are `o-o` where the
/// direction is not known, and `x-x` where it changes over time or is in conflict.
pub fn tigramite_arrays(graph: &DynamicGraph) -> (Array3<&'static str>, Array3<f64>) {
    let d = graph.variables();
    let mut links = Array3::from_elem((d, d, graph.lag() + 1), "");
    let mut values = Array3::zeros(links.raw_dim());
    for edge in graph.edges() {
        let strongest = edge.strongest(graph.basis());
        let (there, back) = ([edge.from, edge.to, edge.lag], [edge.to, edge.from, edge.lag]);
        if edge.lag > 0 {
            links[there] = "-->";
            values[there] = strongest;
            continue;
        }
        let (forward, backward) = match (links[there], edge.mark) {
            ("", Mark::Directed) => ("-->", "<--"),
            ("" | "o-o", Mark::Undirected) => ("o-o", "o-o"),
            _ => ("x-x", "x-x"),
        };
        links[there] = forward;
        links[back] = backward;
        // tigramite reads either half of a lag-0 matrix, so both hold the stronger direction.
        if strongest.abs() >= f64::abs(values[there]) {
            values[there] = strongest;
            values[back] = strongest;
        }
    }
    (links, values)
}

/// Text as UTF-32, filled up to so many characters.
fn wide(text: &str, characters: usize) -> Vec<u8> {
    let codes = text.chars().map(u32::from).chain(std::iter::repeat(0));
    codes.take(characters).flat_map(u32::to_le_bytes).collect()
}
