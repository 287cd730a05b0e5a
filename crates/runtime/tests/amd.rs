//! Code objects for AMD GPUs: what their notes say, which instructions stand for what, and what is refused.

use llvm::{KernelNote, Notes, read_notes};
use runtime::AmdBackend;
use target::Target;
use target::amd::{AmdArch, Offload};
use unspool::{Compilation, Dialect, Emit, Input, OptLevel, Options, Product, compile_with_log as compile};

fn gpu(name: &str) -> Target {
    AmdArch::parse(name).expect("a GPU").target()
}

fn options(dialect: Dialect, target: Target) -> Options {
    let mut options = Options::new(dialect);
    options.target = target;
    options.kernel_info = true;
    options.backends.register(&AmdBackend);
    options
}

fn made(text: &str, options: &Options, product: Product) -> Compilation {
    compile(&Input::text("k.cl", text), options, &Emit::Product(product))
}

fn messages(c: &Compilation) -> Vec<String> {
    c.session.diagnostics.iter().map(|d| d.message.clone()).collect()
}

/// The bytes of a product that must come out.
fn bytes(text: &str, options: &Options, product: Product) -> Vec<u8> {
    let c = made(text, options, product);
    let Some(a) = c.artefacts.first() else { panic!("{:?}", messages(&c)) };
    a.as_bytes().to_vec()
}

fn assembly(dialect: Dialect, target: Target, text: &str) -> String {
    String::from_utf8(bytes(text, &options(dialect, target), Product::ASSEMBLY)).expect("text")
}

fn notes(text: &str, options: &Options) -> Notes {
    read_notes(&bytes(text, options, Product::OBJECT)).expect("notes")
}

fn kernel<'a>(notes: &'a Notes, name: &str) -> &'a KernelNote {
    notes.kernels.iter().find(|k| k.name == name).unwrap_or_else(|| panic!("no `{name}` in {notes:?}"))
}

const SUM: &str = "kernel __attribute__((reqd_work_group_size(64, 2, 1)))
void sum(global const float *restrict in, global float *out, local float *tmp, constant int *table, const uint n) {
    size_t l = get_local_id(0);
    tmp[l] = in[get_global_id(0)] * table[l & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s; s >>= 1) { if (l < s) tmp[l] += tmp[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0 && n) out[get_group_id(0)] = tmp[0];
}";

#[test]
fn notes_say_what_a_loader_needs() {
    let n = notes(SUM, &options(Dialect::OPENCL, gpu("gfx90a")));
    assert_eq!((n.target.as_str(), n.version), ("amdgcn-amd-amdhsa--gfx90a", (1, 2)));
    let k = kernel(&n, "sum");
    let args: Vec<_> = k
        .args
        .iter()
        .filter(|a| !a.name.is_empty())
        .map(|a| (a.name.as_str(), a.type_name.as_str(), a.value_kind.as_str(), a.offset, a.size))
        .collect();
    assert_eq!(
        args,
        [
            ("in", "float*", "global_buffer", 0, 8),
            ("out", "float*", "global_buffer", 8, 8),
            ("tmp", "float*", "dynamic_shared_pointer", 16, 4),
            ("table", "int*", "global_buffer", 24, 8),
            ("n", "uint", "by_value", 32, 4),
        ]
    );
    // Ids count from the launch's offset, which is the only hidden argument that is used; all before it are listed.
    assert!(k.args.iter().any(|a| a.value_kind == "hidden_global_offset_x" && a.offset == 40 + 40));
    assert_eq!((k.reqd_workgroup_size, k.max_flat_workgroup_size), (Some([64, 2, 1]), 128));
    assert_eq!((k.wavefront_size, k.language.as_str(), k.symbol.as_str()), (64, "OpenCL C", "sum.kd"));
    assert!(k.vgpr_count > 0 && k.sgpr_count > 0 && k.kernarg_segment_size >= 36);
    assert_eq!((k.private_segment_fixed_size, k.vgpr_spill_count, k.uses_dynamic_stack), (0, 0, false));
}

#[test]
fn hidden_arguments_that_nobody_asks_for_are_not_there() {
    let text = "extern \"C\" __global__ void k(int *p, int n) { p[threadIdx.x] = n; }";
    let n = notes(text, &options(Dialect::CUDA, gpu("gfx942")));
    let k = kernel(&n, "k");
    assert!(k.args.iter().all(|a| !a.value_kind.starts_with("hidden_")), "{:?}", k.args);
    assert_eq!((k.kernarg_segment_size, k.max_flat_workgroup_size), (12, 1024));
}

#[test]
fn versions_of_the_format() {
    let mut o = options(Dialect::OPENCL, gpu("gfx1100"));
    for (version, note) in [(4, (1, 1)), (5, (1, 2)), (6, (1, 2))] {
        o.code.code_object = Some(version);
        let object = bytes(SUM, &o, Product::OBJECT);
        assert_eq!(u32::from(object[8]), version - 2, "the ABI version in the ELF header");
        assert_eq!(read_notes(&object).expect("notes").version, note);
    }
    o.code.code_object = Some(3);
    assert!(messages(&made(SUM, &o, Product::OBJECT))[0].contains("4, 5 and 6 can be made"));
}

#[test]
fn settings_of_the_machine() {
    let mut o = options(Dialect::OPENCL, gpu("gfx90a"));
    o.code.offload = Some(Offload::parse("gfx90a:xnack+:sramecc-").expect("well formed"));
    assert_eq!(notes(SUM, &o).target, "amdgcn-amd-amdhsa--gfx90a:sramecc-:xnack+");
}

#[test]
fn neighbours_in_group_memory_are_read_together() {
    let text = "extern \"C\" __global__ void k(float *p) { __shared__ float t[256]; t[threadIdx.x] = p[threadIdx.x];
        __syncthreads(); float *r = t + 4 * (threadIdx.x & 15); p[threadIdx.x] = r[0] * r[1] + r[2] * r[3]; }";
    for name in ["gfx90a", "gfx1100"] {
        let asm = assembly(Dialect::CUDA, gpu(name), text);
        assert!(asm.contains("ds_read_b128") || asm.contains("ds_load_b128"), "{asm}");
    }
}

