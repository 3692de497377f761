//! How much memory a method needs, and how much there is.
//!
//! A system that runs out of memory ends the program without a word, so what cannot fit is refused
//! before it begins. What is needed is known to within a factor; what there is is the least of what
//! the machine, the control group and the limits of the process leave.

use std::fs;

use crate::error::{Error, Remedy, Result};
use crate::panel::Panel;

/// How large a panel is: all that memory depends on, beside the parameters of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PanelShape {
    /// How many series.
    pub series: usize,
    /// How many steps.
    pub steps: usize,
    /// How many variables.
    pub variables: usize,
}

impl PanelShape {
    /// The shape of a panel.
    pub fn of(panel: &Panel) -> Self {
        Self { series: panel.series(), steps: panel.steps(), variables: panel.variables() }
    }

    /// Rows: steps of all series.
    pub fn rows(self) -> f64 {
        self.series as f64 * self.steps as f64
    }

    /// Bytes of all values.
    pub fn values(self) -> f64 {
        8.0 * self.rows() * self.variables as f64
    }

    /// Columns of a regression: every variable at every lag.
    pub fn columns(self, lag: usize) -> f64 {
        self.variables as f64 * (lag as f64 + 1.0)
    }
}

/// A number of bytes; as many as there can be where it is more.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
pub fn bytes(count: f64) -> u64 {
    count as u64
}

/// So much memory, and why not more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// In bytes.
    pub bytes: u64,
    /// What sets it.
    pub whose: &'static str,
}

/// What the system leaves this process; `None` where it does not tell.
pub fn available() -> Option<Limit> {
    let found = [
        (machine(), "the memory that is free"),
        (control_group(), "the limit of the control group"),
        (process(), "the limit of the process"),
    ];
    let known = found.into_iter().filter_map(|(bytes, whose)| Some(Limit { bytes: bytes?, whose }));
    known.min_by_key(|limit| limit.bytes)
}

/// What would make something fit, in words and, where data could be left out, as data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    words: String,
    remedy: Option<Remedy>,
}

impl From<&str> for Help {
    fn from(words: &str) -> Self {
        Self { words: words.to_owned(), remedy: None }
    }
}

/// Refuses what needs more than there is; `help` says what would fit.
pub(crate) fn afford(what: &str, needed: u64, limit: Option<Limit>, help: Help) -> Result<()> {
    match limit {
        Some(Limit { bytes, whose }) if needed > bytes => Err(Error::NoMemory {
            what: what.to_owned(),
            needed,
            limit: bytes,
            whose: whose.to_owned(),
            help: help.words,
            remedy: help.remedy,
        }),
        _ => Ok(()),
    }
}

/// The most variables, or else steps, with which something would fit, in words.
pub(crate) fn what_fits(shape: PanelShape, limit: u64, needed: impl Fn(PanelShape) -> u64) -> Help {
    let with = |variables: usize| needed(PanelShape { variables, ..shape }) <= limit;
    let long = |steps: usize| needed(PanelShape { steps, ..shape }) <= limit;
    let of_all =
        |variables: usize| format!("about {variables} of the {} variables", shape.variables);
    let of_steps = |steps: usize| format!("{steps} of the {} steps", shape.steps);
    let remedy = Some(Remedy::LeaveOutVariables);
    match (largest(shape.variables, with), largest(shape.steps, long)) {
        (Some(variables), Some(steps)) if variables > 1 && steps > 100 => {
            let words = format!("{} or {} would fit", of_all(variables), of_steps(steps));
            Help { words, remedy }
        }
        (Some(variables), _) if variables > 1 => {
            Help { words: format!("{} would fit", of_all(variables)), remedy }
        }
        (_, Some(steps)) => {
            Help { words: format!("about {} would fit", of_steps(steps)), remedy: None }
        }
        _ => "lower the lag or the sizes among the parameters".into(),
    }
}

/// The largest number up to `most` that fits, if 1 does.
fn largest(most: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if !fits(1) {
        return None;
    }
    let (mut low, mut high) = (1, most.max(1));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    Some(low)
}

/// Memory and swap that programs can have.
fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib.saturating_mul(1024))
    };
    Some(field("MemAvailable:")?.saturating_add(field("SwapFree:").unwrap_or(0)))
}

/// What the control groups above this process leave it.
fn control_group() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?.trim().to_owned();
    let groups = std::path::Path::new(&path).ancestors().filter_map(|group| {
        let inside = group.strip_prefix("/").unwrap_or(group);
        let folder = std::path::Path::new("/sys/fs/cgroup").join(inside);
        let most: u64 = fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()?;
        // What can be given back, such as files that were read, does not count.
        let used = fs::read_to_string(folder.join("memory.stat")).ok().and_then(|stat| {
            stat.lines().find_map(|line| line.strip_prefix("anon "))?.trim().parse().ok()
        });
        Some(most.saturating_sub(used.unwrap_or(0)))
    });
    groups.min()
}

/// What the limits of the process leave it: its address space and its data.
fn process() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = |limit: &str, used: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        let most: u64 = line.split_whitespace().next()?.parse().ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(used))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(kib.saturating_mul(1024)))
    };
    let space = left("Max address space", "VmSize:");
    let data = left("Max data size", "VmData:");
    space.into_iter().chain(data).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_problem_that_fits_is_found() {
        assert_eq!(largest(100, |n| n * n <= 50), Some(7));
        assert_eq!(largest(5, |n| n * n <= 50), Some(5));
        assert_eq!(largest(5, |_| false), None);
    }

    #[test]
    fn what_does_not_fit_says_how_much_and_what_would() {
        let shape = PanelShape { series: 1, steps: 3, variables: 100_000 };
        let square = |shape: PanelShape| bytes(8.0 * shape.columns(0).powi(2));
        let help = what_fits(shape, 8_000_000_000, square);
        assert_eq!(help.words, "about 31622 of the 100000 variables would fit");
        assert_eq!(help.remedy, Some(Remedy::LeaveOutVariables));
        let limit = Limit { bytes: 8_000_000_000, whose: "the limit of a test" };
        let refused = afford("a square", square(shape), Some(limit), help.clone()).unwrap_err();
        let said = refused.to_string();
        assert!(said.contains("80.0 GB") && said.contains("8.0 GB"), "{said}");
        assert!(refused.is_input());
        assert!(afford("a square", u64::MAX, None, "".into()).is_ok());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_how_much_there_is() {
        assert!(available().unwrap().bytes > 1 << 20);
    }
}
