//! The way through declarations, statements and expressions.

use super::{Class, Definitions, Dep, Kind, Scope};
use crate::check::Entity;
use syntax::ast::{self, ArraySize, Body, DeclKind, ExprKind as E, SegmentKind, StmtKind as S, TemplateArg, TypeKind};

/// Where a type stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Where C++ up to C++20 wants `typename`.
    Outside,
    /// Where any C++ wants it: declarations in blocks, expressions, template arguments.
    Inside,
}

impl Definitions<'_, '_> {
    pub(super) fn decl(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        match d.kind {
            DeclKind::Namespace { members, .. } => {
                let outer = self.namespace;
                if let Some(sym) = ast.plain_name(d.name)
                    && let Some(found) = self.c.lookup_in(outer, sym)
                    && let Some(Entity::Namespace(n)) = found.entities.first()
                {
                    self.namespace = *n;
                }
                for &m in ast.list(members) {
                    self.decl(m);
                }
                self.namespace = outer;
            }
            DeclKind::Linkage { members, .. } => {
                for &m in ast.list(members) {
                    self.decl(m);
                }
            }
            DeclKind::Template { params, decl } => self.template(params, decl),
            DeclKind::Record(_) => self.class(id),
            DeclKind::Function(_) => self.function(id),
            DeclKind::Friend(inner) => self.decl(inner),
            DeclKind::Field { ty, bits, init } => {
                self.ty(ty, At::Outside);
                self.exprs(bits.into_iter().chain(init));
            }
            DeclKind::Var { ty, init, .. } if !self.scopes.is_empty() => {
                self.ty(ty, At::Outside);
                self.init(init);
            }
            DeclKind::Typedef { ty } if self.templates > 0 => self.ty(ty, At::Outside),
            DeclKind::StaticAssert { cond, .. } if self.templates > 0 => self.expr(cond),
            _ => {}
        }
    }

    fn template(&mut self, params: ast::List<ast::DeclId>, decl: ast::DeclId) {
        let ast = self.ast;
        // What is specialised for all its arguments depends on nothing.
        if params.is_empty() {
            return self.decl(decl);
        }
        if let (DeclKind::Record(r), Some(sym)) = (ast[decl].kind, ast.plain_name(ast[decl].name))
            && ast[r].defined
            && self.scopes.is_empty()
        {
            self.classes.insert(sym, Class { params, record: decl });
        }
        self.templates += 1;
        self.scoped(Scope::default(), |d| {
            d.parameters(params);
            for &p in ast.list(params) {
                match ast[p].kind {
                    DeclKind::TypeParam { default: Some(t), .. } => d.ty(t, At::Outside),
                    DeclKind::Param { ty, default } => {
                        d.ty(ty, At::Outside);
                        d.exprs(default);
                    }
                    _ => {}
                }
            }
            d.decl(decl);
        });
        self.templates -= 1;
    }

    fn class(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let DeclKind::Record(r) = ast[id].kind else { return };
        for b in ast.list(ast[r].bases) {
            // The name of a base is a type's wherever it leads.
            if let TypeKind::Name(n) = ast[b.ty].kind {
                self.name_parts(n);
            }
        }
        if !self.has_templates(id) {
            return;
        }
        let scope = self.class_scope(id);
        self.scoped(scope, |d| {
            for &m in ast.list(ast[r].members) {
                d.decl(m);
            }
        });
    }

    /// Whether there is anything to look at: a template around, or templates among the members.
    fn has_templates(&self, id: ast::DeclId) -> bool {
        let DeclKind::Record(r) = self.ast[id].kind else { return false };
        let templates = |&m: &ast::DeclId| matches!(self.ast[m].kind, DeclKind::Template { .. } | DeclKind::Record(_));
        self.templates > 0 || self.ast.list(self.ast[r].members).iter().any(templates)
    }

