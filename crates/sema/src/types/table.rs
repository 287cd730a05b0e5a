//! All types of a program, each once.

use super::{
    AddrSpace, BodyName, Enum, EnumId, FloatKind, IntKind, LambdaName, NameId, NameKind, NameNode, Opaque, Promise,
    Quals, Record, RecordId, TemplateArg, Ty, TyId,
};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Every type, record, enumeration and name of a compilation.
#[derive(Debug, Clone)]
pub struct TypeTable {
    types: Vec<Ty>,
    /// What each type is to the language: see [`TypeTable::canonical`].
    canonical: Vec<TyId>,
    /// The ids of `types` by what they stand for: ids alone, as a type of its own beside each would be most of the table's memory.
    map: HashTable<TyId>,
    /// Records by [`RecordId`].
    pub records: Vec<Record>,
    /// Enumerations by [`EnumId`].
    pub enums: Vec<Enum>,
    names: Vec<NameNode>,
    /// Of `names` those without arguments, by parent and kind.
    name_map: HashTable<NameId>,
    /// The functions of [`NameKind::Body`].
    pub bodies: Vec<BodyName>,
    /// Names of lambdas by the numbers of [`NameKind::Lambda`]; of some there are none.
    pub lambdas: FxHashMap<u32, LambdaName>,
}

fn hash(of: &impl std::hash::Hash) -> u64 {
    FxBuildHasher.hash_one(of)
}

