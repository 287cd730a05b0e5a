//! Pointers that are one of two slots, by a condition: what is read through them is read from both, and chosen afterwards.
//!
//! `less ? a : b` of two structures, and functions that give back one of their reference parameters (`max(a, b)`), choose an
//! address. As such it would keep both slots in memory. A choice between two values is as good where only reads follow, and
//! reading a slot that is not chosen does no harm: it is always there.
//!
//! A choice is a `select` of pointers, or a parameter of a block that gets one of two pointers; its operands are slots, at known
//! offsets, or choices made before. A parameter becomes a condition, so that the reads stay where they are.
//!
//! Limits: slots of [`MAX_SIZE`] bytes, copies of [`MAX_COPY`] bytes, [`MAX_READS`] slots behind a choice.
//! Cost: linear in instructions and choices, times the rounds until no choice is dropped any more.

use super::collect::constant_offset;
use analysis::{Cfg, DomTree};
use ir::{
    Block, Builder, ConstKind, Flags, Function, Inst, MemInfo, Opcode, Payload, Slot, Type, Value, ValueDef, edit,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest slot that is read without need.
const MAX_SIZE: u32 = 128;
/// Most bytes of a copy from a chosen slot.
const MAX_COPY: u64 = 64;
/// Most slots that are read for one.
const MAX_READS: usize = 4;

/// What is chosen from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Operand {
    Slot(Slot, i64),
    /// A choice made before, by its number, and an offset from what it gives.
    Choice(usize, i64),
}

struct Choice {
    pointer: Value,
    /// The block and the number of the parameter that it is.
    param: Option<(Block, usize)>,
    /// The condition of a `select`; later that of a parameter, too.
    cond: Value,
    operands: [Operand; 2],
    /// Loads and copies, and their offsets from the pointer.
    reads: SmallVec<[(Inst, i64); 4]>,
    /// Instructions that compute addresses from it.
    derived: SmallVec<[Inst; 4]>,
    /// Pointers that are chosen from it, or would be.
    passed: SmallVec<[Value; 2]>,
    /// How many slots it may be.
    width: usize,
    good: bool,
}

/// Rewrites the choices of a function; says whether there were any.
pub(super) fn run(func: &mut Function, cfg: &Cfg, dom: &DomTree) -> bool {
    let mut found = Finder { choices: Vec::new(), known: FxHashMap::default() };
    for &b in cfg.rpo() {
        found.params(func, cfg, dom, b);
        for i in func.layout.insts(b) {
            found.inst(func, i);
        }
    }
    let Finder { mut choices, known } = found;
    drop_bad(func, &mut choices);
    if choices.iter().all(|c| !c.good) {
        return false;
    }
    for n in 0..choices.len() {
        if choices[n].good {
            if let Some((block, at)) = choices[n].param {
                choices[n].cond = condition(func, cfg, (block, at), choices[n].operands[0], &known);
            }
            for (i, offset) in std::mem::take(&mut choices[n].reads) {
                read(func, &choices, n, i, offset);
            }
        }
    }
    remove(func, cfg, &choices);
    func.resolve_aliases();
    true
}

struct Finder {
    choices: Vec<Choice>,
    /// Pointers that are slots or choices.
    known: FxHashMap<Value, Operand>,
}

