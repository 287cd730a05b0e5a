//! Diagnostics as data.

use crate::Span;
use std::collections::HashMap;

/// A stable identifier of a kind of diagnostic, e.g. `E0203` or `W0102`; listed in `docs/diagnostics.md`.
pub type Code = &'static str;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Extra information about something else.
    Note,
    /// A remark of the optimiser (`-Rpass…`).
    Remark,
    /// Suspicious, but compiled.
    Warning,
    /// Nothing is produced.
    Error,
}

/// A span with something to say about it.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty for a bare caret.
    pub message: String,
    /// The place the diagnostic is about, as against context.
    pub primary: bool,
}

/// A change of the text that would mend it.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What to replace; empty to insert.
    pub span: Span,
    /// With what.
    pub replacement: String,
}

/// One thing to tell the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// Severity.
    pub severity: Severity,
    /// One terse sentence, no capital, no full stop.
    pub message: String,
    /// Places; the first primary one locates the diagnostic.
    pub labels: Vec<Label>,
    /// More sentences: the rule broken, context.
    pub notes: Vec<String>,
    /// What to do next.
    pub help: Option<String>,
    /// A mechanical fix.
    pub fix: Option<Fix>,
    /// The `-W` group of a warning, or the pass of a remark.
    pub group: Option<&'static str>,
}

impl Diagnostic {
    /// A diagnostic at `span`.
    pub fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: vec![Label { span, message: String::new(), primary: true }],
            notes: Vec::new(),
            help: None,
            fix: None,
            group: None,
        }
    }

    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// Says `message` at the primary place.
    #[must_use]
    pub fn at(mut self, message: impl Into<String>) -> Self {
        if let Some(l) = self.labels.first_mut() {
            l.message = message.into();
        }
        self
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into(), primary: false });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers a mechanical fix.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, replacement: replacement.into() });
        self
    }

    /// Puts it into a `-W` group.
    #[must_use]
    pub fn group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// The primary place.
    pub fn span(&self) -> Span {
        self.labels.iter().find(|l| l.primary).map_or(Span::NONE, |l| l.span)
    }
}

/// Whether a list of group names holds `group`.
fn names(list: &[String], group: &str) -> bool {
    list.iter().any(|n| n == group)
}

/// The diagnostics of a compilation, in the order reported.
///
/// After [`Diagnostics::MAX_ERRORS`] errors, further ones are counted but not kept: a hostile input cannot make the
/// list grow without bound. A warning is kept once: the instances of a template all have that of its text.
#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// What was counted and not kept: how long the list was, the severity, how many in a row.
    unkept: Vec<(usize, Severity, usize)>,
    /// Where in the list a warning stands by its code and place.
    said: HashMap<(Code, Span), usize>,
    /// `-Werror`: warnings count and show as errors.
    pub warnings_are_errors: bool,
    /// `-Werror=GROUP`.
    pub groups_as_errors: Vec<String>,
    /// `-w`: warnings are dropped.
    pub no_warnings: bool,
    /// `-Wno-GROUP`.
    pub muted_groups: Vec<String>,
    /// `-WGROUP`: groups that are off by default and wanted.
    pub enabled_groups: Vec<String>,
    /// `-Wno-error=GROUP`: stays a warning under `-Werror`.
    pub groups_as_warnings: Vec<String>,
}

impl Diagnostics {
    /// Errors kept.
    pub const MAX_ERRORS: usize = 100;
    /// Warnings kept.
    pub const MAX_WARNINGS: usize = 1000;

    /// Takes a diagnostic, applying the `-W` options to it.
    pub fn report(&mut self, mut d: Diagnostic) {
        if d.severity == Severity::Warning {
            if self.is_said(&d) {
                return;
            }
            let promoted = d.group.is_some_and(|g| names(&self.groups_as_errors, g));
            let kept = d.group.is_none_or(|g| self.shows(g));
            if !kept || self.no_warnings && !promoted {
                return;
            }
            let stays = d.group.is_some_and(|g| names(&self.groups_as_warnings, g));
            if promoted || self.warnings_are_errors && !stays {
                d.severity = Severity::Error;
                d.notes.push("warnings are errors because of `-Werror`".to_owned());
            }
        }
        match d.severity {
            Severity::Error => {
                self.errors += 1;
                if self.errors > Self::MAX_ERRORS {
                    return self.pass_over(d.severity);
                }
            }
            Severity::Warning => {
                self.warnings += 1;
                if self.warnings > Self::MAX_WARNINGS {
                    return self.pass_over(d.severity);
                }
            }
            Severity::Note | Severity::Remark => {}
        }
        self.list.push(d);
    }

