//! Appends instructions to a block.

use crate::{
    AddrSpace, AtomicOp, Block, BlockCall, Flags, FloatCC, FuncId, Function, Inst, IntCC, Intrinsic, LoopMd, MemInfo,
    MemOrder, Opcode, Payload, Scope, SpecialReg, SwitchData, Type, UNDEF_LANE, Value,
};
use smallvec::SmallVec;
use source::Span;

/// Appends instructions to the end of a block, or before an instruction, with a current source place.
///
/// No folding happens here: what is asked for is what is made. Result types follow from the operands.
pub struct Builder<'f> {
    /// The function being built.
    pub func: &'f mut Function,
    block: Block,
    before: Option<Inst>,
    span: Span,
}

impl<'f> Builder<'f> {
    /// Builds at the end of `block`.
    pub fn at_end(func: &'f mut Function, block: Block) -> Self {
        Self { func, block, before: None, span: Span::NONE }
    }

    /// Builds right before `inst`, with its source place.
    ///
    /// # Panics
    /// If `inst` stands nowhere.
    pub fn before(func: &'f mut Function, inst: Inst) -> Self {
        let block = func.layout.inst_block(inst).expect("instruction stands nowhere");
        let span = func.dfg.span(inst);
        Self { func, block, before: Some(inst), span }
    }

