//! Expressions: the dispatch, literals, names.

use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, ExprKind as A};
use syntax::literal::{CharLiteral, Encoding, FloatSuffix, IntLiteral, IntSize, Radix};

use super::convert::Why;
use super::{Checker, Entity, Found, TemplateKind, VarId};
use crate::program::Side;
use crate::program::{Category, ExprId, ExprKind, Global, GlobalInit, Linkage};
use crate::types::{AddrSpace, IntKind, Quals, Ty, TyId};

impl Checker<'_> {
    /// Checks an expression; the result may be a place.
    pub(crate) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        if let Some(v) = self.checked_ahead(id) {
            return v;
        }
        let x = self.ast[id];
        let span = x.span;
        match x.kind {
            A::Error => self.err(span),
            A::Int(i) => self.int_literal(i, span),
            A::Float(f) => self.float_literal(f, span),
            A::Char(c) => {
                let ty = self.character_type(c);
                self.int(i128::from(c.value), ty, span)
            }
            A::Str(s) => self.string(s, span),
            A::Bool(b) => {
                let ty = if self.is_opencl() { TyId::INT } else { TyId::BOOL };
                self.int(i128::from(b), ty, span)
            }
            A::Nullptr => self.rv(ExprKind::Null, TyId::NULLPTR, span),
            A::Name(n) => self.name_expr(n, span),
            A::This => self.this(span),
            A::FuncName(which) => self.func_name(which, span),
            A::Paren(e) => self.expr(e),
            A::Unary(op, e) => self.unary_expr(op, e, span),
            A::Binary(op, l, r) => self.binary_expr(op, l, r, span),
            A::Assign(op, l, r) => self.assign_expr(op, l, r, span),
            A::Comma(l, r) => self.comma_expr(l, r, span),
            A::Cond { cond, then, els } => self.conditional(cond, then, els, span),
            A::Cast { kind, ty, operand } => self.cast_expr(kind, ty, operand, span),
            A::VectorLit { ty, elems } => self.vector_lit(ty, elems, span),
            A::Construct { ty, args, braces } => self.construct_expr(ty, args, braces, span),
            A::CompoundLit { ty, init } => self.compound_literal(ty, init, span),
            A::InitList(_) => {
                self.error("E0401", span, "an initialiser list is not an expression");
                self.err(span)
            }
            A::Call { callee, args } => self.call_expr(callee, args, span),
            A::Index { base, index } => self.index_expr(base, index, span),
            A::Member { base, arrow, name } => self.member_expr(base, arrow, name, span),
            A::SizeofExpr(e) => {
                let ty = self.type_as_operand(e).unwrap_or_else(|| self.type_of(e));
                self.sizeof(ty, span)
            }
            A::SizeofType(t) => {
                let ty = self.resolve_ty(t);
                self.sizeof(ty, span)
            }
            A::SizeofPack(s) => self.sizeof_pack(s, span),
            A::AlignofExpr(e) => {
                let ty = self.type_as_operand(e).unwrap_or_else(|| self.type_of(e));
                self.alignof(ty, span)
            }
            A::AlignofType(t) => {
                let r = self.resolve(t);
                match r.align {
                    Some(n) => self.int(n.into(), TyId::ULONG, span),
                    None => self.alignof(r.ty, span),
                }
            }
            A::Noexcept(e) => self.noexcept_expr(e, span),
            A::Generic { control, arms } => self.generic(control, arms, span),
            A::StmtExpr(s) => self.stmt_expr(s, span),
            A::Offsetof { ty, path } => self.offsetof(ty, path, span),
            A::Choose { cond, then, els } => self.choose(cond, then, els, span),
            A::Requires(r) => self.requires_expr(r, span),
            A::TypeTrait { name, args } => self.type_trait(name, args, span),
            A::BitCast { ty, operand } => {
                let to = self.resolve_ty(ty);
                let v = self.expr(operand);
                let v = self.rvalue(v);
                self.reinterpreted(v, to, span)
            }
            A::Lambda(l) => self.lambda_expr(l, span),
            A::Fold { op, left, right } => self.fold_expr(op, left, right, span),
            A::Pack(_) => {
                self.error("E0332", span, "pack expansion is not allowed here");
                self.err(span)
            }
            A::Launch { callee, config, args } if self.reads_host() => self.host_launch(callee, config, args, span),
            A::New(n) if self.reads_host() => self.host_new(self.ast[n], span),
            A::Launch { callee, config, args } => self.device_launch(callee, config, args, span),
            A::New(n) => self.new_object(self.ast[n], span),
            A::Delete { operand, .. } if self.reads_host() => {
                self.expr(operand);
                self.rv(ExprKind::ZeroInit, TyId::VOID, span)
            }
            A::Delete { array, operand } => self.delete_object(array, operand, span),
            A::Throw(_) => self.thrown(span),
            A::TypeidExpr(_) | A::TypeidType(_) => self.unsupported(span, "`typeid`", "use templates instead"),
            A::LabelAddr(_) => self.unsupported(span, "addresses of labels", "use a `switch`"),
            A::UserLiteral { literal, suffix, spelling, args } => {
                self.user_literal(literal, (suffix, spelling, args), span)
            }
            A::VaArg { list, ty } => self.va_arg(list, ty, span),
        }
    }

    /// The value of an expression that was checked before its turn; it is taken once.
    fn checked_ahead(&mut self, id: ast::ExprId) -> Option<ExprId> {
        if let Some((_, v)) = self.cx.prechecked.take_if(|(key, _)| *key == id) {
            return Some(v);
        }
        let i = self.cx.checked_args.iter().position(|&(key, _)| key == id)?;
        Some(self.cx.checked_args.swap_remove(i).1)
    }
    /// `__builtin_choose_expr(cond, then, els)`
    fn choose(&mut self, cond: ast::ExprId, then: ast::ExprId, els: ast::ExprId, span: Span) -> ExprId {
        match self.constant_expr(cond).and_then(|c| self.truth(c)) {
            Some(true) => self.expr(then),
            Some(false) => self.expr(els),
            None => {
                self.error("E0402", span, "the first argument of `__builtin_choose_expr` must be constant");
                self.err(span)
            }
        }
    }

    /// `throw`: in a constant nobody gets there; where a kernel calls such a function the program ends, as with nvcc.
    fn thrown(&mut self, span: Span) -> ExprId {
        if self.is_constant_of_host() {
            self.cx.ends_here = true;
            return self.err(span);
        }
        self.unsupported(span, "exceptions", "use `__trap()` or an error code")
    }

    pub(crate) fn unsupported(&mut self, span: Span, what: &str, help: &str) -> ExprId {
        self.report(Diagnostic::error("E0403", span, format!("{what} are not supported in device code")).help(help));
        self.err(span)
    }

    /// The type of an expression that is not evaluated.
    pub(crate) fn type_of(&mut self, e: ast::ExprId) -> TyId {
        self.cx.unevaluated += 1;
        let v = self.expr(e);
        self.cx.unevaluated -= 1;
        self.ty(v)
    }

    // ---- literals ----------------------------------------------------------------------------------------------

    fn int_literal(&mut self, i: IntLiteral, span: Span) -> ExprId {
        let decimal = i.radix == Radix::Decimal;
        let opencl = self.is_opencl();
        let ll = if opencl { IntKind::Long } else { IntKind::LongLong };
        let candidates: &[IntKind] = match (i.size, i.unsigned, decimal) {
            (IntSize::Plain, false, true) => &[IntKind::Int, IntKind::Long],
            (IntSize::Plain, false, false) => &[IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong],
            (IntSize::Plain, true, _) => &[IntKind::UInt, IntKind::ULong],
            (IntSize::Long, false, true) => &[IntKind::Long],
            (IntSize::Long, false, false) => &[IntKind::Long, IntKind::ULong],
            (IntSize::Long, true, _) | (IntSize::Size, true, _) => &[IntKind::ULong],
            (IntSize::LongLong, false, true) => &[ll],
            (IntSize::LongLong, false, false) => &[ll, IntKind::ULongLong],
            (IntSize::LongLong, true, _) => &[IntKind::ULongLong],
            (IntSize::Size, false, _) => &[IntKind::Long, IntKind::ULong],
        };
        let kind = candidates.iter().copied().find(|&k| Self::fits(i.value, k)).unwrap_or(IntKind::ULong);
        let kind = if opencl && kind == IntKind::ULongLong { IntKind::ULong } else { kind };
        let ty = self.p.types.int(kind);
        self.rv(ExprKind::Int(i.value & mask(kind.bits())), ty, span)
    }

    fn float_literal(&mut self, f: syntax::literal::FloatLiteral, span: Span) -> ExprId {
        let (value, ty) = match f.suffix {
            FloatSuffix::Float => (f64::from(f.f32), TyId::FLOAT),
            FloatSuffix::Half => (half::f16::from_bits(f.f16_bits).to_f64(), TyId::HALF),
            FloatSuffix::Double | FloatSuffix::LongDouble if self.opts.single_precision_constants => {
                (f64::from(f.f32), TyId::FLOAT)
            }
            FloatSuffix::LongDouble if self.is_cuda() => (f.f64, TyId::LONG_DOUBLE),
            FloatSuffix::Double | FloatSuffix::LongDouble => (f.f64, TyId::DOUBLE),
        };
        let v = self.rv(ExprKind::Float(value.to_bits()), ty, span);
        if f.imaginary { self.imaginary(v, span) } else { v }
    }

    /// The type of a unit of UTF-16 or UTF-32.
    fn unicode_unit(&self, encoding: Encoding) -> TyId {
        match (encoding == Encoding::Utf16, self.is_cxx()) {
            (true, true) => TyId::CHAR16,
            (false, true) => TyId::CHAR32,
            (true, false) => TyId::USHORT,
            (false, false) => TyId::UINT,
        }
    }

    /// The type of a character literal.
    fn character_type(&self, c: CharLiteral) -> TyId {
        match c.encoding {
            Encoding::Wide => TyId::WCHAR,
            Encoding::Utf8 if self.is_cxx() && self.is_20() => TyId::CHAR8,
            Encoding::Plain | Encoding::Utf8 if self.is_cxx() && c.chars == 1 => TyId::CHAR,
            Encoding::Utf16 | Encoding::Utf32 => self.unicode_unit(c.encoding),
            Encoding::Plain | Encoding::Utf8 => TyId::INT,
        }
    }

    /// A string literal: a constant array of characters.
    pub(crate) fn string(&mut self, s: ast::StrId, span: Span) -> ExprId {
        let lit = &self.ast[s];
        let n = lit.units.len() as u64 + 1;
        let elem = match lit.encoding {
            Encoding::Utf8 if self.is_cxx() && self.is_20() => TyId::CHAR8,
            Encoding::Plain | Encoding::Utf8 => TyId::CHAR,
            Encoding::Utf16 | Encoding::Utf32 => self.unicode_unit(lit.encoding),
            Encoding::Wide => TyId::WCHAR,
        };
        let ty = self.p.types.array(elem, Some(n));
        let size = self.p.types.size_of(elem).unwrap_or(1) as usize;
        let g = match self.decls.strings.get(&s) {
            Some(&g) => g,
            None => {
                let units = lit.units.iter().copied().chain([0]);
                let bytes: Vec<u8> = units.flat_map(|u| u.to_le_bytes().into_iter().take(size)).collect();
                self.intern_bytes(s, bytes, ty, span)
            }
        };
        let space = self.p.globals[g.index()].space;
        self.lv(ExprKind::Global(g), ty, Quals::CONST, space, span)
    }

    pub(super) fn intern_bytes(
        &mut self,
        s: ast::StrId,
        bytes: Vec<u8>,
        ty: TyId,
        span: Span,
    ) -> crate::program::GlobalId {
        // OpenCL's strings are in constant memory by the language; CUDA's are reached by generic pointers.
        let space = if self.is_opencl() { AddrSpace::Constant } else { AddrSpace::Global };
        let symbol = format!("$str{}", self.decls.strings.len());
        let elem_align = match *self.p.types.get(ty) {
            Ty::Array { elem, .. } => self.p.types.size_of(elem).unwrap_or(1) as u32,
            _ => 1,
        };
        let g = self.push_global(Global {
            symbol,
            name: None,
            ty,
            quals: Quals::CONST,
            space,
            align: elem_align,
            linkage: Linkage::Internal,
            side: Side::Both,
            dynamic_shared: false,
            managed: false,
            is_extern: false,
            init: Some(GlobalInit { bytes, relocs: Vec::new() }),
            owner: None,
            span,
        });
        self.decls.strings.insert(s, g);
        g
    }

    // ---- names -------------------------------------------------------------------------------------------------

    fn name_expr(&mut self, n: ast::NameId, span: Span) -> ExprId {
        let found = self.find_name(n);
        let Some(found) = found else { return self.unknown_name(n, span) };
        self.named_expr(&found, n, span)
    }

    /// The value or place that a name with its arguments is, of which this was found.
    pub(crate) fn named_expr(&mut self, found: &Found, n: ast::NameId, span: Span) -> ExprId {
        if let Some(list) = self.ast[n].args
            && let Some(&Entity::Template(t)) = found.entities.first()
            && self.decls[t].kind == TemplateKind::Variable
        {
            if self.is_concept(t) {
                return self.concept_value(t, list, span);
            }
            return self.variable_template(t, list, span);
        }
        self.entity_expr(found, n, span)
    }

    /// The value or place that a variable of a function is, in the function or where only its type or value is known, or a constant.
    pub(crate) fn local_object(&mut self, e: Entity, span: Span) -> Option<ExprId> {
        Some(match e {
            Entity::Local(l) => self.local_value_place(l, span),
            Entity::Capture(i) => self.capture_place(i, span),
            Entity::Alias(a) if a.0 == u32::MAX => self.err(span),
            Entity::Alias(a) => {
                let x = *self.e(a);
                // A place of a known type and without a value: a parameter, in the default argument of a later one.
                if matches!(x.kind, ExprKind::Error) && x.ty != TyId::ERROR && self.cx.unevaluated == 0 {
                    return Some(self.parameter_without_value(span));
                }
                self.push_expr(crate::program::Expr { span, ..x })
            }
            Entity::Outside(ty, quals) if self.cx.unevaluated > 0 => {
                self.lv(ExprKind::Error, ty, quals, AddrSpace::Generic, span)
            }
            Entity::Outside(..) => self.variable_outside(span),
            Entity::Const(0, ty) if self.p.types.is_pointer(ty) || ty == TyId::NULLPTR => {
                self.rv(ExprKind::Null, ty, span)
            }
            Entity::Const(value, ty) => {
                let v = self.int(i128::from(value), ty, span);
                let is_enumerator = matches!(self.p.types.get(ty), Ty::Enum(_));
                if is_enumerator { v } else { self.computed(v) }
            }
            _ => return None,
        })
    }

    /// The value or place that a found entity is.
    pub(crate) fn entity_expr(&mut self, found: &Found, n: ast::NameId, span: Span) -> ExprId {
        for &e in &found.entities {
            match e {
                Entity::Local(_) | Entity::Capture(_) | Entity::Alias(_) | Entity::Outside(..) | Entity::Const(..) => {
                    return self.local_object(e, span).unwrap_or_else(|| self.err(span));
                }
                Entity::Var(v) => return self.var_place(v, span),
                Entity::Field(rec, i) => return self.implicit_member(rec, i, span),
                Entity::ValuePack(p) => {
                    let count = self.inst.value_packs[p as usize].len();
                    let Some(i) = self.cx.pack_index.filter(|&i| i < count) else {
                        self.error("E0332", span, "parameter pack is not expanded: `...` is missing");
                        return self.err(span);
                    };
                    return self.pack_element(p, i, span);
                }
                Entity::Pack(p) => {
                    if let Some(crate::types::TemplateArg::Int { value, ty }) =
                        self.cx.pack_index.and_then(|i| self.inst.packs[p.0 as usize].get(i).cloned())
                    {
                        return self.int(i128::from(value), ty, span);
                    }
                    self.error("E0332", span, "parameter pack is not expanded: `...` is missing");
                    return self.err(span);
                }
                Entity::DependentConst(_) => return self.err(span),
                // The argument of a template, whose parameter this names.
                Entity::Fn(f) if found.record.is_none() && self.is_member(f) => {
                    return self.member_function_address(f, span);
                }
                Entity::Fn(_) | Entity::Template(_) => return self.function_value(found, n, span),
                Entity::Type(_) | Entity::Tag(_) | Entity::Namespace(_) => {}
            }
        }
        let text = self.name_text(n);
        self.error("E0404", span, format!("`{text}` is a type or namespace, not a value"));
        self.err(span)
    }

    /// The place of a local; of a reference, what it refers to.
    pub(crate) fn local_value_place(&mut self, l: crate::program::LocalId, span: Span) -> ExprId {
        let Some(info) = self.cx.infos.get(l.index()) else { return self.err(span) };
        let decl_ty = info.decl_ty;
        if self.cx.locals[l.index()].ty == TyId::ERROR {
            return self.err(span);
        }
        let place = self.local_place(l, span);
        if let Some(t) = decl_ty
            && matches!(self.p.types.get(t), Ty::Reference { .. })
        {
            let ty = self.ty(place);
            let p = self.rv(ExprKind::Load(place), ty, span);
            return self.deref(p, span);
        }
        place
    }

    /// The place of a variable of static storage.
    pub(crate) fn var_place(&mut self, v: VarId, span: Span) -> ExprId {
        if let Some(call) = self.getter_call(v, span) {
            return call;
        }
        self.complete_var(v);
        let var = self.decls[v].clone();
        if let Some(kind) = var.value
            && var.global.is_none()
        {
            let v = self.rv(kind, var.ty, span);
            return self.computed(v);
        }
        let Some(g) = var.global else {
            if self.cx.unevaluated > 0 || self.reads_host() {
                return self.lv(ExprKind::Error, var.ty, var.quals, AddrSpace::Generic, span);
            }
            let name = self.text(var.name).to_owned();
            let d = Diagnostic::error(
                "E0405",
                span,
                format!("`{name}` is a host variable and cannot be used in device code"),
            )
            .label(var.span, "declared here")
            .help("declare it `__device__` or `__constant__`, or make it `constexpr`");
            self.report(d);
            return self.err(span);
        };
        if var.is_reference {
            let p = self.lowered_ty(var.ty);
            let place = self.lv(ExprKind::Global(g), p, Quals::NONE, var.space, span);
            let v = self.rv(ExprKind::Load(place), p, span);
            return self.deref(v, span);
        }
        self.lv(ExprKind::Global(g), var.ty, var.quals.without(Quals::RESTRICT), var.space, span)
    }

    fn unknown_name(&mut self, n: ast::NameId, span: Span) -> ExprId {
        if let Some(sym) = self.ast.plain_name(n) {
            if let Some(v) = self.special_variable(sym, span).or_else(|| self.provided_constant(sym, span)) {
                return v;
            }
            return self.undeclared(sym, span);
        }
        // Of what has no header here, `::cudaMemcpyDefault` is as without the `::`.
        if self.ast[n].global
            && self.ast[n].qualifier.is_empty()
            && let Some(v) = self.last_symbol(n).and_then(|sym| self.provided_constant(sym, span))
        {
            return v;
        }
        if matches!(self.qualifier(n), super::names::Qualifier::Error) {
            return self.err(span);
        }
        let sym = self.last_symbol(n);
        if let Some(sym) = sym.filter(|&sym| self.decls.host_names.place(sym).is_some()) {
            return self.undeclared(sym, span);
        }
        let text = self.name_text(n);
        self.error("E0343", span, format!("no member named `{text}`"));
        if let Some(sym) = sym {
            self.bring_out_held(sym);
        }
        self.err(span)
    }

    /// Reports a name that nothing declares.
    pub(crate) fn undeclared(&mut self, sym: Symbol, span: Span) -> ExprId {
        self.note_host_missed(None, sym);
        // One report per name and function is enough.
        if self.cx.unknown.contains(&sym) {
            return self.err(span);
        }
        self.cx.unknown.push(sym);
        let name = self.text(sym).to_owned();
        if let Some(there) = self.decls.host_names.place(sym) {
            let d =
                Diagnostic::error("E0405", span, format!("`{name}` is host code and cannot be used in device code"))
                    .label(there, "declared here")
                    .help("mark it `__device__`");
            self.report(d);
            return self.err(span);
        }
        let mut d = Diagnostic::error("E0406", span, format!("use of undeclared identifier `{name}`"));
        if let Some(near) = self.nearest(sym) {
            d = d.help(format!("did you mean `{near}`?")).fix(span, near);
        }
        self.report(d);
        self.bring_out_held(sym);
        self.err(span)
    }

    fn this(&mut self, span: Span) -> ExprId {
        if let Some(e) = self.captured_this(span) {
            return e;
        }
        let Some((l, ..)) = self.cx.this else {
            self.error("E0407", span, "`this` outside a member function");
            return self.err(span);
        };
        let p = self.local_place(l, span);
        let ty = self.ty(p);
        self.rv(ExprKind::Load(p), ty, span)
    }

    // ---- compound expressions ----------------------------------------------------------------------------------

    fn comma_expr(&mut self, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let lhs = self.expr(l);
        let rhs = self.expr(r);
        self.comma_checked(lhs, rhs, span)
    }

    /// `lhs, rhs`, which a class may define.
    pub(crate) fn comma_checked(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if (self.is_class_operand(lhs) || self.is_class_operand(rhs))
            && let Some(v) = self.user_operator(crate::types::OperatorName::Comma, &[lhs, rhs], span)
        {
            return v;
        }
        self.comma(lhs, rhs, span)
    }

    pub(crate) fn comma(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let x = *self.e(rhs);
        if !self.is_cxx() && x.cat == Category::LValue {
            let rhs = self.rvalue(rhs);
            let ty = self.ty(rhs);
            return self.rv(ExprKind::Comma { lhs, rhs }, ty, span);
        }
        self.push_expr(crate::program::Expr { kind: ExprKind::Comma { lhs, rhs }, span, ..x })
    }

    fn cast_expr(&mut self, kind: ast::CastKind, ty: ast::TypeId, operand: ast::ExprId, span: Span) -> ExprId {
        let to = self.resolve(ty);
        if let ast::ExprKind::InitList(list) = self.ast[operand].kind {
            return self.init_list(list, to.ty, span);
        }
        if self.is_cxx()
            && (self.p.types.is_pointer(to.ty) || matches!(self.p.types.get(to.ty), Ty::MemberPointer { .. }))
            && let Some(f) = self.overloaded_address(operand, to.ty)
        {
            return f;
        }
        let v = self.expr(operand);
        self.explicit_object(v, to, kind, span)
    }

    fn vector_lit(&mut self, ty: ast::TypeId, elems: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let to = self.resolve_ty(ty);
        let ast = self.ast;
        let items = ast.list(elems);
        if self.p.types.is_vector(to) {
            return self.vector_from(items, to, span, false);
        }
        let mut last = None;
        for &e in items {
            let v = self.expr(e);
            last = Some(match last {
                Some(l) => self.comma(l, v, span),
                None => v,
            });
        }
        match last {
            Some(v) => self.explicit(v, to, ast::CastKind::C, span),
            None => self.err(span),
        }
    }

    /// `(T){…}`
    fn compound_literal(&mut self, ty: ast::TypeId, init: ast::ExprId, span: Span) -> ExprId {
        let r = self.resolve(ty);
        let v = self.init_from(init, r.ty, Why::Init);
        if self.is_err(v) {
            return v;
        }
        let ty = self.ty(v);
        let l = self.new_local(None, ty, r.quals, span);
        self.lv(ExprKind::Materialize { local: l, init: v }, ty, r.quals, AddrSpace::Private, span)
    }
    fn generic(&mut self, control: ast::ExprId, arms: ast::List<ast::GenericArm>, span: Span) -> ExprId {
        match self.generic_choice(control, arms, span) {
            Some(e) => self.expr(e),
            None => self.err(span),
        }
    }

    /// The association that `_Generic` chooses (C11, 6.5.1.1); an error is told if there is none.
    pub(crate) fn generic_choice(
        &mut self,
        control: ast::ExprId,
        arms: ast::List<ast::GenericArm>,
        span: Span,
    ) -> Option<ast::ExprId> {
        self.cx.unevaluated += 1;
        let c = self.expr(control);
        self.cx.unevaluated -= 1;
        let ty = self.value_ty(c);
        let ast = self.ast;
        let mut default = None;
        for arm in ast.list(arms) {
            match arm.ty {
                None => default = Some(arm.value),
                Some(t) => {
                    if self.resolve_ty(t) == ty {
                        return Some(arm.value);
                    }
                }
            }
        }
        if default.is_none() {
            let name = self.show(ty);
            self.error("E0409", span, format!("no association of `_Generic` has the type `{name}`"));
        }
        default
    }

    fn stmt_expr(&mut self, s: ast::StmtId, span: Span) -> ExprId {
        let ast = self.ast;
        let ast::StmtKind::Compound(list) = ast[s].kind else { return self.err(span) };
        if self.cx.decl.is_none() {
            self.error("E0410", span, "statement expression outside a function");
            return self.err(span);
        }
        let names = self.cx.names.len();
        let start = std::mem::replace(&mut self.cx.block_start, names);
        self.cx.block_depth += 1;
        let items = ast.list(list);
        let mut stmts = Vec::new();
        let mut result = None;
        for (i, &st) in items.iter().enumerate() {
            if i + 1 == items.len()
                && let ast::StmtKind::Expr(e) = ast[st].kind
            {
                let v = self.expr(e);
                result = Some(self.rvalue(v));
            } else {
                let s = self.stmt(st);
                stmts.push(s);
            }
        }
        self.cx.names.truncate(names);
        self.cx.block_start = start;
        self.cx.block_depth -= 1;
        let body = self.block(&stmts, span);
        let ty = result.map_or(TyId::VOID, |r| self.ty(r));
        if ty == TyId::ERROR {
            return self.err(span);
        }
        self.rv(ExprKind::StmtExpr { body, result }, ty, span)
    }

    fn offsetof(&mut self, ty: ast::TypeId, path: ast::List<ast::Designator>, span: Span) -> ExprId {
        let mut ty = self.resolve_ty(ty);
        let ast = self.ast;
        let mut offset = 0u64;
        for d in ast.list(path) {
            match *d {
                ast::Designator::Field(id) => {
                    let rec = self.p.types.as_record(ty);
                    if let Some(r) = rec {
                        self.complete_record(r);
                    }
                    let Some(found) = rec.and_then(|r| self.field_path(r, id.sym)) else {
                        let (n, t) = (self.text(id.sym).to_owned(), self.show(ty));
                        self.error("E0411", id.span, format!("no member named `{n}` in `{t}`"));
                        return self.err(span);
                    };
                    for (r, f) in found {
                        let field = &self.p.types.record(r).fields[f as usize];
                        offset += field.offset;
                        ty = field.ty;
                    }
                }
                ast::Designator::Index(e) => {
                    let i = self.constant_expr(e).and_then(|v| self.int_constant(v)).unwrap_or(0);
                    if let Ty::Array { elem, .. } = *self.p.types.get(ty) {
                        offset = offset.wrapping_add(self.p.types.size_of(elem).unwrap_or(0).wrapping_mul(i as u64));
                        ty = elem;
                    }
                }
                ast::Designator::Range(..) => {}
            }
        }
        self.int(i128::from(offset), TyId::ULONG, span)
    }

    /// The value with the same bits in another type.
    pub(crate) fn bit_cast(&mut self, v: ExprId, to: TyId, span: Span) -> ExprId {
        if self.is_err(v) || to == TyId::ERROR {
            return self.err(span);
        }
        let from = self.ty(v);
        if from == to {
            return v;
        }
        for class in [from, to].into_iter().filter_map(|t| self.array_record(t)).collect::<Vec<_>>() {
            self.complete_record(class);
        }
        if self.p.types.size_of(from) != self.p.types.size_of(to) {
            let (f, t) = (self.show(from), self.show(to));
            self.error("E0413", span, format!("bit cast from `{f}` to `{t}`: their sizes differ"));
            return self.err(span);
        }
        self.rv(ExprKind::BitCast(v), to, span)
    }
}

fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
