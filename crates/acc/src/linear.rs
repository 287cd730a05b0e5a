//! Arrays with computed extents (`double a[n][m]`): kernels have pointers to their elements, and index by hand.

use crate::edit::Edits;
use crate::scope::{Scopes, Use, VarId};
use crate::unit::Unit;
use crate::varied;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{ExprId, ExprKind};

/// The name of an extent in a kernel: that of dimension `n`, the first being 0.
pub(crate) fn extent(array: &str, n: usize) -> String {
    format!("{array}__e{n}")
}

/// The extents of an array of so many dimensions, behind the first, as the host computes them.
pub(crate) fn extents_on_host(array: &str, dims: usize) -> impl Iterator<Item = String> {
    (1..dims).map(move |n| {
        let at = format!("({array}){}", "[0]".repeat(n));
        format!("sizeof({at}) / sizeof({at}[0])")
    })
}

/// What the rewriting looks at.
pub(crate) struct Linear<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) scopes: &'a Scopes,
    pub(crate) parents: &'a FxHashMap<ExprId, ExprId>,
}

impl Linear<'_> {
    /// Rewrites `b[i][j]` of an array of `dims` dimensions to `b[i * b__e1 + j]`, and `b[i]` to the pointer to its first element;
    /// `b` itself, and what has several dimensions less, only where a function is given them that knows them as such pointers.
    /// Uses that `is_other` tells are of something else of that name.
    pub(crate) fn rewrite(
        &self,
        v: VarId,
        dims: usize,
        range: &Range<usize>,
        is_other: &dyn Fn(&Use) -> bool,
        edits: &mut Edits,
    ) -> Result<(), String> {
        let name = &self.scopes.var(v).name;
        for u in self.scopes.uses_in(range) {
            if u.var != v || is_other(u) {
                continue;
            }
            let mut chain = Vec::new();
            let mut e = u.expr;
            while chain.len() < dims
                && let Some(&p) = self.parents.get(&e)
                && let ExprKind::Index { base, index } = self.unit.ast[p].kind
                && base == e
            {
                chain.push((p, index));
                e = p;
            }
            if chain.len() + 1 < dims && !varied::is_argument(self.unit, self.scopes, self.parents, e) {
                return Err(format!("array `{name}` with computed extents is used other than by its elements or rows"));
            }
            if !chain.is_empty() {
                self.one(name, u, dims, &chain, edits)?;
            }
        }
        Ok(())
    }

    /// One use: `chain` are its indexings, from the first dimension on, and their subscripts.
    fn one(
        &self,
        name: &str,
        u: &Use,
        dims: usize,
        chain: &[(ExprId, ExprId)],
        edits: &mut Edits,
    ) -> Result<(), String> {
        let whole = chain.len() == dims;
        let mut open = if whole { "[" } else { " + (" }.to_owned();
        open.push_str(&"(".repeat(chain.len()));
        if !whole {
            edits.insert(u.at.start, "(".to_owned());
        }
        let mut end_of_base = u.at.end;
        for (i, &(at, index)) in chain.iter().enumerate() {
            let index = self.unit.range(self.unit.ast[index].span);
            let at = self.unit.range(self.unit.ast[at].span);
            let left = self.unit.text[end_of_base..index.start].find('[').ok_or("an index is hidden in a macro")?
                + end_of_base;
            if i == 0 {
                edits.replace(left..left + 1, open.clone());
            } else {
                // From `]` of the index before to `[` of this one; what is behind the first has a parenthesis around the sum.
                let close = if i == 1 { ")" } else { "))" };
                edits.replace(end_of_base - 1..left + 1, format!("{close}*{}+(", extent(name, i)));
            }
            end_of_base = at.end;
        }
        let mut close = if chain.len() == 1 { ")".to_owned() } else { "))".to_owned() };
        for n in chain.len()..dims {
            let _ = write!(close, "*{}", extent(name, n));
        }
        close.push_str(if whole { "]" } else { "))" });
        edits.replace(end_of_base - 1..end_of_base, close);
        Ok(())
    }
}
