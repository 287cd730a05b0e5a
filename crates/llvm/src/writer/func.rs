//! One function: its blocks in an order in which definitions come before uses, phis, calls and terminators.

use super::consecutive::Begins;
use super::lanes::Lanes;
use super::ll::{Bb, Func, Ll, Val};
use super::pieces::{Crowded, Pieces};
use super::{Cx, reach};
use crate::LlvmError;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::{
    Block, ConstKind, Flags, FnKind, FuncId, Function, Inst, Intrinsic, Opcode, Payload, ScalarKind, Type, Value,
    ValueDef,
};

/// What is known while a function is written.
pub(super) struct FuncGen<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) ll: &'a Ll<'a>,
    pub(super) f: &'a Function,
    func: Func,
    id: FuncId,
    pub(super) is_entry: bool,
    /// Whether something is assumed, so that even of arguments something is known; asked where dividends are hidden only.
    pub(super) assumes: bool,
    /// Holds stack memory and nothing else; jumps to the first block when all is written.
    prologue: Bb,
    pub(super) values: SecondaryMap<Value, Option<Val>>,
    blocks: SecondaryMap<Block, Option<Bb>>,
    slots: Vec<Val>,
    /// Where a trap leaves its code.
    trap_word: Option<Val>,
    /// Memory that masked-off lanes may read and write.
    dummy: Option<Val>,
    pub(super) lanes: Lanes,
    pub(super) begins: Begins,
    /// Values for the phis of a block, with the block that they come from.
    incoming: Vec<(Val, Value, Bb)>,
    /// The last branch that led to a block with parameters.
    led_by: SecondaryMap<Block, PackedOption<Inst>>,
    /// Blocks that many edges lead to.
    pub(super) crowded: Crowded,
    /// Where the pieces of long blocks seem to lead, beside the next piece; how many there are.
    pub(super) nowhere: Option<Bb>,
    pub(super) pieces: u64,
}

/// Writes the body of a function.
pub(super) fn emit(cx: &Cx<'_>, id: FuncId) -> Result<(), LlvmError> {
    let f = &cx.module.functions[id];
    let func = cx.funcs[&id];
    if let Some(debug) = &cx.debug {
        debug.enter(cx.ll, func, f);
    }
    let mut gen_ = FuncGen {
        cx,
        ll: cx.ll,
        f,
        func,
        id,
        is_entry: cx.reach.is_entry(id),
        assumes: cx.target.hide().is_some()
            && f.layout.blocks().any(|b| f.layout.insts(b).any(|i| f.dfg.op(i) == Opcode::Assume)),
        prologue: cx.ll.block(func),
        values: SecondaryMap::new(),
        blocks: SecondaryMap::new(),
        slots: Vec::new(),
        trap_word: None,
        dummy: None,
        lanes: Lanes::new(f),
        begins: Begins::new(f),
        incoming: Vec::new(),
        led_by: SecondaryMap::new(),
        crowded: Crowded::new(f, cx.target.is_quick(f)),
        nowhere: None,
        pieces: 0,
    };
    gen_.prologue(id);
    let order = reverse_post_order(f);
    gen_.make_blocks(&order);
    for &b in &order {
        gen_.block(b)?;
    }
    gen_.finish();
    if let Some(debug) = &cx.debug {
        debug.leave(cx.ll);
    }
    Ok(())
}

/// Blocks that are reached, each before those that it dominates.
fn reverse_post_order(f: &Function) -> Vec<Block> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut post = Vec::new();
    let mut stack = vec![(f.layout.entry(), 0)];
    seen[f.layout.entry()] = true;
    while let Some((b, n)) = stack.pop() {
        let t = f.layout.terminator(b);
        if n < f.dfg.successor_count(t) {
            stack.push((b, n + 1));
            let s = f.dfg.successor(t, n);
            if !std::mem::replace(&mut seen[s], true) {
                stack.push((s, 0));
            }
        } else {
            post.push(b);
        }
    }
    post.reverse();
    post
}

