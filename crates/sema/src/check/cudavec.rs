//! CUDA's built-in vector records: `float4`, `uint3`, `dim3` …

use source::{Span, Symbol};

use super::call::Arg;
use super::convert::Why;
use super::{Checker, Entity, RTy, ScopeId};
use crate::program::{ExprId, ExprKind, InitElem, ListId};
use crate::types::{AddrSpace, Field, NameId, NameKind, Quals, RecordId, TyId};

impl Checker<'_> {
    /// A pointer to a class that only the driver knows.
    pub(crate) fn cuda_handle(&mut self, tag: &str) -> TyId {
        let sym = self.sess.intern(tag);
        let class = self.driver_class(sym).unwrap_or(TyId::VOID);
        self.p.types.pointer(class, Quals::NONE, AddrSpace::Generic)
    }

    /// One of the classes that only the driver knows.
    pub(crate) fn driver_class(&mut self, sym: Symbol) -> Option<TyId> {
        if !matches!(self.text(sym), "CUstream_st" | "CUevent_st") {
            return None;
        }
        let known = self.decls.bound(ScopeId(0), sym).iter().find_map(|e| match e {
            Entity::Tag(t) | Entity::Type(RTy { ty: t, .. }) => Some(*t),
            _ => None,
        });
        Some(known.unwrap_or_else(|| {
            let path = self.p.types.child_name(NameId::ROOT, NameKind::Type(sym));
            let ty = self.new_record(path, false, Span::NONE, ScopeId(0));
            self.decls.bind(ScopeId(0), sym, Entity::Tag(ty));
            ty
        }))
    }

    /// The vector record of this name, made on first use.
    pub(crate) fn cuda_vec_type(&mut self, sym: Symbol) -> Option<TyId> {
        if let Some(&t) = self.decls.cuda_vecs.get(&sym) {
            return Some(t);
        }
        let (elem, n) = cuda_vec_shape(self.text(sym))?;
        let path = self.p.types.child_name(NameId::ROOT, NameKind::Type(sym));
        let ty = self.new_record(path, false, Span::NONE, ScopeId(0));
        let r = self.p.types.as_record(ty)?;
        let size = self.p.types.size_of(elem)?;
        let total = size * u64::from(n);
        // Two and four components are aligned so that one access loads them; 16 bytes is the widest access.
        let dim3 = self.text(sym) == "dim3";
        let written = self.text(sym).split_once('_').map(|(_, rest)| if rest == "32a" { 32 } else { 16 });
        let align = written.unwrap_or(if dim3 || n == 1 || n == 3 { size } else { total.min(16) });
        let scope = self.decls[r].scope;
        for (i, name) in ["x", "y", "z", "w"].into_iter().take(usize::from(n)).enumerate() {
            let name = self.sess.intern(name);
            self.p.types.records[r.0 as usize].fields.push(Field {
                name: Some(name),
                ty: elem,
                quals: Quals::NONE,
                mutable: false,
                offset: size * i as u64,
                bits: None,
                span: Span::NONE,
            });
            self.decls.bind(scope, name, Entity::Field(r, i as u32));
        }
        let rec = &mut self.p.types.records[r.0 as usize];
        rec.size = total.next_multiple_of(align);
        rec.data_size = total;
        rec.align = align as u32;
        rec.empty = false;
        rec.plain = !dim3;
        rec.complete = true;
        self.decls[r].cuda_vec = Some((elem, n));
        self.decls[r].has_ctor = dim3;
        self.decls.cuda_vecs.insert(sym, ty);
        Some(ty)
    }

    /// Element and length, if a type is one of CUDA's vector records.
    pub(crate) fn cuda_vec_of(&self, ty: TyId) -> Option<(TyId, u8)> {
        let r = self.p.types.as_record(ty)?;
        self.decls[r].cuda_vec
    }

    /// `make_float4(…)`, `dim3(…)`, `float4(v)`.
    pub(crate) fn construct_cuda_vec(&mut self, r: RecordId, ty: TyId, args: &[Arg], span: Span) -> ExprId {
        let Some((elem, n)) = self.decls[r].cuda_vec else { return self.err(span) };
        let dim3 = self.decls[r].has_ctor;
        if let [Arg::Expr(e)] = args {
            if self.ty(*e) == ty {
                return self.copy_record(*e, ty);
            }
            if self.cuda_vec_of(self.ty(*e)).is_some()
                && let Some(v) = self.cuda_vec_conversion(*e, ty)
            {
                return v;
            }
            if let Some(from) = self.p.types.as_record(self.ty(*e)) {
                // Also an explicit conversion function.
                let made =
                    self.conversions_of(from).into_iter().find(|&f| self.strip_reference(self.decls[f].ret) == ty);
                if let Some(f) = made {
                    return self.call_member_fn(f, *e, &[], span);
                }
            }
        }
        if args.is_empty() && !dim3 {
            return self.zero(ty, span);
        }
        if let ([Arg::Expr(e)], Some(uint3)) = (args, self.uint3_of(r))
            && self.p.types.as_record(self.ty(*e)).is_some()
            && self.rank(*e, uint3).is_some()
        {
            let v = self.implicit(*e, uint3, Why::Init);
            return self.rv(ExprKind::BitCast(v), ty, span);
        }
        if args.len() > usize::from(n) || (!dim3 && args.len() != usize::from(n)) {
            let name = self.show(ty);
            self.error("E0438", span, format!("`{name}` takes {n} values, {} given", args.len()));
            return self.err(span);
        }
        let size = self.p.types.size_of(elem).unwrap_or(4);
        let mut elems = Vec::new();
        for i in 0..usize::from(n) {
            let value = match args.get(i) {
                Some(&a) => self.convert_arg(a, elem),
                None => self.int(1, elem, span),
            };
            if self.is_err(value) {
                return value;
            }
            elems.push(InitElem { offset: size * i as u64, bits: None, value, repeat: 1 });
        }
        let start = self.p.init_pool.len() as u32;
        self.p.init_pool.extend(elems);
        let list = ListId { start, len: u32::from(n) };
        self.rv(ExprKind::Aggregate { elems: list, zero_fill: false }, ty, span)
    }

    /// `uint3`, if `r` is `dim3`, which is made of one.
    pub(crate) fn uint3_of(&mut self, r: crate::types::RecordId) -> Option<TyId> {
        (self.decls[r].cuda_vec.is_some() && self.decls[r].has_ctor).then_some(())?;
        let name = self.sess.intern("uint3");
        self.cuda_vec_type(name)
    }

    /// Whether a type converts to another as `uint3` does to `dim3` and back, and an integer to `dim3`.
    pub(crate) fn is_dims_conversion(&self, from: TyId, to: TyId) -> bool {
        let Some(r) = self.p.types.as_record(to).filter(|_| from != to) else { return false };
        match self.decls[r].cuda_vec {
            Some((TyId::UINT, 3)) => match self.cuda_vec_of(from) {
                Some(shape) => shape == (TyId::UINT, 3),
                None => self.decls[r].has_ctor && self.p.types.is_arithmetic(from),
            },
            _ => false,
        }
    }

    /// `uint3` to `dim3` and back; an integer to `dim3`.
    pub(crate) fn cuda_vec_conversion(&mut self, e: ExprId, to: TyId) -> Option<ExprId> {
        let (from, span) = (self.ty(e), self.span(e));
        let r = self.p.types.as_record(to).filter(|_| self.is_dims_conversion(from, to))?;
        if self.cuda_vec_of(from).is_some() {
            let v = self.rvalue(e);
            return Some(self.rv(ExprKind::BitCast(v), to, span));
        }
        let v = self.implicit(e, TyId::UINT, Why::Init);
        Some(self.construct_cuda_vec(r, to, &[Arg::Expr(v)], span))
    }
}

