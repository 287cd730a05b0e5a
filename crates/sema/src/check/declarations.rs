//! What is declared: functions, variables, templates, records, and the scopes that names are found in.

use super::class::friends::HiddenFriends;
use super::scope::{Entity, EntityNode, Scope};
use super::specialisations::Specialisations;
use super::visible::{Clock, Time};
use super::{ScopeId, ScopeKind, held, host};
use crate::program::{ExprKind, FuncId, GlobalId, Side};
use crate::types::{AddrSpace, NameId, NameKind, OperatorName, Quals, RecordId, TemplateArg, TyId, TypeTable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use source::{HintId, Span, Symbol};
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::rc::Rc;
use syntax::ast;

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
    /// A constructor that a `using` brought from this one of a base.
    Inherited(FnId),
    /// The body of a lambda.
    Lambda(ast::LambdaId),
    /// The conversion of a closure without captures to a pointer to this function.
    ClosurePointer(FnId),
    /// A function that calls this call operator of a closure without captures.
    Invoker(FnId),
    /// A dispatcher of a virtual function: what it does is known at the end.
    Virtual,
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
    /// Of an explicit specialisation: the scope that its default arguments, the template's, are checked in.
    pub(crate) default_scope: Option<ScopeId>,
    pub(crate) record: Option<RecordId>,
    pub(crate) is_static: bool,
    pub(crate) this_quals: Quals,
    /// `&` or `&&` behind the parameters: the objects that it may be called on.
    pub(crate) ref_qual: ast::RefQual,
    pub(crate) ret: TyId,
    pub(crate) params: Vec<ParamDecl>,
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
    /// OpenCL C's `__attribute__((overloadable))`: others of its name may be there, so its symbol names its parameters.
    pub(crate) overloadable: bool,
    /// Depth of instantiation that made it.
    pub(crate) depth: u16,
}

/// A variable that is not a plain local.
#[derive(Clone, Debug)]
pub(crate) struct VarDecl {
    /// See [`super::RTy::align`].
    pub(crate) align: Option<u32>,
    pub(crate) name: Symbol,
    pub(crate) ty: TyId,
    pub(crate) quals: Quals,
    pub(crate) span: Span,
    /// Its place in the program, once it has been needed.
    pub(crate) global: Option<GlobalId>,
    pub(crate) space: AddrSpace,
    /// Known value of a scalar constant.
    pub(crate) value: Option<ExprKind>,
    /// A host variable may only be used for its constant value.
    pub(crate) side: Side,
    /// Of an instance of a variable template: its arguments.
    pub(crate) args: Option<Box<[TemplateArg]>>,
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

/// Names that only host code declares.
#[derive(Debug, Default)]
pub(crate) struct HostNames {
    /// Every declaration, in the program's order.
    pub(crate) all: Vec<(Symbol, Span)>,
    first: FxHashMap<Symbol, Span>,
}

impl HostNames {
    pub(crate) fn declare(&mut self, name: Symbol, there: Span) {
        self.all.push((name, there));
        self.first.entry(name).or_insert(there);
    }

    /// Where a name is first declared.
    pub(crate) fn place(&self, name: Symbol) -> Option<Span> {
        self.first.get(&name).copied()
    }
}

/// A template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) kind: TemplateKind,
    pub(crate) name: Symbol,
    pub(crate) span: Span,
    pub(crate) params: Vec<TemplateParam>,
    /// Parameters as other declarations of it wrote them, where some have defaults.
    pub(crate) declared_before: Vec<Vec<TemplateParam>>,
    /// The declaration inside `template<…>`; the definition once seen.
    pub(crate) decl: ast::DeclId,
    /// The declaration before the definition, in its class or not: it alone says `static` there, and it has the defaults.
    pub(crate) declared_first: Option<ast::DeclId>,
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
    pub(crate) specs: Specialisations,
    /// Definitions of members outside the class.
    pub(crate) out_of_line: Vec<OutOfLine>,
    /// The class template of which this is a constructor, as a deduction guide.
    pub(crate) guide_of: Option<TemplateId>,
}

