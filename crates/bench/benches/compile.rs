//! From text to PTX in this process: the inputs that speed is stated for.

use bench::clock::compile_case;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn compile(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile");
    for case in bench::standard() {
        group.throughput(Throughput::Bytes(case.text.len() as u64));
        group.bench_function(&case.name, |b| {
            b.iter_batched(|| (), |()| compile_case(&case), BatchSize::SmallInput);
        });
    }
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
