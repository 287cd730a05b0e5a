//! Code that was compiled for the interpreter's checks computes on this machine what it computes without them.

use runtime::{Arg, Device, HostDevice, HostOptions, NdRange, Program, Run};
use unspool::{Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// A reversal by way of asynchronous copies, barriers with flags, and an array inside of a structure.
const REVERSAL: &str = "struct S { int before; int b[4]; int after; };
kernel void k(global int *p) {
    local int in[32], out[32];
    int l = get_local_id(0), n = get_local_size(0);
    event_t e[2];
    e[0] = async_work_group_copy(in, (const global int *)p + n * get_group_id(0), n / 2, 0);
    e[1] = async_work_group_strided_copy(in + n / 2, (const global int *)p + n * get_group_id(0) + n / 2, n - n / 2, 1, 0);
    wait_group_events(2, e);
    struct S s = {1, {2, 3, 4, 5}, 6};
    out[n - 1 - l] = in[l] * s.b[l & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = out[l];
}";

fn ran(checks: bool, level: OptLevel, scalar: bool) -> Vec<i32> {
    let options = Options { checks, level, ..Options::host(Dialect::OpenClC { version: 120 }) };
    let mut c = compile(&Input::text("k.cl", REVERSAL), &options, &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    let said = |m: &ir::Module| {
        let is_check = |d: &ir::InstData| d.intrinsic().is_some_and(ir::Intrinsic::is_check);
        m.functions.values().any(|f| f.dfg.insts.values().any(is_check))
    };
    assert_eq!(said(&c.module), checks);
    let program = Program::new(std::mem::take(&mut c.module), options.dialect);
    let device = HostDevice::new(HostOptions { scalar, threads: Some(2), ..HostOptions::default() }).expect("a host");
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [96, 1, 1], local: [32, 1, 1] };
    let kernel = device.prepare_range(&program, "k", &range, &mut c.session).unwrap_or_else(|e| panic!("{e}"));
    let mut data: Vec<i32> = (0..96).collect();
    let args = [Arg::Pointer(data.as_mut_ptr().cast())];
    // SAFETY: the kernel stays within its buffer.
    unsafe { kernel.launch_range(&range, &args, &Run::default()) }.unwrap_or_else(|e| panic!("{e}"));
    data
}

#[test]
fn checked_code_computes_the_same_on_the_machine() {
    let want: Vec<i32> = (0..96).map(|i| (i / 32 * 32 + 31 - i % 32) * (2 + (31 - i % 32) % 4)).collect();
    for level in [OptLevel::O0, OptLevel::O3] {
        for scalar in [true, false] {
            for checks in [false, true] {
                assert_eq!(ran(checks, level, scalar), want, "{level:?}, scalar: {scalar}, checks: {checks}");
            }
        }
    }
}