/// A member of a class template defined outside of it: `template<class T> R C<T *>::f(…) {…}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfLine {
    /// The parameters of the class's head.
    pub(crate) params: ast::List<ast::DeclId>,
    pub(crate) decl: ast::DeclId,
    /// What it is a member of; `None` if the arguments after the class's name say nothing before they are known.
    pub(crate) of: Option<Pattern>,
}

/// What an instance of a class template is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// The template itself.
    Primary,
    /// Its specialisation of that number.
    Specialisation(usize),
}

/// A parameter of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemplateParam {
    pub(crate) name: Option<Symbol>,
    pub(crate) decl: ast::DeclId,
    pub(crate) is_type: bool,
    /// It takes a template.
    pub(crate) is_template: bool,
    pub(crate) pack: bool,
}

/// What the checker knows of a record beyond its layout. What most records do not have is apart ([`RareInfo`]), and read and
/// written as if it stood here; writing makes it, so who takes something out asks first whether it is there.
#[derive(Clone, Debug)]
pub(crate) struct RecordInfo {
    pub(crate) scope: ScopeId,
    pub(crate) ast: Option<ast::DeclId>,
    /// Has user-declared (or inherited) constructors: not an aggregate.
    pub(crate) has_ctor: bool,
    pub(crate) has_private: bool,
    /// All of its members are known, functions too.
    pub(crate) finished: bool,
    /// Some members are public, and some are not.
    pub(crate) mixes_access: bool,
    /// What it has of the host's.
    pub(crate) host: super::class::HostMembers,
    pub(crate) default_ctor: Option<Option<FnId>>,
    rare: Option<Box<RareInfo>>,
}

impl RecordInfo {
    pub(crate) fn new(scope: ScopeId) -> Self {
        Self {
            scope,
            ast: None,
            has_ctor: false,
            has_private: false,
            finished: false,
            mixes_access: false,
            host: super::class::HostMembers::default(),
            default_ctor: None,
            rare: None,
        }
    }
}

impl Deref for RecordInfo {
    type Target = RareInfo;

