//! Widened work-group functions compute what kernels do, bit for bit, for vectors of every width and sizes that are no
//! multiple of them.

mod support;

use support::{A, Launch, check, check_widened, check_widened_at, cl, f32s, f64s, float, i32s, int, options, zeros};
use unspool::Dialect;

#[test]
fn saxpy_loads_rows() {
    let text = "kernel void k(global float *y, global const float *x, float a, int n) {
        int i = get_global_id(0);
        if (i >= n) return;
        y[i] = a * x[i] + y[i];
    }";
    let w = cl(text, &Launch::line(3, 32), &[f32s(96), f32s(96), float(1.5), int(77)]);
    assert_eq!((w.figures.contiguous, w.figures.gathers), (3, 0), "{w:?}");
    cl(text, &Launch::line(3, 37), &[f32s(111), f32s(111), float(1.5), int(107)]);
}

/// A group that goes through memory vector by vector had masks around each access, though only the last vector is not full:
/// 13 instead of 5 milliseconds for a copy, and masked stores take long.
#[test]
fn bounds_in_loops_mask_only_the_last_vectors() {
    let text = "kernel void k(global float *y, global const float *x, int n) {
        int g = get_group_id(0), l = get_local_id(0);
        float s = 0;
        for (int at = g * 40; at < n; at += 32) {
            int left = n - at;
            if (l < left) { y[at + l] = x[at + l] * 2; s += x[at + l]; }
        }
        y[get_global_id(0) + 200] = s;
    }";
    let w = cl(text, &Launch::line(3, 32), &[zeros(296 * 4), f32s(200), int(157)]);
    // Two vectors of 16: three accesses of full vectors, three of the last ones, and the sum.
    assert_eq!((w.figures.contiguous, w.figures.gathers), (14, 0), "{w:?}");
    cl(text, &ragged(), &[zeros(335 * 4), f32s(200), int(157)]);
    cl(text, &Launch::line(1, 7), &[zeros(207 * 4), f32s(200), int(5)]);
}

fn bytes(n: usize) -> A {
    A::Buf((0..n).map(|i| (i * 53 % 251) as u8).collect())
}

/// Two and a bit groups, ragged for every width.
fn ragged() -> Launch {
    Launch::line(3, 45)
}

const N: usize = 135;

#[test]
fn both_sides_of_a_divergent_branch() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), v = in[i], r = 5;
        if (v & 1) { r = v * 3; out[i + 135] = v; } else if (v & 2) { r = in[(i * 7) % 135] - v; } else { r -= 1; }
        out[i] = r;
    }";
    cl(text, &ragged(), &[zeros(N * 8), i32s(N)]);
}

#[test]
fn divergent_loop_with_break_and_continue() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), n = in[i] & 31, sum = 0, last = -1;
        for (int k = 0; k < n; k++) {
            if ((in[(i + k) % 135] & 7) == 3) continue;
            sum += in[(i + k) % 135];
            if ((sum & 63) == 17) break;
            last = k;
        }
        out[i] = sum * 100 + last;
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N)]);
}

#[test]
fn nested_divergent_loops_with_values_that_leave_both() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), n = in[i] & 7, m = (in[i] >> 3) & 7, acc = 0, a, b;
        for (a = 0; a < n; a++) {
            for (b = 0; b < m; b++) {
                acc += in[(i + a * 5 + b) % 135] & 15;
                if (acc > 60) goto out;
                if ((acc & 3) == 3) break;
            }
            acc ^= b;
        }
        a += 1000;
    out:
        out[i] = acc + a * 100 + b * 10000;
    }";
    let text = text.replace("a, b;", "a = 0, b = 0;");
    let w = check_widened(Dialect::OPENCL, &text, &ragged(), &[zeros(N * 4), i32s(N)]);
    assert!(w.lanes > 1, "{w:?}");
}

#[test]
fn uniform_loop_in_a_divergent_branch_and_the_reverse() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), acc = 0;
        if (in[i] & 1) {
            for (int k = 0; k < n; k++) acc += in[k] * k;
        }
        for (int k = 0; k < n; k++) {
            if (in[i] > in[k]) acc -= k;
            if (k == 5 && n > 100) break;
        }
        out[i] = acc;
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(13)]);
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(0)]);
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(120)]);
}

#[test]
fn uniform_loop_left_in_the_middle() {
    let text = "kernel void k(global int *out, global const int *in, int n, int stop) {
        int i = get_global_id(0), acc = 0, k = 0;
        while (k < n) {
            acc += in[(i + k) % 135];
            if (k == stop) { acc = -acc; break; }
            acc ^= k;
            if (in[k] == 77) { acc += 5; break; }
            k++;
        }
        out[i] = acc + k;
    }";
    for stop in [0, 3, 50] {
        cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(9), int(stop)]);
    }
}

