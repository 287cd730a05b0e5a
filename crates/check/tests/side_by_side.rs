//! Launches whose work-items go through the code side by side leave and find what they leave and find one after another.

mod common;

use check::Surveyed;
use common::{checker, compiled, give_buffers};
use launch::{Launch, NdRange};

/// Bytes of each buffer and of each work-group buffer.
const BYTES: usize = 1 << 13;

/// What a launch of 96 work-items in groups of so many found and left.
fn outcome(source: &str, local: u32, side_by_side: bool, threads: usize) -> (Surveyed, Vec<Vec<u8>>) {
    let out = compiled(source, 200);
    let mut checker = checker(&out);
    checker.set_threads(threads);
    checker.set_side_by_side(if side_by_side { 1 } else { u64::MAX });
    // The first buffer was not written yet.
    let buffers = give_buffers(&mut checker, &out, BYTES, |n, i| (n != 0).then_some(((i * 7 + n) % 13) as u8));
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [96, 1, 1], local: [local, 1, 1] };
    let found = checker.survey(&Launch { range, dynamic_shared: 0 });
    assert!(found.ended.is_none(), "{:?}", found.ended);
    let len = BYTES as u64;
    let left = buffers.iter().flat_map(|&b| [checker.bytes(b, len), checker.unwritten(b, len)]);
    (found, left.map(|bytes| bytes.unwrap().to_vec()).collect())
}

/// Runs a kernel of four buffers with this body after these definitions, in groups of several sizes; whether its work-items
/// went side by side in all of them.
#[track_caller]
fn alike(before: &str, body: &str) -> bool {
    let source = format!(
        "{before}\nkernel void k(global int *out, global int *a, global uchar *c, local int *t) {{\n  int g = \
         get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n  {body}\n}}"
    );
    let mut beside = true;
    for local in [1, 3, 16, 24, 48] {
        let (wanted, left) = outcome(&source, local, false, 1);
        assert!(!wanted.side_by_side);
        let (first, _) = outcome(&source, local, true, 1);
        for threads in [1, 3] {
            let (got, got_left) = outcome(&source, local, true, threads);
            assert!(left == got_left, "groups of {local}: something else is left by {source}");
            let list = |s: &Surveyed| s.findings.iter().map(|f| (f.identity(), f.times)).collect::<Vec<_>>();
            let sorted = |s: &Surveyed| {
                let mut all = list(s);
                all.sort();
                all
            };
            assert_eq!(sorted(&wanted), sorted(&got), "groups of {local}: something else is found in {source}");
            // On any number of threads it is the same to the letter.
            assert_eq!(format!("{:?}", first.findings), format!("{:?}", got.findings), "{source}");
            beside &= got.side_by_side;
        }
    }
    beside
}

#[track_caller]
fn beside(body: &str) {
    assert!(alike("", body), "not side by side: {body}");
}

/// The interpreter has to say what there is to say.
#[track_caller]
fn given_up(body: &str) {
    assert!(!alike("", body), "side by side: {body}");
}

#[test]
fn registers_hold_what_they_hold_one_after_another() {
    beside("out[g] = a[g] * 3 - (a[g] >> 2) + (a[g] & 5 | g ^ 9) + min(a[g], g) + a[g] % 16 + a[g] / 8 + a[g] % 7;");
    beside(
        "ulong u = a[g]; u = u * u * u - (u << 40) / 3; long x = u & 0xffffffffffff; out[g] = (int)(x >> 20 & 65535) + (int)(x % 1000) + (int)(x / 77 & 1023);",
    );
    beside("uint x = a[g]; out[g] = x * x * 77u + x / 3u + x % 10u + (x >> (g & 31)) + popcount(x) + clz(x);");
    beside("short s = a[g]; uchar u = c[g]; out[g] = s * u + (short)(s + u) + (uchar)(u << 3) + (char)(a[g]);");
    beside("float f = a[g] % 100; out[g] = (int)(f * 1.5f - f / 3.0f + fma(f, f, 2.0f) + sqrt(f) + fabs(-f));");
    beside("double f = c[g]; out[g] = (int)(f * 1.5 + floor(f / 7.0)) + (f > 3.5) + isnan(f);");
    beside("int4 v = (int4)(a[g], g, l, 7); v = v.wzyx * 3 + v; v.y = c[g]; out[g] = v.x + v.y - v.z + v.s3;");
    beside("int4 v = (int4)(a[g], g, l, 7); out[g] = any(v > 5) + all(v < 100) + (v > 3 ? v : v * 2).y;");
}

