//! Loops that count: `for (i = lower; i < upper; i += step)` and its other spellings.

use crate::ctype::Shape;
use crate::scope::{Scopes, VarId};
use crate::unit::Unit;
use std::ops::Range;
use syntax::ast::{
    BinaryOp, BuiltinType, Condition, DeclKind, ExprId, ExprKind, Init, StmtId, StmtKind, TypeId, UnaryOp,
};

/// A counted loop.
#[derive(Clone, Debug)]
pub(crate) struct CountedLoop {
    /// The `for` statement.
    pub(crate) stmt: StmtId,
    /// All of it in the text.
    pub(crate) range: Range<usize>,
    /// From `for` to the `)` behind the step.
    pub(crate) header: Range<usize>,
    /// The variable that counts.
    pub(crate) var: VarId,
    /// Its type.
    pub(crate) ty: TypeId,
    /// First value.
    pub(crate) lower: ExprId,
    /// What it is compared with.
    pub(crate) bound: ExprId,
    /// How: `Lt`, `Le`, `Gt`, `Ge` or `Ne`, the variable on the left.
    pub(crate) compare: BinaryOp,
    /// Added by each iteration; `None` for 1.
    pub(crate) step: Option<ExprId>,
    /// Whether the step is subtracted.
    pub(crate) down: bool,
    /// The body.
    pub(crate) body: StmtId,
}

impl CountedLoop {
    /// Reads a statement as a counted loop.
    pub(crate) fn of(unit: &Unit, scopes: &Scopes, stmt: StmtId) -> Option<Self> {
        let stmt = plain(unit, stmt);
        let ast = &unit.ast;
        let StmtKind::For { init: Some(init), cond: Some(Condition::Expr(cond)), step: Some(step), body } =
            ast[stmt].kind
        else {
            return None;
        };
        let (var, lower) = start(unit, scopes, init)?;
        let ty = scopes.var(var).ty?;
        // Pointers and floating-point numbers step, and do not count.
        match unit.shape(ty) {
            Shape::Enum => {}
            Shape::Number(b) if !matches!(b, BuiltinType::Bool | BuiltinType::Float | BuiltinType::Double) => {}
            _ => return None,
        }
        let is_var = |e: ExprId| scopes.of.get(&strip(unit, e)) == Some(&var);
        let ExprKind::Binary(op, a, b) = ast[strip(unit, cond)].kind else { return None };
        let (compare, bound) = match (is_var(a), is_var(b)) {
            (true, false) => (op, b),
            (false, true) => (mirrored(op)?, a),
            _ => return None,
        };
        if !matches!(compare, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Ne) {
            return None;
        }
        let (step, down) = increment(unit, step, &is_var)?;
        let range = unit.range(ast[stmt].span);
        let body_range = unit.range(ast[body].span);
        let end = unit.text[range.start..body_range.start].rfind(')')? + range.start + 1;
        let header = range.start..end;
        Some(Self { stmt, range, header, var, ty, lower, bound, compare, step, down, body })
    }

    /// The number of iterations, as an expression over `long`, the texts of the bounds being given.
    pub(crate) fn trip(&self, unit: &Unit, lower: &str, bound: &str, step: &str) -> String {
        // C compares as the types of both are: `-1 < 1u` is false.
        let kind = unit.declare(self.ty, "").unwrap_or_else(|| "long".to_owned());
        let word = match self.compare {
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            _ => "!=",
        };
        let runs = format!("({kind})({lower}) {word} ({bound})");
        let (lo, hi, st) = (format!("(long)({lower})"), format!("(long)({bound})"), format!("(long)({step})"));
        let span = match (self.compare, self.down) {
            (BinaryOp::Lt | BinaryOp::Ne, false) => format!("{hi} - {lo} + {st} - 1"),
            (BinaryOp::Le, _) => format!("{hi} - {lo} + {st}"),
            (BinaryOp::Gt | BinaryOp::Ne, true) => format!("{lo} - {hi} + {st} - 1"),
            _ => format!("{lo} - {hi} + {st}"),
        };
        format!("({runs} ? __unspool_acc_trip({span}, {st}) : 0L)")
    }

