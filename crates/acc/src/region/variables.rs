//! How variables come into the kernels of a region, and what data it has that no clause of its own names.

use super::{Construct, Cx, Sections, Warning};
use crate::ctype::Shape;
use crate::data::{self, Action};
use crate::extent::Extent;
use crate::kernel::Passing;
use crate::scope::Scopes;
use crate::scope::{Storage, VarId};
use crate::unit::Unit;
use directives::{ClauseKind, Kind};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use syntax::ast::ExprId;

/// What a construct's statement begins with where the host runs it: declarations of its own variables (`private`, `firstprivate`,
/// and scalars that are so without a clause), so that the host's stay what they are.
pub(crate) fn shadows(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    site: usize,
    options: &crate::host::Options,
) -> String {
    let s = &scopes.sites[site];
    let (Some(construct), Some(target)) = (super::construct(s.directive.kind), s.target) else { return String::new() };
    let cx = Cx::new((unit, scopes, parents), site, (construct, target), data::items(unit, scopes, s), options);
    let named = |kind| s.directive.all(kind).flat_map(|c| cx.named(s, c)).collect::<Vec<VarId>>();
    let (privates, firsts, mut reduced) =
        (named(ClauseKind::Private), named(ClauseKind::Firstprivate), named(ClauseKind::Reduction));
    reduced.extend(cx.all_implied_reductions(target));
    // The directive of a loop that is all of the construct stands before it.
    reduced.extend(cx.loop_words(target).reductions.into_iter().map(|(_, v)| v));
    let counting = cx.loop_variables(&cx.range);
    let mut out = String::new();
    for &(v, access) in &cx.accesses {
        let var = scopes.var(v);
        if cx.range.contains(&var.at.start) || var.storage == Storage::Other || reduced.contains(&v) {
            continue;
        }
        let shape = var.ty.map(|t| unit.shape(t));
        // What an array parameter or a pointer points to is not copied.
        let copied = match shape {
            Some(Shape::Array(..)) => var.storage != Storage::Param,
            Some(Shape::Number(_) | Shape::Enum | Shape::Record) => true,
            _ => false,
        };
        let changed = access.written || access.memory_written || access.escapes;
        if !copied || !changed {
            continue;
        }
        let scalar = matches!(shape, Some(Shape::Number(_) | Shape::Enum));
        let implicit = scalar
            && construct != Construct::Kernels
            && !counting.contains(&v)
            && cx.passing(v, &[], &[], &[]) == Passing::Value
            && !cx.scopes.sites_in(&cx.range).any(|(i, _)| cx.words_of(i).reductions.iter().any(|r| r.1 == v));
        let x = &var.name;
        let first = firsts.contains(&v) || implicit && !privates.contains(&v);
        if first && !matches!(shape, Some(Shape::Array(..))) {
            // By value: a `register` variable has no address.
            let _ = write!(out, "__typeof__({x}) __unspool_f_{x} = {x}; __typeof__({x}) {x} = __unspool_f_{x}; ");
        } else if first {
            let _ = write!(
                out,
                "__typeof__({x}) *__unspool_f_{x} = &{x}; __typeof__(*__unspool_f_{x}) {x}; __builtin_memcpy((void *)&{x}, __unspool_f_{x}, sizeof {x}); "
            );
        } else if privates.contains(&v) && !counting.contains(&v) {
            let _ = write!(out, "__typeof__({x}) {x}; ");
        }
    }
    out
}

