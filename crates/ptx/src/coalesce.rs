//! Copies that join two registers which never hold different values at once.
//!
//! A loop variable of a nest has a register for the outer loop, one for the inner one and one for what is read behind
//! both, with copies between them on every edge. ptxas joins few of them where there are many: a product of matrices with
//! 64 sums in registers took 162 registers and copied all sums twice in each round; with one register for each sum it
//! takes 120.
//!
//! This works on the text, since only there it is decided which instruction reads what: sums are folded into addresses,
//! products into sums. A line that is not known to write its first operand and to read the others keeps all registers
//! that it names. Inline assembly is one line: it may write all registers that it names, and reads all but those of outputs
//! that nothing is tied to. A function whose assembly declares registers that are named as these are stays as it is.
//!
//! Cost: liveness of the copied registers, one bit each for each block.

use std::collections::HashMap;
use std::ops::Range;

/// Fewest copies for which a function is looked at.
const MIN_COPIES: usize = 8;
/// Most registers in copies.
const MAX_REGISTERS: usize = 1 << 14;
/// Most blocks times registers.
const MAX_BITS: usize = 1 << 27;

/// Instructions that write their first operand, which they do not read, and nothing else.
const WRITERS: &str = "\
    abs activemask add addc and atom bfe bfi bfind bmsk brev clz cnot copysign cos cvt cvta div dp2a dp4a \
    ex2 fma fns isspacep ld ldmatrix ldu lg2 lop3 mad madc mapa match max min mma mov mul mul24 neg not or \
    popc prmt rcp redux rem rsqrt sad selp set setp shf shfl shl shr sin sqrt sub subc tanh testp vote xor";
/// Instructions that write no register.
const READERS: &[&str] = &["bar", "barrier", "nanosleep", "red", "st"];

/// What a line does to registers that are copied: their numbers here.
#[derive(Default)]
struct Line {
    text: Range<usize>,
    writes: Vec<u32>,
    reads: Vec<u32>,
    /// Nothing but a copy of one of them to another.
    copy: bool,
}

/// Where control goes behind a line.
enum Next {
    On,
    /// To labels, and on.
    Branch(Vec<String>),
    /// To labels.
    Jump(Vec<String>),
}

/// Takes copies out of the text of a function's body. `outputs`: of each inline assembly in it the registers that it only writes.
pub(crate) fn coalesce(text: &mut String, outputs: &[Vec<String>]) {
    if text.matches("\tmov.").count() >= MIN_COPIES
        && let Some(mut c) = Coalescer::new(text, outputs)
        && let Some(order) = c.flow()
    {
        c.interfere(&order);
        if c.join() {
            *text = c.rewritten();
        }
    }
}

struct Block {
    lines: Range<usize>,
    successors: Vec<usize>,
    live_out: Vec<u64>,
}

struct Coalescer<'a> {
    text: &'a str,
    /// Numbers of the registers in copies, by name.
    numbers: HashMap<&'a str, u32>,
    names: Vec<&'a str>,
    /// Registers that a line names which is not understood.
    fixed: Vec<bool>,
    lines: Vec<Line>,
    words: usize,
    /// A row of bits for each register: those that hold another value when it is written, and the other way round.
    conflicts: Vec<u64>,
    /// The register that each became.
    joined: Vec<u32>,
}

/// The class of a register's name: what stands before its digits.
fn class(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Names of virtual registers in a text, with their places.
fn registers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    text.match_indices('%').filter_map(move |(at, _)| {
        let digits = |n: usize| bytes[n..].iter().take_while(|c| c.is_ascii_digit()).count();
        let prefix = ["%rs", "%rd", "%fd", "%r", "%p", "%f", "%h"].into_iter().find(|p| text[at..].starts_with(p))?;
        let from = at + prefix.len();
        let len = digits(from);
        let more = bytes.get(from + len).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_');
        (len > 0 && !more).then(|| (at, &text[at..from + len]))
    })
}

/// The registers of `mov TO, FROM` of one class.
fn copied(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("\tmov.")?;
    let (to, from) = rest.split_once('\t')?.1.strip_suffix(';')?.split_once(", ")?;
    let whole = |s: &str| registers(s).next().is_some_and(|(at, n)| at == 0 && n.len() == s.len());
    (whole(to) && whole(from) && class(to) == class(from)).then_some((to, from))
}

