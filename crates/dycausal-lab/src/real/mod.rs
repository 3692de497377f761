//! Recorded data whose causes are known, more or less.
//!
//! [`cases`] reads the files as they were published; [`run_real`] fits every row to every case and
//! ranks the pairs of variables by the estimate. The score of a pair is the mean over steps of the
//! absolute weight, and the largest of these over the lags that count. No truth is used for tuning:
//! parameters are the same for all cases of a group and were set before.

mod case;
mod fit;
mod headline;
mod job;
mod loaders;
mod page;
mod place;
mod report;
mod run;
mod spec;

pub use case::Case;
pub use loaders::{cases, causal_time};
pub use page::write_real;
pub use report::{RealReport, RealRequest};
pub use run::run_real;
pub use spec::{Form, Group, RealSpec, real_spec};

pub(crate) use headline::recorded;
pub(crate) use page::real_page;
