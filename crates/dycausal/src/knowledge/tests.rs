//! Names, lags, periods, and every kind of contradiction.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Content, Knowledge, Statements, Written};
use crate::error::Error;
use crate::panel::TimeIndex;

const NAMES: [&str; 5] = ["rain", "rain2", "soil", "river", "price"];

fn said(value: Value) -> Result<Knowledge, Error> {
    let names = NAMES.map(String::from);
    Statements::from_json("known", value)?.resolve(&names, &TimeIndex::Steps(20), &|_| None)
}

fn refused(value: Value) -> String {
    said(value).unwrap_err().to_string()
}

#[test]
fn nothing_known_allows_everything() {
    let nothing = Knowledge::default();
    assert!(nothing.is_empty() && nothing.allows(1, 1, 3) && nothing.allows_order(2, 0));
    assert_eq!(nothing.arranged(&[2, 0, 1]), [2, 0, 1]);
}

#[test]
fn what_cannot_precede_cannot_cause_within_the_step() {
    let known = Knowledge::forbidding(3, &[(0, 1, 1)], &[(2, 0)]);
    assert!(!known.allows(0, 1, 1) && known.allows(0, 1, 0));
    assert!(!known.allows(2, 0, 0) && known.allows(2, 0, 1));
    assert!(!known.allows_column(3, 1, 3) && known.allows_column(3, 2, 3));
    assert_eq!(known.arranged(&[2, 1, 0]), [1, 0, 2]);
}

#[test]
fn renumbering_follows_the_variables() {
    let known = Knowledge::forbidding(3, &[(0, 1, 1)], &[(2, 0)]);
    assert_eq!(known.renumbered(&[2, 0, 1]), Knowledge::forbidding(3, &[(1, 2, 1)], &[(0, 1)]));
    let known = Knowledge::requiring(3, &[(0, 1, 1), (2, 0, 0)]);
    assert_eq!(known.renumbered(&[2, 0, 1]), Knowledge::requiring(3, &[(1, 2, 1), (0, 1, 0)]));
}

#[test]
fn patterns_lists_and_groups_stand_for_variables() {
    let known = said(json!({
        "forbid": [{"from": "rain*", "to": ["soil", "water"], "lag": [0, 2]}],
        "groups": {"water": ["river"]},
    }))
    .unwrap();
    for (from, to) in [(0, 2), (1, 2), (0, 3), (1, 3)] {
        assert!(
            !known.allows(from, to, 0) && known.allows(from, to, 1) && !known.allows(from, to, 2)
        );
    }
    assert!(known.allows(2, 0, 0) && known.allows(0, 4, 0));
}

#[test]
fn own_effects_are_meant_only_by_name() {
    let known = said(json!({"forbid": [{"from": "*", "to": "rain"}]})).unwrap();
    assert!(known.allows(0, 0, 1) && !known.allows(1, 0, 1));
    let known = said(json!({"forbid": [{"from": "rain", "to": "rain", "lag": 2}]})).unwrap();
    assert!(known.allows(0, 0, 1) && !known.allows(0, 0, 2));
}

#[test]
fn tiers_hold_at_all_lags_and_orders_within_the_step() {
    let known =
        said(json!({"tiers": [["rain*"], ["soil"]], "order": [["soil"], ["price"]]})).unwrap();
    assert!(!known.allows(2, 0, 0) && !known.allows(2, 0, 9) && known.allows(0, 2, 0));
    assert!(!known.allows(4, 2, 0) && known.allows(4, 2, 1));
    // What follows from both: rain comes before price.
    assert!(!known.allows_order(4, 0) && !known.allows(4, 0, 0) && known.allows(4, 0, 1));
    assert!(known.allows_order(3, 0) && known.allows_order(0, 3));
}

#[test]
fn roots_sinks_and_own_lags() {
    let known =
        said(json!({"roots": "rain", "sinks": ["price"], "own_lags_only": ["river"]})).unwrap();
    assert!(!known.allows(1, 0, 0) && !known.allows(1, 0, 3) && known.allows(0, 0, 1));
    assert!(!known.allows(4, 2, 0) && !known.allows(4, 2, 1) && known.allows(4, 4, 1));
    assert!(known.allows(2, 3, 0) && !known.allows(2, 3, 1) && known.allows(3, 3, 1));
}

