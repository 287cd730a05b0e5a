//! The checker: walks the tree once, in source order, and builds the typed program.
//!
//! * Names live in [`scope`]s; a function's block scopes are a stack in its [`FnCx`].
//! * Templates are checked per instantiation: the same tree is walked again in a scope that binds the parameters.
//! * Function bodies are checked when their definition is met, members when their class is complete, templates when
//!   they are first used; a body being checked can cause another one to be checked, so the [`FnCx`] is swapped out.
//! * Constants are folded as nodes are built, so a constant expression is one whose node is a constant.

mod attr;
mod builtin_call;
mod call;
mod class;
mod consteval;
mod convert;
mod cudavec;
mod decl;
mod expr;
mod finish;
mod fold;
mod function;
mod hints;
mod host;
mod image;
mod init;
mod kernel;
mod lambda;
mod member;
mod names;
mod ops;
mod overload;
mod scope;
mod stmt;
mod template;
mod typeres;
mod walk;
mod written;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::{Diagnostic, HintId, Session, Span, Symbol};
use syntax::ast::{self, Ast};

use crate::options::SemaOptions;
use crate::program::{
    Category, Expr, ExprId, ExprKind, ExprList, FuncId, GlobalId, ListId, Local, LocalId, LoopHints, Program, Stmt,
    StmtId, StmtKind,
};
use crate::types::{AddrSpace, NameId, OperatorName, Quals, RecordId, TemplateArg, TyId};

pub(crate) use scope::{Entity, Found, ScopeId, ScopeKind};

/// Checks a whole file.
pub fn check(session: &mut Session, opts: &SemaOptions, ast: &Ast) -> Program {
    let mut c = Checker::new(session, opts, ast);
    for &d in &ast.top {
        c.declare(d);
        if c.sess.diagnostics.is_full() {
            break;
        }
    }
    c.run_pending();
    c.finish()
}

macro_rules! sema_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) struct $name(pub(crate) u32);
    )*};
}

sema_ids! {
    /// A function declared in the source or made by instantiation.
    FnId;
    /// A variable at namespace, class or function-static scope.
    VarId;
    /// A template.
    TemplateId;
    /// A parameter pack's bindings.
    PackId;
}

/// A type as resolved from the source: with qualifiers, and the address space written on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RTy {
    pub(crate) ty: TyId,
    pub(crate) quals: Quals,
    pub(crate) space: Option<AddrSpace>,
}

impl RTy {
    pub(crate) fn plain(ty: TyId) -> Self {
        Self { ty, quals: Quals::NONE, space: None }
    }
}

/// What sort of function a [`FnDecl`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FnKind {
    Plain,
    Operator(OperatorName),
    Constructor,
    Destructor,
    Conversion,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParamDecl {
    pub(crate) name: Option<Symbol>,
    /// Adjusted type; may be a reference.
    pub(crate) ty: TyId,
    pub(crate) quals: Quals,
    pub(crate) default: Option<ast::ExprId>,
    pub(crate) decl: Option<ast::DeclId>,
    pub(crate) span: Span,
}

/// Where the body of a function comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodySource {
    /// Only declared so far.
    None,
    /// The definition in the tree.
    Ast(ast::DeclId),
    /// `= default`, or implicitly declared.
    Defaulted,
    /// `= delete`.
    Deleted,
    /// The body of a lambda.
    Lambda(ast::LambdaId),
    /// Host code: skipped.
    Host,
}

/// How far checking of a body has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyState {
    Unchecked,
    Checking,
    Done,
}

/// A function declaration.
#[derive(Clone, Debug)]
pub(crate) struct FnDecl {
    pub(crate) name: Symbol,
    pub(crate) kind: FnKind,
    pub(crate) path: NameId,
    pub(crate) span: Span,
    /// The first declaration in the tree.
    pub(crate) ast: Option<ast::DeclId>,
    /// The scope its tree is checked in: binds template parameters.
    pub(crate) scope: ScopeId,
    pub(crate) record: Option<RecordId>,
    pub(crate) is_static: bool,
    pub(crate) this_quals: Quals,
    pub(crate) ret: TyId,
    pub(crate) params: SmallVec<[ParamDecl; 4]>,
    pub(crate) variadic: bool,
    pub(crate) unprototyped: bool,
    pub(crate) specs: ast::DeclSpecs,
    pub(crate) explicit: bool,
    /// Return type is deduced from the body.
    pub(crate) deduced_ret: bool,
    pub(crate) body: BodySource,
    pub(crate) state: BodyState,
    pub(crate) func: Option<FuncId>,
    /// The template it was instantiated from.
    pub(crate) template: Option<TemplateId>,
    pub(crate) asm_label: Option<ast::StrId>,
    /// Depth of instantiation that made it.
    pub(crate) depth: u16,
}

