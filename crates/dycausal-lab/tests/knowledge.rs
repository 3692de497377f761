//! What is known is never violated: random systems and random knowledge, for every method.
//!
//! A few cases each; `PROPTEST_CASES=200 cargo nextest run --release -p dycausal-lab --test knowledge`
//! asks 200 of every method.

// Helpers of tests may fail loudly too; clippy knows only functions marked as tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use dycausal::{DynamicGraph, Error, Knowledge, Method, Panel, Run, Statements};
use dycausal_baselines::all_methods;
use dycausal_lab::simulate::Simulation;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

/// Methods that take seconds where others take milliseconds.
const SLOW: [&str; 2] = ["gp", "auto"];
/// Cases per method, where the environment does not say.
const CASES: u32 = 20;

/// Random knowledge that agrees with itself.
#[derive(Debug, Clone)]
struct Case {
    seed: u64,
    variables: usize,
    /// An order that all of it agrees with.
    order: Vec<usize>,
    /// Pairs of places in the order, with a lag: from the earlier to the later one at lag 0.
    required: Vec<(usize, usize, usize)>,
    forbidden: Vec<(usize, usize, usize)>,
    /// How many variables, from the first on, come before the others within a step.
    earlier: usize,
    /// Whether that holds at all lags.
    tiers: bool,
    /// Which of the method's settings.
    setting: usize,
}

fn cases() -> impl Strategy<Value = Case> {
    (3..7usize).prop_flat_map(|d| {
        let edges = |most: usize| prop::collection::vec((0..d, 0..d, 0..2usize), 0..most);
        let order = Just((0..d).collect::<Vec<_>>()).prop_shuffle();
        (0..10_000u64, order, edges(4), edges(2 * d), 0..d, any::<bool>(), 0..8usize).prop_map(
            move |(seed, order, required, forbidden, earlier, tiers, setting)| Case {
                seed,
                variables: d,
                order,
                required,
                forbidden,
                earlier,
                tiers,
                setting,
            },
        )
    })
}

impl Case {
    fn panel(&self) -> Panel {
        let simulation = Simulation {
            variables: self.variables,
            series: 30,
            steps: 16,
            density: 1.0,
            ..Simulation::default()
        };
        simulation.draw(self.seed).unwrap().panel
    }

