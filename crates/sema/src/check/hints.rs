//! Hints about loops: what each spelling asks, per dialect, and the ledger.

use source::{Diagnostic, Fate, HintId, HintKind, Span};
use syntax::ast::{ClangLoopOption, ClangLoopState, HintProblem, LoopHint, LoopHintKind};

use super::Checker;
use crate::program::{LoopHints, UnrollRequest};

/// The largest factor that a hint may name.
const MAX_FACTOR: i128 = i32::MAX as i128;

/// What a hint's operand came to.
enum Factor {
    /// There is none.
    Absent,
    Value(u32),
    /// Accepted as no hint (`#pragma unroll 0` in OpenCL C).
    Zero,
    /// Void: a diagnostic was made.
    Void(&'static str),
}

impl Checker<'_> {
    /// Enters a hint of the source once, however often its tree is instantiated.
    pub(crate) fn enter_hint(&mut self, kind: HintKind, span: Span, asked: String) -> HintId {
        let key = (span.lo, (span.hi << 8) ^ (kind as u32) ^ (span.expn.0 << 16));
        if let Some(&h) = self.decls.entered.get(&key)
            && self.sess.ledger.hint(h).span == span
        {
            return h;
        }
        let h = self.sess.ledger.enter(kind, span, asked);
        self.decls.entered.insert(key, h);
        h
    }

    fn enter_loop_hint(&mut self, h: &LoopHint) -> HintId {
        let kind = match h.kind {
            LoopHintKind::UnrollAndJam | LoopHintKind::NounrollAndJam => HintKind::UnrollAndJam,
            LoopHintKind::GccIvdep => HintKind::Loop,
            LoopHintKind::ClangLoop(o, _) if !matches!(o, ClangLoopOption::Unroll | ClangLoopOption::UnrollCount) => {
                HintKind::Loop
            }
            _ => HintKind::Unroll,
        };
        let asked = self.text(h.text).to_owned();
        self.enter_hint(kind, h.span, asked)
    }

    fn refuse(&mut self, h: HintId, why: &str) {
        self.sess.ledger.settle(h, Fate::Refused, "hint ignored", why);
    }

    /// Resolves the hints before a loop.
    pub(crate) fn loop_hints(&mut self, hints: &[LoopHint], place: Span) -> LoopHints {
        let mut out = LoopHints { span: place, ..LoopHints::default() };
        let mut unroll_at: Option<Span> = None;
        for h in hints {
            let id = self.enter_loop_hint(h);
            if let Some(p) = h.problem {
                self.refuse(id, problem_text(p));
                continue;
            }
            if matches!(h.kind, LoopHintKind::ClangLoop(ClangLoopOption::Vectorize, ClangLoopState::Enable))
                && self.opts.target.has_loop_vectors()
            {
                out.any_order = true;
                let why =
                    "vectors are filled with work-items first: a loop's iterations go there where a work-group has one";
                self.sess.ledger.settle(id, Fate::Honoured, "what the loop sums may be summed in any order", why);
                continue;
            }
            let Some((what, request)) = self.loop_request(h, id) else { continue };
            match what {
                HintKind::Unroll => {
                    if let Some(there) = unroll_at
                        && out.unroll != request
                    {
                        self.conflict(h, id, there);
                        continue;
                    }
                    unroll_at = Some(h.span);
                    out.unroll = request;
                    out.hints.push(id);
                }
                HintKind::UnrollAndJam => {
                    out.and_jam = request;
                    out.hints.push(id);
                }
                _ => {
                    out.independent = true;
                    out.hints.push(id);
                }
            }
        }
        out
    }

    fn conflict(&mut self, h: &LoopHint, id: HintId, there: Span) {
        let text = self.text(h.text).to_owned();
        let d = Diagnostic::warning("W0320", h.span, format!("`{text}` contradicts an earlier hint; ignored"))
            .label(there, "the earlier hint stands")
            .group("unroll-hints");
        self.report(d);
        self.refuse(id, "an earlier hint of the same loop asks for something else");
    }

    /// What a well-formed hint asks; `None` if it was settled here.
    fn loop_request(&mut self, h: &LoopHint, id: HintId) -> Option<(HintKind, UnrollRequest)> {
        use LoopHintKind as K;
        match h.kind {
            K::Unroll | K::ClangLoopUnrollAttr | K::OpenclUnrollHintAttr(_) | K::GccUnroll => {
                let r = self.counted(h, id)?;
                Some((HintKind::Unroll, r))
            }
            K::Nounroll => Some((HintKind::Unroll, UnrollRequest::Disable)),
            K::UnrollAndJam => {
                let r = self.counted(h, id)?;
                Some((HintKind::UnrollAndJam, if r == UnrollRequest::Full { UnrollRequest::Enable } else { r }))
            }
            K::NounrollAndJam => Some((HintKind::UnrollAndJam, UnrollRequest::Disable)),
            K::GccIvdep => Some((HintKind::Loop, UnrollRequest::None)),
            K::ClangLoop(ClangLoopOption::Unroll, state) => {
                let r = match state {
                    ClangLoopState::Enable => UnrollRequest::Enable,
                    ClangLoopState::Full => UnrollRequest::Full,
                    ClangLoopState::Disable => UnrollRequest::Disable,
                    ClangLoopState::AssumeSafety | ClangLoopState::Value => {
                        self.refuse(id, "`unroll` takes `enable`, `disable` or `full`");
                        return None;
                    }
                };
                Some((HintKind::Unroll, r))
            }
            K::ClangLoop(ClangLoopOption::UnrollCount, _) => {
                let r = self.counted(h, id)?;
                Some((HintKind::Unroll, r))
            }
            K::ClangLoop(ClangLoopOption::Vectorize, ClangLoopState::AssumeSafety) => {
                Some((HintKind::Loop, UnrollRequest::None))
            }
            K::ClangLoop(o, _) => {
                self.refuse(id, &format!("`{}` has no effect on code for a GPU thread", o.as_str()));
                None
            }
        }
    }