#[test]
fn groups_point_only_where_they_may() {
    let known = said(json!({
        "groups": {"weather": ["rain*"], "ground": ["soil", "river"]},
        "allow": [{"from": "weather", "to": "ground"}],
    }))
    .unwrap();
    assert!(known.allows(0, 2, 0) && known.allows(0, 1, 0) && known.allows(2, 3, 1));
    assert!(!known.allows(2, 0, 0) && !known.allows(3, 1, 5));
    assert!(known.allows(4, 0, 0) && known.allows(2, 4, 0), "in no group");
}

#[test]
fn periods_are_steps() {
    let known = said(json!({
        "forbid": [{"from": "rain", "to": "soil", "since": 5, "until": 8}],
        "require": [{"from": "rain", "to": "soil", "lag": 1, "since": 10}],
    }))
    .unwrap();
    assert!(known.has_periods() && known.allows(0, 2, 1));
    let open = |step| known.allows_at(0, 2, 1, step);
    assert!(open(3) && !open(4) && !open(7) && open(8));
    assert!(known.requires_at(0, 2, 1, 9) && !known.requires_at(0, 2, 1, 8));
    let dates = TimeIndex::Dates {
        text: vec!["2020-01-15".into(), "2020-02-15".into(), "2020-03-15".into()],
        seconds: vec![15.0, 46.0, 75.0],
    };
    let read = |text: &str| match text {
        "2020-02" => Some(32.0),
        _ => None,
    };
    let value = json!({"forbid": [{"from": "a", "to": "b", "until": "2020-02"}]});
    let names = ["a".to_owned(), "b".to_owned()];
    let known = Statements::from_json("known", value).unwrap().resolve(&names, &dates, &read);
    let known = known.unwrap();
    assert!(!known.allows_at(0, 1, 0, 1) && known.allows_at(0, 1, 0, 2), "the whole of February");
}

#[test]
fn names_that_are_not_there_are_answered_with_the_nearest() {
    let text = refused(json!({"roots": ["rian"]}));
    assert_eq!(text, "known: there is no variable `rian` (did you mean `rain`?)");
    assert!(refused(json!({"roots": ["snow*"]})).contains("no variable is called as `snow*` says"));
    let text = refused(
        json!({"groups": {"water": ["river"]}, "allow": [{"from": "watr", "to": "water"}]}),
    );
    assert!(text.contains("there is no group `watr` (did you mean `water`?)"), "{text}");
    assert!(
        refused(json!({"groups": {"rain": ["river"]}})).contains("has the name of the variable")
    );
}

#[test]
fn what_is_not_understood_is_refused() {
    for (value, told) in [
        (json!({"forbidden": []}), "the whole has no `forbidden` (did you mean `forbid`?)"),
        (json!({"forbid": [{"from": "rain"}]}), "an edge without `to`"),
        (json!({"forbid": [{"from": "rain", "to": "soil", "lags": 1}]}), "did you mean `lag`?"),
        (json!({"forbid": [{"from": "rain", "to": "soil", "lag": -1}]}), "expected a whole number"),
        (json!({"forbid": [{"from": "rain", "to": "soil", "lag": 500}]}), "from 0 to 126"),
        (json!({"require": [{"from": "rain", "to": "soil"}]}), "without a lag"),
        (
            json!({"require": [{"from": "rain", "to": "soil", "lag": "all"}]}),
            "expected a whole number",
        ),
        (json!({"roots": 3}), "`roots` is the number 3; expected a name or a list of names"),
        (json!({"tiers": [["rain"]]}), "at least two lists"),
        (
            json!({"forbid": [{"from": "rain", "to": "soil", "since": "soon"}]}),
            "is no time of these data",
        ),
        (json!({"forbid": [{"from": "rain", "to": "soil", "since": 21}]}), "no step of these data"),
        (json!({"forbid": [{"from": "rain", "to": "soil", "since": 8, "until": 5}]}), "no step"),
    ] {
        let text = refused(value.clone());
        assert!(text.contains(told), "{value}: {text}");
    }
}