/// Element and length of the vector record with this name.
fn cuda_vec_shape(name: &str) -> Option<(TyId, u8)> {
    if name == "dim3" {
        return Some((TyId::UINT, 3));
    }
    // `double4_32a`: four components of 64 bits come with both alignments.
    if let Some((shape, "16a" | "32a")) = name.split_once('_') {
        let wide = [TyId::LONG, TyId::ULONG, TyId::LONGLONG, TyId::ULONGLONG, TyId::DOUBLE];
        return cuda_vec_shape(shape).filter(|(elem, n)| *n == 4 && wide.contains(elem));
    }
    let n = match name.as_bytes().last()? {
        b'1' => 1,
        b'2' => 2,
        b'3' => 3,
        b'4' => 4,
        _ => return None,
    };
    let elem = match &name[..name.len() - 1] {
        "char" => TyId::SCHAR,
        "uchar" => TyId::UCHAR,
        "short" => TyId::SHORT,
        "ushort" => TyId::USHORT,
        "int" => TyId::INT,
        "uint" => TyId::UINT,
        "long" => TyId::LONG,
        "ulong" => TyId::ULONG,
        "longlong" => TyId::LONGLONG,
        "ulonglong" => TyId::ULONGLONG,
        "float" => TyId::FLOAT,
        "double" => TyId::DOUBLE,
        _ => return None,
    };
    Some((elem, n))
}
