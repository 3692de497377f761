//! `--knowledge` and `--prepare`: honoured, recorded, and refused with the line, column or value.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Scratch, following, stderr, stdout};

fn refused(known: &str, parts: &[&str]) {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60)).file("known.toml", known);
    let assert = scratch.run("fit data.csv -o run --lag 1 --knowledge known.toml").code(2);
    let complaint = stderr(&assert);
    for part in parts {
        assert!(complaint.contains(part), "`{part}` is not in: {complaint}");
    }
    assert_eq!(scratch.listing(), ["data.csv", "known.toml"], "something was left behind");
}

const REQUIRE: &str = "[[require]]\nfrom = 'a'\nto = 'b'\nlag = 1\n";

#[test]
fn contradictions_name_the_file_and_the_lines() {
    let with = |first: &str| format!("{first}\n{REQUIRE}");
    refused(
        &with("[[forbid]]\nfrom = 'a'\nto = '*'"),
        &["known.toml, lines 1 and 4", "`forbid` forbids it"],
    );
    refused(&with("tiers = [\n  ['b'],\n  ['a'],\n]"), &["known.toml, lines 3 and 5", "`tiers`"]);
    refused(&with("roots = ['b']"), &["known.toml, lines 1 and 2", "`roots`"]);
    refused(&with("sinks = ['c',\n'a']"), &["known.toml, lines 2 and 3", "`sinks`"]);
    refused(&with("own_lags_only = 'b'"), &["known.toml, lines 1 and 2", "`own_lags_only`"]);
    let edge = |from, to| format!("[[require]]\nfrom = '{from}'\nto = '{to}'\nlag = 0\n");
    let circle = edge("a", "b") + &edge("b", "c") + &edge("c", "a");
    refused(
        &circle,
        &["known.toml, lines 1, 5 and 9", "`a` → `b` → `c` → `a` is a cycle within a step"],
    );
    refused("tiers = [['a'], ['b', 'a']]", &["known.toml, line 1", "`a` is in two of the `tiers`"]);
    refused(&edge("a", "a"), &["known.toml, line 1", "cause itself"]);
}

#[test]
fn what_is_not_there_or_not_understood_names_the_line() {
    refused("roots = [\n  'a',\n  'bb',\n]", &["known.toml, line 3", "`bb`"]);
    refused("sinks = ['x*']", &["known.toml, line 1", "`x*`"]);
    refused("\nroot = ['a']", &["known.toml, line 2", "did you mean `roots`?"]);
    refused("[[require]]\nfrom = 'a'\nto = 'b'\nlag = 2\n", &["`lag` is 1", "at least 2"]);
    refused("[[forbid]]\nfrom = 'a'\nto = 'b'\nlag = -1\n", &["known.toml, line 4", "`lag`"]);
    refused(
        "[[forbid]]\nfrom = 'a'\nto = 'b'\nsince = 3\n",
        &["`ordered`", "period", "known.toml"],
    );
    refused("[[forbid]]\nfrom = 'a'\nto = 'b'\nsince = 300\n", &["known.toml, line 4", "no step"]);
    refused("tiers = [", &["known.toml, line 1"]);
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60));
    let assert = scratch.run("fit data.csv -o run --knowledge none.toml").code(2);
    assert!(stderr(&assert).contains("none.toml"));
}

