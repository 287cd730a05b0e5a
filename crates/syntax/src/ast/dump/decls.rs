//! Declarations.

use super::Dumper;
use crate::ast::{Attr, AttrArg, AttrSyntax, Body, Decl, DeclId, DeclKind, FunctionKind, Init, List, TypeKind};
use std::fmt::Write;

impl Dumper<'_> {
    pub(super) fn decl(&mut self, id: DeclId) {
        let d = self.ast[id];
        let mut head = self.decl_head(&d);
        let name = self.name(d.name);
        if !name.is_empty() {
            let _ = write!(head, " {name}");
        }
        for w in d.specs.words() {
            let _ = write!(head, " [{w}]");
        }
        let detail = self.decl_detail(&d);
        if !detail.is_empty() {
            let _ = write!(head, ": {detail}");
        }
        self.line(&head);
        self.deeper(|p| {
            p.attrs(d.attrs);
            p.decl_children(&d);
        });
    }

    fn decl_head(&self, d: &Decl) -> String {
        let text = match d.kind {
            DeclKind::Error => "error",
            DeclKind::Empty => "empty",
            DeclKind::Var { .. } => "var",
            DeclKind::Param { .. } => "param",
            DeclKind::Field { .. } => "field",
            DeclKind::Function(f) => match self.ast[f].kind {
                FunctionKind::Plain => "function",
                FunctionKind::Constructor => "constructor",
                FunctionKind::Destructor => "destructor",
                FunctionKind::Conversion => "conversion",
                FunctionKind::Guide => "guide",
            },
            DeclKind::Record(r) => self.ast[r].tag.as_str(),
            DeclKind::Enum { scoped: true, .. } => "enum class",
            DeclKind::Enum { .. } => "enum",
            DeclKind::Enumerator { .. } => "enumerator",
            DeclKind::Typedef { .. } => "typedef",
            DeclKind::Namespace { inline: true, .. } => "inline namespace",
            DeclKind::Namespace { .. } => "namespace",
            DeclKind::NamespaceAlias { .. } => "namespace alias",
            DeclKind::UsingDirective => "using namespace",
            DeclKind::Using => "using",
            DeclKind::Linkage { c: true, .. } => "linkage \"C\"",
            DeclKind::Linkage { .. } => "linkage \"C++\"",
            DeclKind::StaticAssert { .. } => "static_assert",
            DeclKind::Template { .. } => "template",
            DeclKind::Instantiation { is_extern: true, .. } => "extern instantiation",
            DeclKind::Instantiation { .. } => "instantiation",
            DeclKind::TypeParam { pack: true, .. } => "type parameter pack",
            DeclKind::TypeParam { .. } => "type parameter",
            DeclKind::TemplateParam { .. } => "template parameter",
            DeclKind::FriendType(_) | DeclKind::Friend(_) => "friend",
            DeclKind::Access(_) => "access",
            DeclKind::Bindings { .. } => "bindings",
            DeclKind::Asm(_) => "asm",
            DeclKind::Pragma(_) => "pragma",
            DeclKind::HostOnly(_) => "host-only",
            DeclKind::HostView(_) => "host view",
            DeclKind::DeviceView(_) => "device view",
            DeclKind::HostScope { .. } => "host scope",
            DeclKind::Launch => "launch",
        };
        text.to_owned()
    }

    fn decl_detail(&self, d: &Decl) -> String {
        match d.kind {
            DeclKind::Var { ty, .. }
            | DeclKind::Param { ty, .. }
            | DeclKind::Field { ty, .. }
            | DeclKind::Typedef { ty }
            | DeclKind::FriendType(ty) => self.ty(ty),
            DeclKind::Function(f) => self.ty(self.ast[f].ty),
            DeclKind::Enum { underlying: Some(ty), .. } => self.ty(ty),
            DeclKind::NamespaceAlias { target } => self.name(target),
            DeclKind::Access(a) => format!("{a:?}").to_lowercase(),
            DeclKind::HostOnly(r) => r.as_str().to_owned(),
            DeclKind::TypeParam { default: Some(ty), .. } => format!("= {}", self.ty(ty)),
            DeclKind::Record(r) => {
                let r = self.ast[r];
                let mut s = String::new();
                for b in self.ast.list(r.bases) {
                    let _ = write!(s, "base {} ", self.ty(b.ty));
                }
                if !r.defined {
                    s.push_str("declared only");
                }
                if r.is_final {
                    s.push_str("final ");
                }
                if r.pack > 0 {
                    let _ = write!(s, "pack {}", r.pack);
                }
                s.trim_end().to_owned()
            }
            DeclKind::Bindings { names, ty, .. } => {
                let names: Vec<&str> = self.ast.list(names).iter().map(|n| self.str(n.sym)).collect();
                format!("[{}] {}", names.join(", "), self.ty(ty))
            }
            DeclKind::Pragma(p) => {
                let p = self.ast[p];
                let words: Vec<&str> = self.ast.list(p.tokens).iter().map(|t| t.text(&self.session.strings)).collect();
                format!("{:?} {}", p.kind, words.join(" "))
            }
            _ => String::new(),
        }
    }

    fn decl_children(&mut self, d: &Decl) {
        let decls = |p: &mut Self, list: List<DeclId>| {
            for &m in p.ast.list(list) {
                p.decl(m);
            }
        };
        match d.kind {
            DeclKind::Var { init, asm_label, .. } => {
                if let Some(label) = asm_label {
                    let text = self.string(label);
                    self.line(&format!("asm {text}"));
                }
                self.init(init);
            }
            DeclKind::Bindings { init, .. } => self.init(init),
            DeclKind::Param { default: Some(e), .. } | DeclKind::Enumerator { value: Some(e) } => self.expr(e),
            DeclKind::Field { bits, init, .. } => {
                if let Some(e) = bits {
                    self.line("bits");
                    self.deeper(|p| p.expr(e));
                }
                if let Some(e) = init {
                    self.expr(e);
                }
            }
            DeclKind::Function(f) => self.function(f),
            DeclKind::Record(r) => decls(self, self.ast[r].members),
            DeclKind::Enum { members: Some(m), .. } => decls(self, m),
            DeclKind::Namespace { members, .. }
            | DeclKind::Linkage { members, .. }
            | DeclKind::HostScope { members, .. } => decls(self, members),
            DeclKind::StaticAssert { cond, .. } => self.expr(cond),
            DeclKind::Template { params, decl } => {
                decls(self, params);
                self.decl(decl);
            }
            DeclKind::TemplateParam { params, .. } => decls(self, params),
            DeclKind::Instantiation { decl, .. }
            | DeclKind::Friend(decl)
            | DeclKind::HostView(decl)
            | DeclKind::DeviceView(decl) => self.decl(decl),
            DeclKind::Asm(a) => self.asm(a),
            _ => {}
        }
    }

    fn function(&mut self, id: crate::ast::FunctionId) {
        let f = self.ast[id];
        if let TypeKind::Function(t) = self.ast[f.ty].kind {
            for &p in self.ast.list(self.ast[t].params) {
                self.decl(p);
            }
        }
        for i in self.ast.list(f.inits) {
            let name = self.name(i.name);
            self.line(&format!("init {name}{}", if i.braces { " {}" } else { "" }));
            self.deeper(|p| p.exprs(i.args));
        }
        match f.body {
            Body::None if f.pure => self.line("= 0"),
            Body::None => {}
            Body::Stmt(s) => self.stmt(s),
            Body::Default => self.line("= default"),
            Body::Delete => self.line("= delete"),
            Body::Skipped => self.line("<skipped>"),
        }
    }

    fn init(&mut self, init: Init) {
        match init {
            Init::None => {}
            Init::Copy(e) | Init::Brace(e) => self.expr(e),
            Init::Paren(args) => {
                self.line("arguments");
                self.deeper(|p| p.exprs(args));
            }
        }
    }

    pub(super) fn attrs(&mut self, attrs: List<Attr>) {
        for a in self.ast.list(attrs) {
            let scope = a.scope.map(|s| format!("{}::", self.str(s))).unwrap_or_default();
            let syntax = match a.syntax {
                AttrSyntax::Gnu => "gnu",
                AttrSyntax::Cxx => "c++",
                AttrSyntax::Keyword => "keyword",
                AttrSyntax::Declspec => "declspec",
            };
            let args: Vec<String> = self.ast.list(a.args).iter().map(|a| self.attr_arg(a)).collect();
            let args = if a.parens || !args.is_empty() { format!("({})", args.join(", ")) } else { String::new() };
            let text = format!("attribute {syntax} {scope}{}{args}", self.str(a.name));
            self.line(&text);
        }
    }

    fn attr_arg(&self, a: &AttrArg) -> String {
        match *a {
            AttrArg::Expr(e) => self.source(self.ast[e].span),
            AttrArg::Type(t) => format!("type {}", self.ty(t)),
            AttrArg::Named(n, e) => format!("{} = {}", self.str(n.sym), self.source(self.ast[e].span)),
        }
    }
}
