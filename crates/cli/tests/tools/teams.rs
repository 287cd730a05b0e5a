//! Random gangs with code of their own around loops of workers and vectors: values that all threads of a gang must have, memory
//! that one of them writes and others read, sums, arrays of the gang, branches and loops around loops that threads share.
//!
//! A nest is the body of a function; without its directives it is the serial version. Gangs write nothing that others read or write,
//! unless it is atomic.

use super::{OFFSET, Rng};
use std::fmt::Write;

/// Elements of the gang's own part of an array.
const OWN: usize = 40;

/// A nest.
pub(super) fn team(mut r: Rng) -> String {
    let private = r.chance(30);
    let array = r.chance(50);
    let sum = r.chance(40);
    let words = r.pick(&["gang", "gang", "gang worker", ""]);
    let workers = words.contains("worker");
    let (names, arrays, text) = (vec!["a", "b"], Vec::new(), String::new());
    let mut g = Gang { r, text, names, arrays, sum, workers, silent: false, depth: 1 };
    g.put("#pragma acc data copy(A, B, P, M) copyin(X)");
    g.put("{");
    let sizes = g.r.pick(&["", "", " num_gangs(7)", " vector_length(32)", " vector_length(96)", " num_workers(2)"]);
    let whole = g.r.chance(25);
    let mut clauses = String::new();
    if private {
        clauses.push_str(" private(w)");
        g.arrays.push("w");
    }
    if sum {
        clauses.push_str(" reduction(+:sum)");
    }
    if whole {
        g.put(&format!("#pragma acc parallel{sizes}{}", if sum { " reduction(+:sum)" } else { "" }));
        g.put("{");
        g.put("unsigned base = n * 3 + 1;");
        g.names.push("base");
        let vector = g.r.pick(&["gang vector", "gang"]);
        g.put(&format!("#pragma acc loop {vector}"));
        g.put("for (int i = 0; i < n; i++) B[i + 7000] = base + i;");
        g.put(&format!("#pragma acc loop {words}{}", clauses.replace(" reduction(+:sum)", "")));
    } else {
        g.put(&format!("#pragma acc parallel loop {words}{sizes}{clauses}"));
    }
    g.silent = g.r.chance(25);
    g.gang(array);
    if whole {
        g.put("}");
    }
    g.put("}");
    g.text
}

struct Gang {
    r: Rng,
    text: String,
    /// Variables that all threads have.
    names: Vec<&'static str>,
    /// Arrays of the gang.
    arrays: Vec<&'static str>,
    /// Whether gangs add to `sum`.
    sum: bool,
    /// Whether the gangs' loop is one of workers, too.
    workers: bool,
    /// Whether nothing is said of the loops inside: what of them threads share is for the compiler to prove.
    silent: bool,
    depth: usize,
}

