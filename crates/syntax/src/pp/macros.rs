//! The macro table: which identifiers are macros, and what their bodies are.

use super::predefined::Builtin;
use crate::Token;
use source::{Span, Symbol};
use std::sync::Arc;

/// What a macro is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MacroKind {
    /// `#define X …`.
    Object,
    /// `#define X(…) …`.
    Function,
    /// One whose value the preprocessor computes, or an operator in macro's clothing.
    Builtin(Builtin),
    /// `#pragma GCC poison X`.
    Poisoned,
}

/// How a function-like macro takes a variable number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variadic {
    /// It does not.
    No,
    /// `...`; the last parameter is `__VA_ARGS__`.
    Standard,
    /// `args...`.
    Named,
}

/// A macro's definition.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) kind: MacroKind,
    /// Its name's text, shared by the records of its expansions.
    pub(super) name: Arc<str>,
    /// Where its name stands in the definition; [`Span::NONE`] if it is predefined.
    pub(super) def_site: Span,
    /// Names of the parameters; the last one stands for the variable arguments, if there are any.
    pub(super) params: Box<[Symbol]>,
    pub(super) variadic: Variadic,
    /// The body, in [`MacroTable::bodies`].
    pub(super) body: (u32, u32),
    /// The body has `##`.
    pub(super) has_paste: bool,
    /// Defined by the compiler.
    pub(super) predefined: bool,
    /// May be redefined without a word, as the real one comes from a header that need not be included.
    pub(super) soft: bool,
    /// Defined in one of our own headers.
    pub(super) own: bool,
    /// Being expanded: its name is not a macro meanwhile.
    pub(super) active: bool,
}

impl Macro {
    /// A macro with nothing in it.
    pub(super) fn new(kind: MacroKind, name: &str, def_site: Span) -> Self {
        Self {
            kind,
            name: name.into(),
            def_site,
            params: Box::new([]),
            variadic: Variadic::No,
            body: (0, 0),
            has_paste: false,
            predefined: false,
            soft: false,
            own: false,
            active: false,
        }
    }
}

/// What an identifier is to the preprocessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot(u32);

impl Slot {
    /// Not looked up yet: it may be predefined.
    pub(super) const UNKNOWN: Self = Self(0);
    /// An ordinary identifier.
    pub(super) const PLAIN: Self = Self(1);

    /// The macro it names.
    #[inline]
    pub(super) fn macro_index(self) -> Option<u32> {
        self.0.checked_sub(2)
    }
}

/// Every macro, and which identifier names which.
#[derive(Default)]
pub(super) struct MacroTable {
    /// Indexed by symbol; what lies beyond the end is [`Slot::UNKNOWN`].
    slots: Vec<Slot>,
    /// Never shrinks, so that an expansion under way survives an `#undef`.
    pub(super) macros: Vec<Macro>,
    /// Tokens of all bodies.
    pub(super) bodies: Vec<Token>,
}

impl MacroTable {
    /// The slot of an identifier.
    #[inline]
    pub(super) fn slot(&self, sym: Symbol) -> Slot {
        self.slots.get(sym.index()).copied().unwrap_or(Slot::UNKNOWN)
    }

    /// Whether an identifier is known to be ordinary.
    #[inline]
    pub(super) fn is_plain(&self, sym: Symbol) -> bool {
        self.slot(sym) == Slot::PLAIN
    }

    /// Makes an identifier what `slot` says.
    pub(super) fn set(&mut self, sym: Symbol, slot: Slot) {
        if self.slots.len() <= sym.index() {
            self.slots.resize(sym.index() + 1, Slot::UNKNOWN);
        }
        self.slots[sym.index()] = slot;
    }

    /// Enters a macro.
    pub(super) fn define(&mut self, sym: Symbol, m: Macro) -> Slot {
        self.macros.push(m);
        let slot = Slot(self.macros.len() as u32 + 1);
        self.set(sym, slot);
        slot
    }

    /// The macro with the given index.
    #[inline]
    pub(super) fn get(&self, index: u32) -> &Macro {
        &self.macros[index as usize]
    }

    /// A macro's body.
    pub(super) fn body(&self, m: &Macro) -> &[Token] {
        &self.bodies[m.body.0 as usize..m.body.1 as usize]
    }

    /// Whether two definitions are the same but for the amount of white space.
    pub(super) fn same(&self, a: &Macro, b: &Macro) -> bool {
        let (x, y) = (self.body(a), self.body(b));
        let space = |t: &Token, i: usize| i > 0 && t.has_space_before();
        a.kind == b.kind
            && a.variadic == b.variadic
            && a.params == b.params
            && x.len() == y.len()
            && x.iter()
                .zip(y)
                .enumerate()
                .all(|(i, (s, t))| s.kind == t.kind && s.sym == t.sym && space(s, i) == space(t, i))
    }
}
