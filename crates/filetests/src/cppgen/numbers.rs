//! Types and values of expressions: promotions, usual conversions, bit-fields, enumerations.

use crate::Rng;
use crate::cppgen::expand::{INTEGERS, NUMBERS};

const HEAD: &str = "enum E { ea = -3, eb = 5 }; enum Ec : unsigned char { ec = 200 }; enum El { big = 5000000000, el = 2 }; enum class S : short { s = 7 }; enum En { n0 = 0xffffffff }; enum Eb : bool { bf, bt };
struct F { unsigned a : 5; int b : 7; unsigned long c : 33; long d : 20; bool e : 1; unsigned char f : 3; short g : 11; unsigned h : 32; unsigned long long i : 64; Ec j : 8; El k : 40; Eb l : 1; };
template <class... T> DEV long taken(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); long s = n; ((s = s * 31 + (long)__builtin_va_arg(l, T)), ...); __builtin_va_end(l); return s; }
template <class... T> DEV long given(T... t) { return taken<decltype(+t)...>(3, t...); }
";

/// A name or a literal: integers or all numbers.
fn leaf(rng: &mut Rng, integer: bool) -> String {
    match rng.below(8) {
        0 => rng.pick(&["ea", "eb", "ec", "big", "el", "n0", "ve", "vec", "vel", "bt", "veb"]).to_owned(),
        1 | 2 => format!("f.{}", rng.pick(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"])),
        3 => rng
            .pick(&[
                "1",
                "2u",
                "3L",
                "4ul",
                "'a'",
                "true",
                "5ll",
                "6ull",
                "-7",
                "0x80000000",
                "2147483648",
                "false",
                "'\\xff'",
                "u'a'",
                "U'b'",
            ])
            .to_owned(),
        4 if !integer => rng.pick(&["2.5", "0.5f", "-1.25", "vf", "vd"]).to_owned(),
        _ => format!("v{}", rng.below(INTEGERS.len())),
    }
}

/// An expression in which no conversion is out of range and nothing overflows that may not (`-fwrapv` on the host).
fn expr(rng: &mut Rng, depth: u32, integer: bool) -> String {
    if depth == 0 {
        return leaf(rng, integer);
    }
    let sub = |rng: &mut Rng| expr(rng, depth - 1, integer);
    match rng.below(14) {
        0..=2 => format!("({} {} {})", sub(rng), rng.pick(&["+", "-", "*"]), sub(rng)),
        3 if integer => format!("({} {} {})", sub(rng), rng.pick(&["&", "|", "^"]), sub(rng)),
        4 if integer => format!("({} {} ({} & 7))", sub(rng), rng.pick(&["<<", ">>"]), sub(rng)),
        5 if integer => format!("({} {} (({} & 15) + 1))", sub(rng), rng.pick(&["/", "%"]), sub(rng)),
        6 => format!("({} {} {})", sub(rng), rng.pick(&["<", ">", "<=", ">=", "==", "!="]), sub(rng)),
        7 => format!("({} ? {} : {})", sub(rng), sub(rng), sub(rng)),
        8 => format!(
            "{}({})",
            rng.pick(if integer { &["-", "+", "!", "~"][..] } else { &["-", "+", "!"][..] }),
            sub(rng)
        ),
        9 if integer => format!("({})({})", rng.pick(&INTEGERS), sub(rng)),
        10 => format!("({} {} {})", sub(rng), rng.pick(&["&&", "||"]), sub(rng)),
        11 => format!("({}, {})", sub(rng), sub(rng)),
        12 if integer => format!("(long)sizeof(0 + {})", sub(rng)),
        _ => sub(rng),
    }
}

const VALUES: [i64; 12] = [0, 1, -1, 2, 100, 127, 128, 255, 256, -128, 40000, 2_000_000_000];

fn variables(rng: &mut Rng) -> String {
    let mut out = String::new();
    for (n, t) in INTEGERS.iter().enumerate() {
        out += &format!("  {t} v{n} = ({t}){};\n", rng.pick(&VALUES));
    }
    out += "  float vf = 1.5f; double vd = 2.25; E ve = eb; Ec vec = ec; El vel = el; Eb veb = bt; F f{};\n";
    for m in ["a", "b", "c", "d", "e", "f", "g", "h", "i"] {
        out += &format!("  f.{m} = {};\n", rng.pick(&VALUES));
    }
    out + "  f.j = ec; f.k = big; f.l = bt;\n"
}

/// Expressions of all types.
pub(super) fn expressions(rng: &mut Rng) -> String {
    let mut out = format!("{HEAD}DEV void run(Out &o) {{\n{}", variables(rng));
    for _ in 0..16 {
        let depth = 1 + rng.below(4) as u32;
        let e = expr(rng, depth, true);
        out += &format!("  P({e}); TY({e});\n");
    }
    for _ in 0..6 {
        let e = expr(rng, 2, false);
        out += &format!("  TY({e}); P(({e}) > 3);\n");
    }
    for _ in 0..8 {
        let n = rng.below(INTEGERS.len());
        let target = if rng.chance(50) {
            format!("v{n}")
        } else {
            format!("f.{}", rng.pick(&["a", "b", "c", "d", "f", "g", "h", "i"]))
        };
        let e = expr(rng, 2, true);
        match rng.below(5) {
            0 => {
                out += &format!(
                    "  P({target} {} {e}); P({target});\n",
                    rng.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^="])
                )
            }
            1 => out += &format!("  P({target} {} ({e} & 7)); P({target});\n", rng.pick(&["<<=", ">>="])),
            2 => out += &format!("  P({target} {} (({e} & 7) + 1)); P({target});\n", rng.pick(&["/=", "%="])),
            3 => out += &format!("  P({target}{}); P({target});\n", rng.pick(&["++", "--"])),
            _ => out += &format!("  P({}{target}); P({target});\n", rng.pick(&["++", "--"])),
        }
    }
    for _ in 0..3 {
        let (a, b, n) = (expr(rng, 2, true), expr(rng, 2, true), rng.below(INTEGERS.len()));
        let op = rng.pick(&["add", "sub", "mul"]);
        out += &format!("  P(__builtin_{op}_overflow({a}, {b}, &v{n})); P(v{n});\n");
        out += &format!("  P(given({}, {}, {}));\n", expr(rng, 2, true), expr(rng, 2, true), expr(rng, 2, true));
        out += &wide_switch(rng);
    }
    for _ in 0..4 {
        let (a, b) = (rng.pick(&NUMBERS), rng.pick(&NUMBERS));
        out += &format!(
            "  TY({a}() {} {b}()); TY(true ? {a}() : {b}()); {{ {a} t = 1; TY(t += {b}(1)); TY(t++); TY(+t); TY({a}(1) < {b}(2)); }}\n",
            rng.pick(&["+", "-", "*", "/"])
        );
    }
    out + "}\n"
}

/// A switch on 128 bits.
fn wide_switch(rng: &mut Rng) -> String {
    let (word, shift) = (rng.pick(&["__int128", "unsigned __int128"]), rng.pick(&[0, 3, 40, 64]));
    let mut out = format!("  switch (({word})({}) << {shift}) {{", expr(rng, 2, true));
    let mut values: Vec<i64> = VALUES.iter().copied().filter(|_| rng.chance(50)).collect();
    values.sort_unstable();
    for v in values {
        out += &format!(" case ({word}){v} << {shift}: P({v});{}", rng.pick(&[" break;", ""]));
    }
    out + " default: P(-7); }\n"
}

/// What stands behind a bit-field and moves it.
const BIT_ATTRIBUTES: [&str; 3] = ["__attribute__((packed))", LOW_ALIGNMENT, "__attribute__((packed, aligned(4)))"];
const LOW_ALIGNMENT: &str = "__attribute__((aligned(2)))";

/// A structure of bit-fields of mixed types: its layout and what is left of what is stored.
pub(super) fn bit_fields(rng: &mut Rng) -> String {
    let (before, attribute) = match rng.below(6) {
        0 => (format!("#pragma pack(push, {})\n", rng.pick(&[1, 2, 4, 8, 16])), ""),
        1 => (String::new(), "__attribute__((packed)) "),
        _ => (String::new(), ""),
    };
    // Under `#pragma pack` clang and gcc differ about those that ask for an alignment.
    let attributes = if before.is_empty() { &BIT_ATTRIBUTES[..] } else { &BIT_ATTRIBUTES[..1] };
    let mut fields = Vec::new();
    let mut body = String::new();
    for n in 0..3 + rng.below(8) {
        let (t, bits) = rng.pick(&[
            ("unsigned", 32),
            ("int", 32),
            ("char", 8),
            ("unsigned char", 8),
            ("signed char", 8),
            ("short", 16),
            ("unsigned short", 16),
            ("long", 64),
            ("unsigned long", 64),
            ("long long", 64),
            ("bool", 1),
            ("E8", 8),
            ("E32", 32),
        ]);
        match rng.below(8) {
            0 => body += &format!("  {t} : {};\n", if rng.chance(50) { 0 } else { rng.range(1, bits) }),
            1 => body += &format!("  {t} x{n};\n"),
            2 => {
                let width = rng.range(1, bits);
                // Less than the type's own alignment nvcc and gcc ignore, and clang does not.
                let attribute = match rng.pick(attributes) {
                    LOW_ALIGNMENT if bits > 16 => "__attribute__((aligned(8)))",
                    other => other,
                };
                body += &format!("  {t} x{n} : {width} {attribute};\n");
            }
            _ => body += &format!("  {t} x{n} : {};\n", rng.range(1, bits)),
        }
        if body.contains(&format!(" x{n}")) {
            fields.push((n, t.starts_with('E')));
        }
    }
    let word = rng.pick(&["struct", "struct", "struct", "union"]);
    let base = if word == "struct" && rng.chance(25) { " : Bs" } else { "" };
    let after = if before.is_empty() { "" } else { "#pragma pack(pop)\n" };
    let mut out = format!(
        "enum E8 : unsigned char {{ q = 1 }}; enum E32 {{ m = -1, z = 9 }};\nstruct Bs {{ int p; char c; }};\n{before}{word} {attribute}S{base} {{\n{body}}};\n{after}"
    );
    out += "struct In { char c; S s; char d; };\nDEV void show(Out &o, const S &s) { const unsigned char *b = (const unsigned char *)&s; for (unsigned i = 0; i < sizeof(S); i++) P(b[i]); }\n";
    out += "DEV void run(Out &o) {\n  alignas(16) unsigned char raw[sizeof(S) + 16] = {}; S &s = *(S *)raw; P(sizeof(S)); P(alignof(S)); P(sizeof(In)); P(__builtin_offsetof(In, d));\n";
    for _ in 0..8 {
        if fields.is_empty() {
            break;
        }
        let (n, is_enum) = rng.pick(&fields);
        let v = rng.pick(&VALUES);
        if is_enum {
            out += &format!("  s.x{n} = decltype(s.x{n})({}); P(s.x{n}); TY(s.x{n} + 0);\n", rng.pick(&[0, 1]));
        } else {
            match rng.below(4) {
                0 => out += &format!("  P(s.x{n} = {v});\n"),
                1 => out += &format!("  s.x{n} ^= {v}; P(s.x{n});\n"),
                2 => out += &format!("  s.x{n} |= {v}; TY(s.x{n}); TY(+s.x{n}); P(s.x{n} - 1 < 0);\n"),
                _ => out += &format!("  s.x{n} = {v}; P(s.x{n} << 3); TY(s.x{n} << 1);\n"),
            }
        }
        out += "  show(o, s);\n";
    }
    out + "  S t = s; show(o, t); \n}\n"
}