/// The lines of a text, of which an inline assembly is one. None if one declares registers that may be named like those around it.
fn whole_lines(text: &str) -> Option<Vec<Range<usize>>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut at, mut inside) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let declares = line.contains(".reg");
        match out.last_mut().filter(|_| inside) {
            Some(last) => last.end = range.end,
            None => out.push(range),
        }
        let many = line.replace("%q<", "").contains('<');
        if declares && (!inside || many || registers(line).next().is_some()) {
            return None;
        }
        inside = if inside { line.trim() != END } else { line.trim() == BEGIN };
    }
    Some(out)
}

/// What stands around inline assembly.
const BEGIN: &str = "// begin inline asm";
const END: &str = "// end inline asm";

impl<'a> Coalescer<'a> {
    /// Reads the lines; none if there is nothing to do, or something that is not understood.
    fn new(text: &'a str, outputs: &[Vec<String>]) -> Option<Self> {
        let mut this = Self {
            text,
            numbers: HashMap::new(),
            names: Vec::new(),
            fixed: Vec::new(),
            lines: Vec::new(),
            words: 0,
            conflicts: Vec::new(),
            joined: Vec::new(),
        };
        let mut copies = 0;
        let lines = whole_lines(text)?;
        for line in lines.iter().map(|l| text[l.clone()].trim_end_matches('\n')) {
            let Some((to, from)) = copied(line) else { continue };
            copies += 1;
            for name in [to, from] {
                let next = this.names.len() as u32;
                if *this.numbers.entry(name).or_insert(next) == next {
                    this.names.push(name);
                }
            }
        }
        let n = this.names.len();
        if copies < MIN_COPIES || n > MAX_REGISTERS {
            return None;
        }
        this.fixed = vec![false; n];
        this.joined = (0..n as u32).collect();
        this.words = n.div_ceil(64);
        let assembly = |l: &Range<usize>| text[l.clone()].trim_start().starts_with(BEGIN);
        let known = lines.iter().filter(|l| assembly(l)).count() == outputs.len();
        let mut outputs = outputs.iter().filter(|_| known);
        for l in lines {
            let line = text[l.clone()].trim_end_matches('\n');
            let read = if assembly(&l) {
                this.assembly(line, outputs.next().map_or(&[], |o| o), l)
            } else {
                this.line(line, l)
            };
            this.lines.push(read);
        }
        Some(this)
    }

    /// Reads inline assembly, which only writes `outputs`.
    fn assembly(&self, text: &str, outputs: &[String], range: Range<usize>) -> Line {
        let mut line = Line { text: range, ..Line::default() };
        for (_, name) in registers(text) {
            let Some(&number) = self.numbers.get(name) else { continue };
            line.writes.push(number);
            if !outputs.iter().any(|o| o == name) {
                line.reads.push(number);
            }
        }
        line
    }

