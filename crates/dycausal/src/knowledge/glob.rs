//! Patterns of names: `*` is any text, `?` any character.

/// Whether a text is a pattern and no plain name.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whether a name has the form of a pattern.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last star stood, and how much of the name it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                p = at + 1;
                n = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name, fits) in [
            ("rain*", "rain", true),
            ("rain*", "rainfall", true),
            ("rain*", "train", false),
            ("*rain", "train", true),
            ("a*b*c", "a__b_b_c", true),
            ("a*b*c", "a__c", false),
            ("x?", "x1", true),
            ("x?", "x10", false),
            ("*", "", true),
            ("é?", "éa", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn a_name_fits_itself_and_any_cut_with_a_star(name in "[a-c]{0,8}", at in 0..9usize, end in 0..9usize) {
            let (at, end) = (at.min(name.len()), end.min(name.len()));
            prop_assert!(matches(&name, &name));
            let (first, last) = (at.min(end), at.max(end));
            let pattern = format!("{}*{}", &name[..first], &name[last..]);
            prop_assert!(matches(&pattern, &name));
        }
    }
}
