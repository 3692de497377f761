//! The folder of a run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use dycausal::graph::table::COLUMNS;
use dycausal::graph::{Band, Bounds, Edge, Mark, Presence, Ranking, Tests, Trajectory};
use dycausal::{Basis, DynamicGraph, Panel, TimeIndex, Timing};
use dycausal_io::{
    Dense, Error, Extra, Format, ReadOptions, RunRecord, WriteOptions, check_folder, read_run,
    read_truth, tigramite_arrays, write_folder, write_run,
};
use ndarray::Array3;
use tempfile::TempDir;

use crate::{read_path, said};

const HOSTILE: [&str; 4] = ["a \"b\", c", "two\nlines", "<script>&</script>", "😀\\"];

fn graph() -> DynamicGraph {
    let nan = f64::NAN;
    let bounds = Bounds::Steps { low: vec![0.1, nan, 0.3], high: vec![0.9, nan, 1.1] };
    let band = Band { level: 0.95, bounds };
    let tests = Tests { absent: Some(1e-12), ..Tests::default() };
    let edges = vec![
        Edge {
            band: Some(band),
            tests: Some(tests),
            ..Edge::new(0, 1, 0, Trajectory::Steps(vec![0.5, 1e-7, -0.7]), 3)
        },
        Edge {
            presence: Presence::when(3, |t| t > 0),
            ..Edge::new(2, 2, 1, Trajectory::Constant(-0.25), 3)
        },
    ];
    let times = TimeIndex::Dates {
        text: vec!["2024-01".into(), "2024-02".into(), "2024-03".into()],
        seconds: vec![0.0, 1.0, 2.0],
    };
    DynamicGraph::new(
        HOSTILE.map(String::from).to_vec(),
        times,
        1,
        Basis::constant(3).unwrap(),
        edges,
    )
    .unwrap()
}

fn record(graph: &DynamicGraph) -> RunRecord {
    let panel = Panel::new(Array3::zeros((2, 3, 4)), graph.names().to_vec()).unwrap();
    RunRecord {
        method: "lagged-least-squares".into(),
        parameters: [("lag".to_owned(), 1.into())].into_iter().collect(),
        seed: u64::MAX,
        timings: vec![Timing { stage: "fit".into(), seconds: 0.25 }],
        warnings: vec!["mind\nthe gap".into()],
        ..RunRecord::of(&panel, graph, "data.csv")
    }
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_run_comes_back() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("results/run");
    let graph = graph();
    let all = WriteOptions { extra: Extra::ALL.to_vec(), ..WriteOptions::default() };
    let written = write_run(&run, &graph, &record(&graph), &all).unwrap();
    assert_eq!(written.dense_left_out, None);
    let listed: BTreeSet<String> = written.files.into_iter().chain([".dycausal".into()]).collect();
    assert_eq!(entries(&run), listed);
    assert_eq!(entries(&folder.path().join("results")), ["run".to_owned()].into());

    let (again, same) = read_run(&run).unwrap();
    assert_eq!(again, record(&graph));
    assert_eq!(format!("{same:?}"), format!("{graph:?}"));
    assert_eq!(read_truth(&run.join("weights.npy")).unwrap(), graph.dense(u128::MAX).unwrap());
    for name in ["run.json", "graph.json"] {
        let text = fs::read_to_string(run.join(name)).unwrap();
        assert!(!text.contains("NaN"), "{name}");
    }
}