    /// The request of a hint with an optional factor.
    fn counted(&mut self, h: &LoopHint, id: HintId) -> Option<UnrollRequest> {
        match self.factor(h) {
            Factor::Absent => Some(UnrollRequest::Full),
            Factor::Value(1) => Some(UnrollRequest::Disable),
            Factor::Value(n) => Some(UnrollRequest::Count(n)),
            Factor::Zero => {
                self.refuse(id, "an unroll factor of 0 is no hint");
                None
            }
            Factor::Void(why) => {
                self.refuse(id, why);
                None
            }
        }
    }

    /// The unroll factor, checked as the dialect's table says.
    fn factor(&mut self, h: &LoopHint) -> Factor {
        let Some(e) = h.operand else { return Factor::Absent };
        let span = self.ast[e].span;
        let Some(v) = self.constant_expr(e) else {
            return Factor::Void("its operand has an error");
        };
        let strict = self.is_opencl();
        match self.constant(v) {
            None => {
                let at = self.variable_in(v).unwrap_or(span);
                let d = Diagnostic::error("E0394", at, "unroll factor is not an integer constant expression")
                    .note("the factor must be known when the kernel is compiled")
                    .help("use a macro, an enumerator, a `constexpr` variable or a template parameter");
                self.report(d);
                Factor::Void("its factor is not a constant")
            }
            Some(super::fold::Const::Float(_)) => {
                self.error("E0395", span, "unroll factor must be an integer");
                Factor::Void("its factor is not an integer")
            }
            Some(super::fold::Const::Int(i)) => self.factor_value(h, i.value(), strict, span),
        }
    }

    fn factor_value(&mut self, h: &LoopHint, n: i128, strict: bool, span: Span) -> Factor {
        if (1..=MAX_FACTOR).contains(&n) {
            return Factor::Value(n as u32);
        }
        let gcc_zero = matches!(h.kind, LoopHintKind::GccUnroll) && n == 0;
        if gcc_zero {
            return Factor::Value(1);
        }
        if n > MAX_FACTOR {
            if strict {
                self.error("E0396", span, format!("unroll factor {n} is too large: the largest is {MAX_FACTOR}"));
            } else {
                self.report(
                    Diagnostic::warning("W0321", span, format!("unroll factor {n} is too large; hint ignored"))
                        .group("unroll-hints"),
                );
            }
            return Factor::Void("its factor is too large");
        }
        if strict {
            if n == 0 {
                self.report(Diagnostic::new(
                    source::Severity::Note,
                    "W0322",
                    span,
                    "unroll factor 0 is treated as no hint",
                ));
                return Factor::Zero;
            }
            self.report(
                Diagnostic::error("E0397", span, format!("negative unroll factor {n}"))
                    .note("cl_nv_pragma_unroll: the factor must be a compile-time non-negative integer constant"),
            );
            return Factor::Void("its factor is negative");
        }
        self.report(
            Diagnostic::warning("W0323", span, "unroll factor cannot be zero or negative; hint ignored")
                .help("use `#pragma unroll 1` to forbid unrolling")
                .group("unroll-hints"),
        );
        Factor::Void("its factor is zero or negative")
    }

    /// The first variable in an expression that is not constant.
    fn variable_in(&self, e: crate::program::ExprId) -> Option<Span> {
        use crate::program::ExprKind as K;
        match self.e(e).kind {
            K::Load(_) | K::Call { .. } | K::Builtin { .. } => Some(self.span(e)),
            K::Cast { operand, .. } | K::Unary { operand, .. } => self.variable_in(operand),
            K::Binary { lhs, rhs, .. } | K::Compare { lhs, rhs, .. } => {
                self.variable_in(lhs).or_else(|| self.variable_in(rhs)).map(|_| self.span(e))
            }
            _ => None,
        }
    }

    /// A hint before a statement that is no loop.
    pub(crate) fn hint_before_non_loop(&mut self, h: &LoopHint) {
        let id = self.enter_loop_hint(h);
        if h.problem.is_none() {
            let text = self.text(h.text).to_owned();
            let message = format!("`{text}` must precede a `for`, `while` or `do` loop");
            if self.is_opencl() {
                self.report(Diagnostic::error("E0398", h.span, message).help("put it directly before the loop"));
            } else {
                self.report(
                    Diagnostic::warning("W0324", h.span, message)
                        .help("put it directly before the loop")
                        .group("unroll-hints"),
                );
            }
        }
        self.refuse(id, "it does not precede a loop");
    }
}

fn problem_text(p: HintProblem) -> &'static str {
    match p {
        HintProblem::TrailingTokens => "there are tokens after it",
        HintProblem::MissingParen => "its `(` is not closed",
        HintProblem::MissingArgument => "its argument is missing",
        HintProblem::BadArgument => "its argument is not understood",
        HintProblem::BadOption => "its option is not known",
    }
}
