//! Puts variables in the place of elements: block parameters where paths with different values meet, and a renaming
//! walk over the dominator tree.

use super::collect::{Place, Uses};
use super::elements::{Element, Replacement};
use analysis::{Cfg, DomTree};
use cranelift_entity::SecondaryMap;
use ir::{Block, Builder, Flags, Function, Inst, MemInfo, Opcode, Slot, Type, Value};
use smallvec::SmallVec;

/// What an instruction does to a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Read,
    Write,
}

pub(super) fn promote(func: &mut Function, cfg: &Cfg, dom: &DomTree, uses: &Uses, plan: &Replacement) {
    let params = place_params(func, cfg, dom, uses, plan);
    let mut r = Renamer { func, uses, plan, params, current: vec![None; plan.vars.len()], undo: Vec::new() };
    for &b in dom.preorder() {
        r.block(b, dom.depth(b));
    }
}

// ---- where parameters go ------------------------------------------------------------------------------------------

/// Calls `f` with what an instruction does to each variable, reads before writes.
fn effects(func: &Function, uses: &Uses, plan: &Replacement, inst: Inst, mut f: impl FnMut(u32, Effect)) {
    let dfg = &func.dfg;
    let args = dfg.args(inst);
    let promoted = |v: Value| uses.in_simple(func, v).filter(|p| plan.slots[p.slot].promoted);
    match dfg.op(inst) {
        Opcode::Load => {
            if let Some(p) = promoted(args[0]) {
                lanes(plan, p, dfg.insts[inst].ty, |e, _| f(e.var, Effect::Read));
            }
        }
        Opcode::Store => {
            if let Some(p) = promoted(args[0]) {
                let ty = dfg.ty(args[1]);
                lanes(plan, p, ty, |e, _| {
                    if e.bytes > ty.scalar_bytes() {
                        f(e.var, Effect::Read);
                    }
                    f(e.var, Effect::Write);
                });
            }
        }
        op @ (Opcode::MemCpy | Opcode::MemSet) => {
            let bytes = dfg.as_bits(args[2]).unwrap_or(0) as u32;
            if let Some(p) = promoted(args[1]).filter(|_| op == Opcode::MemCpy) {
                plan.within(p, bytes).for_each(|e| f(e.var, Effect::Read));
            }
            if let Some(p) = promoted(args[0]) {
                plan.within(p, bytes).for_each(|e| f(e.var, Effect::Write));
            }
        }
        _ => {}
    }
}

/// Calls `f` with the element of each lane of an access, or the elements that are parts of it, and the lane's offset in it.
fn lanes(plan: &Replacement, p: Place, ty: Type, mut f: impl FnMut(Element, u32)) {
    let step = ty.scalar_bytes();
    for n in 0..u32::from(ty.lanes()) {
        let mut at = Place { slot: p.slot, offset: p.offset + n * step };
        let end = at.offset + step;
        while let Some(e) = plan.at(at).filter(|_| at.offset < end) {
            f(*e, at.offset - e.offset);
            at.offset = e.offset + e.bytes;
        }
    }
}

type Params = SecondaryMap<Block, Vec<u32>>;

/// Adds a block parameter for each variable that needs one; which, in order of the parameters.
fn place_params(func: &mut Function, cfg: &Cfg, dom: &DomTree, uses: &Uses, plan: &Replacement) -> Params {
    let (mut defs, mut wanted) = (Vec::new(), Vec::new());
    let mut seen = vec![0u32; plan.vars.len()];
    for (n, &b) in cfg.rpo().iter().enumerate() {
        let (written, read) = (2 * n as u32 + 2, 2 * n as u32 + 1);
        for i in func.layout.insts(b) {
            effects(func, uses, plan, i, |var, effect| {
                let state = &mut seen[var as usize];
                match effect {
                    Effect::Read if *state != read && *state != written => {
                        wanted.push((var, b));
                        *state = read;
                    }
                    Effect::Write if *state != written => {
                        defs.push((var, b));
                        *state = written;
                    }
                    _ => {}
                }
            });
        }
    }
    // Stable, so that blocks stay in reverse post-order.
    defs.sort_by_key(|d| d.0);
    wanted.sort_by_key(|d| d.0);
    let mut params = Params::new();
    if wanted.is_empty() {
        return params;
    }
    let frontiers = frontiers(cfg, dom);
    let mut marks = Marks::default();
    let (mut d, mut w) = (0, 0);
    for var in 0..plan.vars.len() as u32 {
        let def_end = d + defs[d..].iter().take_while(|x| x.0 == var).count();
        let use_end = w + wanted[w..].iter().take_while(|x| x.0 == var).count();
        if use_end > w {
            marks.variable(cfg, &frontiers, var, &defs[d..def_end], &wanted[w..use_end]);
            // In reverse post-order, so that the order of parameters does not depend on the walk.
            marks.placed.sort_unstable_by_key(|&b| cfg.rpo_number(b));
            for &b in &marks.placed {
                func.dfg.add_param(b, plan.vars[var as usize]);
                params[b].push(var);
            }
        }
        (d, w) = (def_end, use_end);
    }
    params
}

