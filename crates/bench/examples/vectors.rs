//! How fast kernels run on this machine, in vectors: `cargo run --profile fast -p unspool-bench --example vectors -- [NAME…]`.
//! `-1` runs work-items one after another, `-S NAME` prints what widening made of a kernel.

#![allow(clippy::print_stdout)]

use runtime::{Arg, Device, HostDevice, HostOptions, Program, Run, Shape};
use std::time::Duration;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// A kernel, its launch, the sizes of its buffers in floats, scalars, and what it does in units of 10⁹.
struct Case {
    name: &'static str,
    text: &'static str,
    groups: [u32; 3],
    local: [u32; 3],
    buffers: &'static [usize],
    scalars: &'static [i32],
    work: f64,
    unit: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "saxpy",
        text: "kernel void k(global float *y, global const float *x, int n, int bits) {
            int i = get_global_id(0); if (i < n) y[i] = as_float(bits) * x[i] + y[i]; }",
        groups: [65536, 1, 1],
        local: [256, 1, 1],
        buffers: &[1 << 24, 1 << 24],
        scalars: &[1 << 24, 0x3f80_0001],
        work: 3.0 * 4.0 * 16_777_216e-9,
        unit: "GB/s",
    },
    Case {
        name: "sgemm",
        text: "kernel void k(global float *c, global const float *a, global const float *b, int n) {
            int x = get_global_id(0), y = get_global_id(1); float s = 0;
            for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
            c[y * n + x] = s; }",
        groups: [64, 64, 1],
        local: [16, 16, 1],
        buffers: &[1 << 20, 1 << 20, 1 << 20],
        scalars: &[1024],
        work: 2.147,
        unit: "GFLOP/s",
    },
    Case {
        name: "nbody",
        text: "kernel void k(global float4 *out, global const float4 *p, int n) {
            int i = get_global_id(0); float4 me = p[i]; float3 a = (float3)(0.0f);
            for (int j = 0; j < n; j++) { float4 q = p[j]; float3 d = q.xyz - me.xyz;
                float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f); a += d * (q.w * r * r * r); }
            out[i] = (float4)(a, 0.0f); }",
        groups: [128, 1, 1],
        local: [64, 1, 1],
        buffers: &[8192 * 4, 8192 * 4],
        scalars: &[8192],
        work: 8192.0 * 8192.0 * 20e-9,
        unit: "GFLOP/s",
    },
    Case {
        name: "nbody_local",
        text: "kernel void k(global float4 *out, global const float4 *p, int n) {
            local float4 tile[64]; int i = get_global_id(0), l = get_local_id(0); float4 me = p[i]; float3 a = (float3)(0.0f);
            for (int t = 0; t < n; t += 64) { tile[l] = p[t + l]; barrier(CLK_LOCAL_MEM_FENCE);
                for (int j = 0; j < 64; j++) { float4 q = tile[j]; float3 d = q.xyz - me.xyz;
                    float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f); a += d * (q.w * r * r * r); }
                barrier(CLK_LOCAL_MEM_FENCE); }
            out[i] = (float4)(a, 0.0f); }",
        groups: [128, 1, 1],
        local: [64, 1, 1],
        buffers: &[8192 * 4, 8192 * 4],
        scalars: &[8192],
        work: 8192.0 * 8192.0 * 20e-9,
        unit: "GFLOP/s",
    },
    Case {
        name: "mandelbrot",
        text: "kernel void k(global int *out, int w, int h, int max) {
            int x = get_global_id(0), y = get_global_id(1); if (x >= w || y >= h) return;
            float cx = -2.0f + x * 3.0f / w, cy = -1.0f + y * 2.0f / h, zx = 0, zy = 0; int n = 0;
            while (n < max && zx * zx + zy * zy < 4.0f) { float t = zx * zx - zy * zy + cx; zy = 2.0f * zx * zy + cy; zx = t; n++; }
            out[y * w + x] = n; }",
        groups: [64, 64, 1],
        local: [16, 16, 1],
        buffers: &[1 << 20],
        scalars: &[1024, 1024, 256],
        work: 1.048_576,
        unit: "Gpixel/s",
    },
    Case {
        name: "convolution",
        text: "kernel void k(global float *out, global const float *in, constant float *f, int w) {
            int x = get_global_id(0), y = get_global_id(1); if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
            float s = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + j) * w + x + i] * f[(j + 1) * 3 + i + 1];
            out[y * w + x] = s; }",
        groups: [256, 256, 1],
        local: [16, 16, 1],
        buffers: &[1 << 24, 1 << 24, 16],
        scalars: &[4096],
        work: 2.0 * 4.0 * 16_777_216e-9,
        unit: "GB/s",
    },
    Case {
        name: "reduction",
        text: "kernel void k(global float *out, global const float *in, int n) {
            local float s[256]; int l = get_local_id(0); float v = 0;
            for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += in[i];
            s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
            for (int d = 128; d > 0; d >>= 1) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
            if (l == 0) out[get_group_id(0)] = s[0]; }",
        groups: [1024, 1, 1],
        local: [256, 1, 1],
        buffers: &[1024, 1 << 24],
        scalars: &[1 << 24],
        work: 4.0 * 16_777_216e-9,
        unit: "GB/s",
    },
    Case {
        name: "histogram",
        text: "kernel void k(global int *h, global const int *in, int n) {
            local int s[256]; int l = get_local_id(0); s[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
            for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&s[(in[i] >> 8) & 255]);
            barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&h[l], s[l]); }",
        groups: [256, 1, 1],
        local: [256, 1, 1],
        buffers: &[256, 1 << 24],
        scalars: &[1 << 24],
        work: 0.016_777_216,
        unit: "Gitem/s",
    },
    Case {
        name: "transpose",
        text: "kernel void k(global float *out, global const float *in, int n) {
            local float t[16][17]; int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
            t[ly][lx] = in[y * n + x]; barrier(CLK_LOCAL_MEM_FENCE);
            x = get_group_id(1) * 16 + lx; y = get_group_id(0) * 16 + ly; out[y * n + x] = t[lx][ly]; }",
        groups: [256, 256, 1],
        local: [16, 16, 1],
        buffers: &[1 << 24, 1 << 24],
        scalars: &[4096],
        work: 2.0 * 4.0 * 16_777_216e-9,
        unit: "GB/s",
    },
    Case {
        name: "blackscholes",
        text: "float cnd(float d) { float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
            float c = 0.3989423f * exp(-0.5f * d * d) * (k * (0.3193815f + k * (-0.3565638f + k * (1.781478f + k * (-1.821256f + k * 1.330274f)))));
            return d > 0 ? 1.0f - c : c; }
        kernel void k(global float *call, global float *put, global const float *s, global const float *x, int n) {
            int i = get_global_id(0); float S = fabs(s[i]) + 5.0f, X = fabs(x[i]) + 6.0f, T = 0.5f, R = 0.02f, V = 0.3f, q = sqrt(T);
            float d1 = (log(S / X) + (R + 0.5f * V * V) * T) / (V * q), d2 = d1 - V * q, e = exp(-R * T), a = cnd(d1), b = cnd(d2);
            call[i] = S * a - X * e * b; put[i] = X * e * (1.0f - b) - S * (1.0f - a); }",
        groups: [16384, 1, 1],
        local: [256, 1, 1],
        buffers: &[1 << 22, 1 << 22, 1 << 22, 1 << 22],
        scalars: &[1 << 22],
        work: 0.004_194_304,
        unit: "Goption/s",
    },
    Case {
        name: "bitonic",
        text: "kernel void k(global int *data) {
            local int s[256]; uint t = get_local_id(0), g = get_global_id(0); s[t] = data[g]; barrier(CLK_LOCAL_MEM_FENCE);
            for (uint k = 2; k <= 256; k *= 2) for (uint j = k / 2; j > 0; j /= 2) { uint o = t ^ j;
                if (o > t) { int a = s[t], b = s[o]; if ((a > b) == ((t & k) == 0)) { s[t] = b; s[o] = a; } }
                barrier(CLK_LOCAL_MEM_FENCE); }
            data[g] = s[t]; }",
        groups: [4096, 1, 1],
        local: [256, 1, 1],
        buffers: &[1 << 20],
        scalars: &[],
        work: 0.001_048_576,
        unit: "Gitem/s",
    },
    Case {
        name: "spmv",
        text: "kernel void k(global float *y, global const float *val, global const float *x, int rows) {
            int r = get_global_id(0); if (r >= rows) return; int from = (r * 13) % 4093 * 64, n = (r * 7) % 61; float s = 0;
            for (int j = from; j < from + n; j++) s += val[j] * x[(j * 17) & 65535]; y[r] = s; }",
        groups: [1024, 1, 1],
        local: [64, 1, 1],
        buffers: &[65536, 4096 * 64 + 64, 65536],
        scalars: &[65536],
        work: 65536.0 * 60e-9,
        unit: "GFLOP/s",
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let scalar = flags.iter().any(|f| f == "-1");
    for case in CASES.iter().filter(|c| names.is_empty() || names.iter().any(|n| n == c.name)) {
        if flags.iter().any(|f| f == "-S") {
            show(case)?;
        } else {
            run(case, scalar)?;
        }
    }
    Ok(())
}

