//! The parser: tokens to [`Ast`], by recursive descent, one parser for every dialect.
//!
//! Functions are named after the grammar. There is no backtracking: ambiguities are settled by looking ahead in the
//! token list, where a table of bracket partners (made in one pass) lets the look-ahead hop over whole groups, so
//! parsing takes time linear in the number of tokens. Nesting is bounded by [`Ast::MAX_NESTING`] and expression trees
//! by [`Ast::MAX_DEPTH`].
//!
//! A syntax error is reported where it is found and unwinds (as [`Reported`]) to the nearest statement, member or
//! declaration, which skips to its end and goes on.

mod abbreviated;
mod asm;
mod attr;
mod attributes;
mod class;
mod concept;
mod cursor;
mod decl;
mod declarator;
mod depth;
mod dialect_mode;
mod expr;
mod function;
mod host_fields;
mod host_scope;
mod host_skip;
mod host_view;
mod init;
mod keywords;
mod lambda;
mod literal;
mod members;
mod name;
mod names;
mod namespaces;
mod old_style;
mod pragma;
mod primary;
mod scan;
mod spec;
mod stmt;
mod tag;
mod template;

use crate::ast::{Ast, DeclId, DeclSpecs, FpContract, List, LoopHint};
use crate::{Dialect, Mode, Token};
use cursor::Brackets;
use keywords::Kw;
use names::Names;
use source::{Session, Span, Symbol};

/// Parses a translation unit. Errors are in the session's diagnostics; the tree holds what could be made of the rest.
pub fn parse(session: &mut Session, dialect: &Dialect, tokens: &[Token]) -> Ast {
    parse_as(session, dialect, Mode::Nvcc, tokens)
}

/// [`parse`], with what nvcc and clang differ in as one of them has it.
pub fn parse_as(session: &mut Session, dialect: &Dialect, mode: Mode, tokens: &[Token]) -> Ast {
    let respelt = if dialect.is_cxx() { alternative_tokens(session, tokens) } else { None };
    let tokens = respelt.as_deref().unwrap_or(tokens);
    let plain = if dialect.is_cuda() { attributes::as_keywords(session, tokens) } else { None };
    let tokens = plain.as_deref().unwrap_or(tokens);
    let mut p = Parser::new(session, *dialect, tokens);
    p.mode = mode;
    p.enclosed_pragmas();
    p.launches_in_two_tokens();
    p.kernel_templates = p.dialect.is_cuda() && p.has_kernel_templates();
    p.asks_types = p.dialect.is_cuda() && !p.kernel_templates && p.has_decltype();
    p.translation_unit();
    p.ast
}

/// C++ spells operators in words too: the tokens with those replaced, if there are any.
fn alternative_tokens(session: &Session, tokens: &[Token]) -> Option<Vec<Token>> {
    use crate::TokenKind as T;
    const WORDS: [(&str, T); 11] = [
        ("and", T::AmpAmp),
        ("and_eq", T::AmpEq),
        ("bitand", T::Amp),
        ("bitor", T::Pipe),
        ("compl", T::Tilde),
        ("not", T::Bang),
        ("not_eq", T::BangEq),
        ("or", T::PipePipe),
        ("or_eq", T::PipeEq),
        ("xor", T::Caret),
        ("xor_eq", T::CaretEq),
    ];
    let used: Vec<(Symbol, T)> =
        WORDS.iter().filter_map(|&(word, kind)| Some((session.strings.get(word)?, kind))).collect();
    if used.is_empty() {
        return None;
    }
    let mut out = tokens.to_vec();
    for t in out.iter_mut().filter(|t| t.kind == T::Ident) {
        if let Some(&(_, kind)) = used.iter().find(|(sym, _)| *sym == t.sym) {
            t.kind = kind;
        }
    }
    Some(out)
}

/// Proof that an error was reported.
#[derive(Clone, Copy, Debug)]
struct Reported;

type PResult<T> = Result<T, Reported>;

