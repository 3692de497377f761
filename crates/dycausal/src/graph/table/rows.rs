//! The rows.

use super::super::{DynamicGraph, Edge};
use super::{COLUMNS, Cell, Column, Shown, Value};

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// An edge.
    Edges,
    /// An edge at a step at which it is there.
    Steps,
    /// An edge that is there at this step.
    At(usize),
}

/// The edges of a graph as a table, by lag, cause and effect, and then by step.
#[derive(Debug, Clone)]
pub struct EdgeTable<'a> {
    graph: &'a DynamicGraph,
    layout: Layout,
    columns: Vec<&'static Column>,
}

impl<'a> EdgeTable<'a> {
    /// The table of the columns that have something to say.
    pub fn new(graph: &'a DynamicGraph, layout: Layout) -> Self {
        let mut table = Self::full(graph, layout);
        let columns = std::mem::take(&mut table.columns);
        table.columns = columns.into_iter().filter(|column| table.tells(column)).collect();
        table
    }

    /// The table of all columns of the layout, also of those that nothing is known of.
    pub fn full(graph: &'a DynamicGraph, layout: Layout) -> Self {
        let fits = |column: &&Column| match column.value {
            Value::Edge(_) => true,
            Value::Overall(_) => layout == Layout::Edges,
            Value::Step(_) => layout != Layout::Edges,
        };
        Self { graph, layout, columns: COLUMNS.iter().filter(fits).collect() }
    }

    /// The graph.
    pub fn graph(&self) -> &'a DynamicGraph {
        self.graph
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[&'static Column] {
        &self.columns
    }

