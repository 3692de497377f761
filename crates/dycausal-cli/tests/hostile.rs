//! Data, parameters and files that ask for more than there is are refused, with the number.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::fs;

use support::{Scratch, following, stderr, stdout};

/// The header and values of an NPY file of zeros and ones.
fn npy(shape: &str, count: usize) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    header.resize((10 + header.len() + 1).next_multiple_of(64) - 11, b' ');
    header.push(b'\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend_from_slice(&u16::try_from(header.len()).unwrap().to_le_bytes());
    file.extend_from_slice(&header);
    for k in 0..count {
        file.extend_from_slice(&((k * 7919 % 997) as f64).to_le_bytes());
    }
    file
}

#[test]
fn what_needs_more_memory_than_there_is_is_refused_with_what_would_fit() {
    let scratch = Scratch::new();
    scratch.file("wide.npy", npy("(1, 4, 5000)", 20_000));
    for method in [
        "ordered",
        "dycausal",
        "lagged-least-squares",
        "granger",
        "pcmci",
        "pcmci-plus",
        "var-lingam",
    ] {
        let words = format!("fit wide.npy -o run --lag 1 --memory 100MB --method {method}");
        let said = stderr(&scratch.run(&words).code(2));
        assert!(said.contains("100.0 MB") && said.contains("would fit"), "{method}: {said}");
        assert_eq!(scratch.listing(), ["wide.npy"]);
    }
    let looked = stdout(&scratch.run("inspect wide.npy --memory 100MB --lag 1").success());
    assert!(looked.contains("needs about"), "{looked}");
    scratch.run("fit wide.npy -o run --memory lots").code(2);
}

#[test]
fn parameters_beyond_all_reason_are_refused_by_name() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60));
    for words in [
        "--lag 18446744073709551615",
        "--lag 60",
        "--method dycausal --set units=100000000",
        "--method dycausal --set iterations=100000000000",
        "--method dycausal --set hidden=100000000",
        "--method dycausal --set stages=100000000",
        "--method dycausal --set window=100000",
        "--method dagma --set stages=1000000",
        "--method lagged-least-squares --set window=18446744073709551615",
        "--method windowed --set window=18446744073709551615",
        "--method windowed --set lag=1000000000",
        "--threads 10000",
        "--threads 0",
    ] {
        let said = stderr(&scratch.run(&format!("fit data.csv -o run {words}")).code(2));
        assert!(!said.contains("defect"), "{words}: {said}");
        let named = ["lag", "units", "iterations", "hidden", "stages", "window", "threads"];
        assert!(named.iter().any(|name| said.contains(name)), "{words}: {said}");
    }
}

#[test]
fn graphs_beyond_all_reason_are_refused() {
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60));
    scratch.run("fit data.csv -o run --lag 1").success();
    let sound = scratch.json("run/graph.json");
    let change = |path: &[&str], value: serde_json::Value| {
        let mut graph = sound.clone();
        let mut at = &mut graph;
        for key in path {
            at = &mut at[*key];
        }
        *at = value;
        fs::write(scratch.path("run/graph.json"), graph.to_string()).unwrap();
        let said = stderr(&scratch.run("plot run -o graph.svg --force").code(2));
        assert!(said.contains("graph.json") && !said.contains("defect"), "{path:?}: {said}");
    };
    let large = serde_json::json!(1_000_000_000_000_000u64);
    change(&["lag"], large.clone());
    change(&["basis", "steps"], large.clone());
    let curves =
        serde_json::json!([0, 1, 2].map(|_| serde_json::json!({"polynomials": 1, "breaks": []})));
    for season in [
        serde_json::json!({"period": 0.0, "harmonics": 1}),
        serde_json::json!({"period": 7.0, "harmonics": 1_000_000_000_000u64}),
        serde_json::json!({"period": 1e300, "harmonics": 1}),
    ] {
        change(
            &["preparation", "means"],
            serde_json::json!({"curves": curves, "seasons": [season]}),
        );
    }
    let bent = serde_json::json!({"polynomials": 1_000_000_000, "breaks": []});
    change(
        &["preparation", "means"],
        serde_json::json!({"curves": [bent, bent, bent], "seasons": []}),
    );
}

#[test]
#[cfg(unix)]
fn what_has_no_end_is_read_up_to_a_limit() {
    let scratch = Scratch::new();
    let said = stderr(&scratch.run("inspect --format npy /dev/zero --limit 1MB").code(2));
    assert!(said.contains("more than 1000000 bytes") && said.contains("--limit"), "{said}");
    let mut piped = scratch.command("inspect - --format csv --limit 100");
    let said = stderr(&piped.write_stdin(following(60)).assert().code(2));
    assert!(said.contains("more than 100 bytes"), "{said}");
    let mut piped = scratch.command("inspect - --format csv --limit 1MB");
    piped.write_stdin(following(60)).assert().success();
}

#[test]
#[cfg(target_os = "linux")]
fn words_that_are_no_text_are_handled() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    scratch.file("data.csv", following(60));
    let folder = OsStr::from_bytes(b"caf\xe9");
    scratch.command("fit data.csv --lag 1 -o").arg(folder).assert().success();
    assert!(scratch.path("").join(folder).join("run.json").exists());
    let said = stderr(&scratch.command("fit -o run").arg(folder).assert().code(2));
    assert!(!said.contains("defect"), "{said}");
}

#[test]
fn names_are_no_formulas_in_text_files() {
    let scratch = Scratch::new();
    let text = following(120).replacen("a,b,c", "=1+1,@SUM(A1),-c", 1);
    scratch.file("data.csv", text);
    scratch.run("fit data.csv -o run --lag 1 --method lagged-least-squares").success();
    let edges = scratch.text("run/edges.csv");
    assert!(edges.lines().skip(1).all(|line| line.starts_with('\'')), "{edges}");
    assert_eq!(scratch.json("run/graph.json")["variables"][0], "=1+1");
}