#[test]
fn contradictions_are_refused() {
    let require = |from: &str, to: &str, lag: usize| json!({"from": from, "to": to, "lag": lag});
    let rain_soil = || json!([require("rain", "soil", 1)]);
    for (value, told) in [
        (
            json!({"require": rain_soil(), "forbid": [{"from": "rain*", "to": "soil"}]}),
            "`forbid` forbids it",
        ),
        (json!({"require": rain_soil(), "tiers": [["soil"], ["rain"]]}), "`tiers` forbids it"),
        (json!({"require": rain_soil(), "roots": ["soil"]}), "`roots` forbids it"),
        (json!({"require": rain_soil(), "sinks": ["rain"]}), "`sinks` forbids it"),
        (json!({"require": rain_soil(), "own_lags_only": ["soil"]}), "`own_lags_only` forbids it"),
        (
            json!({
                "require": rain_soil(),
                "groups": {"a": ["rain"], "b": ["soil"]},
                "allow": [{"from": "b", "to": "a"}],
            }),
            "`allow` forbids it",
        ),
        (
            json!({"require": [require("rain", "soil", 0), require("soil", "rain", 0)]}),
            "`rain` → `soil` → `rain` is a cycle within a step (by `require`)",
        ),
        (
            json!({
                "require": [require("soil", "price", 0), require("price", "rain", 0)],
                "order": [["rain"], ["soil"]],
            }),
            "(by `order` and `require`)",
        ),
        (
            json!({"order": [["rain"], ["soil"]], "tiers": [["soil"], ["rain"]]}),
            "by `order` and `tiers`",
        ),
        (json!({"tiers": [["rain*"], ["rain2"]]}), "`rain2` is in two of the `tiers`"),
        (json!({"require": [require("rain", "rain", 0)]}), "cause itself within a step"),
    ] {
        let text = refused(value.clone());
        assert!(text.contains(told), "{value}: {text}");
    }
    let apart = json!({
        "require": [{"from": "rain", "to": "soil", "lag": 1, "until": 5}],
        "forbid": [{"from": "rain", "to": "soil", "since": 6}],
    });
    assert!(said(apart).is_ok(), "never at the same time");
}

#[test]
fn lines_are_named() {
    let text = |line, text: &str| Written { line: Some(line), content: Content::Text(text.into()) };
    let tier = |line, name: &str| Written {
        line: Some(line),
        content: Content::List(vec![text(line, name)]),
    };
    let edge = Content::Table(vec![
        ("from".into(), text(8, "rain")),
        ("to".into(), text(9, "soil")),
        ("lag".into(), Written { line: Some(10), content: Content::Number(0.0) }),
    ]);
    let edge = Written { line: Some(7), content: edge };
    let list = |values| Written { line: Some(2), content: Content::List(values) };
    let whole = Content::Table(vec![
        ("tiers".into(), list(vec![tier(3, "soil"), tier(4, "rain")])),
        ("require".into(), list(vec![edge])),
    ]);
    let said = Statements::from_written("known.toml", &Written { line: None, content: whole });
    let names = NAMES.map(String::from);
    let refused = said.unwrap().resolve(&names, &TimeIndex::Steps(9), &|_| None).unwrap_err();
    assert!(matches!(&refused, Error::Knowledge { lines, .. } if *lines == [4, 7]), "{refused}");
    let text = refused.to_string();
    let told =
        "known.toml, lines 4 and 7: `rain` → `soil` at lag 0 is required, and `tiers` forbids it";
    assert_eq!(text, told);
    assert!(refused.is_input());
}

proptest! {
    #[test]
    fn arranging_keeps_to_every_order(
        pairs in prop::collection::vec((0..6usize, 0..6usize), 0..8),
        sequence in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        // Only from smaller to larger, so that nothing contradicts itself.
        let pairs = pairs.into_iter().filter(|(a, b)| a < b);
        let known = Knowledge::forbidding(6, &[], &pairs.map(|(a, b)| (b, a)).collect::<Vec<_>>());
        let arranged = known.arranged(&sequence);
        for (at, first) in arranged.iter().enumerate() {
            for second in &arranged[at + 1..] {
                prop_assert!(known.allows_order(*first, *second));
            }
        }
    }
}
