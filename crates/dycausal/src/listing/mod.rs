//! Which of the edges that a method selected are listed, and what is said of them.
//!
//! A method hands over candidates, each with the p-value of its own test. Edges between variables are one
//! family of tests, effects of variables on themselves another, and edges that were required, which nobody
//! had to find, a third. Within each, q is that of Benjamini and Hochberg over every edge that could have been
//! selected: those that were not count as p = 1. An edge is listed where q ≤ α, or where it was required.
//!
//! It is ≤ and not <, because that is the rule whose false discovery rate is α; and since no q is above 1,
//! α = 1 lists everything without a rule of its own.

mod candidate;
mod counts;
mod direction;
mod families;
mod ranking;
mod rounds;
mod unchanging;

pub use candidate::{Candidate, Decision};
pub use counts::{counts, warn_of_untested};
pub use direction::{Direction, warn_of_open};
pub use families::{Searched, decided};
pub use ranking::{has_room, ranking};
pub use rounds::settled;
pub use unchanging::adjust_unchanging;
