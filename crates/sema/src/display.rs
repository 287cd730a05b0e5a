//! Types and names as people read them.

use source::{Interner, Symbol};
use syntax::Dialect;

use crate::types::{
    AddrSpace, FloatKind, IntKind, NameId, NameKind, Opaque, OperatorName, Promise, Quals, TemplateArg, Ty, TyId,
    TypeTable,
};
use syntax::ast::RefQual;

/// A type's name in the words of the dialect.
pub fn type_name(types: &TypeTable, strings: &Interner, ty: TyId, dialect: Dialect) -> String {
    let p = Printer { types, strings, dialect, params: &[] };
    let mut s = String::new();
    p.ty(&mut s, ty, 0);
    s
}

/// A qualified type's name.
pub fn qualified_name(types: &TypeTable, strings: &Interner, ty: TyId, quals: Quals, dialect: Dialect) -> String {
    let p = Printer { types, strings, dialect, params: &[] };
    let mut s = String::new();
    p.qualified(&mut s, ty, quals, 0);
    s
}

/// A type's name where template parameters have names of their own.
pub(crate) fn type_with_params(
    (types, strings): (&TypeTable, &Interner),
    ty: TyId,
    quals: Quals,
    params: &[String],
    dialect: Dialect,
) -> String {
    let mut s = String::new();
    Printer { types, strings, dialect, params }.qualified(&mut s, ty, quals, 0);
    s
}

/// A name with everything around it; without its own template arguments, if they are not wanted.
pub(crate) fn path_name(
    (types, strings): (&TypeTable, &Interner),
    name: NameId,
    args: bool,
    dialect: Dialect,
) -> String {
    let p = Printer { types, strings, dialect, params: &[] };
    let mut s = String::new();
    p.name(&mut s, name, 0);
    if let (false, Some(own)) = (args, &types.name(name).args) {
        let mut written = String::new();
        p.args(&mut written, own, 1);
        s.truncate(s.len() - written.len());
    }
    s
}

/// A function's name with its parameter types; in C only the name.
pub fn function_name(
    types: &TypeTable,
    strings: &Interner,
    name: NameId,
    params: &[TyId],
    variadic: bool,
    dialect: Dialect,
) -> String {
    let p = Printer { types, strings, dialect, params: &[] };
    let mut s = String::new();
    p.name(&mut s, name, 0);
    if !dialect.is_cxx() {
        return s;
    }
    s.push('(');
    for (i, &t) in params.iter().enumerate() {
        if i > 0 {
            s.push_str(", ");
        }
        p.ty(&mut s, t, 0);
    }
    if variadic {
        s.push_str(if params.is_empty() { "..." } else { ", ..." });
    }
    s.push(')');
    s
}

/// How an operator is written.
pub fn operator_spelling(op: OperatorName) -> &'static str {
    use OperatorName as O;
    match op {
        O::Add | O::Plus => "+",
        O::Sub | O::Neg => "-",
        O::Mul | O::Deref => "*",
        O::Div => "/",
        O::Rem => "%",
        O::Xor => "^",
        O::And | O::AddrOf => "&",
        O::Or => "|",
        O::Shl => "<<",
        O::Shr => ">>",
        O::Not => "~",
        O::LogNot => "!",
        O::Assign => "=",
        O::AddAssign => "+=",
        O::SubAssign => "-=",
        O::MulAssign => "*=",
        O::DivAssign => "/=",
        O::RemAssign => "%=",
        O::XorAssign => "^=",
        O::AndAssign => "&=",
        O::OrAssign => "|=",
        O::ShlAssign => "<<=",
        O::ShrAssign => ">>=",
        O::Eq => "==",
        O::Ne => "!=",
        O::Lt => "<",
        O::Gt => ">",
        O::Le => "<=",
        O::ThreeWay => "<=>",
        O::Ge => ">=",
        O::LogAnd => "&&",
        O::LogOr => "||",
        O::Inc => "++",
        O::Dec => "--",
        O::Comma => ",",
        O::Arrow => "->",
        O::ArrowStar => "->*",
        O::Call => "()",
        O::Subscript => "[]",
        O::Other => " new",
    }
}

