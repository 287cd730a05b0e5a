//! What objects hold that are made of little: `T()`, `T{}`, `new T()`, members and bases named in a constructor without a
//! value, braces that end early. Whatever a program may make so has a value; whoever leaves it out shows what lay there.

use crate::Rng;
use crate::cppgen::expand::INTEGERS;

struct Class {
    /// The paths of its numbers, bases' among them.
    numbers: Vec<String>,
    /// Members and bases, as a list in braces gives them; `None` where it has constructors.
    parts: Option<Vec<Part>>,
}

#[derive(Clone)]
enum Part {
    Number,
    Class(usize),
    /// That many numbers.
    Numbers(usize),
}

/// Random classes and objects of them.
pub(super) fn values(rng: &mut Rng) -> String {
    let mut out = "#define TR(n) o.put(__LINE__, n)\n".to_owned();
    let mut classes: Vec<Class> = Vec::new();
    for c in 0..2 + rng.below(6) {
        out += &definition(rng, c, &mut classes);
    }
    // What lies where the objects are going to be.
    out += "DEV __attribute__((noinline)) void dirty(Out &o) {\n  volatile long long j[64];\n";
    out += "  for (int i = 0; i < 64; i++) j[i] = 0x0102030405060708 * (i + 1);\n  TR(j[o.n & 63] != 0);\n}\n";
    for c in 0..classes.len() {
        for f in 0..1 + rng.below(3) {
            out += &format!("DEV __attribute__((noinline)) void f{c}_{f}(Out &o) {{\n{}}}\n", object(rng, c, &classes));
        }
        out = out.replace(&format!("void f{c}_0"), &format!("void f{c}"));
    }
    out += "DEV void run(Out &o) {\n";
    for c in 0..classes.len() {
        out += &format!("  dirty(o); f{c}(o);\n");
        for f in 1..3 {
            if out.contains(&format!("void f{c}_{f}(")) {
                out += &format!("  dirty(o); f{c}_{f}(o);\n");
            }
        }
    }
    out + "}\n#undef TR\n"
}

/// Makes an object and says what it holds.
fn object(rng: &mut Rng, c: usize, classes: &[Class]) -> String {
    let t = format!("C{c}");
    let (make, x) = match rng.below(13) {
        0 => (format!("{t} x{{}};"), "x"),
        1 => (format!("{t} x = {{}};"), "x"),
        2 => (format!("{t} x = {t}();"), "x"),
        3 => (format!("auto x = {t}{{}};"), "x"),
        4 => (format!("{t} a[3] = {{}}; {t} &x = a[{}];", rng.below(3)), "x"),
        5 => (format!("{t} a[2][2]{{}}; auto &x = a[1][{}];", rng.below(2)), "x"),
        6 => (format!("alignas(16) char m[sizeof({t})]; for (auto &b : m) b = 7; {t} &x = *new (m) {t}();"), "x"),
        7 => (format!("alignas(16) char m[sizeof({t})]; for (auto &b : m) b = 7; {t} &x = *new (m) {t}{{}};"), "x"),
        8 => (format!("struct H {{ int h; {t} x; DEV H() : h(1), x() {{}} }} h;"), "h.x"),
        9 => (format!("struct H {{ int h = 2; {t} x{{}}; }} h;"), "h.x"),
        10 => (format!("struct H {{ int h; {t} x[2]; }} h = {{4}};"), "h.x[1]"),
        11 => (format!("const {t} &x = {t}{{}};"), "x"),
        _ => match &classes[c].parts {
            Some(parts) => (format!("{t} x = {};", braces(rng, parts, classes)), "x"),
            None => (format!("{t} x({t}{{}});"), "x"),
        },
    };
    let mut out = format!("  {make}\n ");
    for n in &classes[c].numbers {
        out += &format!(" TR({x}.{n});");
    }
    out + "\n"
}

/// A list of values for the first parts.
fn braces(rng: &mut Rng, parts: &[Part], classes: &[Class]) -> String {
    let given = rng.below(parts.len() + 1);
    let mut items = Vec::new();
    for p in &parts[..given] {
        items.push(match p {
            Part::Number => rng.range(1, 90).to_string(),
            Part::Numbers(n) => {
                let some: Vec<String> = (0..rng.below(n + 1)).map(|_| rng.range(1, 90).to_string()).collect();
                format!("{{{}}}", some.join(", "))
            }
            Part::Class(c) => match &classes[*c].parts {
                Some(inner) if rng.chance(70) => braces(rng, inner, classes),
                _ => rng.pick(&["{}", "T{}", "T()"]).replace('T', &format!("C{c}")),
            },
        });
    }
    format!("{{{}}}", items.join(", "))
}

fn definition(rng: &mut Rng, c: usize, classes: &mut Vec<Class>) -> String {
    // An aggregate, one whose constructor is left to the compiler, one that has its own.
    let kind = rng.below(3);
    let mut class = Class { numbers: Vec::new(), parts: (kind == 0).then(Vec::new) };
    let mut inits = Vec::new();
    let mut bases = Vec::new();
    if c > 0 && rng.chance(40) {
        let b = rng.below(c);
        bases.push(format!("C{b}"));
        inits.push(format!("C{b}{}", rng.pick(&["()", "{}"])));
        class.numbers.extend(classes[b].numbers.iter().cloned());
        class.parts.iter_mut().for_each(|p| p.push(Part::Class(b)));
    }
    let mut out = format!("struct C{c}{}{} {{\n", if bases.is_empty() { "" } else { " : " }, bases.join(", "));
    for m in 0..1 + rng.below(4) {
        let name = format!("m{c}_{m}");
        let init = if kind < 2 && rng.chance(25) { "{}" } else { "" };
        let part = match rng.below(5) {
            0 | 1 if c > 0 => {
                let of = rng.below(c);
                out += &format!("  C{of} {name}{init};\n");
                class.numbers.extend(classes[of].numbers.iter().map(|n| format!("{name}.{n}")));
                Part::Class(of)
            }
            2 => {
                let n = 1 + rng.below(4);
                out += &format!("  {} {name}[{n}]{init};\n", rng.pick(&INTEGERS));
                class.numbers.push(format!("{name}[{}]", rng.below(n)));
                Part::Numbers(n)
            }
            _ => {
                let value =
                    if kind < 2 && rng.chance(20) { format!(" = {}", rng.range(1, 50)) } else { init.to_owned() };
                out += &format!("  {} {name}{value};\n", rng.pick(&INTEGERS));
                class.numbers.push(name.clone());
                Part::Number
            }
        };
        class.parts.iter_mut().for_each(|p| p.push(part.clone()));
        inits.push(match part {
            Part::Number if rng.chance(30) => format!("{name}({})", rng.range(1, 50)),
            _ => format!("{name}{}", rng.pick(&["()", "{}"])),
        });
    }
    // More numbers than a line can tell of are no use.
    class.numbers.truncate(12);
    out += &match kind {
        0 => String::new(),
        1 => format!("  C{c}() = default;\n  DEV C{c}(int);\n"),
        _ => format!("  DEV C{c}() : {} {{}}\n", inits.join(", ")),
    };
    classes.push(class);
    out + "};\n"
}
