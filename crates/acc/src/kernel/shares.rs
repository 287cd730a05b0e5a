//! Kernels whose work-items share the iterations of loops, since each has memory of its own: reductions, private arrays.
//!
//! On GPUs the iterations go to the work-items one after another, in steps of their number, so that what a warp's threads access lies
//! side by side; a division of 64 bits is a call there, and is done once for a work-item. On processors each group has a part of the iterations that lies in one piece: it goes along rows of memory, which
//! stay in the cache that the lines were fetched to, and it divides once for a row, not once for an iteration. The lanes of the group
//! are neighbours in the innermost loop.

use super::Writer;
use super::team::BARRIER;
use crate::block::Tile;
use crate::ctype::{Shape, number_bytes};
use crate::edit::Edits;
use crate::host::{ITEMS, NARROW, SHARING};
use crate::loops::CountedLoop;
use std::fmt::Write;
use syntax::ast::{ExprId, ExprKind, StmtId, StmtKind};

/// Expressions of a body up to which its values, two vectors each, stay in registers.
const MOST_IN_PAIRS: usize = 128;
/// Functions that are an instruction or two.
const LIGHT: [&str; 8] = ["fabs", "fabsf", "fmax", "fmaxf", "fmin", "fminf", "sqrt", "sqrtf"];

/// The numbers of iterations that a work-item has, one after another, in C.
#[derive(Default)]
struct Digits {
    /// Declares the first.
    declared: String,
    /// Goes on to the next: expressions, each after a comma.
    next: String,
}

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
        let by_parts = self.by_parts(loops);
        let choice = match self.plan.gpu {
            true => {
                let on_gpu = match self.plan.tile {
                    Some(tile) => self.by_tiles(loops, tile, ""),
                    None => self.one_by_one(loops),
                };
                format!("\n#if {ITEMS}\n{by_parts}\n#else\n{on_gpu}\n#endif\n")
            }
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
    pub(super) fn extents(&self, loops: &[CountedLoop], edits: &Edits) -> String {
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
        let total = Self::product(0, loops.len());
        let Digits { declared, next } = match loops {
            [_] => Digits::default(),
            _ => self.digits(loops, "__t", ("(long)__gid", "__gsize")),
        };
        let starts: String = match loops {
            [only] => self.start(only, 0, "__it"),
            _ => loops.iter().enumerate().map(|(i, l)| self.start(l, i, &format!("(long)__d{i}"))).collect(),
        };
        format!(
            "{declared}for (long __it = (long)__gid, __total = {total}; __it < __total; __it += __gsize{next}) {{ {{ {{ {starts}"
        )
    }

    /// Three open braces of a block of GPUs that has every so-manieth tile of the last two loops; `loads` is what it does before its threads
    /// have their iterations, which knows the variables of the loops around, the block's first iterations `__x` and `__y`, and how many
    /// there are, `__wide` and `__high`.
    pub(super) fn by_tiles(&self, loops: &[CountedLoop], tile: Tile, loads: &str) -> String {
        let (Tile { across, down }, n) = (tile, loops.len());
        let (x, y) = (n - 1, n - 2);
        let mut head = format!(
            "const int __at = (int)__unspool_local_id(0), __lx = __at % {across}, __ly = __at / {across}; \
             const long __u{x} = (__t{x} + {}) / {across}, __u{y} = (__t{y} + {}) / {down}; ",
            across - 1,
            down - 1
        );
        (0..y).for_each(|i| head.push_str(&format!("const long __u{i} = __t{i}; ")));
        let total: Vec<String> = (0..n).map(|i| format!("__u{i}")).collect();
        let group = ("(long)(int)__unspool_group_id(0)", "(long)(int)__unspool_groups(0)");
        let Digits { declared, next } = self.digits(loops, "__u", group);
        let outer: String =
            loops[..y].iter().enumerate().map(|(i, l)| self.start(l, i, &format!("(long)__d{i}"))).collect();
        // A tile of one row is in one iteration of that loop.
        let row = if down == 1 { self.start(&loops[y], y, "__fy") } else { String::new() };
        let loads = match loads {
            "" => String::new(),
            loads => format!(
                "{BARRIER} {{ {row} const long __x = __l{x} + __fx, __y = __l{y} + __fy; \
                 const int __wide = __t{x} - __fx < {across} ? (int)(__t{x} - __fx) : {across}, \
                 __high = __t{y} - __fy < {down} ? (int)(__t{y} - __fy) : {down}; {loads} }} {BARRIER} "
            ),
        };
        format!(
            "{head}{declared}for (long __it = {}, __total = {}; __it < __total; __it += {}{next}) {{ {outer} \
             const long __fx = (long)__d{x} * {across}, __fy = (long)__d{y} * {down}; {loads}{{ \
             if (__fx + __lx < __t{x} && __fy + __ly < __t{y}) {{ {} {}",
            group.0,
            total.join(" * "),
            group.1,
            self.start(&loops[y], y, "(__fy + __ly)"),
            self.start(&loops[x], x, "(__fx + __lx)")
        )
    }

    /// The numbers of iterations in each of several loops, `__d0`, …, which together are number `first`, `first + step`, …, where the loops
    /// have `count`s of them. It is divided once: from there on they are added up like digits.
    fn digits(&self, loops: &[CountedLoop], count: &str, (first, step): (&str, &str)) -> Digits {
        let mut digits = Digits::default();
        let (mut rest, mut further) = (first.to_owned(), step.to_owned());
        let mut carry = String::new();
        for (i, l) in loops.iter().enumerate().rev() {
            let narrow = matches!(self.unit.shape(l.ty), Shape::Number(b) if number_bytes(b).is_some_and(|n| n <= 4));
            let kind = if narrow { "unsigned int" } else { "unsigned long" };
            let Digits { declared, next } = &mut digits;
            if i > 0 {
                // No loop without iterations is divided by: there are none of all then.
                let _ = write!(
                    declared,
                    "const long __r{i} = {count}{i} > 0 ? {count}{i} : 1; \
                     const {kind} __c{i} = ({kind})__r{i}, __p{i} = ({kind})(({further}) % __r{i}); \
                     {kind} __d{i} = ({kind})(({rest}) % __r{i}), __o{i} = 0; "
                );
                // Adds without going beyond the type: a digit is less than the number of iterations, and what is added no more.
                let _ = write!(
                    next,
                    ", __o{i} = __d{i} >= __c{i} - (__p{i}{carry}), __d{i} += __p{i}{carry} - (__o{i} ? __c{i} : 0)"
                );
                (rest, further) = (format!("({rest}) / __r{i}"), format!("({further}) / __r{i}"));
            } else {
                let _ = write!(declared, "const {kind} __p0 = ({kind})({further}); {kind} __d0 = ({kind})({rest}); ");
                let _ = write!(next, ", __d0 += __p0{carry}");
            }
            carry = format!(" + __o{i}");
        }
        digits
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
