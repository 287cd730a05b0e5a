//! Vector data functions, shuffles, copies of work-groups and `printf`.

use crate::Program;
use interp::{Arg, LaunchConfig, Limits, Machine};
use unspool::OptLevel;

#[test]
fn halves_are_loaded_and_stored_in_every_mode() {
    let text = "kernel void k(global const float *x, global half *h, global float *r) {
            int i = get_global_id(0);
            local half own[64] __attribute__((aligned(8)));
            vstore_half(x[i], 0, h + i); r[6 * i] = vload_half(i, h);
            vstore_half_rte(x[i], i, h); r[6 * i + 1] = vload_half(i, h);
            vstore_half_rtz(x[i], i, h); r[6 * i + 2] = vload_half(i, h);
            vstore_half_rtp(x[i], i, h); r[6 * i + 3] = vload_half(i, h);
            vstore_half_rtn(x[i], i, h); r[6 * i + 4] = vload_half(i, h);
            vstorea_half3((float3)(x[i]), i, own); r[6 * i + 5] = vloada_half3(i, own).y;
        }";
    let program = Program::new(text, OptLevel::O3);
    let values: [f32; 10] = [0.0, 1.0, 1.0005, -1.0005, 65504.0, 65519.0, 1e-7, -3e-8, 0.1, f32::INFINITY];
    let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let halves = vec![0u8; values.len() * 2];
    let got = program.run("k", values.len() as u32, &[data, halves], values.len() * 24);
    let got: Vec<f32> = got.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("4 bytes"))).collect();
    // Every half, in order.
    let grid = |v: f32| -> (f32, f32) {
        let all = (0..0x7c01u16).map(|h| {
            let (e, m) = (i32::from(h >> 10), f32::from(h & 1023));
            if e == 31 {
                f32::INFINITY
            } else if e == 0 {
                m * 2f32.powi(-24)
            } else {
                (m + 1024.0) * 2f32.powi(e - 25)
            }
        });
        let all: Vec<f32> = all.collect();
        let at = all.partition_point(|&h| h <= v.abs());
        let (low, high) = (all[at - 1], if all[at - 1] == v.abs() { all[at - 1] } else { all[at] });
        if v < 0.0 { (-high, -low) } else { (low, high) }
    };
    for (v, r) in values.iter().zip(got.chunks(6)) {
        let (down, up) = grid(*v);
        let near = if up.is_infinite() && !v.is_infinite() {
            down
        } else if (up - v).abs() < (v - down).abs() {
            up
        } else {
            down
        };
        let zero = if v.abs() == *v { down } else { up };
        assert_eq!(r, [near, near, zero, up, down, near], "{v}");
    }
}

#[test]
fn shuffles_take_lanes_by_their_low_bits() {
    let text = "kernel void k(global int *r) {
        int4 a = (int4)(10, 11, 12, 13), b = (int4)(20, 21, 22, 23);
        vstore8(shuffle2(a, b, (uint8)(0, 7, 4, 3, 9, 15, 6, 1)), 0, r);
        vstore4(shuffle(a, (uint4)(3, 2, 5, 0)), 2, r);
        vstore2(shuffle((int16)(a, b, a, b), (uint2)(5, 31)), 6, r);
        r[14] = vec_step(int3); r[15] = vec_step(double16);
    }";
    let got = Program::new(text, OptLevel::O3).run("k", 1, &[], 64);
    let got: Vec<i32> = got.chunks(4).map(|b| i32::from_le_bytes(b.try_into().expect("4 bytes"))).collect();
    assert_eq!(got, [10, 23, 20, 13, 11, 23, 22, 11, 13, 12, 11, 10, 21, 23, 4, 16]);
}

#[test]
fn work_groups_copy_together() {
    let text = "kernel void k(global const int *g, global int *r) {
        local int tile[32];
        event_t e = async_work_group_copy(tile, g, 16, 0);
        e = async_work_group_strided_copy(tile + 16, g, 8, 3, e);
        wait_group_events(1, &e);
        int i = get_local_id(0);
        tile[i] += 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(r, tile, 24, 0);
        wait_group_events(1, &e);
    }";
    let data: Vec<u8> = (0..32i32).flat_map(i32::to_le_bytes).collect();
    let got = Program::new(text, OptLevel::O3).run("k", 8, &[data], 96);
    let got: Vec<i32> = got.chunks(4).map(|b| i32::from_le_bytes(b.try_into().expect("4 bytes"))).collect();
    let expected: Vec<i32> = (0..16).map(|i| i + if i < 8 { 100 } else { 0 }).chain((0..8).map(|i| i * 3)).collect();
    assert_eq!(got, expected);
}

#[test]
fn printf_prints_every_conversion_and_vectors() {
    let text = r#"kernel void k(int n, float x) {
        printf("%d|%5i|%-5u|%05d|%+d|%x|%#X|%o|%c|%%|%s\n", n, n, n, n, n, 255, 255, 8, 'z', "text");
        printf("%f|%.2f|%8.3e|%g|%A\n", x, x, x, x, 1.0f);
        printf("%v4f|%v2hld|%v3hlx|%v4hhd|%v2lu\n", (float4)(1.0f, 2.0f, 3.0f, x), (int2)(n, -1), (uint3)(10, 11, 12),
            (char4)(1, -2, 3, -4), (ulong2)(5, 6));
        printf("%ld %hd %hhd %p\n", 1L << 40, (short)-3, (char)-4, (global int *)0);
    }"#;
    let program = Program::new(text, OptLevel::O3);
    let mut machine = Machine::new(&program.0.module);
    let id = program.0.module.find("k").expect("the kernel");
    let args = [Arg::Value(42), Arg::Value(u64::from(1.5f32.to_bits()))];
    machine.launch(id, &LaunchConfig::items(1), &args, &Limits::default()).expect("it runs");
    let text = String::from_utf8(machine.take_output()).expect("text");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("42|   42|42   |00042|+42|ff|0XFF|10|z|%|text"));
    assert_eq!(lines.next(), Some("1.500000|1.50|1.500e+00|1.5|0X1P+0"));
    assert_eq!(lines.next(), Some("1.000000,2.000000,3.000000,1.500000|42,-1|a,b,c|1,-2,3,-4|5,6"));
    assert_eq!(lines.next().map(|l| l.starts_with("1099511627776 -3 -4 ")), Some(true), "{text}");
}
