//! What exists in a function: instructions, values, block parameters. Where it stands is the [`crate::Layout`]'s.
//!
//! There are no use lists. A pass that replaces a value calls [`Dfg::replace_value`], which makes the old value an
//! *alias* of the new one; readers that run while aliases exist go through [`Dfg::resolve`]. Between passes no alias
//! is used by any instruction: a pass that made one ends with [`Dfg::resolve_aliases`] (the verifier checks).

use crate::{
    AsmData, AsmId, Block, BlockCall, Flags, FuncId, Global, Inst, InstData, LoopMd, Opcode, Payload, Slot, Switch,
    SwitchData, Type, Value,
};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityList, ListPool, PrimaryMap};
use rustc_hash::FxHashMap;
use source::{Shift, Span};

/// What a constant value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstKind {
    /// The bits of an integer, float or pointer, zero-extended. For a vector type: of every lane (a splat).
    Bits(u64),
    /// An arbitrary value.
    Undef,
    /// Address of a global.
    Global(Global),
    /// Address of a stack slot.
    Slot(Slot),
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// Result of an instruction.
    Inst(Inst),
    /// Parameter `n` of a block.
    Param(Block, u32),
    /// A constant.
    Const(ConstKind),
    /// Another name for a value; only while a pass runs.
    Alias(Value),
}

/// A value's type and origin.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Its origin.
    pub def: ValueDef,
}

/// A block's parameters.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// Its parameters, in the pool.
    pub params: EntityList<Value>,
}

/// What is kept of an instruction besides its data: passes that rewrite the data leave it alone.
#[derive(Clone, Copy, Debug)]
struct Note {
    result: PackedOption<Value>,
    span: Span,
    /// One more than [`Dfg::counted`], or 0.
    counted: u8,
    /// [`Dfg::parts`]
    parts: u8,
    /// [`Dfg::elements`]
    elements: u8,
}

/// A call that was replaced by the callee's body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inlined {
    /// Where the call stands.
    pub call: Span,
    /// The function that was called, as the user knows it.
    pub callee: String,
}

/// Instructions, values and blocks of one function.
#[derive(Clone, Debug, Default)]
pub struct Dfg {
    /// Instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Values.
    pub values: PrimaryMap<Value, ValueData>,
    /// Blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Switch tables.
    pub switches: PrimaryMap<Switch, SwitchData>,
    /// Inline assembly.
    pub asms: PrimaryMap<AsmId, AsmData>,
    /// Backing store of operand, argument and parameter lists.
    pub pool: ListPool<Value>,
    /// Result and place of each instruction, in step with `insts`.
    notes: PrimaryMap<Inst, Note>,
    /// Through which calls a question to the optimiser ([`Opcode::Provable`]) has come here, the innermost first.
    pub came_by: FxHashMap<Inst, std::sync::Arc<[Inlined]>>,
    consts: FxHashMap<(Type, ConstKind), Value>,
}

impl Dfg {
    // ---- values -------------------------------------------------------------------------------------------------

    /// The value that `v` stands for: follows aliases.
    #[inline]
    pub fn resolve(&self, mut v: Value) -> Value {
        while let ValueDef::Alias(to) = self.values[v].def {
            v = to;
        }
        v
    }

    /// Type of a value.
    #[inline]
    pub fn ty(&self, v: Value) -> Type {
        self.values[v].ty
    }

    /// Origin of a value, aliases followed.
    #[inline]
    pub fn def(&self, v: Value) -> ValueDef {
        self.values[self.resolve(v)].def
    }

    /// The instruction that computes `v`, if one does.
    #[inline]
    pub fn def_inst(&self, v: Value) -> Option<Inst> {
        if let ValueDef::Inst(i) = self.def(v) { Some(i) } else { None }
    }

    /// The instruction that computes `v`, if one does and it has the opcode `op`.
    #[inline]
    pub fn def_op(&self, v: Value, op: Opcode) -> Option<Inst> {
        self.def_inst(v).filter(|&i| self.insts[i].op == op)
    }