impl FuncGen<'_> {
    // ---- around the body --------------------------------------------------------------------------------------------

    /// Parameters, stack slots, the place for traps.
    fn prologue(&mut self, id: FuncId) {
        let ll = self.ll;
        ll.at_end(self.prologue);
        let entry = self.f.layout.entry();
        for (n, &v) in self.f.dfg.params(entry).iter().enumerate() {
            let (passed, ty) = (ll.param(self.func, n as u32), self.cx.ty(self.f.dfg.ty(v)));
            let other = ll.type_of(passed) != ty;
            self.values[v] = Some(if other { ll.addrspacecast(passed, ty) } else { passed });
        }
        if let Some(word) = self.cx.target.trap_word().filter(|_| self.cx.reach.traps(id)) {
            self.trap_word = Some(if self.cx.reach.is_entry(id) {
                let at = ll.iconst(64, 1, word.offset);
                ll.offset(ll.param(self.func, word.parameter), at, true)
            } else {
                ll.param(self.func, self.f.params.len() as u32)
            });
        }
        if self.f.kind == FnKind::Device && !self.cx.reach.is_entry(id) {
            self.copy_aggregates(entry);
        }
        for s in self.f.slots.values() {
            let size = u64::from(s.size.max(1));
            let slot = ll.alloca(ll.bytes(size + self.cx.target.spare(size)), s.align.max(1));
            self.slots.push(slot);
        }
    }

    /// Parameters passed by value are copies of the callee's.
    fn copy_aggregates(&mut self, entry: Block) {
        let ll = self.ll;
        for (n, p) in self.f.params.iter().enumerate() {
            let Some(size) = p.attrs.byval else { continue };
            let v = self.f.dfg.params(entry)[n];
            let copy = ll.alloca(ll.bytes(size.max(1).into()), p.attrs.align.max(16));
            if let Some(from) = self.values[v] {
                ll.memcpy(copy, from, ll.iconst(64, 1, size.into()), p.attrs.align.max(1));
            }
            self.values[v] = Some(copy);
        }
    }

    /// Memory on the stack that lives as long as the activation.
    pub(super) fn stack_memory(&mut self, bytes: u64, align: u32) -> Val {
        let here = self.ll.current();
        self.ll.at_end(self.prologue);
        let v = self.ll.alloca(self.ll.bytes(bytes), align);
        self.ll.at_end(here);
        v
    }

    /// Memory that masked-off lanes may read and write.
    pub(super) fn dummy(&mut self) -> Val {
        if let Some(v) = self.dummy {
            return v;
        }
        let v = self.stack_memory(16, 16);
        let here = self.ll.current();
        self.ll.at_end(self.prologue);
        self.ll.store(v, self.ll.zero(self.ll.bytes(16)), 16);
        self.ll.at_end(here);
        self.dummy = Some(v);
        v
    }

    fn make_blocks(&mut self, order: &[Block]) {
        for &b in order {
            let bb = self.ll.block(self.func);
            self.blocks[b] = Some(bb);
            if b == self.f.layout.entry() {
                continue;
            }
            self.ll.at_end(bb);
            for &p in self.f.dfg.params(b) {
                self.values[p] = Some(self.ll.phi(self.cx.ty(self.f.dfg.ty(p))));
            }
        }
    }

    /// The phis' values and the jump out of the prologue.
    fn finish(&mut self) {
        for (phi, v, from) in std::mem::take(&mut self.incoming) {
            let v = self.value(v);
            self.ll.add_incoming(phi, v, from);
        }
        self.ll.set_location(std::ptr::null_mut());
        self.ll.at_end(self.prologue);
        self.look_at_the_stack();
        self.ll.jump(self.target(self.f.layout.entry()));
    }

    /// Ends the kernel if functions that call themselves have come too far down the stack.
    fn look_at_the_stack(&mut self) {
        let ll = self.ll;
        let Some(taken_here) = self.cx.reach.recursive(self.id) else { return };
        let Some((word, limit)) = self.trap_word.zip(self.cx.target.recursion()) else { return };
        let left = limit.bytes.saturating_sub(taken_here);
        let here = ll.intrinsic("llvm.frameaddress", &[ll.ptr(0, 1)], &[ll.iconst(32, 1, 0)]);
        let int = ll.int(64, 1);
        let taken = ll.sub(ll.ptrtoint(word, int), ll.ptrtoint(here, int));
        let too_far = ll.icmp(super::ll::Ipred::LLVMIntUGT, taken, ll.iconst(64, 1, left));
        let (stop, go_on) = (self.new_block(), self.new_block());
        ll.branch_unlikely(too_far, stop, go_on);
        ll.at_end(stop);
        ll.store(word, ll.iconst(32, 1, limit.code.into()), 4);
        self.leave();
        ll.at_end(go_on);
    }

    /// The LLVM block of a reached block.
    pub(super) fn target(&self, b: Block) -> Bb {
        self.blocks[b].unwrap_or(self.prologue)
    }

    /// A new block of the function.
    pub(super) fn new_block(&self) -> Bb {
        self.ll.block(self.func)
    }

    // ---- values -----------------------------------------------------------------------------------------------------

    /// LLVM's value for an operand.
    pub(super) fn value(&self, v: Value) -> Val {
        let v = self.f.dfg.resolve(v);
        match self.f.dfg.values[v].def {
            ValueDef::Const(c) => self.constant(self.f.dfg.ty(v), c),
            // Definitions come first in the order in which blocks are written, except in code that is not reached.
            _ => self.values[v].unwrap_or_else(|| self.ll.zero(self.cx.ty(self.f.dfg.ty(v)))),
        }
    }

    fn constant(&self, ty: Type, c: ConstKind) -> Val {
        let ll = self.ll;
        let n = u32::from(ty.lanes());
        match c {
            ConstKind::Bits(b) if ty.is_ptr() && b == 0 => {
                let space = ty.space().unwrap_or(ir::AddrSpace::Generic);
                if self.cx.target.null_is_zero(space) {
                    return ll.zero(self.cx.ty(ty));
                }
                let generic = ll.zero(ll.ptr(self.cx.target.space(ir::AddrSpace::Generic), 1));
                self.splat_if_vector(ll.addrspacecast(generic, self.cx.ty(ty.scalar())), n)
            }
            ConstKind::Bits(b) if ty.is_ptr() => ll.inttoptr(ll.iconst(64, n, b), self.cx.ty(ty)),
            ConstKind::Bits(b) => {
                let bits = ll.iconst(ty.bits(), n, b);
                match ty.kind() {
                    ScalarKind::F32 | ScalarKind::F64 => ll.const_bitcast(bits, self.cx.ty(ty)),
                    _ => bits,
                }
            }
            // LLVM's `undef` is on its way out, and what combines instructions takes it for `poison` in places: a lane
            // that is off, compared and masked away, was on. Zero costs nothing where lanes load and hardly elsewhere.
            ConstKind::Undef => ll.zero(self.cx.ty(ty)),
            ConstKind::Global(g) => self.splat_if_vector(self.cx.globals[&g], n),
            ConstKind::Slot(s) => self.splat_if_vector(self.slots[s.as_u32() as usize], n),
        }
    }

    fn splat_if_vector(&self, v: Val, lanes: u32) -> Val {
        if lanes == 1 { v } else { self.ll.splat(v, lanes) }
    }

    /// Operand `n` of an instruction.
    pub(super) fn arg(&self, inst: Inst, n: usize) -> Val {
        self.value(self.f.dfg.arg(inst, n))
    }

    /// The IR type of operand `n`.
    pub(super) fn arg_ty(&self, inst: Inst, n: usize) -> Type {
        self.f.dfg.ty(self.f.dfg.arg(inst, n))
    }

    /// An error at an instruction.
    pub(super) fn unsupported(&self, inst: Inst, what: impl Into<String>, help: impl Into<String>) -> LlvmError {
        LlvmError::unsupported(what, self.f.dfg.span(inst), help)
    }

    // ---- instructions -----------------------------------------------------------------------------------------------

    fn block(&mut self, b: Block) -> Result<(), LlvmError> {
        self.ll.at_end(self.target(b));
        for &p in self.f.dfg.params(b) {
            if let Some(v) = self.values[p] {
                self.keep_lanes(p, v);
            }
        }
        let mut pieces = Pieces::new(self.f, b);
        for i in self.f.layout.insts(b) {
            if let Some(debug) = &self.cx.debug {
                debug.at(self.ll, self.f.dfg.span(i));
            }
            if pieces.ends_before(self.f, i) {
                self.next_piece(i);
            }
            if self.f.dfg.op(i).is_terminator() {
                self.terminator(i);
            } else if reach::is_trap(self.f, i) {
                // The rest of the block is never reached.
                self.trap();
                return Ok(());
            } else if self.is_entry && self.cx.target.returns_to_exit() && reach::is(self.f, i, Intrinsic::Exit) {
                self.ll.ret(None);
                return Ok(());
            } else {
                let v = self.inst(i)?;
                if let Some(result) = self.f.dfg.result(i) {
                    self.values[result] = v;
                    if let Some(v) = v {
                        self.keep_lanes(result, v);
                    }
                }
            }
        }
        Ok(())
    }

    fn inst(&mut self, i: Inst) -> Result<Option<Val>, LlvmError> {
        use Opcode::*;
        let data = &self.f.dfg.insts[i];
        Ok(Some(match data.op {
            Add | Sub | Mul | MulHiS | MulHiU | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr
            | SMin | SMax | UMin | UMax | Abs | Clz | Ctz | Popcnt | BitRev | ByteSwap | Fshl | Fshr | Icmp => {
                self.integer(i)
            }
            FRem if !self.cx.target.has_remainder() => {
                return Err(self.unsupported(i, "a remainder of floating-point numbers", "call `fmod`"));
            }
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopysign | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil
            | FTrunc | FRint | Fcmp => self.floating(i),
            Select => self.ll.select(self.arg(i, 0), self.arg(i, 1), self.arg(i, 2)),
            Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp | Bitcast | PtrToInt
            | IntToPtr | AddrSpaceCast => self.cast(i),
            PtrAdd => {
                let inbounds = data.flags.has(Flags::INBOUNDS);
                self.ll.offset(self.arg(i, 0), self.arg(i, 1), inbounds)
            }
            Load | Store | MemCpy | MemSet | MaskedLoad | MaskedStore | Gather | Scatter => {
                return Ok(self.memory(i));
            }
            AtomicRmw | AtomicCas | Fence => return self.atomic(i),
            VecBuild | Extract | Insert | ExtractDyn | InsertDyn | Splat | Iota | AnyLane | AllLanes | Permute
            | Shuffle => self.vector(i),
            Call => return Ok(self.call(i)),
            Intrinsic => return self.intrinsic(i),
            Special => return self.special(i).map(Some),
            InlineAsm => {
                return Err(self.unsupported(
                    i,
                    "this inline assembly",
                    "write it in C, or in PTX (constraints `h`, `r`, `l`, `f`, `d`), e.g. under `#ifdef`",
                ));
            }
            Assume => {
                self.ll.intrinsic("llvm.assume", &[], &[self.arg(i, 0)]);
                return Ok(None);
            }
            // What the optimiser did not prove by now is not provable.
            Provable => self.ll.iconst(1, 1, 0),
            Jump | Br | Switch | Return | Unreachable => return Ok(None),
        }))
    }

    // ---- calls and traps --------------------------------------------------------------------------------------------

    fn call(&mut self, i: Inst) -> Option<Val> {
        let callee = self.f.dfg.insts[i].callee()?;
        let mut args: Vec<Val> = self.f.dfg.args(i).iter().map(|&v| self.value(v)).collect();
        let declared = &self.cx.module.functions[callee];
        if let Some(name) = self.cx.target.heap_function(&declared.name).filter(|_| declared.is_heap_function()) {
            let params: Vec<_> = declared.params.iter().map(|p| self.cx.ty(p.ty)).collect();
            let signature = self.ll.function_type(self.cx.ty(declared.ret), &params);
            return Some(self.ll.call(self.ll.function(name, signature), &args));
        }
        let traps = self.cx.reach.traps(callee);
        args.extend(self.trap_word.filter(|_| traps));
        let result = self.ll.call(self.cx.funcs[&callee], &args);
        if let (true, Some(word)) = (traps, self.trap_word) {
            let code = self.ll.load(self.ll.int(32, 1), word, 4);
            let (stop, go_on) = (self.new_block(), self.new_block());
            let trapped = self.ll.icmp(super::ll::Ipred::LLVMIntNE, code, self.ll.iconst(32, 1, 0));
            self.ll.branch(trapped, stop, go_on);
            self.ll.at_end(stop);
            self.leave();
            self.ll.at_end(go_on);
        }
        Some(result)
    }

    /// Returns whatever value.
    pub(super) fn leave(&self) {
        let ret = self.f.ret;
        self.ll.ret((!ret.is_void()).then(|| self.ll.zero(self.cx.ty(ret))));
    }

    fn trap(&mut self) {
        let Some(word) = self.cx.target.trap_word() else {
            self.ll.intrinsic("llvm.trap", &[], &[]);
            return self.ll.unreachable();
        };
        if let Some(at) = self.trap_word {
            self.ll.store(at, self.ll.iconst(32, 1, word.code.into()), 4);
        }
        self.leave();
    }

    // ---- terminators ------------------------------------------------------------------------------------------------

    fn terminator(&mut self, i: Inst) {
        match &self.f.dfg.insts[i].payload {
            Payload::Jump(..) => {
                let to = self.edge(i, 0);
                let t = self.ll.jump(to);
                self.loop_metadata(i, t);
            }
            Payload::Br(..) => {
                let (yes, no) = (self.edge(i, 0), self.edge(i, 1));
                let t = self.ll.branch(self.arg(i, 0), yes, no);
                self.loop_metadata(i, t);
            }
            Payload::Switch(s) => {
                let table = &self.f.dfg.switches[*s];
                let bits = self.arg_ty(i, 0).bits();
                let cases: Vec<_> = table
                    .cases
                    .iter()
                    .enumerate()
                    .map(|(n, (value, _))| (self.ll.iconst(bits, 1, *value), self.edge(i, n)))
                    .collect();
                let default = self.edge(i, table.cases.len());
                self.ll.switch(self.arg(i, 0), default, &cases);
            }
            _ if self.f.dfg.op(i) == Opcode::Unreachable => self.ll.unreachable(),
            _ => {
                let v = self.f.dfg.args(i).first().map(|&v| self.value(v));
                self.ll.ret(v);
            }
        }
    }

    /// Where successor `n` leads, which is asked in order, with the phis' values noted. Edges beyond the first to a block
    /// with parameters get a block of their own, since LLVM's phis have one value per predecessor.
    fn edge(&mut self, i: Inst, n: usize) -> Bb {
        let dfg = &self.f.dfg;
        let to = dfg.successor(i, n);
        if dfg.params(to).is_empty() {
            return self.target(to);
        }
        let (target, phis) = self.landing(to);
        let mut from = self.ll.current();
        let again = n > 0 && self.led_by[to].expand() == Some(i);
        self.led_by[to] = i.into();
        if again {
            let here = from;
            from = self.new_block();
            self.ll.at_end(from);
            self.ll.jump(target);
            self.ll.at_end(here);
        }
        self.incoming.extend(phis.iter().zip(dfg.branch_args(i, n)).map(|(&phi, &v)| (phi, v, from)));
        if again { from } else { target }
    }
}
