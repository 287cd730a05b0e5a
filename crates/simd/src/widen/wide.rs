//! Values of several work-items at once, and the instructions that turn one form into another.

use super::emit::Emitter;
use super::shape::Shape;
use ir::{ConstKind, Flags, IntCC, MemInfo, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// A value of the kernel for all lanes of a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wide {
    /// The same for all.
    Uniform(Value),
    /// Lane 0's value, and what is added per lane (bytes for pointers), modulo the width.
    Strided(Value, i64),
    /// A vector with a lane per work-item; `i64` addresses never stand here for pointers.
    Lanes(Value, Option<Perhaps>),
    /// Pointers: a base, and an `i64` offset per lane.
    Far {
        /// Where offset 0 is.
        base: Value,
        /// Bytes from there, a vector of `i64`.
        offsets: Value,
        /// What they may turn out to be.
        perhaps: Option<Perhaps>,
    },
    /// A vector of the kernel: one such value per component.
    Parts(Vec<Self>),
}

impl Wide {
    /// Whether it goes by lane 0's value.
    pub(super) fn is_strided(&self) -> bool {
        matches!(self, Self::Uniform(_) | Self::Strided(..))
    }
}

/// What varying lanes turn out to be if a condition holds when the code runs: strided. It is what becomes of an
/// extended index of which it cannot be proved that it does not wrap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Perhaps {
    /// Lane 0's value, a pointer for pointers.
    pub(super) base: Value,
    /// Per lane.
    pub(super) stride: i64,
    /// An `i1`, the same for all lanes.
    pub(super) holds: Value,
}

/// Components of a value as they travel through block parameters.
pub(super) type Pieces = SmallVec<[Value; 4]>;

