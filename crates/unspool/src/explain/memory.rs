//! Remarks about memory: arrays of a thread that stay in memory, accesses of a warp that do not lie side by side, banks of
//! shared memory that are asked twice, branches that part a warp, and barriers behind them.
//!
//! Only what is proved is told: how far apart neighbouring work-items access follows from the address alone ([`Strides`]),
//! and where it does not, nothing is said. Warps are taken to lie along the first dimension of the block, as they do where
//! that has whole warps; where `reqd_work_group_size` says that it has not, nothing is told of addresses. Cost: linear in the instructions, but for addresses that go round loops.

use analysis::{Address, Among, LoopInfo, PostDomTree, Uniformity};
use ir::{AddrSpace, Block, ConstKind, FnKind, Function, Inst, Module, Opcode, Slot, SpecialReg, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use target::Target;

/// Remarks kept.
const MAX_NOTES: usize = 1000;
/// Bytes of the largest record of which an access may take one field, and what helps then.
const RECORD: u64 = 256;
const RECORDS: &str = ", and keep the fields of records in arrays of their own";
/// Bytes of what memory hands out at once.
const SECTOR: u64 = 32;
/// Banks of shared memory, and their width in bytes.
const BANKS: u64 = 32;
const BANK: u64 = 4;

/// A remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryNote {
    /// `private-array`, `uncoalesced`, `bank-conflict`, `divergent-branch`, `divergent-barrier`.
    pub kind: &'static str,
    /// The function that the code ended up in, as the user knows it.
    pub function: String,
    /// Where.
    pub span: Span,
    /// What is so, and what would change it.
    pub text: String,
}

/// The remarks about the kernels of an optimised module, and what they call.
pub(crate) fn notes(module: &Module, target: Target, sources: &SourceMap) -> Vec<MemoryNote> {
    let mut out = Notes { list: Vec::new(), seen: FxHashSet::default() };
    if target.resident_waves().is_none() {
        return out.list;
    }
    for (_, f) in module.functions.iter().filter(|(_, f)| !f.is_declaration()) {
        let info = LoopInfo::new(f);
        let post = PostDomTree::new(f, &info.cfg, &info.loops);
        // Of a function that is called nobody knows the arguments: what differs only by them is not told.
        // Rows of a known length that are no whole warps lie in warps with others.
        let lanes = target.wave_size();
        let rows = f.attrs.reqd_work_group_size.is_none_or(|[x, ..]| x % lanes == 0);
        let among = if rows { Among::Row(lanes) } else { Among::Warp };
        let warp = Uniformity::new(f, &info, &post, among, true);
        let group = Uniformity::new(f, &info, &post, Among::Group, true);
        let mut look = Look { f, module, info: &info, warp: &warp, group: &group, rows, sources, out: &mut out };
        look.run(lanes);
    }
    out.list
}

/// Arrays that stay in memory: where that shows, and why. In the order of slots.
type Arrays = BTreeMap<Slot, (Inst, String)>;

/// Why an array stays whose address is an argument.
const GIVEN_AWAY: &str = "a call takes its address; inlined (`__forceinline__`), it could be in registers";

struct Notes {
    list: Vec<MemoryNote>,
    seen: FxHashSet<(u32, &'static str, String)>,
}

struct Look<'a> {
    f: &'a Function,
    module: &'a Module,
    info: &'a LoopInfo,
    warp: &'a Uniformity,
    group: &'a Uniformity,
    /// Warps lie along the first dimension.
    rows: bool,
    sources: &'a SourceMap,
    out: &'a mut Notes,
}