#[test]
fn launch_bounds_bound_groups_and_registers() {
    let text = "extern \"C\" __global__ void __launch_bounds__(128, 16) k(float *p) { p[threadIdx.x] = 1; }";
    let o = options(Dialect::CUDA, gpu("gfx90a"));
    assert_eq!(kernel(&notes(text, &o), "k").max_flat_workgroup_size, 128);
    let ir = String::from_utf8(bytes(text, &o, Product::LLVM_IR)).expect("text");
    // 16 groups of two waves over four SIMDs.
    assert!(ir.contains("\"amdgpu-waves-per-eu\"=\"8\""), "{ir}");
    assert!(ir.contains("\"uniform-work-group-size\"=\"true\""));
}

#[test]
fn variables_are_found_by_their_names() {
    let text = "__device__ int counter = 3; __constant__ float table[2] = {1, 2};
        extern \"C\" __global__ void k(float *p) { p[threadIdx.x] = table[threadIdx.x & 1] + counter++; }";
    let s = assembly(Dialect::CUDA, gpu("gfx1100"), text);
    for name in ["counter", "table"] {
        assert!(s.contains(&format!("\t.protected\t{name}")) && s.contains(&format!("\t.globl\t{name}")), "{s}");
    }
}

#[test]
fn memory_is_reached_through_its_own_instructions() {
    let s = assembly(Dialect::OPENCL, gpu("gfx90a"), SUM);
    for what in ["ds_write_b32", "ds_read", "s_barrier", "global_load_dword", "global_store_dword"] {
        assert!(s.contains(what), "no {what} in {s}");
    }
    assert!(!s.contains("\tflat_"), "{s}");
    // CUDA's plain pointers are global ones where a kernel gets them, whatever becomes of them.
    let text = "extern \"C\" __global__ void k(int *a, int *b, int n) {
        int *p = a; for (int i = 0; i < n; i++) { *p += i; p = p == a ? b : a; } }";
    assert!(!assembly(Dialect::CUDA, gpu("gfx942"), text).contains("\tflat_"));
}

