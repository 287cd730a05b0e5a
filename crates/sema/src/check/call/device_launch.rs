//! Launches of kernels by kernels (CUDA Programming Guide, "CUDA Dynamic Parallelism").
//!
//! A launch becomes a call of a template that the preprocessor puts before programs whose device code launches
//! (`pp/headers/device_runtime.h`): it asks cudadevrt for a buffer, writes the arguments there as a kernel's parameters lie, and
//! has it launched. Only code for NVIDIA GPUs has that.

use super::Arg;
use crate::check::template::Explicit;
use crate::check::{Checker, Entity, FnId, ScopeId};
use crate::program::ExprId;
use crate::types::TyId;
use smallvec::SmallVec;
use source::Span;
use syntax::ast;

impl Checker<'_> {
    /// `kernel<<<grid, block, shared, stream>>>(args)` in device code.
    pub(crate) fn device_launch(
        &mut self,
        callee: ast::ExprId,
        config: ast::List<ast::ExprId>,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let Some(launcher) = self.launcher() else {
            return self.unsupported(
                span,
                "kernel launches",
                "launch it from the host: only NVIDIA GPUs launch from kernels",
            );
        };
        let mut all = self.args(config);
        let given = self.args(args);
        if !(2..=4).contains(&all.len()) {
            self.error("E0400", span, "a launch names grid and block, and at most shared memory and stream besides");
            return self.err(span);
        }
        let Some((kernel, more)) = self.launched(callee, &given, span) else { return self.err(span) };
        let int = self.zero(TyId::INT, span);
        all.resize(4, Arg::Expr(int));
        all.insert(0, Arg::Expr(kernel));
        all.extend(given.iter().copied().chain(more.into_iter().map(Arg::Expr)));
        self.call_overloads(&launcher, None, &all, None, span, span)
    }

    /// The template that launches, if there is one for the target.
    fn launcher(&mut self) -> Option<Vec<Entity>> {
        let (space, name) = ("__unspool_device_runtime", "launch");
        let (space, name) = (self.sess.strings.get(space)?, self.sess.strings.get(name)?);
        let Entity::Namespace(ns) = *self.lookup_in(ScopeId(0), space)?.entities.first()? else { return None };
        Some(self.lookup_in(ns, name)?.entities.to_vec())
    }

    /// The address of the kernel that is launched with some arguments, and those of its parameters' defaults that are not given.
    fn launched(&mut self, callee: ast::ExprId, given: &[Arg], span: Span) -> Option<(ExprId, Vec<ExprId>)> {
        let mut at = callee;
        while let ast::ExprKind::Paren(inner) = self.ast[at].kind {
            at = inner;
        }
        let name = match self.ast[at].kind {
            ast::ExprKind::Name(n) => Some(n),
            _ => None,
        };
        let entities: SmallVec<[Entity; 2]> =
            name.and_then(|n| self.find_name(n)).map(|f| f.entities.into_iter().collect()).unwrap_or_default();
        if !matches!(entities.first(), Some(Entity::Fn(_) | Entity::Template(_))) {
            let pointer = self.expr(at);
            return Some((self.rvalue(pointer), Vec::new()));
        }
        let explicit = name.and_then(|n| self.ast[n].args).map(Explicit::Written);
        let f = self.resolve_overload(&entities, None, given, explicit, span, true)?;
        let defaults = self.defaults_after(f, given.len(), span);
        if !self.inst.roots.contains(&f) {
            self.inst.roots.push(f);
        }
        Some((self.function_address(f, span), defaults))
    }

    /// The default arguments of the parameters behind the first `n`.
    fn defaults_after(&mut self, f: FnId, n: usize, span: Span) -> Vec<ExprId> {
        let d = self.decls[f].clone();
        let rest = d.params.iter().enumerate().skip(n);
        rest.filter_map(|(i, p)| p.default.map(|e| self.default_value(&d, i, e, span))).collect()
    }
}
