//! Random loop nests whose directives say how: clauses, reductions of every kind and type, private and first values, sections,
//! members of structures, tiles, collapsed loops, gangs with code of their own, in OpenACC's dialect and in PGI's. What they assert is
//! true: what iterations write is theirs alone, private, a reduction or atomic.
//!
//! A nest is the body of a function; without its directives it is the serial version.

use super::{LOOPS, Nest, OFFSET, Rng};
use std::fmt::Write;

/// Types of reductions; the last one's sums are of small integers, and so exact.
const TYPES: [&str; 6] = ["unsigned", "long", "unsigned char", "short", "int", "double"];

/// A nest of one of the forms.
pub(super) fn form(r: Rng) -> String {
    let own = ("A", "i");
    let mut f = Forms(Nest { r, asserted: true, depth: 1, set: false, own, text: String::new() }, true);
    f.1 = f.0.r.chance(60);
    match f.0.r.below(14) {
        0 | 1 => f.two_loops(),
        2..=4 => f.reduction(),
        5 => f.gangs(),
        6 => f.own_arrays(),
        7 => f.array_reduction(),
        8 => f.members(),
        9 => f.atomics(),
        10 | 11 => f.parameters(),
        12 => f.prologues(),
        _ => f.unstructured(),
    }
    f.0.text
}

/// A nest, and whether a data construct is around it.
struct Forms(Nest, bool);

