//! Aggregates: values that are produced into memory.

use crate::bits::BitPlace;
use crate::func::FunctionLowering;
use crate::types::value_type;
use ir::{Flags, MemInfo, Type, Value};
use sema::program::{ExprId, ExprKind, InitElem, LocalId};

impl FunctionLowering<'_, '_> {
    /// Gives a local its initial value, if there is one.
    pub(crate) fn init_local(&mut self, local: LocalId, init: Option<ExprId>) {
        let program = self.cx.program;
        let l = &program.functions[self.n].locals[local.index()];
        match (self.storage(local), init) {
            (crate::func::Storage::Var(var), Some(init)) => {
                let v = self.expr(init);
                self.ssa.write(self.block, var, v);
            }
            (crate::func::Storage::Var(var), None) => {
                // Fresh on each execution: whatever it held before does not reach its uses.
                let v = self.func.dfg.undef(self.ssa.ty(var));
                self.ssa.write(self.block, var, v);
            }
            (crate::func::Storage::Memory(ptr), Some(init)) => {
                if program.types.is_aggregate(l.ty) {
                    self.prepare_bit_fields(l.ty, ptr, l.align.max(1));
                    self.expr_into(init, ptr, l.align.max(1));
                } else {
                    let v = self.expr(init);
                    let flags = crate::place::volatile_flag(l.quals.is_volatile());
                    self.store_scalar(ptr, v, l.align.max(1), flags);
                }
            }
            (crate::func::Storage::Memory(ptr), None) => self.prepare_bit_fields(l.ty, ptr, l.align.max(1)),
        }
    }

    /// Gives the units of bit-fields in a new object a value, for the first assignment to change.
    pub(crate) fn prepare_bit_fields(&mut self, ty: sema::types::TyId, at: Value, align: u32) {
        if self.cx.has_bit_fields(ty) {
            self.zero(at, self.cx.size_of(ty), align);
        }
    }

    /// Produces the value of any expression at `dst`, which nothing in the expression reads.
    pub(crate) fn expr_into(&mut self, id: ExprId, dst: Value, align: u32) {
        self.produce(id, dst, align, true);
    }

    /// The same for a part of an object, a base or a member, whose last bytes may be others'.
    pub(crate) fn part_into(&mut self, id: ExprId, dst: Value, align: u32) {
        self.produce(id, dst, align, false);
    }

