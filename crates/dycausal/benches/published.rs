//! Milliseconds per step of the published method: over variables, and over series.
//!
//! Only the optimisation is timed, per step of Adam; moments are taken once before.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dycausal::dycausal::{Acyclic, Encoder};
use dycausal::{DyCausal, Panel, Run};
use ndarray::Array3;
use rand::RngExt;

fn panel(series: usize, variables: usize) -> Option<Panel> {
    let mut random = Run::new(1).random("values");
    let values =
        Array3::from_shape_simple_fn((series, 50, variables), || random.random_range(-1.0..1.0));
    Panel::unnamed(values).ok()
}

/// Seconds of the optimisation alone, for so many steps.
fn optimise(panel: &Panel, encoder: Encoder, steps: u64) -> Duration {
    let method = DyCausal {
        encoder,
        acyclic: Acyclic::Union,
        stages: 1,
        iterations: usize::try_from(steps).unwrap_or(usize::MAX),
        threshold: 1e9,
        ..DyCausal::default()
    };
    let Ok(mut run) = Run::new(0).with_threads(1) else { return Duration::ZERO };
    let _ = black_box(method.fit(panel, &mut run));
    let stages = run.finish();
    let seconds = stages.iter().filter(|t| t.stage == "optimise").map(|t| t.seconds).sum();
    Duration::from_secs_f64(seconds)
}

fn over(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("published step");
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(2));
    for variables in [10, 20, 50, 100, 200, 300] {
        let Some(panel) = panel(50, variables) else { continue };
        group.bench_function(BenchmarkId::new("free, by variables", variables), |bencher| {
            bencher.iter_custom(|steps| optimise(&panel, Encoder::Free, steps));
        });
    }
    for series in [50, 200, 1000] {
        let Some(panel) = panel(series, 20) else { continue };
        for (name, encoder) in [("free", Encoder::Free), ("convolution", Encoder::Convolution)] {
            let id = BenchmarkId::new(format!("{name}, by series"), series);
            group.bench_function(id, |bencher| {
                bencher.iter_custom(|steps| optimise(&panel, encoder, steps));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, over);
criterion_main!(benches);
