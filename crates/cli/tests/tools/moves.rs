//! Random programs that move data between the host and a device with memory of its own, and what they have to print: a model counts
//! who holds what and knows both sides' values (OpenACC 3.4, 2.6.7 and 2.7).
//!
//! Each piece of data is written as a whole, is present or not as a whole, and has no byte in common with another one; some are members
//! of one structure, or parts of one array. What a device has never got a value for is not read.

use crate::rng::Rng;
use std::fmt::Write;

/// A piece of data: how clauses name it, its first element, and how many there are; a scalar has none.
struct Piece {
    clause: &'static str,
    /// The pointer to it, which means it where it is present.
    alone: Option<&'static str>,
    place: &'static str,
    first: usize,
    elements: usize,
}

const fn scalar(name: &'static str) -> Piece {
    Piece { clause: name, alone: None, place: name, first: 0, elements: 0 }
}

const fn part(clause: &'static str, place: &'static str, first: usize, elements: usize) -> Piece {
    Piece { clause, alone: None, place, first, elements }
}

const fn behind(clause: &'static str, pointer: &'static str, first: usize, elements: usize) -> Piece {
    Piece { clause, alone: Some(pointer), place: pointer, first, elements }
}

const PIECES: [Piece; 15] = [
    scalar("s.a"),
    scalar("s.b"),
    scalar("s.c"),
    part("s.row", "s.row", 0, 4),
    scalar("s.in.d"),
    scalar("t.a"),
    scalar("t.c"),
    part("all", "all", 0, 5),
    part("half[0:4]", "half", 0, 4),
    part("half[4:4]", "half", 4, 4),
    behind("heap[1:6]", "heap", 1, 6),
    behind("w.list[0:6]", "w.list", 0, 6),
    behind("box->list[0:5]", "box->list", 0, 5),
    behind("box->more.list[2:3]", "box->more.list", 2, 3),
    scalar("m"),
];

