//! What can happen to text: words and numbers in place of others.

use crate::random::Random;

/// Words that mean something to a reader of tables or JSON.
const WORDS: [&str; 40] = [
    "",
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "1e309",
    "-1e999",
    "1e-400",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "NA",
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\r",
    "\n",
    "\n\n",
    "\u{feff}",
    "\u{0}",
    "é",
    "\u{1f600}",
    "18446744073709551615",
    "9223372036854775808",
    "-9223372036854775808",
    "1.7976931348623157e308",
    "2024-02-30",
    "0000-00-00",
    "9999-12-31T23:59:60Z",
    "1,5",
    "=1+1",
];

/// Numbers, most of them in range.
const NUMBERS: [&str; 20] = [
    "0",
    "-0",
    "1",
    "2",
    "3",
    "7",
    "59",
    "60",
    "61",
    "1000",
    "-1",
    "0.5",
    "-2.5",
    "1e-300",
    "1e300",
    "4294967296",
    "18446744073709551615",
    "1e999",
    "0.30000000000000004",
    "2024",
];

/// Puts words in place of others, a few times over.
pub fn mutated(bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(bytes.clone()) else { return bytes };
    let more = if random.one_in(2) { random.below(3) } else { 0 };
    for _ in 0..=more {
        text = once(&text, random);
    }
    text.into_bytes()
}

fn once(text: &str, random: &mut Random) -> String {
    let inside = |c: char| c.is_alphanumeric() || "+-._:".contains(c);
    // Where words begin and end.
    let mut edges = vec![0];
    let mut before = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|b| inside(b) != inside(c)) {
            edges.push(at);
        }
        before = Some(c);
    }
    edges.push(text.len());
    // Mostly a number for a number, which leaves the rest of the file to be looked at.
    let digit = |at: &usize| text[*at..].starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let numbers: Vec<usize> = (0..edges.len() - 1).filter(|k| digit(&edges[*k])).collect();
    if !numbers.is_empty() && !random.one_in(4) {
        let at = *random.choose(&numbers);
        let fresh = random.choose(&NUMBERS);
        return format!("{}{fresh}{}", &text[..edges[at]], &text[edges[at + 1]..]);
    }
    let first = random.below(edges.len() - 1);
    let last = (first + 1 + random.below(2)).min(edges.len() - 1);
    let word = *random.choose(&WORDS);
    let fresh = match random.below(5) {
        0 => text[edges[first]..edges[last]].repeat(1 + random.below(3)),
        1 => String::new(),
        2 => format!("{word}{}", &text[edges[first]..edges[last]]),
        _ => word.to_owned(),
    };
    format!("{}{fresh}{}", &text[..edges[first]], &text[edges[last]..])
}
