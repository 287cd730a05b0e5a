//! Launches whose groups run on several threads leave and find what they leave and find with one group after another.

mod common;

use common::{checker, compiled, give_buffers};
use launch::{Launch, NdRange};

/// Bytes of each buffer and of each work-group buffer.
const BYTES: usize = 1 << 18;

/// What a launch of 64 groups of 32 work-items found and left, in words, and on how many threads it came to be.
fn outcome(source: &str, threads: usize) -> (String, usize) {
    let out = compiled(source, 200);
    let mut checker = checker(&out);
    checker.set_threads(threads);
    // The first buffer was not written yet.
    let buffers = give_buffers(&mut checker, &out, BYTES, |n, i| (n != 0).then_some(((i * 7 + n) % 251) as u8));
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [2048, 1, 1], local: [32, 1, 1] };
    let found = checker.survey(&Launch { range, dynamic_shared: 0 });
    assert!(found.ended.is_none(), "{:?}", found.ended);
    let output = String::from_utf8(checker.take_output()).unwrap();
    let left: Vec<_> = buffers
        .iter()
        .map(|&b| (checker.bytes(b, BYTES as u64).unwrap(), checker.unwritten(b, BYTES as u64).unwrap()))
        .collect();
    (format!("{:#?}\n{}\n{output}\n{left:?}", found.findings, found.left_out), found.threads)
}

/// How groups run where there are four threads.
#[derive(PartialEq, Debug)]
enum Way {
    Apart,
    InOrder,
    /// As above if groups that meet came to different threads.
    Either,
}

#[track_caller]
fn alike(source: &str, way: Way) {
    let (wanted, one) = outcome(source, 1);
    assert_eq!(one, 1);
    for _ in 0..2 {
        let (got, threads) = outcome(source, 4);
        assert!(got == wanted, "{source}: another outcome on {threads} threads");
        assert!(way == Way::Either || (threads > 1) == (way == Way::Apart), "{source}: {threads} threads");
    }
}

/// A kernel of three buffers with this body.
fn kernel(body: &str) -> String {
    format!(
        "kernel void k(global int *out, global int *a, global uchar *c, local int *t) {{\n  int g = get_global_id(0), \
         l = get_local_id(0), b = get_group_id(0);\n  {body}\n}}"
    )
}

#[test]
fn groups_that_have_their_own_words_run_on_several_threads() {
    alike(&kernel("out[g] = a[g] + a[g + 1];"), Way::Apart);
    alike(&kernel("for (int i = g; i < 8192; i += get_global_size(0)) out[i] = a[i] * 3;"), Way::Apart);
    alike(&kernel("t[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); out[g] = t[31 - l];"), Way::Apart);
    alike(
        &kernel(
            "if (l == 0) t[0] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(t, a[g]); barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) out[b] = t[0];",
        ),
        Way::Apart,
    );
    // The words of a group's bytes are its own: 32 of them.
    alike(&kernel("c[g] = c[g] + 1;"), Way::Apart);
}

#[test]
fn what_is_found_in_groups_comes_in_their_order() {
    alike(&kernel("if (g % 100 == 7) out[g + 1000000] = 1; out[g] = out[g] + 1;"), Way::Apart);
    alike(&kernel("if (b > 40) { t[l] = 1; a[g] = t[(l + 1) & 31]; } else if (b & 1) out[g] = t[l];"), Way::Apart);
    alike(&kernel("out[g] = a[g] / (b - 50);"), Way::Apart);
}

#[test]
fn groups_that_meet_in_memory_run_one_after_another() {
    // Neighbours write the same word, in whole or in part.
    alike(&kernel("out[g & 63] = g;"), Way::Either);
    alike(&kernel("c[b] = g;"), Way::Either);
    // One reads what another writes.
    alike(&kernel("a[g] = a[(g + 32) & 2047] + 1;"), Way::Either);
    alike(&kernel("out[g] = a[5]; if (g == 2047) a[5] = 1;"), Way::Either);
    // What was there already.
    alike(&kernel("a[0] = a[0]; out[g] = 1;"), Way::Either);
}

#[test]
fn what_has_an_order_of_its_own_runs_one_group_after_another() {
    alike(&kernel("out[g] = atomic_inc(a);"), Way::InOrder);
    alike(&kernel("out[g] = atomic_cmpxchg(a, 5, g);"), Way::InOrder);
    alike(&kernel("if (l == 0) printf(\"%d\\n\", b); out[g] = 1;"), Way::InOrder);
    alike(&kernel("out[g] = ((volatile global int *)a)[g];"), Way::InOrder);
}

#[test]
fn a_group_that_waits_for_an_earlier_one_gets_what_it_waits_for() {
    // A word that the group before it has written, plainly: threads do not see each other's memory.
    let waits = "a[4096 + g] = 0; if (l == 0) { if (b) while (a[b - 1] != 77) {} a[b] = 77; } out[g] = b;";
    alike(&kernel(waits), Way::Either);
}

#[test]
fn structures_that_are_passed_by_value_are_read() {
    let source = "typedef struct { int v[8]; } S;\nint f(S s) { return s.v[3]; }\nkernel void k(global int *out, global S *a) {\n  \
                  int g = get_global_id(0);\n  out[g] = f(a[g & 255]);\n  if (g == 0) a[200].v[3] = 1;\n}";
    alike(source, Way::Either);
}