#[test]
fn atomics_have_scopes() {
    let text = "extern \"C\" __global__ void k(int *p, int *o) { o[0] = p[0]; __threadfenceSCOPE(); o[1] = p[1]; }";
    let of = |scope: &str| {
        let s = assembly(Dialect::CUDA, gpu("gfx942"), &text.replace("SCOPE", scope));
        s.split(".section").next().unwrap_or_default().to_owned()
    };
    let (group, device, system) = (of("_block"), of(""), of("_system"));
    // What a group shares, its compute unit has; caches of the device are written back for others to see.
    assert!(!group.contains("buffer_wbl2 sc1") && !group.contains("buffer_inv sc1"), "{group}");
    assert!(device.contains("buffer_wbl2 sc1") && device.contains("buffer_inv sc1"), "{device}");
    assert!(system.contains("buffer_wbl2 sc0 sc1") && system.contains("buffer_inv sc0 sc1"), "{system}");
}

#[test]
fn floats_are_added_by_an_instruction_where_there_is_one() {
    let text = "extern \"C\" __global__ void k(float *p) { atomicAdd(p, 1.0f); }";
    assert!(assembly(Dialect::CUDA, gpu("gfx942"), text).contains("global_atomic_add_f32"));
    assert!(assembly(Dialect::CUDA, gpu("gfx90a"), text).contains("global_atomic_cmpswap"));
}

#[test]
fn warps_are_waves_or_halves_of_them() {
    let text = "extern \"C\" __global__ void k(unsigned long long *p) {
        p[threadIdx.x] = __ballot_sync(~cudaLaneMask_t(0), p[threadIdx.x] > 3) + warpSize; }";
    let gfx90a = gpu("gfx90a");
    let halves = assembly(Dialect::CUDA, gfx90a, text);
    // The half's bits are shifted down.
    assert!(halves.contains("v_mbcnt_lo") && halves.contains("v_lshrrev_b64"), "{halves}");
    let whole = assembly(Dialect::CUDA, gfx90a.with_warp_size(64).expect("there are"), text);
    assert!(!whole.contains("v_lshrrev_b64") && !whole.contains("v_mbcnt"), "{whole}");
    let gfx1100 = AmdArch::parse("gfx1100").expect("a GPU");
    let wide = gfx1100.target_with_waves(64).and_then(|t| t.with_warp_size(64)).expect("there are");
    let o = options(Dialect::CUDA, wide);
    assert_eq!(kernel(&notes(text, &o), "k").wavefront_size, 64);
    assert_eq!(kernel(&notes(text, &options(Dialect::CUDA, gfx1100.target())), "k").wavefront_size, 32);
}

#[test]
fn masks_of_64_lanes_in_inline_assembly_were_an_internal_error() {
    let text = "extern \"C\" __global__ void k(unsigned *p, unsigned long long *q) {
        unsigned below, other; unsigned long long votes;
        asm volatile(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(below));
        asm volatile(\"shfl.sync.bfly.b32 %0, %1, 1, 63, -1;\" : \"=r\"(other) : \"r\"(below));
        asm volatile(\"{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b64 %0, p, -1; }\" : \"=l\"(votes) : \"r\"(other));
        p[threadIdx.x] = below + other; q[threadIdx.x] = votes; }";
    let whole = assembly(Dialect::CUDA, gpu("gfx90a").with_warp_size(64).expect("there are"), text);
    assert!(whole.contains("ds_bpermute_b32") && whole.contains("v_cmp_ne_u32"), "{whole}");
    // The register has the mask's lower half: what is stored is as wide as the variable.
    assert!(whole.contains("global_store_dword v") && whole.contains("global_store_dwordx2 v"), "{whole}");
}

#[test]
fn shuffles_reach_as_far_as_warps() {
    let text = "extern \"C\" __global__ void k(int *p) {
        p[threadIdx.x] = __shfl_down_sync(~cudaLaneMask_t(0), p[threadIdx.x], 1); }";
    assert!(assembly(Dialect::CUDA, gpu("gfx90a"), text).contains("ds_bpermute_b32"));
    let wide = |name: &str| {
        let arch = AmdArch::parse(name).expect("a GPU");
        arch.target_with_waves(64).and_then(|t| t.with_warp_size(64)).expect("there are")
    };
    // From gfx10 on, lanes of the other half have to be swapped in first.
    assert!(assembly(Dialect::CUDA, wide("gfx1100"), text).contains("v_permlane64_b32"));
    // gfx10 has no instruction for that, and shuffles were refused.
    let asm = assembly(Dialect::CUDA, wide("gfx1030"), text);
    let count = |what: &str| asm.matches(what).count();
    assert_eq!((count("v_readlane_b32"), count("v_writelane_b32"), count("ds_bpermute_b32")), (64, 64, 2), "{asm}");
    bytes(text, &options(Dialect::CUDA, wide("gfx1030")), Product::OBJECT);
}

