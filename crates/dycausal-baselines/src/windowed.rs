//! Any method in windows that slide over time.

use std::collections::BTreeMap;

use dycausal::graph::{Edge, Presence, Trajectory};
use dycausal::internals::memory::bytes;
use dycausal::{
    Auto, Basis, Described, Discover, DynamicGraph, Error, Panel, PanelShape, Parameter, Result,
    Run, Scope,
};
use ndarray::s;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::inner;

/// Fits another method in windows of `window` steps, `stride` steps apart, all series together: a
/// graph that moves by jumps.
///
/// Each step has the graph of the window whose middle is nearest. Tests and bands are not kept: they
/// hold for one window, and there are many. What is marked as undirected or in conflict in one
/// window is so marked for all. A window in which the method fails has no edges, and a warning says
/// why.
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `inner` | pcmci-plus | the method | the name of any other |
/// | `inner_set` | none | its parameters | those of that method but `lag` |
/// | `lag` | 1 | longest lag | as that method has it |
/// | `window` | 40 | steps of a window | at least `lag` + 3 |
/// | `stride` | auto | steps from one window to the next | at least 1, or auto: a quarter of the window |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Windowed {
    /// The method.
    pub inner: String,
    /// Its parameters.
    pub inner_set: Map<String, Value>,
    /// Longest lag.
    pub lag: usize,
    /// Steps of a window.
    pub window: usize,
    /// Steps from one window to the next.
    pub stride: Auto<usize>,
}

impl Default for Windowed {
    fn default() -> Self {
        let inner = "pcmci-plus".to_owned();
        Self { inner, inner_set: Map::new(), lag: 1, window: 40, stride: Auto::Auto }
    }
}

impl Described for Windowed {
    const SUMMARY: &'static str =
        "any other method (`inner`) in windows that slide over time: a graph that moves by jumps";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter { name: "inner", purpose: "the method", range: "the name of any other method" },
        Parameter {
            name: "inner_set",
            purpose: "its parameters",
            range: "a table of its parameters but `lag`",
        },
        Parameter { name: "lag", purpose: "longest lag", range: "as the inner method has it" },
        Parameter { name: "window", purpose: "steps of a window", range: "at least lag + 3" },
        Parameter {
            name: "stride",
            purpose: "steps from one window to the next; auto: a quarter of the window",
            range: "at least 1, or auto",
        },
    ];
}

impl Discover for Windowed {
    fn name(&self) -> &'static str {
        "windowed"
    }

    fn scope(&self) -> Scope {
        let inner = inner::build(&self.inner, &self.inner_set, self.lag);
        let scope = inner.map_or(
            Scope {
                instantaneous: true,
                lagged: true,
                time_varying: true,
                inference: false,
                missing: false,
                knowledge: false,
                periods: false,
            },
            |inner| inner.scope(),
        );
        // The runs of its windows are its own: they carry no knowledge.
        let (knowledge, periods) = (false, false);
        Scope { time_varying: true, inference: false, knowledge, periods, ..scope }
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn memory(&self, shape: PanelShape) -> u64 {
        let part = PanelShape { steps: shape.steps.min(self.window), ..shape };
        let inner = inner::build(&self.inner, &self.inner_set, self.lag);
        inner.map_or(0, |inner| inner.memory(part)).saturating_add(bytes(shape.values()))
    }

    fn check(&self) -> Result<()> {
        inner::build(&self.inner, &self.inner_set, self.lag)?;
        if self.window < self.lag.saturating_add(3) {
            let expected = format!("at least {}, lag + 3", self.lag.saturating_add(3));
            return Err(Error::parameter("window", self.window, expected));
        }
        if self.stride == Auto::Value(0) {
            return Err(Error::parameter("stride", 0, "at least 1, or auto"));
        }
        Ok(())
    }

    fn learn(&self, panel: &Panel, run: &mut Run) -> Result<DynamicGraph> {
        let inner = inner::build(&self.inner, &self.inner_set, self.lag)?;
        let starts = self.starts(panel.steps());
        let width = self.window.min(panel.steps());
        let mut found = Vec::with_capacity(starts.len());
        let mut failure = None;
        for start in &starts {
            run.proceed()?;
            let part = part(panel, *start, width)?;
            let fitted = part.check_for_fit(self.lag).and_then(|()| inner.learn(&part, run));
            found.push(match fitted {
                Ok(graph) => Some(graph),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(reason) => {
                    let (first, last) = (start + 1, start + width);
                    run.warn(format!("steps {first} to {last} have no graph: {reason}"));
                    failure = Some(reason);
                    None
                }
            });
        }
        match failure {
            Some(reason) if found.iter().all(Option::is_none) => return Err(reason),
            _ => {}
        }
        self.joined(panel, &starts, width, &found)
    }
}

impl Windowed {
    /// The first step of every window; the last window ends with the series.
    fn starts(&self, steps: usize) -> Vec<usize> {
        let last = steps.saturating_sub(self.window);
        let stride = self.stride.value().unwrap_or(self.window / 4).max(1);
        let mut starts: Vec<usize> = (0..=last).step_by(stride).collect();
        if starts.last() != Some(&last) {
            starts.push(last);
        }
        starts
    }

