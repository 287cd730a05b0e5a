//! Sets of overloads and calls of them: which one is chosen, or that none is or several are.

use crate::Rng;
use crate::cppgen::expand::NUMBERS;

/// Classes with conversions from and to others, and arguments of every kind.
const TYPES: &str = "
enum E { e0, e1 }; enum Eu : unsigned char { eu = 3 }; enum class S { s0 }; enum class Sl : long { l0 };
struct A { int a; }; struct B : A { int b; }; struct C : B { int c; };
struct FromInt { DEV FromInt(int) {} }; struct FromA { DEV FromA(const A &) {} };
struct FromLong { DEV explicit FromLong(long) {} FromLong() = default; };
struct ToInt { DEV operator int() const { return 5; } }; struct ToDouble { DEV operator double() { return 2.5; } };
struct ToBoth { DEV operator long() const { return 6; } DEV operator char() { return 7; } };
struct ToPtr { DEV operator const int *() const { return nullptr; } DEV explicit operator bool() const { return true; } };
struct ToA { A a; DEV operator A &() { return a; } }; struct ToB { DEV operator B() const { return {}; } };
struct FromAny { template <class T> DEV FromAny(const T &) {} }; struct ToAny { template <class T> DEV operator T() const { return T(); } };
struct List { DEV List(std::initializer_list<int>) {} DEV List(int, int) {} }; struct Agg { int x; double y; };
template <class T> struct Box { T t; }; template <class T> struct Sub : Box<T> {};
DEV int fun(int) { return 1; } DEV void vfun() {}
template <class T> concept Small = sizeof(T) <= 2; template <class T> concept Tiny = Small<T> && sizeof(T) == 1;
";

/// Types of parameters that are no numbers.
const OTHERS: [&str; 46] = [
    "E",
    "Eu",
    "S",
    "Sl",
    "A",
    "B",
    "const A &",
    "A &",
    "A &&",
    "const B &",
    "B *",
    "A *",
    "const A *",
    "void *",
    "const void *",
    "int *",
    "const int *",
    "int *const &",
    "const char *",
    "char *",
    "FromInt",
    "FromA",
    "const FromA &",
    "FromLong",
    "ToInt",
    "FromAny",
    "List",
    "Agg",
    "const int &",
    "int &",
    "int &&",
    "const double &",
    "double &&",
    "const long &",
    "short &",
    "Box<int>",
    "const Box<int> &",
    "int (&)[3]",
    "const int (&)[3]",
    "int (*)(int)",
    "int (&)(int)",
    "decltype(nullptr)",
    "bool",
    "...",
    "volatile int &",
    "std::initializer_list<int>",
];

/// Parameters of templates: template header, parameter, constraint.
const TEMPLATES: [(&str, &str); 30] = [
    ("class T", "T"),
    ("class T", "T &"),
    ("class T", "const T &"),
    ("class T", "T &&"),
    ("class T", "const T &&"),
    ("class T", "T *"),
    ("class T", "const T *"),
    ("class T", "T *const &"),
    ("class T", "Box<T>"),
    ("class T", "const Box<T> &"),
    ("class T", "Box<T> &"),
    ("class T", "Box<T *>"),
    ("template <class> class C, class T", "C<T>"),
    ("template <class> class C", "const C<int> &"),
    ("class T, int N", "T (&)[N]"),
    ("class T", "const T (&)[3]"),
    ("class R, class Q", "R (*)(Q)"),
    ("class R, class... Q", "R (*)(Q...)"),
    ("class... T", "T..."),
    ("class... T", "const T &..."),
    ("class... T", "T &&..."),
    ("class T, class... U", "T"),
    ("class T, class U = T", "T"),
    ("Small T", "T"),
    ("Tiny T", "T"),
    ("Small T", "const T &"),
    ("class T, u::enable_if_t<(sizeof(T) > 4), int> = 0", "T"),
    ("class T = int", "decltype(nullptr)"),
    ("class T, class = typename T::type", "T"),
    ("class T", "std::initializer_list<T>"),
];

const ARGUMENTS: [&str; 68] = [
    "1",
    "1u",
    "1L",
    "1ul",
    "1ll",
    "'a'",
    "true",
    "2.5",
    "2.5f",
    "(short)1",
    "(unsigned char)1",
    "(signed char)2",
    "(unsigned short)3",
    "0",
    "nullptr",
    "\"abc\"",
    "e0",
    "eu",
    "S::s0",
    "Sl::l0",
    "i",
    "ci",
    "vi",
    "l",
    "c",
    "d",
    "pi",
    "pci",
    "pv",
    "pa",
    "pb",
    "pc",
    "pca",
    "a",
    "b",
    "cc",
    "ca",
    "A()",
    "B()",
    "C()",
    "const_a()",
    "u::move(i)",
    "u::move(ca)",
    "arr",
    "carr",
    "fun",
    "&fun",
    "vfun",
    "ti",
    "cti",
    "td",
    "tb",
    "tp",
    "ta",
    "ToInt()",
    "ToBoth()",
    "ToPtr()",
    "ToB()",
    "any",
    "bx",
    "Sub<int>()",
    "Box<int *>()",
    "Box<char>()",
    "sh",
    "bf.b",
    "bf.u",
    "bf.l",
    "[](int x) { return x; }",
];

const LISTS: [&str; 9] = ["{}", "{1}", "{1, 2}", "{1, 2.5}", "{i}", "{'a'}", "{1, 2, 3}", "{2.5}", "{{1}}"];

