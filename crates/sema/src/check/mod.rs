//! The checker: walks the tree once, in source order, and builds the typed program.
//!
//! * What is declared is in [`Declarations`], what templates became and what waits to be checked in [`Instantiation`], what
//!   is known of the body that is being checked in its [`BodyCx`].
//! * Names live in [`scope`]s; a function's block scopes are a stack in its [`BodyCx`].
//! * Templates are checked per instantiation: the same tree is walked again in a scope that binds the parameters.
//! * Function bodies are checked when their definition is met, members when their class is complete, templates when
//!   they are first used; a body being checked can cause another one to be checked, so the [`BodyCx`] is swapped out.
//! * Constants are folded as nodes are built, so a constant expression is one whose node is a constant.

mod access;
mod attr;
mod attributed;
mod block_names;
mod body_cx;
mod builtin_call;
mod call;
mod class;
mod closures;
mod complex;
mod concepts;
mod consteval;
mod convert;
mod cudavec;
mod decl;
mod declarations;
mod definition;
mod expr;
mod field_names;
mod finish;
mod fold;
mod function;
mod function_types;
mod generic_lambda;
mod getter;
mod heap;
mod held;
mod hints;
mod host;
mod image;
mod init;
mod instance_notes;
mod instantiation;
mod kernel;
mod lambda;
mod lambda_packs;
mod lane_mask;
mod launch_attr;
mod launches;
mod member;
mod member_pointer;
mod names;
mod nothrow;
mod ops;
mod overflow;
mod overload;
mod overload_table;
mod pretty;
mod scope;
mod sizes;
mod specialisations;
mod spelling;
mod stmt;
mod symbols;
mod template;
mod temporaries;
mod tgmath;
mod traits;
mod typeres;
mod user_literal;
mod varargs;
mod visible;
mod walk;
mod written;

use rustc_hash::FxHashSet;
use source::{Diagnostic, Session, Span, Symbol};
use syntax::ast::Ast;

use crate::options::SemaOptions;
use crate::program::{
    Category, Expr, ExprId, ExprKind, ExprList, ListId, Local, LocalId, Program, Stmt, StmtId, StmtKind,
};
use crate::types::{AddrSpace, Quals, TyId};

pub(crate) use body_cx::{BodyCx, LabelInfo, LocalInfo, SwitchCx};
pub(crate) use declarations::{
    BodySource, BodyState, Declarations, FnDecl, FnId, FnKind, OutOfLine, PackId, ParamDecl, Pattern, RecordInfo,
    Template, TemplateId, TemplateKind, TemplateParam, VarDecl, VarId,
};
pub(crate) use instantiation::{Instantiation, MAX_INSTANTIATION_DEPTH, MAX_INSTANTIATIONS};
pub(crate) use scope::{Entity, Found, ScopeId, ScopeKind};
pub(crate) use specialisations::{Specialisation, Specialisations};

/// Checks a whole file.
pub fn check(session: &mut Session, opts: &SemaOptions, ast: &Ast) -> Program {
    let mut asked = launches::read_host(session, opts, ast);
    let mut c = Checker::new(session, opts, ast);
    c.from_host = asked.as_mut().map(launches::Asked::take_first).unwrap_or_default();
    for &d in &ast.top {
        c.declare(d);
        if c.sess.diagnostics.is_full() {
            break;
        }
    }
    if let Some(asked) = &mut asked {
        c.make_launched(asked);
    }
    c.run_pending();
    c.check_definitions();
    c.check_symbols();
    let program = c.finish();
    session.diagnostics.keep_once();
    program
}

/// A type as resolved from the source: with qualifiers, and the address space written on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RTy {
    pub(crate) ty: TyId,
    pub(crate) quals: Quals,
    pub(crate) space: Option<AddrSpace>,
    /// What a typedef's `aligned` asks for in place of the type's own alignment.
    pub(crate) align: Option<u32>,
    /// A vector as GCC has them (`vector_size`): casts to it from numbers keep the bits.
    pub(crate) keeps_bits: bool,
}

