//! Kernels that the processor stops: an error of the launch, on the caller's thread and on helpers, and nothing else.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use runtime::{Arg, Device, Error, FaultKind, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use std::sync::{Arc, Mutex};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const GROUPS: u32 = 4000;

fn kernel(device: &HostDevice, text: &str) -> Arc<dyn Kernel> {
    let mut c = compile(&Input::text("k", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    let program = Program::new(std::mem::take(&mut c.module), Dialect::OPENCL);
    device.prepare(&program, "k", [16, 1, 1], &mut c.session).unwrap_or_else(|e| panic!("{e}"))
}

fn launch(kernel: &Arc<dyn Kernel>, data: &mut [u64], print: &(dyn Fn(&[u8]) + Sync)) -> Result<(), Error> {
    let shape = Shape { work_dim: 1, groups: [GROUPS, 1, 1], local: [16, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    let run = Run { print: Some(print), ..Run::default() };
    // SAFETY: what the kernels do wrong is what is tested.
    unsafe { kernel.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &run) }.map(drop)
}

#[test]
fn a_wild_access_in_any_group_on_any_thread_is_an_error_of_its_launch() {
    // Work enough that helpers come; the group is the data's first number, and prints before it goes astray.
    let text = "kernel void k(global ulong *p) {
        ulong x = get_global_id(0) + 1, bad = p[0];
        for (int n = 0; n < 2000; ++n) x = x * 6364136223846793005UL + 1442695040888963407UL;
        if (get_group_id(0) == bad) { if (get_local_id(0) == 0) printf(\"here\\n\"); p[x | 1UL << 50] = 1; }
        p[1 + get_global_id(0)] = x;
    }";
    for (scalar, threads) in [(true, 1), (false, 1), (false, 4)] {
        let device =
            HostDevice::new(HostOptions { scalar, threads: Some(threads), ..HostOptions::default() }).expect("a host");
        let kernel = kernel(&device, text);
        let mut want = vec![0; 1 + 16 * GROUPS as usize];
        want[0] = u64::MAX;
        let printed = Mutex::new(Vec::new());
        let print = |text: &[u8]| printed.lock().expect("no panic").extend_from_slice(text);
        launch(&kernel, &mut want, &print).expect("no group goes astray");
        for bad in [0, 1, u64::from(GROUPS) / 2, u64::from(GROUPS) - 1] {
            let mut data = want.clone();
            data[0] = bad;
            match launch(&kernel, &mut data, &print) {
                Err(Error::Fault { kernel, kind: FaultKind::Memory(_), group, .. }) => {
                    assert_eq!((kernel.as_str(), group), ("k", [bad as u32, 0, 0]));
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(std::mem::take(&mut *printed.lock().expect("no panic")), b"here\n", "group {bad}");
            data[0] = u64::MAX;
            launch(&kernel, &mut data, &print).expect("later launches run");
            assert!(data == want);
        }
    }
}

#[test]
fn a_wild_copy_is_the_kernels() {
    let text = "typedef struct { int many[600]; } block;
    kernel void k(global ulong *p) {
        if (get_global_id(0) == 77) { global block *to = (global block *)0x1000; *to = *(global block *)p; }
    }";
    let device = HostDevice::new(HostOptions { threads: Some(1), ..HostOptions::default() }).expect("a host");
    let kernel = kernel(&device, text);
    let stopped = launch(&kernel, &mut vec![0; 16 * GROUPS as usize], &|_| {});
    let Err(e @ Error::Fault { .. }) = stopped else { panic!("{stopped:?}") };
    assert!(e.to_string().starts_with("kernel `k` accessed memory outside of its buffers"), "{e}");
    assert_eq!(e.diagnostic().code, "E0716");
}

#[test]
fn of_several_groups_that_fail_the_first_is_told_however_many_threads_run_them() {
    // From the group that is the data's first number on, all go astray; the later ones at once, the first after a while.
    let text = "kernel void k(global ulong *p) {
        ulong x = get_global_id(0) + 1, bad = p[0];
        if (get_group_id(0) <= bad) for (int n = 0; n < 2000; ++n) x = x * 6364136223846793005UL + 1442695040888963407UL;
        if (get_group_id(0) >= bad) p[x | 1UL << 50] = 1;
        p[1 + get_global_id(0)] = x;
    }";
    for threads in [1, 2, 3, 8] {
        let device = HostDevice::new(HostOptions { threads: Some(threads), ..HostOptions::default() }).expect("a host");
        let kernel = kernel(&device, text);
        let mut data = vec![0; 1 + 16 * GROUPS as usize];
        data[0] = u64::MAX;
        launch(&kernel, &mut data, &|_| ()).expect("no group goes astray");
        for first in [0, 7, 1234, u64::from(GROUPS) - 1] {
            data[0] = first;
            match launch(&kernel, &mut data, &|_| ()) {
                Err(Error::Fault { group, .. }) => assert_eq!(group, [first as u32, 0, 0], "{threads} threads"),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// It went over the frames of this process, which ended it.
#[test]
fn who_writes_far_beyond_a_private_array_is_an_error_of_its_launch() {
    let text = "kernel void k(global ulong *p) {
        uint own[16], n = get_group_id(0) == 77 ? (uint)p[0] : 16u;
        for (uint i = 0; i < n; ++i) own[i & 0xffffff] = (uint)(p[1] * i);
        uint sum = 0;
        for (uint i = 0; i < 16; ++i) sum += own[(i * 7 + (uint)p[1]) & 15];
        p[2 + get_global_id(0)] = sum;
    }";
    for (scalar, threads) in [(true, 1), (false, 1), (false, 4)] {
        let options = HostOptions { scalar, threads: Some(threads), ..HostOptions::default() };
        let device = HostDevice::new(options).expect("a host");
        let kernel = kernel(&device, text);
        let mut data = vec![0; 2 + 16 * GROUPS as usize];
        for far in [1 << 14, 1 << 20, 1 << 24] {
            (data[0], data[1]) = (far, 0x0101_0101);
            match launch(&kernel, &mut data, &|_| ()) {
                Err(Error::Fault { kernel, group, .. }) => assert_eq!((kernel.as_str(), group), ("k", [77, 0, 0])),
                other => panic!("{far} elements, {threads} threads: {other:?}"),
            }
            (data[0], data[1]) = (16, 3);
            launch(&kernel, &mut data, &|_| ()).expect("later launches run");
            assert!(data[2..].iter().all(|&sum| sum == 3 * 120));
        }
    }
}

/// `mtsieve` fills an array of 50 up to and with the 50th: elsewhere nothing happens, here the kernel returned to that number.
#[test]
fn who_writes_one_element_past_a_private_array_hurts_nobody() {
    let text = "kernel void k(global ulong *p) {
        ulong own[50], a = p[1], n = p[0];
        own[0] = 1;
        for (ulong i = 1; i <= n; i++) own[i] = own[i - 1] * a + i;
        ulong sum = 0;
        for (int i = 0; i < 50; i++) sum = sum * 3 + own[i * 7 % 50];
        p[2 + get_global_id(0)] = sum;
    }";
    for scalar in [true, false] {
        let device =
            HostDevice::new(HostOptions { scalar, threads: Some(1), ..HostOptions::default() }).expect("a host");
        let kernel = kernel(&device, text);
        let results = [49, 50].map(|n| {
            let mut data = vec![0; 2 + 16 * GROUPS as usize];
            (data[0], data[1]) = (n, 3);
            launch(&kernel, &mut data, &|_| ()).unwrap_or_else(|e| panic!("{n}: {e}"));
            data.split_off(2)
        });
        assert!(results[0] == results[1]);
    }
}
