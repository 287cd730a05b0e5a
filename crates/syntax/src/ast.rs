//! The abstract syntax tree: arenas of nodes named by dense `u32` ids.
//!
//! * Nodes are small `Copy` values in one `Vec` per kind; children are ids; child lists are [`List`]s into shared
//!   pools. Side tables of later stages are `Vec`s indexed by [`ExprId::index`] and its like.
//! * Names are unresolved. The parser tracks which names are types and templates only to tell declarations from
//!   expressions; look-up, overloads and instantiation are the business of `sema`, which re-checks a template's tree
//!   under a binding environment per instantiation.
//! * Declarators are turned inside out: a declaration carries one [`TypeId`], the root of a tree of pointers, arrays
//!   and functions over a specifier. Declarators of one declaration share the specifier's node.
//! * No tree is deeper than [`Ast::MAX_DEPTH`] expressions or [`Ast::MAX_NESTING`] statements, declarations and types
//!   taken together, and [`Ast::MAX_ELSE_IFS`], so that recursive walks are safe.

mod decl;
mod dump;
mod expr;
mod name;
mod stmt;
mod types;

pub use decl::*;
pub use dump::dump;
pub use expr::*;
pub use name::*;
pub use stmt::*;
pub use types::*;

use crate::literal::StringLiteral;
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

macro_rules! ids {
    ($($(#[$m:meta])* $id:ident: $node:ident in $field:ident, $push:ident;)*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(NonZeroU32);

        impl $id {
            /// The id with the given dense index; the inverse of [`Self::index`].
            pub fn from_index(index: usize) -> Self {
                // Saturates: token counts are bounded far below 2³², so the ceiling is never met.
                let n = u32::try_from(index).unwrap_or(u32::MAX - 1).saturating_add(1);
                Self(NonZeroU32::new(n).unwrap_or(NonZeroU32::MAX))
            }

            /// The dense index, from 0.
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($id), "({})"), self.index())
            }
        }

        impl std::ops::Index<$id> for Ast {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$field[id.index()]
            }
        }

        impl std::ops::IndexMut<$id> for Ast {
            fn index_mut(&mut self, id: $id) -> &mut $node {
                &mut self.$field[id.index()]
            }
        }

        impl Ast {
            /// Adds a node and names it.
            pub fn $push(&mut self, node: $node) -> $id {
                let id = $id::from_index(self.$field.len());
                self.$field.push(node);
                id
            }
        }
    )*};
}

ids! {
    /// Which [`Expr`].
    ExprId: Expr in exprs, push_expr;
    /// Which [`Stmt`].
    StmtId: Stmt in stmts, push_stmt;
    /// Which [`Decl`].
    DeclId: Decl in decls, push_decl;
    /// Which [`Type`].
    TypeId: Type in types, push_type;
    /// Which [`Name`].
    NameId: Name in names, push_name;
    /// Which [`FnType`].
    FnTypeId: FnType in fn_types, push_fn_type;
    /// Which [`Function`].
    FunctionId: Function in functions, push_function;
    /// Which [`Record`].
    RecordId: Record in records, push_record;
    /// Which [`Lambda`].
    LambdaId: Lambda in lambdas, push_lambda;
    /// Which [`Asm`].
    AsmId: Asm in asms, push_asm;
    /// Which string: a [`StringLiteral`].
    StrId: StringLiteral in strings, push_str;
    /// Which [`Pragma`].
    PragmaId: Pragma in pragmas, push_pragma;
    /// Which [`New`].
    NewId: New in news, push_new;
    /// Which [`Requires`].
    RequiresId: Requires in requires, push_requires;
}

/// A child list: a stretch of the pool of `T`s; read it with [`Ast::list`].
pub struct List<T> {
    start: u32,
    len: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// No children.
    pub const EMPTY: Self = Self { start: 0, len: 0, kind: PhantomData };

    /// Number of children.
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The children behind the first `n`.
    pub fn skip(self, n: usize) -> Self {
        let n = self.len.min(u32::try_from(n).unwrap_or(u32::MAX));
        Self { start: self.start + n, len: self.len - n, kind: PhantomData }
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}

impl<T> Eq for List<T> {}

impl<T> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List({}..{})", self.start, self.start + self.len)
    }
}

/// What can stand in a [`List`].
pub trait Pooled: Copy + Sized {
    /// The pool of this kind.
    fn pool(pools: &Pools) -> &Vec<Self>;
    /// The pool of this kind, to add to.
    fn pool_mut(pools: &mut Pools) -> &mut Vec<Self>;
}

