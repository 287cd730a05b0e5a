//! Kernels that would be too large to compile in one piece: what becomes of them, and that they compute the same.

use ir::Opcode;
use runtime::{Arg, Device, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// A function of `lines` statements over four numbers, and the same in Rust.
fn mix(lines: u32) -> (String, impl Fn(&mut [u32; 4])) {
    let mut text = "void mix(uint *s) {\n".to_owned();
    for n in 0..lines {
        let (a, b, c) = (n % 4, (n + 1) % 4, (n / 4 + 2) % 4);
        text += &format!("  s[{a}] = rotate(s[{a}] + (s[{b}] ^ s[{c}]), {}u) + {}u;\n", n % 31 + 1, n * 40503);
    }
    let run = move |s: &mut [u32; 4]| {
        for n in 0..lines {
            let (a, b, c) = ((n % 4) as usize, ((n + 1) % 4) as usize, ((n / 4 + 2) % 4) as usize);
            let sum = s[a].wrapping_add(s[b] ^ s[c]);
            s[a] = sum.rotate_left(n % 31 + 1).wrapping_add(n * 40503);
        }
    };
    (text + "}\n", run)
}

/// Runs a kernel on one buffer, in groups of 8.
fn launch(kernel: &dyn Kernel, groups: u32, data: &mut [u32]) {
    let shape = Shape { work_dim: 1, groups: [groups, 1, 1], local: [8, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    // SAFETY: the tests' kernels stay within their buffers.
    unsafe { kernel.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }.unwrap();
}

#[test]
fn functions_that_are_called_from_many_places_stay_calls() {
    let (mix, same) = mix(150);
    let calls = 40;
    // What waits for others is a part of the kernel.
    let text = format!(
        "{mix}
        void turn(uint *s, local uint *shared, uint t) {{
            shared[t] = s[0];
            barrier(CLK_LOCAL_MEM_FENCE);
            s[0] = shared[(t + 1) % 8];
            barrier(CLK_LOCAL_MEM_FENCE);
            mix(s); // `turn` with it is small enough to be a part of the kernel
        }}
        kernel void k(global uint *p) {{
            local uint shared[8];
            uint i = get_global_id(0), t = get_local_id(0);
            uint s[4] = {{ i, i * 3, 7, 9 }};
            turn(s, shared, t);
            {}
            p[i] = s[0] + s[1] + s[2] + s[3];
        }}",
        (0..calls).map(|n| format!("if (i % {} != 1) mix(s); else s[1] += {n};\n", n + 2)).collect::<String>()
    );
    let options = Options::host(Dialect::OPENCL);
    let mut c = compile(&Input::text("k", &*text), &options, &Emit::Nothing);
    assert!(c.succeeded());
    let kernel = &c.module.functions[c.module.find("k").unwrap()];
    let count = |op| {
        let insts = kernel.layout.blocks().flat_map(|b| kernel.layout.insts(b));
        insts.filter(|&i| kernel.dfg.op(i) == op).count()
    };
    assert_eq!((count(Opcode::Call), kernel.inst_count() < 4000), (calls, true));
    let program = Program::new(std::mem::take(&mut c.module), options.dialect);
    let device = HostDevice::new(HostOptions { threads: Some(1), ..HostOptions::default() }).unwrap();
    let made = device.prepare(&program, "k", [8, 1, 1], &mut c.session).unwrap();
    assert_eq!(made.prepared().lanes, 1);
    let reason = made.prepared().reason.as_deref();
    assert_eq!(reason, Some("it calls `mix`, which is not inlined"));
    let mut data = [0u32; 16];
    launch(&*made, 2, &mut data);
    for (i, &got) in data.iter().enumerate() {
        let i = i as u32;
        let mut s = [i / 8 * 8 + (i + 1) % 8, i.wrapping_mul(3), 7, 9];
        same(&mut s);
        for n in 0..calls as u32 {
            if i % (n + 2) == 1 { s[1] = s[1].wrapping_add(n) } else { same(&mut s) }
        }
        assert_eq!(got, s.iter().fold(0u32, |a, &b| a.wrapping_add(b)), "work-item {i}");
    }
}

/// Of these 255 were as many as could be written, and took LLVM 7 seconds.
#[test]
fn a_kernel_chooses_by_six_hundred_else_ifs() {
    let ways = 600;
    let way = |n: u32| format!("if (x == {}u) r = {}u;\nelse ", n * 3, n * 7919 % 1009);
    let chain: String = (0..ways).map(way).collect();
    let text = format!(
        "kernel void k(global uint *p) {{ uint i = get_global_id(0), x = p[i], r = 5; {chain} {{ p[i] = 1; r += x; }}
        p[i] += r; }}"
    );
    let options = Options::host(Dialect::OPENCL);
    let mut c = compile(&Input::text("k", &*text), &options, &Emit::Nothing);
    assert!(c.succeeded());
    let program = Program::new(std::mem::take(&mut c.module), options.dialect);
    let data: Vec<u32> = (0..1024).map(|i| i * 37 % 7001).collect();
    let found = |x: u32| if x.is_multiple_of(3) && x / 3 < ways { x + x / 3 * 7919 % 1009 } else { 1 + 5 + x };
    let want: Vec<u32> = data.iter().map(|&x| found(x)).collect();
    for scalar in [false, true] {
        let device = HostDevice::new(HostOptions { scalar, ..HostOptions::default() }).unwrap();
        let made = device.prepare(&program, "k", [8, 1, 1], &mut c.session).unwrap();
        let mut got = data.clone();
        launch(&*made, 128, &mut got);
        assert_eq!(got, want, "scalar: {scalar}");
    }
}

#[test]
fn kernels_of_very_many_barriers_run_one_work_item_after_another() {
    let turns = 160;
    let step = |n: u32| {
        format!("l[t] = r; barrier(CLK_LOCAL_MEM_FENCE); r = r * 3 + l[(t + {n}) & 7]; barrier(CLK_LOCAL_MEM_FENCE);\n")
    };
    let text = format!(
        "kernel void k(global uint *p) {{ local uint l[8]; uint t = get_local_id(0); uint r = p[get_global_id(0)];
        {} p[get_global_id(0)] = r; }}",
        (0..turns).map(step).collect::<String>()
    );
    let options = Options::host(Dialect::OPENCL);
    let mut c = compile(&Input::text("k", &*text), &options, &Emit::Nothing);
    assert!(c.succeeded());
    let program = Program::new(std::mem::take(&mut c.module), options.dialect);
    let device = HostDevice::new(HostOptions { threads: Some(1), ..HostOptions::default() }).unwrap();
    let made = device.prepare(&program, "k", [8, 1, 1], &mut c.session).unwrap();
    assert!(made.prepared().reason.as_deref().is_some_and(|r| r.contains("so many barriers")));
    let mut data: Vec<u32> = (0..8).map(|i| i * i + 1).collect();
    let mut want = data.clone();
    for n in 0..turns as usize {
        let before = want.clone();
        for t in 0..8 {
            want[t] = before[t].wrapping_mul(3).wrapping_add(before[(t + n) & 7]);
        }
    }
    launch(&*made, 1, &mut data);
    assert_eq!(data, want);
}

#[test]
fn what_llvm_does_not_finish_in_time_is_made_in_the_cheapest_way() {
    let text =
        "kernel void k(global uint *p) { uint i = get_global_id(0); for (uint n = 0; n < i; n++) p[i] += n * i; }";
    let options = Options::host(Dialect::OPENCL);
    let mut c = compile(&Input::text("k", text), &options, &Emit::Nothing);
    let program = Program::new(std::mem::take(&mut c.module), options.dialect);
    let none = HostOptions { threads: Some(1), llvm_limit: Some(std::time::Duration::ZERO), ..HostOptions::default() };
    let device = HostDevice::new(none).unwrap();
    let made = device.prepare(&program, "k", [8, 1, 1], &mut c.session).unwrap();
    assert_eq!(made.prepared().lanes, 1);
    let reason = made.prepared().reason.as_deref();
    assert_eq!(reason, Some("LLVM had not finished better code after 0ns of processor time"));
    let mut data = [1u32; 16];
    launch(&*made, 2, &mut data);
    assert!((0..16).all(|i| data[i as usize] == 1 + (0..i).map(|n| n * i).sum::<u32>()));
}
