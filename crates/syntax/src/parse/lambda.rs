//! Lambda expressions.

use super::keywords::Kw;
use super::names::Known;
use super::spec::Attrs;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    BuiltinType, Capture, CaptureDefault, DeclId, DeclSpecs, ExprId, ExprKind, FnType, GenericLambda, Ident, Lambda,
    List, Noexcept, Quals, RefQual, Type, TypeKind,
};
use smallvec::SmallVec;

impl Parser<'_> {
    /// `[captures] <params> (params) specs -> T { body }`
    pub(super) fn lambda(&mut self) -> PResult<ExprId> {
        let start = self.tok.span;
        self.names.push_scope();
        let angle = std::mem::replace(&mut self.angle, false);
        let heads = std::mem::take(&mut self.template_heads);
        let outer = self.enter_function(true);
        let r = self.measured_expr(|p| {
            let lambda = p.lambda_inner()?;
            let id = p.ast.push_lambda(lambda);
            Ok((ExprKind::Lambda(id), p.span_from(start)))
        });
        self.enter_function(outer);
        self.template_heads = heads;
        self.angle = angle;
        self.names.pop_scope();
        r
    }

    fn lambda_inner(&mut self) -> PResult<Lambda> {
        let open = self.tok.span;
        let first_name = self.ast.next_name();
        let (default, captures) = self.captures()?;
        let constraints = self.head_constraints.len();
        let mut template_params = if self.is(T::Less) { self.template_parameters()? } else { List::EMPTY };
        if let Some(e) = self.requires_clause()? {
            self.head_constraints.push(e);
        }
        let span = self.span_from(open);
        let auto = TypeKind::Builtin(BuiltinType::Auto);
        let ret = self.ast.push_type(Type { kind: auto, quals: Quals::default(), span });
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
            explicit_if: None,
        };
        let mut attrs = Attrs::new();
        let mut mutable = false;
        let mut specs = self.lambda_specs(&mut mutable, &mut attrs)?;
        if self.is(T::LParen) {
            f = FnType { ret, ..self.parameters()? };
            let invented = self.invent_parameters(f.params)?;
            if !invented.is_empty() {
                let mut all: SmallVec<[DeclId; 8]> = SmallVec::from_slice(self.ast.list(template_params));
                all.extend(invented);
                template_params = self.ast.push_list(&all);
            }
            self.redeclare(f.params);
        }
        specs = specs.with(self.lambda_specs(&mut mutable, &mut attrs)?);
        self.function_quals(&mut f, &mut attrs)?;
        specs = specs.with(self.lambda_specs(&mut mutable, &mut attrs)?);
        let is_generic = !template_params.is_empty();
        if is_generic && !mutable {
            f.quals.is_const = true;
        }
        let by = self.head_constraints.split_off(constraints);
        let ty = self.ast.push_fn_type(f);
        let contract = self.contract;
        let (names, exprs) = (self.ast.names.len(), self.ast.exprs.len());
        let body = self.nested(Self::compound)?;
        let of = (first_name, self.ast.next_name());
        let mut lambda =
            Lambda { default, captures, template_params, ty, mutable, specs, body, contract, names: of, generic: None };
        if is_generic {
            let (mentions, mentions_this) = self.mentioned(names, exprs);
            let call = self.generic_call(&lambda);
            self.constrained(call, by);
            lambda.generic = Some(GenericLambda { call, mentions, mentions_this });
        }
        Ok(lambda)
    }

    fn lambda_specs(&mut self, mutable: &mut bool, attrs: &mut Attrs) -> PResult<DeclSpecs> {
        let mut specs = DeclSpecs::NONE;
        loop {
            specs = specs.with(match self.kw() {
                Kw::Mutable => {
                    *mutable = true;
                    DeclSpecs::NONE
                }
                Kw::Constexpr => DeclSpecs::CONSTEXPR,
                Kw::Consteval => DeclSpecs::CONSTEVAL,
                Kw::Static => DeclSpecs::STATIC,
                Kw::CudaDevice => DeclSpecs::DEVICE,
                Kw::CudaHost => DeclSpecs::HOST,
                Kw::CudaGlobal => DeclSpecs::GLOBAL,
                Kw::Forceinline => DeclSpecs::FORCEINLINE,
                Kw::Noinline => DeclSpecs::NOINLINE,
                Kw::Attribute => {
                    self.gnu_attributes(attrs)?;
                    continue;
                }
                _ => return Ok(specs),
            });
            self.bump();
        }
    }

    /// `[=, &x, y = e, this]`
    fn captures(&mut self) -> PResult<(CaptureDefault, List<Capture>)> {
        let open = self.expect(T::LBracket)?;
        let mut default = CaptureDefault::None;
        let mut list: SmallVec<[Capture; 4]> = SmallVec::new();
        while !self.is(T::RBracket) {
            let alone = matches!(self.peek(1).kind, T::Comma | T::RBracket);
            if self.is(T::Eq) && alone {
                self.bump();
                default = CaptureDefault::Copy;
            } else if self.is(T::Amp) && alone {
                self.bump();
                default = CaptureDefault::Ref;
            } else {
                let c = self.capture()?;
                list.push(c);
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect_closer(T::RBracket, open)?;
        Ok((default, self.ast.push_list(&list)))
    }

    fn capture(&mut self) -> PResult<Capture> {
        let start = self.tok.span;
        if self.is_kw(Kw::This) || self.is(T::Star) && self.kw_of(self.peek(1)) == Kw::This {
            let by_ref = !self.eat(T::Star);
            self.bump();
            return Ok(Capture { name: None, by_ref, init: None, pack: false, span: self.span_from(start) });
        }
        let by_ref = self.eat(T::Amp);
        let mut pack = self.eat(T::Ellipsis);
        let (sym, at) = self.ident("a variable to capture")?;
        pack |= self.eat(T::Ellipsis);
        let init = match self.tok.kind {
            T::Eq => {
                self.bump();
                Some(self.init_clause()?)
            }
            T::LBrace => Some(self.braced_init()?),
            _ => None,
        };
        self.names.declare(sym, Known::Value);
        let name = Some(Ident { sym, span: at });
        Ok(Capture { name, by_ref, init, pack, span: self.span_from(start) })
    }
}
