//! Expressions.

use super::Dumper;
use crate::ast::{CaptureDefault, Designator, ExprId, ExprKind, FoldOp, FuncName, LambdaId, List, StrId};
use std::fmt::Write;

impl Dumper<'_> {
    pub(super) fn exprs(&mut self, list: List<ExprId>) {
        for &e in self.ast.list(list) {
            self.expr(e);
        }
    }

    /// A string with its prefix, escaped.
    pub(super) fn string(&self, id: StrId) -> String {
        let s = &self.ast.strings[id.index()];
        let text: String = s.units.iter().map(|&u| char::from_u32(u).unwrap_or('\u{fffd}')).collect();
        format!("{text:?}")
    }

    pub(super) fn expr(&mut self, id: ExprId) {
        let kind = self.ast[id].kind;
        let head = self.expr_head(&kind);
        self.line(&head);
        self.deeper(|p| p.expr_children(&kind));
    }

    fn expr_head(&self, kind: &ExprKind) -> String {
        match *kind {
            ExprKind::Error => "<error expression>".to_owned(),
            ExprKind::Int(i) => format!("int {}", i.value),
            ExprKind::Float(f) => format!("float {:?}", f.f64),
            ExprKind::Char(c) => format!("char {}", c.value),
            ExprKind::Str(s) => format!("string {}", self.string(s)),
            ExprKind::Bool(b) => format!("{b}"),
            ExprKind::Nullptr => "nullptr".to_owned(),
            ExprKind::UserLiteral { suffix, .. } => format!("user literal {}", self.str(suffix)),
            ExprKind::Name(n) => format!("name {}", self.name(n)),
            ExprKind::This => "this".to_owned(),
            ExprKind::FuncName(FuncName::Func) => "__func__".to_owned(),
            ExprKind::FuncName(FuncName::Function) => "__FUNCTION__".to_owned(),
            ExprKind::FuncName(FuncName::Pretty) => "__PRETTY_FUNCTION__".to_owned(),
            ExprKind::Paren(_) => "()".to_owned(),
            ExprKind::Unary(op, _) => format!("unary {}", op.as_str()),
            ExprKind::Binary(op, ..) => format!("binary {}", op.as_str()),
            ExprKind::Assign(op, ..) => format!("assign {}=", op.map_or("", |o| o.as_str())),
            ExprKind::Comma(..) => "comma".to_owned(),
            ExprKind::Cond { .. } => "conditional".to_owned(),
            ExprKind::Cast { kind, ty, .. } => format!("{} to {}", kind.as_str(), self.ty(ty)),
            ExprKind::VectorLit { ty, .. } => format!("vector {}", self.ty(ty)),
            ExprKind::Construct { ty, .. } => format!("construct {}", self.ty(ty)),
            ExprKind::CompoundLit { ty, .. } => format!("compound literal {}", self.ty(ty)),
            ExprKind::InitList(_) => "list".to_owned(),
            ExprKind::Call { .. } => "call".to_owned(),
            ExprKind::Launch { .. } => "launch".to_owned(),
            ExprKind::Index { .. } => "index".to_owned(),
            ExprKind::Member { arrow, name, .. } => {
                format!("member {}{}", if arrow { "->" } else { "." }, self.name(name))
            }
            ExprKind::SizeofExpr(_) => "sizeof".to_owned(),
            ExprKind::SizeofType(ty) => format!("sizeof {}", self.ty(ty)),
            ExprKind::SizeofPack(s) => format!("sizeof... {}", self.str(s)),
            ExprKind::AlignofExpr(_) => "alignof".to_owned(),
            ExprKind::AlignofType(ty) => format!("alignof {}", self.ty(ty)),
            ExprKind::Noexcept(_) => "noexcept".to_owned(),
            ExprKind::Generic { .. } => "_Generic".to_owned(),
            ExprKind::StmtExpr(_) => "statement expression".to_owned(),
            ExprKind::Offsetof { ty, .. } => format!("offsetof {}", self.ty(ty)),
            ExprKind::VaArg { ty, .. } => format!("va_arg {}", self.ty(ty)),
            ExprKind::Choose { .. } => "choose".to_owned(),
            ExprKind::Requires(r) => format!("requires, {} requirements", self.ast[r].list.len()),
            ExprKind::TypeTrait { name, args } => {
                let types: Vec<String> = self.ast.list(args).iter().map(|&t| self.ty(t)).collect();
                format!("{} {}", self.str(name), types.join(", "))
            }
            ExprKind::BitCast { ty, .. } => format!("bit_cast to {}", self.ty(ty)),
            ExprKind::Lambda(l) => self.lambda_head(l),
            ExprKind::Fold { op, left, right } => {
                let op = match op {
                    FoldOp::Binary(o) => o.as_str().to_owned(),
                    FoldOp::Assign(o) => format!("{}=", o.map_or("", |o| o.as_str())),
                    FoldOp::Comma => ",".to_owned(),
                };
                match (left, right) {
                    (None, _) => format!("fold ... {op} e"),
                    (_, None) => format!("fold e {op} ..."),
                    _ => format!("fold e {op} ... {op} e"),
                }
            }
            ExprKind::Pack(_) => "pack".to_owned(),
            ExprKind::New(n) => format!("new {}", self.ty(self.ast[n].ty)),
            ExprKind::Delete { array, .. } => format!("delete{}", if array { "[]" } else { "" }),
            ExprKind::Throw(_) => "throw".to_owned(),
            ExprKind::TypeidExpr(_) => "typeid".to_owned(),
            ExprKind::TypeidType(ty) => format!("typeid {}", self.ty(ty)),
            ExprKind::LabelAddr(s) => format!("&&{}", self.str(s)),
        }
    }

    fn lambda_head(&self, id: LambdaId) -> String {
        let l = self.ast[id];
        let mut s = String::from("lambda [");
        s.push_str(match l.default {
            CaptureDefault::None => "",
            CaptureDefault::Copy => "=",
            CaptureDefault::Ref => "&",
        });
        for c in self.ast.list(l.captures) {
            let _ = write!(s, " {}{}", if c.by_ref { "&" } else { "" }, c.name.map_or("this", |n| self.str(n.sym)));
        }
        let _ = write!(s, "] {}{}", self.fn_type(l.ty), if l.mutable { " mutable" } else { "" });
        for w in l.specs.words() {
            let _ = write!(s, " [{w}]");
        }
        s
    }

    fn expr_children(&mut self, kind: &ExprKind) {
        match *kind {
            ExprKind::UserLiteral { literal: e, .. }
            | ExprKind::Paren(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast { operand: e, .. }
            | ExprKind::CompoundLit { init: e, .. }
            | ExprKind::SizeofExpr(e)
            | ExprKind::AlignofExpr(e)
            | ExprKind::Noexcept(e)
            | ExprKind::Member { base: e, .. }
            | ExprKind::VaArg { list: e, .. }
            | ExprKind::BitCast { operand: e, .. }
            | ExprKind::Pack(e)
            | ExprKind::Delete { operand: e, .. }
            | ExprKind::Throw(Some(e))
            | ExprKind::TypeidExpr(e) => self.expr(e),
            ExprKind::Binary(_, a, b)
            | ExprKind::Assign(_, a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Index { base: a, index: b } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond { cond, then, els } => {
                self.expr(cond);
                if let Some(e) = then {
                    self.expr(e);
                }
                self.expr(els);
            }
            ExprKind::Choose { cond, then, els } => {
                self.expr(cond);
                self.expr(then);
                self.expr(els);
            }
            ExprKind::VectorLit { elems: list, .. } | ExprKind::Construct { args: list, .. } => self.exprs(list),
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                self.exprs(args);
            }
            ExprKind::Launch { callee, config, args } => {
                self.expr(callee);
                self.exprs(config);
                self.exprs(args);
            }
            ExprKind::InitList(items) => {
                for i in self.ast.list(items) {
                    self.path(i.designators);
                    self.expr(i.value);
                }
            }
            ExprKind::Generic { control, arms } => {
                self.expr(control);
                for a in self.ast.list(arms) {
                    let head = a.ty.map_or_else(|| "default".to_owned(), |t| self.ty(t));
                    self.line(&head);
                    self.deeper(|p| p.expr(a.value));
                }
            }
            ExprKind::StmtExpr(s) => self.stmt(s),
            ExprKind::Offsetof { path, .. } => self.path(path),
            ExprKind::Lambda(l) => self.stmt(self.ast[l].body),
            ExprKind::Fold { left, right, .. } => {
                for e in [left, right].into_iter().flatten() {
                    self.expr(e);
                }
            }
            ExprKind::New(n) => {
                self.exprs(self.ast[n].placement);
                if let Some(args) = self.ast[n].init {
                    self.exprs(args);
                }
            }
            _ => {}
        }
    }

    fn path(&mut self, path: List<Designator>) {
        for d in self.ast.list(path) {
            match *d {
                Designator::Field(n) => self.line(&format!("at .{}", self.str(n.sym))),
                Designator::Index(e) => self.line(&format!("at [{}]", self.source(self.ast[e].span))),
                Designator::Range(a, b) => {
                    let (a, b) = (self.source(self.ast[a].span), self.source(self.ast[b].span));
                    self.line(&format!("at [{a} ... {b}]"));
                }
            }
        }
    }
}
