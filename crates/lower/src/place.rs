//! Places: what stands on the left of an assignment.

use crate::bits::BitPlace;
use crate::func::{FunctionLowering, Storage};
use crate::types::value_type;
use ir::{AddrSpace, Flags, Opcode, Payload, Type, Value};
use sema::program::{CastKind, Components, ExprId, ExprKind};
use sema::types::{Ty, TyId};

/// A place, with its side effects done.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// An SSA variable.
    Var(crate::ssa::Var),
    /// Memory.
    Memory {
        /// Its address.
        ptr: Value,
        /// Its alignment in bytes.
        align: u32,
        /// Whether accesses are volatile.
        volatile: bool,
    },
    /// A bit-field.
    Bits(BitPlace),
    /// Components of a vector place.
    Components(Box<Place>, Type, Components),
    /// A component of a vector place, by computed index (`i32`).
    Element(Box<Place>, Type, Value),
}

impl FunctionLowering<'_, '_> {
    /// Evaluates a place expression.
    pub(crate) fn place(&mut self, id: ExprId) -> Place {
        let program = self.cx.program;
        let e = *program.expr(id);
        if !self.enter(e.span) {
            self.depth -= 1;
            let ptr = self.func.dfg.undef(Type::ptr(AddrSpace::Private));
            return Place::Memory { ptr, align: 1, volatile: false };
        }
        self.span = e.span;
        let place = match e.kind {
            ExprKind::Local(l) => match self.storage(l) {
                Storage::Var(v) => Place::Var(v),
                Storage::Memory(ptr) => {
                    let local = &program.functions[self.n].locals[l.index()];
                    Place::Memory { ptr, align: local.align.max(1), volatile: local.quals.is_volatile() }
                }
            },
            ExprKind::Materialize { local, init } => {
                self.init_local(local, Some(init));
                match self.storage(local) {
                    Storage::Var(v) => Place::Var(v),
                    Storage::Memory(ptr) => {
                        Place::Memory { ptr, align: self.cx.types().align_of(e.ty), volatile: false }
                    }
                }
            }
            ExprKind::Global(g) => {
                let global = self.cx.globals[g.index()];
                let data = &self.cx.module.globals[global];
                let (ty, align) = (Type::ptr(data.space), data.align);
                let ptr = self.func.dfg.constant(ty, ir::ConstKind::Global(global));
                Place::Memory { ptr, align, volatile: e.quals.is_volatile() }
            }
            ExprKind::Deref(p) => {
                let ptr = self.expr(p);
                Place::Memory { ptr, align: self.cx.types().align_of(e.ty), volatile: e.quals.is_volatile() }
            }
            ExprKind::Field { base, record, field } => self.field_place(base, record, field, e.quals.is_volatile()),
            ExprKind::ArrayElem { base, index } => self.array_element(id, base, index, false),
            ExprKind::Swizzle { base, comps } => {
                let ty = value_type(self.cx.types(), program.expr(base).ty);
                let base = self.place(base);
                Place::Components(Box::new(base), ty, comps)
            }
            ExprKind::VectorElem { base, index } => {
                let ty = value_type(self.cx.types(), program.expr(base).ty);
                let base = self.place(base);
                let index = self.expr(index);
                let index = self.resize(index, Type::I32, false);
                Place::Element(Box::new(base), ty, index)
            }
            ExprKind::Cast { kind, operand } => self.cast_place(kind, operand),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.place(rhs)
            }
            ExprKind::Cond { cond, then, other } => self.cond_place(id, cond, then, other),
            ExprKind::Assign { place, value, first } => self.assign(place, value, first).0,
            ExprKind::AssignOp { .. } | ExprKind::AssignPtr { .. } | ExprKind::IncDec { .. } => self.update(id).place,
            // Not a place: give the value a storage. Happens for members of rvalues.
            _ => {
                let ptr = self.temp(e.ty);
                self.expr_into(id, ptr, self.cx.types().align_of(e.ty));
                Place::Memory { ptr, align: self.cx.types().align_of(e.ty), volatile: false }
            }
        };
        self.depth -= 1;
        place
    }

    /// An element of an array; `address`: what is wanted is its address, which the one behind the last has, too.
    pub(crate) fn array_element(&mut self, id: ExprId, array: ExprId, index: ExprId, address: bool) -> Place {
        let e = *self.cx.program.expr(id);
        let base = self.place(array);
        let index = self.expr(index);
        self.check_index(array, index, address);
        let size = self.cx.size_of(e.ty);
        let (ptr, align) = self.memory(&base);
        let ptr = self.element_ptr(ptr, index, size, false);
        let align = if size == 0 { 1 } else { align.min(1 << size.trailing_zeros().min(16)) };
        Place::Memory { ptr, align, volatile: e.quals.is_volatile() }
    }

    /// Says to the interpreter how long the array is.
    fn check_index(&mut self, array: ExprId, index: Value, address: bool) {
        if !self.cx.options.checks {
            return;
        }
        let e = self.cx.program.expr(array);
        let Ty::Array { len: Some(len), .. } = *self.cx.types().get(e.ty) else { return };
        // Arrays of one element at the end of a structure stand for any number.
        if len <= 1 && matches!(e.kind, ExprKind::Field { .. }) {
            return;
        }
        let index = self.resize(index, Type::I64, false);
        let len = self.iconst(Type::I64, i64::try_from(len + u64::from(address)).unwrap_or(i64::MAX));
        self.build(|b| b.intrinsic(ir::Intrinsic::CheckIndex, Type::VOID, &[index, len]));
    }

    fn field_place(&mut self, base: ExprId, record: sema::types::RecordId, field: u32, volatile: bool) -> Place {
        let base = self.place(base);
        let types = &self.cx.program.types;
        let f = &types.record(record).fields[field as usize];
        let volatile = volatile || matches!(base, Place::Memory { volatile: true, .. });
        let (ptr, align) = self.memory(&base);
        let align = if f.offset == 0 { align } else { align.min(1 << f.offset.trailing_zeros().min(16)) };
        let ptr = self.offset(ptr, f.offset);
        match f.bits {
            None => Place::Memory { ptr, align, volatile },
            Some(bits) => {
                let value = value_type(types, f.ty);
                let unit = crate::types::memory_type(value);
                Place::Bits(BitPlace { ptr, align, volatile, unit, bits, signed: types.is_signed(f.ty) })
            }
        }
    }

    fn cast_place(&mut self, kind: CastKind, operand: ExprId) -> Place {
        let place = self.place(operand);
        match (kind, place) {
            (CastKind::DerivedToBase { offset }, Place::Memory { ptr, align, volatile }) => {
                let ptr = self.offset(ptr, u64::from(offset));
                Place::Memory { ptr, align: align.min(1 << offset.trailing_zeros().min(16)), volatile }
            }
            (CastKind::BaseToDerived { offset }, Place::Memory { ptr, volatile, .. }) => {
                let n = self.iconst(Type::I64, -i64::from(offset));
                let ptr = self.build(|b| b.ptradd(ptr, n, Flags::INBOUNDS));
                Place::Memory { ptr, align: 1, volatile }
            }
            (_, place) => place,
        }
    }

    fn cond_place(&mut self, id: ExprId, cond: ExprId, then: ExprId, other: ExprId) -> Place {
        let program = self.cx.program;
        let e = program.expr(id);
        let space = crate::types::space(e.space);
        let var = self.ssa.declare(Type::ptr(space));
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cond, yes, no);
        let mut aligns = 1 << 16;
        for (block, arm) in [(yes, then), (no, other)] {
            self.start_sealed(block);
            let place = self.place(arm);
            let (ptr, align) = self.memory(&place);
            aligns = aligns.min(align);
            let ptr = self.in_space(ptr, space);
            self.ssa.write(self.block, var, ptr);
            self.jump(end);
        }
        self.start_sealed(end);
        let ptr = self.ssa.read(&mut self.func, self.block, var);
        Place::Memory { ptr, align: aligns, volatile: e.quals.is_volatile() }
    }

    /// The address of a place that is in memory as a whole, and its alignment. The scan for taken addresses sees to it
    /// that variables asked for theirs are; a bit-field or swizzle has none and sema refuses to ask.
    pub(crate) fn memory(&mut self, place: &Place) -> (Value, u32) {
        match place {
            Place::Memory { ptr, align, .. } | Place::Bits(BitPlace { ptr, align, .. }) => (*ptr, *align),
            Place::Components(base, ty, comps) => {
                let (ptr, align) = self.memory(base);
                let size = ty.scalar_bytes();
                let first = u32::from(comps.iter().next().unwrap_or(0)) * size;
                (self.offset(ptr, u64::from(first)), align.min(size))
            }
            Place::Element(base, ty, index) => {
                let (ptr, align) = self.memory(base);
                let size = ty.scalar_bytes();
                let index = self.build(|b| b.cast(Opcode::ZExt, *index, Type::I64));
                (self.element_ptr(ptr, index, u64::from(size), false), align.min(size))
            }
            Place::Var(var) => {
                debug_assert!(false, "address of an SSA variable {var:?}");
                (self.func.dfg.undef(Type::ptr(AddrSpace::Private)), 1)
            }
        }
    }

    /// Reads a scalar or vector of value type `ty` from a place.
    pub(crate) fn load(&mut self, place: &Place, ty: Type) -> Value {
        match place {
            Place::Var(var) => self.ssa.read(&mut self.func, self.block, *var),
            Place::Memory { ptr, align, volatile } => self.load_scalar(*ptr, ty, *align, volatile_flag(*volatile)),
            Place::Bits(field) => self.load_bits(field, ty),
            Place::Components(base, vec, comps) => {
                let v = self.load(base, *vec);
                self.swizzle(v, *comps)
            }
            Place::Element(base, vec, index) => {
                let v = self.load(base, *vec);
                self.make(Opcode::ExtractDyn, vec.scalar(), Flags::NONE, &[v, *index], Payload::None)
            }
        }
    }

    /// Writes a scalar or vector to a place.
    pub(crate) fn store(&mut self, place: &Place, v: Value) {
        match place {
            Place::Var(var) => self.ssa.write(self.block, *var, v),
            Place::Memory { ptr, align, volatile } => self.store_scalar(*ptr, v, *align, volatile_flag(*volatile)),
            Place::Bits(field) => self.store_bits(field, v),
            Place::Components(base, vec, comps) => self.store_components(base, *vec, *comps, v),
            Place::Element(base, vec, index) => {
                let old = self.load(base, *vec);
                let new = self.make(Opcode::InsertDyn, *vec, Flags::NONE, &[old, v, *index], Payload::None);
                self.store(base, new);
            }
        }
    }

    fn store_components(&mut self, base: &Place, vec: Type, comps: Components, v: Value) {
        // What is written to the fourth component of a vector of three (`v.hi`, `v.odd`) goes nowhere.
        let parts: Vec<(u8, Value)> = comps
            .iter()
            .enumerate()
            .filter(|&(_, c)| c < vec.lanes())
            .map(|(n, c)| {
                let part = if comps.len == 1 { v } else { self.build(|b| b.extract(v, n as u8)) };
                (c, part)
            })
            .collect();
        // In memory only the components named are written: others may belong to another work-item's write.
        if let Place::Memory { ptr, align, volatile } = base {
            let size = vec.scalar_bytes();
            for (c, part) in parts {
                let at = self.offset(*ptr, u64::from(u32::from(c) * size));
                self.store_scalar(at, part, (*align).min(size), volatile_flag(*volatile));
            }
            return;
        }
        let mut whole = self.load(base, vec);
        for (c, part) in parts {
            whole = self.build(|b| b.insert(whole, part, c));
        }
        self.store(base, whole);
    }

    /// Components of a vector value. The undefined fourth component of a vector of three reads as the third.
    pub(crate) fn swizzle(&mut self, v: Value, comps: Components) -> Value {
        let last = self.ty(v).lanes() - 1;
        let lanes: smallvec::SmallVec<[u8; 16]> = comps.iter().map(|c| c.min(last)).collect();
        if let [lane] = lanes.as_slice() {
            let lane = *lane;
            return self.build(|b| b.extract(v, lane));
        }
        self.build(|b| b.shuffle(v, v, &lanes))
    }

    /// Copies an aggregate of type `ty`, which may be a part of another, between two addresses that do not overlap, or are the same.
    pub(crate) fn copy(&mut self, dst: Value, src: Value, ty: TyId, align: u32) {
        self.copy_bytes((dst, src), ty, self.cx.own_size(ty), align);
    }

    /// Copies the first `size` bytes of an aggregate from the second address to the first.
    pub(crate) fn copy_bytes(&mut self, (dst, src): (Value, Value), ty: TyId, size: u64, align: u32) {
        if size > 0 && dst != src {
            let bytes = self.iconst(Type::I64, size as i64);
            let copy = self.build(|b| b.memcpy(dst, src, bytes, ir::MemInfo::aligned(align)));
            self.func.dfg.set_parts(copy, self.cx.scalars_in(ty));
        }
    }
}

pub(crate) fn volatile_flag(volatile: bool) -> Flags {
    if volatile { Flags::VOLATILE } else { Flags::NONE }
}
