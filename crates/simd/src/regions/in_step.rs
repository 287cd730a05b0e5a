//! Loops whose work-items stride through memory side by side, done in step by the whole group.
//!
//! `for (i = id; i < n; i += count)` is how kernels go over arrays on GPUs: in each iteration a group's work-items access neighbours. On a
//! processor a vector of work-items would run the loop to its end before the next vector begins, and touch a line here and a line
//! there, each behind masks, since lanes leave the loop at different times. Here the group goes through the loop together: its
//! first work-item's index is a variable that is the same for all, a barrier cuts the body, and in each iteration the group's
//! work-items run one after another, those whose index is within the bound. A copy of 2^24 floats: 60 ms before, 9 since.
//!
//! What must hold: the loop stands where all work-items of the group come by, behind a guard that tests the first index as the
//! loop tests the next ones; it is left nowhere else; the index goes up from work-item to work-item by one, and from iteration to
//! iteration by what is the same for all; memory is accessed at it. Bound, step and first index are computed of the kernel's parameters
//! and the launch alone, so that the kernel can ask at its begin whether an index might wrap; then a copy of it runs that is as it
//! was. Limits: kernels of [`MOST`] instructions and [`MOST_ARRAYS`] bytes of private arrays, without operations between lanes. Cost: the code of the kernel twice.

use super::prepare::is_warp_op;
use analysis::{Among, Loop, LoopInfo, Polls, PostDomTree, Uniformity};
use ir::copy::copy_body;
use ir::{
    Block, Builder, Flags, Function, Inst, IntCC, Intrinsic, LoopMd, Opcode, Payload, SpecialReg, Type, Value, ValueDef,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most instructions of a kernel.
const MOST: usize = 300;
/// Most operations between a value and what it is made of.
const DEPTH: u32 = 8;
/// Most bytes of private arrays: those that live across a cut are there once for each work-item of the group.
const MOST_ARRAYS: u64 = 64;

/// A loop that a group can go through in step.
struct Strided {
    /// Ends in the guard, of which one way leads to the loop and the other to `exit`.
    guard: Block,
    /// What stands between the guard and the header, if anything.
    pre: Option<Block>,
    header: Block,
    /// The only block that leads back, and out.
    latch: Block,
    exit: Block,
    /// The number of the header's parameter that is the index.
    index: usize,
    /// What it is first.
    first: Value,
    /// What is added to it.
    step: Value,
    /// The loop goes on while the next index is so to the bound.
    cc: IntCC,
    bound: Value,
    md: Option<LoopMd>,
}

/// The kernel with its strided loops in step; nothing if there are none.
pub(super) fn run(kernel: &Function) -> Option<Function> {
    let arrays: u64 = kernel.slots.values().map(|s| u64::from(s.size)).sum();
    if kernel.attrs.minsize || arrays > MOST_ARRAYS || kernel.inst_count() > MOST || !is_plain(kernel) {
        return None;
    }
    let info = LoopInfo::new(kernel);
    // Who waits for work-items before it counts on all their iterations.
    if info.loops.is_empty() || info.loops.has_irreducible() || Polls::of_body(kernel, true).items {
        return None;
    }
    let post = PostDomTree::new(kernel, &info.cfg, &info.loops);
    let uniform = Uniformity::new(kernel, &info, &post, Among::Group, true);
    let find = Find { func: kernel, info: &info, uniform: &uniform };
    let found: Vec<Strided> = info.loops.iter().filter_map(|l| find.strided(l)).collect();
    if found.is_empty() {
        return None;
    }
    let mut in_step = kernel.clone();
    found.iter().for_each(|s| transform(&mut in_step, s));
    Some(either(kernel, &in_step, &found))
}

/// Whether a kernel neither exchanges values between lanes nor calls or waits for anything.
fn is_plain(func: &Function) -> bool {
    let foreign = |i: Inst| match func.dfg.op(i) {
        Opcode::Call | Opcode::InlineAsm => true,
        Opcode::Intrinsic => func.dfg.insts[i].intrinsic().is_none_or(|i| is_warp_op(i) || i == Intrinsic::Yield),
        _ => false,
    };
    !func.layout.blocks().flat_map(|b| func.layout.insts(b)).any(foreign)
}

struct Find<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    uniform: &'a Uniformity,
}

