use super::*;

/// The examples of C11 6.10.3.
#[test]
fn standard_examples() {
    let example3 = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
        #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
        #define str(x) # x\n";
    let run = |line: &str| clean(&format!("{example3}{line}"));
    assert_eq!(
        run("f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"),
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;"
    );
    assert_eq!(
        run("g(x+(3,4)-w) | h 5) & m\n(f)^m(m);"),
        "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;"
    );
    assert_eq!(run("p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };"), "int i [ ] = { 1 , 23 , 4 , 5 , } ;");
    assert_eq!(run("char c[2][6] = { str(hello), str() };"), "char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;");
}

#[test]
fn example_4_and_5_and_7() {
    let ex4 = "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n\
        x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
        #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n";
    let run = |l: &str| clean(&format!("{ex4}{l}"));
    assert_eq!(run("debug(1, 2);"), "printf ( \"x\" \"1\" \"= %d, x\" \"2\" \"= %s\" , x1 , x2 ) ;");
    assert_eq!(
        run("fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);"),
        "fputs ( \"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" , s ) ;"
    );
    assert_eq!(run("xstr(INCFILE(2).h)"), "\"vers2.h\"");
    assert_eq!(run("glue(HIGH, LOW); xglue(HIGH, LOW)"), "\"hello\" ; \"hello\" \", world\"");
    table(&[
        (
            "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), t(,,) };",
            "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;",
        ),
        (
            "#define showlist(...) puts(#__VA_ARGS__)\n#define report(test, ...) ((test)?puts(#test):\\\nprintf(__VA_ARGS__))\n\
            showlist(The first, second, and third items.);\nreport(x>y, \"x is %d but y is %d\", x, y);",
            "puts ( \"The first, second, and third items.\" ) ; ( ( x > y ) ? puts ( \"x>y\" ) : printf ( \"x is %d but y is %d\" , x , y ) ) ;",
        ),
        (
            "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
            "\"x ## y\"",
        ),
    ]);
}

#[test]
fn gnu_variadics() {
    let e = "#define e(fmt, ...) p(fmt, ## __VA_ARGS__)\n#define n(fmt, args...) p(fmt, ##args)\n#define v(...) p(0, ##__VA_ARGS__)\n";
    for (line, expected) in [
        ("e(\"x\")", "p ( \"x\" )"),
        ("e(\"x\",)", "p ( \"x\" )"),
        ("e(\"x\", 1, 2)", "p ( \"x\" , 1 , 2 )"),
        ("n(\"x\")", "p ( \"x\" )"),
        ("n(\"x\", 1)", "p ( \"x\" , 1 )"),
        ("v()", "p ( 0 )"),
        ("v(1)", "p ( 0 , 1 )"),
    ] {
        assert_eq!(clean(&format!("{e}{line}")), expected, "{line}");
    }
}

#[test]
fn va_opt() {
    let d = "#define F(a,...) f(a __VA_OPT__(,) __VA_ARGS__)\n#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)\n\
        #define H2(X, ...) __VA_OPT__(X ## __VA_ARGS__)\n#define H3(X, ...) #__VA_OPT__(X##X X##X)\n\
        #define H4(X, ...) __VA_OPT__(a X ## X) ## b\n#define EMP\n";
    for (line, expected) in [
        ("F(1)", "f ( 1 )"),
        ("F(1, 2, 3)", "f ( 1 , 2 , 3 )"),
        ("F(1, EMP)", "f ( 1 )"),
        ("G(a, )", "f ( 0 , a )"),
        ("H2(a, b)", "ab"),
        ("H2(a)", ""),
        ("H3(, 0)", "\"\""),
        ("H3(x, 0)", "\"xx xx\""),
        ("H4(q, 1)", "a qqb"),
        ("H4(q)", "b"),
    ] {
        assert_eq!(clean(&format!("{d}{line}")), expected, "{line}");
    }
}

