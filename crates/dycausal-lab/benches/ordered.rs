//! Seconds of the ordered engine, from panel to graph without bands: over variables, over series,
//! and over lags.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dycausal::{Discover, Ordered, Run};
use dycausal_lab::simulate::{NoiseScale, Simulation};

fn over(criterion: &mut Criterion) {
    let noise_scale = NoiseScale::Range { low: 0.5, high: 1.5 };
    let base = Simulation { noise_scale, ..Simulation::default() };
    let mut group = criterion.benchmark_group("ordered");
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(2));
    let mut bench = |name: &str, size: usize, simulation: Simulation| {
        let Ok(drawn) = simulation.draw(1000) else { return };
        let method = Ordered { bands: false, lag: simulation.lag.into(), ..Ordered::default() };
        group.bench_function(BenchmarkId::new(name, size), |bencher| {
            bencher.iter(|| method.discover(&drawn.panel, &mut Run::new(1)));
        });
    };
    for variables in [10, 20, 50, 100, 200] {
        bench("by variables", variables, Simulation { variables, ..base.clone() });
    }
    for series in [50, 200, 1000] {
        bench("by series", series, Simulation { series, ..base.clone() });
    }
    for lag in [1, 3, 5] {
        bench("by lag", lag, Simulation { lag, ..base.clone() });
    }
    group.finish();
}

criterion_group!(benches, over);
criterion_main!(benches);