    /// Whether the list has this warning of this place.
    fn is_said(&mut self, d: &Diagnostic) -> bool {
        let (span, next) = (d.span(), self.list.len());
        let at = self.said.entry((d.code, span)).or_insert(next);
        let same = self.list.get(*at).is_some_and(|e| e.code == d.code && e.span() == span && e.message == d.message);
        if !same {
            *at = next;
        }
        same && span != Span::NONE
    }

    /// Notes that one was counted and not kept, so that [`Diagnostics::truncate`] can take that back.
    fn pass_over(&mut self, severity: Severity) {
        let at = self.list.len();
        match self.unkept.last_mut() {
            Some((len, of, n)) if *len == at && *of == severity => *n += 1,
            _ => self.unkept.push((at, severity, 1)),
        }
    }

    /// Counts `n` fewer of a severity.
    fn uncount(&mut self, severity: Severity, n: usize) {
        match severity {
            Severity::Error => self.errors = self.errors.saturating_sub(n),
            Severity::Warning => self.warnings = self.warnings.saturating_sub(n),
            Severity::Note | Severity::Remark => {}
        }
    }

    /// Whether warnings of a group are shown, as the `-W` options and the group's default have it.
    pub fn shows(&self, group: &str) -> bool {
        if names(&self.muted_groups, group) {
            return false;
        }
        let on = |name| !matches!(crate::groups::group(name), crate::groups::GroupName::Known(g) if !g.on);
        names(&self.enabled_groups, group) || names(&self.groups_as_errors, group) || on(group)
    }

    /// Whether warnings of a group are wanted by its name: `-WGROUP`, `-Werror=GROUP`.
    pub fn is_asked_for(&self, group: &str) -> bool {
        names(&self.enabled_groups, group) || names(&self.groups_as_errors, group)
    }

    /// How many errors were reported, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many warnings were reported, kept or not.
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// Whether there was an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether so many errors were reported that going on is useless.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::MAX_ERRORS
    }

    /// The diagnostics kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Number kept; with [`Diagnostics::truncate`] a checkpoint for tentative work (template deduction).
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was kept.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Drops errors that say again what one before them says of the same place, as each instance of a template may.
    pub fn keep_once(&mut self) {
        let mut said = std::collections::HashSet::new();
        let before = self.list.len();
        self.list.retain(|d| d.severity != Severity::Error || said.insert((d.code, d.span(), d.message.clone())));
        self.uncount(Severity::Error, before - self.list.len());
    }

    /// Drops what was reported since [`Diagnostics::len`] was `len`.
    pub fn truncate(&mut self, len: usize) {
        let dropped: Vec<Severity> = self.list.drain(len.min(self.list.len())..).map(|d| d.severity).collect();
        dropped.into_iter().for_each(|severity| self.uncount(severity, 1));
        while let Some(&(at, severity, n)) = self.unkept.last()
            && at > len
        {
            self.uncount(severity, n);
            self.unkept.pop();
        }
    }

    /// Takes what was reported since [`Diagnostics::len`] was `len`: as [`Diagnostics::truncate`], for work whose
    /// errors may matter later.
    pub fn split_off(&mut self, len: usize) -> Vec<Diagnostic> {
        let tail: Vec<Diagnostic> = self.list.iter().skip(len).cloned().collect();
        self.truncate(len);
        tail
    }

    /// Takes the list, leaving none.
    pub fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tentative work may report more errors than are kept: taking it back takes all of them back.
    #[test]
    fn more_errors_than_are_kept_are_taken_back() {
        let mut all = Diagnostics::default();
        all.report(Diagnostic::warning("W0812", Span::NONE, "before"));
        let mark = all.len();
        for i in 0..Diagnostics::MAX_ERRORS * 3 {
            all.report(Diagnostic::error("E0406", Span::NONE, format!("error {i}")));
        }
        assert_eq!(all.error_count(), Diagnostics::MAX_ERRORS * 3);
        let taken = all.split_off(mark);
        assert_eq!((taken.len(), all.error_count(), all.len()), (Diagnostics::MAX_ERRORS, 0, 1));
        all.report(Diagnostic::error("E0406", Span::NONE, "one more"));
        assert_eq!((all.error_count(), all.iter().count()), (1, 2));
    }

    /// A template's text was warned of once for each of its instances.
    #[test]
    fn warnings_were_said_once_for_each_instance() {
        let (one, other) = (Span::new(1, 4), Span::new(2, 4));
        let mut all = Diagnostics::default();
        for (span, message) in [(one, "a"), (one, "a"), (other, "a"), (one, "b"), (one, "b"), (Span::NONE, "a")] {
            all.report(Diagnostic::warning("W0307", span, message));
        }
        assert_eq!(all.warning_count(), 4);
        let mark = all.len();
        all.report(Diagnostic::warning("W0812", one, "tentative"));
        all.truncate(mark);
        all.report(Diagnostic::warning("W0812", one, "tentative"));
        assert_eq!(all.len(), mark + 1);
    }
}