impl RTy {
    pub(crate) fn plain(ty: TyId) -> Self {
        Self { ty, quals: Quals::NONE, space: None, align: None, keeps_bits: false }
    }
}

/// The checker.
pub(crate) struct Checker<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) sess: &'a mut Session,
    pub(crate) opts: &'a SemaOptions,
    /// What comes of it.
    pub(crate) p: Program,
    pub(crate) decls: Declarations,
    pub(crate) inst: Instantiation,
    pub(crate) cx: BodyCx,
    /// The scope that names are looked up from, besides the blocks of `cx`.
    pub(crate) scope: ScopeId,
    /// What host code launches, if that is what it is read for.
    pub(crate) launches: Option<launches::Launches>,
    /// What reading host code said before.
    pub(crate) from_host: launches::FromHost,
    /// Lambdas of host code that kernels are launched with.
    pub(crate) host_closures: closures::HostClosures,
    /// Names of the functions at file scope that have a body anywhere, once somebody has asked.
    with_body: std::cell::OnceCell<FxHashSet<Symbol>>,
    field_names: field_names::FieldNames,
}

impl<'a> Checker<'a> {
    fn new(sess: &'a mut Session, opts: &'a SemaOptions, ast: &'a Ast) -> Self {
        let mut p = Program::default();
        p.exprs.reserve(ast.exprs.len() * 2);
        p.stmts.reserve(ast.stmts.len());
        Self {
            ast,
            sess,
            opts,
            p,
            decls: Declarations::new(),
            inst: Instantiation::default(),
            cx: BodyCx::default(),
            scope: ScopeId(0),
            launches: None,
            from_host: launches::FromHost::default(),
            host_closures: closures::HostClosures::default(),
            with_body: std::cell::OnceCell::new(),
            field_names: field_names::FieldNames::default(),
        }
    }

    // ---- facts about the language ------------------------------------------------------------------------------

    pub(crate) fn is_cxx(&self) -> bool {
        self.opts.dialect.is_cxx()
    }

    pub(crate) fn is_cuda(&self) -> bool {
        self.opts.dialect.is_cuda()
    }

    pub(crate) fn is_opencl(&self) -> bool {
        self.opts.dialect.is_opencl()
    }

    /// The address space of a pointee that names none.
    pub(crate) fn default_space(&self) -> AddrSpace {
        match self.opts.dialect {
            syntax::Dialect::OpenClC { version } if version < 200 => AddrSpace::Private,
            _ => AddrSpace::Generic,
        }
    }

    /// Whether comparisons may be rewritten in terms of others: since C++20.
    pub(crate) fn rewrites_comparisons(&self) -> bool {
        matches!(self.opts.dialect, syntax::Dialect::CudaCxx { std } if std >= 20)
    }

    /// The type of comparisons and logical operators.
    pub(crate) fn bool_ty(&self) -> TyId {
        if self.is_cxx() { TyId::BOOL } else { TyId::INT }
    }

    // ---- building nodes ----------------------------------------------------------------------------------------

    pub(crate) fn push_expr(&mut self, e: Expr) -> ExprId {
        let id = ExprId(self.p.exprs.len() as u32);
        self.p.exprs.push(e);
        id
    }

    /// A value.
    pub(crate) fn rv(&mut self, kind: ExprKind, ty: TyId, span: Span) -> ExprId {
        self.push_expr(Expr { kind, ty, cat: Category::RValue, quals: Quals::NONE, space: AddrSpace::Generic, span })
    }

    /// A place.
    pub(crate) fn lv(&mut self, kind: ExprKind, ty: TyId, quals: Quals, space: AddrSpace, span: Span) -> ExprId {
        self.push_expr(Expr { kind, ty, cat: Category::LValue, quals, space, span })
    }

    /// An expression after an error.
    pub(crate) fn err(&mut self, span: Span) -> ExprId {
        self.rv(ExprKind::Error, TyId::ERROR, span)
    }

    pub(crate) fn e(&self, id: ExprId) -> &Expr {
        &self.p.exprs[id.index()]
    }