impl Find<'_> {
    fn strided(&self, l: Loop) -> Option<Strided> {
        let (dfg, layout) = (&self.func.dfg, &self.func.layout);
        let data = self.info.loops.data(l);
        let (header, &[latch]) = (data.header, data.latches.as_slice()) else { return None };
        let stays = data.blocks.iter().filter(|&&b| b != latch);
        if stays.flat_map(|&b| self.func.succs(b)).any(|s| !self.info.loops.contains(l, s)) || self.cuts(l) {
            return None;
        }
        // The way back: the next index is within the bound.
        let back = layout.terminator(latch);
        let (into, out) = self.ways(back, header)?;
        let exit = dfg.successor(back, out);
        let (cc, next, bound) = self.test(back, into)?;
        let passed = dfg.branch_args(back, into);
        let index = passed.iter().position(|&v| dfg.resolve(v) == next)?;
        let param = dfg.params(header)[index];
        let ValueDef::Inst(add) = dfg.def(next) else { return None };
        let (a, b) =
            (dfg.op(add) == Opcode::Add).then(|| (dfg.resolve(dfg.arg(add, 0)), dfg.resolve(dfg.arg(add, 1))))?;
        let step = if a == param { b } else { (b == param).then_some(a)? };
        // The way in: a guard tests the first index in the same way.
        let mut from = self.info.cfg.preds(header).iter().filter(|e| e.from != latch);
        let (edge, None) = (*from.next()?, from.next()) else { return None };
        let first = dfg.resolve(dfg.branch_args(edge.inst, edge.index as usize)[index]);
        let is_pre = dfg.op(edge.inst) == Opcode::Jump;
        let (guard, pre, entry) = match is_pre {
            true => (self.info.cfg.single_pred(edge.from)?.from, Some(edge.from), edge.from),
            false => (edge.from, None, header),
        };
        let test = layout.terminator(guard);
        let (enters, leaves) = self.ways(test, entry)?;
        let same = self.test(test, enters)? == (cc, first, bound) && dfg.successor(test, leaves) == exit;
        let computes = |b: Block| layout.insts(b).all(|i| dfg.op(i) == Opcode::Jump || dfg.insts[i].is_pure());
        let fits = same
            && !self.uniform.is_partially_executed(guard)
            && pre.is_none_or(computes)
            && [step, bound].iter().all(|&v| self.is_early(v, DEPTH))
            && dfg.as_int(step).is_none()
            && self.goes_up(first, DEPTH)
            && self.accesses_rows(l, param);
        fits.then_some(Strided {
            guard,
            pre,
            header,
            latch,
            exit,
            index,
            first,
            step,
            cc,
            bound,
            md: dfg.insts[back].loop_md(),
        })
    }

    /// The number of a branch's way to a block, and of its other one.
    fn ways(&self, branch: Inst, to: Block) -> Option<(usize, usize)> {
        let dfg = &self.func.dfg;
        if dfg.op(branch) != Opcode::Br {
            return None;
        }
        match [0, 1].map(|n| dfg.successor(branch, n) == to) {
            [true, false] => Some((0, 1)),
            [false, true] => Some((1, 0)),
            _ => None,
        }
    }

    /// What a branch compares with what, on its way `n`: `less` or `less, unsigned`.
    fn test(&self, branch: Inst, n: usize) -> Option<(IntCC, Value, Value)> {
        let dfg = &self.func.dfg;
        let ValueDef::Inst(test) = dfg.def(dfg.resolve(dfg.arg(branch, 0))) else { return None };
        let Payload::IntCC(cc) = dfg.insts[test].payload else { return None };
        let cc = if n == 0 { cc } else { cc.inverse() };
        let (a, b) = (dfg.resolve(dfg.arg(test, 0)), dfg.resolve(dfg.arg(test, 1)));
        let (cc, a, b) = if matches!(cc, IntCC::Sgt | IntCC::Ugt) { (cc.swapped(), b, a) } else { (cc, a, b) };
        let narrow = matches!(dfg.ty(a), Type::I32 | Type::I64);
        (matches!(cc, IntCC::Slt | IntCC::Ult) && narrow).then_some((cc, a, b))
    }

    /// Whether work-items meet in the loop already.
    fn cuts(&self, l: Loop) -> bool {
        let blocks = self.info.loops.data(l).blocks.iter();
        blocks.flat_map(|&b| self.func.layout.insts(b)).any(|i| self.func.dfg.insts[i].is_convergent())
    }

    /// Whether a value is computed of constants, parameters and the launch, the same for the whole group.
    fn is_early(&self, v: Value, left: u32) -> bool {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        match dfg.def(v) {
            ValueDef::Const(_) => self.uniform.is_uniform(v),
            ValueDef::Param(b, _) => b == self.info.cfg.entry(),
            ValueDef::Inst(i) if left > 0 && self.uniform.is_uniform(v) && dfg.insts[i].is_pure() => {
                matches!(dfg.insts[i].payload, Payload::None | Payload::Special(_))
                    && dfg.insts[i].op != Opcode::Intrinsic
                    && dfg.args(i).iter().all(|&a| self.is_early(a, left - 1))
            }
            _ => false,
        }
    }

    /// Whether a value is the work-item's number in x and something that is early.
    fn goes_up(&self, v: Value, left: u32) -> bool {
        let dfg = &self.func.dfg;
        let ValueDef::Inst(i) = dfg.def(dfg.resolve(v)) else { return false };
        match dfg.op(i) {
            Opcode::Special => dfg.insts[i].special() == Some(SpecialReg::TidX),
            // A number of a group has few bits: it is the same number in more.
            Opcode::SExt | Opcode::ZExt => {
                let of = dfg.def(dfg.resolve(dfg.arg(i, 0)));
                matches!(of, ValueDef::Inst(i) if dfg.insts[i].special() == Some(SpecialReg::TidX))
            }
            Opcode::Trunc if left > 0 => self.goes_up(dfg.arg(i, 0), left - 1),
            Opcode::Add if left > 0 => {
                let [a, b] = [0, 1].map(|n| dfg.arg(i, n));
                self.goes_up(a, left - 1) && self.is_early(b, left - 1)
                    || self.goes_up(b, left - 1) && self.is_early(a, left - 1)
            }
            _ => false,
        }
    }

    /// Whether a loop accesses memory at its index, element by element.
    fn accesses_rows(&self, l: Loop, index: Value) -> bool {
        let dfg = &self.func.dfg;
        let of = |v: Value| match dfg.def(dfg.resolve(v)) {
            ValueDef::Inst(i) => Some(i),
            _ => None,
        };
        let is_index = |v: Value| {
            let whole =
                of(v).filter(|&i| matches!(dfg.op(i), Opcode::SExt | Opcode::ZExt)).map_or(v, |i| dfg.arg(i, 0));
            let whole = dfg.resolve(whole);
            let added = of(whole).filter(|&i| dfg.op(i) == Opcode::Add);
            whole == index || added.is_some_and(|i| dfg.args(i).iter().any(|&a| dfg.resolve(a) == index))
        };
        let scaled = |v: Value| match of(v) {
            Some(i) if dfg.op(i) == Opcode::Shl => dfg.as_int(dfg.arg(i, 1)).map(|n| (dfg.arg(i, 0), 1i64 << (n & 31))),
            Some(i) if dfg.op(i) == Opcode::Mul => dfg.as_int(dfg.arg(i, 1)).map(|n| (dfg.arg(i, 0), n)),
            _ => Some((v, 1)),
        };
        let is_row = |i: Inst| {
            let (place, ty) = match dfg.op(i) {
                Opcode::Load => (dfg.arg(i, 0), dfg.insts[i].ty),
                Opcode::Store => (dfg.arg(i, 0), dfg.ty(dfg.arg(i, 1))),
                _ => return false,
            };
            let offset = of(place).filter(|&p| dfg.op(p) == Opcode::PtrAdd).map(|p| dfg.arg(p, 1));
            let bytes = i64::from(ty.bits()) * i64::from(ty.lanes()) / 8;
            offset.and_then(scaled).is_some_and(|(v, scale)| scale == bytes && is_index(v))
        };
        self.info.loops.data(l).blocks.iter().flat_map(|&b| self.func.layout.insts(b)).any(is_row)
    }
}

