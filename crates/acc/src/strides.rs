//! Which loop fills the lanes of vectors on processors: the work-items of a kernel, or a loop inside of it.
//!
//! Work-items stand in lanes where neighbours access neighbours. Where they stride through memory (`A[i][k]`, one `i` to each lane),
//! and it is the loops inside that go from neighbour to neighbour, a group has one work-item, and these loops are for the compiler to
//! vectorise. So it has where iterations count in arrays of their own (a histogram): one array for each lane is more memory, and no
//! two lanes find theirs side by side. GPUs have groups as ever.

use crate::ctype::Shape;
use crate::loops::CountedLoop;
use crate::region::Cx;
use crate::scope::VarId;
use crate::verdict::Question;
use syntax::ast::{ExprId, ExprKind, StmtId, StmtKind};

/// Loops with fewer iterations are better unrolled than vectorised.
const SHORT: i128 = 16;
/// Expressions of a body that does little but count.
const LITTLE: usize = 24;

impl Cx<'_> {
    /// Whether a group on processors has one work-item, an iteration of `l`; it has variables of its own.
    pub(crate) fn is_narrow(&self, l: &CountedLoop, privates: &[VarId], reductions: &[(String, VarId)]) -> bool {
        self.goes_along_memory(l, privates, reductions) || self.counts_in_arrays(l, reductions)
    }

    /// Whether iterations of `l` reduce arrays, and do little else.
    pub(crate) fn counts_in_arrays(&self, l: &CountedLoop, reductions: &[(String, VarId)]) -> bool {
        let is_array = |v: VarId| {
            matches!(self.scopes.var(v).ty.map(|t| self.unit.shape(t)), Some(Shape::Array(..) | Shape::Pointer(_)))
        };
        let body = self.unit.range(self.unit.ast[l.body].span);
        let is_loop = |s: StmtId| {
            matches!(self.unit.ast[s].kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. })
        };
        let is_call = |e: &ExprId| matches!(self.unit.ast[*e].kind, ExprKind::Call { .. });
        let little = || {
            let exprs = self.unit.exprs_in(&body);
            exprs.len() <= LITTLE && !exprs.iter().any(is_call) && !self.unit.stmts_in(&body).into_iter().any(is_loop)
        };
        reductions.iter().any(|r| is_array(r.1)) && little()
    }

    /// Whether an iteration of `l` goes along memory of its own, in loops inside.
    pub(crate) fn goes_along_memory(
        &self,
        l: &CountedLoop,
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> bool {
        let q = Question::of(self, l);
        let (mut near, mut far) = (0u32, 0u32);
        for a in q.accesses(privates, reductions) {
            // What the innermost loop around it does not move is loaded once.
            let Some(inner) = q.inner.iter().filter(|i| i.range.contains(&a.at)).min_by_key(|i| i.range.len()) else {
                continue;
            };
            let Some(subscripts) = a.subscripts.into_iter().collect::<Option<Vec<_>>>().filter(|s| !s.is_empty())
            else {
                continue;
            };
            let iterations = inner.last.as_ref().zip(inner.first.as_ref()).and_then(|(l, f)| l.add(f, -1).number());
            // Short loops fill no vectors.
            if iterations.is_some_and(|n| n + 1 < SHORT) {
                continue;
            }
            if a.unknown || !subscripts.iter().any(|s| s.has(inner.var)) {
                continue;
            }
            let Some((last, rows)) = subscripts.split_last() else { continue };
            let step = |v: VarId| last.linear(v).map(|(c, _)| c);
            let in_rows = |v: VarId| rows.iter().any(|s| s.has(v));
            let unit = |v: VarId| !in_rows(v) && step(v).and_then(|c| c.number()).is_some_and(|n| n.abs() == 1);
            // Where the loop inside begins in each iteration of `l`: at the same element, a neighbour of the one before, or one of its own.
            let begins = inner.first.as_ref().map(|first| {
                let own = first.variables().any(|v| v != l.var && (q.is_local(v) || q.sets(v)));
                if own { None } else { first.linear(l.var).and_then(|(c, _)| c.number()) }
            });
            let begins_anew = !matches!(begins, Some(Some(-1..=1)));
            let says_row = in_rows(l.var) || last.has(l.var);
            match () {
                () if unit(l.var) => near += 1,
                () if !says_row && !begins_anew => {}
                () if unit(inner.var) => far += 1,
                () => {}
            }
        }
        far > near
    }
}
