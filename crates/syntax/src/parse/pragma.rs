//! Pragmas: loop hints, those about contraction, and those kept for later stages. None vanishes: one that has no effect
//! is answered for in the ledger, and diagnosed where it asks for something.

mod answer;
mod contract;

use super::decl::DeclCx;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    ClangLoopOption, ClangLoopState, DeclId, DeclKind, ExprId, HintProblem, LoopHint, LoopHintKind, Pragma, PragmaId,
    PragmaKind, StmtId, StmtKind,
};
use answer::NoEffect;
use contract::Place;
use smallvec::SmallVec;
use source::{Diagnostic, Span};

/// What a pragma is, by its first words.
enum Which {
    Hint(LoopHintKind),
    ClangLoop,
    /// `FP_CONTRACT` of `STDC` and `OPENCL`.
    FpContract,
    /// `clang fp`.
    ClangFp,
    /// `OPENCL EXTENSION`.
    Extension,
    /// `acc` and `omp`.
    Directive(PragmaKind),
    Pack,
    /// Nothing follows `#pragma`.
    Empty,
    NoEffect(NoEffect),
    Unknown,
}

/// Most settings that `#pragma pack(push)` keeps.
const MAX_PACK_DEPTH: usize = 1024;

/// Every pragma name that means something, for the nearest spelling of one that does not.
const KNOWN: [&str; 16] = [
    "unroll",
    "nounroll",
    "unroll_and_jam",
    "nounroll_and_jam",
    "clang",
    "GCC",
    "STDC",
    "OPENCL",
    "pack",
    "once",
    "acc",
    "omp",
    "message",
    "nv_exec_check_disable",
    "nv_diag_suppress",
    "nv_diagnostic",
];

