//! Makes a failing program small: greedy changes, each kept if the program still fails the same way.
//!
//! Items and statements go away, branches and loops become what is in them, arms of a `switch` go, expressions become
//! constants or one of their operands, the launch shrinks. Whether what is left still has one meaning is for the
//! predicate to say: it runs the reference with all of its checks first.

use super::tree::{Arm, Expr, Form, Item, Program, Stmt, Ty};
use std::time::{Duration, Instant};

/// The smallest program found in that time that still `fails`.
pub fn reduce(program: Program, time: Duration, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut r = Reducer { best: program, fails, end: Instant::now() + time };
    loop {
        let mut progress = r.launch();
        progress |= r.items();
        progress |= r.statements();
        progress |= r.unwrap();
        progress |= r.arms();
        progress |= r.expressions();
        if !progress || r.late() {
            return r.best;
        }
    }
}

struct Reducer<'a> {
    best: Program,
    fails: &'a mut dyn FnMut(&Program) -> bool,
    end: Instant,
}

impl Reducer<'_> {
    fn late(&self) -> bool {
        Instant::now() > self.end
    }

    /// Keeps a change if there is one and the program still fails.
    fn attempt(&mut self, change: impl FnOnce(&mut Program) -> bool) -> bool {
        if self.late() {
            return false;
        }
        let mut candidate = self.best.clone();
        let keep = change(&mut candidate) && (self.fails)(&candidate);
        if keep {
            self.best = candidate;
        }
        keep
    }

    fn launch(&mut self) -> bool {
        let mut progress = false;
        for d in 0..2 {
            progress |= self.attempt(|p| std::mem::replace(&mut p.launch.groups[d], 1) != 1);
            for size in [1, 2, 4, 8, 16] {
                progress |= self.attempt(|p| {
                    let smaller = size < p.launch.local[d];
                    p.launch.local[d] = size;
                    smaller
                });
            }
        }
        progress
    }

    fn items(&mut self) -> bool {
        let mut progress = false;
        for n in (0..self.best.items.len()).rev() {
            progress |= self.attempt(|p| {
                p.items.remove(n);
                p.kernels().next().is_some()
            });
            let fields = match self.best.items.get(n) {
                Some(Item::Record(r)) => r.fields.len(),
                _ => 0,
            };
            for f in (0..fields).rev() {
                progress |= self.attempt(|p| {
                    if let Item::Record(r) = &mut p.items[n] {
                        r.fields.remove(f);
                    }
                    true
                });
            }
        }
        progress
    }

    /// Removes runs of statements, long ones first.
    fn statements(&mut self) -> bool {
        let mut progress = false;
        for run in [8, 4, 2, 1] {
            let mut list = 0;
            while let Some(len) = nth_list(&mut self.best, list, |l| l.len()) {
                let mut at = len;
                while at > 0 && !self.late() {
                    at = at.saturating_sub(run);
                    progress |= self.attempt(|p| {
                        nth_list(p, list, |l| {
                            let end = (at + run).min(l.len());
                            at < end && l.drain(at..end).count() > 0
                        })
                        .unwrap_or(false)
                    });
                }
                list += 1;
            }
        }
        progress
    }

    /// Replaces statements by what is in them.
    fn unwrap(&mut self) -> bool {
        let mut progress = false;
        let mut list = 0;
        while let Some(len) = nth_list(&mut self.best, list, |l| l.len()) {
            for at in (0..len).rev() {
                for way in 0..2 {
                    progress |= self.attempt(|p| nth_list(p, list, |l| unwrap_at(l, at, way)).unwrap_or(false));
                }
            }
            list += 1;
        }
        progress
    }

    fn arms(&mut self) -> bool {
        let mut progress = false;
        let mut list = 0;
        while let Some(len) = nth_list(&mut self.best, list, |l| l.len()) {
            for at in 0..len {
                for arm in (0..8).rev() {
                    progress |= self.attempt(|p| {
                        nth_list(p, list, |l| match l.get_mut(at) {
                            Some(Stmt::Switch(_, arms)) if arm < arms.len() && arms.len() > 1 => {
                                arms.remove(arm);
                                true
                            }
                            _ => false,
                        })
                        .unwrap_or(false)
                    });
                }
            }
            list += 1;
        }
        progress
    }

    /// Replaces expressions by constants or by their operands.
    fn expressions(&mut self) -> bool {
        let mut progress = false;
        let mut n = 0;
        while let Some(e) = nth_expr(&mut self.best, n, |e| e.clone()) {
            if self.late() {
                break;
            }
            let mut candidates = Vec::new();
            if !matches!(e.form, Form::Literal(_)) && matches!(e.ty, Ty::Scalar(_) | Ty::Vector(..)) {
                candidates.push(Expr::literal(e.ty.clone(), 0));
                candidates.push(Expr::literal(e.ty.clone(), u64::from(!is_float(&e.ty))));
            }
            candidates.extend(e.args.iter().filter(|a| a.ty == e.ty || both_integers(&a.ty, &e.ty)).cloned());
            for c in candidates {
                if c != e && self.attempt(|p| nth_expr(p, n, |e| *e = c).is_some()) {
                    progress = true;
                    break;
                }
            }
            n += 1;
        }
        progress
    }
}

fn is_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(s) | Ty::Vector(s, _) if s.is_float())
}