const HEAD: &str = "#include <stdio.h>
#include <stdlib.h>
#include <openacc.h>
struct inner { unsigned d, e; };
struct pieces { unsigned a, between, b; double f; unsigned c, row[4], spare; struct inner in; };
struct list { unsigned n, *list; };
struct box { struct list more; unsigned *list; };
static struct pieces s;
unsigned all[5], half[8];
int main(void) {
    struct pieces t = { 0 };
    unsigned *heap = malloc(7 * sizeof(unsigned)), m = 0;
    struct list w = { 0, malloc(6 * sizeof(unsigned)) };
    struct box *box = malloc(sizeof *box);
    box->list = malloc(5 * sizeof(unsigned)); box->more.list = malloc(5 * sizeof(unsigned));
    #pragma acc enter data copyin(w, box)
";

impl Piece {
    fn write(&self, value: &str) -> String {
        match self.elements {
            0 => format!("{} = {value};", self.place),
            n => format!("for (int i = {}; i < {}; i++) {}[i] = {value} + i;", self.first, self.first + n, self.place),
        }
    }

    fn grow(&self, by: u32) -> String {
        match self.elements {
            0 => format!("{0} = {0} * 3 + {by};", self.place),
            n => format!(
                "for (int i = {1}; i < {2}; i++) {0}[i] = {0}[i] * 3 + {by};",
                self.place,
                self.first,
                self.first + n
            ),
        }
    }

    fn address(&self) -> String {
        match self.elements {
            0 => format!("&{0}, sizeof {0}", self.place),
            n => format!("&{0}[{1}], {n} * sizeof(unsigned)", self.place, self.first),
        }
    }

    /// What it has when all of it is written.
    fn values(&self, value: u32) -> Vec<u32> {
        match self.elements {
            0 => vec![value],
            n => (self.first..self.first + n).map(|i| value.wrapping_add(i as u32)).collect(),
        }
    }
}

/// What is known about a piece.
#[derive(Clone, Default)]
struct State {
    host: Vec<u32>,
    /// The device's values, if it has any.
    device: Option<Vec<u32>>,
    structured: u32,
    dynamic: u32,
}

impl State {
    fn present(&self) -> bool {
        self.structured + self.dynamic > 0
    }
}

struct Maker {
    r: Rng,
    state: Vec<State>,
    text: String,
    expected: String,
    steps: u32,
    /// The clause that puts directives into a queue.
    queue: &'static str,
}

/// A program, and what it prints on a device with memory of its own.
pub(crate) fn program(seed: u64) -> (String, String) {
    let mut m = Maker {
        r: Rng(seed),
        state: PIECES.iter().map(|p| State { host: vec![0; p.elements.max(1)], ..State::default() }).collect(),
        text: HEAD.to_owned(),
        expected: String::new(),
        steps: 0,
        queue: "",
    };
    for p in 0..PIECES.len() {
        m.host_writes(p);
    }
    m.steps(24, 0);
    m.text.push_str("    free(heap);\n    return 0;\n}\n");
    (m.text, m.expected)
}

impl Maker {
    fn put(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn number(&mut self) -> u32 {
        self.r.below(1000) as u32
    }

    fn host_writes(&mut self, p: usize) {
        let value = self.number();
        self.state[p].host = PIECES[p].values(value);
        self.put(&PIECES[p].write(&format!("{value}u")));
    }

    /// One to three pieces, of each array one part at most where a kernel would have to find both.
    fn choose(&mut self, kernel: bool, wanted: impl Fn(&State) -> bool) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for _ in 0..1 + self.r.below(4) {
            let p = self.r.below(PIECES.len());
            let other = out.iter().any(|&o| PIECES[o].place == PIECES[p].place);
            if wanted(&self.state[p]) && !(other && (kernel || out.contains(&p))) {
                out.push(p);
            }
        }
        out
    }

    fn steps(&mut self, count: usize, depth: u32) {
        for _ in 0..count {
            match self.r.below(12) {
                0 | 1 => {
                    let p = self.r.below(PIECES.len());
                    self.host_writes(p);
                }
                2 | 3 => self.enter(),
                4 => self.exit(),
                5 => self.update(),
                6 | 7 => self.kernel(),
                8 if depth < 2 => self.construct(depth),
                9 | 10 => self.queued(),
                _ => self.ask(),
            }
            self.show();
        }
    }

    /// Several of them in a queue, and a wait: one after another all the same.
    fn queued(&mut self) {
        self.queue = " async(1)";
        for _ in 0..2 + self.r.below(4) {
            match self.r.below(5) {
                0 => self.enter(),
                1 => self.exit(),
                2 => self.update(),
                _ => self.kernel(),
            }
        }
        self.queue = "";
        let all = self.r.chance(50);
        self.put(if all { "#pragma acc wait" } else { "#pragma acc wait(1)" });
    }

    /// Prints the host's values.
    fn show(&mut self) {
        self.steps += 1;
        let _ = write!(self.expected, "{}:", self.steps);
        self.put(&format!("printf(\"{}:\");", self.steps));
        for (p, piece) in PIECES.iter().enumerate() {
            let line = match piece.elements {
                0 => format!("printf(\" %u\", {});", piece.place),
                n => format!(
                    "for (int i = {1}; i < {2}; i++) printf(\" %u\", {0}[i]);",
                    piece.place,
                    piece.first,
                    piece.first + n
                ),
            };
            self.put(&line);
            for v in &self.state[p].host {
                let _ = write!(self.expected, " {v}");
            }
        }
        self.put("printf(\"\\n\");");
        self.expected.push('\n');
    }

    fn comes(&mut self, p: usize, copied: bool, structured: bool) {
        let s = &mut self.state[p];
        if !s.present() {
            s.device = copied.then(|| s.host.clone());
        }
        *(if structured { &mut s.structured } else { &mut s.dynamic }) += 1;
    }

    fn goes(&mut self, p: usize, out: bool, structured: bool, finalize: bool) {
        let s = &mut self.state[p];
        if !s.present() {
            return;
        }
        let counter = if structured { &mut s.structured } else { &mut s.dynamic };
        *counter = if finalize { 0 } else { counter.saturating_sub(1) };
        if !s.present()
            && let Some(values) = s.device.take().filter(|_| out)
        {
            s.host = values;
        }
    }

    /// The clauses of pieces with a word for each.
    fn clauses(&mut self, list: &[(usize, &str)]) -> String {
        let mut one = |&(p, word): &(usize, &str)| {
            let alone = PIECES[p].alone.filter(|_| self.state[p].present() && self.r.chance(40));
            format!(" {word}({})", alone.unwrap_or(PIECES[p].clause))
        };
        list.iter().map(&mut one).collect()
    }

    fn enter(&mut self) {
        let chosen = self.choose(false, |_| true);
        let list: Vec<(usize, &str)> =
            chosen.iter().map(|&p| (p, if self.r.chance(70) { "copyin" } else { "create" })).collect();
        if list.is_empty() {
            return;
        }
        let clauses = self.clauses(&list);
        self.put(&format!("#pragma acc enter data{}{}", clauses, self.queue));
        list.iter().for_each(|&(p, word)| self.comes(p, word == "copyin", false));
    }

    fn exit(&mut self) {
        let any = self.r.chance(10);
        let chosen = self.choose(false, |s| any || s.dynamic > 0);
        let finalize = self.r.chance(20);
        let list: Vec<(usize, &str)> = chosen
            .iter()
            .map(|&p| {
                let known = self.state[p].device.is_some() || !self.state[p].present();
                (p, if known && self.r.chance(70) { "copyout" } else { "delete" })
            })
            .collect();
        if list.is_empty() {
            return;
        }
        let last = if finalize { " finalize" } else { "" };
        let clauses = self.clauses(&list);
        self.put(&format!("#pragma acc exit data{}{last}{}", clauses, self.queue));
        list.iter().for_each(|&(p, word)| self.goes(p, word == "copyout", false, finalize));
    }

    fn update(&mut self) {
        let to_host = self.r.chance(60);
        let chosen = self.choose(false, |s| s.present() && (!to_host || s.device.is_some()));
        if chosen.is_empty() {
            return;
        }
        let word = if to_host { "self" } else { "device" };
        let list: Vec<(usize, &str)> = chosen.iter().map(|&p| (p, word)).collect();
        let clauses = self.clauses(&list);
        self.put(&format!("#pragma acc update{}{}", clauses, self.queue));
        for p in chosen {
            let s = &mut self.state[p];
            match (to_host, &s.device) {
                (true, Some(values)) => s.host.clone_from(values),
                _ => s.device = Some(s.host.clone()),
            }
        }
    }

    /// A clause for a piece that a construct names, and whether it brings values and takes them along.
    fn role(&mut self, p: usize) -> (&'static str, bool, bool) {
        match self.r.below(5) {
            0 => ("copyin", true, false),
            1 => ("copyout", false, true),
            2 => ("create", false, false),
            3 if self.state[p].present() => ("present", false, false),
            _ => ("copy", true, true),
        }
    }

    fn kernel(&mut self) {
        let chosen = self.choose(true, |_| true);
        let roles: Vec<_> = chosen.iter().map(|&p| (p, self.role(p))).collect();
        if roles.is_empty() {
            return;
        }
        let list: Vec<(usize, &str)> = roles.iter().map(|&(p, r)| (p, r.0)).collect();
        let clauses = self.clauses(&list);
        self.put(&format!("#pragma acc serial{}{}", clauses, self.queue));
        roles.iter().for_each(|&(p, r)| self.comes(p, r.1, true));
        self.body(&chosen);
        roles.iter().rev().for_each(|&(p, r)| self.goes(p, r.2, true, false));
    }

    /// What a kernel does with pieces.
    fn body(&mut self, chosen: &[usize]) {
        self.put("{");
        for &p in chosen {
            let by = self.number();
            match &mut self.state[p].device {
                Some(values) => {
                    values.iter_mut().for_each(|v| *v = v.wrapping_mul(3).wrapping_add(by));
                    self.put(&PIECES[p].grow(by));
                }
                none => {
                    *none = Some(PIECES[p].values(by));
                    self.put(&PIECES[p].write(&format!("{by}u")));
                }
            }
        }
        self.put("}");
    }

    fn construct(&mut self, depth: u32) {
        let chosen = self.choose(false, |_| true);
        let roles: Vec<_> = chosen.iter().map(|&p| (p, self.role(p))).collect();
        if roles.is_empty() {
            return;
        }
        let list: Vec<(usize, &str)> = roles.iter().map(|&(p, r)| (p, r.0)).collect();
        let clauses = self.clauses(&list);
        self.put(&format!("#pragma acc data{}", clauses));
        self.put("{");
        roles.iter().for_each(|&(p, r)| self.comes(p, r.1, true));
        self.show();
        let count = 1 + self.r.below(6);
        self.steps(count, depth + 1);
        // What comes back has to have values.
        for &(p, r) in &roles {
            if r.2 && self.state[p].device.is_none() {
                self.put(&format!("#pragma acc serial present({})", PIECES[p].clause));
                self.body(&[p]);
            }
        }
        self.put("}");
        roles.iter().rev().for_each(|&(p, r)| self.goes(p, r.2, true, false));
    }

    /// Prints whether pieces are present.
    fn ask(&mut self) {
        for p in self.choose(false, |_| true) {
            self.put(&format!("printf(\"{} %d\\n\", acc_is_present({}));", PIECES[p].clause, PIECES[p].address()));
            let _ = writeln!(self.expected, "{} {}", PIECES[p].clause, u8::from(self.state[p].present()));
        }
    }
}
