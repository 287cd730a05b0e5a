use super::*;
use crate::pp::PpLimits;

fn small() -> PpOptions {
    let limits =
        PpLimits { output_tokens: 1 << 16, expanded_tokens: 1 << 16, made_text: 1 << 16, ..PpLimits::default() };
    PpOptions { limits, ..PpOptions::new(Dialect::CUDA) }
}

#[track_caller]
fn exceeded(source: &str) {
    let out = run_with(&small(), &[], source);
    assert_eq!(out.problems.len(), 1, "{:?}", out.problems);
    assert!(out.problems[0].starts_with("E0133"), "{:?}", out.problems);
}

#[test]
fn macro_bombs() {
    let mut objects = String::new();
    let mut functions = "#define F0(x) x x\n".to_owned();
    for i in 0..64 {
        objects += &format!("#define A{} A{} A{}\n", i, i + 1, i + 1);
        functions += &format!("#define F{}(x) F{i}(x) F{i}(x)\n", i + 1);
    }
    exceeded(&format!("{objects}A0"));
    exceeded(&format!("{functions}F64(1)"));
    exceeded(&format!("#define D(x) x x\n{}1{}", "D(".repeat(60), ")".repeat(60)));
    exceeded(
        &format!("#define N(x)\n{}1{}", "N(".repeat(3000), ")".repeat(3000)).replace("#define N(x)", "#define N(x) x"),
    );
    let mut paste = "#define C(a) a##a\n#define P0 x\n".to_owned();
    for i in 0..40 {
        paste += &format!("#define X{i}(a) C(a)\n#define P{} X{i}(P{i})\n", i + 1);
    }
    exceeded(&format!("{paste}P40"));
    let mut quote = "#define S(x) #x\n#define T(x) S(x)\n".to_owned();
    quote += &format!("{}\"{}", "T(".repeat(40), "\"".to_owned() + &")".repeat(40));
    // A macro is not expanded inside itself, but its argument is.
    let out = run_with(&small(), &[], &quote);
    assert!(out.problems.len() <= 1);
}

#[test]
fn long_and_deep() {
    let n = 100_000;
    for source in [
        "(".repeat(n),
        "#if ".to_owned() + &"(".repeat(n),
        "#if ".to_owned() + &"!".repeat(n),
        "#if 1".to_owned() + &"+1".repeat(n) + "\n#endif",
        "#if 1".to_owned() + &"?1".repeat(n),
        "#if 1\n".repeat(n / 10),
        "#if 0\n".repeat(n),
        "#if 0\n".to_owned() + &"#if 1\n".repeat(n),
        "#define f(x) x\n".to_owned() + &"f(".repeat(n),
        "_Pragma(".repeat(n),
        "#if ".to_owned() + &"__has_include(".repeat(n),
        "#if ".to_owned() + &"defined ".repeat(n),
        "+\\\n".repeat(n),
        "→".repeat(n),
        "a\\\n".repeat(n),
        "\"".repeat(n),
        "'\n".repeat(n),
        "/*".repeat(n),
        "\\".repeat(n),
        "R\"".repeat(n),
        "#".repeat(n),
        "#\n".repeat(n),
        "#define X ".to_owned() + &"##".repeat(n),
        "#include ".to_owned() + &"<".repeat(n),
        "#line ".to_owned() + &"9".repeat(n),
        "0".repeat(n) + ".",
        "#if 0x".to_owned() + &"f".repeat(n),
        "#if '".to_owned() + &"a".repeat(n) + "'",
    ] {
        let out = run(&source);
        assert!(out.problems.len() <= 101);
    }
}

#[test]
fn every_prefix_of_an_ugly_source() {
    let source = "#define F(a, b...) #a a##b __VA_OPT__(x) _Pragma(\"unroll\") \\\n R\"(x)\" F(1\n#if defined(X) && 1/2 ? 'a' : F(2)\n\
        #elif __has_include(<a>)\n#else\n#endif\nF(F(1,2),\"x\" '\\n' 1.0e+5f <: %:%: é)\n#pragma unroll F(3)\n#line 3 \"x\"\n__LINE__ __COUNTER__";
    for (i, _) in source.char_indices() {
        run(&source[..i]);
        run(&source[i..]);
    }
}