/// How deep a printed type may nest.
const MAX_DEPTH: u32 = 24;

struct Printer<'a> {
    types: &'a TypeTable,
    strings: &'a Interner,
    dialect: Dialect,
    /// The names of template parameters; those beyond are numbered.
    params: &'a [String],
}

impl Printer<'_> {
    fn param(&self, out: &mut String, kind: char, i: u32) {
        match self.params.get(i as usize) {
            Some(name) => out.push_str(name),
            None => out.push_str(&format!("{kind}{i}")),
        }
    }

    fn sym(&self, s: Symbol) -> &str {
        self.strings.str(s)
    }

    fn qualified(&self, out: &mut String, ty: TyId, quals: Quals, depth: u32) {
        let pointer = self.types.is_pointer(ty);
        if !pointer {
            push_quals(out, quals, false);
        }
        self.ty(out, ty, depth);
        if pointer && quals != Quals::NONE {
            push_quals(out, quals, true);
        }
    }

    fn ty(&self, out: &mut String, ty: TyId, depth: u32) {
        self.declarator(out, ty, String::new(), depth);
    }

    /// Prints `ty` around the declarator `inner`.
    fn declarator(&self, out: &mut String, ty: TyId, inner: String, depth: u32) {
        if depth > MAX_DEPTH {
            out.push('…');
            return;
        }
        match self.types.get(ty) {
            Ty::Pointer { pointee, quals, space } => {
                self.indirect(out, *pointee, *quals, *space, format!("*{inner}"), depth);
            }
            Ty::Reference { pointee, quals, space, rvalue } => {
                let sigil = if *rvalue { "&&" } else { "&" };
                self.indirect(out, *pointee, *quals, *space, format!("{sigil}{inner}"), depth);
            }
            Ty::MemberPointer { class, pointee, quals, .. } => {
                let mut sigil = String::new();
                self.ty(&mut sigil, *class, depth + 1);
                self.indirect(out, *pointee, *quals, AddrSpace::Generic, format!("{sigil}::*{inner}"), depth);
            }
            Ty::Array { elem, len } => {
                let len = len.map_or_else(String::new, |n| n.to_string());
                self.declarator(out, *elem, format!("{inner}[{len}]"), depth + 1);
            }
            Ty::DependentArray { elem, .. } => self.declarator(out, *elem, format!("{inner}[N]"), depth + 1),
            Ty::Function(f) => {
                let mut s = format!("{inner}(");
                for (i, &p) in f.params.iter().enumerate() {
                    if i > 0 {
                        s.push_str(", ");
                    }
                    self.ty(&mut s, p, depth + 1);
                }
                if f.variadic {
                    s.push_str(if f.params.is_empty() { "..." } else { ", ..." });
                }
                s.push(')');
                push_quals(&mut s, f.quals, true);
                s.push_str(match f.ref_qual {
                    RefQual::None => "",
                    RefQual::Lvalue => " &",
                    RefQual::Rvalue => " &&",
                });
                if f.promise != Promise::None {
                    s.push_str(" noexcept");
                }
                self.declarator(out, f.ret, s, depth + 1);
            }
            _ => {
                self.base(out, ty, depth);
                if !inner.is_empty() {
                    if inner.starts_with(|c: char| matches!(c, '*' | '&' | '(') || c.is_alphabetic()) {
                        out.push(' ');
                    }
                    out.push_str(&inner);
                }
            }
        }
    }

    fn indirect(&self, out: &mut String, pointee: TyId, quals: Quals, space: AddrSpace, inner: String, depth: u32) {
        if self.dialect.is_opencl() {
            out.push_str(match space {
                AddrSpace::Generic => "",
                AddrSpace::Global => "__global ",
                AddrSpace::Shared => "__local ",
                AddrSpace::Constant => "__constant ",
                AddrSpace::Private => "__private ",
            });
        }
        let nested = matches!(self.types.get(pointee), Ty::Array { .. } | Ty::Function(_) | Ty::DependentArray { .. });
        let inner = if nested { format!("({inner})") } else { inner };
        if self.types.is_pointer(pointee) {
            let mut q = String::new();
            push_quals(&mut q, quals, true);
            self.declarator(out, pointee, format!("{q}{inner}"), depth + 1);
        } else {
            push_quals(out, quals, false);
            self.declarator(out, pointee, inner, depth + 1);
        }
    }

    fn base(&self, out: &mut String, ty: TyId, depth: u32) {
        match self.types.get(ty) {
            Ty::Error => out.push_str("<error>"),
            Ty::Void => out.push_str("void"),
            Ty::Bool => out.push_str(if self.dialect.is_c11() { "_Bool" } else { "bool" }),
            Ty::Int(k) => out.push_str(self.int(*k)),
            Ty::Float(k) => out.push_str(match k {
                FloatKind::Half => {
                    if self.dialect.is_cuda() {
                        "__half"
                    } else {
                        "half"
                    }
                }
                FloatKind::BFloat16 => "__nv_bfloat16",
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
            }),
            Ty::Vector { elem, n } => {
                match self.types.get(*elem) {
                    Ty::Int(k) => out.push_str(short_int(*k)),
                    _ => self.base(out, *elem, depth + 1),
                }
                out.push_str(&n.to_string());
            }
            Ty::Record(r) => self.name(out, self.types.record(*r).name, depth + 1),
            Ty::Enum(e) => self.name(out, self.types.enumeration(*e).name, depth + 1),
            Ty::Opaque(o) => out.push_str(match o {
                Opaque::Event => "event_t",
                Opaque::Sampler => "sampler_t",
                Opaque::Image(dims, _) => dims.type_name(),
                Opaque::Other => "<opaque>",
            }),
            Ty::NullPtr => out.push_str("std::nullptr_t"),
            Ty::TemplateParam(i) => self.param(out, 'T', *i),
            Ty::Expansion { pattern, .. } => {
                self.ty(out, *pattern, depth + 1);
                out.push_str("...");
            }
            Ty::TemplateParamSpec { param, args } => {
                self.param(out, 'T', *param);
                self.args(out, args, depth + 1);
            }
            Ty::TemplateSpec { name, args } => {
                self.name(out, *name, depth + 1);
                self.args(out, args, depth + 1);
            }
            Ty::DependentMember { base, name } => {
                self.ty(out, *base, depth + 1);
                out.push_str("::");
                out.push_str(self.sym(*name));
            }
            _ => out.push_str("<dependent>"),
        }
    }

    fn int(&self, k: IntKind) -> &'static str {
        if self.dialect.is_opencl() {
            return short_int(k);
        }
        match k {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::WChar => "wchar_t",
            IntKind::Char8 => "char8_t",
            IntKind::Char16 => "char16_t",
            IntKind::Char32 => "char32_t",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::LaneMask32 | IntKind::LaneMask64 => "cudaLaneMask_t",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }

    fn name(&self, out: &mut String, id: NameId, depth: u32) {
        if depth > MAX_DEPTH {
            out.push('…');
            return;
        }
        let n = self.types.name(id);
        if let NameKind::Body(_) = n.kind {
            return self.name(out, n.parent, depth + 1);
        }
        if n.parent != NameId::ROOT && !matches!(n.kind, NameKind::Root) {
            self.name(out, n.parent, depth + 1);
            out.push_str("::");
        }
        match n.kind {
            NameKind::Root | NameKind::Body(_) => {}
            NameKind::Namespace(s) | NameKind::Type(s) | NameKind::Local(s, _) | NameKind::Entity(s) => {
                out.push_str(self.sym(s));
            }
            NameKind::AnonNamespace => out.push_str("(anonymous namespace)"),
            NameKind::Unnamed(_) => out.push_str("(unnamed)"),
            NameKind::Lambda(_) => out.push_str("(lambda)"),
            NameKind::Constructor => self.simple(out, n.parent),
            NameKind::Destructor => {
                out.push('~');
                self.simple(out, n.parent);
            }
            NameKind::Operator(op) => {
                out.push_str("operator");
                out.push_str(operator_spelling(op));
            }
            NameKind::Literal(suffix) => {
                out.push_str("operator\"\"");
                out.push_str(self.sym(suffix));
            }
            NameKind::Conversion(t) => {
                out.push_str("operator ");
                self.ty(out, t, depth + 1);
            }
        }
        if let Some(args) = &n.args {
            self.args(out, args, depth + 1);
        }
    }

    /// The last component of a name without arguments.
    fn simple(&self, out: &mut String, id: NameId) {
        match self.types.name(id).kind {
            NameKind::Namespace(s) | NameKind::Type(s) | NameKind::Local(s, _) | NameKind::Entity(s) => {
                out.push_str(self.sym(s));
            }
            _ => out.push_str("(unnamed)"),
        }
    }

    fn args(&self, out: &mut String, args: &[TemplateArg], depth: u32) {
        out.push('<');
        self.arg_list(out, args, depth);
        out.push('>');
    }

    fn arg_list(&self, out: &mut String, args: &[TemplateArg], depth: u32) {
        let mut between = "";
        for a in args {
            if !matches!(a, TemplateArg::Pack(all) if all.is_empty()) {
                out.push_str(between);
                between = ", ";
            }
            match a {
                TemplateArg::Type(t) => self.qualified(out, t.ty, t.quals, depth + 1),
                TemplateArg::Int { value, ty } if *ty == TyId::BOOL => {
                    out.push_str(if *value == 0 { "false" } else { "true" });
                }
                TemplateArg::Int { value, ty: TyId::CHAR } if (32..127).contains(value) => {
                    out.push_str(&format!("'{}'", *value as u8 as char));
                }
                TemplateArg::Int { value, ty } if self.types.is_signed(*ty) => out.push_str(&value.to_string()),
                TemplateArg::Int { value, .. } => out.push_str(&(*value as u64).to_string()),
                TemplateArg::Object { bytes, ty } => {
                    self.qualified(out, *ty, Quals::NONE, depth + 1);
                    out.push_str("{0x");
                    bytes.iter().rev().for_each(|b| out.push_str(&format!("{b:02x}")));
                    out.push('}');
                }
                TemplateArg::Variable { name, address, .. } => {
                    out.push_str(if *address { "&" } else { "" });
                    out.push_str(self.sym(*name));
                }
                TemplateArg::Template(name) | TemplateArg::Function { path: name, .. } => {
                    self.name(out, *name, depth + 1)
                }
                TemplateArg::Param(i) => self.param(out, 'N', *i),
                TemplateArg::Pack(all) => self.arg_list(out, all, depth + 1),
                TemplateArg::Expansion { pattern, .. } => {
                    self.arg_list(out, std::slice::from_ref(&**pattern), depth + 1);
                    out.push_str("...");
                }
                TemplateArg::Dependent(_) => out.push_str("<dependent>"),
            }
        }
    }
}

fn push_quals(out: &mut String, quals: Quals, after: bool) {
    for (q, word) in [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "restrict")] {
        if quals.has(q) {
            if after {
                out.push(' ');
            }
            out.push_str(word);
            if !after {
                out.push(' ');
            }
        }
    }
}

/// The one-word name of an integer type.
pub(crate) fn short_int(k: IntKind) -> &'static str {
    match k {
        IntKind::Char | IntKind::SChar => "char",
        IntKind::UChar | IntKind::Char8 => "uchar",
        IntKind::Short => "short",
        IntKind::UShort | IntKind::Char16 => "ushort",
        IntKind::Int | IntKind::WChar => "int",
        IntKind::UInt | IntKind::Char32 => "uint",
        IntKind::Long | IntKind::LongLong => "long",
        IntKind::ULong | IntKind::ULongLong => "ulong",
        IntKind::LaneMask32 | IntKind::LaneMask64 => "cudaLaneMask_t",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}
