//! What is minimised, and how: Adam, a stopping rule, the central path, and what is kept of a fit that is interrupted.
//!
//! A [`Problem`] holds its parameters and their gradient, and says its loss and how cyclic it is. [`CentralPath`] follows
//! μ · loss + h while μ falls from stage to stage, with steps of [`Adam`]. It goes back and halves the rate where h has no
//! value, ends a stage by [`Stopping`], tells progress to the [`Run`](dycausal::Run), stops when it is asked to, and keeps
//! checkpoints. Whatever is learned by gradients can be given to it; without a constraint h is 0 and one stage is enough.
//!
//! ```
//! use dycausal::Run;
//! use dycausal_published::optimise::{
//!     Adam, CentralPath, Evaluation, Outside, Problem, Reader, State, Trained,
//! };
//!
//! /// (x − 1)².
//! struct Parabola(Trained<f64>);
//!
//! impl Problem for Parabola {
//!     fn evaluate(&mut self, mu: f64) -> Result<Evaluation, Outside> {
//!         let gap = self.0.values[0] - 1.0;
//!         self.0.gradient[0] = mu * 2.0 * gap;
//!         Ok(Evaluation { loss: gap * gap, cyclicity: 0.0 })
//!     }
//!     fn step(&mut self, adam: Adam) {
//!         self.0.step(adam);
//!     }
//!     fn restart(&mut self) {
//!         self.0.restart();
//!     }
//!     fn halve(&mut self) {
//!         self.0.values[0] /= 2.0;
//!     }
//!     fn has_domain(&self) -> bool {
//!         false
//!     }
//! }
//!
//! impl State for Parabola {
//!     fn write(&self, out: &mut Vec<u8>) {
//!         self.0.write(out);
//!     }
//!     fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
//!         self.0.read(from)
//!     }
//! }
//!
//! let path = CentralPath {
//!     mu: 1.0,
//!     decay: 0.1,
//!     stages: 1,
//!     iterations: 2000,
//!     rate: 0.01,
//!     tolerance: 1e-9,
//!     restart: true,
//! };
//! let mut parabola = Parabola(Trained::new(vec![3.0]));
//! let way = path.follow(&mut parabola, &Run::new(0), 0)?;
//! assert!((parabola.0.values[0] - 1.0).abs() < 1e-3);
//! assert!(way.loss.last() < way.loss.first());
//! # Ok::<(), dycausal::Error>(())
//! ```

mod adam;
mod central_path;
mod outside;
mod state;
mod stopping;

pub use adam::{Adam, EPSILON, FIRST, SECOND, Trained};
pub use central_path::{CentralPath, Evaluation, Path, Problem};
pub use outside::Outside;
pub use state::{Reader, State, write_numbers};
pub use stopping::Stopping;
