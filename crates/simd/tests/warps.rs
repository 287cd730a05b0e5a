//! Operations between the lanes of a warp, with a whole warp in the lanes of a vector, against the interpreter.

mod support;

use support::{A, Launch, compile, difference, f32s, i32s, int, options, run_groups, run_kernel, zeros};
use unspool::Dialect;

/// Runs the kernel in warps of 32; it must be made in vectors of whole warps, for every width of registers.
fn cuda(text: &str, launch: &Launch, args: &[A]) {
    for bits in [128, 512] {
        let (mut module, mut session) = compile(Dialect::CUDA, text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
        let expected = run_kernel(&module, kernel, launch, args);
        assert!(expected.is_ok(), "{:?}", expected.err());
        let mut o = options(launch);
        o.vectorise = true;
        o.machine.vector_bits = bits;
        let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
        let found = run_groups(&module, &host, launch, args);
        let text = || ir::print::function_to_text(&module, &module.functions[host.func]);
        if let Some(why) = difference(&expected, &found) {
            panic!("{bits} bits: {why}\n{}", text());
        }
        assert_eq!((host.lanes, &host.reason), (32, &None), "{}", text());
    }
}

#[test]
fn reductions_take_no_memory_and_no_cuts() {
    let text = "__global__ void k(int *out, const int *in) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int v = in[i];
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
        if (threadIdx.x % 32 == 0) out[i / 32] = v;
    }";
    let launch = Launch::line(2, 64);
    cuda(text, &launch, &[zeros(16), i32s(128)]);
    let scratch = |vectorise: bool| {
        let (mut module, mut session) = compile(Dialect::CUDA, text);
        let mut functions = module.functions.iter();
        let kernel = functions.find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let o = simd::Options { vectorise, ..options(&launch) };
        simd::work_group(&mut module, &mut session, kernel, &o).expect("covered").scratch.of([64, 1, 1])
    };
    assert!(scratch(true) < scratch(false), "{} and {}", scratch(true), scratch(false));
}

#[test]
fn reductions_across_warps_meet_in_shared_memory() {
    cuda(
        "__global__ void k(float *out, const float *in) {
            __shared__ float part[32];
            int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
            float v = in[blockIdx.x * blockDim.x + threadIdx.x];
            for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
            if (lane == 0) part[warp] = v;
            __syncthreads();
            if (warp == 0) {
                v = lane < blockDim.x / 32 ? part[lane] : 0.0f;
                for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
                if (lane == 0) out[blockIdx.x] = v;
            }
        }",
        &Launch::line(2, 96),
        &[zeros(8), f32s(192)],
    );
}

#[test]
fn scans_read_lower_lanes() {
    cuda(
        "__global__ void k(int *out, const int *in) {
            int lane = threadIdx.x & 31;
            int v = in[threadIdx.x];
            for (int d = 1; d < 32; d <<= 1) {
                int n = __shfl_up_sync(~0u, v, d);
                if (lane >= d) v += n;
            }
            out[threadIdx.x] = v;
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64)],
    );
}

#[test]
fn ballots_compact() {
    cuda(
        "__global__ void k(int *out, int *count, const int *in) {
            int v = in[threadIdx.x];
            bool keep = v & 4;
            unsigned m = __ballot_sync(~0u, keep);
            unsigned below;
            asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(below));
            int base = threadIdx.x & ~31;
            if (keep) out[base + __popc(m & below)] = v;
            if ((threadIdx.x & 31) == 0) count[threadIdx.x / 32] = __popc(m);
        }",
        &Launch::line(1, 64),
        &[zeros(256), zeros(8), i32s(64)],
    );
}

#[test]
fn every_shuffle_in_every_segment() {
    cuda(
        "__global__ void k(int *out, const int *in, int n) {
            int v = in[threadIdx.x], lane = threadIdx.x & 31;
            int r = __shfl_sync(~0u, v, v & 31) + 3 * __shfl_sync(~0u, v, n, 8) + 5 * __shfl_sync(~0u, v, lane + 1, 4);
            r += 7 * __shfl_up_sync(~0u, v, n, 16) + 11 * __shfl_down_sync(~0u, v, n, 8);
            r += 13 * __shfl_xor_sync(~0u, v, n, 2) + 17 * __shfl_xor_sync(~0u, v, 31);
            out[threadIdx.x] = r + 19 * __shfl_sync(~0u, n, 5);
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64), int(3)],
    );
}

#[test]
fn values_of_64_bits_and_floats_travel() {
    cuda(
        "__global__ void k(double *out, long long *also, const int *in) {
            double d = in[threadIdx.x] * 0.5;
            long long n = (long long)in[threadIdx.x] << 33 | 7;
            d += __shfl_xor_sync(~0u, d, 3);
            n ^= __shfl_down_sync(~0u, n, 1);
            out[threadIdx.x] = d;
            also[threadIdx.x] = n;
        }",
        &Launch::line(1, 32),
        &[zeros(256), zeros(256), i32s(32)],
    );
}

#[test]
fn divergent_sides_vote_among_themselves() {
    cuda(
        "__global__ void k(unsigned *out, const int *in) {
            int v = in[threadIdx.x], lane = threadIdx.x & 31;
            unsigned r;
            if (lane < 16) {
                r = __ballot_sync(0xffffu, v & 1) + __shfl_xor_sync(0xffffu, v, 1) + __popc(__activemask());
            } else {
                r = __ballot_sync(0xffff0000u, v & 2) * 3 + __all_sync(0xffff0000u, v > 100);
                if (lane & 1) r += __activemask() + 2 * __any_sync(0xaaaa0000u, v & 8);
            }
            out[threadIdx.x] = r;
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64)],
    );
}

