//! In which instances of templates an error is, and who asked for them.
//!
//! An error in a template is often the fault of who uses it. Classes are completed inside of what needs them; bodies of functions wait
//! for their turn, so who asked first is noted where a function is used.

use super::{Checker, FnId};
use crate::types::TyId;
use source::{Diagnostic, Severity, Span};

/// Most instances that an error names: half of them the innermost, half the outermost.
const MAX_NAMED: usize = 6;
/// Most instances that are looked at.
const MAX_CHAIN: usize = 100;
/// Most characters of an instance's name.
const MAX_NAME: usize = 200;
/// How the notes begin.
const NOTE: &str = "in the instance";

/// What is being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Within {
    Class(TyId),
    Function(FnId),
}

impl Checker<'_> {
    /// A function is used here. Of instances of templates the first use is kept.
    pub(crate) fn note_use(&mut self, f: FnId, at: Span) {
        let by = self.cx.decl;
        // A function that calls itself is used by another first.
        if by != Some(f) && self.is_instance(Within::Function(f)) {
            self.inst.first_uses.entry(f).or_insert((at, by));
        }
    }

    /// Whether something is made of a template, or is a member of such a class.
    fn is_instance(&self, what: Within) -> bool {
        let class = match what {
            Within::Class(ty) => self.p.types.as_record(ty),
            Within::Function(f) if self.decls[f].template.is_some() => return true,
            Within::Function(f) => self.decls[f].record,
        };
        class.is_some_and(|r| self.decls[r].instance.is_some())
    }

    /// An error with the instances that it is in.
    pub(crate) fn with_instances(&self, mut d: Diagnostic) -> Diagnostic {
        // What an unfinished class had to say is repeated where it is asked for again.
        let is_told = d.notes.iter().any(|n| n.starts_with(NOTE));
        if d.severity != Severity::Error || is_told || self.inst.substituting || self.reads_host() {
            return d;
        }
        let inner = self.inst.within.iter().rev().copied();
        let outermost = self.inst.within.iter().find_map(|w| if let Within::Function(f) = w { Some(*f) } else { None });
        // Who uses the outermost function, who uses that one, …
        let users = std::iter::successors(outermost, |f| self.inst.first_uses.get(f)?.1).skip(1).map(Within::Function);
        let instances: Vec<Within> = inner.chain(users).filter(|w| self.is_instance(*w)).take(MAX_CHAIN).collect();
        let left_out = MAX_NAMED / 2..instances.len().saturating_sub(MAX_NAMED / 2);
        for (i, &what) in instances.iter().enumerate() {
            if i == left_out.start && !left_out.is_empty() {
                d = d.note(format!("in {} more instances", left_out.len()));
            }
            if !left_out.contains(&i) {
                d = d.note(self.instance_note(what));
            }
        }
        d
    }

    fn instance_note(&self, what: Within) -> String {
        let (name, used) = match what {
            Within::Class(ty) => (self.show(ty), None),
            Within::Function(f) => (self.show_fn(f), self.inst.first_uses.get(&f)),
        };
        let at = used.map(|(at, _)| format!(", first used at {}", self.sess.sources.display(*at))).unwrap_or_default();
        // Names of whole expressions as types go over pages.
        let shown = name.char_indices().nth(MAX_NAME).map_or(name.clone(), |(end, _)| format!("{}…", &name[..end]));
        format!("{NOTE} `{shown}`{at}")
    }
}
