//! Bad input: exit code 2, a message that names place and remedy, nothing left behind.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Scratch, following, stderr};

/// Runs and expects a refusal that mentions all of `parts`; the folder must stay as it was.
fn refused(scratch: &Scratch, words: &str, parts: &[&str]) {
    let before = scratch.listing();
    let assert = scratch.run(words).code(2);
    let complaint = stderr(&assert);
    for part in parts {
        assert!(complaint.contains(part), "`{part}` is not in: {complaint}");
    }
    assert!(complaint.starts_with("error: "), "{complaint}");
    assert!(!complaint.contains("panicked"), "{complaint}");
    assert_eq!(scratch.listing(), before, "something was left behind");
}

fn npy(dtype: &str, shape: &str, payload: usize) -> Vec<u8> {
    let mut header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(std::iter::repeat_n(0u8, payload));
    bytes
}

#[test]
fn files_that_are_not_there_or_empty() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(30)).file("empty.csv", "").file("header.csv", "a,b\n");
    refused(&scratch, "fit dat.csv -o run", &["dat.csv", "data.csv"]);
    refused(&scratch, "fit empty.csv -o run", &["empty.csv", "empty"]);
    refused(&scratch, "fit header.csv -o run", &["header.csv", "row"]);
    refused(&scratch, "fit . -o run", &["folder"]);
    refused(&scratch, "score nothing --truth data.csv", &["nothing"]);
}

#[test]
fn tables_that_do_not_hold_numbers() {
    let scratch = Scratch::new();
    scratch
        .file("ragged.csv", "a,b\n1,2\n3\n5,6\n")
        .file("text.csv", "a,b\n1,2\n3,four\n5,6\n")
        .file("twice.csv", "a,a\n1,2\n3,4\n5,6\n")
        .file("infinite.csv", "a,b\n1,2\n3,inf\n5,6\n7,7\n");
    refused(&scratch, "fit ragged.csv -o run", &["ragged.csv", "line 3", "1", "2"]);
    refused(&scratch, "fit text.csv -o run", &["text.csv", "line 3", "`b`", "four"]);
    refused(&scratch, "fit twice.csv -o run", &["twice.csv", "`a`"]);
    refused(&scratch, "fit infinite.csv -o run", &["infinite.csv", "`b`"]);
}

#[test]
fn variables_and_lengths_that_cannot_be_fitted() {
    let scratch = Scratch::new();
    scratch
        .file("missing.csv", "a,b\n1,\n3,\n4,NA\n5,NaN\n")
        .file("constant.csv", "a,b\n1,7\n3,7\n4,7\n5,7\n")
        .file("one.csv", "a,b\n1,2\n")
        .file("short.csv", following(5));
    refused(&scratch, "fit missing.csv -o run", &["`b`", "missing", "leave it out"]);
    refused(&scratch, "fit constant.csv -o run", &["`b`", "constant", "leave it out"]);
    refused(&scratch, "fit one.csv -o run", &["one.csv", "1 "]);
    refused(&scratch, "fit short.csv -o run --lag 5", &["5", "lag 5", "lower the lag"]);
}

#[test]
fn arrays_that_are_not_what_they_say() {
    let scratch = Scratch::new();
    scratch
        .file("ints.npy", npy("<i8", "(4, 2)", 64))
        .file("flat.npy", npy("<f8", "(8,)", 64))
        .file("four.npy", npy("<f8", "(2, 2, 2, 1)", 64))
        .file("cut.npy", npy("<f8", "(4, 2)", 40))
        .file("lying.npy", npy("<f8", "(1000000000000, 1000000)", 64))
        .file("noise.npy", "this is not an array");
    refused(&scratch, "fit ints.npy -o run", &["ints.npy", "astype"]);
    refused(&scratch, "fit flat.npy -o run", &["flat.npy", "1"]);
    refused(&scratch, "fit four.npy -o run", &["four.npy", "4"]);
    refused(&scratch, "fit cut.npy -o run", &["cut.npy"]);
    refused(&scratch, "fit lying.npy -o run", &["lying.npy"]);
    refused(&scratch, "fit noise.npy -o run", &["noise.npy"]);
}

#[test]
fn methods_and_parameters_that_do_not_exist() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(30)).file("bad.toml", "methd = 3\n");
    let fit = |rest: &str| format!("fit data.csv -o run {rest}");
    refused(
        &scratch,
        &fit("--method laged-least-squares"),
        &["did you mean `lagged-least-squares`"],
    );
    let method = "--method lagged-least-squares";
    refused(&scratch, &fit(&format!("{method} --set windw=3")), &["did you mean `window`"]);
    refused(&scratch, &fit(&format!("{method} --set window=-1")), &["`window`", "-1", "0 or more"]);
    refused(&scratch, &fit(&format!("{method} --set ridge=-1")), &["`ridge`", "0 or more"]);
    refused(&scratch, &fit("--set window"), &["KEY=VALUE"]);
    refused(&scratch, &fit("--config nowhere.toml"), &["nowhere.toml"]);
    refused(&scratch, &fit("--config bad.toml"), &["bad.toml", "methd"]);
    refused(&scratch, &fit("--threads 0"), &["`threads`", "at least 1"]);
    refused(&scratch, "methods nonesuch", &["nonesuch"]);
    refused(&scratch, "simulate linear -o sim --weights 2,1", &["weights"]);
    scratch.run("simulate linear -o sim --noise cauchy").code(2);
    scratch.run("fit data.csv").code(2);
}

#[test]
fn columns_that_are_not_there() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(30));
    refused(&scratch, "fit data.csv -o run --drop cc", &["cc", "a, b, c"]);
    refused(&scratch, "fit data.csv -o run --time when", &["when"]);
}