    /// The block that is being built.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Goes on at the end of another block.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
        self.before = None;
    }

    /// Sets the source place of what follows.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// The current source place.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the block has its terminator.
    pub fn is_terminated(&self) -> bool {
        self.func.layout.last_inst(self.block).is_some_and(|i| self.func.dfg.op(i).is_terminator())
    }

    /// Makes any instruction and places it.
    pub fn inst(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Inst {
        let i = self.func.dfg.make_inst(op, ty, flags, args, payload);
        self.func.dfg.set_span(i, self.span);
        match self.before {
            Some(b) => self.func.layout.insert_inst_before(i, b),
            None => self.func.layout.append_inst(i, self.block),
        }
        i
    }

    /// The same, of one with a result.
    ///
    /// # Panics
    /// If it has none.
    pub fn value(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Value {
        let i = self.inst(op, ty, flags, args, payload);
        self.func.dfg.res(i)
    }

    /// Type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.func.dfg.ty(v)
    }

    /// Integer constant.
    pub fn iconst(&mut self, ty: Type, n: i64) -> Value {
        self.func.dfg.iconst(ty, n)
    }

    /// Float constant.
    pub fn fconst(&mut self, ty: Type, x: f64) -> Value {
        self.func.dfg.fconst(ty, x)
    }

    /// `undef`.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.func.dfg.undef(ty)
    }

    /// Operation whose result has the type of its first operand.
    pub fn op(&mut self, op: Opcode, flags: Flags, args: &[Value]) -> Value {
        let ty = self.ty(args[0]);
        self.value(op, ty, flags, args, Payload::None)
    }

    /// Two-operand operation without flags.
    pub fn binary(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.op(op, Flags::NONE, &[a, b])
    }

    /// One-operand operation without flags.
    pub fn unary(&mut self, op: Opcode, a: Value) -> Value {
        self.op(op, Flags::NONE, &[a])
    }

    /// Integer addition.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.binary(Opcode::Add, a, b)
    }

    /// Integer multiplication.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        self.binary(Opcode::Mul, a, b)
    }

    /// Integer comparison.
    pub fn icmp(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let ty = self.ty(a).with_scalar(Type::I1);
        self.value(Opcode::Icmp, ty, Flags::NONE, &[a, b], Payload::IntCC(cc))
    }

    /// Float comparison.
    pub fn fcmp(&mut self, cc: FloatCC, flags: Flags, a: Value, b: Value) -> Value {
        let ty = self.ty(a).with_scalar(Type::I1);
        self.value(Opcode::Fcmp, ty, flags, &[a, b], Payload::FloatCC(cc))
    }

    /// `cond ? a : b`
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.value(Opcode::Select, ty, Flags::NONE, &[cond, a, b], Payload::None)
    }

    /// Conversion to `ty`.
    pub fn cast(&mut self, op: Opcode, v: Value, ty: Type) -> Value {
        self.value(op, ty, Flags::NONE, &[v], Payload::None)
    }

    /// Pointer plus byte offset.
    pub fn ptradd(&mut self, ptr: Value, offset: Value, flags: Flags) -> Value {
        let ty = self.ty(ptr);
        self.value(Opcode::PtrAdd, ty, flags, &[ptr, offset], Payload::None)
    }

    /// Load.
    pub fn load(&mut self, ty: Type, ptr: Value, mem: MemInfo, flags: Flags) -> Value {
        self.value(Opcode::Load, ty, flags, &[ptr], Payload::Mem(mem))
    }

    /// Store.
    pub fn store(&mut self, ptr: Value, v: Value, mem: MemInfo, flags: Flags) -> Inst {
        self.inst(Opcode::Store, Type::VOID, flags, &[ptr, v], Payload::Mem(mem))
    }

    /// Copy of non-overlapping memory.
    pub fn memcpy(&mut self, dst: Value, src: Value, bytes: Value, mem: MemInfo) -> Inst {
        self.inst(Opcode::MemCpy, Type::VOID, Flags::NONE, &[dst, src, bytes], Payload::Mem(mem))
    }

    /// Fill of memory.
    pub fn memset(&mut self, dst: Value, byte: Value, bytes: Value, mem: MemInfo) -> Inst {
        self.inst(Opcode::MemSet, Type::VOID, Flags::NONE, &[dst, byte, bytes], Payload::Mem(mem))
    }

    /// Atomic read-modify-write.
    pub fn atomic_rmw(&mut self, op: AtomicOp, order: MemOrder, scope: Scope, ptr: Value, v: Value) -> Value {
        let ty = self.ty(v);
        self.value(Opcode::AtomicRmw, ty, Flags::NONE, &[ptr, v], Payload::Atomic(op, order, scope))
    }

    /// Atomic compare and swap; the operation in the payload is [`AtomicOp::Xchg`] by convention.
    pub fn atomic_cas(&mut self, order: MemOrder, scope: Scope, ptr: Value, expected: Value, new: Value) -> Value {
        let ty = self.ty(new);
        let payload = Payload::Atomic(AtomicOp::Xchg, order, scope);
        self.value(Opcode::AtomicCas, ty, Flags::NONE, &[ptr, expected, new], payload)
    }

    /// Fence.
    pub fn fence(&mut self, order: MemOrder, scope: Scope) -> Inst {
        self.inst(Opcode::Fence, Type::VOID, Flags::NONE, &[], Payload::Fence(order, scope))
    }

    /// Vector of the given lanes.
    ///
    /// # Panics
    /// If there is no vector type of so many lanes.
    pub fn vec_build(&mut self, lanes: &[Value]) -> Value {
        let ty = self.ty(lanes[0]).vector(lanes.len() as u8).expect("no vector of so many lanes");
        self.value(Opcode::VecBuild, ty, Flags::NONE, lanes, Payload::None)
    }

    /// One lane.
    pub fn extract(&mut self, v: Value, lane: u8) -> Value {
        let ty = self.ty(v).scalar();
        self.value(Opcode::Extract, ty, Flags::NONE, &[v], Payload::Lane(lane))
    }

    /// Vector with one lane replaced.
    pub fn insert(&mut self, v: Value, scalar: Value, lane: u8) -> Value {
        let ty = self.ty(v);
        self.value(Opcode::Insert, ty, Flags::NONE, &[v, scalar], Payload::Lane(lane))
    }

    /// Lanes picked from two vectors; `lanes` as in [`Payload::Shuffle`].
    ///
    /// # Panics
    /// If there is no vector type of so many lanes.
    pub fn shuffle(&mut self, a: Value, b: Value, lanes: &[u8]) -> Value {
        let ty = self.ty(a).scalar().vector(lanes.len() as u8).expect("no vector of so many lanes");
        let mut mask = [UNDEF_LANE; 16];
        mask[..lanes.len()].copy_from_slice(lanes);
        self.value(Opcode::Shuffle, ty, Flags::NONE, &[a, b], Payload::Shuffle(mask))
    }

    /// Call.
    pub fn call(&mut self, callee: FuncId, ret: Type, args: &[Value]) -> Option<Value> {
        let i = self.inst(Opcode::Call, ret, Flags::NONE, args, Payload::Call(callee));
        self.func.dfg.result(i)
    }

    /// Target operation.
    pub fn intrinsic(&mut self, op: Intrinsic, ty: Type, args: &[Value]) -> Option<Value> {
        let i = self.inst(Opcode::Intrinsic, ty, Flags::NONE, args, Payload::Intrinsic(op));
        self.func.dfg.result(i)
    }

    /// Special register, `i32` or `i64`.
    pub fn special(&mut self, reg: SpecialReg) -> Value {
        let ty = if reg.bits() == 64 { Type::I64 } else { Type::I32 };
        self.value(Opcode::Special, ty, Flags::NONE, &[], Payload::Special(reg))
    }

    /// Address-space cast of a pointer.
    pub fn space_cast(&mut self, v: Value, space: AddrSpace) -> Value {
        self.cast(Opcode::AddrSpaceCast, v, Type::ptr(space))
    }

    /// Unconditional branch.
    pub fn jump(&mut self, block: Block, args: &[Value]) -> Inst {
        self.jump_md(block, args, None)
    }

    /// Unconditional branch that is a back edge with metadata.
    pub fn jump_md(&mut self, block: Block, args: &[Value], md: Option<LoopMd>) -> Inst {
        let call = self.func.dfg.block_call(block, args);
        self.inst(Opcode::Jump, Type::VOID, Flags::NONE, &[], Payload::Jump(call, md.into()))
    }

    /// Conditional branch.
    pub fn br(&mut self, cond: Value, yes: (Block, &[Value]), no: (Block, &[Value])) -> Inst {
        self.br_md(cond, yes, no, None)
    }

    /// Conditional branch, one of whose targets is a loop header, with metadata.
    pub fn br_md(&mut self, cond: Value, yes: (Block, &[Value]), no: (Block, &[Value]), md: Option<LoopMd>) -> Inst {
        let calls = [self.func.dfg.block_call(yes.0, yes.1), self.func.dfg.block_call(no.0, no.1)];
        self.inst(Opcode::Br, Type::VOID, Flags::NONE, &[cond], Payload::Br(calls, md.into()))
    }

    /// Switch without block arguments: distinct case values and their targets.
    pub fn switch(&mut self, v: Value, cases: &[(u64, Block)], default: Block) -> Inst {
        let call = |block| BlockCall { block, args: Default::default() };
        let table = SwitchData { cases: cases.iter().map(|&(n, b)| (n, call(b))).collect(), default: call(default) };
        let s = self.func.dfg.switches.push(table);
        self.inst(Opcode::Switch, Type::VOID, Flags::NONE, &[v], Payload::Switch(s))
    }

    /// Return.
    pub fn ret(&mut self, v: Option<Value>) -> Inst {
        let args: SmallVec<[Value; 1]> = v.into_iter().collect();
        self.inst(Opcode::Return, Type::VOID, Flags::NONE, &args, Payload::None)
    }

    /// Never reached.
    pub fn unreachable(&mut self) -> Inst {
        self.inst(Opcode::Unreachable, Type::VOID, Flags::NONE, &[], Payload::None)
    }
}
