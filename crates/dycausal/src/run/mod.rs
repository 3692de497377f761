//! What a run carries beside the data: seed, threads, what is known, progress, cancellation, and
//! what it noticed.

mod auto;
mod checkpoint;
pub mod facts;
pub mod memory;
mod progress;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

pub use auto::Auto;
pub use checkpoint::Checkpoint;
pub use facts::Facts;
pub use memory::PanelShape;
pub use progress::{Progress, Silent};

use crate::error::{Error, Result};
use crate::knowledge::Knowledge;
use memory::{Help, Limit, afford, available};

/// A request to stop that can be made from anywhere, and is seen by the run at its next step.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Goes on, unless stopping was asked for.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn proceed(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// More threads than any machine has cores for: each takes memory of its own.
const MOST_THREADS: usize = 1024;

/// How long one stage of a run took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The stage.
    pub stage: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// One run of a method.
///
/// The result depends on the seed and not on the number of threads.
///
/// ```
/// use dycausal::Run;
///
/// let mut run = Run::new(7).with_threads(1)?;
/// run.stage("moments", None);
/// run.warn("two variables are nearly the same");
/// assert_eq!(run.finish()[0].stage, "moments");
/// assert_eq!(run.warnings().len(), 1);
/// # Ok::<(), dycausal::Error>(())
/// ```
pub struct Run {
    seed: u64,
    pool: Option<Arc<ThreadPool>>,
    cancel: Cancel,
    progress: Arc<dyn Progress>,
    checkpoint: Option<Arc<dyn Checkpoint>>,
    memory: Option<u64>,
    knowledge: Knowledge,
    warnings: Vec<String>,
    facts: Facts,
    timings: Vec<Timing>,
    open: Option<(String, Instant)>,
}

impl Run {
    /// A silent run on all cores.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            pool: None,
            cancel: Cancel::default(),
            progress: Arc::new(Silent),
            checkpoint: None,
            memory: None,
            knowledge: Knowledge::default(),
            warnings: Vec::new(),
            facts: Facts::default(),
            timings: Vec::new(),
            open: None,
        }
    }

    /// Another run with the same seed, threads, progress, limits and knowledge, and without a record yet: for
    /// a method that has others inside.
    pub fn like(&self) -> Self {
        Self {
            pool: self.pool.clone(),
            cancel: self.cancel.clone(),
            progress: self.progress.clone(),
            memory: self.memory,
            knowledge: self.knowledge.clone(),
            ..Self::new(self.seed)
        }
    }

    /// The same run on so many threads.
    ///
    /// # Errors
    /// If `threads` is 0 or above 1024, or the system does not give that many.
    pub fn with_threads(mut self, threads: usize) -> Result<Self> {
        let refused = |expected: String| Error::parameter("threads", threads, expected);
        if threads == 0 {
            return Err(refused("at least 1".into()));
        }
        if threads > MOST_THREADS {
            return Err(refused(format!("at most {MOST_THREADS}")));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        self.pool = Some(Arc::new(pool.map_err(|e| refused(format!("fewer ({e})")))?));
        Ok(self)
    }

    /// The same run, telling its progress.
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// What is told of the progress.
    pub fn progress(&self) -> Arc<dyn Progress> {
        self.progress.clone()
    }

    /// The same run, stopping when `cancel` says so.
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same run, kept from time to time and taken up where it was interrupted.
    pub fn with_checkpoint(mut self, checkpoint: Arc<dyn Checkpoint>) -> Self {
        self.checkpoint = Some(checkpoint);
        self
    }

    /// The same run, which may need so many bytes, as far as the system has them.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// How much memory the run may need; `None` where neither the caller nor the system tells.
    pub fn memory(&self) -> Option<Limit> {
        let own = self.memory.map(|bytes| Limit { bytes, whose: "what it was given" });
        own.into_iter().chain(available()).min_by_key(|limit| limit.bytes)
    }

    /// Goes on, unless something needs more memory than there is.
    ///
    /// # Errors
    /// [`Error::NoMemory`], with what would help.
    pub fn afford(&self, what: &str, bytes: u64, help: impl Into<Help>) -> Result<()> {
        afford(what, bytes, self.memory(), help.into())
    }

    /// The same run, in which the graph agrees with what is known.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Self {
        self.knowledge = knowledge;
        self
    }

    /// What is known of the graph.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Where an unfinished fit is kept, if anywhere.
    pub fn checkpoint(&self) -> Option<&dyn Checkpoint> {
        self.checkpoint.as_deref()
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many threads the run works on.
    pub fn threads(&self) -> usize {
        self.pool
            .as_ref()
            .map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Random numbers for one purpose; each purpose has a stream of its own.
    pub fn random(&self, purpose: &str) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        // FNV-1a: any fixed hash that is the same on every platform will do.
        let stream = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        random.set_stream(stream);
        random
    }

    /// Does `work` on the run's threads: what it does with rayon stays on them.
    pub fn parallel<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Ends the stage under way and begins the next, of `total` units where that is known.
    pub fn stage(&mut self, name: &str, total: Option<u64>) {
        self.close();
        self.open = Some((name.to_owned(), Instant::now()));
        self.progress.begin(name, total);
    }

    /// So many more units of the stage are done.
    pub fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    /// Shows something beside the progress.
    pub fn note(&self, text: &str) {
        self.progress.note(text);
    }

    /// Goes on, unless stopping was asked for.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn proceed(&self) -> Result<()> {
        self.cancel.proceed()
    }

    /// What to ask where only that matters.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Keeps something the user should know; said twice, it is kept once.
    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// What the user should know, in the order it was noticed.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What was found on the way.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The same, for a method that has something to tell: how many edges were tested, what was taken out of
    /// the data.
    ///
    /// ```
    /// use dycausal::{Run, facts::Counts};
    ///
    /// let mut run = Run::new(7);
    /// run.facts_mut().edges = Some(Counts { selected: 3, tested: 3, listed: 1 });
    /// assert_eq!(run.facts().edges.unwrap().listed, 1);
    /// ```
    pub fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    /// Ends the last stage and tells how long each took.
    pub fn finish(&mut self) -> &[Timing] {
        self.close();
        self.progress.end();
        &self.timings
    }

    fn close(&mut self) {
        if let Some((stage, begun)) = self.open.take() {
            self.timings.push(Timing { stage, seconds: begun.elapsed().as_secs_f64() });
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn each_purpose_has_its_own_stream_and_the_same_seed_the_same_bits() {
        let run = Run::new(3);
        let first = run.random("start").next_u64();
        assert_eq!(first, Run::new(3).random("start").next_u64());
        assert_ne!(first, run.random("bootstrap").next_u64());
        assert_ne!(first, Run::new(4).random("start").next_u64());
    }

    #[test]
    fn cancelling_stops_at_the_next_step() {
        let cancel = Cancel::default();
        let run = Run::new(0).with_cancel(cancel.clone());
        assert!(run.proceed().is_ok());
        cancel.cancel();
        assert_eq!(run.proceed(), Err(Error::Cancelled));
    }

    #[test]
    fn no_threads_is_an_error() {
        assert!(Run::new(0).with_threads(0).is_err());
        assert!(Run::new(0).with_threads(10_000).is_err());
        assert_eq!(Run::new(0).with_threads(2).unwrap().threads(), 2);
    }
}
