//! What traits say of classes: which special member functions a class has, which are deleted and which do nothing but copy.

use crate::Rng;

/// The traits of one type.
const UNARY: [&str; 12] = [
    "is_trivially_copyable",
    "is_trivial",
    "is_standard_layout",
    "is_pod",
    "is_aggregate",
    "is_empty",
    "is_polymorphic",
    "is_abstract",
    "is_destructible",
    "is_trivially_destructible",
    "has_virtual_destructor",
    "is_literal_type",
];

/// Random classes, and what is asked of each.
pub(super) fn traits(rng: &mut Rng) -> String {
    let mut out = "enum E { e0 }; enum class S : short {};\n#define TR(n) o.put(__LINE__, n)\n".to_owned();
    let count = 2 + rng.below(6);
    for c in 0..count {
        out += &definition(rng, c);
    }
    out += "DEV void run(Out &o) {\n";
    for c in 0..count {
        let t = format!("C{c}");
        for chunk in UNARY[..11].chunks(6) {
            let asked: Vec<String> = chunk.iter().map(|u| format!("TR(__{u}({t}));")).collect();
            out += &format!("  {}\n", asked.join(" "));
        }
        for quiet in ["", "trivially_", "nothrow_"] {
            let n = "is_";
            out += &format!(
                "  TR(__{n}{quiet}constructible({t})); TR(__{n}{quiet}constructible({t}, const {t} &)); TR(__{n}{quiet}constructible({t}, {t})); TR(__{n}{quiet}constructible({t}, {t} &)); TR(__{n}{quiet}constructible({t}, int));\n"
            );
            out += &format!(
                "  TR(__{n}{quiet}assignable({t} &, const {t} &)); TR(__{n}{quiet}assignable({t} &, {t})); TR(__{n}{quiet}assignable(const {t} &, {t}));\n"
            );
        }
        out += &format!(
            "  TR(__is_convertible({t}, int)); TR(__is_convertible(int, {t})); TR(__is_convertible({t}, {t}));\n"
        );
        if c > 0 {
            let b = rng.below(c);
            out += &format!(
                "  TR(__is_base_of(C{b}, {t})); TR(__is_convertible({t} &, C{b} &)); TR(__is_convertible({t} *, C{b} *)); TR(__is_constructible(C{b}, {t})); TR(__is_assignable(C{b} &, {t}));\n"
            );
        }
    }
    out + "}\n#undef TR\n"
}

fn definition(rng: &mut Rng, c: usize) -> String {
    let t = format!("C{c}");
    let mut bases: Vec<String> = Vec::new();
    if c > 0 && rng.chance(35) {
        bases.push(format!("C{}", rng.below(c)));
    }
    let mut out = format!("struct {t}{}{} {{\n", if bases.is_empty() { "" } else { " : " }, bases.join(", "));
    for m in 0..rng.below(3) {
        let ty = match rng.below(12) {
            0 => "const int".to_owned(),
            1 => "int &".to_owned(),
            2 => "const float &".to_owned(),
            3 => "mutable int".to_owned(),
            4..7 if c > 0 => format!("C{}", rng.below(c)),
            7 if c > 0 => format!("const C{}", rng.below(c)),
            8 => "E".to_owned(),
            _ => rng.pick(&["int", "float *", "double", "S", "char"]).to_owned(),
        };
        let (array, access) = (if rng.chance(15) && !ty.contains('&') { "[2]" } else { "" }, rng.below(12));
        let init = if rng.chance(10) && ty == "int" { " = 3" } else { "" };
        out += &match access {
            0 => format!(" private: {ty} m{m}{array}{init};\n public:\n"),
            1 => format!(" protected: {ty} m{m}{array}{init};\n public:\n"),
            _ => format!("  {ty} m{m}{array}{init};\n"),
        };
    }
    let specials = [
        (format!("{t}()"), "", 20),
        (format!("{t}(const {t} &)"), "", 15),
        (format!("{t}({t} &&)"), "", 12),
        (format!("{t} &operator=(const {t} &)"), " return *this; ", 12),
        (format!("{t} &operator=({t} &&)"), " return *this; ", 10),
        (format!("~{t}()"), "", 12),
        (format!("{}{t}(int)", rng.pick(&["", "explicit "])), "", 15),
        ("operator int() const".to_owned(), " return 1; ", 10),
    ];
    for (n, (head, body, chance)) in specials.iter().enumerate() {
        if !rng.chance(*chance) {
            continue;
        }
        let quiet = rng.pick(&["", "", " noexcept"]);
        out += &match rng.below(if n < 6 { 5 } else { 2 }) {
            0 | 1 => format!("  DEV {head}{quiet};\n"),
            2 => format!("  DEV {head}{quiet} {{{body}}}\n"),
            3 => format!("  {head} = default;\n"),
            _ => format!("  {head} = delete;\n"),
        };
    }
    if rng.chance(8) {
        out += "  DEV virtual void v();\n";
    }
    out + "};\n"
}
