//! Types of the program as types of the IR.

use crate::Cx;
pub(crate) use builtin_lower::memory_type;
use ir::{AddrSpace, Type};
use sema::types::{FloatKind, Opaque, Ty, TyId, TypeTable};

/// The IR's name of an address space.
pub(crate) fn space(s: sema::types::AddrSpace) -> AddrSpace {
    match s {
        sema::types::AddrSpace::Generic => AddrSpace::Generic,
        sema::types::AddrSpace::Global => AddrSpace::Global,
        sema::types::AddrSpace::Shared => AddrSpace::Shared,
        sema::types::AddrSpace::Constant => AddrSpace::Constant,
        sema::types::AddrSpace::Private => AddrSpace::Private,
    }
}

/// The IR type of a scalar or vector value; `void` for `void` and for aggregates.
pub(crate) fn value_type(types: &TypeTable, id: TyId) -> Type {
    match types.get(id) {
        Ty::Bool => Type::I1,
        Ty::Int(k) if k.bits() == 128 => Type::I64.vector(2).unwrap_or(Type::VOID),
        Ty::Int(k) => Type::int(k.bits()).unwrap_or(Type::I32),
        Ty::Float(FloatKind::Half) => Type::F16,
        Ty::Float(FloatKind::BFloat16) => Type::BF16,
        Ty::Float(FloatKind::Float) => Type::F32,
        Ty::Float(FloatKind::Double | FloatKind::LongDouble) => Type::F64,
        Ty::Vector { elem, n } => value_type(types, *elem).vector(*n).unwrap_or(Type::VOID),
        Ty::Pointer { space: s, .. } | Ty::Reference { space: s, .. } => Type::ptr(space(*s)),
        Ty::NullPtr | Ty::Function(_) => Type::PTR,
        Ty::MemberPointer { .. } => Type::I64,
        Ty::Enum(e) => value_type(types, types.enumeration(*e).underlying),
        Ty::Opaque(Opaque::Sampler) => Type::I32,
        Ty::Opaque(Opaque::Image(..)) => Type::ptr(AddrSpace::Constant),
        Ty::Opaque(_) => Type::I64,
        _ => Type::VOID,
    }
}

/// The scalar that a type consists of, first one first: what a global's initialiser is written in.
pub(crate) fn element_type(types: &TypeTable, mut id: TyId) -> Type {
    // Bounded: types nest no deeper than sema's nesting limit.
    loop {
        id = match types.get(id) {
            Ty::Array { elem, .. } => *elem,
            Ty::Record(r) => match types.record(*r).fields.first() {
                Some(f) if !types.record(*r).is_union => {
                    let same =
                        types.record(*r).fields.iter().all(|g| element_type(types, g.ty) == element_type(types, f.ty));
                    if !same {
                        return Type::I8;
                    }
                    f.ty
                }
                _ => return Type::I8,
            },
            _ => return memory_type(value_type(types, id)).scalar(),
        };
    }
}

/// Array dimensions of a variable, outermost first; those of a record are those of its largest array.
pub(crate) fn dimensions(types: &TypeTable, mut id: TyId) -> smallvec::SmallVec<[u32; 2]> {
    let mut dims = smallvec::SmallVec::new();
    // Bounded: types nest no deeper than sema's nesting limit.
    loop {
        id = match types.get(id) {
            Ty::Array { elem, len } => {
                dims.push(u32::try_from(len.unwrap_or(0)).unwrap_or(u32::MAX));
                *elem
            }
            Ty::Record(r) => {
                let fields = types.record(*r).fields.iter().map(|f| f.ty);
                let nested = |&ty: &TyId| matches!(types.get(ty), Ty::Array { .. } | Ty::Record(_));
                match fields.filter(nested).max_by_key(|&ty| types.size_of(ty)) {
                    Some(ty) => ty,
                    None => return dims,
                }
            }
            _ => return dims,
        };
    }
}

impl Cx<'_> {
    pub(crate) fn types(&self) -> &TypeTable {
        &self.program.types
    }

    /// Size in bytes; 0 where there is none.
    pub(crate) fn size_of(&self, id: TyId) -> u64 {
        self.types().size_of(id).unwrap_or(0)
    }

    /// The bytes of an object that nothing else lies in; 0 where there is no size.
    pub(crate) fn own_size(&self, id: TyId) -> u64 {
        self.types().own_size(id).unwrap_or(0)
    }

    /// Scalars by which nvcc's newer compiler copies an object, bytes between and behind its members among them; 0 where that is
    /// not known. Large objects stay calls of a routine, as dear as four of them.
    pub(crate) fn scalars_in(&self, id: TyId) -> u8 {
        const LARGE: u64 = 128;
        if self.size_of(id) > LARGE {
            return 4;
        }
        self.count_scalars(id, 0).and_then(|n| u8::try_from(n).ok()).unwrap_or(0)
    }

    fn count_scalars(&self, id: TyId, depth: u32) -> Option<u64> {
        let types = self.types();
        if depth > 32 {
            return None;
        }
        match types.get(id) {
            Ty::Array { elem, len } => self.count_scalars(*elem, depth + 1)?.checked_mul((*len)?),
            Ty::Vector { .. } => Some(types.lanes(id).into()),
            Ty::Record(r) => self.count_members(*r, depth),
            _ => Some(1),
        }
    }

    fn count_members(&self, r: sema::types::RecordId, depth: u32) -> Option<u64> {
        let types = self.types();
        let record = types.record(r);
        let (mut scalars, mut bytes) = (0u64, 0u64);
        for f in record.fields.iter().filter(|f| f.bits.is_none()) {
            scalars = scalars.checked_add(self.count_scalars(f.ty, depth + 1)?)?;
            bytes += types.size_of(f.ty)?;
        }
        for b in &record.bases {
            scalars = scalars.checked_add(self.count_members(b.record, depth + 1)?)?;
            bytes += types.record(b.record).size;
        }
        Some(scalars + record.size.saturating_sub(bytes))
    }

    /// Whether there are bit-fields in a type. Each is assigned by changing some bits of its unit, so the unit must have
    /// a value before the first of them: a value is undefined as a whole or not at all.
    pub(crate) fn has_bit_fields(&self, id: TyId) -> bool {
        let types = self.types();
        match types.get(id) {
            Ty::Array { elem, .. } => self.has_bit_fields(*elem),
            Ty::Record(r) => {
                let record = types.record(*r);
                record.fields.iter().any(|f| f.bits.is_some() || self.has_bit_fields(f.ty))
                    || record.bases.iter().any(|b| {
                        types.record(b.record).fields.iter().any(|f| f.bits.is_some() || self.has_bit_fields(f.ty))
                    })
            }
            _ => false,
        }
    }
}