fn frontiers(cfg: &Cfg, dom: &DomTree) -> SecondaryMap<Block, SmallVec<[Block; 2]>> {
    let mut out: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
    for &b in cfg.rpo() {
        if cfg.preds(b).len() < 2 {
            continue;
        }
        let stop = dom.idom(b);
        for e in cfg.preds(b) {
            let mut runner = Some(e.from);
            while let Some(r) = runner.filter(|&r| Some(r) != stop) {
                if !out[r].contains(&b) {
                    out[r].push(b);
                }
                runner = dom.idom(r);
            }
        }
    }
    out
}

/// Marks on blocks, valid for one variable at a time.
#[derive(Default)]
struct Marks {
    defined: SecondaryMap<Block, u32>,
    live: SecondaryMap<Block, u32>,
    seen: SecondaryMap<Block, u32>,
    placed: Vec<Block>,
    work: Vec<Block>,
}

impl Marks {
    fn variable(
        &mut self,
        cfg: &Cfg,
        frontiers: &SecondaryMap<Block, SmallVec<[Block; 2]>>,
        var: u32,
        defs: &[(u32, Block)],
        wanted: &[(u32, Block)],
    ) {
        let stamp = var + 1;
        for &(_, b) in defs {
            self.defined[b] = stamp;
        }
        self.work.clear();
        for &(_, b) in wanted {
            self.live[b] = stamp;
            self.work.push(b);
        }
        while let Some(b) = self.work.pop() {
            for e in cfg.preds(b) {
                if self.defined[e.from] != stamp && self.live[e.from] != stamp {
                    self.live[e.from] = stamp;
                    self.work.push(e.from);
                }
            }
        }
        self.placed.clear();
        self.work.extend(defs.iter().map(|d| d.1));
        while let Some(b) = self.work.pop() {
            for &f in &frontiers[b] {
                if self.live[f] == stamp && self.seen[f] != stamp {
                    self.seen[f] = stamp;
                    self.placed.push(f);
                    self.work.push(f);
                }
            }
        }
    }
}

// ---- renaming -----------------------------------------------------------------------------------------------------

struct Renamer<'a> {
    func: &'a mut Function,
    uses: &'a Uses,
    plan: &'a Replacement,
    params: Params,
    current: Vec<Option<Value>>,
    /// Values to go back to when the walk leaves a block: depth of the block, variable, value before.
    undo: Vec<(u32, u32, Option<Value>)>,
}

