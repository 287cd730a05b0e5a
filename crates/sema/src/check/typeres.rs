//! From types as written to types as meant.

use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, ArraySize, BuiltinType, DeclKind, TypeKind};

use super::{Checker, Entity, RTy};
use crate::program::ExprId;
use crate::types::{AddrSpace, FnTy, ImageAccess, ImageDims, IntKind, Opaque, Quals, TemplateArg, Ty, TyId};

/// Most elements an array may have.
const MAX_ARRAY: i128 = 1 << 38;

impl Checker<'_> {
    /// The type that a tree of the source means, where the checker stands.
    pub(crate) fn resolve(&mut self, id: ast::TypeId) -> RTy {
        let t = self.ast[id];
        let mut r = self.resolve_kind(t.kind, t.span);
        let q = t.quals;
        if !matches!(self.p.types.get(r.ty), Ty::Reference { .. } | Ty::Function(_)) {
            let mut quals = Quals::NONE;
            if q.is_const {
                quals = quals.with(Quals::CONST);
            }
            if q.is_volatile {
                quals = quals.with(Quals::VOLATILE);
            }
            if q.is_restrict {
                quals = quals.with(Quals::RESTRICT);
            }
            r.quals = r.quals.with(quals);
        }
        if let Some(s) = q.space {
            let s = space_of(s);
            if r.space.is_some_and(|old| old != s) {
                self.error("E0320", t.span, "multiple address space qualifiers in one type");
            }
            r.space = Some(s);
        }
        if let Some(access) = q.access {
            r.ty = self.with_access(r.ty, access, t.span);
        }
        r
    }

    /// A type without regard to qualifiers and address space at its top.
    pub(crate) fn resolve_ty(&mut self, id: ast::TypeId) -> TyId {
        self.resolve(id).ty
    }

    fn resolve_kind(&mut self, kind: TypeKind, span: Span) -> RTy {
        match kind {
            TypeKind::Error => RTy::plain(TyId::ERROR),
            TypeKind::Builtin(b) => {
                let ty = self.builtin_type(b, span);
                let auto = matches!(b, BuiltinType::Auto | BuiltinType::AutoType | BuiltinType::DecltypeAuto);
                RTy { quals: if auto { self.cx.auto_quals } else { Quals::NONE }, ..RTy::plain(ty) }
            }
            TypeKind::Name(n) => self.resolve_type_name(n),
            TypeKind::Tag(d) => RTy::plain(self.declare_tag(d)),
            TypeKind::Elaborated { tag, name } => RTy::plain(self.elaborated(tag, name)),
            TypeKind::TypeofExpr(e) => {
                self.cx.unevaluated += 1;
                let e = self.expr(e);
                self.cx.unevaluated -= 1;
                RTy { quals: self.e(e).quals, ..RTy::plain(self.ty(e)) }
            }
            TypeKind::TypeofType(t) | TypeKind::Atomic(t) => self.resolve(t),
            TypeKind::Underlying(t) => self.underlying(t),
            TypeKind::Decltype(e) => self.decltype(e),
            TypeKind::Pointer(inner) => {
                let p = self.resolve(inner);
                if p.ty == TyId::ERROR {
                    return p;
                }
                if let Ty::Reference { .. } = self.p.types.get(p.ty) {
                    self.error("E0321", span, "pointer to a reference");
                    return RTy::plain(TyId::ERROR);
                }
                if self.refuse_opaque(p.ty, span, "pointer to") || self.refuse_qualified(p.ty, span, "pointer") {
                    return RTy::plain(TyId::ERROR);
                }
                if p.align.is_some_and(|a| a < self.p.types.align_of(p.ty)) {
                    self.unaligned_pointee(p.ty, span);
                }
                let space = p.space.unwrap_or_else(|| self.pointee_space(p.ty));
                RTy::plain(self.p.types.pointer(p.ty, p.quals, space))
            }
            TypeKind::LvalueRef(inner) | TypeKind::RvalueRef(inner) => {
                let rvalue = matches!(kind, TypeKind::RvalueRef(_));
                let p = self.resolve(inner);
                self.reference_to(p, rvalue, span)
            }
            TypeKind::MemberPointer { class, pointee } => {
                let class = self.resolve_type_name(class).ty;
                let p = self.resolve(pointee);
                if class == TyId::ERROR || p.ty == TyId::ERROR {
                    return RTy::plain(TyId::ERROR);
                }
                if self.p.types.as_record(class).is_none() && !self.p.types.is_dependent(class) {
                    let name = self.show(class);
                    self.error("E0322", span, format!("`{name}` is not a class: it has no members to point to"));
                    return RTy::plain(TyId::ERROR);
                }
                let is_function = self.p.types.is_function(p.ty);
                let quals = if is_function { Quals::NONE } else { p.quals.without(Quals::RESTRICT) };
                RTy::plain(self.p.types.intern(Ty::MemberPointer { class, pointee: p.ty, quals }))
            }
            TypeKind::Array { element, size } => self.array_type(element, size, span),
            TypeKind::Attributed { ty, attrs } => self.attributed_type(ty, attrs),
            TypeKind::Function(f) => {
                let ty = self.function_type(f);
                RTy::plain(ty)
            }
            TypeKind::Pack(t) => self.resolve(t),
        }
    }

    fn pointee_space(&self, ty: TyId) -> AddrSpace {
        if matches!(self.p.types.get(ty), Ty::Function(_)) { AddrSpace::Generic } else { self.default_space() }
    }

    /// `T &` with reference collapsing.
    fn reference_to(&mut self, p: RTy, rvalue: bool, span: Span) -> RTy {
        if p.ty == TyId::ERROR {
            return p;
        }
        if let Ty::Reference { pointee, quals, space, rvalue: inner } = *self.p.types.get(p.ty) {
            return RTy::plain(self.p.types.reference(pointee, quals, space, rvalue && inner));
        }
        if p.ty == TyId::VOID {
            self.error("E0321", span, "cannot form a reference to `void`");
            return RTy::plain(TyId::ERROR);
        }
        if self.refuse_qualified(p.ty, span, "reference") {
            return RTy::plain(TyId::ERROR);
        }
        let space = p.space.unwrap_or_else(|| self.default_space());
        RTy::plain(self.p.types.reference(p.ty, p.quals.without(Quals::RESTRICT), space, rvalue))
    }

    /// The type of an enumeration's values.
    fn underlying(&mut self, t: ast::TypeId) -> RTy {
        let e = self.resolve(t);
        match *self.p.types.get(e.ty) {
            Ty::Enum(e) => RTy::plain(self.p.types.enumeration(e).underlying),
            _ if e.ty == TyId::ERROR || self.p.types.is_dependent(e.ty) => {
                RTy::plain(self.p.types.intern(Ty::Dependent))
            }
            _ => {
                let name = self.show(e.ty);
                self.error("E0331", self.ast[t].span, format!("`{name}` is not an enumeration"));
                RTy::plain(TyId::ERROR)
            }
        }
    }

    fn decltype(&mut self, e: ast::ExprId) -> RTy {
        let (mark, unknown) = (self.sess.diagnostics.len(), self.cx.unknown.len());
        let calls = |c: &Self| c.launches.as_ref().map_or(0, |l| l.host_calls);
        let before = calls(self);
        self.cx.unevaluated += 1;
        let id = self.expr(e);
        self.cx.unevaluated -= 1;
        // A function that ends where it calls the host returns nothing that is known.
        if (self.is_err(id) || self.ty(id) == TyId::VOID)
            && let Some(known) = self.type_of_host_call(e)
        {
            self.sess.diagnostics.truncate(mark);
            self.cx.unknown.truncate(unknown);
            return known;
        }
        let ty = self.decltype_of(e, id);
        if calls(self) > before {
            self.remember_host_call(e, ty);
        }
        ty
    }

    /// What `decltype` says of an expression that is checked.
    pub(crate) fn decltype_of(&mut self, e: ast::ExprId, id: ExprId) -> RTy {
        let x = *self.e(id);
        let named = matches!(self.ast[e].kind, ast::ExprKind::Name(_) | ast::ExprKind::Member { .. });
        if named {
            if self.p.types.is_function(x.ty) && self.names_argument(e) {
                return RTy::plain(self.p.types.pointer(x.ty, Quals::NONE, AddrSpace::Generic));
            }
            let of_place = RTy { quals: x.quals.without(Quals::RESTRICT), ..RTy::plain(x.ty) };
            return match self.declared_ty(id) {
                // What a structured binding names is as `const` as the object it is a part of (C++20, 9.6p4).
                Some(declared) if self.is_binding(e) && declared.ty == x.ty => of_place,
                Some(declared) => declared,
                None => RTy { quals: x.quals, ..of_place },
            };
        }
        if self.is_lv(id) {
            let space = self.default_space();
            return RTy::plain(self.p.types.reference(x.ty, x.quals, space, self.is_xvalue(id)));
        }
        // Of values, only those of classes have qualifiers.
        let quals = if self.p.types.as_record(x.ty).is_some() { x.quals } else { Quals::NONE };
        RTy { quals, ..RTy::plain(x.ty) }
    }

    /// Whether an expression is the name that a structured binding gives a part of an object.
    fn is_binding(&mut self, e: ast::ExprId) -> bool {
        let ast::ExprKind::Name(n) = self.ast[e].kind else { return false };
        let found = self.ast.plain_name(n).and_then(|sym| self.lookup(sym));
        matches!(found.and_then(|f| f.entities.first().copied()), Some(Entity::Alias(_)))
    }

    /// Whether an expression is the name of a template's parameter, or an element of a pack of them.
    fn names_argument(&self, e: ast::ExprId) -> bool {
        let ast::ExprKind::Name(n) = self.ast[e].kind else { return false };
        let Some(sym) = self.ast.plain_name(n) else { return false };
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if !self.decls.bound(s, sym).is_empty() {
                return self.decls[s].kind == super::ScopeKind::Template;
            }
            at = self.decls[s].parent;
        }
        false
    }

    /// The type that a variable or member was declared with, where that is not what a use of it has: a reference, or a member
    /// of an object that is `const`. A captured variable has the type of what was captured.
    fn declared_ty(&self, id: ExprId) -> Option<RTy> {
        use crate::program::ExprKind as K;
        let (at, refers) = match self.e(id).kind {
            K::Deref(p) => match self.e(p).kind {
                K::Load(l) => (l, true),
                _ => return None,
            },
            _ => (id, false),
        };
        match self.e(at).kind {
            K::Local(l) if refers => {
                let t = self.cx.infos.get(l.index())?.decl_ty?;
                matches!(self.p.types.get(t), Ty::Reference { .. }).then(|| RTy::plain(t))
            }
            K::Field { record, field, .. } => {
                let r = self.p.types.record(record);
                let f = &r.fields[field as usize];
                let captured = matches!(self.p.types.name(r.name).kind, crate::types::NameKind::Lambda(_));
                let reference = matches!(self.p.types.get(f.ty), Ty::Reference { .. });
                (!captured && reference == refers).then(|| RTy { quals: f.quals, ..RTy::plain(f.ty) })
            }
            _ => None,
        }
    }

    fn array_type(&mut self, element: ast::TypeId, size: ArraySize, span: Span) -> RTy {
        let el = self.resolve(element);
        if el.ty == TyId::ERROR {
            return el;
        }
        if self.refuse_opaque(el.ty, span, "array of") {
            return RTy::plain(TyId::ERROR);
        }
        match self.p.types.get(el.ty) {
            Ty::Void | Ty::Function(_) | Ty::Reference { .. } => {
                let name = self.show(el.ty);
                self.error("E0323", span, format!("array of `{name}`"));
                return RTy::plain(TyId::ERROR);
            }
            Ty::Array { len: None, .. } => {
                self.error("E0323", span, "array has an incomplete element type");
                return RTy::plain(TyId::ERROR);
            }
            _ => {}
        }
        let ty = match size {
            ArraySize::Unknown | ArraySize::Star => self.p.types.array(el.ty, None),
            ArraySize::Expr(e) | ArraySize::Static(e) => {
                if let Some(param) = self.dependent_const(e) {
                    self.p.types.intern(Ty::DependentArray { elem: el.ty, len: param })
                } else {
                    match self.array_len(e) {
                        Some(n) => self.p.types.array(el.ty, Some(n)),
                        None => TyId::ERROR,
                    }
                }
            }
        };
        if ty != TyId::ERROR
            && self.p.types.size_of(el.ty).is_some()
            && matches!(self.p.types.get(ty), Ty::Array { len: Some(_), .. })
            && self.p.types.size_of(ty).is_none()
        {
            self.error("E0324", span, "array is too large");
            return RTy::plain(TyId::ERROR);
        }
        RTy { ty, ..el }
    }

    fn array_len(&mut self, e: ast::ExprId) -> Option<u64> {
        let span = self.ast[e].span;
        let v = self.constant_expr(e)?;
        let Some(n) = self.int_constant(v) else {
            let d = Diagnostic::error("E0325", span, "variable length arrays are not supported in device code")
                .note("the array's size must be a constant known when the kernel is compiled")
                .help("use a macro, an enumerator, a `constexpr` variable or a template parameter for the size");
            self.report(d);
            return None;
        };
        if n < 0 {
            self.error("E0326", span, format!("array size is negative: {n}"));
            return None;
        }
        if n > MAX_ARRAY {
            self.error("E0324", span, format!("array is too large: {n} elements"));
            return None;
        }
        Some(n as u64)
    }

    /// Checks an expression that should be an integral constant; the node is constant if it is one.
    pub(crate) fn constant_expr(&mut self, e: ast::ExprId) -> Option<ExprId> {
        let v = self.expr(e);
        self.constant_value(v)
    }

    /// The constant that an expression is, as far as it is one; none after an error.
    pub(crate) fn constant_value(&mut self, v: ExprId) -> Option<ExprId> {
        let v = self.rvalue(v);
        if self.is_err(v) {
            return None;
        }
        if self.constant(v).is_some() {
            return Some(v);
        }
        let v = if self.p.types.as_record(self.ty(v)).is_some() {
            self.user_convert_to_scalar(v, None).unwrap_or(v)
        } else {
            v
        };
        Some(self.evaluate(v).unwrap_or(v))
    }

    /// Whether an expression is plainly a template's value parameter while its pattern is built.
    pub(super) fn dependent_const(&mut self, e: ast::ExprId) -> Option<TemplateArg> {
        if !self.inst.in_pattern {
            return None;
        }
        match self.ast[e].kind {
            ast::ExprKind::Name(n) => {
                let sym = self.ast.plain_name(n)?;
                match self.lookup(sym)?.entities.first()? {
                    Entity::DependentConst(i) => Some(self.parameter_argument(*i)),
                    _ => None,
                }
            }
            ast::ExprKind::Paren(e) => self.dependent_const(e),
            _ => {
                // Anything that is not constant under the pattern's scope depends on it.
                let mark = self.sess.diagnostics.len();
                let v = self.constant_expr(e);
                let constant = v.is_some_and(|v| self.int_constant(v).is_some());
                self.sess.diagnostics.truncate(mark);
                (!constant).then_some(TemplateArg::Dependent(None))
            }
        }
    }

    /// The type of a parameter after adjustment: arrays and functions become pointers.
    pub(crate) fn adjust_param(&mut self, r: RTy) -> RTy {
        match *self.p.types.get(r.ty) {
            Ty::Array { elem, .. } => {
                let space = r.space.unwrap_or_else(|| self.default_space());
                RTy::plain(self.p.types.pointer(elem, r.quals, space))
            }
            Ty::DependentArray { elem, .. } => {
                let space = self.default_space();
                RTy::plain(self.p.types.pointer(elem, r.quals, space))
            }
            Ty::Function(_) => RTy::plain(self.p.types.pointer(r.ty, Quals::NONE, AddrSpace::Generic)),
            _ => r,
        }
    }

    /// A function type as a type.
    pub(crate) fn function_type(&mut self, id: ast::FnTypeId) -> TyId {
        let f = self.ast[id];
        let ret = self.resolve_ty(f.ret);
        let mut params: SmallVec<[TyId; 4]> = SmallVec::new();
        let ast = self.ast;
        for &d in ast.list(f.params) {
            if let DeclKind::Param { ty, .. } = ast[d].kind {
                if let TypeKind::Pack(inner) = ast[ty].kind {
                    if let Some(t) = self.expansion_of_type(inner) {
                        params.push(t);
                        continue;
                    }
                    for t in self.expand_type_pack(inner) {
                        params.push(self.adjust_param(t).ty);
                    }
                    continue;
                }
                let t = self.resolve(ty);
                params.push(self.adjust_param(t).ty);
            }
        }
        let mut quals = Quals::NONE;
        quals = if f.quals.is_const { quals.with(Quals::CONST) } else { quals };
        quals = if f.quals.is_volatile { quals.with(Quals::VOLATILE) } else { quals };
        let promise = self.promise(f.noexcept);
        let params = params.into_vec().into_boxed_slice();
        let (variadic, ref_qual) = (f.variadic, f.ref_qual);
        self.p.types.intern(Ty::Function(FnTy { ret, params, variadic, quals, ref_qual, promise }))
    }

    fn builtin_type(&mut self, b: BuiltinType, span: Span) -> TyId {
        use BuiltinType as B;
        match b {
            B::Void => TyId::VOID,
            B::Bool => TyId::BOOL,
            B::Char => TyId::CHAR,
            B::Char8 => TyId::CHAR8,
            B::Char16 => TyId::CHAR16,
            B::Char32 => TyId::CHAR32,
            B::SChar => TyId::SCHAR,
            B::UChar => TyId::UCHAR,
            B::Short => TyId::SHORT,
            B::UShort => TyId::USHORT,
            B::Int => TyId::INT,
            B::UInt => TyId::UINT,
            B::Long => TyId::LONG,
            B::ULong => TyId::ULONG,
            B::LongLong => {
                if self.is_opencl() {
                    TyId::LONG
                } else {
                    TyId::LONGLONG
                }
            }
            B::ULongLong => {
                if self.is_opencl() {
                    TyId::ULONG
                } else {
                    TyId::ULONGLONG
                }
            }
            B::WChar => TyId::WCHAR,
            B::Half => TyId::HALF,
            B::Float => TyId::FLOAT,
            B::LongDouble if self.is_cuda() => TyId::LONG_DOUBLE,
            B::Double | B::LongDouble => TyId::DOUBLE,
            B::BFloat16 => TyId::BFLOAT16,
            B::ComplexFloat => self.complex_of(TyId::FLOAT),
            B::ComplexDouble | B::ComplexLongDouble => self.complex_of(TyId::DOUBLE),
            B::Auto | B::DecltypeAuto | B::AutoType => match self.cx.auto_ty {
                Some(t) => t,
                None => {
                    self.error("E0327", span, format!("`{}` is not allowed here", b.as_str()));
                    TyId::ERROR
                }
            },
            B::Int128 if !self.is_opencl() => TyId::INT128,
            B::UInt128 if !self.is_opencl() => TyId::UINT128,
            B::VaList if self.is_cuda() => self.va_list_ty(),
            B::Int128 | B::UInt128 | B::VaList => {
                self.error("E0328", span, format!("`{}` is not supported in device code", b.as_str()));
                TyId::ERROR
            }
        }
    }

    /// Whether a type tree has an `auto` in it that stands for the initialiser's type.
    pub(crate) fn has_auto(&self, id: ast::TypeId) -> bool {
        match self.ast[id].kind {
            TypeKind::Builtin(BuiltinType::Auto | BuiltinType::DecltypeAuto | BuiltinType::AutoType) => true,
            TypeKind::Pointer(t) | TypeKind::LvalueRef(t) | TypeKind::RvalueRef(t) => self.has_auto(t),
            TypeKind::Array { element, .. } | TypeKind::Attributed { ty: element, .. } => self.has_auto(element),
            _ => false,
        }
    }

    /// A type that the language provides under an identifier.
    pub(crate) fn provided_type(&mut self, sym: Symbol) -> Option<TyId> {
        let name = self.sess.strings.str(sym).to_owned();
        let name = name.as_str();
        let common = match name {
            "size_t" => Some(TyId::ULONG),
            "ptrdiff_t" | "intptr_t" => Some(TyId::LONG),
            "uintptr_t" => Some(TyId::ULONG),
            "__int128_t" if !self.is_opencl() => Some(TyId::INT128),
            "__uint128_t" if !self.is_opencl() => Some(TyId::UINT128),
            "cudaLaneMask_t" if !self.is_opencl() => Some(self.lane_mask_ty()),
            _ => None,
        };
        if common.is_some() {
            return common;
        }
        if self.is_opencl() {
            return self.opencl_type(name);
        }
        if self.is_cuda() {
            return self.cuda_type(sym, name);
        }
        None
    }

    fn opencl_type(&mut self, name: &str) -> Option<TyId> {
        let scalar = |s: &str| -> Option<TyId> {
            Some(match s {
                "char" => TyId::CHAR,
                "uchar" => TyId::UCHAR,
                "short" => TyId::SHORT,
                "ushort" => TyId::USHORT,
                "int" => TyId::INT,
                "uint" => TyId::UINT,
                "long" => TyId::LONG,
                "ulong" => TyId::ULONG,
                "half" => TyId::HALF,
                "float" => TyId::FLOAT,
                "double" => TyId::DOUBLE,
                _ => return None,
            })
        };
        if let Some(t) = scalar(name) {
            return Some(t);
        }
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let (base, n) = name.split_at(name.len() - digits);
            let n: u8 = n.parse().ok()?;
            if !matches!(n, 2 | 3 | 4 | 8 | 16) {
                return None;
            }
            let elem = scalar(base)?;
            return Some(self.p.types.vector(elem, n));
        }
        // OpenCL C 6.6: "The default qualifier is read_only."
        let image = |dims| Opaque::Image(dims, ImageAccess::ReadOnly);
        let opaque = match name {
            "event_t" => Opaque::Event,
            "sampler_t" => Opaque::Sampler,
            "image1d_t" => image(ImageDims::D1),
            "image1d_array_t" => image(ImageDims::D1Array),
            "image1d_buffer_t" => image(ImageDims::D1Buffer),
            "image2d_t" => image(ImageDims::D2),
            "image2d_array_t" => image(ImageDims::D2Array),
            "image3d_t" => image(ImageDims::D3),
            "queue_t" | "ndrange_t" | "clk_event_t" | "reserve_id_t" => Opaque::Other,
            "atomic_int" | "memory_order" | "memory_scope" => return Some(TyId::INT),
            "atomic_uint" | "cl_mem_fence_flags" => return Some(TyId::UINT),
            "atomic_flag" => return Some(TyId::INT),
            "atomic_long" | "atomic_intptr_t" | "atomic_ptrdiff_t" => return Some(TyId::LONG),
            "atomic_ulong" | "atomic_size_t" | "atomic_uintptr_t" => return Some(TyId::ULONG),
            "atomic_float" => return Some(TyId::FLOAT),
            "atomic_double" => return Some(TyId::DOUBLE),
            _ => return None,
        };
        Some(self.p.types.intern(Ty::Opaque(opaque)))
    }

    fn cuda_type(&mut self, sym: Symbol, name: &str) -> Option<TyId> {
        Some(match name {
            "half" | "nv_half" | "__half" | "_Float16" => TyId::HALF,
            "nv_bfloat16" | "__nv_bfloat16" => TyId::BFLOAT16,
            "half2" | "nv_half2" | "__half2" => self.p.types.vector(TyId::HALF, 2),
            "nv_bfloat162" | "__nv_bfloat162" => self.p.types.vector(TyId::BFLOAT16, 2),
            "uint" => TyId::UINT,
            "ushort" => TyId::USHORT,
            "ulong" => TyId::ULONG,
            "uchar" | "u_char" => TyId::UCHAR,
            "int8_t" => TyId::SCHAR,
            "int16_t" => TyId::SHORT,
            "int32_t" => TyId::INT,
            "int64_t" | "intmax_t" | "ssize_t" | "clock_t" | "time_t" => TyId::LONG,
            "uint8_t" | "u_int8_t" => TyId::UCHAR,
            "uint16_t" | "u_int16_t" => TyId::USHORT,
            "uint32_t" | "u_int32_t" | "u_int" => TyId::UINT,
            "uint64_t" | "u_int64_t" | "uintmax_t" | "u_long" => TyId::ULONG,
            "CUtexObject" | "CUsurfObject" => TyId::ULONGLONG,
            "nullptr_t" => TyId::NULLPTR,
            "cudaStream_t" => self.cuda_handle("CUstream_st"),
            "cudaEvent_t" => self.cuda_handle("CUevent_st"),
            "cudaError_t" => TyId::INT,
            "cudaTextureObject_t" | "cudaSurfaceObject_t" => TyId::ULONGLONG,
            _ => return self.cuda_vec_type(sym),
        })
    }

    /// Whether an integer literal fits an integer kind.
    pub(crate) fn fits(value: u64, k: IntKind) -> bool {
        let bits = if k.signed() { k.bits() - 1 } else { k.bits() };
        bits >= 64 || value < (1u64 << bits)
    }
}

/// The address space of a qualifier.
pub(crate) fn space_of(s: ast::AddressSpace) -> AddrSpace {
    match s {
        ast::AddressSpace::Private => AddrSpace::Private,
        ast::AddressSpace::Global => AddrSpace::Global,
        ast::AddressSpace::Local => AddrSpace::Shared,
        ast::AddressSpace::Constant => AddrSpace::Constant,
        ast::AddressSpace::Generic => AddrSpace::Generic,
    }
}