impl Emitter<'_> {
    // ---- making instructions ----------------------------------------------------------------------------------------

    /// Appends an instruction to the current block; its result.
    pub(super) fn put(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Value {
        let i = self.put_inst(op, ty, flags, args, payload);
        self.func.dfg.res(i)
    }

    pub(super) fn put_inst(
        &mut self,
        op: Opcode,
        ty: Type,
        flags: Flags,
        args: &[Value],
        payload: Payload,
    ) -> ir::Inst {
        let i = self.func.dfg.make_inst(op, ty, flags, args, payload);
        self.func.dfg.set_span(i, self.span);
        self.func.layout.append_inst(i, self.here);
        i
    }

    pub(super) fn plain(&mut self, op: Opcode, ty: Type, args: &[Value]) -> Value {
        self.put(op, ty, Flags::NONE, args, Payload::None)
    }

    pub(super) fn icmp(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let ty = self.func.dfg.ty(a).with_scalar(Type::I1);
        self.put(Opcode::Icmp, ty, Flags::NONE, &[a, b], Payload::IntCC(cc))
    }

    pub(super) fn not(&mut self, v: Value) -> Value {
        let ty = self.func.dfg.ty(v);
        if let Some(bits) = self.func.dfg.as_bits(v) {
            return self.func.dfg.bits(ty, bits ^ 1);
        }
        let ones = self.func.dfg.bits(ty, 1);
        self.plain(Opcode::Xor, ty, &[v, ones])
    }

    pub(super) fn select(&mut self, c: Value, a: Value, b: Value) -> Value {
        if a == b {
            return a;
        }
        match self.func.dfg.as_bits(c) {
            Some(1) => return a,
            Some(0) => return b,
            _ => {}
        }
        let ty = self.func.dfg.ty(a);
        self.plain(Opcode::Select, ty, &[c, a, b])
    }

    /// The vector type with a lane of type `ty` per work-item.
    pub(super) fn wide_type(&self, ty: Type) -> Type {
        ty.vector(self.lanes).unwrap_or(ty)
    }

    pub(super) fn mask_type(&self) -> Type {
        self.wide_type(Type::I1)
    }

    pub(super) fn splat(&mut self, v: Value) -> Value {
        let ty = self.func.dfg.ty(v);
        let wide = self.wide_type(ty);
        match self.func.dfg.as_const(v) {
            Some(c @ (ConstKind::Bits(_) | ConstKind::Undef)) => self.func.dfg.constant(wide, c),
            _ => self.plain(Opcode::Splat, wide, &[v]),
        }
    }

    /// `0, s, 2s, …` in lanes of the integer type `ty`.
    pub(super) fn steps(&mut self, ty: Type, stride: i64) -> Value {
        let wide = self.wide_type(ty);
        let iota = self.put(Opcode::Iota, wide, Flags::NONE, &[], Payload::None);
        if stride == 1 {
            return iota;
        }
        let factor = self.func.dfg.iconst(wide, stride);
        self.plain(Opcode::Mul, wide, &[iota, factor])
    }

    pub(super) fn i64(&mut self, n: i64) -> Value {
        self.func.dfg.iconst(Type::I64, n)
    }

    pub(super) fn ptradd(&mut self, p: Value, n: i64) -> Value {
        if n == 0 {
            return p;
        }
        let n = self.i64(n);
        let ty = self.func.dfg.ty(p);
        self.plain(Opcode::PtrAdd, ty, &[p, n])
    }

    // ---- forms ------------------------------------------------------------------------------------------------------

    /// The lanes of a scalar value of the kernel as one vector; addresses as `i64`.
    pub(super) fn lanes_of(&mut self, w: &Wide, ty: Type) -> Value {
        match w {
            Wide::Lanes(v, _) => *v,
            Wide::Uniform(v) if ty.is_ptr() => {
                let address = self.plain(Opcode::PtrToInt, Type::I64, &[*v]);
                self.splat(address)
            }
            Wide::Uniform(v) => self.splat(*v),
            Wide::Strided(base, stride) => {
                let (base, stride, ty) = if ty.is_ptr() {
                    (self.plain(Opcode::PtrToInt, Type::I64, &[*base]), *stride, Type::I64)
                } else {
                    (*base, *stride, ty)
                };
                let (base, steps) = (self.splat(base), self.steps(ty, stride));
                let wide = self.wide_type(ty);
                self.plain(Opcode::Add, wide, &[base, steps])
            }
            Wide::Far { base, offsets, .. } => {
                if self.func.dfg.as_bits(*base) == Some(0) {
                    return *offsets;
                }
                let base = self.plain(Opcode::PtrToInt, Type::I64, &[*base]);
                let base = self.splat(base);
                let wide = self.wide_type(Type::I64);
                self.plain(Opcode::Add, wide, &[base, *offsets])
            }
            // Vectors of the kernel are taken apart by whoever asks.
            Wide::Parts(_) => self.func.dfg.undef(self.wide_type(ty)),
        }
    }

    /// Base and offsets of pointers that differ.
    pub(super) fn far(&mut self, w: &Wide) -> (Value, Value) {
        match w {
            Wide::Far { base, offsets, .. } => (*base, *offsets),
            Wide::Strided(base, stride) => (*base, self.steps(Type::I64, *stride)),
            Wide::Uniform(base) => {
                let zero = self.i64(0);
                (*base, self.splat(zero))
            }
            Wide::Lanes(..) | Wide::Parts(_) => {
                let null = self.func.dfg.bits(Type::PTR, 0);
                let wide = self.wide_type(Type::I64);
                (null, self.func.dfg.undef(wide))
            }
        }
    }

    /// Component `n` of a value of a vector type of the kernel.
    pub(super) fn part(&mut self, w: &Wide, ty: Type, n: u8) -> Wide {
        match w {
            Wide::Parts(parts) => parts[usize::from(n)].clone(),
            Wide::Uniform(v) => match self.func.dfg.as_const(*v) {
                Some(c @ (ConstKind::Bits(_) | ConstKind::Undef)) => {
                    Wide::Uniform(self.func.dfg.constant(ty.scalar(), c))
                }
                _ => Wide::Uniform(self.put(Opcode::Extract, ty.scalar(), Flags::NONE, &[*v], Payload::Lane(n))),
            },
            other => other.clone(),
        }
    }

    /// The value in the form in which its shape travels through block parameters.
    pub(super) fn pieces(&mut self, w: &Wide, shape: Shape, ty: Type) -> Pieces {
        match (w, shape) {
            (Wide::Uniform(v), Shape::Strided { .. } | Shape::Unknown) => SmallVec::from_slice(&[*v]),
            (Wide::Strided(base, _), Shape::Strided { .. }) => SmallVec::from_slice(&[*base]),
            (_, Shape::Strided { .. } | Shape::Unknown) => {
                self.broken = Some("a value that should be the same for all work-items is not");
                SmallVec::from_slice(&[self.func.dfg.undef(ty)])
            }
            _ if ty.is_vector() => (0..ty.lanes())
                .map(|n| {
                    let part = self.part(w, ty, n);
                    self.lanes_of(&part, ty.scalar())
                })
                .collect(),
            _ => SmallVec::from_slice(&[self.lanes_of(w, ty)]),
        }
    }

    /// Types of the pieces of a value.
    pub(super) fn piece_types(&self, shape: Shape, ty: Type) -> SmallVec<[Type; 4]> {
        match shape {
            Shape::Strided { .. } | Shape::Unknown => SmallVec::from_slice(&[ty]),
            Shape::Varying => {
                let lane = if ty.is_ptr() { Type::I64 } else { ty.scalar() };
                SmallVec::from_elem(self.wide_type(lane), ty.lanes().into())
            }
        }
    }

    /// The value of which these are the pieces.
    pub(super) fn assembled(&mut self, pieces: &[Value], shape: Shape, ty: Type) -> Wide {
        match shape {
            Shape::Strided { stride: 0, .. } | Shape::Unknown => Wide::Uniform(pieces[0]),
            Shape::Strided { stride, .. } => Wide::Strided(pieces[0], stride),
            Shape::Varying if ty.is_vector() => Wide::Parts(pieces.iter().map(|&v| Wide::Lanes(v, None)).collect()),
            Shape::Varying if ty.is_ptr() => {
                Wide::Far { base: self.func.dfg.bits(ty, 0), offsets: pieces[0], perhaps: None }
            }
            Shape::Varying => Wide::Lanes(pieces[0], None),
        }
    }

    /// The value of one lane of a scalar value of the kernel, the lane given by an `i32`.
    pub(super) fn lane(&mut self, w: &Wide, ty: Type, lane: Value) -> Value {
        match w {
            Wide::Uniform(v) => *v,
            Wide::Lanes(v, _) => self.plain(Opcode::ExtractDyn, ty.scalar(), &[*v, lane]),
            Wide::Strided(base, stride) => {
                let n = if ty.is_ptr() { Type::I64 } else { ty };
                let lane = self.resized(lane, n);
                let stride = self.func.dfg.iconst(n, *stride);
                let offset = self.plain(Opcode::Mul, n, &[lane, stride]);
                let op = if ty.is_ptr() { Opcode::PtrAdd } else { Opcode::Add };
                self.plain(op, ty, &[*base, offset])
            }
            Wide::Far { base, offsets, .. } => {
                let offset = self.plain(Opcode::ExtractDyn, Type::I64, &[*offsets, lane]);
                self.plain(Opcode::PtrAdd, ty, &[*base, offset])
            }
            Wide::Parts(parts) => {
                let lanes: SmallVec<[Value; 16]> = parts.iter().map(|p| self.lane(p, ty.scalar(), lane)).collect();
                self.plain(Opcode::VecBuild, ty, &lanes)
            }
        }
    }

    /// A small number, an `i32`, in another width.
    fn resized(&mut self, v: Value, ty: Type) -> Value {
        match ty.bits() {
            32 => v,
            n if n > 32 => self.plain(Opcode::ZExt, ty, &[v]),
            _ => self.plain(Opcode::Trunc, ty, &[v]),
        }
    }

    /// An access of one element of type `ty`.
    pub(super) fn element(mem: MemInfo, ty: Type) -> MemInfo {
        MemInfo { align_log2: mem.align_log2.min(ty.scalar_bytes().max(1).ilog2() as u8), ..mem }
    }
}
