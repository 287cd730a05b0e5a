//! C's types as far as regions need them: what a variable is made of, and how a declaration of it is written.

use crate::scope::Scopes;
use crate::unit::Unit;
use source::Span;
use syntax::ast::{
    ArraySize, BinaryOp, BuiltinType, DeclId, DeclKind, ExprId, ExprKind, NameKind, Quals, RecordId, TagKind, TypeId,
    TypeKind, UnaryOp,
};

/// What a type is, typedefs seen through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A number.
    Number(BuiltinType),
    /// An enumeration.
    Enum,
    /// A pointer to this.
    Pointer(TypeId),
    /// An array of these; constant extent, if it is one.
    Array(TypeId, Option<u64>),
    /// A structure or union.
    Record,
    /// Something that no region can use.
    Other,
}

/// Deepest chain of typedefs.
const MAX_TYPEDEFS: u32 = 64;

impl Unit {
    /// What a type is.
    pub(crate) fn shape(&self, ty: TypeId) -> Shape {
        let t = self.resolve(ty);
        match self.ast[t].kind {
            TypeKind::Builtin(
                BuiltinType::Void | BuiltinType::VaList | BuiltinType::LongDouble | BuiltinType::ComplexLongDouble,
            ) => Shape::Other,
            TypeKind::Builtin(b) => Shape::Number(b),
            // Nothing that data clauses are about is behind it, and devices cannot call it.
            TypeKind::Pointer(p) if matches!(self.ast[self.resolve(p)].kind, TypeKind::Function(_)) => Shape::Other,
            TypeKind::Pointer(p) => Shape::Pointer(p),
            TypeKind::Array { element, size } => Shape::Array(element, self.extent(size)),
            TypeKind::Elaborated { tag: TagKind::Enum, .. } => Shape::Enum,
            TypeKind::Elaborated { .. } => Shape::Record,
            TypeKind::Tag(d) if matches!(self.ast[d].kind, DeclKind::Enum { .. }) => Shape::Enum,
            TypeKind::Tag(_) => Shape::Record,
            _ => Shape::Other,
        }
    }

    /// The type behind typedefs.
    pub(crate) fn resolve(&self, mut ty: TypeId) -> TypeId {
        for _ in 0..MAX_TYPEDEFS {
            let TypeKind::Name(n) = self.ast[ty].kind else { break };
            let Some(next) = self.ast.plain_name(n).and_then(|s| self.typedefs.get(&s).copied()) else { break };
            ty = next;
        }
        ty
    }

    fn extent(&self, size: ArraySize) -> Option<u64> {
        match size {
            ArraySize::Expr(e) | ArraySize::Static(e) => self.constant(e).and_then(|v| u64::try_from(v).ok()),
            ArraySize::Unknown | ArraySize::Star => None,
        }
    }

    /// The extents of an array or of what a pointer points to, outermost first (`None` for that of a pointer and for those
    /// that are computed), and what the innermost array holds.
    pub(crate) fn dimensions(&self, ty: TypeId) -> (Vec<Option<u64>>, TypeId) {
        let mut dims = Vec::new();
        let mut t = ty;
        match self.shape(ty) {
            Shape::Pointer(p) => {
                dims.push(None);
                t = p;
            }
            Shape::Array(..) => {}
            _ => return (dims, ty),
        }
        while let Shape::Array(element, n) = self.shape(t) {
            dims.push(n);
            t = element;
        }
        (dims, t)
    }

    /// A declaration of `name` with a type, extents being constants.
    pub(crate) fn declare(&self, ty: TypeId, name: &str) -> Option<String> {
        self.declarator(ty, name, false)
    }

    /// The same without `const` and `volatile` of its own: something that can be assigned.
    pub(crate) fn plain(&self, ty: TypeId, name: &str) -> Option<String> {
        Some(self.declare(ty, name)?.trim_start_matches("const ").replace("volatile ", ""))
    }

    /// The same for a parameter of a kernel, where structures without a name stand as they are: to the host's compiler that would
    /// be another type.
    pub(crate) fn declare_parameter(&self, ty: TypeId, name: &str) -> Option<String> {
        self.declarator(ty, name, true)
    }

    fn declarator(&self, ty: TypeId, name: &str, whole: bool) -> Option<String> {
        let t = &self.ast[ty];
        let quals = words_of(t.quals);
        let join = |base: &str| Some(format!("{quals}{base} {name}"));
        match t.kind {
            TypeKind::Builtin(BuiltinType::VaList | BuiltinType::LongDouble | BuiltinType::ComplexLongDouble) => None,
            TypeKind::Builtin(b) => join(c_name(b)),
            TypeKind::Name(n) => join(self.session.str(self.ast.plain_name(n)?)),
            TypeKind::Elaborated { tag, name: n } => {
                join(&format!("{} {}", tag.as_str(), self.session.str(self.ast.plain_name(n)?)))
            }
            TypeKind::Tag(d) => {
                let NameKind::Ident(sym) = self.ast[self.ast[d].name].kind else {
                    return join(self.nameless(d).filter(|_| whole)?);
                };
                let tag = match self.ast[d].kind {
                    DeclKind::Record(r) => self.ast[r].tag.as_str(),
                    _ => "enum",
                };
                join(&format!("{tag} {}", self.session.str(sym)))
            }
            TypeKind::Pointer(p) => {
                let inner = format!("*{quals}{name}");
                let needs = matches!(self.ast[p].kind, TypeKind::Array { .. } | TypeKind::Function(_));
                self.declarator(p, &if needs { format!("({inner})") } else { inner }, whole)
            }
            TypeKind::Array { element, size } => {
                self.declarator(element, &format!("{name}[{}]", self.extent(size)?), whole)
            }
            _ => None,
        }
    }