    /// Produces a value; `whole`: all bytes of its type are there for it.
    fn produce(&mut self, id: ExprId, dst: Value, align: u32, whole: bool) {
        let program = self.cx.program;
        let e = *program.expr(id);
        if !program.types.is_aggregate(e.ty) {
            if e.cat == sema::program::Category::LValue {
                let place = self.place(id);
                let ty = value_type(&program.types, e.ty);
                let v = self.load(&place, ty);
                return self.store_scalar(dst, v, align, Flags::NONE);
            }
            if let Some(v) = self.expr_value(id) {
                self.store_scalar(dst, v, align, Flags::NONE);
            }
            return;
        }
        if !self.enter(e.span) {
            self.depth -= 1;
            return;
        }
        let outer = std::mem::replace(&mut self.span, e.span);
        // The byte of an empty class is nobody's.
        let own = self.cx.own_size(e.ty);
        let size = if whole && own > 0 { self.cx.size_of(e.ty) } else { own };
        match e.kind {
            ExprKind::Load(place) => match self.made_object(place).filter(|_| align >= program.types.align_of(e.ty)) {
                Some((making, object)) => {
                    self.storage[object.index()] = Some(crate::func::Storage::Memory(dst));
                    self.effect(making);
                }
                None => {
                    let place = self.place(place);
                    let (src, other) = self.memory(&place);
                    self.copy_bytes((dst, src), e.ty, size, align.min(other));
                }
            },
            ExprKind::Field { .. } => {
                let place = self.place(id);
                let (src, other) = self.memory(&place);
                self.copy_bytes((dst, src), e.ty, size, align.min(other));
            }
            ExprKind::ZeroInit => self.zero(dst, size, align),
            ExprKind::Aggregate { elems, zero_fill } => {
                if zero_fill {
                    self.zero_rest(dst, size, align, program.inits(elems));
                }
                for elem in program.inits(elems) {
                    self.init_elem(dst, align, elem);
                }
            }
            ExprKind::Call { .. } | ExprKind::CallPtr { .. } if !whole && size < self.cx.size_of(e.ty) => {
                let result = self.temp(e.ty);
                self.produce(id, result, program.types.align_of(e.ty), true);
                self.copy(dst, result, e.ty, align);
            }
            ExprKind::Call { callee, args } => {
                self.call_expr(id, callee, args, Some(dst));
            }
            ExprKind::CallPtr { callee, args } => {
                self.call_through(id, callee, args, Some(dst));
            }
            ExprKind::Cond { cond, then, other } => {
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(cond, yes, no);
                for (block, arm) in [(yes, then), (no, other)] {
                    self.start_sealed(block);
                    self.produce(arm, dst, align, whole);
                    self.jump(end);
                }
                self.start_sealed(end);
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.produce(rhs, dst, align, whole);
            }
            ExprKind::StmtExpr { body, result } => {
                self.statement_expr(body, |this| {
                    if let Some(r) = result {
                        this.produce(r, dst, align, whole);
                    }
                });
            }
            ExprKind::BitCast(operand) | ExprKind::Cast { operand, .. } => self.produce(operand, dst, align, whole),
            ExprKind::Assign { place, value, first } => {
                let (place, _) = self.assign(place, value, first);
                let (src, other) = self.memory(&place);
                self.copy_bytes((dst, src), e.ty, size, align.min(other));
            }
            _ => {
                let place = self.place(id);
                let (src, other) = self.memory(&place);
                self.copy_bytes((dst, src), e.ty, size, align.min(other));
            }
        }
        self.span = outer;
        self.depth -= 1;
    }

    /// The expression that makes an object at a place, and the object, if the place is nothing else.
    fn made_object(&self, place: ExprId) -> Option<(ExprId, LocalId)> {
        let program = self.cx.program;
        let ExprKind::Comma { lhs, rhs } = program.expr(place).kind else { return None };
        let ExprKind::Local(l) = program.expr(rhs).kind else { return None };
        program.functions[self.n].locals[l.index()].is_made.then_some((lhs, l))
    }

    /// Evaluates an aggregate whose value nobody wants.
    pub(crate) fn effect_of_aggregate(&mut self, id: ExprId) {
        let program = self.cx.program;
        let e = *program.expr(id);
        match e.kind {
            ExprKind::Load(place) => {
                self.place(place);
            }
            ExprKind::Assign { place, value, first } => {
                self.assign(place, value, first);
            }
            ExprKind::ZeroInit => {}
            _ => {
                let temp = self.temp(e.ty);
                self.expr_into(id, temp, program.types.align_of(e.ty));
            }
        }
    }

    fn zero(&mut self, dst: Value, size: u64, align: u32) {
        if size == 0 {
            return;
        }
        let byte = self.iconst(Type::I8, 0);
        let bytes = self.iconst(Type::I64, size as i64);
        self.build(|b| b.memset(dst, byte, bytes, MemInfo::aligned(align)));
    }

    /// Zeroes what an initialiser leaves out. Most often it leaves out nearly nothing, as the end of a string: then only that;
    /// what is written twice stays twice where an index of the array is not a constant.
    fn zero_rest(&mut self, dst: Value, size: u64, align: u32, elems: &[InitElem]) {
        let program = self.cx.program;
        let bytes = |e: &InitElem| {
            let ty = program.expr(e.value).ty;
            self.cx.size_of(ty) * e.repeat.saturating_sub(1) + self.cx.own_size(ty)
        };
        // A bit-field's unit is read before it is written.
        let mut written: Vec<(u64, u64)> =
            elems.iter().filter(|e| e.bits.is_none()).map(|e| (e.offset, e.offset + bytes(e))).collect();
        written.sort_unstable();
        let (mut gaps, mut end) = (Vec::new(), 0);
        for (from, to) in written.into_iter().chain([(size, size)]) {
            if from > end {
                gaps.push((end, from - end));
            }
            end = end.max(to);
        }
        let left_out: u64 = gaps.iter().map(|(_, n)| n).sum();
        if gaps.len() > MAX_GAPS || left_out > size / 4 {
            return self.zero(dst, size, align);
        }
        for (from, n) in gaps {
            let ptr = self.offset(dst, from);
            let align = if from == 0 { align } else { align.min(1 << from.trailing_zeros().min(16)) };
            self.zero(ptr, n, align);
        }
    }

