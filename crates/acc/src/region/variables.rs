//! How variables come into the kernels of a region, and what data it has that no clause of its own names.

use super::{Construct, Cx, Sections};
use crate::ctype::Shape;
use crate::data::{self, Action};
use crate::kernel::Passing;
use crate::scope::{Storage, VarId};
use directives::{ClauseKind, Kind};

impl Cx<'_> {
    /// The sections that `private` clauses in the region give to pointers.
    pub(super) fn sections(&self) -> Sections {
        let mut out = Sections::default();
        let inside = self.scopes.sites_in(&self.range).map(|(i, _)| i);
        for i in std::iter::once(self.site).chain(inside) {
            let site = &self.scopes.sites[i];
            for o in site.directive.all(ClauseKind::Private).flat_map(|c| &c.operands) {
                let Some(v) = &o.variable else { continue };
                let Some(&var) = site.names.get(&v.name) else { continue };
                let pointer = self.scopes.var(var).ty.is_some_and(|t| matches!(self.unit.shape(t), Shape::Pointer(_)));
                if let (true, [s]) = (pointer, v.sections.as_slice()) {
                    out.insert(var, data::bounds(self.unit, s, &v.name, None, site.directive.inclusive));
                }
            }
        }
        out
    }

    /// Whether each work-item needs memory for a private variable whose size only the host knows.
    pub(super) fn is_computed(&self, v: VarId, sections: &Sections) -> bool {
        let ty = self.scopes.var(v).ty;
        sections.contains_key(&v)
            || ty.is_some_and(|t| {
                matches!(self.unit.shape(t), Shape::Array(..)) && self.unit.dimensions(t).0.iter().any(Option::is_none)
            })
    }

    /// How a variable comes into a kernel.
    pub(super) fn passing(
        &self,
        v: VarId,
        privates: &[VarId],
        reductions: &[(String, VarId)],
        loop_variables: &[VarId],
    ) -> Passing {
        if reductions.iter().any(|r| r.1 == v) {
            return Passing::Reduced;
        }
        if self.host_variables.contains(&v) {
            return Passing::Value;
        }
        if privates.contains(&v) || loop_variables.contains(&v) && !self.has_clause(v) {
            return Passing::Private;
        }
        let var = self.scopes.var(v);
        let shape = var.ty.map(|t| self.unit.shape(t));
        let site = &self.scopes.sites[self.site];
        let first = site.directive.all(ClauseKind::Firstprivate).any(|c| self.named(site, c).contains(&v));
        if first {
            return Passing::Value;
        }
        let access = self.accesses.iter().find(|(u, _)| *u == v).map(|(_, a)| *a).unwrap_or_default();
        match shape {
            Some(Shape::Number(_) | Shape::Enum) if self.is_data(v) => Passing::Place,
            Some(Shape::Number(_) | Shape::Enum) if self.construct != Construct::Kernels => Passing::Value,
            Some(Shape::Number(_) | Shape::Enum) if access.written || access.escapes => Passing::Place,
            Some(Shape::Number(_) | Shape::Enum | Shape::Pointer(_)) => Passing::Value,
            Some(Shape::Record) => Passing::Place,
            _ => Passing::Value,
        }
    }

    /// Whether a clause of the construct itself names a variable.
    pub(super) fn has_clause(&self, v: VarId) -> bool {
        self.items.iter().any(|i| i.var == Some(v) && !i.implicit)
    }

    /// Whether a data clause that can be seen here, of this directive or of one around it, names a variable.
    fn is_data(&self, v: VarId) -> bool {
        if self.items.iter().any(|i| i.var == Some(v)) {
            return true;
        }
        if self.is_data_around(v) {
            return true;
        }
        let function = &self.scopes.sites[self.site].function;
        self.scopes.sites.iter().any(|s| {
            s.directive.kind == Kind::Declare
                && (s.function.is_empty() || s.function == *function)
                && s.directive.clauses.iter().any(|c| self.named(s, c).contains(&v))
        })
    }

    /// Whether a data clause of a directive around this one names a variable.
    pub(super) fn is_data_around(&self, v: VarId) -> bool {
        let around = |i: Option<usize>| i.map(|i| &self.scopes.sites[i]);
        std::iter::successors(around(self.scopes.sites[self.site].parent), |s| around(s.parent)).any(|s| {
            let mut data = s.directive.clauses.iter().filter(|c| data::action(s.directive.kind, c.kind).is_some());
            data.any(|c| self.named(s, c).contains(&v))
        })
    }

    /// Data that no clause of the construct names.
    pub(super) fn implicit_data(&mut self) {
        let site = &self.scopes.sites[self.site];
        let default = site.directive.clause(ClauseKind::Default).and_then(|c| c.operands.first());
        let default = default.map(|o| self.unit.text[o.text.clone()].to_owned()).unwrap_or_default();
        let (mut skip, mut added) = (Vec::new(), Vec::new());
        for c in &site.directive.clauses {
            if matches!(c.kind, ClauseKind::Private | ClauseKind::Firstprivate) {
                skip.extend(self.named(site, c));
            }
        }
        for (_, s) in self.scopes.sites_in(&self.range) {
            for c in s.directive.all(ClauseKind::Private) {
                skip.extend(self.named(s, c));
            }
        }
        let counting = self.loop_variables(&self.range);
        for &(v, access) in &self.accesses {
            let var = self.scopes.var(v);
            let inside = self.range.contains(&var.at.start);
            if inside
                || var.storage == Storage::Other
                || skip.contains(&v)
                || self.has_clause(v)
                || counting.contains(&v)
            {
                continue;
            }
            let written = access.written || access.memory_written || access.escapes;
            let action = if written { Action::Copy } else { Action::Copyin };
            let action = if default == "present" { Action::Present } else { action };
            match var.ty.map(|t| self.unit.shape(t)) {
                Some(Shape::Array(..) | Shape::Record) => added.push(data::implicit(self.unit, self.scopes, v, action)),
                Some(Shape::Number(_) | Shape::Enum) if self.construct == Construct::Kernels && access.written => {
                    added.push(data::implicit(self.unit, self.scopes, v, Action::Copy));
                }
                Some(Shape::Pointer(_)) if access.memory_read || access.memory_written => {
                    added.extend(
                        crate::extent::extent(self, v).map(|(lo, n)| data::found(self.scopes, v, action, &lo, &n)),
                    );
                }
                _ => {}
            }
        }
        self.items.extend(added);
        self.tell_data();
    }

    fn tell_data(&mut self) {
        let at = self.scopes.sites[self.site].directive.span.start;
        let (line, _) = self.unit.line(at);
        let told = crate::told::data_info(self.scopes.sites[self.site].directive.kind, &self.items);
        told.into_iter().for_each(|t| self.say(line, &t));
    }

    /// What is reduced is data of the region: the result must come back.
    pub(super) fn reduced_data(&mut self, reductions: &[(String, VarId)]) {
        for (_, v) in reductions {
            if !self.items.iter().any(|i| i.var == Some(*v)) {
                self.items.push(data::implicit(self.unit, self.scopes, *v, Action::Copy));
            }
        }
    }
}
