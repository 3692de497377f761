//! Parameters that several methods have, told of in the same words.

use crate::design::Missing;
use crate::method::Parameter;

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
