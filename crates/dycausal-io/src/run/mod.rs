//! The folder of a run: how a graph was found, and the graph in several formats.
//!
//! | file | holds |
//! |---|---|
//! | `run.json` | [`RunRecord`]: method, parameters, data, timings, warnings, certificate, checks |
//! | `graph.json` | the graph, exactly |
//! | `edges.csv` | one row per edge and step at which it is there |
//! | `weights.npy` | weights\[time, lag, from, to\], unless too large |
//! | `edges.parquet`, `graph.dot`, `graph.graphml`, `tigramite.npz` | on request ([`Extra`]) |

mod dot;
mod edges;
mod folder;
mod graphml;
mod parquet;
mod record;
mod regimes;
mod tigramite;
mod weights;
mod write;

pub use folder::{check_folder, write_folder};
pub use record::RunRecord;
pub use tigramite::tigramite_arrays;
pub use write::{Dense, Extra, WriteOptions, Written, read_run, write_json, write_run};
