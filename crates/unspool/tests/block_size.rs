//! `__block_size__`: what kernels say of their launches is in the PTX.

use source::render::{Colour, diagnostics_to_text};
use unspool::{Arch, Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

fn compiled(text: &str, arch: &str) -> Compilation {
    let mut o = Options::new(Dialect::CUDA);
    o.set_arch(Arch::parse(arch).unwrap().arch);
    compile(&Input::text("k.cu", text), &o, &Emit::PTX)
}

fn ptx(c: &Compilation) -> &str {
    c.output().expect("it compiles")
}

#[test]
fn sizes_of_blocks_were_accepted_and_ignored() {
    let c = compiled("__global__ void __block_size__((16, 8)) k(int *a) { a[0] = blockDim.x; }", "sm_90");
    assert!(ptx(&c).contains(".reqntid 16, 8, 1\n") && !ptx(&c).contains("%ntid"), "{}", ptx(&c));
    let c = compiled("__global__ void __block_size__((16, 8, 1), (1, 1, 1)) k(int *a) { a[0] = 1; }", "sm_90");
    assert!(ptx(&c).contains(".reqntid 16, 8, 1\n"));
}

#[test]
fn what_is_no_size_is_an_error() {
    let said = |attribute: &str| {
        let c = compiled(&format!("__global__ void {attribute} k(int *a) {{ a[0] = 1; }}"), "sm_90");
        diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never)
    };
    for a in ["__block_size__()", "__block_size__((0, 1))", "__block_size__((1, 2, 3, 4))", "__block_size__((-1))"] {
        assert!(said(a).contains("E0319"), "{a}: {}", said(a));
    }
    // The sizes of its grids would count clusters.
    assert!(said("__block_size__((64, 1, 1), (2, 1, 1))").contains("E0338"));
}
