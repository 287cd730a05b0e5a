//! Pointer inductions.
//!
//! For each group of accesses of an innermost loop whose addresses are recurrences that differ by constants, the
//! header gets a pointer parameter. Its first value is the address computation of the group's first access, copied
//! into the preheader with the values of the first iteration; the latch adds the step.
//!
//! Limits: [`MAX_GROUPS`] pointers per loop, [`MAX_PRESSURE`] live registers in it; [`MAX_COPIED`] instructions copied
//! per group.

use super::{MAX_OFFSET, is_access};
use analysis::fold;
use analysis::scev::{Expr, Terms};
use analysis::{Address, Exprs, Liveness, Loop, LoopInfo, Node, PressureMap, Scev};
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use target::Target;

/// Most pointers added to one loop.
const MAX_GROUPS: usize = 8;
/// Most accesses of a loop that are looked at.
const MAX_ACCESSES: usize = 512;
/// No pointer is added where so many 32-bit registers are live already.
const MAX_PRESSURE: u32 = 96;
/// An address that takes no more instructions in each iteration stays: a pointer takes a 64-bit addition, which is two, and
/// two registers more. Where [`COPIES`] accesses share it there is a pointer.
const WORTH: u32 = 1;
/// Accesses that make a loop look like one whose body was copied. An assembler that unrolls it once more reaches all of
/// them from one register if that is a pointer, and has their loads under way together; an index costs it a register pair
/// for each of its iterations.
const COPIES: usize = 4;
/// Most instructions copied to compute a first address.
const MAX_COPIED: usize = 24;

/// Accesses that share a pointer.
struct Group {
    /// Pointer type.
    ty: Type,
    /// What the first access's address is at the start, if that is known as a whole.
    start: Option<Expr>,
    /// The same, but for its constant.
    terms: Terms,
    /// Added by each iteration.
    step: Expr,
    /// The first access's constant.
    offset: i64,
    /// Accesses with their distance from the first.
    accesses: Vec<(Inst, i64)>,
    /// No address takes more than [`WORTH`] instructions.
    cheap: bool,
    /// What its pointer is farther on than that of the group before it, in whose chain it is then.
    delta: Option<Expr>,
}

pub(super) fn run(func: &mut Function, info: &LoopInfo, target: Target) -> bool {
    let inner: Vec<Loop> = info.loops.iter().filter(|&l| info.loops.data(l).children.is_empty()).collect();
    if inner.is_empty() {
        return false;
    }
    let mut plans: Vec<(Loop, Vec<Group>)> = Vec::new();
    let mut scev = Scev::new(func, info, target);
    for l in inner {
        let found = if info.loops.latch(l).is_some() { groups(&mut scev, l) } else { Vec::new() };
        if !found.is_empty() {
            plans.push((l, found));
        }
    }
    let exprs = scev.into_exprs();
    if !plans.is_empty() {
        let pressure = PressureMap::new(func, &info.cfg, &Liveness::new(func, &info.cfg));
        let most = |l: Loop| info.loops.data(l).blocks.iter().map(|&b| pressure.block(b).registers).max().unwrap_or(0);
        plans.retain(|(l, _)| most(*l) <= MAX_PRESSURE);
    }
    let mut changed = false;
    for (l, groups) in plans {
        let Some(pre) = info.loops.preheader(func, &info.cfg, l) else { continue };
        let before = func.layout.terminator(pre);
        let entry = entry_args(func, info, l);
        // What the addresses share is copied once.
        let mut copy = Copy { info, l, before, entry, made: FxHashMap::default(), left: MAX_COPIED };
        for row in groups.chunk_by(|_, g| g.delta.is_some()) {
            copy.left = MAX_COPIED;
            changed |= apply(func, &exprs, &mut copy, row);
        }
    }
    changed
}

fn groups(scev: &mut Scev<'_>, l: Loop) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    let (func, info) = (scev.func, scev.info);
    let accesses = info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b));
    let mut known: Vec<Recurrence> = Vec::new();
    for i in accesses.filter(|&i| is_access(func, i)).take(MAX_ACCESSES) {
        let ptr = func.dfg.arg(i, 0);
        let ty = func.dfg.ty(ptr);
        let address = Address::of(func, ptr);
        if is_induction(func, info, l, &address) || is_fixed(func, info, l, &address) {
            continue;
        }
        let cheap = in_loop_cost(func, info, l, ptr) <= WORTH;
        let n = known.iter().position(|k| address.minus(&k.address).is_some()).unwrap_or_else(|| {
            known.push(Recurrence::of(scev, l, ptr, address.clone()));
            known.len() - 1
        });
        let Some((c, terms, start, step)) = &known[n].found else { continue };
        let is_first = address.offset == known[n].address.offset;
        let c = c.wrapping_add(address.offset.wrapping_sub(known[n].address.offset));
        let fits = |g: &Group| c.checked_sub(g.offset).is_some_and(|d| d.abs() <= MAX_OFFSET);
        match out.iter().position(|g| g.step == *step && g.ty == ty && g.terms == *terms && fits(g)) {
            Some(n) => {
                let d = c - out[n].offset;
                out[n].accesses.push((i, d));
                out[n].cheap &= cheap;
            }
            None if out.len() < MAX_GROUPS => {
                // Of an address farther on the difference to the start is not worth an expression.
                let start = is_first.then_some(*start);
                let terms = terms.clone();
                out.push(Group {
                    ty,
                    start,
                    terms,
                    step: *step,
                    offset: c,
                    accesses: vec![(i, 0)],
                    cheap,
                    delta: None,
                });
            }
            None => {}
        }
    }
    out.retain(|g| !g.cheap || g.accesses.len() >= COPIES);
    chain(scev, &mut out);
    out
}

