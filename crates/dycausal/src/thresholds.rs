//! Judgements that more than one place makes, each with its unit and with what set it.
//!
//! A number that one place alone asks for stands there. All of them are counted by a test of this file: their
//! number may only fall.

// How many series.

/// Series from which the mean and the size of each step are taken as they are; with fewer they follow smooth
/// functions of time. A mean of 20 values takes a twentieth of what a step tells.
pub const SERIES_FOR_STEP_MEANS: usize = 20;
/// Series from which sums are taken step by step; with fewer, whole columns are quicker to work with.
pub(crate) const SERIES_FOR_SUMS_BY_STEP: usize = 8;
/// Series from which rows that are left out are whole series: two for each of five folds.
pub(crate) const SERIES_FOR_FOLDS: usize = 10;

// How many rows.

/// Rows per variable from which a covariance of a stretch of time is taken for itself.
pub(crate) const ROWS_PER_VARIABLE_OF_COVARIANCE: usize = 20;
/// Rows that a variable's memory of itself is read off, at most: below a second for hundreds of variables.
pub(crate) const MOST_ROWS_FOR_OWN_LAGS: usize = 20_000;
/// Rows that a curve of means, or a unit root, is told by, at most: below a second, and more change no answer.
pub(crate) const MOST_ROWS_FOR_A_MEAN: usize = 5_000;
/// Variables by which something is told that is about the same for all, at most.
pub(crate) const VARIABLES_IN_A_SAMPLE: usize = 32;
/// Products of two numbers that take about a second.
pub(crate) const PRODUCTS_IN_A_SECOND: usize = 1_000_000_000;

// What is nothing.

/// Share of its square below which nothing is left of a cause beside those that are given. Squares are known to
/// about 1e-16 of the largest, and differences of them to the root of that.
pub(crate) const SHARE_OF_SQUARE_LEFT: f64 = 1e-8;
/// The least share of a square that noise can be: less is rounding.
pub(crate) const LEAST_SHARE_OF_NOISE: f64 = 1e-12;
/// The least share by which covariances are shrunk towards none, so that each has an inverse.
pub(crate) const LEAST_SHRINKAGE: f64 = 0.001;

// What is clear.

/// −2 log likelihood that counts as very strong evidence (Kass and Raftery 1995).
pub(crate) const VERY_STRONG_EVIDENCE: f64 = 10.0;
/// p-value, adjusted for all that were asked, below which a check tells what it found.
pub(crate) const P_WORTH_A_WORD: f64 = 0.01;
/// Skewness from which p-values suffer at usual numbers of rows, and a logarithm is tried.
pub(crate) const SKEWNESS_THAT_MATTERS: f64 = 1.0;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    /// Numeric constants outside tests, all rooms together.
    const KNOWN: usize = 387;

    /// Files and folders that hold tests and what these need.
    const TESTS: [&str; 5] = ["tests.rs", "tests", "golden.rs", "fixed_noise.rs", "rooms.rs"];
    const NUMBERS: [&str; 9] = ["f64", "f32", "usize", "u128", "u64", "u32", "u8", "i64", "i32"];

    /// Whether a line begins a constant that is a number, or an array or tuple of numbers.
    fn is_number(line: &str) -> bool {
        let line = line.trim_start();
        let line = match line.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => {
                rest.split_once(") ").map_or("", |(_, rest)| rest)
            }
            Some(rest) => rest.trim_start(),
            None => line,
        };
        let Some((name, kind)) = line.strip_prefix("const ").and_then(|rest| rest.split_once(": "))
        else {
            return false;
        };
        let kind = kind.trim_start_matches(['&', '[', '(']);
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let known = |number: &&str| kind.strip_prefix(*number).is_some_and(ends);
        let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        name.chars().all(upper) && NUMBERS.iter().any(known)
    }

    fn count(folder: &Path, found: &mut BTreeMap<String, usize>, room: Option<&str>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if TESTS.contains(&name.as_str()) {
                continue;
            }
            let room = room.unwrap_or_else(|| name.trim_end_matches(".rs"));
            if path.is_dir() {
                count(&path, found, Some(room));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let numbers = code.lines().filter(|line| is_number(line)).count();
                *found.entry(room.to_owned()).or_default() += numbers;
            }
        }
    }

    #[test]
    fn constants_become_fewer() {
        let mut found = BTreeMap::new();
        count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found, None);
        found.retain(|_, count| *count > 0);
        let all: usize = found.values().sum();
        println!("{all} numeric constants: {found:#?}");
        // Whoever takes some out writes the new number here.
        assert!(all <= KNOWN, "{all} numeric constants, {KNOWN} before: {found:#?}");
    }
}
