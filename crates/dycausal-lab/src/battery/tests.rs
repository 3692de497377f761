//! What every battery has to be.

use std::collections::HashSet;

use dycausal::{Cancel, Error as LibraryError, Run};
use serde_json::Map;

use super::*;
use crate::study::{Scores, Stamp};

fn request(conditions: &[&str]) -> Request {
    let conditions = conditions.iter().map(ToString::to_string).collect();
    Request { seeds: Some(2), first_seed: Some(3), conditions, ..Request::default() }
}

#[test]
fn every_condition_has_a_name_of_its_own_and_draws_the_size_it_says() {
    for battery in batteries() {
        let mut names = HashSet::new();
        for condition in battery.conditions() {
            let name = &condition.name;
            assert!(!name.contains(','), "{name}: commas part names on the command line");
            assert!(names.insert(name.clone()), "{} has two of {name}", battery.name);
            let sample = condition.sample(5).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(sample.panel.values().dim(), condition.size.shape(), "{name}");
            let whole = battery.name != "missing" || name.ends_with("complete");
            assert_eq!(sample.panel.missing() == 0, whole, "{name}");
            assert_eq!(sample.truth.variables(), condition.size.variables, "{name}");
            let largest = sample.panel.values().iter().fold(0.0f64, |a, x| a.max(x.abs()));
            assert!(largest < 1e4, "{name} reaches {largest}");
        }
    }
}

#[test]
fn a_seed_gives_the_same_bits_and_conditions_share_no_noise() {
    let conditions = battery("nulls").unwrap().conditions();
    let draw = |at: usize, seed| conditions[at].sample(seed).unwrap().panel.into_values();
    assert_eq!(draw(0, 1), draw(0, 1));
    assert_ne!(draw(0, 1), draw(0, 2));
    let find = |name: &str| conditions.iter().position(|c| c.name == name).unwrap();
    assert_ne!(draw(find("weekday with dates"), 1), draw(find("weekday without dates"), 1));
}

#[test]
fn the_large_graph_has_as_many_edges_as_it_says() {
    let conditions = battery("power").unwrap().conditions();
    let large = conditions.iter().find(|c| c.name == "597 edges").unwrap();
    assert_eq!(large.sample(1).unwrap().truth.edges().len(), 597);
}

#[test]
fn figures_do_not_depend_on_threads_and_each_has_a_column() {
    for (name, condition) in [
        ("nulls", "AR(.7)"),
        ("power", "5 edges T=100"),
        ("coverage", "subjects with levels"),
        ("directions", "Laplace T=300"),
        ("motion", "pulse N=20 T=50"),
        ("missing", "bands static N=20 10 % missing"),
    ] {
        let battery = battery(name).unwrap();
        let on = |threads| {
            let mut run = Run::new(0).with_threads(threads).unwrap();
            run_battery(battery, &request(&[condition]), &mut run).unwrap()
        };
        let (one, two) = (on(1), on(2));
        let figures = |found: &Findings| -> Vec<_> {
            found.rows.iter().map(|row| row.tally.scores.clone()).collect()
        };
        assert_eq!(figures(&one), figures(&two), "{name}");
        let row = &one.rows[0];
        assert!(row.tally.remark().is_empty(), "{name}: {}", row.tally.remark());
        for (_, entry) in &row.tally.scores {
            let figure = &entry.metric;
            assert!(battery.figures.iter().any(|known| known.name == figure), "{name}: {figure}");
        }
    }
}

#[test]
fn a_probe_is_drawn_and_its_lag_depends_on_the_seed() {
    let battery = battery("motion").unwrap();
    let asked = request(&["flip N=1 T=500", "flip N=20 T=50"]);
    let findings = run_battery(battery, &asked, &mut Run::new(0)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let written = write_battery(&findings, folder.path(), &Stamp::default()).unwrap();
    assert_eq!(written.files.len(), 3);
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(
        read("motion.md").contains("`motion.svg`, drawn beside this page by the command above")
    );
    let picture = read("motion.svg");
    assert!(picture.contains("flip N=1 T=500") && !picture.contains("N=20"), "{picture}");
    let probe = |seed| battery.conditions()[0].sample(seed).unwrap().probe;
    assert_eq!([3, 4].map(|seed| probe(seed).map(|probe| probe.lag)), [Some(0), Some(1)]);
}

#[test]
fn what_the_engine_does_not_take_is_a_row_that_says_so() {
    let mut asked = request(&["5 edges T=100"]);
    asked.methods = vec!["lagged-least-squares".into()];
    let findings = run_battery(battery("power").unwrap(), &asked, &mut Run::new(0)).unwrap();
    let [plain, auto] = &findings.rows[..] else { panic!("{} rows", findings.rows.len()) };
    assert_eq!(plain.tally.seconds.len(), 2);
    assert!(auto.tally.barred.as_ref().is_some_and(|why| why.contains("not available")));
    assert!(markdown(&findings).contains("| not available |"));
    let folder = tempfile::tempdir().unwrap();
    write_battery(&findings, folder.path(), &Stamp::default()).unwrap();
    let kept = Scores::open(folder.path()).unwrap().of("power").cloned().unwrap();
    assert_eq!(kept.tallies[0].seconds.len(), 2);
    assert!(kept.tallies[1].remark().contains("not available"));
}

#[test]
fn what_is_asked_for_wrongly_is_refused() {
    let refused = |request: &Request| {
        let error = run_battery(battery("nulls").unwrap(), request, &mut Run::new(0)).err();
        error.map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(&request(&["idd"])).contains("did you mean `iid`?"));
    let set = Map::from_iter([("lga".to_owned(), 1.into())]);
    assert!(refused(&Request { set, ..request(&["iid"]) }).contains("lga"));
    let methods = vec!["orderd".into()];
    assert!(refused(&Request { methods, ..request(&["iid"]) }).contains("ordered"));
    assert!(battery("null").is_err());
}

#[test]
fn a_battery_can_be_cancelled() {
    let cancel = Cancel::default();
    cancel.cancel();
    let mut run = Run::new(0).with_cancel(cancel);
    let found = run_battery(battery("nulls").unwrap(), &request(&["iid"]), &mut run);
    assert_eq!(found.err(), Some(LibraryError::Cancelled.into()));
}