impl Renamer<'_> {
    fn block(&mut self, b: Block, depth: u32) {
        while let Some(&(d, var, value)) = self.undo.last()
            && d >= depth
        {
            self.current[var as usize] = value;
            self.undo.pop();
        }
        let vars = std::mem::take(&mut self.params[b]);
        let first = self.func.dfg.params(b).len() - vars.len();
        for (n, &var) in vars.iter().enumerate() {
            let v = self.func.dfg.params(b)[first + n];
            self.set(var, v, depth);
        }
        self.params[b] = vars;
        let mut next = self.func.layout.first_inst(b);
        while let Some(i) = next {
            next = self.func.layout.next_inst(i);
            self.inst(i, depth);
        }
        let t = self.func.layout.terminator(b);
        for n in 0..self.func.dfg.successor_count(t) {
            let s = self.func.dfg.successor(t, n);
            for k in 0..self.params[s].len() {
                let v = self.get(self.params[s][k]);
                self.func.dfg.push_branch_arg(t, n, v);
            }
        }
    }

    fn set(&mut self, var: u32, v: Value, depth: u32) {
        let old = self.current[var as usize].replace(v);
        self.undo.push((depth, var, old));
    }

    fn get(&mut self, var: u32) -> Value {
        match self.current[var as usize] {
            Some(v) => self.func.dfg.resolve(v),
            None => self.func.dfg.undef(self.plan.vars[var as usize]),
        }
    }

    fn promoted(&self, v: Value) -> Option<Place> {
        self.uses.in_simple(self.func, v).filter(|p| self.plan.slots[p.slot].promoted)
    }

    fn inst(&mut self, i: Inst, depth: u32) {
        match self.func.dfg.op(i) {
            Opcode::Load => {
                if let Some(p) = self.promoted(self.func.dfg.arg(i, 0)) {
                    self.load(i, p);
                }
            }
            Opcode::Store => {
                if let Some(p) = self.promoted(self.func.dfg.arg(i, 0)) {
                    self.store(i, p, depth);
                }
            }
            Opcode::MemSet => {
                if let Some(p) = self.promoted(self.func.dfg.arg(i, 0)) {
                    self.fill(i, p, depth);
                }
            }
            Opcode::MemCpy => self.copy(i, depth),
            _ => {}
        }
    }

    fn elements(&self, p: Place, ty: Type) -> SmallVec<[(Element, u32); 4]> {
        let mut out = SmallVec::new();
        lanes(self.plan, p, ty, |e, offset| out.push((e, offset)));
        out
    }

    fn load(&mut self, i: Inst, p: Place) {
        let ty = self.func.dfg.insts[i].ty;
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        let lane = ty.scalar();
        let elements = self.elements(p, ty);
        let mut part = 0;
        while let Some(&(e, offset)) = elements.get(part) {
            part += 1;
            let v = self.get(e.var);
            let mut b = Builder::before(self.func, i);
            values.push(if e.bytes == lane.scalar_bytes() {
                convert(&mut b, v, lane)
            } else if e.bytes < lane.scalar_bytes() {
                let int = Type::int(lane.scalar_bytes() * 8).unwrap_or(Type::I64);
                let mut whole = widened(&mut b, v, int, 0);
                let mut shift = e.bytes;
                while shift < lane.scalar_bytes()
                    && let Some(&(next, _)) = elements.get(part)
                {
                    part += 1;
                    let v = self.get(next.var);
                    let mut b = Builder::before(self.func, i);
                    let more = widened(&mut b, v, int, shift * 8);
                    whole = b.binary(Opcode::Or, whole, more);
                    shift += next.bytes;
                }
                convert(&mut Builder::before(self.func, i), whole, lane)
            } else {
                let part = Type::int(lane.scalar_bytes() * 8).unwrap_or(Type::I8);
                let shift = b.iconst(e.ty, i64::from(offset) * 8);
                let low = b.binary(Opcode::LShr, v, shift);
                let low = b.cast(Opcode::Trunc, low, part);
                convert(&mut b, low, lane)
            });
        }
        let old = self.func.dfg.res(i);
        let new = if ty.is_vector() { Builder::before(self.func, i).vec_build(&values) } else { values[0] };
        self.func.dfg.replace_value(old, new);
        self.func.remove_inst(i);
    }

    fn store(&mut self, i: Inst, p: Place, depth: u32) {
        let value = self.func.dfg.resolve(self.func.dfg.arg(i, 1));
        let ty = self.func.dfg.ty(value);
        let step = ty.scalar_bytes();
        for (e, offset) in self.elements(p, ty) {
            let old = self.get(e.var);
            let mut b = Builder::before(self.func, i);
            let from = (e.offset + offset).saturating_sub(p.offset);
            let lane = if ty.is_vector() { b.extract(value, (from / step) as u8) } else { value };
            let new = if e.bytes == step {
                convert(&mut b, lane, e.ty)
            } else if e.bytes < step {
                let int = convert(&mut b, lane, Type::int(step * 8).unwrap_or(Type::I64));
                let shift = b.iconst(b.ty(int), i64::from(from % step) * 8);
                let low = b.binary(Opcode::LShr, int, shift);
                let low = b.cast(Opcode::Trunc, low, Type::int(e.bytes * 8).unwrap_or(Type::I8));
                convert(&mut b, low, e.ty)
            } else {
                insert_bits(&mut b, old, lane, offset * 8, e.ty)
            };
            self.set(e.var, new, depth);
        }
        self.func.remove_inst(i);
    }

    fn fill(&mut self, i: Inst, p: Place, depth: u32) {
        let byte = self.func.dfg.resolve(self.func.dfg.arg(i, 1));
        let bytes = self.func.dfg.as_bits(self.func.dfg.arg(i, 2)).unwrap_or(0) as u32;
        let elements: Vec<Element> = self.plan.within(p, bytes).collect();
        for e in elements {
            let mut b = Builder::before(self.func, i);
            let int = Type::int(e.bytes * 8).unwrap_or(Type::I8);
            let splat = 0x0101_0101_0101_0101u64;
            let word = match b.func.dfg.as_bits(byte) {
                Some(c) => b.func.dfg.bits(int, c.wrapping_mul(splat)),
                None if int == Type::I8 => byte,
                None => {
                    let wide = b.cast(Opcode::ZExt, byte, int);
                    let ones = b.func.dfg.bits(int, splat);
                    b.mul(wide, ones)
                }
            };
            let v = convert(&mut b, word, e.ty);
            self.set(e.var, v, depth);
        }
        self.func.remove_inst(i);
    }

    /// What the accesses count by which elements are copied from or to memory, of an object of `parts` scalars in `bytes`: for
    /// each scalar one, and where an element is a piece of a scalar, the operations that take it apart or put it together. In
    /// private memory only the latter count.
    fn counts(&self, elements: &[Element], other: Value, parts: u32, bytes: u32) -> SmallVec<[u8; 8]> {
        let n = elements.len() as u32;
        let mut counts: SmallVec<[u8; 8]> = SmallVec::from_elem(0, elements.len());
        let covered: u32 = elements.iter().map(|e| e.bytes).sum();
        let Some(first) = counts.first_mut() else { return counts };
        if let Some(s) = slot_of(self.func, other) {
            let slot = &self.func.slots[s];
            let size = slot.dims.iter().try_fold(slot.size, |size, &d| size.checked_div(d)).unwrap_or(0);
            if matches!(size, 1 | 2) && !slot.dims.is_empty() && elements.iter().all(|e| e.bytes >= WORD) {
                // Each word by shifts and truncations, or by extensions, shifts and sums.
                *first = u8::try_from(covered / WORD * (2 * WORD / size - 1)).unwrap_or(u8::MAX);
            }
            return counts;
        }
        let scalars = (parts * covered).checked_div(bytes).unwrap_or(0);
        if scalars > n {
            *first = u8::try_from(scalars - n + 1).unwrap_or(u8::MAX);
        } else if scalars > 0 && n > scalars && n.is_multiple_of(scalars) {
            counts.fill(2);
        }
        counts
    }

    fn copy(&mut self, i: Inst, depth: u32) {
        let args: SmallVec<[Value; 3]> = self.func.dfg.args(i).iter().map(|&v| self.func.dfg.resolve(v)).collect();
        let (dst, src) = (self.promoted(args[0]), self.promoted(args[1]));
        let bytes = self.func.dfg.as_bits(args[2]).unwrap_or(0) as u32;
        let align = self.func.dfg.insts[i].mem().map_or(0, |m| m.align_log2);
        let parts = u32::from(self.func.dfg.parts(i));
        match (dst, src) {
            (None, None) => return,
            (Some(d), Some(s)) => {
                let from: Vec<Element> = self.plan.within(s, bytes).collect();
                let to: Vec<Element> = self.plan.within(d, bytes).collect();
                let values: Vec<Value> = from.iter().map(|e| self.get(e.var)).collect();
                for (e, v) in to.iter().zip(values) {
                    let v = convert(&mut Builder::before(self.func, i), v, e.ty);
                    self.set(e.var, v, depth);
                }
            }
            (Some(d), None) => {
                let to: Vec<Element> = self.plan.within(d, bytes).collect();
                let one_access = bytes <= MAX_ACCESS && bytes == 1 << align;
                let counts = self.counts(&to, args[1], parts, bytes);
                for (e, counts) in to.into_iter().zip(counts) {
                    let mut b = Builder::before(self.func, i);
                    let offset = e.offset - d.offset;
                    let (ptr, mem) = at(&mut b, args[1], offset, align);
                    let flags = if one_access && offset > 0 { Flags::PIECE } else { Flags::NONE };
                    let v = b.load(e.ty, ptr, mem, flags);
                    let load = self.func.dfg.def_inst(v);
                    load.into_iter().for_each(|i| self.func.dfg.set_parts(i, counts));
                    self.set(e.var, v, depth);
                }
            }
            (None, Some(s)) => {
                let from: Vec<Element> = self.plan.within(s, bytes).collect();
                let one_access = bytes <= MAX_ACCESS && bytes == 1 << align && from.iter().all(|e| e.copied);
                let mut counts = self.counts(&from, args[0], parts, bytes);
                if one_access && parts > 0 && slot_of(self.func, args[0]).is_none() {
                    // The first store stands for all of what is stored at once.
                    let all = counts.iter().map(|&n| u32::from(n.max(1))).sum::<u32>();
                    counts.fill(0);
                    counts[0] = u8::try_from(all).unwrap_or(u8::MAX);
                }
                for (e, counts) in from.into_iter().zip(counts) {
                    let v = self.get(e.var);
                    let mut b = Builder::before(self.func, i);
                    let offset = e.offset - s.offset;
                    let (ptr, mem) = at(&mut b, args[0], offset, align);
                    let flags = if one_access && offset > 0 { Flags::PIECE } else { Flags::NONE };
                    let store = b.store(ptr, v, mem, flags);
                    self.func.dfg.set_parts(store, counts);
                }
            }
        }
        self.func.remove_inst(i);
    }
}