    fn function(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        let DeclKind::Function(f) = d.kind else { return };
        let f = ast[f];
        if self.templates == 0 || f.host_only || matches!(f.body, Body::Skipped) {
            return;
        }
        let TypeKind::Function(ft) = ast[f.ty].kind else { return };
        let ft = ast[ft];
        if !ft.trailing {
            self.ty(ft.ret, At::Outside);
        }
        let class = self.class_around(d.name);
        let pushed = class.is_some();
        self.scopes.extend(class);
        let outer = std::mem::replace(&mut self.const_this, ft.quals.is_const);
        self.scoped(Scope::default(), |w| {
            for &p in ast.list(ft.params) {
                w.parameter(p, At::Outside);
            }
            if ft.trailing {
                w.ty(ft.ret, At::Outside);
            }
            for i in ast.list(f.inits) {
                w.list(i.args);
            }
            if let Body::Stmt(s) = f.body {
                w.stmt(s);
            }
        });
        self.const_this = outer;
        if pushed {
            self.scopes.pop();
        }
    }

    /// The scope of the class template that a name's qualifier leads to: `C<T>::f`.
    fn class_around(&mut self, name: ast::NameId) -> Option<Scope> {
        let ast = self.ast;
        let last = ast.list(ast[name].qualifier).last()?;
        let SegmentKind::Ident(sym) = last.kind else { return None };
        let class = *self.classes.get(&sym)?;
        self.scopes.push(Scope::default());
        self.parameters(class.params);
        let scope = self.class_scope(class.record);
        self.scopes.pop();
        Some(scope)
    }

    fn parameter(&mut self, p: ast::DeclId, at: At) {
        let d = self.ast[p];
        let DeclKind::Param { ty, default } = d.kind else { return };
        self.ty(ty, at);
        self.exprs(default);
        let dep = if self.is_auto(ty) { Dep::Yes } else { self.type_dep(ty) };
        let constant = self.constant_of(ty, d.span);
        self.declare(d.name, Kind::Value { dep, constant, field: false });
    }

    fn init(&mut self, init: ast::Init) {
        match init {
            ast::Init::None => {}
            ast::Init::Copy(e) | ast::Init::Brace(e) => self.expr(e),
            ast::Init::Paren(list) => self.list(list),
        }
    }

    // ---- types and names ----------------------------------------------------------------------------------------

    fn ty(&mut self, ty: ast::TypeId, at: At) {
        let ast = self.ast;
        match ast[ty].kind {
            TypeKind::Name(n) => {
                if at == At::Inside || !self.relaxed {
                    self.wants_typename(n);
                }
                self.wants_this(n, false, true);
                self.wants_template(n, None);
                self.name_parts(n);
            }
            TypeKind::Elaborated { name, .. } => self.name_parts(name),
            TypeKind::TypeofExpr(e) | TypeKind::Decltype(e) => self.expr(e),
            TypeKind::TypeofType(t)
            | TypeKind::Underlying(t)
            | TypeKind::Atomic(t)
            | TypeKind::Pointer(t)
            | TypeKind::LvalueRef(t)
            | TypeKind::RvalueRef(t)
            | TypeKind::Pack(t)
            | TypeKind::MemberPointer { pointee: t, .. } => self.ty(t, at),
            TypeKind::Array { element, size } => {
                self.ty(element, at);
                if let ArraySize::Expr(e) | ArraySize::Static(e) = size {
                    self.expr(e);
                }
            }
            TypeKind::Attributed { ty, attrs } => {
                self.ty(ty, at);
                for arg in ast.list(attrs).iter().flat_map(|a| ast.list(a.args)) {
                    // A mode is a word and no expression.
                    if let ast::AttrArg::Expr(e) = *arg
                        && !matches!(ast[e].kind, ast::ExprKind::Name(_))
                    {
                        self.expr(e);
                    }
                }
            }
            TypeKind::Function(f) => {
                let f = ast[f];
                self.ty(f.ret, at);
                self.scoped(Scope::default(), |d| {
                    for &p in ast.list(f.params) {
                        d.parameter(p, at);
                    }
                });
            }
            TypeKind::Tag(d) => self.decl(d),
            TypeKind::Builtin(_) | TypeKind::Error => {}
        }
    }