#[test]
fn the_ranking_of_all_edges_comes_back_and_a_damaged_one_is_named() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let mut values =
        Array3::from_shape_fn((2, 4, 4), |(l, i, j)| 1.5 * (16 * l + 4 * i + j) as f64);
    values[[1, 3, 0]] = f64::NAN;
    let graph =
        graph().with_ranking(Ranking::new("log likelihood ratio", values).unwrap()).unwrap();
    let written = write_run(&run, &graph, &record(&graph), &WriteOptions::default()).unwrap();
    assert!(written.files.contains(&"ranking.parquet".to_owned()));
    assert!(!fs::read_to_string(run.join("graph.json")).unwrap().contains("ranking"));
    let (_, again) = read_run(&run).unwrap();
    assert_eq!(again.ranking(), graph.ranking());
    assert_eq!(again.ranking().unwrap().places().count(), 2 * 16 - 4 - 1);
    // A row per place that is known, and whether it is listed.
    let numbers = ReadOptions {
        time: Some(String::new()),
        columns: ["lag", "statistic"].map(String::from).to_vec(),
        ..ReadOptions::default()
    };
    let table = read_path(&run.join("ranking.parquet"), &numbers).unwrap().panel;
    assert_eq!(table.steps(), 27);

    let bytes = fs::read(run.join("ranking.parquet")).unwrap();
    for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
        fs::write(run.join("ranking.parquet"), &bytes[..cut]).unwrap();
        let refused = read_run(&run).unwrap_err().to_string();
        assert!(refused.contains("ranking.parquet"), "{refused}");
    }
    fs::remove_file(run.join("ranking.parquet")).unwrap();
    assert_eq!(read_run(&run).unwrap().1.ranking(), None);
}

#[test]
fn edges_are_tidy() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let graph = graph();
    let extra = vec![Extra::Parquet, Extra::TrajectoriesCsv];
    let options = WriteOptions { extra, ..WriteOptions::default() };
    write_run(&run, &graph, &record(&graph), &options).unwrap();
    let text = fs::read_to_string(run.join("edges.csv")).unwrap();
    let expected = "source,target,lag,strongest,mean,first,last,steps,present,p\n\
        \"a \"\"b\"\", c\",\"two\nlines\",0,-0.7,-0.06666663333333334,2024-01,2024-03,3,always,1e-12\n\
        <script>&</script>,<script>&</script>,1,-0.25,-0.25,2024-02,2024-03,2,from 2024-02 to 2024-03,\n";
    assert_eq!(text, expected);
    let text = fs::read_to_string(run.join("trajectories.csv")).unwrap();
    let expected = "source,target,lag,time,weight,low,high\n\
        \"a \"\"b\"\", c\",\"two\nlines\",0,2024-01,0.5,0.1,0.9\n\
        \"a \"\"b\"\", c\",\"two\nlines\",0,2024-02,1e-7,,\n\
        \"a \"\"b\"\", c\",\"two\nlines\",0,2024-03,-0.7,0.3,1.1\n\
        <script>&</script>,<script>&</script>,1,2024-02,-0.25,,\n";
    assert_eq!(text, expected);
    // Our own reader sees the same rows in both kinds of files.
    let read = |name: &str, columns: &[&str]| {
        let numbers = ReadOptions {
            time: Some(String::new()),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            ..ReadOptions::default()
        };
        read_path(&run.join(name), &numbers).unwrap().panel
    };
    for (name, columns, rows) in [
        ("edges", &["lag", "strongest", "mean", "steps", "p"][..], 2),
        ("trajectories", &["lag", "weight", "low", "high"], 4),
    ] {
        let csv = read(&format!("{name}.csv"), columns);
        let parquet = read(&format!("{name}.parquet"), columns);
        assert_eq!(crate::bits(&csv), crate::bits(&parquet));
        assert_eq!(csv.steps(), rows);
    }
}

#[test]
fn runs_of_before_are_still_read() {
    let (record, graph) = read_run(&crate::data("run_with_steps")).unwrap();
    assert_eq!((record.method.as_str(), graph.steps()), ("lagged-least-squares", 40));
    assert!(matches!(graph.edges()[0].trajectory, Trajectory::Steps(_)));
    let weights = read_truth(&crate::data("run_with_steps/weights.npy")).unwrap();
    assert_eq!(graph.dense(u128::MAX).unwrap(), weights);

    let (record, graph) = read_run(&crate::data("run_with_mixtures")).unwrap();
    assert_eq!((record.method.as_str(), graph.steps()), ("ordered", 120));
    assert!(matches!(graph.edges()[0].trajectory, Trajectory::Mixture(_)));
    let weights = read_truth(&crate::data("run_with_mixtures/weights.npy")).unwrap();
    // Medians of mixtures are solved for, and exponentials may differ in their last bit from those of before.
    let apart = graph.dense(u128::MAX).unwrap() - weights;
    assert!(apart.iter().all(|gap| gap.abs() < 1e-12), "{apart}");
    // And written as they are now.
    let folder = TempDir::new().unwrap();
    let again = folder.path().join("again");
    write_run(&again, &graph, &record, &WriteOptions::default()).unwrap();
    assert_eq!(read_run(&again).unwrap(), (record, graph));
}