/// Bytes of the integers by which vectors are copied.
const WORD: u32 = 4;

/// The slot that an address is.
fn slot_of(func: &Function, v: Value) -> Option<Slot> {
    let v = match func.dfg.def_inst(v) {
        Some(i) if func.dfg.op(i) == Opcode::AddrSpaceCast => func.dfg.resolve(func.dfg.arg(i, 0)),
        _ => v,
    };
    match func.dfg.def(v) {
        ir::ValueDef::Const(ir::ConstKind::Slot(s)) => Some(s),
        _ => None,
    }
}

/// Most bytes that one access reads.
const MAX_ACCESS: u32 = 16;

/// An address some bytes on, and what is known of its alignment.
fn at(b: &mut Builder<'_>, base: Value, offset: u32, align_log2: u8) -> (Value, MemInfo) {
    let align = u32::from(align_log2).min(offset.trailing_zeros());
    let mem = MemInfo { align_log2: align as u8, ..MemInfo::aligned(1) };
    if offset == 0 {
        return (base, mem);
    }
    let k = b.iconst(Type::I64, i64::from(offset));
    (b.ptradd(base, k, Flags::INBOUNDS), mem)
}

/// The same bytes as another scalar type that takes as many; truth values take one.
fn convert(b: &mut Builder<'_>, v: Value, to: Type) -> Value {
    let from = b.ty(v);
    if from == to {
        return v;
    }
    if b.func.dfg.as_const(v) == Some(ir::ConstKind::Undef) {
        return b.undef(to);
    }
    let int = if from.is_ptr() {
        b.cast(Opcode::PtrToInt, v, Type::I64)
    } else if from.is_float() {
        let int = Type::int(from.bits()).unwrap_or(Type::I64);
        b.cast(Opcode::Bitcast, v, int)
    } else if from.bits() == 1 {
        b.cast(Opcode::ZExt, v, Type::I8)
    } else {
        v
    };
    if b.ty(int) == to {
        int
    } else if to.is_ptr() {
        b.cast(Opcode::IntToPtr, int, to)
    } else if to.bits() == 1 {
        b.cast(Opcode::Trunc, int, to)
    } else {
        b.cast(Opcode::Bitcast, int, to)
    }
}

