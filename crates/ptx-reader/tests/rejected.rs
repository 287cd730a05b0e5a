//! Texts that are not read: what is said, and where.

use ptx_reader::ErrorKind;

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// The first error in the body of a kernel: kind, the text at its place, message.
fn of_body(body: &str) -> (ErrorKind, String, String) {
    let text = format!(
        "{HEAD}.shared .align 4 .b8 tile[64];\n.entry k(.param .u64 p) {{\n.reg .pred %p<4>; .reg .b32 %r<9>; \
                        .reg .b64 %rd<9>; .reg .f32 %f<4>;\n{body}\nret; }}"
    );
    let errors = ptx_reader::read(&text, 100, "t.ptx").expect_err("refused");
    let span = errors[0].span;
    let at = text.get(span.lo as usize - 100..span.hi as usize - 100).unwrap_or("outside");
    (errors[0].kind, at.to_owned(), errors[0].message.clone())
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    use ErrorKind::{Name, Operand, Syntax, Unsupported};
    let rows = [
        ("mov.u32 %r1, %r20;", Name, "%r20", "not declared"),
        ("bra there;", Name, "there", "no label"),
        ("L: L: ret;", Name, "L", "stands twice"),
        ("add.s32 %r1, %r2;", Operand, "add.s32 %r1, %r2;", "takes 3 operands"),
        ("add.s32 %r1, %rd2, %r3;", Operand, "%rd2", "is declared .b64, where .s32"),
        ("add.f32 %f1, %f2, 1;", Operand, "1", "an integer where .f32"),
        ("add.s32 %r1, 1, %p1;", Operand, "%p1", "is declared .pred"),
        ("add.fast.s32 %r1, %r2, %r3;", Unsupported, "add.fast.s32 %r1, %r2, %r3;", "`.fast`"),
        (
            "wgmma.fence.sync.aligned;",
            Unsupported,
            "wgmma.fence.sync.aligned;",
            "`wgmma.fence.sync.aligned` is not covered",
        ),
        ("tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f0, %f1}];", Unsupported, "[", "textures"),
        ("ld.global.u32 %r1, [tile];", Operand, "tile", "in .shared memory, not in .global"),
        ("mov.u64 %rd1, tile; ld.global.u32 %r1, [%rd1];", Operand, "%rd1", "is .shared address, used as .global"),
        ("mov.u64 %rd1, tile; ld.u32 %r1, [%rd1];", Operand, "%rd1", "used as a generic one"),
        // A rule of the IR was broken, of shared memory in one piece.
        ("mov.u32 %r1, tile; st.shared.b32 [%f1], %r1;", Operand, "%f1", "addresses are integers"),
        ("ld.global.u32 %r1, [%f1];", Operand, "%f1", "addresses are integers"),
        ("st.param.u32 [p], %r1;", Operand, "[p]", "not written"),
        ("mov.u32 %r1, 5", Syntax, "ret", "expected `,`"),
        ("mov.u32 %r1, 99999999999999999999;", Syntax, "99999999999999999999", "no integer"),
        ("lop3.b32 %r1, %r2, %r3, %r4, %r5;", Operand, "%r5", "constant from 0 to 255"),
        ("call f;", Name, "f", "not declared"),
        ("call %rd1;", Operand, "%rd1", "lacks what it may lead to"),
        ("call %rd1, (), there;", Name, "there", "no `.callprototype`"),
        ("q: .calltargets nobody; call %rd1, (), q;", Name, "q", "no function that is declared"),
        ("q: .callprototype _ (.param .b32 _) .once;", Unsupported, ".once", "not understood"),
    ];
    for (body, kind, at, words) in rows {
        let got = of_body(body);
        assert!(got.0 == kind && got.1 == at && got.2.contains(words), "{body}: {got:?}");
    }
}

#[test]
fn nothing_is_too_deep_or_too_large() {
    let rows = [
        format!("{HEAD}.entry k() {}", "{".repeat(100_000)),
        format!("{HEAD}.global .b32 x = {}1;", "(".repeat(100_000)),
        format!("{HEAD}.global .b32 x[4] = {}", "{".repeat(100_000)),
        format!("{HEAD}.global .b8 x[4294967296][4294967296];"),
        format!("{HEAD}.global .b8 x[4294967296] = {{1}}; .global .b64 y[2] = {{x, x, x}};"),
        format!("{HEAD}.entry k() {{ .reg .b32 %r<4294967295>; ret; }}"),
        format!("{HEAD}.entry k() {{ .local .b8 x[4294967295]; ret; }}"),
        format!("{HEAD}.entry k() {{ {} }}", "@".repeat(1000)),
        format!("{HEAD}.entry k({}) {{ ret; }}", ".param .u32 a,".repeat(10)),
    ];
    for text in rows {
        assert!(ptx_reader::read(&text, 1, "t.ptx").is_err(), "{}", &text[..80]);
    }
}

#[test]
fn places_in_the_source_are_kept() {
    let text = format!("{HEAD}.file 1 \"a.cu\"\n.entry k() {{ .reg .b32 %r<4>;\n.loc 1 7 3\nmov.b32 %r1, 5; ret; }}\n");
    let read = ptx_reader::read(&text, 10, "t.ptx").expect("good");
    let at = |what: &str| text.find(what).unwrap_or_default() as u32 + 10;
    assert_eq!(read.origins.at(at("mov")), Some(("a.cu", 7, 3)));
    assert_eq!(read.origins.at(at(".reg")), None);
    assert_eq!((read.version, read.target.as_str()), ((8, 0), "sm_80"));
}