    /// One graph of all windows.
    fn joined(
        &self,
        panel: &Panel,
        starts: &[usize],
        width: usize,
        found: &[Option<DynamicGraph>],
    ) -> Result<DynamicGraph> {
        let steps = panel.steps();
        let nearest: Vec<usize> = (0..steps).map(|step| nearest(starts, width, step)).collect();
        let mut edges: BTreeMap<(usize, usize, usize), Edge> = BTreeMap::new();
        for (window, graph) in found.iter().enumerate() {
            for edge in graph.iter().flat_map(DynamicGraph::edges) {
                let place = (edge.lag, edge.from, edge.to);
                let kept = edges.entry(place).or_insert_with(|| Edge {
                    presence: Presence::always(0),
                    mark: edge.mark,
                    ..Edge::new(
                        edge.from,
                        edge.to,
                        edge.lag,
                        Trajectory::Steps(vec![0.0; steps]),
                        0,
                    )
                });
                if kept.mark.is_directed() {
                    kept.mark = edge.mark;
                }
                let (Some(graph), Trajectory::Steps(path)) = (graph, &mut kept.trajectory) else {
                    continue;
                };
                for step in (0..steps).filter(|step| nearest[*step] == window) {
                    // Methods whose weights move within the window have one for every step of it.
                    let within = step.saturating_sub(starts[window]).min(width - 1);
                    path[step] = edge.weight(graph.basis(), within);
                }
            }
        }
        let finished = edges.into_values().map(|mut edge| {
            if let Trajectory::Steps(path) = &edge.trajectory {
                edge.presence = Presence::when(steps, |step| path[step] != 0.0);
            }
            edge
        });
        let edges = finished.collect();
        let (names, times) = (panel.names().to_vec(), panel.times().clone());
        DynamicGraph::new(names, times, self.lag, Basis::constant(steps)?, edges)
    }
}

/// The window whose middle is nearest to a step, the first of equals.
fn nearest(starts: &[usize], width: usize, step: usize) -> usize {
    let distance = |window: &usize| (2 * starts[*window] + width - 1).abs_diff(2 * step);
    (0..starts.len()).min_by_key(distance).unwrap_or(0)
}

/// The panel from one step on.
fn part(panel: &Panel, start: usize, width: usize) -> Result<Panel> {
    let values = panel.values().slice(s![.., start..start + width, ..]).to_owned();
    Panel::new(values, panel.names().to_vec())
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;
    use serde_json::json;

    use super::*;
    use crate::golden::noise;

    /// b follows a one step later, until it does not any more.
    fn switching() -> Panel {
        let mut values = Array3::from_shape_fn((1, 400, 2), |(_, t, v)| noise(2 * t + v));
        for t in 1..200 {
            values[[0, t, 1]] += 0.9 * values[[0, t - 1, 0]];
        }
        Panel::unnamed(values).unwrap()
    }

    #[test]
    fn an_edge_is_there_while_it_is() {
        let inner_set = Map::from_iter([("alpha".to_owned(), json!(0.001))]);
        let method =
            Windowed { inner: "granger".into(), inner_set, window: 80, ..Windowed::default() };
        let graph = method.discover(&switching(), &mut Run::new(0)).unwrap();
        let edge = graph.edge(1, 0, 1).unwrap();
        assert!((100..=165).all(|t| edge.presence.contains(t)), "{:?}", edge.presence);
        assert!((260..400).all(|t| !edge.presence.contains(t)), "{:?}", edge.presence);
        assert!((edge.weight(graph.basis(), 60) - 0.9).abs() < 0.2);
    }

    #[test]
    fn windows_cover_every_step_and_end_with_the_series() {
        let method = Windowed { window: 30, stride: Auto::Value(20), ..Windowed::default() };
        assert_eq!(method.starts(100), [0, 20, 40, 60, 70]);
        assert_eq!(method.starts(30), [0]);
        assert_eq!(method.starts(12), [0]);
        assert_eq!(nearest(&[0, 20], 30, 0), 0);
        assert_eq!(nearest(&[0, 20], 30, 40), 1);
    }

    #[test]
    fn what_is_inside_is_checked_by_name() {
        let build = |set: Value| {
            let Value::Object(set) = set else { return String::new() };
            let built = dycausal::Method::of::<Windowed>().build(&set);
            built.err().map_or(String::new(), |error| error.to_string())
        };
        assert!(build(json!({"inner": "pcmco"})).contains("pcmci"));
        assert!(build(json!({"inner": "windowed"})).contains("no method"));
        assert!(build(json!({"inner_set": {"alhpa": 1}, "inner": "pcmci"})).contains("alpha"));
        assert!(build(json!({"inner_set": {"lag": 1}, "inner": "pcmci"})).contains("lag"));
        assert!(build(json!({"window": 3})).contains("window"));
        assert_eq!(build(json!({"inner": "pcmci", "window": 40})), "");
    }

    #[test]
    fn a_window_that_fails_leaves_a_warning() {
        let mut values = switching().values().to_owned();
        values.slice_mut(s![.., 300.., 0]).fill(2.0);
        let method = Windowed { inner: "granger".into(), window: 50, ..Windowed::default() };
        let mut run = Run::new(0);
        method.discover(&Panel::unnamed(values).unwrap(), &mut run).unwrap();
        assert!(
            run.warnings().iter().any(|text| text.contains("constant")),
            "{:?}",
            run.warnings()
        );
    }
}