/// Fused multiplication and addition took a hundred instructions in double precision; quotients were LLVM 19's of half precision,
/// which are not always rounded right.
#[test]
fn half_precision_is_fused_by_an_instruction_and_divided_in_single_precision() {
    let text = "#include <cuda_fp16.h>
__global__ void k(const __half2 *a, __half2 *b, __half *d) {
    int i = threadIdx.x;
    b[i] = __hfma2(a[i], b[i], a[i + 1]);
    d[i] = __hdiv(d[i + 40], d[i + 80]);
}";
    for name in ["gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1201"] {
        let asm = assembly(Dialect::CUDA, gpu(name), text);
        assert!(asm.contains("v_pk_fma_f16") && !asm.contains("_f64"), "{name}: {asm}");
        assert!(asm.contains("v_div_fixup_f32") && !asm.contains("v_div_fixup_f16"), "{name}: {asm}");
        // What a text may contain machine code need not have.
        bytes(text, &options(Dialect::CUDA, gpu(name)), Product::OBJECT);
    }
}

#[test]
fn products_of_four_bytes_are_an_instruction() {
    let text = "extern \"C\" __global__ void k(const int *a, const unsigned *b, int *c, unsigned *d) {
        int i = threadIdx.x; c[i] = __dp4a(a[i], a[i + 64], c[i]); d[i] = __dp4a(b[i], b[i + 64], d[i]); }";
    for arch in target::amd::ARCHS.iter().filter(|a| a.name != "gfx900") {
        let asm = assembly(Dialect::CUDA, arch.target(), text);
        assert!(asm.contains("v_dot4_u32_u8"), "{}: {asm}", arch.name);
        assert!(["v_dot4_i32_i", "v_dot4c_i32_i8"].iter().any(|w| asm.contains(w)), "{}: {asm}", arch.name);
        bytes(text, &options(Dialect::CUDA, arch.target()), Product::OBJECT);
    }
}

const MATRICES: &str = "#include <mma.h>
using namespace nvcuda::wmma;
template <class T, class S> __device__ void product(const T *h, S *f) {
    fragment<matrix_a, 16, 16, 16, T, row_major> a;
    fragment<matrix_b, 16, 16, 16, T, col_major> b;
    fragment<accumulator, 16, 16, 16, S> c;
    fill_fragment(c, 0);
    load_matrix_sync(a, h, 16);
    load_matrix_sync(b, h + 256, 16);
    mma_sync(c, a, b, c);
    store_matrix_sync(f, c, 16, mem_row_major);
}
__global__ void halves(const __half *h, float *f) { product(h, f); }
__global__ void bytes(const signed char *h, int *f) { product(h, f); }
";

/// The registers of each factor are rows of 16 halves on gfx11, halves of rows on gfx12; elsewhere lanes shuffle.
#[test]
fn matrices_are_multiplied_by_the_units_that_are_there() {
    let text = MATRICES;
    let registers = |asm: &str, name: &str| -> Vec<usize> {
        let line = asm.lines().find(|l| l.contains(name)).unwrap_or_else(|| panic!("no `{name}` in {asm}"));
        let ranges = line.split(&['[', ']'][..]).skip(1).step_by(2);
        let size = |r: &str| {
            r.split_once(':').and_then(|(a, b)| Some(b.parse::<usize>().ok()? + 1 - a.parse::<usize>().ok()?))
        };
        ranges.filter_map(size).take(3).collect()
    };
    for (name, halves, bytes) in [("gfx1100", 8, 4), ("gfx1151", 8, 4), ("gfx1200", 4, 2), ("gfx1201", 4, 2)] {
        let asm = assembly(Dialect::CUDA, gpu(name), text);
        assert_eq!(registers(&asm, "v_wmma_f32_16x16x16_f16"), [8, halves, halves], "{name}");
        assert_eq!(registers(&asm, "v_wmma_i32_16x16x16_iu8"), [8, bytes, bytes], "{name}");
    }
    let wide = AmdArch::parse("gfx1201").and_then(|a| a.target_with_waves(64)).expect("there are");
    for target in [gpu("gfx90a"), gpu("gfx1030"), wide] {
        let asm = assembly(Dialect::CUDA, target, text);
        assert!(!asm.contains("wmma") && !asm.contains("mfma") && asm.contains("ds_bpermute"), "{target:?}");
    }
}

