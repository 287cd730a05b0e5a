//! Declaration specifiers: storage classes, qualifiers, type specifiers.

use super::keywords::Kw;
use super::names::Known;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    Access, AddressSpace, Attr, BuiltinType, DeclId, DeclSpecs, ExprId, Quals, TagKind, Type, TypeId, TypeKind,
};
use smallvec::SmallVec;
use source::{Diagnostic, Span};

/// Attributes collected before a declarator.
pub(super) type Attrs = SmallVec<[Attr; 2]>;

/// What decl-specifiers say.
#[derive(Clone)]
pub(super) struct Specs {
    /// Storage class and the like.
    pub(super) specs: DeclSpecs,
    /// The type that declarators start from.
    pub(super) ty: TypeId,
    /// Attributes among the specifiers.
    pub(super) attrs: Attrs,
    /// Where it starts.
    pub(super) start: Span,
    /// The `struct`, `union` or `enum` that was declared in it.
    pub(super) tag: Option<DeclId>,
    /// Whether no type was given: constructors, destructors, conversion functions.
    pub(super) no_type: bool,
}

/// Where specifiers stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecCx {
    /// A declaration.
    Decl,
    /// A member of a class.
    Member,
    /// A parameter.
    Param,
    /// A type-id: no storage classes.
    Type,
}

/// The words of an arithmetic type, counted.
#[derive(Default, Clone, Copy)]
struct Words {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    complex: u8,
    base: Option<BuiltinType>,
}

impl Words {
    fn any(self) -> bool {
        self.signed + self.unsigned + self.short + self.long + self.complex > 0 || self.base.is_some()
    }

    /// The type that the words make; `None` for nonsense such as `short double`.
    fn combine(self, opencl: bool) -> Option<BuiltinType> {
        use BuiltinType as B;
        let Self { signed, unsigned, short, long, complex, base } = self;
        if signed + unsigned > 1 || short + long.min(1) > 1 || short > 1 || long > 2 || opencl && long > 1 {
            return None;
        }
        if complex > 0 {
            return match (complex, base, signed + unsigned + short, long) {
                (1, Some(B::Float), 0, 0) => Some(B::ComplexFloat),
                (1, Some(B::Double) | None, 0, 0) => Some(B::ComplexDouble),
                (1, Some(B::Double), 0, 1) => Some(B::ComplexLongDouble),
                _ => None,
            };
        }
        let modified = signed + unsigned + short + long > 0;
        let pick = |s: B, u: B| if unsigned > 0 { u } else { s };
        match base {
            None | Some(B::Int) => Some(match (short, long) {
                (1, _) => pick(B::Short, B::UShort),
                (_, 1) => pick(B::Long, B::ULong),
                (_, 2) => pick(B::LongLong, B::ULongLong),
                _ => pick(B::Int, B::UInt),
            }),
            Some(B::Char) if short + long == 0 => Some(match (signed, unsigned) {
                (1, _) => B::SChar,
                (_, 1) => B::UChar,
                _ => B::Char,
            }),
            Some(B::Double) if signed + unsigned + short == 0 && long <= 1 => {
                Some(if long == 1 { B::LongDouble } else { B::Double })
            }
            Some(B::Int128) if short + long == 0 => Some(pick(B::Int128, B::UInt128)),
            Some(other) if !modified => Some(other),
            Some(_) => None,
        }
    }
}

/// What the loop over specifiers has gathered.
struct Gather {
    specs: DeclSpecs,
    quals: Quals,
    attrs: Attrs,
    words: Words,
    words_span: Span,
    /// A type that is not made of words; its qualifiers are added at the end.
    ty: Option<(TypeKind, Span)>,
    tag: Option<DeclId>,
    /// What an `auto` must satisfy.
    concept: Option<crate::ast::NameId>,
    start: Span,
}

impl Gather {
    fn has_type(&self) -> bool {
        self.ty.is_some() || self.words.any()
    }
}