impl Gang {
    fn put(&mut self, text: &str) {
        if self.silent && text.trim_start().starts_with("#pragma acc loop") {
            return;
        }
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn gang(&mut self, array: bool) {
        let head = self.r.pick(&["for (int i = 0; i < n; i++) {", "for (int i = n - 1; i >= 0; i -= 2) {"]);
        self.put(head);
        self.depth += 1;
        let arrays = std::mem::take(&mut self.arrays);
        let (a, b) = (self.value(1, "i"), self.value(1, "i"));
        self.arrays = arrays;
        self.put(&format!("unsigned a = {a}, b = {b};"));
        if array {
            self.put("unsigned g[8];");
            self.arrays.push("g");
        }
        // They have values before they are read.
        let arrays = std::mem::take(&mut self.arrays);
        for name in arrays {
            let value = self.value(1, "j");
            // Every element: not each form of the loop begins with the first.
            self.put("#pragma acc loop vector");
            self.put(&format!("for (int j = 0; j < 8; j++) {name}[j] = {value};"));
            self.arrays.push(name);
        }
        for _ in 0..2 + self.r.below(4) {
            self.statement(2, true);
        }
        if self.sum {
            self.put("sum += a;");
        }
        self.put(&format!("A[i + {OFFSET}] ^= a + b;"));
        self.depth -= 1;
        self.put("}");
    }

    /// Something that threads that count with `v` compute.
    fn value(&mut self, left: usize, v: &str) -> String {
        if left > 0 && self.r.chance(60) {
            let (a, b) = (self.value(left - 1, v), self.value(left - 1, v));
            return format!("({a} {} {b})", self.r.pick(&["+", "-", "*", "^"]));
        }
        match self.r.below(9) {
            0 => format!("{}u", self.r.below(9)),
            1 => format!("(unsigned){v}"),
            2 => "(unsigned)i".to_owned(),
            3 => format!("P[X[{v} + {}]]", self.r.below(50)),
            4 => format!("P[i * 3 + {v}]"),
            5 if !self.arrays.is_empty() => {
                let name = self.arrays[self.r.below(self.arrays.len())];
                format!("{name}[({v} * {} + {}) % 8]", 1 + self.r.below(4), self.r.below(8))
            }
            6 => format!("mixed({v} + {}u)", self.r.below(5)),
            _ if self.text.contains("unsigned a =") => self.names[self.r.below(self.names.len())].to_owned(),
            _ => format!("P[{v} + 9]"),
        }
    }

    /// A loop that threads share.
    fn shared_loop(&mut self, bound: &str, body: &str, clauses: &str) {
        let mut words = self.r.pick(&["vector", "vector", "worker vector", "worker", ""]);
        if self.workers && words.contains("worker") {
            words = "vector";
        }
        self.put(&format!("#pragma acc loop {words}{clauses}"));
        let head = match self.r.below(5) {
            0 => format!("for (int j = {bound} - 1; j >= 0; j--) {{ {body} }}"),
            1 if bound != "8" => format!("for (unsigned j = 1; j < (unsigned){bound}; j += 3) {{ {body} }}"),
            _ => format!("for (int j = 0; j < {bound}; ++j) {{ {body} }}"),
        };
        self.put(&head);
    }

    /// An element of the gang's part of an array, which the thread that counts with `v` has for itself.
    fn element(&mut self, v: &str) -> String {
        match self.r.below(3) {
            0 => format!("M[i][{v} + 2]"),
            1 => format!("A[i * {OWN} + {v} + 4000]"),
            _ => format!("B[i * {OWN} + {v} + 8000]"),
        }
    }

    fn statement(&mut self, left: usize, top: bool) {
        let bound = self.r.pick(&["m", "8", "m + 20", "39"]);
        match self.r.below(19) {
            0..=2 => {
                let (to, value) = (self.element("j"), self.value(2, "j"));
                let op = self.r.pick(&["=", "+=", "^="]);
                self.shared_loop(bound, &format!("{to} {op} {value};"), "");
            }
            3 | 4 => {
                let to = self.r.pick(&["a", "b"]);
                let value = self.value(1, "j").replace(&format!("{to} "), "i ");
                let value = if value.contains(to) && value.len() < 3 { "7u".to_owned() } else { value };
                let (op, step) = self.r.pick(&[("+", "T += V"), ("^", "T ^= V"), ("max", "T = T > V ? T : V")]);
                // The sum itself is no part of what is summed.
                let value = without(&value, to);
                let step = step.replace('T', to).replace('V', &format!("({value})"));
                let clause = if self.r.chance(80) { format!(" reduction({op}:{to})") } else { String::new() };
                self.shared_loop(bound, &format!("{step};"), &clause);
            }
            5 if !self.arrays.is_empty() => {
                let name = self.arrays[self.r.below(self.arrays.len())];
                let value = without(&self.value(1, "j"), name);
                self.shared_loop("8", &format!("{name}[j] = {value};"), "");
            }
            6 => {
                let (k, value) = (self.r.below(9), self.value(1, "i"));
                let to = self.element(&k.to_string());
                self.put(&format!("{to} = {value};"));
            }
            7 => {
                let k = self.r.below(9).to_string();
                let (from, to) = (self.element(&k), self.r.pick(&["a", "b"]));
                self.put(&format!("{to} = {to} * 3 + {from};"));
            }
            8 | 9 if left > 0 => {
                let value = self.value(0, "i");
                self.put(&format!("if ({value} % 3 != 1) {{"));
                self.block(left);
                if self.r.chance(40) {
                    self.put("} else {");
                    self.block(left);
                }
                self.put("}");
            }
            10 if left > 0 => {
                let head = self.r.pick(&["for (int z = 0; z < 3; z++) {", "for (k = i % 4; k > 0; k--) {"]);
                self.put(head);
                self.block(left);
                self.put("}");
            }
            11 if top && self.r.chance(50) => self.put("if (i % 5 == 3) { A[i + 1000]++; continue; }"),
            12 => {
                let value = self.value(1, "j");
                let worker = if self.workers { "" } else { "worker" };
                let (words, factor) = (self.r.pick(&[worker, "", "seq"]), self.r.below(5));
                self.put(&format!("#pragma acc loop {words}"));
                self.put("for (int k = 0; k < 4; k++) {");
                self.put(&format!("    unsigned z = a + k * {factor};"));
                self.put("    #pragma acc loop vector");
                self.put(&format!("    for (int j = 0; j < 8; j++) A[i * {OWN} + k * 8 + j + 4000] += {value} + z;"));
                self.put("}");
            }
            13 => {
                let (to, value) = (self.element("j"), self.value(1, "j"));
                self.shared_loop(bound, &format!("t = {value}; if (t % 2) t += 5; {to} = t * 7;"), " private(t)");
            }
            14 => {
                let (at, step) = (self.value(1, "j"), 1 + self.r.below(9));
                let uniform = self.r.chance(30);
                if uniform {
                    self.put("#pragma acc atomic update");
                    self.put("B[a % 61] += 3;");
                } else {
                    self.put("#pragma acc loop vector");
                    self.put(&format!("for (int j = 0; j < {bound}; j++) {{"));
                    self.put("    #pragma acc atomic");
                    self.put(&format!("    B[({at}) % 61] += {step};"));
                    self.put("}");
                }
            }
            16 if !self.arrays.is_empty() => {
                let name = self.arrays[self.r.below(self.arrays.len())];
                let (value, k) = (without(&self.value(1, "i"), name), self.r.below(8));
                self.put(&format!("{name}[{k}] = {value};"));
            }
            17 if !self.arrays.is_empty() => {
                let name = self.arrays[self.r.below(self.arrays.len())];
                let (to, value) = (self.element("y"), without(&self.value(1, "i"), name));
                self.put(&format!("for (int y = 0; y < 8; y++) {{ {name}[y] += {value}; {to} = {name}[y]; }}"));
            }
            15 => {
                let value = self.value(1, "i");
                let to = self.element("y");
                self.put(&format!("for (int y = 0; y < 6; y++) {to} += {value};"));
            }
            _ => {
                let (value, k, from) = (self.value(1, "j"), self.r.below(9), self.r.below(9));
                self.put("{");
                self.put("    unsigned *h = &M[i][2];");
                self.put("    #pragma acc loop vector");
                self.put(&format!("    for (int j = 0; j < {bound}; j++) h[j] += {value};"));
                self.put(&format!("    h[{k}] = h[{from}] + b;"));
                self.put("}");
            }
        }
    }

    fn block(&mut self, left: usize) {
        self.depth += 1;
        for _ in 0..1 + self.r.below(2) {
            self.statement(left - 1, false);
        }
        self.depth -= 1;
    }
}

/// An expression that does not name a variable: where it does, something else stands for it.
fn without(value: &str, name: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in value.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        // An array's name is followed by its subscript.
        let array = c == '[';
        out.push_str(match word.as_str() {
            w if w == name && array => "P",
            w if w == name => "77u",
            w => w,
        });
        word.clear();
        out.push(c);
    }
    out.trim_end().to_owned()
}
