//! Parameters that several methods have: told of in the same words, checked in one place, and handed from one
//! method to another.
//!
//! They stay fields of each method, so that one literal names them all and serde refuses what it does not know,
//! which it would not if they were one flattened field.

use crate::design::Missing;
use crate::error::{Error, Result};
use crate::method::Parameter;
use crate::run::Auto;

/// The parameters of every method that prepares a panel, chooses a lag, and lists the edges that stand up to
/// their tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Common {
    /// Longest lag.
    pub lag: Auto<usize>,
    /// False discovery rate of the edges that are listed.
    pub alpha: f64,
    /// Steps after which a pattern repeats that is taken out.
    pub season: Auto<usize>,
    /// Whether jumps of the mean are looked for and taken out.
    pub breaks: bool,
    /// What is done about missing cells.
    pub missing: Missing,
    /// How often a band holds the truth.
    pub level: f64,
}

impl Common {
    /// Whether they make sense.
    ///
    /// # Errors
    /// Names the first that does not.
    pub fn check(&self) -> Result<()> {
        if !(self.alpha > 0.0 && self.alpha <= 1.0) {
            return Err(Error::parameter("alpha", self.alpha, "above 0, at most 1"));
        }
        if let Some(period @ 1..=2) = self.season.value() {
            return Err(Error::parameter("season", period, "3 or more, none, or auto"));
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::parameter("level", self.level, "between 0 and 1"));
        }
        Ok(())
    }
}

pub(super) const LAG: Parameter =
    Parameter { name: "lag", purpose: "longest lag", range: "0 or more, or auto: by score" };

pub(super) const ALPHA: Parameter = Parameter {
    name: "alpha",
    purpose: "false discovery rate of the edges that are listed",
    range: "above 0, at most 1; 1 lists what the score selects",
};

pub(super) const SEASON: Parameter = Parameter {
    name: "season",
    purpose: "steps after which a pattern repeats that is taken out",
    range: "3 or more, none, or auto: by score and calendar",
};

pub(super) const BREAKS: Parameter = Parameter {
    name: "breaks",
    purpose: "whether jumps of the mean are looked for and taken out",
    range: "true or false",
};

pub(super) const MISSING: Parameter =
    Parameter { name: "missing", purpose: Missing::PURPOSE, range: Missing::RANGE };

pub(super) const LEVEL: Parameter = Parameter {
    name: "level",
    purpose: "how often a band holds the truth",
    range: "between 0 and 1",
};

pub(super) const NON_GAUSSIAN: Parameter = Parameter {
    name: "non_gaussian",
    purpose: "whether the shape of the noise counts",
    range: "true or false",
};

pub(super) const BANDS: Parameter =
    Parameter { name: "bands", purpose: "whether edges get bands", range: "true or false" };

pub(super) const SERIES_EFFECTS: Parameter = Parameter {
    name: "series_effects",
    purpose: "what differs between series and is taken out",
    range: "auto, none, levels, scales or both",
};