impl Parser<'_> {
    /// decl-specifier-seq, starting with attributes already read.
    pub(super) fn decl_specs(&mut self, cx: SpecCx, attrs: Attrs) -> PResult<Specs> {
        let start = attrs.first().map_or(self.tok.span, |a| a.span);
        let mut g = Gather {
            specs: DeclSpecs::NONE,
            quals: Quals::default(),
            attrs,
            words: Words::default(),
            words_span: self.tok.span,
            ty: None,
            tag: None,
            concept: None,
            start,
        };
        while self.specifier(cx, &mut g)? {}
        let concept = g.concept;
        let specs = self.finish_specs(cx, g)?;
        if let Some(concept) = concept {
            self.constrained_autos.insert(specs.ty, concept);
            let of = self.ast[specs.ty];
            let auto = self.ast.push_type(Type { quals: Quals::default(), ..of });
            let e = self.concept_of(concept, auto)?;
            self.ast.auto_constraints.insert(specs.ty, e);
        }
        Ok(specs)
    }

    /// One specifier; false at the first token that is none.
    fn specifier(&mut self, cx: SpecCx, g: &mut Gather) -> PResult<bool> {
        match self.tok.kind {
            T::Ident => {}
            T::ColonColon if !g.has_type() => return self.named_specifier(cx, g),
            T::LBracket if self.at_cxx_attribute() => {
                self.cxx_attributes(&mut g.attrs)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        let kw = self.kw();
        if kw == Kw::None {
            return self.named_specifier(cx, g);
        }
        if kw == Kw::Auto && !self.is_cxx() {
            self.bump();
            g.specs = g.specs.with(DeclSpecs::AUTO);
            return Ok(true);
        }
        if let Some(s) = storage(kw) {
            return self.storage_specifier(cx, g, s);
        }
        if let Some(base) = base_type(kw) {
            return self.type_word(g, base);
        }
        if self.qualifier(kw, &mut g.quals)? {
            return Ok(true);
        }
        self.other_specifier(cx, g, kw)
    }

    fn storage_specifier(&mut self, cx: SpecCx, g: &mut Gather, s: DeclSpecs) -> PResult<bool> {
        let t = self.bump();
        if cx == SpecCx::Type {
            let word = self.describe(t);
            return Err(self.error("E0202", t.span, format!("{word} cannot stand in a type name")));
        }
        let exclusive =
            DeclSpecs(DeclSpecs::EXTERN.0 | DeclSpecs::STATIC.0 | DeclSpecs::REGISTER.0 | DeclSpecs::TYPEDEF.0);
        if exclusive.any(s) && g.specs.any(exclusive) && !g.specs.has(s) {
            let word = self.describe(t);
            self.error("E0207", t.span, format!("{word} cannot be combined with the storage class before it"));
        }
        g.specs = g.specs.with(s);
        if s == DeclSpecs::EXPLICIT {
            self.explicit_if = None;
            if self.is(T::LParen) {
                let open = self.bump().span;
                self.explicit_if = Some(self.in_parens(Self::constant_expr)?);
                self.expect_closer(T::RParen, open)?;
            }
        }
        Ok(true)
    }

    fn type_word(&mut self, g: &mut Gather, base: BuiltinType) -> PResult<bool> {
        let t = self.bump();
        if g.ty.is_some() || g.words.base.is_some() {
            let word = self.describe(t);
            let d = Diagnostic::error("E0205", t.span, format!("{word} cannot be combined with the type before it"));
            return Err(self.report(d.help("a declaration has one type; is a `;` or `,` missing before it?")));
        }
        if !g.words.any() {
            g.words_span = t.span;
        }
        g.words.base = Some(base);
        g.words_span = g.words_span.to(t.span);
        Ok(true)
    }

    /// Takes a qualifier, if the keyword is one.
    pub(super) fn qualifier(&mut self, kw: Kw, q: &mut Quals) -> PResult<bool> {
        match kw {
            Kw::Const => q.is_const = true,
            Kw::Volatile => q.is_volatile = true,
            Kw::Restrict | Kw::RestrictWord => q.is_restrict = true,
            Kw::Atomic if self.peek(1).kind != T::LParen => q.is_atomic = true,
            Kw::Global => self.set_space(q, AddressSpace::Global),
            Kw::Local => self.set_space(q, AddressSpace::Local),
            Kw::Constant => self.set_space(q, AddressSpace::Constant),
            Kw::PrivateSpace => self.set_space(q, AddressSpace::Private),
            Kw::GenericSpace | Kw::GenericSpaceWord => self.set_space(q, AddressSpace::Generic),
            Kw::ReadOnly => q.access = Some(Access::ReadOnly),
            Kw::WriteOnly => q.access = Some(Access::WriteOnly),
            Kw::ReadWrite => q.access = Some(Access::ReadWrite),
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    fn set_space(&mut self, q: &mut Quals, space: AddressSpace) {
        if let Some(old) = q.space.filter(|&old| old != space) {
            let message = format!("`{}` and `{}` on one type", old.as_str(), space.as_str());
            self.error("E0207", self.tok.span, message);
        }
        q.space = Some(space);
    }

    fn other_specifier(&mut self, cx: SpecCx, g: &mut Gather, kw: Kw) -> PResult<bool> {
        match kw {
            Kw::Signed => g.words.signed = g.words.signed.saturating_add(1),
            Kw::Unsigned => g.words.unsigned = g.words.unsigned.saturating_add(1),
            Kw::Short => g.words.short = g.words.short.saturating_add(1),
            Kw::Long => g.words.long = g.words.long.saturating_add(1),
            Kw::Extension => {}
            Kw::Attribute | Kw::Declspec => {
                self.gnu_attributes(&mut g.attrs)?;
                return Ok(true);
            }
            Kw::Alignas | Kw::AlignasWord => {
                self.alignas(&mut g.attrs)?;
                return Ok(true);
            }
            Kw::LaunchBounds | Kw::Maxnreg | Kw::ClusterDims | Kw::BlockSize | Kw::Align => {
                self.keyword_attribute(&mut g.attrs)?;
                return Ok(true);
            }
            Kw::Struct | Kw::Class | Kw::Union | Kw::Enum => {
                self.one_type(g)?;
                let at = self.tok.span;
                let (kind, tag) = self.nested(|p| p.tag_specifier(cx, &mut g.attrs))?;
                g.tag = tag;
                g.ty = Some((kind, self.span_from(at)));
                return Ok(true);
            }
            Kw::Typeof | Kw::TypeofWord | Kw::UnderlyingType | Kw::Atomic => {
                self.one_type(g)?;
                let at = self.tok.span;
                let kind = self.nested(Self::typeof_specifier)?;
                g.ty = Some((kind, self.span_from(at)));
                return Ok(true);
            }
            Kw::Decltype => {
                self.one_type(g)?;
                return self.decltype_specifier(g);
            }
            Kw::Typename => {
                if g.has_type() {
                    return Ok(false);
                }
                let at = self.tok.span;
                let ty = self.type_name_ref(Quals::default())?;
                g.ty = Some((self.ast[ty].kind, self.span_from(at)));
                return Ok(true);
            }
            Kw::Complex if self.dialect.is_c11() => g.words.complex = g.words.complex.saturating_add(1),
            Kw::Complex => {
                let span = self.bump().span;
                return Err(self.unsupported(span, "complex arithmetic", "use a struct of two members"));
            }
            _ => return Ok(false),
        }
        let t = self.bump();
        if g.ty.is_some() && kw != Kw::Extension {
            let word = self.describe(t);
            return Err(self.error("E0205", t.span, format!("{word} cannot be combined with the type before it")));
        }
        g.words_span = if g.words_span.lo > t.span.lo { t.span } else { g.words_span.to(t.span) };
        Ok(true)
    }

    fn one_type(&mut self, g: &Gather) -> PResult<()> {
        if g.has_type() {
            let word = self.describe(self.tok);
            let d = Diagnostic::error("E0205", self.tok.span, format!("{word} after a complete type"));
            return Err(self.report(d.help("is a `;` missing before it?")));
        }
        Ok(())
    }

    /// `typeof(…)`, `_Atomic(T)`
    fn typeof_specifier(&mut self) -> PResult<TypeKind> {
        let (atomic, underlying) = (self.is_kw(Kw::Atomic), self.is_kw(Kw::UnderlyingType));
        self.bump();
        let open = self.expect(T::LParen)?;
        let kind = if atomic {
            TypeKind::Atomic(self.type_id()?)
        } else if underlying {
            TypeKind::Underlying(self.type_id()?)
        } else if self.type_at(self.pos) {
            TypeKind::TypeofType(self.type_id()?)
        } else {
            TypeKind::TypeofExpr(self.full_expr()?)
        };
        self.expect_closer(T::RParen, open)?;
        Ok(kind)
    }

    /// `decltype(e)`, `decltype(auto)`; or the start of `decltype(e)::x`.
    fn decltype_specifier(&mut self, g: &mut Gather) -> PResult<bool> {
        let at = self.tok.span;
        let end = self.after_group(self.pos + 1).unwrap_or(self.pos + 1);
        let kind = if self.at(end).kind == T::ColonColon {
            let ty = self.type_name_ref(Quals::default())?;
            self.ast[ty].kind
        } else if self.kw_of(self.peek(2)) == Kw::Auto && self.peek(3).kind == T::RParen {
            self.seek(end);
            TypeKind::Builtin(BuiltinType::DecltypeAuto)
        } else {
            TypeKind::Decltype(self.decltype_operand()?)
        };
        g.ty = Some((kind, self.span_from(at)));
        Ok(true)
    }

    /// `decltype ( e )`
    pub(super) fn decltype_operand(&mut self) -> PResult<ExprId> {
        self.bump();
        self.in_parens(|p| {
            let open = p.expect(T::LParen)?;
            let e = p.full_expr()?;
            p.expect_closer(T::RParen, open)?;
            Ok(e)
        })
    }

    /// A name among specifiers: the type, if there is none yet.
    fn named_specifier(&mut self, cx: SpecCx, g: &mut Gather) -> PResult<bool> {
        if g.has_type() {
            return Ok(false);
        }
        if self.is_cxx() && cx != SpecCx::Type && cx != SpecCx::Param && self.special_member_ahead() {
            return Ok(false);
        }
        if let Some(concept) = self.constraint_of_auto()? {
            g.concept = Some(concept);
            return match self.is_kw(Kw::Decltype) {
                true => self.decltype_specifier(g),
                false => self.type_word(g, BuiltinType::Auto),
            };
        }
        let Some(name) = self.scan_name(self.pos, false) else { return Ok(false) };
        let next = self.at(name.end);
        let is_type = match name.known {
            Known::Type | Known::HostType | Known::TypeTemplate => true,
            Known::Unknown => match next.kind {
                T::Ident | T::Star | T::Amp | T::AmpAmp => true,
                T::Ellipsis | T::Greater | T::GreaterGreater => cx == SpecCx::Type || cx == SpecCx::Param,
                T::Comma | T::RParen | T::LBracket => cx == SpecCx::Param || cx == SpecCx::Type,
                T::LParen => cx == SpecCx::Type,
                T::ColonColon => true,
                T::Semi | T::Eq => cx == SpecCx::Type || cx == SpecCx::Param || self.is_cxx() && name.qualified,
                _ => cx == SpecCx::Type,
            },
            // `const C<T>::value_type &`, of a name that is also a value somewhere (C++20 wants no `typename` there).
            _ if name.of_instance && self.pos > 0 && self.kw_of(self.at(self.pos - 1)) == Kw::Const => true,
            // `void f(int, C<int>::type *)`: a parameter begins with nothing else.
            _ if name.qualified && cx == SpecCx::Param => true,
            // A value where a type must be: `x * y` in a wrong place; a shadowed type name.
            Known::Value | Known::ValueTemplate | Known::Namespace => {
                cx == SpecCx::Type || self.is_ident(next) || matches!(self.kw_of(next), Kw::Const | Kw::Operator)
            }
        };
        if !is_type {
            return Ok(false);
        }
        let at = self.tok.span;
        let ty = self.type_name_ref(Quals::default())?;
        g.ty = Some((self.ast[ty].kind, self.span_from(at)));
        Ok(true)
    }

    fn finish_specs(&mut self, cx: SpecCx, g: Gather) -> PResult<Specs> {
        let mut no_type = false;
        let (kind, span) = match g.ty {
            Some(t) => t,
            None if g.words.any() => match g.words.combine(self.dialect.is_opencl()) {
                Some(b) => (TypeKind::Builtin(b), g.words_span),
                None => {
                    let d = Diagnostic::error("E0205", g.words_span, "these words make no type")
                        .help("e.g. `unsigned long`, `signed char`, `long double`");
                    return Err(self.report(d));
                }
            },
            None if self.is_cxx() && cx != SpecCx::Type && cx != SpecCx::Param && self.special_member_ahead() => {
                no_type = true;
                (TypeKind::Builtin(BuiltinType::Void), self.tok.span)
            }
            None if self.implicit_int(&g) => (TypeKind::Builtin(BuiltinType::Int), self.tok.span),
            None => return Err(self.missing_type(cx)),
        };
        let span = if span.expn == g.start.expn { span } else { self.session.sources.join(span, span) };
        let ty = self.ast.push_type(Type { kind, quals: g.quals, span });
        let ty = self.attributed_type(ty, &g.attrs);
        Ok(Specs { specs: g.specs, ty, attrs: g.attrs, start: g.start, tag: g.tag, no_type })
    }

    /// The type that the attributes among `attrs` which are about types make of another.
    pub(super) fn attributed_type(&mut self, ty: TypeId, attrs: &[Attr]) -> TypeId {
        let is_of_type = |a: &&Attr| {
            let name = self.session.strings.str(a.name);
            let inner = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
            matches!(inner, "ext_vector_type" | "vector_size" | "mode")
        };
        let of_type: Attrs = attrs.iter().filter(is_of_type).copied().collect();
        if of_type.is_empty() {
            return ty;
        }
        let attrs = self.ast.push_list(&of_type);
        let span = self.ast[ty].span;
        self.ast.push_type(Type { kind: TypeKind::Attributed { ty, attrs }, quals: Quals::default(), span })
    }

    /// Whether a declaration without a type (`__global *p`, `const n = 4`) is one of an `int`, as in C before C99 and as the
    /// compilers of other platforms read it; says so.
    fn implicit_int(&mut self, g: &Gather) -> bool {
        let declares = match self.tok.kind {
            T::Star => true,
            T::Ident => matches!(self.peek(1).kind, T::Eq | T::Semi | T::Comma | T::RParen | T::LBracket),
            _ => false,
        };
        if self.is_cxx() || g.quals.is_empty() || !declares {
            return false;
        }
        let d = Diagnostic::warning("W0206", g.start, "a declaration without a type is one of an `int`");
        self.report(d.group("implicit-int").help("write `int`, or the type that is meant"));
        true
    }

    /// Reports that a declaration lacks its type.
    fn missing_type(&mut self, cx: SpecCx) -> super::Reported {
        let found = self.describe(self.tok);
        let what = match cx {
            SpecCx::Type | SpecCx::Param => "a type",
            SpecCx::Decl | SpecCx::Member => "a declaration",
        };
        let d = Diagnostic::error("E0202", self.tok.span, format!("expected {what}, found {found}"));
        let d = if self.is_ident(self.tok) {
            d.help("every declaration starts with a type; is the type's name misspelt, or its header missing?")
        } else {
            d
        };
        self.report(d)
    }

    /// Specifiers and qualifiers of a type-id.
    pub(super) fn type_specs(&mut self) -> PResult<TypeId> {
        Ok(self.decl_specs(SpecCx::Type, Attrs::new())?.ty)
    }
}

pub(super) fn storage(kw: Kw) -> Option<DeclSpecs> {
    Some(match kw {
        Kw::Extern => DeclSpecs::EXTERN,
        Kw::Static => DeclSpecs::STATIC,
        Kw::Register => DeclSpecs::REGISTER,
        Kw::Typedef => DeclSpecs::TYPEDEF,
        Kw::Thread | Kw::ThreadWord => DeclSpecs::THREAD,
        Kw::Inline => DeclSpecs::INLINE,
        Kw::Noreturn => DeclSpecs::NORETURN,
        Kw::Constexpr => DeclSpecs::CONSTEXPR,
        Kw::Consteval => DeclSpecs::CONSTEVAL,
        Kw::Constinit => DeclSpecs::CONSTINIT,
        Kw::Virtual => DeclSpecs::VIRTUAL,
        Kw::Explicit => DeclSpecs::EXPLICIT,
        Kw::Friend => DeclSpecs::FRIEND,
        Kw::Mutable => DeclSpecs::MUTABLE,
        Kw::Kernel | Kw::KernelWord => DeclSpecs::KERNEL,
        Kw::CudaGlobal => DeclSpecs::GLOBAL,
        Kw::CudaDevice => DeclSpecs::DEVICE,
        Kw::CudaHost => DeclSpecs::HOST,
        Kw::CudaShared | Kw::BlockShared => DeclSpecs::SHARED,
        Kw::CudaConstant => DeclSpecs::CONSTANT,
        Kw::CudaManaged => DeclSpecs::MANAGED,
        Kw::GridConstant => DeclSpecs::GRID_CONSTANT,
        Kw::Forceinline => DeclSpecs::FORCEINLINE,
        Kw::Noinline => DeclSpecs::NOINLINE,
        Kw::Pipe => DeclSpecs::PIPE,
        _ => return None,
    })
}

fn base_type(kw: Kw) -> Option<BuiltinType> {
    Some(match kw {
        Kw::Void => BuiltinType::Void,
        Kw::Bool | Kw::BoolWord => BuiltinType::Bool,
        Kw::Char => BuiltinType::Char,
        Kw::Int => BuiltinType::Int,
        Kw::Int128 => BuiltinType::Int128,
        Kw::Float => BuiltinType::Float,
        Kw::Double => BuiltinType::Double,
        Kw::Half | Kw::Float16 => BuiltinType::Half,
        Kw::BFloat16 => BuiltinType::BFloat16,
        Kw::WChar => BuiltinType::WChar,
        Kw::Char8 => BuiltinType::Char8,
        Kw::Char16 => BuiltinType::Char16,
        Kw::Char32 => BuiltinType::Char32,
        Kw::Auto => BuiltinType::Auto,
        Kw::AutoType => BuiltinType::AutoType,
        Kw::VaList => BuiltinType::VaList,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether a deduction guide starts at `i`: `C(T) -> C<T>;`
    pub(super) fn guide_at(&mut self, mut i: usize) -> bool {
        if self.kw_of(self.at(i)) == Kw::Explicit {
            i += 1;
        }
        let t = self.at(i);
        self.is_ident(t)
            && self.at(i + 1).kind == T::LParen
            && self.after_group(i + 1).is_some_and(|end| self.at(end).kind == T::Arrow)
            && self.known(t.sym) == super::names::Known::TypeTemplate
    }

    /// Whether a constructor's, destructor's or conversion function's name stands here: no type precedes those.
    pub(super) fn special_member_ahead(&mut self) -> bool {
        let t = self.tok;
        if t.kind == T::Tilde {
            return true;
        }
        if self.kw_of(t) == Kw::Operator {
            return true;
        }
        if let Some(end) = self.injected_arguments_end() {
            return self.at(end).kind == T::LParen && !matches!(self.at(end + 1).kind, T::Star | T::Amp | T::AmpAmp);
        }
        if self.is_ident(t) && self.peek(1).kind == T::LParen {
            // `C (*f)(int)` declares a pointer to a function that gives a `C`.
            return !matches!(self.peek(2).kind, T::Star | T::Amp | T::AmpAmp)
                && (self.classes.last().is_some_and(|c| c.name == Some(t.sym)) || self.guide_at(self.pos));
        }
        self.qualified_special_member_ahead()
    }

    /// Behind `S<T>` in the class template `S`, which may be what its constructor is declared as.
    pub(super) fn injected_arguments_end(&mut self) -> Option<usize> {
        let injected = self.is_ident(self.tok) && self.classes.last().is_some_and(|c| c.name == Some(self.tok.sym));
        (injected && self.peek(1).kind == T::Less).then(|| self.angle_end(self.pos + 1)).flatten()
    }

    /// `S::S(`, `S<T>::~S(`, `S::operator T(`.
    fn qualified_special_member_ahead(&mut self) -> bool {
        let mut i = self.pos;
        let mut last = None;
        if self.at(i).kind == T::ColonColon {
            i += 1;
        }
        loop {
            let t = self.at(i);
            if last.is_some() && t.kind == T::Tilde {
                return true;
            }
            if last.is_some() && self.kw_of(t) == Kw::Operator {
                return true;
            }
            if !self.is_ident(t) {
                return false;
            }
            let mut next = i + 1;
            if self.at(next).kind == T::Less {
                // The injected name of a partial specialisation's constructor has no arguments.
                match self.angle_end(next) {
                    Some(end) => next = end,
                    None => return false,
                }
            }
            if last == Some(t.sym) && self.at(next).kind == T::LParen {
                return true;
            }
            if self.at(next).kind != T::ColonColon {
                return false;
            }
            last = Some(t.sym);
            i = next + 1;
        }
    }

    /// The keyword of a tag.
    pub(super) fn tag_keyword(&self) -> TagKind {
        match self.kw() {
            Kw::Class => TagKind::Class,
            Kw::Union => TagKind::Union,
            Kw::Enum => TagKind::Enum,
            _ => TagKind::Struct,
        }
    }
}