/// A variable that is not a plain local.
#[derive(Clone, Debug)]
pub(crate) struct VarDecl {
    pub(crate) name: Symbol,
    pub(crate) ty: TyId,
    pub(crate) quals: Quals,
    pub(crate) span: Span,
    /// Its place in the program, once it has been needed.
    pub(crate) global: Option<GlobalId>,
    pub(crate) space: AddrSpace,
    /// Known value of a scalar constant.
    pub(crate) value: Option<ExprKind>,
    /// A host variable: may only be used for its constant value.
    pub(crate) host_only: bool,
    /// A variable of reference type: the place it stands for.
    pub(crate) is_reference: bool,
    /// A static member or variable template's initialiser still to be checked: tree and scope.
    pub(crate) pending: Option<(ast::DeclId, ScopeId)>,
}

/// What is parameterised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TemplateKind {
    Function,
    Class,
    Alias,
    Variable,
}

/// A template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) kind: TemplateKind,
    pub(crate) name: Symbol,
    pub(crate) span: Span,
    pub(crate) params: Vec<TemplateParam>,
    /// The declaration inside `template<…>`; the definition once seen.
    pub(crate) decl: ast::DeclId,
    /// The scope it is declared in.
    pub(crate) scope: ScopeId,
    pub(crate) record: Option<RecordId>,
    /// Signature with the parameters as placeholders: parameter types and result, for functions.
    pub(crate) pattern: Vec<TyId>,
    pub(crate) pattern_ret: TyId,
    pub(crate) variadic_pattern: bool,
    /// Name tree node of the template itself.
    pub(crate) path: NameId,
    /// Explicit and partial specialisations, in order of declaration.
    pub(crate) specs: Vec<Specialisation>,
    /// Definitions of members outside the class: the template header's parameters and the declaration.
    pub(crate) out_of_line: Vec<(ast::List<ast::DeclId>, ast::DeclId)>,
}

/// A parameter of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateParam {
    pub(crate) name: Option<Symbol>,
    pub(crate) decl: ast::DeclId,
    pub(crate) is_type: bool,
    pub(crate) pack: bool,
}

/// A specialisation of a class template (functions are found as ordinary instances).
#[derive(Clone, Debug)]
pub(crate) struct Specialisation {
    pub(crate) params: Vec<TemplateParam>,
    pub(crate) args: Vec<TemplateArg>,
    pub(crate) decl: ast::DeclId,
}

/// What the checker knows of a record beyond its layout.
#[derive(Clone, Debug)]
pub(crate) struct RecordInfo {
    pub(crate) scope: ScopeId,
    pub(crate) ast: Option<ast::DeclId>,
    pub(crate) ctors: Vec<FnId>,
    pub(crate) dtor: Option<FnId>,
    pub(crate) conversions: Vec<FnId>,
    /// Has user-declared (or inherited) constructors: not an aggregate.
    pub(crate) has_ctor: bool,
    pub(crate) has_private: bool,
    /// Default member initialisers, by field.
    pub(crate) inits: Vec<Option<ast::ExprId>>,
    /// CUDA's built-in vector: element and number.
    pub(crate) cuda_vec: Option<(TyId, u8)>,
    /// The class template it is an instance of, with the arguments.
    pub(crate) instance: Option<(TemplateId, Box<[TemplateArg]>)>,
    /// The instance's body is still to be read.
    pub(crate) lazy: Option<(ast::DeclId, ScopeId)>,
    pub(crate) default_ctor: Option<Option<FnId>>,
    /// Captures of a closure: name and field.
    pub(crate) captures: Vec<(Symbol, u32, bool)>,
}

/// What is known of a local besides what the program records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LocalInfo {
    /// Known value of a constant.
    pub(crate) value: Option<ExprKind>,
    pub(crate) decl_ty: Option<TyId>,
    pub(crate) decl_quals: Quals,
}

/// A label of the function being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelInfo {
    pub(crate) name: Symbol,
    pub(crate) defined: Option<Span>,
    pub(crate) used: Option<Span>,
}