    fn init_elem(&mut self, dst: Value, align: u32, elem: &InitElem) {
        let program = self.cx.program;
        let ty = program.expr(elem.value).ty;
        let size = self.cx.size_of(ty);
        let at = |n: u64| elem.offset + n * size;
        let align_at = |offset: u64| if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(16)) };
        if let Some(bits) = elem.bits {
            let ptr = self.offset(dst, elem.offset);
            let unit = crate::types::memory_type(value_type(&program.types, ty));
            let align = align_at(elem.offset);
            let field = BitPlace { ptr, align, volatile: false, unit, bits, signed: program.types.is_signed(ty) };
            let v = self.expr(elem.value);
            return self.store_bits(&field, v);
        }
        if program.types.is_aggregate(ty) {
            let ptr = self.offset(dst, elem.offset);
            let makes = matches!(program.expr(elem.value).kind, ExprKind::Load(p) if self.made_object(p).is_some());
            if elem.repeat > 1 && makes {
                return self.make_each(dst, align, elem, size);
            }
            self.part_into(elem.value, ptr, align_at(elem.offset));
            // A range designator repeats one value, evaluated once.
            for n in 1..elem.repeat {
                let to = self.offset(dst, at(n));
                self.copy(to, ptr, ty, align_at(at(n)).min(align_at(elem.offset)));
            }
            return;
        }
        let v = self.expr(elem.value);
        if elem.repeat > MAX_UNROLLED_STORES {
            return self.fill(dst, elem, v, size);
        }
        for n in 0..elem.repeat {
            let ptr = self.offset(dst, at(n));
            self.store_scalar(ptr, v, align_at(at(n)), Flags::NONE);
        }
    }

    /// Objects of an array, each made by its constructor.
    fn make_each(&mut self, dst: Value, align: u32, elem: &InitElem, size: u64) {
        if elem.repeat > MAX_UNROLLED_STORES {
            let align = align.min(1 << size.trailing_zeros().min(16));
            return self.repeat(dst, elem, size, |this, ptr| this.part_into(elem.value, ptr, align));
        }
        for n in 0..elem.repeat {
            let offset = elem.offset + n * size;
            let ptr = self.offset(dst, offset);
            let align = if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(16)) };
            self.part_into(elem.value, ptr, align);
        }
    }

    /// A loop that stores `v` `elem.repeat` times.
    fn fill(&mut self, dst: Value, elem: &InitElem, v: Value, size: u64) {
        let align = 1 << size.trailing_zeros().min(16);
        self.repeat(dst, elem, size, |this, ptr| this.store_scalar(ptr, v, align, Flags::NONE));
    }

    /// A loop over the places of `elem`.
    fn repeat(&mut self, dst: Value, elem: &InitElem, size: u64, mut body: impl FnMut(&mut Self, Value)) {
        let start = self.offset(dst, elem.offset);
        let var = self.ssa.declare(Type::I64);
        let zero = self.iconst(Type::I64, 0);
        self.ssa.write(self.block, var, zero);
        let (head, end) = (self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let i = self.ssa.read(&mut self.func, self.block, var);
        let ptr = self.element_ptr(start, i, size, false);
        body(self, ptr);
        let one = self.iconst(Type::I64, 1);
        let next = self.build(|b| b.add(i, one));
        self.ssa.write(self.block, var, next);
        let count = self.iconst(Type::I64, elem.repeat as i64);
        let more = self.build(|b| b.icmp(ir::IntCC::Ult, next, count));
        self.br(more, head, end, None);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
    }
}

/// A range designator of more elements becomes a loop.
const MAX_UNROLLED_STORES: u64 = 16;
/// Most stretches that are zeroed apart.
const MAX_GAPS: usize = 4;