/// Finds groups whose pointers follow each other at one distance, from an iteration's first to the next one's: copies of a
/// body that walks down a column. One pointer walks through all of them then, in as many additions, where they took two
/// registers each for a whole iteration.
fn chain(scev: &mut Scev<'_>, groups: &mut [Group]) {
    let mut at = 0;
    while at + 1 < groups.len() {
        let end = chain_end(scev, &groups[at..]);
        if let Some((len, delta)) = end {
            groups[at + 1..at + len].iter_mut().for_each(|g| g.delta = Some(delta));
            at += len;
        } else {
            at += 1;
        }
    }
}

/// How many groups are a chain with the first one, and the distance.
fn chain_end(scev: &mut Scev<'_>, groups: &[Group]) -> Option<(usize, Expr)> {
    let first = &groups[0];
    let delta = scev.sub(groups[1].start?, first.start?);
    if !scev.exprs.is_expandable(delta) || !scev.exprs.is_cheap(delta) {
        return None;
    }
    let mut walked = delta;
    for n in 1..groups.len() {
        let g = &groups[n];
        if g.step != first.step || g.ty != first.ty || scev.sub(g.start?, groups[n - 1].start?) != delta {
            return None;
        }
        walked = scev.add(walked, delta);
        if walked == first.step {
            return Some((n + 1, delta));
        }
    }
    None
}

/// Instructions that computing an address takes in each iteration. A widened 32-bit index, scaled, and the sum that it
/// goes into are one, sums of 64 bits two; constant distances and conversions none.
fn in_loop_cost(func: &Function, info: &LoopInfo, l: Loop, ptr: Value) -> u32 {
    let mut cost = 0;
    let mut work: SmallVec<[Value; 8]> = SmallVec::from_slice(&[ptr]);
    while let Some(v) = work.pop() {
        let Some(i) = func.dfg.def_inst(v).filter(|_| !info.loops.defined_outside(func, l, v)) else { continue };
        let args = func.dfg.args(i);
        let by_constant = args.get(1).is_some_and(|&n| func.dfg.as_int(n).is_some());
        let wide = func.dfg.insts[i].ty == Type::I64;
        cost += match func.dfg.op(i) {
            Opcode::PtrAdd if by_constant => 0,
            Opcode::PtrAdd if !is_widened(func, args[1]) => 2,
            Opcode::Mul | Opcode::Shl if by_constant && wide => 0,
            Opcode::SExt | Opcode::ZExt | Opcode::AddrSpaceCast | Opcode::Bitcast => 0,
            _ => 1,
        };
        if cost > WORTH || !func.dfg.op(i).is_cheap() {
            return WORTH + 1;
        }
        work.extend_from_slice(args);
    }
    cost
}

/// Whether an offset is a widened number, perhaps scaled by a constant.
fn is_widened(func: &Function, v: Value) -> bool {
    let dfg = &func.dfg;
    let scaled = dfg
        .def_inst(v)
        .filter(|&i| matches!(dfg.op(i), Opcode::Mul | Opcode::Shl) && dfg.as_int(dfg.arg(i, 1)).is_some());
    let v = scaled.map_or(v, |i| dfg.arg(i, 0));
    dfg.def_inst(v).is_some_and(|i| matches!(dfg.op(i), Opcode::SExt | Opcode::ZExt))
}

/// What is known of one address, and by its distance of every address that differs from it by a constant: expressions
/// cost far more than taking addresses apart.
struct Recurrence {
    address: Address,
    /// Its first value as a constant and terms, and whole, and its step, if it is a recurrence of the loop that can be used.
    found: Option<(i64, Terms, Expr, Expr)>,
}

impl Recurrence {
    fn of(scev: &mut Scev<'_>, l: Loop, ptr: Value, address: Address) -> Self {
        let e = scev.expr(ptr);
        let found = match scev.exprs.node(e) {
            Node::AddRec { start, step, l: of, .. }
                if of == l && scev.exprs.is_expandable(step) && scev.exprs.is_cheap(step) =>
            {
                let (c, terms) = scev.exprs.terms(start);
                Some((c as i64, terms, start, step))
            }
            _ => None,
        };
        Self { address, found }
    }
}

