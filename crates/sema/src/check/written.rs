//! How a kernel was written, as the host API tells it: `clGetKernelArgInfo`'s type names and `CL_KERNEL_ATTRIBUTES`.

use syntax::ast::{self, DeclKind, TagKind, TypeKind};

use super::{Checker, FnDecl};
use crate::program::{KernelText, ParamText};
use crate::types::{Ty, TyId};

/// Nesting of a type's name; the parser bounds declarators far above it.
const MAX_DEPTH: u32 = 64;

impl Checker<'_> {
    /// The text of a kernel's signature.
    pub(in crate::check) fn kernel_text(&self, d: &FnDecl, mut attributes: Vec<String>) -> KernelText {
        let params = d.params.iter().map(|p| {
            let written = p.decl.and_then(|d| match self.ast[d].kind {
                DeclKind::Param { ty, .. } => Some(ty),
                _ => None,
            });
            match written {
                Some(ty) => ParamText { type_name: self.written_parameter(ty) },
                None => ParamText { type_name: self.api_name(p.ty) },
            }
        });
        // A declaration and the definition may both say it.
        let mut seen = rustc_hash::FxHashSet::default();
        attributes.retain(|a| seen.insert(a.clone()));
        KernelText { params: params.collect(), attributes }
    }

    /// "The type name returned will be the argument type name as it was declared with any whitespace removed. If
    /// argument type name is an unsigned scalar type (i.e. unsigned char, unsigned short, unsigned int, unsigned
    /// long), uchar, ushort, uint and ulong will be returned. The argument type name returned does not include any
    /// type qualifiers." (OpenCL 3.0 API, table of `clGetKernelArgInfo`)
    fn written_parameter(&self, id: ast::TypeId) -> String {
        match self.ast[id].kind {
            // A parameter that is written as an array is a pointer.
            TypeKind::Array { element, .. } => self.written_pointer(element, String::new(), 0),
            _ => self.written_name(id, String::new(), 0),
        }
    }

    /// The name of the type of a pointer to `pointee`, with what else its declarator says.
    fn written_pointer(&self, pointee: ast::TypeId, declarator: String, depth: u32) -> String {
        let pointer = format!("*{declarator}");
        match self.ast[pointee].kind {
            TypeKind::Array { .. } => self.written_name(pointee, format!("({pointer})"), depth + 1),
            _ => self.written_name(pointee, pointer, depth + 1),
        }
    }

    /// The name of a type as it is written around a declarator without a name: `uchar(*)[6]`.
    fn written_name(&self, id: ast::TypeId, declarator: String, depth: u32) -> String {
        match self.ast[id].kind {
            _ if depth > MAX_DEPTH => "…".to_owned(),
            TypeKind::Pointer(t) => self.written_pointer(t, declarator, depth),
            TypeKind::Array { element, size } => {
                let length = match size {
                    ast::ArraySize::Expr(e) | ast::ArraySize::Static(e) => {
                        self.sess.sources.snippet(self.ast[e].span).split_whitespace().collect()
                    }
                    ast::ArraySize::Unknown | ast::ArraySize::Star => String::new(),
                };
                self.written_name(element, format!("{declarator}[{length}]"), depth + 1)
            }
            TypeKind::Attributed { ty, .. } => self.written_name(ty, declarator, depth + 1),
            _ => self.written_base(id, depth) + &declarator,
        }
    }

    /// The name of a type that is neither a pointer nor an array.
    fn written_base(&self, id: ast::TypeId, depth: u32) -> String {
        let ast = self.ast;
        match ast[id].kind {
            TypeKind::Name(n) => match self.last_symbol(n) {
                Some(s) => self.text(s).to_owned(),
                None => String::new(),
            },
            TypeKind::Builtin(b) => builtin_name(b).to_owned(),
            TypeKind::Elaborated { tag, name } => {
                let name = self.last_symbol(name).map_or("", |s| self.text(s));
                format!("{}{name}", tag_words(tag))
            }
            TypeKind::Tag(decl) => {
                let tag = match ast[decl].kind {
                    DeclKind::Enum { .. } => TagKind::Enum,
                    DeclKind::Record(r) => ast[r].tag,
                    _ => TagKind::Struct,
                };
                let name = self.last_symbol(ast[decl].name).map_or("", |s| self.text(s));
                format!("{}{name}", tag_words(tag)).trim_end().to_owned()
            }
            TypeKind::Atomic(t) => format!("_Atomic({})", self.written_name(t, String::new(), depth + 1)),
            _ => self.sess.sources.snippet(ast[id].span).split_whitespace().collect(),
        }
    }

    /// A resolved type's name without the words `unsigned` and `struct`.
    pub(in crate::check) fn api_name(&self, ty: TyId) -> String {
        match *self.p.types.get(ty) {
            Ty::Pointer { pointee, .. } => self.api_name(pointee) + "*",
            Ty::Vector { elem, n } => format!("{}{n}", self.api_name(elem)),
            _ => match self.p.types.int_kind(ty) {
                Some(kind) if ty != TyId::BOOL => crate::display::short_int(kind).to_owned(),
                _ => self.show(ty),
            },
        }
    }
}

const fn tag_words(tag: TagKind) -> &'static str {
    match tag {
        TagKind::Struct => "struct ",
        TagKind::Class => "class ",
        TagKind::Union => "union ",
        TagKind::Enum => "enum ",
    }
}

/// OpenCL's one-word names of types that several keywords may spell.
const fn builtin_name(b: ast::BuiltinType) -> &'static str {
    use ast::BuiltinType as B;
    match b {
        B::SChar => "char",
        B::UChar => "uchar",
        B::UShort => "ushort",
        B::UInt => "uint",
        B::ULong | B::ULongLong => "ulong",
        B::LongLong => "long",
        other => other.as_str(),
    }
}
