//! Whose each name is: a walk over the functions with their scopes, which also finds the directives and what they stand on.

use crate::routine::Routine;
use crate::unit::{Unit, word_ranges};
use directives::{DeviceClass, Directive};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Symbol};
use std::ops::Range;
use syntax::ast::{
    ArraySize, BinaryOp, Body, Condition, DeclId, DeclKind, DeclSpecs, ExprId, ExprKind, Init, NameId, PragmaId,
    PragmaKind, StmtId, StmtKind, TypeId, TypeKind,
};

/// A variable: an index into [`Scopes::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct VarId(pub(crate) usize);

/// Where a name is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A variable at file scope, or `static` or `extern` in a function.
    Static,
    /// A parameter.
    Param,
    /// A local variable.
    Local,
    /// No variable: a function, typedef or enumerator.
    Other,
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// Its name.
    pub(crate) name: String,
    /// Its type as written.
    pub(crate) ty: Option<TypeId>,
    /// Where.
    pub(crate) storage: Storage,
    /// The declaration.
    pub(crate) at: Range<usize>,
}

/// A use of a name in a function.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The expression that is the name.
    pub(crate) expr: ExprId,
    /// Whose name.
    pub(crate) var: VarId,
    /// Where.
    pub(crate) at: Range<usize>,
    /// How many branches and loops of the function decide whether it happens.
    pub(crate) depth: u32,
}

/// A directive and what it stands on.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// What it says to the device that kernels are made for.
    pub(crate) directive: Directive,
    /// What it says to each type of device.
    pub(crate) written: Directive,
    /// The statement behind it.
    pub(crate) target: Option<StmtId>,
    /// The function that it is in; empty at file scope.
    pub(crate) function: String,
    /// The variables that its line names.
    pub(crate) names: FxHashMap<String, VarId>,
    /// The innermost directive whose statement it is in.
    pub(crate) parent: Option<usize>,
}

/// What the walk finds.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    /// Every declared name.
    pub(crate) vars: Vec<Var>,
    /// Every use of one inside of functions, in order of the text.
    pub(crate) uses: Vec<Use>,
    /// Whose name an expression is.
    pub(crate) of: FxHashMap<ExprId, VarId>,
    /// Every directive, in order of the text.
    pub(crate) sites: Vec<Site>,
    /// The depth of loops' bodies.
    pub(crate) body_depth: FxHashMap<StmtId, u32>,
    /// File-scope names.
    pub(crate) globals: FxHashMap<Symbol, VarId>,
    /// What functions use of the variables at file scope.
    pub(crate) captured: crate::captured::Captured,
    /// What `routine` says of functions.
    pub(crate) routines: FxHashMap<String, Routine>,
    /// Functions with parameters of computed extents.
    pub(crate) varied: crate::varied::Varied,
    /// Where the lines of the directives end that were come to.
    pub(crate) met: FxHashSet<usize>,
    /// What is wrong with directives by themselves.
    pub(crate) said: Vec<Diagnostic>,
}

impl Scopes {
    /// Walks a unit. Clauses are those for a type of device.
    pub(crate) fn of(unit: &Unit, class: DeviceClass) -> Self {
        let mut said = Vec::new();
        let mut walk = Walk {
            unit,
            class,
            out: Self::default(),
            locals: Vec::new(),
            function: String::new(),
            enclosing: Vec::new(),
            depth: 0,
            said: &mut said,
        };
        for i in 0..walk.unit.ast.top.len() {
            walk.top(walk.unit.ast.top[i]);
        }
        let mut out = walk.out;
        out.uses.sort_by_key(|u| u.at.start);
        out.routines = crate::routine::all(unit, &out.sites);
        out.varied = crate::varied::all(unit);
        out.said = said;
        out.captured = crate::captured::Captured::new(unit, &out);
        out
    }

    /// The variable that a declaration declares.
    pub(crate) fn declared(&self, unit: &Unit, d: DeclId) -> Option<VarId> {
        let at = unit.range(unit.ast[unit.ast[d].name].span);
        self.vars.iter().position(|v| v.at == at).map(VarId)
    }

