//! Random nests of tightly nested loops whose subscripts come in every order: what is interchanged, and what depends on an order.
//! Asserted nests write an element for each iteration; in the others, which are `kernels`, anything is read, and whether loops may
//! change places is for the compiler to find out.
//!
//! A nest is the body of a function; without its directives it is the serial version.

use super::{LOOPS, OFFSET, Rng};
use std::fmt::Write;

/// A nest.
pub(super) fn orders(r: Rng) -> String {
    let mut f = Orders { r, text: String::new(), depth: 2, asserted: false, exact: false };
    f.asserted = f.r.chance(30);
    f.exact = !f.asserted && f.r.chance(30);
    f.depth = 2 + f.r.below(2);
    f.put("#pragma acc data copy(A, B, M) copyin(X)");
    f.put("{");
    let construct = match f.asserted {
        true => f.r.pick(&[
            "parallel loop collapse(2)",
            "kernels loop independent collapse(2)",
            "parallel loop gang vector collapse(2)",
        ]),
        false => f.r.pick(&["kernels", "kernels", "kernels loop", "region"]),
    };
    f.put(&format!("#pragma acc {construct}{SIZES}"));
    let mut heads: Vec<String> = LOOPS[..f.depth].iter().map(|v| f.head(v)).collect();
    // Which is outside does not follow from its name.
    for n in (1..heads.len()).rev() {
        heads.swap(n, f.r.below(n + 1));
    }
    for h in &heads {
        f.put(h);
    }
    f.body();
    f.put("}");
    let sizes = match construct {
        "region" => "",
        _ => f.r.pick(&["", "", "", " num_gangs(3)", " num_gangs(m)"]),
    };
    f.text.replace(SIZES, sizes)
}

/// Where the number of gangs stands, which is drawn last.
const SIZES: &str = "@";

struct Orders {
    r: Rng,
    text: String,
    depth: usize,
    asserted: bool,
    /// Rows have the length that a parameter says.
    exact: bool,
}

impl Orders {
    fn put(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    /// The head of the loop that counts with a variable.
    fn head(&mut self, v: &str) -> String {
        let high = match v {
            "i" => self.r.pick(&["n", "n - 1", "130"]),
            "j" => self.r.pick(&["m", "m + 30", "35"]),
            _ => self.r.pick(&["m", "5", "20"]),
        };
        let (low, step) = (self.r.pick(&["0", "1", "3"]), self.r.pick(&["++", "++", "++", " += 2"]));
        match self.r.chance(20) {
            true => format!("for (int {v} = {high} - 1; {v} >= {low}; {v}--)"),
            false => format!("for (int {v} = {low}; {v} < {high}; {v}{step})"),
        }
    }

    /// The variables of the loops in some order.
    fn shuffled(&mut self) -> Vec<&'static str> {
        let mut all = LOOPS[..self.depth].to_vec();
        for n in (1..all.len()).rev() {
            all.swap(n, self.r.below(n + 1));
        }
        all
    }

    /// An element of an array, those that differ from each other by a few rows or columns; its variables in a given order.
    fn element(&mut self, of: &str, order: &[&str], near: bool) -> String {
        let exact = self.exact;
        let mut off = || if near { self.r.pick(&[" + 3", " + 2", " + 3", " + 4", " + 3"]) } else { " + 3" };
        match (of, order) {
            ("M", [a, b, ..]) => format!("M[{a}{}][{b}{}]", off(), off()),
            // Rows that are as long as what they hold, or a little less or more.
            (_, [a, "i"]) if exact => format!("{of}[{a} * n + i + {OFFSET}]"),
            (_, [a, "j"]) if exact => format!("{of}[{a} * m + j + {OFFSET}]"),
            (_, [a, b]) => format!("{of}[({a}{}) * 160 + {b}{}]", off(), off()),
            (_, [a, b, c]) => {
                let (second, third) = (extent(b), extent(c));
                format!("{of}[(({a}{}) * {second} + {b}{}) * {third} + {c}{} + {OFFSET}]", off(), off(), off())
            }
            _ => format!("{of}[{OFFSET}]"),
        }
    }

    fn body(&mut self) {
        self.put("{");
        let order = self.shuffled();
        // With three loops one of them would write the same element of a matrix again.
        let names: &[&str] = if self.depth == 2 { &["M", "M", "A"] } else { &["A"] };
        let written = self.r.pick(names);
        // Three dimensions fit where they are short.
        let small = self.depth == 3;
        if small {
            self.put("if (i > 60 || j > 20 || l > 6) continue;");
        } else if self.r.chance(20) {
            self.put("if ((i + j) % 5 == 2) continue;");
        }
        if self.r.chance(30) {
            self.put("unsigned h = i * 7u + j;");
        } else {
            self.put("unsigned h = X[i + 2 * j] * 3u;");
        }
        let place = self.element(written, &order, false);
        let mut value = "h".to_owned();
        for _ in 0..1 + self.r.below(3) {
            let same = !self.asserted && self.r.chance(70);
            let from = if same {
                written
            } else if small {
                "B"
            } else {
                self.r.pick(&["B", "X"])
            };
            let order = if self.r.chance(70) { order.clone() } else { self.shuffled() };
            let read = self.element(from, &order, true);
            let _ = write!(value, " {} {read}", self.r.pick(&["+", "^", "- 3 *"]));
        }
        let op = self.r.pick(&["=", "+=", "^="]);
        self.put(&format!("{place} {op} {value};"));
        self.put("}");
    }
}

/// What holds a variable's values in a nest of three, and those beside them.
fn extent(v: &str) -> u32 {
    match v {
        "i" => 66,
        "j" => 26,
        _ => 12,
    }
}
