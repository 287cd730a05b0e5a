//! A walk over a body that visits every expression.

use source::HintId;

use crate::program::{ExprId, ExprKind as K, FuncId, Program, StmtId, StmtKind as S};

/// Collects the functions that a body calls or takes the address of.
pub(crate) fn callees(p: &Program, body: StmtId, out: &mut Vec<FuncId>) {
    visit(p, body, |k| match k {
        K::Call { callee, .. } => out.push(callee),
        K::FuncAddr(f) => out.push(f),
        _ => {}
    });
}

/// Collects the functions whose address a body takes.
pub(crate) fn addressed(p: &Program, body: StmtId, out: &mut Vec<FuncId>) {
    visit(p, body, |k| {
        if let K::FuncAddr(f) = k {
            out.push(f);
        }
    });
}

/// Collects the hints that stand in a body's expressions.
pub(crate) fn hints(p: &Program, body: StmtId, out: &mut Vec<HintId>) {
    visit(p, body, |k| match k {
        K::Provable { hint, .. } | K::Assume { hint, .. } | K::Expect { hint, .. } | K::AssumeAligned { hint, .. } => {
            out.push(hint)
        }
        _ => {}
    });
}

/// Whether a body has expressions that errors left.
pub(crate) fn has_errors(p: &Program, body: StmtId) -> bool {
    let mut found = false;
    visit(p, body, |k| found |= matches!(k, K::Error));
    found
}

fn visit(p: &Program, body: StmtId, f: impl FnMut(K)) {
    visit_all(p, vec![body], Vec::new(), f);
}

/// Shows `f` an expression and all in it.
pub(crate) fn visit_expr(p: &Program, e: ExprId, f: impl FnMut(K)) {
    visit_all(p, Vec::new(), vec![e], f);
}

fn visit_all(p: &Program, mut stmts: Vec<StmtId>, mut exprs: Vec<ExprId>, mut f: impl FnMut(K)) {
    loop {
        if let Some(e) = exprs.pop() {
            let kind = p.expr(e).kind;
            if let K::StmtExpr { body, .. } = kind {
                stmts.push(body);
            }
            f(kind);
            children(p, e, &mut exprs);
            continue;
        }
        let Some(s) = stmts.pop() else { return };
        statement(p, s, &mut stmts, &mut exprs);
    }
}

/// The statements directly in one.
pub(crate) fn statements(p: &Program, s: StmtId, out: &mut Vec<StmtId>) {
    statement(p, s, out, &mut Vec::new());
}

/// Puts an expression in the place of one that stands in a statement.
pub(crate) fn replace_root(p: &mut Program, s: StmtId, old: ExprId, new: ExprId) {
    let put = |e: &mut ExprId| {
        if *e == old {
            *e = new;
        }
    };
    match &mut p.stmts[s.0 as usize].kind {
        S::Expr(e)
        | S::If { cond: e, .. }
        | S::While { cond: e, .. }
        | S::DoWhile { cond: e, .. }
        | S::Switch { value: e, .. } => put(e),
        S::Decl { init: e, .. } | S::Return(e) => e.iter_mut().for_each(put),
        S::For { cond, step, .. } => cond.iter_mut().chain(step).for_each(put),
        _ => {}
    }
}

fn statement(p: &Program, s: StmtId, stmts: &mut Vec<StmtId>, exprs: &mut Vec<ExprId>) {
    match p.stmt(s).kind {
        S::Block(l) => stmts.extend_from_slice(p.stmts(l)),
        S::Expr(e) => exprs.push(e),
        S::Decl { init, .. } => exprs.extend(init),
        S::If { cond, then, other } => {
            exprs.push(cond);
            stmts.push(then);
            stmts.extend(other);
        }
        S::While { cond, body, .. } | S::DoWhile { cond, body, .. } => {
            exprs.push(cond);
            stmts.push(body);
        }
        S::For { init, cond, step, body, .. } => {
            stmts.extend(init);
            exprs.extend(cond);
            exprs.extend(step);
            stmts.push(body);
        }
        S::Switch { value, body, .. } => {
            exprs.push(value);
            stmts.push(body);
        }
        S::Return(v) => exprs.extend(v),
        S::Asm(a) => {
            let a = &p.asms[a as usize];
            exprs.extend(a.outputs.iter().chain(&a.inputs).map(|o| o.expr));
        }
        _ => {}
    }
}

/// The direct operands of an expression.
pub(crate) fn children(p: &Program, e: ExprId, out: &mut Vec<ExprId>) {
    match p.expr(e).kind {
        K::Load(a) | K::Deref(a) | K::AddrOf(a) | K::BitCast(a) => out.push(a),
        K::Field { base, .. } | K::Swizzle { base, .. } => out.push(base),
        K::ArrayElem { base, index } | K::VectorElem { base, index } => out.extend([base, index]),
        K::VectorBuild(l) => out.extend_from_slice(p.exprs(l)),
        K::Cast { operand, .. } | K::Unary { operand, .. } => out.push(operand),
        K::Binary { lhs, rhs, .. }
        | K::Compare { lhs, rhs, .. }
        | K::LogAnd { lhs, rhs }
        | K::LogOr { lhs, rhs }
        | K::PtrDiff { lhs, rhs }
        | K::Comma { lhs, rhs } => out.extend([lhs, rhs]),
        K::PtrOffset { ptr, index, .. } => out.extend([ptr, index]),
        K::Cond { cond, then, other } | K::VectorSelect { cond, then, other } => out.extend([cond, then, other]),
        K::Assign { place, value, .. } | K::AssignOp { place, value, .. } => out.extend([place, value]),
        K::AssignPtr { place, index, .. } => out.extend([place, index]),
        K::IncDec { place, .. } => out.push(place),
        K::Call { args, .. } | K::Builtin { args, .. } => out.extend_from_slice(p.exprs(args)),
        K::CallPtr { callee, args } => {
            out.push(callee);
            out.extend_from_slice(p.exprs(args));
        }
        K::Provable { cond, .. } | K::Assume { cond, .. } => out.push(cond),
        K::Expect { value, .. } => out.push(value),
        K::AssumeAligned { ptr, .. } => out.push(ptr),
        K::Materialize { init, .. } => out.push(init),
        K::Aggregate { elems, .. } => out.extend(p.inits(elems).iter().map(|i| i.value)),
        K::StmtExpr { result, .. } => out.extend(result),
        K::Error
        | K::Int(_)
        | K::Wide(_)
        | K::Float(_)
        | K::Null
        | K::ZeroInit
        | K::Local(_)
        | K::Global(_)
        | K::FuncAddr(_) => {}
    }
}
