//! Definitions of functions as C had them before prototypes (C11, 6.9.1): `int f(a, b) int a; double *b; { … }`.
//!
//! They become definitions with typed parameters. A parameter that no declaration names is an `int`. Arguments are converted to the
//! parameters' types, which is what callers and callee do together where the call is defined at all.

use super::declarator::Form;
use super::names::Known;
use super::spec::{Attrs, SpecCx};
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{BuiltinType, Decl, DeclId, DeclKind, DeclSpecs, List, NameKind, Quals, Type, TypeKind};
use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};

/// The names of an identifier list, in order.
pub(super) type Identifiers = SmallVec<[(Symbol, Span); 8]>;

impl Parser<'_> {
    /// Whether what stands in the parentheses of a declarator is a list of identifiers, and declarations or a body follow.
    pub(super) fn old_style_ahead(&mut self) -> bool {
        !self.is_cxx()
            && self.is_ident(self.tok)
            && matches!(self.peek(1).kind, T::Comma | T::RParen)
            && !self.type_at(self.pos)
            && self.brackets_opener_is_definition()
    }

    /// Whether the group that encloses the current token is followed by what follows a function's parameters.
    fn brackets_opener_is_definition(&self) -> bool {
        let mut i = self.pos;
        while self.at(i).kind == T::Comma || self.is_ident(self.at(i)) {
            i += 1;
        }
        let after = self.at(i + 1);
        self.at(i).kind == T::RParen && (after.kind == T::LBrace || after.kind == T::Ident)
    }

    /// `a, b, c`
    pub(super) fn identifier_list(&mut self) -> PResult<Identifiers> {
        let mut out = Identifiers::new();
        loop {
            if !self.is_ident(self.tok) {
                return Err(self.expected("a parameter's name"));
            }
            out.push((self.tok.sym, self.tok.span));
            self.bump();
            if !self.eat(T::Comma) {
                return Ok(out);
            }
        }
    }

    /// The declarations of the parameters, up to the body: the parameters in the order of the list.
    pub(super) fn old_style_parameters(&mut self, list: &Identifiers) -> PResult<List<DeclId>> {
        let mut declared: SmallVec<[(Symbol, DeclId); 8]> = SmallVec::new();
        while !self.is(T::LBrace) && !self.is(T::Eof) {
            let mut attrs = Attrs::new();
            self.attributes_if_any(&mut attrs)?;
            let specs = self.decl_specs(SpecCx::Param, attrs)?;
            loop {
                let start = self.tok.span;
                let mut d = self.declarator(specs.ty, Form::Either)?;
                self.attributes_if_any(&mut d.attrs)?;
                let NameKind::Ident(sym) = self.ast[d.name].kind else {
                    return Err(self.expected("a parameter's name"));
                };
                let name = self.ast[d.name].span;
                if !list.iter().any(|(s, _)| *s == sym) {
                    let text = format!("`{}` is declared as a parameter and not in the list", self.session.str(sym));
                    let help = "name it between the parentheses, or declare it in the body";
                    return Err(self.report(Diagnostic::error("E0204", name, text).help(help)));
                }
                self.names.declare_parameter(sym, Known::Value);
                let ty = self.attributed_type(d.ty, &d.attrs);
                let mut all = specs.attrs.clone();
                all.append(&mut d.attrs);
                let attrs = self.ast.push_list(&all);
                let span = self.span_from(start);
                let kind = DeclKind::Param { ty, default: None };
                let specs = specs.specs.with(DeclSpecs::NONE);
                declared.push((sym, self.ast.push_decl(Decl { kind, name: d.name, specs, attrs, span })));
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect(T::Semi)?;
        }
        let params: SmallVec<[DeclId; 8]> =
            list.iter().map(|&(sym, span)| self.old_style_parameter(sym, span, &declared)).collect();
        Ok(self.ast.push_list(&params))
    }

    /// The declaration of a name of the list, or an `int`.
    fn old_style_parameter(&mut self, sym: Symbol, span: Span, declared: &[(Symbol, DeclId)]) -> DeclId {
        if let Some((_, d)) = declared.iter().find(|(s, _)| *s == sym) {
            return *d;
        }
        self.names.declare_parameter(sym, Known::Value);
        let kind = TypeKind::Builtin(BuiltinType::Int);
        let ty = self.ast.push_type(Type { kind, quals: Quals::default(), span });
        let name = self.plain_name(sym, span);
        let kind = DeclKind::Param { ty, default: None };
        self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span })
    }
}