    pub(crate) fn ty(&self, id: ExprId) -> TyId {
        self.p.exprs[id.index()].ty
    }

    pub(crate) fn span(&self, id: ExprId) -> Span {
        self.p.exprs[id.index()].span
    }

    pub(crate) fn is_err(&self, id: ExprId) -> bool {
        self.ty(id) == TyId::ERROR
    }

    pub(crate) fn is_lv(&self, id: ExprId) -> bool {
        self.p.exprs[id.index()].cat == Category::LValue
    }

    pub(crate) fn expr_list(&mut self, items: &[ExprId]) -> ExprList {
        let start = self.p.expr_pool.len() as u32;
        self.p.expr_pool.extend_from_slice(items);
        ListId { start, len: items.len() as u32 }
    }

    pub(crate) fn push_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        let id = StmtId(self.p.stmts.len() as u32);
        self.p.stmts.push(Stmt { kind, span });
        id
    }

    pub(crate) fn block(&mut self, items: &[StmtId], span: Span) -> StmtId {
        let start = self.p.stmt_pool.len() as u32;
        self.p.stmt_pool.extend_from_slice(items);
        self.push_stmt(StmtKind::Block(ListId { start, len: items.len() as u32 }), span)
    }

    /// A new local of the function being checked.
    pub(crate) fn new_local(&mut self, name: Option<Symbol>, ty: TyId, quals: Quals, span: Span) -> LocalId {
        // What a function returns may be of a class that nobody has asked anything of.
        if let Some(class) = self.array_record(ty) {
            self.complete_record(class);
        }
        let id = LocalId(self.cx.locals.len() as u32);
        let align = self.p.types.align_of(ty);
        self.cx.locals.push(Local {
            name,
            is_made: false,
            ty,
            quals,
            align,
            is_reference: false,
            grid_constant: false,
            restrict_hint: None,
            span,
        });
        self.cx.infos.push(LocalInfo::default());
        id
    }

    /// The place of a local.
    pub(crate) fn local_place(&mut self, id: LocalId, span: Span) -> ExprId {
        let l = self.cx.locals[id.index()];
        // What all threads have one of is no thread's own.
        let space = if l.grid_constant && l.quals.has(Quals::CONST) { AddrSpace::Generic } else { AddrSpace::Private };
        self.lv(ExprKind::Local(id), l.ty, l.quals.without(Quals::RESTRICT), space, span)
    }

    // ---- reporting ---------------------------------------------------------------------------------------------

    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    pub(crate) fn report(&mut self, d: Diagnostic) {
        let d = self.with_instances(d);
        self.sess.report(d);
    }

    /// A warning, unless the code is never executed.
    pub(crate) fn warn(&mut self, d: Diagnostic) {
        if self.cx.unevaluated == 0 && self.cx.dead == 0 {
            self.sess.report(d);
        }
    }

    pub(crate) fn text(&self, s: Symbol) -> &str {
        self.sess.str(s)
    }

    pub(crate) fn show(&self, ty: TyId) -> String {
        crate::display::type_name(&self.p.types, &self.sess.strings, ty, self.opts.dialect)
    }

    pub(crate) fn show_q(&self, ty: TyId, quals: Quals) -> String {
        crate::display::qualified_name(&self.p.types, &self.sess.strings, ty, quals, self.opts.dialect)
    }

    pub(crate) fn show_fn(&self, f: FnId) -> String {
        let d = &self.decls[f];
        let params: Vec<TyId> = d.params.iter().map(|p| p.ty).collect();
        crate::display::function_name(&self.p.types, &self.sess.strings, d.path, &params, d.variadic, self.opts.dialect)
    }
}

/// Runs `f` with `field` of the checker set to a new value, and restores it.
macro_rules! with_scope {
    ($c:expr, $scope:expr, $body:expr) => {{
        let saved = std::mem::replace(&mut $c.scope, $scope);
        let result = $body;
        $c.scope = saved;
        result
    }};
}
pub(crate) use with_scope;