/// A switch being checked.
#[derive(Clone, Debug)]
pub(crate) struct SwitchCx {
    pub(crate) ty: TyId,
    pub(crate) cases: Vec<crate::program::Case>,
    pub(crate) default: Option<Span>,
}

/// The function being checked.
#[derive(Debug, Default)]
pub(crate) struct FnCx {
    pub(crate) decl: Option<FnId>,
    pub(crate) func: Option<FuncId>,
    pub(crate) ret: Option<TyId>,
    /// The result is a reference.
    pub(crate) deduced: Option<TyId>,
    pub(crate) locals: Vec<Local>,
    pub(crate) infos: Vec<LocalInfo>,
    pub(crate) loops: Vec<LoopHints>,
    pub(crate) labels: Vec<LabelInfo>,
    pub(crate) names: Vec<(Symbol, Entity)>,
    pub(crate) owned: Vec<GlobalId>,
    pub(crate) this: Option<(LocalId, RecordId, Quals)>,
    pub(crate) switches: Vec<SwitchCx>,
    pub(crate) loop_depth: u32,
    pub(crate) breakable: u32,
    pub(crate) is_kernel: bool,
    pub(crate) is_device: bool,
    /// Live objects with destructors, innermost last.
    pub(crate) live: Vec<(LocalId, RecordId)>,
    /// Heights of `live` at the entry of loops and switches.
    pub(crate) break_marks: Vec<usize>,
    pub(crate) continue_marks: Vec<usize>,
    /// Closure fields in scope, when the body of a lambda is checked.
    pub(crate) closure: Option<RecordId>,
    pub(crate) block_depth: u32,
    /// Unknown names already reported in this function.
    pub(crate) unknown: Vec<Symbol>,
}

/// The checker.
pub(crate) struct Checker<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) sess: &'a mut Session,
    pub(crate) opts: &'a SemaOptions,
    pub(crate) p: Program,
    pub(crate) scopes: Vec<scope::Scope>,
    pub(crate) names: FxHashMap<(ScopeId, Symbol), u32>,
    pub(crate) entities: Vec<scope::EntityNode>,
    pub(crate) fns: Vec<FnDecl>,
    pub(crate) vars: Vec<VarDecl>,
    pub(crate) templates: Vec<Template>,
    pub(crate) packs: Vec<Vec<TemplateArg>>,
    pub(crate) value_packs: Vec<Vec<LocalId>>,
    pub(crate) records: Vec<RecordInfo>,
    pub(crate) fn_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), Option<FnId>>,
    pub(crate) class_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), TyId>,
    pub(crate) var_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), VarId>,
    pub(crate) cuda_vecs: FxHashMap<Symbol, TyId>,
    pub(crate) ast_tags: FxHashMap<(ast::DeclId, ScopeId), TyId>,
    pub(crate) strings: FxHashMap<ast::StrId, GlobalId>,
    /// Loop and attribute hints already entered: the same tree instantiated twice enters them once.
    pub(crate) entered: FxHashMap<(u32, u32), HintId>,
    pub(crate) pending: std::collections::VecDeque<FnId>,
    pub(crate) deferred_members: Vec<FnId>,
    pub(crate) cx: FnCx,
    pub(crate) scope: ScopeId,
    /// Instantiations under way.
    pub(crate) depth: u16,
    pub(crate) instantiations: u32,
    /// Inside `sizeof`, `decltype` and the like: nothing is emitted, nothing warned about.
    pub(crate) unevaluated: u32,
    /// Inside code that constant conditions make dead.
    pub(crate) dead: u32,
    pub(crate) unnamed: u32,
    /// Element of the pack being expanded, if any.
    pub(crate) pack_index: Option<usize>,
    /// What `auto` stands for in the declaration being resolved, and whether `const` comes with it.
    pub(crate) auto_ty: Option<TyId>,
    pub(crate) auto_const: bool,
    /// An expression checked ahead of its turn (for `auto`), and its value.
    pub(crate) prechecked: Option<(ast::ExprId, ExprId)>,
    /// A template's signature is being resolved with placeholders.
    pub(crate) in_pattern: bool,
    /// Scopes of enumerations.
    pub(crate) enum_scopes: FxHashMap<TyId, ScopeId>,
    pub(crate) anon_namespaces: FxHashMap<ScopeId, ScopeId>,
    /// Names that only host code declares.
    pub(crate) host_names: Vec<(Symbol, Span)>,
    /// Declarations with errors that matter only to device code.
    pub(crate) kept_back: host::KeptBack,
    /// Records and enumerations declared in the blocks of the function being checked.
    pub(crate) block_tags: Vec<((ast::DeclId, ScopeId), TyId)>,
    /// Where the names of the innermost block begin.
    pub(crate) block_start: usize,
    /// Known values of the program's globals.
    pub(crate) global_values: Vec<Option<ExprKind>>,
    /// The declaration behind each function of the program.
    pub(crate) func_decls: Vec<FnId>,
    /// Function bodies being checked inside one another.
    pub(crate) body_depth: u16,
    pub(crate) class_depth: u32,
    pub(crate) queued: rustc_hash::FxHashSet<FnId>,
    pub(crate) kernels_checked: rustc_hash::FxHashSet<FnId>,
    /// Typedefs of `size_t` and its like.
    pub(crate) size_names: rustc_hash::FxHashSet<source::Symbol>,
    /// Explicitly instantiated functions: emitted though nothing calls them.
    pub(crate) roots: Vec<FnId>,
    /// The functions around the lambdas being checked.
    pub(crate) outers: Vec<lambda::Outer>,
}

