//! The one edge of a system that moves in a known way, and what was learned of it.

use std::collections::HashSet;

use dycausal::facts::NamedEdge;
use dycausal::{DynamicGraph, Edge};

use super::bands::{Share, held, path_held, rows, weights_inside};
use super::definition::Trial;
use super::edges::{Place, cross, is_cross, without_direction};
use super::generate::Course;
use super::known_course::change_time;

/// The largest error of a time that counts as near, as a share of T.
const NEAR: f64 = 0.02;
/// The largest p-value of a test that says something.
const LEVEL: f64 = 0.05;

/// Figures by name.
type Figures = Vec<(&'static str, f64)>;

/// The edge that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Probe {
    /// How many steps the cause is ahead.
    pub lag: usize,
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// How it moves.
    pub course: Course,
}

impl Probe {
    /// The edge in a graph, the right way round, if it is there.
    pub(super) fn in_graph(self, graph: &DynamicGraph) -> Option<&Edge> {
        graph.edge(self.lag, self.from, self.to)
    }

    fn place(self) -> Place {
        (self.lag, self.from, self.to)
    }
}

/// The figures of one trial.
pub(super) fn measure(trial: &Trial<'_>) -> Figures {
    let Some(probe) = trial.sample.probe else { return Figures::new() };
    let graph = trial.graph;
    let path = probe.course.path(graph.steps());
    let mut figures = listing(trial, probe);
    figures.push(("rmse", error(graph, probe, &path)));
    figures.extend(others(trial, probe));
    figures.extend(weights_inside(graph).named("weight inside"));
    if let Some(found) = probe.in_graph(graph) {
        if found.band.is_some() {
            figures.extend(held(graph, found, |step| path[step]).named("cover"));
        }
        let whole = path_held(graph, found, |step| path[step]);
        figures.extend(whole.map(|held| ("all steps", f64::from(held))));
        figures.extend(motion(found, probe.course, &path));
        figures.extend(best_time(trial, probe, &path));
        figures.extend(tests(graph, found, probe.course, &path));
    }
    figures
}

/// Whether the probe is listed, and what is listed beside what is true.
fn listing(trial: &Trial<'_>, probe: Probe) -> Figures {
    let listed = without_direction(&cross(trial.graph));
    let truth = without_direction(&cross(&trial.sample.truth));
    let place = without_direction(&[probe.place()].into());
    let added = without_direction(&added(trial));
    vec![
        ("listed", f64::from(place.is_subset(&listed))),
        ("false", listed.difference(&truth).count() as f64),
        ("false, second look", added.difference(&truth).count() as f64),
    ]
}

/// What a second look added to what the search found, as the run tells.
fn added(trial: &Trial<'_>) -> HashSet<Place> {
    let named = |edge: &NamedEdge| -> Option<Place> {
        let names = trial.graph.names();
        let number = |name: &String| names.iter().position(|known| known == name);
        Some((edge.lag, number(&edge.source)?, number(&edge.target)?))
    };
    let looked = trial.run.facts().second_look.iter();
    looked
        .flat_map(|look| &look.added)
        .filter_map(named)
        .filter(|(_, from, to)| from != to)
        .collect()
}

fn error(graph: &DynamicGraph, probe: Probe, path: &[f64]) -> f64 {
    let found = probe.in_graph(graph);
    let weight = |step| found.map_or(0.0, |edge| edge.weight(graph.basis(), step));
    let squares = rows(graph).map(|step| (weight(step) - path[step]).powi(2));
    (squares.sum::<f64>() / rows(graph).len().max(1) as f64).sqrt()
}

/// The bands of the cross edges that stay.
fn others(trial: &Trial<'_>, probe: Probe) -> Figures {
    let (graph, truth) = (trial.graph, &trial.sample.truth);
    let (mut steps, mut paths) = (Share::default(), Share::default());
    for edge in truth.edges().iter().filter(|edge| is_cross(edge)) {
        let place = (edge.lag, edge.from, edge.to);
        let found = graph.edge(edge.lag, edge.from, edge.to);
        let Some(found) = found.filter(|found| found.band.is_some() && place != probe.place())
        else {
            continue;
        };
        let weight = |step| edge.weight(truth.basis(), step);
        steps.join(held(graph, found, weight));
        paths.join(path_held(graph, found, weight).into_iter().collect());
    }
    let shares = [steps.named("cover, others"), paths.named("all steps, others")];
    shares.into_iter().flatten().collect()
}

/// The first step after the first sudden change.
fn true_time(course: Course, path: &[f64]) -> Option<usize> {
    let change = path.windows(2).position(|pair| pair[0] != pair[1]).map(|before| before + 1);
    change.filter(|_| course.jumps())
}

/// How near the time of a change comes out where everything else is known: no method can be much nearer.
fn best_time(trial: &Trial<'_>, probe: Probe, path: &[f64]) -> Option<(&'static str, f64)> {
    let time = true_time(probe.course, path)?;
    let found = change_time(trial.sample, (probe.lag, probe.from, probe.to), time, path);
    let near = found.abs_diff(time) as f64 <= NEAR * path.len() as f64;
    Some(("within 2 %, all else known", f64::from(near)))
}