impl Look<'_> {
    fn run(&mut self, lanes: u32) {
        let mut strides = Strides { f: self.f, info: self.info, warp: self.warp, lanes, known: FxHashMap::default() };
        let mut arrays = Arrays::new();
        for &b in self.info.cfg.rpo() {
            for i in self.f.layout.insts(b) {
                match self.f.dfg.op(i) {
                    Opcode::Load | Opcode::Store => self.access(i, &mut strides, &mut arrays, lanes),
                    Opcode::Intrinsic => self.barrier(b, i),
                    Opcode::Call => self.given_away(i, &mut arrays),
                    _ => {}
                }
            }
            self.branch(b);
        }
        for (s, (at, why)) in arrays {
            let text = format!("{} stays in memory of the thread: {why}", self.array(s));
            self.say("private-array", self.f.dfg.span(at), text);
        }
    }

    fn say(&mut self, kind: &'static str, span: Span, text: String) {
        let span = self.sources.call_site(span);
        let line = self.sources.line_col(span.lo).map_or(0, |(_, at)| at.line);
        if span.is_none() || self.out.list.len() >= MAX_NOTES || !self.out.seen.insert((line, kind, text.clone())) {
            return;
        }
        self.out.list.push(MemoryNote { kind, function: self.f.display.clone(), span, text });
    }

    fn access(&mut self, i: Inst, strides: &mut Strides<'_>, arrays: &mut Arrays, lanes: u32) {
        let f = self.f;
        let ptr = f.dfg.arg(i, 0);
        let address = Address::across_spaces(f, ptr);
        if let ValueDef::Const(ConstKind::Slot(s)) = f.dfg.def(address.base) {
            if !address.is_constant() {
                self.private_array(i, s, &address, arrays);
            }
            return;
        }
        let Some(size) = analysis::Location::accessed(f, i).and_then(|l| l.size).filter(|&n| n > 0) else { return };
        let Some(apart) = strides.of(ptr).filter(|_| self.rows) else { return };
        let what = if f.dfg.op(i) == Opcode::Load { "load" } else { "store" };
        match self.space(ptr, address.base) {
            Some(AddrSpace::Global) if apart.unsigned_abs() > size => {
                let sectors = sectors(apart, size, lanes);
                let least = (size * u64::from(lanes)).div_ceil(SECTOR);
                if sectors > least {
                    let text = format!(
                        "this {what} is not coalesced: neighbouring work-items access {} bytes apart, so that a warp takes {sectors} \
                         sectors of {SECTOR} bytes where {least} hold the data; let `threadIdx.x` count neighbouring elements{}",
                        apart.unsigned_abs(),
                        if apart.unsigned_abs() <= RECORD { RECORDS } else { "" }
                    );
                    self.say("uncoalesced", f.dfg.span(i), text);
                }
            }
            Some(AddrSpace::Shared) => {
                let ways = conflicts(apart, size, lanes);
                if ways > 1 {
                    let text = format!(
                        "this {what} has bank conflicts: neighbouring work-items access {} bytes apart, {ways} of them in one bank \
                         of shared memory, one after another; a row that is one element longer spreads them",
                        apart.unsigned_abs()
                    );
                    self.say("bank-conflict", f.dfg.span(i), text);
                }
            }
            _ => {}
        }
    }

    /// The space that is accessed; a kernel's pointers are to device memory.
    fn space(&self, ptr: Value, base: Value) -> Option<AddrSpace> {
        let f = self.f;
        match f.dfg.ty(ptr).space() {
            Some(AddrSpace::Generic) => match f.dfg.def(base) {
                ValueDef::Const(ConstKind::Global(g)) => Some(self.module.globals[g].space),
                ValueDef::Param(b, _) if f.kind == FnKind::Kernel && b == self.info.cfg.entry() => {
                    Some(AddrSpace::Global)
                }
                _ => f.dfg.ty(base).space(),
            },
            space => space,
        }
    }

    fn array(&self, s: Slot) -> String {
        let data = &self.f.slots[s];
        let dims: String = data.dims.iter().map(|d| format!("[{d}]")).collect();
        if data.name.is_empty() {
            format!("an array of {} bytes", data.size)
        } else {
            format!("`{}{dims}` ({} bytes)", data.name, data.size)
        }
    }

    /// An array whose index is computed when the kernel runs. An index that counts in a loop is told only where no other
    /// one keeps the array in memory.
    fn private_array(&mut self, i: Inst, s: Slot, address: &Address, arrays: &mut Arrays) {
        match address.terms.iter().find_map(|t| self.counting_loop(t.value)) {
            Some(line) => {
                let why =
                    || format!("its index counts in the loop of line {line}; unrolled fully, it would be in registers");
                arrays.entry(s).or_insert_with(|| (i, why()));
            }
            None => {
                let why =
                    "this index is known only when the kernel runs; with constant indices it would be in registers";
                let known = arrays.get(&s).is_some_and(|(_, w)| w == why || w == GIVEN_AWAY);
                if !known {
                    arrays.insert(s, (i, why.to_owned()));
                }
            }
        }
    }

    /// The line of the loop that a value counts in.
    fn counting_loop(&self, v: Value) -> Option<u32> {
        let mut v = self.f.dfg.resolve(v);
        for _ in 0..4 {
            match self.f.dfg.def(v) {
                ValueDef::Param(b, _) => {
                    let l = self.info.loops.header_loop(b)?;
                    let meta = self.info.loops.meta(self.f, l)?;
                    return Some(self.sources.presumed(self.sources.call_site(meta.span).lo)?.1.line);
                }
                ValueDef::Inst(i) => v = self.f.dfg.resolve(*self.f.dfg.args(i).first()?),
                _ => return None,
            }
        }
        None
    }

    /// Arrays whose address a call takes.
    fn given_away(&mut self, call: Inst, arrays: &mut Arrays) {
        for &v in self.f.dfg.args(call) {
            if !self.f.dfg.ty(v).is_ptr() {
                continue;
            }
            let base = Address::across_spaces(self.f, v).base;
            if let ValueDef::Const(ConstKind::Slot(s)) = self.f.dfg.def(base)
                && !self.f.slots[s].dims.is_empty()
            {
                arrays.insert(s, (call, GIVEN_AWAY.to_owned()));
            }
        }
    }

    fn barrier(&mut self, b: Block, i: Inst) {
        use ir::Intrinsic::{Barrier, BarrierAnd, BarrierOr, BarrierPopc};
        let barrier = matches!(self.f.dfg.insts[i].intrinsic(), Some(Barrier | BarrierPopc | BarrierAnd | BarrierOr));
        if barrier && self.group.is_partially_executed(b) {
            let text =
                "this barrier stands behind a condition that differs between the work-items of a block: if not all of \
                        them reach it, what happens is undefined; move it out of the branch or loop"
                    .to_owned();
            self.say("divergent-barrier", self.f.dfg.span(i), text);
        }
    }

    fn branch(&mut self, b: Block) {
        let end = self.f.layout.terminator(b);
        if self.f.dfg.op(end) == Opcode::Br && self.warp.is_divergent_branch(b) {
            let text =
                "work-items of a warp may go different ways here: both are executed, one after the other".to_owned();
            self.say("divergent-branch", self.f.dfg.span(end), text);
        }
    }
}

