//! What one compilation shares among its stages.

use crate::{Diagnostic, Diagnostics, Interner, Ledger, Shift, SourceError, SourceMap, Symbol};

/// The shared state of one compilation: sources, strings, diagnostics, hints.
#[derive(Default, Debug)]
pub struct Session {
    /// Files and macro expansions.
    pub sources: SourceMap,
    /// Interned strings.
    pub strings: Interner,
    /// What there is to tell the user.
    pub diagnostics: Diagnostics,
    /// The book of hints.
    pub ledger: Ledger,
}

impl Session {
    /// Reports a diagnostic.
    pub fn report(&mut self, d: Diagnostic) {
        self.diagnostics.report(d);
    }

    /// Takes in another compilation's sources and hints, so that places in its code can be told; diagnostics and
    /// symbols stay where they are.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] if the sum of all sources is.
    pub fn absorb(&mut self, other: &Self) -> Result<Shift, SourceError> {
        let shift = self.sources.absorb(&other.sources)?;
        Ok(self.ledger.absorb(&other.ledger, shift))
    }

    /// Interns a string.
    pub fn intern(&mut self, s: &str) -> Symbol {
        self.strings.intern(s)
    }

    /// The text of a symbol.
    pub fn str(&self, s: Symbol) -> &str {
        self.strings.str(s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expansion, HintKind, LineDirective, Span};

    /// A session is shared among the threads of a host program.
    #[test]
    fn sessions_are_for_many_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Session>();
    }

    #[test]
    fn places_of_an_absorbed_session_keep_their_names() {
        let mut a = Session::default();
        a.sources.add("a", "one\ntwo\n".to_owned()).expect("small");
        a.ledger.enter(HintKind::Unroll, Span::new(1, 2), "first");
        let mut b = Session::default();
        b.sources.add("b0", "x\n".to_owned()).expect("small");
        b.sources.add("b", "m\n#line 50 \"c\"\nn\n".to_owned()).expect("small");
        b.sources.add_line_directive(LineDirective { pos: 18, line: 50, name: Some("c".to_owned()) });
        let call_site = Span::new(18, 19);
        let expn = b.sources.add_expansion(Expansion { name: "M".into(), call_site, def_site: Span::new(4, 5) });
        let inside = Span { expn, ..Span::new(4, 5) };
        let hint = b.ledger.enter(HintKind::Inline, inside, "second");
        let shift = a.absorb(&b).expect("small");
        assert_eq!(a.sources.display(shift.span(Span::new(4, 5))), "b:1:1");
        assert_eq!(a.sources.display(shift.span(inside)), b.sources.display(inside));
        assert_eq!(a.sources.snippet(shift.span(inside)), "m");
        assert_eq!(a.ledger.hint(shift.hint(hint)).asked, "second");
        assert_eq!(a.sources.display(a.ledger.hint(shift.hint(hint)).span), b.sources.display(inside));
        assert!(shift.span(Span::NONE).is_none());
        let next = a.sources.add("d", "z".to_owned()).expect("small");
        assert_eq!(a.sources.display(a.sources.file(next).span()), "d:1:1");
    }
}