impl Cx<'_> {
    /// The sections that `private` clauses in the region give to pointers.
    pub(super) fn sections(&self) -> Sections {
        let mut out = Sections::default();
        let inside = self.scopes.sites_in(&self.range).map(|(i, _)| i);
        for i in std::iter::once(self.site).chain(inside) {
            let site = &self.scopes.sites[i];
            let own = [ClauseKind::Private, ClauseKind::Firstprivate, ClauseKind::Reduction];
            let clauses = own.into_iter().flat_map(|k| site.directive.all(k));
            for o in clauses.flat_map(|c| &c.operands) {
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

    /// The arrays and sections of pointers that `firstprivate` names, and whether the region changes them.
    pub(super) fn firsts(&self, sections: &Sections) -> Vec<(VarId, bool)> {
        let site = &self.scopes.sites[self.site];
        let named = site.directive.all(ClauseKind::Firstprivate).flat_map(|c| self.named(site, c));
        let is_array = |v: &VarId| {
            let shape = self.scopes.var(*v).ty.map(|t| self.unit.shape(t));
            matches!(shape, Some(Shape::Array(..))) || sections.contains_key(v)
        };
        let changed = |v: VarId| {
            let access = self.accesses.iter().find(|(u, _)| *u == v).map(|(_, a)| *a).unwrap_or_default();
            (v, access.written || access.memory_written || access.escapes)
        };
        named.filter(is_array).map(changed).collect()
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
        if self.counted.contains(&v) && !privates.contains(&v) {
            return Passing::Value;
        }
        if privates.contains(&v) || loop_variables.contains(&v) && !self.has_clause(v) && !self.kept.contains(&v) {
            return Passing::Private;
        }
        let var = self.scopes.var(v);
        let shape = var.ty.map(|t| self.unit.shape(t));
        if self.captured.contains(&v) && matches!(shape, Some(Shape::Number(_) | Shape::Enum)) {
            return Passing::Place;
        }
        let site = &self.scopes.sites[self.site];
        let first = site.directive.all(ClauseKind::Firstprivate).any(|c| self.named(site, c).contains(&v));
        if first {
            return Passing::Value;
        }
        let access = self.accesses.iter().find(|(u, _)| *u == v).map(|(_, a)| *a).unwrap_or_default();
        match shape {
            Some(Shape::Number(_) | Shape::Enum) if self.is_data(v) => Passing::Place,
            Some(Shape::Number(_) | Shape::Enum) if self.construct != Construct::Kernels => Passing::Value,
            Some(Shape::Number(_) | Shape::Enum) if access.written => Passing::Place,
            Some(Shape::Number(_) | Shape::Enum | Shape::Pointer(_)) => Passing::Value,
            Some(Shape::Record) => Passing::Place,
            _ => Passing::Value,
        }
    }

    /// Whether a clause of the construct itself names a variable.
    pub(crate) fn has_clause(&self, v: VarId) -> bool {
        self.items.iter().any(|i| i.var == Some(v) && !i.implicit)
    }

    /// Whether a data clause of the construct itself names a part of a variable: a member of a structure.
    fn has_clause_of_members(&self, v: VarId) -> bool {
        let site = &self.scopes.sites[self.site];
        let d = &site.directive;
        let mut data = d.clauses.iter().filter(|c| data::action(d.kind, c.kind).is_some());
        data.any(|c| self.named(site, c).contains(&v))
    }

    /// Whether a data clause that can be seen here, of this directive or of one around it, names a variable.
    pub(super) fn is_data(&self, v: VarId) -> bool {
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
        let inclusive = site.directive.inclusive;
        let (mut skip, mut added, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
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
        let sections = self.sections();
        self.sections_of_clauses(inclusive);
        let counting = self.loop_variables(&self.range);
        for &(v, access) in &self.accesses {
            let var = self.scopes.var(v);
            let inside = self.range.contains(&var.at.start);
            if inside
                || var.storage == Storage::Other
                || skip.contains(&v)
                || self.has_clause(v)
                || counting.contains(&v) && !self.kept.contains(&v)
            {
                continue;
            }
            if let Some(item) = self.reduced_section(v, &sections) {
                added.push(item);
                continue;
            }
            let written = access.written || access.memory_written || access.escapes;
            let action = if written { Action::Copy } else { Action::Copyin };
            let action = if default == "present" { Action::Present } else { action };
            // What a clause around brings is what is meant (OpenACC 3.4, 2.6.2), be it only a section.
            let flags = if self.is_data(v) || self.has_clause_of_members(v) { data::flag::VISIBLE } else { 0 };
            match var.ty.map(|t| self.unit.shape(t)) {
                // An array of pointers, of which rows are used, is those rows.
                Some(Shape::Array(e, _)) if matches!(self.unit.shape(e), Shape::Pointer(_)) => {
                    let rows = crate::extent::extents(self, v);
                    let item = rows.map(|e| data::found(self.scopes, v, action, flags, &e, inclusive));
                    added.push(item.unwrap_or_else(|| data::implicit(self.unit, self.scopes, v, action, flags)));
                }
                // How much of it there is the loops have to tell.
                Some(shape @ (Shape::Pointer(_) | Shape::Array(..)))
                    if (access.memory_read || access.memory_written || matches!(shape, Shape::Array(..)))
                        && data::is_open(self.unit, var, self.range.start) =>
                {
                    match crate::extent::extents(self, v) {
                        Some(e) => added.push(data::found(self.scopes, v, action, flags, &e, inclusive)),
                        None if action != Action::Present && !self.is_data(v) => unknown.push(var.name.clone()),
                        None => {}
                    }
                }
                Some(Shape::Array(..) | Shape::Record) => {
                    added.push(data::implicit(self.unit, self.scopes, v, action, flags));
                }
                Some(Shape::Number(_) | Shape::Enum) if self.captured.contains(&v) => {
                    added.push(data::implicit(self.unit, self.scopes, v, action, flags));
                }
                Some(Shape::Number(_) | Shape::Enum) if self.construct == Construct::Kernels && access.written => {
                    added.push(data::implicit(self.unit, self.scopes, v, Action::Copy, flags));
                }
                // What it points to is reached through another pointer.
                Some(Shape::Pointer(_)) if access.copied && action != Action::Present && !self.is_data(v) => {
                    unknown.push(var.name.clone());
                }
                _ => {}
            }
        }
        if default == "none" {
            self.tell_what_none_misses(&skip, &counting);
        }
        self.items.extend(added);
        self.tell_data();
        let (line, _) = self.unit.line(self.scopes.sites[self.site].directive.span.start);
        for name in unknown {
            // It is there if a data construct of the caller's has brought it.
            self.say(line, &format!("Accelerator restriction: size of the GPU copy of {name} is unknown"));
        }
    }

    /// Pointers that clauses of the construct name without a section: the loops tell which one, as they do where no clause names them.
    fn sections_of_clauses(&mut self, inclusive: bool) {
        let found: Vec<(usize, data::Item)> = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, i)| matches!(i.action, Action::Copy | Action::Copyin | Action::Copyout | Action::Create))
            .filter_map(|(n, i)| {
                let v = i.var?;
                let var = self.scopes.var(v);
                // The item is shown as the program has it.
                if i.shown != var.name || !data::is_open(self.unit, var, self.range.start) {
                    return None;
                }
                let e = crate::extent::extents(self, v)?;
                let flags = if self.is_data_around(v) { data::flag::VISIBLE } else { 0 };
                let made = data::found(self.scopes, v, i.action, i.flags | flags, &e, inclusive);
                Some((n, data::Item { implicit: false, ..made }))
            })
            .collect();
        for (n, item) in found {
            self.items[n] = item;
        }
    }

    /// `default(none)`: variables without a clause are found out all the same, and named.
    fn tell_what_none_misses(&mut self, skip: &[VarId], counting: &[VarId]) {
        let site = &self.scopes.sites[self.site];
        let mut reduced: Vec<VarId> =
            site.directive.all(ClauseKind::Reduction).flat_map(|c| self.named(site, c)).collect();
        for (i, _) in self.scopes.sites_in(&self.range) {
            reduced.extend(self.words_of(i).reductions.iter().map(|r| r.1));
        }
        let missed = |v: VarId| {
            let var = self.scopes.var(v);
            let known = skip.contains(&v) || counting.contains(&v) || reduced.contains(&v) || self.is_data(v);
            !known && var.storage != Storage::Other && !self.range.contains(&var.at.start)
        };
        let scalar = |v: VarId| {
            let shape = self.scopes.var(v).ty.map(|t| self.unit.shape(t));
            matches!(shape, Some(Shape::Number(_) | Shape::Enum))
        };
        let found: Vec<VarId> = self.accesses.iter().map(|a| a.0).filter(|&v| missed(v)).collect();
        let at = site.directive.span.clone();
        // Other compilers let scalars pass, which are each thread's own anyway.
        for (rule, scalars) in [(Some("E0820"), false), (None, true)] {
            let these = found.iter().filter(|&&v| scalar(v) == scalars);
            let names: Vec<String> = these.map(|&v| format!("`{}`", self.scopes.var(v).name)).collect();
            if !names.is_empty() {
                let text = format!("`default(none)`, and no clause names {}", names.join(", "));
                let help = "name arrays in a data clause, and scalars in `firstprivate`, `private` or `copy`";
                self.warnings.push(Warning { at: at.clone(), text, help, rule });
            }
        }
    }

    fn tell_data(&mut self) {
        let at = self.scopes.sites[self.site].directive.span.start;
        let (line, _) = self.unit.line(at);
        let told = crate::told::data_info(self.scopes.sites[self.site].directive.kind, &self.items);
        told.into_iter().for_each(|t| self.say(line, &t));
    }

    /// The data of a reduction's pointer: the section that its clause names.
    fn reduced_section(&self, v: VarId, sections: &Sections) -> Option<data::Item> {
        // As the program has them, without their conversions.
        let plain = |t: &str| t.strip_prefix("(long)(").and_then(|t| t.strip_suffix(')')).unwrap_or(t).to_owned();
        let (lower, count) = sections.get(&v).map(|(lower, count)| (plain(lower), plain(count)))?;
        let upper = format!("({lower}) + ({count}) - 1");
        let extent = Extent { lower, count, upper };
        Some(data::found(self.scopes, v, Action::Copy, 0, &[extent], false))
    }

    /// What is reduced is data of the region: the result must come back.
    pub(super) fn reduced_data(&mut self, reductions: &[(String, VarId)]) {
        let sections = self.sections();
        for (_, v) in reductions {
            if !self.items.iter().any(|i| i.var == Some(*v)) {
                let item = self.reduced_section(*v, &sections);
                self.items.push(item.unwrap_or_else(|| data::implicit(self.unit, self.scopes, *v, Action::Copy, 0)));
            }
        }
    }
}
