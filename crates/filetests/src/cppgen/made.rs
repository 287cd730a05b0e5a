//! What objects are that nobody initialises, or only with `{}` or `()`: classes with constructors without arguments of all kinds
//! (written, `constexpr`, templates, constrained, inherited, left to the compiler) inside of each other, as variables of every
//! storage, members, bases, elements of arrays, captures. Device variables are made before the program runs.

use crate::Rng;

/// Classes with a member `x`: `@C` is the name, `$` the value.
const LEAVES: [&str; 8] = [
    "struct @C { int x; DEV constexpr @C() : x($) {} };",
    "struct @C { int x = $; };",
    "struct @C { int x = $; @C() = default; };",
    "struct @C { int x; template <class U = int, class = decltype(U())> DEV constexpr @C() : x($) {} };",
    "struct @C { int x; template <class... A> DEV constexpr @C(A... a) : x($ + sizeof...(A)) {} };",
    "struct @C { int x; DEV constexpr @C(int n = $) : x(n) {} };",
    "template <class T> struct @C_ { int x; DEV constexpr @C_() requires (sizeof(T) > 4) : x(-1) {} DEV constexpr @C_() requires (sizeof(T) <= 4) : x($) {} };\nusing @C = @C_<«int¦long long»>;",
    "template <class T> struct @C_ { T x; template <bool B = (sizeof(T) > 4)> DEV constexpr explicit(B) @C_() : x($) {} };\nusing @C = @C_<int>;",
];

/// Classes made of another one, `@B`, and how the value is reached in them.
const AROUND: [(&str, &str); 11] = [
    ("struct @C { @B p; };", "p."),
    ("struct @C { @B p; @C() = default; };", "p."),
    ("struct @C { @B p[3]; };", "p[2]."),
    ("struct @C { @B p[2][2]; int y = $; };", "p[1][0]."),
    ("struct @C : @B {};", ""),
    ("struct @C : @B { @C() = default; int y = $; };", ""),
    ("struct @C : @B { using @B::@B; int y = $; };", ""),
    ("struct @C { @B p; int y; DEV constexpr @C() : y($) {} };", "p."),
    ("struct @C { union { @B p; char c[64]; }; DEV constexpr @C() : p() {} };", "p."),
    (
        "template <class T> struct @C_ { T p; @C_() requires (sizeof(T) < 400) = default; DEV @C_() requires (sizeof(T) >= 400) {} };\nusing @C = @C_<@B>;",
        "p.",
    ),
    (SELFISH, "self->"),
];

/// One that points into itself.
const SELFISH: &str = "struct @C { @B p; @B *self = &p; };";

/// What prints the value of an object of `@C`, at `@P`.
const OBJECTS: [&str; 16] = [
    "{ @C c; P(c.@P); }",
    "{ @C c{}; P(c.@P); }",
    "{ @C c = {}; P(c.@P); }",
    "{ @C c = @C(); P(c.@P); }",
    "{ @C c[2]; P(c[1].@P); }",
    "{ @C c[2] = {}; P(c[1].@P); }",
    "{ const @C &c = @C(); P(c.@P); }",
    "P(@C().@P);",
    "P(@C{}.@P);",
    "{ @C *c = new @C; P(c->@P); delete c; }",
    "{ @C *c = new @C(); P(c->@P); delete c; }",
    "{ @C *c = new @C[2]; P(c[1].@P); delete[] c; }",
    "{ struct L { @C c; }; L l; P(l.c.@P); L k{}; P(k.c.@P); }",
    "{ D<@C> d; P(d.@P); D<@C> *p = new D<@C>; P(p->@P); delete p; }",
    "{ g.@P += 1; P(g.@P); }",
    "{ P(h[1].@P); P(n.h.@P); n.h.@P += 2; P(n.h.@P); }",
];

/// The same where the object is copied, perhaps.
const COPIED: [&str; 5] = [
    "P(made<@C>().@P);",
    "P(given<@C>().@P);",
    "{ auto f = [c = @C()] { return c.@P; }; P(f()); }",
    "{ W<@C> w; P(w.t.@P); W<@C> v = w; P(v.t.@P); }",
    "P((o.n % 2 ? @C() : @C{}).@P);",
];

/// Random classes and objects of them.
pub(super) fn made(rng: &mut Rng) -> String {
    let mut out = "template <class T> DEV T made() { T t; return t; }\ntemplate <class T> DEV T given(T t = {}) { return t; }\ntemplate <class T> struct W { T t; };\ntemplate <class T> struct D : T { T other; };\n".to_owned();
    let depth = 1 + rng.below(3);
    let leaf = rng.pick(&LEAVES);
    out += &class(rng, leaf, "B0", "");
    let mut path = "x".to_owned();
    let mut selfish = false;
    for k in 0..depth {
        let (text, through) = rng.pick(&AROUND);
        selfish |= text == SELFISH;
        out += &class(rng, text, &format!("B{}", k + 1), &format!("B{k}"));
        path = format!("{through}{path}");
    }
    let name = format!("B{depth}");
    // One that points into itself has another address in every program before it runs.
    if !selfish {
        out += "DEV @C g;\nstatic DEV @C h[2];\nnamespace in { struct N { @C h; }; }\nDEV in::N n;\n";
    }
    out += "DEV void run(Out &o) {\n";
    for _ in 0..3 + rng.below(8) {
        let copied = !selfish && rng.chance(30);
        let known = OBJECTS.len() - if selfish { 2 } else { 0 };
        let object = if copied { COPIED[rng.below(COPIED.len())] } else { OBJECTS[rng.below(known)] };
        out += &format!("  {object}\n");
    }
    (out + "}\n").replace("@P", &path).replace("@C", &name)
}

/// The text of a class of a name, made of `base`.
fn class(rng: &mut Rng, text: &str, name: &str, base: &str) -> String {
    let text = super::expand::expand(text, rng);
    let number = 1 + rng.below(90);
    text.replace('$', &number.to_string()).replace("@B", base).replace("@C", name) + "\n"
}