fn show(case: &Case) -> Result<(), Box<dyn std::error::Error>> {
    let mut made = compile(&Input::text("k.cl", case.text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let kernel = made.module.find("k").ok_or("no kernel")?;
    let options = simd::Options {
        local_size: case.local.into(),
        target: target::Target::host(),
        vectorise: true,
        machine: simd::VectorIsa { vector_bits: 256, gathers: true, lines_at_once: 8, rows_at_once: 2 },
        rows: simd::Rows::X,
    };
    let host = simd::work_group(&mut made.module, &mut made.session, kernel, &options)?;
    println!("{}", ir::print::function_to_text(&made.module, &made.module.functions[host.func]));
    Ok(())
}

fn run(case: &Case, scalar: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut made = compile(&Input::text("k.cl", case.text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let program = Program::new(std::mem::take(&mut made.module), Dialect::OPENCL);
    let device = HostDevice::new(HostOptions { scalar, ..HostOptions::default() })?;
    let loaded = device.prepare(&program, "k", case.local, &mut made.session)?;
    let mut buffers: Vec<Vec<f32>> =
        case.buffers.iter().map(|&n| (0..n).map(|i| (i * 37 % 101) as f32 * 0.01).collect()).collect();
    let scalars: Vec<[u8; 4]> = case.scalars.iter().map(|n| n.to_le_bytes()).collect();
    let mut args: Vec<Arg<'_>> = buffers.iter_mut().map(|b| Arg::Pointer(b.as_mut_ptr().cast())).collect();
    args.extend(scalars.iter().map(|s| Arg::Value(s)));
    let shape = Shape { work_dim: 3, groups: case.groups, local: case.local, offset: [0; 3], dynamic_shared: 0 };
    let mut best = Duration::MAX;
    for _ in 0..7 {
        // SAFETY: the buffers are as large as the kernel and its launch ask for, and nobody else looks at them.
        best = best.min(unsafe { loaded.launch(&shape, &args, &Run::default())? });
    }
    let facts = loaded.prepared();
    let stages: Vec<String> = facts.stages.iter().map(|(n, t)| format!("{n} {:.1}", t.as_secs_f64() * 1e3)).collect();
    println!(
        "{:12} {:9.3} ms {:8.2} {:9} {:2} lanes; {} ms{}",
        case.name,
        best.as_secs_f64() * 1e3,
        case.work / best.as_secs_f64(),
        case.unit,
        facts.lanes,
        stages.join(", "),
        facts.reason.as_ref().map_or(String::new(), |r| format!("; {r}")),
    );
    Ok(())
}
