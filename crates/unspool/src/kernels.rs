//! What a host must know of a kernel to call it, gathered from a checked program.

use launch::kernels::{
    Access, Address, Element, ImageDims, KernelInfo, ParamInfo, ParamKind, Scalar, Space, TypeQualifiers, VariableInfo,
    VecTypeHint,
};
use sema::program::{Function, Global, Local, ParamText, Program};
use sema::types::{AddrSpace, FloatKind, ImageAccess, IntKind, Opaque, Quals, Ty, TyId, TypeTable};
use source::Session;
use syntax::Dialect;

/// The kernels of a checked program, in source order.
pub(crate) fn gather(program: &Program, session: &Session, dialect: Dialect) -> Vec<KernelInfo> {
    let kernels = program.functions.iter().filter(|f| f.is_kernel && f.body.is_some());
    kernels.map(|f| kernel(f, &program.types, session, dialect)).collect()
}

/// The variables of a checked program that kernels share, in source order.
pub(crate) fn variables(program: &Program, session: &Session, dialect: Dialect) -> Vec<VariableInfo> {
    let is_shared = |g: &&Global| matches!(g.space, AddrSpace::Global | AddrSpace::Constant) && g.name.is_some();
    let variable = |g: &Global| {
        let name = g.name.map_or("", |s| session.str(s)).to_owned();
        let owner = g.owner.map(|f| session.str(program.function(f).name));
        VariableInfo {
            symbol: g.symbol.clone(),
            path: match owner {
                Some(f) => format!("{f}::{name}"),
                None => namespaces(&g.symbol).unwrap_or_else(|| name.clone()),
            },
            name,
            ty: sema::display::type_name(&program.types, &session.strings, g.ty, dialect),
            element: element(&program.types, g.ty),
            bytes: program.types.size_of(g.ty).unwrap_or(0),
            span: g.span,
        }
    };
    program.globals.iter().filter(is_shared).map(variable).collect()
}

/// The path that a mangled name of a variable in namespaces spells: `_ZN1a2bcE` is `a::bc`.
fn namespaces(symbol: &str) -> Option<String> {
    let mut rest = symbol.strip_prefix("_ZN")?.strip_suffix('E')?;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (length, after) = rest.split_at(digits);
        let (part, after) = after.split_at_checked(length.parse().ok()?)?;
        // The namespace without a name, and the scope of the file.
        let nameless = part.starts_with("_GLOBAL__N_") || parts.is_empty() && part.starts_with("_INTERNAL_");
        if !nameless {
            parts.push(part);
        }
        rest = after;
    }
    Some(parts.join("::"))
}

fn kernel(f: &Function, types: &TypeTable, session: &Session, dialect: Dialect) -> KernelInfo {
    let params = f.locals[..f.param_count as usize].iter().enumerate();
    let param = |(i, p)| param(p, f.text.params.get(i), types, session, dialect);
    KernelInfo {
        symbol: f.symbol.clone(),
        display: f.display.clone(),
        name: session.str(f.name).to_owned(),
        params: params.map(param).collect(),
        attributes: f.text.attributes.join(" "),
        reqd_work_group_size: f.attrs.reqd_work_group_size.map(|a| a.value),
        work_group_size_hint: f.attrs.work_group_size_hint.map(|a| a.value),
        vec_type_hint: f.attrs.vec_type_hint.map(|a| vec_type_hint(f, types, a.value)),
        rows_in_y: false,
        streams: false,
        dimensions: 1,
        element_bits: 32,
        span: f.span,
    }
}

fn vec_type_hint(f: &Function, types: &TypeTable, ty: TyId) -> VecTypeHint {
    let width = match types.get(ty) {
        Ty::Vector { n, .. } => u32::from(*n),
        _ => 1,
    };
    let bytes = types.size_of(types.scalar_of(ty)).unwrap_or(1);
    let mut texts = f.text.attributes.iter();
    let text = texts.find_map(|t| t.strip_prefix("vec_type_hint(")?.strip_suffix(')')).unwrap_or("");
    VecTypeHint { type_name: text.to_owned(), width, scalar_bytes: u32::try_from(bytes).unwrap_or(1) }
}

fn param(p: &Local, text: Option<&ParamText>, types: &TypeTable, session: &Session, dialect: Dialect) -> ParamInfo {
    let ty = sema::display::type_name(types, &session.strings, p.ty, dialect);
    ParamInfo {
        name: p.name.map_or("", |s| session.str(s)).to_owned(),
        type_name: text.map_or_else(|| ty.clone(), |t| t.type_name.clone()),
        ty,
        address: address(types, p.ty),
        access: access(types, p.ty),
        qualifiers: qualifiers(types, p),
        kind: param_kind(types, p.ty),
        span: p.span,
    }
}

fn address(types: &TypeTable, ty: TyId) -> Address {
    match types.get(ty) {
        Ty::Pointer { space, .. } | Ty::Reference { space, .. } => match space {
            AddrSpace::Shared => Address::Local,
            AddrSpace::Constant => Address::Constant,
            AddrSpace::Generic | AddrSpace::Global | AddrSpace::Private => Address::Global,
        },
        Ty::Opaque(Opaque::Image(..)) => Address::Global,
        _ => Address::Private,
    }
}

fn access(types: &TypeTable, ty: TyId) -> Access {
    match types.get(ty) {
        Ty::Opaque(Opaque::Image(_, ImageAccess::ReadOnly)) => Access::ReadOnly,
        Ty::Opaque(Opaque::Image(_, ImageAccess::WriteOnly)) => Access::WriteOnly,
        Ty::Opaque(Opaque::Image(_, ImageAccess::ReadWrite)) => Access::ReadWrite,
        _ => Access::None,
    }
}

