//! Every command does what the README says.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Scratch, following, stderr, stdout};

#[test]
fn the_demo_goes_the_whole_way() {
    let scratch = Scratch::new();
    let assert = scratch.run("demo --threads 2").success();
    let shown = stdout(&assert);
    for part in
        ["acyclic at all 50 steps", "F1", "written to dycausal-demo", "edges.csv", "report.html"]
    {
        assert!(shown.contains(part), "`{part}` is not in: {shown}");
    }
    let record = scratch.json("dycausal-demo/run.json");
    assert_eq!(record["steps"], 50);
    assert!(record["certificate"]["acyclic"].is_object());
    scratch.run("demo").code(2);
    scratch.run("demo --force").success();
}

#[test]
fn names_go_in_and_names_come_out() {
    let scratch = Scratch::new();
    let table = following(200).replace("a,b,c", "\"rain, heavy\",<b>,🌊");
    scratch.file("data.csv", table);
    scratch.run("fit data.csv -o run --method lagged-least-squares --set threshold=0.5").success();
    let edges = scratch.text("run/edges.csv");
    let mut lines = edges.lines();
    let head = "source,target,lag,strongest,mean,first,last,steps,present,strength";
    assert_eq!(lines.next(), Some(head));
    assert!(lines.any(|line| line.starts_with("\"rain, heavy\",<b>,1,")), "{edges}");
}

#[test]
fn simulate_fit_and_score_fit_together() {
    let scratch = Scratch::new();
    let assert = scratch
        .run("simulate linear -o sim --variables 5 --series 40 --steps 30 --lag 2 --dynamics full --seed 3");
    assert.success();
    assert_eq!(scratch.json("sim/spec.json")["seed"], 3);
    scratch.run("fit sim/series.npy -o run --lag 2 --json").success();
    let assert = scratch.run("score run --truth sim/truth.npy --threshold 0.3 --json").success();
    let scores: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    let f1 = scores["lagged"]["average"]["f1"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&f1));
    scratch.run("score run --truth sim/truth.npy").success();
    // The same truth in every form.
    for form in ["sim", "sim/truth.json"] {
        let words = format!("score run --truth {form} --threshold 0.3 --json");
        let same: serde_json::Value =
            serde_json::from_str(&stdout(&scratch.run(&words).success())).unwrap();
        assert_eq!(same, scores, "{form}");
    }
    let assert = scratch.run("score run --truth sim --threshold 0.3 --ranking --json").success();
    let ranked: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(ranked["lags"].as_array().unwrap().len(), 3);
    assert!(ranked["window"]["auroc"].as_f64().unwrap() > 0.9, "{ranked}");
    let words = "score run --truth sim --ranking --sources differ --no-diagonal";
    assert!(stdout(&scratch.run(words).success()).contains("sources differ"));
    let refused = stderr(&scratch.run("score run --truth sim --ranking --sources many").code(2));
    assert!(refused.contains("same or differ"), "{refused}");
    let refused = stderr(&scratch.run("score run --truth sim --sources differ").code(2));
    assert!(refused.contains("--ranking"), "{refused}");
    std::fs::remove_file(scratch.path("run/ranking.parquet")).unwrap();
    let refused = stderr(&scratch.run("score run --truth sim --ranking").code(2));
    assert!(refused.contains("ranking.parquet"), "{refused}");
    assert!(scratch.text("sim/truth.csv").starts_with("source,target,lag,strongest,mean"));
    let truth = "simulate linear -o large --variables 300 --series 1 --steps 100";
    assert!(!stdout(&scratch.run(truth).success()).contains("truth.npy"));
    let short = scratch.run("simulate linear -o short --variables 5 --steps 20 --series 5");
    short.success();
    scratch.run("score run --truth short/truth.npy").code(2);
    let refused = stderr(&scratch.run("score run --truth short").code(2));
    assert!(refused.contains("20 steps") && refused.contains("truth.json"), "{refused}");
    let refused = stderr(&scratch.run("score run --truth .").code(2));
    assert!(refused.contains("expected graph.json, truth.json or truth.npy"), "{refused}");
}

#[test]
fn every_model_shows_how_its_lag_was_chosen() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(200));
    for model in ["linear", "additive"] {
        let shown = scratch.run(&format!("fit data.csv -o {model} --model {model}")).success();
        let shown = stdout(&shown);
        assert!(shown.contains("lag 1 by score (1: +"), "{model}: {shown}");
        let record = scratch.json(&format!("{model}/run.json"));
        assert_eq!(record["facts"]["lag"]["chosen"], 1, "{model}");
        assert!(record["facts"]["lag"]["worse"].as_array().unwrap().len() > 1, "{model}");
    }
}