    fn deref(&self) -> &RareInfo {
        static NOTHING: RareInfo = RareInfo::NOTHING;
        self.rare.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for RecordInfo {
    fn deref_mut(&mut self) -> &mut RareInfo {
        self.rare.get_or_insert_with(|| Box::new(RareInfo::NOTHING))
    }
}

/// What the checker knows of classes with member functions, of instances of templates, of closures, of built-in vectors: a
/// program has tens of thousands of plain structures sooner than of these.
#[derive(Clone, Debug)]
pub(crate) struct RareInfo {
    pub(crate) ctors: Vec<FnId>,
    pub(crate) dtor: Option<FnId>,
    /// All that the class declares: with constraints there may be several.
    pub(crate) dtors: Vec<FnId>,
    pub(crate) conversions: Vec<FnId>,
    /// The bases whose constructors it has, `using Base::Base;`.
    pub(crate) inherits: Vec<RecordId>,
    /// A member of a size that only the host knows, and how many fields stand before it: of the others nobody knows where they lie.
    pub(crate) unplaced: Option<(u32, Span)>,
    /// The names of its functions that only the host has.
    pub(crate) host_functions: Vec<Symbol>,
    /// Default member initialisers, by field; of those behind its end there are none.
    pub(crate) inits: Vec<Option<ast::ExprId>>,
    /// CUDA's built-in vector: element and number.
    pub(crate) cuda_vec: Option<(TyId, u8)>,
    /// A complex number: the type of its parts.
    pub(crate) complex: Option<TyId>,
    /// The class template it is an instance of, with the arguments.
    pub(crate) instance: Option<(TemplateId, Box<[TemplateArg]>)>,
    /// The instance's body is still to be read.
    pub(crate) lazy: Option<(ast::DeclId, ScopeId)>,
    /// What the instance is made from, and the arguments of that: for a specialisation what its own parameters stand for.
    pub(crate) made_from: (Pattern, Vec<TemplateArg>),
    /// What there was of its template when the instance's body was chosen: the declaration, and how many specialisations.
    pub(crate) chosen_among: (Option<ast::DeclId>, usize),
    /// Captures of a closure: name and field.
    pub(crate) captures: Vec<(Symbol, u32, bool)>,
    /// All constructors that the program declares, those too that it leaves to the compiler.
    pub(crate) declared: Vec<FnId>,
    /// Its virtual functions, those of bases first.
    pub(crate) slots: Vec<super::class::Slot>,
}

impl RareInfo {
    const NOTHING: Self = Self {
        ctors: Vec::new(),
        dtor: None,
        dtors: Vec::new(),
        conversions: Vec::new(),
        inherits: Vec::new(),
        unplaced: None,
        host_functions: Vec::new(),
        inits: Vec::new(),
        cuda_vec: None,
        complex: None,
        instance: None,
        lazy: None,
        made_from: (Pattern::Primary, Vec::new()),
        chosen_among: (None, 0),
        captures: Vec::new(),
        declared: Vec::new(),
        slots: Vec::new(),
    };
}

/// Everything that the source declares and that instantiations made.
#[derive(Debug)]
pub(crate) struct Declarations {
    /// All scopes, the outermost first.
    pub(crate) scopes: Vec<Scope>,
    /// The last entity bound to a name in a scope: index into `entities`.
    pub(crate) names: FxHashMap<(ScopeId, Symbol), u32>,
    /// Overloads by the types of their parameters.
    pub(crate) overloads: super::overload_table::OverloadTable,
    /// Which declaration of the file's is being read.
    pub(crate) clock: Clock,
    /// What names stand for, in lists.
    pub(crate) entities: Vec<EntityNode>,
    /// The names in `entities`.
    pub(crate) declared_names: super::spelling::DeclaredNames,
    /// All functions.
    pub(crate) fns: Vec<FnDecl>,
    /// Some class has a destructor.
    pub(crate) any_destructor: bool,
    /// The special member functions of classes that were asked for them.
    pub(crate) specials: FxHashMap<RecordId, super::class::Specials>,
    /// The first enumerator of each value.
    pub(crate) enumerators: FxHashMap<(crate::types::EnumId, i64), Symbol>,
    /// Deduction guides: functions and function templates, and the class templates they are for.
    pub(crate) guides: Vec<(TemplateId, Entity)>,
    /// All variables but plain locals.
    pub(crate) vars: Vec<VarDecl>,
    /// All templates.
    pub(crate) templates: Vec<Rc<Template>>,
    /// The first template of each path.
    template_paths: FxHashMap<NameId, TemplateId>,
    /// What is known of records, by their ids.
    pub(crate) records: Vec<RecordInfo>,
    /// CUDA's built-in vectors that were named: `float4`.
    pub(crate) cuda_vecs: FxHashMap<Symbol, TyId>,
    /// The complex numbers that were named, by the types of their parts.
    pub(crate) complex: FxHashMap<TyId, TyId>,
    /// The record in a `va_list`, if one was named.
    pub(crate) va_list: Option<TyId>,
    /// The types that tags outside of blocks declare.
    pub(crate) ast_tags: FxHashMap<(ast::DeclId, ScopeId), TyId>,
    /// The globals of string literals.
    pub(crate) strings: FxHashMap<ast::StrId, GlobalId>,
    /// Scopes of enumerations.
    pub(crate) enum_scopes: FxHashMap<TyId, ScopeId>,
    /// Variables that stand for calls, `[[clang::getter(f)]]`: what is called, and the scope it is named in.
    pub(crate) getters: FxHashMap<VarId, (ast::ExprId, ScopeId)>,
    /// Functions that classes declare as friends and their namespace does not: only arguments of these classes find them.
    pub(crate) hidden_friends: FxHashMap<(ScopeId, Symbol), HiddenFriends>,
    /// The namespace without a name in each scope.
    pub(crate) anon_namespaces: FxHashMap<ScopeId, ScopeId>,
    /// Names that only host code declares.
    pub(crate) host_names: HostNames,
    /// The functions that only host code declares, where they could be read: by name, each with the scope that it is in.
    pub(crate) host_functions: FxHashMap<Symbol, Vec<(ScopeId, ast::DeclId)>>,
    /// How often something was not found that host code declares.
    pub(crate) host_missed: u32,
    /// Where functions for both sides call the host's: said once, whatever instances there are.
    pub(crate) host_calls: FxHashSet<(u32, u32)>,
    /// Declarations with errors that matter only to device code.
    /// Classes that have virtual bases.
    pub(crate) virtual_bases: FxHashSet<RecordId>,
    pub(crate) kept_back: host::KeptBack,
    /// Errors in headers that matter only to who reaches what they are in.
    pub(crate) held: held::Held,
    /// The declaration behind each function of the program.
    pub(crate) func_decls: Vec<FnId>,
    /// Known values of the program's globals.
    pub(crate) global_values: Vec<Option<ExprKind>>,
    /// Typedefs of `size_t` and its like.
    pub(crate) size_names: FxHashSet<Symbol>,
    /// Things without a name, so far: each gets a number.
    pub(crate) unnamed: u32,
    /// How many lambdas with the same parameters the bodies of functions have.
    pub(crate) lambdas: FxHashMap<(NameId, Box<[TyId]>, bool), u32>,
    /// Names in the object of functions whose own names do not tell them.
    pub(crate) symbols: FxHashMap<FnId, String>,
    /// The scopes of names in the bodies of functions.
    pub(crate) bodies: FxHashMap<FnId, NameId>,
    /// Virtual functions.
    pub(crate) virtuals: super::class::Virtuals,
    /// The closures of lambdas in initialisers of variables of namespaces, which may be checked twice, with the scope they stand in.
    pub(crate) closures: FxHashMap<(ast::LambdaId, ScopeId), (RecordId, TyId)>,
    /// Functions whose result, deduced by `decltype(auto)`, is an object of a class that is `const`.
    pub(crate) const_results: FxHashSet<FnId>,
    /// Loop and attribute hints already entered: the same tree instantiated twice enters them once.
    pub(crate) entered: FxHashMap<(u32, u32), HintId>,
}

impl Declarations {
    /// Nothing but the outermost namespace.
    pub(crate) fn new() -> Self {
        Self {
            scopes: vec![Scope::new(None, ScopeKind::Namespace, NameId::ROOT)],
            names: FxHashMap::default(),
            overloads: super::overload_table::OverloadTable::default(),
            clock: Clock::default(),
            entities: Vec::new(),
            declared_names: super::spelling::DeclaredNames::default(),
            fns: Vec::new(),
            any_destructor: false,
            enumerators: FxHashMap::default(),
            specials: FxHashMap::default(),
            guides: Vec::new(),
            vars: Vec::new(),
            templates: Vec::new(),
            template_paths: FxHashMap::default(),
            records: Vec::new(),
            cuda_vecs: FxHashMap::default(),
            complex: FxHashMap::default(),
            va_list: None,
            ast_tags: FxHashMap::default(),
            strings: FxHashMap::default(),
            enum_scopes: FxHashMap::default(),
            getters: FxHashMap::default(),
            hidden_friends: FxHashMap::default(),
            anon_namespaces: FxHashMap::default(),
            host_names: HostNames::default(),
            host_functions: FxHashMap::default(),
            host_missed: 0,
            host_calls: FxHashSet::default(),
            virtual_bases: FxHashSet::default(),
            kept_back: host::KeptBack::default(),
            held: held::Held::default(),
            func_decls: Vec::new(),
            global_values: Vec::new(),
            size_names: FxHashSet::default(),
            unnamed: 0,
            bodies: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            symbols: FxHashMap::default(),
            virtuals: super::class::Virtuals::default(),
            closures: FxHashMap::default(),
            const_results: FxHashSet::default(),
            entered: FxHashMap::default(),
        }
    }

    pub(crate) fn new_scope(&mut self, parent: ScopeId, kind: ScopeKind, name: NameId) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope::new(Some(parent), kind, name));
        id
    }

