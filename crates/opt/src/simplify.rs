//! Algebraic simplification: replaces each instruction by an equal but cheaper or more regular one.
//!
//! Walks the reachable blocks once in reverse post-order, so that an instruction sees its operands already simplified,
//! and applies rules to it until none fits. The rules stand in one file per family of opcodes under `simplify/`;
//! what they make regular (the *canonical form*) other passes rely on:
//!
//! * constants stand on the right; `x - c` is `x + -c`; multiplications and unsigned divisions by powers of two are
//!   shifts, unsigned remainders are masks;
//! * constant offsets stand outermost in address arithmetic: `(p + x) + c`, and `sext(i + c)` is `sext(i) + c` where
//!   nothing wraps;
//! * comparisons with constants are strict; negations are pushed into comparisons and branches;
//! * minima, maxima and rotations are single operations.
//!
//! What must hold: nothing beyond verified IR. Dead instructions met on the way go. No block is added or removed;
//! edges go when a branch becomes unconditional.
//!
//! Limits: [`MAX_STEPS`] rules per instruction, [`MAX_DEPTH`] levels of instructions made by rules of instructions
//! made by rules, so that no pair of rules that undo each other can hang.
//!
//! Cost: linear; one use-count table.

mod cast;
mod cmp;
mod division;
mod float;
mod int;
mod logic;
mod memory;
mod select;
mod vector;

pub(crate) use cmp::{decide as decide_unsigned, unsigned as unsigned_cc};

use crate::PassContext;
use crate::known::{Known, Range};
use analysis::{Cfg, DomTree, fold};
use cranelift_entity::SecondaryMap;
use ir::{Flags, FloatCC, Function, Inst, IntCC, Module, Opcode, Payload, Round, SpecialReg, Type, Value};
use smallvec::SmallVec;
use target::Target;

/// Most rules applied to one instruction in one visit.
const MAX_STEPS: u32 = 12;
/// Deepest nesting of instructions made while simplifying instructions just made.
const MAX_DEPTH: u32 = 4;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    let mut s = Simplifier::new(func, &cfg, cx.module, cx.options.target);
    for &block in cfg.rpo() {
        s.block(block);
    }
    if !s.branches {
        cx.keep_graph();
    }
    s.finish()
}

/// What a rule found.
pub(crate) enum Step {
    /// The instruction's result is this value.
    Value(Value),
    /// The instruction was changed in place.
    Changed,
    /// The instruction has no result and nothing to do.
    Remove,
}

type Found = Option<Step>;

pub(crate) struct Simplifier<'a> {
    func: &'a mut Function,
    cfg: &'a Cfg,
    /// Computed when a branch with loop metadata loses a target.
    dom: Option<DomTree>,
    module: &'a Module,
    target: Target,
    uses: SecondaryMap<Value, u32>,
    /// The instruction before which new ones go.
    at: Inst,
    depth: u32,
    changed: bool,
    /// Some branch leads elsewhere, or its successors are in another order.
    branches: bool,
    aliased: bool,
}

impl<'a> Simplifier<'a> {
    fn new(func: &'a mut Function, cfg: &'a Cfg, module: &'a Module, target: Target) -> Self {
        let mut uses = ir::side_table(func.dfg.values.len());
        let mut at = None;
        for b in func.layout.blocks() {
            for i in func.layout.insts(b) {
                at = at.or(Some(i));
                func.dfg.for_each_use(i, |v| uses[v] += 1);
            }
        }
        let at = at.expect("function without instructions");
        Self {
            func,
            cfg,
            dom: None,
            module,
            target,
            uses,
            at,
            depth: 0,
            changed: false,
            branches: false,
            aliased: false,
        }
    }

    fn finish(self) -> bool {
        // The walk has met every use after its definition, and resolved it - where it comes at all.
        if self.aliased && self.cfg.has_unreachable() {
            self.func.resolve_aliases();
        }
        self.changed
    }

    fn block(&mut self, block: ir::Block) {
        let mut next = self.func.layout.first_inst(block);
        while let Some(inst) = next {
            next = self.func.layout.next_inst(inst);
            self.visit(inst);
        }
    }

    /// Applies rules to one instruction until none fits.
    fn visit(&mut self, inst: Inst) {
        if self.aliased {
            self.func.dfg.resolve_inst(inst);
        }
        if self.is_dead(inst) {
            self.remove(inst);
            return;
        }
        for _ in 0..MAX_STEPS {
            self.at = inst;
            match self.step(inst) {
                None => return,
                Some(Step::Changed) => self.changed = true,
                Some(Step::Remove) => return self.remove(inst),
                Some(Step::Value(v)) => return self.replace(inst, v),
            }
        }
    }

