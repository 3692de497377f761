//! Codes for "missing", such as -999: a value far from all others that comes again.

use dycausal::Panel;

/// Fewer other values than this do not tell what is far.
const FEWEST: usize = 10;
/// How many ranges of the other values a code that reads as one (9999) is away from them, and any other.
const FAR: f64 = 1.0;
const VERY_FAR: f64 = 5.0;

/// A warning for each variable that seems to have a code for missing cells.
pub fn warnings(panel: &Panel) -> Vec<String> {
    let values = panel.values();
    let of = |v: usize| values.index_axis(ndarray::Axis(2), v).iter().copied().collect();
    let told = panel.names().iter().enumerate().filter_map(|(v, name)| warning(name, of(v)));
    told.collect()
}

fn warning(name: &str, mut values: Vec<f64>) -> Option<String> {
    values.retain(|x| x.is_finite());
    values.sort_by(f64::total_cmp);
    let codes = codes(&values)?;
    let each: Vec<String> = codes
        .chunk_by(|a, b| a == b)
        .map(|cells| {
            let count = cells.len();
            format!("{} in {count} cell{}", cells[0], if count == 1 { "" } else { "s" })
        })
        .collect();
    Some(format!(
        "`{name}` has {}, far from all other values: a code for missing? Leave these cells empty in the file, or write NaN",
        each.join(", ")
    ))
}

/// The cells that seem to be codes.
fn codes(sorted: &[f64]) -> Option<Vec<f64>> {
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let nines: &dyn Fn(f64) -> bool = &reads_as_code;
    let tries: [(&dyn Fn(f64) -> bool, f64); 3] =
        [(nines, FAR), (&|x| x <= low, VERY_FAR), (&|x| x >= high, VERY_FAR)];
    tries.into_iter().find_map(|(is_code, times)| {
        let (codes, rest): (Vec<f64>, Vec<f64>) = sorted.iter().partition(|x| is_code(**x));
        let (from, to) = (*rest.first()?, *rest.last()?);
        let away = |x: &f64| (from - x).max(x - to) > times * (to - from);
        let told = codes.len() >= 2 && rest.len() >= FEWEST.max(codes.len()) && to > from;
        (told && codes.iter().all(away)).then_some(codes)
    })
}

/// 99, 999, 9999, …, of either sign.
fn reads_as_code(x: f64) -> bool {
    let text = x.abs().to_string();
    text.len() >= 2 && text.bytes().all(|digit| digit == b'9')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn with(extra: &[f64]) -> Option<String> {
        let noise = (0..60).map(|t| f64::from(t * 37 % 61) / 61.0 - 0.5);
        warning("b", noise.chain(extra.iter().copied()).collect())
    }

    #[test]
    fn values_that_stand_apart_and_come_again_are_told() {
        let told = with(&[-999.0, -999.0, -9999.0]).unwrap();
        assert!(told.contains("-9999 in 1 cell, -999 in 2 cells"), "{told}");
        assert!(with(&[1e6, 1e6]).unwrap().contains("1000000 in 2 cells"));
    }

    #[test]
    fn a_lone_outlier_a_value_within_reach_and_two_levels_are_none() {
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[-999.0]), None);
        assert_eq!(with(&[2.0, 2.0]), None);
        let levels = (0..60).map(|t| if t < 30 { 0.0 } else { 99.0 }).collect();
        assert_eq!(warning("b", levels), None);
    }
}