    /// What constant `v` is, if it is one.
    #[inline]
    pub fn as_const(&self, v: Value) -> Option<ConstKind> {
        if let ValueDef::Const(c) = self.def(v) { Some(c) } else { None }
    }

    /// The bits of the numeric constant `v` (of every lane, for a vector).
    #[inline]
    pub fn as_bits(&self, v: Value) -> Option<u64> {
        if let Some(ConstKind::Bits(b)) = self.as_const(v) { Some(b) } else { None }
    }

    /// The integer constant `v`, sign-extended from its width.
    #[inline]
    pub fn as_int(&self, v: Value) -> Option<i64> {
        let bits = self.ty(v).bits();
        let b = self.as_bits(v).filter(|_| bits > 0)?;
        Some(((b << (64 - bits)) as i64) >> (64 - bits))
    }

    /// The float constant `v` as a double (exact for every float type).
    pub fn as_float(&self, v: Value) -> Option<f64> {
        let b = self.as_bits(v)?;
        match self.ty(v).scalar() {
            Type::F16 => Some(half::f16::from_bits(b as u16).to_f64()),
            Type::BF16 => Some(half::bf16::from_bits(b as u16).to_f64()),
            Type::F32 => Some(f64::from(f32::from_bits(b as u32))),
            Type::F64 => Some(f64::from_bits(b)),
            _ => None,
        }
    }

    /// The constant `kind` of type `ty`; equal constants are equal values.
    pub fn constant(&mut self, ty: Type, kind: ConstKind) -> Value {
        let kind = match kind {
            ConstKind::Bits(b) => ConstKind::Bits(b & ty.mask()),
            other => other,
        };
        let values = &mut self.values;
        *self.consts.entry((ty, kind)).or_insert_with(|| values.push(ValueData { ty, def: ValueDef::Const(kind) }))
    }

    /// The integer constant `n` (low bits kept); splat for vectors.
    pub fn iconst(&mut self, ty: Type, n: i64) -> Value {
        self.constant(ty, ConstKind::Bits(n as u64))
    }

    /// The constant with these bits.
    pub fn bits(&mut self, ty: Type, bits: u64) -> Value {
        self.constant(ty, ConstKind::Bits(bits))
    }

    /// The float constant nearest to `x`; splat for vectors. Rounds once from the double.
    pub fn fconst(&mut self, ty: Type, x: f64) -> Value {
        let bits = match ty.scalar() {
            Type::F16 => u64::from(half::f16::from_f64(x).to_bits()),
            Type::BF16 => u64::from(half::bf16::from_f64(x).to_bits()),
            Type::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        };
        self.bits(ty, bits)
    }