    fn is_dead(&self, inst: Inst) -> bool {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[inst];
        !data.has_side_effects() && data.op != Opcode::Provable && dfg.result(inst).is_some_and(|v| self.uses[v] == 0)
    }

    fn replace(&mut self, inst: Inst, v: Value) {
        let old = self.func.dfg.res(inst);
        let v = self.func.dfg.resolve(v);
        if v == old {
            return;
        }
        self.uses[v] += std::mem::take(&mut self.uses[old]);
        self.func.dfg.replace_value(old, v);
        self.aliased = true;
        self.remove(inst);
    }

    /// Takes an instruction out, and what only it used.
    fn remove(&mut self, inst: Inst) {
        self.changed = true;
        let mut work: SmallVec<[Inst; 8]> = SmallVec::new();
        work.push(inst);
        while let Some(i) = work.pop() {
            self.func.layout.remove_inst(i);
            let mut used: SmallVec<[Value; 8]> = SmallVec::new();
            self.func.dfg.for_each_use(i, |v| used.push(v));
            for v in used {
                self.drop_use(v, &mut work);
            }
        }
    }

    fn drop_use(&mut self, v: Value, dead: &mut SmallVec<[Inst; 8]>) {
        let v = self.func.dfg.resolve(v);
        self.uses[v] = self.uses[v].saturating_sub(1);
        if self.uses[v] == 0
            && let Some(d) = self.func.dfg.def_inst(v)
            && d != self.at
            && self.func.layout.inst_block(d).is_some()
            && self.is_dead(d)
        {
            dead.push(d);
        }
    }

    // ---- what rules are written with ------------------------------------------------------------------------------

    /// The operand `n`.
    fn arg(&self, inst: Inst, n: usize) -> Value {
        self.func.dfg.resolve(self.func.dfg.arg(inst, n))
    }

    fn ty(&self, v: Value) -> Type {
        self.func.dfg.ty(v)
    }

    fn flags(&self, inst: Inst) -> Flags {
        self.func.dfg.insts[inst].flags
    }

    /// The bits of a numeric constant.
    fn c(&self, v: Value) -> Option<u64> {
        self.func.dfg.as_bits(v)
    }

    fn is_zero(&self, v: Value) -> bool {
        self.c(v) == Some(0)
    }

    fn is_ones(&self, v: Value) -> bool {
        self.c(v) == Some(self.ty(v).mask())
    }

    /// The two operands and flags of `v` if it is computed by `op`.
    fn bin(&self, v: Value, op: Opcode) -> Option<(Value, Value, Flags)> {
        let i = self.func.dfg.def_op(v, op)?;
        Some((self.arg(i, 0), self.arg(i, 1), self.flags(i)))
    }

    /// The two operands and flags of `v` if it is computed by `op` and the second one is a constant.
    fn bin_c(&self, v: Value, op: Opcode) -> Option<(Value, u64, Flags)> {
        let (a, b, f) = self.bin(v, op)?;
        Some((a, self.c(b)?, f))
    }

    /// The operand of `v` if it is computed by the one-operand `op`.
    fn un(&self, v: Value, op: Opcode) -> Option<Value> {
        self.func.dfg.def_op(v, op).map(|i| self.arg(i, 0))
    }

    fn icmp_of(&self, v: Value) -> Option<(IntCC, Value, Value)> {
        let i = self.func.dfg.def_op(v, Opcode::Icmp)?;
        Some((self.func.dfg.insts[i].int_cc()?, self.arg(i, 0), self.arg(i, 1)))
    }

    fn fcmp_of(&self, v: Value) -> Option<(FloatCC, Value, Value, Flags)> {
        let i = self.func.dfg.def_op(v, Opcode::Fcmp)?;
        Some((self.func.dfg.insts[i].float_cc()?, self.arg(i, 0), self.arg(i, 1), self.flags(i)))
    }

    /// `x` if `v` is `x ^ -1`.
    fn not_of(&self, v: Value) -> Option<Value> {
        let (x, m, _) = self.bin(v, Opcode::Xor)?;
        self.is_ones(m).then_some(x)
    }