#[test]
fn painting_and_rescanning() {
    table(&[
        ("#define foo foo a bar b\n#define bar bar foo 12\nfoo", "foo a bar foo 12 b"),
        ("#define f(x) x f\nf(f)(1)", "f f ( 1 )"),
        ("#define f(x) [x]\n#define g f\nf(f(1)) g(2) f (3) f", "[ [ 1 ] ] [ 2 ] [ 3 ] f"),
        ("#define NIL(x) x\n#define A NIL(A)\nA", "A"),
        ("#define AA BB\n#define BB AA\nAA BB", "AA BB"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define LP (\n#define f(x) <x>\nf LP 1)", "f ( 1 )"),
        ("#define EMPTY\n#define f(x) <x>\nf EMPTY (1) f(EMPTY)", "f ( 1 ) < >"),
        ("#define DEFER(x) x EMPTY\n#define EMPTY\n#define X() y\nDEFER(X)()", "X ( )"),
        ("#define cat(a,b) a##b\ncat(<,<=) cat(-,>) cat(.,5) cat(1,e) cat(L,'a')", "<<= -> .5 1e L'a'"),
    ]);
}

#[test]
fn lexical_oddities() {
    table(&[
        ("a\\\nb c\\\n d", "ab c d"),
        ("\"a\\\nb\" 1\\\n2 +\\\n= x/\\\n/ comment \\\n still\ny", "\"ab\" 12 += x y"),
        ("/\\\n* hidden *\\\n/ z", "z"),
        ("<: :> <% %> %: %:%: <::a", "[ ] { } # ## < :: a"),
        ("1'000'000 0x1p-3 1.e+5f .5 1..2 a.b...c", "1'000'000 0x1p-3 1.e+5f .5 1..2 a . b ... c"),
        ("R\"(a\\\n)\" u8R\"x(\")x\" L\"w\" u'c'", "R\"(a\\\n)\" u8R\"x(\")x\" L\"w\" u'c'"),
        ("a<<<b>>>c->*d.*e ::f", "a << < b >> > c ->* d .* e :: f"),
        ("größe = 1; é", "größe = 1 ; é"),
        ("\u{feff}x", "x"),
        ("a/**/b//c", "a b"),
        ("x\r\n#define y 2\r\ny\\\r\ny", "x yy"),
        ("@ ` $a →", "@ ` $a →"),
    ]);
}

#[test]
fn builtins() {
    table(&[
        ("__LINE__\n__LINE__ __FILE__ __COUNTER__ __COUNTER__", "1 2 \"main.cu\" 0 1"),
        ("#define L __LINE__\n\nL\n#define f(x) x L\nf(\n__LINE__\n)", "3 5 5"),
        ("#line 100 \"foo.h\"\n__LINE__ __FILE__", "100 \"foo.h\""),
        ("# 7 \"bar.c\" 1\n__LINE__ __FILE__", "7 \"bar.c\""),
        ("__CUDA_ARCH__ __cplusplus __INCLUDE_LEVEL__", "900 201703L 0"),
        ("__DATE__ __TIME__", "\"Jan  1 1970\" \"00:00:00\""),
        ("INT_MAX FLT_MAX __func__", "2147483647 0x1.fffffep127f __func__"),
        ("#define FLT_MAX 1\nFLT_MAX", "1"),
        ("assert(a == b)", "( ( a == b ) ? ( void ) 0 : __assertfail ( 0 , 0 , 0 , 0 ) )"),
    ]);
    let opencl = PpOptions::new(Dialect::OPENCL);
    let out =
        run_with(&opencl, &[], "cl_nv_pragma_unroll __OPENCL_C_VERSION__ M_PI_F __kernel_exec(64, float4) __cplusplus");
    assert_eq!(
        out.text,
        "1 120 3.14159265358979323846f __kernel __attribute__ ( ( work_group_size_hint ( 64 , 1 , 1 ) ) ) \
         __attribute__ ( ( vec_type_hint ( float4 ) ) ) __cplusplus"
    );
    let out = run_with(&opencl, &[], "#ifdef __IMAGE_SUPPORT__\nbad\n#endif\n#ifdef __opencl_c_fp64\nbad\n#endif");
    assert_eq!(out.text, "");
}

#[test]
fn spans_lead_back_through_expansions() {
    let mut session = Session::default();
    let text = "#define N 4\n#define TWICE(x) x + N\nTWICE(q)";
    let main = session.sources.add("m.cu", text.to_owned()).unwrap();
    let stream = preprocess_with(&mut session, &PpOptions::new(Dialect::CUDA), main, &Memory::default());
    let at = |i: usize| session.sources.display(stream[i].span);
    assert_eq!((at(0), at(1), at(2)), ("m.cu:3:7".into(), "m.cu:3:1".into(), "m.cu:3:1".into()));
    assert_eq!(session.sources.snippet(stream[2].span), "4");
}

#[test]
fn printed_text_reads_back() {
    let source = "#define EMPTY\n#define f(x) x\n+EMPTY+ -f(-)1 f(a)f(b) f(1)f(2) /f(/) .f(.)f(.) <f(<)\n\n\n#pragma unroll 4\nfor (;;)\n  \"s\"f(\"t\") # f(#)\n";
    let print = |text: &str| {
        let mut s = Session::default();
        let main = s.sources.add("m.cu", text.to_owned()).unwrap();
        let t = preprocess_with(&mut s, &PpOptions::new(Dialect::CUDA), main, &Memory::default());
        let words: Vec<String> = t.iter().map(|t| t.text(&s.strings).to_owned()).collect();
        (crate::pp::print_preprocessed(&s, Dialect::CUDA, &t, true), words)
    };
    let (once, words) = print(source);
    let (twice, again) = print(&once);
    assert_eq!(words, again, "{once}");
    assert_eq!(once.lines().skip(1).collect::<Vec<_>>(), twice.lines().skip(1).collect::<Vec<_>>());
}
