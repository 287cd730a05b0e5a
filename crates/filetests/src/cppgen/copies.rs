//! Which function copies, moves or assigns an object: classes with some of the constructors and assignments that there are,
//! templates among them, and all ways to make an object of another. Each function leaves a number of its own, so that whoever
//! takes another one shows it; where there is none, or two fit equally well, that is asked without an error.

use crate::Rng;

/// The constructors of a class `T`, or of `B`, which it may derive from; `$` is a number of its own.
const CONSTRUCTORS: [&str; 12] = [
    "DEV T(const T &o) { x = o.x + $; }",
    "DEV T(T &o) { x = o.x + $; }",
    "DEV T(T &&o) { x = o.x + $; }",
    "T(const T &) = default;",
    "T(T &&) = default;",
    "template <class U> DEV T(U &&) { x = $; }",
    "template <class U> DEV T(const U &) { x = $; }",
    "template <class U> DEV explicit T(U &&) { x = $; }",
    "template <class U, class = decltype(U::none)> DEV T(U &&) { x = $; }",
    "DEV T(int) { x = $; }",
    "DEV T(const D &) { x = $; }",
    "DEV explicit T(long long) { x = $; }",
];

const ASSIGNMENTS: [&str; 11] = [
    "DEV T &operator=(const T &o) { x = o.x + $; return *this; }",
    "DEV T &operator=(T &o) { x = o.x + $; return *this; }",
    "DEV T &operator=(T &&o) { x = o.x + $; return *this; }",
    "T &operator=(const T &) = default;",
    "T &operator=(T &&) = default;",
    "template <class U> DEV T &operator=(U &&) { x = $; return *this; }",
    "template <class U> DEV T &operator=(const U &) { x = $; return *this; }",
    "template <class U> DEV T &operator=(U) { x = $; return *this; }",
    "template <class U, class = decltype(U::none)> DEV T &operator=(U &&) { x = $; return *this; }",
    "DEV T &operator=(int) { x = $; return *this; }",
    "DEV T &operator=(const D &) { x = $; return *this; }",
];

const OTHERS: [&str; 3] = [
    "DEV operator int() const { return $; }",
    "DEV operator short() { return $; }",
    "DEV T &set(T &o) { return T::operator=(o); }",
];

/// How an object is made of `from`, whose type is `F`: what is asked first, and what is done then.
const MADE: [(&str, &str); 4] = [
    ("T(from)", "T t(static_cast<F>(from)); TR(t.x)"),
    ("T{from}", "T t{static_cast<F>(from)}; TR(t.x)"),
    ("take(from)", "TR(take(static_cast<F>(from)))"),
    ("static_cast<T>(from)", "TR(static_cast<T>(static_cast<F>(from)).x)"),
];

/// How one is assigned.
const ASSIGNED: [&str; 3] = ["t = from", "t.operator=(from)", "t.T::operator=(from)"];

/// Objects in closures and classes, where those are copied.
const HELD: &str = "\
template <class F> DEV auto held(Out &o, int) -> decltype(void(new F(*(const F *)0)), void(new F(*(F *)0))) {
  F t; t.x = 7; auto l = [t] { return t.x; }; TR(l()); auto m = l; TR(m());
}
template <class F> DEV void held(Out &o, long) { TR(-1); }
template <class F> struct W { F a[2]; };
template <class F> DEV auto parts(Out &o, int) -> decltype(void(new F(*(const F *)0)), void(*(F *)0 = *(const F *)0)) {
  W<F> w; w.a[0].x = 1; w.a[1].x = 2; W<F> v = w; TR(v.a[1].x); v.a[0].x = 9; v = w; TR(v.a[0].x);
}
template <class F> DEV void parts(Out &o, long) { TR(-1); }
";

/// Random classes, and what becomes of objects of them.
pub(super) fn copies(rng: &mut Rng) -> String {
    let mut out = "#define TR(n) o.put(__LINE__, n)\nstruct D;\n".to_owned();
    let mut number = 1;
    out += &class(rng, "B", "", &mut number);
    let derived = rng.chance(60);
    out += &class(rng, "T", if derived { " : B" } else { "" }, &mut number);
    let of = if rng.chance(50) { "T" } else { "B" };
    out += &format!("struct D : {of} {{ DEV D(int n = 0) {{ x = n; }} }};\nDEV int take(T t) {{ return t.x; }}\n");
    for (n, (asked, done)) in MADE.iter().enumerate() {
        let asked = asked.replace("from", "static_cast<F>(from)");
        out += &format!(
            "template <class F> DEV auto made{n}(F from, Out &o, int) -> decltype(void({asked})) {{ {done}; }}\ntemplate <class F> DEV void made{n}(F, Out &o, long) {{ TR(-1); }}\n"
        );
    }
    for (n, asked) in ASSIGNED.iter().enumerate() {
        let asked = asked.replace("from", "static_cast<F>(from)");
        out += &format!(
            "template <class F> DEV auto assigned{n}(T &t, F from, Out &o, int) -> decltype(void({asked})) {{ t.x = 3; {asked}; TR(t.x); }}\ntemplate <class F> DEV void assigned{n}(T &t, F, Out &o, long) {{ TR(-1); }}\n"
        );
    }
    out += HELD;
    out += "DEV void run(Out &o) {\n  T t; D d(o.n + 4);\n";
    out += &format!("  {}\n", if derived { "B b; b.x = o.n + 2;" } else { "" });
    for from in
        ["T &", "const T &", "T &&", "const T &&", "D &", "const D &&", "int &", "const int &", "B &", "const B &"]
    {
        if from.contains('B') && !derived {
            continue;
        }
        let object = match from.trim_start_matches("const ").as_bytes()[0] {
            b'T' => "t",
            b'D' => "d",
            b'B' => "b",
            _ => "o.n",
        };
        for n in 0..MADE.len() {
            out += &format!("  t.x = 7; made{n}<{from}>(static_cast<{from}>({object}), o, 0);\n");
        }
        for n in 0..ASSIGNED.len() {
            out += &format!("  {{ T s; t.x = 7; assigned{n}<{from}>(s, static_cast<{from}>({object}), o, 0); }}\n");
        }
    }
    out += "  held<T>(o, 0); parts<T>(o, 0);\n";
    out + "}\n#undef TR\n"
}

/// A class with a few functions of each kind.
fn class(rng: &mut Rng, name: &str, base: &str, number: &mut usize) -> String {
    let own = if base.is_empty() { "int x = 0; " } else { "" };
    let mut out = format!("struct {name}{base} {{\n  {own}DEV {name}() {{}}\n");
    let mut seen: Vec<String> = Vec::new();
    for (from, most) in [(&CONSTRUCTORS[..], 3), (&ASSIGNMENTS, 3), (&OTHERS, 1)] {
        for _ in 0..rng.below(most + 1) {
            let f: &str = from[rng.below(from.len())];
            let taken = signature(f);
            if seen.contains(&taken) {
                continue;
            }
            seen.push(taken);
            *number += 1;
            let named = f.replace("T(", &format!("{name}(")).replace("T &", &format!("{name} &"));
            let named = named.replace("T::", &format!("{name}::")).replace('$', &format!("{}", *number * 100));
            out += &format!("  {named}\n");
        }
    }
    out + "};\n"
}

/// What no two functions of a class may have in common.
fn signature(f: &str) -> String {
    let plain =
        f.replace("DEV ", "").replace("explicit ", "").replace(" o)", ")").replace("&&o)", "&&)").replace("&o)", "&)");
    plain.split_once(')').map_or(plain.clone(), |(head, _)| head.to_owned())
}
