//! Experiments as a whole: every file is sound, a run resumes, and nothing depends on threads.

use dycausal::Run;
use serde_json::Map;

use super::catalogue::parse;
use super::plan::places;
use super::*;
use crate::study::{Kept, Scores, Stamp};

/// A small experiment with all that a file can say.
fn small() -> Experiment {
    let text = r#"
        name = "small"
        title = "Small"
        about = "A test."
        times = [1, 6]
        published = "table-a1 dynamic"
        only = ["ordered", "lagged-least-squares", "oracle"]
        [simulation]
        variables = 4
        series = 30
        steps = 12
        density = 1.0
        [[settings]]
        name = "a"
        published = "d=20 T=50 N=200 tau=1"
        [[settings]]
        name = "b"
        parameters = { lagged-least-squares = { ridge = 0.5 } }
        [quick]
        seeds = 2
        readings = ["weights [0.5, 1], threshold 0.3"]
    "#;
    parse("small", text).unwrap()
}

fn quick() -> Part {
    Part { quick: true, ..Part::default() }
}

#[test]
fn every_file_is_sound_in_both_forms() {
    let published = published().unwrap();
    for experiment in experiments().unwrap() {
        for quick in [true, false] {
            let part = Part { quick, ..Part::default() };
            let places = places(&experiment, &part).unwrap();
            let drawn = experiment.kind == Kind::Constraints || !places.is_empty();
            assert!(drawn, "{} has nothing to run", experiment.name);
            let named = &experiment.size(quick).settings;
            assert!(named.iter().all(|name| experiment.settings.iter().any(|s| s.name == *name)));
            let named = &experiment.size(quick).readings;
            assert!(named.iter().all(|name| experiment.readings.iter().any(|r| r.name == *name)));
        }
        for name in experiment.settings.iter().filter_map(|s| s.published.as_deref()) {
            let list = experiment.published.as_deref().unwrap();
            let known = |p: &Published| p.experiment == list && p.setting == name;
            assert!(published.iter().any(known), "{}: {name}", experiment.name);
        }
    }
}

#[test]
fn a_row_overrides_its_experiment_and_a_setting_overrides_both() {
    let text = r#"
        name = "layers"
        title = "Layers"
        about = "A test."
        parameters = { dycausal = { window = 3, spacing = 5, hidden = 7 } }
        [[settings]]
        name = "plain"
        [[settings]]
        name = "varied"
        parameters = { dycausal = { spacing = 2 } }
        [[rows]]
        name = "dycausal (own)"
        method = "dycausal"
        set = { window = 4, spacing = 9 }
        [quick]
        seeds = 1
        readings = ["weights [0.5, 1], threshold 0.3"]
    "#;
    let part = Part { methods: vec!["dycausal (own)".into()], ..quick() };
    let places = places(&parse("layers", text).unwrap(), &part).unwrap();
    let found: Vec<[u64; 3]> = places
        .iter()
        .map(|place| &place.cells.as_ref().unwrap()[0].parameters)
        .map(|all| ["window", "spacing", "hidden"].map(|name| all[name].as_u64().unwrap()))
        .collect();
    assert_eq!(found, [[4, 9, 7], [4, 2, 7]]);
}

