//! How compile time grows: each axis at one and at ten times its base. Ten times the work may take twelve times the
//! time; the ratios are printed at the end.

use bench::clock::{compile_case, measure};
use bench::scaled::Axis;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::io::Write as _;

fn slope(c: &mut Criterion) {
    for axis in Axis::ALL {
        let mut group = c.benchmark_group(axis.name());
        group.sample_size(10);
        for factor in [1, 10] {
            let case = axis.case(factor);
            let size = BenchmarkId::from_parameter(axis.base() * factor);
            group.bench_with_input(size, &case, |b, case| b.iter(|| compile_case(case)));
        }
        group.finish();
    }
    for axis in Axis::ALL {
        let (small, large) = (measure(&axis.case(1), 9), measure(&axis.case(10), 5));
        let ratio = large.median.as_secs_f64() / small.median.as_secs_f64();
        let _ = writeln!(std::io::stdout(), "{:16} 10 times the work, {ratio:.1} times the time", axis.name());
    }
}

criterion_group!(benches, slope);
criterion_main!(benches);
