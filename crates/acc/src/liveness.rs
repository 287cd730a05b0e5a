//! Where a scalar has a value of its own: where it has surely been set, whether each iteration sets it before it reads it, and
//! whether the value that a statement leaves in it is read later.

use crate::access::place;
use crate::loops::{plain, strip};
use crate::region::{Construct, Cx};
use crate::scope::{Storage, Use, VarId};
use directives::{ClauseKind, Kind};
use std::ops::Range;
use syntax::ast::{ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// Deepest nest of `if`s and blocks that is looked into.
const MAX_BRANCHES: u32 = 32;

impl Cx<'_> {
    /// Where a variable has surely been set in the same run of the statements around: from behind an assignment that stands
    /// by itself in a block, or in both branches of an `if` there, to the block's end, or to the next label that a jump may come to.
    /// Blocks of a part of the text are asked.
    pub(crate) fn set_ranges(&self, v: VarId, part: &Range<usize>) -> Vec<Range<usize>> {
        let (unit, ast) = (self.unit, &self.unit.ast);
        let sets = |e: ExprId| match ast[strip(unit, e)].kind {
            ExprKind::Assign(None, place, _) => self.scopes.of.get(&strip(unit, place)) == Some(&v),
            _ => false,
        };
        // Where what a statement begins with sets the variable for all that comes behind it.
        let set_by = |s: StmtId| match ast[s].kind {
            StmtKind::Expr(e) if sets(e) => Some(unit.range(ast[s].span).end),
            StmtKind::For { init: Some(init), .. } => match ast[init].kind {
                StmtKind::Expr(e) if sets(e) => Some(unit.range(ast[init].span).end),
                _ => None,
            },
            StmtKind::If { .. } if self.both_ways(s, &sets) => Some(unit.range(ast[s].span).end),
            _ => None,
        };
        let mut out = Vec::new();
        for s in unit.stmts_in(part) {
            match ast[s].kind {
                StmtKind::For { .. } => out.extend(set_by(s).map(|at| at..unit.range(ast[s].span).end)),
                StmtKind::Compound(list) => {
                    let list = ast.list(list);
                    let block = unit.range(ast[s].span).end;
                    for (n, &child) in list.iter().enumerate() {
                        let Some(at) = set_by(child) else { continue };
                        let label = list[n + 1..].iter().find(|&&c| is_label(&ast[c].kind));
                        out.push(at..label.map_or(block, |&c| unit.range(ast[c].span).start));
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Whether an `if` does something whichever way it goes, and no jump comes into it.
    fn both_ways(&self, s: StmtId, does: &dyn Fn(ExprId) -> bool) -> bool {
        let ast = &self.unit.ast;
        let at = self.unit.range(ast[s].span);
        let labelled = || self.unit.stmts_in(&at).into_iter().any(|l| is_label(&ast[l].kind));
        self.surely(s, does, MAX_BRANCHES) && !labelled()
    }

    /// Whether a statement that is left at its end has done something.
    fn surely(&self, s: StmtId, does: &dyn Fn(ExprId) -> bool, left: u32) -> bool {
        let ast = &self.unit.ast;
        let inner = |s: StmtId| left > 0 && self.surely(s, does, left - 1);
        match ast[s].kind {
            StmtKind::Expr(e) => does(e),
            StmtKind::Compound(list) => ast.list(list).iter().any(|&s| inner(s)),
            StmtKind::If { then, els: Some(els), .. } => inner(then) && inner(els),
            _ => false,
        }
    }

    /// Whether a use of a name reads it.
    pub(crate) fn is_read(&self, u: &Use) -> bool {
        let p = place(self.unit, self.scopes, self.parents, u.expr);
        p.access.read || p.access.escapes || !p.access.written
    }

    /// Whether each run of a part of the text sets a variable before it reads it.
    pub(crate) fn sets_first(&self, v: VarId, body: &Range<usize>) -> bool {
        let sets = self.set_ranges(v, body);
        let uses = self.scopes.uses_in(body).iter().filter(|u| u.var == v);
        uses.filter(|u| self.is_read(u)).all(|u| sets.iter().any(|r| r.contains(&u.at.start)))
    }

    /// Whether the value that a part of a function leaves in a variable may be read behind it.
    pub(crate) fn is_wanted_behind(&self, v: VarId, part: &Range<usize>) -> bool {
        if self.ended.contains(&v) {
            return false;
        }
        let var = self.scopes.var(v);
        let unit = self.unit;
        let Some(function) = unit.external_at(part.start).map(|i| unit.externals[i].clone()) else { return true };
        if var.storage == Storage::Static || self.has_address_taken(v, &function) {
            return true;
        }
        let sets = self.set_ranges(v, &function);
        let jump = |s: StmtId| matches!(unit.ast[s].kind, StmtKind::Goto(_) | StmtKind::GotoIndirect(_));
        let jumps = unit.stmts_in(&function).into_iter().any(jump);
        // Behind it, and, if a loop is around it or the function jumps, before it.
        let again = if jumps { Some(function.clone()) } else { self.loop_around(part) };
        let later = |at: usize| at >= part.end || again.as_ref().is_some_and(|r| r.contains(&at) && at < part.start);
        let set_between = |u: &Use| {
            // Before it only another run of a loop's body comes to a use: what the loop begins with is not done again.
            let from = match u.at.start >= part.end {
                true => part.end,
                false if jumps => function.start,
                false => self.body_around(part, u.at.start).unwrap_or(part.end),
            };
            sets.iter().any(|r| r.start >= from && r.contains(&u.at.start))
        };
        let read = self
            .scopes
            .uses_in(&function)
            .iter()
            .any(|u| u.var == v && later(u.at.start) && self.is_read(u) && !set_between(u));
        let named = self.scopes.sites_in(&function).any(|(_, s)| {
            let data = s.directive.clauses.iter().filter(|c| !matches!(c.kind, ClauseKind::Private));
            later(s.directive.span.start)
                && data
                    .flat_map(|c| &c.operands)
                    .any(|o| crate::unit::words(&unit.text[o.text.clone()]).any(|w| s.names.get(w) == Some(&v)))
        });
        read || named
    }

    /// Whether a pointer to a variable may be about.
    fn has_address_taken(&self, v: VarId, function: &Range<usize>) -> bool {
        self.scopes.uses_in(function).iter().filter(|u| u.var == v).any(|u| {
            let parent = self.parents.get(&u.expr);
            parent.is_some_and(|&p| matches!(self.unit.ast[p].kind, ExprKind::Unary(UnaryOp::AddrOf, _)))
        })
    }

    /// The outermost loop around a part of the text.
    fn loop_around(&self, part: &Range<usize>) -> Option<Range<usize>> {
        let is_loop = |s: &StmtId| {
            matches!(self.unit.ast[*s].kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. })
        };
        let all = self.unit.stmts_in(&self.unit.function_at(part.start));
        let loops = all.into_iter().filter(is_loop).map(|s| self.unit.range(self.unit.ast[s].span));
        loops.filter(|r| r.start < part.start && r.end >= part.end).max_by_key(Range::len)
    }

    /// Where the body of the innermost loop begins that is around a part of the text and a place.
    fn body_around(&self, part: &Range<usize>, at: usize) -> Option<usize> {
        let ast = &self.unit.ast;
        let start = |s: StmtId| self.unit.range(ast[s].span).start;
        let all = self.unit.stmts_in(&self.unit.function_at(part.start));
        let bodies = all.into_iter().filter_map(|s| match ast[s].kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Do { body, .. } => {
                Some((self.unit.range(ast[s].span), start(body)))
            }
            _ => None,
        });
        let around = bodies.filter(|(r, _)| r.start < part.start && r.end >= part.end && r.contains(&at));
        around.min_by_key(|(r, _)| r.len()).map(|(_, body)| body)
    }

    /// The variables that loops of a `kernels` construct count with, that the function has declared before it, and whose values
    /// pass between its loops, or out of it: they are data, as other scalars are. What a directive on a loop makes private is not.
    pub(crate) fn kept_variables(&self) -> Vec<VarId> {
        if self.construct != Construct::Kernels {
            return Vec::new();
        }
        let mut out = self.counters_from_outside();
        out.retain(|&v| {
            !self.counts_a_directed_loop(v)
                && (!self.sets_first(v, &self.range) || self.is_wanted_behind(v, &self.range))
        });
        out
    }

    /// The variables of a `kernels` construct that loops with a directive count with, each its own (OpenACC 3.4, 2.6.1), while the rest of
    /// the construct reads what the program has set before it.
    pub(crate) fn read_and_counted(&self) -> Vec<VarId> {
        if self.construct != Construct::Kernels {
            return Vec::new();
        }
        let mut out = self.counters_from_outside();
        let loops: Vec<crate::loops::CountedLoop> = self.directed_loops();
        out.retain(|&v| {
            let in_its_loop = |at: usize| loops.iter().any(|l| l.var == v && l.range.contains(&at));
            let uses = || self.scopes.uses_in(&self.range).iter().filter(|u| u.var == v && !in_its_loop(u.at.start));
            let written = |u: &crate::scope::Use| {
                crate::access::place(self.unit, self.scopes, self.parents, u.expr).access.written
            };
            !self.kept.contains(&v) && uses().count() > 0 && !uses().any(written)
        });
        out
    }

    /// The variables that loops of a construct count with, that are declared before it and that none of its clauses names.
    fn counters_from_outside(&self) -> Vec<VarId> {
        let mut out = self.loop_variables(&self.range);
        out.sort_unstable();
        out.dedup();
        out.retain(|&v| !self.range.contains(&self.scopes.var(v).at.start) && !self.has_clause(v));
        out
    }

    /// The loops of a construct that a directive stands on.
    pub(crate) fn directed_loops(&self) -> Vec<crate::loops::CountedLoop> {
        let all = self.scopes.sites_in(&self.range).filter(|(_, s)| matches!(s.directive.kind, Kind::Loop | Kind::For));
        let counted = |t| crate::loops::CountedLoop::of(self.unit, self.scopes, plain(self.unit, t));
        all.filter_map(|(_, s)| s.target).filter_map(counted).collect()
    }

    /// Whether a directive stands on a loop that counts with a variable (OpenACC 3.4, 2.6.1: it is private then).
    pub(crate) fn counts_a_directed_loop(&self, v: VarId) -> bool {
        let target = self.scopes.sites[self.site].target.filter(|_| {
            matches!(
                self.scopes.sites[self.site].directive.kind,
                Kind::KernelsLoop | Kind::ParallelLoop | Kind::RegionFor
            )
        });
        let inner =
            self.scopes.sites_in(&self.range).filter(|(_, s)| matches!(s.directive.kind, Kind::Loop | Kind::For));
        inner.filter_map(|(_, s)| s.target).chain(target).any(|t| {
            let l = crate::loops::CountedLoop::of(self.unit, self.scopes, plain(self.unit, t));
            l.is_some_and(|l| l.var == v)
        })
    }
}

/// Whether a jump may come to a statement of a block.
fn is_label(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Labelled(_) | StmtKind::Case { .. } | StmtKind::Default | StmtKind::Label(_))
}
