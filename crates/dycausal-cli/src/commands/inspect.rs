//! `dycausal inspect DATA`.

use std::fmt::Write;

use dycausal::facts::Counts;
use dycausal::inspect::together;
use dycausal::inspect::{ColumnSummary, Finding, Inspection, Level, sortability};
use dycausal::{Basis, Diagnostics, DynamicGraph, Facts, Hole, Panel, Run, TimeIndex};
use serde::Serialize;
use serde_json::{Map, Value};

use super::score::truth_for;
use crate::arguments::InspectArguments;
use crate::data::Found;
use crate::failure::Failure;
use crate::plan::{DEFAULT_METHOD, Plan};
use crate::table::{Side, Table, counted, number};
use crate::{checks, data, knowledge, prepare, screen, summary};

/// How many variables are listed.
const SHOWN: usize = 40;

/// How far variances and explained variances grow along the causal order.
#[derive(Serialize)]
struct Sortability {
    by: String,
    variance: Option<f64>,
    explained: Option<f64>,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    inspection: Inspection,
    sortability: Option<Sortability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Diagnostics>,
}

/// Says what the data look like.
pub fn run(arguments: &InspectArguments) -> Result<(), Failure> {
    let Found { panel, notes, taken, source, .. } =
        data::read_data(&arguments.data, &data::options(&arguments.read))?;
    screen::note(taken);
    screen::warn(notes);
    screen::warn(prepare::warnings(&arguments.prepare.recipe()?, &panel));
    let (panel, _) = prepare::prepared(panel, &arguments.prepare.recipe()?)?;
    let mut inspection = Inspection::of(&panel, arguments.lag.unwrap_or(1))?;
    let (fitted, facts) = fitted(arguments, &panel, &mut inspection)?.unzip();
    let seen = facts.iter().flat_map(|facts| seen_by_fit(facts, arguments.lag.is_none()));
    inspection.findings.extend(seen.map(|text| Finding { level: Level::Note, text }));
    let sortability = sorted_by(arguments, &panel, &inspection, fitted.as_ref())?;
    let checked = fitted.filter(|_| arguments.fit).map(|graph| Diagnostics::of(&graph, &panel));
    let answer = Answer { inspection, sortability, diagnostics: checked.transpose()? };
    if arguments.json {
        return screen::show_json(&answer);
    }
    screen::show(&render(&source, &panel, &answer))
}

/// What the default method finds, and what it says on its way.
type Fitted = (DynamicGraph, Facts);

/// What the default method finds, where that is needed; not being able to is a failure only where
/// it was asked for.
fn fitted(
    arguments: &InspectArguments,
    panel: &Panel,
    seen: &mut Inspection,
) -> Result<Option<Fitted>, Failure> {
    let obstacle = seen.findings.iter().any(|finding| finding.level == Level::Obstacle);
    if !arguments.fit && (arguments.truth.is_some() || obstacle) {
        return Ok(None);
    }
    let plan = Plan::new(DEFAULT_METHOD, &lag_of(arguments))?;
    let known = knowledge::about(panel, arguments.knowledge.read()?.as_ref())?;
    let mut run = Run::new(plan.seed).with_knowledge(known);
    if let Some(size) = arguments.memory {
        run = run.with_memory(size.0);
    }
    if let Some(threads) = arguments.threads {
        run = run.with_threads(threads)?;
    }
    match plan.method.discover(panel, &mut run) {
        Err(reason) if arguments.fit => Err(reason.into()),
        Err(reason @ dycausal::Error::NoMemory { .. }) => {
            let text = Failure::from(reason).to_string();
            seen.findings.push(Finding { level: Level::Obstacle, text });
            Ok(None)
        }
        graph => Ok(graph.ok().map(|graph| (graph, run.facts().clone()))),
    }
}

/// What the default method saw in the data on its way.
fn seen_by_fit(facts: &Facts, lag_is_free: bool) -> Vec<String> {
    let taken_out = facts.taken_out.iter().flatten();
    let mut seen: Vec<String> = taken_out.map(|words| format!("by default {words}")).collect();
    if let Some(choice) = facts.lag.as_ref().filter(|_| lag_is_free) {
        let (chosen, curve) = (choice.chosen, summary::curve(choice));
        seen.push(format!("a lag of {chosen} is suggested by score ({curve})"));
    }
    if let Some(Counts { selected, listed, .. }) = facts.edges {
        seen.push(format!(
            "{selected} edges would be selected, {listed} of them stand up to their tests"
        ));
    }
    seen
}

/// Sortability by the truth where there is one, else by what the default method finds.
fn sorted_by(
    arguments: &InspectArguments,
    panel: &Panel,
    seen: &Inspection,
    fitted: Option<&DynamicGraph>,
) -> Result<Option<Sortability>, Failure> {
    let (by, graph) = if let Some(path) = &arguments.truth {
        let times = TimeIndex::Steps(panel.steps());
        let empty = Basis::constant(panel.steps())?;
        let shape = DynamicGraph::new(panel.names().to_vec(), times, 0, empty, Vec::new())?;
        ("the true graph".to_owned(), truth_for(&shape, path)?)
    } else if let Some(graph) = fitted {
        (format!("the graph that `{DEFAULT_METHOD}` finds"), graph.clone())
    } else {
        return Ok(None);
    };
    let edges: Vec<_> = graph.instantaneous().map(|edge| (edge.from, edge.to)).collect();
    let score = |of: fn(&ColumnSummary) -> Option<f64>| {
        let scores: Option<Vec<f64>> = seen.columns.iter().map(of).collect();
        scores.and_then(|scores| sortability(&scores, &edges))
    };
    Ok(Some(Sortability { by, variance: score(|c| c.sd), explained: score(|c| c.explained) }))
}

