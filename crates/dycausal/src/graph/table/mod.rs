//! The table of edges: one definition of its columns, for every format it is written in.
//!
//! A [`Column`] is a name, a kind, a sentence and a function of an edge; [`COLUMNS`] lists them in
//! the order in which they are shown. CSV, Parquet, the frames of Python and the page of a report
//! are written from an [`EdgeTable`], so a new column is one entry of the list.
//!
//! ```
//! use dycausal::graph::table::{Cell, EdgeTable, Layout};
//! use dycausal::graph::{DynamicGraph, Edge, Trajectory};
//! use dycausal::{Basis, TimeIndex};
//!
//! let names = vec!["rain".to_owned(), "river".to_owned()];
//! let rises = Edge::new(0, 1, 1, Trajectory::Steps(vec![0.1, 0.5, 0.9]), 3);
//! let graph = DynamicGraph::new(names, TimeIndex::Steps(3), 1, Basis::constant(3)?, vec![rises])?;
//! let table = EdgeTable::new(&graph, Layout::Trajectories { most: 500 });
//! let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
//! assert_eq!(names, ["source", "target", "lag", "time", "weight"]);
//! let mut last = Vec::new();
//! table.each(|cells| Ok::<_, ()>(last = cells.to_vec())).ok();
//! assert_eq!(last[3..], [Cell::Time(2), Cell::Number(0.9)]);
//! # Ok::<(), dycausal::Error>(())
//! ```

mod columns;
mod known;
mod rows;
mod text;

use serde::{Serialize, Serializer};

use super::{DynamicGraph, Edge};

pub use columns::COLUMNS;
pub use known::{Moment, Overall};
pub use rows::{EdgeTable, Layout};
pub use text::Text;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// A variable: its name, or its number from 0.
    Variable,
    /// A step: its time, or its number from 0.
    Time,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// One of a few words.
    Word,
    /// As many words as it needs.
    Text,
}

/// What stands in a row of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// A variable by number; [`DynamicGraph::names`] has its name.
    Variable(usize),
    /// A step by number; [`DynamicGraph::times`] has its time.
    Time(usize),
    /// A whole number.
    Count(usize),
    /// A finite number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// Words that [`Text::words`] gives.
    Text(Text<'a>),
    /// Not known.
    Nothing,
}

impl Cell<'_> {
    /// A number, where there is one and it is finite.
    pub fn number(value: Option<f64>) -> Self {
        value.filter(|number| number.is_finite()).map_or(Self::Nothing, Self::Number)
    }
}

/// What a column says something of, and how it knows.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// Which edge it is: in every layout.
    Key(for<'a> fn(&'a Edge) -> Cell<'a>),
    /// The edge, whatever the step: where each edge has one row, of all steps or of one.
    Edge(for<'a> fn(&'a Edge) -> Cell<'a>),
    /// The edge over all steps: only where a row is about all of them.
    Overall(for<'a> fn(&DynamicGraph, &'a Edge, &Overall) -> Cell<'a>),
    /// The same, also where a row is about one step.
    Strength(for<'a> fn(&DynamicGraph, &'a Edge, &Overall) -> Cell<'a>),
    /// The edge at a step: where a row is about one.
    Step(for<'a> fn(&DynamicGraph, &'a Edge, &Moment) -> Cell<'a>),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match self {
            Self::Key(_) | Self::Edge(_) | Self::Strength(_) => "edge",
            Self::Overall(_) => "overall",
            Self::Step(_) => "step",
        })
    }
}

/// Where a column is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// In every table.
    Always,
    /// Where it is known of any edge.
    WhereKnown,
    /// Where any edge has another word than the one that goes without saying.
    Unless(&'static str),
}

/// A column of the table of edges.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Column {
    /// Its name in every format.
    pub name: &'static str,
    /// What it holds.
    pub kind: CellKind,
    /// What it means, in a sentence.
    pub about: &'static str,
    /// Where it is shown.
    #[serde(skip)]
    pub shown: Shown,
    /// What it says something of, and how it knows.
    #[serde(rename = "per")]
    pub value: Value,
}
