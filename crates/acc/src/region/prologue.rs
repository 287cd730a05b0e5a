//! What a `kernels` region begins with and the host does as well: declarations, and statements that compute scalars from scalars.
//!
//! `kernels { int m; double h; m = n - 1; h = 1.0 / m; for (…) … }` has the meaning of the same declarations and assignments
//! before the region, whose loops then are kernels with bounds that the host knows. The text goes before the region's own code in
//! a block that ends with the region. Where the region runs on the host, the statement is run as it stands, and declares its own.
//!
//! What must hold of each statement: it reads numbers only, none of which is data of a device; it calls nothing but mathematics; it
//! writes what the block declares. Behind the prologue there are no declarations, and neither a clause nor the block before a declaration
//! means another variable of its name. Cost: linear in the region's text.

use super::{Construct, Cx};
use crate::access::summary;
use crate::ctype::Shape;
use crate::loops::block_of;
use crate::purity::is_mathematical;
use crate::scope::{Storage, VarId};
use std::ops::Range;
use syntax::ast::{DeclKind, ExprKind, Init, StmtId, StmtKind};

impl Cx<'_> {
    /// The prologue's text, if there is one: what remains is the region from now on.
    pub(super) fn take_prologue(&mut self, target: StmtId) -> Option<String> {
        if self.construct != Construct::Kernels {
            return None;
        }
        let (_, block) = block_of(self.unit, target)?;
        let mut declared = Vec::new();
        let mut text = String::new();
        let mut end = None;
        let mut list = block.iter().copied();
        let is_declaration = |s: StmtId| matches!(self.unit.ast[s].kind, StmtKind::Decl(_));
        for s in list.by_ref() {
            let range = self.unit.range(self.unit.ast[s].span);
            if !self.is_for_the_host(s, &range, &mut declared) {
                if is_declaration(s) || end.is_none() || declared.is_empty() {
                    return None;
                }
                break;
            }
            let lines = self.unit.text[range.clone()].lines().filter(|l| !l.trim_start().starts_with('#'));
            lines.for_each(|l| text.extend([l, " "]));
            end = Some(range.end);
        }
        let end = end?;
        if list.any(is_declaration) || declared.iter().any(|&v| self.had_another_meaning(v)) {
            return None;
        }
        self.range.start = end;
        self.accesses = summary(self.unit, self.scopes, self.parents, &self.range);
        Some(text)
    }

    /// Whether the host may do a statement; what it declares is added to `declared`.
    fn is_for_the_host(&self, s: StmtId, range: &Range<usize>, declared: &mut Vec<VarId>) -> bool {
        match self.unit.ast[s].kind {
            StmtKind::Expr(_) => {}
            StmtKind::Decl(list) => {
                for &d in self.unit.ast.list(list) {
                    let DeclKind::Var { init: Init::None | Init::Copy(_), .. } = self.unit.ast[d].kind else {
                        return false;
                    };
                    let Some(v) = self.scopes.declared(self.unit, d) else { return false };
                    if self.scopes.var(v).storage != Storage::Local || !self.is_of_numbers(v) {
                        return false;
                    }
                    declared.push(v);
                }
            }
            _ => return false,
        }
        let calls = self.unit.exprs_in(range).into_iter().filter_map(|e| match self.unit.ast[e].kind {
            ExprKind::Call { callee, .. } => Some(self.unit.range(self.unit.ast[callee].span)),
            _ => None,
        });
        if !calls.map(|r| &self.unit.text[r]).all(is_mathematical) {
            return false;
        }
        summary(self.unit, self.scopes, self.parents, range).iter().all(|&(v, access)| {
            let var = self.scopes.var(v);
            if var.storage == Storage::Other {
                return true;
            }
            let number = matches!(var.ty.map(|t| self.unit.shape(t)), Some(Shape::Number(_) | Shape::Enum));
            let quiet = !access.memory_read && !access.memory_written && !access.escapes;
            number && quiet && (declared.contains(&v) || !access.written && !self.is_data(v))
        })
    }

    /// Whether a variable is a number, or an array of them of constant extent.
    fn is_of_numbers(&self, v: VarId) -> bool {
        let Some(ty) = self.scopes.var(v).ty else { return false };
        let number = |s: Shape| matches!(s, Shape::Number(_) | Shape::Enum);
        match self.unit.shape(ty) {
            Shape::Array(..) => {
                let (extents, element) = self.unit.dimensions(ty);
                extents.iter().all(Option::is_some) && number(self.unit.shape(element))
            }
            shape => number(shape),
        }
    }

    /// Whether a name means another variable before its declaration: in the directive's line, or in the block, which the host reads
    /// behind the prologue.
    fn had_another_meaning(&self, v: VarId) -> bool {
        let var = self.scopes.var(v);
        let line = &self.unit.text[self.scopes.sites[self.site].directive.span.clone()];
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|w| w == var.name) || self.scopes.is_used(&var.name, &(self.range.start..var.at.start))
    }
}
