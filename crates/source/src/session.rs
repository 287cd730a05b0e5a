//! What one compilation shares among its stages.

use crate::{Diagnostic, Diagnostics, FileId, Interner, Ledger, Severity, Shift, SourceError, SourceMap, Span, Symbol};

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
    /// Files whose warnings nobody wants ([`Session::add_system_header`]).
    system_headers: Vec<FileId>,
    /// The file that is compiled, where others are read because it includes them.
    main_file: Option<FileId>,
}

impl Session {
    /// Reports a diagnostic. Warnings at a place in a system header are dropped.
    pub fn report(&mut self, d: Diagnostic) {
        if d.severity == Severity::Warning && self.is_in_system_header(d.span()) {
            return;
        }
        self.diagnostics.report(d);
    }

    /// From here on `file` is a system header, as `#pragma GCC system_header` says: not the user's to change.
    pub fn add_system_header(&mut self, file: FileId) {
        if !self.system_headers.contains(&file) {
            self.system_headers.push(file);
        }
    }

    /// From here on everything but `file` is a header.
    pub fn set_main_file(&mut self, file: FileId) {
        self.main_file = Some(file);
    }

    /// Whether a place, or the use of the macro that it comes from, is in another file than the one that is compiled.
    pub fn is_in_header(&self, span: Span) -> bool {
        let Some(main) = self.main_file.filter(|_| !span.is_none()) else { return false };
        let at = self.sources.call_site(span);
        self.sources.file_at(at.lo).is_some_and(|f| f != main)
    }

    /// Whether a place, or the use of the macro that it comes from, is in a system header.
    fn is_in_system_header(&self, span: Span) -> bool {
        if self.system_headers.is_empty() || span.is_none() {
            return false;
        }
        let at = self.sources.call_site(span);
        self.sources.file_at(at.lo).is_some_and(|f| self.system_headers.contains(&f))
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
    use crate::{Expansion, HintKind, LineDirective};

    /// A session is shared among the threads of a host program.
    #[test]
    fn sessions_are_for_many_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Session>();
    }

    #[test]
    fn warnings_of_system_headers_are_dropped_and_errors_are_not() {
        let mut s = Session::default();
        let own = s.sources.add("own", "text".to_owned()).expect("small");
        let header = s.sources.add("header", "text".to_owned()).expect("small");
        let (own, there) = (s.sources.file(own).span(), s.sources.file(header).span());
        s.add_system_header(header);
        s.report(Diagnostic::warning("W0201", own, "own"));
        s.report(Diagnostic::warning("W0201", there, "dropped"));
        s.report(Diagnostic::error("E0125", there, "kept"));
        let said: Vec<&str> = s.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(said, ["own", "kept"]);
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
