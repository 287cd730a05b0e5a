//! Where the IR goes: a function under construction, the block that is being appended to, and what code is made for.

use ir::{Block, Builder, Flags, Function, Inst, IntCC, MathMode, Opcode, Payload, Type, Value};
use source::Span;
use target::Target;

/// What the code is for, and how it computes.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// What the code is for.
    pub target: Target,
    /// Fast-math flags of floating-point operations that do not fix their rounding.
    pub fast: Flags,
    /// Operators are contracted here, beyond the expression that they stand in.
    pub contract: bool,
    /// `fmad` allows contraction of what builtins consist of, `ftz` flushes single-precision subnormals.
    pub math: MathMode,
    /// What is no number becomes an integer as by NVIDIA's instructions ([`Flags::NAN_TOP`]), and not 0.
    pub nan_top: bool,
    /// Kernels may be launched with a global offset, so global ids add it.
    pub global_offset: bool,
    /// Groups at the end of a launch may be smaller than the others.
    pub partial_groups: bool,
    /// The code says to the interpreter what machines need not know ([`ir::Intrinsic::is_check`]).
    pub checks: bool,
}

/// What lowering did to the control flow.
#[derive(Debug)]
pub struct Emitted {
    /// Where instructions go now.
    pub block: Block,
    /// Branches made, with the blocks that they end, in the order in which they were made. All that they lead to was made
    /// with them: a block's predecessors are all here.
    pub branches: Vec<(Block, Inst)>,
}

/// Appends instructions to a block, and converts between types on the way.
pub struct Emitter<'f> {
    /// The function being made.
    pub func: &'f mut Function,
    /// What the code is for.
    pub context: Context,
    pub(crate) block: Block,
    span: Span,
    branches: Vec<(Block, Inst)>,
}

impl<'f> Emitter<'f> {
    /// Builds at the end of `block`, with the source place `span`.
    pub fn new(func: &'f mut Function, block: Block, span: Span, context: Context) -> Self {
        Self { func, context, block, span, branches: Vec::new() }
    }

    /// Ends the building: where control is, and how it came there.
    pub fn finish(self) -> Emitted {
        Emitted { block: self.block, branches: self.branches }
    }

    /// Builds at the end of the current block.
    pub fn build<T>(&mut self, f: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let mut b = Builder::at_end(self.func, self.block);
        b.set_span(self.span);
        f(&mut b)
    }

    /// Makes an instruction with a result.
    pub fn make(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Value {
        let i = self.build(|b| b.inst(op, ty, flags, args, payload));
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

    /// One-operand operation without flags.
    pub fn op1(&mut self, op: Opcode, v: Value) -> Value {
        self.build(|b| b.unary(op, v))
    }

    /// Two-operand operation without flags.
    pub fn op2(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.build(|x| x.binary(op, a, b))
    }

    // ---- flags --------------------------------------------------------------------------------------------------

    /// Flags of a floating-point operator of the source.
    pub fn fp_flags(&self, ty: Type) -> Flags {
        let flags = self.context.fast.without(Flags::CONTRACT).with(self.ftz(ty));
        if self.context.contract { flags.with(Flags::CONTRACT) } else { flags }
    }

    /// Flags of an operation that a builtin consists of. Whether it is contracted is the mode's choice.
    pub(crate) fn builtin_fp_flags(&self, ty: Type) -> Flags {
        let flags = self.fp_flags(ty);
        if self.context.math.fmad { flags.with(Flags::CONTRACT) } else { flags }
    }

    /// `FTZ` for single precision where subnormals are flushed.
    pub fn ftz(&self, ty: Type) -> Flags {
        if self.context.math.ftz && ty.scalar() == Type::F32 { Flags::FTZ } else { Flags::NONE }
    }

    /// Whether there are instructions for approximate functions.
    pub(crate) fn has_approximate(&self) -> bool {
        self.context.target.has_approximate_functions()
    }

    // ---- control flow ---------------------------------------------------------------------------------------------

    fn jump(&mut self, to: Block, args: &[Value]) {
        let i = self.build(|b| b.jump(to, args));
        self.branches.push((self.block, i));
    }

    fn branch(&mut self, cond: Value, yes: (Block, &[Value]), no: (Block, &[Value])) {
        let i = self.build(|b| b.br(cond, yes, no));
        self.branches.push((self.block, i));
    }

    /// Control does not come here: goes on in a block that nothing reaches.
    pub(crate) fn end(&mut self) {
        self.build(|b| b.unreachable());
        self.block = self.func.new_block();
    }

    /// `for (i = start; i < end; i += step)` on unsigned 64 bits. `body` gets `i` and gives the step.
    pub(crate) fn count(&mut self, start: Value, end: Value, body: impl FnOnce(&mut Self, Value) -> Value) {
        let (head, inside, after) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        self.jump(head, &[start]);
        self.block = head;
        let i = self.func.dfg.add_param(head, Type::I64);
        let more = self.build(|b| b.icmp(IntCC::Ult, i, end));
        self.branch(more, (inside, &[]), (after, &[]));
        self.block = inside;
        let step = body(self, i);
        let next = self.op2(Opcode::Add, i, step);
        self.jump(head, &[next]);
        self.block = after;
    }

    /// `if (cond) body`.
    pub(crate) fn when(&mut self, cond: Value, body: impl FnOnce(&mut Self)) {
        let (inside, after) = (self.func.new_block(), self.func.new_block());
        self.branch(cond, (inside, &[]), (after, &[]));
        self.block = inside;
        body(self);
        self.jump(after, &[]);
        self.block = after;
    }

    /// `for (i = 0; i < count; i++) v = body(i, v)` on unsigned 64 bits, from `start`: what `v` is in the end.
    pub(crate) fn fold(
        &mut self,
        count: Value,
        start: Value,
        body: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (head, inside, after) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let (zero, one) = (self.iconst(Type::I64, 0), self.iconst(Type::I64, 1));
        self.jump(head, &[zero, start]);
        self.block = head;
        let ty = self.ty(start);
        let (i, v) = (self.func.dfg.add_param(head, Type::I64), self.func.dfg.add_param(head, ty));
        let more = self.build(|b| b.icmp(IntCC::Ult, i, count));
        self.branch(more, (inside, &[]), (after, &[]));
        self.block = inside;
        let next_v = body(self, i, v);
        let next = self.op2(Opcode::Add, i, one);
        self.jump(head, &[next, next_v]);
        self.block = after;
        v
    }

    /// Repeats `body` until it says so. It gets what it gave before (`start` at first) and gives the next value and
    /// whether that is the last; which one it ended with.
    pub(crate) fn repeat(&mut self, start: Value, body: impl FnOnce(&mut Self, Value) -> (Value, Value)) -> Value {
        let (head, after) = (self.func.new_block(), self.func.new_block());
        self.jump(head, &[start]);
        self.block = head;
        let ty = self.ty(start);
        let v = self.func.dfg.add_param(head, ty);
        let (next, done) = body(self, v);
        self.branch(done, (after, &[]), (head, &[next]));
        self.block = after;
        next
    }
}