#[test]
fn divergent_switch() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), v = in[i], r = 0;
        switch (v & 7) {
            case 0: r = 1;
            case 1: r += 10; break;
            case 2: out[i + 135] = v; break;
            case 3: case 4: r = v / (1 + (v & 3)); break;
            case 6: return;
            default: r = -v;
        }
        out[i] = r + 3;
    }";
    cl(text, &ragged(), &[zeros(N * 8), i32s(N)]);
}

/// Cases with gaps and negative numbers, in a loop that they leave, behind a mask; a default that does something.
#[test]
fn divergent_switch_of_numbers_with_gaps_in_a_loop() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), r = 0;
        if (in[i] & 2) return;
        for (int j = 0; j < 9; j++) {
            int v = (in[(i + j) % 135] & 15) - 5;
            switch (v) {
                case -5: case -4: r += 3; break;
                case -1: r ^= in[(i * 3 + j) % 135]; break;
                case 0: r = r * 5 + 1; continue;
                case 1: if (r & 1) r += 7; else r -= j; break;
                case 6: out[i + 135] = j; goto done;
                case 9: r += 1000;
                default: r += v;
            }
            r++;
        }
        done: out[i] = r;
    }";
    cl(text, &ragged(), &[zeros(N * 8), i32s(N)]);
}

/// Numbers so close that a word of bits says which are cases, in three widths, with values outside of each word.
#[test]
fn divergent_switches_of_numbers_close_to_each_other() {
    let cases = |step: i64, first: i64| -> String {
        (0..14).map(|n| format!("case {}: r = v * {} + 1; break;", first + n * step, n + 2)).collect()
    };
    for (ty, step, first) in [("int", 3, -20), ("long", 4, -30), ("uint", 2, 5), ("short", 3, -6), ("uchar", 2, 1)] {
        let text = format!(
            "kernel void k(global long *out, global const int *in) {{
                int i = get_global_id(0);
                {ty} v = ({ty})((in[i] & 63) - 32);
                if (in[i] & 64) v = ({ty})in[i];
                long r = 7;
                switch (v) {{ {} default: r = v - 5; out[i + 135] = 3; }}
                out[i] = r;
            }}",
            cases(step, first)
        );
        cl(&text, &ragged(), &[zeros(N * 16), i32s(N)]);
    }
}

#[test]
fn uniform_switch() {
    let text = "kernel void k(global int *out, global const int *in, int mode) {
        int i = get_global_id(0), v = in[i], r = 0;
        switch (mode) {
            case 0: r = 1;
            case 1: r += 10; break;
            case 2: if (v & 1) return; r = 4; break;
            default: r = -v;
        }
        out[i] = r + 3;
    }";
    for mode in 0..4 {
        cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(mode)]);
    }
}

#[test]
fn lanes_that_are_off_touch_no_memory() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0);
        int left = i > 0 ? in[i - 1] : -1;
        int right = i < n - 1 ? in[i + 1] : -2;
        int far = (in[i] & 4) && i * 2 < n ? in[i * 2] : 7;
        if (i < n) out[i] = left + right + far;
        if (i < n / 2) out[n + n - 1 - i] = in[n - 1 - i];
    }";
    let text = text.replace("in[i] & 4", "i & 4");
    cl(&text, &Launch::line(3, 45), &[zeros(N * 8), i32s(N), int(135)]);
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0);
        if (i >= n) return;
        out[i] = in[i];
        if (i < 3) return;
        out[i] += in[i - 3];
    }";
    cl(text, &ragged(), &[zeros(101 * 4), i32s(101), int(101)]);
}

#[test]
fn a_loop_that_no_lane_enters() {
    let text = "kernel void k(global int *out, global const int *in, int n) {
        int i = get_global_id(0), acc = 1;
        for (int k = i + n; k < 10; k++) acc += in[k];
        while (acc > 1000000) acc -= in[0];
        out[i] = acc;
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(20)]);
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), int(0)]);
}

#[test]
fn comparisons_with_nan() {
    let text = "kernel void k(global int *out, global const float *in) {
        int i = get_global_id(0);
        float a = in[i], b = in[(i * 3) % 135], q = (a + 7.0f) / (a + 7.0f);
        int r = 0;
        if (q < b) r |= 1;
        if (!(q >= b)) r |= 2;
        if (q != q) r |= 4; else r |= 8;
        while (q < 5.0f) { q += 1.0f; r += 16; }
        out[i] = r + isnan(q) * 4096 + (int)fmin(q, b);
    }";
    cl(text, &ragged(), &[zeros(N * 4), f32s(N)]);
}