macro_rules! pools {
    ($($field:ident: $t:ty,)*) => {
        /// The storage behind all [`List`]s.
        #[derive(Default, Debug)]
        pub struct Pools { $($field: Vec<$t>,)* }

        $(impl Pooled for $t {
            fn pool(pools: &Pools) -> &Vec<Self> {
                &pools.$field
            }
            fn pool_mut(pools: &mut Pools) -> &mut Vec<Self> {
                &mut pools.$field
            }
        })*
    };
}

pools! {
    exprs: ExprId,
    stmts: StmtId,
    decls: DeclId,
    types: TypeId,
    segments: NameSegment,
    template_args: TemplateArg,
    attrs: Attr,
    attr_args: AttrArg,
    hints: LoopHint,
    init_items: InitItem,
    designators: Designator,
    generic_arms: GenericArm,
    captures: Capture,
    ctor_inits: CtorInit,
    bases: Base,
    asm_operands: AsmOperand,
    idents: Ident,
    strings: StrId,
    tokens: crate::token::Token,
}

/// A translation unit.
#[derive(Default, Debug)]
pub struct Ast {
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// Declarations, nested ones too.
    pub decls: Vec<Decl>,
    /// Type trees.
    pub types: Vec<Type>,
    /// Names that are more than one identifier, and those that are.
    pub names: Vec<Name>,
    /// Function types.
    pub fn_types: Vec<FnType>,
    /// What function declarations have beyond their [`Decl`].
    pub functions: Vec<Function>,
    /// What class, structure and union declarations have beyond their [`Decl`].
    pub records: Vec<Record>,
    /// Lambda expressions.
    pub lambdas: Vec<Lambda>,
    /// Inline assembly.
    pub asms: Vec<Asm>,
    /// String literals, concatenated and decoded.
    pub strings: Vec<StringLiteral>,
    /// Pragmas that are kept for later stages.
    pub pragmas: Vec<Pragma>,
    /// `new` expressions.
    pub news: Vec<New>,
    /// `requires` expressions.
    pub requires: Vec<Requires>,
    /// The variables of truth values that concepts are.
    pub concepts: rustc_hash::FxHashSet<DeclId>,
    /// What the arguments of templates must satisfy, by what the `template<…>` stands before.
    pub constraints: rustc_hash::FxHashMap<DeclId, Vec<ExprId>>,
    /// What the type of a variable or result must satisfy, by the `auto` that stands for it: a concept of `auto`.
    pub auto_constraints: rustc_hash::FxHashMap<TypeId, ExprId>,
    /// Functions of headers for the device that did not parse, by the places of the [`DeclKind::HostOnly`] that stand for them, with
    /// what was wrong: whoever calls them in device code is told.
    pub unread: rustc_hash::FxHashMap<source::Span, source::Diagnostic>,
    /// The declarations of the file, in order.
    pub top: Vec<DeclId>,
    /// Whether there is a [`DeclKind::HostView`] anywhere.
    pub has_host_view: bool,
    pools: Pools,
}

impl Ast {
    /// The name that is added next.
    pub fn next_name(&self) -> NameId {
        NameId::from_index(self.names.len())
    }

    /// The names from the first one up to the last one, which is not among them.
    pub fn names_between(&self, first: NameId, last: NameId) -> impl Iterator<Item = NameId> + use<> {
        (first.index()..last.index()).map(NameId::from_index)
    }

    /// Deepest expression tree that the parser makes.
    pub const MAX_DEPTH: u16 = 512;
    /// Deepest nesting of brackets, statements, declarations and types together that the parser accepts.
    pub const MAX_NESTING: u32 = 256;
    /// How many `if`s may stand behind the `else` of the one before, which makes trees as deep; within one another together.
    pub const MAX_ELSE_IFS: u32 = 2048;

    /// The declaration that comes next.
    pub fn next_decl(&self) -> DeclId {
        DeclId::from_index(self.decls.len())
    }

    /// The children of a list.
    pub fn list<T: Pooled>(&self, list: List<T>) -> &[T] {
        &T::pool(&self.pools)[list.start as usize..(list.start + list.len) as usize]
    }

    /// Makes a list of `items`.
    pub fn push_list<T: Pooled>(&mut self, items: &[T]) -> List<T> {
        if items.is_empty() {
            return List::EMPTY;
        }
        let pool = T::pool_mut(&mut self.pools);
        let start = pool.len() as u32;
        pool.extend_from_slice(items);
        List { start, len: items.len() as u32, kind: PhantomData }
    }

    /// The identifier that `name` is, if it is one without qualifier and template arguments.
    pub fn plain_name(&self, name: NameId) -> Option<source::Symbol> {
        let n = &self[name];
        match n.kind {
            NameKind::Ident(sym) if n.qualifier.is_empty() && !n.global && n.args.is_none() => Some(sym),
            _ => None,
        }
    }
}
