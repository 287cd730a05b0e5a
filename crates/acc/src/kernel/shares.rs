//! Kernels whose work-items share the iterations of loops, since each has memory of its own: reductions, private arrays.
//!
//! On GPUs the iterations go to the work-items one after another, in steps of their number, so that what a warp's threads access lies
//! side by side. On processors each group has a part of the iterations that lies in one piece: it goes along rows of memory, which
//! stay in the cache that the lines were fetched to, and it divides once for a row, not once for an iteration. The lanes of the group
//! are neighbours in the innermost loop.

use super::Writer;
use crate::edit::Edits;
use crate::host::{ITEMS, NARROW, SHARING};
use crate::loops::CountedLoop;
use std::fmt::Write;
use syntax::ast::{ExprId, ExprKind, StmtId, StmtKind};

/// Expressions of a body up to which its values, two vectors each, stay in registers.
const MOST_IN_PAIRS: usize = 128;
/// Functions that are an instruction or two.
const LIGHT: [&str; 8] = ["fabs", "fabsf", "fmax", "fmaxf", "fmin", "fminf", "sqrt", "sqrtf"];

impl Writer<'_> {
    /// The macro that says how many work-items a group has on processors; 0 on GPUs.
    pub(super) fn group(&self) -> &'static str {
        match self.plan.schedule {
            _ if self.plan.narrow => NARROW,
            super::Schedule::Shared(..) => SHARING,
            _ => ITEMS,
        }
    }

    /// Whether a group should go through its iterations once where vectors hold half of it, two at a time: it does little but wait
    /// for memory then, or for the sum before, and few values are alive. Else it goes through them twice.
    pub(super) fn goes_in_pairs(&self) -> bool {
        let (unit, body) = (self.unit, self.unit.range(self.unit.ast[self.plan.body].span));
        let is_loop = |s: &StmtId| {
            use StmtKind as S;
            matches!(unit.ast[*s].kind, S::For { .. } | S::While { .. } | S::Do { .. } | S::Switch { .. })
        };
        let exprs = unit.exprs_in(&body);
        let light = |e: &ExprId| match unit.ast[*e].kind {
            ExprKind::Call { callee, .. } => LIGHT.contains(&unit.slice(unit.ast[callee].span).trim()),
            _ => true,
        };
        matches!(self.plan.schedule, super::Schedule::Shared(..))
            && !self.plan.narrow
            && exprs.len() <= MOST_IN_PAIRS
            && exprs.iter().all(light)
            && !unit.stmts_in(&body).iter().any(is_loop)
    }

    /// What a work-item does whose share of the iterations is not its alone; `begin` and `end` stand around all of it.
    pub(super) fn share_out(
        &self,
        loops: &[CountedLoop],
        body: &str,
        edits: &Edits,
        (begin, end): (&str, &str),
    ) -> String {
        let head = self.extents(loops, edits);
        let (by_parts, one_by_one) = (self.by_parts(loops), self.one_by_one(loops));
        let choice = match self.plan.gpu {
            true => format!("\n#if {ITEMS}\n{by_parts}\n#else\n{one_by_one}\n#endif\n"),
            false => by_parts,
        };
        format!("{{ {begin} {head} {choice} {body} }} }} }} {end} }}")
    }

    /// The same of blocks of GPUs whose threads share loops inside.
    pub(super) fn share_out_to_blocks(
        &self,
        loops: &[CountedLoop],
        body: &str,
        edits: &Edits,
        (begin, end): (&str, &str),
    ) -> String {
        format!("{{ {begin} {} {} {body} }} }} }} {end} }}", self.extents(loops, edits), self.one_by_one(loops))
    }

    /// Declares the first value, the step and the number of iterations of each loop.
    fn extents(&self, loops: &[CountedLoop], edits: &Edits) -> String {
        let render = |e: ExprId| edits.apply(&self.unit.text, self.unit.range(self.unit.ast[e].span));
        let mut head = String::new();
        for (i, l) in loops.iter().enumerate() {
            let (lo, hi, st) = (render(l.lower), render(l.bound), l.step.map_or("1".to_owned(), render));
            let trip = l.trip(self.unit, &lo, &hi, &st);
            let _ = write!(head, "long __l{i} = {lo}, __s{i} = {st}, __t{i} = {trip}; ");
        }
        head
    }

    /// The iterations of some loops together.
    fn product(from: usize, to: usize) -> String {
        let all: Vec<String> = (from..to).map(|i| format!("__t{i}")).collect();
        if all.is_empty() { "1L".to_owned() } else { all.join(" * ") }
    }

    /// Three open braces of a work-item that has every so-manieth iteration.
    fn one_by_one(&self, loops: &[CountedLoop]) -> String {
        format!(
            "for (long __it = (long)__gid, __total = {}; __it < __total; __it += __gsize) {{ {{ {{ {}",
            Self::product(0, loops.len()),
            self.starts(loops, "__it")
        )
    }

    /// Three open braces of a group of processors that has a piece of all iterations: rows of the last loop, or parts of them where there
    /// are more groups than rows. Where the last loop is short all loops are one row.
    fn by_parts(&self, loops: &[CountedLoop]) -> String {
        let n = loops.len();
        let outer = if n > 1 && !self.plan.by_rows { 0 } else { n.saturating_sub(1) };
        let items = self.group();
        let lane = "(int)__unspool_local_id(0)";
        let inner = match &loops[outer..] {
            [last] => self.start_of_lane(last, outer, "__at"),
            all => self.starts(all, &format!("(__at + {lane})")),
        };
        format!(
            "const long __rows = {rows}, __cols = {cols}; const int __g = (int)__unspool_group_id(0), __gs = (int)__unspool_groups(0); \
             const long __cut = __rows > 0 && __rows < __gs ? (__gs + __rows - 1) / __rows : 1; \
             const long __wide = ((__cols + __cut - 1) / __cut + {items} - 1) / {items} * {items}; \
             const long __all = __rows * __cut, __each = __all / __gs, __more = __all % __gs; \
             const long __first = __each * __g + (__g < __more ? __g : __more); \
             for (long __part = __first, __end = __first + __each + (__g < __more); __part < __end; __part++) {{ \
             const long __row = __part / __cut; {starts} \
             const long __from = __part % __cut * __wide, __to = __cols - __from < __wide ? __cols : __from + __wide; \
             for (long __at = __from; __at < __to; __at += {items}) {{ const int __left = __to - __at < {items} ? (int)(__to - __at) : {items}; \
             if ({lane} < __left) {{ {inner}",
            rows = Self::product(0, outer),
            cols = Self::product(outer, n),
            starts = self.starts(&loops[..outer], "__row"),
        )
    }

    /// The variables of loops in the iteration with a number.
    fn starts(&self, loops: &[CountedLoop], number: &str) -> String {
        let mut starts = String::new();
        let mut rest = number.to_owned();
        for (i, l) in loops.iter().enumerate().rev() {
            let own = if i == 0 { rest.clone() } else { format!("({rest} % __t{i})") };
            starts.push_str(&self.start(l, i, &own));
            rest = format!("({rest} / __t{i})");
        }
        starts
    }

    /// The variable of the loop `i` in one of its iterations.
    fn start(&self, l: &CountedLoop, i: usize, own: &str) -> String {
        let local = self.unit.declare(l.ty, &self.scopes.var(l.var).name).unwrap_or_default();
        let sign = if l.down { "-" } else { "+" };
        format!("{local} = __l{i} {sign} {own} * __s{i}; ")
    }

    /// The variable of the loop `i` in the iteration that a lane of a group has, which begins with the iteration `first`: in the
    /// variable's own type, so that neighbours of a group are seen to be neighbours in memory.
    fn start_of_lane(&self, l: &CountedLoop, i: usize, first: &str) -> String {
        let local = self.unit.declare(l.ty, &self.scopes.var(l.var).name).unwrap_or_default();
        let kind = self.unit.declare(l.ty, "").unwrap_or_default();
        let sign = if l.down { "-" } else { "+" };
        let index = format!("({kind})({first}) + (int)__unspool_local_id(0)");
        let scaled = if l.step.is_some() { format!("({index}) * ({kind})__s{i}") } else { format!("({index})") };
        format!("{local} = ({kind})__l{i} {sign} {scaled}; ")
    }
}