fn lag_of(arguments: &InspectArguments) -> Map<String, Value> {
    arguments.lag.map(|lag| ("lag".to_owned(), Value::from(lag))).into_iter().collect()
}

fn render(source: &str, panel: &Panel, answer: &Answer) -> String {
    let mut text = shape(source, panel, &answer.inspection);
    text.push('\n');
    text += &columns(&answer.inspection.columns);
    if let Some(sortability) = &answer.sortability {
        text += &sorted(sortability);
    }
    text += "\nFor a fit:\n";
    if answer.inspection.findings.is_empty() {
        text += "  nothing stands in its way\n";
    }
    for finding in &answer.inspection.findings {
        let mark = match finding.level {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Obstacle => "obstacle",
        };
        let _ = writeln!(text, "  {mark}: {}", finding.text);
    }
    text += &proposed(&answer.inspection);
    if let Some(found) = &answer.diagnostics {
        text += &checks::render(found, SHOWN);
    }
    text
}

/// What could be done to columns first, and the words to copy.
fn proposed(seen: &Inspection) -> String {
    let proposals = &seen.proposals;
    if proposals.is_empty() {
        return String::new();
    }
    let mut text = "\nPreparations to consider (you decide):\n".to_owned();
    for proposal in proposals.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}: {}", proposal.prepare, proposal.why);
    }
    if proposals.len() > SHOWN {
        let _ = writeln!(text, "  … and {} more (--json lists all)", proposals.len() - SHOWN);
    }
    let all = together(proposals, seen.columns.len());
    let _ = writeln!(text, "  all of them: --prepare '{all}'");
    text
}

fn shape(source: &str, panel: &Panel, seen: &Inspection) -> String {
    let (shortest, longest) = seen.lengths;
    let lengths = if shortest == longest {
        format!("{longest} steps")
    } else {
        format!("{shortest} to {longest} steps")
    };
    let mut text = format!(
        "{source}: {} series of {lengths}, {}, {}\n",
        seen.series,
        counted(seen.columns.len(), "variable"),
        counted(seen.missing, "missing cell")
    );
    let spacing = match (panel.times(), &seen.step) {
        (TimeIndex::Steps(_), _) => "no times given: steps are counted".into(),
        (_, Some(step)) => format!("every {step}"),
        (_, None) => "unevenly spaced".into(),
    };
    let _ = writeln!(text, "time {} to {}, {spacing}", seen.times.0, seen.times.1);
    text += &holes(&seen.holes);
    let _ = writeln!(
        text,
        "at lag {}: {} rows, {} per weight of each variable's equation",
        seen.lag,
        seen.rows,
        number(seen.rows_per_weight)
    );
    text
}

/// The holes in time, in order, cut after a screenful.
fn holes(holes: &[Hole]) -> String {
    const SHOWN: usize = 10;
    let mut text = String::new();
    for hole in holes.iter().take(SHOWN) {
        let series = hole.series.as_ref().map_or(String::new(), |name| format!(" of {name}"));
        let steps = if hole.steps == 1 { "1 step".into() } else { format!("{} steps", hole.steps) };
        let _ = writeln!(text, "hole{series} from {} to {}: {steps}", hole.from, hole.to);
    }
    if holes.len() > SHOWN {
        let _ = writeln!(text, "… and {} holes more (--json lists all)", holes.len() - SHOWN);
    }
    text
}

fn columns(columns: &[ColumnSummary]) -> String {
    let mut table = Table::new(&[
        ("variable", Side::Left),
        ("mean", Side::Right),
        ("sd", Side::Right),
        ("missing", Side::Right),
        ("R² on others", Side::Right),
    ]);
    for column in columns.iter().take(SHOWN) {
        let shown = |x: Option<f64>| x.map_or("-".into(), number);
        table.row([
            column.name.clone(),
            shown(column.mean),
            if column.constant { "constant".into() } else { shown(column.sd) },
            column.missing.to_string(),
            shown(column.explained),
        ]);
    }
    let mut text = table.render();
    if columns.len() > SHOWN {
        let _ = writeln!(text, "  … and {} more (--json lists all)", columns.len() - SHOWN);
    }
    text
}

fn sorted(sortability: &Sortability) -> String {
    let shown = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
    let meaning = match sortability.variance {
        Some(x) if x > 0.8 => {
            "variances grow along the causal order: methods that assume equal noise will look good here, and fail once columns are rescaled"
        }
        Some(_) => "variances do not give the causal order away",
        None => "there is no edge within a step whose causal order variances could give away",
    };
    format!(
        "\nvarsortability {}, R²-sortability {} by {} (0.5 says nothing)\n  {meaning}\n",
        shown(sortability.variance),
        shown(sortability.explained),
        sortability.by
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_told() {
        let told = |variance| {
            sorted(&Sortability { by: "the true graph".into(), variance, explained: None })
        };
        assert!(told(None).contains("no edge within a step"));
        assert!(told(Some(0.5)).contains("do not give the causal order away"));
        assert!(told(Some(0.9)).contains("grow along"));
    }
}