    /// The template arguments in a name.
    fn name_parts(&mut self, n: ast::NameId) {
        let ast = self.ast;
        let name = ast[n];
        let lists = ast.list(name.qualifier).iter().filter_map(|s| s.args).chain(name.args);
        for list in lists {
            for a in ast.list(list) {
                match *a {
                    TemplateArg::Type(t) | TemplateArg::TypePack(t) => self.ty(t, At::Inside),
                    TemplateArg::Expr(e) | TemplateArg::ExprPack(e) => self.expr(e),
                }
            }
        }
    }

    // ---- statements ---------------------------------------------------------------------------------------------

    fn stmt(&mut self, s: ast::StmtId) {
        let ast = self.ast;
        match ast[s].kind {
            S::Expr(e) => self.expr(e),
            S::Decl(list) => {
                for &d in ast.list(list) {
                    self.local(d);
                }
            }
            S::Compound(list) => self.scoped(Scope::default(), |d| d.stmts(list)),
            S::Labelled(list) => self.stmts(list),
            S::If { init, cond, then, els, .. } => self.scoped(Scope::default(), |d| {
                d.optional(init);
                d.condition(cond);
                d.stmt(then);
                d.optional(els);
            }),
            S::While { cond, body } => self.scoped(Scope::default(), |d| {
                d.condition(cond);
                d.stmt(body);
            }),
            S::Do { body, cond } => {
                self.stmt(body);
                self.expr(cond);
            }
            S::For { init, cond, step, body } => self.scoped(Scope::default(), |d| {
                d.optional(init);
                if let Some(c) = cond {
                    d.condition(c);
                }
                d.exprs(step);
                d.stmt(body);
            }),
            S::RangeFor { init, decl, range, body } => self.scoped(Scope::default(), |d| {
                d.optional(init);
                d.expr(range);
                d.member(decl);
                d.stmt(body);
            }),
            S::Switch { init, cond, body } => self.scoped(Scope::default(), |d| {
                d.optional(init);
                d.condition(cond);
                d.stmt(body);
            }),
            S::Case { lo, hi } => self.exprs(std::iter::once(lo).chain(hi)),
            S::Return(e) => self.exprs(e),
            S::GotoIndirect(e) => self.expr(e),
            S::Asm(a) => {
                let a = ast[a];
                let operands = ast.list(a.outputs).iter().chain(ast.list(a.inputs));
                self.exprs(operands.map(|o| o.value));
            }
            S::Attributed { stmt, .. } => self.stmt(stmt),
            S::Try { body } => self.stmt(body),
            _ => {}
        }
    }

    fn stmts(&mut self, list: ast::List<ast::StmtId>) {
        let ast = self.ast;
        for &s in ast.list(list) {
            self.stmt(s);
        }
    }

    fn optional(&mut self, s: Option<ast::StmtId>) {
        if let Some(s) = s {
            self.stmt(s);
        }
    }

    fn condition(&mut self, c: ast::Condition) {
        match c {
            ast::Condition::Expr(e) => self.expr(e),
            ast::Condition::Decl(d) => self.local(d),
        }
    }

    /// A declaration in a block.
    fn local(&mut self, id: ast::DeclId) {
        let d = self.ast[id];
        match d.kind {
            DeclKind::Var { ty, init, .. } => {
                self.ty(ty, At::Inside);
                // A variable is in scope in its own initialiser.
                self.member(id);
                self.init(init);
            }
            DeclKind::Bindings { init, .. } => {
                self.init(init);
                self.member(id);
            }
            DeclKind::Typedef { ty } => {
                self.ty(ty, At::Inside);
                self.member(id);
            }
            DeclKind::Record(_) => {
                self.member(id);
                self.class(id);
            }
            DeclKind::StaticAssert { cond, .. } => self.expr(cond),
            _ => self.member(id),
        }
    }

    // ---- expressions --------------------------------------------------------------------------------------------