    /// Reads a line.
    fn line(&mut self, text: &'a str, range: Range<usize>) -> Line {
        let mut line = Line { text: range, copy: copied(text).is_some(), ..Line::default() };
        let known = |name: &str| self.numbers.get(name).copied();
        let all: Vec<(usize, Option<u32>)> = registers(text).map(|(at, name)| (at, known(name))).collect();
        if all.iter().all(|r| r.1.is_none()) {
            return line;
        }
        let trimmed = text.trim_start();
        let (guard, rest) = match trimmed.strip_prefix('@') {
            Some(g) => (1, g.split_once([' ', '\t']).map_or("", |p| p.1)),
            None => (0, trimmed),
        };
        let (opcode, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let base = opcode.split('.').next().unwrap_or("");
        let one = text.ends_with(';') && text.matches(';').count() == 1 && !text.contains("//") && !text.contains("/*");
        // Where the operand that is written ends.
        let operands = operands.trim_start();
        let start = text.len() - operands.len();
        let end = start
            + match operands.as_bytes().first() {
                Some(b'{') => operands.find('}').unwrap_or(0),
                Some(b'%') => operands.find(',').unwrap_or(operands.len()),
                _ => 0,
            };
        let writes = one && end > start && WRITERS.split(' ').any(|w| w == base);
        let reads = one && (READERS.contains(&base) || base == "bra");
        for (n, &(at, number)) in all.iter().enumerate() {
            let Some(number) = number else { continue };
            if !writes && !reads {
                self.fixed[number as usize] = true;
            }
            if writes && n >= guard && at < end {
                line.writes.push(number);
                if guard == 0 {
                    continue;
                }
            }
            // What is written under a condition keeps its value otherwise.
            line.reads.push(number);
        }
        line
    }

    /// Where control goes behind a line; none if that is not understood.
    fn next(&self, n: usize) -> Option<Next> {
        let text = self.text[self.lines[n].text.clone()].trim();
        let rest = match text.strip_prefix('@') {
            Some(g) => g.split_once([' ', '\t'])?.1.trim_start(),
            None => text,
        };
        let guarded = rest.len() != text.len();
        let (opcode, operands) = rest.split_once([' ', '\t', ';']).unwrap_or((rest, ""));
        let label = |s: &str| s.trim().trim_end_matches(';').to_owned();
        Some(match opcode.split('.').next()? {
            "bra" if guarded => Next::Branch(vec![label(operands)]),
            "bra" => Next::Jump(vec![label(operands)]),
            "brx" => {
                let table = label(operands.rsplit_once(',')?.1);
                let head = format!("{table}: .branchtargets");
                let at = self.lines.iter().position(|l| self.text[l.text.clone()].trim() == head)?;
                let mut targets = Vec::new();
                for l in &self.lines[at + 1..] {
                    let entry = self.text[l.text.clone()].trim();
                    targets.push(entry.trim_end_matches([',', ';']).to_owned());
                    if entry.ends_with(';') {
                        break;
                    }
                }
                if guarded { Next::Branch(targets) } else { Next::Jump(targets) }
            }
            "ret" | "exit" if !guarded => Next::Jump(Vec::new()),
            _ => Next::On,
        })
    }

    /// The blocks with what lives behind them.
    fn flow(&self) -> Option<Vec<Block>> {
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut blocks = Vec::new();
        let mut ends = Vec::new();
        let mut start = 0;
        for n in 0..self.lines.len() {
            let text = self.text[self.lines[n].text.clone()].trim();
            if let Some(label) = text.strip_suffix(':') {
                if n > start {
                    blocks.push(start..n);
                    ends.push(Next::On);
                }
                start = n;
                labels.insert(label, blocks.len());
            }
            match self.next(n)? {
                Next::On => {}
                next => {
                    blocks.push(start..n + 1);
                    ends.push(next);
                    start = n + 1;
                }
            }
        }
        blocks.push(start..self.lines.len());
        ends.push(Next::On);
        if blocks.len().saturating_mul(self.names.len()) > MAX_BITS {
            return None;
        }
        let count = blocks.len();
        let mut out = Vec::with_capacity(count);
        for (b, (lines, next)) in blocks.into_iter().zip(ends).enumerate() {
            let (to, on) = match next {
                Next::On => (Vec::new(), true),
                Next::Branch(to) => (to, true),
                Next::Jump(to) => (to, false),
            };
            let mut successors = to.iter().map(|l| labels.get(l.as_str()).copied()).collect::<Option<Vec<_>>>()?;
            successors.extend((on && b + 1 < count).then_some(b + 1));
            out.push(Block { lines, successors, live_out: vec![0; self.words] });
        }
        self.live(&mut out);
        Some(out)
    }

    /// Computes what lives behind each block.
    fn live(&self, blocks: &mut [Block]) {
        // In front of each block: what it reads before it writes it, and what it does not write.
        let mut live_in = vec![vec![0u64; self.words]; blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..blocks.len()).rev() {
                let mut live = vec![0u64; self.words];
                for &s in &blocks[b].successors {
                    live.iter_mut().zip(&live_in[s]).for_each(|(a, b)| *a |= b);
                }
                blocks[b].live_out.clone_from(&live);
                for n in blocks[b].lines.clone().rev() {
                    self.before(n, &mut live);
                }
                if live != live_in[b] {
                    live_in[b] = live;
                    changed = true;
                }
            }
        }
    }

    /// From what lives behind a line to what lives in front of it.
    fn before(&self, n: usize, live: &mut [u64]) {
        for &w in &self.lines[n].writes {
            live[w as usize / 64] &= !(1 << (w % 64));
        }
        for &r in &self.lines[n].reads {
            live[r as usize / 64] |= 1 << (r % 64);
        }
    }

