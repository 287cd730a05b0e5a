use super::*;

#[test]
fn pragmas_reach_the_parser() {
    table(&[
        ("#define N 4\n#pragma unroll N\nx", "{ unroll 4 } x"),
        ("#define N 4\n#pragma unroll (N+1)\nx", "{ unroll ( 4 + 1 ) } x"),
        ("#define unroll bad\n#pragma unroll", "{ unroll }"),
        ("#define P(n) _Pragma(\"unroll\") for\nP(1)", "{ unroll } for"),
        ("#define STR(x) #x\n#define UNROLL(n) _Pragma(STR(unroll n))\n#define K 8\nUNROLL(K) x", "{ unroll 8 } x"),
        ("#define ID(x) x\nID(ID(_Pragma(\"nounroll\")) y)", "{ nounroll } y"),
        ("_Pragma(L\"x \\\"y\\\"\")", "{ x \"y\" }"),
        (
            "#define C 3\n#pragma clang loop unroll_count(C)\n#pragma GCC unroll C",
            "{ clang loop unroll_count ( 3 ) } { GCC unroll 3 }",
        ),
        (
            "#define cl_khr_fp64 1\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
            "{ OPENCL EXTENSION cl_khr_fp64 : enable }",
        ),
        ("#define M a\n#pragma unrol M", "{ unrol M }"),
        ("#pragma nv_diag_suppress 177\n#pragma GCC diagnostic push\n#pragma\nx", "{ } x"),
        ("#define X 1\n#pragma push_macro(\"X\")\n#undef X\n#define X 2\nX\n#pragma pop_macro(\"X\")\nX", "2 1"),
        ("#define f(x) [x]\nf(a\n#pragma unroll 2, 3\nb)", "[ a { unroll 2 , 3 } b ]"),
        ("#define S(x) #x\nS(_Pragma(\"a\"))", "\"_Pragma(\\\"a\\\")\""),
    ]);
}

#[test]
fn places_of_pragma_tokens() {
    let mut session = Session::default();
    let main = session.sources.add("m.cu", "  _Pragma(\"unroll 16\")".to_owned()).unwrap();
    let stream = preprocess_with(&mut session, &PpOptions::new(Dialect::CUDA), main, &Memory::default());
    assert_eq!(session.sources.snippet(stream[2].span), "16");
    assert_eq!(session.sources.snippet(stream[0].span), "_Pragma");
}

#[test]
fn messages_and_poison() {
    let out = run(
        "#pragma message(\"hi \" \"there\")\n#pragma GCC poison evil\nevil\n#pragma GCC warning \"w\"\n#pragma GCC error \"e\"",
    );
    assert_eq!(
        out.problems,
        ["N0100: hi there", "E0132: attempt to use the poisoned identifier `evil`", "W0108: w", "E0128: e"]
    );
    assert_eq!(run("#pragma once\n#pragma pop_macro(\"Q\")\n#pragma push_macro").problems.len(), 3);
    assert_eq!(run("_Pragma(1) x").problems, ["E0130: `_Pragma` takes a parenthesized string literal"]);
}

#[test]
fn a_system_header_gives_no_warnings() {
    let header = "#pragma GCC system_header\n#warning quiet\n#pragma diagnostic push\n#error loud\n";
    let files = [("h.h", header), ("own.h", "#warning heard\n")];
    let out = run_with(&PpOptions::new(Dialect::CUDA), &files, "#include \"h.h\"\n#include \"own.h\"");
    assert_eq!(out.problems, ["E0128: #error loud", "W0108: #warning heard"]);
    // The file that is compiled is the user's own, whatever it says.
    assert_eq!(run("#pragma GCC system_header\n#warning heard").problems, ["W0108: #warning heard"]);
}
