//! `__host__` and `__device__` where a function is declared more than once.
//!
//! nvcc gives a function all that any of its declarations says. For clang functions of the host and of the device are two,
//! and one that is both can have no other beside it.

use crate::Mode;
use crate::check::{BodySource, Checker, FnDecl, FnId};
use source::{Diagnostic, Span};
use syntax::ast::{Body, DeclKind, DeclSpecs};

/// `__host__`, `__device__` or both; without a word it is the host's. `None` for kernels, and for `constexpr`, which is
/// for whoever calls it.
fn space(specs: DeclSpecs) -> Option<(bool, bool)> {
    if specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::CONSTEXPR)) {
        return None;
    }
    let device = specs.has(DeclSpecs::DEVICE);
    Some((specs.has(DeclSpecs::HOST) || !device, device))
}

fn words(space: (bool, bool)) -> &'static str {
    match space {
        (true, true) => "`__host__ __device__`",
        (_, true) => "`__device__`",
        _ => "`__host__`",
    }
}

impl Checker<'_> {
    /// A function of the host by its words that was declared `__device__`: what it defines is that one, for nvcc.
    pub(super) fn adopt_for_device(&mut self, old: FnId, new: &mut FnDecl) {
        let o = &self.decls[old];
        if self.opts.mode == Mode::Clang
            || new.body != BodySource::Host
            || o.body != BodySource::None
            || !o.specs.has(DeclSpecs::DEVICE)
        {
            return;
        }
        let Some(id) = new.ast else { return };
        let DeclKind::Function(f) = self.ast[id].kind else { return };
        if !matches!(self.ast[f].body, Body::Stmt(_)) {
            return;
        }
        new.body = BodySource::Ast(id);
        let (there, name) = (o.span, self.text(new.name).to_owned());
        self.warn(
            Diagnostic::warning(
                "W0332",
                new.span,
                format!("`{name}` was declared `__device__` and is defined without: taken as `__host__ __device__`"),
            )
            .label(there, "declared here")
            .help("write `__device__` here, too; clang takes this for another function, of the host")
            .group("execution-space"),
        );
    }

    /// Whether a function of the host is another one than the device's of the same name and parameters: for clang.
    pub(super) fn is_other_side(&self, old: FnId, new: &FnDecl) -> bool {
        self.opts.mode == Mode::Clang
            && self.is_cuda()
            && new.body == BodySource::Host
            && space(self.decls[old].specs).is_some_and(|s| s == (false, true))
            && space(new.specs).is_some_and(|s| s == (true, false))
    }

    /// Two declarations that for clang cannot be one function, nor two. `one`: they must be one.
    pub(crate) fn check_spaces(
        &mut self,
        old: (DeclSpecs, Span),
        new: (DeclSpecs, Span),
        name: &str,
        one: bool,
    ) -> bool {
        if self.opts.mode != Mode::Clang || !self.is_cuda() {
            return true;
        }
        let (Some(a), Some(b)) = (space(old.0), space(new.0)) else { return true };
        let both = (true, true);
        if a == b || !one && a != both && b != both {
            return true;
        }
        let d = Diagnostic::error(
            "E0334",
            new.1,
            format!("`{name}` is {} here and {} before: they differ in where they run", words(b), words(a)),
        )
        .label(old.1, "declared here before")
        .help("write the same words before each, or compile with `-fmode=nvcc`, which takes what all say together");
        self.report(d);
        false
    }
}