    /// Whether a name is used in a range of the text, whatever it means there.
    pub(crate) fn is_used(&self, name: &str, range: &Range<usize>) -> bool {
        self.uses_in(range).iter().any(|u| self.var(u.var).name == name)
    }

    /// The uses within a range of the text.
    pub(crate) fn uses_in(&self, range: &Range<usize>) -> &[Use] {
        let from = self.uses.partition_point(|u| u.at.start < range.start);
        let to = self.uses.partition_point(|u| u.at.start < range.end);
        &self.uses[from..to]
    }

    /// The directives whose lines are within a range.
    pub(crate) fn sites_in(&self, range: &Range<usize>) -> impl Iterator<Item = (usize, &Site)> {
        let from = self.sites.partition_point(|s| s.directive.span.start < range.start);
        let to = self.sites.partition_point(|s| s.directive.span.start < range.end).max(from);
        self.sites[from..to].iter().enumerate().map(move |(i, s)| (from + i, s))
    }

    pub(crate) fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    class: DeviceClass,
    out: Scopes,
    locals: Vec<(Symbol, VarId)>,
    function: String,
    /// Sites whose statements are being walked.
    enclosing: Vec<usize>,
    depth: u32,
    said: &'a mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn top(&mut self, d: DeclId) {
        self.decl(d, true);
        if let DeclKind::Function(f) = self.unit.ast[d].kind {
            let f = self.unit.ast[f];
            let Body::Stmt(body) = f.body else { return };
            self.function =
                self.plain(self.unit.ast[d].name).map(|s| self.unit.session.str(s).to_owned()).unwrap_or_default();
            if let TypeKind::Function(t) = self.unit.ast[f.ty].kind {
                for &p in self.unit.ast.list(self.unit.ast[t].params) {
                    if let DeclKind::Param { ty, .. } = self.unit.ast[p].kind {
                        self.declare(p, Some(ty), Storage::Param, false);
                        self.ty(ty);
                    }
                }
            }
            self.stmt(body);
            self.locals.clear();
            self.function.clear();
        }
    }

    fn plain(&self, n: NameId) -> Option<Symbol> {
        self.unit.ast.plain_name(n)
    }

    fn declare(&mut self, d: DeclId, ty: Option<TypeId>, storage: Storage, file: bool) {
        let Some(sym) = self.plain(self.unit.ast[d].name) else { return };
        let id = VarId(self.out.vars.len());
        let at = self.unit.range(self.unit.ast[self.unit.ast[d].name].span);
        self.out.vars.push(Var { name: self.unit.session.str(sym).to_owned(), ty, storage, at });
        if !file {
            return self.locals.push((sym, id));
        }
        // Of several declarations the one that says most is kept: `extern int a[]; int a[3];`.
        let old = self.out.globals.get(&sym).copied();
        let unsized_array = |w: &Self, t: Option<TypeId>| {
            t.is_none_or(|t| matches!(w.unit.ast[t].kind, TypeKind::Array { size: ArraySize::Unknown, .. }))
        };
        if old.is_none_or(|o| unsized_array(self, self.out.vars[o.0].ty)) {
            self.out.globals.insert(sym, id);
        }
    }

    fn decl(&mut self, d: DeclId, file: bool) {
        let decl = self.unit.ast[d];
        match decl.kind {
            DeclKind::Var { ty, init, .. } => {
                self.ty(ty);
                let fixed = file || decl.specs.any(DeclSpecs::STATIC.with(DeclSpecs::EXTERN));
                let storage = if fixed { Storage::Static } else { Storage::Local };
                self.declare(d, Some(ty), storage, file);
                match init {
                    Init::Copy(e) | Init::Brace(e) => self.expr(e),
                    Init::Paren(_) | Init::None => {}
                }
            }
            DeclKind::Function(_) | DeclKind::Typedef { .. } | DeclKind::Enumerator { .. } => {
                self.declare(d, None, Storage::Other, file);
            }
            DeclKind::Enum { members: Some(members), .. } => {
                for &m in self.unit.ast.list(members) {
                    self.decl(m, file);
                }
            }
            DeclKind::Pragma(p) if file => self.pragma(p, None),
            _ => {}
        }
    }

    /// Uses of names in the extents of arrays.
    fn ty(&mut self, t: TypeId) {
        // The parser bounds the nesting of types.
        match self.unit.ast[t].kind {
            TypeKind::Pointer(t)
            | TypeKind::Atomic(t)
            | TypeKind::TypeofType(t)
            | TypeKind::Underlying(t)
            | TypeKind::Attributed { ty: t, .. } => self.ty(t),
            TypeKind::Array { element, size } => {
                if let ArraySize::Expr(e) | ArraySize::Static(e) = size {
                    self.expr(e);
                }
                self.ty(element);
            }
            TypeKind::TypeofExpr(e) => self.expr(e),
            _ => {}
        }
    }

    fn in_scope(&mut self, f: impl FnOnce(&mut Self)) {
        let mark = self.locals.len();
        f(self);
        self.locals.truncate(mark);
    }

    /// What happens only under a condition, or again and again.
    fn deeper(&mut self, f: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.in_scope(f);
        self.depth -= 1;
    }

    /// Statements one after another: directives stand on the next one that is none.
    fn sequence(&mut self, list: &[StmtId]) {
        let mut i = 0;
        while i < list.len() {
            let is_pragma = |s: &&StmtId| matches!(self.unit.ast[**s].kind, StmtKind::Pragma(_));
            let run = list[i..].iter().take_while(is_pragma).count();
            let target = list.get(i + run).copied();
            let mark = self.enclosing.len();
            for &s in &list[i..i + run] {
                let StmtKind::Pragma(p) = self.unit.ast[s].kind else { continue };
                let site = self.out.sites.len();
                self.pragma(p, target);
                if self.out.sites.get(site).is_some_and(|s| s.target.is_some()) {
                    self.enclosing.push(site);
                }
            }
            if let Some(t) = target {
                self.stmt(t);
            }
            self.enclosing.truncate(mark);
            i += run + 1;
        }
    }

    fn pragma(&mut self, p: PragmaId, target: Option<StmtId>) {
        let pragma = &self.unit.ast[p];
        if pragma.kind != PragmaKind::Acc {
            return;
        }
        let mut span = self.unit.range(pragma.span);
        let line_end = self.unit.text[span.start..].find('\n').map_or(self.unit.text.len(), |n| span.start + n);
        span.end = line_end;
        self.out.met.insert(line_end);
        let unit = self.unit;
        let said = &mut *self.said;
        let place = |t: &Range<usize>| unit.span(t);
        let Some(directive) = directives::parse(&unit.text, span.clone(), &place, &mut |d| said.push(d)) else {
            return;
        };
        let mut names = FxHashMap::default();
        let line = &unit.text[span.clone()];
        for r in word_ranges(line) {
            let word = &line[r.clone()];
            if let Some(var) = unit.session.strings.get(word).and_then(|s| self.lookup(s)) {
                names.insert(word.to_owned(), var);
            }
        }
        let parent = self.enclosing.last().copied();
        let target = target.filter(|_| takes_statement(directive.kind));
        let written = directive;
        let directive = written.for_device(self.class);
        self.out.sites.push(Site { directive, written, target, function: self.function.clone(), names, parent });
    }

    fn lookup(&self, sym: Symbol) -> Option<VarId> {
        let local = self.locals.iter().rev().find(|(s, _)| *s == sym).map(|(_, v)| *v);
        local.or_else(|| self.out.globals.get(&sym).copied())
    }

    fn condition(&mut self, c: Condition) {
        match c {
            Condition::Expr(e) => self.expr(e),
            Condition::Decl(d) => self.decl(d, false),
        }
    }

    fn stmt(&mut self, s: StmtId) {
        let ast = &self.unit.ast;
        match ast[s].kind {
            StmtKind::Expr(e) | StmtKind::GotoIndirect(e) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Decl(list) => ast.list(list).iter().for_each(|&d| self.decl(d, false)),
            StmtKind::Compound(list) | StmtKind::Labelled(list) => self.in_scope(|w| w.sequence(w.unit.ast.list(list))),
            StmtKind::If { init, cond, then, els, .. } => self.in_scope(|w| {
                init.into_iter().for_each(|i| w.stmt(i));
                w.condition(cond);
                w.deeper(|w| w.stmt(then));
                els.into_iter().for_each(|e| w.deeper(|w| w.stmt(e)));
            }),
            StmtKind::While { cond, body } => self.in_scope(|w| {
                w.condition(cond);
                w.out.body_depth.insert(s, w.depth + 1);
                w.deeper(|w| w.stmt(body));
            }),
            StmtKind::Do { body, cond } => {
                self.out.body_depth.insert(s, self.depth + 1);
                self.deeper(|w| w.stmt(body));
                self.expr(cond);
            }
            StmtKind::For { init, cond, step, body } => self.in_scope(|w| {
                init.into_iter().for_each(|i| w.stmt(i));
                cond.into_iter().for_each(|c| w.condition(c));
                w.out.body_depth.insert(s, w.depth + 1);
                w.deeper(|w| {
                    step.into_iter().for_each(|e| w.expr(e));
                    w.stmt(body);
                });
            }),
            StmtKind::Switch { init, cond, body } => self.in_scope(|w| {
                init.into_iter().for_each(|i| w.stmt(i));
                w.condition(cond);
                w.deeper(|w| w.stmt(body));
            }),
            StmtKind::Attributed { stmt, .. } => self.stmt(stmt),
            StmtKind::Pragma(p) => self.pragma(p, None),
            _ => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        let node = self.unit.ast[e];
        match node.kind {
            ExprKind::Name(n) => {
                if let Some(var) = self.plain(n).and_then(|s| self.lookup(s)) {
                    let at = self.unit.range(node.span);
                    self.out.uses.push(Use { expr: e, var, at, depth: self.depth });
                    self.out.of.insert(e, var);
                }
            }
            ExprKind::StmtExpr(s) => self.stmt(s),
            ExprKind::Cast { ty, operand, .. } => {
                self.ty(ty);
                self.expr(operand);
            }
            ExprKind::SizeofType(ty) => self.ty(ty),
            ExprKind::Cond { cond, then, els } => {
                self.expr(cond);
                self.depth += 1;
                then.into_iter().chain([els]).for_each(|e| self.expr(e));
                self.depth -= 1;
            }
            ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, a, b) => {
                self.expr(a);
                self.depth += 1;
                self.expr(b);
                self.depth -= 1;
            }
            _ => children(self.unit, e).into_iter().for_each(|c| self.expr(c)),
        }
    }
}