/// A graph of so many steps with every kind of trajectory that a method gives.
fn long(steps: usize) -> DynamicGraph {
    let of = |weight: fn(f64) -> f64| {
        Trajectory::Steps((0..steps).map(|t| weight(t as f64 / steps as f64)).collect())
    };
    let bounds = Bounds::Steps { low: vec![-1.0; steps], high: vec![f64::NAN; steps] };
    let flickers = Presence::when(steps, |t| (t * 7919) % 101 > 50);
    let edges = vec![
        Edge {
            band: Some(Band { level: 0.9, bounds }),
            ..Edge::new(0, 1, 0, of(|u| (9.0 * u).cos()), steps)
        },
        Edge { presence: flickers, ..Edge::new(1, 2, 1, of(|u| (700.0 * u).sin()), steps) },
        Edge::new(2, 0, 1, of(|u| if u < 0.3 { 1.0 } else { -1.0 }), steps),
        Edge::new(1, 1, 1, Trajectory::Constant(0.5), steps),
    ];
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let basis = Basis::constant(steps).unwrap();
    DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, edges).unwrap()
}

#[test]
fn what_is_written_does_not_grow_with_the_steps() {
    let folder = TempDir::new().unwrap();
    let bytes = |steps: usize, every_step: bool| -> u64 {
        let run = folder.path().join(format!("{steps} {every_step}"));
        let graph = long(steps);
        let panel = Panel::new(Array3::zeros((1, steps, 3)), graph.names().to_vec()).unwrap();
        let record = RunRecord::of(&panel, &graph, "data.npy");
        let extra = Extra::ALL.to_vec();
        let options =
            WriteOptions { extra, every_step, dense: Dense::Never, ..WriteOptions::default() };
        write_run(&run, &graph, &record, &options).unwrap();
        let (_, again) = read_run(&run).unwrap();
        assert_eq!(again.edges().len(), 4);
        assert_eq!(format!("{again:?}") == format!("{graph:?}"), every_step);
        let sizes = fs::read_dir(&run).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
        sizes.sum()
    };
    let (short, longer) = (bytes(2000, false), bytes(20_000, false));
    assert!(2 * longer < 3 * short, "{short} and {longer} bytes");
    assert!(bytes(20_000, true) > 5 * longer);
}

#[test]
fn every_column_is_documented() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = fs::read_to_string(page).unwrap();
    for column in COLUMNS {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", column.name)));
        assert!(
            row.is_some_and(|row| row.contains(column.about)),
            "{} in docs/formats.md",
            column.name
        );
    }
}

