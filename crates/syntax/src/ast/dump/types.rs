//! Types, on one line.

use super::Dumper;
use crate::ast::{ArraySize, DeclKind, Noexcept, Quals, RefQual, TypeId, TypeKind};
use std::fmt::Write;

fn quals(q: Quals) -> String {
    let mut words: Vec<&str> = Vec::new();
    words.extend(q.space.map(|s| s.as_str()));
    words.extend(q.access.map(|a| a.as_str()));
    let flags =
        [(q.is_const, "const"), (q.is_volatile, "volatile"), (q.is_restrict, "restrict"), (q.is_atomic, "_Atomic")];
    words.extend(flags.iter().filter(|f| f.0).map(|f| f.1));
    words.join(" ")
}

impl Dumper<'_> {
    /// The type in the order one reads it: `pointer to const int`.
    pub(super) fn ty(&self, id: TypeId) -> String {
        let t = self.ast[id];
        let mut s = quals(t.quals);
        if !s.is_empty() {
            s.push(' ');
        }
        let src = |e: crate::ast::ExprId| self.source(self.ast[e].span);
        let _ = match t.kind {
            TypeKind::Error => write!(s, "<error>"),
            TypeKind::Builtin(b) => write!(s, "{}", b.as_str()),
            TypeKind::Name(n) => write!(s, "{}", self.name(n)),
            TypeKind::Tag(d) => {
                let what = match self.ast[d].kind {
                    DeclKind::Record(r) => self.ast[r].tag.as_str(),
                    _ => "enum",
                };
                let name = self.name(self.ast[d].name);
                write!(s, "{what} {}", if name.is_empty() { "<unnamed>" } else { &name })
            }
            TypeKind::Elaborated { tag, name } => write!(s, "{} {}", tag.as_str(), self.name(name)),
            TypeKind::TypeofExpr(e) => write!(s, "typeof({})", src(e)),
            TypeKind::TypeofType(t) => write!(s, "typeof({})", self.ty(t)),
            TypeKind::Underlying(t) => write!(s, "__underlying_type({})", self.ty(t)),
            TypeKind::Decltype(e) => write!(s, "decltype({})", src(e)),
            TypeKind::Atomic(t) => write!(s, "_Atomic({})", self.ty(t)),
            TypeKind::Pointer(t) => write!(s, "pointer to {}", self.ty(t)),
            TypeKind::LvalueRef(t) => write!(s, "reference to {}", self.ty(t)),
            TypeKind::RvalueRef(t) => write!(s, "rvalue reference to {}", self.ty(t)),
            TypeKind::MemberPointer { class, pointee } => {
                write!(s, "pointer to member of {} of type {}", self.name(class), self.ty(pointee))
            }
            TypeKind::Array { element, size } => {
                let n = match size {
                    ArraySize::Unknown => String::new(),
                    ArraySize::Star => "*".to_owned(),
                    ArraySize::Expr(e) => src(e),
                    ArraySize::Static(e) => format!("static {}", src(e)),
                };
                write!(s, "array [{n}] of {}", self.ty(element))
            }
            TypeKind::Attributed { ty, attrs } => {
                let names: Vec<&str> = self.ast.list(attrs).iter().map(|a| self.str(a.name)).collect();
                write!(s, "{} of {}", names.join(" "), self.ty(ty))
            }
            TypeKind::Function(f) => {
                s.push_str(&self.fn_type(f));
                Ok(())
            }
            TypeKind::Pack(t) => write!(s, "pack of {}", self.ty(t)),
        };
        s
    }

    pub(super) fn fn_type(&self, id: crate::ast::FnTypeId) -> String {
        let f = self.ast[id];
        let mut params: Vec<String> = Vec::new();
        for &p in self.ast.list(f.params) {
            if let DeclKind::Param { ty, .. } = self.ast[p].kind {
                params.push(self.ty(ty));
            }
        }
        if f.variadic {
            params.push("...".to_owned());
        }
        if f.unprototyped {
            params.push("<unspecified>".to_owned());
        }
        let mut s = format!("function ({})", params.join(", "));
        let q = quals(f.quals);
        if !q.is_empty() {
            let _ = write!(s, " {q}");
        }
        match f.ref_qual {
            RefQual::None => {}
            RefQual::Lvalue => s.push_str(" &"),
            RefQual::Rvalue => s.push_str(" &&"),
        }
        match f.noexcept {
            Noexcept::None => {}
            Noexcept::Yes => s.push_str(" noexcept"),
            Noexcept::Expr(e) => {
                let _ = write!(s, " noexcept({})", self.source(self.ast[e].span));
            }
        }
        let _ = write!(s, " returning {}", self.ty(f.ret));
        s
    }
}
