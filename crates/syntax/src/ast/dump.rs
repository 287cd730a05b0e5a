//! The text form of a tree (`--emit ast`): indented, one node a line, stable.

mod decls;
mod exprs;
mod stmts;
mod types;

use super::{Ast, NameId, NameKind, NameSegment, SegmentKind, TemplateArg};
use source::{Session, Symbol};
use std::fmt::Write;

/// The tree as indented text, one node a line; for people and tests.
pub fn dump(ast: &Ast, session: &Session) -> String {
    let mut d = Dumper { ast, session, out: String::new(), depth: 0 };
    for &decl in &ast.top {
        d.decl(decl);
    }
    d.out
}

struct Dumper<'a> {
    ast: &'a Ast,
    session: &'a Session,
    out: String,
    depth: usize,
}

impl Dumper<'_> {
    /// One line at the current depth.
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// One level deeper for the time of `f`.
    fn deeper(&mut self, f: impl FnOnce(&mut Self)) {
        self.depth += 1;
        f(self);
        self.depth -= 1;
    }

    fn str(&self, sym: Symbol) -> &str {
        self.session.strings.str(sym)
    }

    fn name(&self, id: NameId) -> String {
        let n = self.ast[id];
        let mut s = String::new();
        if n.typename {
            s.push_str("typename ");
        }
        if n.global {
            s.push_str("::");
        }
        for seg in self.ast.list(n.qualifier) {
            self.segment(seg, &mut s);
        }
        match n.kind {
            NameKind::None => {}
            NameKind::Ident(sym) => s.push_str(self.str(sym)),
            NameKind::Operator(op) => {
                s.push_str("operator");
                s.push_str(op.as_str());
            }
            NameKind::Conversion(ty) => {
                let _ = write!(s, "operator {}", self.ty(ty));
            }
            NameKind::Destructor(sym) => {
                s.push('~');
                s.push_str(self.str(sym));
            }
            NameKind::Literal(sym) => {
                let _ = write!(s, "operator\"\"{}", self.str(sym));
            }
        }
        if let Some(args) = n.args {
            s.push_str(&self.template_args(self.ast.list(args)));
        }
        s
    }

    fn segment(&self, seg: &NameSegment, s: &mut String) {
        match seg.kind {
            SegmentKind::Ident(sym) => s.push_str(self.str(sym)),
            SegmentKind::Decltype(e) => {
                let _ = write!(s, "decltype({})", self.source(self.ast[e].span));
            }
        }
        if let Some(args) = seg.args {
            s.push_str(&self.template_args(self.ast.list(args)));
        }
        s.push_str("::");
    }

    fn template_args(&self, args: &[TemplateArg]) -> String {
        let mut s = String::from("<");
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                s.push_str(", ");
            }
            let _ = match *a {
                TemplateArg::Type(t) => write!(s, "{}", self.ty(t)),
                TemplateArg::TypePack(t) => write!(s, "{}...", self.ty(t)),
                TemplateArg::Expr(e) => write!(s, "={}", self.source(self.ast[e].span)),
                TemplateArg::ExprPack(e) => write!(s, "={}...", self.source(self.ast[e].span)),
            };
        }
        s.push('>');
        s
    }

    /// The source of a span on one line, shortened.
    fn source(&self, span: source::Span) -> String {
        let text = self.session.sources.snippet(span);
        let one: Vec<&str> = text.split_whitespace().take(32).collect();
        one.join(" ")
    }
}
