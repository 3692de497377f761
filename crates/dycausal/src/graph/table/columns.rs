//! The columns; a new one is one entry here.

use super::super::{Edge, Given, Mark, Tests};
use super::{Cell, CellKind, Column, Shown, Text, Value};
use crate::movement::Change;

/// Every column, in the order in which they are shown.
pub static COLUMNS: &[Column] = &[
    Column {
        name: "source",
        kind: CellKind::Variable,
        about: "the cause",
        shown: Shown::Always,
        value: Value::Key(|edge| Cell::Variable(edge.from)),
    },
    Column {
        name: "target",
        kind: CellKind::Variable,
        about: "the effect",
        shown: Shown::Always,
        value: Value::Key(|edge| Cell::Variable(edge.to)),
    },
    Column {
        name: "lag",
        kind: CellKind::Count,
        about: "how many steps the cause is ahead; 0 within the step",
        shown: Shown::Always,
        value: Value::Key(|edge| Cell::Count(edge.lag)),
    },
    Column {
        name: "time",
        kind: CellKind::Time,
        about: "a time at which the edge is there",
        shown: Shown::Always,
        value: Value::Step(|_, _, moment| Cell::Time(moment.step)),
    },
    Column {
        name: "weight",
        kind: CellKind::Number,
        about: "the weight then, in the units of the data",
        shown: Shown::Always,
        value: Value::Step(|_, _, moment| Cell::Number(moment.weight)),
    },
    Column {
        name: "original",
        kind: CellKind::Number,
        about: "the weight then, in the units that the columns had before they were prepared",
        shown: Shown::WhereKnown,
        value: Value::Step(|graph, edge, moment| {
            Cell::number(graph.in_original_units(edge, moment.weight))
        }),
    },
    Column {
        name: "low",
        kind: CellKind::Number,
        about: "the lower bound of the band then",
        shown: Shown::WhereKnown,
        value: Value::Step(|_, _, moment| Cell::number(moment.bounds.map(|(low, _)| low))),
    },
    Column {
        name: "high",
        kind: CellKind::Number,
        about: "the upper bound of the band then",
        shown: Shown::WhereKnown,
        value: Value::Step(|_, _, moment| Cell::number(moment.bounds.map(|(_, high)| high))),
    },
    Column {
        name: "strongest",
        kind: CellKind::Number,
        about: "the weight that is largest in absolute value, in the units of the data",
        shown: Shown::Always,
        value: Value::Overall(|_, _, all| Cell::Number(all.strongest)),
    },
    Column {
        name: "mean",
        kind: CellKind::Number,
        about: "the mean weight over the steps at which the edge is there",
        shown: Shown::Always,
        value: Value::Overall(|_, _, all| Cell::Number(all.mean)),
    },
    Column {
        name: "first",
        kind: CellKind::Time,
        about: "the first time at which the edge is there",
        shown: Shown::Always,
        value: Value::Overall(|_, edge, _| match edge.presence.ranges().first() {
            Some((start, _)) => Cell::Time(*start),
            None => Cell::Nothing,
        }),
    },
    Column {
        name: "last",
        kind: CellKind::Time,
        about: "the last time at which the edge is there",
        shown: Shown::Always,
        value: Value::Overall(|_, edge, _| match edge.presence.ranges().last() {
            Some((_, end)) => Cell::Time(end - 1),
            None => Cell::Nothing,
        }),
    },
    Column {
        name: "steps",
        kind: CellKind::Count,
        about: "at how many steps the edge is there",
        shown: Shown::Always,
        value: Value::Overall(|_, edge, _| Cell::Count(edge.presence.count())),
    },
    Column {
        name: "present",
        kind: CellKind::Text,
        about: "when the edge is there: `always`, or stretches of time",
        shown: Shown::Always,
        value: Value::Overall(|_, edge, _| Cell::Text(Text::When(&edge.presence))),
    },
    Column {
        name: "strength",
        kind: CellKind::Number,
        about: "the strongest weight in standard deviations of the effect per standard deviation of the cause",
        shown: Shown::WhereKnown,
        value: Value::Strength(|graph, edge, all| {
            Cell::number(graph.in_deviations(edge, all.strongest))
        }),
    },
    Column {
        name: "statistic",
        kind: CellKind::Number,
        about: "how far the data are from \"there is no such edge\", as the method has it: a partial correlation, a Wald statistic",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| tested(edge, |tests| tests.statistic)),
    },
    Column {
        name: "p",
        kind: CellKind::Number,
        about: "p-value of \"there is no such edge at any step\"",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| tested(edge, |tests| tests.absent)),
    },
    Column {
        name: "q",
        kind: CellKind::Number,
        about: "`p` adjusted for all edges tested",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| tested(edge, |tests| tests.absent_adjusted)),
    },
    Column {
        name: "p_unchanging",
        kind: CellKind::Number,
        about: "p-value of \"the weight is the same at every step\"",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| tested(edge, |tests| tests.unchanging)),
    },
    Column {
        name: "q_unchanging",
        kind: CellKind::Number,
        about: "`p_unchanging` adjusted for all edges of which it was tested",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| tested(edge, |tests| tests.unchanging_adjusted)),
    },
    Column {
        name: "motion",
        kind: CellKind::Word,
        about: "how the weight most likely moves: `static`, `drifts`, `jumps`, `flips`, `jumps_twice`, `appears`, `vanishes`, `pulses`, `drifts_and_jumps`",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| {
            edge.motion.as_ref().map_or(Cell::Nothing, |motion| Cell::Word(motion.kind.word()))
        }),
    },
    Column {
        name: "motion_probability",
        kind: CellKind::Number,
        about: "how likely that motion is, from 0 to 1",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| {
            Cell::number(edge.motion.as_ref().map(|motion| motion.probability))
        }),
    },
    Column {
        name: "change",
        kind: CellKind::Time,
        about: "the first time after the first sudden change of the weight",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| change(edge, |change| change.at)),
    },
    Column {
        name: "change_low",
        kind: CellKind::Time,
        about: "the change is no earlier",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| change(edge, |change| change.low)),
    },
    Column {
        name: "change_high",
        kind: CellKind::Time,
        about: "the change is no later",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| change(edge, |change| change.high)),
    },
    Column {
        name: "changes",
        kind: CellKind::Text,
        about: "every sudden change of the weight, with the times it lies between",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| match edge.motion.as_ref().map(|motion| &motion.changes) {
            Some(changes) if !changes.is_empty() => Cell::Text(Text::Changes(changes)),
            _ => Cell::Nothing,
        }),
    },
    Column {
        name: "there",
        kind: CellKind::Text,
        about: "when the weight is certainly not 0: a band that holds its whole path leaves 0 out",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| {
            let certain = edge.tests.as_ref().and_then(|tests| tests.certain.as_ref());
            certain.map_or(Cell::Nothing, |certain| Cell::Text(Text::When(certain)))
        }),
    },
    Column {
        name: "mark",
        kind: CellKind::Word,
        about: "`directed`; `undirected` where the data cannot tell the edge from its reverse; `conflict` where they point both ways",
        shown: Shown::Unless(Mark::Directed.word()),
        value: Value::Edge(|edge| Cell::Word(edge.mark.word())),
    },
    Column {
        name: "confidence",
        kind: CellKind::Number,
        about: "how likely the direction shown is right, from 0 to 1",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| Cell::number(edge.confidence)),
    },
    Column {
        name: "support",
        kind: CellKind::Number,
        about: "the share of resamples of the data in which the edge was found again",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| Cell::number(edge.support)),
    },
    Column {
        name: "given",
        kind: CellKind::Word,
        about: "what was known of the edge before: `nothing`; `direction` where its reverse was ruled out; `edge` where it was required",
        shown: Shown::Unless(Given::Nothing.word()),
        value: Value::Edge(|edge| Cell::Word(edge.given.word())),
    },
    Column {
        name: "found_by",
        kind: CellKind::Text,
        about: "the methods that found the edge, where several were compared",
        shown: Shown::WhereKnown,
        value: Value::Edge(|edge| match edge.found_by.as_slice() {
            [] => Cell::Nothing,
            methods => Cell::Text(Text::Names(methods)),
        }),
    },
];

fn tested(edge: &Edge, which: fn(&Tests) -> Option<f64>) -> Cell<'static> {
    Cell::number(edge.tests.as_ref().and_then(which))
}

fn change(edge: &Edge, which: fn(&Change) -> usize) -> Cell<'static> {
    let first = edge.motion.as_ref().and_then(|motion| motion.changes.first());
    first.map_or(Cell::Nothing, |change| Cell::Time(which(change)))
}
