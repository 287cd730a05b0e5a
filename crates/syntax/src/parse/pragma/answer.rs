//! Answers to pragmas that have no effect, in the ledger and as diagnostics.

use super::Parser;
use crate::TokenKind as T;
use crate::ast::PragmaKind;
use source::{Diagnostic, Fate, HintKind};

/// Why a known pragma has no effect here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoEffect {
    /// There is nothing it could act on, which is worth no warning.
    Unused(&'static str),
    /// It asks for something that is not done.
    Refused(&'static str),
}

impl NoEffect {
    /// Of the pragma that begins with these words, if it is known.
    pub(super) fn of(first: &str, second: &str, third: &str) -> Option<Self> {
        Some(match (first, second) {
            ("STDC", "FENV_ACCESS") if third == "ON" => {
                Self::Refused("kernels cannot read or set the floating-point environment")
            }
            ("STDC", "FENV_ACCESS") => Self::Unused("kernels cannot read or set the floating-point environment"),
            ("STDC", "CX_LIMITED_RANGE") => Self::Unused("there are no complex numbers"),
            ("STDC", "FENV_ROUND") | ("fenv_access" | "float_control" | "fp_contract", _) => Self::Refused(
                "of pragmas about floating-point numbers only `STDC FP_CONTRACT` and `clang fp contract` are known",
            ),
            ("optimize" | "inline_depth", _)
            | ("clang" | "GCC", "optimize" | "push_options" | "pop_options" | "reset_options" | "target") => {
                Self::Refused("optimisation is chosen by options")
            }
            ("clang" | "GCC", "visibility") => Self::Unused("symbols are visible as their linkage says"),
            ("ms_struct", _) => Self::Refused("structures have one layout, the Itanium C++ ABI's"),
            ("weak" | "redefine_extname", _) => {
                Self::Refused("symbols have the names and the linkage of their declarations")
            }
            ("comment", _) => Self::Unused("there is no linker to give it to"),
            ("warn", _) => Self::Unused("it is about messages of another compiler"),
            (w, _) if w.starts_with("nv_") || w.starts_with("diag_") => {
                Self::Unused("it is about messages of another compiler")
            }
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Enters the current pragma into the ledger, with its answer.
    pub(super) fn settle_pragma(&mut self, kind: HintKind, fate: Fate, done: &str, why: &str) {
        let (span, text) = (self.pragma_span(), self.pragma_text());
        let hint = self.session.ledger.enter(kind, span, text);
        self.session.ledger.settle(hint, fate, done, why);
    }

    /// The same for one that changes nothing.
    pub(super) fn answer_pragma(&mut self, kind: HintKind, fate: Fate, why: &str) {
        self.settle_pragma(kind, fate, "no code changed", why);
    }

    pub(super) fn pragma_without_effect(&mut self, no: &NoEffect) {
        let (fate, why) = match no {
            NoEffect::Unused(why) => (Fate::Unused, why),
            NoEffect::Refused(why) => (Fate::Refused, why),
        };
        if fate == Fate::Refused {
            let d = Diagnostic::warning("W0202", self.pragma_span(), "this pragma has no effect here; ignored");
            self.report(d.group("ignored-pragmas").note(*why));
        }
        self.answer_pragma(HintKind::Pragma, fate, why);
    }

    pub(super) fn unknown_pragma(&mut self) {
        let first = self.word(1).to_owned();
        let second = self.word(2).to_owned();
        // A name space that is known, and what it has not.
        let known = matches!(first.as_str(), "clang" | "GCC" | "STDC" | "OPENCL") && !second.is_empty();
        let span = if known { self.peek(1).span.to(self.peek(2).span) } else { self.peek(1).span };
        let name = match first.as_str() {
            "" => self.peek(1).text(&self.session.strings).to_owned(),
            _ if known => format!("{first} {second}"),
            _ => first.clone(),
        };
        let d = Diagnostic::warning("W0201", span, format!("unknown pragma `{name}` ignored")).group("unknown-pragmas");
        let d = match source::words::nearest(&first, super::KNOWN).filter(|_| !known) {
            Some(near) => d.help(format!("did you mean `{near}`?")).fix(span, near),
            None => d,
        };
        self.report(d);
        self.answer_pragma(HintKind::Pragma, Fate::Refused, "there is no such pragma");
    }

    /// Answers for the pragmas inside parentheses and square brackets, which the cursor hops over.
    pub(in crate::parse) fn enclosed_pragmas(&mut self) {
        let (pos, tok) = (self.pos, self.tok);
        for at in std::mem::take(&mut self.brackets.enclosed) {
            (self.pos, self.tok) = (at, self.at(at));
            self.misplaced_pragma();
        }
        (self.pos, self.tok) = (pos, tok);
    }

    /// A pragma where none means anything: in initialisers, enumerations, parentheses.
    pub(super) fn misplaced_pragma(&mut self) {
        let span = self.pragma_span();
        let d = Diagnostic::warning("W0202", span, "a pragma means nothing here; ignored");
        self.report(d.group("ignored-pragmas").help("move it before the statement or declaration"));
        self.answer_pragma(HintKind::Pragma, Fate::Refused, "it stands where none means anything");
    }

    /// A directive of a model that this dialect does not have.
    pub(super) fn unused_directive(&mut self, kind: PragmaKind) {
        let (name, group) = match kind {
            PragmaKind::Acc => ("OpenACC", "source-uses-openacc"),
            _ => ("OpenMP", "source-uses-openmp"),
        };
        let message = format!("directives of {name} have no effect in this language; ignored");
        self.report(Diagnostic::warning("W0205", self.pragma_span(), message).group(group));
        let why = format!("directives of {name} have no effect in this language");
        self.answer_pragma(HintKind::Directive, Fate::Unused, &why);
    }

    /// `#pragma OPENCL EXTENSION name : behaviour`. What the device has is always on.
    pub(super) fn extension_pragma(&mut self) {
        let name = self.word(3).to_owned();
        let behaviour = self.word(5).to_owned();
        let problem = if name.is_empty() {
            Some((3, "expected the name of an extension; the pragma is ignored".to_owned()))
        } else if self.peek(4).kind != T::Colon {
            Some((4, format!("expected `:` behind `{name}`; the pragma is ignored")))
        } else if name == "all" && behaviour != "disable" {
            Some((5, "expected `disable`; the pragma is ignored".to_owned()))
        } else if !matches!(behaviour.as_str(), "enable" | "disable" | "begin" | "end") {
            Some((5, "expected `enable` or `disable`; the pragma is ignored".to_owned()))
        } else if name != "all" && !is_extension(&name) {
            Some((3, format!("there is no extension `{name}`; the pragma is ignored")))
        } else if self.peek(6).kind != T::EndPragma {
            Some((6, "extra tokens at the end of the pragma; it is ignored".to_owned()))
        } else {
            None
        };
        if let Some((n, message)) = problem {
            let at = self.peek(n).span;
            self.report(Diagnostic::warning("W0202", at, message).group("ignored-pragmas"));
            return self.answer_pragma(HintKind::Pragma, Fate::Refused, "it names no extension, or no behaviour");
        }
        let why = "what there is of an extension is there without being enabled";
        self.answer_pragma(HintKind::Pragma, Fate::Unused, why);
    }
}

/// Whether there is such an extension on some machine.
fn is_extension(name: &str) -> bool {
    let on_host = crate::opencl::EXTENSIONS.contains(&name);
    on_host || matches!(name, "cl_khr_fp16" | "cl_nv_compiler_options")
}
