//! Texts changed at random: what a reader of them must survive.

use crate::Rng;

/// Longest stretch that is taken out, doubled or moved, in bytes.
const STRETCH: usize = 200;

/// Words that stand in PTX, put where others were.
const WORDS: [&str; 40] = [
    "%r1",
    "%rd1",
    "%p1",
    "%f1",
    "%rs1",
    "%fd1",
    "_",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "@%p1",
    ";",
    ",",
    ":",
    "|",
    "!",
    "-1",
    "0",
    "4294967295",
    "18446744073709551615",
    "0f7fc00000",
    "0d7ff0000000000000",
    ".b8",
    ".s16",
    ".u32",
    ".b64",
    ".f32",
    ".pred",
    ".v4",
    ".shared",
    ".param",
    ".local",
    "bra",
    "ret",
    "call",
    "cvt.rzi.s32.f32",
    "mov.b64",
];

/// A text with one to four changes.
pub fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        change(&mut bytes, rng);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let len = bytes.len();
    let at = rng.below(len);
    let end = (at + 1 + rng.below(STRETCH)).min(bytes.len());
    match rng.below(8) {
        0 => bytes[at] = rng.below(128) as u8,
        1 => {
            bytes.remove(at);
        }
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            let to = rng.below(len);
            bytes.splice(to..to, copy);
        }
        4 => bytes.truncate(at),
        // Whole words and lines, which get further than broken ones.
        5 => {
            let (from, to) = around(bytes, at, |c| !c.is_ascii_alphanumeric() && !b"%._$".contains(&c));
            bytes.splice(from..to, rng.pick(&WORDS).bytes());
        }
        6 => {
            let (from, to) = around(bytes, at, |c| c == b'\n');
            bytes.drain(from..to);
        }
        _ => {
            let (from, to) = around(bytes, at, |c| c == b'\n');
            let line = bytes[from..to].to_vec();
            let there = around(bytes, rng.below(len), |c| c == b'\n').0;
            bytes.splice(there..there, line.into_iter().chain([b'\n']));
        }
    }
}

/// The stretch around a byte that ends before and behind what separates.
fn around(bytes: &[u8], at: usize, separates: impl Fn(u8) -> bool) -> (usize, usize) {
    let from = bytes[..at].iter().rposition(|&c| separates(c)).map_or(0, |n| n + 1);
    let to = bytes[at..].iter().position(|&c| separates(c)).map_or(bytes.len(), |n| at + n);
    (from, to.max(from))
}