    fn exprs(&mut self, list: impl IntoIterator<Item = ast::ExprId>) {
        for e in list {
            self.expr(e);
        }
    }

    fn list(&mut self, list: ast::List<ast::ExprId>) {
        let ast = self.ast;
        self.exprs(ast.list(list).iter().copied());
    }

    fn expr(&mut self, e: ast::ExprId) {
        let ast = self.ast;
        let x = ast[e];
        match x.kind {
            E::Name(n) => self.named(n, false),
            E::Paren(a)
            | E::SizeofExpr(a)
            | E::AlignofExpr(a)
            | E::Noexcept(a)
            | E::Pack(a)
            | E::TypeidExpr(a)
            | E::Delete { operand: a, .. } => self.expr(a),
            E::Unary(op, a) => {
                use ast::UnaryOp as U;
                self.expr(a);
                if matches!(op, U::PreInc | U::PreDec | U::PostInc | U::PostDec) {
                    self.wants_mutable(a, x.span);
                }
            }
            E::Assign(_, l, r) => {
                self.exprs([l, r]);
                self.wants_mutable(l, x.span);
            }
            E::Binary(_, l, r) | E::Comma(l, r) | E::Index { base: l, index: r } => self.exprs([l, r]),
            E::Cond { cond, then, els } => self.exprs([Some(cond), then, Some(els)].into_iter().flatten()),
            E::Cast { ty, operand, .. } | E::BitCast { ty, operand } | E::VaArg { ty, list: operand } => {
                self.ty(ty, At::Inside);
                self.expr(operand);
            }
            E::VectorLit { ty, elems: args } | E::Construct { ty, args, .. } => {
                self.ty(ty, At::Inside);
                self.list(args);
            }
            E::CompoundLit { ty, init } => {
                self.ty(ty, At::Inside);
                self.expr(init);
            }
            E::InitList(items) => self.exprs(ast.list(items).iter().map(|i| i.value)),
            E::Call { callee, args } => {
                match ast[callee].kind {
                    // Functions may be found by their arguments when the template is instantiated.
                    E::Name(n) => {
                        let open = ast.list(args).iter().any(|&a| self.expr_dep(a) != Dep::No);
                        self.named(n, open);
                    }
                    _ => self.expr(callee),
                }
                self.list(args);
            }
            E::Member { base, name, .. } => {
                self.expr(base);
                self.wants_template(name, Some(base));
                self.name_parts(name);
            }
            E::SizeofType(t) | E::AlignofType(t) | E::TypeidType(t) => self.ty(t, At::Inside),
            E::TypeTrait { args, .. } => {
                for &t in ast.list(args) {
                    self.ty(t, At::Inside);
                }
            }
            E::Choose { cond, then, els } => self.exprs([cond, then, els]),
            E::StmtExpr(s) => self.stmt(s),
            E::Fold { left, right, .. } => self.exprs(left.into_iter().chain(right)),
            E::Lambda(l) => self.lambda(l),
            _ => {}
        }
    }

    fn named(&mut self, n: ast::NameId, open: bool) {
        self.wants_this(n, open, false);
        self.wants_template(n, None);
        self.name_parts(n);
    }

    fn lambda(&mut self, l: ast::LambdaId) {
        let ast = self.ast;
        let l = ast[l];
        let generic = !l.template_params.is_empty();
        let f = ast[l.ty];
        self.scoped(Scope::default(), |d| {
            d.parameters(l.template_params);
            for c in ast.list(l.captures) {
                d.exprs(c.init);
                let (Some(name), Some(init)) = (c.name, c.init) else { continue };
                let dep = d.expr_dep(init);
                if let Some(s) = d.scopes.last_mut() {
                    s.names.insert(name.sym, Kind::Value { dep, constant: None, field: false });
                }
            }
            for &p in ast.list(f.params) {
                d.parameter(p, At::Outside);
            }
            if f.trailing {
                d.ty(f.ret, At::Outside);
            }
            d.templates += u32::from(generic);
            d.stmt(l.body);
            d.templates -= u32::from(generic);
        });
    }
}
