//! Members of classes whose types only the host's library has: `std::vector<int> rows;`, `FILE *log;`. Device code cannot
//! use them, but it uses what lies behind them, so they have their sizes.

use super::declarator::Form;
use super::keywords::Kw;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    ArraySize, BuiltinType, Decl, DeclId, DeclKind, DeclSpecs, Expr, ExprKind, HostReason, List, NameKind, Quals, Type,
    TypeId, TypeKind,
};
use crate::literal::{IntLiteral, IntSize, Radix};
use source::Symbol;

/// Classes of the C++ library as GNU's has them on 64-bit machines: how many words they are, and how many arguments may be
/// written before that changes. All are aligned like a word.
#[rustfmt::skip]
const LIBRARY: [(&str, u8, usize); 29] = [
    ("any", 2, 0), ("condition_variable", 6, 0), ("deque", 10, 1), ("exception_ptr", 1, 0), ("forward_list", 1, 1), ("function", 4, 1),
    ("list", 3, 1), ("map", 6, 2), ("multimap", 6, 2), ("multiset", 6, 1), ("mutex", 5, 0), ("priority_queue", 4, 1), ("queue", 10, 1),
    ("recursive_mutex", 5, 0), ("set", 6, 1), ("shared_ptr", 2, 1), ("stack", 10, 1), ("string", 4, 0), ("string_view", 2, 0),
    ("thread", 1, 0), ("u16string", 4, 0), ("u32string", 4, 0), ("unique_ptr", 1, 1), ("unordered_map", 7, 2),
    ("unordered_multimap", 7, 2), ("unordered_set", 7, 1), ("vector", 3, 1), ("weak_ptr", 2, 1), ("wstring", 4, 0),
];
/// A `vector<bool>` in words.
const BITS: u8 = 5;
/// Names of instances of `std::atomic`, which are as large as what they hold.
const ATOMICS: [(&str, BuiltinType); 8] = [
    ("atomic_bool", BuiltinType::Bool),
    ("atomic_char", BuiltinType::Char),
    ("atomic_flag", BuiltinType::Bool),
    ("atomic_int", BuiltinType::Int),
    ("atomic_long", BuiltinType::Long),
    ("atomic_size_t", BuiltinType::ULong),
    ("atomic_uint", BuiltinType::UInt),
    ("atomic_ulong", BuiltinType::ULong),
];

/// What is known of the size of a type that only the host has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostSize {
    /// So many words, and it has a destructor.
    Words(u8),
    /// That of another type.
    Like(TypeId),
    Unknown,
}

