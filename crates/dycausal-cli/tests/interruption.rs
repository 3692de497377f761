//! Stopped at any moment, nothing half done stays, and what was reached is not lost.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::{Scratch, following, stderr};

/// What may pass between the request and the end: half a second, and more on a machine that is busy with
/// other tests. `scripts/check_interruption.py` holds it to the half second.
const OBEYED: Duration = Duration::from_secs(2);

fn spawn(scratch: &Scratch, words: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_dycausal"))
        .current_dir(scratch.path(""))
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// How it ended and what it said; it may have ended before.
fn stopped(mut child: Child, after: Duration, name: &str) -> Option<(ExitStatus, Duration)> {
    sleep(after);
    if child.try_wait().unwrap().is_some() {
        return None;
    }
    signal(&child, name);
    let begun = Instant::now();
    let status = child.wait().unwrap();
    Some((status, begun.elapsed()))
}

/// A table that keeps every method busy for longer than the test waits.
fn large(columns: usize, rows: usize) -> String {
    let names: Vec<String> = (0..columns).map(|c| format!("v{c}")).collect();
    let noise = |t: usize, v: usize| ((t * 7919 + v * 104_729 + t * t * 31 + v * t) % 997) as f64;
    let row =
        |t: usize| (0..columns).map(|v| noise(t, v).to_string()).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("{}\n{}\n", names.join(","), rows.join("\n"))
}

#[test]
fn a_request_to_stop_is_obeyed_in_every_method_and_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.file("data.csv", large(60, 3000));
    let methods = [
        "ordered",
        "dycausal",
        "lagged-least-squares",
        "pcmci",
        "pcmci-plus",
        "granger",
        "var-lingam",
        "dagma",
        "dynotears",
        "windowed",
    ];
    for (k, method) in methods.iter().enumerate() {
        for (milliseconds, name) in [(150 + 37 * k as u64, "TERM"), (900 + 211 * k as u64, "INT")] {
            let words = format!("fit data.csv -o run --method {method} --lag 1 --report");
            let after = Duration::from_millis(milliseconds);
            if let Some((status, took)) = stopped(spawn(&scratch, &words), after, name) {
                assert!(took < OBEYED, "{method} went on for {took:?} after {milliseconds} ms");
                assert_eq!(status.code(), Some(130), "{method} after {milliseconds} ms");
            }
            let left: Vec<String> =
                scratch.listing().into_iter().filter(|n| *n != "data.csv").collect();
            let whole = left.iter().all(|name| name == "run.unfinished" || name == "run");
            assert!(whole, "{method} after {milliseconds} ms left {left:?}");
            for name in left {
                fs::remove_dir_all(scratch.path(&name)).unwrap();
            }
        }
    }
}

/// How many seconds the fit that is killed takes when it is not.
const SHORT: &str = "--method dycausal --set iterations=120 --set stages=2 --set threshold=0";

/// Kills a fit again and again, each time later, and goes on with it until it is done.
fn killed_until_done(scratch: &Scratch, moment: impl Fn(usize) -> Duration, most: usize) -> usize {
    let mut kills = 0;
    while !scratch.path("killed").exists() && kills < most {
        let begun = scratch.path("killed.unfinished/request.json").exists();
        let words = if begun {
            "fit --resume killed".to_owned()
        } else {
            format!("fit data.csv -o killed --save-every 0 --seed 3 {SHORT}")
        };
        let mut child = spawn(scratch, &words);
        sleep(moment(kills));
        // It may have ended meanwhile, and then well.
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{words} was refused");
            break;
        }
        signal(&child, "KILL");
        child.wait().unwrap();
        kills += 1;
    }
    if scratch.path("killed.unfinished/request.json").exists() {
        scratch.run("fit --resume killed").success();
    }
    kills
}

#[test]
fn a_fit_that_is_killed_at_any_moment_goes_on_to_the_same_bits() {
    // `scripts/check_resume` asks for 200.
    let wanted: usize = std::env::var("DYCAUSAL_KILLS").map_or(6, |text| text.parse().unwrap());
    let scratch = Scratch::new();
    scratch.file("data.csv", following(80));
    scratch.run(&format!("fit data.csv -o whole --seed 3 {SHORT}")).success();
    let begun = Instant::now();
    scratch.run(&format!("fit data.csv -o timed --save-every 0 --seed 3 {SHORT}")).success();
    let long = begun.elapsed();
    let whole = |name: &str| fs::read(scratch.path(&format!("{name}/weights.npy"))).unwrap();
    let graph = |name: &str| fs::read(scratch.path(&format!("{name}/graph.json"))).unwrap();
    let (mut kills, mut random) = (0, 0x9e37_79b9_u64);
    while kills < wanted {
        let step = random;
        let moment = |k: usize| {
            let mixed = (step ^ (k as u64 + 1)).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40;
            long.mul_f64(mixed as f64 / (1u64 << 24) as f64)
        };
        kills += killed_until_done(&scratch, moment, wanted - kills);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if scratch.path("killed").exists() {
            assert_eq!(whole("killed"), whole("whole"));
            assert_eq!(graph("killed"), graph("whole"));
            fs::remove_dir_all(scratch.path("killed")).unwrap();
        }
    }
    let left = scratch.listing();
    assert!(
        !left.iter().any(|name| name.starts_with(".dycausal-") || name == "killed"),
        "{left:?}"
    );
}

