//! One data set with its truth.

use dycausal::Panel;
use ndarray::Array2;

/// Series and which variable causes which.
#[derive(Debug, Clone)]
pub struct Case {
    /// The group, which is the name of its folder.
    pub group: String,
    /// Its name in the group.
    pub name: String,
    /// The series.
    pub panel: Panel,
    /// Truth\[from, to\] of all series together.
    pub truth: Array2<bool>,
    /// Truth of each series, where it differs; else empty.
    pub truths: Vec<Array2<bool>>,
    /// Subsets of the variables that are looked at one by one; none: all variables at once.
    pub subsets: Vec<Vec<usize>>,
}

impl Case {
    /// Truth\[from, to\] of one series.
    pub fn truth_of(&self, series: usize) -> &Array2<bool> {
        self.truths.get(series).unwrap_or(&self.truth)
    }
}