#[test]
fn narrow_and_wide_integers() {
    let text =
        "kernel void k(global char *c, global short *s, global ulong *l, global double *d, global const int *in) {
        size_t i = get_global_id(0);
        c[i] = (char)(c[i] * 3 + in[i]);
        s[i] = (short)(c[i] << 3) - s[i];
        l[i] = (ulong)in[i] * l[i] + (ulong)s[i];
        d[i] = d[i] * c[i] + (double)l[i];
        if (d[i] > 0.0) l[i] = (ulong)d[i];
    }";
    let w = cl(text, &ragged(), &[bytes(N), bytes(N * 2), f64s(N), f64s(N), i32s(N)]);
    assert_eq!(w.figures.gathers, 0, "{w:?}");
}

#[test]
fn unsigned_index_that_may_wrap_is_tested() {
    let text = "kernel void k(global int *out, global const int *in, uint w, uint h) {
        uint x = get_global_id(0), y = get_global_id(1);
        if (x < w && y < h) out[y * w + x] = in[y * w + x] * 2 + in[(y * w + x + 1) % (w * h)];
    }";
    let w = cl(text, &Launch::new([2, 3, 1], [20, 2, 1]), &[zeros(37 * 5 * 4), i32s(37 * 5), int(37), int(5)]);
    assert_eq!((w.figures.tested > 0, w.figures.serial), (true, 0), "{w:?}");
    // Indices that do wrap inside of a vector.
    let text = "kernel void k(global int *out, global const int *in, uint from) {
        uint i = get_global_id(0);
        out[i] = in[(uchar)(i + from)] + in[(ushort)(i + from + 65000) & 255];
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(256), int(250)]);
}

/// The step is a `size_t`, so the index was a truncated sum in 64 bits, of which nobody saw that lanes stay neighbours: gathers.
#[test]
fn loops_that_move_by_the_global_size_gathered() {
    for ty in ["int", "uint"] {
        let text = format!(
            "kernel void k(global float *y, global const float *x, {ty} n) {{
                float s = 0;
                for ({ty} i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i];
                y[get_global_id(0)] = s;
            }}"
        );
        let w = cl(&text, &ragged(), &[f32s(N), f32s(1000), int(987)]);
        assert!(w.figures.contiguous > 0 && w.figures.serial == 0 && w.figures.gathers == 0, "{ty}: {w:?}");
    }
}

#[test]
fn signed_index_arithmetic_is_contiguous() {
    let text = "kernel void k(global float *c, global const float *a, global const float *b, int n) {
        int x = get_global_id(0), y = get_global_id(1);
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
        c[y * n + x] = sum;
    }";
    let w = cl(text, &Launch::new([2, 3, 1], [16, 8, 1]), &[zeros(32 * 32 * 4), f32s(32 * 32), f32s(32 * 32), int(32)]);
    assert_eq!((w.figures.gathers, w.figures.tested), (0, 0), "{w:?}");
    // Rows share the loads of `b`: one load of it for four rows, which have a load of `a` and a store each.
    assert_eq!((w.figures.uniform, w.figures.contiguous), (8, 1 + 8), "{w:?}");
}

#[test]
fn cuda_index_arithmetic_is_contiguous() {
    let text = "__global__ void k(float *y, const float *x, float a, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = a * x[i] + y[i];
    }";
    let w = check_widened(Dialect::CUDA, text, &ragged(), &[f32s(N), f32s(N), float(2.0), int(130)]);
    assert_eq!((w.figures.gathers, w.figures.tested), (0, 0), "{w:?}");
}

#[test]
fn vectors_of_the_kernel() {
    let text = "kernel void k(global float4 *out, global const float4 *in, global uchar4 *px, global const float2 *z, global float *flat) {
        int i = get_global_id(0);
        float4 v = in[i], w = v.wzyx * 2.0f;
        if (v.x > 0.0f) { w.xy = v.zw + z[i]; w.z = dot(v, w); }
        out[i] = select(v, w, isless(v, w));
        px[i] = convert_uchar4_sat(w) + px[i].yxwz;
        vstore3(v.xyz, i, flat);
    }";
    let w = cl(text, &ragged(), &[zeros(N * 16), f32s(N * 4), bytes(N * 4), f32s(N * 2), zeros(N * 12)]);
    assert!(w.figures.interleaved > 0, "{w:?}");
}