#[test]
fn ctrl_c_before_the_first_save_saves() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(200));
    let words = "fit data.csv -o run --method dycausal --set iterations=1000000";
    let child = spawn(&scratch, words);
    let begun = Instant::now();
    while !scratch.path("run.unfinished/request.json").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("dycausal fit --resume run"), "{said}");
    assert!(scratch.path("run.unfinished/state").exists());
}

#[test]
fn one_flipped_bit_of_what_was_kept_is_found() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(80));
    let child = spawn(&scratch, &format!("fit data.csv -o run --save-every 0 {SHORT}"));
    let begun = Instant::now();
    while !scratch.path("run.unfinished/state").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(2));
    }
    signal(&child, "KILL");
    child.wait_with_output().unwrap();
    for name in ["state", "request.json"] {
        let path = scratch.path(&format!("run.unfinished/{name}"));
        let kept = fs::read(&path).unwrap();
        for place in [20, kept.len() / 2, kept.len() - 3] {
            let mut damaged = kept.clone();
            damaged[place] ^= 4;
            fs::write(&path, &damaged).unwrap();
            let said = stderr(&scratch.run("fit --resume run").code(2));
            assert!(said.contains("begin anew"), "{name}, byte {place}: {said}");
        }
        fs::write(&path, &kept).unwrap();
    }
    scratch.run("fit --resume run").success();
}

#[test]
fn files_that_may_not_grow_are_a_failure_that_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(400));
    for method in ["ordered", "dycausal --set iterations=50"] {
        let words = format!("fit data.csv -o run --report --lag 1 --method {method}");
        let limited = format!("ulimit -f 1; exec {} {words}", env!("CARGO_BIN_EXE_dycausal"));
        let mut shell = assert_cmd::Command::new("sh");
        let ended = shell.current_dir(scratch.path("")).args(["-c", &limited]).assert().code(1);
        let said = stderr(&ended);
        assert!(said.contains("run") && said.contains("too large"), "{said}");
        assert_eq!(scratch.listing(), ["data.csv"]);
    }
}

/// Stops a fit once its first state is kept.
fn stopped_with_a_state(scratch: &Scratch) {
    let words = "fit data.csv -o run --save-every 0 --method dycausal --set iterations=1000000";
    let child = spawn(scratch, words);
    let begun = Instant::now();
    while !scratch.path("run.unfinished/state").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(5));
    }
    signal(&child, "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn what_was_stopped_is_replaced_only_by_force() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(80));
    stopped_with_a_state(&scratch);
    let state = fs::read(scratch.path("run.unfinished/state")).unwrap();
    for other in ["--method dycausal --seed 9", "--method ordered"] {
        let said = stderr(&scratch.run(&format!("fit data.csv -o run {other}")).code(2));
        for part in ["run.unfinished", "iterations=1000000", "--resume run", "--force"] {
            assert!(said.contains(part), "`{part}` is not in: {said}");
        }
    }
    assert_eq!(fs::read(scratch.path("run.unfinished/state")).unwrap(), state);
    scratch.run("fit data.csv -o run --force").success();
    assert_eq!(scratch.listing(), ["data.csv", "run"]);
}

#[test]
fn what_does_not_change_the_result_may_be_said_anew() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(80));
    scratch.run(&format!("fit data.csv -o run --seed 3 {SHORT}")).success();
    let whole = scratch.text("run/graph.json");
    for name in ["run", "run/"] {
        let said = scratch.run(&format!("fit --resume {name}")).success();
        assert!(support::stdout(&said).contains("is finished"));
    }
    fs::remove_dir_all(scratch.path("run")).unwrap();
    let words = format!("fit data.csv -o run --save-every 0 --seed 3 {SHORT}");
    let child = spawn(&scratch, &words);
    let begun = Instant::now();
    while !scratch.path("run.unfinished/state").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(2));
    }
    signal(&child, "KILL");
    child.wait_with_output().unwrap();
    // Another fit came to its end under the same name.
    scratch.run("fit data.csv -o other").success();
    fs::rename(scratch.path("other"), scratch.path("run")).unwrap();
    for (words, named) in
        [("--seed 4", "--seed"), ("--set window=3", "--set"), ("", "--force"), ("--lag 2", "--lag")]
    {
        let said = stderr(&scratch.run(&format!("fit --resume run {words}")).code(2));
        assert!(said.contains(named), "{said}");
    }
    scratch.run("fit --resume run.unfinished --threads 1 --save-every 5 --force").success();
    assert_eq!(scratch.text("run/graph.json"), whole);
    assert!(scratch.json("run/run.json")["command"].as_str().unwrap().contains("--seed 3"));
    assert_eq!(scratch.listing(), ["data.csv", "run"]);
}