/// The parser's state.
struct Parser<'a> {
    session: &'a mut Session,
    dialect: Dialect,
    mode: Mode,
    tokens: &'a [Token],
    brackets: Brackets,
    /// Index of the current token.
    pos: usize,
    /// The current token; differs from `tokens[pos]` when the front of a `>>` was taken.
    tok: Token,
    /// Where the last consumed token stands.
    prev: Span,
    ast: Ast,
    keywords: Vec<Kw>,
    names: Names,
    /// The types and templates of classes, for what is defined outside of them.
    members: members::Members,
    /// Nesting of the constructs being parsed.
    depth: u32,
    /// How many `else if`s are open.
    else_ifs: u32,
    /// Expression depths, see [`depth`].
    depths: depth::Depths,
    /// Whether `>` ends a template argument list here.
    angle: bool,
    /// The classes being parsed, innermost last.
    classes: Vec<ClassScope>,
    /// Member bodies to parse when the outermost class is complete.
    pending: Vec<function::PendingBody>,
    /// Parameters of the `template<…>` heads directly before the current declaration.
    template_heads: Vec<List<DeclId>>,
    /// Whether the function whose body is read is a template.
    in_template_body: bool,
    /// Templates that functions are because of `auto` among their parameters' types.
    abbreviated: std::collections::HashSet<DeclId>,
    /// How many template parameters were invented for `auto`.
    invented: u32,
    /// The enumerators of enumerations, by the last part of their names.
    enumerators: rustc_hash::FxHashMap<Symbol, Vec<Symbol>>,
    /// Names of concepts.
    concepts: rustc_hash::FxHashSet<Symbol>,
    /// Concepts before an `auto`, by the type that it is.
    constrained_autos: rustc_hash::FxHashMap<crate::ast::TypeId, crate::ast::NameId>,
    /// What the `template<…>` heads being read say of their parameters.
    head_constraints: Vec<crate::ast::ExprId>,
    /// The condition of the `explicit` of the function that is being declared.
    explicit_if: Option<crate::ast::ExprId>,
    /// Specifiers given by enclosing linkage blocks.
    linkage: DeclSpecs,
    /// `#pragma pack` in force, and the saved ones.
    pack: u8,
    pack_stack: Vec<u8>,
    /// Contraction of floating-point operations in force.
    contract: FpContract,
    /// Whether nothing but pragmas came before in the innermost compound statement.
    at_block_start: bool,
    /// Names used as types that nothing declares; host declarations with such are skipped.
    unknown_types: u32,
    /// Function templates that are device code, for explicit instantiations without a qualifier.
    device_templates: rustc_hash::FxHashSet<Symbol>,
    /// The suffixes that literal operators were declared for.
    suffixes: rustc_hash::FxHashSet<Symbol>,
    /// Functions that were declared `__device__` and not defined: what defines them may leave the word out.
    device_functions: rustc_hash::FxHashSet<Symbol>,
    /// Specifiers that stood behind a `*` or `&` of the declarator being read.
    late_specs: crate::ast::DeclSpecs,
    /// Classes that are `__device__` as a whole, so that their members are device code wherever they are defined.
    device_classes: rustc_hash::FxHashMap<Symbol, DeclSpecs>,
    /// Scoped enumerations with their enumerators: `kind::conditional` is a value, whatever `conditional` is elsewhere.
    scoped_enumerators: rustc_hash::FxHashSet<(Symbol, Symbol)>,
    /// Class templates that are members, with their classes: `C::M<T>` is a type, whatever functions `M` other classes have.
    member_templates: rustc_hash::FxHashSet<(Symbol, Symbol)>,
    /// Classes that are the host's and were defined outside of the class that declares them, with that class's name.
    host_members: rustc_hash::FxHashSet<(Symbol, Symbol)>,
    /// Whether some kernel of the file is a template, so that host code decides what is compiled.
    kernel_templates: bool,
    /// Whether `decltype` stands somewhere, so that the types of the host's functions may be asked for; of a file in which no kernel is
    /// a template.
    asks_types: bool,
    /// Tokens that may still be read for launches.
    host_tokens: usize,
    /// How many tokens may still be read for the scopes of host classes.
    scope_tokens: usize,
    /// Where template arguments begin that look like types and are none.
    no_types: rustc_hash::FxHashSet<usize>,
    /// Host code is being read for its launches: nothing is reported, and what does not parse is left out.
    lenient: bool,
    /// Whether the parse was ended early.
    fatal: bool,
    /// Whether a function's body is being parsed.
    in_function: bool,
    /// Hints of `[[clang::loop_unroll]]` and `opencl_unroll_hint`, on their way to a statement.
    attr_hints: Vec<LoopHint>,
    /// Words with a meaning in places.
    words: Words,
}