#[test]
fn what_a_fit_writes_does_not_grow_with_the_steps() {
    let scratch = Scratch::new();
    let bytes = |steps: usize| -> u64 {
        scratch.file("data.csv", following(steps));
        let run = format!("run{steps}");
        scratch.run(&format!("fit data.csv -o {run} --lag 1")).success();
        let files = scratch.json(&format!("{run}/run.json"));
        assert!(files["edges"].as_u64().unwrap() > 0);
        let files = std::fs::read_dir(scratch.path(&run)).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
    };
    let (short, long) = (bytes(2000), bytes(20_000));
    assert!(2 * long < 3 * short, "{short} and {long} bytes");
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_threads() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(120));
    for threads in 1..=3 {
        scratch.run(&format!("fit data.csv -o run{threads} --threads {threads}")).success();
        assert_eq!(
            scratch.text("run1/graph.json"),
            scratch.text(&format!("run{threads}/graph.json"))
        );
    }
}

#[test]
fn a_config_file_says_what_flags_say() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(100)).file(
        "fit.toml",
        "method = 'lagged-least-squares'\nlag = 2\nseed = 4\n[parameters]\nwindow = 7\n",
    );
    scratch.run("fit data.csv -o run --config fit.toml --set ridge=0.5 --seed 9").success();
    let record = scratch.json("run/run.json");
    assert_eq!(record["parameters"]["window"], 7);
    assert_eq!(record["parameters"]["ridge"], 0.5);
    assert_eq!((record["lag"].as_u64(), record["seed"].as_u64()), (Some(2), Some(9)));
}

#[test]
fn standard_input_and_output_can_be_pipes() {
    let scratch = Scratch::new();
    let mut command = scratch.command("fit - --format csv -o run");
    command.write_stdin(following(60)).assert().success();
    assert_eq!(scratch.json("run/run.json")["source"], "standard input");
}

#[test]
fn inspect_says_what_the_data_support() {
    let scratch = Scratch::new();
    let table = following(100);
    let copy = table.lines().map(|line| {
        let first = line.split(',').next().unwrap();
        let twin = if first == "a" { "a again" } else { first };
        format!("{line},{twin}\n")
    });
    scratch.file("copy.csv", copy.collect::<String>());
    let assert = scratch.run("inspect copy.csv --lag 2").success();
    let shown = stdout(&assert);
    assert!(shown.contains("`a again` is a copy of `a`"), "{shown}");
    let assert = scratch.run("inspect copy.csv --json").success();
    let seen: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(seen["columns"].as_array().unwrap().len(), 4);
    assert!(stderr(&scratch.run("fit copy.csv -o run").success()).contains("warning: `a again`"));
    scratch.run("fit copy.csv -o other --drop c").success();
}

#[test]
fn a_fit_is_checked_and_says_what_is_wrong() {
    let scratch = Scratch::new();
    scratch.file("clean.csv", following(300));
    let assert = scratch.run("fit clean.csv -o clean").success();
    assert!(stdout(&assert).contains("checks: "), "{}", stdout(&assert));
    let kept = scratch.json("clean/run.json");
    assert_eq!(kept["diagnostics"]["variables"].as_array().unwrap().len(), 3);
    // A wave that lag 1 cannot follow.
    let wave = |t: usize| {
        (t as f64 * std::f64::consts::TAU / 9.0).sin()
            + ((t * t * 31 + t * 7919) % 997) as f64 / 2000.0
    };
    let rows: Vec<String> =
        (0..300).map(|t| format!("{},{}", wave(t), (t * t * 17 + t * 104_729) % 991)).collect();
    scratch.file("wave.csv", format!("wave,noise\n{}\n", rows.join("\n")));
    let pooled = "--method lagged-least-squares --set window=300";
    let assert = scratch.run(&format!("fit wave.csv -o pooled {pooled}")).success();
    assert!(stderr(&assert).contains("the residuals of `wave` predict"), "{}", stderr(&assert));
    let kept = scratch.json("pooled/run.json");
    let warned = kept["warnings"].as_array().unwrap().iter();
    assert!(warned.filter_map(|w| w.as_str()).any(|w| w.contains("the lag too short")));
    // By default the wave is taken out, and said to be.
    let assert = scratch.run("fit wave.csv -o wave").success();
    assert!(!stderr(&assert).contains("the residuals of `wave` predict"), "{}", stderr(&assert));
    assert!(stdout(&assert).contains("a season of "), "{}", stdout(&assert));
    let kept = scratch.json("wave/run.json");
    let assert = scratch.run("inspect wave.csv --fit").success();
    assert!(stdout(&assert).contains("After a fit: "), "{}", stdout(&assert));
    assert!(stdout(&assert).contains("these data cannot rule that out"));
    let json = scratch.run("inspect wave.csv --fit --json").success();
    let found: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(found["diagnostics"]["summary"], kept["diagnostics"]["summary"]);
    scratch.file("short.csv", "a,b\n1,2\n");
    scratch.run("inspect short.csv --fit").failure();
}

