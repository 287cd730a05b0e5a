//! Texts with alternatives.
//!
//! `«a¦b¦c»` is one of them, which may hold alternatives of their own; `«?a»` is `a` or nothing; `«#1..9»` a number; `«@i»`
//! an integer type, `«@a»` an arithmetic one.

use crate::Rng;

/// Types of integers.
pub const INTEGERS: [&str; 13] = [
    "int",
    "char16_t",
    "char32_t",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// Types of numbers.
pub const NUMBERS: [&str; 16] = [
    "char16_t",
    "char32_t",
    "bool",
    "int",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
];

/// One of the texts that a text stands for.
pub fn expand(text: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('«') {
        out += &rest[..at];
        rest = &rest[at + '«'.len_utf8()..];
        let (parts, after) = alternatives(rest);
        rest = after;
        out += &chosen(&parts, rng);
    }
    out + rest
}

/// The parts between `«` and its `»`, and what follows.
fn alternatives(text: &str) -> (Vec<&str>, &str) {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '«' => depth += 1,
            '¦' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            '»' if depth == 0 => {
                parts.push(&text[start..i]);
                return (parts, &text[i + c.len_utf8()..]);
            }
            '»' => depth -= 1,
            _ => {}
        }
    }
    panic!("`«` without `»`: {text}")
}

fn chosen(parts: &[&str], rng: &mut Rng) -> String {
    match parts {
        [one] => match one.chars().next() {
            Some('?') if rng.chance(50) => expand(&one['?'.len_utf8()..], rng),
            Some('?') => String::new(),
            Some('#') => {
                let (low, high) = one[1..].split_once("..").expect("`#low..high`");
                rng.range(low.parse().expect("a number"), high.parse().expect("a number")).to_string()
            }
            Some('@') => rng.pick(if *one == "@i" { &INTEGERS[..] } else { &NUMBERS }).to_owned(),
            _ => expand(one, rng),
        },
        many => expand(rng.pick(many), rng),
    }
}
