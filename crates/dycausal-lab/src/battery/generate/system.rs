//! Linear systems with known edges: x_t = Σ_p W_t,pᵀ x_{t−p} + innovations.

use dycausal::Panel;
use dycausal::graph::Edge;
use ndarray::{Array2, Array3, Axis, s};

use super::super::condition::{Sample, Size, Stream};
use super::innovations::{Innovations, standard};
use super::subjects::Subjects;
use crate::error::{Error, Result};
use crate::simulate::Equations;

/// Steps before the first, under the equations of the first.
const BURN_IN: usize = 100;
/// The largest growth per step of a system that counts as stable.
const LARGEST_GROWTH: f64 = 0.97;
/// How often edges are drawn again until the system is stable.
const DRAWS: usize = 100;

/// What drives a system, and in what its series differ.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct System {
    /// The longest lag of its edges.
    pub lag: usize,
    /// What is new in every step.
    pub innovations: Innovations,
    /// In what series differ.
    pub subjects: Subjects,
}

impl System {
    /// A system of one lag driven by Gaussian noise.
    pub(in super::super) const PLAIN: Self = Self {
        lag: 1,
        innovations: Innovations::GAUSSIAN,
        subjects: Subjects { levels: false, scales: false },
    };

    /// Data that follow these edges.
    ///
    /// # Errors
    /// If the edges have a cycle within a step.
    pub(in super::super) fn sample(
        self,
        stream: &mut Stream,
        size: Size,
        edges: Vec<Edge>,
    ) -> Result<Sample> {
        let mut values = self.innovations.draw(stream, size, BURN_IN);
        // Levels are intercepts of the equations, and what scales the innovations scales the series.
        self.subjects.shape(stream, &mut values);
        let blank = Array3::zeros(size.shape());
        let mut sample = Sample::new(blank, self.lag, edges)?;
        let equations = Equations::of(&sample.truth)?;
        for mut series in values.outer_iter_mut() {
            for row in 0..series.len_of(Axis(0)) {
                equations.apply(row.saturating_sub(BURN_IN), row, &mut series);
            }
        }
        sample.panel = Panel::unnamed(values.slice(s![.., BURN_IN.., ..]).to_owned())?;
        Ok(sample)
    }
}

/// Draws edges until the system they make is stable at its first, middle and last step.
///
/// # Errors
/// If that does not happen in a hundred draws.
pub(in super::super) fn stable(
    stream: &mut Stream,
    size: Size,
    lag: usize,
    mut draw: impl FnMut(&mut Stream) -> Vec<Edge>,
) -> Result<Vec<Edge>> {
    let blank = Array3::zeros((1, size.steps, size.variables));
    for _ in 0..DRAWS {
        let edges = draw(stream);
        let equations = Equations::of(&Sample::new(blank.clone(), lag, edges.clone())?.truth)?;
        let steps = [0, size.steps / 2, size.steps - 1];
        if steps.iter().all(|step| growth(stream, &equations, *step, size) < LARGEST_GROWTH) {
            return Ok(edges);
        }
    }
    let reason = format!("no stable system of {} variables in {DRAWS} draws", size.variables);
    Err(Error::Experiment { experiment: "battery".into(), reason })
}

/// How much a system that stays as it is at a step grows per step, in the long run.
fn growth(stream: &mut Stream, equations: &Equations, step: usize, size: Size) -> f64 {
    const HALF: usize = 100;
    let mut values = Array2::zeros((2 * HALF, size.variables));
    values.row_mut(0).mapv_inplace(|_: f64| standard(stream));
    for row in 1..2 * HALF {
        equations.apply(step, row, &mut values.view_mut());
    }
    let norm = |row: usize| values.row(row).iter().map(|x| x * x).sum::<f64>().sqrt();
    (norm(2 * HALF - 1) / norm(HALF - 1).max(f64::MIN_POSITIVE)).powf(1.0 / HALF as f64)
}