/// Whether a directive governs the statement behind it.
pub(crate) fn takes_statement(kind: directives::Kind) -> bool {
    use directives::Kind as K;
    !matches!(
        kind,
        K::EnterData
            | K::ExitData
            | K::CacheDirective
            | K::Declare
            | K::Init
            | K::Shutdown
            | K::Set
            | K::Update
            | K::Wait
            | K::Routine
    )
}

/// The expressions that an expression is made of.
pub(crate) fn children(unit: &Unit, e: ExprId) -> Vec<ExprId> {
    let ast = &unit.ast;
    match ast[e].kind {
        ExprKind::Paren(a) | ExprKind::Unary(_, a) | ExprKind::SizeofExpr(a) | ExprKind::AlignofExpr(a) => vec![a],
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) => vec![a, b],
        ExprKind::Cond { cond, then, els } => [Some(cond), then, Some(els)].into_iter().flatten().collect(),
        ExprKind::Cast { operand, .. } => vec![operand],
        ExprKind::CompoundLit { init, .. } => vec![init],
        ExprKind::InitList(list) => ast.list(list).iter().map(|i| i.value).collect(),
        ExprKind::Call { callee, args } => std::iter::once(callee).chain(ast.list(args).iter().copied()).collect(),
        ExprKind::Index { base, index } => vec![base, index],
        ExprKind::Member { base, .. } => vec![base],
        ExprKind::Generic { control, .. } => vec![control],
        ExprKind::Choose { cond, then, els } => vec![cond, then, els],
        ExprKind::VaArg { list, .. } => vec![list],
        _ => Vec::new(),
    }
}
