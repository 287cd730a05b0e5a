//! Random loop nests with directives, each twice: with its directives, and without.
//!
//! What loops write is unsigned, so that every order of sums has the same result. In asserted nests the program says that
//! iterations are independent, and they are: what is written has one subscript that is different in each, or is private, or a
//! reduction. In the others anything goes and the compiler has to find out.

#[path = "forms.rs"]
mod forms;
#[path = "orders.rs"]
mod orders;
#[path = "rows.rs"]
mod rows;
#[path = "teams.rs"]
mod teams;

use crate::rng::Rng;
use std::fmt::Write;

/// Elements of each array: subscripts stay below, as their parts are bounded.
const ELEMENTS: usize = 1 << 15;
/// What keeps subscripts from being negative.
const OFFSET: u32 = 1000;
/// Variables of loops, outermost first.
const LOOPS: [&str; 3] = ["i", "j", "l"];

/// A nest in the making.
struct Nest {
    r: Rng,
    /// The program asserts that iterations of the outer loop are independent.
    asserted: bool,
    /// How many loops are open.
    depth: usize,
    /// The scalar `t` has a value in this iteration.
    set: bool,
    /// The array that is written in asserted nests, and its subscript.
    own: (&'static str, &'static str),
    text: String,
}

/// What the nests of a program are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of every kind.
    Any,
    /// Gangs whose threads share loops.
    Teams,
    /// Loops that read what neighbours read.
    Rows,
    /// Loops whose subscripts come in every order.
    Orders,
}

/// A program of so many nests; its `main` prints the numbers of those whose results differ, and fails then.
pub(crate) fn program(seed: u64, count: usize, kind: Kind) -> String {
    let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0);
    let mut out = HEAD.replace("ELEMENTS", &ELEMENTS.to_string());
    let mut table = String::new();
    for n in 0..count {
        let mut r = Rng(r.bits());
        let parameters = [r.pick(&["*p", "*p", "p[]", "p[const]"]), r.pick(&["*q", "q[]"])];
        let (with, after) = if kind == Kind::Teams || kind == Kind::Any && r.chance(8) {
            (teams::team(r), "")
        } else if kind == Kind::Rows || r.chance(4) {
            (rows::rows(r), "")
        } else if kind == Kind::Orders || r.chance(4) {
            (orders::orders(r), "")
        } else if r.chance(45) {
            (forms::form(r), "")
        } else {
            let made = nest(r);
            let text = format!(
                "    #pragma acc data copy(A, B, P, M) copyin(X)\n    {{\n    #pragma acc {}\n{}    }}\n",
                made.pragma, made.body
            );
            (text, made.after)
        };
        let without: String =
            with.lines().filter(|l| !l.trim_start().starts_with("#pragma acc")).flat_map(|l| [l, "\n"]).collect();
        for (name, body) in [('s', &without), ('p', &with)] {
            let [p, q] = parameters;
            let _ = writeln!(
                out,
                "static void {name}{n}(int n, int m, unsigned {p}, unsigned {q}) {{\n    unsigned t = 3, w[8] = {{ 0 }}; int k = 2;\n    \
                 (void)t; (void)w; (void)k;\n{body}{after}}}"
            );
        }
        let _ = write!(table, "{{ s{n}, p{n} }}, ");
    }
    let _ = writeln!(
        out,
        "static struct {{ void (*s)(int, int, unsigned *, unsigned *), (*p)(int, int, unsigned *, unsigned *); }} all[] = {{ {table} }};"
    );
    out.push_str(MAIN);
    out
}

/// What the nests use.
const HEAD: &str = "\
#include <stdio.h>
#include <string.h>
enum { E = ELEMENTS };
struct row { unsigned x[40]; unsigned n; };
static unsigned A[E], B[E], P[E], M[200][200], sum, last, result, *const here = &sum;
static int X[E], count, shared = 1;
static struct all { unsigned a[3000]; struct row rows[20]; unsigned n, *p, *q; union { unsigned words[400]; unsigned char bytes[1600]; } u; } S;
static unsigned A0[E], B0[E], P0[E], M0[200][200], sum0, last0, result0;
static int count0;
static struct all S0;
static unsigned mixed(unsigned x) { return x * 2654435761u >> 7; }
static unsigned second(const unsigned *x) { return x[1] + 1; }
";

