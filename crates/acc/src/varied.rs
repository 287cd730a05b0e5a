//! Parameters whose types have computed extents (`double a[n][m]`, `double (*a)[m]`), of functions that regions call.
//!
//! Kernels know no such types. The parameter is a pointer to elements there, the function computes the extents when it begins
//! and indexes by hand ([`crate::linear`]), and calls give it their argument as such a pointer. Functions of other files do as
//! this one's: their declarations are changed in the same way.

use crate::ctype::Shape;
use crate::edit::Edits;
use crate::linear::{Linear, extent};
use crate::scope::{Scopes, Storage};
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{ArraySize, Body, DeclId, DeclKind, ExprId, ExprKind, Function, TypeId, TypeKind};

/// The functions of a file with such parameters: which these are, and what they point to.
pub(crate) type Varied = FxHashMap<String, Vec<(usize, TypeId)>>;

/// Looks at all functions that a file declares.
pub(crate) fn all(unit: &Unit) -> Varied {
    let mut out = Varied::default();
    for &d in &unit.ast.top {
        let Some((_, params)) = parameters(unit, d) else { continue };
        let varied: Vec<(usize, TypeId)> =
            params.iter().enumerate().filter_map(|(i, &(_, ty))| Some((i, computed(unit, ty)?.1))).collect();
        if let (false, Some(sym)) = (varied.is_empty(), unit.ast.plain_name(unit.ast[d].name)) {
            out.insert(unit.session.str(sym).to_owned(), varied);
        }
    }
    out
}

/// A function and its parameters with their types.
fn parameters(unit: &Unit, d: DeclId) -> Option<(Function, Vec<(DeclId, TypeId)>)> {
    let DeclKind::Function(f) = unit.ast[d].kind else { return None };
    let f = unit.ast[f];
    let TypeKind::Function(t) = unit.ast[f.ty].kind else { return None };
    let typed = |&p: &DeclId| match unit.ast[p].kind {
        DeclKind::Param { ty, .. } => Some((p, ty)),
        _ => None,
    };
    Some((f, unit.ast.list(unit.ast[t].params).iter().filter_map(typed).collect()))
}

/// The extents behind the first of a parameter's type, and its elements, if one of the extents is computed.
fn computed(unit: &Unit, ty: TypeId) -> Option<(Vec<ArraySize>, TypeId)> {
    let mut at = match unit.ast[unit.resolve(ty)].kind {
        TypeKind::Pointer(p) => p,
        TypeKind::Array { element, .. } => element,
        _ => return None,
    };
    let mut extents = Vec::new();
    while let TypeKind::Array { element, size } = unit.ast[unit.resolve(at)].kind {
        extents.push(size);
        at = element;
    }
    let varies = |s: &ArraySize| match *s {
        ArraySize::Expr(e) | ArraySize::Static(e) => unit.constant(e).is_none(),
        ArraySize::Star => true,
        ArraySize::Unknown => false,
    };
    (extents.iter().any(varies) && unit.shape(at) != Shape::Other).then_some((extents, at))
}

/// Whether an expression is given to a parameter that is a pointer to elements in kernels.
pub(crate) fn is_argument(unit: &Unit, scopes: &Scopes, parents: &FxHashMap<ExprId, ExprId>, mut e: ExprId) -> bool {
    while let Some(&p) = parents.get(&e) {
        match unit.ast[p].kind {
            ExprKind::Paren(_) => e = p,
            ExprKind::Call { callee, args } => {
                let list = called(scopes, callee);
                return list.iter().any(|&(i, _)| unit.ast.list(args).get(i) == Some(&e));
            }
            _ => return false,
        }
    }
    false
}

/// The parameters of that kind of what is called.
fn called(scopes: &Scopes, callee: ExprId) -> &[(usize, TypeId)] {
    let name = scopes.of.get(&callee).map(|&v| scopes.var(v)).filter(|v| v.storage == Storage::Other);
    name.and_then(|v| scopes.varied.get(&v.name)).map(Vec::as_slice).unwrap_or_default()
}

/// Gives calls in a part of the text pointers to elements.
pub(crate) fn calls(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    range: &Range<usize>,
    edits: &mut Edits,
) -> Result<(), String> {
    if scopes.varied.is_empty() {
        return Ok(());
    }
    for u in scopes.uses_in(range) {
        let list = called(scopes, u.expr);
        let Some(ExprKind::Call { args, .. }) = parents.get(&u.expr).map(|&p| unit.ast[p].kind) else { continue };
        for &(i, element) in list {
            let Some(&arg) = unit.ast.list(args).get(i) else { continue };
            let at = unit.range(unit.ast[arg].span);
            let pointer = unit.declare(element, "*").ok_or_else(|| unknown(&scopes.var(u.var).name))?;
            edits.insert(at.start, format!("({pointer})("));
            edits.insert_after(at.end, ")".to_owned());
        }
    }
    Ok(())
}

fn unknown(name: &str) -> String {
    format!("a type of the parameters of `{name}` is not supported in regions")
}

/// Changes the declarations and the definition of functions in an external declaration. What else is changed of its text is in
/// `edits`.
pub(crate) fn function(unit: &Unit, scopes: &Scopes, external: usize, edits: &mut Edits) -> Result<(), String> {
    let range = unit.externals[external].clone();
    if scopes.varied.is_empty() {
        return Ok(());
    }
    let mut parents = None;
    for &d in &unit.ast.top {
        if !range.contains(&unit.range(unit.ast[d].span).start) {
            continue;
        }
        let Some((f, params)) = parameters(unit, d) else { continue };
        if let Body::Stmt(_) = f.body
            && scopes.uses_in(&range).iter().any(|u| !called(scopes, u.expr).is_empty())
        {
            let parents = parents.get_or_insert_with(|| crate::access::parents(unit));
            calls(unit, scopes, parents, &range, edits)?;
        }
        for (p, ty) in params {
            let Some((extents, element)) = computed(unit, ty) else { continue };
            let name = unit.ast.plain_name(unit.ast[p].name).map_or("", |s| unit.session.str(s));
            let restrict = if unit.ast[unit.resolve(ty)].quals.is_restrict { "restrict " } else { "" };
            let plain = unit.declare(element, &format!("*{restrict}{name}")).ok_or_else(|| unknown(name))?;
            let Body::Stmt(body) = f.body else {
                edits.replace(unit.range(unit.ast[p].span), plain);
                continue;
            };
            let mut begin = String::new();
            for (i, size) in extents.iter().enumerate() {
                let (ArraySize::Expr(e) | ArraySize::Static(e)) = *size else { return Err(unknown(name)) };
                let text = edits.apply(&unit.text, unit.range(unit.ast[e].span));
                let _ = write!(begin, " const long {} = {text};", extent(name, i + 1));
            }
            edits.replace(unit.range(unit.ast[p].span), plain);
            let body = unit.range(unit.ast[body].span);
            edits.insert(body.start + 1, begin);
            let at = unit.range(unit.ast[unit.ast[p].name].span);
            let Some(v) = scopes.vars.iter().position(|v| v.at == at).map(crate::scope::VarId) else { continue };
            let parents = parents.get_or_insert_with(|| crate::access::parents(unit));
            Linear { unit, scopes, parents }.rewrite(v, extents.len() + 1, &body, &|_| false, edits)?;
        }
    }
    Ok(())
}
