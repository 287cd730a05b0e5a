//! Products of matrices: what is refused, and in what words; what PTX says of memory.

use source::Diagnostic;
use source::render::{Colour, diagnostics_to_text};
use target::amd::AmdArch;
use unspool::{Arch, Dialect, Emit, Input, Options, compile_with_log as compile};

/// What is said of a kernel's body, and the PTX.
fn compiled(body: &str, arch: &str) -> (String, String) {
    let text = format!(
        "#include <mma.h>\nusing namespace nvcuda::wmma;\n\
         __global__ void k(const __half *h, const __nv_bfloat16 *b, float *f) {{ {body} }}\n"
    );
    let mut o = Options::new(Dialect::CUDA);
    o.set_arch(Arch::parse(arch).unwrap().arch);
    let c = compile(&Input::text("k.cu", &text), &o, &Emit::PTX);
    let said = diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never);
    let ptx = c.output().map(str::to_owned);
    (said, ptx.unwrap_or_default())
}

const HALVES: &str = "fragment<matrix_a, 16, 16, 16, __half, row_major> a; load_matrix_sync(a, h, 16);";

#[test]
fn older_gpus_are_refused_with_the_one_that_is_needed() {
    let refused = |body, arch, needed: &str| {
        let (said, _) = compiled(body, arch);
        assert!(said.contains("E0501") && said.contains(needed), "{arch}: {said}");
    };
    refused(HALVES, "sm_60", "compile for sm_70 or newer");
    let brain = "fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> a; load_matrix_sync(a, b, 16);";
    refused(brain, "sm_75", "compile for sm_80 or newer");
    assert_eq!(compiled(HALVES, "sm_70").0, "");
    assert_eq!(compiled(brain, "sm_80").0, "");
    // Also a program's own assembly.
    let own = r#"unsigned r; asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "l"(f)); f[0] = r;"#;
    refused(own, "sm_70", "compile for sm_75 or newer");
}

#[test]
fn fragments_that_do_not_exist_are_refused_with_those_that_do() {
    for (body, words) in [
        ("fragment<matrix_a, 16, 16, 8, __half, row_major> a;", "16x16x16, 32x8x16 and 8x32x16"),
        ("fragment<matrix_b, 16, 16, 16, double, row_major> a;", "double 8x8x4"),
        ("fragment<matrix_a, 16, 16, 16, __half> a;", "each with row_major or col_major"),
        ("fragment<accumulator, 16, 16, 16, double> a;", "sums are float or __half where __half is multiplied"),
        (
            "fragment<accumulator, 16, 16, 16, float> a; load_matrix_sync(a, f, 16);",
            "load_matrix_sync of an accumulator needs the layout",
        ),
    ] {
        let (said, _) = compiled(body, "sm_80");
        assert!(said.contains("E0344") && said.contains(words), "{body}: {said}");
    }
}

#[test]
fn accesses_name_the_space_of_their_address() {
    let (said, ptx) = compiled(
        "__shared__ __half s[256]; s[threadIdx.x] = h[threadIdx.x]; __syncthreads();
         fragment<matrix_a, 16, 16, 16, __half, row_major> a; load_matrix_sync(a, s, 16);
         fragment<matrix_b, 16, 16, 16, __half, col_major> m; load_matrix_sync(m, h, 16);
         fragment<accumulator, 16, 16, 16, float> c; fill_fragment(c, 0.0f);
         mma_sync(c, a, m, c); store_matrix_sync(f, c, 16, mem_row_major);",
        "sm_80",
    );
    assert_eq!(said, "");
    for line in [
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
        "wmma.load.b.sync.aligned.col.m16n16k16.global.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32",
    ] {
        assert!(ptx.contains(line), "{line}: {ptx}");
    }
}

/// Remarks of `-Rpass=matrix` stand where the program calls the header, and say what a product is made of for each machine.
#[test]
fn what_a_product_is_made_of_is_told() {
    let text = "#include <mma.h>
using namespace nvcuda::wmma;
template <class T> __device__ void product(const T *h, float *f) {
    fragment<matrix_a, 16, 16, 16, T, row_major> a;
    fragment<matrix_b, 16, 16, 16, T, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fill_fragment(c, 0.f);
    load_matrix_sync(a, h, 16);
    load_matrix_sync(b, h + 256, 16);
    mma_sync(c, a, b, c);
    store_matrix_sync(f, c, 16, mem_row_major);
}
__global__ void k(const __half *h, const double *d, float *f, double *e) {
    product(h, f);
    fragment<matrix_a, 8, 8, 4, double, row_major> a;
    fragment<matrix_b, 8, 8, 4, double, row_major> b;
    fragment<accumulator, 8, 8, 4, double> c;
    fill_fragment(c, 0.0);
    load_matrix_sync(a, d, 4);
    load_matrix_sync(b, d, 8);
    mma_sync(c, a, b, c);
    store_matrix_sync(e, c, 8, mem_row_major);
}
";
    for (gpu, halves, doubles) in [
        ("sm_80", "is an instruction of sm_80", "is an instruction of sm_80"),
        ("gfx1100", "is made by the matrix units of gfx1100", "its matrix units take `wmma` of 16×16×16"),
        ("gfx1201", "is made by the matrix units of gfx1201", "its matrix units take `wmma` of 16×16×16"),
        ("gfx90a", "it has matrix units for warps of 64 lanes only (`-fwarp64`)", "only (`-fwarp64`)"),
        ("gfx906", "no matrix units for warps of 32 in waves of 64", "no matrix units for warps of 32 in waves of 64"),
    ] {
        let mut o = Options::new(Dialect::CUDA);
        match AmdArch::parse(gpu) {
            Some(arch) => o.target = arch.target(),
            None => o.set_arch(Arch::parse(gpu).unwrap().arch),
        }
        o.remarks.matrix = true;
        let c = compile(&Input::text("k.cu", text), &o, &Emit::Nothing);
        let remarks: Vec<_> = c.session.diagnostics.iter().filter(|d| d.code == "R0605").collect();
        let line = |d: &Diagnostic| c.session.sources.line_col(d.labels[0].span.lo).map_or(0, |(_, at)| at.line);
        let said = |at: u32| remarks.iter().find(|d| line(d) == at).map_or("nothing", |d| d.message.as_str());
        assert_eq!(remarks.len(), 2, "{gpu}");
        assert!(said(10).starts_with("`wmma.mma.sync.") && said(10).contains(halves), "{gpu}: {}", said(10));
        assert!(said(21).contains(doubles), "{gpu}: {}", said(21));
    }
}
