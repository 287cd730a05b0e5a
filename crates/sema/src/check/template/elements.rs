//! What the arguments that fit a parameter pack bind the packs in its pattern to: `Layout<Shapes, Strides>... layouts`.

use syntax::ast::{DeclKind, TypeKind};

use crate::check::{Checker, Template};
use crate::types::{TemplateArg, TyId};

use super::Bound;

/// The elements of the packs that one expansion names, which all have as many.
pub(super) struct Elements {
    /// Positions of the packs among the template's parameters.
    packs: Vec<usize>,
    /// What was found so far, by pack.
    found: Vec<Vec<TemplateArg>>,
    /// Elements seen.
    count: usize,
}

impl Elements {
    pub(super) fn new(packs: Vec<usize>) -> Self {
        let found = vec![Vec::new(); packs.len()];
        Self { packs, found, count: 0 }
    }

    /// What is bound when the next element is matched: each has packs of its own.
    pub(super) fn ready(&self, bound: &Bound) -> Bound {
        let mut one = bound.clone();
        self.packs.iter().for_each(|&k| one[k] = None);
        one
    }

    /// Takes what an element has bound; parameters that are no packs are the same for all.
    pub(super) fn take(&mut self, one: Bound, bound: &mut Bound) {
        for (i, b) in one.into_iter().enumerate() {
            match self.packs.iter().position(|&k| k == i) {
                Some(p) => self.found[p].extend(b),
                None => bound[i] = b,
            }
        }
        self.count += 1;
    }

    /// Passes over an element that matches nothing, if the call gives what it stands for: there arguments are converted.
    pub(super) fn pass(&mut self, bound: &Bound) -> bool {
        for (p, &k) in self.packs.iter().enumerate() {
            let Some(Some(TemplateArg::Pack(given))) = bound.get(k) else { return false };
            let Some(element) = given.get(self.count) else { return false };
            self.found[p].push(element.clone());
        }
        self.count += 1;
        !self.packs.is_empty()
    }

    /// Binds the packs: to what was given, and what was found behind that (C++17, 17.8.1, 9).
    pub(super) fn bind(self, bound: &mut Bound) {
        for (k, mut all) in self.packs.into_iter().zip(self.found) {
            if let Some(TemplateArg::Pack(given)) = &bound[k] {
                if given.len() >= all.len() {
                    continue;
                }
                all[..given.len()].clone_from_slice(given);
            }
            bound[k] = Some(TemplateArg::Pack(all.into_boxed_slice()));
        }
    }
}

impl Checker<'_> {
    /// What the arguments of a call are matched with, and where a pack that takes all others begins. A pack of function
    /// parameters that others follow is as long as the template arguments that were written for it, and nothing is deduced from it
    /// (C++17, 17.8.2.1, 1): none of its elements has a pattern.
    pub(super) fn expected(&mut self, tpl: &Template, given: &Bound) -> (Vec<Option<TyId>>, Option<(usize, TyId)>) {
        let Some((first, _)) = self.pattern_pack(tpl) else {
            return (tpl.pattern.iter().copied().map(Some).collect(), None);
        };
        let mut expected: Vec<_> = tpl.pattern[..first].iter().copied().map(Some).collect();
        let expansions = self.are_expansions(tpl);
        for (k, &pattern) in tpl.pattern.iter().enumerate().skip(first) {
            // Packs of a class around a member are several patterns of one parameter.
            let is_pack = if expansions.len() == tpl.pattern.len() { expansions[k] } else { k == first };
            let last = k + 1 == tpl.pattern.len();
            // Of what is not written there is nothing, unless a parameter before says it.
            let said = |p: usize| tpl.pattern[..k].iter().any(|&before| self.type_names_param(before, p as u32, 0));
            let lengths = self.packs_in(tpl, pattern).into_iter().map(|p| match given.get(p) {
                Some(Some(TemplateArg::Pack(all))) => Some(all.len()),
                _ => (!said(p)).then_some(0),
            });
            match (is_pack, lengths.min().flatten()) {
                (false, _) => expected.push(Some(pattern)),
                (true, Some(n)) if !last => expected.resize(expected.len() + n, None),
                (true, _) => return (expected.clone(), Some((expected.len(), pattern))),
            }
        }
        (expected, None)
    }

    /// Of each parameter of a function template, whether it is an expansion.
    pub(crate) fn are_expansions(&self, tpl: &Template) -> Vec<bool> {
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return Vec::new() };
        let TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return Vec::new() };
        let params = self.ast.list(self.ast[ft].params).iter();
        let types = params.filter_map(|&p| match self.ast[p].kind {
            DeclKind::Param { ty, .. } => Some(ty),
            _ => None,
        });
        types.map(|ty| matches!(self.ast[ty].kind, TypeKind::Pack(_))).collect()
    }

    /// The packs among a template's parameters that can be deduced from a pattern.
    pub(super) fn packs_in(&self, tpl: &Template, pattern: TyId) -> Vec<usize> {
        let packs = tpl.params.iter().enumerate().filter(|(_, p)| p.pack);
        packs.map(|(i, _)| i).filter(|&i| self.type_names_param(pattern, i as u32, 0)).collect()
    }
}