/// What keeps a compiler from moving accesses has no instruction, and no semicolon.
#[test]
fn assembly_without_an_instruction_was_refused() {
    let text = r#"extern "C" __global__ void k(int *o) {
    asm volatile("" ::: "memory"); asm(""); asm volatile("// nothing"); asm volatile("/* nothing */ // at all\n");
    o[0] = 1; asm volatile("" : "+r"(o[1])); asm("// %0" :: "r"(o[2])); asm("membar.gl;"); }"#;
    for name in ["gfx90a", "gfx1100"] {
        bytes(text, &options(Dialect::CUDA, gpu(name)), Product::OBJECT);
    }
}

/// Inline PTX says how many registers a fragment has: those of NVIDIA's, which are over 32 lanes, were refused.
#[test]
fn fragments_of_inline_ptx_have_the_registers_that_ptx_says() {
    let text = r#"extern "C" __global__ void k(const float *a, float *f) {
    float c[8];
    asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], 16;" : "=f"(c[0]),"=f"(c[1]),"=f"(c[2]),"=f"(c[3]),"=f"(c[4]),"=f"(c[5]),"=f"(c[6]),"=f"(c[7]) : "l"(a));
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%8,%8,%8,%8,%8,%8,%8}, {%8,%8,%8,%8,%8,%8,%8,%8}, {%0,%1,%2,%3,%4,%5,%6,%7};" : "+f"(c[0]),"+f"(c[1]),"+f"(c[2]),"+f"(c[3]),"+f"(c[4]),"+f"(c[5]),"+f"(c[6]),"+f"(c[7]) : "r"(0x3c003c00));
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, 16;" :: "l"(f),"f"(c[0]),"f"(c[1]),"f"(c[2]),"f"(c[3]),"f"(c[4]),"f"(c[5]),"f"(c[6]),"f"(c[7]));
}"#;
    for name in ["gfx908", "gfx90a", "gfx942"] {
        let whole = gpu(name).with_warp_size(64).expect("there are");
        let asm = assembly(Dialect::CUDA, whole, text);
        assert!(asm.contains("ds_bpermute") && !asm.contains("mfma"), "{name}: {asm}");
    }
}

/// gfx90a's units take halves below the normal ones for zeros: its products are of single precision.
#[test]
fn warps_of_64_lanes_multiply_matrices_by_their_units() {
    for (name, halves, ours, bytes_) in [
        ("gfx908", "v_mfma_f32_16x16x16f16", 1, "v_mfma_i32_16x16x16i8"),
        ("gfx90a", "v_mfma_f32_16x16x4f32", 4, "v_mfma_i32_16x16x16i8"),
        ("gfx942", "v_mfma_f32_16x16x16_f16", 1, "v_mfma_i32_16x16x32_i8"),
    ] {
        let whole = gpu(name).with_warp_size(64).expect("there are");
        let asm = assembly(Dialect::CUDA, whole, MATRICES);
        assert_eq!(asm.matches(halves).count(), ours, "{name}: {asm}");
        assert_eq!(asm.matches(bytes_).count(), 1, "{name}: {asm}");
        assert!(!asm.contains("ds_bpermute"), "{name}: {asm}");
        bytes(MATRICES, &options(Dialect::CUDA, whole), Product::OBJECT);
    }
}

#[test]
fn mathematics_is_ours() {
    let text = "extern \"C\" __global__ void k(double *p, float *q) {
        p[0] = sin(p[0]) + cos(p[1]) + exp(p[2]) + log(p[3]) + pow(p[4], p[5]) + tan(p[6]) + fmod(p[7], p[8]);
        q[0] = sinf(q[0]) + cosf(q[1]) + tanf(q[2]) + asinf(q[3]) + sinhf(q[4]) + fmodf(q[5], q[6]); }";
    for name in ["gfx900", "gfx90a", "gfx1100", "gfx1201"] {
        let s = assembly(Dialect::CUDA, gpu(name), text);
        assert!(!s.contains("v_sin_f32") && !s.contains("v_cos_f32") && !s.contains("s_swappc"), "{name}");
    }
}

