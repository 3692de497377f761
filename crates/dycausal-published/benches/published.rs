//! Milliseconds per step of the published method: over variables, and over series.
//!
//! Only the optimisation is timed, on one thread, per step of Adam: moments are taken before.
//! `bench/plot_cost.py` makes a table and a picture of what `cargo bench` measured.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dycausal::{Panel, Run};
use dycausal_published::DyCausal;
use dycausal_published::parameters::{Acyclic, Encoder};
use ndarray::Array3;
use rand::RngExt;

fn panel(series: usize, variables: usize) -> Option<Panel> {
    let mut random = Run::new(1).random("values");
    let values =
        Array3::from_shape_simple_fn((series, 50, variables), || random.random_range(-1.0..1.0));
    Panel::unnamed(values).ok()
}

/// Seconds of the optimisation alone, for so many steps.
///
/// Never only a few: the first step is slower, its memory being new, and would count as many.
fn optimise(panel: &Panel, encoder: Encoder, steps: u64) -> Duration {
    let taken = steps.max(4000 / panel.variables() as u64);
    let method = DyCausal {
        encoder,
        acyclic: Acyclic::Union,
        stages: 1,
        iterations: usize::try_from(taken).unwrap_or(usize::MAX),
        threshold: 1e9,
        ..DyCausal::default()
    };
    let Ok(mut run) = Run::new(0).with_threads(1) else { return Duration::ZERO };
    let _ = black_box(method.fit(panel, &mut run));
    let stages = run.finish();
    let seconds: f64 = stages.iter().filter(|t| t.stage == "optimise").map(|t| t.seconds).sum();
    Duration::from_secs_f64(seconds * steps as f64 / taken as f64)
}

fn over(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("published step");
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(2));
    let mut bench = |name: &str, size: usize, panel: &Panel, encoder: Encoder| {
        group.bench_function(BenchmarkId::new(name, size), |bencher| {
            bencher.iter_custom(|steps| optimise(panel, encoder, steps));
        });
    };
    for variables in [10, 20, 50, 100, 200, 300] {
        let Some(panel) = panel(50, variables) else { continue };
        bench("free, by variables", variables, &panel, Encoder::Free);
        bench("convolution, by variables", variables, &panel, Encoder::Convolution);
    }
    for series in [50, 200, 1000] {
        let Some(panel) = panel(series, 20) else { continue };
        bench("free, by series", series, &panel, Encoder::Free);
        bench("convolution, by series", series, &panel, Encoder::Convolution);
    }
    group.finish();
}

criterion_group!(benches, over);
criterion_main!(benches);
