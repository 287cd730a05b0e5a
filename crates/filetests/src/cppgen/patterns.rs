//! Class templates with partial specialisations, and types that are matched against them.

use crate::Rng;
use crate::cppgen::expand::NUMBERS;

const HEAD: &str = "template <class T, class U> struct Pair {}; template <class T, int N> struct Arr {}; template <class... T> struct Tup {};
struct K { int m; };
";

/// Template parameters, and the pattern.
const PATTERNS: [(&str, &str); 34] = [
    ("class T", "T *"),
    ("class T", "const T"),
    ("class T", "const T *"),
    ("class T", "T **"),
    ("class T", "T *const"),
    ("class T", "T &"),
    ("class T", "const T &"),
    ("class T", "T &&"),
    ("class T, unsigned long N", "T[N]"),
    ("class T", "T[]"),
    ("class T", "T[3]"),
    ("class T, unsigned long N, unsigned long M", "T[N][M]"),
    ("class T, unsigned long N", "const T[N]"),
    ("class R", "R()"),
    ("class R, class A", "R(A)"),
    ("class R, class... A", "R(A...)"),
    ("class R, class... A", "R(int, A...)"),
    ("class R, class... A", "R(*)(A...)"),
    ("class T, class U", "Pair<T, U>"),
    ("class T", "Pair<T, T>"),
    ("class T", "Pair<T, T *>"),
    ("class T", "Pair<int, T>"),
    ("class T, int N", "Arr<T, N>"),
    ("class T", "Arr<T, 2>"),
    ("int N", "Arr<int, N>"),
    ("class... T", "Tup<T...>"),
    ("class T, class... U", "Tup<T, U...>"),
    ("class T, class U", "Tup<T, Pair<U, T>>"),
    ("template <class...> class C, class... T", "C<T...>"),
    ("template <class, int> class C, class T, int N", "C<T, N>"),
    ("class T, class C", "T C::*"),
    ("class R, class... A", "R (K::*)(A...)"),
    ("class R, class... A", "R (K::*)(A...) const"),
    ("class T", "volatile T"),
];

/// A type of limited depth.
fn ty(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return rng.pick(&NUMBERS).to_owned();
    }
    let t = ty(rng, depth - 1);
    let object = !t.ends_with('&') && !t.contains("(") && !t.contains("[]");
    match rng.below(18) {
        0 | 1 if object => format!("u::id<{t}> *"),
        2 if object => format!("const u::id<{t}>"),
        3 if object => format!("u::id<{t}> &"),
        4 if object => format!("u::id<{t}> &&"),
        5 if object => format!("u::id<{t}[{}]>", rng.range(2, 4)),
        6 if object => format!("u::id<{t}[]>"),
        7 | 8 if object && !t.contains('[') => format!("u::id<{t}({})>", rng.pick(&["", "int", "int, char", "char *"])),
        9 => format!("Pair<{t}, {t}>"),
        10 => format!("Pair<{t}, {}>", ty(rng, 0)),
        11 if object => format!("Pair<{t}, u::id<{t}> *>"),
        12 => format!("Arr<{t}, {}>", rng.range(1, 3)),
        13 => format!("Tup<{t}>"),
        14 => format!("Tup<{}, Pair<{t}, char>>", rng.pick(&["char", "int", "long"])),
        15 => "Tup<>".to_owned(),
        16 if object => format!("u::id<{t}> K::*"),
        17 if object && !t.contains('[') => {
            format!("u::id<{t}> (K::*)({}){}", rng.pick(&["", "int"]), rng.pick(&["", " const"]))
        }
        _ => t,
    }
}

/// One primary template, some specialisations, many types. A type that two match equally well is an error, so that not
/// all of these programs are valid.
pub(super) fn patterns(rng: &mut Rng) -> String {
    let mut out = HEAD.to_owned();
    // Where the pattern gives all arguments, other ways lead to the choice.
    let more = rng.pick(&["", ", class = void"]);
    out += &format!("template <class T{more}> struct X {{ static constexpr int v = 0; }};\n");
    out += "\nnamespace u { template <class T> using id = T; }\n";
    let mut used = Vec::new();
    for n in 0..2 + rng.below(5) {
        let i = rng.below(PATTERNS.len());
        if used.contains(&i) {
            continue;
        }
        used.push(i);
        let (head, pattern) = PATTERNS[i];
        out += &format!("template <{head}> struct X<{pattern}> {{ static constexpr int v = {}; }};\n", n + 1);
    }
    if rng.chance(30) {
        out += &format!(
            "template <> struct X<{}> {{ static constexpr int v = 50; }};\n",
            rng.pick(&["int *", "const char", "Pair<int, int>", "Tup<>", "int[3]", "int(int)"])
        );
    }
    if !more.is_empty() && rng.chance(30) {
        out += "template <class T> struct X<T, u2::void_t<typename T::none>> { static constexpr int v = 60; };\n"
            .replace("u2", "::u")
            .as_str();
    }
    out += "DEV void run(Out &o) {\n";
    for _ in 0..12 {
        let depth = rng.below(4) as u32;
        out += &format!("  P(X<{}>::v);\n", ty(rng, depth));
    }
    out + "}\n"
}
