//! The folder of a run: how a graph was found, and the graph in several formats.
//!
//! | file | holds |
//! |---|---|
//! | `run.json` | [`RunRecord`]: method, parameters, data, timings, warnings, certificate, checks |
//! | `graph.json` | what was learned: nothing that grows with the steps |
//! | `edges.csv` | one row per edge |
//! | `trajectories.parquet` | weights over time, at 500 steps at most |
//! | `ranking.parquet` | a statistic for every possible edge, listed or not, where the method gives one |
//! | `weights.npy` | weights\[time, lag, from, to\], where that is small |
//! | `edges.parquet`, `trajectories.csv`, `graph.dot`, `graph.graphml`, `tigramite.npz` | on request ([`Extra`]) |

mod dot;
mod edges;
mod folder;
mod graphml;
mod json;
mod parquet;
mod ranking;
mod record;
mod regimes;
mod tigramite;
mod trajectories;
mod truth;
mod weights;
mod write;

pub use folder::{check_folder, write_folder};
pub use json::write_json;
pub use record::RunRecord;
pub use tigramite::tigramite_arrays;
pub use truth::{read_graph, write_truth};
pub use write::{Dense, Extra, WriteOptions, Written, read_run, write_run};
