use super::*;

/// Sources and what is said of them.
#[test]
fn complaints() {
    for (source, expected) in [
        ("/* a", "E0101: unterminated `/*` comment"),
        ("\"abc", "E0102: missing terminating `\"` character"),
        ("'a", "E0102: missing terminating `'` character"),
        ("R\"x(a)y\"", "E0103: raw string missing its terminating delimiter"),
        ("R\"a b(c)a b\"", "E0104: invalid raw string delimiter"),
        ("#define T don't", "W0101: missing terminating `'` character"),
        ("a \\ \nb", "W0102: backslash and newline separated by space"),
        ("#define X+1", "W0103: whitespace required after macro name"),
        ("#define X 1\n#define X 2", "W0106: `X` macro redefined"),
        ("#define __LINE__ 2", "W0105: redefining builtin macro `__LINE__`"),
        ("#ifdef X Y\n#endif", "W0107: extra tokens at end of `#ifdef` directive"),
        ("#warning look out", "W0108: #warning look out"),
        ("#error it's \"bad", "E0128: #error it's \"bad"),
        ("#if 9223372036854775807 + 1\n#endif", "W0109: integer overflow in preprocessor expression"),
        ("#bogus", "E0110: invalid preprocessing directive `#bogus`"),
        ("#define", "E0111: no macro name given in `#define`"),
        ("#define 1", "E0111: macro names must be identifiers"),
        ("#define defined", "E0111: `defined` cannot be used as a macro name"),
        ("#define f(a,a)", "E0112: duplicate macro parameter name `a`"),
        ("#define f(a", "E0112: missing `)` in macro parameter list"),
        ("#define f(a b)", "E0112: expected `,` or `)` in macro parameter list"),
        ("#define f(a,)", "E0112: expected a parameter name in macro parameter list"),
        ("#define f(..., a)", "E0112: missing `)` after `...` in macro parameter list"),
        ("#define f(x) #y", "E0113: `#` is not followed by a macro parameter"),
        ("#define f(x) ## x", "E0113: `##` cannot appear at either end of a macro expansion"),
        ("#define f(...) __VA_OPT__(", "E0113: missing `)` after `__VA_OPT__`"),
        ("#define f(x) x\nf(1,2)", "E0116: macro `f` passed 2 arguments, but takes just 1"),
        ("#define f(x,y) x\nf(1)", "E0116: macro `f` requires 2 arguments, but only 1 given"),
        ("#define f(x) x\nf(1", "E0117: unterminated argument list invoking macro `f`"),
        ("#define c(a,b) a##b\nc(+,/)", "E0118: pasting formed `+/`, an invalid preprocessing token"),
        ("#define c(a,b) a##b\nc(/,/)", "E0118: pasting formed `//`, an invalid preprocessing token"),
        ("#if\n#endif", "E0120: `#if` with no expression"),
        ("#if 1 +\n#endif", "E0120: expected a value in preprocessor expression"),
        ("#if (1\n#endif", "E0120: missing `)` in preprocessor expression"),
        ("#if 1)\n#endif", "E0120: missing `(` in preprocessor expression"),
        ("#if 1 2\n#endif", "E0120: missing binary operator before this token"),
        ("#if 1.0\n#endif", "E0120: a floating-point constant cannot stand in a preprocessor expression"),
        ("#if \"a\"\n#endif", "E0120: a string cannot stand in a preprocessor expression"),
        ("#if 1 ? 2\n#endif", "E0120: `?` without a following `:`"),
        ("#if defined\n#endif", "E0120: operator `defined` requires an identifier"),
        ("#if f(1)\n#endif", "E0120: function-like macro `f` is not defined"),
        ("#if =\n#endif", "E0120: token `=` is not valid in a preprocessor expression"),
        ("#if 08\n#endif", "E0120: invalid digit `8` in literal"),
        ("#if 1/0\n#endif", "E0121: division by zero in preprocessor expression"),
        ("#if 1%0\n#endif", "E0121: division by zero in preprocessor expression"),
        ("#else", "E0122: `#else` without `#if`"),
        ("#endif", "E0122: `#endif` without `#if`"),
        ("#if 1\n#else\n#else\n#endif", "E0122: `#else` after `#else`"),
        ("#if 0\n#else\n#elif 1\n#endif", "E0122: `#elif` after `#else`"),
        ("#if 1\nx", "E0123: unterminated conditional directive"),
        ("#if 0\nx", "E0123: unterminated conditional directive"),
        ("#include", "E0124: `#include` expects \"file\" or <file>"),
        ("#include <x", "E0124: missing terminating `>` character"),
        ("#include \"\"", "E0124: empty file name in `#include`"),
        ("#include 1", "E0124: `#include` expects \"file\" or <file>"),
        ("#include \"no.h\"", "E0125: `no.h` file not found"),
        ("#define f(x) x\nf(\n#include \"a\"\n)", "E0124: `#include` inside the arguments of a macro call"),
        ("#line x", "E0129: `#line` needs a line number, up to 2147483647"),
        ("#line 1 x", "E0129: `#line` needs a file name in quotes after the number"),
        ("__has_include(<a>)", "E0120: `__has_include` can only be used in a preprocessing condition"),
    ] {
        assert_eq!(run(source).problems, [expected], "{source}");
    }
}

#[test]
fn silent_where_others_are_silent() {
    for source in
        ["#define X  1 + 1\n#define X 1 +  1", "#undef NEVER", "#define f(a) a\n#define f(a) a", "#define NULL 0"]
    {
        clean(source);
    }
}

/// An error is shown at its place, with the macro it came out of.
#[test]
fn rendered() {
    let out = run("#define CAT(a, b) a ## b\nint x = CAT(+, 1) CAT(/, *);\n");
    let list: Vec<String> = out
        .session
        .diagnostics
        .iter()
        .map(|d| source::render::diagnostic_to_text(&out.session.sources, d, source::render::Colour::Never))
        .collect();
    assert_eq!(list.len(), 2, "{list:?}");
    assert!(
        list[0].contains("main.cu:2:") && list[0].contains("^") && list[0].contains("pasting formed `+1`"),
        "{}",
        list[0]
    );
}
