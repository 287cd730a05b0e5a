//! Where the members of classes lie: empty bases and members of one class and of others, tail padding, closures as bases; and
//! that copies of what shares its bytes with something leave that as it was.

use crate::Rng;
use crate::cppgen::expand::INTEGERS;

/// A class, and the data members that have names in it and in its bases.
struct Class {
    /// Classes that it is or has as a base, with repetitions.
    all: Vec<usize>,
    members: Vec<String>,
    empty: bool,
    /// It or a class in it has virtual functions.
    dispatches: bool,
}

/// Random classes, of which many are empty.
pub(super) fn layouts(rng: &mut Rng) -> String {
    let mut out = "#define TR(n) o.put(__LINE__, n)\n".to_owned();
    let mut classes: Vec<Class> = Vec::new();
    for c in 0..3 + rng.below(7) {
        out += &definition(rng, c, &mut classes);
    }
    out += "template <class T> DEV void bytes(Out &o, T &x) {\n";
    out += "  unsigned char b[sizeof(T)]; __builtin_memcpy(b, &x, sizeof(T)); long s = 0;\n";
    out += "  for (unsigned i = 0; i < sizeof(T); i++) s = s * 31 + b[i];\n  TR(s);\n}\n";
    out += "DEV void run(Out &o) {\n";
    for (c, class) in classes.iter().enumerate() {
        out += &format!("  TR(sizeof(C{c})); TR(alignof(C{c})); TR(__is_empty(C{c})); TR(sizeof(C{c}[2]));\n");
        out += &format!("  {{\n    C{c} x{{}}, y{{}};\n");
        for (n, m) in class.members.iter().enumerate() {
            out += &format!("    TR((char *)&x.{m} - (char *)&x); x.{m} = {}; y.{m} = {};\n", n + 1, n + 40);
        }
        for &b in class.all.iter().filter(|&&b| class.all.iter().filter(|&&a| a == b).count() == 1) {
            out += &format!("    TR((char *)static_cast<C{b} *>(&x) - (char *)&x);\n");
        }
        for _ in 0..rng.below(4) {
            out += &change(rng, c, &classes);
            for m in &class.members {
                out += &format!(" TR(x.{m});");
            }
            out += "\n";
        }
        out += "  }\n";
        if !class.dispatches && rng.chance(60) {
            out += &constant(rng, c, &classes);
        }
    }
    out + "}\n#undef TR\n"
}

/// The same as a constant.
fn constant(rng: &mut Rng, c: usize, classes: &[Class]) -> String {
    let mut out = format!("  {{\n    constexpr long k = [] {{\n    C{c} x{{}}, y{{}}; long s = {c};\n");
    let members = &classes[c].members;
    for (n, m) in members.iter().enumerate() {
        out += &format!("    x.{m} = {}; y.{m} = {};\n", n + 1, n + 40);
    }
    for _ in 0..1 + rng.below(3) {
        out += &change(rng, c, classes);
        for m in members {
            out += &format!(" s = s * 31 + x.{m};");
        }
        out += "\n";
    }
    out + "    return s; }();\n    TR(k);\n  }\n"
}

/// A statement that changes all or a part of `x`, which has the type `C{c}`.
fn change(rng: &mut Rng, c: usize, classes: &[Class]) -> String {
    let all = &classes[c].all;
    let once: Vec<usize> = all.iter().copied().filter(|b| all.iter().filter(|a| *a == b).count() == 1).collect();
    if once.is_empty() {
        return "    x = y;".to_owned();
    }
    let b = rng.pick(&once);
    match rng.below(5) {
        0 => "    x = y;".to_owned(),
        1 => format!("    static_cast<C{b} &>(x) = static_cast<C{b} &>(y);"),
        2 => format!("    static_cast<C{b} &>(x) = C{b}{{}};"),
        3 => format!("    {{ C{b} t = x; static_cast<C{b} &>(x) = static_cast<C{b} &&>(t); }}"),
        _ => format!("    {{ C{c} t(x); x = y; y = static_cast<C{c} &&>(t); }}"),
    }
}