/// What the motion is called and when it changes, where the graph says so.
fn motion(found: &Edge, course: Course, path: &[f64]) -> Figures {
    let Some(motion) = &found.motion else { return Figures::new() };
    let mut figures = vec![("kind", f64::from(course.kinds().contains(&motion.kind)))];
    if let Some(true_time) = true_time(course, path) {
        let first = motion.changes.first();
        let start = first.map(|found| found.at.abs_diff(true_time) as f64 / path.len() as f64);
        figures.extend(start.map(|error| ("start", error)));
        figures.push(("within 2 %", f64::from(start.is_some_and(|error| error <= NEAR))));
    }
    figures
}

/// When the edge is certainly there, and whether it certainly moves.
fn tests(graph: &DynamicGraph, found: &Edge, course: Course, path: &[f64]) -> Figures {
    let Some(tests) = &found.tests else { return Figures::new() };
    let mut figures = Figures::new();
    figures.extend(tests.unchanging.map(|p| ("moves", f64::from(p < LEVEL))));
    if let Some(certain) = tests.certain.as_ref().filter(|_| course.rests()) {
        let (on, off): (Vec<usize>, Vec<usize>) = rows(graph).partition(|step| path[*step] != 0.0);
        let seen = off.into_iter().map(|step| certain.contains(step)).collect::<Share>();
        let missed = on.into_iter().map(|step| !certain.contains(step)).collect::<Share>();
        figures.extend(seen.named("false presence"));
        figures.extend(missed.named("missed presence"));
    }
    figures
}

#[cfg(test)]
mod tests {
    use dycausal::Run;
    use dycausal::graph::{Band, Bounds, Presence, Tests};
    use dycausal::movement::{Change, Kind, Motion};

    use super::super::battery;
    use super::*;

    /// The figures of the true graph, whose probe was changed first.
    fn figures(condition: &str, change: impl Fn(&mut Edge)) -> Figures {
        let conditions = battery("motion").unwrap().conditions();
        let found = conditions.iter().find(|c| c.name == condition).unwrap();
        let sample = found.sample(4).unwrap();
        let probe = sample.probe.unwrap();
        let mut edges = sample.truth.edges().to_vec();
        let here = |edge: &&mut Edge| (edge.lag, edge.from, edge.to) == probe.place();
        change(edges.iter_mut().find(here).unwrap());
        let graph = sample.truth.with_edges(edges).unwrap();
        measure(&Trial { sample: &sample, graph: &graph, run: &Run::new(0) })
    }

    fn figure(figures: &Figures, name: &str) -> Option<f64> {
        figures.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn say(edge: &mut Edge, kind: Kind, changes: Vec<Change>) {
        let shares = vec![(kind, 0.9)];
        edge.motion = Some(Motion { kind, probability: 0.9, shares, changes });
    }

    #[test]
    fn the_truth_is_without_error() {
        let found = figures("on at 60 % N=20 T=50", |_| ());
        for (name, value) in [("listed", 1.0), ("false", 0.0), ("rmse", 0.0)] {
            assert_eq!(figure(&found, name), Some(value), "{name}");
        }
        for name in ["cover", "all steps", "kind", "start", "within 2 %", "moves", "weight inside"]
        {
            assert_eq!(figure(&found, name), None, "{name}: the truth says nothing of it");
        }
    }

    #[test]
    fn motion_bands_and_tests_are_held_against_the_course() {
        let found = figures("on at 60 % N=20 T=50", |edge| {
            say(edge, Kind::Appears, vec![Change { at: 32, low: 29, high: 34 }]);
            // 49 steps count; the band misses those from 30 on.
            let bounds = Bounds::Steps { low: vec![-0.1; 50], high: vec![0.1; 50] };
            edge.band = Some(Band { level: 0.95, bounds });
            let certain = Some(Presence::when(50, |step| step >= 25));
            edge.tests = Some(Tests { certain, unchanging: Some(0.01), ..Tests::default() });
        });
        for (name, value) in [
            ("kind", 1.0),
            ("start", 0.04),
            ("within 2 %", 0.0),
            ("cover", 29.0 / 49.0),
            ("false presence", 5.0 / 29.0),
            ("missed presence", 0.0),
            ("moves", 1.0),
            ("weight inside", 0.6),
        ] {
            assert_eq!(figure(&found, name), Some(value), "{name}");
        }
    }

    #[test]
    fn a_jump_without_a_time_is_not_near_and_a_drift_has_none() {
        let jump = figures("flip N=20 T=50", |edge| say(edge, Kind::Static, vec![]));
        assert_eq!(figure(&jump, "kind"), Some(0.0));
        assert_eq!((figure(&jump, "start"), figure(&jump, "within 2 %")), (None, Some(0.0)));
        let change = Change { at: 25, low: 20, high: 30 };
        let near = figures("flip N=20 T=50", |edge| say(edge, Kind::Jumps, vec![change]));
        assert_eq!(figure(&near, "kind"), Some(1.0));
        assert_eq!((figure(&near, "start"), figure(&near, "within 2 %")), (Some(0.0), Some(1.0)));
        let drift = figures("sine N=20 T=50", |edge| say(edge, Kind::DriftsAndJumps, vec![change]));
        assert_eq!(figure(&drift, "kind"), Some(0.0));
        assert_eq!(figure(&drift, "within 2 %"), None);
    }
}
