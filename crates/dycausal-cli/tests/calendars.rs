//! Times and files as people have them, from the command line.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{Scratch, following, stderr, stdout};

/// The rows of [`following`], each with a time in front; `None` leaves the row out.
fn timed(rows: usize, time: impl Fn(usize) -> Option<String>) -> String {
    let text = following(rows);
    let mut lines = text.lines();
    let head = format!("date,{}\n", lines.next().unwrap());
    let row = |(row, line)| time(row).map(|time| format!("{time},{line}\n"));
    head + &lines.enumerate().filter_map(row).collect::<String>()
}

fn month(row: usize) -> String {
    format!("{}-{:02}", 2000 + row / 12, row % 12 + 1)
}

#[test]
fn inspect_lists_holes_and_names_the_step() {
    let scratch = Scratch::new();
    scratch.file("months.csv", timed(60, |row| (!(20..24).contains(&row)).then(|| month(row))));
    let shown = stdout(&scratch.run("inspect months.csv").success());
    assert!(shown.contains("time 2000-01 to 2004-12, every month"), "{shown}");
    assert!(shown.contains("hole from 2001-09 to 2001-12: 4 steps"), "{shown}");
    let assert = scratch.run("inspect months.csv --json").success();
    let json: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(json["step"], "month");
    assert_eq!(json["holes"][0]["steps"], 4);
}

#[test]
fn a_lag_never_reaches_across_a_hole() {
    let scratch = Scratch::new();
    scratch.file("gap.csv", timed(60, |row| (!(30..33).contains(&row)).then(|| month(row))));
    scratch.run("fit gap.csv -o run --lag 1 --also trajectories-csv").success();
    let record = scratch.json("run/run.json");
    assert_eq!((record["steps"].as_u64(), record["missing"].as_u64()), (Some(60), Some(9)));
    let warnings = record["warnings"].to_string();
    assert!(
        warnings.contains("3 of 60 steps (every month) are not there, in 1 hole"),
        "{warnings}"
    );
    let times: Vec<String> = scratch
        .text("run/trajectories.csv")
        .lines()
        .filter_map(|line| line.split(',').nth(3).map(String::from))
        .collect();
    assert!(times.contains(&"2002-08".to_owned()), "{times:?}");
}

#[test]
fn irregular_times_are_refused_with_the_command_that_helps() {
    let scratch = Scratch::new();
    let stamp = |row: usize| {
        let minutes = row * 10 + row * row * 7 % 9;
        format!("2024-01-{:02} {:02}:{:02}", 1 + minutes / 1440, minutes / 60 % 24, minutes % 60)
    };
    scratch.file("log.csv", timed(300, |row| Some(stamp(row))));
    let complaint = stderr(&scratch.run("fit log.csv -o run").code(2));
    assert!(complaint.contains("--every 10min:mean"), "{complaint}");
    scratch.run("fit log.csv -o run --every 20min --method lagged-least-squares").success();
    assert_eq!(scratch.json("run/run.json")["read"]["every"], "20min:mean");
    // The report reads the data again, in the same way.
    scratch.run("report run -o report.html").success();
    let complaint = stderr(&scratch.run("inspect log.csv --every often").code(2));
    assert!(complaint.contains("often") && complaint.contains("1h:mean"), "{complaint}");
}

#[test]
fn several_files_are_one_panel_and_are_found_again() {
    let scratch = Scratch::new();
    for subject in 1..=3 {
        scratch.file(&format!("subject-{subject}.csv"), following(30 + subject));
    }
    scratch.run("fit subject-*.csv -o run --method lagged-least-squares").success();
    let record = scratch.json("run/run.json");
    assert_eq!(
        (record["series"].as_u64(), record["files"].as_array().unwrap().len()),
        (Some(3), 3)
    );
    let assert = scratch.run("report run -o report.html").success();
    assert!(!stderr(&assert).contains("No series"), "{}", stderr(&assert));
    let shown = stdout(&scratch.run("inspect subject-1.csv subject-3.csv").success());
    assert!(shown.contains("2 series of 31 to 33 steps"), "{shown}");
    let complaint = stderr(&scratch.run("inspect nobody-*.csv").code(2));
    assert!(complaint.contains("nobody-*.csv"), "{complaint}");
}
