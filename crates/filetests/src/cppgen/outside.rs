//! Members of class templates defined outside of them, of the template itself, of its partial and explicit specialisations, and of
//! single instances, in any order: which definition a member has, and what its parameters stand for there.

use crate::Rng;

/// The heads of patterns of `template <int N, class T> struct S`: parameters and arguments. The first is the template's own.
const PATTERNS: [(&str, &str); 8] = [
    ("int N, class T", "N, T"),
    ("class T", "3, T"),
    ("class T", "2, T"),
    ("int N, class U", "N, U *"),
    ("int M, class V", "M, const V"),
    ("class A, class B", "4, Two<A, B>"),
    ("int N, class T, int K", "N, T[K]"),
    ("class T", "5, T (*)(T)"),
];
/// Members as they are declared, as they are defined behind `S<…>::`, and as they are called.
const MEMBERS: [(&str, &str, &str); 10] = [
    ("long f(int i)", "long SELF::f(int i)", "s.f(1)"),
    ("long f(double d) const", "long SELF::f(double d) const", "c.f(2.5)"),
    ("long operator[](index i)", "long SELF::operator[](typename SELF::index i)", "s[1]"),
    ("long operator[](index i) const", "long SELF::operator[](typename SELF::index i) const", "c[1]"),
    ("static long g()", "long SELF::g()", "S::g()"),
    ("explicit S(long v)", "SELF::S(long v)", "S(3l).v"),
    ("S(int v, int w)", "SELF::S(int v, int w)", "S(3, 4).v"),
    ("operator long() const", "SELF::operator long() const", "(long)s"),
    ("template <class X> long h(X x)", "template <class X> long SELF::h(X x)", "s.h(1)"),
    ("template <class X> long h(X *x) const", "template <class X> long SELF::h(X *x) const", "s.h(&s)"),
];
const INSTANCES: [&str; 9] = [
    "1, int",
    "3, int",
    "3, char",
    "2, long",
    "1, float *",
    "7, const int",
    "4, Two<int, char>",
    "1, int[6]",
    "5, int (*)(int)",
];

/// Random templates.
pub(super) fn outside(rng: &mut Rng) -> String {
    let mut out = String::from("template <class A, class B> struct Two { A a; B b; };\n");
    out += "template <int N, class T> struct S;\n";
    let mut patterns: Vec<usize> = (1..PATTERNS.len()).filter(|_| rng.chance(60)).collect();
    patterns.insert(0, 0);
    let members: Vec<usize> = (0..MEMBERS.len()).filter(|_| rng.chance(50)).collect();
    let mut definitions = Vec::new();
    for &p in &patterns {
        let (head, args) = PATTERNS[p];
        let named = if p == 0 { String::new() } else { format!("<{args}>") };
        out += &format!(
            "template <{head}> struct S{named} {{\n  typedef int index;\n  long v;\n  DEV S() : v({p}) {{}}\n"
        );
        for &m in &members {
            let (declared, defined, _) = MEMBERS[m];
            out += &format!("  {};\n", marked(declared));
            let number = p * 100 + m;
            let itself = format!("S<{args}>");
            let heads = match defined.strip_prefix("template <class X> ") {
                Some(rest) => format!("template <{head}> template <class X> DEV {rest}"),
                None => format!("template <{head}> DEV {}", defined),
            };
            let heads = heads.replace("SELF", &itself);
            let kinds =
                head.split(", ").filter_map(|p| p.strip_prefix("class ")).map(|t| format!(" + (long)tid<{t}>::v"));
            let values = head.split(", ").filter_map(|p| p.strip_prefix("int ")).map(|n| format!(" + 1000 * {n}"));
            let value = format!("{number}{}{}", kinds.collect::<String>(), values.collect::<String>());
            let body = match MEMBERS[m].0.contains("S(") {
                true => format!("{heads} : v({value}) {{ this->v += v; }}\n"),
                false => format!("{heads} {{ return {value}; }}\n"),
            };
            definitions.push(body);
        }
        out += "};\n";
    }
    // In any order.
    for i in (1..definitions.len()).rev() {
        definitions.swap(i, rng.below(i + 1));
    }
    out += &definitions.concat();
    let special = rng.chance(70);
    if special {
        out += &explicit_class(&members);
    }
    out += &of_instances(rng, &members);
    out += "template <class S> DEV void see(Out &o) {\n  S s; const S c{}; P(s.v); P(c.v);\n";
    for &m in &members {
        out += &format!("  P({});\n", MEMBERS[m].2);
    }
    out += "}\nDEV void run(Out &o) {\n";
    for instance in INSTANCES.into_iter().chain(special.then_some(EXPLICIT)) {
        out += &format!("  see<S<{instance}>>(o);\n");
    }
    out + "}\n"
}

/// The arguments of an explicit specialisation.
const EXPLICIT: &str = "9, char";

/// A declaration with what calls it marked for the device behind its template's head.
fn marked(declared: &str) -> String {
    match declared.strip_prefix("template <class X> ") {
        Some(rest) => format!("template <class X> DEV {rest}"),
        None => format!("DEV {declared}"),
    }
}

/// The definition of a member of one class.
fn definition(class: &str, m: usize, value: usize) -> String {
    let head = marked(&MEMBERS[m].1.replace("SELF", class));
    match MEMBERS[m].0.contains("S(") {
        true => format!("{head} : v({value}) {{ this->v += v; }}\n"),
        false => format!("{head} {{ return {value}; }}\n"),
    }
}

/// An explicit specialisation: its members are defined without `template<>`.
fn explicit_class(members: &[usize]) -> String {
    let mut out =
        format!("template <> struct S<{EXPLICIT}> {{\n  typedef int index;\n  long v;\n  DEV S() : v(99) {{}}\n");
    for &m in members {
        out += &format!("  {};\n", marked(MEMBERS[m].0));
    }
    out += "};\n";
    let class = format!("S<{EXPLICIT}>");
    members.iter().fold(out, |out, &m| out + &definition(&class, m, 9000 + m))
}

/// Members of some instances, member templates among them, that are defined otherwise than those of the others.
fn of_instances(rng: &mut Rng, members: &[usize]) -> String {
    let mut out = String::new();
    for (n, instance) in INSTANCES.into_iter().enumerate() {
        for &m in members {
            if rng.chance(20) {
                out += &format!("template <> {}", definition(&format!("S<{instance}>"), m, 7000 + 100 * n + m));
            }
        }
    }
    out
}