/// A class being parsed.
#[derive(Clone)]
struct ClassScope {
    /// Its name, to know its constructors by.
    name: Option<Symbol>,
    /// `__host__`, `__device__` of the class: its member functions have them unless they say otherwise.
    space: DeclSpecs,
    /// Its template parameters.
    heads: Vec<List<DeclId>>,
}

/// Words that have a meaning in some places only.
struct Words {
    fin: Symbol,
    overrid: Symbol,
}

impl<'a> Parser<'a> {
    fn new(session: &'a mut Session, dialect: Dialect, tokens: &'a [Token]) -> Self {
        let words = Words { fin: session.intern("final"), overrid: session.intern("override") };
        let keywords = keywords::table(&session.strings, dialect);
        let names = Names::new(session.strings.len());
        let mut p = Self {
            session,
            dialect,
            mode: Mode::Nvcc,
            tokens,
            brackets: Brackets::new(tokens),
            pos: 0,
            tok: Token::punct(crate::TokenKind::Eof, Span::NONE),
            prev: Span::NONE,
            ast: Ast::default(),
            keywords,
            names,
            depth: 0,
            else_ifs: 0,
            depths: depth::Depths::default(),
            angle: false,
            classes: Vec::new(),
            pending: Vec::new(),
            template_heads: Vec::new(),
            in_template_body: false,
            abbreviated: std::collections::HashSet::new(),
            invented: 0,
            linkage: DeclSpecs::NONE,
            pack: 0,
            pack_stack: Vec::new(),
            contract: FpContract::Default,
            at_block_start: false,
            unknown_types: 0,
            device_templates: rustc_hash::FxHashSet::default(),
            suffixes: rustc_hash::FxHashSet::default(),
            members: members::Members::default(),
            enumerators: rustc_hash::FxHashMap::default(),
            concepts: rustc_hash::FxHashSet::default(),
            constrained_autos: rustc_hash::FxHashMap::default(),
            head_constraints: Vec::new(),
            explicit_if: None,
            device_functions: rustc_hash::FxHashSet::default(),
            late_specs: crate::ast::DeclSpecs::default(),
            device_classes: rustc_hash::FxHashMap::default(),
            scoped_enumerators: rustc_hash::FxHashSet::default(),
            member_templates: rustc_hash::FxHashSet::default(),
            host_members: rustc_hash::FxHashSet::default(),
            kernel_templates: false,
            asks_types: false,
            host_tokens: tokens.len().saturating_mul(host_view::MAX_READINGS),
            no_types: rustc_hash::FxHashSet::default(),
            scope_tokens: tokens.len().saturating_mul(host_scope::MAX_SCOPE_READINGS),
            lenient: false,
            fatal: false,
            in_function: false,
            attr_hints: Vec::new(),
            words,
        };
        p.ast.exprs.reserve(tokens.len() / 2);
        p.seek(0);
        p
    }

    /// Says whether a function's body is being parsed; gives what was so before.
    fn enter_function(&mut self, inside: bool) -> bool {
        self.names.local = inside;
        std::mem::replace(&mut self.in_function, inside)
    }

    fn is_cxx(&self) -> bool {
        self.dialect.is_cxx()
    }
}
