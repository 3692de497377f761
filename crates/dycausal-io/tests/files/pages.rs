//! Reports and pictures: what was put in can be read out again, whatever the names.

use std::fs;
use std::io::Read;

use dycausal::graph::{Band, Bounds, Presence, Trajectory};
use dycausal::{Basis, DynamicGraph, Edge, Panel, TimeIndex};
use dycausal_io::{Error, Picture, PictureKind, Report, RunRecord};
use flate2::read::{GzDecoder, ZlibDecoder};
use ndarray::Array3;
use serde_json::Value;

const STEPS: usize = 40;

fn hostile() -> Vec<String> {
    let long = "n".repeat(200);
    [
        "</script><script>alert(1)</script>",
        "\"quotes\" & 'more'",
        "🌊",
        &long,
        "مرحبا",
        "",
        "a\nb\u{7}",
    ]
    .map(String::from)
    .to_vec()
}

fn panel() -> Panel {
    let d = hostile().len();
    let noise = |k: usize| ((k * 7919 + 13) * 31 % 9973) as f64 / 9973.0 - 0.5;
    let values = Array3::from_shape_fn((2, STEPS, d), |(n, t, v)| noise(n * 10_007 + t * d + v));
    Panel::new(values, hostile()).unwrap()
}

/// A ring of edges at lag 1 that move, come and go; every second has a band.
fn graph() -> DynamicGraph {
    let d = hostile().len();
    let edge = |from: usize| {
        let weights: Vec<f64> = (0..STEPS).map(|t| (0.1 * (t + from) as f64).sin()).collect();
        let band = from.is_multiple_of(2).then(|| Band {
            level: 0.9,
            bounds: Bounds::Steps {
                low: weights.iter().map(|w| w - 0.2).collect(),
                high: weights.iter().map(|w| w + 0.2).collect(),
            },
        });
        let presence = Presence::when(STEPS, |t| t >= from);
        let trajectory = Trajectory::Steps(weights);
        Edge { band, presence, ..Edge::new(from, (from + 1) % d, 1, trajectory, STEPS) }
    };
    let (names, times) = (hostile(), TimeIndex::Steps(STEPS));
    let basis = Basis::constant(STEPS).unwrap();
    DynamicGraph::new(names, times, 1, basis, (0..d).map(edge).collect()).unwrap()
}

pub fn payload(html: &str) -> (Value, Vec<u8>) {
    let (_, rest) = html.split_once("<script id=\"data\" type=\"text/plain\">").unwrap();
    let (text, _) = rest.split_once("</script>").unwrap();
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sixes: Vec<u32> = text
        .bytes()
        .filter(|b| *b != b'=')
        .map(|b| u32::try_from(digits.iter().position(|d| *d == b).unwrap()).unwrap())
        .collect();
    let packed: Vec<u8> = sixes
        .chunks(4)
        .flat_map(|four| {
            let number = four.iter().fold(0, |n, six| n << 6 | six) << (6 * (4 - four.len()));
            number.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect();
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[4..4 + length]).unwrap(), bytes[4 + length..].to_vec())
}

#[test]
fn a_report_holds_what_it_was_given() {
    let (panel, graph) = (panel(), graph());
    let record = RunRecord::of(&panel, &graph, "</script>.csv");
    let report = Report::new(&graph, &record).with_panel(&panel).unwrap();
    let report = report.with_truth(&graph).unwrap().with_note("a note");
    let html = report.html().unwrap();
    assert_eq!(html, report.html().unwrap(), "the same input gives the same bytes");
    assert!(!html.contains("DYCAUSAL-REPORT-DATA") && !html.contains("alert(1)"));
    let (text, bytes) = payload(&html);
    let names: Vec<String> = serde_json::from_value(text["names"].clone()).unwrap();
    assert_eq!(names, hostile());
    assert_eq!(text["edges"].as_array().unwrap().len(), names.len());
    assert_eq!(text["frames"].as_array().unwrap().len(), STEPS);
    assert_eq!(text["run"]["source"], "</script>.csv");
    assert_eq!(text["notes"][0], "a note");
    assert_eq!(text["checks"]["variables"].as_array().unwrap().len(), names.len());
    let bands = names.len().div_ceil(2);
    let curves = 2 * STEPS * (2 * names.len() + 2 * bands);
    assert_eq!(bytes.len(), curves + 6 * names.len() * STEPS);
    let first = &text["edges"][1];
    let weight = |k: usize| first["weight"][k].as_f64().unwrap();
    // The sine of 0.1 (t + 1) at the steps from 1 to 39 has its least value at the last.
    assert_eq!(weight(0), 4.0f64.sin(), "{first}");
    assert!((weight(1) - 1.0).abs() < 0.001, "{first}");
    assert_eq!(first["changes"][0], serde_json::json!([1, "appears"]));
}

