//! Calls that device code may not make.
//!
//! A function of the host cannot run in a kernel. In a function that is the device's alone, its call is an error. Where both
//! may call (`__host__ __device__`, `constexpr`), nvcc warns (20011, 20014) and compiles the call as a place that is never
//! reached; here it ends the kernel as `__trap()` does, so that code which does reach it is noticed.

use source::{Diagnostic, Severity, Span, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs};

use super::Arg;
use crate::check::names::Qualifier;
use crate::check::{BodySource, Checker, FnId, FnKind, with_scope};
use crate::program::{ExprId, ExprKind, Side, StmtId, StmtKind};
use crate::types::{RecordId, Ty, TyId};

impl Checker<'_> {
    /// What a call of a function becomes that may not be called from here; `None` if it may be.
    pub(super) fn refused_call(&mut self, f: FnId, at: Span, span: Span) -> Option<ExprId> {
        let d = &self.decls[f];
        // What host code calls is the host compiler's business, but whether a call is valid decides which templates fit.
        if self.reads_host() && self.cx.unevaluated == 0 {
            return None;
        }
        let (there, ret, specs) = (d.span, d.ret, d.specs);
        if d.body == BodySource::Deleted {
            let name = self.show_fn(f);
            let d = Diagnostic::error("E0441", at, format!("call to deleted function `{name}`"))
                .label(there, "deleted here");
            self.report(d);
            return Some(self.err(span));
        }
        if self.decls[f].kind == FnKind::Constructor && self.is_hidden_function(f) {
            let name = self.show_fn(f);
            let d = Diagnostic::error("E0411", at, format!("the constructor `{name}` is not for everybody"));
            self.report(d.label(there, "declared here"));
            return Some(self.err(span));
        }
        if !self.is_cuda() || self.cx.unevaluated > 0 {
            return None;
        }
        if specs.has(DeclSpecs::GLOBAL) {
            let name = self.show_fn(f);
            let d = Diagnostic::error("E0442", at, format!("kernel `{name}` cannot be called from device code"))
                .label(there, "declared here")
                .help("move the common code to a `__device__` function");
            self.report(d);
            return Some(self.err(span));
        }
        if self.side_of(f).on_device() {
            return None;
        }
        let known = Some(ret).filter(|&ret| ret != TyId::ERROR && !self.decls[f].deduced_ret);
        let name = self.show_fn(f);
        Some(self.call_of_host(&name, there, known, at, span))
    }

    /// The call of a function of the host that is declared at `there`, and whose result is `ret` if that is known.
    pub(in crate::check) fn call_of_host(
        &mut self,
        name: &str,
        there: Span,
        ret: Option<TyId>,
        at: Span,
        span: Span,
    ) -> ExprId {
        if let Some(wrong) = self.ast.unread.get(&there) {
            // It is none of the host's: it was not understood.
            if self.cx.dead == 0 && self.decls.host_calls.insert((there.lo, there.hi)) {
                let wrong = wrong.clone().label(at, "called here");
                self.report(wrong);
            }
            return self.err(span);
        }
        if !self.is_shared_code() {
            let d = Diagnostic::error(
                "E0436",
                at,
                format!("calling a __host__ function (`{name}`) from device code is not allowed"),
            )
            .label(there, "declared here")
            .help("mark it `__device__` or `__host__ __device__`");
            self.report(d);
            return self.err(span);
        }
        if self.cx.dead == 0 && self.decls.host_calls.insert((at.lo, at.hi)) {
            let message = format!("calling a __host__ function (`{name}`) from a __host__ __device__ function");
            let d = Diagnostic::warning("W0342", at, message)
                .label(there, "declared here")
                .note("in a kernel the program ends here, as with `__trap()`")
                .help("put the call in `#ifndef __CUDA_ARCH__`")
                .group("host-call");
            self.report(d);
        }
        match ret {
            Some(ret) => self.never_made(ret, span),
            None => {
                self.cx.ends_here = true;
                self.err(span)
            }
        }
    }

    /// Where a host function is declared that a name which nothing else declares means in a call.
    pub(super) fn host_function_called(&mut self, n: ast::NameId, sym: Symbol) -> Option<Span> {
        if !self.refuses_host() {
            return None;
        }
        let class = match self.qualifier(n) {
            Qualifier::None => self.cx.this.map(|(_, r, _)| r),
            Qualifier::Scope(s) => self.record_of_scope(s),
            _ => None,
        };
        if let Some(r) = class
            && self.has_host_function(r, sym)
        {
            return Some(self.p.types.record(r).span);
        }
        self.decls.host_names.place(sym)
    }

    /// Keeps a function that only host code declares, for those who ask for its type.
    pub(in crate::check) fn keep_host_function(&mut self, id: ast::DeclId) {
        let d = self.ast[id];
        if let (DeclKind::Function(_), Some(sym)) = (d.kind, self.ast.plain_name(d.name)) {
            self.decls.host_functions.entry(sym).or_default().push((self.scope, id));
        }
    }

    /// Device code asks for the type of a call (`decltype(f(x))`) of what host code alone declares: makes those functions known, as the
    /// host's. Whether there are any.
    pub(in crate::check) fn declare_host_functions(&mut self, sym: Symbol) -> bool {
        let Some(kept) = self.decls.host_functions.remove(&sym) else { return false };
        for (scope, id) in kept {
            let DeclKind::Function(f) = self.ast[id].kind else { continue };
            let mark = self.sess.diagnostics.len();
            with_scope!(self, scope, self.declare_host_function(id, f));
            self.sess.diagnostics.truncate(mark);
        }
        true
    }

    /// Notes that a name was not found which only host code declares, in a class or outside of all.
    pub(in crate::check) fn note_host_missed(&mut self, class: Option<RecordId>, sym: Symbol) {
        if self.is_cuda() && !self.reads_host() && self.cx.unevaluated > 0 {
            let is_member = class.is_some_and(|r| self.has_host_function(r, sym));
            let missed = is_member || self.decls.host_names.place(sym).is_some();
            self.decls.host_missed += u32::from(missed);
        }
    }

    /// Notes that a class was asked for what it has of which all or a base is known to the host only.
    pub(in crate::check) fn note_host_class(&mut self, r: RecordId) {
        if self.is_cuda() && !self.reads_host() {
            let class = self.p.types.record(r);
            // Whatever was wrong with a header's class, device code that uses it is told elsewhere.
            let of_host = |c: &Self| c.is_of_header(class.span) || c.record_of_host(r).is_some();
            let missed = self.decls[r].unplaced.is_some() || !class.complete && of_host(self);
            self.decls.host_missed += u32::from(missed);
        }
    }

    /// Whether the code being checked is for host and device.
    pub(in crate::check) fn is_shared_code(&self) -> bool {
        self.cx.decl.is_some_and(|f| self.side_of(f) == Side::Both)
    }

    /// Whether what is being checked is a constant function of the host's, which device code may have the values of.
    pub(in crate::check) fn is_constant_of_host(&self) -> bool {
        use syntax::ast::DeclSpecs as S;
        let specs = self.cx.decl.map_or(S::NONE, |f| self.decls[f].specs);
        self.is_cuda() && specs.any(S::CONSTEXPR.with(S::CONSTEVAL)) && !specs.any(S::DEVICE.with(S::GLOBAL))
    }

    /// Whether what is being checked runs on a device, which calls nothing of the host's.
    pub(in crate::check) fn refuses_host(&self) -> bool {
        self.is_cuda() && !self.reads_host() && self.cx.unevaluated == 0
    }

    /// Whether an object that is no copy is made by a constructor of the host's: no other takes these arguments.
    pub(super) fn is_made_by_host(&mut self, r: RecordId, args: &[Arg], explicit: bool) -> bool {
        if !self.refuses_host() || !self.decls[r].host.constructor {
            return false;
        }
        match args {
            [] => self.only_host_makes(r),
            _ => self.constructor_for(r, args, explicit).is_none() && !self.only_converts(r, args, explicit),
        }
    }

    /// Whether only the host makes objects of a class without arguments.
    pub(in crate::check) fn only_host_makes(&mut self, r: RecordId) -> bool {
        if !self.refuses_host() || !self.decls[r].host.constructor || self.default_constructor(r).is_some() {
            return false;
        }
        let info = &self.decls[r];
        let left_out = |f: &FnId| self.decls[*f].params.iter().all(|p| p.default.is_some());
        !info.ctors.iter().chain(&info.declared).any(left_out)
    }

    /// Whether only the host ends the life of objects of a class.
    pub(in crate::check) fn only_host_ends(&self, r: RecordId) -> bool {
        self.refuses_host() && self.decls[r].host.destructor && self.decls[r].dtor.is_none()
    }

    /// Whether objects of a class are copied, or assigned, by a function of the host's.
    pub(in crate::check) fn only_host_copies(&self, r: RecordId, assigned: bool) -> bool {
        let host = self.decls[r].host;
        self.refuses_host() && if assigned { host.assigns } else { host.copies }
    }

    /// The call of a constructor (`""`), destructor (`"~"`) or operator of the host's, whose result is `ret` if that matters.
    pub(in crate::check) fn host_member_call(
        &mut self,
        r: RecordId,
        member: &str,
        ret: Option<TyId>,
        at: Span,
    ) -> ExprId {
        let ty = self.p.types.intern(Ty::Record(r));
        let (class, there) = (self.show(ty), self.p.types.record(r).span);
        let plain = class.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
        let member = if member.starts_with("operator") { member.to_owned() } else { format!("{member}{plain}") };
        self.call_of_host(&format!("{class}::{member}"), there, ret, at, at)
    }

    /// `__trap()`
    fn end_of_program(&mut self, span: Span) -> ExprId {
        let trap = builtins::Meaning::Op(builtins::Op::Control(builtins::ControlOp::Trap));
        let args = self.expr_list(&[]);
        self.rv(ExprKind::Builtin { meaning: trap, args }, TyId::VOID, span)
    }

    /// A value of a type, behind the end of the program.
    pub(super) fn never_made(&mut self, ty: TyId, span: Span) -> ExprId {
        let end = self.end_of_program(span);
        if ty == TyId::VOID {
            return end;
        }
        if let Ty::Reference { .. } = self.p.types.get(ty) {
            let pointer = self.lowered_ty(ty);
            let null = self.rv(ExprKind::Null, pointer, span);
            return self.call_result(ExprKind::Comma { lhs: end, rhs: null }, ty, span);
        }
        let zero = self.zero(ty, span);
        self.rv(ExprKind::Comma { lhs: end, rhs: zero }, ty, span)
    }

    /// Whether a host function of which nothing but the name is known was called; errors since there were `mark`
    /// diagnostics are forgotten then, since they follow from that.
    pub(in crate::check) fn ended_since(&mut self, mark: usize) -> bool {
        if !std::mem::take(&mut self.cx.ends_here) {
            return false;
        }
        // A warning may be an error by `-Werror`.
        let later = self.sess.diagnostics.split_off(mark);
        later.into_iter().filter(|d| d.severity != Severity::Error || d.group.is_some()).for_each(|d| self.report(d));
        true
    }

    /// The end of the program in place of a value like another one.
    pub(in crate::check) fn program_end_as(&mut self, like: ExprId, span: Span) -> ExprId {
        let ty = self.value_ty(like);
        if ty == TyId::ERROR {
            return self.err(span);
        }
        self.never_made(ty, span)
    }

    /// The end of the program as the statement that stands for one that calls such a function. `mark` as in
    /// [`Checker::ended_since`].
    pub(in crate::check) fn ended_statement(&mut self, mark: usize, span: Span) -> Option<StmtId> {
        if !self.ended_since(mark) {
            return None;
        }
        let end = self.end_of_program(span);
        let s = self.push_stmt(StmtKind::Expr(end), span);
        self.cx.last_end = Some(s);
        Some(s)
    }
}