#[test]
fn output_that_is_in_the_way() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(30)).file("plain", "keep me");
    refused(&scratch, "fit data.csv -o plain", &["plain"]);
    assert_eq!(scratch.text("plain"), "keep me");
    scratch.run("fit data.csv -o run").success();
    let first = scratch.text("run/run.json");
    refused(&scratch, "fit data.csv -o run", &["run", "--force"]);
    assert_eq!(scratch.text("run/run.json"), first);
    scratch.run("fit data.csv -o run --force --seed 5").success();
    assert_eq!(scratch.json("run/run.json")["seed"], 5);
    refused(&scratch, "fit data.csv -o plain/run", &["plain"]);
    std::fs::create_dir(scratch.path("mine")).unwrap();
    std::fs::write(scratch.path("mine/thesis.tex"), "years of work").unwrap();
    refused(&scratch, "fit data.csv -o mine --force", &["mine"]);
    assert_eq!(scratch.text("mine/thesis.tex"), "years of work");
}

#[test]
fn reports_and_pictures_that_cannot_be() {
    let scratch = Scratch::new();
    scratch
        .file("data.csv", following(60))
        .file("other.csv", "p,q\n1,2\n2,1\n3,3\n")
        .file("there.html", "");
    scratch.run("fit data.csv -o run").success();
    scratch.run("simulate linear -o sim --variables 4 --steps 9 --series 3").success();
    refused(&scratch, "report nothing -o report.html", &["nothing", "run folder"]);
    refused(&scratch, "report run -o there.html", &["there.html", "--force"]);
    refused(&scratch, "report run -o nowhere/report.html", &["nowhere/report.html", "written"]);
    refused(&scratch, "report run -o report.html --data gone.csv", &["gone.csv"]);
    refused(&scratch, "report run -o report.html --data other.csv", &["the data", "`p`", "`a`"]);
    refused(&scratch, "report run -o report.html --truth sim/truth.npy", &["truth.npy"]);
    refused(&scratch, "report run -o report.html --truth gone.npy", &["gone.npy"]);
    refused(&scratch, "plot run -o picture.jpg", &["picture.jpg", "svg", "png"]);
    refused(&scratch, "plot run -o there.html", &["there.html", "svg"]);
    refused(&scratch, "plot run --at 99 -o picture.svg", &["--at 99", "1 to 60"]);
    refused(&scratch, "plot run --edges 0 -o picture.svg", &["--edges 0"]);
    refused(&scratch, "plot run -o nowhere/picture.png", &["nowhere/picture.png"]);
    let folder = scratch.path("run");
    std::fs::write(folder.join("graph.json"), "{}").unwrap();
    refused(&scratch, "report run -o report.html", &["run", "graph.json"]);
    refused(&scratch, "plot run -o picture.svg", &["run", "graph.json"]);
    scratch.run("plot run --kind pie -o picture.svg").code(2);
}

#[test]
fn words_that_contradict_each_other_or_do_not_apply() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60));
    let fit = "fit data.csv -o run";
    for (words, parts) in [
        ("--lag 2 --set lag=3", ["--lag 2", "--set lag=3"]),
        ("--set lag=2 --set lag=3", ["--set lag=2", "--set lag=3"]),
        ("--alpha 0.1 --set alpha=0.2", ["--alpha 0.1", "--set alpha=0.2"]),
        ("--method dycausal --model mlp --set model=linear", ["--model mlp", "--set model=linear"]),
        ("--method dycausal --alpha 0.1", ["false discovery rate", "`dycausal` has none"]),
        ("--method lagged-least-squares --alpha 0.1", ["false discovery rate", "has none"]),
        ("--seed -1", ["--seed", "'-1'"]),
        ("--order-changes auto", ["no option any more", "--method reordered"]),
        ("--set order_changes=2", ["order_changes", "--method reordered"]),
    ] {
        let said = stderr(&scratch.run(&format!("{fit} {words}")).code(2));
        for part in parts {
            assert!(said.contains(part), "`{part}` is not in: {said}");
        }
        assert!(!said.contains("-- -1"), "{said}");
    }
    assert_eq!(scratch.listing(), ["data.csv"]);
}

#[test]
fn refusals_name_the_word_that_helps() {
    let scratch = Scratch::new();
    let table = following(60);
    let with = |name: &str, cell: fn(usize) -> String| -> String {
        let lines = table.lines().enumerate();
        let row = |(k, line)| {
            if k == 0 { format!("{name},{line}\n") } else { format!("{},{line}\n", cell(k)) }
        };
        lines.map(row).collect()
    };
    scratch
        .file("stamp.csv", with("stamp", |k| format!("2022-01-01T{:02}:{:02}:00", k / 60, k % 60)))
        .file("subject.csv", with("subject", |k| format!("s{}", k / 30)))
        .file("thousands.csv", with("x", |k| format!("\"1,{:03}.5\"", k * 7)))
        .file("twice.csv", with("date", |k| format!("2022-01-{:02}", 1 + k / 3)))
        .file("missing.csv", format!("{table}0.5,,0.5\n0.4,0.1,0.2\n"))
        .file("data.csv", table.clone());
    refused(&scratch, "fit stamp.csv -o run", &["--time 'stamp'"]);
    refused(&scratch, "fit subject.csv -o run", &["--id 'subject'", "--drop"]);
    refused(&scratch, "fit thousands.csv -o run", &["--decimal point"]);
    refused(&scratch, "fit twice.csv -o run", &["--every 1h"]);
    refused(&scratch, "fit missing.csv -o run --method dycausal", &["--set encoder=free"]);
    refused(&scratch, "fit data.csv -o run --prepare difference(300)", &["difference(300)", "60"]);
    refused(&scratch, "fit data.csv -o run --prepare deseason(40)", &["deseason(40)", "2 cycles"]);
}
