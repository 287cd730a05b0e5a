//! The control flow of an iteration level by level (`crates/simd/src/widen/region.rs`): who meets where, what loops hand on when lanes
//! leave them at different times, and which private memory is whose.

mod support;

use support::{A, Launch, cl, f32s, i32s, int, zeros};

/// Work-items of a launch, and of one whose last vectors are not full.
const N: usize = 96;

fn both(text: &str, args: &[A]) {
    cl(text, &Launch::line(3, 32), args);
    cl(text, &Launch::line(2, 45), args);
}

/// What follows two loops that lanes leave through one another's exits is done once for each of them.
#[test]
fn lanes_that_leave_two_loops_at_once_meet_behind_both() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), v = in[i] & 31, seen = 0, a = 0, b = 0;
        for (a = 0; a < n; ++a) {
            for (b = 0; b < n; ++b) {
                seen += a ^ b;
                if (a * n + b == v) goto found;
                if (b > (v & 7)) break;
            }
            out[i] += 1;
        }
        a = -1;
    found:
        out[i + 96] = seen * 8 + a;
        out[i + 192] += b;
    }";
    for n in [0, 1, 3, 6] {
        both(text, &[zeros(3 * N * 4), i32s(N), int(n)]);
    }
}

/// A value of the innermost loop is used behind two loops, of one behind the outer one only: each is kept as it was when its
/// lane left.
#[test]
fn values_leave_as_many_loops_as_they_are_used_behind() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), v = in[i] & 15;
        uint inner = 1, outer = 2;
        for (int a = 0; a <= (v & 3); ++a) {
            outer = a * 5 + inner;
            int c = 0;
            do {
                inner = inner * 3 + c + in[(i + c) % 90];
                c += 1;
            } while (c < v && (inner & 7) != 3);
            out[i] = (int)((uint)out[i] + (inner ^ c));
        }
        out[i + 96] = inner;
        if (v & 1) out[i + 192] = outer - inner;
    }";
    both(text, &[zeros(3 * N * 4), i32s(N), int(5)]);
}

/// Blocks below one that some lanes leave the kernel from are not reached by all, those behind a branch whose arms meet are.
#[test]
fn who_returns_in_an_arm_is_not_waited_for() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), v = in[i], r = 1;
        if (v & 1) {
            r = v * 3;
            if (v & 2) { out[i] = r; return; }
            r += 4;
        } else if (v & 4) {
            r -= v;
        }
        out[i + 96] = r;
        for (int j = 0; j < (v & 7); ++j) {
            if (in[(i * 5 + j) % 90] % 7 == 0) { out[i + 192] = j; return; }
            if (in[(i * 3 + j) % 90] & 1) continue;
            out[i] += j + r;
        }
        out[i + 192] = -r;
    }";
    both(text, &[zeros(3 * N * 4), i32s(N), int(0)]);
}

/// The header of a loop is a node of its own level and of the one around it, and has another place where lanes meet in each.
#[test]
fn headers_are_nodes_of_two_levels() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), v = in[i] & 63, w = 0;
        while (v > 0) {
            while (v & 1) {
                v >>= 1;
                while ((v & 3) == 2) { v -= 1; w += 7; if (w > n) break; }
                if (w > 2 * n) goto out_of_all;
                w += 3;
            }
            v -= 2;
            w ^= v;
        }
        w += 1000;
    out_of_all:
        out[i] = w;
        out[i + 96] = v;
    }";
    for n in [0, 5, 20, 1000] {
        both(text, &[zeros(2 * N * 4), i32s(N), int(n)]);
    }
}

/// Addresses of private arrays that do not change are computed before the loop over work-items: each lane means its own copy.
#[test]
fn addresses_of_private_arrays_from_outside_are_each_lanes_own() {
    let text = "kernel void k(global float *out, global const float *x, int n) {
        int i = get_global_id(0);
        float a[6], b[6];
        for (int j = 0; j < 6; ++j) { a[j] = x[(i + j) % 90]; b[j] = x[(i * 3 + j) % 90]; }
        float *q = a + (n & 1);
        for (int j = 0; j < n && j < 5; ++j) q[j] += b[(5 - j) * (n & 1)] * 2;
        float s = 0;
        for (int j = 0; j < 6; ++j) s += a[j] * (j + 1) - b[j];
        out[i] = s;
        out[i + 96] = q[i % 5];
    }";
    for n in [0, 1, 4, 5] {
        both(text, &[zeros(2 * N * 4), f32s(N), int(n)]);
    }
}

/// What the last work-item's iteration leaves is not what a lane that was off computed.
#[test]
fn what_is_the_same_for_all_is_kept_behind_loops_that_some_leave_early() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), v = in[i], same = n, own = v;
        for (int j = 0; j < n; ++j) {
            same = same * 3 + j;
            own ^= same;
            if ((own & 15) == 3) break;
            for (int m = 0; m < (n & 3); ++m) { same += m; own += same & v; }
        }
        out[i] = same;
        out[i + 96] = own;
    }";
    for n in [0, 1, 7, 10] {
        both(text, &[zeros(2 * N * 4), i32s(N), int(n)]);
    }
}

/// Levels are found by their own blocks and a search for where lanes meet ends at the block asked about: with all of a kernel's
/// blocks walked for each of its loops, compile time grew with the square of their number.
#[test]
fn hundreds_of_loops_behind_each_other() {
    let loops: String = (0..300)
        .map(|j| format!("while (v > {j} + (i & 3)) {{ v -= in[{}] & 31; if (v == {j}) break; w += v; }}\n", j % 90))
        .collect();
    let text = format!(
        "kernel void k(global int *out, global const int *in, int n) {{
            int i = get_global_id(0), v = 20 + (in[i] & 255), w = 0;
            {loops}
            out[i] = w;
            out[i + 96] = v;
        }}"
    );
    // Each round takes at least one away.
    let ones = A::Buf((0..N).flat_map(|n| (1 + n as i32 * 7 % 29).to_le_bytes()).collect());
    cl(&text, &Launch::line(1, 45), &[zeros(2 * N * 4), ones, int(0)]);
}