    /// `x` if `v` is `0 - x`.
    fn neg_of(&self, v: Value) -> Option<Value> {
        let (z, x, _) = self.bin(v, Opcode::Sub)?;
        self.is_zero(z).then_some(x)
    }

    fn one_use(&self, v: Value) -> bool {
        self.uses[v] == 1
    }

    fn bits(&mut self, ty: Type, bits: u64) -> Value {
        self.func.dfg.bits(ty, bits)
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.func.dfg.bits(ty, 0)
    }

    fn known(&self) -> Known<'_> {
        Known::new(self.func, self.target)
    }

    fn range(&self, v: Value) -> Range {
        self.known().range(v)
    }

    fn known_zeros(&self, v: Value) -> u64 {
        self.known().bits(v).zeros
    }

    /// Whether the sign bit is known to be clear.
    fn nonneg(&self, v: Value) -> bool {
        let sign = self.ty(v).mask() >> 1;
        self.range(v).hi <= sign
    }

    /// Makes an instruction before the current one, simplified.
    fn make(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Value {
        if let Some(v) = self.fold_new(op, ty, flags, args, &payload) {
            return v;
        }
        let inst = self.func.dfg.make_inst(op, ty, flags, args, payload);
        let span = self.func.dfg.span(self.at);
        self.func.dfg.set_span(inst, span);
        self.func.layout.insert_inst_before(inst, self.at);
        for &v in args {
            self.uses[v] += 1;
        }
        let v = self.func.dfg.res(inst);
        if self.depth < MAX_DEPTH {
            let at = self.at;
            self.depth += 1;
            // It has no use yet but will get one: what its rules drop must not include itself.
            self.uses[v] += 1;
            self.visit(inst);
            let now = self.func.dfg.resolve(v);
            self.uses[now] = self.uses[now].saturating_sub(1);
            self.depth -= 1;
            self.at = at;
            return now;
        }
        v
    }

    fn fold_new(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: &Payload) -> Option<Value> {
        if matches!(op, Opcode::Select | Opcode::Extract | Opcode::VecBuild | Opcode::Load) || args.is_empty() {
            return None;
        }
        let mut operands: SmallVec<[u64; 4]> = SmallVec::new();
        for &v in args {
            operands.push(self.c(v)?);
        }
        let bits = fold::fold(op, flags, payload, ty, self.ty(args[0]), &operands)?;
        Some(self.bits(ty, bits))
    }

    /// Makes a two-operand instruction of the operands' type.
    fn op2(&mut self, op: Opcode, flags: Flags, a: Value, b: Value) -> Value {
        self.make(op, self.ty(a), flags, &[a, b], Payload::None)
    }

    /// Makes a two-operand instruction with a constant on the right.
    fn op2c(&mut self, op: Opcode, flags: Flags, a: Value, b: u64) -> Value {
        let b = self.bits(self.ty(a), b);
        self.op2(op, flags, a, b)
    }

    fn cast(&mut self, op: Opcode, v: Value, ty: Type) -> Value {
        if self.ty(v) == ty {
            return v;
        }
        self.make(op, ty, Flags::NONE, &[v], Payload::None)
    }

    fn not(&mut self, v: Value) -> Value {
        let m = self.ty(v).mask();
        self.op2c(Opcode::Xor, Flags::NONE, v, m)
    }

    fn bool_const(&mut self, inst: Inst, b: bool) -> Found {
        let ty = self.func.dfg.insts[inst].ty;
        Some(Step::Value(self.bits(ty, u64::from(b))))
    }

    fn const_step(&mut self, inst: Inst, bits: u64) -> Found {
        let ty = self.func.dfg.insts[inst].ty;
        Some(Step::Value(self.bits(ty, bits)))
    }

    /// Puts another operation into the current instruction.
    fn rewrite(&mut self, inst: Inst, op: Opcode, flags: Flags, args: &[Value], payload: Payload) -> Found {
        for &v in args {
            self.uses[v] += 1;
        }
        let old: SmallVec<[Value; 4]> = self.func.dfg.args(inst).into();
        self.func.dfg.rewrite(inst, op, flags, args, payload);
        self.release(&old);
        Some(Step::Changed)
    }

    fn rewrite2(&mut self, inst: Inst, op: Opcode, flags: Flags, a: Value, b: Value) -> Found {
        self.rewrite(inst, op, flags, &[a, b], Payload::None)
    }

    fn rewrite2c(&mut self, inst: Inst, op: Opcode, flags: Flags, a: Value, b: u64) -> Found {
        let b = self.bits(self.ty(a), b);
        self.rewrite2(inst, op, flags, a, b)
    }

    fn rewrite_icmp(&mut self, inst: Inst, cc: IntCC, a: Value, b: Value) -> Found {
        self.rewrite(inst, Opcode::Icmp, Flags::NONE, &[a, b], Payload::IntCC(cc))
    }

    fn release(&mut self, old: &[Value]) {
        let mut dead: SmallVec<[Inst; 8]> = SmallVec::new();
        for &v in old {
            self.drop_use(v, &mut dead);
        }
        for d in dead {
            if self.func.layout.inst_block(d).is_some() {
                self.remove(d);
            }
        }
    }

    // ---- dispatch -------------------------------------------------------------------------------------------------

    fn step(&mut self, inst: Inst) -> Found {
        use Opcode::*;
        // Nothing folds whose first operand is unknown, and that is nearly everything.
        let dfg = &self.func.dfg;
        if dfg.args(inst).first().is_some_and(|&v| dfg.as_const(v).is_some())
            && let Some(c) = fold::fold_inst(dfg, inst, |v| dfg.as_const(v))
        {
            let ty = self.func.dfg.insts[inst].ty;
            return Some(Step::Value(self.func.dfg.constant(ty, c)));
        }
        if let Some(step) = self.constants_right(inst) {
            return Some(step);
        }
        match self.func.dfg.op(inst) {
            Add => self.add(inst),
            Sub => self.sub(inst),
            Mul => self.mul(inst),
            MulHiS | MulHiU => self.mul_high(inst),
            SDiv | UDiv => self.div(inst),
            SRem | URem => self.rem(inst),
            And => self.and(inst),
            Or => self.or(inst),
            Xor => self.xor(inst),
            Shl => self.shl(inst),
            LShr | AShr => self.shr(inst),
            SMin | SMax | UMin | UMax => self.minmax(inst),
            Abs => self.abs(inst),
            Fshl | Fshr => self.funnel(inst),
            FAdd | FSub => self.fadd(inst),
            FMul => self.fmul(inst),
            FDiv => self.fdiv(inst),
            Fma => self.fma(inst),
            FNeg => self.fneg(inst),
            FAbs => self.fabs(inst),
            FMin | FMax => self.fminmax(inst),
            FFloor | FCeil | FTrunc | FRint => self.round(inst),
            Icmp => self.icmp_rules(inst),
            Fcmp => self.fcmp_rules(inst),
            Select => self.select(inst),
            Trunc => self.trunc(inst),
            ZExt | SExt => self.extend(inst),
            FpTrunc => self.fptrunc(inst),
            FpExt => self.fpext(inst),
            FpToSi | FpToUi => self.float_to_int(inst),
            SiToFp | UiToFp => self.int_to_float(inst),
            Bitcast => self.bitcast(inst),
            PtrToInt | IntToPtr | AddrSpaceCast => self.pointer_cast(inst),
            PtrAdd => self.ptradd(inst),
            Load => self.load(inst),
            Store => self.better_alignment(inst, 0),
            MemCpy | MemSet => self.block_memory(inst),
            VecBuild => self.vec_build(inst),
            Extract => self.extract(inst),
            Insert => self.insert(inst),
            ExtractDyn | InsertDyn => self.dynamic_lane(inst),
            Shuffle => self.shuffle(inst),
            Special => self.special(inst),
            Intrinsic => self.intrinsic(inst),
            Assume => (self.c(self.arg(inst, 0)) == Some(1)).then_some(Step::Remove),
            Br => self.br(inst),
            Switch => self.switch(inst),
            _ => None,
        }
    }

    fn constants_right(&mut self, inst: Inst) -> Found {
        let data = &self.func.dfg.insts[inst];
        let commutes = data.op.is_commutative() || matches!(data.op, Opcode::Icmp | Opcode::Fcmp | Opcode::Fma);
        if !commutes {
            return None;
        }
        let args = self.func.dfg.args(inst);
        let is_const = |v| self.func.dfg.as_const(v).is_some();
        if !is_const(args[0]) || is_const(args[1]) {
            return None;
        }
        let data = &mut self.func.dfg.insts[inst];
        match &mut data.payload {
            Payload::IntCC(cc) => *cc = cc.swapped(),
            Payload::FloatCC(cc) => *cc = cc.swapped(),
            _ => {}
        }
        self.func.dfg.args_mut(inst).swap(0, 1);
        Some(Step::Changed)
    }

    /// Whether the rounding mode is the default one.
    fn rounds_to_nearest(&self, inst: Inst) -> bool {
        self.func.dfg.insts[inst].round().is_none_or(|r| r == Round::NearestEven)
    }

    fn special(&mut self, inst: Inst) -> Found {
        use SpecialReg::*;
        let reg = self.func.dfg.insts[inst].special()?;
        let size = self.func.attrs.reqd_work_group_size;
        // A group that may be smaller has at least one work-item.
        let whole = |n: u32| Some(n).filter(|&n| n == 1 || !self.func.attrs.partial_groups);
        let n = match reg {
            NtidX => whole(size?[0])?,
            NtidY => whole(size?[1])?,
            NtidZ => whole(size?[2])?,
            TidX if size?[0] == 1 => 0,
            TidY if size?[1] == 1 => 0,
            TidZ if size?[2] == 1 => 0,
            WarpSize if !self.target.has_late_warp_size() => self.target.warp_size(),
            _ => return None,
        };
        self.const_step(inst, u64::from(n))
    }

    fn intrinsic(&mut self, inst: Inst) -> Found {
        use ir::{AddrSpace, Intrinsic};
        let asked = match self.func.dfg.insts[inst].intrinsic()? {
            Intrinsic::IsGlobal => AddrSpace::Global,
            Intrinsic::IsShared | Intrinsic::IsCluster => AddrSpace::Shared,
            Intrinsic::IsConst => AddrSpace::Constant,
            Intrinsic::IsLocal => AddrSpace::Private,
            Intrinsic::IsParam => AddrSpace::Param,
            _ => return None,
        };
        let p = self.arg(inst, 0);
        let from = self.un(p, Opcode::AddrSpaceCast).map_or(self.ty(p), |q| self.ty(q)).space()?;
        if from == AddrSpace::Generic { None } else { self.bool_const(inst, from == asked) }
    }

    // ---- branches -------------------------------------------------------------------------------------------------

    fn br(&mut self, inst: Inst) -> Found {
        let cond = self.arg(inst, 0);
        if let Some(c) = self.c(cond) {
            return self.branch_to(inst, if c == 1 { 0 } else { 1 });
        }
        let dfg = &self.func.dfg;
        if dfg.successor(inst, 0) == dfg.successor(inst, 1) && dfg.branch_args(inst, 0) == dfg.branch_args(inst, 1) {
            return self.branch_to(inst, 0);
        }
        let x = self.not_of(cond)?;
        self.uses[x] += 1;
        self.func.dfg.args_mut(inst)[0] = x;
        if let Payload::Br(calls, _) = &mut self.func.dfg.insts[inst].payload {
            calls.swap(0, 1);
        }
        self.branches = true;
        self.release(&[cond]);
        Some(Step::Changed)
    }

    fn switch(&mut self, inst: Inst) -> Found {
        let c = self.c(self.arg(inst, 0))?;
        let Payload::Switch(s) = self.func.dfg.insts[inst].payload else { return None };
        let cases = &self.func.dfg.switches[s].cases;
        let n = cases.iter().position(|(n, _)| *n == c).unwrap_or(cases.len());
        self.branch_to(inst, n)
    }

    /// Makes a branch an unconditional jump to its successor `n`.
    fn branch_to(&mut self, inst: Inst, n: usize) -> Found {
        self.branches = true;
        let mut old: SmallVec<[Value; 8]> = SmallVec::new();
        self.func.dfg.for_each_use(inst, |v| old.push(v));
        for &v in self.func.dfg.branch_args(inst, n) {
            self.uses[v] += 1;
        }
        let mut call = self.func.dfg.call(inst, n).clone();
        call.args = call.args.deep_clone(&mut self.func.dfg.pool);
        let md = self.func.dfg.insts[inst].loop_md().filter(|_| self.is_back_edge(inst, call.block));
        self.func.dfg.rewrite(inst, Opcode::Jump, Flags::NONE, &[], Payload::Jump(call, md.into()));
        self.release(&old);
        Some(Step::Changed)
    }

    /// Edges only go in this pass, so that what dominated still does.
    fn is_back_edge(&mut self, from: Inst, to: ir::Block) -> bool {
        let dom = self.dom.get_or_insert_with(|| DomTree::new(self.cfg));
        self.func.layout.inst_block(from).is_some_and(|b| dom.dominates(to, b))
    }
}

#[cfg(test)]
mod tests;
