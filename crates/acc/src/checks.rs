//! `-Mbounds`: subscripts of kernels are compared with the bounds of their arrays. The first that is out of them is recorded, and
//! the program ends with it when the kernel is done; the access itself is made to the array's first element in its place.
//!
//! Known are the extents in types, and of what pointers point to the section that a data clause of the construct or of one
//! around it names; on devices with memory apart else what is present.

use crate::ctype::Shape;
use crate::edit::Edits;
use crate::kernel::{Passing, Writer};
use crate::scope::{Storage, Use, VarId};
use std::ops::Range;
use syntax::ast::{ExprId, ExprKind, UnaryOp};

/// What kernels with checks need.
pub(crate) const FUNCTION: &str = "\
static long __unspool_in(long *bad, long n, long i, long lo, long hi) {
    if (i >= lo && i < hi) return i;
    if (__unspool_atomic_cas((unsigned long *)bad, 0UL, (unsigned long)n) == 0) { bad[1] = i; bad[2] = lo; bad[3] = hi; }
    return lo;
}
";

impl Writer<'_> {
    /// Puts checks around the subscripts of a range.
    pub(crate) fn check(&mut self, range: &Range<usize>, edits: &mut Edits) {
        let mut table: Vec<String> = Vec::new();
        let mut bounded: Vec<VarId> = Vec::new();
        for u in self.scopes.uses_in(range).to_vec() {
            for (level, (chain, index)) in self.chain(&u).into_iter().enumerate() {
                let Some((low, high)) = self.bounds(&u, level, range, &mut bounded) else { continue };
                let at = self.unit.range(self.unit.ast[index].span);
                let quote = |t: &str| t.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
                let (line, _) = self.unit.line(at.start);
                let whole = quote(self.unit.slice(self.unit.ast[chain].span));
                let name = &self.scopes.var(u.var).name;
                table.push(format!("{{ \"{name}\", \"{whole}\", {line}, {} }}", level + 1));
                edits.insert(at.start, format!("__unspool_in(__bad, {}, (long)(", table.len()));
                edits.insert_after(at.end, format!("), {low}, {high})"));
            }
        }
        if table.is_empty() {
            return;
        }
        self.params.push("long *__bad".to_owned());
        self.arguments.value("void *__bad", &format!("__unspool_acc_watch(__unspool_w, {})", table.len()));
        let checks = format!("static const struct __unspool_acc_check __unspool_w[] = {{ {} }}; ", table.join(", "));
        self.setup.push_str(&checks);
    }

    /// The subscripts behind a name: all of the access so far, and the index. Those whose address is taken are none: one behind
    /// the last element is allowed there.
    fn chain(&self, u: &Use) -> Vec<(ExprId, ExprId)> {
        let mut out = Vec::new();
        let mut e = u.expr;
        while let Some(&p) = self.parents.get(&e) {
            match self.unit.ast[p].kind {
                ExprKind::Index { base, index } if base == e => out.push((p, index)),
                ExprKind::Paren(_) if out.is_empty() => {}
                ExprKind::Unary(UnaryOp::AddrOf, _) => {
                    out.pop();
                    break;
                }
                _ => break,
            }
            e = p;
        }
        // Rows have no extent of their own in messages: the last access shows all subscripts.
        let last = out.last().map(|l| l.0);
        out.into_iter().map(|(e, i)| (last.unwrap_or(e), i)).collect()
    }

    /// The bounds of a subscript, as expressions of the kernel.
    fn bounds(
        &mut self,
        u: &Use,
        level: usize,
        range: &Range<usize>,
        bounded: &mut Vec<VarId>,
    ) -> Option<(String, String)> {
        let var = self.scopes.var(u.var).clone();
        let ty = var.ty?;
        let (dims, _) = self.unit.dimensions(ty);
        let is_array = matches!(self.unit.shape(ty), Shape::Array(..)) && var.storage != Storage::Param;
        let known = dims.get(level).copied().flatten().filter(|_| level > 0 || is_array);
        if let Some(n) = known {
            return Some(("0".to_owned(), n.to_string()));
        }
        let inside = range.contains(&var.at.start) || self.is_inner_private(u.var, &u.at);
        let passed = (self.plan.passing)(u.var) == Passing::Value && var.storage != Storage::Other;
        if inside || !passed || level >= dims.len() {
            return None;
        }
        if level > 0 {
            return Some(("0".to_owned(), format!("{}__e{level}", var.name)));
        }
        let (low, high) = (format!("{}__lo", var.name), format!("{}__hi", var.name));
        if !bounded.contains(&u.var) {
            bounded.push(u.var);
            match ((self.plan.item_of)(u.var), (self.plan.section_of)(u.var)) {
                (_, Some((lower, upper))) => {
                    self.long(&low, &lower);
                    self.long(&high, &upper);
                }
                (item, _) => {
                    let item = item.map_or("0".to_owned(), |i| format!("&__unspool_i[{i}]"));
                    let name = &var.name;
                    let bound = |upper: u8| {
                        format!("__unspool_acc_bound({item}, (const void *)({name}), sizeof(({name})[0]), {upper})")
                    };
                    let (a, b) = (bound(0), bound(1));
                    self.long(&low, &a);
                    self.long(&high, &b);
                }
            }
        }
        Some((low, high))
    }

    /// Calls of routines with `bind` become calls of what they are bound to.
    pub(crate) fn bound_functions(&self, range: &Range<usize>, edits: &mut Edits) {
        for u in self.scopes.uses_in(range) {
            let var = self.scopes.var(u.var);
            if var.storage == Storage::Other
                && let Some(name) = self.scopes.routines.get(&var.name).and_then(|r| r.bind.as_ref())
            {
                edits.replace(u.at.clone(), name.clone());
            }
        }
    }
}