impl Finder {
    fn operand(&self, func: &Function, v: Value) -> Option<Operand> {
        let v = func.dfg.resolve(v);
        match func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Slot(s)) => Some(Operand::Slot(s, 0)),
            _ => self.known.get(&v).copied(),
        }
    }

    fn add(
        &mut self,
        func: &Function,
        pointer: Value,
        param: Option<(Block, usize)>,
        cond: Value,
        operands: [Operand; 2],
    ) {
        let width = |o: Operand| match o {
            Operand::Slot(s, _) if func.slots[s].size <= MAX_SIZE => 1,
            Operand::Slot(..) => MAX_READS + 1,
            Operand::Choice(n, _) => self.choices[n].width,
        };
        let width = width(operands[0]) + width(operands[1]);
        if width <= MAX_READS {
            self.known.insert(pointer, Operand::Choice(self.choices.len(), 0));
            let (reads, derived, passed) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
            self.choices.push(Choice { pointer, param, cond, operands, reads, derived, passed, width, good: true });
        }
    }

    /// Parameters of a block that get one of two pointers.
    fn params(&mut self, func: &Function, cfg: &Cfg, dom: &DomTree, block: Block) {
        for (at, &p) in func.dfg.params(block).iter().enumerate().filter(|(_, p)| func.dfg.ty(**p).is_ptr()) {
            let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
            let mut fits = cfg.preds(block).len() > 1;
            for e in cfg.preds(block) {
                let given = func.dfg.branch_args(e.inst, e.index as usize)[at];
                let Some(o) = self.operand(func, given).filter(|o| self.is_before(func, dom, *o, block)) else {
                    fits = false;
                    break;
                };
                if !operands.contains(&o) {
                    operands.push(o);
                }
            }
            if fits && operands.len() == 2 {
                self.add(func, p, Some((block, at)), p, [operands[0], operands[1]]);
            }
        }
    }

    /// Whether an operand is known wherever the block is.
    fn is_before(&self, func: &Function, dom: &DomTree, o: Operand, block: Block) -> bool {
        let Operand::Choice(n, _) = o else { return true };
        let from = match func.dfg.values[self.choices[n].pointer].def {
            ValueDef::Param(b, _) => Some(b),
            ValueDef::Inst(i) => func.layout.inst_block(i),
            _ => None,
        };
        from.is_some_and(|b| b != block && dom.dominates(b, block))
    }

    fn inst(&mut self, func: &Function, i: Inst) {
        let dfg = &func.dfg;
        let args = dfg.args(i);
        match dfg.op(i) {
            Opcode::Select if dfg.insts[i].ty.is_ptr() => {
                let operands = [args[1], args[2]].map(|v| self.operand(func, v));
                if let [Some(a), Some(b)] = operands
                    && !dfg.ty(args[0]).is_vector()
                    && a != b
                {
                    [a, b].iter().for_each(|o| self.pass(*o, dfg.res(i)));
                    return self.add(func, dfg.res(i), None, args[0], [a, b]);
                }
                self.escape_all(func, i);
            }
            Opcode::PtrAdd => match (self.operand(func, args[0]), constant_offset(func, args[1])) {
                (Some(o), Some(n)) => self.derive(func, i, o, n),
                _ => self.escape_all(func, i),
            },
            Opcode::AddrSpaceCast => match self.operand(func, args[0]) {
                Some(o) => self.derive(func, i, o, 0),
                None => self.escape_all(func, i),
            },
            Opcode::Load => self.reads(func, i, args[0], u64::from(dfg.insts[i].ty.bytes())),
            Opcode::MemCpy => {
                match dfg.as_bits(args[2]).filter(|&n| n <= MAX_COPY) {
                    Some(n) => self.reads(func, i, args[1], n),
                    None => self.escape(func, args[1]),
                }
                self.escape(func, args[0]);
            }
            _ => self.escape_all(func, i),
        }
    }

    /// An operand becomes another pointer: all is well if that is a choice.
    fn pass(&mut self, o: Operand, to: Value) {
        if let Operand::Choice(c, _) = o {
            self.choices[c].passed.push(to);
        }
    }

    fn derive(&mut self, func: &Function, i: Inst, from: Operand, by: i64) {
        let to = match from {
            Operand::Slot(s, n) => Operand::Slot(s, n.wrapping_add(by)),
            Operand::Choice(c, n) => {
                self.choices[c].derived.push(i);
                Operand::Choice(c, n.wrapping_add(by))
            }
        };
        self.known.insert(func.dfg.res(i), to);
    }

    fn reads(&mut self, func: &Function, i: Inst, from: Value, bytes: u64) {
        let Some(Operand::Choice(n, offset)) = self.operand(func, from) else { return };
        let plain = !func.dfg.insts[i].flags.has(Flags::VOLATILE);
        if plain && self.inside(func, Operand::Choice(n, offset), bytes) {
            self.choices[n].reads.push((i, offset));
        } else {
            self.choices[n].good = false;
        }
    }

    /// Whether all that a pointer may be has that many bytes.
    fn inside(&self, func: &Function, o: Operand, bytes: u64) -> bool {
        match o {
            Operand::Slot(s, n) => {
                let end = u64::try_from(n).ok().and_then(|n| n.checked_add(bytes));
                end.is_some_and(|end| end <= u64::from(func.slots[s].size))
            }
            Operand::Choice(c, n) => self.choices[c].operands.iter().all(|&o| self.inside(func, moved(o, n), bytes)),
        }
    }

    /// Uses other than reads: the choice stays.
    fn escape(&mut self, func: &Function, v: Value) {
        if let Some(&Operand::Choice(n, _)) = self.known.get(&func.dfg.resolve(v)) {
            self.choices[n].good = false;
        }
    }

    /// What an instruction uses that does not compute an address.
    fn escape_all(&mut self, func: &Function, i: Inst) {
        let dfg = &func.dfg;
        dfg.args(i).iter().for_each(|&v| self.escape(func, v));
        for (n, to) in dfg.successors(i).enumerate() {
            for (&v, &p) in dfg.branch_args(i, n).iter().zip(dfg.params(to)) {
                if let Some(o) = self.known.get(&dfg.resolve(v)).copied() {
                    self.pass(o, p);
                }
            }
        }
    }
}

fn moved(o: Operand, by: i64) -> Operand {
    match o {
        Operand::Slot(s, n) => Operand::Slot(s, n.wrapping_add(by)),
        Operand::Choice(c, n) => Operand::Choice(c, n.wrapping_add(by)),
    }
}

/// Drops choices that are used otherwise, what they are chosen from and what is chosen from them.
fn drop_bad(func: &Function, choices: &mut [Choice]) {
    let numbers: FxHashMap<Value, usize> = choices.iter().enumerate().map(|(n, c)| (c.pointer, n)).collect();
    loop {
        let good: Vec<bool> = choices.iter().map(|c| c.good).collect();
        for c in choices.iter_mut().filter(|c| c.good) {
            let kept = |o: &Operand| matches!(o, Operand::Slot(..)) || matches!(o, Operand::Choice(n, _) if good[*n]);
            let passed = c.passed.iter().all(|&v| numbers.get(&func.dfg.resolve(v)).is_some_and(|&n| good[n]));
            c.good = passed && c.operands.iter().all(kept);
        }
        if choices.iter().zip(&good).all(|(c, &g)| c.good == g) {
            return;
        }
    }
}