#[test]
fn it_is_honoured_recorded_and_marked() {
    let scratch = Scratch::new();
    let known = "roots = ['c']\n[[forbid]]\nfrom = 'a'\nto = 'b'\nlag = 1\n[[require]]\nfrom = 'c'\nto = 'a'\nlag = 1\n";
    scratch.file("data.csv", following(80)).file("known.toml", known);
    let told = scratch.run("fit data.csv -o run --lag 1 --knowledge known.toml --report").success();
    assert!(stdout(&told).contains("known before (known.toml)"), "{}", stdout(&told));
    let edges = scratch.text("run/edges.csv");
    assert!(!edges.contains("a,b,1,") && edges.contains("c,a,1,"), "{edges}");
    assert!(edges.lines().next().unwrap().ends_with(",given"), "{edges}");
    let record = scratch.json("run/run.json");
    assert_eq!(record["facts"]["knowledge"]["source"], "known.toml");
    assert_eq!(record["facts"]["knowledge"]["statements"][1], "require c → a at lag 1");
    let graph = scratch.json("run/graph.json");
    assert_eq!(graph["knowledge"]["statements"].as_array().unwrap().len(), 3);
    scratch.run("inspect data.csv --fit --knowledge known.toml").success();
    let other =
        scratch.run("fit data.csv -o other --method lagged-least-squares --knowledge known.toml");
    other.success();
    assert!(scratch.text("other/edges.csv").contains("c,a,1,"));
}

#[test]
fn columns_are_prepared_in_order_and_it_is_told() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(80));
    scratch
        .run("fit data.csv -o run --lag 1 --prepare difference:c,standardise --report --also trajectories-csv")
        .success();
    let record = scratch.json("run/run.json");
    assert_eq!(record["prepare"], serde_json::json!(["difference:c", "standardise"]));
    assert_eq!(record["steps"], 79);
    let graph = scratch.json("run/graph.json");
    let columns = &graph["prepared"]["columns"];
    assert_eq!(columns[2]["done"][0], "difference");
    let unit = columns[1]["unit"].as_f64().unwrap() / columns[0]["unit"].as_f64().unwrap();
    let edges = scratch.text("run/trajectories.csv");
    let head: Vec<&str> = edges.lines().next().unwrap().split(',').collect();
    let at = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let row = edges.lines().find(|line| line.starts_with("a,b,1,")).unwrap();
    let cells: Vec<&str> = row.split(',').collect();
    let number = |name: &str| cells[at(name)].parse::<f64>().unwrap();
    assert!((number("original") / number("weight") / unit - 1.0).abs() < 1e-3, "{row}");
    // The page of a run prepares the data again.
    let told = scratch.run("report run -o page.html").success();
    assert_eq!(stderr(&told), "");
}

#[test]
fn what_cannot_be_prepared_is_refused() {
    let scratch = Scratch::new();
    scratch.file("data.csv", "x,y\n1,2\n0,3\n4,5\n2,2\n3,1\n");
    for (words, parts) in [
        ("log", vec!["`x`", "0", "step 2", "above 0"]),
        ("log:z", vec!["`z`"]),
        ("logg:x", vec!["`log`"]),
        ("difference(9)", vec!["too few"]),
    ] {
        let assert = scratch.run(&format!("fit data.csv -o run --prepare {words}")).code(2);
        let complaint = stderr(&assert);
        assert!(parts.iter().all(|part| complaint.contains(part)), "{complaint}");
    }
    assert_eq!(scratch.listing(), ["data.csv"]);
}

#[test]
fn inspect_proposes_with_the_figure_and_the_words() {
    let scratch = Scratch::new();
    let mut level = 0.0;
    let mut csv = String::from("noise,walk\n");
    for t in 0..200usize {
        let draw = |k: usize| ((t * 7919 + k * 104_729 + t * t * 31) % 997) as f64 / 997.0 - 0.5;
        level += draw(1);
        csv.extend([draw(0).to_string(), format!(",{level}\n")]);
    }
    scratch.file("data.csv", csv);
    let told = stdout(&scratch.run("inspect data.csv").success());
    assert!(
        told.contains("difference:walk: cannot be told from a random walk: Dickey-Fuller t"),
        "{told}"
    );
    assert!(told.contains("--prepare 'difference:walk'"), "{told}");
    let after = stdout(&scratch.run("inspect data.csv --prepare difference:walk").success());
    assert!(!after.contains("difference:walk"), "{after}");
}