    /// Finds which registers hold different values at once: where one is written, all that live behind it do, but for
    /// what it is a copy of.
    fn interfere(&mut self, blocks: &[Block]) {
        let words = self.words;
        self.conflicts = vec![0; words * self.names.len()];
        for block in blocks {
            let mut live = block.live_out.clone();
            for n in block.lines.clone().rev() {
                let line = &self.lines[n];
                let mut others = live.clone();
                if let (true, [from]) = (line.copy, &line.reads[..]) {
                    others[*from as usize / 64] &= !(1 << (from % 64));
                }
                // What one line writes together is different.
                line.writes.iter().for_each(|&w| others[w as usize / 64] |= 1 << (w % 64));
                for &w in &line.writes {
                    let row = &mut self.conflicts[w as usize * words..][..words];
                    row.iter_mut().zip(&others).for_each(|(a, b)| *a |= b);
                }
                self.before(n, &mut live);
            }
        }
        for r in 0..self.names.len() as u32 {
            self.others(r).into_iter().for_each(|o| self.set_conflict(o, r));
        }
    }

    /// The registers in conflict with one.
    fn others(&self, r: u32) -> Vec<u32> {
        let row = &self.conflicts[r as usize * self.words..][..self.words];
        let bits = row
            .iter()
            .enumerate()
            .flat_map(|(n, &w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| n * 64 + b));
        bits.map(|o| o as u32).filter(|&o| o != r).collect()
    }

    fn set_conflict(&mut self, a: u32, b: u32) {
        self.conflicts[a as usize * self.words + b as usize / 64] |= 1 << (b % 64);
    }

    fn conflict(&self, a: u32, b: u32) -> bool {
        self.conflicts[a as usize * self.words + b as usize / 64] >> (b % 64) & 1 == 1
    }

    fn root(&self, mut r: u32) -> u32 {
        while self.joined[r as usize] != r {
            r = self.joined[r as usize];
        }
        r
    }

    /// Joins what is copied and in no conflict; whether there was any.
    fn join(&mut self) -> bool {
        let mut any = false;
        for n in 0..self.lines.len() {
            let line = &self.lines[n];
            let (true, [to], [from]) = (line.copy, &line.writes[..], &line.reads[..]) else { continue };
            let (to, from) = (self.root(*to), self.root(*from));
            let kept = self.fixed[to as usize] || self.fixed[from as usize];
            if to == from || kept || self.conflict(to, from) {
                continue;
            }
            any = true;
            self.joined[from as usize] = to;
            for o in self.others(from) {
                self.set_conflict(to, o);
                self.set_conflict(o, to);
            }
        }
        any
    }

