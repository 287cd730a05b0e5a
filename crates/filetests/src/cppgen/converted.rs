//! Operators that the language provides, given objects of classes: which numbers and pointers those convert to, what type
//! comes out, and assignments to objects that nobody named.
//!
//! Many of these programs are wrong: conversions are ambiguous, or missing. That is asked as well, in requirements, so that
//! a program can say that an expression is none.

use crate::Rng;

/// What conversion functions give: the type, the value.
const TARGETS: [(&str, &str); 11] = [
    ("int", "v"),
    ("long long", "v + 1"),
    ("unsigned", "(unsigned)v + 2"),
    ("char", "(char)(v + 3)"),
    ("bool", "v % 2"),
    ("double", "v + 0.5"),
    ("float", "v + 0.25f"),
    ("const int *", "at"),
    ("int *", "at"),
    ("int &", "*at"),
    ("E", "E::b"),
];

/// Expressions of two operands.
const BINARY: [&str; 16] = [
    "c ? @ : @",
    "f ? @ : @",
    "c ? @ : @",
    "c ? @ : (f ? @ : @)",
    "@ + @",
    "@ - @",
    "@ * @",
    "@ < @",
    "@ == @",
    "@ && @",
    "@ << 2",
    "@ | @",
    "-@",
    "!@",
    "@ ? 3 : 4",
    "*@",
];

/// Random classes and expressions of their objects.
pub(super) fn converted(rng: &mut Rng) -> String {
    let mut out =
        "enum E { a, b };\ntemplate <int N> struct Int { DEV constexpr operator int() const { return N; } };\n"
            .to_owned();
    let count = 2 + rng.below(3);
    for n in 0..count {
        out += &class(rng, n);
    }
    out +=
        "DEV void run(Out &o) {\n  int x[3] = {40 + o.n, 50, 60}, n = o.n; bool c = o.n % 2, f = !c; double w = 2.5;\n";
    for n in 0..count {
        out += &format!("  K{n} k{n}(n + {n}, x + {}); const K{n} q{n}(n + {}, x);\n", n % 3, n + 7);
    }
    for _ in 0..3 + rng.below(5) {
        if rng.chance(25) {
            out += &assigned(rng, count);
            continue;
        }
        let form = rng.pick(&BINARY);
        let text = filled(rng, form, count);
        // In a lambda's own parameter the expression depends on a type, so that being none is no error.
        out += &format!(
            "  [&](auto one) {{ using T = decltype(one);\n    if constexpr (requires(T) {{ {d}; }}) {{ TY({d}); P(num({d})); }} else P(-1);\n  }}(K0(n, x));\n",
            d = text
        );
    }
    out += "}\n";
    let num = "template <class T> DEV long long num(T v) { return v; }\ntemplate <class T> DEV long long num(T *v) { return v != nullptr; }\n";
    out.replacen("DEV void run", &format!("{num}DEV void run"), 1)
}

/// A class with some conversion functions, perhaps some of a base's, perhaps an assignment that counts.
fn class(rng: &mut Rng, n: usize) -> String {
    let base = if n > 0 && rng.chance(30) { format!(" : K{}", rng.below(n)) } else { String::new() };
    let made = match base.strip_prefix(" : ") {
        Some(base) => format!("DEV K{n}(int v, int *at) : {base}(v + 1, at), v(v), at(at) {{}}"),
        None => format!("DEV K{n}(int v, int *at) : v(v), at(at) {{}}"),
    };
    let mut text = format!("struct K{n}{base} {{ int v, *at; {made}");
    let mut given: Vec<&str> = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let (to, value) = rng.pick(&TARGETS);
        if given.contains(&to) {
            continue;
        }
        given.push(to);
        let explicit = if rng.chance(12) { "explicit " } else { "" };
        let is_const = if rng.chance(75) { " const" } else { "" };
        text += &format!(" DEV {explicit}operator {to}(){is_const} {{ return {value}; }}");
    }
    match rng.below(4) {
        0 => text += &format!(" K{n}(const K{n} &) = default; K{n} &operator=(const K{n} &) = default;"),
        1 => {
            text += &format!(
                " K{n}(const K{n} &) = default; DEV K{n} &operator=(const K{n} &r) {{ *at += r.v; v = r.v; return *this; }}"
            );
        }
        _ => {}
    }
    text + " };\n"
}

/// An assignment to an object without a name.
fn assigned(rng: &mut Rng, count: usize) -> String {
    let (n, v) = (rng.below(count), rng.below(9));
    match rng.below(4) {
        0 => format!("  P((K{n}({v}, x) = k{n}).v); P(x[0]);\n"),
        1 => format!("  K{n}(n, x + 1) = K{n}({v}, x); P(x[1]);\n"),
        2 => format!("  {{ auto make = [&](int v) {{ return K{n}(v, x + 2); }}; make(1) = make({v}); P(x[2]); }}\n"),
        _ => format!("  {{ auto &&z = K{n}(1, x) = q{n}; P(x[0]); (void)z; }}\n"),
    }
}

/// A text whose `@` are objects, temporaries and numbers, one of which at least is of the type `T`.
fn filled(rng: &mut Rng, text: &str, count: usize) -> String {
    let mut out = String::new();
    let mut first = true;
    for ch in text.chars() {
        if ch != '@' {
            out.push(ch);
            continue;
        }
        let n = rng.below(count);
        let others = ["n", "w", "1", "'a'", "2.5f", "x", "nullptr", "E::a", "(short)n", "Int<5>{}", "Int<-6>{}"];
        out += &match rng.below(6) {
            _ if first => "one".to_owned(),
            0 | 1 => format!("k{n}"),
            2 => format!("q{n}"),
            3 => format!("K{n}(n, x)"),
            // clang compares no pointer with `nullptr` by order, nvcc does.
            _ => match rng.pick(&others) {
                "nullptr" if text.contains('<') => "x".to_owned(),
                other => other.to_owned(),
            },
        };
        first = false;
    }
    out
}