/// A parameter that is true where another gets the first of two pointers.
fn condition(
    func: &mut Function,
    cfg: &Cfg,
    (block, at): (Block, usize),
    first: Operand,
    known: &FxHashMap<Value, Operand>,
) -> Value {
    let cond = func.dfg.add_param(block, Type::I1);
    for e in cfg.preds(block) {
        let mut args: SmallVec<[Value; 8]> = func.dfg.branch_args(e.inst, e.index as usize).into();
        let given = func.dfg.resolve(args[at]);
        let is_first = match func.dfg.values[given].def {
            ValueDef::Const(ConstKind::Slot(s)) => Operand::Slot(s, 0) == first,
            _ => known.get(&given) == Some(&first),
        };
        args.push(func.dfg.iconst(Type::I1, i64::from(is_first)));
        func.dfg.set_branch_args(e.inst, e.index as usize, &args);
    }
    cond
}

/// Reads all that a choice may be, and chooses.
fn read(func: &mut Function, choices: &[Choice], n: usize, i: Inst, offset: i64) {
    let Some(mem) = func.dfg.insts[i].mem() else { return };
    if func.dfg.op(i) == Opcode::Load {
        let (old, ty, flags) = (func.dfg.res(i), func.dfg.insts[i].ty, func.dfg.insts[i].flags);
        let new = chosen(func, choices, Operand::Choice(n, offset), i, ty, mem, flags);
        func.dfg.replace_value(old, new);
        func.remove_inst(i);
        return;
    }
    let (to, bytes) = (func.dfg.arg(i, 0), func.dfg.as_bits(func.dfg.arg(i, 2)).unwrap_or(0));
    let mut parts: SmallVec<[(u64, Value, MemInfo); 8]> = SmallVec::new();
    let mut at = 0;
    while at < bytes {
        let align = if at == 0 { mem.align() } else { mem.align().min(1 << at.trailing_zeros().min(16)) };
        let width = [8, 4, 2].into_iter().find(|&w| w <= bytes - at && w <= u64::from(align)).unwrap_or(1);
        let ty = Type::int(width as u32 * 8).unwrap_or(Type::I8);
        let part = MemInfo::aligned(align);
        let v = chosen(func, choices, Operand::Choice(n, offset + at as i64), i, ty, part, Flags::NONE);
        parts.push((at, v, part));
        at += width;
    }
    // All is read before anything is written: a structure may be chosen from itself.
    for (at, v, part) in parts {
        let mut b = Builder::before(func, i);
        let k = b.iconst(Type::I64, at as i64);
        let p = b.ptradd(to, k, Flags::NONE);
        b.store(p, v, part, Flags::NONE);
    }
    func.remove_inst(i);
}

fn chosen(
    func: &mut Function,
    choices: &[Choice],
    o: Operand,
    before: Inst,
    ty: Type,
    mem: MemInfo,
    flags: Flags,
) -> Value {
    match o {
        Operand::Slot(s, n) => {
            // What the program says of the pointer's alignment holds for the slot that it is, not for the others.
            let least = func.slots[s].align.min(1 << n.trailing_zeros().min(16));
            let mem = if mem.align() > least { MemInfo::aligned(least) } else { mem };
            let slot = func.slot_addr(s);
            let mut b = Builder::before(func, before);
            let k = b.iconst(Type::I64, n);
            let p = b.ptradd(slot, k, Flags::NONE);
            b.load(ty, p, mem, flags)
        }
        Operand::Choice(c, n) => {
            let [x, y] = choices[c].operands.map(|o| chosen(func, choices, moved(o, n), before, ty, mem, flags));
            let cond = choices[c].cond;
            Builder::before(func, before).value(Opcode::Select, ty, Flags::NONE, &[cond, x, y], Payload::None)
        }
    }
}

/// Takes away the pointers of good choices, and what was computed from them.
fn remove(func: &mut Function, cfg: &Cfg, choices: &[Choice]) {
    let mut params: FxHashMap<Block, SmallVec<[usize; 2]>> = FxHashMap::default();
    for c in choices.iter().filter(|c| c.good) {
        c.derived.iter().for_each(|&i| func.remove_inst(i));
        match c.param {
            Some((block, at)) => params.entry(block).or_default().push(at),
            None => {
                if let Some(i) = func.dfg.def_inst(c.pointer) {
                    func.remove_inst(i);
                }
            }
        }
    }
    for &block in cfg.rpo() {
        if let Some(gone) = params.get(&block) {
            let keep: SmallVec<[bool; 8]> = (0..func.dfg.params(block).len()).map(|n| !gone.contains(&n)).collect();
            edit::retain_params(func, block, cfg.preds(block), &keep);
        }
    }
}
