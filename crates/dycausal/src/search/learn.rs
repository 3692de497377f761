//! From a score to an order and the regressions in it.

use rand::seq::SliceRandom;

use super::candidates::candidates;
use super::construct::{construct, settle};
use super::given::Given;
use super::last_look::{close_calls, regressions, turned, turns};
use super::node::Node;
use super::rounds::improve;
use super::state::{Depth, Scorer, State};
use crate::error::Result;
use crate::run::Run;
use crate::scores::LocalScore;
use crate::scores::make_symmetric;

/// How often candidates may be added and the search repeated.
const AUGMENTATIONS: usize = 4;

/// What the shape of the noise takes off the score of a variable, if it has one; about 2 if not.
const SHAPED: f64 = 10.0;

/// An order, and the regression of each variable in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Learned<S: LocalScore> {
    /// The order with its scores.
    pub(crate) state: State<S>,
    /// One regression per variable, on columns.
    pub fits: Vec<S::Regression>,
    /// Candidates of each variable.
    pub(crate) candidates: Vec<Vec<usize>>,
    /// How much worse the total is with each edge within the step, (cause, effect), turned around.
    pub turns: Vec<((usize, usize), f64)>,
}

impl<S: LocalScore> Learned<S> {
    /// The variables, causes first.
    pub fn order(&self) -> &[usize] {
        &self.state.order
    }

    /// The columns, lag · variables + cause, that cause a variable.
    pub fn parents(&self, variable: usize) -> &[usize] {
        S::selected(&self.fits[variable])
    }

    /// The sum of the scores of all variables.
    pub fn total(&self) -> f64 {
        self.state.total()
    }
}

/// Where the search begins.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Start<'a> {
    /// At a few orders drawn at random.
    Anywhere,
    /// At one that is known to be near.
    Near(&'a [usize]),
    /// At one that is known, and stays there: only regressions are sought.
    Known(&'a [usize]),
}

/// Finds the order and the regressions in it.
///
/// # Errors
/// If the run is cancelled.
pub fn learn<S: LocalScore>(
    score: &S,
    start: Start<'_>,
    given: &Given<S::Scratch>,
    run: &Run,
) -> Result<Learned<S>> {
    run.parallel(|| {
        let candidates = candidates(score, given)?;
        let mut scorer = Scorer::new(score, &candidates, given);
        match start {
            Start::Anywhere | Start::Near(_) => {
                let mut state = first_state(&mut scorer, start, run)?;
                if let Some(other) = from_freedom(&mut scorer, start, run)?
                    && other.total() < state.total() - scorer.score.least()
                {
                    state = other;
                }
                augmented(scorer, candidates, state, improve, run)
            }
            Start::Known(order) => {
                scorer.depth = Depth::Whole;
                let state = scorer.state(given.knowledge.arranged(order))?;
                augmented(scorer, candidates, state, |_, _, run| run.proceed(), run)
            }
        }
    })
}

/// Where knowledge orders variables, the search from the order that would be found without it: orders
/// that knowledge forbids may lie on every way from a random one to the best.
fn from_freedom<S: LocalScore>(
    scorer: &mut Scorer<'_, S>,
    start: Start<'_>,
    run: &Run,
) -> Result<Option<State<S>>> {
    let ordered = scorer.given.knowledge.orders().next().is_some();
    if !(ordered && matches!(start, Start::Anywhere)) {
        return Ok(None);
    }
    let free = learn(scorer.score, start, &Given::default(), run)?;
    first_state(scorer, Start::Near(&free.state.order), run).map(Some)
}

/// Improves an order, with more candidates as long as the last look finds some.
fn augmented<S: LocalScore>(
    mut scorer: Scorer<'_, S>,
    mut candidates: Vec<Vec<usize>>,
    mut state: State<S>,
    improve: impl Fn(&Scorer<'_, S>, &mut State<S>, &Run) -> Result<()>,
    run: &Run,
) -> Result<Learned<S>> {
    for _ in 0..AUGMENTATIONS {
        improve(&scorer, &mut state, run)?;
        let fits = regressions(scorer.score, &state.position, &candidates, scorer.given)?;
        let selected = fits.iter().enumerate().map(|(v, fit)| (v, S::selected(fit).to_vec()));
        let turns = turns(&scorer, &state)?;
        let close = close_calls(scorer.score, &turns);
        let others = turned(scorer.score, &state.position, &close, &candidates, scorer.given)?;
        if !adopt(&mut scorer, &mut candidates, selected.chain(others)) {
            return Ok(Learned { state, fits, candidates, turns });
        }
        state = scorer.state(state.order)?;
    }
    improve(&scorer, &mut state, run)?;
    let fits = regressions(scorer.score, &state.position, &candidates, scorer.given)?;
    let turns = turns(&scorer, &state)?;
    Ok(Learned { state, fits, candidates, turns })
}

/// The best of the starts by its whole score.
///
/// The first goes by what is quickly known, which is cheap and right where weights move. Further
/// ones go by the whole score from the beginning: where only the shape of the noise tells
/// directions, the first leads astray. They are for small problems, and for those of middling size
/// whose noise has a shape.
fn first_state<S: LocalScore>(
    scorer: &mut Scorer<'_, S>,
    start: Start<'_>,
    run: &Run,
) -> Result<State<S>> {
    let d = scorer.score.variables();
    let mut random = run.random("start order");
    let mut sequence: Vec<usize> = (0..d).collect();
    sequence.shuffle(&mut random);
    scorer.depth = Depth::Quick;
    let mut state = match start {
        Start::Near(order) | Start::Known(order) => {
            let order = scorer.given.knowledge.arranged(order);
            let mut state = scorer.state(order.clone())?;
            if scorer.score.is_cheap() {
                settle(scorer, &mut state, &order, run)?;
            }
            state
        }
        Start::Anywhere => construct(scorer, &sequence, run)?,
    };
    improve(scorer, &mut state, run)?;
    scorer.depth = Depth::Whole;
    state = scorer.state(state.order)?;
    improve(scorer, &mut state, run)?;
    let starts = if scorer.score.is_cheap() { starts(d, state.shape()) } else { 1 };
    for _ in 1..starts {
        sequence.shuffle(&mut random);
        let mut other = construct(scorer, &sequence, run)?;
        improve(scorer, &mut other, run)?;
        if other.total() < state.total() - scorer.score.least() {
            state = other;
        }
    }
    Ok(state)
}

/// How many starts a problem gets, given what the shape of its noise took off the score.
fn starts(variables: usize, shape: f64) -> usize {
    match variables {
        0..=15 => 5,
        16..=40 if shape > SHAPED * variables as f64 => 2,
        _ => 1,
    }
}

/// Makes candidates of selected parents that were none; tells whether there was one.
fn adopt<S: LocalScore>(
    scorer: &mut Scorer<'_, S>,
    candidates: &mut [Vec<usize>],
    selected: impl Iterator<Item = (usize, Vec<usize>)>,
) -> bool {
    let before: Vec<usize> = candidates.iter().map(Vec::len).collect();
    for (v, parents) in selected {
        candidates[v].extend(parents);
    }
    make_symmetric(candidates, before.len());
    let grown: Vec<usize> =
        (0..before.len()).filter(|v| candidates[*v].len() > before[*v]).collect();
    let (score, knowledge) = (scorer.score, &scorer.given.knowledge);
    for v in &grown {
        scorer.nodes[*v].replace(Node::new(score, knowledge, *v, &candidates[*v]));
    }
    !grown.is_empty()
}
