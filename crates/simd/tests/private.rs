//! Private variables whose addresses live across barriers: each work-item's pointers lead to its own.

mod support;

use support::{A, Launch, check_levels, i32s, int, zeros};
use unspool::Dialect;

/// Groups of one, two and three dimensions, and ones that do not fill a vector.
const BLOCKS: [[u32; 3]; 5] = [[2, 1, 1], [16, 1, 1], [5, 3, 1], [4, 2, 3], [1, 4, 1]];

/// Runs a kernel `k(global int *out, global const int *in, int n)` whose variables `i` and `l` are the global and the
/// local linear id, at every level, for every shape of group.
fn every_way(functions: &str, body: &str) {
    let text = format!(
        "{functions}
        kernel void k(global int *out, global const int *in, int n) {{
            int l = get_local_linear_id(), i = get_group_id(0) * get_local_size(0) * get_local_size(1) * get_local_size(2) + l;
            {body}
        }}"
    );
    for block in BLOCKS {
        let items = 2 * block.iter().product::<u32>() as usize;
        let args: [A; 3] = [zeros(items * 4), i32s(items), int(3)];
        check_levels(Dialect::OPENCL, &text, &Launch::new([2, 1, 1], block), &args);
    }
}

#[test]
fn pointers_given_to_functions_with_barriers_lead_to_the_own_variable() {
    every_way(
        "void f(int *p, int l) { barrier(CLK_LOCAL_MEM_FENCE); *p = 1 - l; }",
        "int t = 7; f(&t, l); out[i] = t;",
    );
    // Through several functions, and used between barriers.
    every_way(
        "void g(int *p, int *q) { *p += 1; barrier(CLK_LOCAL_MEM_FENCE); *q += *p; }
        void f(int *p, int l) { int own = l; g(p, &own); barrier(CLK_LOCAL_MEM_FENCE); g(&own, p); }",
        "int t = in[i]; f(&t, l); out[i] = t;",
    );
}

#[test]
fn chosen_pointers_lead_to_the_own_variable_after_a_barrier() {
    for choice in ["n > 2 ? &t : &u", "l & 1 ? &t : &u", "a[n & 1]", "a[l & 1]", "s.p", "&v[l & 3]", "v + n"] {
        let body = format!(
            "struct S {{ int x; int *p; }};
            int t = l, u = in[i], v[4] = {{l, 2, 3, i}};
            int *a[2] = {{&t, &u}};
            struct S s = {{3, &u}};
            int *p = {choice};
            barrier(CLK_LOCAL_MEM_FENCE);
            *p += 5;
            barrier(CLK_LOCAL_MEM_FENCE);
            *a[n & 1] += *p; *s.p ^= 3;
            out[i] = t + u * 3 + v[0] * 5 + v[l & 3] * 7 + v[3];"
        );
        every_way("", &body);
    }
}

#[test]
fn pointers_that_loops_with_barriers_carry_lead_to_the_own_variable() {
    every_way(
        "",
        "int v[4] = {l, 2, 3, i}, t = 0;
        int *p = v, *q = &t;
        for (int k = 0; k < n; k++) {
            *p += k + l;
            barrier(CLK_LOCAL_MEM_FENCE);
            *q += *p;
            p++;
            int *r = p; p = k == 1 ? q : p; q = k == 1 ? r : q;
        }
        out[i] = v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7 + t * 11;",
    );
}

#[test]
fn pointers_of_pointers_lead_to_the_own_variable() {
    every_way(
        "void f(int **p, int *q, int n) { if (n > 1) *p = q; barrier(CLK_LOCAL_MEM_FENCE); **p += 2; }",
        "int t = l, u = in[i]; int *p = &t; f(&p, &u, n); *p += 3; f(&p, &t, l); *p += 7; out[i] = t * 3 + u;",
    );
}

/// Addresses as numbers, and compared.
#[test]
fn compared_addresses_are_those_of_the_own_variable() {
    every_way(
        "",
        "int t = l, u = in[i]; int *p = n > 2 ? &t : &u; size_t a = (size_t)&t;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = (p == &t) + 2 * (a == (size_t)p) + *(int *)a;",
    );
}

/// Elements of a packed structure overlap in no other than their own work-item's copy.
#[test]
fn unaligned_elements_of_private_arrays_stay_the_own() {
    every_way(
        "struct __attribute__((packed)) P { short a; int b; int c; };
        union U { struct __attribute__((packed)) { short pad; int high; } p; int low; };",
        "union U u; u.p.high = in[i]; u.low = l; struct P v[2] = {{1, l, i}, {2, i, l}};
        barrier(CLK_LOCAL_MEM_FENCE);
        u.low += 70000 * l; v[l & 1].b += n;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = u.p.high + v[0].b * 3 + v[1].b * 5 + v[1].c;",
    );
}

/// Elements of private arrays that stand side by side are less aligned than the arrays.
#[test]
fn interleaved_elements_claim_no_more_alignment_than_they_have() {
    let text = "kernel @k(ptr<global> align 4 \"out\") {
          slot0: size 16 align 16 \"a\"
        block0(v0: ptr<global>):
          v1: i32 = special tid.x
          store align 16 &slot0, v1
          intrinsic barrier i32:0
          v2: i32 = load align 16 &slot0
          v3: i64 = zext v1
          v4: i64 = mul v3, i64:4
          v5: ptr<global> = ptradd v0, v4
          store align 4 v5, v2
          return
        }";
    let mut module = ir::parse::parse_module(text).expect("valid");
    let kernel = module.find("k").expect("it is there");
    let launch = Launch::line(2, 7);
    let expected = support::run_kernel(&module, kernel, &launch, &[zeros(28)]);
    let mut session = source::Session::default();
    let host = simd::work_group(&mut module, &mut session, kernel, &support::options(&launch)).expect("covered");
    let found = support::run_groups(&module, &host, &launch, &[zeros(28)]);
    assert!(expected.is_ok());
    assert_eq!(support::difference(&expected, &found), None);
}