#[test]
fn bits_of_vectors() {
    let text = "kernel void k(global uint *out, global const uint *in, global ulong *wide) {
        int i = get_global_id(0);
        uchar4 b = as_uchar4(in[i]);
        short2 s = as_short2(in[i] * 3u);
        out[i] = as_uint(b.zyxw) + as_uint(s.yx) + (uint)b.x;
        wide[i] = as_ulong((uint2)(out[i], in[i]));
        float f = as_float((in[i] & 0x7fffff) | 0x3f800000);
        wide[i] += as_uint(f * 1.5f);
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), zeros(N * 8)]);
}

#[test]
fn fields_of_structures() {
    let text = "struct P { float x, y; int id; char tag; };
    kernel void k(global struct P *p, global float *out) {
        int i = get_global_id(0);
        struct P q = p[i];
        q.x += q.y; q.tag += 1;
        if (q.id & 1) p[i] = q; else p[i].id = 7;
        out[i] = q.x;
    }";
    cl(text, &ragged(), &[i32s(N * 4), zeros(N * 4)]);
}

#[test]
fn private_arrays() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), a[8], hist[5];
        for (int k = 0; k < 8; k++) a[k] = in[(i + k) % 135];
        for (int k = 0; k < 5; k++) hist[k] = 0;
        for (int k = 0; k < 8; k++) hist[a[k] % 5u]++;
        for (int k = 1; k < 8; k++) {
            int v = a[k], j = k;
            while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; }
            a[j] = v;
        }
        for (int k = 0; k < 8; k++) out[i * 8 + k] = a[k] + hist[(k + i) % 5];
    }";
    cl(text, &ragged(), &[zeros(N * 32), i32s(N)]);
}

#[test]
fn atomics() {
    let text = "kernel void k(global int *out, global const int *in, global int *h) {
        int i = get_global_id(0);
        atomic_add(&h[in[i] & 15], 1);
        if (in[i] & 2) atomic_add(&h[20], in[i]);
        atomic_max(&h[21], in[i]);
        atomic_inc(&h[22]);
        atomic_and((volatile global uint *)&h[23], ~(1u << (i & 31)));
    }";
    let w = cl(text, &ragged(), &[zeros(N * 4), i32s(N), i32s(24)]);
    assert_eq!(w.figures.serial, 1, "{w:?}");
    let text = "kernel void k(global int *out, global const int *in, global int *h) {
        int i = get_global_id(0);
        if (in[i] & 1) out[atomic_inc(&h[0])] = 1;
        out[200 + i] = atomic_cmpxchg(&h[1 + i], 0, in[i]);
    }";
    cl(text, &ragged(), &[zeros(N * 4 + 800), i32s(N), zeros(4 + N * 4)]);
}

/// The store is moved behind the loop over work-items, so that nothing in the loop uses the old value: the atomic was made
/// one of all lanes, and 0 stored.
#[test]
fn old_values_of_atomics_that_are_stored_behind_the_loop() {
    let text = "kernel void k(global int *out, global const int *in, local int *m) {
        *m = in[get_group_id(0)];
        int old = atomic_add(m, 5);
        out[2 * get_group_id(0)] = old;
        out[2 * get_group_id(0) + 1] = *m;
    }";
    check(Dialect::OPENCL, text, &Launch::line(3, 1), &[zeros(24), i32s(3), A::Local(4)]);
    let text = "kernel void k(global int *out, global int *m) { out[0] = atomic_add(m, 5); }";
    check(Dialect::OPENCL, text, &Launch::line(1, 1), &[zeros(4), i32s(1)]);
}

#[test]
fn mandelbrot() {
    let text = "kernel void k(global int *out, int w, int h, int max) {
        int x = get_global_id(0), y = get_global_id(1);
        if (x >= w || y >= h) return;
        float cx = -2.0f + x * 3.0f / w, cy = -1.0f + y * 2.0f / h, zx = 0, zy = 0;
        int n = 0;
        while (n < max && zx * zx + zy * zy < 4.0f) {
            float t = zx * zx - zy * zy + cx;
            zy = 2.0f * zx * zy + cy;
            zx = t;
            n++;
        }
        out[y * w + x] = n;
    }";
    let w = cl(text, &Launch::new([3, 4, 1], [16, 4, 1]), &[zeros(40 * 15 * 4), int(40), int(15), int(50)]);
    assert_eq!((w.figures.gathers, w.figures.tested, w.figures.serial), (0, 0, 0), "{w:?}");
}