impl Forms {
    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        self.0.r.pick(list)
    }

    fn put(&mut self, text: &str) {
        let _ = writeln!(self.0.text, "    {text}");
    }

    /// A value that the loops outermost to `depth` may compute.
    fn value(&mut self, depth: usize) -> String {
        self.0.depth = depth;
        let left = 1 + self.0.r.below(2);
        loop {
            let v = self.0.value(left);
            // How far pointers reach is said by the data construct.
            if self.1 || !v.contains("p[") && !v.contains("q[") {
                return v;
            }
        }
    }

    /// The heads of loops that count with `i` and `j`.
    fn heads(&mut self) -> (String, String) {
        let step = self.pick(&["i++", "i++", "i += 2", "i += 3"]);
        let outer = match self.pick(&["n", "n - 1", "120", "down"]) {
            "down" => "for (int i = n - 1; i >= 0; i--)".to_owned(),
            n => format!("for (int i = 0; i < {n}; {step})"),
        };
        let low = self.pick(&["0", "0", "1"]);
        let inner = match self.pick(&["m", "7", "m - 1", "down"]) {
            "down" => "for (int j = m - 1; j >= 0; --j)".to_owned(),
            m => format!("for (int j = {low}; j < {m}; j++)"),
        };
        (outer, inner)
    }

    /// Clauses that change nothing in results, and what comes behind a construct that has them. Whether the host runs it is asked only
    /// where no other copy of its data is about.
    fn clauses(&mut self) -> (String, &'static str) {
        let mut out = String::new();
        let all = match self.1 {
            true => ["num_gangs(5)", "num_workers(4)", "vector_length(32)", "default(present)"],
            false => ["num_gangs(5)", "num_workers(4)", "if(n > 3)", "self(m < 2)"],
        };
        for c in all {
            if self.0.r.chance(15) {
                let _ = write!(out, " {c}");
            }
        }
        match self.0.r.below(6) {
            0 => (format!("{out} async(2)"), "#pragma acc wait(2)"),
            1 => (format!("{out} async"), "#pragma acc wait"),
            _ => (out, ""),
        }
    }

    fn data(&mut self, body: impl FnOnce(&mut Self)) {
        if !self.1 {
            return body(self);
        }
        let sections = self.pick(&[
            "copy(A, B, P, M) copyin(X)",
            "copy(A[0:E], B[0:E], P, M[0:200][0:200]) copyin(X[0:E])",
            "copy(M, P) copy(A) copyin(X) copy(B)",
        ]);
        self.put(&format!("#pragma acc data {sections}"));
        self.put("{");
        body(self);
        self.put("}");
    }

    fn two_loops(&mut self) {
        let place = self.pick(&["M[i + 1][j + 2]", "M[j][i]", "A[i * 10 + j + 1000]", "A[j * 200 + i + 1000]"]);
        let array = if place.starts_with('M') { "M" } else { "A" };
        self.0.own = (array, "unused");
        let how = self.pick(&[
            "collapse(2)",
            "collapse(2)",
            "collapse(force:2)",
            "tile(4,4)",
            "tile(2,*)",
            "gang",
            "gang worker",
            "gang vector",
            "",
        ]);
        let construct = self.pick(&["parallel loop", "kernels loop independent", "parallel loop"]);
        let (clauses, behind) = self.clauses();
        let (outer, inner) = self.heads();
        let between = how == "collapse(force:2)" || how.starts_with("gang") && self.0.r.chance(50);
        let (first, second) = (self.read_value(1, array), self.read_value(2, array));
        let deeper = match how {
            "gang" => {
                self.pick(&["#pragma acc loop vector", "#pragma acc loop worker vector", "#pragma acc loop seq", ""])
            }
            "gang worker" => "#pragma acc loop vector",
            _ => "",
        };
        let wide = self.0.r.chance(30);
        self.data(|f| {
            f.put(&format!("#pragma acc {construct} {how} private(t){clauses}"));
            f.put(&format!("{outer} {{"));
            if between {
                f.put(&format!("t = {first};"));
            }
            if !deeper.is_empty() {
                f.put(deeper);
            }
            let value = if between { format!("{second} + t") } else { second };
            let op = if wide { "+=" } else { "=" };
            f.put(&format!("{inner} {place} {op} {value};"));
            f.put("}");
            f.put(behind);
        });
    }

    /// A value without an array: another iteration may write it.
    fn read_value(&mut self, depth: usize, array: &str) -> String {
        loop {
            let v = self.value(depth);
            if !v.contains(&format!("{array}[")) && !v.contains("unused") {
                return v;
            }
        }
    }

    fn reduction(&mut self) {
        let ty = self.pick(&TYPES);
        let (op, step) = match self.0.r.below(12) {
            0..=3 => ("+", "r += V"),
            4 => ("+", "r = r + V"),
            5 => ("max", "r = r > V ? r : V"),
            6 => ("max", "if (V > r) r = V"),
            7 => ("min", "r = V < r ? V : r"),
            8 if ty.starts_with("unsigned") => ("*", "r *= V + 1"),
            9 if ty != "double" => ("^", "r ^= V"),
            10 if ty != "double" => ("|", "r |= V"),
            11 if ty != "double" => ("&", "r &= V"),
            _ => ("+", "r -= V"),
        };
        let (outer, inner) = self.heads();
        let (clauses, behind) = self.clauses();
        let deep = self.0.r.chance(60);
        let value = self.read_value(if deep { 2 } else { 1 }, "unused");
        let narrow = self.pick(&["% 100", "% 7", "& 63", "% 1000"]);
        let value = format!("(({ty})(({value}) {narrow}))");
        let step = step.replace('V', &value);
        // Gangs that keep their results write them to `B`.
        let kept_step = step.replace("B[", "A[");
        let init = self.pick(&["3", "0", "100", "77"]);
        let mut how =
            self.pick(&["parallel loop", "parallel loop gang vector", "kernels loop", "parallel loop collapse(2)"]);
        if how.contains("collapse") && !deep {
            how = "parallel loop";
        }
        let local = deep && !how.contains("collapse") && self.0.r.chance(40);
        let found = self.0.r.chance(20) && !step.contains("if ") && !step.contains('?');
        self.put(&format!("{ty} r = {init};"));
        self.data(|f| {
            match found {
                true => f.put("#pragma acc kernels"),
                false if local => f.put(&format!("#pragma acc parallel loop{clauses}")),
                false => f.put(&format!("#pragma acc {how} reduction({op}:r) copy(r){clauses}")),
            }
            f.put(&format!("{outer} {{"));
            if local && !found {
                f.put(&format!("{ty} r = {init};"));
                let words = f.pick(&["vector", "worker", "worker vector", ""]);
                f.put(&format!("#pragma acc loop {words} reduction({op}:r)"));
                f.put(&format!("{inner} {kept_step};"));
                f.put("B[i + 2000] = (unsigned)(long)r;");
            } else if deep {
                f.put(&format!("{inner} {step};"));
            } else {
                f.put(&format!("{step};"));
            }
            f.put("}");
            if !found {
                f.put(behind);
            }
        });
        self.put("result += (unsigned)(long)r;");
    }

    /// Gangs that run code of their own around loops that they share.
    fn gangs(&mut self) {
        let gangs = self.pick(&["", " num_gangs(3)", " num_gangs(m + 1)", " vector_length(64)"]);
        let (outer, inner) = self.heads();
        let (first, second) = (self.read_value(1, "A"), self.read_value(2, "B"));
        let words = self.pick(&["gang", "", "gang vector", "gang worker"]);
        let factor = 1 + self.0.r.below(5);
        self.data(|f| {
            f.put(&format!("#pragma acc parallel{gangs}"));
            f.put("{");
            f.put(&format!("unsigned c = n * {factor}; int lo = m > 4 ? 1 : 0;"));
            f.put(&format!("#pragma acc loop {words}"));
            f.put(&format!("{outer} A[i + {OFFSET}] = {} + c;", first.replace("B[", "P[")));
            f.put("#pragma acc loop gang");
            f.put(&format!("{outer} {{"));
            f.put("unsigned s = c;");
            f.put("#pragma acc loop vector reduction(+:s)");
            f.put(&format!("{inner} s += {};", second.replace("A[", "P[")));
            f.put("B[i + lo + 1000] = s;");
            f.put("}");
            f.put("}");
        });
    }

    fn own_arrays(&mut self) {
        let (outer, inner) = self.heads();
        let kind =
            self.pick(&["private(w)", "private(w) firstprivate(v)", "firstprivate(v)", "private(d)", "private(w, d)"]);
        let fill = self.read_value(1, "A");
        let at = self.read_value(2, "A");
        let construct =
            self.pick(&["parallel loop", "parallel loop gang", "kernels loop independent", "region for independent"]);
        let construct =
            if kind.contains("first") && !construct.starts_with("parallel") { "parallel loop" } else { construct };
        self.put("unsigned v[8], d[m + 20]; for (int k = 0; k < 8; k++) v[k] = k * 77 + n;");
        self.put("for (int k = 0; k < m + 20; k++) d[k] = 0;");
        self.data(|f| {
            f.put(&format!("#pragma acc {construct} {kind}"));
            f.put(&format!("{outer} {{"));
            let mut sum = "0u".to_owned();
            if kind.contains("(w") {
                f.put(&format!("for (int k = 0; k < 8; k++) w[k] = {fill} + k;"));
                sum.push_str(" + w[j % 8]");
            }
            if kind.contains('v') && kind.contains("first") {
                sum.push_str(" + v[(i + j) % 8]");
            }
            if kind.contains('d') {
                f.put("for (int k = 0; k < m + 20; k++) d[k] = k * i;");
                sum.push_str(" + d[j]");
            }
            f.put(&format!("unsigned s = 0; {inner} s += ({at}) * ({sum});"));
            f.put(&format!("A[i + {OFFSET}] = s;"));
            f.put("}");
        });
    }

    fn array_reduction(&mut self) {
        let (outer, inner) = self.heads();
        let value = self.read_value(2, "unused");
        let at = self.read_value(2, "unused");
        let op = self.pick(&["+", "^"]);
        let clause = self.pick(&["", " copy(W)", " gang vector", " num_gangs(3)"]);
        self.put("unsigned d[m + 20], v[40], *r = v; for (int k = 0; k < 40; k++) v[k] = k * 3;");
        self.put("for (int k = 0; k < m + 20; k++) d[k] = k;");
        // An array, one whose extent only the host knows, a section of a pointer.
        let (named, element) = match self.0.r.below(3) {
            0 => ("w", "w[(AT) % 8]"),
            1 => ("d", "d[(AT) % (m + 20)]"),
            _ => ("r[5:m + 20]", "r[5 + (AT) % (m + 20)]"),
        };
        let element = element.replace("AT", &at);
        let clause = clause.replace('W', named);
        self.data(|f| {
            f.put(&format!("#pragma acc parallel loop reduction({op}:{named}){clause}"));
            f.put(&format!("{outer} {inner} {element} {op}= {value};"));
        });
        self.put("for (int k = 0; k < 8; k++) result = result * 31 + w[k];");
        self.put("for (int k = 0; k < 40; k++) result = result * 31 + v[k] + d[k % (m + 20)];");
    }

    /// `kernels` that begins with declarations and scalars, which its loops and its other statements use and change.
    fn prologues(&mut self) {
        let (outer, inner) = self.heads();
        let (first, second) = (self.read_value(1, "A"), self.read_value(2, "B"));
        let (clauses, behind) = self.clauses();
        let begin = self.pick(&[
            "unsigned w = n * 3, box[4] = { 1, 2 };",
            "unsigned w, box[4]; w = n + 5;",
            "const unsigned w = m * m + sqrt(n); int m = 9; double h = 0.5 * m;",
            "unsigned w = P[3]; int m = n / 2;",
            "long w = n; unsigned *at = A + 1;",
            "unsigned w; if (n > 5) w = 3; else w = t;",
        ]);
        let step = self.pick(&["", "c = m > 4 ? 1 : w % 7;", "c = 2; c += w;", "c = (int)t; t = 5;", "c = P[1] % 5;"]);
        let between = self.pick(&["", "", "c += 3;", "t = c + 2;", "unsigned late = c;", "P[7] = c;"]);
        let words = self.pick(&["", "#pragma acc loop independent", "#pragma acc loop gang vector independent"]);
        self.data(|f| {
            f.put(&format!("#pragma acc kernels{clauses}"));
            f.put("{");
            f.put(&format!("int c = 1; {begin}"));
            f.put(step);
            f.put(words);
            f.put(&format!("{outer} A[i + {OFFSET}] = {} + w * c;", first.replace("B[", "X[")));
            f.put(between);
            f.put(&format!(
                "{outer} {{ unsigned s = w; {inner} s += {}; B[i + 1000] = s + c; }}",
                second.replace("A[", "X[")
            ));
            f.put("}");
            f.put(behind);
        });
        self.put("result += t;");
    }

    fn members(&mut self) {
        self.1 = false;
        let (outer, inner) = self.heads();
        let value = self.read_value(2, "unused");
        let text = self.pick(&[
            "S.a[i] += V",
            "S.a[i * 9 + j] = V",
            "S.rows[i % 20].x[j] ^= V",
            "S.a[i + S.n] = S.rows[j].n + V",
            "S.p[i] = S.p[i] * 3 + V",
            "S.p[i] = S.q[i + 1] + V",
            "S.p[i] = A[i + 999] + V",
            "S.u.words[i] = S.u.bytes[i] + V",
            "S.u.words[i] = S.u.words[i] * 3 + V",
            "S.rows[i % 20].n = S.rows[(i + 1) % 20].n + V",
            "S.rows[i].n = S.rows[i].x[j] + V",
        ]);
        let outer = if text.contains("rows[i]") { "for (int i = 0; i < 20; i++)".to_owned() } else { outer };
        let text = text.replace('V', &value);
        // What its pointers point to is not copied: `data` would be wrong with memory apart.
        let clause = if text.contains("S.p[") { "if(shared)" } else { "" };
        self.data(|f| {
            f.put(&format!("#pragma acc kernels {clause}"));
            f.put(&format!("{outer} {inner} {text};"));
        });
    }

    fn atomics(&mut self) {
        let (outer, inner) = self.heads();
        let value = self.read_value(2, "B");
        let at = self.read_value(2, "B");
        let op = self.pick(&["+=", "^=", "-=", "|="]);
        let (clauses, behind) = self.clauses();
        self.data(|f| {
            f.put(&format!("#pragma acc parallel loop{clauses}"));
            f.put(&format!("{outer} {inner} {{"));
            f.put("#pragma acc atomic update");
            f.put(&format!("B[({at}) % 61] {op} {value};"));
            f.put("}");
            f.put(behind);
        });
    }

    /// What parameters point to, which no clause says or only by name: the loops tell how much.
    fn parameters(&mut self) {
        self.1 = false;
        let (clauses, behind) = self.clauses();
        let (outer, inner) = self.heads();
        let at = self.pick(&[
            "i",
            "2 * i + 3",
            "i + m",
            "n + i",
            "200 - i",
            "i * 100 + j",
            "j * 300 + i",
            "(i + 1) * 10 - j",
        ]);
        let deep = at.contains('j');
        let reads = self.0.r.chance(40);
        let value = self.read_value(if deep { 2 } else { 1 }, "A");
        let named = self.0.r.chance(40);
        let guard = self.pick(&["", "", "if (X[i] % 3) ", "if (i > 2) "]);
        let inner = if deep { inner } else { String::new() };
        let (clause, text) = match reads {
            true => {
                ("copyin(q)", format!("A[{} + {OFFSET}] = q[{at}] + {value};", if deep { "i * 10 + j" } else { "i" }))
            }
            false => ("copy(p)", format!("p[{at}] = {value};")),
        };
        let clause = if named { clause } else { "" };
        let how = self.pick(&["parallel loop", "parallel loop gang vector", "kernels loop independent"]);
        self.put(&format!("#pragma acc {how} {clause}{clauses}"));
        self.put(&format!("{outer} {inner} {guard}{text}"));
        self.put(behind);
    }

    fn unstructured(&mut self) {
        self.1 = true;
        let (low, count) = (self.0.r.below(900), 2000 + self.0.r.below(500));
        let i = LOOPS[0];
        let value = loop {
            let v = self.read_value(1, "A");
            if !v.contains("M[") && !v.contains("B[") {
                break v;
            }
        };
        let (clauses, behind) = self.clauses();
        let clauses = clauses.replace("default(present)", "");
        self.put(&format!("#pragma acc enter data copyin(A[{low}:{count}], P, X) create(M)"));
        self.put(&format!("#pragma acc parallel loop present(A[{low}:{count}]) copyin(B){clauses}"));
        self.put(&format!("for (int {i} = 0; {i} < n; {i}++) A[{i} + {OFFSET}] = {};", value));
        self.put(behind);
        self.put(&format!("#pragma acc update self(A[{low}:{}])", 100));
        self.put(&format!("#pragma acc exit data copyout(A[{low}:{count}]) delete(P, X, M)"));
    }
}
