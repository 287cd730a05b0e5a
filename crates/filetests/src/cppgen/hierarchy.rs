//! Class hierarchies: what calls reach, where bases lie, in which order things are built and destroyed.

use crate::Rng;
use crate::cppgen::expand::INTEGERS;
use std::collections::BTreeSet;

struct Class {
    bases: Vec<usize>,
    /// All bases, itself included.
    all: BTreeSet<usize>,
    /// The virtual functions that it or a base has.
    functions: BTreeSet<usize>,
}

/// Random classes with up to three bases each; no class is twice a base of another.
pub(super) fn hierarchy(rng: &mut Rng) -> String {
    let mut classes: Vec<Class> = Vec::new();
    let mut out = "#define TR(n) o->put(__LINE__, n)\n".to_owned();
    for c in 0..2 + rng.below(6) {
        let mut class = Class { bases: Vec::new(), all: BTreeSet::from([c]), functions: BTreeSet::new() };
        for _ in 0..rng.below(4) {
            if c > 0 {
                let b = rng.below(c);
                if classes[b].all.is_disjoint(&class.all) {
                    class.bases.push(b);
                    class.all.extend(classes[b].all.iter());
                }
            }
        }
        out += &definition(rng, c, &mut class, &classes);
        classes.push(class);
    }
    out += "DEV void run(Out &out) {\n  Out *o = &out;\n";
    for (c, class) in classes.iter().enumerate() {
        out += &format!("  {{\n    C{c} x(o);\n    TR(sizeof(C{c})); TR(alignof(C{c}));\n");
        for &b in &class.all {
            out += &format!("    {{ C{b} *p = &x; C{b} &r = x; TR((char *)p - (char *)&x); TR(r.id());");
            for f in &classes[b].functions {
                out += &format!(" TR(p->f{f}({f})); TR(r.C{b}::f{f}(1));");
            }
            if rng.chance(30) {
                out += &format!(" TR(static_cast<C{c} *>(p) == &x); const C{b} y(*p); TR(y.id());");
                if let Some(f) = classes[b].functions.first() {
                    out += &format!(
                        " TR(y.f{f}(2)); int (C{b}::*m)(int) const = &C{b}::f{f}; TR((p->*m)(3)); TR((y.*m)(4));"
                    );
                    out += &format!(" int (C{c}::*mc)(int) const = m; TR((x.*mc)(5));");
                }
            }
            out += " }\n";
        }
        out += "  }\n";
    }
    out + "}\n#undef TR\n"
}

fn definition(rng: &mut Rng, c: usize, class: &mut Class, classes: &[Class]) -> String {
    let mut out = format!("struct C{c}{}", if class.bases.is_empty() { "" } else { " : " });
    let bases: Vec<String> = class.bases.iter().map(|b| format!("C{b}")).collect();
    out += &bases.join(", ");
    out += " {\n";
    let mut inherited: Vec<usize> = Vec::new();
    for &b in &class.bases {
        inherited.extend(&classes[b].functions);
    }
    let empty = rng.chance(20) && !class.bases.is_empty();
    // The trace is found through the first class, or a member of this one.
    out += "  Out *o;\n";
    for m in 0..if empty { 0 } else { 1 + rng.below(3) } {
        out += &format!("  {} m{c}_{m} = {};\n", rng.pick(&INTEGERS), rng.range(1, 99));
    }
    if rng.chance(25) {
        out += &format!("  unsigned b{c} : {} = {};\n", rng.range(2, 30), rng.range(0, 3));
    }
    let calls = rng.chance(50);
    for f in 0..3 {
        let times = inherited.iter().filter(|&&i| i == f).count();
        let fresh = times == 0 && rng.chance(30);
        if times > 1 || fresh || (times == 1 && rng.chance(50)) {
            let word = if times > 0 { rng.pick(&["", "", "virtual "]) } else { "virtual " };
            let mark = if times > 0 { rng.pick(&["", " override"]) } else { "" };
            let member = if empty { "0".to_owned() } else { format!("m{c}_0") };
            out += &format!("  DEV {word}int f{f}(int a) const{mark} {{ return 1{c}000 + {f}00 + a + {member}; }}\n");
            class.functions.insert(f);
        }
        if times > 0 {
            class.functions.insert(f);
        }
    }
    out += &format!("  DEV int id() const {{ return {c}; }}\n");
    let own = class.functions.first().filter(|_| calls).map(|f| format!(" TR(this->f{f}(7));")).unwrap_or_default();
    let mut inits: Vec<String> = class.bases.iter().map(|b| format!("C{b}(o)")).collect();
    inits.push("o(o)".to_owned());
    out += &format!("  DEV C{c}(Out *o) : {} {{ TR(1{c}1);{own} }}\n", inits.join(", "));
    if rng.chance(60) {
        let word = if rng.chance(50) && !class.functions.is_empty() { "virtual " } else { "" };
        out += &format!("  DEV {word}~C{c}() {{ TR(1{c}9);{own} }}\n");
        if rng.chance(30) {
            let copied: Vec<String> =
                class.bases.iter().map(|b| format!("C{b}(x)")).chain(["o(x.o)".to_owned()]).collect();
            out += &format!("  DEV C{c}(const C{c} &x) : {} {{ TR(1{c}5); }}\n", copied.join(", "));
        }
    }
    out + "};\n"
}
