//! Pragmas about contraction: `#pragma STDC FP_CONTRACT`, OpenCL C's, and `#pragma clang fp`.
//!
//! They hold at file scope up to the next one, in a compound statement up to its end (C11 7.12.2, OpenCL C 6.1.5); the
//! tree has a statement where one stands, and functions say what holds where they begin.

use super::Parser;
use crate::TokenKind as T;
use crate::ast::FpContract;
use source::{Diagnostic, Fate, HintKind, Span};

/// Where a pragma stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Outside functions and classes.
    File,
    /// In a class.
    Class,
    /// In a compound statement, with nothing but pragmas before it.
    Block,
    /// Anywhere else among statements.
    Statement,
}

/// What `#pragma clang fp` takes besides `contract`.
const OTHERS: [&str; 4] = ["reassociate", "reciprocal", "exceptions", "eval_method"];

impl Parser<'_> {
    /// `#pragma STDC FP_CONTRACT ON|OFF|DEFAULT`; not taken. What it sets, if it is well-formed and well-placed.
    pub(super) fn fp_contract(&mut self, place: Place) -> Option<FpContract> {
        if !self.well_placed(place, "FP_CONTRACT") {
            return None;
        }
        let setting = match self.word(3) {
            "ON" => FpContract::On,
            "OFF" => FpContract::Off,
            "DEFAULT" => FpContract::Default,
            _ => {
                let at = self.peek(3).span;
                let d = Diagnostic::warning("W0202", at, "expected `ON`, `OFF` or `DEFAULT`; the pragma is ignored");
                self.report(d.group("unknown-pragmas"));
                self.answer_pragma(HintKind::FpContract, Fate::Refused, "its argument is not understood");
                return None;
            }
        };
        let behind = self.peek(4);
        if behind.kind != T::EndPragma {
            let d = Diagnostic::warning("W0202", behind.span, "extra tokens at the end of the pragma are ignored");
            self.report(d.group("unknown-pragmas"));
        }
        self.set_contract(setting, place);
        Some(setting)
    }

    /// `#pragma clang fp contract(fast|on|off) …`; not taken. What it sets, if it is well-formed and well-placed.
    pub(super) fn clang_fp(&mut self, place: Place) -> Option<FpContract> {
        if !self.well_placed(place, "clang fp") {
            return None;
        }
        let mut setting = None;
        let mut n = 3;
        if self.peek(n).kind == T::EndPragma {
            return self.bad_clang_fp(n, "`#pragma clang fp` names no option");
        }
        while !matches!(self.peek(n).kind, T::EndPragma | T::Eof) {
            let option = self.word(n).to_owned();
            let known = option == "contract" || OTHERS.contains(&option.as_str());
            if !known {
                let found = self.describe(self.peek(n));
                return self.bad_clang_fp(n, &format!("{found} is no option of `#pragma clang fp`"));
            }
            if self.peek(n + 1).kind != T::LParen {
                return self.bad_clang_fp(n + 1, &format!("expected `(` after `{option}`"));
            }
            match (option.as_str(), self.word(n + 2)) {
                ("contract", "fast") => setting = Some(FpContract::Fast),
                ("contract", "on") => setting = Some(FpContract::Expression),
                ("contract", "off") => setting = Some(FpContract::Off),
                ("contract", _) => {
                    let found = self.describe(self.peek(n + 2));
                    return self.bad_clang_fp(n + 2, &format!("expected `fast`, `on` or `off`, found {found}"));
                }
                _ => {
                    let d = Diagnostic::warning("W0202", self.peek(n).span, format!("`{option}` is ignored"))
                        .group("ignored-pragmas")
                        .help("of `#pragma clang fp` only `contract` has an effect");
                    self.report(d);
                }
            }
            if self.peek(n + 3).kind != T::RParen {
                return self.bad_clang_fp(n + 3, "expected `)`");
            }
            n += 4;
        }
        match setting {
            Some(setting) => self.set_contract(setting, place),
            None => self.answer_pragma(HintKind::Pragma, Fate::Refused, "only `contract` has an effect"),
        }
        setting
    }

    fn bad_clang_fp(&mut self, n: usize, message: &str) -> Option<FpContract> {
        let at = self.peek(n).span;
        self.report(
            Diagnostic::error("E0212", at, message)
                .help("write `#pragma clang fp contract(off)`, `contract(on)` or `contract(fast)`"),
        );
        self.answer_pragma(HintKind::FpContract, Fate::Refused, "its argument is not understood");
        None
    }

    fn well_placed(&mut self, place: Place, name: &str) -> bool {
        if matches!(place, Place::File | Place::Block) {
            return true;
        }
        let span: Span = self.pragma_span();
        let message = format!("`#pragma {name}` can only appear at file scope or at the start of a compound statement");
        let help = if place == Place::Class {
            "move it before the class, or to the start of a member's body"
        } else {
            "move it to the line behind a `{`, or open a block for what it is about"
        };
        self.report(Diagnostic::error("E0213", span, message).help(help));
        self.answer_pragma(HintKind::FpContract, Fate::Refused, "it stands where none may");
        false
    }

    fn set_contract(&mut self, setting: FpContract, place: Place) {
        self.contract = setting;
        let to = if place == Place::File { "to the next such pragma at file scope" } else { "to the end of the block" };
        let how = match setting {
            FpContract::Default => "the options decide on contraction",
            FpContract::On => "products and sums may be contracted",
            FpContract::Off => "products and sums are not contracted",
            FpContract::Expression => "products and sums may be contracted within an expression",
            FpContract::Fast => "products and sums may be contracted, across statements, too",
        };
        self.settle_pragma(HintKind::FpContract, Fate::Honoured, how, &format!("it holds from here {to}"));
    }
}
