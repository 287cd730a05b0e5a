//! Loops that try divisors: one work-item after another where lanes would wait for each other, in vectors elsewhere.

mod support;

use support::{Launch, compile, options};
use unspool::Dialect;

/// Work-items that share a vector, and why not more, of a kernel in OpenCL C.
fn lanes(text: &str) -> (u32, Option<String>) {
    let (mut module, mut session) = compile(Dialect::OPENCL, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let o = options(&Launch::line(2, 64));
    let o = simd::Options { vectorise: true, ..o };
    let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
    (host.lanes, host.reason)
}

/// On AVX-512 primes up to 200,000 took twice as long in vectors.
#[test]
fn lanes_waited_for_the_one_that_tries_longest() {
    for search in [
        "for (int d = 2; d * d <= n; d++) if (n % d == 0) { found = 0; break; }",
        "uint d = 2; while ((uint)n % d != 0) d++; found = d;",
        "for (int d = 3; d * d <= n && found; d += 2) found = n % d != 0;",
    ] {
        let text = format!(
            "kernel void k(global int *out) {{ int n = get_global_id(0) + 2, found = 1; {search} out[n - 2] = found; }}"
        );
        let (lanes, reason) = lanes(&text);
        assert_eq!(lanes, 1, "{search}");
        assert!(reason.expect("there is one").contains("try divisors"), "{search}");
    }
}

#[test]
fn divisions_that_keep_all_lanes_busy_are_in_vectors() {
    for body in [
        // All divisors are counted.
        "for (int d = 2; d < 100; d++) found += n % d == 0;",
        // Euclid.
        "int a = n, b = m; while (b) { int t = a % b; a = b; b = t; } found = a;",
        // The exit is something else.
        "for (int d = 2; d * d <= n; d++) found += n % d == 0;",
    ] {
        let text = format!(
            "kernel void k(global int *out, int m) {{ int n = get_global_id(0) + 2, found = 1; {body} out[n - 2] = found; }}"
        );
        assert!(lanes(&text).0 > 1, "{body}");
    }
}