impl Parser<'_> {
    /// A pragma before a statement. Hints are added to `hints`, those without effect answered; false (and nothing
    /// taken) for one that becomes a statement.
    pub(super) fn statement_pragma(&mut self, hints: &mut SmallVec<[LoopHint; 2]>) -> bool {
        match self.which_pragma() {
            Which::Hint(kind) => {
                let h = self.hint_pragma(kind);
                hints.push(h);
            }
            Which::ClangLoop => self.clang_loop(hints),
            Which::FpContract | Which::ClangFp | Which::Extension | Which::Directive(_) => return false,
            other => self.other_pragma(&other),
        }
        true
    }

    /// A pragma that becomes a statement.
    pub(super) fn kept_pragma_statement(&mut self) -> Option<StmtId> {
        let start = self.tok.span;
        let which = self.which_pragma();
        let place = if self.at_block_start { Place::Block } else { Place::Statement };
        let Some(kind) = self.kept_pragma(&which, place) else {
            self.other_pragma(&which);
            return None;
        };
        let id = self.keep_pragma(kind);
        Some(self.stmt_from(StmtKind::Pragma(id), start))
    }

    /// What a pragma is kept as, if it is; its words are checked, it is not taken.
    fn kept_pragma(&mut self, which: &Which, place: Place) -> Option<PragmaKind> {
        match *which {
            Which::FpContract => self.fp_contract(place).map(PragmaKind::FpContract),
            Which::ClangFp => self.clang_fp(place).map(PragmaKind::FpContract),
            Which::Extension => {
                self.extension_pragma();
                Some(PragmaKind::OpenclExtension)
            }
            Which::Directive(kind) => {
                self.unused_directive(kind);
                Some(kind)
            }
            _ => None,
        }
    }

    /// A pragma outside functions.
    pub(super) fn file_pragma(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) {
        let start = self.tok.span;
        let which = self.which_pragma();
        let place = if cx == DeclCx::Member { Place::Class } else { Place::File };
        let kind = match which {
            Which::Hint(_) | Which::ClangLoop => {
                self.misplaced_hint();
                PragmaKind::MisplacedHint
            }
            _ => match self.kept_pragma(&which, place) {
                Some(kind) => kind,
                None => return self.other_pragma(&which),
            },
        };
        let id = self.keep_pragma(kind);
        let d = self.simple_decl(DeclKind::Pragma(id), start);
        out.push(d);
    }

    /// Skips pragmas where none means anything.
    pub(super) fn skip_pragmas(&mut self) {
        while self.is(T::Pragma) {
            self.misplaced_pragma();
            self.end_pragma();
        }
    }

    fn misplaced_hint(&mut self) {
        let span = self.pragma_span();
        let message = "a loop hint must stand before a loop";
        let d = if self.dialect.is_cuda() {
            Diagnostic::warning("W0202", span, message).group("ignored-pragmas").note("the hint is ignored")
        } else {
            Diagnostic::error("E0211", span, message)
        };
        self.report(d.help("move it to the line before `for`, `while` or `do`"));
    }

    /// Takes everything up to the end of the pragma.
    fn end_pragma(&mut self) {
        while !matches!(self.tok.kind, T::EndPragma | T::Eof) {
            self.bump();
        }
        if self.is(T::EndPragma) {
            // Errors about what follows shall not point into the pragma.
            self.seek(self.pos + 1);
        }
    }

    /// Index of the pragma's end, the pragma being the current token.
    fn pragma_end_index(&self) -> usize {
        let mut i = self.pos;
        while !matches!(self.at(i).kind, T::EndPragma | T::Eof) {
            i += 1;
        }
        i
    }

    /// From `#pragma` to the last token of the line.
    fn pragma_span(&self) -> Span {
        let end = self.pragma_end_index();
        let last = self.at(end.saturating_sub(1)).span;
        let first = self.tok.span;
        if last.expn == first.expn { first.to(last) } else { self.session.sources.join(first, last) }
    }

    fn word(&self, n: usize) -> &str {
        let t = self.peek(n);
        if t.kind == T::Ident { self.session.strings.str(t.sym) } else { "" }
    }

    fn which_pragma(&self) -> Which {
        match self.word(1) {
            "unroll" => Which::Hint(LoopHintKind::Unroll),
            "nounroll" => Which::Hint(LoopHintKind::Nounroll),
            "unroll_and_jam" => Which::Hint(LoopHintKind::UnrollAndJam),
            "nounroll_and_jam" => Which::Hint(LoopHintKind::NounrollAndJam),
            "clang" => match self.word(2) {
                "loop" => Which::ClangLoop,
                "fp" => Which::ClangFp,
                second => self.no_effect(second),
            },
            "GCC" => match self.word(2) {
                "unroll" => Which::Hint(LoopHintKind::GccUnroll),
                "ivdep" => Which::Hint(LoopHintKind::GccIvdep),
                second => self.no_effect(second),
            },
            "STDC" if self.word(2) == "FP_CONTRACT" => Which::FpContract,
            "OPENCL" if self.dialect.is_opencl() => match self.word(2) {
                "FP_CONTRACT" => Which::FpContract,
                "EXTENSION" => Which::Extension,
                _ => Which::Unknown,
            },
            "acc" => Which::Directive(PragmaKind::Acc),
            "omp" => Which::Directive(PragmaKind::Omp),
            "pack" => Which::Pack,
            "" if self.peek(1).kind == T::EndPragma => Which::Empty,
            _ => self.no_effect(self.word(2)),
        }
    }

    fn no_effect(&self, second: &str) -> Which {
        NoEffect::of(self.word(1), second, self.word(3)).map_or(Which::Unknown, Which::NoEffect)
    }

    fn other_pragma(&mut self, which: &Which) {
        match which {
            Which::Pack => self.pack_pragma(),
            Which::NoEffect(no) => self.pragma_without_effect(no),
            Which::Unknown => self.unknown_pragma(),
            _ => {}
        }
        self.end_pragma();
    }

    /// `#pragma pack(push, 4)`, `pack(pop)`, `pack(4)`, `pack()`
    fn pack_pragma(&mut self) {
        let end = self.pragma_end_index();
        let mut value = None;
        let (mut push, mut pop) = (false, false);
        for i in self.pos + 2..end {
            let t = self.at(i);
            match t.text(&self.session.strings) {
                "push" => push = true,
                "pop" => pop = true,
                text => value = value.or(text.parse::<u8>().ok()),
            }
        }
        if push && self.pack_stack.len() < MAX_PACK_DEPTH {
            self.pack_stack.push(self.pack);
        } else if push {
            let span = self.pragma_span();
            let said = format!("`#pragma pack(push)` more than {MAX_PACK_DEPTH} deep; ignored");
            self.report(Diagnostic::warning("W0202", span, said).group("ignored-pragmas"));
        }
        if pop {
            self.pack = self.pack_stack.pop().unwrap_or(0);
        }
        match value {
            Some(v) if v.is_power_of_two() && v <= 16 => self.pack = v,
            Some(_) => {
                let span = self.pragma_span();
                let d = Diagnostic::warning("W0202", span, "`#pragma pack` takes 1, 2, 4, 8 or 16; ignored");
                self.report(d.group("ignored-pragmas"));
            }
            None if !push && !pop => self.pack = 0,
            None => {}
        }
    }

    /// Keeps the tokens after the pragma's name.
    fn keep_pragma(&mut self, kind: PragmaKind) -> PragmaId {
        let span = self.pragma_span();
        let end = self.pragma_end_index();
        let first = (self.pos + 2).min(end);
        let tokens = self.tokens.get(first..end).unwrap_or_default();
        let tokens = self.ast.push_list(tokens);
        self.prev = self.at(end.saturating_sub(1)).span;
        self.end_pragma();
        self.ast.push_pragma(Pragma { kind, span, tokens })
    }

    /// The pragma as the user spelt it.
    fn pragma_text(&self) -> String {
        let end = self.pragma_end_index();
        let body = self.tokens_text(self.pos + 1, end);
        let operator = self.tok.sym != crate::Token::NO_SYMBOL && self.session.strings.str(self.tok.sym) == "_Pragma";
        if operator { format!("_Pragma(\"{body}\")") } else { format!("#pragma {body}") }
    }

    /// `unroll [N]` and its like.
    fn hint_pragma(&mut self, kind: LoopHintKind) -> LoopHint {
        let span = self.pragma_span();
        let text = self.pragma_text();
        let text = self.session.intern(&text);
        self.bump();
        self.bump();
        if matches!(kind, LoopHintKind::GccUnroll | LoopHintKind::GccIvdep) {
            self.bump();
        }
        let takes = matches!(kind, LoopHintKind::Unroll | LoopHintKind::UnrollAndJam | LoopHintKind::GccUnroll);
        let mut hint = LoopHint { kind, span, text, operand: None, problem: None };
        if takes && !self.is(T::EndPragma) {
            self.hint_operand(&mut hint);
        } else if kind == LoopHintKind::GccUnroll {
            self.hint_defect(&mut hint, HintProblem::MissingArgument, span, "`GCC unroll` takes a number");
        }
        if !self.is(T::EndPragma) && hint.problem.is_none() {
            let place = self.tok.span;
            self.hint_defect(&mut hint, HintProblem::TrailingTokens, place, "extra tokens after the hint");
        }
        self.end_pragma();
        hint
    }

    fn hint_operand(&mut self, hint: &mut LoopHint) {
        let parens = self.is(T::LParen);
        if parens && self.peek(1).kind == T::RParen {
            let place = self.tok.span;
            self.hint_defect(hint, HintProblem::MissingArgument, place, "the parentheses hold no factor");
            return;
        }
        match self.in_parens(Self::constant_expr) {
            Ok(e) => hint.operand = Some(e),
            Err(super::Reported) => {
                let closed = self.brackets.partner(self.pos).is_some() || !parens;
                hint.problem = Some(if closed { HintProblem::BadArgument } else { HintProblem::MissingParen });
            }
        }
    }

    /// Notes a defect of a hint: an error, in CUDA a warning.
    fn hint_defect(&mut self, hint: &mut LoopHint, problem: HintProblem, place: Span, message: &str) {
        hint.problem = Some(problem);
        let d = if self.dialect.is_cuda() {
            Diagnostic::warning("W0202", place, message).group("ignored-pragmas").note("the hint is ignored")
        } else {
            Diagnostic::error("E0209", place, message)
        };
        self.report(d.help("write `#pragma unroll`, `#pragma unroll N` or `#pragma unroll (N)`"));
    }

    /// `#pragma clang loop option(argument) …`: one hint an option.
    fn clang_loop(&mut self, hints: &mut SmallVec<[LoopHint; 2]>) {
        let start = self.bump().span;
        self.bump();
        self.bump();
        if self.is(T::EndPragma) {
            let span = self.span_from(start);
            self.report(clang_option_error(span, "`#pragma clang loop` names no option"));
        }
        while !matches!(self.tok.kind, T::EndPragma | T::Eof) {
            match self.clang_option() {
                Ok(h) => hints.push(h),
                Err(super::Reported) => break,
            }
        }
        self.end_pragma();
    }

    fn clang_option(&mut self) -> PResult<LoopHint> {
        let first = self.pos;
        let start = self.tok.span;
        let name = self.word(0).to_owned();
        let Some(option) = ClangLoopOption::ALL.into_iter().find(|o| o.as_str() == name) else {
            let found = self.describe(self.tok);
            let near = source::words::nearest(&name, ClangLoopOption::ALL.iter().map(|o| o.as_str()));
            let d = clang_option_error(start, &format!("{found} is no option of `#pragma clang loop`"));
            let d = match near {
                Some(n) => d.fix(start, n).note(format!("did you mean `{n}`?")),
                None => d,
            };
            return Err(self.report(d));
        };
        self.bump();
        let open = self.expect(T::LParen)?;
        let (state, operand) = self.clang_argument(option)?;
        self.expect_closer(T::RParen, open)?;
        let text = format!("#pragma clang loop {}", self.tokens_text(first, self.pos));
        let text = self.session.intern(&text);
        let span = self.span_from(start);
        Ok(LoopHint { kind: LoopHintKind::ClangLoop(option, state), span, text, operand, problem: None })
    }

    fn clang_argument(&mut self, option: ClangLoopOption) -> PResult<(ClangLoopState, Option<ExprId>)> {
        use ClangLoopOption as O;
        let word = self.word(0).to_owned();
        let state = match (option, word.as_str()) {
            (O::UnrollCount | O::InterleaveCount | O::PipelineInitiationInterval, _) => None,
            (O::VectorizeWidth, "scalable" | "fixed") => Some(ClangLoopState::Value),
            (O::VectorizeWidth, _) => None,
            (O::Pipeline, "disable") | (_, "disable") => Some(ClangLoopState::Disable),
            (O::Pipeline, _) => return Err(self.bad_clang_argument("`disable`")),
            (_, "enable") => Some(ClangLoopState::Enable),
            (O::Unroll, "full") => Some(ClangLoopState::Full),
            (O::Vectorize | O::Interleave, "assume_safety") => Some(ClangLoopState::AssumeSafety),
            (O::Unroll, _) => return Err(self.bad_clang_argument("`enable`, `disable` or `full`")),
            (O::Vectorize | O::Interleave, _) => {
                return Err(self.bad_clang_argument("`enable`, `disable` or `assume_safety`"));
            }
            _ => return Err(self.bad_clang_argument("`enable` or `disable`")),
        };
        if let Some(state) = state {
            self.bump();
            return Ok((state, None));
        }
        let e = self.in_parens(Self::constant_expr)?;
        if option == O::VectorizeWidth && self.eat(T::Comma) {
            self.bump();
        }
        Ok((ClangLoopState::Value, Some(e)))
    }

    fn bad_clang_argument(&mut self, wanted: &str) -> super::Reported {
        let found = self.describe(self.tok);
        let span = self.tok.span;
        self.error("E0210", span, format!("expected {wanted}, found {found}"))
    }
}

fn clang_option_error(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("E0210", span, message)
        .help("options are `unroll(enable|disable|full)`, `unroll_count(N)`, `vectorize(…)`, `interleave(…)`, `distribute(…)`")
}