    /// `undef` of a type.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.constant(ty, ConstKind::Undef)
    }

    /// Makes every use of `old` mean `new`. `old`'s definition may stay or go.
    pub fn replace_value(&mut self, old: Value, new: Value) {
        let new = self.resolve(new);
        debug_assert_eq!(self.ty(old), self.ty(new), "replacement of another type");
        if old != new {
            self.values[old].def = ValueDef::Alias(new);
        }
    }

    /// Makes room for this many more instructions with results.
    pub fn reserve(&mut self, insts: usize) {
        self.insts.reserve(insts);
        self.notes.reserve(insts);
        self.values.reserve(insts);
    }

    /// Rewrites every use of an alias in the instructions of `layout`, so that none is left.
    pub fn resolve_aliases(&mut self, layout: &crate::Layout) {
        let mut block = layout.first_block();
        while let Some(b) = block {
            let mut inst = layout.first_inst(b);
            while let Some(i) = inst {
                self.resolve_inst(i);
                inst = layout.next_inst(i);
            }
            block = layout.next_block(b);
        }
    }

    /// Rewrites the operands and branch arguments of one instruction.
    #[inline]
    pub fn resolve_inst(&mut self, inst: Inst) {
        let values = &self.values;
        let resolve = |mut v: Value| {
            while let ValueDef::Alias(to) = values[v].def {
                v = to;
            }
            v
        };
        let data = &mut self.insts[inst];
        for v in data.args.as_mut_slice(&mut self.pool) {
            *v = resolve(*v);
        }
        each_call(&mut data.payload, &mut self.switches, |c| {
            for v in c.args.as_mut_slice(&mut self.pool) {
                *v = resolve(*v);
            }
        });
    }

    /// Puts the function into another module: gives globals, callees, places and hints new names there.
    pub(crate) fn relocate(
        &mut self,
        global: impl Fn(Global) -> Global,
        callee: impl Fn(FuncId) -> FuncId,
        shift: Shift,
    ) {
        for v in self.values.values_mut() {
            if let ValueDef::Const(ConstKind::Global(g)) = &mut v.def {
                *g = global(*g);
            }
        }
        let constant = |(v, data): (Value, &ValueData)| match data.def {
            ValueDef::Const(kind) => Some(((data.ty, kind), v)),
            _ => None,
        };
        // Two globals may have become one; either value will do for new uses.
        self.consts = self.values.iter().filter_map(constant).collect();
        for i in self.insts.values_mut() {
            match &mut i.payload {
                Payload::Call(f) => *f = callee(*f),
                Payload::Hint(h) => *h = shift.hint(*h),
                _ => {}
            }
        }
        for n in self.notes.values_mut() {
            n.span = shift.span(n.span);
        }
    }

    /// Keeps these instructions and values, whose new numbers are their places here.
    pub(crate) fn renumber(
        &mut self,
        insts: &[Inst],
        values: &[Value],
        inst: impl Fn(Inst) -> Inst,
        value: impl Fn(Value) -> Value,
    ) {
        let mut pool = ListPool::new();
        let mut list = |old: &EntityList<Value>, from: &ListPool<Value>| {
            EntityList::from_iter(old.as_slice(from).iter().map(|&v| value(v)), &mut pool)
        };
        for b in self.blocks.values_mut() {
            // Of a block that stands nowhere.
            let gone = b.params.as_slice(&self.pool).iter().any(|v| values.binary_search(v).is_err());
            b.params = if gone { EntityList::new() } else { list(&b.params, &self.pool) };
        }
        let mut data = PrimaryMap::with_capacity(insts.len());
        let mut notes = PrimaryMap::with_capacity(insts.len());
        for &i in insts {
            let mut d = self.insts[i].clone();
            d.args = list(&d.args, &self.pool);
            each_call(&mut d.payload, &mut self.switches, |c| c.args = list(&c.args, &self.pool));
            data.push(d);
            let note = self.notes[i];
            notes.push(Note { result: note.result.map(&value).into(), ..note });
        }
        let def = |d: ValueDef| if let ValueDef::Inst(i) = d { ValueDef::Inst(inst(i)) } else { d };
        let kept = values.iter().map(|&v| ValueData { ty: self.values[v].ty, def: def(self.values[v].def) });
        self.values = kept.collect();
        let constant = |(v, data): (Value, &ValueData)| match data.def {
            ValueDef::Const(kind) => Some(((data.ty, kind), v)),
            _ => None,
        };
        self.consts = self.values.iter().filter_map(constant).collect();
        let here = |(i, path): (Inst, std::sync::Arc<[Inlined]>)| insts.binary_search(&i).ok().map(|_| (inst(i), path));
        self.came_by = std::mem::take(&mut self.came_by).into_iter().filter_map(here).collect();
        (self.insts, self.notes, self.pool) = (data, notes, pool);
    }

    // ---- instructions -------------------------------------------------------------------------------------------

    /// Makes an instruction, with a result if `ty` is not void. It stands nowhere until the layout places it.
    pub fn make_inst(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Inst {
        let args = EntityList::from_slice(args, &mut self.pool);
        self.push_inst(InstData { op, flags, ty, args, payload }, Span::NONE)
    }

    #[inline]
    fn push_inst(&mut self, data: InstData, span: Span) -> Inst {
        let ty = data.ty;
        let inst = self.insts.push(data);
        let result = if ty.is_void() {
            PackedOption::default()
        } else {
            self.values.push(ValueData { ty, def: ValueDef::Inst(inst) }).into()
        };
        self.notes.push(Note { result, span, counted: 0, parts: 0, elements: 0 });
        inst
    }

    /// A copy of `inst` with its own operand lists and, if it has one, its own result. Block calls are copied with
    /// the same targets; switch tables are copied.
    pub fn clone_inst(&mut self, inst: Inst) -> Inst {
        let mut data = self.insts[inst].clone();
        data.args = data.args.deep_clone(&mut self.pool);
        if let Payload::Switch(s) = data.payload {
            let table = self.switches[s].clone();
            data.payload = Payload::Switch(self.switches.push(table));
        }
        each_call(&mut data.payload, &mut self.switches, |c| c.args = c.args.deep_clone(&mut self.pool));
        self.push_copy(inst, data)
    }

    /// A copy of an instruction that is no terminator, with other operands and, if it has one, its own result.
    pub fn clone_with(&mut self, inst: Inst, args: &[Value]) -> Inst {
        let mut data = self.insts[inst].clone();
        debug_assert!(!data.op.is_terminator(), "branch arguments are not copied");
        data.args = EntityList::from_slice(args, &mut self.pool);
        self.push_copy(inst, data)
    }

    fn push_copy(&mut self, of: Inst, data: InstData) -> Inst {
        let asks = data.op == Opcode::Provable;
        let copy = self.push_inst(data, Span::NONE);
        self.describe_as(copy, of);
        if asks && let Some(path) = self.came_by.get(&of).cloned() {
            self.came_by.insert(copy, path);
        }
        copy
    }

    /// The result of an instruction.
    #[inline]
    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.notes[inst].result.expand()
    }

    /// The result of an instruction that is known to have one.
    ///
    /// # Panics
    /// If it has none.
    #[inline]
    pub fn res(&self, inst: Inst) -> Value {
        self.notes[inst].result.expand().expect("instruction without result")
    }

    /// Opcode of an instruction.
    #[inline]
    pub fn op(&self, inst: Inst) -> Opcode {
        self.insts[inst].op
    }

    /// Operands of an instruction (not: branch arguments).
    #[inline]
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.insts[inst].args.as_slice(&self.pool)
    }

    /// Operand `n`.
    #[inline]
    pub fn arg(&self, inst: Inst, n: usize) -> Value {
        self.args(inst)[n]
    }

    /// Operands, to be changed.
    #[inline]
    pub fn args_mut(&mut self, inst: Inst) -> &mut [Value] {
        self.insts[inst].args.as_mut_slice(&mut self.pool)
    }

    /// Puts another operation into an instruction, keeping its result value, which must have the type `self.insts[inst].ty`.
    pub fn rewrite(&mut self, inst: Inst, op: Opcode, flags: Flags, args: &[Value], payload: Payload) {
        let new = EntityList::from_slice(args, &mut self.pool);
        let data = &mut self.insts[inst];
        data.args.clear(&mut self.pool);
        data.args = new;
        data.op = op;
        data.flags = flags;
        data.payload = payload;
    }

    /// Source place of an instruction.
    #[inline]
    pub fn span(&self, inst: Inst) -> Span {
        self.notes[inst].span
    }

    /// Sets the source place of an instruction.
    #[inline]
    pub fn set_span(&mut self, inst: Inst, span: Span) {
        self.notes[inst].span = span;
    }

    /// What the instruction counts in the sizes of loops, where that is not what it costs: it came from a function that the
    /// compilers whose decisions are followed have written otherwise.
    #[inline]
    pub fn counted(&self, inst: Inst) -> Option<u8> {
        self.notes[inst].counted.checked_sub(1)
    }

    /// Sets what the instruction counts in the sizes of loops, at most 254.
    pub fn set_counted(&mut self, inst: Inst, size: u8) {
        self.notes[inst].counted = size.saturating_add(1);
    }

    /// How many elements the private array has that the instruction chooses from in the compilers whose decisions are followed:
    /// it came from a function that they have written with one. 0 where it did not.
    #[inline]
    pub fn elements(&self, inst: Inst) -> u8 {
        self.notes[inst].elements
    }

    /// Sets [what it chooses from](Self::elements).
    pub fn set_elements(&mut self, inst: Inst, elements: u8) {
        self.notes[inst].elements = elements;
    }

    /// How many scalars the object has that the instruction copies as a whole, or the part of it that it reads or writes; 0
    /// where nobody knows.
    #[inline]
    pub fn parts(&self, inst: Inst) -> u8 {
        self.notes[inst].parts
    }

    /// Sets how many scalars the instruction copies.
    pub fn set_parts(&mut self, inst: Inst, parts: u8) {
        self.notes[inst].parts = parts;
    }

    /// Gives a copy the source place of its original, and what it counts.
    #[inline]
    pub fn describe_as(&mut self, copy: Inst, original: Inst) {
        let Note { span, counted, parts, elements, .. } = self.notes[original];
        let note = &mut self.notes[copy];
        (note.span, note.counted, note.parts, note.elements) = (span, counted, parts, elements);
    }

    /// Calls `f` with every value that the instruction uses: operands and branch arguments.
    #[inline]
    pub fn for_each_use(&self, inst: Inst, mut f: impl FnMut(Value)) {
        let data = &self.insts[inst];
        for &v in data.args.as_slice(&self.pool) {
            f(v);
        }
        if data.op.is_terminator() {
            for n in 0..self.successor_count(inst) {
                for &v in self.branch_args(inst, n) {
                    f(v);
                }
            }
        }
    }

    /// Calls `f` with every value that the instruction uses, to be changed.
    #[inline]
    pub fn for_each_use_mut(&mut self, inst: Inst, mut f: impl FnMut(&mut Value)) {
        let data = &mut self.insts[inst];
        for v in data.args.as_mut_slice(&mut self.pool) {
            f(v);
        }
        each_call(&mut data.payload, &mut self.switches, |c| {
            for v in c.args.as_mut_slice(&mut self.pool) {
                f(v);
            }
        });
    }

    // ---- blocks and branches ------------------------------------------------------------------------------------

    /// Makes a block without parameters. It stands nowhere until the layout places it.
    pub fn make_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    /// Parameters of a block.
    #[inline]
    pub fn params(&self, block: Block) -> &[Value] {
        self.blocks[block].params.as_slice(&self.pool)
    }

    /// Adds a parameter at the end; the branches to the block must get an argument each.
    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let n = self.params(block).len() as u32;
        let v = self.values.push(ValueData { ty, def: ValueDef::Param(block, n) });
        self.blocks[block].params.push(v, &mut self.pool);
        v
    }

    /// Keeps the parameters for which `keep[n]` holds; the caller does the same to every branch's arguments.
    pub fn retain_params(&mut self, block: Block, keep: &[bool]) {
        let kept: smallvec::SmallVec<[Value; 8]> =
            self.params(block).iter().zip(keep).filter(|(_, k)| **k).map(|(v, _)| *v).collect();
        self.blocks[block].params.clear(&mut self.pool);
        for (n, v) in kept.into_iter().enumerate() {
            self.blocks[block].params.push(v, &mut self.pool);
            self.values[v].def = ValueDef::Param(block, n as u32);
        }
    }

    /// A target with arguments.
    pub fn block_call(&mut self, block: Block, args: &[Value]) -> BlockCall {
        BlockCall { block, args: EntityList::from_slice(args, &mut self.pool) }
    }

    /// Number of successors of a terminator, duplicates counted; 0 for other instructions.
    #[inline]
    pub fn successor_count(&self, inst: Inst) -> usize {
        match &self.insts[inst].payload {
            Payload::Jump(..) => 1,
            Payload::Br(..) => 2,
            Payload::Switch(s) => self.switches[*s].cases.len() + 1,
            _ => 0,
        }
    }

    /// Branch target `n`: of a [`Opcode::Br`] 0 is taken if true; of a [`Opcode::Switch`] the cases come first, the
    /// default last.
    ///
    /// # Panics
    /// If there is no such target.
    #[inline]
    pub fn call(&self, inst: Inst, n: usize) -> &BlockCall {
        match &self.insts[inst].payload {
            Payload::Jump(c, _) => c,
            Payload::Br(c, _) => &c[n],
            Payload::Switch(s) => {
                let t = &self.switches[*s];
                t.cases.get(n).map_or(&t.default, |(_, c)| c)
            }
            _ => panic!("not a branch"),
        }
    }

    /// Branch target `n`, to be changed.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn call_mut(&mut self, inst: Inst, n: usize) -> &mut BlockCall {
        match &mut self.insts[inst].payload {
            Payload::Jump(c, _) => c,
            Payload::Br(c, _) => &mut c[n],
            Payload::Switch(s) => {
                let t = &mut self.switches[*s];
                match t.cases.get_mut(n) {
                    Some((_, c)) => c,
                    None => &mut t.default,
                }
            }
            _ => panic!("not a branch"),
        }
    }

    /// Successor `n` of a terminator.
    #[inline]
    pub fn successor(&self, inst: Inst, n: usize) -> Block {
        self.call(inst, n).block
    }

    /// Successors of a terminator in order, duplicates included.
    pub fn successors(&self, inst: Inst) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        (0..self.successor_count(inst)).map(move |n| self.call(inst, n).block)
    }

    /// Arguments for the parameters of successor `n`.
    #[inline]
    pub fn branch_args(&self, inst: Inst, n: usize) -> &[Value] {
        self.call(inst, n).args.as_slice(&self.pool)
    }

    /// Arguments for the parameters of successor `n`, to be changed.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn branch_args_mut(&mut self, inst: Inst, n: usize) -> &mut [Value] {
        let call = match &mut self.insts[inst].payload {
            Payload::Jump(c, _) => c,
            Payload::Br(c, _) => &mut c[n],
            Payload::Switch(s) => {
                let t = &mut self.switches[*s];
                match t.cases.get_mut(n) {
                    Some((_, c)) => c,
                    None => &mut t.default,
                }
            }
            _ => panic!("not a branch"),
        };
        call.args.as_mut_slice(&mut self.pool)
    }

    /// Sets the arguments of successor `n`.
    pub fn set_branch_args(&mut self, inst: Inst, n: usize, args: &[Value]) {
        let new = EntityList::from_slice(args, &mut self.pool);
        let mut old = std::mem::replace(&mut self.call_mut(inst, n).args, new);
        old.clear(&mut self.pool);
    }

    /// Adds an argument for successor `n`.
    pub fn push_branch_arg(&mut self, inst: Inst, n: usize, v: Value) {
        let mut list = std::mem::take(&mut self.call_mut(inst, n).args);
        list.push(v, &mut self.pool);
        self.call_mut(inst, n).args = list;
    }

    /// Redirects successor `n` to another block, keeping its arguments.
    pub fn set_successor(&mut self, inst: Inst, n: usize, block: Block) {
        self.call_mut(inst, n).block = block;
    }

    /// Sets or clears the loop metadata of a jump or branch.
    pub fn set_loop_md(&mut self, inst: Inst, md: Option<LoopMd>) {
        if let Payload::Jump(_, m) | Payload::Br(_, m) = &mut self.insts[inst].payload {
            *m = md.into();
        }
    }
}

#[inline]
fn each_call(payload: &mut Payload, switches: &mut PrimaryMap<Switch, SwitchData>, mut f: impl FnMut(&mut BlockCall)) {
    match payload {
        Payload::Jump(c, _) => f(c),
        Payload::Br(c, _) => c.iter_mut().for_each(f),
        Payload::Switch(s) => {
            let t = &mut switches[*s];
            t.cases.iter_mut().for_each(|(_, c)| f(c));
            f(&mut t.default);
        }
        _ => {}
    }
}