#[test]
fn a_run_is_kept_and_does_not_depend_on_threads() {
    let experiment = small();
    let run = |folder: &std::path::Path, threads: usize| {
        let mut run = Run::new(0).with_threads(threads).unwrap();
        run_experiment(&experiment, &quick(), folder, &mut run).unwrap()
    };
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (run(one.path(), 1), run(two.path(), 2));
    let scores = |report: &Report| {
        let all = report.tallies.iter();
        all.map(|t| (t.row.clone(), t.scores.clone(), t.failures.clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores(&first), scores(&second));
    // Three rows and two seeds; setting b changes the parameters of one row only.
    let cells = || std::fs::read_dir(one.path().join("cells")).unwrap().count();
    assert_eq!(cells(), 8);
    // What is kept is taken as it is: a second run changes not even the seconds.
    let again = run(one.path(), 2);
    assert_eq!(again.tallies, first.tallies);
    assert_eq!(cells(), 8);
}

#[test]
fn an_interrupted_run_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = dycausal::Cancel::default();
    cancel.cancel();
    let mut run = Run::new(0).with_cancel(cancel);
    let error = run_experiment(&small(), &quick(), folder.path(), &mut run).unwrap_err();
    assert_eq!(error, crate::Error::Library(dycausal::Error::Cancelled));
    let mut run = Run::new(0);
    assert!(run_experiment(&small(), &quick(), folder.path(), &mut run).is_ok());
}

#[test]
fn the_table_has_our_means_and_the_published_ones_and_says_who_is_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let stamp =
        Stamp { date: "2026-11-18".into(), machine: "two cores".into(), ..Stamp::default() };
    let mut run = Run::new(0);
    let written = reproduce(&small(), &quick(), folder.path(), &stamp, &mut run).unwrap();
    for part in ["| a | ordered |", "*DyCausal, published*", "91.4 ± 5.6", "At or above", "F1 t=6"]
    {
        // The list has no sixth step: only the first is compared.
        assert!(written.table.contains(part), "`{part}` is not in {}", written.table);
    }
    let names: Vec<_> = written.files.iter().filter_map(|f| f.file_name()).collect();
    assert_eq!(names, ["small-quick.md", "scores.parquet", "small-quick.svg"]);
    let page = std::fs::read_to_string(folder.path().join("small-quick.md")).unwrap();
    assert!(page.contains("seeds 7000 to 7001, two cores, 2026-11-18"), "{page}");
    // What is kept gives the same page again.
    let kept = Scores::open(folder.path()).unwrap().of("small-quick").cloned().unwrap();
    let again = Report::kept(&small(), kept.clone(), true);
    assert_eq!(page::page(&again).unwrap().text(&kept.stamp), page);
    let svg = std::fs::read_to_string(folder.path().join("small-quick.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
}

#[test]
fn a_row_that_cannot_says_why() {
    let mut experiment = small();
    for row in &mut experiment.rows {
        if row.name == "ordered" {
            row.up_to = Some(3);
        }
    }
    experiment.readings[0].weights = Some((3.0, 9.0));
    experiment.simulation.insert("steps".into(), 60.into());
    let folder = tempfile::tempdir().unwrap();
    let part = Part { seeds: Some(1), ..quick() };
    let report = run_experiment(&experiment, &part, folder.path(), &mut Run::new(0)).unwrap();
    let text = markdown(&report).unwrap();
    assert!(text.contains("not run above 3 variables"), "{text}");
    let kept = report.to_keep(&Stamp::default());
    assert!(kept.tallies.iter().any(|t| t.remark().contains("not run above 3 variables")));
}

#[test]
fn what_was_run_in_part_adds_to_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (experiment, stamp) = (small(), Stamp::default());
    let rows = |part: Part| {
        reproduce(&experiment, &part, folder.path(), &stamp, &mut Run::new(0)).unwrap();
        let scores = Scores::open(folder.path()).unwrap();
        let run =
            scores.of("small-quick").unwrap().tallies.iter().filter(|tally| !tally.is_empty());
        run.map(|tally| format!("{} {}", tally.setting, tally.row)).collect::<Vec<_>>()
    };
    assert!(rows(Part { finished: true, ..quick() }).is_empty());
    let one = |name: &str, settings: &[&str]| Part {
        methods: vec![name.into()],
        settings: settings.iter().map(|name| (*name).to_owned()).collect(),
        ..quick()
    };
    assert_eq!(rows(one("oracle", &["a"])), ["a oracle", "b oracle"]);
    let both = rows(one("lagged-least-squares", &["b"]));
    assert_eq!(both, ["a oracle", "b lagged-least-squares", "b oracle"]);
    assert_eq!(rows(Part { finished: true, ..quick() }), both);
}

#[test]
fn large_sizes_may_have_fewer_seeds() {
    let mut experiment = small();
    let few = |above, seeds| Few { above, seeds };
    experiment.rows[0].few = vec![few(3, 1), few(4, 0)];
    let counts = |part: &Part| -> Vec<usize> {
        let places = places(&experiment, part).unwrap();
        places.iter().take(2).map(|place| place.cells.as_ref().unwrap().len()).collect()
    };
    assert_eq!(counts(&quick()), [1, 2]);
    assert_eq!(counts(&Part { seeds: Some(3), ..quick() }), [3, 3]);
}

#[test]
fn all_experiments_in_full_take_a_working_day() {
    let minutes: f64 = experiments().unwrap().iter().map(|e| e.full.minutes).sum();
    assert!(minutes <= 480.0, "{minutes} minutes");
}

#[test]
fn rows_and_settings_can_be_asked_for_in_a_list_with_commas() {
    for experiment in experiments().unwrap() {
        let rows = experiment.rows.iter().map(|row| &row.name);
        let settings = experiment.settings.iter().map(|setting| &setting.name);
        for name in rows.chain(settings) {
            assert!(!name.contains(','), "{}: {name}", experiment.name);
        }
    }
}

#[test]
fn slips_are_answered_with_what_there_is() {
    let error = experiment("dynamcs").unwrap_err().to_string();
    assert!(error.contains("did you mean `dynamics`?") && error.contains("beta"), "{error}");
    let part = Part { methods: vec!["orderd".into()], ..quick() };
    let error = places(&small(), &part).unwrap_err().to_string();
    assert!(error.contains("did you mean `ordered`?"), "{error}");
    let mut wrong = small();
    wrong.simulation = Map::from_iter([("variabels".to_owned(), 4.into())]);
    let error = places(&wrong, &quick()).unwrap_err().to_string();
    assert!(error.contains("small") && error.contains("variabels"), "{error}");
}

/// Two readings of the same data, and a row that is cut at the threshold of each.
fn two_thresholds() -> Experiment {
    let text = r#"
        name = "thresholds"
        title = "Thresholds"
        about = "A test."
        only = ["ordered"]
        [[readings]]
        name = "high"
        threshold = 0.3
        [[readings]]
        name = "low"
        threshold = 0.1
        [simulation]
        variables = 4
        series = 30
        steps = 12
        density = 1.0
        [[settings]]
        name = "a"
        [[rows]]
        name = "published"
        method = "dycausal"
        set = { encoder = "free", acyclic = "union" }
        quick = { iterations = 20 }
        prune = "threshold"
        [quick]
        seeds = 2
    "#;
    parse("thresholds", text).unwrap()
}

#[test]
fn cells_that_differ_in_their_threshold_share_a_fit() {
    let experiment = two_thresholds();
    let places = places(&experiment, &quick()).unwrap();
    let cells: Vec<&Cell> = places.iter().flat_map(|p| p.cells.as_ref().unwrap()).collect();
    let fits = fit::by_fit(&cells);
    // Two rows and two seeds, each with two thresholds.
    assert_eq!((cells.len(), fits.len()), (8, 4));
    let run = Run::new(0).with_threads(1).unwrap();
    for sharing in fits {
        let together = fit::run_together(&sharing, &run, 60.0).unwrap();
        for (cell, outcome) in sharing.iter().zip(together) {
            let alone = fit::run_together(&[cell], &run, 60.0).unwrap();
            assert!(outcome.failure.is_none() && !outcome.scores.is_empty());
            assert_eq!(alone[0].scores, outcome.scores, "{}", cell.method);
        }
    }
}

#[test]
fn what_the_table_has_is_not_run_again() {
    let (experiment, folder) = (small(), tempfile::tempdir().unwrap());
    let stamp = Stamp { date: "today".into(), version: "0".into(), machine: "one".into() };
    let again = || {
        let mut run = Run::new(0);
        reproduce(&experiment, &quick(), folder.path(), &stamp, &mut run).unwrap();
        std::fs::read(folder.path().join("scores.parquet")).unwrap()
    };
    let first = again();
    let cells = folder.path().join("cells");
    std::fs::remove_dir_all(&cells).unwrap();
    assert_eq!(again(), first);
    assert_eq!(std::fs::read_dir(&cells).unwrap().count(), 0);
    // Nor is what another experiment has, where it keeps the same scores.
    let mut scores = Scores::open(folder.path()).unwrap();
    let own = scores.of("small-quick").cloned().unwrap();
    let other = experiments().unwrap().into_iter().find(|e| e.shown() == experiment.shown());
    let name = format!("{}-quick", other.unwrap().name);
    scores.keep(Kept { tallies: Vec::new(), ..own.clone() }).unwrap();
    scores.keep(Kept { name, ..own.clone() }).unwrap();
    again();
    assert_eq!(Scores::open(folder.path()).unwrap().of("small-quick"), Some(&own));
    assert_eq!(std::fs::read_dir(&cells).unwrap().count(), 0);
}