    /// Whether comparison and direction fit each other: loops like `for (i = 0; i < n; i--)` do not count.
    pub(crate) fn runs_towards_bound(&self) -> bool {
        match self.compare {
            BinaryOp::Lt | BinaryOp::Le => !self.down,
            BinaryOp::Gt | BinaryOp::Ge => self.down,
            _ => true,
        }
    }
}

/// Parentheses taken off.
pub(crate) fn strip(unit: &Unit, mut e: ExprId) -> ExprId {
    while let ExprKind::Paren(inner) = unit.ast[e].kind {
        e = inner;
    }
    e
}

/// What stands behind directives, attributes and braces around a single statement.
pub(crate) fn plain(unit: &Unit, mut s: StmtId) -> StmtId {
    loop {
        let next = match unit.ast[s].kind {
            StmtKind::Attributed { stmt, .. } => Some(stmt),
            StmtKind::Labelled(list) | StmtKind::Compound(list) => {
                let mut real = unit.ast.list(list).iter().filter(|&&s| !is_nothing(unit, s));
                match (real.next(), real.next()) {
                    (Some(&only), None) => Some(only),
                    _ => None,
                }
            }
            _ => None,
        };
        match next {
            Some(n) => s = n,
            None => return s,
        }
    }
}

/// Directives and empty statements.
pub(crate) fn is_nothing(unit: &Unit, s: StmtId) -> bool {
    matches!(unit.ast[s].kind, StmtKind::Pragma(_) | StmtKind::Empty)
}

/// The block that a statement is, without braces around it alone, and what stands in it.
pub(crate) fn block_of(unit: &Unit, s: StmtId) -> Option<(StmtId, Vec<StmtId>)> {
    let StmtKind::Compound(list) = unit.ast[s].kind else { return None };
    let real: Vec<StmtId> = unit.ast.list(list).iter().copied().filter(|&s| !is_nothing(unit, s)).collect();
    match real.as_slice() {
        [only] if matches!(unit.ast[*only].kind, StmtKind::Compound(_)) => block_of(unit, *only),
        _ => Some((s, real)),
    }
}

fn start(unit: &Unit, scopes: &Scopes, init: StmtId) -> Option<(VarId, ExprId)> {
    match unit.ast[init].kind {
        StmtKind::Expr(e) => {
            let ExprKind::Assign(None, place, value) = unit.ast[strip(unit, e)].kind else { return None };
            Some((*scopes.of.get(&strip(unit, place))?, value))
        }
        StmtKind::Decl(list) => {
            let &[d] = unit.ast.list(list) else { return None };
            let DeclKind::Var { init: Init::Copy(value), .. } = unit.ast[d].kind else { return None };
            Some((scopes.declared(unit, d)?, value))
        }
        _ => None,
    }
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Ne => BinaryOp::Ne,
        _ => return None,
    })
}

/// `i++`, `--i`, `i += s`, `i = i + s`, `i = s + i`, `i = i - s`.
fn increment(unit: &Unit, e: ExprId, is_var: &dyn Fn(ExprId) -> bool) -> Option<(Option<ExprId>, bool)> {
    match unit.ast[strip(unit, e)].kind {
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PostInc, v) if is_var(v) => Some((None, false)),
        ExprKind::Unary(UnaryOp::PreDec | UnaryOp::PostDec, v) if is_var(v) => Some((None, true)),
        ExprKind::Assign(Some(BinaryOp::Add), v, s) if is_var(v) => Some((Some(s), false)),
        ExprKind::Assign(Some(BinaryOp::Sub), v, s) if is_var(v) => Some((Some(s), true)),
        ExprKind::Assign(None, v, sum) if is_var(v) => match unit.ast[strip(unit, sum)].kind {
            ExprKind::Binary(BinaryOp::Add, a, s) if is_var(a) => Some((Some(s), false)),
            ExprKind::Binary(BinaryOp::Add, s, a) if is_var(a) => Some((Some(s), false)),
            ExprKind::Binary(BinaryOp::Sub, a, s) if is_var(a) => Some((Some(s), true)),
            _ => None,
        },
        _ => None,
    }
}
