//! Kernels whose arrays share no memory.
//!
//! What a kernel stores might be what it loads by another pointer. If the program declares its pointers without `restrict`, a sum in
//! memory has to be stored and loaded again in each iteration of a loop, or tests before the loop find out whether it must, each
//! with a second version of the loop. Here the host asks before the launch, by what it knows of the arrays' extents, and a kernel
//! whose parameters are `restrict` runs if nothing overlaps. Else one does that is as the program has it, and small: hardly any program
//! needs it.
//!
//! The same is so where iterations fill records (`o[4 * i]`, `o[4 * i + 1]`, …) from others: what the first field stores might be what the
//! second loads, and rows of records can be taken apart only whole.
//!
//! What must hold for `restrict`: all memory that the kernel reaches is that of arrays of numbers, by their own names; each that it
//! writes lies apart from all others, because both are declared as arrays, one is `restrict`, or the answer says so.
//!
//! Limits: these two kinds of kernels (others gain little), [`MAX_QUESTIONS`] pairs; arrays whose extents nobody knows when the program
//! is compiled have no answer. Cost: linear, but for the pairs.

use super::Cx;
use crate::access;
use crate::ctype::Shape;
use crate::kernel::{Passing, Schedule};
use crate::loops::CountedLoop;
use crate::purity;
use crate::reach::Reach;
use crate::scope::{Storage, VarId};
use crate::verdict::Question;
use std::ops::Range;
use syntax::ast::{ExprId, ExprKind, TypeId, UnaryOp};

/// Elements of a record.
const RECORD: std::ops::RangeInclusive<i128> = 2..=16;
/// Most pairs of arrays about which is asked before a launch.
const MAX_QUESTIONS: usize = 8;

