//! `auto` as a parameter's type: a template parameter that nobody names takes its place.
//!
//! `[](auto x, auto &...rest) {…}` becomes `[]<class A, class... B>(A x, B &...rest) {…}` (C++17, 8.1.5.1), and so do
//! functions (C++20, 11.3.3.5): later stages know only templates.

use super::{PResult, Parser};
use crate::ast::{
    BuiltinType, Decl, DeclId, DeclKind, DeclSpecs, FnTypeId, Function, FunctionKind, Ident, Lambda, List, NameKind,
    Operator, Type, TypeId, TypeKind,
};
use smallvec::SmallVec;

/// Template parameters that were invented.
pub(super) type Invented = SmallVec<[DeclId; 4]>;

impl Parser<'_> {
    /// Puts a template parameter in the place of each `auto` among the types of parameters.
    pub(super) fn invent_parameters(&mut self, params: List<DeclId>) -> PResult<Invented> {
        let mut invented = Invented::new();
        if !self.is_cxx() {
            return Ok(invented);
        }
        for i in 0..params.len() {
            let DeclKind::Param { ty, .. } = self.ast[self.ast.list(params)[i]].kind else { continue };
            let Some((auto, pack)) = self.auto_in(ty) else { continue };
            let Type { quals, span, .. } = self.ast[auto];
            // Of lambdas in lambdas each has its own: a pack of the outer one is not found for the inner one's.
            self.invented += 1;
            let sym = self.session.intern(&format!("auto:{}", self.invented));
            let name = self.plain_name(sym, span);
            self.ast[auto] = Type { kind: TypeKind::Name(name), quals, span };
            if let Some(&concept) = self.constrained_autos.get(&auto) {
                self.constrain(concept, name, pack)?;
            }
            let kind = DeclKind::TypeParam { default: None, pack };
            invented.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        }
        Ok(invented)
    }

    /// The `auto` in a type, and whether it stands in a pack.
    fn auto_in(&self, ty: TypeId) -> Option<(TypeId, bool)> {
        let (mut at, mut pack) = (ty, false);
        loop {
            match self.ast[at].kind {
                TypeKind::Builtin(BuiltinType::Auto) => return Some((at, pack)),
                TypeKind::Pointer(t) | TypeKind::LvalueRef(t) | TypeKind::RvalueRef(t) => at = t,
                TypeKind::Array { element: t, .. } | TypeKind::Attributed { ty: t, .. } => at = t,
                TypeKind::Pack(t) => (at, pack) = (t, true),
                _ => return None,
            }
        }
    }

    /// A function with invented parameters as the template that it is. Inside of `template<…>` they join the others
    /// ([`Self::template_declaration`]).
    pub(super) fn abbreviated(&mut self, decl: DeclId) -> PResult<DeclId> {
        let DeclKind::Function(f) = self.ast[decl].kind else { return Ok(decl) };
        let TypeKind::Function(ty) = self.ast[self.ast[f].ty].kind else { return Ok(decl) };
        let constraints = self.head_constraints.len();
        let invented = self.invent_parameters(self.ast[ty].params)?;
        let by = self.head_constraints.split_off(constraints);
        if invented.is_empty() {
            return Ok(decl);
        }
        self.constrained(decl, by);
        let params = self.ast.push_list(&invented);
        let Decl { name, span, .. } = self.ast[decl];
        let kind = DeclKind::Template { params, decl };
        let template = self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span });
        self.abbreviated.insert(template);
        self.declare_template(decl);
        Ok(template)
    }

    /// The call operator of a generic lambda, as the member template that it is.
    pub(super) fn generic_call(&mut self, lambda: &Lambda) -> DeclId {
        let span = self.ast[lambda.body].span;
        let function = Function {
            ty: self.fn_type_of(lambda.ty, span),
            kind: FunctionKind::Plain,
            body: crate::ast::Body::Stmt(lambda.body),
            inits: List::EMPTY,
            pure: false,
            overrides: false,
            asm_label: None,
            end: self.ast.next_decl(),
            host_only: false,
            contract: lambda.contract,
        };
        let function = self.ast.push_function(function);
        let name = self.named(NameKind::Operator(Operator::Call), span);
        let specs = lambda.specs.with(DeclSpecs::DEVICE).with(DeclSpecs::INLINE);
        self.ast.push_decl(Decl { kind: DeclKind::Function(function), name, specs, attrs: List::EMPTY, span })
    }

    fn fn_type_of(&mut self, ty: FnTypeId, span: source::Span) -> TypeId {
        self.ast.push_type(Type { kind: TypeKind::Function(ty), quals: crate::ast::Quals::default(), span })
    }

    /// The names that were written since there were `names` of them, and whether `this` was since there were `exprs`
    /// expressions: what a generic lambda captures shows before its body has a meaning.
    pub(super) fn mentioned(&mut self, names: usize, exprs: usize) -> (List<Ident>, bool) {
        let mut found: Vec<Ident> = Vec::new();
        for n in &self.ast.names[names..] {
            if let NameKind::Ident(sym) = n.kind
                && n.qualifier.is_empty()
                && !n.global
            {
                found.push(Ident { sym, span: n.span });
            }
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|i| seen.insert(i.sym));
        let this = self.ast.exprs[exprs..].iter().any(|e| matches!(e.kind, crate::ast::ExprKind::This));
        (self.ast.push_list(&found), this)
    }
}
