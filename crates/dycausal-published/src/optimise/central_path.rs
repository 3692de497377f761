//! The central path: μ · loss + h, with a μ that falls from stage to stage.

use std::time::{Duration, Instant};

use dycausal::{Checkpoint, Error, Result, Run};
use serde::Serialize;

use super::adam::Adam;
use super::outside::Outside;
use super::state::{Reader, State, checksum};
use super::stopping::Stopping;

/// What is minimised: it holds its own parameters and their gradient.
pub trait Problem: State {
    /// Loss and h at the parameters; their gradient, of μ · loss + h, is kept inside.
    ///
    /// # Errors
    /// If the parameters lie outside the domain of h.
    fn evaluate(&mut self, mu: f64) -> std::result::Result<Evaluation, Outside>;

    /// Moves against the gradient.
    fn step(&mut self, adam: Adam);

    /// Forgets Adam's means.
    fn restart(&mut self);

    /// Halves every weight; asked for while the start lies outside the domain of h.
    fn halve(&mut self);

    /// Whether h is not defined everywhere.
    fn has_domain(&self) -> bool;
}

/// Loss and h at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Reconstruction and sparsity.
    pub loss: f64,
    /// Cyclicity.
    pub cyclicity: f64,
}

/// Algorithm 1 of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CentralPath {
    /// μ of the first stage.
    pub mu: f64,
    /// What μ is multiplied with after each stage.
    pub decay: f64,
    /// How many stages.
    pub stages: usize,
    /// Most steps of Adam per stage.
    pub iterations: usize,
    /// Length of Adam's steps.
    pub rate: f64,
    /// Relative gain below which a stage ends early; 0 never.
    pub tolerance: f64,
    /// Whether Adam's means begin anew at each stage.
    pub restart: bool,
}

/// What happened on the way.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Path {
    /// Steps taken, those that were taken back included.
    pub iterations: usize,
    /// How often a step left the domain of h and was taken back.
    pub rollbacks: usize,
    /// Length of the steps at the end, after halving at every roll-back.
    pub rate: f64,
    /// Reconstruction and sparsity, at every tenth step.
    pub loss: Vec<f64>,
    /// h, at every tenth step.
    pub cyclicity: Vec<f64>,
}

/// Steps between two entries of the path.
const EVERY: usize = 10;
/// Steps over which the stopping rule averages.
const STRETCH: usize = 100;
/// A step that takes longer than somebody who asks to stop should wait.
const LONG: Duration = Duration::from_millis(200);
/// Halvings of the rate or of the start after which there is no point in going on.
const HALVINGS: usize = 60;

/// Where on the path the next step is.
#[derive(Debug, Clone)]
struct Position {
    stage: usize,
    iteration: usize,
    stopping: Stopping,
    path: Path,
    /// The problem before the last step, where that step may have to be taken back.
    before: Vec<u8>,
}

impl CentralPath {
    /// Follows the path to its end.
    ///
    /// `fingerprint` names parameters, seed and data: a checkpoint of another fit is refused.
    ///
    /// # Errors
    /// If the loss is no longer a number, no step stays in the domain of h, the run is cancelled,
    /// or a checkpoint cannot be used.
    pub fn follow(&self, problem: &mut dyn Problem, run: &Run, fingerprint: u64) -> Result<Path> {
        let mut at = self.resume(problem, run, fingerprint)?;
        let mut kept = None::<Instant>;
        while at.stage < self.stages {
            if at.iteration == 0 {
                if self.restart || at.stage == 0 {
                    problem.restart();
                }
                at.stopping = Stopping::new(self.tolerance, STRETCH);
            }
            let mu = self.mu * self.decay.powi(i32::try_from(at.stage).unwrap_or(i32::MAX));
            let begun = Instant::now();
            let advanced = self.advance(problem, run, mu, &mut at);
            let Some(checkpoint) = run.checkpoint() else {
                advanced?;
                continue;
            };
            // Whoever asks to stop does not wait for the end of a long step: the first is kept.
            let long = kept.is_none() && begun.elapsed() > LONG;
            let due = kept.get_or_insert(begun).elapsed() >= checkpoint.interval();
            if long || due || advanced == Err(Error::Cancelled) {
                checkpoint.save(&write(problem, &at, fingerprint))?;
                kept = Some(Instant::now());
            }
            advanced?;
        }
        Ok(at.path)
    }

    /// One step, or one step back.
    fn advance(
        &self,
        problem: &mut dyn Problem,
        run: &Run,
        mu: f64,
        at: &mut Position,
    ) -> Result<()> {
        run.proceed()?;
        let found = match problem.evaluate(mu) {
            Ok(found) => found,
            Err(outside) => return go_back(problem, at, outside),
        };
        if !(found.loss.is_finite() && found.cyclicity.is_finite()) {
            return Err(not_finite(at));
        }
        if problem.has_domain() {
            at.before.clear();
            problem.write(&mut at.before);
        }
        self.record(run, found, at);
        let taken = if self.restart { at.iteration } else { at.path.iterations };
        problem.step(Adam::step(at.path.rate, taken + 1));
        at.iteration += 1;
        at.path.iterations += 1;
        let objective = mu * found.loss + found.cyclicity;
        if at.stopping.reached(objective) || at.iteration >= self.iterations {
            run.advance((self.iterations - at.iteration.min(self.iterations)) as u64);
            (at.stage, at.iteration) = (at.stage + 1, 0);
        }
        Ok(())
    }