#[test]
fn inline_ptx_becomes_instructions() {
    let text = "__global__ void k(unsigned *o, const unsigned *x) {
        unsigned r, h, lane;
        x += threadIdx.x;
        asm(\"prmt.b32 %0, %1, %2, 0x5140;\" : \"=r\"(r) : \"r\"(x[0]), \"r\"(x[1]));
        asm(\"add.cc.u32 %0, %2, %3;\\n\\taddc.u32 %1, %3, 0;\" : \"=r\"(r), \"=r\"(h) : \"r\"(r), \"r\"(x[2]));
        asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));
        *o = r + h + lane; }";
    for (target, instructions) in [
        (gpu("gfx90a"), ["v_perm_b32", "_add_co_u32", "_addc_co_u32", "v_mbcnt_lo"]),
        (gpu("gfx1100"), ["v_perm_b32", "_add_co_u32", "_add_co_ci_u32", "v_mbcnt_lo"]),
    ] {
        let code = assembly(Dialect::CUDA, target, text);
        instructions.iter().for_each(|i| assert!(code.contains(i), "no {i} in {code}"));
    }
}

#[test]
fn ptx_is_a_source_for_them_too() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 o) {
        .reg .b64 %a<3>; .reg .b32 %t;
        ld.param.u64 %a1, [o]; cvta.to.global.u64 %a2, %a1; mov.u32 %t, %ctaid.x; st.global.u32 [%a2], %t; ret; }";
    let options = options(Dialect::CUDA, gpu("gfx90a"));
    let c = compile(&Input::text("k.ptx", text), &options, &Emit::Product(Product::OBJECT));
    let Some(code) = c.artefacts.first() else { panic!("{:?}", messages(&c)) };
    let k = read_notes(code.as_bytes()).expect("notes");
    assert_eq!(kernel(&k, "k").args[0].value_kind, "global_buffer");
}

#[test]
fn every_gpu_has_code() {
    for arch in &target::amd::ARCHS {
        let n = notes(SUM, &options(Dialect::OPENCL, arch.target()));
        assert!(n.target.starts_with(&format!("amdgcn-amd-amdhsa--{}", arch.name)), "{}", n.target);
        assert_eq!(kernel(&n, "sum").wavefront_size, u64::from(arch.wave_size), "{}", arch.name);
    }
}

#[test]
fn code_without_optimisation_calls_nothing_either() {
    let text = "__device__ __noinline__ int twice(int x) { return 2 * x; }
        extern \"C\" __global__ void k(int *p) { if (p[1]) p[0] = twice(p[0]); }";
    let o = Options { level: OptLevel::O0, ..options(Dialect::CUDA, gpu("gfx90a")) };
    let k = notes(text, &o);
    assert!(!kernel(&k, "k").uses_dynamic_stack);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let why = |dialect, text: &str| {
        let c = made(text, &options(dialect, gpu("gfx90a")), Product::CODE_OBJECT);
        assert!(c.artefacts.is_empty() && !c.succeeded(), "{:?}", messages(&c));
        messages(&c)[0].clone()
    };
    let cuda = |text: &str| why(Dialect::CUDA, text);
    assert_eq!(cuda("__global__ void k() { printf(\"%d\", 1); }"), "`printf` cannot be compiled for `gfx90a`");
    let recursive =
        "__device__ int f(int n) { return n > 0 ? n * f(n - 1) : 1; } __global__ void k(int *p) { *p = f(*p); }";
    assert_eq!(cuda(recursive), "recursion through `f(int)` cannot be compiled for `gfx90a`");
    let large =
        "__global__ void k(int *p) { __shared__ int s[20000]; s[threadIdx.x] = *p; __syncthreads(); *p = s[*p]; }";
    assert_eq!(cuda(large), "`k(int *)` with 80000 bytes of work-group memory cannot be compiled for `gfx90a`");
    let deep = "__global__ void k(int *p, int n) { int a[40000]; for (int i = 0; i < n; i++) a[p[i]] = i; *p = a[n]; }";
    assert!(cuda(deep).contains("bytes of private memory, more than 131008"), "{}", cuda(deep));
    let wide = "kernel void __attribute__((reqd_work_group_size(1024, 2, 1))) k(global int *p) { *p = 1; }";
    assert!(why(Dialect::OPENCL, wide).contains("2048"), "{}", why(Dialect::OPENCL, wide));
}

