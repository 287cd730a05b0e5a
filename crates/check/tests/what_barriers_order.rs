//! Barriers' fence flags, asynchronous copies, and indices of arrays inside of larger objects: what a launch does wrong is
//! found, and what is right is not.

mod common;

use check::{Caller, explain_finding};
use common::{checker, compiled, give_buffers};
use launch::{Launch, NdRange};

/// Bytes of each buffer and of each work-group buffer.
const BYTES: usize = 64;

/// What is found in a launch of so many work-items, one group: a line for each fault, with its line in the source.
fn findings(source: &str, items: u64) -> Vec<String> {
    let out = compiled(source, 120);
    let mut checker = checker(&out);
    give_buffers(&mut checker, &out, BYTES, |_, _| Some(7));
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [items, 1, 1], local: [items as u32, 1, 1] };
    let shape = Launch { range, dynamic_shared: 0 };
    let found = checker.survey(&shape);
    assert!(found.ended.is_none(), "{:?}", found.ended);
    let words = |f| {
        let d = explain_finding(f, &out.kernels[0], &shape, Caller::Program);
        let line = out.session.sources.line_col(d.labels[0].span.lo).map_or(0, |(_, at)| at.line);
        format!("{line}: {}", d.message)
    };
    found.findings.iter().map(words).collect()
}

#[track_caller]
fn finds(source: &str, items: u64, wanted: &[&str]) {
    let found = findings(source, items);
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (line, words) in found.iter().zip(wanted) {
        assert!(words.split(" … ").all(|w| line.contains(w)), "{found:#?}, not {words}");
    }
}

/// A reversal through `memory` with a barrier of these flags between.
fn reversal(space: &str, flags: &str) -> String {
    format!(
        "kernel void k(global int *out, {space} int *t) {{\n  int i = get_local_id(0);\n  t[i] = i;\n  \
         barrier({flags});\n  out[i] = t[3 - i];\n}}"
    )
}

#[test]
fn a_barrier_orders_only_the_memory_that_its_flags_name() {
    for (space, flags, races) in [
        ("local", "CLK_LOCAL_MEM_FENCE", false),
        ("local", "CLK_GLOBAL_MEM_FENCE", true),
        ("local", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE", false),
        ("global", "CLK_GLOBAL_MEM_FENCE", false),
        ("global", "CLK_LOCAL_MEM_FENCE", true),
        ("global", "0", true),
    ] {
        let wanted: &[&str] = if races { &["5: data race on `t`"] } else { &[] };
        finds(&reversal(space, flags), 4, wanted);
    }
}

#[test]
fn a_fence_before_a_barrier_of_other_memory_orders_too() {
    let source =
        reversal("global", "CLK_LOCAL_MEM_FENCE").replace("barrier(", "mem_fence(CLK_GLOBAL_MEM_FENCE); barrier(");
    finds(&source, 4, &[]);
}

#[test]
fn flags_that_are_computed_count_as_well() {
    let source = reversal("local", "out[0] == 7 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE");
    let found = findings(&source, 4);
    assert!(found.iter().all(|f| !f.contains("`t`")), "{found:#?}");
}

#[test]
fn an_asynchronous_copy_that_is_waited_for_is_no_fault() {
    finds(
        "kernel void k(global int *out, global const int *in, local int *t) {\n  \
         event_t e = async_work_group_copy(t, in, 4, 0);\n  e = async_work_group_copy(t + 4, in + 4, 4, e);\n  \
         wait_group_events(1, &e);\n  out[get_local_id(0)] = t[3 - get_local_id(0)];\n  \
         barrier(CLK_LOCAL_MEM_FENCE);\n  t[get_local_id(0)] = 1;\n}",
        4,
        &[],
    );
}

#[test]
fn what_is_read_before_the_wait_races_with_the_copy() {
    finds(
        "kernel void k(global int *out, global const int *in, local int *t) {\n  \
         for (int i = get_local_id(0); i < 16; i += 4) t[i] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
         event_t e = async_work_group_copy(t, in, 16, 0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
         out[get_local_id(0)] = t[get_local_id(0)];\n  wait_group_events(1, &e);\n}",
        4,
        &["6: data race on `t`[0]: read here, write by an asynchronous copy that nobody has waited for"],
    );
}

#[test]
fn what_is_written_while_a_copy_reads_it_is_a_race() {
    finds(
        "kernel void k(global int *in, local int *t) {\n  event_t e = async_work_group_copy(t, in, 16, 0);\n  \
         in[get_local_id(0)] = 3;\n  wait_group_events(1, &e);\n}",
        4,
        &["3: data race on `in`[0] … write here, read by an asynchronous copy"],
    );
}

#[test]
fn copies_and_waits_must_be_the_same_in_all_work_items() {
    finds(
        "kernel void k(global const int *in, local int *t) {\n  \
         event_t e = async_work_group_copy(t, in, get_local_id(0) == 1 ? 1 : 4, 0);\n  wait_group_events(1, &e);\n}",
        4,
        &["2: divergent … an asynchronous copy"],
    );
    finds(
        "kernel void k(global const int *in, local int *t) {\n  event_t e[2];\n  \
         e[0] = async_work_group_copy(t, in, 2, 0);\n  e[1] = async_work_group_copy(t + 2, in + 2, 2, 0);\n  \
         wait_group_events(1, e + get_local_id(0) % 2);\n}",
        2,
        &["5: divergent … a wait for events", "3: … without waiting", "4: … without waiting"],
    );
}

#[test]
fn events_that_nobody_waits_for_and_waits_for_no_event() {
    finds(
        "kernel void k(global const int *in, local int *t) {\n  async_work_group_copy(t, in, 4, 0);\n}",
        4,
        &["2: the kernel ends without waiting for this asynchronous copy"],
    );
    finds(
        "kernel void k(global int *in) {\n  event_t e = 0;\n  wait_group_events(1, &e);\n}",
        4,
        &["3: this event is no event of an asynchronous copy"],
    );
}

#[test]
fn an_index_outside_of_an_array_inside_of_a_structure() {
    let source = "struct S { int a; char b[2]; char c[2]; };\nkernel void k(global int *out) {\n  struct S s = {1, {2, 3}, {4, 5}};\n  \
                  int i = get_global_id(0);\n  out[i] = s.b[i];\n}";
    finds(source, 2, &[]);
    finds(source, 4, &["5: out-of-bounds index 2 of an array of 2 elements"]);
}

#[test]
fn the_address_behind_an_array_is_no_access() {
    finds(
        "struct S { int b[4]; int c; };\nkernel void k(global int *out) {\n  struct S s = {{1, 2, 3, 4}, 5};\n  int sum = 0;\n  \
         for (int *p = s.b; p != &s.b[4]; p++) sum += *p;\n  out[get_global_id(0)] = sum;\n}",
        1,
        &[],
    );
}

#[test]
fn an_array_of_one_element_at_the_end_of_a_structure_stands_for_more() {
    finds(
        "struct S { int n; int b[1]; };\nkernel void k(global struct S *s, global int *out) {\n  out[0] = s->b[3];\n}",
        1,
        &[],
    );
}

#[test]
fn an_index_outside_of_the_whole_object_is_told_once() {
    finds(
        "kernel void k(global int *out) {\n  int t[4] = {1, 2, 3, 4};\n  out[0] = t[get_global_id(0) + 4];\n}",
        1,
        &["3: out-of-bounds read of 4 bytes"],
    );
}
