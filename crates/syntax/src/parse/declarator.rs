//! Declarators: pointers, arrays, functions around a name, turned inside out into a type tree.

use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::spec::storage;
use super::spec::{Attrs, SpecCx};
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    ArraySize, Decl, DeclId, DeclKind, DeclSpecs, FnType, List, NameId, NameKind, Noexcept, Quals, RefQual, Type,
    TypeId, TypeKind,
};
use smallvec::SmallVec;
use source::Span;

/// What a declarator declares.
#[derive(Clone)]
pub(super) struct Declarator {
    /// The name; of kind `None` for abstract declarators.
    pub(super) name: NameId,
    /// The whole type.
    pub(super) ty: TypeId,
    /// Attributes behind or inside the declarator.
    pub(super) attrs: Attrs,
    /// `…` before the name: a parameter pack.
    pub(super) pack: bool,
}

/// Which declarators are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With a name.
    Named,
    /// Without (type-ids).
    Abstract,
    /// Either (parameters).
    Either,
    /// The target of a conversion function: pointers only.
    Conversion,
    /// The type of a `new`: the parenthesis after it holds initialisers.
    New,
}

/// What stands behind a declarator's name, from left to right.
enum Suffix {
    Array(ArraySize, Quals, Span),
    Function(FnType, Span),
}