fn both_integers(a: &Ty, b: &Ty) -> bool {
    matches!((a, b), (Ty::Scalar(a), Ty::Scalar(b)) if !a.is_float() && !b.is_float())
}

fn unwrap_at(list: &mut Vec<Stmt>, at: usize, way: usize) -> bool {
    let Some(s) = list.get(at).cloned() else { return false };
    let inner = match (s, way) {
        (Stmt::Block(b) | Stmt::While(_, _, b) | Stmt::RangeFor(_, _, b) | Stmt::DoWhile(b, _), 0) => b,
        (Stmt::If(_, yes, _), 0) => yes,
        (Stmt::If(_, _, no), 1) => no,
        (Stmt::For { init, body, .. }, 0) => init.map(|b| *b).into_iter().chain(body).collect(),
        (Stmt::Switch(_, arms), 0) => {
            arms.into_iter().flat_map(|a: Arm| a.body).filter(|s| *s != Stmt::Break).collect()
        }
        (Stmt::Switch(_, arms), 1) => {
            arms.last().map(|a| a.body.iter().filter(|s| **s != Stmt::Break).cloned().collect()).unwrap_or_default()
        }
        _ => return false,
    };
    list.splice(at..=at, inner);
    true
}

/// Does something with the `n`th list of statements.
fn nth_list<T>(p: &mut Program, n: usize, act: impl FnOnce(&mut Vec<Stmt>) -> T) -> Option<T> {
    let (mut left, mut act, mut result) = (n, Some(act), None);
    let mut visit = |l: &mut Vec<Stmt>| {
        if left == 0 && act.is_some() {
            result = act.take().map(|f| f(l));
            return true;
        }
        left = left.wrapping_sub(1);
        false
    };
    for item in &mut p.items {
        if let Item::Function(f) | Item::Kernel(f) = item
            && lists(&mut f.body, &mut visit)
        {
            break;
        }
        if let Item::Record(r) = item
            && r.methods.iter_mut().any(|m| lists(&mut m.body, &mut visit))
        {
            break;
        }
    }
    result
}

/// Visits a list and all in it, until one is accepted.
fn lists(list: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>) -> bool) -> bool {
    if visit(list) {
        return true;
    }
    list.iter_mut().any(|s| match s {
        Stmt::Block(b)
        | Stmt::While(_, _, b)
        | Stmt::RangeFor(_, _, b)
        | Stmt::DoWhile(b, _)
        | Stmt::For { body: b, .. } => lists(b, visit),
        Stmt::If(_, a, b) => lists(a, visit) || lists(b, visit),
        Stmt::Switch(_, arms) => arms.iter_mut().any(|a| lists(&mut a.body, visit)),
        _ => false,
    })
}

/// Does something with the `n`th expression, counted before those in it.
fn nth_expr<T>(p: &mut Program, n: usize, act: impl FnOnce(&mut Expr) -> T) -> Option<T> {
    let (mut left, mut act, mut result) = (n, Some(act), None);
    let mut visit = |e: &mut Expr| {
        if left == 0 && act.is_some() {
            result = act.take().map(|f| f(e));
            return true;
        }
        left = left.wrapping_sub(1);
        false
    };
    for item in &mut p.items {
        let done = match item {
            Item::Function(f) | Item::Kernel(f) => f.body.iter_mut().any(|s| in_stmt(s, &mut visit)),
            Item::Global(d) => d.init.as_mut().is_some_and(|e| in_expr(e, &mut visit)),
            Item::Record(r) => r.methods.iter_mut().any(|m| m.body.iter_mut().any(|s| in_stmt(s, &mut visit))),
            Item::Text(_) => false,
        };
        if done {
            break;
        }
    }
    result
}

type VisitExpr<'a> = &'a mut dyn FnMut(&mut Expr) -> bool;

fn in_expr(e: &mut Expr, visit: VisitExpr<'_>) -> bool {
    visit(e) || e.args.iter_mut().any(|a| in_expr(a, visit))
}

fn in_stmt(s: &mut Stmt, visit: VisitExpr<'_>) -> bool {
    let list = |b: &mut Vec<Stmt>, visit: VisitExpr<'_>| b.iter_mut().any(|s| in_stmt(s, visit));
    match s {
        Stmt::Decl(d) => d.init.as_mut().is_some_and(|e| in_expr(e, visit)),
        Stmt::Expr(e) | Stmt::Return(Some(e)) => in_expr(e, visit),
        Stmt::Block(b) => list(b, visit),
        Stmt::If(c, a, b) => in_expr(c, visit) || list(a, visit) || list(b, visit),
        Stmt::For { init, cond, step, body, .. } => {
            init.as_mut().is_some_and(|s| in_stmt(s, visit))
                || cond.as_mut().is_some_and(|e| in_expr(e, visit))
                || step.as_mut().is_some_and(|e| in_expr(e, visit))
                || list(body, visit)
        }
        Stmt::While(_, c, b) | Stmt::DoWhile(b, c) => in_expr(c, visit) || list(b, visit),
        Stmt::RangeFor(_, _, b) => list(b, visit),
        Stmt::Switch(e, arms) => in_expr(e, visit) || arms.iter_mut().any(|a| list(&mut a.body, visit)),
        _ => false,
    }
}