/// Sectors that a warp's access takes, with the first byte where a sector begins.
fn sectors(apart: i64, size: u64, lanes: u32) -> u64 {
    let apart = apart.unsigned_abs();
    let touched: FxHashSet<u64> = (0..u64::from(lanes))
        .flat_map(|l| {
            let from = l.saturating_mul(apart);
            (from / SECTOR)..=(from.saturating_add(size - 1) / SECTOR)
        })
        .collect();
    touched.len() as u64
}

/// How many words of one bank the lanes that are served together ask for.
fn conflicts(apart: i64, size: u64, lanes: u32) -> u64 {
    let apart = apart.unsigned_abs();
    // Wide accesses are served in parts of 128 bytes.
    let together = u64::from(lanes).min(BANKS * BANK / size.clamp(BANK, 16));
    let words: BTreeSet<u64> = (0..together)
        .flat_map(|l| {
            let from = l.wrapping_mul(apart);
            (from / BANK)..=(from.wrapping_add(size - 1) / BANK)
        })
        .collect();
    let mut banks = [0u64; BANKS as usize];
    for w in words {
        banks[(w % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

/// How much a value grows from one work-item to the next along the first dimension.
struct Strides<'a> {
    f: &'a Function,
    info: &'a LoopInfo,
    warp: &'a Uniformity,
    /// Work-items of a warp.
    lanes: u32,
    known: FxHashMap<Value, Stride>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stride {
    /// By so much.
    By(i64),
    /// As much as the value that is being looked at, plus so much.
    Same(i64),
    /// Nobody knows.
    Unknown,
}

/// Instructions that one question looks through.
const MAX_DEPTH: u32 = 64;

impl Strides<'_> {
    fn of(&mut self, v: Value) -> Option<i64> {
        match self.look(v, MAX_DEPTH) {
            Stride::By(n) => Some(n),
            _ => None,
        }
    }

    fn look(&mut self, v: Value, depth: u32) -> Stride {
        let v = self.f.dfg.resolve(v);
        if let Some(&s) = self.known.get(&v) {
            return s;
        }
        if depth == 0 {
            return Stride::Unknown;
        }
        let s = match self.f.dfg.def(v) {
            ValueDef::Inst(i) => self.instruction(v, i, depth - 1),
            ValueDef::Param(b, n) => self.parameter(v, b, n as usize, depth - 1),
            _ => Stride::By(0),
        };
        // What goes round a loop is settled where the loop's value is.
        if !matches!(s, Stride::Same(_)) {
            self.known.insert(v, s);
        }
        s
    }

    fn instruction(&mut self, v: Value, i: Inst, depth: u32) -> Stride {
        let f = self.f;
        let args = f.dfg.args(i);
        let constant = |n: usize| args.get(n).and_then(|&a| f.dfg.as_int(a));
        match f.dfg.op(i) {
            Opcode::Special if f.dfg.insts[i].special() == Some(SpecialReg::TidX) => Stride::By(1),
            // A warp lies along the first dimension.
            Opcode::Special if matches!(f.dfg.insts[i].special(), Some(SpecialReg::TidY | SpecialReg::TidZ)) => {
                Stride::By(0)
            }
            Opcode::Add | Opcode::PtrAdd => add(self.look(args[0], depth), self.look(args[1], depth), 1),
            Opcode::Sub => add(self.look(args[0], depth), self.look(args[1], depth), -1),
            Opcode::SExt | Opcode::ZExt | Opcode::Trunc | Opcode::AddrSpaceCast => self.look(args[0], depth),
            Opcode::Mul => match (constant(0), constant(1)) {
                (_, Some(c)) => scale(self.look(args[0], depth), c),
                (Some(c), _) => scale(self.look(args[1], depth), c),
                _ => self.plain(v),
            },
            Opcode::Shl => match constant(1) {
                Some(c @ 0..=62) => scale(self.look(args[0], depth), 1 << c),
                _ => self.plain(v),
            },
            // A warp begins at a multiple of its size: the lane and the number of the warp.
            Opcode::And => match constant(1) {
                Some(mask) if self.is_id(args[0]) && self.spans_warps(mask.wrapping_add(1)) => Stride::By(1),
                _ => self.plain(v),
            },
            Opcode::LShr => match constant(1) {
                Some(c @ 0..=31) if self.is_id(args[0]) && self.spans_warps(1 << c) => Stride::By(0),
                _ => self.plain(v),
            },
            _ => self.plain(v),
        }
    }

    /// Whether a value is the work-item's number along the first dimension.
    fn is_id(&self, v: Value) -> bool {
        let f = self.f;
        let mut v = f.dfg.resolve(v);
        while let Some(i) = f.dfg.def_inst(v).filter(|&i| matches!(f.dfg.op(i), Opcode::SExt | Opcode::ZExt)) {
            v = f.dfg.resolve(f.dfg.arg(i, 0));
        }
        f.dfg.def_inst(v).is_some_and(|i| f.dfg.insts[i].special() == Some(SpecialReg::TidX))
    }

    /// Whether a number is a power of two of at least a warp's work-items.
    fn spans_warps(&self, n: i64) -> bool {
        n >= i64::from(self.lanes) && n & (n - 1) == 0
    }

    /// What is the same for the whole warp does not grow.
    fn plain(&self, v: Value) -> Stride {
        if self.warp.is_uniform(v) { Stride::By(0) } else { Stride::Unknown }
    }

    /// A value that goes round a loop grows as it does where it comes in, if every round adds the same for all.
    fn parameter(&mut self, v: Value, b: Block, n: usize, depth: u32) -> Stride {
        if self.warp.is_uniform(v) || b == self.info.cfg.entry() {
            return self.plain(v);
        }
        self.known.insert(v, Stride::Same(0));
        let edges = self.info.cfg.preds(b).to_vec();
        let mut found = None;
        let mut sure = true;
        for e in edges {
            let arg = self.f.dfg.branch_args(e.inst, e.index as usize)[n];
            match self.look(arg, depth) {
                Stride::Same(0) => {}
                Stride::By(s) if found.is_none_or(|f| f == s) => found = Some(s),
                _ => sure = false,
            }
        }
        self.known.remove(&v);
        match found {
            Some(s) if sure => Stride::By(s),
            _ => Stride::Unknown,
        }
    }
}

fn add(a: Stride, b: Stride, sign: i64) -> Stride {
    match (a, b) {
        (Stride::By(a), Stride::By(b)) => Stride::By(a.wrapping_add(b.wrapping_mul(sign))),
        (Stride::Same(a), Stride::By(b)) => Stride::Same(a.wrapping_add(b.wrapping_mul(sign))),
        (Stride::By(a), Stride::Same(b)) if sign == 1 => Stride::Same(a.wrapping_add(b)),
        _ => Stride::Unknown,
    }
}

fn scale(s: Stride, by: i64) -> Stride {
    match s {
        Stride::By(n) => Stride::By(n.wrapping_mul(by)),
        _ => Stride::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::{conflicts, sectors};

    #[test]
    fn sectors_and_banks_are_counted() {
        assert_eq!(sectors(4, 4, 32), 4);
        assert_eq!(sectors(-4, 4, 32), 4);
        assert_eq!(sectors(8, 4, 32), 8);
        assert_eq!(sectors(4096, 4, 32), 32);
        assert_eq!(conflicts(4, 4, 32), 1);
        assert_eq!(conflicts(0, 4, 32), 1, "one word for all");
        assert_eq!(conflicts(128, 4, 32), 32);
        assert_eq!(conflicts(132, 4, 32), 1, "padded");
        assert_eq!(conflicts(8, 4, 32), 2);
        assert_eq!(conflicts(8, 8, 32), 1);
        assert_eq!(conflicts(16, 16, 32), 1);
        assert_eq!(conflicts(1, 1, 32), 1);
    }
}
