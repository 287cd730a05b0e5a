//! Which locals must live in memory: aggregates, and scalars whose address is taken.

use sema::program::{ExprId, ExprKind, Function, Program, StmtId, StmtKind};

/// Marks in `memory` every local whose address some place expression under `place` needs.
///
/// Follows places only; what is below them is marked when its own [`ExprKind::AddrOf`] is met.
fn mark(program: &Program, mut place: ExprId, memory: &mut [bool]) {
    loop {
        place = match program.expr(place).kind {
            ExprKind::Local(l) | ExprKind::Materialize { local: l, .. } => {
                memory[l.index()] = true;
                return;
            }
            ExprKind::Swizzle { base, .. }
            | ExprKind::VectorElem { base, .. }
            | ExprKind::Field { base, .. }
            | ExprKind::ArrayElem { base, .. }
            | ExprKind::Cast { operand: base, .. } => base,
            ExprKind::Comma { rhs, .. } => rhs,
            ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtr { place, .. }
            | ExprKind::IncDec { place, .. } => place,
            ExprKind::Cond { then, other, .. } => {
                mark(program, then, memory);
                other
            }
            _ => return,
        };
    }
}

/// Visits the expressions that make a place's address necessary. Called for every expression of a function's body.
fn visit(program: &Program, id: ExprId, memory: &mut [bool]) {
    let e = program.expr(id);
    match e.kind {
        ExprKind::AddrOf(place) => mark(program, place, memory),
        // A conditional place is an address chosen at run time.
        ExprKind::Cond { then, other, .. } if e.cat == sema::program::Category::LValue => {
            mark(program, then, memory);
            mark(program, other, memory);
        }
        ExprKind::Cast { operand, .. } if program.expr(operand).cat == sema::program::Category::LValue => {
            mark(program, operand, memory);
        }
        _ => {}
    }
}

/// A node still to be visited.
enum Node {
    Expr(ExprId),
    Stmt(StmtId),
}

/// For each local of function `f`: whether it must live in memory.
pub(crate) fn memory_locals(program: &Program, f: &Function) -> Vec<bool> {
    let types = &program.types;
    let mut memory: Vec<bool> = f.locals.iter().map(|l| types.is_aggregate(l.ty) || l.quals.is_volatile()).collect();
    // An explicit stack: expressions may nest as deep as the source is long.
    let mut stack: Vec<Node> = f.body.into_iter().map(Node::Stmt).collect();
    while let Some(node) = stack.pop() {
        match node {
            Node::Expr(e) => {
                visit(program, e, &mut memory);
                expr_children(program, e, &mut stack);
            }
            Node::Stmt(s) => stmt_children(program, s, &mut stack),
        }
    }
    memory
}

fn expr_children(program: &Program, id: ExprId, out: &mut Vec<Node>) {
    let mut push = |e: ExprId| out.push(Node::Expr(e));
    match program.expr(id).kind {
        ExprKind::Error
        | ExprKind::Int(_)
        | ExprKind::Wide(_)
        | ExprKind::Float(_)
        | ExprKind::Null
        | ExprKind::ZeroInit
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::FuncAddr(_) => {}
        ExprKind::Load(e)
        | ExprKind::Deref(e)
        | ExprKind::AddrOf(e)
        | ExprKind::BitCast(e)
        | ExprKind::Field { base: e, .. }
        | ExprKind::Swizzle { base: e, .. }
        | ExprKind::Cast { operand: e, .. }
        | ExprKind::Unary { operand: e, .. }
        | ExprKind::IncDec { place: e, .. }
        | ExprKind::Provable { cond: e, .. }
        | ExprKind::Assume { cond: e, .. }
        | ExprKind::Expect { value: e, .. }
        | ExprKind::AssumeAligned { ptr: e, .. }
        | ExprKind::Materialize { init: e, .. } => push(e),
        ExprKind::ArrayElem { base: a, index: b }
        | ExprKind::VectorElem { base: a, index: b }
        | ExprKind::Binary { lhs: a, rhs: b, .. }
        | ExprKind::Compare { lhs: a, rhs: b, .. }
        | ExprKind::LogAnd { lhs: a, rhs: b }
        | ExprKind::LogOr { lhs: a, rhs: b }
        | ExprKind::PtrOffset { ptr: a, index: b, .. }
        | ExprKind::PtrDiff { lhs: a, rhs: b }
        | ExprKind::Assign { place: a, value: b, .. }
        | ExprKind::AssignOp { place: a, value: b, .. }
        | ExprKind::AssignPtr { place: a, index: b, .. }
        | ExprKind::Comma { lhs: a, rhs: b } => {
            push(a);
            push(b);
        }
        ExprKind::Cond { cond: a, then: b, other: c } | ExprKind::VectorSelect { cond: a, then: b, other: c } => {
            push(a);
            push(b);
            push(c);
        }
        ExprKind::VectorBuild(list) | ExprKind::Call { args: list, .. } | ExprKind::Builtin { args: list, .. } => {
            program.exprs(list).iter().for_each(|&e| push(e))
        }
        ExprKind::CallPtr { callee, args } => {
            push(callee);
            program.exprs(args).iter().for_each(|&e| push(e));
        }
        ExprKind::Aggregate { elems, .. } => program.inits(elems).iter().for_each(|i| push(i.value)),
        ExprKind::StmtExpr { body, result } => {
            result.into_iter().for_each(push);
            out.push(Node::Stmt(body));
        }
    }
}

fn stmt_children(program: &Program, id: StmtId, out: &mut Vec<Node>) {
    match program.stmt(id).kind {
        StmtKind::Empty
        | StmtKind::FpContract(_)
        | StmtKind::Case(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_) => {}
        StmtKind::Block(list) => out.extend(program.stmts(list).iter().map(|&s| Node::Stmt(s))),
        StmtKind::Expr(e) => out.push(Node::Expr(e)),
        StmtKind::Decl { init, .. } => out.extend(init.map(Node::Expr)),
        StmtKind::Return(e) => out.extend(e.map(Node::Expr)),
        StmtKind::If { cond, then, other } => {
            out.push(Node::Expr(cond));
            out.push(Node::Stmt(then));
            out.extend(other.map(Node::Stmt));
        }
        StmtKind::While { cond, body, .. } | StmtKind::DoWhile { body, cond, .. } => {
            out.push(Node::Expr(cond));
            out.push(Node::Stmt(body));
        }
        StmtKind::For { init, cond, step, body, .. } => {
            out.extend(init.map(Node::Stmt));
            out.extend(cond.map(Node::Expr));
            out.extend(step.map(Node::Expr));
            out.push(Node::Stmt(body));
        }
        StmtKind::Switch { value, body, .. } => {
            out.push(Node::Expr(value));
            out.push(Node::Stmt(body));
        }
        StmtKind::Asm(n) => {
            let a = &program.asms[n as usize];
            out.extend(a.outputs.iter().chain(&a.inputs).map(|o| Node::Expr(o.expr)));
        }
    }
}