    /// The text with the registers that are left.
    fn rewritten(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        for line in &self.lines {
            if let (true, [to], [from]) = (line.copy, &line.writes[..], &line.reads[..])
                && self.root(*to) == self.root(*from)
            {
                continue;
            }
            let text = &self.text[line.text.clone()];
            let mut done = 0;
            if !line.writes.is_empty() || !line.reads.is_empty() {
                for (at, name) in registers(text) {
                    if let Some(&n) = self.numbers.get(name) {
                        out.push_str(&text[done..at]);
                        out.push_str(self.names[self.root(n) as usize]);
                        done = at + name.len();
                    }
                }
            }
            out.push_str(&text[done..]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::coalesce;

    /// Sums of an outer loop, an inner one, and what is stored behind both.
    fn nest(sums: usize, inside: &str) -> String {
        let each = |f: &dyn Fn(usize) -> String| (1..=sums).map(f).collect::<String>();
        let from = |to: usize, from: usize| each(&|k| format!("\tmov.f32 \t%f{}, %f{};\n", k + to, k + from));
        let mut t = each(&|k| format!("\tmov.f32 \t%f{k}, 0f00000000;\n"));
        t.push_str("$L__BB0_1:\n");
        t.push_str(&from(100, 0));
        t.push_str("$L__BB0_2:\n");
        t.push_str(&each(&|k| format!("\tfma.rn.f32 \t%f{0}, %f{0}, %f900, %f901;\n", k + 100)));
        t.push_str(inside);
        t.push_str("\t@%p1 bra \t$L__BB0_2;\n");
        t.push_str(&from(0, 100));
        t.push_str("\t@%p2 bra \t$L__BB0_1;\n");
        t.push_str(&from(200, 100));
        t.push_str(&each(&|k| format!("\tst.global.f32 \t[%rd1+{k}], %f{};\n", k + 200)));
        t.push_str("\tret;\n");
        t
    }

    fn copies(text: &str) -> usize {
        text.lines().filter(|l| super::copied(l).is_some()).count()
    }

    fn coalesced(text: &str) -> String {
        let mut t = text.to_owned();
        coalesce(&mut t, &[]);
        t
    }

    #[test]
    fn sums_of_a_nest_have_one_register_each() {
        let text = nest(8, "");
        let done = coalesced(&text);
        assert_eq!((copies(&text), copies(&done)), (24, 0), "{done}");
        let named: std::collections::BTreeSet<&str> = super::registers(&done).map(|r| r.1).collect();
        // Eight sums, two factors, two conditions and an address.
        assert_eq!(named.len(), 13, "{done}");
    }

    #[test]
    fn what_is_read_later_keeps_its_register() {
        // The outer sum is read in the inner loop, after the inner one was changed.
        let text = nest(8, "\tst.global.f32 \t[%rd2], %f3;\n");
        let done = coalesced(&text);
        assert_eq!(copies(&done), 2, "{done}");
        assert!(done.contains(", %f3;\n\tmov") || done.contains(", %f3;\n$L"), "{done}");
    }

    #[test]
    fn what_a_line_does_that_is_not_known_keeps_its_registers() {
        let text = nest(8, "\tstrange.f32 \t%f3, %f4;\n");
        let done = coalesced(&text);
        assert!(done.contains("\tstrange.f32 \t%f3, %f4;\n"), "{done}");
        assert_eq!(copies(&done), 4, "{done}");
        // A text with registers of its own.
        let own = nest(8, "\t{ .reg .f32 %f3;\n");
        assert_eq!(coalesced(&own), own);
        for own in ["\t.reg .f32 %f<4>;\n", "\t.reg .f32 %f3;\n"] {
            let own = nest(8, &format!("\t// begin inline asm\n{own}\t// end inline asm\n"));
            assert_eq!(coalesced(&own), own);
        }
        // A label that is not here.
        let away = nest(8, "\t@%p3 bra \tAWAY;\n");
        assert_eq!(coalesced(&away), away);
    }

    #[test]
    fn a_register_written_under_a_condition_lives_before() {
        let text = nest(8, "\t@%p3 mov.f32 \t%f103, %f1;\n");
        let done = coalesced(&text);
        // The first outer sum lives through the inner loop then.
        assert!(done.contains("@%p3 mov.f32"), "{done}");
        assert!(copies(&done) >= 1, "{done}");
    }

    /// Four sums that three instructions of inline assembly change one after another; each is copied for each.
    fn chain(more: &str) -> String {
        let each = |f: &dyn Fn(usize) -> String| (1..=4).map(f).collect::<String>();
        let mut t = each(&|k| format!("\tmov.f32 \t%f{k}, 0f00000000;\n"));
        for n in 1..=3 {
            t.push_str(&each(&|k| format!("\tmov.f32 \t%f{}, %f{};\n", 10 * n + k, 10 * (n - 1) + k)));
            let all: Vec<String> = (1..=4).map(|k| format!("%f{}", 10 * n + k)).collect();
            t.push_str("\t// begin inline asm\n\t{ .reg .pred p; setp.ne.b32 p, 1, 0;\n");
            t.push_str(&format!("wgmma.mma_async.f32 {{{}}}, %rd1, p; }}\n", all.join(", ")));
            t.push_str("\t// end inline asm\n");
        }
        t.push_str(more);
        t.push_str(&each(&|k| format!("\tst.global.f32 \t[%rd2+{k}], %f{};\n", 30 + k)));
        t.push_str("\tret;\n");
        t
    }

    #[test]
    fn sums_of_inline_assembly_are_not_copied_for_each() {
        let text = chain("");
        let done = coalesced(&text);
        assert_eq!((copies(&text), copies(&done)), (12, 0), "{done}");
        assert_eq!(done.matches("{%f31, %f32, %f33, %f34}").count(), 3, "{done}");
    }

    #[test]
    fn what_was_before_inline_assembly_is_kept_where_it_is_read_later() {
        let text = chain("\tst.global.f32 \t[%rd3], %f12;\n");
        let done = coalesced(&text);
        assert_eq!(copies(&done), 1, "{done}");
    }

    #[test]
    fn outputs_of_inline_assembly_do_not_live_before_it() {
        // An output whose register would else live through the loop, as something that the assembly may read.
        let inside = "\t// begin inline asm\n\tmov.f32 %f300, %clock;\n\t// end inline asm\n\tmov.f32 \t%f301, %f300;\n\
                      \tst.global.f32 \t[%rd2], %f301;\n";
        let text = nest(8, inside);
        let mut known = text.clone();
        coalesce(&mut known, &[vec!["%f300".to_owned()]]);
        assert_eq!(copies(&known), 0, "{known}");
    }

    #[test]
    fn few_copies_are_left_to_the_assembler() {
        let text = nest(2, "");
        assert_eq!(coalesced(&text), text);
    }
}