impl Parser<'_> {
    /// `{ pointer } ( name | ( declarator ) ) { suffix }`, applied to `base`.
    pub(super) fn declarator(&mut self, base: TypeId, form: Form) -> PResult<Declarator> {
        self.nested(|p| p.declarator_unbounded(base, form))
    }

    fn declarator_unbounded(&mut self, base: TypeId, form: Form) -> PResult<Declarator> {
        let mut attrs = Attrs::new();
        let base = self.pointers(base, &mut attrs)?;
        let pack = self.is_cxx() && self.eat(T::Ellipsis);
        if self.is(T::LParen) && self.nested_declarator_ahead(form) {
            let mut d = self.parenthesised_declarator(base, form)?;
            d.attrs.append(&mut attrs);
            d.pack |= pack;
            return Ok(d);
        }
        let name = self.declarator_name(form)?;
        let mut d = Declarator { name, ty: base, attrs, pack };
        self.gnu_attributes_if_any(&mut d.attrs)?;
        // `char buffer alignas(int)[4]`
        while self.is_kw(Kw::AlignasWord) {
            self.alignas(&mut d.attrs)?;
        }
        // `T f __device__(int)`: the word is an attribute to nvcc, which may stand here.
        while self.late_specifiers_ahead() && self.late_specifier() {}
        let of_class = self.enter_class_of(name);
        let ty = self.suffixes(base, form, &mut d.attrs);
        if of_class {
            self.names.pop_scope();
        }
        d.ty = ty?;
        Ok(d)
    }

    fn declarator_name(&mut self, form: Form) -> PResult<NameId> {
        let named = self.is(T::Ident) && (self.kw() == Kw::None || self.is_kw(Kw::Operator))
            || self.is_cxx() && matches!(self.tok.kind, T::ColonColon | T::Tilde);
        match form {
            Form::Abstract | Form::Conversion | Form::New => Ok(self.no_name()),
            Form::Named | Form::Either if named => match self.injected_arguments_end() {
                Some(end) if self.at(end).kind == T::LParen => {
                    let t = self.bump();
                    self.seek(end);
                    Ok(self.plain_name(t.sym, t.span))
                }
                _ => self.name(NameUse::Declarator),
            },
            Form::Either => Ok(self.no_name()),
            Form::Named => Err(self.expected("a name")),
        }
    }

    /// `*`, `&`, `&&`, `C::*`, each with its qualifiers.
    fn pointers(&mut self, mut ty: TypeId, attrs: &mut Attrs) -> PResult<TypeId> {
        let mut count = 0;
        loop {
            let at = self.tok.span;
            let here = self.tok.kind;
            let make: fn(TypeId) -> TypeKind = match here {
                T::Star => TypeKind::Pointer,
                T::Amp if self.is_cxx() => TypeKind::LvalueRef,
                T::AmpAmp if self.is_cxx() => TypeKind::RvalueRef,
                T::Ident | T::ColonColon if self.is_cxx() && self.member_pointer_ahead() => {
                    ty = self.member_pointer(ty)?;
                    continue;
                }
                _ => return Ok(ty),
            };
            count += 1;
            if count + self.depth > crate::ast::Ast::MAX_NESTING {
                return Err(self.too_deep());
            }
            self.bump();
            let quals = self.pointer_quals(attrs)?;
            let span = self.span_from(at);
            ty = self.wrap(make(ty), quals, span, ty);
        }
    }

    /// A type around `inner`, at least as deep.
    fn wrap(&mut self, kind: TypeKind, quals: Quals, span: Span, inner: TypeId) -> TypeId {
        let whole = self.session.sources.join(self.ast[inner].span, span);
        self.ast.push_type(Type { kind, quals, span: whole })
    }

    /// Takes one of CUDA's words for where code and variables are, if it is next.
    fn late_specifier(&mut self) -> bool {
        let spec = late_specifier(self.kw());
        if let Some(spec) = spec {
            self.late_specs = self.late_specs.with(spec);
            self.bump();
        }
        spec.is_some()
    }

    /// Whether such words and then the rest of a declarator are next, not another declaration behind a missing semicolon.
    fn late_specifiers_ahead(&self) -> bool {
        let mut i = self.pos;
        while late_specifier(self.kw_of(self.at(i))).is_some() {
            i += 1;
        }
        matches!(self.at(i).kind, T::LParen | T::LBracket | T::Eq | T::Semi | T::Comma)
    }

    /// Qualifiers and attributes after `*`.
    fn pointer_quals(&mut self, attrs: &mut Attrs) -> PResult<Quals> {
        let mut quals = Quals::default();
        loop {
            let kw = self.kw();
            match kw {
                Kw::Attribute | Kw::Declspec => self.gnu_attributes(attrs)?,
                Kw::Extension => {
                    self.bump();
                }
                _ if self.at_cxx_attribute() => self.cxx_attributes(attrs)?,
                // `T const &__device__ f()`: as if it stood before the type.
                _ if self.late_specifier() => {}
                _ => {
                    if !self.qualifier(kw, &mut quals)? {
                        return Ok(quals);
                    }
                }
            }
        }
    }

    /// Whether `C::*` stands here.
    fn member_pointer_ahead(&mut self) -> bool {
        if self.tok.kind == T::Ident && !self.is_ident(self.tok) {
            return false;
        }
        let Some(name) = self.scan_name(self.pos, false) else { return false };
        self.at(name.end).kind == T::ColonColon && self.at(name.end + 1).kind == T::Star
    }

    fn member_pointer(&mut self, pointee: TypeId) -> PResult<TypeId> {
        let at = self.tok.span;
        let class = self.name(NameUse::Type)?;
        self.expect(T::ColonColon)?;
        self.expect(T::Star)?;
        let mut ignored = Attrs::new();
        let quals = self.pointer_quals(&mut ignored)?;
        let span = self.span_from(at);
        Ok(self.wrap(TypeKind::MemberPointer { class, pointee }, quals, span, pointee))
    }

    /// Whether the `(` here encloses a declarator, as against parameters or initialisers.
    fn nested_declarator_ahead(&mut self, form: Form) -> bool {
        let i = self.pos + 1;
        let t = self.at(i);
        match form {
            Form::Conversion | Form::New => return false,
            Form::Named => return true,
            Form::Abstract | Form::Either => {}
        }
        match t.kind {
            T::Star | T::Amp | T::AmpAmp | T::Caret => true,
            T::LParen => true,
            T::LBracket => form == Form::Abstract && !(self.is_cxx() && self.at(i + 1).kind == T::LBracket),
            T::Ident | T::ColonColon => {
                if self.kw_of(t) == Kw::Attribute {
                    return true;
                }
                if self.is_cxx() && self.kw_of(t) == Kw::None {
                    let scanned = self.scan_name(i, false);
                    if scanned
                        .is_some_and(|n| self.at(n.end).kind == T::ColonColon && self.at(n.end + 1).kind == T::Star)
                    {
                        return true;
                    }
                }
                form == Form::Either && self.is_ident(t) && !self.known(t.sym).is_type() && !self.type_likely_at(i)
            }
            _ => false,
        }
    }

    /// `( declarator ) { suffix }`: what is outside applies first, so it is read first.
    fn parenthesised_declarator(&mut self, base: TypeId, form: Form) -> PResult<Declarator> {
        let open = self.tok.span;
        let inside = self.pos + 1;
        let Some(after) = self.after_group(self.pos) else {
            self.bump();
            let d = source::Diagnostic::error("E0208", open, "this `(` is never closed");
            return Err(self.report(d));
        };
        self.prev = self.at(after - 1).span;
        self.seek(after);
        let mut outer_attrs = Attrs::new();
        let outer = self.suffixes(base, form, &mut outer_attrs)?;
        let end = self.pos;
        let split = self.tok;
        let end_prev = self.prev;
        self.seek(inside);
        self.prev = open;
        let mut ignored = Attrs::new();
        self.gnu_attributes_if_any(&mut ignored)?;
        let mut d = self.declarator(outer, form)?;
        self.expect_closer(T::RParen, open)?;
        self.seek(end);
        self.tok = split;
        self.prev = end_prev;
        d.attrs.append(&mut outer_attrs);
        Ok(d)
    }

    /// Arrays and functions behind the name.
    fn suffixes(&mut self, base: TypeId, form: Form, attrs: &mut Attrs) -> PResult<TypeId> {
        let mut list: SmallVec<[Suffix; 2]> = SmallVec::new();
        loop {
            let here = self.tok.kind;
            match here {
                T::LBracket if form == Form::Conversion => break,
                T::LBracket if self.at_cxx_attribute() => self.cxx_attributes(attrs)?,
                T::LBracket => {
                    let s = self.array_suffix()?;
                    list.push(s);
                }
                T::LParen if matches!(form, Form::Conversion | Form::New) => break,
                T::LParen if form == Form::Abstract || self.parameters_ahead() => {
                    let s = self.nested(|p| p.function_suffix(attrs))?;
                    list.push(s);
                }
                _ => break,
            }
            if list.len() as u32 + self.depth > crate::ast::Ast::MAX_NESTING {
                return Err(self.too_deep());
            }
        }
        let mut ty = base;
        for s in list.into_iter().rev() {
            ty = match s {
                Suffix::Array(size, quals, span) => self.wrap(TypeKind::Array { element: ty, size }, quals, span, ty),
                Suffix::Function(mut f, span) => {
                    if !f.trailing {
                        f.ret = ty;
                    }
                    let id = self.ast.push_fn_type(f);
                    self.wrap(TypeKind::Function(id), Quals::default(), span, ty)
                }
            };
        }
        Ok(ty)
    }

    /// `[ static quals n ]`
    fn array_suffix(&mut self) -> PResult<Suffix> {
        let open = self.bump().span;
        let mut quals = Quals::default();
        let mut is_static = false;
        loop {
            if self.eat_kw(Kw::Static) {
                is_static = true;
            } else if !self.qualifier(self.kw(), &mut quals)? {
                break;
            }
        }
        let size = if self.is(T::RBracket) {
            ArraySize::Unknown
        } else if self.is(T::Star) && self.peek(1).kind == T::RBracket {
            self.bump();
            ArraySize::Star
        } else {
            let outer = std::mem::replace(&mut self.angle, false);
            let e = self.nested(Self::assign_expr);
            self.angle = outer;
            let e = e?;
            if is_static { ArraySize::Static(e) } else { ArraySize::Expr(e) }
        };
        self.expect_closer(T::RBracket, open)?;
        Ok(Suffix::Array(size, quals, self.span_from(open)))
    }

    /// `( parameters ) quals ref noexcept attributes -> type`
    fn function_suffix(&mut self, attrs: &mut Attrs) -> PResult<Suffix> {
        let open = self.tok.span;
        let mut f = self.parameters()?;
        if self.is_cxx() {
            self.function_quals(&mut f, attrs)?;
        }
        Ok(Suffix::Function(f, self.span_from(open)))
    }

    /// What may stand between parameters and body.
    pub(super) fn function_quals(&mut self, f: &mut FnType, attrs: &mut Attrs) -> PResult<()> {
        loop {
            let kw = self.kw();
            match self.tok.kind {
                T::Amp => {
                    self.bump();
                    f.ref_qual = RefQual::Lvalue;
                }
                T::AmpAmp => {
                    self.bump();
                    f.ref_qual = RefQual::Rvalue;
                }
                T::Arrow => {
                    self.bump();
                    f.ret = self.type_id()?;
                    f.trailing = true;
                }
                T::LBracket if self.at_cxx_attribute() => self.cxx_attributes(attrs)?,
                T::Ident => match kw {
                    Kw::Noexcept => f.noexcept = self.noexcept_spec()?,
                    Kw::Throw => {
                        self.bump();
                        self.skip_group();
                        f.noexcept = Noexcept::Yes;
                    }
                    Kw::Attribute => self.gnu_attributes(attrs)?,
                    Kw::LaunchBounds | Kw::Maxnreg | Kw::ClusterDims | Kw::BlockSize | Kw::Align => {
                        self.keyword_attribute(attrs)?;
                    }
                    Kw::Requires => {
                        f.requires = self.requires_clause()?;
                    }
                    Kw::Const | Kw::Volatile => {
                        self.qualifier(kw, &mut f.quals)?;
                    }
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    fn noexcept_spec(&mut self) -> PResult<Noexcept> {
        self.bump();
        if !self.is(T::LParen) {
            return Ok(Noexcept::Yes);
        }
        let open = self.bump().span;
        let e = self.in_parens(Self::constant_expr)?;
        self.expect_closer(T::RParen, open)?;
        Ok(Noexcept::Expr(e))
    }

    /// `( { parameter } )`; the return type is filled in by the caller.
    pub(super) fn parameters(&mut self) -> PResult<FnType> {
        let open = self.expect(T::LParen)?;
        let ret = self.ast.push_type(Type { kind: TypeKind::Error, quals: Quals::default(), span: open });
        let mut f = FnType {
            ret,
            params: List::EMPTY,
            variadic: false,
            unprototyped: false,
            quals: Quals::default(),
            ref_qual: RefQual::None,
            noexcept: Noexcept::None,
            trailing: false,
            requires: None,
            explicit_if: self.explicit_if.take(),
        };
        let outer = std::mem::replace(&mut self.angle, false);
        self.names.push_scope();
        let params = self.parameters_until(open, &mut f);
        self.names.pop_scope();
        self.angle = outer;
        f.params = params?;
        Ok(f)
    }

    /// The parameters and what closes them; where that is a list of identifiers, the declarations behind it, too.
    fn parameters_until(&mut self, open: Span, f: &mut FnType) -> PResult<List<DeclId>> {
        if self.old_style_ahead() {
            let list = self.identifier_list()?;
            self.expect_closer(T::RParen, open)?;
            return self.old_style_parameters(&list);
        }
        let params = self.parameter_list(f)?;
        self.expect_closer(T::RParen, open)?;
        Ok(params)
    }

    fn parameter_list(&mut self, f: &mut FnType) -> PResult<List<DeclId>> {
        if self.is(T::RParen) {
            f.unprototyped = self.dialect.is_c11();
            return Ok(List::EMPTY);
        }
        if self.is_kw(Kw::Void) && self.peek(1).kind == T::RParen {
            self.bump();
            return Ok(List::EMPTY);
        }
        let mut params: SmallVec<[DeclId; 8]> = SmallVec::new();
        loop {
            if self.eat(T::Ellipsis) {
                f.variadic = true;
                break;
            }
            params.push(self.parameter()?);
            if self.is_cxx() && self.is(T::Ellipsis) {
                // `f(int x...)`
                continue;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        Ok(self.ast.push_list(&params))
    }

    /// One parameter.
    pub(super) fn parameter(&mut self) -> PResult<DeclId> {
        let start = self.tok.span;
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        let specs = self.decl_specs(SpecCx::Param, attrs)?;
        // `const T *const __grid_constant__ p`: this parameter's, not the function's.
        let outer = std::mem::take(&mut self.late_specs);
        let mut d = self.declarator(specs.ty, Form::Either)?;
        let late = std::mem::replace(&mut self.late_specs, outer);
        self.attributes_if_any(&mut d.attrs)?;
        if let NameKind::Ident(sym) = self.ast[d.name].kind {
            self.names.declare_parameter(sym, Known::Value);
        }
        let default = if self.eat(T::Eq) { Some(self.default_argument()?) } else { None };
        let mut ty = self.attributed_type(d.ty, &d.attrs);
        if d.pack {
            let span = self.ast[ty].span;
            ty = self.ast.push_type(Type { kind: TypeKind::Pack(ty), quals: Quals::default(), span });
        }
        let mut all = specs.attrs;
        all.append(&mut d.attrs);
        let attrs = self.ast.push_list(&all);
        let span = self.span_from(start);
        let kind = DeclKind::Param { ty, default };
        Ok(self.ast.push_decl(Decl { kind, name: d.name, specs: specs.specs.with(late), attrs, span }))
    }

    fn default_argument(&mut self) -> PResult<crate::ast::ExprId> {
        self.nested(|p| if p.is(T::LBrace) { p.braced_init() } else { p.assign_expr() })
    }

    /// type-id
    pub(super) fn type_id(&mut self) -> PResult<TypeId> {
        self.measured_type(|p| {
            p.nested(|p| {
                let base = p.type_specs()?;
                if matches!(
                    p.tok.kind,
                    T::Star | T::Amp | T::AmpAmp | T::LParen | T::LBracket | T::Ident | T::ColonColon
                ) {
                    let d = p.declarator_abstract(base)?;
                    if d.pack {
                        // `T *...`: the declarator took the dots.
                        let span = p.ast[d.ty].span;
                        return Ok(p.ast.push_type(Type { kind: TypeKind::Pack(d.ty), quals: Quals::default(), span }));
                    }
                    return Ok(d.ty);
                }
                Ok(base)
            })
        })
    }

    fn declarator_abstract(&mut self, base: TypeId) -> PResult<Declarator> {
        // `name` after a complete type is not part of it.
        if self.is(T::Ident) && !self.is_kw(Kw::Attribute) && !(self.is_cxx() && self.member_pointer_ahead()) {
            let name = self.no_name();
            return Ok(Declarator { name, ty: base, attrs: Attrs::new(), pack: false });
        }
        self.declarator(base, Form::Abstract)
    }

    /// conversion-type-id
    pub(super) fn conversion_type(&mut self) -> PResult<TypeId> {
        let base = self.type_specs()?;
        Ok(self.declarator(base, Form::Conversion)?.ty)
    }

    /// new-type-id
    pub(super) fn new_type(&mut self) -> PResult<TypeId> {
        let base = self.type_specs()?;
        Ok(self.declarator(base, Form::New)?.ty)
    }
}

/// CUDA's words for where code and variables are that may stand behind `*` and a name.
fn late_specifier(kw: Kw) -> Option<DeclSpecs> {
    match kw {
        Kw::CudaDevice | Kw::CudaHost | Kw::CudaGlobal | Kw::GridConstant | Kw::Forceinline => storage(kw),
        _ => None,
    }
}