    /// Binds a name in a scope.
    pub(crate) fn bind(&mut self, scope: ScopeId, sym: Symbol, entity: Entity) {
        let since = self.clock.now();
        self.bind_since(scope, sym, entity, since);
    }

    /// The same of what is declared at a given time.
    pub(crate) fn bind_since(&mut self, scope: ScopeId, sym: Symbol, entity: Entity, since: Time) {
        let at = self.entities.len() as u32;
        let next = self.names.insert((scope, sym), at).unwrap_or(u32::MAX);
        self.entities.push(EntityNode { entity, next, since });
        self.declared_names.enter(sym);
        self.overloads.forget(scope, sym);
    }

    /// Takes away what a name stands for in a scope.
    pub(crate) fn unbind(&mut self, scope: ScopeId, sym: Symbol) {
        self.names.remove(&(scope, sym));
    }

    /// Makes the names of a namespace visible in another from now on.
    pub(crate) fn see_through(&mut self, scope: ScopeId, namespace: ScopeId) {
        let since = self.clock.now();
        let using = &mut self[scope].using;
        if namespace != scope && !using.iter().any(|&(n, _)| n == namespace) {
            using.push((namespace, since));
        }
    }

    /// A template, to be changed. Whoever has one at hand goes on with it as it was.
    pub(crate) fn template_mut(&mut self, id: TemplateId) -> &mut Template {
        Rc::make_mut(&mut self.templates[id.0 as usize])
    }