#[test]
fn data_and_truth_of_something_else_are_refused() {
    let (panel, graph) = (panel(), graph());
    let record = RunRecord::of(&panel, &graph, "data.csv");
    let fewer = panel.select(&[0, 1]).unwrap();
    let refused = Report::new(&graph, &record).with_panel(&fewer).unwrap_err();
    assert!(matches!(refused, Error::OtherShape { .. }) && refused.is_input(), "{refused}");
    let other = Panel::unnamed(panel.values().to_owned()).unwrap();
    let text = Report::new(&graph, &record).with_panel(&other).unwrap_err().to_string();
    assert!(text.contains("`x1`"), "{text}");
}

#[test]
fn networks_have_no_linear_residuals() {
    let (panel, graph) = (panel(), graph());
    let mut record = RunRecord::of(&panel, &graph, "data.csv");
    record.parameters.insert("model".into(), "mlp".into());
    let html = Report::new(&graph, &record).with_panel(&panel).unwrap().html().unwrap();
    let (text, _) = payload(&html);
    assert!(text["checks"].is_null() && text["notes"][0].as_str().unwrap().contains("mlp"));
}

#[test]
fn large_graphs_are_thinned_and_say_so() {
    let (d, steps) = (60, 3000);
    let edge = |k: usize| {
        let noise = |t: usize| ((k * 104_729 + t) * 7919 % 9973) as f64 / 9973.0;
        let weights = (0..steps).map(|t| (k + 1) as f64 + noise(t)).collect();
        Edge::new(k / d, k % d, 1, Trajectory::Steps(weights), steps)
    };
    let names = (0..d).map(|v| format!("v{v}")).collect();
    let edges = (0..d * d).map(edge).collect();
    let basis = Basis::constant(steps).unwrap();
    let graph = DynamicGraph::new(names, TimeIndex::Steps(steps), 1, basis, edges).unwrap();
    let panel = Panel::new(Array3::zeros((1, steps, d)), graph.names().to_vec()).unwrap();
    let record = RunRecord::of(&panel, &graph, "data.csv");
    let html = Report::new(&graph, &record).html().unwrap();
    assert!(html.len() <= 1_000_000, "{} bytes", html.len());
    let (text, _) = payload(&html);
    let frames = text["frames"].as_array().unwrap();
    assert!(frames.len() < steps && frames[frames.len() - 1] == steps - 1);
    let kept = text["edges"].as_array().unwrap();
    assert_eq!(kept.len() as u64 + text["edges_left_out"].as_u64().unwrap(), 3600);
    // The weakest are those of the first cause.
    assert!(kept.iter().all(|edge| edge["from"].as_u64() > Some(0)));
}

#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (panel, graph) = (panel(), graph());
    let record = RunRecord::of(&panel, &graph, "data.csv");
    let report = Report::new(&graph, &record);
    let path = folder.path().join("report.html");
    fs::write(&path, "old").unwrap();
    report.write(&path).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("<!doctype html>"));
    let error = report.write(&folder.path().join("nowhere/report.html")).unwrap_err();
    assert!(error.is_input(), "{error}");
    assert!(report.write(folder.path()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn pictures_hold_names_as_text() {
    let graph = graph();
    for kind in PictureKind::ALL {
        let svg = Picture::new(&graph, kind).with_truth(&graph).unwrap().svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("<script") && !svg.contains('\u{7}'), "{kind:?}");
        assert!(svg.contains("&lt;/script") && svg.contains("(no name)"), "{kind:?}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }
}

#[test]
fn png_files_have_the_pixels_they_promise() {
    let graph = graph();
    for kind in PictureKind::ALL {
        let png = Picture::new(&graph, kind).with_steps(vec![0, 99]).png().unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let (width, height, length) = (number(16), number(20), number(33));
        let mut rows = Vec::new();
        ZlibDecoder::new(&png[41..41 + length]).read_to_end(&mut rows).unwrap();
        assert_eq!(rows.len(), height * (3 * width + 1));
        assert!(rows.iter().filter(|byte| **byte != 0).count() > 2000, "something is drawn");
    }
}

#[test]
fn pictures_of_nothing_and_of_one_step_can_be_drawn() {
    for steps in [1, 2] {
        let basis = Basis::constant(steps).unwrap();
        let names = vec!["alone".to_owned()];
        let graph = DynamicGraph::new(names, TimeIndex::Steps(steps), 0, basis, vec![]).unwrap();
        for kind in PictureKind::ALL {
            assert!(Picture::new(&graph, kind).svg().contains("<path"));
            assert!(Picture::new(&graph, kind).png().is_ok());
        }
    }
    assert!("pie".parse::<PictureKind>().is_err());
    let basis = Basis::constant(2).unwrap();
    let graph = DynamicGraph::new(vec!["a".into()], TimeIndex::Steps(2), 0, basis, vec![]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let picture = Picture::new(&graph, PictureKind::Graph);
    assert!(picture.write(&folder.path().join("a.jpg")).unwrap_err().to_string().contains("svg"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