#[test]
fn every_format_knows_marks_and_strength() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let marked = |from: usize, to: usize, mark: Mark| Edge {
        mark,
        confidence: (mark == Mark::Conflict).then_some(0.5),
        ..Edge::new(from, to, 0, Trajectory::Constant(-0.5), 2)
    };
    let edges = vec![
        marked(0, 1, Mark::Directed),
        marked(0, 2, Mark::Undirected),
        marked(1, 2, Mark::Conflict),
    ];
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let basis = Basis::constant(2).unwrap();
    let graph = DynamicGraph::new(names, TimeIndex::Steps(2), 0, basis, edges).unwrap();
    let graph = graph.with_scale(vec![1.0, 2.0, 4.0]).unwrap();
    let extra = WriteOptions { extra: Extra::ALL.to_vec(), ..WriteOptions::default() };
    write_run(&run, &graph, &record(&self::graph()), &extra).unwrap();
    assert_eq!(read_run(&run).unwrap().1, graph);
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    let expected = "source,target,lag,strongest,mean,first,last,steps,present,strength,mark,confidence\n\
        a,b,0,-0.5,-0.5,1,2,2,always,-0.25,directed,\n\
        a,c,0,-0.5,-0.5,1,2,2,always,-0.125,undirected,\n\
        b,c,0,-0.5,-0.5,1,2,2,always,-0.25,conflict,0.5\n";
    assert_eq!(read("edges.csv"), expected);
    assert!(read("graph.dot").contains("style=solid, dir=none]"));
    assert!(read("graph.dot").contains("dir=both, arrowhead=tee, arrowtail=tee]"));
    assert!(read("graph.graphml").contains(
        "<data key=\"weight\">-0.5</data><data key=\"mean\">-0.5</data>\
         <data key=\"first\">1</data><data key=\"last\">2</data><data key=\"steps\">2</data>\
         <data key=\"present\">always</data>\
         <data key=\"strength\">-0.25</data><data key=\"mark\">conflict</data>\
         <data key=\"confidence\">0.5</data><data key=\"given\">nothing</data><data key=\"max\">0.5</data></edge>"
    ));
    let (links, _) = tigramite_arrays(&graph);
    let link = |from, to| links[[from, to, 0]];
    assert_eq!([link(0, 1), link(1, 0), link(0, 2), link(2, 1)], ["-->", "<--", "o-o", "x-x"]);
}

#[test]
fn runs_of_before_are_read() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let graph = graph();
    write_run(&run, &graph, &record(&graph), &WriteOptions::default()).unwrap();
    let change = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(run.join(name)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(run.join(name), text.replacen(from, to, 1)).unwrap();
    };
    change("run.json", "\"missing\": 0", "\"missing\": 0, \"rows_used\": 4");
    change("graph.json", "\"lag\":0,", "\"lag\":0, \"undirected\":true,");
    let (same, before) = read_run(&run).unwrap();
    assert_eq!(same, record(&graph));
    let marks: Vec<Mark> = before.edges().iter().map(|edge| edge.mark).collect();
    assert_eq!(marks, [Mark::Undirected, Mark::Directed]);
}

#[test]
fn names_stay_names_in_every_format() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let graph = graph();
    let extra = WriteOptions { extra: Extra::ALL.to_vec(), ..WriteOptions::default() };
    write_run(&run, &graph, &record(&graph), &extra).unwrap();
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    assert!(
        read("graph.graphml")
            .contains("<data key=\"name\">&lt;script&gt;&amp;&lt;/script&gt;</data>")
    );
    assert!(read("graph.dot").contains("v0 [label=\"a \\\"b\\\", c\"];"));
    assert!(read("graph.dot").contains("v0 -> v1 [label=\"lag 0: -0.700\", lag=0"));
    let values = ReadOptions {
        format: Some(Format::Npz),
        array: Some("val_matrix".into()),
        ..ReadOptions::default()
    };
    let values = read_path(&run.join("tigramite.npz"), &values).unwrap().panel;
    let value = |from, to, lag| values.values()[[from, to, lag]];
    assert_eq!((value(0, 1, 0), value(1, 0, 0), value(2, 2, 1)), (-0.7, -0.7, -0.25));
}