const VARIABLES: &str = "  int i = 1; const int ci = 2; volatile int vi = 3; long l = 4; char c = 'c'; double d = 1.5; int *pi = &i; const int *pci = &ci; void *pv = &i; short sh = 4;
  A a{}; B b{}; C cc{}; const A ca{}; A *pa = &a; B *pb = &b; C *pc = &cc; const A *pca = &ca; int arr[3] = {}; const int carr[3] = {};
  ToInt ti; const ToInt cti; ToDouble td; ToBoth tb; ToPtr tp; ToA ta; ToAny any; Box<int> bx{}; struct { unsigned b : 3; unsigned u : 32; long l : 20; } bf{1, 2, 3};
";

fn parameter(rng: &mut Rng) -> String {
    if rng.chance(45) { rng.pick(&NUMBERS).to_owned() } else { rng.pick(&OTHERS).to_owned() }
}

/// A call that the compiler may find wrong: inside a requirement of a generic lambda.
fn probe(call: &str) -> String {
    format!(
        "  P([&](auto z) {{ if constexpr (requires {{ {call}; }}) return (int){call}; else return -1 + z; }}(0));\n"
    )
}

/// What a call is given where it stands for itself: each argument as a template's parameter, forwarded.
fn forwarded(name: &str, args: &[&str]) -> String {
    format!("  P(call_{name}({}));\n", args.join(", "))
}

/// Overloads of one parameter.
pub(super) fn one_argument(rng: &mut Rng) -> String {
    let mut out = TYPES.to_owned();
    let mut seen: Vec<String> = Vec::new();
    for n in 0..2 + rng.below(6) {
        let (head, p, tail) = if rng.chance(35) {
            let (head, p) = rng.pick(&TEMPLATES);
            let tail = if rng.chance(10) && head.contains("class T") && !head.contains("...") {
                " requires (sizeof(T) > 1)"
            } else {
                ""
            };
            (format!("template <{head}> "), p.to_owned(), tail)
        } else {
            (String::new(), parameter(rng), "")
        };
        let key = format!("{head}{}{tail}", p.trim_start_matches("const ").trim_end_matches(" &"));
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let more = if p != "..." && !p.contains("...") && rng.chance(15) {
            rng.pick(&[", int = 1", ", ...", ", short = 2"])
        } else {
            ""
        };
        out += &format!("{head}DEV int f({p}{more}){tail} {{ return {}; }}\n", n + 1);
    }
    out += "template <class T> DEV int call_f(T &&t) { if constexpr (requires { f((T &&)t); }) return f((T &&)t); else return -1; }\nDEV const A const_a() { return {}; }\nDEV void run(Out &o) {\n";
    out += VARIABLES;
    for _ in 0..14 {
        let arg = rng.pick(&ARGUMENTS);
        out += &forwarded("f", &[if arg.starts_with("bf.") { "+i" } else { arg }]);
    }
    if rng.chance(25) {
        // As it stands, where a wrong call is an error: null pointer constants, bit-fields, lists, overloaded names.
        let arg = if rng.chance(40) { rng.pick(&LISTS) } else { rng.pick(&ARGUMENTS) };
        out += &format!("  P(f({arg}));\n");
    }
    out + "}\n"
}

/// Overloads of two parameters, and of operators.
pub(super) fn two_arguments(rng: &mut Rng) -> String {
    let mut out = TYPES.to_owned();
    let operator = rng.chance(30);
    let name = if operator { "operator+" } else { "g" };
    let mut seen: Vec<String> = Vec::new();
    for n in 0..2 + rng.below(5) {
        let (mut a, mut b) = (parameter(rng), parameter(rng));
        let mut head = "";
        match rng.below(6) {
            0 => {
                (head, a, b) = (
                    "template <class T> ",
                    rng.pick(&["T", "const T &", "T *", "Box<T>"]).into(),
                    rng.pick(&["T", "T &&", "T *", "const T &"]).into(),
                )
            }
            1 => {
                (head, a, b) = (
                    "template <class T, class U> ",
                    rng.pick(&["T", "T &&", "T *"]).into(),
                    rng.pick(&["U", "U &", "Box<U>", "const U *"]).into(),
                )
            }
            2 => (head, a) = ("template <class T> ", rng.pick(&["T", "T &&", "const T &", "T *"]).into()),
            3 if !operator => b = "...".into(),
            _ => {}
        }
        if a == "..." || (operator && (a.contains("list") || b == "...")) {
            a = "const A &".into();
        }
        if operator {
            // One of them must be of a class.
            b = if rng.chance(50) { "const A &".into() } else { "ToInt".into() };
        }
        let key = format!("{head}{a},{b}");
        if !seen.contains(&key) {
            seen.push(key);
            out += &format!("{head}DEV int {name}({a}, {b}) {{ return {}; }}\n", n + 1);
        }
    }
    let call = if operator { "(T &&)t + (U &&)v" } else { "g((T &&)t, (U &&)v)" };
    out += &format!(
        "template <class T, class U> DEV int call_g(T &&t, U &&v) {{ if constexpr (requires {{ static_cast<int>({call}); }}) return static_cast<int>({call}); else return -1; }}\nDEV const A const_a() {{ return {{}}; }}\nDEV void run(Out &o) {{\n"
    );
    out += VARIABLES;
    for _ in 0..16 {
        let mut arg = || {
            let a = rng.pick(&ARGUMENTS);
            let pointer = a.contains('p') || a.starts_with("nul") || ["arr", "carr", "\"abc\""].contains(&a);
            if a.starts_with("bf.") || (operator && pointer) { "+i" } else { a }
        };
        let (a, b) = (arg(), arg());
        out += &forwarded("g", &[a, b]);
    }
    if !operator && rng.chance(20) {
        out += &probe(&format!("g({}, (decltype(z))1)", rng.pick(&ARGUMENTS)));
    }
    out + "}\n"
}
