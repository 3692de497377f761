//! The cells in which our best is below the published method, in few words.

use super::beside::Verdict;

/// Settings and readings, each with its edges and steps and by how much they are below.
pub(super) fn in_short(below: &[&Verdict]) -> String {
    let same = |a: &&Verdict, b: &&Verdict| a.setting == b.setting && a.reading == b.reading;
    let groups: Vec<String> = below.chunk_by(same).map(group).collect();
    groups.join("; ")
}

/// One setting and reading.
fn group(cells: &[&Verdict]) -> String {
    let Some(first) = cells.first() else { return String::new() };
    let gap = |cell: &&Verdict| cell.theirs - cell.ours;
    let smallest = cells.iter().map(gap).fold(f64::INFINITY, f64::min);
    let largest = cells.iter().map(gap).fold(0.0, f64::max);
    let points = if cells.len() == 1 {
        format!("{largest:.1}")
    } else {
        format!("{smallest:.1} to {largest:.1}")
    };
    let where_ = parts(cells);
    let comma = if where_.is_empty() { "" } else { ": " };
    format!("{}, {} ({where_}{comma}{points})", first.setting, first.reading)
}

/// Edges and steps, with what neighbours have in common said once: `lagged, t = 1, 2, 3`.
fn parts(cells: &[&Verdict]) -> String {
    let mut text = String::new();
    let mut before = None;
    for cell in cells.iter().filter(|cell| !cell.part.is_empty()) {
        let (edges, step) = cell.part.rsplit_once("t = ").unwrap_or((cell.part.as_str(), ""));
        if before == Some(edges) && !step.is_empty() {
            text.push_str(", ");
            text.push_str(step);
        } else {
            text.push_str(if before.is_some() { "; " } else { "" });
            text.push_str(&cell.part);
        }
        before = Some(edges);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(setting: &str, part: &str, ours: f64) -> Verdict {
        let (setting, part) = (setting.to_owned(), part.to_owned());
        let (reading, best) = ("threshold 0.1".to_owned(), "ordered".to_owned());
        Verdict { setting, reading, part, best, ours, theirs: 90.0 }
    }

    #[test]
    fn steps_of_one_setting_stand_together() {
        let all = [
            verdict("d=10", "", 88.0),
            verdict("d=20", "instantaneous, t = 1", 70.0),
            verdict("d=20", "lagged, t = 1", 89.0),
            verdict("d=20", "lagged, t = 2", 89.5),
        ];
        assert_eq!(
            in_short(&all.iter().collect::<Vec<_>>()),
            "d=10, threshold 0.1 (2.0); d=20, threshold 0.1 (instantaneous, t = 1; lagged, t = 1, 2: 0.5 to 20.0)"
        );
        assert_eq!(in_short(&[]), "");
    }
}