fn image_dims(dims: sema::types::ImageDims) -> ImageDims {
    use sema::types::ImageDims as D;
    match dims {
        D::D1 => ImageDims::D1,
        D::D1Array => ImageDims::D1Array,
        D::D1Buffer => ImageDims::D1Buffer,
        D::D2 => ImageDims::D2,
        D::D2Array => ImageDims::D2Array,
        D::D3 => ImageDims::D3,
    }
}

/// "`CL_KERNEL_ARG_TYPE_CONST` is returned if the argument is a pointer and the referenced type is declared with the
/// `const` qualifier […] or if the argument is a pointer with the `constant` address space qualifier."
fn qualifiers(types: &TypeTable, p: &Local) -> TypeQualifiers {
    match types.get(p.ty) {
        Ty::Pointer { quals, space, .. } => TypeQualifiers {
            is_const: quals.is_const() || *space == AddrSpace::Constant,
            is_restrict: p.quals.has(Quals::RESTRICT),
            is_volatile: quals.is_volatile(),
            is_pipe: false,
        },
        _ => TypeQualifiers::default(),
    }
}

fn param_kind(types: &TypeTable, ty: TyId) -> ParamKind {
    match types.get(ty) {
        Ty::Pointer { pointee, quals, space } | Ty::Reference { pointee, quals, space, .. } => {
            let space = match space {
                AddrSpace::Shared => Space::Local,
                AddrSpace::Constant => Space::Constant,
                AddrSpace::Generic | AddrSpace::Global | AddrSpace::Private => Space::Global,
            };
            ParamKind::Pointer {
                space,
                element: element(types, *pointee),
                element_bytes: types.size_of(*pointee).unwrap_or(1).max(1),
                read_only: quals.is_const() || space == Space::Constant,
            }
        }
        Ty::Opaque(Opaque::Image(dims, _)) => ParamKind::Image { access: access(types, ty), dims: image_dims(*dims) },
        Ty::Opaque(Opaque::Sampler) => ParamKind::Sampler,
        Ty::Opaque(_) => ParamKind::Opaque,
        _ => match (element(types, ty), types.size_of(ty)) {
            (Some(e), _) => ParamKind::Value(e),
            (None, Some(bytes)) => ParamKind::Bytes { bytes },
            (None, None) => ParamKind::Opaque,
        },
    }
}

/// A type as so many of one scalar, if it is that without holes between them.
fn element(types: &TypeTable, ty: TyId) -> Option<Element> {
    let bytes = types.size_of(ty)?;
    let (scalar, count) = match types.get(ty) {
        Ty::Vector { elem, n } => (scalar(types, *elem)?, u32::from(*n)),
        Ty::Array { elem, len: Some(len) } => {
            let e = element(types, *elem)?;
            (e.scalar, dense(e)?.checked_mul(u32::try_from(*len).ok()?)?)
        }
        Ty::Record(id) => {
            let record = types.record(*id);
            let bits = record.fields.iter().any(|f| f.bits.is_some());
            if record.is_union || !record.complete || !record.bases.is_empty() || bits {
                return None;
            }
            let mut parts = record.fields.iter().map(|f| element(types, f.ty));
            let first = parts.next()??;
            let count = parts.try_fold(dense(first)?, |n, part| {
                let part = part?;
                if part.scalar == first.scalar { n.checked_add(dense(part)?) } else { None }
            })?;
            (first.scalar, count)
        }
        _ => (scalar(types, ty)?, 1),
    };
    let full = scalar.bytes() * u64::from(count) == bytes;
    (full || types.is_vector(ty)).then_some(Element { scalar, count, bytes })
}

/// How many scalars an element has, unless there are holes in it.
fn dense(e: Element) -> Option<u32> {
    (e.scalar.bytes() * u64::from(e.count) == e.bytes).then_some(e.count)
}

fn scalar(types: &TypeTable, ty: TyId) -> Option<Scalar> {
    if *types.get(ty) == Ty::Bool {
        return Some(Scalar::Bool);
    }
    if let Some(f) = types.float_kind(ty) {
        return Some(match f {
            FloatKind::Half => Scalar::F16,
            FloatKind::BFloat16 => Scalar::BF16,
            FloatKind::Float => Scalar::F32,
            FloatKind::Double | FloatKind::LongDouble => Scalar::F64,
        });
    }
    let kind: IntKind = types.int_kind(ty)?;
    Some(match (kind.bits(), kind.signed()) {
        (8, true) => Scalar::I8,
        (8, false) => Scalar::U8,
        (16, true) => Scalar::I16,
        (16, false) => Scalar::U16,
        (32, true) => Scalar::I32,
        (32, false) => Scalar::U32,
        (_, true) => Scalar::I64,
        (_, false) => Scalar::U64,
    })
}

#[cfg(test)]
mod tests {
    use super::namespaces;

    #[test]
    fn mangled_names_of_variables_are_spelt_out() {
        assert_eq!(namespaces("_ZN1a2bcE").as_deref(), Some("a::bc"));
        assert_eq!(namespaces("_ZN12_GLOBAL__N_15countE").as_deref(), Some("count"));
        assert_eq!(namespaces("_ZN12_INTERNAL_d91N14_GLOBAL__N__d95countE").as_deref(), Some("N::count"));
        for other in ["count", "_ZN1a", "_ZN9abE", "_ZN1aIiE1bE", "_ZZ3incE5calls"] {
            assert_eq!(namespaces(other), None, "{other}");
        }
    }
}