#[test]
fn nbody() {
    let text = "kernel void k(global float4 *out, global const float4 *p, int n) {
        int i = get_global_id(0);
        float4 me = p[i], a = (float4)(0.0f);
        for (int j = 0; j < n; j++) {
            float4 d = p[j] - me;
            float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            a.xyz += d.xyz * (p[j].w * r * r * r);
        }
        out[i] = a;
    }";
    let w = cl(text, &Launch::line(2, 33), &[zeros(66 * 16), f32s(66 * 4), int(66)]);
    assert_eq!(w.figures.gathers, 0, "{w:?}");
}

#[test]
fn what_all_move_alike_in_a_loop_of_barriers_is_not_gathered() {
    let text = "kernel void k(global float *c, global const float *a, global const float *b, int n, int lda) {
        local float s[16];
        int x = get_local_id(0), id = get_local_id(1) * 16 + x;
        a += get_group_id(0) * 64 + id;
        b += id;
        float sum = 0;
        for (int i = 0; i < n; i++) {
            if (id < 16) s[id] = b[0];
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += a[0] * s[i & 15];
            a += lda;
            barrier(CLK_LOCAL_MEM_FENCE);
            b += 16;
        }
        c[get_group_id(0) * 64 + id] = sum;
    }";
    let launch = Launch::new([2, 1, 1], [16, 4, 1]);
    let w = cl(text, &launch, &[zeros(128 * 4), f32s(128 * 5), f32s(64 + 16 * 5), int(5), int(128)]);
    assert_eq!((w.figures.gathers, w.figures.tested, w.figures.serial), (0, 0, 0), "{w:?}");
    // An index of 32 bits might wrap between two lanes: that is tested.
    let text = "kernel void k(global float *c, global const float *a, int n, int lda) {
        local float s[16];
        int id = get_local_id(0), j = id, back = n * lda + id;
        float sum = 0;
        for (int i = 0; i < n; i++) {
            if (id < 16) s[id] = i;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += a[j] * s[i & 15] + a[back];
            j += lda;
            back -= lda;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        c[id] = sum;
    }";
    let w = cl(text, &Launch::line(1, 64), &[zeros(64 * 4), f32s(64 * 6), int(5), int(64)]);
    assert_eq!((w.figures.tested, w.figures.serial), (2, 0), "{w:?}");
}

#[test]
fn math_of_options() {
    let text = "float cnd(float d) {
        float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
        float c = 0.3989423f * exp(-0.5f * d * d) * (k * (0.3193815f + k * (-0.3565638f + k * 1.781478f)));
        return d > 0 ? 1.0f - c : c;
    }
    kernel void k(global float *call, global float *put, global const float *s) {
        int i = get_global_id(0);
        float S = fabs(s[i]) + 5.0f, X = 20.0f, T = 0.5f, R = 0.02f, V = 0.3f, q = sqrt(T);
        float d1 = (log(S / X) + (R + 0.5f * V * V) * T) / (V * q), d2 = d1 - V * q;
        float e = exp(-R * T);
        call[i] = S * cnd(d1) - X * e * cnd(d2);
        put[i] = X * e * (1.0f - cnd(d2)) - S * (1.0f - cnd(d1)) + sin(S) * pow(S, 1.5f);
    }";
    let w = cl(text, &Launch::line(1, 40), &[zeros(160), zeros(160), f32s(40)]);
    assert_eq!(w.figures.serial, 0, "{w:?}");
}

#[test]
fn division_by_what_varies() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_global_id(0), d = in[i] & 7;
        int q = 9;
        if (d != 0) q = in[(i + 1) % 135] / d + in[i] % d;
        out[i] = q + (int)((uint)in[i] / 7u);
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N)]);
}

#[test]
fn stores_of_all_lanes_to_one_place() {
    let text = "kernel void k(global int *out, global const int *in) {
        int i = get_local_id(0);
        if (i == 17) out[get_group_id(0)] = in[i];
        if (i > 40) out[10] = 5;
        local int s[64];
        s[i] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[20 + get_global_id(0)] = s[44 - i] + s[3];
    }";
    cl(text, &ragged(), &[zeros(20 * 4 + N * 4), i32s(N)]);
}

