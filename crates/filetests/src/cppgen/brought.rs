//! `using Base::f;` in classes that have functions of that name of their own: which of all is called. The objects come out of
//! functions whose result is an instance of a class template that nobody has asked anything of.

use crate::Rng;

/// Parameter lists; with `const` behind some.
const PARAMETERS: [&str; 9] =
    ["()", "(int)", "(long)", "(double)", "(int, int)", "(int &)", "(const int &)", "(int = 0)", "(...)"];
const BEHIND: [&str; 2] = ["", " const"];
const TEMPLATES: [&str; 5] = [
    "template <class T> DEV int NAME(T)",
    "template <class T> DEV int NAME(T *)",
    "template <class T> DEV int NAME(const T &)",
    "template <class T, class U> DEV int NAME(T, U)",
    "template <int N> DEV int NAME()",
];
const CALLS: [&str; 10] =
    ["f()", "f(i)", "f(1)", "f(1l)", "f(2.5)", "f('a')", "f(1, 2)", "f(&i)", "template f<3>()", "f(i, 2.5)"];
const NAMES: [&str; 3] = ["f", "operator()", "operator+"];

/// Random hierarchies.
pub(super) fn brought(rng: &mut Rng) -> String {
    let name = rng.pick(&NAMES);
    let levels = 2 + rng.below(3);
    let mut out = String::new();
    let mut number = 0;
    for level in 0..levels {
        let template = level > 0 && rng.chance(40);
        let base = if level == 0 { String::new() } else { format!(" : L{}", level - 1) };
        let header = if template { "template <class D> " } else { "" };
        let name_of = if template { format!("T{level}") } else { format!("L{level}") };
        out += &format!("{header}struct {name_of}{base} {{\n  long pad{level} = {level};\n");
        let mut parts: Vec<String> = Vec::new();
        if level > 0 && rng.chance(80) {
            parts.push(format!("  using L{}::{name};\n", level - 1));
        }
        for _ in 0..rng.below(4) + usize::from(level == 0) {
            number += 1;
            let behind = rng.pick(&BEHIND);
            // A binary operator that is a member has one parameter.
            let f = match name {
                "operator+" => format!("DEV int {name}({})", rng.pick(&["int", "long", "double", "const int &"])),
                _ if rng.chance(25) => rng.pick(&TEMPLATES).replace("NAME", name),
                _ => format!("DEV int {name}{}", rng.pick(&PARAMETERS)),
            };
            parts.push(format!("  {f}{behind} {{ return {number}; }}\n"));
        }
        // The declaration may stand anywhere.
        if !parts.is_empty() {
            let at = rng.below(parts.len());
            parts.rotate_left(at);
        }
        out += &parts.concat();
        out += "};\n";
        if template {
            out += &format!("typedef T{level}<int> L{level};\n");
        }
    }
    let last = levels - 1;
    let object =
        rng.pick(&["L x;", "const L x{};", "const L &x = make<L>();", "L &&x = make<L>();", "auto x = make<L>();"]);
    out += "template <class T> DEV __attribute__((noinline)) T make() { return T(); }\n";
    out += "template <class T> struct Pair { T a; double d = 1.5; DEV long at() const { return (long)((char *)&d - (char *)this) + (long)d; } };\n";
    out += "template <class T> DEV __attribute__((noinline)) Pair<T> two() { return {}; }\ntemplate <class P> DEV long see(const P &p) { return p.at(); }\n";
    // What does not compile says nothing: each call is tried.
    out += "template <class X, class F> DEV auto tried(X &x, F f, int) -> decltype(f(x)) { return f(x); }\n";
    out += "template <class X, class F> DEV int tried(X &, F, ...) { return -1; }\n";
    out += &format!("DEV void run(Out &o) {{\n  int i = 1; {}\n", object.replace('L', &format!("L{last}")));
    for _ in 0..6 {
        let call = rng.pick(&CALLS);
        let call = match name {
            "operator+" => format!("x + {}", rng.pick(&["1", "1l", "2.5", "i", "'a'"])),
            "operator()" => format!("x.{}", call.replace("f<3>", "operator()<3>").replace("f(", "operator()(")),
            _ => format!("x.{call}"),
        };
        out += &format!("  P(tried(x, [&i](auto &x) -> decltype({call}) {{ return {call}; }}, 0)); P(i);\n");
    }
    out + &format!("  P(see(two<L{last}>())); P(see(two<char>())); P(sizeof(L{last}));\n}}\n")
}