/// Runs each nest both ways, with several sizes, and with pointers that overlap and that do not.
const MAIN: &str = "\
static void start(void) {
    unsigned x = 1; sum = 5; last = 0; result = 1; count = 50;
    for (int i = 0; i < E; i++) {
        x = x * 1664525u + 1013904223u;
        A[i] = x >> 8; B[i] = x >> 9; P[i] = x >> 10; X[i] = (x >> 12) % 900;
    }
    for (int i = 0; i < 40000; i++) { x = x * 1664525u + 1013904223u; M[i / 200][i % 200] = x >> 7; }
    memset(&S, 1, sizeof S); S.n = 7; S.p = A + 1000; S.q = A + 1000;
}
int main(int argc, char **argv) {
    (void)here; (void)mixed; (void)second; shared = argc < 2;
    static const int sizes[][2] = { { 150, 9 }, { 70, 0 }, { 1, 3 }, { 0, 5 } };
    int bad = 0;
    for (int k = 0; k < (int)(sizeof all / sizeof all[0]); k++) for (int v = 0; v < 4; v++) {
        int n = sizes[v][0], m = sizes[v][1];
        unsigned *q = v % 2 ? P + 3 : P + E / 4;
        start();
        all[k].s(n, m, P, q);
        memcpy(A0, A, sizeof A); memcpy(B0, B, sizeof B); memcpy(P0, P, sizeof P); memcpy(M0, M, sizeof M);
        sum0 = sum; last0 = last; result0 = result; count0 = count; S0 = S;
        start();
        all[k].p(n, m, P, q);
        int w = memcmp(A0, A, sizeof A) ? 1 : memcmp(B0, B, sizeof B) ? 2 : memcmp(P0, P, sizeof P) ? 3
            : memcmp(M0, M, sizeof M) ? 4 : sum0 != sum ? 5 : last0 != last ? 6 : result0 != result ? 7
            : memcmp(&S0, &S, sizeof S) ? 8 : count0 != count ? 9 : 0;
        if (w) { printf(\"nest %d with n = %d, m = %d differs: %d\\n\", k, n, m, w); bad = 1; break; }
    }
    return bad;
}
";

/// A nest.
struct Made {
    pragma: String,
    body: String,
    /// What comes behind it.
    after: &'static str,
}

fn nest(mut r: Rng) -> Made {
    let asserted = r.chance(35);
    let own = (r.pick(&["A", "B"]), r.pick(&["i", "2*i", "3*i+1", "i+7", "5-i"]));
    let after = match r.below(10) {
        0 if !asserted => "    last = t;\n",
        1 if !asserted => "    last = k;\n",
        _ => "",
    };
    let form = match asserted {
        true => r.pick(&[
            "parallel loop private(t, w)",
            "kernels loop independent private(t, w)",
            "parallel loop gang vector private(t, w)",
            "parallel loop num_gangs(7) private(t, w)",
        ]),
        false if after.contains("= k") => r.pick(&["kernels", "region"]),
        false => r.pick(&["kernels", "kernels", "kernels loop", "parallel loop auto", "region", "region for"]),
    };
    let mut n = Nest { r, asserted, depth: 0, set: false, own, text: String::new() };
    n.a_loop();
    // `parallel` gives each gang a copy of its scalars; the program says which live longer.
    let reduced = n.text.contains("sum +=") && (asserted || form == "parallel loop auto");
    let mut pragma = if reduced { format!("{form} reduction(+:sum)") } else { form.to_owned() };
    if form == "parallel loop auto" {
        pragma.push_str(" copy(t, w, k, count, last)");
    }
    Made { pragma, body: n.text, after }
}

impl Nest {
    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.depth + 1);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn a_loop(&mut self) {
        let v = LOOPS[self.depth];
        let outer = self.depth > 0;
        let low = if outer && self.r.chance(20) { "i" } else { self.r.pick(&["0", "0", "0", "1", "2"]) };
        let high = match outer {
            true if self.r.chance(20) => "i + 1",
            true => self.r.pick(&["m", "m", "7", "m - 1", "8"]),
            false => self.r.pick(&["n", "n", "n - 1", "130"]),
        };
        let step = if self.r.chance(80) { 1 } else { 2 + self.r.below(2) };
        let head = if self.r.chance(15) && !low.contains('i') && !high.contains('i') {
            format!("for (int {v} = {high} - 1; {v} >= {low}; {v} -= {step}) {{")
        } else {
            format!("for (int {v} = {low}; {v} < {high}; {v} += {step}) {{")
        };
        if outer && self.asserted && self.r.chance(20) {
            self.line("#pragma acc loop seq");
        }
        self.line(&head);
        // What a loop sets has no value behind it if it does not run.
        let set = self.set;
        self.depth += 1;
        for _ in 0..1 + self.r.below(3) {
            self.statement(2);
        }
        self.depth -= 1;
        self.set = set;
        self.line("}");
    }

    fn statement(&mut self, left: usize) {
        if !self.asserted && self.r.chance(18) {
            return self.trap();
        }
        match self.r.below(12) {
            0..=4 => {
                let (to, value) = (self.place(), self.value(2));
                let op = if self.asserted || self.r.chance(70) { "=" } else { "+=" };
                self.line(&format!("{to} {op} {value};"));
            }
            5 => {
                let value = self.value(2);
                self.line(&format!("t = {value};"));
                self.set = true;
            }
            6 => {
                let value = self.value(1);
                self.line(&format!("sum += {value};"));
            }
            7 if left > 0 => {
                let (a, b) = (self.value(0), self.value(0));
                self.line(&format!("if ({a} % 3 != {b} % 2) {{"));
                let set = self.set;
                self.statement(left - 1);
                self.set = set;
                self.line("}");
            }
            8 if !self.asserted || self.depth == 1 => {
                let (a, b) = (self.value(0), self.value(0));
                self.line(&format!("for (int k = 0; k < 8; k++) w[k] = {a} + k;"));
                let to = self.place();
                self.line(&format!("{to} = w[{b} % 8] + w[2];"));
            }
            _ if self.depth < 3 && left > 0 => self.a_loop(),
            _ => {
                let (to, value) = (self.place(), self.value(1));
                self.line(&format!("{{ unsigned u = {value}; {to} = u * 3 + u / 5; }}"));
            }
        }
    }

    /// What looks like one thing and is another: values that are set in some iterations, cut off, kept behind their loop, reached
    /// through members, addresses and functions.
    fn trap(&mut self) {
        let (s, z, value) = (self.subscript(), self.subscript(), self.value(1));
        let (array, v) = (self.r.pick(&["A", "B", "p"]), self.pick_variable());
        let o = OFFSET;
        let (element, w) = (format!("{array}[{s} + {o}]"), self.pick_variable());
        let text = match self.r.below(24) {
            0 => format!(
                "{{ int c = {}; if ({value} % 3) c = {s}; if ({value} % 2) {array}[c + {o}] = {v} * 3; }}",
                self.r.below(9)
            ),
            1 => format!("{{ unsigned char c = {s}; {array}[c] += {value}; }}"),
            2 => format!("{{ short c; c = {s}; {array}[c + {o}] = {value}; }}"),
            3 => format!(
                "{{ for (k = 0; k < 4; k++) {array}[4 * {v} + k + {o}] = {value}; {array}[4 * {v} + k + {o}] += 5; }}"
            ),
            4 => format!("for (k = 0; k < {v} % 5; k++) {array}[{s} + {o}] += k;"),
            5 => format!("{array}[{s} + {o}] = k + {v};"),
            6 => format!("(&{array}[{s} + {o}])[1] = {value};"),
            7 => format!("{array}[{s} + {o}] = second(&{array}[{z} + {o}]);"),
            8 => format!(
                "switch ({value} % 4) {{ case 0: {array}[{s} + {o}] = 1; t = {v}; case 1: {array}[{z} + {o}] = t; break; default: break; }}"
            ),
            9 => format!("count += 0.37 * ({value} % 9) - 1.4;"),
            10 => format!("S.u.words[{v}] = S.u.bytes[{v}] + {value};"),
            11 => format!("S.a[{v} + 3] = S.a[({s}) % 300 + 300] + {value};"),
            12 => format!("S.rows[{v} % 20].x[{} % 40] += {value};", self.pick_variable()),
            13 => format!("{{ int c = 0; while (c < {v} && c < 6) {{ {array}[{s} + c + {o}] ^= {value}; c += 2; }} }}"),
            14 => format!("{array}[{s} + {o}] = mixed({value});"),
            15 => format!("*({array} + ({s}) + {o}) = {value};"),
            16 => format!("({array} + {v})[{o} + 1] = *({array} + {o} + ({z})) + {value};"),
            17 => format!("{array}[{s} + {o}] = second({array} + ({z}) + {o});"),
            18 => format!("{{ unsigned *h = {array} + {o} + ({z}); {array}[{s} + {o}] = *h++ + *h; }}"),
            19 => format!("*(*(M + {v}) + {w} + 1) += {value};"),
            20 => format!("last = {element} > last ? {element} : last;"),
            21 => format!("if ({element} % 1000 + 5 > last) last = {element} % 1000 + 5;"),
            22 => format!("if (last < {element}) {{ last = {element}; }}"),
            _ => format!("{{ unsigned *h = &{array}[{s} + {o}]; h[{}] = {value}; }}", self.r.below(3)),
        };
        self.line(&text);
    }

    /// Something to write to.
    fn place(&mut self) -> String {
        if self.asserted {
            let (array, s) = self.own;
            let computed = self.r.chance(10);
            return if computed { format!("*({array} + {s} + {OFFSET})") } else { format!("{array}[{s} + {OFFSET}]") };
        }
        self.element()
    }

    /// An element of an array.
    fn element(&mut self) -> String {
        if self.r.chance(20) {
            let (a, b) = (self.pick_variable(), self.pick_variable());
            let (c, d) = (self.r.below(3), self.r.below(3));
            return format!("M[{a} + {c}][{b} + {d}]");
        }
        let array = self.r.pick(&["A", "A", "B", "p", "q"]);
        let s = self.subscript();
        match self.r.below(20) {
            _ if self.asserted => format!("{array}[{s} + {OFFSET}]"),
            0 => format!("(*({array} + ({s}) + {OFFSET}))"),
            1 => format!("({array} + {OFFSET})[{s}]"),
            _ => format!("{array}[{s} + {OFFSET}]"),
        }
    }

    fn pick_variable(&mut self) -> &'static str {
        LOOPS[self.r.below(self.depth.max(1))]
    }

    fn subscript(&mut self) -> String {
        let (a, b) = (self.pick_variable(), self.pick_variable());
        let c = self.r.below(5) as i64 - 2;
        match self.r.below(13) {
            0..=3 => format!("{a} + {}", c.abs()),
            12 => format!("{} * {a} + {}", self.r.pick(&[1, 2, 4]), self.r.pick(&["n", "2 * n", "m"])),
            4 => format!("{} * {a} + {}", self.r.pick(&[2, 3, -1]), c.abs()),
            5 => format!("{a} * m + {b}"),
            6 => format!("{a} * {} + {b}", self.r.pick(&["7", "8", "n", "(m + 1)", "(m - 1)"])),
            7 => format!("X[{a} + {}]", c.abs()),
            8 => format!("({a} * 7 + {}) % 13", c.abs()),
            9 => format!("{a} - {b}"),
            10 if self.set || !self.asserted => "(int)(t % 200)".to_owned(),
            _ => format!("{}", self.r.below(4)),
        }
    }

    /// Something to compute with.
    fn value(&mut self, left: usize) -> String {
        if left > 0 && self.r.chance(60) {
            let (a, b) = (self.value(left - 1), self.value(left - 1));
            let op = self.r.pick(&["+", "-", "*", "^", "+"]);
            return format!("({a} {op} {b})");
        }
        match self.r.below(6) {
            0 => format!("{}u", self.r.below(9)),
            1 => format!("(unsigned){}", self.pick_variable()),
            2 if self.set || !self.asserted => "t".to_owned(),
            3..=4 => loop {
                let e = self.element();
                // What is written in asserted nests is read at the same place only.
                if !self.asserted || !e.starts_with(self.own.0) {
                    break e;
                }
            },
            _ if self.asserted => format!("{}[{} + {OFFSET}]", self.own.0, self.own.1),
            _ => self.element(),
        }
    }
}