#[test]
fn large_weights_are_left_out_and_said_so() {
    let folder = TempDir::new().unwrap();
    let names = (0..300).map(|v| v.to_string()).collect();
    let edges = vec![Edge::new(0, 1, 1, Trajectory::Constant(1.0), 400)];
    let basis = Basis::constant(400).unwrap();
    let graph = DynamicGraph::new(names, TimeIndex::Steps(400), 1, basis, edges).unwrap();
    let run = folder.path().join("run");
    let record = record(&self::graph());
    let written = write_run(&run, &graph, &record, &WriteOptions::default()).unwrap();
    assert_eq!(written.dense_left_out.unwrap(), "it would take 550 MiB, more than 16 MiB");
    assert!(!run.join("weights.npy").exists());
    let many =
        write_run(&folder.path().join("long"), &long(2001), &record, &WriteOptions::default());
    let reason = many.unwrap().dense_left_out.unwrap();
    assert_eq!(reason, "it would have 2001 steps, more than 2000");
    let never = WriteOptions { dense: Dense::Never, ..WriteOptions::default() };
    let small = self::graph();
    let written = write_run(&folder.path().join("small"), &small, &record, &never).unwrap();
    assert_eq!(written.dense_left_out.unwrap(), "it was not asked for");
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("above/run");
    let fails = |fresh: &Path| -> Result<(), Error> {
        fs::write(fresh.join("half.txt"), "half").unwrap();
        Err(Error::EmptyFile { file: "x".into() })
    };
    assert!(write_folder(&target, false, fails).is_err());
    assert_eq!(entries(folder.path()), BTreeSet::new());
    let panics = std::panic::catch_unwind(|| {
        write_folder(&target, false, |_| -> Result<(), Error> { panic!("stop") })
    });
    assert!(panics.is_err());
    assert_eq!(entries(folder.path()), BTreeSet::new());
    check_folder(&target, false).unwrap();
    assert_eq!(entries(folder.path()), BTreeSet::new());
}

#[test]
fn what_exists_is_kept_unless_forced_and_ours() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("run");
    let write = |force: bool, text: &str| {
        write_folder(&run, force, |fresh| {
            fs::write(fresh.join("a.txt"), text).unwrap();
            Ok(())
        })
    };
    let content = || fs::read_to_string(run.join("a.txt")).unwrap();
    write(false, "first").unwrap();
    let kept = write(false, "second").unwrap_err();
    assert!(kept.is_input());
    assert!(said(&kept).ends_with("or give another folder (force)"), "{kept}");
    assert_eq!(content(), "first");
    write(true, "second").unwrap();
    assert_eq!(content(), "second");
    fs::write(run.join("thesis.tex"), "years of work").unwrap();
    let refused = write(true, "third").unwrap_err().to_string();
    assert!(
        refused.contains("it holds `thesis.tex`, which was not written by dycausal"),
        "{refused}"
    );
    assert_eq!((content(), entries(folder.path()).len()), ("second".into(), 1));
    let file = run.join("a.txt");
    assert!(check_folder(&file, true).unwrap_err().to_string().contains("not replaced"));
    assert!(check_folder(Path::new("/"), true).is_err());
    assert!(check_folder(&file.join("below"), false).unwrap_err().is_input());
}

#[cfg(unix)]
#[test]
fn folders_have_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let (run, plain) = (folder.path().join("run"), folder.path().join("plain"));
    write_folder(&run, false, |_| Ok(())).unwrap();
    fs::create_dir(&plain).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&run), mode(&plain));
}

#[test]
fn many_edges_are_written_at_once() {
    let folder = TempDir::new().unwrap();
    let (d, steps) = (20, 500);
    let edge = |i: usize| {
        let weights = (0..steps).map(|t| ((i * 31 + t * 17) as f64).sin()).collect();
        Edge::new(i / d, i % d, 1, Trajectory::Steps(weights), steps)
    };
    let names = (0..d).map(|v| format!("variable {v}")).collect();
    let basis = Basis::constant(steps).unwrap();
    let graph =
        DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, (0..d * d).map(edge).collect())
            .unwrap();
    let begun = Instant::now();
    write_run(
        &folder.path().join("run"),
        &graph,
        &record(&self::graph()),
        &WriteOptions::default(),
    )
    .unwrap();
    // 200,000 rows: half a second in an unoptimised build on a loaded machine is ten times the need.
    let seconds = begun.elapsed().as_secs_f64();
    println!("200,000 edges and their weights took {seconds:.3} s");
    assert!(seconds < 5.0, "{seconds} s");
}
