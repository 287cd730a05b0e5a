//! What `copyout` names and the construct does not write whole, or reads first: it would be undefined, or come back so. It is copied in,
//! too, and the program is told.

use super::{Construct, Cx, Warning};
use crate::access::place;
use crate::data::{self, Item};
use crate::extent::{counted_in, polynomial};
use crate::host::Options;
use crate::poly::Poly;
use crate::scope::{Scopes, Use, VarId};
use crate::unit::Unit;
use directives::{ClauseKind, Kind};
use rustc_hash::FxHashMap;
use syntax::ast::{ExprId, ExprKind};

/// The items of a data construct, and what is wrong with its `copyout`.
pub(crate) fn of_data(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    site: usize,
    options: &Options,
) -> (Vec<Item>, Vec<Warning>) {
    let s = &scopes.sites[site];
    let items = data::items(unit, scopes, s);
    let Some(target) = s.target.filter(|_| s.directive.has(ClauseKind::Copyout)) else { return (items, Vec::new()) };
    let mut cx = Cx::new((unit, scopes, parents), site, (Construct::Kernels, target), items, options);
    cx.copy_what_is_written_in_part();
    (cx.items, cx.warnings)
}

impl Cx<'_> {
    /// Adds what `copyout` leaves undefined to what is copied in.
    pub(super) fn copy_what_is_written_in_part(&mut self) {
        let site = &self.scopes.sites[self.site];
        let named: Vec<VarId> = site.directive.all(ClauseKind::Copyout).flat_map(|c| self.named(site, c)).collect();
        let mut partly = Vec::new();
        for v in named {
            let name = &self.scopes.var(v).name;
            if self.is_cleared(v) {
                continue;
            }
            let text = if self.is_written_in_triangles(v) {
                format!(
                    "`copyout` of `{name}`, which triangular loops write in part: what they leave out would come back undefined, so it is copied in, too"
                )
            } else if self.comes_in(v) {
                continue;
            } else if let Some(line) = self.read_first(v) {
                format!(
                    "`copyout` of `{name}`, which line {line} reads before anything here has written it: unless it is present already it would be undefined there, so it is copied in, too"
                )
            } else if self.has_a_margin(v) {
                format!(
                    "`copyout` of `{name}`, whose first elements no loop writes: they would come back undefined, so it is copied in, too"
                )
            } else {
                continue;
            };
            partly.push(v);
            self.warnings.push(Warning { at: site.directive.span.clone(), text, help: "write `copy`", rule: None });
        }
        if !partly.is_empty() {
            self.items = data::items_with(self.unit, self.scopes, site, &partly);
        }
    }

    /// Whether a clause of the directive clears what it makes (`zero`): nothing of it is undefined.
    fn is_cleared(&self, v: VarId) -> bool {
        let site = &self.scopes.sites[self.site];
        let zero = |c: &&directives::Clause| c.modifiers.iter().any(|m| m == "zero");
        site.directive.clauses.iter().filter(zero).any(|c| self.named(site, c).contains(&v))
    }

    /// Whether another clause of the directive copies a variable in, or a construct around has it already.
    fn comes_in(&self, v: VarId) -> bool {
        let site = &self.scopes.sites[self.site];
        let inward =
            |c: &&directives::Clause| matches!(c.kind, ClauseKind::Copy | ClauseKind::Copyin | ClauseKind::Present);
        if site.directive.clauses.iter().filter(inward).any(|c| self.named(site, c).contains(&v)) {
            return true;
        }
        self.is_data_around(v)
    }

    /// The uses of what a variable stands for, in their order.
    fn uses_of(&self, v: VarId) -> impl Iterator<Item = &Use> {
        self.scopes.uses_in(&self.range).iter().filter(move |u| u.var == v)
    }

    fn writes(&self, u: &Use) -> bool {
        let p = place(self.unit, self.scopes, self.parents, u.expr);
        p.memory && p.access.written
    }

    /// Whether all writes of an array stand in loops of which one's bounds depend on another's variable.
    fn is_written_in_triangles(&self, v: VarId) -> bool {
        let loops = counted_in(self, &self.range);
        let mut writes = self.uses_of(v).filter(|u| self.writes(u));
        let triangle = |u: &Use| {
            let around: Vec<_> = loops.iter().filter(|l| l.range.contains(&u.at.start)).collect();
            around.iter().any(|l| {
                let ends = [&l.first, &l.last];
                ends.into_iter().flatten().any(|p| around.iter().any(|o| o.var != l.var && p.has(o.var)))
            })
        };
        let first = writes.next();
        first.is_some_and(triangle) && writes.all(triangle)
    }

    /// The line where elements of an array are read with nothing before it that could have written them.
    fn read_first(&self, v: VarId) -> Option<u32> {
        let first = self.uses_of(v).next()?;
        let p = place(self.unit, self.scopes, self.parents, first.expr);
        let (line, _) = self.unit.line(first.at.start);
        // `x += …` reads; of `x = x + 1` the first use is the one that is written.
        let reads = p.memory && p.access.read && !p.access.escapes;
        let assigned = p.access.written && self.is_plainly_assigned(first.expr);
        (reads && !assigned && !self.may_be_set_before(first.at.start)).then_some(line)
    }

    fn is_plainly_assigned(&self, name: ExprId) -> bool {
        let mut e = name;
        while let Some(&p) = self.parents.get(&e) {
            match self.unit.ast[p].kind {
                ExprKind::Index { base, .. } if base == e => e = p,
                ExprKind::Paren(_) => e = p,
                ExprKind::Assign(None, place, _) => return place == e,
                _ => return false,
            }
        }
        false
    }

    /// Whether something else may write on the device before a place: an `update`, or a function that is called.
    fn may_be_set_before(&self, at: usize) -> bool {
        let before = self.range.start..at;
        let updates = self.scopes.sites_in(&before).any(|(_, s)| s.directive.kind == Kind::Update);
        let is_call = |e: &ExprId| matches!(self.unit.ast[*e].kind, ExprKind::Call { .. });
        let mut calls = self.unit.exprs_in(&self.range).into_iter().filter(is_call);
        let calls = calls.any(|e| self.unit.range(self.unit.ast[e].span).start < at);
        updates || calls
    }

    /// Whether every write leaves out the first elements of a dimension: its subscript begins above 0.
    fn has_a_margin(&self, v: VarId) -> bool {
        let loops = counted_in(self, &self.range);
        // A section that begins elsewhere, or a part of one, is the program's own affair.
        let site = &self.scopes.sites[self.site];
        let operands =
            site.directive.all(ClauseKind::Copyout).flat_map(|c| &c.operands).filter_map(|o| o.variable.as_ref());
        let plain = operands.filter(|x| site.names.get(&x.name) == Some(&v)).all(|x| x.sections.is_empty());
        let mut writes = self.uses_of(v).filter(|u| self.writes(u)).peekable();
        if !plain
            || writes.peek().is_none()
            || self.uses_of(v).any(|u| place(self.unit, self.scopes, self.parents, u.expr).access.escapes)
        {
            return false;
        }
        let least = |u: &Use, index: ExprId| -> Option<i128> {
            let mut p = polynomial(self, index, &|x| Some(Poly::variable(x)))?;
            for l in loops.iter().rev().filter(|l| l.range.contains(&u.at.start)) {
                let (c, r) = p.linear(l.var)?;
                match c.number()? {
                    0 => {}
                    n if n > 0 => p = r.add(&c.mul(l.first.as_ref()?)?, 1),
                    _ => return None,
                }
            }
            p.number()
        };
        let mut margins: Option<Vec<bool>> = None;
        for u in writes {
            let mut found = Vec::new();
            let mut e = u.expr;
            while let Some(&p) = self.parents.get(&e) {
                match self.unit.ast[p].kind {
                    ExprKind::Index { base, index } if base == e => found.push(least(u, index).is_some_and(|n| n > 0)),
                    ExprKind::Paren(_) => {}
                    _ => break,
                }
                e = p;
            }
            margins = Some(match margins {
                None => found,
                Some(m) => m.iter().zip(&found).map(|(a, b)| *a && *b).collect(),
            });
        }
        margins.is_some_and(|m| m.into_iter().any(|b| b))
    }
}
