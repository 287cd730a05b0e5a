//! Arrays of each work-item whose size only the host knows: private ones, and variable length arrays that a region declares. All
//! work-items' stand in one piece of memory that the host allocates for the launch.

use crate::ctype::Shape;
use crate::edit::Edits;
use crate::kernel::{HOW_MANY, Schedule, Writer};
use crate::region::Cx;
use crate::scope::{Storage, VarId};
use crate::unit::Unit;
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{ArraySize, DeclId, DeclKind, ExprId, Init, StmtId, StmtKind, TypeId, TypeKind};

/// The array of one work-item; the texts are expressions of the host.
pub(crate) struct Memory {
    /// What it holds.
    pub(crate) element: TypeId,
    /// Bytes of that.
    pub(crate) size: String,
    /// The first element.
    pub(crate) lower: String,
    /// How many there are.
    pub(crate) count: String,
    /// The extents behind the first.
    pub(crate) extents: Vec<String>,
}

/// The extents of a variable length array, outermost first, as its declaration has them; `None` of what is not one, or has them
/// from elsewhere.
fn computed_extents(unit: &Unit, ty: TypeId) -> Option<(Vec<ExprId>, TypeId)> {
    let (mut extents, mut at) = (Vec::new(), ty);
    while let TypeKind::Array { element, size } = unit.ast[at].kind {
        let (ArraySize::Expr(e) | ArraySize::Static(e)) = size else { return None };
        extents.push(e);
        at = element;
    }
    let computed = extents.iter().any(|&e| unit.constant(e).is_none());
    (computed && !matches!(unit.shape(at), Shape::Array(..))).then_some((extents, at))
}

impl Cx<'_> {
    /// The variable length arrays that a range of the text declares.
    pub(crate) fn local_arrays(&self, range: &Range<usize>) -> Vec<VarId> {
        let vars = self.scopes.vars.iter().enumerate();
        let here = vars.filter(|(_, v)| v.storage == Storage::Local && range.contains(&v.at.start));
        here.filter(|(_, v)| v.ty.is_some_and(|t| computed_extents(self.unit, t).is_some()))
            .map(|(i, _)| VarId(i))
            .collect()
    }

    /// Why the arrays that a kernel declares cannot be allocated before it runs, if that is so.
    pub(crate) fn must_know_extents(
        &self,
        locals: &[VarId],
        counted: &[VarId],
        privates: &[VarId],
    ) -> Result<(), String> {
        for (n, &v) in locals.iter().enumerate() {
            let var = self.scopes.var(v);
            let extents = var.ty.and_then(|t| computed_extents(self.unit, t)).map(|e| e.0).unwrap_or_default();
            if !extents.iter().all(|&e| self.host_knows_value(e, counted, privates)) {
                return Err(format!("the extent of array `{}` is not known before the region runs", var.name));
            }
            let same = |u: VarId| u != v && self.scopes.var(u).name == var.name;
            let outer = self.accesses.iter().any(|(u, _)| same(*u));
            if outer || locals[..n].iter().any(|&u| same(u)) {
                return Err(format!(
                    "several variables are called `{}`, one of them an array of computed extent",
                    var.name
                ));
            }
        }
        Ok(())
    }
}

impl Unit {
    /// The statement that declares a variable without a value, and nothing else.
    pub(crate) fn declaration_alone(&self, name: &Range<usize>) -> Option<Range<usize>> {
        let ast = &self.ast;
        let declares = |s: &StmtId| match ast[*s].kind {
            StmtKind::Decl(list) => {
                let plain = |d: &DeclId| matches!(ast[*d].kind, DeclKind::Var { init: Init::None, .. });
                matches!(ast.list(list), [d] if plain(d)) && self.range(ast[*s].span).contains(&name.start)
            }
            _ => false,
        };
        let function = self.function_at(name.start);
        self.stmts_in(&function).into_iter().find(declares).map(|s| self.range(ast[s].span))
    }
}

impl Writer<'_> {
    /// Makes a variable length array that the statement declares a part of memory that the host allocates.
    pub(crate) fn local_array(&mut self, v: VarId, edits: &mut Edits, range: &Range<usize>) -> Result<(), String> {
        let var = self.scopes.var(v).clone();
        let unsupported = || format!("the type of `{}` is not supported in regions", var.name);
        let (extents, element) = var.ty.and_then(|t| computed_extents(self.unit, t)).ok_or_else(unsupported)?;
        let Some(statement) = self.unit.declaration_alone(&var.at) else {
            return Err(format!("array `{}` of computed extent is not declared alone", var.name));
        };
        edits.replace(statement, ";".to_owned());
        let texts: Vec<String> =
            extents.iter().map(|&e| format!("(long)({})", self.unit.slice(self.unit.ast[e].span))).collect();
        let size = format!("sizeof({})", self.unit.declare(element, "").ok_or_else(unsupported)?);
        let (count, lower) = (texts.join(" * "), "0".to_owned());
        let memory = Memory { element, size, lower, count, extents: texts[1..].to_vec() };
        self.memory_apart(v, &memory, edits, range)
    }

    /// A piece of memory for each work-item.
    pub(crate) fn memory_apart(
        &mut self,
        v: VarId,
        memory: &Memory,
        edits: &mut Edits,
        range: &Range<usize>,
    ) -> Result<(), String> {
        let name = &self.scopes.var(v).name;
        if matches!(self.scopes.var(v).ty.map(|t| self.unit.shape(t)), Some(Shape::Array(..)))
            && self.taken_size(v, range)
        {
            return Err(format!("`sizeof` of array `{name}` is not supported in regions"));
        }
        let items = match &self.plan.schedule {
            Schedule::Shared(..) => HOW_MANY.to_owned(),
            Schedule::Gangs(count, _) => count.clone(),
            Schedule::Serial => "1".to_owned(),
            Schedule::Items(_) => return Err(format!("private array `{name}` has no constant extent")),
        };
        let declare = |name: &str| {
            let unsupported = || format!("the type of `{name}` is not supported in regions");
            self.unit.declare(memory.element, name).ok_or_else(unsupported)
        };
        let (all, local) = (declare(&format!("*{name}__all"))?, declare(&format!("*{name}"))?);
        let Memory { size, lower, count, extents, .. } = memory;
        self.params.push(all);
        self.own_bytes.push(format!("(unsigned long)({count}) * {size}"));
        let part = format!("__part_{name}");
        let _ =
            write!(self.setup, "void *{part} = __unspool_acc_scratch((unsigned long)({items}) * ({count}) * {size}); ");
        self.arguments.value(&format!("void *{name}__all"), &part);
        self.long(&format!("{name}__each"), count);
        self.long(&format!("{name}__low"), lower);
        let item = if matches!(self.plan.schedule, Schedule::Serial) { "0" } else { "(long)__gid" };
        let _ = write!(self.prologue, "{local} = {name}__all + {item} * {name}__each - {name}__low; ");
        for (i, extent) in extents.iter().enumerate() {
            self.long(&crate::linear::extent(name, i + 1), extent);
        }
        if extents.is_empty() { Ok(()) } else { self.linearise(v, extents.len() + 1, range, edits) }
    }
}