    /// The text of a structure or union without a name, if nothing beside it decides how it lies in memory.
    fn nameless(&self, d: DeclId) -> Option<&str> {
        let at = self.range(self.ast[d].span);
        let text = &self.text[at.clone()];
        let packed = self.text[at.end..].trim_start().starts_with("__attribute") || self.text.contains("#pragma pack");
        let record = matches!(self.ast[d].kind, DeclKind::Record(r) if self.ast[r].defined);
        (record && !packed && text.ends_with('}')).then_some(text)
    }

    /// The type of an expression that is a place: a variable, an element, a member.
    pub(crate) fn type_of(&self, scopes: &Scopes, e: ExprId) -> Option<TypeId> {
        match self.ast[e].kind {
            ExprKind::Paren(a) => self.type_of(scopes, a),
            ExprKind::Name(_) => scopes.var(*scopes.of.get(&e)?).ty,
            ExprKind::Index { base, .. } | ExprKind::Unary(UnaryOp::Deref, base) => {
                match self.shape(self.type_of(scopes, base)?) {
                    Shape::Pointer(t) | Shape::Array(t, _) => Some(t),
                    _ => None,
                }
            }
            ExprKind::Cast { ty, .. } => Some(ty),
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, a) => {
                self.type_of(scopes, a)
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let pointer = |e: ExprId| {
                    self.type_of(scopes, e).filter(|&t| matches!(self.shape(t), Shape::Pointer(_) | Shape::Array(..)))
                };
                match op {
                    BinaryOp::Add => pointer(a).or_else(|| pointer(b)),
                    _ => pointer(a).filter(|_| pointer(b).is_none()),
                }
            }
            ExprKind::Cond { cond, then, els } => {
                self.type_of(scopes, then.unwrap_or(cond)).or_else(|| self.type_of(scopes, els))
            }
            ExprKind::Assign(_, place, _) => self.type_of(scopes, place),
            ExprKind::Member { base, arrow, name } => {
                let mut t = self.type_of(scopes, base)?;
                if arrow {
                    t = match self.shape(t) {
                        Shape::Pointer(p) | Shape::Array(p, _) => p,
                        _ => return None,
                    };
                }
                self.field(t, self.ast.plain_name(name)?)
            }
            _ => None,
        }
    }

    /// The definition of a structure or union, and where it stands.
    pub(crate) fn record(&self, ty: TypeId) -> Option<(RecordId, Span)> {
        let defined = |d: DeclId| match self.ast[d].kind {
            DeclKind::Record(r) if self.ast[r].defined => Some((r, self.ast[d].span)),
            _ => None,
        };
        match self.ast[self.resolve(ty)].kind {
            TypeKind::Tag(d) => defined(d),
            TypeKind::Elaborated { tag, name } => {
                let wanted = self.ast.plain_name(name)?;
                let is_it = |d: DeclId, r: RecordId| {
                    self.ast[r].tag == tag && self.ast.plain_name(self.ast[d].name) == Some(wanted)
                };
                self.ast.top.iter().find_map(|&d| defined(d).filter(|&(r, _)| is_it(d, r)))
            }
            _ => None,
        }
    }

    /// The type of what a path of members leads to (`->x.y`, behind a variable of type `ty`).
    pub(crate) fn type_of_path(&self, mut ty: TypeId, path: &str) -> Option<TypeId> {
        let mut rest = path.trim_start();
        while !rest.is_empty() {
            let (arrow, behind) = match rest.strip_prefix("->") {
                Some(behind) => (true, behind.trim_start()),
                None => (false, rest.strip_prefix('.')?.trim_start()),
            };
            if arrow {
                ty = match self.shape(ty) {
                    Shape::Pointer(p) | Shape::Array(p, _) => p,
                    _ => return None,
                };
            }
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
            ty = self.member(ty, |name| self.session.str(name) == &behind[..end])?;
            rest = behind[end..].trim_start();
        }
        Some(ty)
    }

    fn field(&self, record: TypeId, name: source::Symbol) -> Option<TypeId> {
        self.member(record, |own| own == name)
    }

    /// The type of the member of a structure or union whose name is the one that is meant.
    fn member(&self, record: TypeId, is_meant: impl Fn(source::Symbol) -> bool) -> Option<TypeId> {
        let members = self.ast[self.record(record)?.0].members;
        self.ast.list(members).iter().find_map(|&m| match self.ast[m].kind {
            DeclKind::Field { ty, .. } if self.ast.plain_name(self.ast[m].name).is_some_and(&is_meant) => Some(ty),
            _ => None,
        })
    }
}

fn words_of(q: Quals) -> String {
    let mut out = String::new();
    for (there, word) in [(q.is_const, "const "), (q.is_volatile, "volatile "), (q.is_restrict, "restrict ")] {
        if there {
            out.push_str(word);
        }
    }
    out
}

/// A type's name in C, where `bool` is a macro.
pub(crate) fn c_name(b: BuiltinType) -> &'static str {
    if b == BuiltinType::Bool { "_Bool" } else { b.as_str() }
}

/// Bytes of a number of this type on the host.
pub(crate) fn number_bytes(b: BuiltinType) -> Option<u32> {
    use BuiltinType as B;
    Some(match b {
        B::Bool | B::Char | B::SChar | B::UChar => 1,
        B::Short | B::UShort => 2,
        B::Int | B::UInt | B::Float => 4,
        B::Long | B::ULong | B::LongLong | B::ULongLong | B::Double => 8,
        _ => return None,
    })
}