/// How deep instantiations may nest.
pub(crate) const MAX_INSTANTIATION_DEPTH: u16 = 64;
/// How many there may be in all.
pub(crate) const MAX_INSTANTIATIONS: u32 = 20_000;

impl<'a> Checker<'a> {
    fn new(sess: &'a mut Session, opts: &'a SemaOptions, ast: &'a Ast) -> Self {
        let mut c = Self {
            ast,
            sess,
            opts,
            p: Program::default(),
            scopes: Vec::new(),
            names: FxHashMap::default(),
            entities: Vec::new(),
            fns: Vec::new(),
            vars: Vec::new(),
            templates: Vec::new(),
            packs: Vec::new(),
            value_packs: Vec::new(),
            records: Vec::new(),
            fn_instances: FxHashMap::default(),
            class_instances: FxHashMap::default(),
            var_instances: FxHashMap::default(),
            cuda_vecs: FxHashMap::default(),
            ast_tags: FxHashMap::default(),
            strings: FxHashMap::default(),
            entered: FxHashMap::default(),
            pending: std::collections::VecDeque::new(),
            deferred_members: Vec::new(),
            cx: FnCx::default(),
            scope: ScopeId(0),
            depth: 0,
            instantiations: 0,
            unevaluated: 0,
            dead: 0,
            unnamed: 0,
            pack_index: None,
            auto_ty: None,
            auto_const: false,
            prechecked: None,
            in_pattern: false,
            enum_scopes: FxHashMap::default(),
            anon_namespaces: FxHashMap::default(),
            host_names: Vec::new(),
            kept_back: host::KeptBack::default(),
            block_tags: Vec::new(),
            block_start: 0,
            global_values: Vec::new(),
            func_decls: Vec::new(),
            body_depth: 0,
            class_depth: 0,
            queued: rustc_hash::FxHashSet::default(),
            kernels_checked: rustc_hash::FxHashSet::default(),
            size_names: rustc_hash::FxHashSet::default(),
            roots: Vec::new(),
            outers: Vec::new(),
        };
        c.p.exprs.reserve(ast.exprs.len() * 2);
        c.p.stmts.reserve(ast.stmts.len());
        c.scopes.push(scope::Scope::new(None, ScopeKind::Namespace, NameId::ROOT));
        c
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

    /// The type of comparisons and logical operators.
    pub(crate) fn bool_ty(&self) -> TyId {
        if self.is_cxx() { TyId::BOOL } else { TyId::INT }
    }

    /// `cudaLaneMask_t`.
    pub(crate) fn lane_mask_ty(&self) -> TyId {
        if self.opts.target.lane_mask_bits() == 64 { TyId::LANEMASK64 } else { TyId::LANEMASK32 }
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
        let id = LocalId(self.cx.locals.len() as u32);
        let align = self.p.types.align_of(ty);
        self.cx.locals.push(Local {
            name,
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
        self.lv(ExprKind::Local(id), l.ty, l.quals.without(Quals::RESTRICT), AddrSpace::Private, span)
    }

    // ---- reporting ---------------------------------------------------------------------------------------------

    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    pub(crate) fn report(&mut self, d: Diagnostic) {
        self.sess.report(d);
    }

    /// A warning, unless the code is never executed.
    pub(crate) fn warn(&mut self, d: Diagnostic) {
        if self.unevaluated == 0 && self.dead == 0 {
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
        let d = &self.fns[f.0 as usize];
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