#[test]
fn calls_copies_and_volatile_accesses() {
    let text = "struct Big { int a[12]; };
    kernel void k(global struct Big *out, global const struct Big *in, volatile global int *v) {
        int i = get_global_id(0);
        if (i & 1) out[i] = in[i]; else out[i].a[3] = 5;
        v[i] = v[i] + 1;
        if (i == 3 || i == 77) printf(\"%d %d\\n\", i, in[i].a[2]);
    }";
    cl(text, &ragged(), &[zeros(N * 48), i32s(N * 12), i32s(N)]);
}

/// Only the group's own thread sees its memory: lanes one after another took four times as long, in a warp's sum without
/// barriers, whose accesses stay in their order.
#[test]
fn volatile_accesses_of_the_groups_own_memory_are_vectors() {
    let text = "kernel void k(global int *out, global const int *in) {
        local volatile int sums[128];
        int t = get_local_id(0), i = get_global_id(0);
        sums[t] = in[i];
        sums[t + 64] = 0;
        if ((t & 7) < 4) {
            sums[t] += 3 * sums[t];
            sums[t] = sums[t] ^ in[i];
        }
        out[i] = sums[t] + sums[t + 64];
    }";
    let w = cl(text, &Launch::line(2, 64), &[zeros(512), i32s(128)]);
    assert_eq!((w.figures.serial, w.figures.gathers), (0, 0), "{w:?}");
    let warp = "kernel void k(global int *out, global const int *in) {
        local volatile int sums[48];
        int t = get_local_id(0), i = get_global_id(0);
        sums[t] = in[i];
        sums[t + 16] = 0;
        sums[t + 32] = t;
        sums[t] += sums[t + 8];
        sums[t] += sums[t + 4];
        sums[t] += sums[t + 2];
        sums[t] += sums[t + 1];
        // What the sums are depends on how many lanes are in step.
        out[i] = sums[t + 32];
    }";
    let w = cl(warp, &Launch::line(2, 16), &[zeros(128), i32s(32)]);
    assert_eq!(w.figures.serial, 0, "{w:?}");
}

#[test]
fn pointers_that_differ() {
    let text = "kernel void k(global int *out, global const int *a, global const int *b) {
        int i = get_global_id(0);
        global const int *p = (a[i] & 1) ? a : b;
        global const int *q = p + (i & 3);
        int n = 0;
        while (q < p + 5) n += *q++;
        out[i] = p[i] + n;
    }";
    cl(text, &ragged(), &[zeros(N * 4), i32s(N), i32s(N)]);
}

#[test]
fn private_arrays_lie_lane_beside_lane() {
    // One index for all: rows. An index of each lane's own: gathers.
    let w = cl(
        "kernel void k(global int *out, global const int *in, int n) {
            int t[16] = {0};
            int i = get_global_id(0);
            for (int j = 0; j < n; j++) t[(j * n) & 15] += in[i] + j;
            int s = 0;
            for (int j = 0; j < n; j++) s = s * 3 + t[(j * 5) & 15];
            out[i] = s;
        }",
        &ragged(),
        &[zeros(4 * N), i32s(N), int(11)],
    );
    assert_eq!(w.figures.gathers, 0, "{w:?}");
    let w = cl(
        "kernel void k(global int *out, global const int *in, int n) {
            int t[16] = {0};
            int i = get_global_id(0);
            for (int j = 0; j < n; j++) t[in[(i + j) % 135] & 15] += j;
            int s = 0;
            for (int j = 0; j < 16; j++) s = s * 3 + t[j];
            out[i] = s;
        }",
        &ragged(),
        &[zeros(4 * N), i32s(N), int(11)],
    );
    assert!(w.figures.gathers <= 4, "{w:?}");
}

#[test]
fn private_arrays_of_vectors_bytes_and_doubles() {
    cl(
        "kernel void k(global float4 *out, global const int *in, int n) {
            float4 t[8];
            char c[24];
            double d[4];
            int i = get_global_id(0);
            for (int j = 0; j < 8; j++) t[j] = (float4)(j, i, j * i, 1);
            for (int j = 0; j < 24; j++) c[j] = j * in[i];
            for (int j = 0; j < 4; j++) d[j] = j * 0.5;
            d[in[i] & 3] += 1.0;
            t[in[i] & 7].y += c[n & 15];
            out[i] = t[n & 7] + t[in[i] >> 3 & 7] * (float)d[(n + i) & 3] + c[(in[i] >> 2) % 24];
        }",
        &ragged(),
        &[zeros(16 * N), i32s(N), int(13)],
    );
}

