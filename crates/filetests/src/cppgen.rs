//! Random C++ programs, whose meaning another compiler says.
//!
//! The programs of [`crate::sourcegen`] are judged by this compiler's own reference, which understands C++ as the rest of
//! it does. Here the same text is compiled for the host by clang or gcc: what a language rule means is decided elsewhere.
//!
//! A program is some [`Topic`]s, each in a namespace of its own, that print numbers: choices of overload resolution, types,
//! sizes, orders of construction. Topics come from texts with alternatives ([`expand`], `texts/`) and from code where
//! what belongs together must be known: overload sets, class hierarchies, specialisations, expressions.

mod brought;
mod converted;
mod copies;
pub mod expand;
mod hierarchy;
mod layouts;
mod lookup;
mod made;
mod numbers;
mod outside;
mod overloads;
mod patterns;
pub mod peer;
mod places;
mod traits;
mod values;

use crate::Rng;

/// What both compilers read before the topics.
const PRELUDE: &str = include_str!("cppgen/texts/prelude.h");

const TEXTS: [&str; 5] = [
    include_str!("cppgen/texts/classes.txt"),
    include_str!("cppgen/texts/functions.txt"),
    include_str!("cppgen/texts/templates.txt"),
    include_str!("cppgen/texts/statements.txt"),
    include_str!("cppgen/texts/idioms.txt"),
];

/// How many of 100 topics are made by code.
const MADE: u64 = 60;

/// Makes the text of a topic.
type Maker = fn(&mut Rng) -> String;

/// A part of a program that stands alone.
#[derive(Clone, Debug)]
pub struct Topic {
    /// What it is about.
    pub name: String,
    /// Declarations, the last of which is `run`. `NS` is the namespace around them.
    pub text: String,
}

/// The topics of the texts: name and text with alternatives.
pub fn texts() -> Vec<(&'static str, &'static str)> {
    let parts = TEXTS.iter().flat_map(|t| t.split("==== ").skip(1));
    parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
}

/// The topics of the program of a seed.
pub fn topics(seed: u64) -> Vec<Topic> {
    let mut rng = Rng::new(seed ^ 0xc99);
    let count = 1 + rng.below(3);
    (0..count).map(|_| topic(&mut rng)).collect()
}

fn topic(rng: &mut Rng) -> Topic {
    if rng.chance(MADE) {
        let makers: [(&str, Maker); 17] = [
            ("overloads", overloads::one_argument),
            ("overloads_of_two", overloads::two_arguments),
            ("hierarchy", hierarchy::hierarchy),
            ("patterns", patterns::patterns),
            ("numbers", numbers::expressions),
            ("bit_fields", numbers::bit_fields),
            ("lookup", lookup::lookup),
            ("layouts", layouts::layouts),
            ("values", values::values),
            ("traits", traits::traits),
            ("copies", copies::copies),
            ("converted", converted::converted),
            ("brought", brought::brought),
            ("outside", outside::outside),
            ("made", made::made),
            ("places", places::places),
            ("bits", places::bits),
        ];
        let (name, make) = rng.pick(&makers);
        return Topic { name: name.to_owned(), text: make(rng) };
    }
    let (name, text) = rng.pick(&texts());
    Topic { name: name.to_owned(), text: expand::expand(text, rng) }
}

/// The text of a program. `ORACLE` makes a `main` that prints what the kernel finds.
pub fn text(topics: &[Topic]) -> String {
    let mut out = PRELUDE.to_owned();
    for (n, t) in topics.iter().enumerate() {
        let space = format!("t{n}");
        // A statement a line, so that a number says where it is from.
        let lines = t.text.replace("; P(", ";\n  P(").replace("; TY(", ";\n  TY(").replace("; TYPE(", ";\n  TYPE(");
        out += &format!("// {}\nnamespace {space} {{\n{}}}\n", t.name, lines.replace("NS", &space));
    }
    out += "extern \"C\" __global__ void k(long long *out) {\n  Out o{out + 1, 0};\n";
    for n in 0..topics.len() {
        out += &format!("  t{n}::run(o);\n");
    }
    out +=
        "  *out = o.n;\n}\n#ifdef ORACLE\nextern \"C\" int printf(const char *, ...);\nstatic long long out[2001];\n";
    out += "int main() {\n  k(out);\n  for (int i = 0; i < out[0] && i < 1000; i++) printf(\"%lld %lld\\n\", out[2 * i + 1], out[2 * i + 2]);\n}\n#endif\n";
    out
}
