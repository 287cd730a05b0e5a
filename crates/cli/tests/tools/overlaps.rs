//! Random programs whose loops add up in memory, through pointers that are the same, overlap or lie apart: which it is each call says.
//!
//! All pointers point into one buffer. Iteration `i` touches nothing but the elements `i * WIDTH` to `(i + 1) * WIDTH - 1` of it, by
//! whichever pointer, so that the loops are parallel in any case; what statements of one iteration do to each other is what is asked.
//! The same text without directives says what has to come out.

use crate::rng::Rng;
use std::fmt::Write;

/// Elements of an iteration, and how far into them a pointer may point.
const WIDTH: usize = 16;
const FARTHEST: usize = 8;
const POINTERS: [&str; 4] = ["a", "b", "c", "d"];

/// A program of `count` functions; it prints which of them go wrong with which pointers, and its status says whether any does.
pub(crate) fn program(seed: u64, count: usize) -> String {
    let mut rng = Rng(seed);
    let mut out = String::from(
        "#include <stdio.h>\n#include <string.h>\nenum { N = 100, ALL = 16 * (N + 2) };\n\
         #define BEGIN(T, x) for (int i = 0; i < ALL; i++) x[i] = (T)(i * 2654435761u >> 20);\n",
    );
    let mut calls = String::new();
    for n in 0..count {
        let ty = rng.pick(&["unsigned", "unsigned long", "unsigned char"]);
        let pointers = &POINTERS[..2 + rng.below(3)];
        let body = body(&mut rng, pointers);
        let params: Vec<String> = pointers.iter().map(|p| format!("{ty} *{p}")).collect();
        let sections: Vec<String> = pointers.iter().map(|p| format!("{p}[0:{WIDTH} * n]")).collect();
        let directive =
            rng.pick(&["parallel loop", "parallel loop gang", "kernels loop independent", "parallel loop vector"]);
        for (name, pragma) in
            [("f", format!("#pragma acc {directive} present({})\n", sections.join(", "))), ("g", String::new())]
        {
            let _ = write!(out, "static void {name}{n}(int n, int m, {}) {{\n{pragma}{body}}}\n", params.join(", "));
        }
        for _ in 0..3 {
            let at: Vec<usize> = pointers.iter().map(|_| rng.pick(&[0, 0, 0, 1, 3, FARTHEST])).collect();
            // Some calls have arrays apart, and nothing is asked in vain.
            let apart = rng.chance(30);
            let buffers: Vec<usize> = (0..pointers.len()).map(|p| if apart { p } else { 0 }).collect();
            let list =
                |of: &str| -> String { at.iter().zip(&buffers).map(|(at, b)| format!(", {of}[{b}] + {at}")).collect() };
            let _ = writeln!(
                calls,
                "{{ static {ty} x[4][ALL], y[4][ALL]; for (int k = 0; k < 4; k++) {{ BEGIN({ty}, x[k]) BEGIN({ty}, y[k]) }}\n\
                 #pragma acc data copy(x)\nf{n}(N, {m}{}); g{n}(N, {m}{});\n\
                 if (memcmp(x, y, sizeof x)) printf(\"f{n} {at:?} {apart}\\n\"), wrong = 1; }}",
                list("x"),
                list("y"),
                m = 1 + rng.below(5),
            );
        }
    }
    let _ = writeln!(out, "int main(void) {{ int wrong = 0;\n{calls}return wrong; }}");
    out
}

/// The loop over `i`, whose statements and loops use elements of their iteration.
fn body(rng: &mut Rng, pointers: &[&str]) -> String {
    let mut out = format!("for (int i = 0; i < n; i++) {{\nint s = {WIDTH} * i;\n");
    for _ in 0..1 + rng.below(3) {
        match rng.below(4) {
            0 => out.push_str(&statement(rng, pointers, "0")),
            1 => {
                let _ = writeln!(
                    out,
                    "for (int k = 0; k < m; k++) {{\nfor (int l = 0; l < 3; l++) {{ {} }}",
                    statement(rng, pointers, "l")
                );
                let _ = writeln!(out, "{} }}", statement(rng, pointers, "k"));
            }
            _ => {
                let two = if rng.chance(50) { statement(rng, pointers, "k") } else { String::new() };
                let _ = writeln!(out, "for (int k = 0; k < m; k++) {{ {} {two} }}", statement(rng, pointers, "k"));
            }
        }
    }
    out + "}\n"
}

/// `a[…] += b[…] * c[…];` with indices that `k` moves by 4 at most.
fn statement(rng: &mut Rng, pointers: &[&str], k: &str) -> String {
    let mut element = |moves: u64| {
        let (p, e) = (rng.pick(pointers), rng.below(4));
        if rng.chance(moves) { format!("{p}[s + {e} + {k}]") } else { format!("{p}[s + {e}]") }
    };
    let (to, x, y) = (element(25), element(50), element(50));
    let op = rng.pick(&["+=", "+=", "^=", "-=", "="]);
    format!("{to} {op} {x} * 3 + {y}; ")
}