/// Objects are linked here: LLVM's linker, which would write into the folder, is not asked. Damaged ones end in an error.
#[test]
fn code_objects_are_linked_without_a_linker() {
    let nowhere = std::path::Path::new("/nonexistent/unspool");
    let text = "__device__ int counter; __device__ int *where_it_is = &counter;
        __global__ void k(double *p) { p[0] = sin(p[1]); atomicAdd(where_it_is, 1); }";
    let object = bytes(text, &options(Dialect::CUDA, gpu("gfx90a")), Product::OBJECT);
    let llvm::Linked::CodeObject(linked) = llvm::link(&object, nowhere).expect("linked") else { panic!("not linked") };
    assert_eq!(linked[16], 3, "a shared object");
    assert_eq!(read_notes(&linked).expect("notes"), read_notes(&object).expect("notes"));
    for at in (0..object.len()).step_by(53) {
        let mut damaged = object.clone();
        damaged[at] ^= 0xa5;
        let _ = llvm::link(&damaged, nowhere);
        let _ = llvm::link(&object[..at], nowhere);
    }
}

/// Loops of unknown length stay as they are unless a hint asks: copies of their bodies keep registers alive.
#[test]
fn loops_of_unknown_length_are_not_unrolled_unasked() {
    let text = |hint: &str| {
        format!(
            "kernel void k(global float *p, global const int *c, global const float *x, int n) {{ float s = 0;
                {hint} for (int i = get_local_id(0); i < n; i++) s += x[c[i]]; p[get_global_id(0)] = s; }}"
        )
    };
    let registers = |text: &str| {
        let n = notes(text, &options(Dialect::OPENCL, gpu("gfx90a")));
        kernel(&n, "k").vgpr_count
    };
    let (plain, asked) = (registers(&text("")), registers(&text("#pragma unroll 4\n")));
    assert!(plain < asked, "{plain} {asked}");
    assert_eq!(plain, registers(&text("#pragma unroll 1\n")));
}

#[test]
fn unsigned_divisions_of_sign_extended_numbers_were_done_in_single_precision() {
    let text = "kernel void k(global uint *out, short a, short b) { out[0] = (uint)a / (uint)b; }
kernel void wide(global ulong *out, int a, int b) { out[0] = (ulong)a % (ulong)b; }
kernel void small(global uint *out, uchar a, uchar b) { out[0] = (uint)a / (uint)b; }";
    for arch in ["gfx90a", "gfx1100"] {
        let code = assembly(Dialect::OPENCL, gpu(arch), text);
        let of = |name: &str| {
            let from = code.find(&format!("\n{name}:")).expect("the kernel");
            code[from..].split("s_endpgm").next().expect("its code").to_owned()
        };
        // Quotients of 24 bits are found by truncating one in single precision; 32 bits of a product are another way.
        assert!(!of("k").contains("v_trunc_f32") && of("k").contains("mul_hi_u32"), "{arch}: {}", of("k"));
        assert!(of("small").contains("v_trunc_f32"), "{arch}: {}", of("small"));
        // Both words of the numbers are looked at.
        assert!(of("wide").matches("alignbyte").count() == 2, "{arch}: {}", of("wide"));
    }
}

#[test]
fn a_lane_of_a_vector_lost_its_constant() {
    let text = "kernel void k(global long *out, long x, long y, long z) {
    long16 v = (long16)(x, -1, y, y, x, z, z, z, y, z, x, z, x, 16, 31, y);
    v |= v % (v & 63L | 1L) << v.s58e5fee32deb3201;
    out[0] = v.s0; out[1] = v.s1;
}";
    let text = assembly(Dialect::OPENCL, gpu("gfx90a"), text);
    assert!(text.lines().any(|l| l.trim().starts_with("v_mov_b32") && l.trim().ends_with(", -1")), "{text}");
}

/// As nvcc has it, which takes the low half of the address; a warning says that it is not one of that space.
#[test]
fn a_pointer_as_an_address_of_shared_memory_was_refused() {
    let text = r#"extern "C" __global__ void k(int *o) {
    __shared__ int s[32]; s[threadIdx.x] = o[threadIdx.x]; __syncthreads(); int out;
    asm("ld.shared.b32 %0, [%1];" : "=r"(out) : "l"(&s[31 - threadIdx.x])); o[threadIdx.x] = out; }"#;
    assert!(assembly(Dialect::CUDA, gpu("gfx90a"), text).contains("ds_read_b32"));
}
