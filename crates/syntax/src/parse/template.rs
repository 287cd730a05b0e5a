//! Templates: parameters, specialisations, explicit instantiation.

use super::decl::DeclCx;
use super::declarator::Form;
use super::keywords::Kw;
use super::names::Known;
use super::spec::{Attrs, SpecCx};
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{Decl, DeclId, DeclKind, DeclSpecs, FunctionKind, List, NameId, Quals, Type, TypeKind};
use smallvec::SmallVec;
use source::Span;

impl Parser<'_> {
    /// `template<…> declaration`, `template declaration`, `extern template declaration`
    pub(super) fn template_declaration(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) -> PResult<()> {
        let start = self.tok.span;
        let is_extern = self.eat_kw(Kw::Extern);
        self.bump();
        if !self.is(T::Less) {
            let mut inner = Vec::new();
            self.plain_declaration(cx, &mut inner)?;
            for decl in inner {
                let d = self.simple_decl(DeclKind::Instantiation { is_extern, decl }, start);
                out.push(d);
            }
            return Ok(());
        }
        self.names.push_scope();
        let r = self.templated(cx);
        self.names.pop_scope();
        let (params, inner) = r?;
        for decl in inner {
            let (params, decl) = self.joined_parameters(params, decl);
            self.declare_template(decl);
            let name = self.ast[decl].name;
            let span = self.span_from(start);
            let kind = DeclKind::Template { params, decl };
            out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        }
        Ok(())
    }

    /// `template<class T> void f(T, auto)`: one template with the parameters of both.
    fn joined_parameters(&mut self, params: List<DeclId>, decl: DeclId) -> (List<DeclId>, DeclId) {
        let DeclKind::Template { params: own, decl: inner } = self.ast[decl].kind else { return (params, decl) };
        if params.is_empty() || !self.abbreviated.contains(&decl) {
            return (params, decl);
        }
        let mut all: SmallVec<[DeclId; 8]> = SmallVec::from_slice(self.ast.list(params));
        all.extend_from_slice(self.ast.list(own));
        (self.ast.push_list(&all), inner)
    }

    fn templated(&mut self, cx: DeclCx) -> PResult<(List<DeclId>, Vec<DeclId>)> {
        let constraints = self.head_constraints.len();
        let params = self.template_parameters()?;
        if let Some(e) = self.requires_clause()? {
            self.head_constraints.push(e);
        }
        let by = self.head_constraints.split_off(constraints);
        self.template_heads.push(params);
        let mut inner = Vec::new();
        let r = if self.is_kw(Kw::Friend) {
            self.friend_declaration(&mut inner)
        } else {
            self.plain_declaration(cx, &mut inner)
        };
        self.template_heads.pop();
        r?;
        for &d in &inner {
            let of = match self.ast[d].kind {
                DeclKind::Template { decl, .. } if self.abbreviated.contains(&d) => decl,
                DeclKind::Friend(decl) => decl,
                _ => d,
            };
            self.constrained(of, by.clone());
        }
        Ok((params, inner))
    }

    /// Makes the name of a template known outside of its parameters' scope.
    pub(super) fn declare_template(&mut self, decl: DeclId) {
        let d = self.ast[decl];
        let known = match d.kind {
            // Its name is the class's, which stays what it is.
            DeclKind::Function(f) if matches!(self.ast[f].kind, FunctionKind::Constructor | FunctionKind::Guide) => {
                return;
            }
            DeclKind::Function(_) | DeclKind::Var { .. } => Known::ValueTemplate,
            DeclKind::Record(_) | DeclKind::Typedef { .. } => Known::TypeTemplate,
            DeclKind::Friend(inner) => return self.declare_template(inner),
            _ => return,
        };
        if let Some(sym) = self.ast.plain_name(d.name) {
            self.names.declare(sym, known);
            let class = self.classes.last().and_then(|c| c.name);
            if let (Known::TypeTemplate, Some(class)) = (known, class) {
                self.member_templates.insert((class, sym));
            }
            if d.specs.any(DeclSpecs(DeclSpecs::GLOBAL.0 | DeclSpecs::DEVICE.0)) {
                self.device_templates.insert(sym);
            }
        }
    }

    /// `< { parameter } >`
    pub(super) fn template_parameters(&mut self) -> PResult<List<DeclId>> {
        self.nested(|p| {
            p.expect(T::Less)?;
            let outer = std::mem::replace(&mut p.angle, true);
            let mut params: SmallVec<[DeclId; 4]> = SmallVec::new();
            let r = p.template_parameter_list(&mut params);
            p.angle = outer;
            r?;
            p.expect_angle_close()?;
            Ok(p.ast.push_list(&params))
        })
    }

    fn template_parameter_list(&mut self, params: &mut SmallVec<[DeclId; 4]>) -> PResult<()> {
        while !self.at_angle_close() {
            let d = self.template_parameter()?;
            params.push(d);
            if !self.eat(T::Comma) {
                break;
            }
        }
        Ok(())
    }

    fn template_parameter(&mut self) -> PResult<DeclId> {
        let start = self.tok.span;
        match self.kw() {
            Kw::Template => return self.template_template_parameter(start),
            Kw::Class => return self.type_parameter(start),
            Kw::Typename if self.type_parameter_ahead() => return self.type_parameter(start),
            Kw::None => {
                if let Some(concept) = self.constraint_of_type()? {
                    return self.named_parameter(start, Some(concept));
                }
            }
            _ => {}
        }
        let specs = self.decl_specs(SpecCx::Param, Attrs::new())?;
        let d = self.declarator(specs.ty, Form::Either)?;
        self.declare_parameter(d.name, Known::Value);
        let default = if self.eat(T::Eq) { Some(self.nested(Self::constant_expr)?) } else { None };
        let mut ty = d.ty;
        if d.pack {
            let span = self.ast[ty].span;
            ty = self.ast.push_type(Type { kind: TypeKind::Pack(ty), quals: Quals::default(), span });
        }
        Ok(self.parameter_decl(DeclKind::Param { ty, default }, d.name, start))
    }

    /// Whether `typename` declares a parameter, as against `typename T::type n` and `typename C<T>::type`.
    fn type_parameter_ahead(&self) -> bool {
        let next = self.peek(1);
        if self.is_ident(next) {
            !matches!(self.peek(2).kind, T::ColonColon | T::Less)
        } else {
            next.kind != T::ColonColon
        }
    }

    fn type_parameter(&mut self, start: Span) -> PResult<DeclId> {
        self.bump();
        self.named_parameter(start, None)
    }

    /// A type parameter from its name on, and what it must satisfy.
    fn named_parameter(&mut self, start: Span, concept: Option<NameId>) -> PResult<DeclId> {
        let pack = self.eat(T::Ellipsis);
        let mut name = self.parameter_name(Known::Type);
        if let Some(concept) = concept {
            if self.ast.plain_name(name).is_none() {
                let sym = self.session.intern(&format!("constrained:{}", self.ast.names.len()));
                name = self.plain_name(sym, start);
            }
            self.constrain(concept, name, pack)?;
        }
        let default = if self.eat(T::Eq) { Some(self.type_id()?) } else { None };
        Ok(self.parameter_decl(DeclKind::TypeParam { default, pack }, name, start))
    }

    fn template_template_parameter(&mut self, start: Span) -> PResult<DeclId> {
        self.bump();
        self.names.push_scope();
        let params = self.template_parameters();
        self.names.pop_scope();
        let params = params?;
        if !self.eat_kw(Kw::Class) && !self.eat_kw(Kw::Typename) {
            return Err(self.expected("`class`"));
        }
        let pack = self.eat(T::Ellipsis);
        let name = self.parameter_name(Known::TypeTemplate);
        let default = if self.eat(T::Eq) { Some(self.type_id()?) } else { None };
        Ok(self.parameter_decl(DeclKind::TemplateParam { params, default, pack }, name, start))
    }

    fn parameter_name(&mut self, known: Known) -> NameId {
        if !self.is_ident(self.tok) {
            return self.no_name();
        }
        let t = self.bump();
        let name = self.plain_name(t.sym, t.span);
        self.declare_parameter(name, known);
        name
    }

    fn declare_parameter(&mut self, name: NameId, known: Known) {
        if let Some(sym) = self.ast.plain_name(name) {
            self.names.declare_parameter(sym, known);
        }
    }

    fn parameter_decl(&mut self, kind: DeclKind, name: NameId, start: Span) -> DeclId {
        let span = self.span_from(start);
        self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span })
    }
}
