//! Functions of headers that are not understood.
//!
//! A library's headers have hundreds of functions that a program never calls. Errors in one of them are held until it is
//! known whether a kernel reaches it: if one does they are reported, if none does a warning says so, and nothing in
//! system headers. What the main file says itself is never held.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span, Symbol};
use syntax::ast;

use super::{Checker, FnId};
use crate::program::Function;
use crate::types::RecordId;

/// Errors that matter only to who reaches what they are in.
#[derive(Default, Debug)]
pub(crate) struct Held {
    /// Functions that could not be checked, in the order in which they were.
    functions: Vec<(FnId, Vec<Diagnostic>)>,
    /// Functions that could not be declared, by their names.
    names: FxHashMap<Symbol, Vec<Diagnostic>>,
    /// Class templates' instances with errors, which every use of them repeats.
    records: FxHashMap<RecordId, Vec<Diagnostic>>,
    /// Functions that constant expressions call.
    wanted: FxHashSet<FnId>,
    /// Bodies under way whose errors will be held.
    depth: u32,
}

/// Where the diagnostics stood before something that may be held.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    errors: usize,
}

impl Checker<'_> {
    fn mark(&self) -> Mark {
        Mark { len: self.sess.diagnostics.len(), errors: self.sess.diagnostics.error_count() }
    }

    /// What was reported since `mark`, if there are errors among it.
    fn errors_since(&mut self, mark: Mark) -> Option<Vec<Diagnostic>> {
        let more = self.sess.diagnostics.error_count() > mark.errors;
        more.then(|| self.sess.diagnostics.split_off(mark.len))
    }

    /// Whether something stands in a header of a CUDA program.
    pub(crate) fn is_of_header(&self, span: Span) -> bool {
        self.is_cuda() && !self.reads_host() && self.sess.is_in_header(span)
    }

    /// Checks the body of `f` by `check`, holding what is wrong with it if it is a header's.
    pub(crate) fn holding(&mut self, f: FnId, check: impl FnOnce(&mut Self)) {
        if !self.is_of_header(self.decls[f].span) {
            return check(self);
        }
        let mark = self.mark();
        self.decls.held.depth += 1;
        check(self);
        self.decls.held.depth -= 1;
        if let Some(all) = self.errors_since(mark) {
            self.decls.held.functions.push((f, all));
        }
    }

    /// Reads a header's declaration of a function by `read`. What is wrong with it belongs to the functions that it
    /// declares all the same, or to the name.
    pub(crate) fn holding_declaration(&mut self, id: ast::DeclId, read: impl FnOnce(&mut Self)) {
        let (mark, first) = (self.mark(), self.decls.fns.len());
        read(self);
        let Some(all) = self.errors_since(mark) else { return };
        let declared = (first..self.decls.fns.len()).map(|i| FnId(i as u32)).find(|&f| self.decls[f].ast == Some(id));
        let mut d = self.ast[id];
        while let ast::DeclKind::Template { decl, .. } = d.kind {
            d = self.ast[decl];
        }
        match (declared, self.decl_symbol(&d).or_else(|| self.last_symbol(d.name))) {
            (Some(f), _) => self.decls.held.functions.push((f, all)),
            (None, Some(name)) => self.decls.held.names.entry(name).or_default().extend(all),
            (None, None) => {}
        }
    }

    /// The value of an enumerator by `read`; what is wrong with it if it is a header's: the host's headers may say what it is.
    pub(crate) fn holding_enumerator<R>(
        &mut self,
        at: Span,
        read: impl FnOnce(&mut Self) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        let mark = self.mark();
        let value = read(self);
        if !self.is_of_header(at) || self.inst.depth > 0 {
            return Ok(value);
        }
        self.errors_since(mark).map_or(Ok(value), Err)
    }

    /// A name that is not declared because of errors, which who uses it is told.
    pub(crate) fn hold_name(&mut self, name: Symbol, why: &[Diagnostic]) {
        self.decls.held.names.entry(name).or_default().extend(why.iter().cloned());
    }

    /// `static_assert` in a namespace or class.
    pub(crate) fn assertion(&mut self, cond: ast::ExprId, message: Option<ast::StrId>, span: Span) {
        if self.is_of_header(span) {
            self.asserting_in_header(|c| c.static_assert(cond, message, span));
        } else {
            self.static_assert(cond, message, span);
        }
    }

    /// Checks an assertion of a header by `check`. What it asks of classes that are the host's alone has no answer here: an
    /// error is only that it does not hold.
    fn asserting_in_header(&mut self, check: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let wanted = std::mem::take(&mut self.decls.held.wanted);
        check(self);
        self.decls.held.wanted = wanted;
        for d in self.errors_since(mark).into_iter().flatten() {
            if d.code == "E0344" {
                self.report(d);
            }
        }
    }

    /// Reads a header's `using n::f;` by `read`. Of what the host alone has nothing is known to take over.
    pub(crate) fn using_in_header(&mut self, read: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        read(self);
        drop(self.errors_since(mark));
    }

    /// Reads a class by `define`. What is wrong with one of a header matters to who uses it: a host's class may have bases and
    /// sizes that are known to the host's library only.
    pub(crate) fn holding_class(&mut self, r: RecordId, define: impl FnOnce(&mut Self)) {
        if !self.is_of_header(self.p.types.record(r).span) || self.inst.depth > 0 {
            return define(self);
        }
        let mark = self.mark();
        define(self);
        if let Some(all) = self.errors_since(mark) {
            self.decls.held.records.insert(r, all);
            // Its layout is not to be relied on.
            self.p.types.records[r.0 as usize].complete = false;
        }
    }

    /// Whether a header's class was not understood.
    pub(crate) fn is_held(&self, r: RecordId) -> bool {
        self.decls.held.records.contains_key(&r)
    }

    /// Completes an instance of a class template by `define`, whose errors all uses share.
    pub(crate) fn holding_record(&mut self, r: RecordId, define: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        define(self);
        if self.decls.held.depth == 0 {
            return;
        }
        if let Some(all) = self.errors_since(mark) {
            self.decls.held.records.insert(r, all);
            self.repeat_errors(r);
        }
    }

    /// Reports what is wrong with a class that is used once more.
    pub(crate) fn repeat_errors(&mut self, r: RecordId) {
        if self.decls.held.records.is_empty() {
            return;
        }
        let all = if self.decls.held.depth == 0 {
            self.decls.held.records.remove(&r)
        } else {
            self.decls.held.records.get(&r).cloned()
        };
        for d in all.into_iter().flatten() {
            self.report(d);
        }
    }

    /// A constant expression calls `f`: what is wrong with it is an error.
    pub(crate) fn want(&mut self, f: FnId) {
        self.decls.held.wanted.insert(f);
    }

    /// How many functions' errors are held so far.
    pub(crate) fn held_functions(&self) -> usize {
        self.decls.held.functions.len()
    }

    /// Takes back what was held of a class's functions behind the first `before`; whether there was anything.
    pub(crate) fn take_back_held(&mut self, class: RecordId, before: usize) -> bool {
        let all = self.decls.held.functions.split_off(before);
        let (its, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(f, _)| self.decls[*f].record == Some(class));
        self.decls.held.functions.extend(others);
        !its.is_empty()
    }

    /// Nothing of this name fits: what could not be declared may be the reason.
    pub(crate) fn bring_out_held(&mut self, name: Symbol) {
        for d in self.decls.held.names.remove(&name).into_iter().flatten() {
            self.report(d);
        }
    }

    /// Reports what is held, now that it is known what is emitted (`keep`, by function of the program).
    pub(crate) fn settle_held(&mut self, keep: &[bool]) {
        let held = std::mem::take(&mut self.decls.held);
        let mut seen = FxHashSet::default();
        let mut silent = Vec::new();
        for (f, all) in held.functions {
            let reached = self.decls[f].func.is_some_and(|f| keep[f.index()]) || held.wanted.contains(&f);
            if reached {
                self.report_once(all, &mut seen);
            } else {
                silent.push((f, all));
            }
        }
        // What a kernel needs may lack a part for a reason that was held elsewhere.
        if !self.sess.diagnostics.has_errors() && self.has_holes(keep) {
            let rest = silent.drain(..).flat_map(|(_, all)| all).chain(held.names.into_values().flatten());
            let mut rest: Vec<Diagnostic> = rest.collect();
            // Names have no order.
            rest.sort_by(|a, b| (a.span().lo, &a.message).cmp(&(b.span().lo, &b.message)));
            self.report_once(rest, &mut seen);
            self.report_hole(keep);
        }
        for (f, all) in silent {
            self.say_passed_over(f, &all);
        }
    }

    fn report_once(&mut self, all: Vec<Diagnostic>, seen: &mut FxHashSet<(Span, String)>) {
        for d in all {
            if seen.insert((d.span(), d.message.clone())) {
                self.report(d);
            }
        }
    }

    fn has_holes(&self, keep: &[bool]) -> bool {
        self.hole(keep).is_some()
    }

    /// The first function that is emitted and lacks a part, by its number.
    fn hole(&self, keep: &[bool]) -> Option<usize> {
        let holed = |f: &Function| f.body.is_some_and(|b| super::walk::has_errors(&self.p, b));
        self.p.functions.iter().zip(keep).position(|(f, k)| *k && holed(f))
    }

    /// What would run without a part of its text is refused, also where the reason is not known.
    fn report_hole(&mut self, keep: &[bool]) {
        let Some(f) = self.hole(keep).filter(|_| !self.sess.diagnostics.has_errors()) else { return };
        let (name, span) = (self.p.functions[f].name, self.p.functions[f].span);
        let d = Diagnostic::error("E0464", span, format!("a part of `{}` is not understood", self.text(name)))
            .help("this is a fault of the compiler: please report it with the text of the function");
        self.report(d);
    }

    fn say_passed_over(&mut self, f: FnId, all: &[Diagnostic]) {
        let Some(first) = all.iter().find(|d| d.severity == source::Severity::Error) else { return };
        let (name, span) = (self.show_fn(f), self.decls[f].span);
        let d = Diagnostic::warning("W0339", span, format!("`{name}` is not understood; no kernel reaches it"))
            .note(format!("{}: {}", first.code, first.message))
            .group("header-function");
        self.report(d);
    }
}
