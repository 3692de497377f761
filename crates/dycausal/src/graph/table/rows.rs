//! The rows.

use rayon::prelude::*;

use super::super::compact::with_ends;
use super::super::{DynamicGraph, Edge, spaced};
use super::{COLUMNS, Cell, Column, Moment, Overall, Shown, Value};

/// Rows that are worked out at once, about.
const AT_ONCE: usize = 1 << 18;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// An edge.
    Edges,
    /// An edge at a step at which it is there: at most so many steps, evenly spaced, and those at which
    /// it comes and goes. An edge that stays the same has one row, at the first step at which it is there.
    Trajectories {
        /// How many steps.
        most: usize,
    },
    /// An edge that is there at this step.
    At(usize),
}

impl Layout {
    /// Whether a column has something to say of such a row.
    fn has(self, column: &Column) -> bool {
        match (column.value, self) {
            (Value::Key(_), _)
            | (Value::Edge(_) | Value::Strength(_), Self::Edges | Self::At(_))
            | (Value::Overall(_), Self::Edges)
            | (Value::Step(_), Self::Trajectories { .. } | Self::At(_)) => true,
            (Value::Edge(_) | Value::Strength(_), Self::Trajectories { .. })
            | (Value::Overall(_), Self::Trajectories { .. } | Self::At(_))
            | (Value::Step(_), Self::Edges) => false,
        }
    }
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
        let columns = COLUMNS.iter().filter(|column| layout.has(column)).collect();
        Self { graph, layout, columns }
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
        let shared = self.shared_steps();
        let at_once = (AT_ONCE / shared.len().max(1)).max(1);
        let edges: Vec<&'a Edge> = self.edges().collect();
        let known = edges.chunks(at_once).flat_map(|some| {
            // Looking at many steps is what takes long.
            let looked = |edge: &&'a Edge| (*edge, self.overall(edge), self.moments(edge, &shared));
            some.par_iter().map(looked).collect::<Vec<_>>()
        });
        for (edge, all, moments) in known {
            self.fill_whole(edge, all.as_ref(), &mut cells);
            if self.layout == Layout::Edges {
                visit(&cells)?;
            }
            for moment in moments {
                for (cell, column) in cells.iter_mut().zip(&self.columns) {
                    if let Value::Step(of) = column.value {
                        *cell = of(self.graph, edge, &moment);
                    }
                }
                visit(&cells)?;
            }
        }
        Ok(())
    }

    /// What columns ask of an edge over all steps, where any does.
    fn overall(&self, edge: &Edge) -> Option<Overall> {
        let wanted =
            |column: &&&Column| matches!(column.value, Value::Overall(_) | Value::Strength(_));
        self.columns.iter().find(wanted).map(|_| Overall::of(self.graph, edge))
    }

    /// The steps that an edge is shown at, with its weight then.
    fn moments(&self, edge: &Edge, shared: &[usize]) -> Vec<Moment> {
        let steps = self.steps(edge, shared).into_iter();
        steps.map(|step| Moment::of(self.graph, edge, step)).collect()
    }

    /// Fills in what does not depend on the step.
    fn fill_whole(&self, edge: &'a Edge, all: Option<&Overall>, cells: &mut [Cell<'a>]) {
        for (cell, column) in cells.iter_mut().zip(&self.columns) {
            match (column.value, all) {
                (Value::Key(of) | Value::Edge(of), _) => *cell = of(edge),
                (Value::Overall(of) | Value::Strength(of), Some(all)) => {
                    *cell = of(self.graph, edge, all);
                }
                _ => {}
            }
        }
    }

    fn edges(&self) -> impl Iterator<Item = &'a Edge> {
        let layout = self.layout;
        self.graph.edges().iter().filter(move |edge| match layout {
            Layout::At(step) => edge.presence.contains(step),
            Layout::Edges | Layout::Trajectories { .. } => true,
        })
    }

    /// The steps that every edge is shown at.
    fn shared_steps(&self) -> Vec<usize> {
        match self.layout {
            Layout::Edges => Vec::new(),
            Layout::At(step) => vec![step],
            Layout::Trajectories { most } => spaced(self.graph.steps(), most),
        }
    }

    /// The steps that an edge is shown at.
    fn steps(&self, edge: &Edge, shared: &[usize]) -> Vec<usize> {
        let here = |steps: Vec<usize>| -> Vec<usize> {
            steps.into_iter().filter(|step| edge.presence.contains(*step)).collect()
        };
        match self.layout {
            Layout::Trajectories { .. } if edge.stays() => {
                edge.presence.ranges().first().map(|(start, _)| *start).into_iter().collect()
            }
            Layout::Trajectories { most } => here(with_ends(shared.to_vec(), &edge.presence, most)),
            Layout::Edges | Layout::At(_) => here(shared.to_vec()),
        }
    }

    fn tells(&self, column: &Column) -> bool {
        let usual = match column.shown {
            Shown::Always => return true,
            Shown::WhereKnown => Cell::Nothing,
            Shown::Unless(word) => Cell::Word(word),
        };
        let graph = self.graph;
        let shared = self.shared_steps();
        // Whether there is a number does not hang on which.
        let all = Overall { strongest: 1.0, mean: 1.0 };
        let any = Moment { step: 0, weight: 1.0, bounds: Some((1.0, 1.0)) };
        self.edges().any(|edge| match column.value {
            Value::Key(of) | Value::Edge(of) => of(edge) != usual,
            Value::Overall(of) | Value::Strength(of) => of(graph, edge, &all) != usual,
            // Where the column has nothing to say of any weight, no step has to be looked at.
            Value::Step(of) if of(graph, edge, &any) == usual => false,
            Value::Step(of) => {
                let mut steps = self.steps(edge, &shared).into_iter();
                steps.any(|step| of(graph, edge, &Moment::of(graph, edge, step)) != usual)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::basis::Basis;
    use crate::graph::table::CellKind;
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
    fn a_row_per_step_knows_the_step_and_what_stays_has_one() {
        let graph = graph();
        let table = EdgeTable::new(&graph, Layout::Trajectories { most: usize::MAX });
        let expected = ["source", "target", "lag", "time", "weight", "low", "high"];
        assert_eq!(names(&table), expected);
        let rows = rows(&table);
        assert_eq!(rows.len(), 3);
        let expected = [
            Cell::Variable(0),
            Cell::Variable(1),
            Cell::Count(0),
            Cell::Time(1),
            Cell::Number(-2.0),
            Cell::Number(0.0),
            Cell::Number(1.0),
        ];
        assert_eq!(rows[1], expected);
        assert_eq!(rows[0][5], Cell::Nothing);
        assert_eq!(rows[2][3..5], [Cell::Time(0), Cell::Number(0.5)]);
    }

    #[test]
    fn one_step_knows_the_edge_too() {
        let graph = graph();
        let table = EdgeTable::new(&graph, Layout::At(1));
        let edge = ["strength", "q", "mark", "confidence"];
        assert_eq!(names(&table)[7..], edge);
        let rows = rows(&table);
        let known = [Cell::Number(-4.0), Cell::Number(0.25), Cell::Word("undirected")];
        assert_eq!(rows[0][7..10], known);
        assert_eq!(rows[1][8..], [Cell::Nothing, Cell::Word("directed"), Cell::Nothing]);
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
        for layout in [Layout::Edges, Layout::Trajectories { most: 2 }, Layout::At(1)] {
            let table = EdgeTable::full(&graph, layout);
            for row in rows(&table) {
                for (cell, column) in row.iter().zip(table.columns()) {
                    let kind = match cell {
                        Cell::Variable(_) => CellKind::Variable,
                        Cell::Time(_) => CellKind::Time,
                        Cell::Count(_) => CellKind::Count,
                        Cell::Number(_) => CellKind::Number,
                        Cell::Word(_) => CellKind::Word,
                        Cell::Text(_) => CellKind::Text,
                        Cell::Nothing => continue,
                    };
                    assert_eq!(kind, column.kind, "{}", column.name);
                }
            }
        }
    }
}