#[test]
fn lanes_that_part_meet_again() {
    beside("if (g & 1) out[g] = a[g]; else if (g % 3) out[g] = -1; else out[g] = c[g];");
    beside(
        "int s = 0; for (int i = 0; i < g; i++) { if (i % 5 == 4) continue; s += a[i]; if (s > 1 << 24) break; } out[g] = s;",
    );
    beside(
        "int s = g; switch (c[g]) { case 1: s += 1; case 2: s *= 2; break; case 3: s = 9; break; default: s--; } out[g] = s;",
    );
    beside("int x = 0, y = 1; for (int i = 0; i < c[g]; i++) { int z = x; x = y; y = z + y; } out[g] = x - y;");
    beside("if (g == 95) return; int s = 0; while (s < c[g]) s += 3; out[g] = s;");
    assert!(alike("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }", "out[g] = f(c[g]);"));
    assert!(alike("void f(private int *p, int n) { if (n & 1) *p += n; }", "int x = g; f(&x, a[g]); out[g] = x;"));
    assert!(alike(
        "typedef struct { int v[4]; char b; } S; int f(S s) { s.v[1]++; return s.v[1] + s.b; }",
        "S s = {{g, a[g], 3, 4}, 5}; out[g] = f(s) + s.v[1];"
    ));
}

#[test]
fn memory_is_that_of_the_lane_the_group_and_the_launch() {
    beside(
        "int p[8]; for (int i = 0; i < 8; i++) p[i] = a[g + i]; int s = 0; for (int i = 0; i < 8; i++) s += p[(i * g) & 7]; out[g] = s;",
    );
    beside("t[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); out[g] = t[n - 1 - l];");
    beside(
        "for (int s = 1; s < n; s *= 2) { t[l] = a[g] + s; barrier(CLK_LOCAL_MEM_FENCE); out[g] = t[(l + s) % n]; barrier(CLK_LOCAL_MEM_FENCE); }",
    );
    beside(
        "local short x[64]; x[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); vstore4(vload4(0, a + 4), 0, out + 4 * g); out[4 * g] += x[n - 1 - l];",
    );
    // Bytes of a word are several work-items'.
    beside("c[g] = c[g] + 1; local uchar b[64]; b[l] = c[g]; barrier(CLK_LOCAL_MEM_FENCE); out[g] = b[n - 1 - l];");
    // What several write that is the same.
    beside("t[0] = 5; barrier(CLK_LOCAL_MEM_FENCE); out[g] = t[0];");
    beside("event_t e = 0; out[g] = a[g]; prefetch(a, 4);");
    assert!(alike(
        "int f(local int *t, int l, int n) { t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); int r = t[n - 1 - l]; barrier(CLK_LOCAL_MEM_FENCE); return r; }",
        "out[g] = f(t, l, n) + f(t, l, n);"
    ));
}

#[test]
fn what_matters_in_no_order_is_reported_side_by_side() {
    // Nobody has written the buffer, the array, a part of the work-group's memory.
    beside("a[g] = out[g] + 1;");
    beside("int p[4]; p[1] = g; a[g] = p[g & 3];");
    beside("if (l == 0) t[0] = g; barrier(CLK_LOCAL_MEM_FENCE); a[g] = t[l];");
    // Barriers that do not order what is read after them.
    beside("a[g] = g; barrier(CLK_LOCAL_MEM_FENCE); out[g] = a[g - l];");
    beside("t[l] = g; barrier(CLK_GLOBAL_MEM_FENCE); out[g] = t[0];");
}

#[test]
fn what_would_be_done_too_early_is_done_where_it_stands() {
    // The address is outside of everything for the first work-items, which do not use it.
    beside("local int u[64]; u[l] = g; barrier(CLK_LOCAL_MEM_FENCE); if (l >= 8) out[g] = u[l - 8]; else out[g] = 0;");
    beside("if (l > 0) out[g] = 100 / l; else out[g] = 1 << 30;");
}

#[test]
fn the_interpreter_says_what_there_is_to_say() {
    // Everybody is found wherever groups have several work-items, or there are several groups.
    given_up("out[0] = g;");
    given_up("t[l] = g; out[g] = t[0];");
    given_up("t[0] = 5; out[g] = t[0];");
    given_up("t[l] = l; if (l & 1) t[l - 1] = 7; out[g] = 1;");
    given_up("if (l != 1) barrier(CLK_LOCAL_MEM_FENCE); out[g] = 1;");
    given_up("out[g * 100] = 1;");
    given_up("out[g] = a[g] / (g - 50);");
    given_up("int x; if (c[g] > 3) x = 1; if (x) out[g] = 1;");
    given_up("int x; if (c[g] > 3) x = 1; out[g] = x;");
    given_up("out[g] = atomic_inc(a);");
    given_up("out[g] = ((volatile global int *)a)[g];");
    given_up("int i = 0x7fffffff; out[g] = i + g;");
}