impl Parser<'_> {
    /// Reads the data members up to `end` whose type only the host knows; false, and nothing is taken, where their size is not
    /// known either.
    pub(super) fn host_fields(&mut self, end: usize, out: &mut Vec<DeclId>) -> bool {
        let (pos, tok, prev, fatal) = (self.pos, self.tok, self.prev, self.fatal);
        let (first, errors) = (out.len(), self.session.diagnostics.len());
        let (unknown, depth, pending) = (self.unknown_types, self.depth, self.pending.len());
        let read = self.read_host_fields(end, out);
        let whole = matches!(read, Ok(true));
        if !whole {
            out.truncate(first);
            (self.pos, self.tok, self.prev, self.fatal) = (pos, tok, prev, fatal);
            self.pending.truncate(pending);
        }
        (self.unknown_types, self.depth) = (unknown, depth);
        self.session.diagnostics.truncate(errors);
        whole
    }

    fn read_host_fields(&mut self, end: usize, out: &mut Vec<DeclId>) -> PResult<bool> {
        let start = self.tok.span;
        let Some((after, size)) = self.host_type(end) else { return Ok(false) };
        let base = match size {
            HostSize::Words(n) => self.words(n),
            HostSize::Like(ty) => ty,
            HostSize::Unknown => self.words(1),
        };
        self.seek(after);
        let mut owns = false;
        loop {
            let d = self.declarator(base, Form::Named)?;
            let Some(behind) = self.is_behind_pointer(d.ty) else { return Ok(false) };
            let known = behind || size != HostSize::Unknown;
            let Some(sym) = self.ast.plain_name(d.name).filter(|_| known) else { return Ok(false) };
            owns |= !behind && matches!(size, HostSize::Words(_));
            if self.is(T::Eq) || self.is(T::LBrace) {
                let Some(next) = self.initialiser_end(end) else { return Ok(false) };
                self.seek(next);
            }
            self.declare_value(sym);
            let kind = DeclKind::Field { ty: d.ty, bits: None, init: None };
            let (attrs, span) = (List::EMPTY, self.span_from(start));
            out.push(self.ast.push_decl(Decl { kind, name: d.name, specs: DeclSpecs::NONE, attrs, span }));
            if !self.eat(T::Comma) {
                break;
            }
        }
        let ends = self.is(T::Semi) && self.pos + 1 == end;
        if ends {
            self.bump();
            out.extend(self.host_destructor(owns));
        }
        Ok(ends)
    }

    /// What owns an object of the library has a destructor that only the host has.
    fn host_destructor(&mut self, owns: bool) -> Option<DeclId> {
        let class = self.classes.last().and_then(|c| c.name).filter(|_| owns)?;
        let span = self.prev;
        let (kind, name) = (DeclKind::HostOnly(HostReason::Function), self.named(NameKind::Destructor(class), span));
        Some(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }))
    }

    /// The index after the type that begins here, and its size.
    fn host_type(&mut self, end: usize) -> Option<(usize, HostSize)> {
        let mut i = self.pos;
        let qualifies = |k| matches!(k, Kw::Const | Kw::Volatile | Kw::Mutable | Kw::Typename | Kw::Struct | Kw::Class);
        while i < end && qualifies(self.kw_of(self.at(i))) {
            i += 1;
        }
        let mut in_std = false;
        if self.at(i).kind == T::ColonColon {
            i += 1;
        }
        let (last, args) = loop {
            let name = self.at(i);
            if !self.is_ident(name) || i >= end {
                return None;
            }
            let open = i + 1;
            let close = if self.at(open).kind == T::Less { Some(self.angle_end(open)?) } else { None };
            i = close.unwrap_or(open);
            if self.at(i).kind != T::ColonColon {
                break (name, close.map(|close| (open + 1, close - 1)));
            }
            in_std = self.session.str(name.sym) == "std";
            i += 1;
        };
        while i < end && qualifies(self.kw_of(self.at(i))) {
            i += 1;
        }
        let word = self.session.str(last.sym);
        let found = LIBRARY.iter().find(|(name, ..)| in_std && *name == word);
        let words = found.and_then(|&(name, words, most)| {
            let Some((from, to)) = args else { return Some(words) };
            let (mut depth, mut count) = (0usize, 1);
            for t in (from..to).map(|k| self.at(k)) {
                match t.kind {
                    T::Less | T::LParen | T::LBracket => depth += 1,
                    T::Greater | T::RParen | T::RBracket => depth = depth.saturating_sub(1),
                    T::GreaterGreater => depth = depth.saturating_sub(2),
                    T::Comma if depth == 0 => count += 1,
                    _ => {}
                }
            }
            let bits = name == "vector" && from + 1 == to && self.session.str(self.at(from).sym) == "bool";
            (count <= most).then_some(if bits { BITS } else { words })
        });
        let like = if in_std { self.held_by_atomic(last.sym, args) } else { None };
        Some((i, words.map(HostSize::Words).or(like.map(HostSize::Like)).unwrap_or(HostSize::Unknown)))
    }

    /// What a `std::atomic<T>` holds, with the tokens of `T` as given, where it is a number.
    fn held_by_atomic(&mut self, name: Symbol, args: Option<(usize, usize)>) -> Option<TypeId> {
        let word = self.session.str(name);
        if let Some(&(_, builtin)) = ATOMICS.iter().find(|(name, _)| *name == word) {
            let kind = TypeKind::Builtin(builtin);
            return Some(self.ast.push_type(Type { kind, quals: Quals::default(), span: self.tok.span }));
        }
        let (from, to) = args.filter(|_| word == "atomic")?;
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        self.seek(from);
        let read = self.type_id().ok().filter(|_| self.pos == to);
        (self.pos, self.tok, self.prev) = (pos, tok, prev);
        // A class has another alignment in it than by itself.
        read.filter(|&ty| match self.ast[ty].kind {
            TypeKind::Builtin(_) | TypeKind::Pointer(_) => true,
            TypeKind::Name(n) => self.ast.plain_name(n).is_some_and(|s| self.session.str(s).ends_with("_t")),
            _ => false,
        })
    }

    /// The index of the `,` or `;` behind the initialiser that begins here.
    fn initialiser_end(&self, end: usize) -> Option<usize> {
        let (mut depth, mut angle) = (0usize, false);
        for i in self.pos..end {
            match self.at(i).kind {
                T::LParen | T::LBracket | T::LBrace => depth += 1,
                T::RParen | T::RBracket | T::RBrace => depth = depth.checked_sub(1)?,
                // A comma behind it may part arguments of a template.
                T::Less if depth == 0 => angle = true,
                T::Comma if depth == 0 && angle => return None,
                T::Comma | T::Semi if depth == 0 => return Some(i),
                _ => {}
            }
        }
        None
    }

    /// As many words: what stands for a type of that size.
    fn words(&mut self, n: u8) -> TypeId {
        let (quals, span) = (Quals::default(), self.tok.span);
        let element = self.ast.push_type(Type { kind: TypeKind::Builtin(BuiltinType::ULong), quals, span });
        let literal = IntLiteral { value: u64::from(n), radix: Radix::Decimal, unsigned: false, size: IntSize::Plain };
        let size = self.ast.push_expr(Expr { kind: ExprKind::Int(literal), span });
        self.ast.push_type(Type { kind: TypeKind::Array { element, size: ArraySize::Expr(size) }, quals, span })
    }

    /// Whether what a declarator makes is, or has for elements, pointers or references; `None` for functions.
    fn is_behind_pointer(&self, mut ty: TypeId) -> Option<bool> {
        loop {
            match self.ast[ty].kind {
                TypeKind::Array { element, .. } => ty = element,
                TypeKind::Pointer(_) | TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) => return Some(true),
                TypeKind::Function(_) | TypeKind::MemberPointer { .. } => return None,
                _ => return Some(false),
            }
        }
    }
}
