//! Statements.

use super::Dumper;
use crate::ast::{AsmId, Condition, List, LoopHint, StmtId, StmtKind};

impl Dumper<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        match self.ast[id].kind {
            StmtKind::Error => self.line("<error statement>"),
            StmtKind::Empty => self.line(";"),
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Decl(list) => {
                for &d in self.ast.list(list) {
                    self.decl(d);
                }
            }
            StmtKind::Compound(list) => self.block("{}", list),
            StmtKind::Labelled(list) => self.block("labelled", list),
            StmtKind::If { is_constexpr, init, cond, then, els } => {
                self.line(if is_constexpr { "if constexpr" } else { "if" });
                self.deeper(|p| {
                    p.opt_stmt(init);
                    p.condition(cond);
                    p.stmt(then);
                });
                if let Some(s) = els {
                    self.line("else");
                    self.deeper(|p| p.stmt(s));
                }
            }
            StmtKind::While { cond, body } => {
                self.line("while");
                self.deeper(|p| {
                    p.condition(cond);
                    p.stmt(body);
                });
            }
            StmtKind::Do { body, cond } => {
                self.line("do");
                self.deeper(|p| {
                    p.stmt(body);
                    p.expr(cond);
                });
            }
            StmtKind::For { .. } | StmtKind::RangeFor { .. } => self.for_stmt(id),
            StmtKind::Switch { init, cond, body } => {
                self.line("switch");
                self.deeper(|p| {
                    p.opt_stmt(init);
                    p.condition(cond);
                    p.stmt(body);
                });
            }
            StmtKind::Attributed { hints, attrs, stmt } => {
                self.hints(hints);
                self.attrs(attrs);
                self.stmt(stmt);
            }
            _ => self.simple_stmt(id),
        }
    }

    fn for_stmt(&mut self, id: StmtId) {
        match self.ast[id].kind {
            StmtKind::For { init, cond, step, body } => {
                self.line("for");
                self.deeper(|p| {
                    match init {
                        Some(s) => p.stmt(s),
                        None => p.line("-"),
                    }
                    match cond {
                        Some(c) => p.condition(c),
                        None => p.line("-"),
                    }
                    match step {
                        Some(e) => p.expr(e),
                        None => p.line("-"),
                    }
                    p.stmt(body);
                });
            }
            StmtKind::RangeFor { init, decl, range, body } => {
                self.line("for range");
                self.deeper(|p| {
                    p.opt_stmt(init);
                    p.decl(decl);
                    p.expr(range);
                    p.stmt(body);
                });
            }
            _ => {}
        }
    }

    fn simple_stmt(&mut self, id: StmtId) {
        match self.ast[id].kind {
            StmtKind::Case { lo, hi } => {
                self.line("case");
                self.deeper(|p| {
                    p.expr(lo);
                    if let Some(e) = hi {
                        p.expr(e);
                    }
                });
            }
            StmtKind::Default => self.line("default"),
            StmtKind::Label(s) => self.line(&format!("label {}", self.str(s))),
            StmtKind::Goto(s) => self.line(&format!("goto {}", self.str(s))),
            StmtKind::GotoIndirect(e) => {
                self.line("goto *");
                self.deeper(|p| p.expr(e));
            }
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(e) => {
                self.line("return");
                if let Some(e) = e {
                    self.deeper(|p| p.expr(e));
                }
            }
            StmtKind::Asm(a) => self.asm(a),
            StmtKind::Try { body } => {
                self.line("try");
                self.deeper(|p| p.stmt(body));
            }
            StmtKind::LocalLabels(list) => {
                let names: Vec<&str> = self.ast.list(list).iter().map(|n| self.str(n.sym)).collect();
                self.line(&format!("__label__ {}", names.join(", ")));
            }
            StmtKind::Pragma(p) => {
                let p = self.ast[p];
                let words: Vec<&str> = self.ast.list(p.tokens).iter().map(|t| t.text(&self.session.strings)).collect();
                self.line(&format!("pragma {:?} {}", p.kind, words.join(" ")));
            }
            _ => {}
        }
    }

    fn block(&mut self, head: &str, list: List<StmtId>) {
        self.line(head);
        self.deeper(|p| {
            for &s in p.ast.list(list) {
                p.stmt(s);
            }
        });
    }

    fn opt_stmt(&mut self, s: Option<StmtId>) {
        if let Some(s) = s {
            self.stmt(s);
        }
    }

    fn condition(&mut self, c: Condition) {
        match c {
            Condition::Expr(e) => self.expr(e),
            Condition::Decl(d) => self.decl(d),
        }
    }

    fn hints(&mut self, hints: List<LoopHint>) {
        for h in self.ast.list(hints) {
            let problem = h.problem.map(|p| format!(" problem {p:?}")).unwrap_or_default();
            self.line(&format!("hint {:?} `{}`{problem}", h.kind, self.str(h.text)));
            if let Some(e) = h.operand {
                self.deeper(|p| p.expr(e));
            }
        }
    }

    pub(super) fn asm(&mut self, id: AsmId) {
        let a = self.ast[id];
        let words = [(a.volatile, " volatile"), (a.goto, " goto"), (a.extended, " extended")];
        let words: String = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        self.line(&format!("asm{words} {}", self.string(a.template)));
        self.deeper(|p| {
            for (what, list) in [("out", a.outputs), ("in", a.inputs)] {
                for o in p.ast.list(list) {
                    let name = o.name.map(|n| format!("[{}] ", p.str(n))).unwrap_or_default();
                    p.line(&format!("{what} {name}{}", p.string(o.constraint)));
                    p.deeper(|p| p.expr(o.value));
                }
            }
            for &c in p.ast.list(a.clobbers) {
                p.line(&format!("clobber {}", p.string(c)));
            }
        });
    }
}
