use dycausal::{Discover, Panel, Run};
use ndarray::Array3;
use serde_json::Value;

use super::*;
use crate::golden::{LAG, gap, gapped, noise, numbers, set, whole};

/// `scripts/golden_baselines.py granger` made the values.
#[test]
fn statistics_are_those_of_statsmodels() {
    let golden: Vec<Value> = serde_json::from_str(include_str!("../golden/granger.json")).unwrap();
    for entry in golden {
        let panel = gapped(set(&entry));
        for (name, statistic) in [("wald", Statistic::Wald), ("robust", Statistic::Robust)] {
            let method = Granger { lag: LAG, statistic, ..Granger::default() };
            let found = method.fit(&panel).unwrap();
            let known = numbers(&entry[name]);
            for (ours, theirs) in found.statistic.iter().zip(&known) {
                let off = (ours - theirs).abs() / (1.0 + theirs.abs());
                assert!(off < 1e-8, "{} {name}: {ours} {theirs}", entry["set"]);
            }
            let off = gap(&found.weights, &numbers(&entry["weights"]));
            assert!(off < 1e-10, "{} weights {off:e}", entry["set"]);
            let p = found.statistic.mapv(|w| p_value(w, LAG, found.freedom));
            let off = gap(&p, &numbers(&entry[format!("{name}_p").as_str()]));
            assert!(off < 1e-8, "{} {name} p {off:e}", entry["set"]);
        }
        let ridge = System::of(&panel, LAG).unwrap();
        let off = gap(&ridge.weights(&ridge.inverse(0.1).unwrap()), &numbers(&entry["ridge"]));
        assert!(off < 1e-10, "{} ridge {off:e}", entry["set"]);
        let method = Granger { lag: LAG, ..Granger::default() };
        let lasso = method.lasso(&ridge, panel.variables(), &Run::new(0)).unwrap();
        let off = gap(&lasso, &numbers(&entry["lasso"]));
        assert!(off < 1e-8, "{} lasso {off:e}", entry["set"]);
    }
}

#[test]
fn a_cause_is_listed_and_statistics_have_no_units() {
    let method = Granger { lag: LAG, ..Granger::default() };
    let mut values = whole(2);
    values.slice_mut(ndarray::s![.., .., 1]).mapv_inplace(|x| 1000.0 * x);
    let one = method.fit(&Panel::unnamed(whole(2)).unwrap()).unwrap();
    let other = method.fit(&Panel::unnamed(values).unwrap()).unwrap();
    for (a, b) in one.statistic.iter().zip(&other.statistic) {
        assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()), "{a} {b}");
    }
    let graph = method.discover(&Panel::unnamed(whole(2)).unwrap(), &mut Run::new(0)).unwrap();
    // Every variable has a memory of 0.3, of which effects within the step may take some.
    let remembering = (0..graph.variables()).filter(|v| graph.edge(1, *v, *v).is_some());
    assert!(remembering.count() >= 4);
}

#[test]
fn few_rows_need_a_penalty() {
    let values = Array3::from_shape_fn((1, 12, 6), |(_, t, v)| noise(6 * t + v));
    let panel = Panel::unnamed(values).unwrap();
    let with = |coefficients| Granger { lag: 2, coefficients, ..Granger::default() };
    let told = with(Coefficients::Ols).discover(&panel, &mut Run::new(0)).unwrap_err();
    assert!(told.to_string().contains("ridge"), "{told}");
    let mut run = Run::new(0);
    let graph = with(Coefficients::Ridge).discover(&panel, &mut run).unwrap();
    assert_eq!(graph.edges().len(), 2 * 36);
    assert!(run.warnings().iter().any(|warning| warning.contains("too few rows")));
}