/// Computes an early value, or a first index for the work-item 0, anew at a builder's place.
fn again(from: &Function, b: &mut Builder<'_>, entry: &[Value], made: &mut FxHashMap<Value, Value>, v: Value) -> Value {
    let v = from.dfg.resolve(v);
    if let Some(&known) = made.get(&v) {
        return known;
    }
    let new = match from.dfg.def(v) {
        ValueDef::Param(_, n) => entry[n as usize],
        ValueDef::Inst(i) if from.dfg.insts[i].special() == Some(SpecialReg::TidX) => b.iconst(from.dfg.ty(v), 0),
        ValueDef::Inst(i) => {
            let args: SmallVec<[Value; 4]> = from.dfg.args(i).iter().map(|&a| again(from, b, entry, made, a)).collect();
            let data = &from.dfg.insts[i];
            // What it promises of a work-item's own index need not hold for that of the first.
            b.value(data.op, data.ty, Flags::NONE, &args, data.payload.clone())
        }
        ValueDef::Const(_) | ValueDef::Alias(_) => match from.dfg.as_bits(v) {
            Some(n) => b.iconst(from.dfg.ty(v), n.cast_signed()),
            None => v,
        },
    };
    made.insert(v, new);
    new
}

/// Makes one loop go in step.
fn transform(func: &mut Function, s: &Strided) {
    let before = func.clone();
    let entry: SmallVec<[Value; 8]> = before.dfg.params(before.layout.entry()).into();
    let (test, back) = (before.layout.terminator(s.guard), before.layout.terminator(s.latch));
    let way = |branch: Inst, to: Block| (0..2).find(|&n| before.dfg.successor(branch, n) == to).unwrap_or(0);
    let args = |branch: Inst, to: Block| -> Vec<Value> { before.dfg.branch_args(branch, way(branch, to)).to_vec() };
    let (left_at_guard, left_at_latch) = (args(test, s.exit), args(back, s.exit));
    let next = args(back, s.header);
    let begin = match s.pre {
        Some(pre) => before.dfg.branch_args(before.layout.terminator(pre), 0).to_vec(),
        None => args(test, s.header),
    };
    let ty = before.dfg.ty(s.first);
    // The header of the loop in step, and where its work-items meet again.
    let (top, meet) = (func.new_block(), func.new_block());
    let others = |all: &[Value]| -> Vec<Value> {
        all.iter().enumerate().filter(|(n, _)| *n != s.index).map(|(_, &v)| v).collect()
    };
    let carried: Vec<Type> = others(&begin).iter().chain(&left_at_guard).map(|&v| before.dfg.ty(v)).collect();
    let first_of_group = func.dfg.add_param(top, ty);
    let at_top: Vec<Value> = carried.iter().map(|&t| func.dfg.add_param(top, t)).collect();
    let at_meet: Vec<Value> = carried.iter().map(|&t| func.dfg.add_param(meet, t)).collect();
    let kept = others(&begin).len();

    // The guard: the group has an iteration if its first work-item has.
    let mut b = Builder::before(func, test);
    let first = again(&before, &mut b, &entry, &mut FxHashMap::default(), s.first);
    let enters = b.icmp(s.cc, first, s.bound);
    let mut into = vec![first];
    into.extend(others(&begin));
    into.extend(&left_at_guard);
    let target = s.pre.unwrap_or(top);
    let passed = if let Some(pre) = s.pre { args(test, pre) } else { into.clone() };
    b.br(enters, (target, &passed), (s.exit, &left_at_guard));
    func.layout.remove_inst(test);
    if let Some(pre) = s.pre {
        let jump = func.layout.terminator(pre);
        ir::edit::replace_by_jump(func, jump, top, &into, None);
    }

    // One iteration: those whose index is within the bound.
    let mut b = Builder::at_end(func, top);
    let zero = b.iconst(Type::I32, 0);
    b.intrinsic(Intrinsic::Barrier, Type::VOID, &[zero]);
    let item = b.special(SpecialReg::TidX);
    let item = if ty == Type::I64 { b.cast(Opcode::ZExt, item, ty) } else { item };
    let index = b.op(Opcode::Add, Flags::NSW | Flags::NUW, &[first_of_group, item]);
    // No index wraps: signed numbers are what is understood best further on.
    let within = b.icmp(IntCC::Slt, index, s.bound);
    let mut values: Vec<Value> = at_top[..kept].to_vec();
    values.insert(s.index, index);
    b.br(within, (s.header, &values), (meet, &at_top));

    // Its end.
    let mut done = others(&next);
    done.extend(&left_at_latch);
    ir::edit::replace_by_jump(func, back, meet, &done, None);
    let mut b = Builder::at_end(func, meet);
    let following = b.op(Opcode::Add, Flags::NSW | Flags::NUW, &[first_of_group, s.step]);
    let more = b.icmp(s.cc, following, s.bound);
    let mut again = vec![following];
    again.extend(&at_meet);
    b.br_md(more, (top, &again), (s.exit, &at_meet[kept..]), s.md);
}