    /// A new template.
    pub(crate) fn add_template(&mut self, t: Template) -> TemplateId {
        let id = TemplateId(self.templates.len() as u32);
        self.template_paths.entry(t.path).or_insert(id);
        self.templates.push(Rc::new(t));
        id
    }

    /// The template of a path, which a template template argument is.
    pub(crate) fn template_at(&self, path: NameId) -> Option<TemplateId> {
        self.template_paths.get(&path).copied()
    }

    /// Everything bound to a name in exactly this scope, first declared first.
    pub(crate) fn bound(&self, scope: ScopeId, sym: Symbol) -> SmallVec<[Entity; 4]> {
        let mut out = SmallVec::new();
        let mut at = self.names.get(&(scope, sym)).copied().unwrap_or(u32::MAX);
        while let Some(n) = self.entities.get(at as usize) {
            out.push(n.entity);
            at = n.next;
        }
        out.reverse();
        out
    }

    /// The same of what was declared by `end`.
    pub(crate) fn bound_before(&self, scope: ScopeId, sym: Symbol, end: Time) -> SmallVec<[Entity; 4]> {
        let mut out = SmallVec::new();
        let mut at = self.names.get(&(scope, sym)).copied().unwrap_or(u32::MAX);
        while let Some(n) = self.entities.get(at as usize) {
            if n.since <= end {
                out.push(n.entity);
            }
            at = n.next;
        }
        out.reverse();
        out
    }

    /// The innermost namespace around a scope.
    pub(crate) fn namespace_of(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let s = &self[scope];
            match (s.kind, s.parent) {
                (ScopeKind::Namespace, _) | (_, None) => return scope,
                (_, Some(p)) => scope = p,
            }
        }
    }

    /// Whether a scope lies in a template's instance, whose members are checked when used.
    pub(crate) fn is_in_template(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            let sc = &self[s];
            if sc.kind == super::ScopeKind::Template {
                return true;
            }
            at = sc.parent;
        }
        false
    }

    /// Whether a scope stands in a namespace without a name.
    pub(crate) fn is_anonymous(&self, names: &TypeTable, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            let sc = &self[s];
            if names.name(sc.name).kind == NameKind::AnonNamespace {
                return true;
            }
            at = sc.parent;
        }
        false
    }
}

impl Index<TemplateId> for Declarations {
    type Output = Rc<Template>;

    fn index(&self, id: TemplateId) -> &Rc<Template> {
        &self.templates[id.0 as usize]
    }
}

macro_rules! by_id {
    ($($id:ty => $list:ident: $item:ty;)*) => {$(
        impl Index<$id> for Declarations {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$list[id.0 as usize]
            }
        }

        impl IndexMut<$id> for Declarations {
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.$list[id.0 as usize]
            }
        }
    )*};
}

by_id! {
    ScopeId => scopes: Scope;
    FnId => fns: FnDecl;
    VarId => vars: VarDecl;
    RecordId => records: RecordInfo;
}