/// The bits of `v` in a wider integer, from bit `shift` on.
fn widened(b: &mut Builder<'_>, v: Value, ty: Type, shift: u32) -> Value {
    let part = Type::int(b.ty(v).scalar_bytes() * 8).unwrap_or(Type::I8);
    let narrow = convert(b, v, part);
    let wide = b.cast(Opcode::ZExt, narrow, ty);
    if shift == 0 {
        return wide;
    }
    let amount = b.iconst(ty, i64::from(shift));
    b.binary(Opcode::Shl, wide, amount)
}

/// `old` with the bits from `shift` on replaced by those of `lane`.
fn insert_bits(b: &mut Builder<'_>, old: Value, lane: Value, shift: u32, ty: Type) -> Value {
    let bytes = b.ty(lane).scalar_bytes();
    let part = Type::int(bytes * 8).unwrap_or(Type::I8);
    let narrow = convert(b, lane, part);
    let wide = b.cast(Opcode::ZExt, narrow, ty);
    let amount = b.iconst(ty, i64::from(shift));
    let up = b.binary(Opcode::Shl, wide, amount);
    let hole = !(part.mask() << shift);
    let mask = b.func.dfg.bits(ty, hole);
    // Arbitrary bits may as well be zeros.
    if b.func.dfg.as_const(old) == Some(ir::ConstKind::Undef) {
        return up;
    }
    let kept = b.binary(Opcode::And, old, mask);
    b.binary(Opcode::Or, kept, up)
}
