//! Whether two declarations of function templates declare one template, where the pattern does not model all that tells them
//! apart.

use source::{Span, Symbol};
use syntax::ast::{self, DeclKind};

use crate::check::{Checker, Entity, ScopeId, Template, TemplateId, TemplateParam};

impl Checker<'_> {
    /// Whether the constraints of two declarations are spelt alike.
    pub(super) fn same_constraints(&self, a: ast::DeclId, b: ast::DeclId) -> bool {
        let spelt = |d: ast::DeclId| -> Vec<&str> {
            let trailing = match self.ast[d].kind {
                DeclKind::Function(f) => match self.ast[self.ast[f].ty].kind {
                    ast::TypeKind::Function(ty) => self.ast[ty].requires,
                    _ => None,
                },
                _ => None,
            };
            let listed = self.ast.constraints.get(&d).into_iter().flatten().copied();
            listed.chain(trailing).map(|e| self.sess.sources.snippet(self.ast[e].span)).collect()
        };
        spelt(a) == spelt(b)
    }

    /// Whether the results and the types of value parameters of two function templates are spelt alike, but for the names of
    /// their parameters. What the pattern models of the results is the same.
    pub(super) fn conditions_alike(&self, a: TemplateId, b: TemplateId) -> bool {
        let (a, b) = (&self.decls[a], &self.decls[b]);
        (!self.p.types.is_dependent(b.pattern_ret) || self.spelt_result(a) == self.spelt_result(b))
            && self.spelt_parameters(a) == self.spelt_parameters(b)
    }

    /// Whether all of the conditions of two templates are spelt alike.
    pub(super) fn spelt_alike(&self, a: &Template, b: &Template) -> bool {
        self.spelt_result(a) == self.spelt_result(b) && self.spelt_parameters(a) == self.spelt_parameters(b)
    }

    /// Whether there is a declaration other than `o` whose result and parameters are spelt as `t`'s.
    pub(super) fn is_spelt_like_another(&self, scope: ScopeId, sym: Symbol, o: TemplateId, t: TemplateId) -> bool {
        let wanted = &self.decls[t];
        self.decls.bound(scope, sym).into_iter().any(|e| match e {
            Entity::Template(e) => {
                let other = &self.decls[e];
                let same = other.pattern == wanted.pattern && other.pattern_ret == wanted.pattern_ret;
                e != o && same && self.spelt_alike(other, wanted)
            }
            _ => false,
        })
    }

    /// The words of a function template's result, its parameters by their numbers.
    fn spelt_result(&self, tpl: &Template) -> Vec<String> {
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return Vec::new() };
        let ast::TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return Vec::new() };
        self.spelt(tpl, self.ast[self.ast[ft].ret].span)
    }

    /// The words of the types of a function template's value parameters: `enable_if_t<is_x<T>::value, int> = 0`.
    fn spelt_parameters(&self, tpl: &Template) -> Vec<Vec<String>> {
        let of = |p: &TemplateParam| match self.ast[p.decl].kind {
            DeclKind::Param { ty, .. } if !p.is_type && !p.is_template => Some(self.spelt(tpl, self.ast[ty].span)),
            _ => None,
        };
        tpl.params.iter().filter_map(of).collect()
    }

    /// The words of a part of a template's declaration, its parameters by their numbers.
    fn spelt(&self, tpl: &Template, span: Span) -> Vec<String> {
        let text = self.sess.sources.snippet(span);
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut words: Vec<String> = Vec::new();
        let mut before = ' ';
        for c in text.chars() {
            match words.last_mut() {
                Some(word) if in_word(before) && in_word(c) => word.push(c),
                _ if c.is_whitespace() => {}
                _ => words.push(c.to_string()),
            }
            before = c;
        }
        let number = |word: &str| tpl.params.iter().position(|p| p.name.is_some_and(|n| self.text(n) == word));
        for word in &mut words {
            if let Some(n) = number(word) {
                *word = format!("#{n}");
            }
        }
        words
    }

    /// What stands behind a member function's parameters: whether `const`, whether `volatile`, and the reference.
    pub(super) fn object_quals(&self, decl: ast::DeclId) -> Option<(bool, bool, ast::RefQual)> {
        let DeclKind::Function(f) = self.ast[decl].kind else { return None };
        let ast::TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return None };
        let f = self.ast[ft];
        Some((f.quals.is_const, f.quals.is_volatile, f.ref_qual))
    }

    pub(super) fn same_kinds(&self, a: TemplateId, b: TemplateId) -> bool {
        let (a, b) = (&self.decls[a].params, &self.decls[b].params);
        a.iter().zip(b).all(|(x, y)| x.is_type == y.is_type && x.is_template == y.is_template && x.pack == y.pack)
    }
}
