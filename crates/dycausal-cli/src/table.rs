//! Tables in plain text.

use std::fmt::Write;

/// Where the text of a column stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows of text under a heading, each column as wide as it has to be.
pub struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self { sides: columns.iter().map(|(_, side)| *side).collect(), rows: vec![heading] }
    }

    /// Adds a row; control characters in it are shown as spaces, so that a name cannot break it.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        let plain = |cell: String| cell.replace(char::is_control, " ");
        self.rows.push(cells.into_iter().map(plain).collect());
    }

    /// The table, two spaces in.
    pub fn render(&self) -> String {
        self.render_within(usize::MAX)
    }

    /// The same with lines of at most so many characters: an ellipsis stands for what is cut.
    pub fn render_within(&self, most: usize) -> String {
        let width = |text: &String| text.chars().count();
        let widths: Vec<usize> = (0..self.sides.len())
            .map(|column| self.rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            for ((cell, width), side) in row.iter().zip(&widths).zip(&self.sides) {
                let _ = match side {
                    Side::Left => write!(line, " {cell:<width$} "),
                    Side::Right => write!(line, " {cell:>width$} "),
                };
            }
            text.push_str(&cut(line.trim_end(), most));
            text.push('\n');
        }
        text
    }
}

/// The text, or as much of it as fits before an ellipsis.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// "1 variable", "2 variables".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A number in at most four digits that matter.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let digits = if size >= 1000.0 {
            0
        } else if size >= 100.0 {
            1
        } else {
            3
        };
        format!("{x:.digits$}")
    } else {
        format!("{x:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_names_cannot_break_them() {
        let mut table = Table::new(&[("name", Side::Left), ("n", Side::Right)]);
        table.row(["a\nb".into(), "1".into()]);
        table.row(["long name".into(), "100".into()]);
        assert_eq!(table.render(), "  name         n\n  a b          1\n  long name  100\n");
    }

    #[test]
    fn long_lines_are_cut_where_they_have_to_be() {
        let mut table = Table::new(&[("n", Side::Right), ("words", Side::Left)]);
        table.row(["1".into(), "jumps at 3 → 4".into()]);
        assert_eq!(table.render_within(19), "  n  words\n  1  jumps at 3 → 4\n");
        assert_eq!(table.render_within(13), "  n  words\n  1  jumps a…\n");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1, "thread"), "1 thread");
        assert_eq!(counted(0, "thread"), "0 threads");
    }

    #[test]
    fn numbers_are_short() {
        let cases = [(0.0, "0"), (0.12345, "0.123"), (-12.5, "-12.500"), (1e-7, "1.00e-7")];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
        assert_eq!(number(123_456.0), "1.23e5");
    }
}