    /// Required edges (from, to, lag) that the order, the tiers and the method can have.
    fn required(&self, instantaneous: bool) -> Vec<(usize, usize, usize)> {
        let place = |v: usize| self.order.iter().position(|other| *other == v).unwrap();
        let mut edges: Vec<(usize, usize, usize)> = self
            .required
            .iter()
            .copied()
            .filter(|(a, b, lag)| *lag > 0 || (instantaneous && a != b))
            .map(
                |(a, b, lag)| if lag == 0 && place(a) > place(b) { (b, a, 0) } else { (a, b, lag) },
            )
            .filter(|(a, b, _)| !self.later(*a) || self.later(*b) || !self.tiers)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn forbidden(&self, required: &[(usize, usize, usize)]) -> Vec<(usize, usize, usize)> {
        let free = |edge: &(usize, usize, usize)| !required.contains(edge);
        self.forbidden.iter().copied().filter(free).collect()
    }

    /// Whether a variable is in the second tier.
    fn later(&self, v: usize) -> bool {
        self.earlier > 0 && !self.order[..self.earlier].contains(&v)
    }

    fn statements(&self, names: &[String], required: &[(usize, usize, usize)]) -> Value {
        let edge = |(from, to, lag): &(usize, usize, usize)| json!({"from": names[*from], "to": names[*to], "lag": lag});
        let mut said = Map::new();
        said.insert("require".into(), required.iter().map(edge).collect());
        said.insert("forbid".into(), self.forbidden(required).iter().map(edge).collect());
        if self.earlier > 0 {
            let named = |v: &[usize]| v.iter().map(|v| names[*v].clone()).collect::<Vec<_>>();
            let (first, last) = self.order.split_at(self.earlier);
            let key = if self.tiers { "tiers" } else { "order" };
            said.insert(key.into(), json!([named(first), named(last)]));
        }
        Value::Object(said)
    }

    /// Held against the graph by hand, not by what the library says of itself.
    fn check(&self, graph: &DynamicGraph, required: &[(usize, usize, usize)], method: &str) {
        let forbidden = self.forbidden(required);
        for edge in graph.edges() {
            let key = (edge.from, edge.to, edge.lag);
            assert!(!forbidden.contains(&key), "{method}: {key:?} is forbidden: {self:?}");
            let back = self.later(edge.from) && !self.later(edge.to);
            let held = edge.lag == 0 || self.tiers;
            assert!(!(back && held), "{method}: {key:?} goes back: {self:?}");
            let given = edge.given.word() == "edge";
            assert_eq!(given, required.contains(&key), "{method}: {key:?} {self:?}");
        }
        for (from, to, lag) in required {
            let found = graph.edge(*lag, *from, *to).unwrap_or_else(|| {
                panic!("{method}: {from} → {to} at lag {lag} is required: {self:?}")
            });
            let tested = found.tests.is_some() || graph.certify().to_string().contains("changes");
            assert!(!method.ends_with("ordered") || tested || found.band.is_some(), "{self:?}");
        }
    }
}

/// What a method is run with: its ways of finding edges, and few iterations.
fn settings(method: &Method, which: usize) -> Map<String, Value> {
    let named: &[Value] = match method.name {
        "ordered" => &[
            json!({}),
            json!({"movement": "legendre"}),
            json!({"alpha": 1.0}),
            json!({"lag": 2, "season": "none"}),
            json!({"resamples": 2, "bands": false}),
        ],
        "reordered" => &[json!({}), json!({"changes": 1})],
        "dycausal" => &[json!({}), json!({"encoder": "free"}), json!({"acyclic": "union"})],
        _ => &[json!({})],
    };
    let mut set = named[which % named.len()].as_object().unwrap().clone();
    for (name, few) in [("iterations", 60), ("stages", 2)] {
        if method.parameters.iter().any(|parameter| parameter.name == name) {
            set.insert(name.into(), few.into());
        }
    }
    set
}

fn resolved(panel: &Panel, said: Value) -> Knowledge {
    let said = Statements::from_json("random", said).unwrap();
    said.resolve(panel.names(), panel.times(), &|_| None).unwrap()
}

#[test]
fn knowledge_is_never_violated_by_any_method() {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    for method in all_methods().iter().filter(|method| method.scope.knowledge) {
        let slow = SLOW.contains(&method.name);
        let usual = if slow { CASES / 16 } else { CASES };
        let config = ProptestConfig {
            cases: asked.unwrap_or(usual).max(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let run = |case: Case| {
            let panel = case.panel();
            let required = case.required(method.scope.instantaneous);
            let known = resolved(&panel, case.statements(panel.names(), &required));
            let built = method.build(&settings(method, case.setting)).unwrap().0;
            let mut run = Run::new(1).with_knowledge(known);
            let graph = built.discover(&panel, &mut run);
            let graph = graph.unwrap_or_else(|e| panic!("{}: {e}: {case:?}", method.name));
            case.check(&graph, &required, method.name);
            Ok(())
        };
        TestRunner::new(config).run(&cases(), run).unwrap();
    }
}

#[test]
fn what_a_method_cannot_honour_it_refuses_by_name() {
    let panel = Simulation { variables: 3, series: 30, steps: 12, ..Simulation::default() };
    let panel = panel.draw(5).unwrap().panel;
    let fit = |method: &Method, said: Value| {
        let built = method.build(&settings(method, 0)).unwrap().0;
        built.discover(&panel, &mut Run::new(1).with_knowledge(resolved(&panel, said)))
    };
    let (a, b) = (&panel.names()[0], &panel.names()[1]);
    for method in &all_methods() {
        let refuses = |said: Value, honours: bool| match fit(method, said) {
            Err(Error::KnowledgeNotSupported { method: name, .. }) => {
                assert_eq!(name, method.name);
                assert!(!honours, "{name}");
            }
            answer => assert!(honours, "{}: {answer:?}", method.name),
        };
        let scope = method.scope;
        refuses(json!({"roots": [a]}), scope.knowledge);
        let period = json!({"forbid": [{"from": a, "to": b, "lag": 1, "since": 4, "until": 7}]});
        refuses(period, scope.knowledge && scope.periods);
        let within = json!({"require": [{"from": a, "to": b, "lag": 0}]});
        refuses(within, scope.knowledge && scope.instantaneous);
    }
}

#[test]
fn an_edge_of_a_period_is_there_in_it_and_not_in_another() {
    let made = Simulation { variables: 3, series: 30, steps: 12, ..Simulation::default() };
    let panel = made.draw(5).unwrap().panel;
    let (a, b, c) = (&panel.names()[0], &panel.names()[1], &panel.names()[2]);
    let said = json!({
        "forbid": [{"from": a, "to": b, "since": 4, "until": 7}],
        "require": [{"from": c, "to": b, "lag": 1, "until": 6}],
    });
    for method in all_methods().iter().filter(|method| method.scope.periods) {
        let built = method.build(&Map::new()).unwrap().0;
        let mut run = Run::new(1).with_knowledge(resolved(&panel, said.clone()));
        let graph = built.discover(&panel, &mut run).unwrap();
        assert!((3..7).all(|step| graph.weight(step, 1, 0, 1) == 0.0), "{}", method.name);
        assert!(graph.weight(8, 1, 0, 1) != 0.0, "{}", method.name);
        let held = graph.edge(1, 2, 1).unwrap();
        assert!((0..6).all(|step| held.presence.contains(step)), "{}", method.name);
    }
}
