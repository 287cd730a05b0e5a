//! Kernels whose work-items or work-groups wait for each other in loops: they end, with the right numbers, whatever the number
//! of threads; and only those that need it do without vectors.

use runtime::{Arg, Device, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use std::sync::Arc;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

fn prepared(threads: usize, text: &str, local: [u32; 3]) -> Arc<dyn Kernel> {
    let mut c = compile(&Input::text("k", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    let program = Program::new(std::mem::take(&mut c.module), Dialect::OPENCL);
    let device = HostDevice::new(HostOptions { threads: Some(threads), ..HostOptions::default() }).expect("a host");
    device.prepare(&program, "k", local, &mut c.session).unwrap_or_else(|e| panic!("{e}"))
}

/// What a kernel leaves in a buffer of zeros, run by so many threads.
fn left(threads: usize, text: &str, groups: u32, local: u32) -> Vec<u32> {
    let kernel = prepared(threads, text, [local, 1, 1]);
    let mut data = vec![0u32; 2048];
    let shape = Shape { work_dim: 1, groups: [groups, 1, 1], local: [local, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    // SAFETY: the tests' kernels stay within 2048 numbers.
    unsafe { kernel.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }
        .unwrap_or_else(|e| panic!("{e}"));
    data
}

/// Groups and work-items of a group, and threads.
const SIZES: [(u32, u32); 3] = [(2, 1), (2, 32), (12, 16)];

#[test]
fn a_barrier_of_all_groups_ends_with_fewer_threads_than_groups() {
    let text = "kernel void k(global int *p) {
        int n = get_num_groups(0), t = get_local_id(0);
        for (int r = 1; r <= 5; r++) {
            barrier(CLK_GLOBAL_MEM_FENCE);
            if (t == 0) { atomic_inc(p); while (atomic_add(p, 0) < n * r); }
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
        p[1 + get_global_id(0)] = p[0];
    }";
    for (groups, local) in SIZES {
        for threads in [1, 2, 3] {
            let data = left(threads, text, groups, local);
            let all = 1 + (groups * local) as usize;
            assert!(data[1..all].iter().all(|&n| n == 5 * groups), "{groups} of {local}, {threads} threads: {data:?}");
        }
    }
}

#[test]
fn the_first_groups_may_wait_for_the_last() {
    let text = "kernel void k(volatile global int *p) {
        if (get_group_id(0) == get_num_groups(0) - 1) p[0] = 7; else while (p[0] == 0);
        p[1 + get_global_id(0)] = p[0];
    }";
    for (groups, local) in SIZES {
        for threads in [1, 2] {
            let data = left(threads, text, groups, local);
            assert!(data[..1 + (groups * local) as usize].iter().all(|&n| n == 7), "{groups} of {local}");
        }
    }
}

#[test]
fn work_items_of_a_group_may_wait_for_those_before_them() {
    let texts = [
        "kernel void k(global int *p) {
            int i = get_global_id(0), v = 1;
            if (i > 0) while ((v = atomic_add(&p[i - 1], 0)) == 0);
            atomic_xchg(&p[i], v + 1);
        }",
        "kernel void k(volatile global int *p) {
            int i = get_global_id(0), v = 1;
            if (i > 0) do v = p[i - 1]; while (!v);
            p[i] = v + 1;
        }",
        "kernel void k(global int *p) {
            int i = get_global_id(0), v = 1;
            while (i > 0) { mem_fence(CLK_GLOBAL_MEM_FENCE); v = p[i - 1]; if (v) break; }
            p[i] = v + 1;
        }",
    ];
    for text in texts {
        for (groups, local) in SIZES {
            let data = left(2, text, groups, local);
            assert!(data.iter().take((groups * local) as usize).enumerate().all(|(i, &v)| v == i as u32 + 2), "{text}");
        }
    }
}

#[test]
fn work_items_of_a_group_may_take_a_lock_one_after_another() {
    let texts = [
        "kernel void k(global int *p) {
            while (atomic_cmpxchg(p, 0, 1) != 0);
            *(volatile global int *)(p + 1) += get_global_id(0);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(p, 0);
        }",
        "kernel void k(global int *p) {
            for (bool done = false; !done;)
                if (atomic_xchg(p, 1) == 0) {
                    *(volatile global int *)(p + 1) += get_global_id(0);
                    mem_fence(CLK_GLOBAL_MEM_FENCE);
                    atomic_xchg(p, 0);
                    done = true;
                }
        }",
    ];
    for text in texts {
        for (groups, local) in SIZES {
            let n = groups * local;
            assert_eq!(left(2, text, groups, local)[1], n * (n - 1) / 2, "{text}");
        }
    }
}

#[test]
fn only_kernels_whose_lanes_would_wait_for_each_other_lose_their_vectors() {
    let kept = [
        // One work-item waits for another group.
        "if (get_local_id(0) == 0) while (atomic_add(p, 0) == 0); p[i] = i;",
        // Work is taken, a place of a table is looked for, a sum is made.
        "int n; while ((n = atomic_inc(p)) < 1000) p[n & 63] = i;",
        "int h = i; while (atomic_cmpxchg(&p[h & 63], 0, i) != 0) h++;",
        "int o, n; do { o = p[i & 7]; n = o + i; } while (atomic_cmpxchg(&p[i & 7], o, n) != o);",
        // A flag ends no loop.
        "volatile global int *v = p; for (int n = 0; n < 9; n++) if (v[0]) p[i] += n;",
    ];
    let lost = [
        "while (atomic_cmpxchg(p, 0, 1) != 0); p[1] += i; atomic_xchg(p, 0);",
        // Of the lanes that add to one number one succeeds at a time.
        "int o, n; do { o = *(volatile global int *)p; n = o + i; } while (atomic_cmpxchg(p, o, n) != o);",
    ];
    let lanes = |body: &str| {
        let text = format!("kernel void k(global int *p) {{ int i = get_global_id(0); {body} }}");
        prepared(1, &text, [64, 1, 1]).prepared().lanes
    };
    for body in kept {
        assert!(lanes(body) > 1, "{body}");
    }
    for body in lost {
        assert_eq!(lanes(body), 1, "{body}");
    }
}
