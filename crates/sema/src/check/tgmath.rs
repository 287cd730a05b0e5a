//! `__builtin_tgmath(f, d, l, …, x, …)`: what the functions of `<tgmath.h>` become in GNU C. The functions come first, by the types
//! that they are for, those for complex numbers behind the others; the arguments' types choose one (C11 7.25, GCC's manual 6.59).
//! Numbers that are no `float` count as `double`, pointers and what is an `int` in every function do not count.

use source::{Span, Symbol};
use syntax::ast;

use super::call::Arg;
use super::{Checker, Entity};
use crate::program::ExprId;
use crate::types::TyId;

/// Functions whose second argument is no operand of the type that is chosen.
const ONE_OPERAND: [&str; 4] = ["ldexp", "scalbn", "scalbln", "nexttoward"];

/// The functions of one kind of numbers.
#[derive(Default)]
struct Family {
    /// The name of the one for `double`.
    base: String,
    float: Option<Symbol>,
    double: Option<Symbol>,
}

impl Checker<'_> {
    /// A call of `__builtin_tgmath` with these operands.
    pub(crate) fn type_generic(&mut self, all: ast::List<ast::ExprId>, at: Span, span: Span) -> ExprId {
        let (families, functions) = self.families(all);
        let args = self.args(all.skip(functions));
        if self.bad_arg(&args) {
            return self.err(span);
        }
        let Some(real) = families.first().filter(|_| !args.is_empty()) else {
            self.error(
                "E0460",
                span,
                "`__builtin_tgmath` wants functions for `float`, `double` and `long double`, then arguments",
            );
            return self.err(span);
        };
        let operands = if ONE_OPERAND.contains(&real.base.as_str()) { &args[..1] } else { &args[..] };
        let (mut complex, mut float) = (false, true);
        for a in operands {
            let Arg::Expr(e) = *a else { continue };
            let ty = self.value_ty(e);
            let parts = self.complex_parts(ty);
            complex |= parts.is_some();
            float &= parts.unwrap_or(ty) == TyId::FLOAT || self.p.types.is_pointer(ty);
        }
        let family = families.get(usize::from(complex)).unwrap_or(real);
        let Some(chosen) = (if float { family.float } else { family.double }) else { return self.err(span) };
        let declared = self.lookup(chosen).filter(|found| matches!(found.entities.first(), Some(Entity::Fn(_))));
        match declared {
            Some(found) => self.call_overloads(&found.entities, None, &args, None, at, span),
            None => match self.call_provided_with(chosen, at, &args, span) {
                Some(v) => v,
                None => {
                    let name = self.text(chosen).to_owned();
                    self.error("E0406", at, format!("use of undeclared function `{name}`"));
                    self.err(span)
                }
            },
        }
    }

    /// The functions that operands begin with: those for real numbers, and those for complex ones; then how many they are.
    fn families(&mut self, all: ast::List<ast::ExprId>) -> (Vec<Family>, usize) {
        let mut out: Vec<Family> = Vec::new();
        let mut n = 0;
        for &e in self.ast.list(all) {
            let ast::ExprKind::Name(name) = self.ast[e].kind else { break };
            let Some(sym) = self.last_symbol(name) else { break };
            if self.lookup(sym).is_some_and(|found| !matches!(found.entities.first(), Some(Entity::Fn(_)))) {
                break;
            }
            let text = self.text(sym).to_owned();
            let suffix = out.last().and_then(|f| text.strip_prefix(&f.base));
            match suffix {
                Some("") => out.last_mut().into_iter().for_each(|f| f.double = Some(sym)),
                // `long double`, and the types that have no values here.
                Some("l" | "f16" | "f32" | "f64" | "f128" | "f32x" | "f64x" | "f128x") => {}
                _ => match text.strip_suffix('f') {
                    Some(base) if out.len() < 2 => {
                        out.push(Family { base: base.to_owned(), float: Some(sym), double: None });
                    }
                    _ => break,
                },
            }
            n += 1;
        }
        (out, n)
    }
}