macro_rules! common_types {
    ($($name:ident = $n:literal => $ty:expr, $doc:literal;)*) => {
        impl TyId { $(#[doc = $doc] pub const $name: TyId = TyId($n);)* }
        /// The types whose ids are fixed, in order.
        const COMMON: &[Ty] = &[$($ty),*];
    };
}

common_types! {
    ERROR = 0 => Ty::Error, "The type of erroneous expressions.";
    VOID = 1 => Ty::Void, "`void`.";
    BOOL = 2 => Ty::Bool, "`bool`.";
    CHAR = 3 => Ty::Int(IntKind::Char), "`char`.";
    SCHAR = 4 => Ty::Int(IntKind::SChar), "`signed char`.";
    UCHAR = 5 => Ty::Int(IntKind::UChar), "`unsigned char`.";
    WCHAR = 6 => Ty::Int(IntKind::WChar), "`wchar_t`.";
    SHORT = 7 => Ty::Int(IntKind::Short), "`short`.";
    USHORT = 8 => Ty::Int(IntKind::UShort), "`unsigned short`.";
    INT = 9 => Ty::Int(IntKind::Int), "`int`.";
    UINT = 10 => Ty::Int(IntKind::UInt), "`unsigned int`.";
    LONG = 11 => Ty::Int(IntKind::Long), "`long`.";
    ULONG = 12 => Ty::Int(IntKind::ULong), "`unsigned long`.";
    LONGLONG = 13 => Ty::Int(IntKind::LongLong), "`long long`.";
    ULONGLONG = 14 => Ty::Int(IntKind::ULongLong), "`unsigned long long`.";
    LANEMASK32 = 15 => Ty::Int(IntKind::LaneMask32), "`cudaLaneMask_t` of 32 lanes.";
    LANEMASK64 = 16 => Ty::Int(IntKind::LaneMask64), "`cudaLaneMask_t` of 64 lanes.";
    INT128 = 17 => Ty::Int(IntKind::Int128), "`__int128`.";
    UINT128 = 18 => Ty::Int(IntKind::UInt128), "`unsigned __int128`.";
    CHAR8 = 19 => Ty::Int(IntKind::Char8), "`char8_t`.";
    CHAR16 = 20 => Ty::Int(IntKind::Char16), "`char16_t`.";
    CHAR32 = 21 => Ty::Int(IntKind::Char32), "`char32_t`.";
    HALF = 22 => Ty::Float(FloatKind::Half), "`half`.";
    BFLOAT16 = 23 => Ty::Float(FloatKind::BFloat16), "`__nv_bfloat16`.";
    FLOAT = 24 => Ty::Float(FloatKind::Float), "`float`.";
    DOUBLE = 25 => Ty::Float(FloatKind::Double), "`double`.";
    LONG_DOUBLE = 26 => Ty::Float(FloatKind::LongDouble), "CUDA C++'s `long double`.";
    NULLPTR = 27 => Ty::NullPtr, "`std::nullptr_t`.";
    DEPENDENT = 28 => Ty::Dependent, "A dependent type not modelled.";
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut map = HashTable::with_capacity(64);
        for (i, t) in COMMON.iter().enumerate() {
            map.insert_unique(hash(t), TyId(i as u32), |&t| hash(&COMMON[t.0 as usize]));
        }
        Self {
            types: COMMON.to_vec(),
            canonical: (0..COMMON.len() as u32)
                .map(|i| if TyId(i) == TyId::LANEMASK32 { TyId::UINT } else { TyId(i) })
                .collect(),
            map,
            records: Vec::new(),
            enums: Vec::new(),
            names: vec![NameNode { parent: NameId::ROOT, kind: NameKind::Root, args: None }],
            name_map: HashTable::new(),
            bodies: Vec::new(),
            lambdas: FxHashMap::default(),
        }
    }
}

impl TypeTable {
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        let known = hash(&ty);
        if let Some(&id) = self.map.find(known, |&t| self.types[t.0 as usize] == ty) {
            return id;
        }
        let canonical = self.canonical_parts(&ty).map(|t| self.intern(t));
        let id = TyId(self.types.len() as u32);
        self.types.push(ty);
        self.canonical.push(canonical.unwrap_or(id));
        self.map.insert_unique(known, id, |&t| hash(&self.types[t.0 as usize]));
        id
    }

    /// The type that overloads, templates and references take `id` for. `cudaLaneMask_t` of 32 lanes is `unsigned int`, as
    /// in CUDA: it is told apart only in order to say where a program ported to 64 lanes would lose some.
    pub fn canonical(&self, id: TyId) -> TyId {
        self.canonical[id.0 as usize]
    }

    /// `ty` made of canonical types, if it is not yet.
    fn canonical_parts(&self, ty: &Ty) -> Option<Ty> {
        let mut made = ty.clone();
        match &mut made {
            Ty::Pointer { pointee, .. } | Ty::Reference { pointee, .. } | Ty::MemberPointer { pointee, .. } => {
                *pointee = self.canonical(*pointee);
            }
            Ty::Array { elem, .. } => *elem = self.canonical(*elem),
            Ty::Function(f) => {
                f.ret = self.canonical(f.ret);
                for p in &mut f.params {
                    *p = self.canonical(*p);
                }
            }
            _ => return None,
        }
        (made != *ty).then_some(made)
    }

    /// The type `id`.
    pub fn get(&self, id: TyId) -> &Ty {
        &self.types[id.0 as usize]
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never: the common types are always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// An integer type.
    pub fn int(&self, kind: IntKind) -> TyId {
        TyId(TyId::CHAR.0 + kind as u32)
    }

    /// A floating type.
    pub fn float(&self, kind: FloatKind) -> TyId {
        TyId(TyId::HALF.0 + kind as u32)
    }

    /// A pointer type.
    pub fn pointer(&mut self, pointee: TyId, quals: Quals, space: AddrSpace) -> TyId {
        let quals = if self.is_function(pointee) { Quals::NONE } else { quals.without(Quals::RESTRICT) };
        self.intern(Ty::Pointer { pointee, quals, space })
    }

    /// Whether a type is one of functions themselves, not of pointers to them.
    pub fn is_function(&self, ty: TyId) -> bool {
        matches!(self.get(ty), Ty::Function(_))
    }

    /// A reference type.
    pub fn reference(&mut self, pointee: TyId, quals: Quals, space: AddrSpace, rvalue: bool) -> TyId {
        // Functions have no qualifiers, and lie in no address space.
        let (quals, space) = if self.is_function(pointee) { (Quals::NONE, AddrSpace::Generic) } else { (quals, space) };
        self.intern(Ty::Reference { pointee, quals, space, rvalue })
    }

    /// A vector type.
    pub fn vector(&mut self, elem: TyId, n: u8) -> TyId {
        self.intern(Ty::Vector { elem, n })
    }

    /// An array type.
    pub fn array(&mut self, elem: TyId, len: Option<u64>) -> TyId {
        self.intern(Ty::Array { elem, len })
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// Adds a record and gives its type.
    pub fn add_record(&mut self, record: Record) -> (RecordId, TyId) {
        let id = RecordId(self.records.len() as u32);
        self.records.push(record);
        (id, self.intern(Ty::Record(id)))
    }

    /// Adds an enumeration and gives its type.
    pub fn add_enum(&mut self, e: Enum) -> (EnumId, TyId) {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(e);
        (id, self.intern(Ty::Enum(id)))
    }

    /// A node of the name tree.
    pub fn name(&self, id: NameId) -> &NameNode {
        &self.names[id.0 as usize]
    }

    /// The child `kind` of `parent` without template arguments; the same id each time.
    pub fn child_name(&mut self, parent: NameId, kind: NameKind) -> NameId {
        let known = hash(&(parent, kind));
        let named = |n: NameId| (self.names[n.0 as usize].parent, self.names[n.0 as usize].kind);
        if let Some(&id) = self.name_map.find(known, |&n| named(n) == (parent, kind)) {
            return id;
        }
        let id = self.new_name(parent, kind, None);
        let names = &self.names;
        let named = |n: NameId| (names[n.0 as usize].parent, names[n.0 as usize].kind);
        self.name_map.insert_unique(known, id, |&n| hash(&named(n)));
        id
    }

    /// A fresh child of `parent` with template arguments. The caller keeps specialisations unique.
    pub fn new_name(&mut self, parent: NameId, kind: NameKind, args: Option<Box<[TemplateArg]>>) -> NameId {
        let id = NameId(self.names.len() as u32);
        self.names.push(NameNode { parent, kind, args });
        id
    }

    /// How many specialisations of templates are around a name: parameters of templates inside of others are not those of the others.
    pub fn templates_around(&self, id: NameId) -> u32 {
        let mut count = 0;
        let mut at = self.name(id).parent;
        while at != NameId::ROOT {
            let node = self.name(at);
            count += u32::from(node.args.is_some());
            at = node.parent;
        }
        count
    }

    /// The bytes of an object that are its own wherever it lies. Behind a base class or a member with
    /// `[[no_unique_address]]` the next one may begin in its tail padding, and all of an empty one lies in others. Whether there
    /// is such a one is known when all classes are.
    pub fn own_size(&self, id: TyId) -> Option<u64> {
        match self.as_record(id).map(|r| self.record(r)) {
            Some(r) if r.complete && r.empty => Some(0),
            Some(r) if r.complete && r.shares_tail => Some(r.data_size),
            _ => self.size_of(id),
        }
    }

    /// The empty classes in an object, and where: at most [`MAX_EMPTIES`], and of arrays those of the first elements. What begins
    /// behind so many cannot lie upon one of them in a class that anybody writes.
    pub fn empties_in(&self, id: TyId) -> Vec<(RecordId, u64)> {
        const ELEMENTS: u64 = 64;
        match *self.get(id) {
            Ty::Record(r) => self.record(r).empties.clone(),
            Ty::Array { elem, len } => {
                let (one, size) = (self.empties_in(elem), self.size_of(elem).unwrap_or(0));
                let elements = if one.is_empty() { 0 } else { len.unwrap_or(0).min(ELEMENTS) };
                let all = (0..elements).flat_map(|i| one.iter().map(move |&(r, at)| (r, at.saturating_add(i * size))));
                all.take(MAX_EMPTIES).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Size in bytes; `None` for incomplete, function and dependent types and for sizes beyond [`MAX_SIZE`].
    /// `void` has none either.
    pub fn size_of(&self, id: TyId) -> Option<u64> {
        let size = match self.get(id) {
            Ty::Bool => 1,
            Ty::Int(k) => u64::from(k.bits() / 8),
            Ty::Float(k) => u64::from(k.bytes()),
            Ty::Opaque(Opaque::Sampler) => 4,
            Ty::Vector { elem, n } => self.size_of(*elem)? * u64::from(if *n == 3 { 4 } else { *n }),
            Ty::Pointer { .. } | Ty::Reference { .. } | Ty::NullPtr | Ty::Opaque(_) => 8,
            Ty::MemberPointer { pointee, .. } if matches!(self.get(*pointee), Ty::Function(_)) => 16,
            Ty::MemberPointer { .. } => 8,
            Ty::Array { elem, len } => self.size_of(*elem)?.checked_mul((*len)?)?,
            Ty::Record(r) => {
                let r = self.record(*r);
                if !r.complete {
                    return None;
                }
                r.size
            }
            Ty::Enum(e) => {
                let e = self.enumeration(*e);
                if !e.complete {
                    return None;
                }
                return self.size_of(e.underlying);
            }
            _ => return None,
        };
        (size <= MAX_SIZE).then_some(size)
    }

    /// Alignment in bytes; 1 where there is none to speak of.
    pub fn align_of(&self, id: TyId) -> u32 {
        match self.get(id) {
            Ty::Bool => 1,
            Ty::Int(k) => k.bits() / 8,
            Ty::Float(k) => k.bytes(),
            Ty::Opaque(Opaque::Sampler) => 4,
            Ty::Vector { .. } => self.size_of(id).unwrap_or(1) as u32,
            Ty::Pointer { .. } | Ty::Reference { .. } | Ty::NullPtr | Ty::Opaque(_) => 8,
            Ty::MemberPointer { .. } => 8,
            Ty::Array { elem, .. } => self.align_of(*elem),
            Ty::Record(r) => self.record(*r).align.max(1),
            Ty::Enum(e) => self.align_of(self.enumeration(*e).underlying),
            _ => 1,
        }
    }

    /// The element type of a vector, otherwise the type itself.
    pub fn scalar_of(&self, id: TyId) -> TyId {
        match self.get(id) {
            Ty::Vector { elem, .. } => *elem,
            _ => id,
        }
    }

    /// Number of components: 1 for what is no vector.
    pub fn lanes(&self, id: TyId) -> u8 {
        match self.get(id) {
            Ty::Vector { n, .. } => *n,
            _ => 1,
        }
    }

    /// An integer's kind; also of an enumeration's underlying type.
    pub fn int_kind(&self, id: TyId) -> Option<IntKind> {
        match self.get(id) {
            Ty::Int(k) => Some(*k),
            Ty::Enum(e) => self.int_kind(self.enumeration(*e).underlying),
            _ => None,
        }
    }

    /// Whether this is `bool`, or an enumeration whose values are its.
    pub fn is_truth(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Enum(e) => self.enumeration(*e).underlying == TyId::BOOL,
            _ => id == TyId::BOOL,
        }
    }

    /// Whether this is an integer of 128 bits, which the IR has as two halves.
    pub fn is_wide(&self, id: TyId) -> bool {
        self.int_kind(id).is_some_and(|k| k.bits() == 128)
    }

    /// A floating type's kind.
    pub fn float_kind(&self, id: TyId) -> Option<FloatKind> {
        match self.get(id) {
            Ty::Float(k) => Some(*k),
            _ => None,
        }
    }

    /// Whether an integer (or `bool`, or enumeration) has negative values.
    pub fn is_signed(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Enum(e) => self.is_signed(self.enumeration(*e).underlying),
            Ty::Int(k) => k.signed(),
            _ => false,
        }
    }

    /// `bool`, an integer, or an unscoped enumeration.
    pub fn is_integral(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Bool | Ty::Int(_) => true,
            Ty::Enum(e) => !self.enumeration(*e).scoped,
            _ => false,
        }
    }

    /// A floating type.
    pub fn is_float(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Float(_))
    }

    /// An arithmetic scalar.
    pub fn is_arithmetic(&self, id: TyId) -> bool {
        self.is_integral(id) || self.is_float(id)
    }

    /// A pointer.
    pub fn is_pointer(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Pointer { .. })
    }

    /// A vector.
    pub fn is_vector(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Vector { .. })
    }

    /// A record; which.
    pub fn as_record(&self, id: TyId) -> Option<RecordId> {
        match self.get(id) {
            Ty::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// A record or an array: a value that lives in memory only.
    pub fn is_aggregate(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Record(_) | Ty::Array { .. })
    }

    /// Whether any template parameter occurs in it.
    pub fn is_dependent(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::TemplateParam(_)
            | Ty::TemplateSpec { .. }
            | Ty::TemplateParamSpec { .. }
            | Ty::DependentArray { .. }
            | Ty::DependentMember { .. }
            | Ty::Expansion { .. }
            | Ty::Dependent => true,
            Ty::Vector { elem, .. } | Ty::Array { elem, .. } => self.is_dependent(*elem),
            Ty::Pointer { pointee, .. } | Ty::Reference { pointee, .. } => self.is_dependent(*pointee),
            Ty::MemberPointer { class, pointee, .. } => self.is_dependent(*class) || self.is_dependent(*pointee),
            Ty::Function(f) => {
                self.is_dependent(f.ret)
                    || f.params.iter().any(|&p| self.is_dependent(p))
                    || matches!(f.promise, Promise::When(_))
            }
            _ => false,
        }
    }

    /// Whether a template argument has a template parameter in it.
    pub fn arg_is_dependent(&self, arg: &TemplateArg) -> bool {
        match arg {
            TemplateArg::Type(t) => self.is_dependent(t.ty),
            TemplateArg::Int { .. } | TemplateArg::Object { .. } => false,
            TemplateArg::Template(_) | TemplateArg::Function { .. } | TemplateArg::Variable { .. } => false,
            TemplateArg::Param(_) | TemplateArg::Expansion { .. } | TemplateArg::Dependent(_) => true,
            TemplateArg::Pack(all) => all.iter().any(|a| self.arg_is_dependent(a)),
        }
    }
}

/// Empty classes in an object whose places are remembered.
pub const MAX_EMPTIES: usize = 4096;

/// Largest object accepted: 256 GiB, beyond any device's memory.
pub const MAX_SIZE: u64 = 1 << 38;