/// A kernel that is one of two: in step where no index can wrap, else as it was.
fn either(kernel: &Function, in_step: &Function, found: &[Strided]) -> Function {
    let mut out = kernel.clone();
    for b in kernel.layout.blocks() {
        out.layout.remove_block(b);
    }
    out.slots.clear();
    out.loops.clear();
    let (start, end) = (out.new_entry_block(), out.new_block());
    Builder::at_end(&mut out, end).ret(None);
    let mut as_it_was = kernel.clone();
    as_it_was.loops.values_mut().for_each(|l| l.rare = true);
    let ways = [in_step, &as_it_was].map(|body| copy_body(&mut out, body, start, end));
    let params: Vec<Value> = out.dfg.params(start).to_vec();
    let mut b = Builder::at_end(&mut out, start);
    let mut made = FxHashMap::default();
    let mut all: Option<Value> = None;
    for s in found {
        let ty = kernel.dfg.ty(s.first);
        let bits = ty.bits();
        let one = b.iconst(ty, 1);
        // The first index and the bound are so far from the largest signed number that neither a step nor a group's items lead
        // beyond it.
        let [most, longest] = [(1i64 << (bits - 2)) - (1 << (bits - 5)) + (1 << (bits - 2)), 1 << (bits - 6)];
        let [most, longest] = [most, longest].map(|n| b.iconst(ty, n));
        let first = again(kernel, &mut b, &params, &mut made, s.first);
        let bound = again(kernel, &mut b, &params, &mut made, s.bound);
        let step = again(kernel, &mut b, &params, &mut made, s.step);
        let step = b.binary(Opcode::Sub, step, one);
        for (v, limit) in [(first, most), (bound, most), (step, longest)] {
            let fits = b.icmp(IntCC::Ult, v, limit);
            all = Some(all.map_or(fits, |before| b.binary(Opcode::And, before, fits)));
        }
    }
    let fits = all.unwrap_or_else(|| b.iconst(Type::I1, 1));
    b.br(fits, (ways[0], &params), (ways[1], &params));
    out
}