#[test]
fn private_arrays_walked_by_pointers_copied_and_read_in_pieces() {
    cl(
        "kernel void k(global int *out, global const int *in, int n) {
            int table[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
            int other[12], mixed[8];
            int i = get_global_id(0), s = 0;
            for (int j = 0; j < 8; j++) mixed[j] = in[i] * j;
            for (int *p = table, *e = table + 12; p != e; p++) *p += i;
            for (int j = 0; j < 12; j++) other[j] = table[11 - j];
            int *which = in[i] & 1 ? table : other;
            for (int j = 0; j < n; j++) s = s * 5 + which[(j + in[i]) % 12] + other[j % 12];
            out[i] = s + ((char *)mixed)[in[i] & 31];
        }",
        &ragged(),
        &[zeros(4 * N), i32s(N), int(9)],
    );
}

#[test]
fn indices_of_sorting_networks_and_transforms_are_tested() {
    let w = cl(
        "kernel void k(global uint *out, global const uint *in, int n) {
            uint l = get_global_id(0), s = 0;
            for (uint stride = 1; stride <= 64; stride <<= 1) {
                uint at = 2 * l - (l & (stride - 1));
                s = s * 3 + in[at & 127] + in[(l & ~stride) % 135];
                s += in[l & (stride * 2 - 1)] ^ in[l & 120] ^ (l & n);
            }
            out[l] = s;
        }",
        &ragged(),
        &[zeros(4 * N), i32s(N), int(37)],
    );
    assert!(w.figures.tested > 0, "{w:?}");
}

/// Long chains of operations on little data: processors waited for them, so that a second vector costs little.
#[test]
fn long_bodies_run_two_vectors_side_by_side() {
    let kernel = |steps: usize| {
        let chain = "v = v * 0.5f + w; w = w * v - 0.25f;\n".repeat(steps);
        format!(
            "kernel void k(global float *y, global const float *x) {{
                int i = get_global_id(0);
                float v = x[i], w = v + 1.0f;
                {chain}
                y[i] = v + w;
            }}"
        )
    };
    let args = [f32s(128), f32s(128)];
    let long = cl(&kernel(40), &Launch::line(2, 64), &args);
    assert_eq!(long.figures.contiguous, 4, "{long:?}");
    let short = cl(&kernel(4), &Launch::line(2, 64), &args);
    assert_eq!(short.figures.contiguous, 2, "{short:?}");
    // What is left over after the last pair runs alone.
    cl(&kernel(40), &Launch::line(2, 50), &args);
}

/// Found by Khronos' `kernel_call_kernel_function`: vectors that ran side by side shared a load at the same address, which
/// was done only as long as the first of them had work-items in the loop; the others then kept its last value.
#[test]
fn shared_loads_go_on_after_the_first_vector_has_left_the_loop() {
    let text = "kernel void k(global int *out, global const int *in) {
        int t = get_global_id(0), s = 1;
        for (int b = 0; b < t; b++) s += 4 * in[b];
        out[t] = s;
    }";
    cl(text, &Launch::line(1, 128), &[zeros(4 * 128), i32s(128)]);
    // The first leaves last.
    let down = text.replace("b < t", "b < 127 - t");
    cl(&down, &Launch::line(1, 128), &[zeros(4 * 128), i32s(128)]);
    // Rows share a row of what they read, and the stores of a column that they all have.
    let rows = "kernel void k(global float *out, global const float *in, global float *last) {
        int x = get_global_id(0), y = get_global_id(1);
        float s = 0;
        for (int b = 0; b < (y * 5) % 7 + x / 16; b++) { s += in[b * 32 + x]; last[x] = 1.0f; }
        out[y * 32 + x] = s;
    }";
    cl(rows, &Launch::new([1, 1, 1], [32, 8, 1]), &[zeros(4 * 256), f32s(32 * 16), zeros(4 * 32)]);
}

/// Steps of a tree in local memory: vectors behind the guard's bound are not looked at, and those before it all are.
#[test]
fn loops_end_where_their_guard_is_passed() {
    for guard in ["l < s", "l <= s", "s > l", "!(l >= s)", "(int)l < (int)s - 3", "l == s", "l != s", "l > s"] {
        let text = format!(
            "kernel void k(global int *out, global const int *in, local int *t, int n) {{
                uint l = get_local_id(0);
                t[l] = in[get_global_id(0)];
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint s = n; s > 0; s >>= 1) {{
                    if ({guard}) t[l] += in[s + l];
                    barrier(CLK_LOCAL_MEM_FENCE);
                }}
                if (l == 0) out[64] = t[5];
                out[l] = t[l];
            }}"
        );
        for n in [0, 1, 33, 200] {
            cl(&text, &Launch::line(1, 64), &[zeros(4 * 65), i32s(270), A::Local(256), int(n)]);
            cl(&text, &Launch::line(1, 45), &[zeros(4 * 65), i32s(270), A::Local(256), int(n)]);
        }
    }
}