fn definition(rng: &mut Rng, c: usize, classes: &mut Vec<Class>) -> String {
    let mut class = Class { all: vec![c], members: Vec::new(), empty: true, dispatches: false };
    let mut bases = Vec::new();
    for _ in 0..if c > 0 { rng.below(4) } else { 0 } {
        let b = rng.below(c);
        if !bases.contains(&b) {
            bases.push(b);
        }
    }
    // A base that another base has, too, cannot be named.
    let inner = |b: usize| classes[b].all.iter().filter(|&&i| i != b).copied().collect::<Vec<_>>();
    bases.retain({
        let copy = bases.clone();
        move |b| !copy.iter().any(|o| o != b && inner(*o).contains(b))
    });
    for &b in &bases {
        class.all.extend(&classes[b].all);
        class.empty &= classes[b].empty;
        class.dispatches |= classes[b].dispatches;
    }
    let named: Vec<String> = bases.iter().map(|b| format!("C{b}")).collect();
    let mut out = format!("struct C{c}{}{} {{\n", if bases.is_empty() { "" } else { " : " }, named.join(", "));
    // What has a constructor lends its tail padding. That of the host is not read, but counts.
    let constructor = match rng.below(7) {
        0 => {
            let bases: Vec<String> = bases.iter().map(|b| format!("C{b}()")).collect();
            format!("  DEV constexpr C{c}(){}{} {{}}\n", if bases.is_empty() { "" } else { " : " }, bases.join(", "))
        }
        1 => format!("  C{c}() = default;\n  DEV C{c}(int);\n"),
        2 => format!("  C{c}() = default;\n  C{c}(int) {{}}\n"),
        3 => rng
            .pick(&["  T() = default;\n", "  ~T() = default;\n", "  T &operator=(const T &) = default;\n"])
            .replace('T', &format!("C{c}")),
        _ => String::new(),
    };
    let value = if constructor.contains("{}") && constructor.contains("DEV") { "{}" } else { "" };
    for m in 0..if rng.chance(45) { 0 } else { 1 + rng.below(3) } {
        let name = format!("m{c}_{m}");
        match rng.below(6) {
            0 | 1 if c > 0 => {
                let of = rng.below(c);
                let shared = if rng.chance(60) { "[[no_unique_address]] " } else { "" };
                let array = if rng.chance(15) && shared.is_empty() { "[2]" } else { "" };
                class.empty &= classes[of].empty && !shared.is_empty();
                class.dispatches |= classes[of].dispatches;
                out += &format!("  {shared}C{of} {name}{array}{value};\n");
                let at = if array.is_empty() { "" } else { "[1]" };
                let inner = &classes[of].members;
                if !inner.is_empty() && unambiguous(&classes[of].all) {
                    class.members.push(format!("{name}{at}.{}", inner[rng.below(inner.len())]));
                }
            }
            2 if rng.chance(50) => out += "  int : 0;\n",
            _ => {
                class.empty = false;
                out += &format!("  {} {name}{value};\n", rng.pick(&INTEGERS));
                class.members.push(name);
            }
        }
    }
    out += &constructor;
    if rng.chance(10) && bases.is_empty() {
        (class.empty, class.dispatches) = (false, true);
        out += rng.pick(&["  DEV virtual int v() const { return 1; }\n", "  virtual int v() const { return 1; }\n"]);
    }
    // Members of bases are named if there is one of each.
    if unambiguous(&class.all) {
        for &b in &bases {
            class.members.extend(classes[b].members.iter().cloned());
        }
    }
    classes.push(class);
    out + "};\n"
}

fn unambiguous(all: &[usize]) -> bool {
    all.iter().all(|b| all.iter().filter(|a| *a == b).count() == 1)
}
