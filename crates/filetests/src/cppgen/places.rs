//! Which object is meant: variables, members, elements and what pointers and references lead to, through casts to references,
//! conversion functions, conditionals, assignments and commas, written to and read. And what the bytes of a value are as one of
//! another type.

use crate::Rng;

const CLASSES: &str = "\
struct S { int m, k; DEV int &ref() { return k; } };
struct D : S { int e; };
struct Box { int *p; DEV operator int &() const { return *p; } };
struct Shut { int *p; DEV explicit operator int &() { return *p; } DEV explicit operator const int &() const { return *p; } };
DEV int &id(int &r) { return r; }
template <class T> DEV T &same(T &r) { return r; }
";

/// Variables, and what prints them.
const VARIABLES: &str = "\
  int a = 1, b = 2, v[3] = {3, 4, 5}; S s{6, 7}; D d; d.m = 8; d.k = 9; d.e = 10;
  int *p = &v[1]; S *q = &d; Box x{&a}; Shut y{&b}; int S::*pm = &S::k; int &r = s.m; bool c = o.n % 2, f = !c; int i = o.n % 3;
  auto print = [&] { P(a); P(b); P(v[0] * 10000 + v[1] * 100 + v[2]); P(s.m * 100 + s.k); P(d.m * 10000 + d.k * 100 + d.e); P(p - v); };
";

/// Places of type `int`; `@` is another one, `#` a value.
const PLACES: [&str; 27] = [
    "a",
    "v[i]",
    "s.m",
    "*p",
    "q->k",
    "r",
    "static_cast<int &>(x)",
    "static_cast<int &>(y)",
    "s.ref()",
    "(d.*pm)",
    "(q->*pm)",
    "d.S::m",
    "static_cast<S &>(d).k",
    "(c ? @ : @)",
    "(f ? @ : @)",
    "(c ? *p : static_cast<int &>(x))",
    "(f ? s : static_cast<S &>(d)).m",
    "(c ? q : &s)->k",
    "(@ = #)",
    "(@ += #)",
    "++@",
    "(@, @)",
    "id(@)",
    "same(@)",
    "*&@",
    "const_cast<int &>(static_cast<const int &>(@))",
    "[&]() -> int & { return @; }()",
];

/// Statements.
const STATEMENTS: [&str; 8] = [
    "@ = #;",
    "@ += #;",
    "P(@);",
    "{ int &z = @; z ^= #; }",
    "{ const int &z = @; P(z); }",
    "p = &@; p = v + #;",
    "{ auto &&z = @; z -= 1; }",
    "P(@++ * 3);",
];

/// Random places that are written and read.
pub(super) fn places(rng: &mut Rng) -> String {
    let mut out = format!("{CLASSES}DEV void run(Out &o) {{\n{VARIABLES}");
    for _ in 0..4 + rng.below(8) {
        let statement = rng.pick(&STATEMENTS);
        let text = filled(rng, statement, 0);
        out += &format!("  {text}\n  print();\n");
    }
    out + "}\n"
}

/// A text whose `@` are places, and whose `#` are values that are indices, too.
fn filled(rng: &mut Rng, text: &str, depth: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '@' => {
                let known = if depth < 3 { PLACES.len() } else { 13 };
                let place = PLACES[rng.below(known)];
                out += &filled(rng, place, depth + 1);
            }
            '#' => out += &rng.below(3).to_string(),
            c => out.push(c),
        }
    }
    out
}

/// Types of as many bytes, and a value of each.
const SAME: [&[(&str, &str)]; 4] = [
    &[
        ("bool", "(o.n % 2 == 0)"),
        ("char", "(char)(o.n % 2)"),
        ("unsigned char", "(unsigned char)(o.n % 2 + 0)"),
        ("One<bool>", "One<bool>{o.n % 2 == 1}"),
        ("One<char>", "One<char>{1}"),
    ],
    &[("short", "(short)(o.n - 9)"), ("unsigned short", "(unsigned short)0xff12"), ("Two<char>", "Two<char>{1, 2}")],
    &[
        ("int", "o.n - 7"),
        ("float", "(o.n * 1.5f)"),
        ("unsigned", "0x3f800000u"),
        ("Two<short>", "Two<short>{1, -2}"),
        ("One<float>", "One<float>{-0.0f}"),
        ("char32_t", "U'x'"),
    ],
    &[
        ("long long", "(long long)(o.n - 7)"),
        ("double", "(o.n * 0.25)"),
        ("Two<int>", "Two<int>{3, o.n}"),
        ("Two<float>", "Two<float>{1, 2}"),
        ("Two<Two<short>>", "Two<Two<short>>{{1, 2}, {3, 4}}"),
        ("u64", "(u64)1 << 62"),
    ],
];

/// Random values as ones of other types with as many bytes.
pub(super) fn bits(rng: &mut Rng) -> String {
    let mut out = "template <class T> struct One { T t; };\ntemplate <class T> struct Two { T t, u; };\n".to_owned();
    out += "template <class T> DEV long long sum(T v) { long long s = 0; auto *p = (const unsigned char *)&v; for (unsigned i = 0; i < sizeof(T); i++) s = s * 7 + p[i]; return s; }\n";
    out += "DEV void run(Out &o) {\n";
    for _ in 0..3 + rng.below(6) {
        let of = SAME[rng.below(SAME.len())];
        let ((from, value), (to, _)) = (of[rng.below(of.len())], of[rng.below(of.len())]);
        // A `bool` is only made of what one may be.
        let flag = to.contains("bool");
        let value = if flag && !from.contains("bool") { format!("({from})(o.n % 2)") } else { value.to_owned() };
        let value = if flag && from == "One<char>" { "One<char>{1}".to_owned() } else { value };
        let cast = format!("__builtin_bit_cast({to}, {value})");
        out += &match rng.below(4) {
            0 => format!("  P(sum({cast}));\n"),
            1 => format!("  {{ {to} t = {cast}; P(sum(t)); }}\n"),
            2 => format!(
                "  {{ {from} f = {value}; auto t = __builtin_bit_cast({to}, f); P(sum(t)); P(sum(__builtin_bit_cast({from}, t))); }}\n"
            ),
            _ => format!("  P(sum(One<{to}>{{{cast}}}));\n"),
        };
    }
    out + "}\n"
}
