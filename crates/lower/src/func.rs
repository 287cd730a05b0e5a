//! Lowering one function: its state, and what every part of it uses.

use crate::ssa::{Ssa, Var};
use crate::types::{dimensions, value_type};
use crate::{Cx, scan};
use ir::edit;
use ir::{
    AddrSpace, Block, Builder, ConstKind, Flags, FuncId, Function, Inst, LoopMd, MemInfo, ReversePostOrder, Slot,
    SlotData, Type, Value,
};
use sema::program::{FpContract, LocalId};
use sema::types::{Quals, TyId};
use smallvec::SmallVec;
use source::Span;

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Storage {
    /// An SSA variable.
    Var(Var),
    /// Memory at this address.
    Memory(Value),
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
pub(crate) struct Targets {
    pub(crate) break_to: Block,
    pub(crate) continue_to: Option<Block>,
}

/// State of lowering one function.
pub(crate) struct FunctionLowering<'c, 'a> {
    pub(crate) cx: &'c mut Cx<'a>,
    /// The function being made; put into the module at the end.
    pub(crate) func: Function,
    pub(crate) id: FuncId,
    /// Index in the program.
    pub(crate) n: usize,
    pub(crate) ssa: Ssa,
    /// Where instructions go. A block that nothing branches to after a `return` or `break`.
    pub(crate) block: Block,
    pub(crate) span: Span,
    /// Contraction of floating-point operations here.
    pub(crate) contract: FpContract,
    pub(crate) storage: Vec<Option<Storage>>,
    memory: Vec<bool>,
    pub(crate) targets: Vec<Targets>,
    /// Blocks of the cases of the enclosing switches, innermost last.
    pub(crate) cases: Vec<Vec<Block>>,
    /// Blocks of labels, made when first named.
    pub(crate) labels: Vec<Option<Block>>,
    /// Metadata of the program function's loops.
    pub(crate) loops: Vec<Option<LoopMd>>,
    /// Labels and cases met so far.
    pub(crate) entries: u32,
    /// Back edges of loops that have labels or cases inside, with the loops' heads.
    pub(crate) entered: Vec<(Inst, Block)>,
    /// The address for an aggregate result.
    pub(crate) sret: Option<Value>,
    /// Nesting of expressions and statements.
    pub(crate) depth: u32,
}

/// Deepest nesting of expressions and statements accepted. The driver gives lowering a stack that holds it.
const MAX_DEPTH: u32 = 10_000;

/// Lowers the body of function `n` into the module's function `id`.
pub(crate) fn lower_body(cx: &mut Cx<'_>, n: usize, id: FuncId) {
    let program = cx.program;
    let f = &program.functions[n];
    let Some(body) = f.body else { return };
    // What stays in the module while the body is made has the signature, for calls of itself.
    let declared = &mut cx.module.functions[id];
    let mut placeholder = Function::new("", declared.kind);
    placeholder.params.clone_from(&declared.params);
    placeholder.ret = declared.ret;
    let mut func = std::mem::replace(declared, placeholder);
    let memory = scan::memory_locals(program, f);
    let entry = func.new_entry_block();
    let mut this = FunctionLowering {
        cx,
        func,
        id,
        n,
        ssa: Ssa::default(),
        block: entry,
        span: f.span,
        contract: f.contract,
        storage: vec![None; f.locals.len()],
        memory,
        targets: Vec::new(),
        cases: Vec::new(),
        labels: vec![None; f.labels.len()],
        loops: vec![None; f.loops.len()],
        entries: 0,
        entered: Vec::new(),
        sret: None,
        depth: 0,
    };
    this.ssa.seal(&mut this.func, entry);
    this.parameters(entry);
    this.stmt(body);
    this.finish();
}

impl FunctionLowering<'_, '_> {
    /// Gives parameters their storage.
    fn parameters(&mut self, entry: Block) {
        let f = &self.cx.program.functions[self.n];
        let mut values: SmallVec<[Value; 8]> = self.func.dfg.params(entry).into();
        if self.cx.program.types.is_aggregate(f.ret) {
            self.sret = Some(values.remove(0));
        }
        for (n, &v) in values.iter().enumerate() {
            let local = LocalId(n as u32);
            let l = &f.locals[n];
            if self.cx.types().is_aggregate(l.ty) {
                let storage = if self.func.dfg.ty(v).space() == Some(AddrSpace::Param) && !self.is_shared(l) {
                    let slot = self.slot_for(local);
                    let size = self.cx.size_of(l.ty) as i64;
                    let bytes = self.func.dfg.iconst(Type::I64, size);
                    let align = l.align;
                    self.build(|b| b.memcpy(slot, v, bytes, MemInfo::aligned(align)));
                    slot
                } else {
                    v
                };
                self.storage[n] = Some(Storage::Memory(storage));
                continue;
            }
            let ty = value_type(self.cx.types(), l.ty);
            let v = self.unpacked(v, ty);
            match self.storage(local) {
                Storage::Var(var) => self.ssa.write(self.block, var, v),
                Storage::Memory(ptr) => self.store_scalar(ptr, v, l.align, Flags::NONE),
            }
        }
    }

    /// Whether all threads of a launch have one object for a kernel's parameter, the argument itself, as
    /// `__grid_constant__` says: its address may be given to others, and to what copies tensors by a map in it, which may
    /// be no thread's own.
    fn is_shared(&self, parameter: &sema::program::Local) -> bool {
        let arch = self.cx.options.target.ptx_arch();
        parameter.grid_constant
            && parameter.quals.has(Quals::CONST)
            && arch.is_none_or(|a| a.has(target::Feature::CvtaParam))
    }

    /// Ends the function: closes the last block, completes SSA form, drops unreachable blocks.
    fn finish(mut self) {
        if !self.is_terminated() {
            let ret = self.func.ret;
            let v = (!ret.is_void()).then(|| self.func.dfg.undef(ret));
            self.build(|b| b.ret(v));
        }
        let blocks: Vec<Block> = self.func.layout.blocks().collect();
        for &b in &blocks {
            self.ssa.seal(&mut self.func, b);
        }
        for &b in &blocks {
            if self.func.layout.last_inst(b).is_none() {
                // A label that only unreachable code jumps to, or nothing does.
                let mut builder = Builder::at_end(&mut self.func, b);
                builder.unreachable();
            }
        }
        self.ssa.finish(&mut self.func);
        // A live block may still have arguments from a dead one, which goes as a whole: nothing to mend.
        let order = ReversePostOrder::new(&self.func);
        edit::remove_unreachable(&mut self.func, &order);
        self.disown_entered_loops();
        let id = self.id;
        self.cx.module.functions[id] = self.func;
    }

    /// A statement that control can enter in the middle, by `goto` or as part of a `switch`, is no loop to the IR:
    /// takes its metadata off and answers its hints.
    fn disown_entered_loops(&mut self) {
        for (jump, head) in std::mem::take(&mut self.entered) {
            let Some(latch) = self.func.layout.inst_block(jump) else { continue };
            let Some(md) = self.func.dfg.insts[jump].loop_md() else { continue };
            if head == latch || !ReversePostOrder::avoiding(&self.func, head).contains(latch) {
                continue;
            }
            self.func.dfg.set_loop_md(jump, None);
            for &h in &self.func.loops[md].hints {
                let reason = "control enters the loop in the middle, by `goto` or `switch`";
                self.cx.session.ledger.settle(h, source::Fate::Refused, "nothing", reason);
            }
        }
    }

    // ---- building -----------------------------------------------------------------------------------------------

    /// Builds at the end of the current block.
    pub(crate) fn build<T>(&mut self, f: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let mut b = Builder::at_end(&mut self.func, self.block);
        b.set_span(self.span);
        f(&mut b)
    }

    pub(crate) fn ty(&self, v: Value) -> Type {
        self.func.dfg.ty(v)
    }

    pub(crate) fn iconst(&mut self, ty: Type, n: i64) -> Value {
        self.func.dfg.iconst(ty, n)
    }

    /// Whether the current block has its terminator.
    pub(crate) fn is_terminated(&self) -> bool {
        self.func.layout.last_inst(self.block).is_some_and(|i| self.func.dfg.op(i).is_terminator())
    }

    /// A new block at the end of the layout, not sealed.
    pub(crate) fn new_block(&mut self) -> Block {
        self.func.new_block()
    }

    /// Goes on in `block`.
    pub(crate) fn start(&mut self, block: Block) {
        self.block = block;
    }

    /// Seals `block` and goes on in it.
    pub(crate) fn start_sealed(&mut self, block: Block) {
        self.ssa.seal(&mut self.func, block);
        self.block = block;
    }

    /// Records the edges of a terminator just made.
    pub(crate) fn edges(&mut self, inst: Inst) {
        for n in 0..self.func.dfg.successor_count(inst) {
            let to = self.func.dfg.successor(inst, n);
            self.ssa.add_pred(to, self.block, inst);
        }
    }

    /// Jumps from the current block, which then has its terminator.
    pub(crate) fn jump(&mut self, to: Block) {
        self.jump_md(to, None);
    }

    pub(crate) fn jump_md(&mut self, to: Block, md: Option<LoopMd>) {
        if !self.is_terminated() {
            let i = self.build(|b| b.jump_md(to, &[], md));
            self.edges(i);
        }
    }

    pub(crate) fn br(&mut self, cond: Value, yes: Block, no: Block, md: Option<LoopMd>) {
        if !self.is_terminated() {
            let i = self.build(|b| b.br_md(cond, (yes, &[]), (no, &[]), md));
            self.edges(i);
        }
    }

    /// After a terminator: goes on in a block that nothing reaches.
    pub(crate) fn start_dead(&mut self) {
        let b = self.new_block();
        self.start_sealed(b);
    }

    /// Enters one level of nesting; false, with an error, if there are too many.
    pub(crate) fn enter(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.depth == MAX_DEPTH {
            self.cx.error(
                "E0473",
                span,
                "expression or statement nests too deeply",
                "break it into several statements",
            );
        }
        self.depth < MAX_DEPTH
    }

    // ---- locals -------------------------------------------------------------------------------------------------

    /// Where a local lives; decided when first asked.
    pub(crate) fn storage(&mut self, local: LocalId) -> Storage {
        if let Some(h) = self.storage[local.index()] {
            return h;
        }
        let l = &self.cx.program.functions[self.n].locals[local.index()];
        let storage = if self.memory[local.index()] {
            Storage::Memory(self.slot_for(local))
        } else {
            Storage::Var(self.ssa.declare(value_type(self.cx.types(), l.ty)))
        };
        self.storage[local.index()] = Some(storage);
        storage
    }

    fn slot_for(&mut self, local: LocalId) -> Value {
        let program = self.cx.program;
        let l = &program.functions[self.n].locals[local.index()];
        let name = l.name.map_or("", |s| self.cx.session.str(s)).to_owned();
        let size = self.slot_size(l.ty, l.span);
        let dims = dimensions(&program.types, l.ty);
        let slot = self.func.slots.push(SlotData { size, align: l.align.max(1), dims, name });
        self.func.slot_addr(slot)
    }

    /// A nameless slot for a value of a type.
    pub(crate) fn temp(&mut self, ty: TyId) -> Value {
        let size = self.slot_size(ty, self.span);
        let align = self.cx.types().align_of(ty);
        let slot = self.func.slots.push(SlotData { size, align, dims: SmallVec::new(), name: String::new() });
        let at = self.func.slot_addr(slot);
        self.prepare_bit_fields(ty, at, align);
        at
    }

    fn slot_size(&mut self, ty: TyId, span: Span) -> u32 {
        /// A work-item's stack on any GPU of today is far smaller (512 KiB on NVIDIA's).
        const MAX_SLOT: u64 = 512 << 10;
        let size = self.cx.size_of(ty);
        if size > MAX_SLOT {
            self.cx.error(
                "E0475",
                span,
                format!(
                    "a local variable of {size} bytes exceeds the {MAX_SLOT} bytes of private memory per work-item"
                ),
                "put it into global memory, one part per work-item",
            );
        }
        size.min(MAX_SLOT) as u32
    }

    /// The slot behind an address, if it is one.
    pub(crate) fn slot_of(&self, v: Value) -> Option<Slot> {
        if let Some(ConstKind::Slot(s)) = self.func.dfg.as_const(v) { Some(s) } else { None }
    }

    // ---- flags --------------------------------------------------------------------------------------------------

    /// Whether operators are contracted here beyond their expression.
    pub(crate) fn contracts(&self) -> bool {
        match self.contract {
            FpContract::Default | FpContract::On => self.cx.options.math.fmad,
            FpContract::Fast => true,
            FpContract::Off | FpContract::Expression => false,
        }
    }

    /// Whether contraction is allowed within an expression and not beyond it.
    pub(crate) fn contracts_expressions(&self) -> bool {
        match self.contract {
            FpContract::Expression => true,
            FpContract::On => !self.cx.options.math.fmad,
            _ => false,
        }
    }
}
