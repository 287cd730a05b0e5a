//! PTX as a source, and inline PTX in code for other machines.

use source::render::{Colour, diagnostics_to_text};
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

const PTX: &str = r#".version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 seen = 7;
.visible .entry total(
    .param .u64 .ptr .align 4 out, .param .u64 in, .param .u32 n, .param .align 8 .b8 extra[16], .param .u64 .ptr .shared .align 4 tmp
)
.maxntid 128, 1, 1
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    cvta.to.global.u64 %rd3, %rd2;
    ld.param.u32 %r1, [n];
    ld.param.u32 %r2, [extra+8];
    mov.u32 %r3, 0;
LOOP:
    .pragma "nounroll";
    ld.global.u32 %r4, [%rd3];
    add.s32 %r2, %r2, %r4;
    add.s64 %rd3, %rd3, 4;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p1, %r3, %r1;
    @%p1 bra LOOP;
    st.global.u32 [%rd1], %r2;
    ret;
}
"#;

fn said(c: &Compilation) -> String {
    diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never)
}

#[test]
fn ptx_goes_wherever_sources_go() {
    use launch::kernels::{Address, ParamKind};
    let mut options = Options::new(Dialect::CUDA);
    options.kernel_info = true;
    options.explain = true;
    options.verify_each = true;
    let c = compile(&Input::text("k.ptx", PTX), &options, &Emit::PTX);
    let again = c.output().unwrap_or_else(|| panic!("{}", said(&c)));
    assert!(again.contains(".visible .entry total(") && again.contains(".pragma \"nounroll\""), "{again}");
    assert!(again.contains(".maxntid 128, 1, 1"), "{again}");
    let k = &c.kernels[0];
    let of = |n: usize| (k.params[n].name.as_str(), k.params[n].address);
    assert_eq!(of(0), ("out", Address::Global));
    // Used as one by `cvta.to.global`.
    assert_eq!(of(1), ("in", Address::Global));
    assert_eq!(of(2), ("n", Address::Private));
    assert_eq!(k.params[3].kind, ParamKind::Bytes { bytes: 16 });
    assert_eq!(of(4), ("tmp", Address::Local));
    assert_eq!((c.variables[0].symbol.as_str(), c.variables[0].bytes), ("seen", 4));
    let told = unspool::explain::to_text(c.explanation.as_ref().expect("asked for"), &c.session, Colour::Never);
    assert!(told.contains("1 loop") && told.contains("in `total`") && told.contains("k.ptx:24"), "{told}");
    // What it made is PTX that is read in turn.
    let text = again.to_owned();
    let twice = compile(&Input::text("again.ptx", text), &options, &Emit::PTX);
    assert!(twice.succeeded(), "{}", said(&twice));
}

#[test]
fn wrong_ptx_is_refused_with_its_line() {
    let c = compile(
        &Input::text("k.ptx", PTX.replace("add.s64 %rd3", "add.s64 %rdx")),
        &Options::new(Dialect::CUDA),
        &Emit::PTX,
    );
    let said = said(&c);
    assert!(
        c.output().is_none() && said.contains("E0522") && said.contains("k.ptx:21") && said.contains("`%rdx`"),
        "{said}"
    );
    let c = compile(&Input::text("k.ptx", PTX), &Options::new(Dialect::CUDA), &Emit::Ast);
    assert!(c.session.diagnostics.iter().any(|d| d.code == "E0703"));
}

const ASM: &str = "kernel void k(global uint *o) {
    uint r;
    __asm__(\"bfe.u32 %0, %1, 4, 8;\" : \"=r\"(r) : \"r\"(o[1]));
    o[0] = r;
}";

#[test]
fn inline_ptx_becomes_instructions_for_other_machines() {
    let host = compile(&Input::text("k.cl", ASM), &Options::host(Dialect::OPENCL), &Emit::Ir);
    let ir = host.output().unwrap_or_else(|| panic!("{}", said(&host)));
    assert!(!ir.contains("asm") && (ir.contains("bfe.u") || ir.contains("lshr")), "{ir}");
    let gpu = compile(&Input::text("k.cl", ASM), &Options::new(Dialect::OPENCL), &Emit::PTX);
    assert!(gpu.output().is_some_and(|t| t.contains("// begin inline asm")), "{}", said(&gpu));
    // The interpreter's checks want to run code for a GPU, too.
    let mut checked = Options::new(Dialect::OPENCL);
    checked.checks = true;
    let c = compile(&Input::text("k.cl", ASM), &checked, &Emit::Ir);
    assert!(c.output().is_some_and(|t| !t.contains("asm")), "{}", said(&c));
}

#[test]
fn inline_ptx_that_is_not_covered_is_named() {
    let rows = [
        ("wgmma.fence %0, %1;", "\"=r\"", "E0524", "`wgmma.fence` is not covered"),
        ("add.u32 %0, %1;", "\"=r\"", "E0523", "takes 3 operands"),
        ("mov.u32 %0, there;", "\"=r\"", "E0522", "`there` is not declared"),
        ("mov.u32 %0 %1;", "\"=r\"", "E0521", "expected `,`"),
        ("mov.u32 %0, %7;", "\"=r\"", "E0522", "not declared"),
        ("addc.u32 %0, %1, 0;", "\"=r\"", "E0524", "carry flag of another function"),
        ("ret;", "\"=r\"", "E0524", "`ret` in the middle"),
    ];
    for (text, out, code, words) in rows {
        let source = ASM.replace("bfe.u32 %0, %1, 4, 8;", text).replace("\"=r\"", out);
        let c = compile(&Input::text("k.cl", source), &Options::host(Dialect::OPENCL), &Emit::Ir);
        let said = said(&c);
        assert!(said.contains(code) && said.contains(words) && said.contains("k.cl:3"), "{text}: {said}");
    }
}