impl Cx<'_> {
    /// What must be true before the launch of a kernel over `range` for its arrays to lie apart: expressions of the host, none of them
    /// if that is known. `None` if it cannot be told, or would not help. `own` is what each work-item has for itself.
    pub(super) fn apart_if(&self, schedule: &Schedule, range: &Range<usize>, own: &[VarId]) -> Option<Vec<String>> {
        let helps = || self.adds_up_in_memory(range) || self.fills_records(schedule);
        if self.checked || matches!(schedule, Schedule::Serial) || !helps() {
            return None;
        }
        let arrays = self.only_arrays_of_numbers(range, own)?;
        let summary = access::summary(self.unit, self.scopes, self.parents, range);
        let of = |v: VarId| summary.iter().find(|(u, _)| *u == v).map(|(_, a)| *a).unwrap_or_default();
        if arrays.iter().any(|&v| of(v).escapes || of(v).copied || of(v).written) {
            return None;
        }
        let mut questions = Vec::new();
        for (n, &a) in arrays.iter().enumerate() {
            for (m, &b) in arrays.iter().enumerate() {
                let both = of(a).memory_written && of(b).memory_written;
                if n == m || !of(a).memory_written || both && n > m || self.are_declared_apart(a, b) {
                    continue;
                }
                questions.push(self.ask_apart((a, b), true)?);
            }
        }
        (questions.len() <= MAX_QUESTIONS).then_some(questions)
    }

    /// Whether a loop in a range writes an element of an array whose subscripts do not name the loop's variable.
    fn adds_up_in_memory(&self, range: &Range<usize>) -> bool {
        let loops = self.unit.stmts_in(range).into_iter();
        let mut loops = loops.filter_map(|s| CountedLoop::of(self.unit, self.scopes, s));
        loops.any(|l| {
            let body = self.unit.range(self.unit.ast[l.body].span);
            self.scopes.uses_in(&body).iter().any(|u| {
                let p = access::place(self.unit, self.scopes, self.parents, u.expr);
                let element = || self.unit.range(self.unit.ast[self.element_of(u.expr)].span);
                p.memory
                    && p.access.written
                    && !body.contains(&self.scopes.var(u.var).at.start)
                    && !self.scopes.uses_in(&element()).iter().any(|v| v.var == l.var)
            })
        })
    }

    /// Whether iterations of the innermost loop that is shared out store to fields of records, and load from other arrays behind a
    /// store to one, in a short loop over the fields perhaps.
    fn fills_records(&self, schedule: &Schedule) -> bool {
        let (Schedule::Items(loops) | Schedule::Shared(loops, _)) = schedule else { return false };
        let Some(l) = loops.last() else { return false };
        let q = Question::of(self, l);
        let all = q.accesses(&[], &[]);
        let step = |a: &Reach| a.subscripts.last()?.as_ref()?.linear(l.var)?.0.number();
        let fields: Vec<&Reach> =
            all.iter().filter(|a| a.write && step(a).is_some_and(|n| RECORD.contains(&n.abs()))).collect();
        let in_short_loop = |a: &Reach| {
            let inner = q.inner.iter().filter(|i| i.range.contains(&a.at)).min_by_key(|i| i.range.len());
            let trips = inner.and_then(|i| i.last.as_ref()?.add(i.first.as_ref()?, -1).number());
            trips.is_some_and(|n| n < *RECORD.end())
        };
        fields.iter().any(|f| {
            let (again, is_second) = (in_short_loop(f), fields.iter().any(|g| g.at < f.at));
            let mut others = all.iter().filter(|a| !a.write && a.var != f.var);
            others.any(|a| again && in_short_loop(a) || is_second && a.at > f.at)
        })
    }

    /// The element of an array that a name is part of.
    fn element_of(&self, mut e: ExprId) -> ExprId {
        while let Some(&p) = self.parents.get(&e) {
            let is_part = match self.unit.ast[p].kind {
                ExprKind::Index { base, .. } => base == e,
                ExprKind::Paren(_) | ExprKind::Unary(UnaryOp::Deref, _) => true,
                _ => false,
            };
            if !is_part {
                break;
            }
            e = p;
        }
        e
    }

    /// The arrays, and pointers to numbers, that a range uses, if all memory that it reaches is theirs.
    fn only_arrays_of_numbers(&self, range: &Range<usize>, own: &[VarId]) -> Option<Vec<VarId>> {
        if !self.scopes.captured.in_range(self.scopes, range).is_empty() || !self.firsts(&self.sections()).is_empty() {
            return None;
        }
        let mut arrays = Vec::new();
        for u in self.scopes.uses_in(range) {
            let var = self.scopes.var(u.var);
            if var.storage == Storage::Other {
                // Enumerators are no functions.
                if self.is_function(u.var) && purity::may_know_memory(self.unit, &var.name) {
                    return None;
                }
                continue;
            }
            let is_own = own.contains(&u.var) || range.contains(&var.at.start);
            match self.unit.shape(var.ty?) {
                Shape::Number(_) | Shape::Enum if is_own => {}
                Shape::Number(_) | Shape::Enum if self.passing(u.var, own, &[], &[]) == Passing::Value => {}
                Shape::Array(..) if is_own && var.storage != Storage::Param => {}
                Shape::Array(..) | Shape::Pointer(_) if !is_own && self.holds_numbers(var.ty?) => {
                    if !arrays.contains(&u.var) {
                        arrays.push(u.var);
                    }
                }
                _ => return None,
            }
        }
        Some(arrays)
    }

    fn holds_numbers(&self, ty: TypeId) -> bool {
        matches!(self.unit.shape(self.unit.dimensions(ty).1), Shape::Number(_))
    }

    /// Whether two arrays share nothing by their declarations.
    fn are_declared_apart(&self, a: VarId, b: VarId) -> bool {
        let kind = |v: VarId| {
            let var = self.scopes.var(v);
            let array =
                matches!(var.ty.map(|t| self.unit.shape(t)), Some(Shape::Array(..))) && var.storage != Storage::Param;
            (array, !array && var.ty.is_some_and(|t| self.unit.ast[self.unit.resolve(t)].quals.is_restrict))
        };
        let ((a_array, a_restrict), (b_array, b_restrict)) = (kind(a), kind(b));
        a_array && b_array || a_restrict || b_restrict
    }
}