#[test]
fn loops_that_lanes_leave_one_by_one() {
    cuda(
        "__global__ void k(unsigned *out, const int *in) {
            int n = in[threadIdx.x] & 7;
            unsigned r = 0;
            for (int k = 0; k < n; k++) r = r * 31 + __activemask();
            unsigned left = ~0u;
            while (left) {
                int leader = __ffs(left) - 1;
                int key = __shfl_sync(left, n, leader);
                unsigned same = __ballot_sync(left, key == n);
                if (key == n) { r += same * (key + 1); break; }
                left &= ~same;
            }
            out[threadIdx.x] = r;
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64)],
    );
}

#[test]
fn masks_of_their_own() {
    cuda(
        "__global__ void k(unsigned *out, const int *in) {
            int v = in[threadIdx.x], lane = threadIdx.x & 31;
            unsigned m = lane < 16 ? 0xffffu : 0xffff0000u;
            unsigned r = __ballot_sync(m, v & 1) + 3 * __any_sync(m, v & 16) + 5 * __all_sync(m, v > 2000);
            r += 7 * __reduce_add_sync(m, v) + 11 * __reduce_max_sync(m, v) + __reduce_xor_sync(m, v);
            r += __match_any_sync(m, v & 3);
            int all;
            r += __match_all_sync(m, lane < 16 ? 5 : v, &all) + 13 * all;
            __syncwarp(m);
            out[threadIdx.x] = r;
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64)],
    );
}

#[test]
fn reductions_and_matches_over_the_warp() {
    cuda(
        "__global__ void k(unsigned *out, const int *in, unsigned m) {
            int v = in[threadIdx.x] - 30000, lane = threadIdx.x & 31;
            unsigned r = __reduce_add_sync(~0u, v) + 3 * __reduce_min_sync(~0u, v) + 5 * __reduce_max_sync(~0u, v);
            r += 7 * __reduce_and_sync(~0u, v) + 11 * __reduce_or_sync(~0u, v) + 13 * __reduce_xor_sync(~0u, v);
            r += 17 * __reduce_min_sync(~0u, (unsigned)v) + 19 * __reduce_max_sync(~0u, (unsigned)v);
            r += 23 * __match_any_sync(~0u, v & 7) + 29 * __match_any_sync(~0u, (long long)v & 3);
            int all;
            r += __match_all_sync(~0u, 7, &all) + all;
            if (m >> lane & 1) r += 31 * __reduce_add_sync(m, v) + __match_any_sync(m, v & 1);
            out[threadIdx.x] = r;
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64), int(0x00ff_0ff1)],
    );
}

#[test]
fn lanes_that_have_ended_take_no_part() {
    cuda(
        "__global__ void k(unsigned *out, const int *in, int n) {
            int i = threadIdx.x;
            out[i] = 1;
            if (i >= n) return;
            out[i] = __activemask() + __ballot_sync(__activemask(), in[i] & 1);
        }",
        &Launch::line(1, 64),
        &[zeros(256), i32s(64), int(41)],
    );
}

#[test]
fn rows_and_planes_of_warps() {
    cuda(
        "__global__ void k(int *out, const int *in) {
            int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
            int v = in[i];
            v += __shfl_xor_sync(~0u, v, 9) * (__ballot_sync(~0u, v & 1) & 0xff);
            out[i] = v;
        }",
        &Launch::new([1, 1, 1], [32, 3, 2]),
        &[zeros(768), i32s(192)],
    );
}

/// What is no whole warp goes through memory, as before.
#[test]
fn rows_that_are_no_whole_warps() {
    let text = "__global__ void k(int *out, const int *in) {
        int i = threadIdx.y * blockDim.x + threadIdx.x;
        out[i] = __shfl_down_sync(__activemask(), in[i], 1);
    }";
    support::check(Dialect::CUDA, text, &Launch::new([1, 1, 1], [16, 4, 1]), &[zeros(256), i32s(64)]);
}

/// Warps of 64: as without vectors.
#[test]
fn warps_of_64() {
    let text = "__global__ void k(int *out, const int *in) {
        cudaLaneMask_t all = ~cudaLaneMask_t(0);
        int lane = threadIdx.x & 63, v = in[threadIdx.x];
        for (int d = 32; d > 0; d >>= 1) v += __shfl_xor_sync(all, v, d);
        v += __any_sync(all, lane == 60) + 2 * __all_sync(all, lane < 60) + 4 * __shfl_up_sync(all, lane, 40);
        if (lane >= 40) v += __reduce_add_sync(__activemask(), lane) + __popcll(__activemask());
        out[threadIdx.x] = v;
    }";
    let launch = Launch::line(1, 128);
    let args = [zeros(512), i32s(128)];
    let run = |vectorise: bool| {
        let target = target::Target::host().with_warp_size(64).expect("a warp");
        let (mut module, mut session) = support::compile_for(target, Dialect::CUDA, text);
        let mut functions = module.functions.iter();
        let kernel = functions.find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let o = simd::Options { vectorise, target, ..options(&launch) };
        let host = simd::work_group(&mut module, &mut session, kernel, &o).expect("covered");
        assert_eq!(host.lanes, if vectorise { 64 } else { 1 }, "{:?}", host.reason);
        run_groups(&module, &host, &launch, &args)
    };
    let (scalar, wide) = (run(false), run(true));
    assert!(scalar.is_ok(), "{:?}", scalar.err());
    assert_eq!(difference(&scalar, &wide), None);
}