/// Whether the address is a parameter of the header plus a constant already.
fn is_induction(func: &Function, info: &LoopInfo, l: Loop, a: &Address) -> bool {
    let header = info.loops.header(l);
    a.is_constant() && matches!(func.dfg.def(a.base), ValueDef::Param(b, _) if b == header)
}

/// Whether the address is the same in every iteration.
fn is_fixed(func: &Function, info: &LoopInfo, l: Loop, a: &Address) -> bool {
    let outside = |v: Value| info.loops.defined_outside(func, l, v);
    outside(a.base) && a.terms.iter().all(|t| outside(t.value))
}

/// Gives a chain of groups, mostly of one, its pointer.
fn apply(func: &mut Function, exprs: &Exprs, copy: &mut Copy<'_>, row: &[Group]) -> bool {
    let (info, l, before) = (copy.info, copy.l, copy.before);
    let header = info.loops.header(l);
    let Some(latch) = info.loops.latch(l) else { return false };
    let back = func.layout.terminator(latch);
    let Some(&(first, _)) = row[0].accesses.first() else { return false };
    let Some(start) = copy.value(func, func.dfg.arg(first, 0)) else { return false };
    let Some(step) = exprs.expand(func, row.last().and_then(|g| g.delta).unwrap_or(row[0].step), before) else {
        return false;
    };
    let Some(top) = func.layout.first_inst(header) else { return false };
    let ty = row[0].ty;
    let p = func.dfg.add_param(header, ty);
    let mut last = p;
    for (n, g) in row.iter().enumerate() {
        if n > 0 {
            last = pointer_add(func, last, step, ty, top);
        }
        for &(i, d) in &g.accesses {
            let ptr = if d == 0 {
                last
            } else {
                let d = func.dfg.iconst(Type::I64, d);
                pointer_add(func, last, d, ty, i)
            };
            func.dfg.args_mut(i)[0] = ptr;
        }
    }
    let next = pointer_add(func, last, step, ty, back);
    let edges: SmallVec<[_; 4]> = info.cfg.preds(header).iter().copied().collect();
    for e in edges {
        let v = if info.loops.contains(l, e.from) { next } else { start };
        func.dfg.push_branch_arg(e.inst, e.index as usize, v);
    }
    true
}

fn pointer_add(func: &mut Function, p: Value, by: Value, ty: Type, before: Inst) -> Value {
    Builder::before(func, before).value(Opcode::PtrAdd, ty, Flags::NONE, &[p, by], Payload::None)
}

/// Arguments of the edge into the loop.
fn entry_args(func: &Function, info: &LoopInfo, l: Loop) -> SmallVec<[Value; 8]> {
    match info.loops.entry_edge(&info.cfg, l) {
        Some(e) => func.dfg.branch_args(e.inst, e.index as usize).into(),
        None => SmallVec::new(),
    }
}

/// Copies a computation of the loop into the preheader, as the first iteration does it.
struct Copy<'a> {
    info: &'a LoopInfo,
    l: Loop,
    before: Inst,
    entry: SmallVec<[Value; 8]>,
    made: FxHashMap<Value, Value>,
    left: usize,
}

impl Copy<'_> {
    /// The value that `v` has in the first iteration; none if that takes more than pure, cheap instructions.
    fn value(&mut self, func: &mut Function, v: Value) -> Option<Value> {
        let v = func.dfg.resolve(v);
        if self.info.loops.defined_outside(func, self.l, v) {
            return Some(v);
        }
        if let Some(&done) = self.made.get(&v) {
            return Some(done);
        }
        let new = match func.dfg.def(v) {
            ValueDef::Param(b, n) if b == self.info.loops.header(self.l) => *self.entry.get(n as usize)?,
            ValueDef::Inst(i) if func.dfg.op(i).is_cheap() && self.left > 0 => {
                self.left -= 1;
                let args: SmallVec<[Value; 4]> = func.dfg.args(i).into();
                let mut new: SmallVec<[Value; 4]> = SmallVec::new();
                for a in args {
                    new.push(self.value(func, a)?);
                }
                let data = &func.dfg.insts[i];
                // In an iteration that does not execute it, the promises need not hold.
                let (op, ty, payload) = (data.op, data.ty, data.payload.clone());
                let copy = func.dfg.make_inst(op, ty, Flags::NONE, &new, payload);
                place_folded(func, copy, i, self.before)
            }
            _ => return None,
        };
        self.made.insert(v, new);
        Some(new)
    }
}

/// Places a new instruction, or finds out what it always gives.
fn place_folded(func: &mut Function, new: Inst, like: Inst, before: Inst) -> Value {
    let ty = func.dfg.insts[new].ty;
    if let Some(c) = fold::fold_inst(&func.dfg, new, |v| func.dfg.as_const(v)) {
        return func.dfg.constant(ty, c);
    }
    let args = func.dfg.args(new);
    if matches!(func.dfg.op(new), Opcode::Add | Opcode::PtrAdd) && func.dfg.as_bits(args[1]) == Some(0) {
        return args[0];
    }
    func.dfg.set_span(new, func.dfg.span(like));
    func.layout.insert_inst_before(new, before);
    func.dfg.res(new)
}
