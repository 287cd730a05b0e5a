//! What is said of the text of inline PTX, by the names that SCALE gives these warnings.

use super::text::{Statement, numbers, words};
use crate::check::Checker;
use crate::program::{AsmOperand, CastKind, ExprId, ExprKind};
use source::{Diagnostic, Span};

/// An `asm` statement with its operands checked.
pub(super) struct Checked<'a> {
    pub(super) statements: &'a [Statement<'a>],
    pub(super) outputs: &'a [AsmOperand],
    pub(super) inputs: &'a [AsmOperand],
    /// The places of the inputs.
    pub(super) places: &'a [Span],
    /// The whole statement.
    pub(super) span: Span,
}

impl Checked<'_> {
    /// The input that `%n` is.
    fn input(&self, n: usize) -> Option<(&AsmOperand, Span)> {
        let i = n.checked_sub(self.outputs.len())?;
        Some((self.inputs.get(i)?, *self.places.get(i)?))
    }
}

impl Checker<'_> {
    pub(super) fn warn_of_ptx(&mut self, a: &Checked<'_>) {
        self.warn_of_variables(a);
        for s in a.statements {
            self.warn_of_addresses(a, s);
            self.warn_of_wave64(a, s);
        }
    }

    /// `-Wptx-unused-local-variable`, `-Wptx-local-variable-leak`
    fn warn_of_variables(&mut self, a: &Checked<'_>) {
        for (i, s) in a.statements.iter().enumerate() {
            if s.opcode != ".reg" {
                continue;
            }
            let names: Vec<(&str, bool)> = s.operands.iter().filter_map(|o| declared(o)).collect();
            let others = a.statements.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, s)| s);
            let used = |name: &str, many: bool| {
                let texts = others.clone().flat_map(|s| s.guard.into_iter().chain(s.operands.iter().copied()));
                texts.flat_map(words).any(|w| w == name || many && is_one_of(w, name))
            };
            for &(name, many) in names.iter().filter(|(name, many)| !used(name, *many)) {
                let stars = if many { "<…>" } else { "" };
                self.warn(
                    Diagnostic::warning("W0333", a.span, format!("PTX variable `{name}{stars}` is never used"))
                        .help("remove its declaration from the `asm`")
                        .group("ptx-unused-local-variable"),
                );
            }
            if s.depth == 0
                && !self.cx.is_kernel
                && let Some((name, _)) = names.first()
            {
                self.warn(
                    Diagnostic::warning(
                        "W0334",
                        a.span,
                        format!(
                            "PTX variable `{name}` is declared outside of braces, in a function that can be inlined"
                        ),
                    )
                    .note("where it is inlined twice the variable is declared twice, which ptxas refuses")
                    .help("put the text into braces: `asm(\"{ … }\")`")
                    .group("ptx-local-variable-leak"),
                );
            }
        }
    }

    /// `-Wptx-binding-as-address`
    fn warn_of_addresses(&mut self, a: &Checked<'_>, s: &Statement<'_>) {
        const MEMORY: [&str; 7] = ["ld", "ldu", "st", "atom", "red", "ldmatrix", "stmatrix"];
        // Generic and global addresses are the same numbers on every target there is.
        const SPACES: [&str; 3] = ["shared", "local", "const"];
        let space = SPACES.iter().find(|w| s.has(w));
        let (true, Some(space)) = (MEMORY.contains(&s.name()), space) else { return };
        for n in s.operands.iter().filter(|o| o.starts_with('[')).flat_map(|o| numbers(o)) {
            let Some((_, at)) = a.input(n).filter(|(i, _)| self.is_pointer_value(i.expr)) else { continue };
            self.warn(
                Diagnostic::warning(
                    "W0335",
                    at,
                    format!("a generic pointer as an address of `.{space}` memory in `{}`", s.opcode),
                )
                .note("pointers reach inline PTX as generic addresses; the two agree on some targets only")
                .help(format!("convert it with `cvta.to.{space}`, or pass `__cvta_generic_to_{}(p)`", called(space)))
                .group("ptx-binding-as-address"),
            );
        }
    }

    /// Whether a value is a pointer, or visibly an integer made of one.
    fn is_pointer_value(&self, e: ExprId) -> bool {
        match self.e(e).kind {
            ExprKind::Cast { kind: CastKind::PtrToInt, .. } => true,
            ExprKind::Cast { kind: CastKind::IntToInt | CastKind::NoOp, operand } => self.is_pointer_value(operand),
            _ => self.p.types.is_pointer(self.ty(e)),
        }
    }

    /// `-Wptx-wave64`
    fn warn_of_wave64(&mut self, a: &Checked<'_>, s: &Statement<'_>) {
        let takes_mask = matches!(s.name(), "shfl" | "vote" | "match" | "redux" | "elect") && s.has("sync")
            || s.opcode == "bar.warp.sync";
        let wide = self.opts.target.lane_mask_bits() == 64 || self.sess.diagnostics.is_asked_for("ptx-wave64");
        if !wide {
            return;
        }
        let special = s.operands.get(1).filter(|o| o.starts_with("%%lanemask_"));
        let makes_mask = s.opcode == "activemask.b32" || s.name() == "vote" && s.has("ballot") && s.has("b32");
        let narrow = s.name() == "mov" && ["u32", "b32", "s32"].iter().any(|t| s.has(t));
        if let Some(mask) = if narrow { special } else { s.operands.first().filter(|_| makes_mask) } {
            let mask = mask.replace("%%", "%");
            self.warn(
                Diagnostic::warning(
                    "W0336",
                    a.span,
                    format!("lane mask `{mask}` of `{}` has no lanes above 31", s.opcode),
                )
                .note("on targets with 64 lanes half of the warp is left out")
                .help("have 64 bits where `__SCALE_WARP_SIZE__` is 64: `.b64`, `.u64`, and a `cudaLaneMask_t`")
                .group("ptx-wave64"),
            );
            return;
        }
        if !takes_mask {
            return;
        }
        let Some(mask) = s.operands.last() else { return };
        let value = match numbers(mask).next() {
            Some(n) => a.input(n).and_then(|(i, _)| self.int_constant(i.expr)),
            None => literal(mask),
        };
        if !value.is_some_and(|v| (0..=i128::from(u32::MAX)).contains(&v)) {
            return;
        }
        self.warn(
            Diagnostic::warning("W0336", a.span, format!("lane mask `{mask}` of `{}` has no lanes above 31", s.opcode))
                .note("on targets with 64 lanes half of the warp is left out")
                .help("write `-1` for all lanes, whatever the warp's size")
                .group("ptx-wave64"),
        );
    }
}

/// The name that an operand of `.reg` declares, and whether it declares several: `.b32 r<4>`.
fn declared(operand: &str) -> Option<(&str, bool)> {
    let last = operand.split_whitespace().last()?;
    let (name, many) = match last.split_once('<') {
        Some((name, _)) => (name, true),
        None => (last, false),
    };
    (!name.is_empty() && !name.starts_with('.') && words(name).next() == Some(name)).then_some((name, many))
}

/// Whether a word is `r3` of `r<4>`.
fn is_one_of(word: &str, name: &str) -> bool {
    word.strip_prefix(name).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn called(space: &str) -> &str {
    if space == "const" { "constant" } else { space }
}

/// The value of an integer literal of PTX.
fn literal(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = digits.trim_end_matches('U');
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}
