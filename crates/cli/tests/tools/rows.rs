//! Random loops with `cache`: what neighbouring iterations read, at distances that are numbers, variables of loops inside, or known
//! only through other variables; in some iterations only; in one and two dimensions, and in tiles of two loops, which reduce something at
//! times. Sections in the directives mean nothing.
//!
//! A nest is the body of a function; without its directives it is the serial version.

use super::{OFFSET, Rng};
use std::fmt::Write;

/// A nest.
pub(super) fn rows(mut r: Rng) -> String {
    let two = r.chance(70);
    let sizes = r.pick(&["", "", " vector_length(32)", " vector_length(96)", " vector_length(256)", " num_workers(3)"]);
    let mut f = Rows { r, text: String::new(), inner: if two { "j" } else { "i" }, two, linear: false, op: None };
    f.put("unsigned s = 1;");
    f.put("#pragma acc data copy(A, B, M) copyin(X)");
    f.put("{");
    let collapse = two && f.r.chance(40);
    let construct = f.r.pick(&["parallel loop", "kernels loop independent", "parallel loop gang vector"]);
    let tile = two && !collapse && f.r.chance(75);
    let nest = match (collapse, tile) {
        (true, _) => " collapse(2)",
        (_, true) => {
            f.r.pick(&[" tile(32,4)", " tile(16,16)", " tile(8,2)", " tile(5,3)", " tile(64,1)", " tile(4,32)"])
        }
        _ => "",
    };
    if (collapse || tile) && f.r.chance(40) {
        f.op = Some(f.r.pick(&["+", "^", "max"]));
    }
    let reduction = f.op.map_or(String::new(), |op| format!(" reduction({op}:s)"));
    f.put(&format!("#pragma acc {construct}{nest}{reduction}{}", sizes_of(construct, sizes)));
    let low = f.r.pick(&["0", "1", "3"]);
    let high = f.r.pick(&["n", "n - 1", "n - 3", "130"]);
    f.put(&format!("for (int i = {low}; i < {high}; i++)"));
    if two {
        if !collapse && !tile {
            let vector = construct.contains("vector") || sizes_of(construct, sizes).contains("vector(");
            let words = f.r.pick(&["", if vector { "" } else { " vector" }, " independent"]);
            f.put(&format!("#pragma acc loop{words}"));
        }
        let (low, high) = (f.r.pick(&["0", "2"]), f.r.pick(&["m", "m + 150", "180", "8"]));
        f.put(&format!("for (int j = {low}; j < {high}; j++)"));
    }
    f.body();
    f.put("}");
    f.put("result += s;");
    f.text
}

/// Of `kernels` threads are said on the loop.
fn sizes_of(construct: &str, sizes: &str) -> String {
    match construct.starts_with("kernels") {
        true if sizes.contains("vector_length") => sizes.replace("vector_length", "vector"),
        true => String::new(),
        false => sizes.to_owned(),
    }
}

struct Rows {
    r: Rng,
    text: String,
    /// The innermost loop's variable.
    inner: &'static str,
    /// There are two loops.
    two: bool,
    /// `at` is there.
    linear: bool,
    /// How `s` is reduced.
    op: Option<&'static str>,
}

impl Rows {
    fn put(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn body(&mut self) {
        self.put("{");
        let v = self.inner;
        let section = self.r.pick(&["", "[0:8]", "[1000:3]"]);
        self.put(&format!("#pragma acc cache(A{section}, X[{v}:3], M)"));
        if self.r.chance(40) {
            self.linear = true;
            let at = if self.two { "i * m + j" } else { "2 + i" };
            self.put(&format!("int at = {at};"));
        }
        self.put("unsigned u = 0;");
        for _ in 0..2 + self.r.below(5) {
            self.statement();
        }
        let own = if self.two { format!("i * 200 + j + {OFFSET}") } else { format!("i + {OFFSET}") };
        self.put(&format!("B[{own}] = u;"));
        match self.op {
            Some("max") => self.put("s = u > s ? u : s;"),
            Some(op) => self.put(&format!("s {op}= u >> 3;")),
            None => {}
        }
        self.put("}");
    }

    fn statement(&mut self) {
        let (e, f, v) = (self.element(), self.element(), self.inner);
        let n = 1 + self.r.below(9);
        let text = match self.r.below(10) {
            8 | 9 if self.two => {
                let e = self.window();
                format!("for (int k = -1; k < 2; k++) for (int l = -2; l < 3; l++) u = u * {n} + {e};")
            }
            0 => format!("if ({v} % 3 == 1) u ^= {e};"),
            1 => format!("u += {v} > 5 ? {e} : {f};"),
            2 => {
                let (low, high) = (self.r.pick(&["-3", "0", "1"]), self.r.pick(&["2", "4", "1"]));
                let step = self.r.pick(&["k++", "k++", "k += 2"]);
                let times = self.r.pick(&["k", "k", "2 * k", "1 - k"]);
                let e = self.at_distance(times);
                format!("for (int k = {low}; k < {high}; {step}) u = u * 3 + {e};")
            }
            3 => format!("{{ unsigned w = {e} - {f}; u += w >> {n}; }}"),
            4 => format!("u += {e} % 7 && {f} % 3;"),
            _ => format!("u = u * {n} + {e} - {f};"),
        };
        self.put(&text);
    }

    /// An element of a window around the thread's own, by the variables of two loops inside.
    fn window(&mut self) -> String {
        match self.r.below(5) {
            0 => "M[i + k + 1][j + 10 + l]".to_owned(),
            1 => format!("A[(i + k) * m + j + l + {OFFSET}]"),
            2 => format!("A[(i + k) * 64 + j + l + {OFFSET}]"),
            3 => "M[i + k + l + 3][j + 10 + l]".to_owned(),
            _ => format!("A[i * 64 + 64 * k + j + l + {OFFSET}]"),
        }
    }

    fn element(&mut self) -> String {
        let distance = self.r.pick(&["0", "1", "2", "3", "-1", "-2", "7"]);
        self.at_distance(distance)
    }

    /// An element near the thread's own.
    fn at_distance(&mut self, distance: &str) -> String {
        let v = self.inner;
        let row = self.r.pick(&["0", "1", "2"]);
        match self.r.below(13) {
            9 if self.two => format!("A[(i + {row}) * m + j + ({distance}) + {OFFSET}]"),
            10 if self.two => format!("A[i * 64 + j + 64 * {row} + ({distance}) + {OFFSET}]"),
            11 if self.two => format!("M[150 - i + {row}][j + 10 + ({distance})]"),
            12 if self.two => format!("M[j + {row}][i + 10 + ({distance})]"),
            0 | 1 => format!("A[{v} + {distance} + {OFFSET}]"),
            2 => format!("X[{v} + 10 + ({distance})]"),
            3 if self.two => format!("M[i + {row}][j + 10 + ({distance})]"),
            4 if self.two => format!("A[i * m + j + ({distance}) + {OFFSET}]"),
            5 if self.linear => format!("A[at + ({distance}) + {OFFSET}]"),
            6 => format!("*(A + {OFFSET} + {v} - ({distance}))"),
            7 => format!("(A + {v})[{OFFSET} - ({distance})]"),
            8 if !self.two => format!("M[{v} + 6 + ({distance})][{row}]"),
            _ => format!("A[{OFFSET} + ({distance}) + {v}]"),
        }
    }
}
