//! Variables that a kernel reaches by their addresses: places, pointers and arrays, those with computed extents indexed by hand.

use super::{Overlap, Passing, Writer};
use crate::ctype::Shape;
use crate::edit::Edits;
use crate::linear::{Linear, extent, extents_on_host};
use crate::scope::{Storage, VarId};
use std::ops::Range;
use syntax::ast::{BuiltinType, ExprKind, TypeId};

/// A `sizeof` of a variable.
struct SizeOf {
    /// The variable, with its parentheses.
    operand: Range<usize>,
    /// The expression.
    all: Range<usize>,
}

impl Writer<'_> {
    /// Passes where a variable is on the device; the kernel's text means what is there. `None` if its type cannot be
    /// declared.
    pub(super) fn by_place(&mut self, v: VarId, ty: TypeId, range: &Range<usize>, edits: &mut Edits) -> Option<()> {
        let var = self.scopes.var(v).clone();
        let name = format!("{}__p", var.name);
        self.params.push(self.unit.declare_parameter(ty, &format!("*{name}"))?);
        let known = self.known_as(v);
        self.arguments.place(&name, (&var.name, known), &format!("&({})", var.name));
        for u in self.scopes.uses_in(range) {
            if u.var == v && !self.is_inner_private(v, &u.at) {
                edits.replace(u.at.clone(), format!("(*{name})"));
            }
        }
        Some(())
    }

    /// Passes the extents of an array of so many dimensions, behind the first.
    pub(crate) fn pass_extents(&mut self, array: &str, dims: usize) {
        for (i, text) in extents_on_host(array, dims).enumerate() {
            self.long(&extent(array, i + 1), &text);
        }
    }

    /// The item that says where a variable is on the device.
    pub(crate) fn known_as(&self, v: VarId) -> Option<usize> {
        (self.plan.item_of)(v)
    }

    pub(super) fn pointer(
        &mut self,
        v: VarId,
        ty: TypeId,
        passing: Passing,
        range: &Range<usize>,
        edits: &mut Edits,
    ) -> Result<(), String> {
        let var = self.scopes.var(v).clone();
        let unknown = || format!("the type of `{}` is not supported in regions", var.name);
        let (dims, element) = self.unit.dimensions(ty);
        let is_pointer = matches!(self.unit.shape(ty), Shape::Pointer(_));
        if is_pointer && passing == Passing::Place {
            // The pointer itself is data of the region.
            return self.by_place(v, ty, range, edits).ok_or_else(unknown);
        }
        let computed = dims.iter().skip(1).any(Option::is_none);
        let pointer = is_pointer || var.storage == Storage::Param;
        let apart = self.apart || self.plan.memory == Overlap::Never;
        let restrict = apart || pointer && self.unit.ast[self.unit.resolve(ty)].quals.is_restrict;
        let star = if restrict { "*restrict " } else { "*" };
        if computed {
            let param = self.unit.declare_parameter(element, &format!("{star}{}", var.name)).ok_or_else(unknown)?;
            self.params.push(param);
            let known = self.known_as(v);
            self.arguments.place(&var.name, (&var.name, known), &var.name);
            self.pass_extents(&var.name, dims.len());
            return self.linearise(v, dims.len(), range, edits);
        }
        let row = match self.unit.shape(ty) {
            Shape::Pointer(p) => p,
            Shape::Array(e, _) => e,
            _ => return Err(unknown()),
        };
        let array = matches!(self.unit.shape(row), Shape::Array(..));
        let declarator = if array { format!("({star}{})", var.name) } else { format!("{star}{}", var.name) };
        let row_is_void =
            matches!(self.unit.ast[self.unit.resolve(row)].kind, syntax::ast::TypeKind::Builtin(BuiltinType::Void));
        let param = if row_is_void {
            Some(format!("void *{}", var.name))
        } else {
            self.unit.declare_parameter(row, &declarator)
        };
        self.params.push(param.ok_or_else(unknown)?);
        let known = self.known_as(v);
        self.arguments.place(&var.name, (&var.name, known), &var.name);
        if is_pointer {
            return Ok(());
        }
        // Where the whole array is meant there is its type, or its size as the host knows it.
        let whole =
            self.unit.declare(ty, "").filter(|_| var.storage != Storage::Param && dims.iter().all(Option::is_some));
        let sized: Vec<SizeOf> = self.sized(v, range).collect();
        if whole.is_none() && !sized.is_empty() {
            self.long(&format!("{}__size", var.name), &format!("(long)sizeof({})", var.name));
        }
        for at in sized {
            match &whole {
                Some(whole) => edits.replace(at.operand, format!("({whole})")),
                None => edits.replace(at.all, format!("((unsigned long){}__size)", var.name)),
            }
        }
        Ok(())
    }

    /// Whether a use of an array is the operand of `sizeof`: it is a pointer in the kernel.
    pub(crate) fn taken_size(&self, v: VarId, range: &Range<usize>) -> bool {
        self.sized(v, range).next().is_some()
    }

    /// Where a variable is the operand of `sizeof`.
    fn sized(&self, v: VarId, range: &Range<usize>) -> impl Iterator<Item = SizeOf> {
        self.scopes.uses_in(range).iter().filter(move |u| u.var == v).filter_map(|u| {
            let mut e = u.expr;
            loop {
                let &p = self.parents.get(&e)?;
                match self.unit.ast[p].kind {
                    ExprKind::Paren(_) => e = p,
                    ExprKind::SizeofExpr(_) => {
                        let [operand, all] = [e, p].map(|e| self.unit.range(self.unit.ast[e].span));
                        return Some(SizeOf { operand, all });
                    }
                    _ => return None,
                }
            }
        })
    }

    /// Rewrites `b[i][j]` of an array with computed extents to `b[i * b__e1 + j]`.
    pub(crate) fn linearise(
        &self,
        v: VarId,
        dims: usize,
        range: &Range<usize>,
        edits: &mut Edits,
    ) -> Result<(), String> {
        let linear = Linear { unit: self.unit, scopes: self.scopes, parents: self.parents };
        linear.rewrite(v, dims, range, &|u| self.is_inner_private(v, &u.at), edits)
    }
}
