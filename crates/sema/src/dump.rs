//! The typed program as text (`--emit typed`), for people and tests.

use std::fmt::Write as _;

use source::Session;
use syntax::Dialect;

use crate::display::type_name;
use crate::program::{Category, ExprId, ExprKind as K, ExprList, Function, Program, StmtId, StmtKind as S};
use crate::types::TyId;

/// The program as indented text, stable.
pub fn dump(p: &Program, session: &Session, dialect: Dialect) -> String {
    let mut d = Dumper { p, session, dialect, out: String::new() };
    for g in &p.globals {
        let ty = d.ty(g.ty);
        let init = g.init.as_ref().map_or_else(String::new, |i| format!(" = {} bytes", i.bytes.len()));
        let _ = writeln!(d.out, "global {:?} {} : {ty}{init}", g.space, g.symbol);
    }
    for f in &p.functions {
        d.function(f);
    }
    d.out
}

struct Dumper<'a> {
    p: &'a Program,
    session: &'a Session,
    dialect: Dialect,
    out: String,
}

impl Dumper<'_> {
    fn ty(&self, ty: TyId) -> String {
        type_name(&self.p.types, &self.session.strings, ty, self.dialect)
    }

    fn function(&mut self, f: &Function) {
        let kind = if f.is_kernel { "kernel" } else { "fn" };
        let ret = self.ty(f.ret);
        let _ = write!(self.out, "{kind} {} [{}] (", f.symbol, f.display);
        for (i, l) in f.locals.iter().take(f.param_count as usize).enumerate() {
            let sep = if i > 0 { ", " } else { "" };
            let ty = self.ty(l.ty);
            let _ = write!(self.out, "{sep}%{i}: {ty}");
        }
        let _ = writeln!(self.out, ") -> {ret}");
        for (i, l) in f.loops.iter().enumerate() {
            let _ = writeln!(self.out, "  loop {i}: {:?} jam {:?}", l.unroll, l.and_jam);
        }
        if let Some(b) = f.body {
            self.stmt(b, 1);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn stmt(&mut self, s: StmtId, depth: usize) {
        match self.p.stmt(s).kind {
            S::Block(l) => {
                for &s in self.p.stmts(l) {
                    self.stmt(s, depth);
                }
            }
            S::Empty => {}
            S::Expr(e) => {
                let t = self.expr(e);
                self.line(depth, &t);
            }
            S::Decl { local, init } => {
                let t = init.map_or_else(String::new, |e| format!(" = {}", self.expr(e)));
                self.line(depth, &format!("let %{}{t}", local.0));
            }
            S::If { cond, then, other } => {
                let c = self.expr(cond);
                self.line(depth, &format!("if {c}"));
                self.stmt(then, depth + 1);
                if let Some(o) = other {
                    self.line(depth, "else");
                    self.stmt(o, depth + 1);
                }
            }
            S::While { cond, body, hints } => {
                let c = self.expr(cond);
                self.line(depth, &format!("while#{hints} {c}"));
                self.stmt(body, depth + 1);
            }
            S::DoWhile { body, cond, hints } => {
                let c = self.expr(cond);
                self.line(depth, &format!("do#{hints} while {c}"));
                self.stmt(body, depth + 1);
            }
            S::For { init, cond, step, body, hints } => {
                self.line(depth, &format!("for#{hints}"));
                if let Some(i) = init {
                    self.stmt(i, depth + 2);
                }
                let c = cond.map_or_else(String::new, |e| self.expr(e));
                let s = step.map_or_else(String::new, |e| self.expr(e));
                self.line(depth + 2, &format!("cond {c}"));
                self.line(depth + 2, &format!("step {s}"));
                self.stmt(body, depth + 1);
            }
            S::Switch { value, cases, has_default, body } => {
                let v = self.expr(value);
                let cs: Vec<String> = self.p.cases(cases).iter().map(|c| format!("{}..={}", c.lo, c.hi)).collect();
                self.line(depth, &format!("switch {v} [{}] default={has_default}", cs.join(", ")));
                self.stmt(body, depth + 1);
            }
            S::Case(n) => self.line(depth, &format!("case {n}:")),
            S::Break => self.line(depth, "break"),
            S::Continue => self.line(depth, "continue"),
            S::Return(v) => {
                let t = v.map_or_else(String::new, |e| format!(" {}", self.expr(e)));
                self.line(depth, &format!("return{t}"));
            }
            S::Goto(l) => self.line(depth, &format!("goto L{}", l.0)),
            S::Label(l) => self.line(depth, &format!("L{}:", l.0)),
            S::Asm(a) => {
                let t = format!("asm {:?}", self.p.asms[a as usize].template);
                self.line(depth, &t);
            }
            S::FpContract(setting) => self.line(depth, &format!("contract {setting:?}")),
        }
    }

    fn list(&self, l: ExprList) -> String {
        self.p.exprs(l).iter().map(|&e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: ExprId) -> String {
        let x = self.p.expr(e);
        let ty = self.ty(x.ty);
        match x.kind {
            K::Error => "<error>".to_owned(),
            K::Int(v) => format!("{v}:{ty}"),
            K::Wide(n) => format!("{}:{ty}", self.p.wide[n as usize]),
            K::Float(b) => format!("{:?}:{ty}", f64::from_bits(b)),
            K::Null => format!("null:{ty}"),
            K::ZeroInit => format!("zero:{ty}"),
            K::Local(l) => format!("%{}", l.0),
            K::Global(g) => format!("@{}", self.p.global(g).symbol),
            K::FuncAddr(f) => format!("&{}", self.p.function(f).symbol),
            K::Load(p) => format!("load({})", self.expr(p)),
            K::Deref(p) => format!("*{}", self.expr(p)),
            K::AddrOf(p) => format!("&{}", self.expr(p)),
            K::Field { base, field, .. } => format!("{}.{field}", self.expr(base)),
            K::ArrayElem { base, index } | K::VectorElem { base, index } => {
                format!("{}[{}]", self.expr(base), self.expr(index))
            }
            K::Swizzle { base, comps } => {
                let c: Vec<String> = comps.iter().map(|c| format!("{c:x}")).collect();
                format!("{}.s{}", self.expr(base), c.concat())
            }
            K::VectorBuild(l) => format!("{ty}({})", self.list(l)),
            K::Cast { kind, operand } => format!("{kind:?}<{ty}>({})", self.expr(operand)),
            K::Unary { op, operand } => format!("{op:?}({})", self.expr(operand)),
            K::Binary { op, lhs, rhs } => format!("{op:?}:{ty}({}, {})", self.expr(lhs), self.expr(rhs)),
            K::Compare { op, lhs, rhs } => format!("{op:?}:{ty}({}, {})", self.expr(lhs), self.expr(rhs)),
            K::LogAnd { lhs, rhs } => format!("({} && {})", self.expr(lhs), self.expr(rhs)),
            K::LogOr { lhs, rhs } => format!("({} || {})", self.expr(lhs), self.expr(rhs)),
            K::PtrOffset { ptr, index, negative } => {
                format!("({} {} {})", self.expr(ptr), if negative { '-' } else { '+' }, self.expr(index))
            }
            K::PtrDiff { lhs, rhs } => format!("diff({}, {})", self.expr(lhs), self.expr(rhs)),
            K::Cond { cond, then, other } | K::VectorSelect { cond, then, other } => {
                let place = if x.cat == Category::LValue { "place " } else { "" };
                format!("({place}{} ? {} : {})", self.expr(cond), self.expr(then), self.expr(other))
            }
            K::Assign { place, value, .. } => format!("{} = {}", self.expr(place), self.expr(value)),
            K::AssignOp { op, place, value, compute, .. } => {
                format!("{} {op:?}<{}>= {}", self.expr(place), self.ty(compute), self.expr(value))
            }
            K::AssignPtr { place, index, negative } => {
                format!("{} {}= {}", self.expr(place), if negative { '-' } else { '+' }, self.expr(index))
            }
            K::IncDec { place, increment, prefix } => {
                let op = if increment { "++" } else { "--" };
                if prefix { format!("{op}{}", self.expr(place)) } else { format!("{}{op}", self.expr(place)) }
            }
            K::Comma { lhs, rhs } => format!("({}, {})", self.expr(lhs), self.expr(rhs)),
            K::Call { callee, args } => format!("call {}({})", self.p.function(callee).symbol, self.list(args)),
            K::CallPtr { callee, args } => format!("call *{}({})", self.expr(callee), self.list(args)),
            K::Builtin { meaning, args } => format!("{meaning:?}:{ty}({})", self.list(args)),
            K::Provable { cond, .. } => format!("provable({})", self.expr(cond)),
            K::Assume { cond, .. } => format!("assume({})", self.expr(cond)),
            K::Expect { value, expected, .. } => format!("expect({}, {expected})", self.expr(value)),
            K::AssumeAligned { ptr, align, .. } => format!("aligned({}, {align})", self.expr(ptr)),
            K::BitCast(v) => format!("bits<{ty}>({})", self.expr(v)),
            K::Materialize { local, init } => format!("temp %{} = {}", local.0, self.expr(init)),
            K::Aggregate { elems, .. } => {
                let es: Vec<String> = self
                    .p
                    .inits(elems)
                    .iter()
                    .map(|i| {
                        let times = if i.repeat > 1 { format!(" x{}", i.repeat) } else { String::new() };
                        format!("+{}: {}{times}", i.offset, self.expr(i.value))
                    })
                    .collect();
                format!("{ty}{{{}}}", es.join(", "))
            }
            K::StmtExpr { result, .. } => {
                format!("({{ … {} }})", result.map_or_else(String::new, |r| self.expr(r)))
            }
        }
    }
}