    fn record(&self, run: &Run, found: Evaluation, at: &mut Position) {
        run.advance(1);
        if at.iteration.is_multiple_of(EVERY) {
            at.path.loss.push(found.loss);
            at.path.cyclicity.push(found.cyclicity);
        }
        if at.iteration.is_multiple_of(STRETCH) {
            run.note(&format!(
                "stage {} of {}: loss {:.4}, h {:.2e}",
                at.stage + 1,
                self.stages,
                found.loss,
                found.cyclicity
            ));
        }
    }

    fn start(&self) -> Position {
        let room = self.stages.saturating_mul(self.iterations.div_ceil(EVERY)).min(1 << 16);
        let path = Path {
            rate: self.rate,
            loss: Vec::with_capacity(room),
            cyclicity: Vec::with_capacity(room),
            ..Path::default()
        };
        Position {
            stage: 0,
            iteration: 0,
            stopping: Stopping::new(self.tolerance, STRETCH),
            path,
            before: Vec::new(),
        }
    }

    /// The start, or where an interrupted fit was.
    fn resume(&self, problem: &mut dyn Problem, run: &Run, fingerprint: u64) -> Result<Position> {
        let mut at = self.start();
        let Some(bytes) = run.checkpoint().map_or(Ok(None), Checkpoint::load)? else {
            return Ok(at);
        };
        let other = |what: &str| Error::Checkpoint { what: what.to_owned() };
        if Reader::new(&bytes).whole() != Some(FORMAT) {
            return Err(other("it was not written by this version of the method; begin anew"));
        }
        let bytes = sound(&bytes).ok_or_else(|| other("it is damaged; begin anew"))?;
        let mut reader = Reader::new(bytes);
        reader.whole();
        if reader.whole() != Some(fingerprint) {
            return Err(other(
                "it is of other data, parameters or seed; give the same, or begin anew",
            ));
        }
        read(problem, &mut at, &mut reader)
            .filter(|()| reader.is_done())
            .ok_or_else(|| other("it is cut short or damaged; begin anew"))?;
        run.advance((at.stage * self.iterations + at.iteration) as u64);
        Ok(at)
    }
}

/// Marks the layout of a checkpoint: "dycausa" and a version.
const FORMAT: u64 = u64::from_le_bytes(*b"dycausa2");

fn write(problem: &dyn Problem, at: &Position, fingerprint: u64) -> Vec<u8> {
    let path = &at.path;
    let mut out = Vec::new();
    let counts = [at.stage, at.iteration, path.iterations, path.rollbacks];
    let numbers = at.stopping.parts();
    for whole in [FORMAT, fingerprint]
        .into_iter()
        .chain(counts.map(|count| count as u64))
        .chain(numbers.map(f64::to_bits))
        .chain([path.rate.to_bits(), path.loss.len() as u64])
        .chain(path.loss.iter().chain(&path.cyclicity).map(|x| x.to_bits()))
    {
        out.extend_from_slice(&whole.to_le_bytes());
    }
    out.extend_from_slice(&(at.before.len() as u64).to_le_bytes());
    out.extend_from_slice(&at.before);
    problem.write(&mut out);
    out.extend_from_slice(&checksum(&out).to_le_bytes());
    out
}

/// The bytes before their checksum, if it is theirs.
fn sound(bytes: &[u8]) -> Option<&[u8]> {
    let (bytes, end) = bytes.split_last_chunk::<8>()?;
    (checksum(bytes) == u64::from_le_bytes(*end)).then_some(bytes)
}

fn read(problem: &mut dyn Problem, at: &mut Position, from: &mut Reader<'_>) -> Option<()> {
    let mut count = || usize::try_from(from.whole()?).ok();
    (at.stage, at.iteration) = (count()?, count()?);
    (at.path.iterations, at.path.rollbacks) = (count()?, count()?);
    at.stopping.resume([from.number()?, from.number()?, from.number()?]);
    at.path.rate = from.number()?;
    let entries = from.whole()?;
    for _ in 0..entries {
        at.path.loss.push(from.number()?);
    }
    for _ in 0..entries {
        at.path.cyclicity.push(from.number()?);
    }
    let length = usize::try_from(from.whole()?).ok()?;
    at.before = from.bytes(length)?.to_vec();
    problem.read(from)
}

/// Takes the last step back and halves the next; halves the start if there was no step yet.
fn go_back(problem: &mut dyn Problem, at: &mut Position, outside: Outside) -> Result<()> {
    at.path.rollbacks += 1;
    if at.path.rollbacks > HALVINGS {
        let what = format!("{outside}, whatever the step; rescale the data or take `norm-log-det`");
        return Err(Error::numerical("optimise", what));
    }
    if at.before.is_empty() {
        problem.halve();
    } else {
        at.path.rate /= 2.0;
        let restored = problem.read(&mut Reader::new(&at.before));
        debug_assert!(restored.is_some(), "a problem reads what it wrote");
    }
    Ok(())
}

fn not_finite(at: &Position) -> Error {
    let what = format!(
        "the loss is not a number after {} steps; rescale the data or lower `rate` ({})",
        at.path.iterations, at.path.rate
    );
    Error::numerical("optimise", what)
}