#[test]
fn a_report_can_be_had_with_the_fit_and_after_it() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(120));
    scratch.run("fit data.csv -o run --drop c --report").success();
    let with = scratch.text("run/report.html");
    assert!(with.starts_with("<!doctype html>") && with.len() < 1_000_000);
    assert_eq!(scratch.json("run/run.json")["read"]["drop"][0], "c");
    scratch.run("report run -o after.html").success();
    assert_eq!(scratch.text("after.html"), with, "the data are read again as they were");
    std::fs::rename(scratch.path("data.csv"), scratch.path("moved.csv")).unwrap();
    let assert = scratch.run("report run -o without.html").success();
    assert!(stderr(&assert).contains("--data"), "{}", stderr(&assert));
    assert!(scratch.text("without.html").len() < with.len());
    scratch.run("report run -o again.html --data moved.csv --truth run").success();
    assert!(scratch.text("again.html").len() > scratch.text("without.html").len());
    scratch.file("data.csv", following(90));
    let assert = scratch.run("report run -o other.html").success();
    assert!(stderr(&assert).contains("no longer"), "{}", stderr(&assert));
}

#[test]
fn pictures_are_drawn_without_a_browser() {
    let scratch = Scratch::new();
    scratch.run("simulate linear -o sim --variables 5 --series 40 --steps 30 --seed 3").success();
    scratch.run("fit sim/series.npy -o run").success();
    for kind in ["graph", "trajectories", "matrix"] {
        let words = format!("plot run --kind {kind} --truth sim/truth.npy -o {kind}");
        scratch.run(&format!("{words}.svg")).success();
        scratch.run(&format!("{words}.png")).success();
        assert!(scratch.text(&format!("{kind}.svg")).contains("x5"));
        let png = std::fs::read(scratch.path(&format!("{kind}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 2000);
    }
    scratch.run("plot run --at 3,7 -o some.svg").success();
    let shown = scratch.text("some.svg");
    assert!(shown.contains("at 3<") && shown.contains("at 7<") && !shown.contains("at 30<"));
}

#[test]
fn methods_are_compared_and_one_that_fails_says_why() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(200));
    let words = "compare data.csv --methods granger,pcmci,windowed --set windowed.inner=granger --set windowed.window=4 -o out";
    let told = stderr(&scratch.run(words).code(0));
    let csv = scratch.text("out/comparison.csv");
    let rows: Vec<&str> = csv.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(rows, ["method", "ordered", "granger", "pcmci", "windowed"], "{csv} {told}");
    assert!(csv.lines().last().unwrap().contains("rows"), "{csv}");
    let edges = scratch.text("out/edges.csv");
    assert!(edges.lines().next().unwrap().contains("found_by"), "{edges}");
    assert!(edges.contains("granger") && edges.contains("ordered"), "{edges}");
    assert!(scratch.text("out/comparison.svg").contains("pcmci"));
    assert!(scratch.text("out/report.html").starts_with("<!doctype html>"));
    scratch.run("compare data.csv --methods granger -o out").code(2);
    let refused = stderr(&scratch.run("compare data.csv --methods grangre -o other").code(2));
    assert!(refused.contains("granger"), "{refused}");
    let refused =
        stderr(&scratch.run("compare data.csv --methods granger --set lag=1 -o other").code(2));
    assert!(refused.contains("METHOD.KEY=VALUE"), "{refused}");
}

#[test]
fn lists_and_completions_are_printed() {
    let scratch = Scratch::new();
    assert!(stdout(&scratch.run("methods").success()).contains("lagged-least-squares"));
    let one = stdout(&scratch.run("methods lagged-least-squares").success());
    insta::assert_snapshot!(one);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            stdout(&scratch.run(&format!("completions {shell}")).success()).contains("dycausal")
        );
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    let scratch = Scratch::new();
    for command in [
        "",
        "demo",
        "simulate",
        "inspect",
        "fit",
        "report",
        "plot",
        "compare",
        "score",
        "methods",
        "completions",
    ] {
        let shown = stdout(&scratch.run(&format!("{command} --help")).success());
        assert!(shown.contains("Examples:"), "{command}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn interrupting_leaves_nothing_behind() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let scratch = Scratch::new();
    scratch.run("simulate linear -o sim --variables 120 --series 60 --steps 80").success();
    let mut child = Command::new(env!("CARGO_BIN_EXE_dycausal"))
        .current_dir(scratch.path("."))
        .args(
            "fit sim/series.npy -o run --lag 6 --method lagged-least-squares --threads 1"
                .split(' '),
        )
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(scratch.listing(), ["sim"]);
}

#[test]
fn an_experiment_is_run_kept_and_put_on_the_page_of_results() {
    let scratch = Scratch::new();
    let listed = stdout(&scratch.run("reproduce list").success());
    for name in ["dynamics", "static-lorenz", "one-long-series", "real"] {
        assert!(listed.contains(name), "{listed}");
    }
    let command = "reproduce one-long-series --seeds 1 --methods lagged-least-squares -o out";
    let shown = stdout(&scratch.run(command).success());
    assert!(shown.contains("| N=1 T=5000 | lagged-least-squares |"), "{shown}");
    // The second time all is taken from the folder, to the last digit of the seconds.
    assert_eq!(shown, stdout(&scratch.run(command).success()));
    scratch.run("reproduce results -o out --machine here").success();
    let page = scratch.text("out.md");
    assert!(page.contains("figures: here") && page.contains("(out/one-long-series.md)"), "{page}");
    // What was not run is named with its command.
    assert!(page.contains("`dynamics` (60)"), "{page}");
    // The same table gives the same page again.
    let before = scratch.text("out/one-long-series.md");
    scratch.run("reproduce results -o out --machine here").success();
    assert_eq!(scratch.text("out/one-long-series.md"), before);
}

#[test]
fn a_battery_is_listed_run_with_parameters_set_and_written() {
    let scratch = Scratch::new();
    let listed = stdout(&scratch.run("reproduce list").success());
    for name in ["nulls", "power", "coverage", "motion", "directions", "lag-choice", "seasons"] {
        assert!(listed.contains(name), "{listed}");
    }
    let command = "reproduce nulls --settings iid --seeds 2 --first 3 --set lag=2 -o out";
    let shown = stdout(&scratch.run(command).success());
    assert!(shown.contains("| iid | 1 × 300 × 8 | ordered |"), "{shown}");
    let page = scratch.text("out/nulls.md");
    assert!(page.contains("`dycausal reproduce nulls --seeds 2 --first 3"), "{page}");
    assert!(scratch.listing().iter().any(|name| name == "out"), "{:?}", scratch.listing());
}

#[test]
fn slips_in_experiments_are_answered_with_what_there_is() {
    let scratch = Scratch::new();
    for (words, answer) in [
        ("reproduce dynamcs", "did you mean `dynamics`?"),
        ("reproduce dynamics --methods orderd", "did you mean `ordered`?"),
        ("reproduce nulls --settings idd", "did you mean `iid`?"),
        ("reproduce nulls --set lga=2", "did you mean `lag`?"),
        ("reproduce dynamics --set lag=2", "only a battery"),
        ("reproduce real --data nowhere", "--data"),
        ("reproduce results -o nowhere", "there is no such folder"),
    ] {
        let said = stderr(&scratch.run(words).code(2));
        assert!(said.contains(answer), "{words}: {said}");
    }
    assert!(scratch.listing().is_empty(), "{:?}", scratch.listing());
}

#[test]
fn summaries_tell_the_model_the_threads_and_only_what_there_is() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(120));
    let said = stdout(&scratch.run("fit data.csv -o auto --model auto --threads 1").success());
    assert!(said.contains("model taken: ") && said.contains("on 1 thread\n"), "{said}");
    assert!(said.contains("(false discovery rate 0.05)"), "{said}");
    let words = "fit data.csv -o curves --threads 1 --method dycausal --set model=mlp --set encoder=free --set acyclic=union --set window=0 --set ridge=0.05 --set importance=likelihood";
    let said = stdout(&scratch.run(words).success());
    assert!(said.contains("listed") && !said.contains("1.001"), "{said}");
    let said = stdout(&scratch.run("compare data.csv --methods granger -o compared").success());
    assert!(!said.contains("--dense"), "{said}");
    scratch.run("inspect data.csv --threads 1").success();
}

#[test]
fn times_are_noted_and_codes_and_short_seasons_are_warned_of() {
    let scratch = Scratch::new();
    let table = following(90);
    let rows = table.lines().enumerate().map(|(k, line)| match k {
        0 => format!("time,{line}\n"),
        20 | 50 => format!("{k},0.5,-999,0.5\n"),
        _ => format!("{k},{line}\n"),
    });
    scratch.file("codes.csv", rows.collect::<String>()).file("data.csv", table.clone());
    for words in ["inspect codes.csv", "fit codes.csv -o run"] {
        let said = stderr(&scratch.run(words).success());
        assert!(said.contains("note: column `time` is taken as the time"), "{said}");
        assert!(said.contains("warning: `b` has -999 in 2 cells"), "{said}");
    }
    let warnings = scratch.json("run/run.json")["warnings"].to_string();
    assert!(warnings.contains("-999") && !warnings.contains("taken as the time"), "{warnings}");
    let said = stderr(&scratch.run("inspect data.csv --prepare deseason(30)").success());
    assert!(said.contains("deseason(30)") && said.contains("3.0 cycles"), "{said}");
}