/// A guard whose bound is another for each row: rows that run together end at different columns.
#[test]
fn loops_of_several_rows_do_not_end_at_the_guard_of_the_first() {
    for guard in ["x <= y", "x < y + 3", "x == y", "y * 3 > x"] {
        let text = format!(
            "kernel void k(global float *out, global const float *a, global const float *b, int n) {{
                uint x = get_local_id(0), y = get_local_id(1);
                if ({guard}) {{
                    float s = 0;
                    for (int k = 0; k < n; k++) s += a[y * 8 + k] * b[k * 64 + x];
                    out[y * 64 + x] = s;
                }}
            }}"
        );
        cl(&text, &Launch::new([1, 1, 1], [64, 16, 1]), &[zeros(4 * 64 * 16), f32s(16 * 8), f32s(64 * 8), int(8)]);
    }
}

/// Where ways that all lanes take together meet ways that some take, control may come there for nobody: then it must not go
/// around the loop again, and bring nothing (random source program 40063444; a launch without an end at -O0).
#[test]
fn ways_of_all_lanes_that_meet_ways_of_some_end() {
    for body in [
        "if (i == 2) continue; if (i < size) break; if (l == 1) out[g] = 127;",
        "if (i == n) continue; if (i * 2 > n) break; if (l & 1) t += i;",
        "if (i == n) { u = 5; break; } if (i * 3 > n) { u = 7; continue; } if (l & i) t += u;",
        "if (n == 3) { u = 9; if (i == 1) continue; break; } if (i != n) { if (l > 2) { t++; } else continue; } u++;",
    ] {
        for level in [unspool::OptLevel::O0, unspool::OptLevel::O1, unspool::OptLevel::O3] {
            for n in [0, 1, 3, 5, 9] {
                let text = format!(
                    "kernel void k(global int *out, int n) {{
                        int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0), t = 0, u = 1;
                        for (int i = 0; i < 8; i++) {{ {body} }}
                        out[g] += t * 16 + u;
                    }}"
                );
                check_widened_at(level, Dialect::OPENCL, &text, &Launch::line(2, 7), &[zeros(4 * 14), int(n)]);
            }
        }
    }
}

/// Blocks that follow each other are as deep a tree as they are many (random source program 40073500 and what follows).
#[test]
fn thousands_of_blocks_do_not_overflow_the_stack() {
    let steps: String = (0..1500).map(|k| format!("if (in[{k} & 63] == {k}) out[g] += {k};\n")).collect();
    let text = format!("kernel void k(global int *out, global const int *in) {{ int g = get_global_id(0);\n{steps}}}");
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let run = move || {
        let (mut module, mut session) = support::compile_at(unspool::OptLevel::O0, Dialect::OPENCL, &text);
        let kernel = module.find("k").expect("it is there");
        let mut o = options(&Launch::line(1, 8));
        o.vectorise = true;
        simd::work_group(&mut module, &mut session, kernel, &o).expect("covered").lanes
    };
    assert!(small.spawn(run).expect("a thread").join().expect("it ends") > 0);
}

/// `x[i * x_inc]` of a loop over `i`, as libraries of linear algebra have it: they gathered, though the distance is mostly 1.
#[test]
fn elements_at_a_distance_that_is_an_argument_gathered() {
    let text = "kernel void k(global float *y, global const float *x, int n, int x_off, int x_inc, int y_inc) {
        float s = 0;
        for (int i = get_global_id(0); i < n; i += 2 * get_local_size(0)) {
            s += x[i * x_inc + x_off];
            y[i * y_inc] = s;
        }
    }";
    for (x_inc, y_inc) in [(1, 1), (1, 3), (2, 1), (3, 2), (0, 1), (-1, 1)] {
        let x_off = if x_inc < 0 { 400 } else { 3 };
        let launch = Launch::new([2, 1, 1], [37, 1, 1]);
        let w = cl(text, &launch, &[f32s(1000), f32s(1000), int(190), int(x_off), int(x_inc), int(y_inc)]);
        assert!(w.figures.tested > 0 && w.figures.serial == 0, "{w:?}");
    }
    // A row for each lane is none of these: what is multiplied does not change in the loop.
    let text = "kernel void k(global float *y, global const float *x, int n) {
        float s = 0;
        for (int i = 0; i < n; i++) s += x[get_global_id(0) * (ulong)n + i];
        y[get_global_id(0)] = s;
    }";
    let w = cl(text, &ragged(), &[f32s(N), f32s(N * 8), int(7)]);
    assert_eq!(w.figures.tested, 0, "{w:?}");
}