    /// Shows every row, one cell per column.
    ///
    /// # Errors
    /// The first that `visit` gives.
    pub fn each<E>(&self, mut visit: impl FnMut(&[Cell<'a>]) -> Result<(), E>) -> Result<(), E> {
        let mut cells = vec![Cell::Nothing; self.columns.len()];
        for edge in self.edges() {
            // Once per edge: some of these look at all its steps.
            for (cell, column) in cells.iter_mut().zip(&self.columns) {
                if let Value::Edge(of) | Value::Overall(of) = column.value {
                    *cell = of(self.graph, edge);
                }
            }
            if self.layout == Layout::Edges {
                visit(&cells)?;
            }
            for step in self.steps(edge) {
                for (cell, column) in cells.iter_mut().zip(&self.columns) {
                    if let Value::Step(of) = column.value {
                        *cell = of(self.graph, edge, step);
                    }
                }
                visit(&cells)?;
            }
        }
        Ok(())
    }

    fn edges(&self) -> impl Iterator<Item = &'a Edge> {
        let layout = self.layout;
        self.graph.edges().iter().filter(move |edge| match layout {
            Layout::At(step) => edge.presence.contains(step),
            Layout::Edges | Layout::Steps => true,
        })
    }

    fn steps(&self, edge: &'a Edge) -> impl Iterator<Item = usize> + 'a {
        let layout = self.layout;
        edge.presence.steps().filter(move |step| match layout {
            Layout::Edges => false,
            Layout::Steps => true,
            Layout::At(only) => only == *step,
        })
    }

    fn tells(&self, column: &Column) -> bool {
        let usual = match column.shown {
            Shown::Always => return true,
            Shown::WhereKnown => Cell::Nothing,
            Shown::Unless(word) => Cell::Word(word),
        };
        self.edges().any(|edge| match column.value {
            Value::Edge(of) | Value::Overall(of) => of(self.graph, edge) != usual,
            Value::Step(of) => self.steps(edge).any(|step| of(self.graph, edge, step) != usual),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::basis::Basis;
    use crate::graph::table::Kind;
    use crate::graph::{Band, Bounds, Mark, Presence, Tests, Trajectory};
    use crate::panel::TimeIndex;

    fn graph() -> DynamicGraph {
        let nan = f64::NAN;
        let bounds = Bounds::Steps { low: vec![nan, 0.0, nan], high: vec![1.0, 1.0, 9.0] };
        let known = Edge {
            band: Some(Band { level: 0.9, bounds }),
            tests: Some(Tests { absent_adjusted: Some(0.25), ..Tests::default() }),
            mark: Mark::Undirected,
            confidence: Some(0.5),
            presence: Presence::when(3, |t| t < 2),
            ..Edge::new(0, 1, 0, Trajectory::Steps(vec![1.0, -2.0, 7.0]), 3)
        };
        let edges = vec![known, Edge::new(1, 1, 1, Trajectory::Constant(0.5), 3)];
        let names = ["a", "b"].map(String::from).to_vec();
        DynamicGraph::new(names, TimeIndex::Steps(3), 1, Basis::constant(3).unwrap(), edges)
            .unwrap()
            .with_scale(vec![2.0, 1.0])
            .unwrap()
    }

    fn rows<'a>(table: &EdgeTable<'a>) -> Vec<Vec<Cell<'a>>> {
        let mut rows = Vec::new();
        let Ok(()) = table.each(|cells| {
            rows.push(cells.to_vec());
            Ok::<(), std::convert::Infallible>(())
        });
        rows
    }

    fn names(table: &EdgeTable<'_>) -> Vec<&'static str> {
        table.columns().iter().map(|column| column.name).collect()
    }

    #[test]
    fn a_row_per_step_knows_the_step_and_the_edge() {
        let graph = graph();
        let table = EdgeTable::new(&graph, Layout::Steps);
        let expected = [
            "source",
            "target",
            "lag",
            "time",
            "weight",
            "low",
            "high",
            "strength",
            "q",
            "mark",
            "confidence",
        ];
        assert_eq!(names(&table), expected);
        let rows = rows(&table);
        assert_eq!(rows.len(), 5);
        let expected = [
            Cell::Variable(0),
            Cell::Variable(1),
            Cell::Count(0),
            Cell::Time(1),
            Cell::Number(-2.0),
            Cell::Number(0.0),
            Cell::Number(1.0),
            Cell::Number(-4.0),
            Cell::Number(0.25),
            Cell::Word("undirected"),
            Cell::Number(0.5),
        ];
        assert_eq!(rows[1], expected);
        assert_eq!(rows[0][5], Cell::Nothing);
        assert_eq!(rows[4][8..], [Cell::Nothing, Cell::Word("directed"), Cell::Nothing]);
    }

    #[test]
    fn a_row_per_edge_leaves_time_out() {
        let graph = graph();
        let table = EdgeTable::new(&graph, Layout::Edges);
        assert_eq!(names(&table)[3..8], ["strongest", "mean", "first", "last", "steps"]);
        let rows = rows(&table);
        assert_eq!(rows.len(), 2);
        let expected =
            [Cell::Number(-2.0), Cell::Number(-0.5), Cell::Time(0), Cell::Time(1), Cell::Count(2)];
        assert_eq!(rows[0][3..8], expected);
    }

    #[test]
    fn one_step_shows_what_is_there_then() {
        let graph = graph();
        let table = EdgeTable::new(&graph, Layout::At(2));
        assert_eq!(rows(&table).len(), 1);
        assert_eq!(names(&table), ["source", "target", "lag", "time", "weight", "strength"]);
        assert_eq!(rows(&EdgeTable::new(&graph, Layout::At(9))).len(), 0);
    }

    #[test]
    fn columns_have_names_of_their_own_and_hold_their_kind() {
        let mut seen = HashSet::new();
        assert!(COLUMNS.iter().all(|column| seen.insert(column.name)));
        let graph = graph();
        for layout in [Layout::Edges, Layout::Steps, Layout::At(1)] {
            let table = EdgeTable::full(&graph, layout);
            for row in rows(&table) {
                for (cell, column) in row.iter().zip(table.columns()) {
                    let kind = match cell {
                        Cell::Variable(_) => Kind::Variable,
                        Cell::Time(_) => Kind::Time,
                        Cell::Count(_) => Kind::Count,
                        Cell::Number(_) => Kind::Number,
                        Cell::Word(_) => Kind::Word,
                        Cell::Text(_) => Kind::Text,
                        Cell::Nothing => continue,
                    };
                    assert_eq!(kind, column.kind, "{}", column.name);
                }
            }
        }
    }
}
