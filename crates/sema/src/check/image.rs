//! Images and samplers of OpenCL C: where they may stand, and calls of the functions that read and write them.
//!
//! A call becomes one of a function in `lib/image.c` ([`Meaning::Image`]), for the host only; for GPUs the builtin tables
//! refuse it. The functions take coordinates of four components and the image's shape, which the type says.

use source::{Diagnostic, Span};
use syntax::ast;

use super::Checker;
use super::convert::Why;
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{ImageAccess, ImageDims, Opaque, Ty, TyId};
use builtins::Meaning;
use builtins::library;

/// A function over images.
#[derive(Clone, Copy)]
enum Call {
    Read(TyId),
    Write(TyId),
    Query(Query),
}

#[derive(Clone, Copy)]
enum Query {
    Width,
    Height,
    Depth,
    Layers,
    Order,
    Type,
    Dim,
}

/// What a call of this name does.
fn call_of(name: &str) -> Option<Call> {
    Some(match name {
        "read_imagef" => Call::Read(TyId::FLOAT),
        "read_imageh" => Call::Read(TyId::HALF),
        "read_imagei" => Call::Read(TyId::INT),
        "read_imageui" => Call::Read(TyId::UINT),
        "write_imagef" => Call::Write(TyId::FLOAT),
        "write_imageh" => Call::Write(TyId::HALF),
        "write_imagei" => Call::Write(TyId::INT),
        "write_imageui" => Call::Write(TyId::UINT),
        "get_image_width" => Call::Query(Query::Width),
        "get_image_height" => Call::Query(Query::Height),
        "get_image_depth" => Call::Query(Query::Depth),
        "get_image_array_size" => Call::Query(Query::Layers),
        "get_image_channel_order" => Call::Query(Query::Order),
        "get_image_channel_data_type" => Call::Query(Query::Type),
        "get_image_dim" => Call::Query(Query::Dim),
        _ => return None,
    })
}

/// Components of a coordinate.
const fn lanes(dims: ImageDims) -> u8 {
    match dims {
        ImageDims::D1 | ImageDims::D1Buffer => 1,
        ImageDims::D1Array | ImageDims::D2 => 2,
        ImageDims::D2Array | ImageDims::D3 => 4,
    }
}

/// A call's parts.
struct Site<'a> {
    name: &'a str,
    dims: ImageDims,
    values: &'a [ExprId],
    span: Span,
}

impl Checker<'_> {
    // ---- where they may stand --------------------------------------------------------------------------------------

    /// A type under an access qualifier.
    pub(super) fn with_access(&mut self, ty: TyId, access: ast::Access, span: Span) -> TyId {
        let Ty::Opaque(Opaque::Image(dims, _)) = *self.p.types.get(ty) else {
            if !matches!(self.p.types.get(ty), Ty::Error | Ty::Opaque(Opaque::Other)) {
                let name = self.show(ty);
                let word = access.as_str();
                self.error("E0497", span, format!("`{word}` qualifies images only, not `{name}`"));
            }
            return ty;
        };
        let access = match access {
            ast::Access::ReadOnly => ImageAccess::ReadOnly,
            ast::Access::WriteOnly => ImageAccess::WriteOnly,
            ast::Access::ReadWrite => ImageAccess::ReadWrite,
        };
        if access == ImageAccess::ReadWrite && self.opencl_version() < 200 {
            let d = Diagnostic::error("E0497", span, "`read_write` images are not there before OpenCL C 2.0");
            self.report(d.help("compile with `-cl-std=CL2.0` or later, or pass the image twice"));
        }
        self.p.types.intern(Ty::Opaque(Opaque::Image(dims, access)))
    }

    /// Reports an image or sampler where there can be none; whether it is one. `what` comes before the type's name.
    pub(super) fn refuse_opaque(&mut self, ty: TyId, span: Span, what: &str) -> bool {
        let found = matches!(self.p.types.get(ty), Ty::Opaque(Opaque::Image(..) | Opaque::Sampler));
        if found {
            let name = self.show(ty);
            let d = Diagnostic::error("E0496", span, format!("{what} `{name}`"));
            self.report(d.note("OpenCL C passes images and samplers to functions and does nothing else with them"));
        }
        found
    }

    /// Reports a variable that is an image; whether it is one.
    pub(super) fn refuse_variable(&mut self, ty: TyId, span: Span) -> bool {
        let found = matches!(self.p.types.get(ty), Ty::Opaque(Opaque::Image(..)));
        if found {
            let name = self.show(ty);
            let d = Diagnostic::error("E0496", span, format!("variable of type `{name}`"));
            self.report(d.help("images are function arguments only; use the parameter itself"));
        }
        found
    }

    pub(super) fn is_sampler(&self, ty: TyId) -> bool {
        matches!(self.p.types.get(ty), Ty::Opaque(Opaque::Sampler))
    }

    /// An integer as a sampler: a constant.
    pub(super) fn sampler(&mut self, v: ExprId, to: TyId, span: Span) -> ExprId {
        let v = self.evaluate(v).unwrap_or(v);
        if self.constant(v).is_none() {
            let d = Diagnostic::error("E0351", span, "initialiser of a sampler is not constant");
            self.report(d.help("combine `CLK_NORMALIZED_COORDS_…`, `CLK_ADDRESS_…` and `CLK_FILTER_…`"));
            return self.err(span);
        }
        self.cast(CastKind::IntToInt, v, to, span)
    }

    // ---- calls -----------------------------------------------------------------------------------------------------

    /// A call of a function over images, where there are such; `None` if it is another function.
    pub(super) fn image_call(&mut self, name: &str, values: &[ExprId], at: Span, span: Span) -> Option<ExprId> {
        if !self.is_opencl() || !self.opts.target.has_images() {
            return None;
        }
        let call = call_of(name)?;
        let ty = values.first().map(|&v| self.value_ty(v));
        let Some(Ty::Opaque(Opaque::Image(dims, access))) = ty.map(|t| self.p.types.get(t).clone()) else {
            return Some(self.bad_image_call(name, values, at, span, "an image as the first argument"));
        };
        let site = Site { name, dims, values, span };
        Some(match call {
            Call::Read(elem) => self.read_image(&site, access, elem, at),
            Call::Write(elem) => self.write_image(&site, access, elem, at),
            Call::Query(q) => self.query_image(&site, q, at),
        })
    }

    fn bad_image_call(&mut self, name: &str, values: &[ExprId], at: Span, span: Span, wants: &str) -> ExprId {
        let mut d = Diagnostic::error("E0446", at, format!("no matching function for call to `{name}`"));
        for (n, &v) in values.iter().enumerate() {
            let ty = self.value_ty(v);
            let (s, t) = (self.span(v), self.show(ty));
            d = d.label(s, format!("argument {} has type `{t}`", n + 1));
        }
        self.report(d.note(format!("it takes {wants}")));
        self.err(span)
    }

    fn read_image(&mut self, site: &Site<'_>, access: ImageAccess, elem: TyId, at: Span) -> ExprId {
        let (image, sampler, coord) = match *site.values {
            [image, coord] => (image, None, coord),
            [image, sampler, coord] => (image, Some(sampler), coord),
            _ => {
                return self.bad_image_call(site.name, site.values, at, site.span, "an image, a sampler, a coordinate");
            }
        };
        if access == ImageAccess::WriteOnly {
            return self.bad_access(site, image, "`write_only` images cannot be read");
        }
        if access == ImageAccess::ReadWrite && sampler.is_some() {
            return self.bad_access(site, image, "`read_write` images are read without a sampler");
        }
        if site.dims == ImageDims::D1Buffer && sampler.is_some() {
            return self.bad_access(site, image, "images made of buffers are read without a sampler");
        }
        let sampler_ty = self.p.types.intern(Ty::Opaque(Opaque::Sampler));
        let sampler = match sampler {
            Some(s) => self.implicit(s, sampler_ty, Why::Arg),
            None => self.rv(ExprKind::Int(0), sampler_ty, site.span),
        };
        let Some((coord, float)) = self.coordinate(site, coord, site.values.len() == 3) else {
            let wants = coordinate_name(site.dims, site.values.len() == 3);
            return self.bad_image_call(site.name, site.values, at, site.span, &wants);
        };
        let floats = elem == TyId::FLOAT || elem == TyId::HALF;
        let name = match (floats, float) {
            (true, false) => "__unspool_read_imagef_i",
            (true, true) => "__unspool_read_imagef_f",
            (false, false) => "__unspool_read_imageui_i",
            (false, true) => "__unspool_read_imageui_f",
        };
        let image = self.rvalue(image);
        let shape = self.shape(site);
        let texel = if floats { TyId::FLOAT } else { TyId::UINT };
        let ret = self.p.types.vector(texel, 4);
        let v = self.library_image_call(name, &[image, sampler, coord, shape], ret, site.span);
        let ty = self.p.types.vector(elem, 4);
        match elem {
            TyId::INT => self.rv(ExprKind::BitCast(v), ty, site.span),
            // Halves are what `float`s are rounded to.
            TyId::HALF => self.cast(CastKind::FloatToFloat, v, ty, site.span),
            _ => v,
        }
    }

    fn write_image(&mut self, site: &Site<'_>, access: ImageAccess, elem: TyId, at: Span) -> ExprId {
        let [image, coord, color] = *site.values else {
            return self.bad_image_call(site.name, site.values, at, site.span, "an image, a coordinate, a colour");
        };
        if access == ImageAccess::ReadOnly {
            return self.bad_access(site, image, "`read_only` images cannot be written; it is the default");
        }
        let Some((coord, _)) = self.coordinate(site, coord, false) else {
            let wants = coordinate_name(site.dims, false);
            return self.bad_image_call(site.name, site.values, at, site.span, &wants);
        };
        let name = match elem {
            TyId::FLOAT | TyId::HALF => "__unspool_write_imagef",
            TyId::INT => "__unspool_write_imagei",
            _ => "__unspool_write_imageui",
        };
        let image = self.rvalue(image);
        let ty = self.p.types.vector(elem, 4);
        let mut color = self.implicit(color, ty, Why::Arg);
        if elem == TyId::HALF {
            let float = self.p.types.vector(TyId::FLOAT, 4);
            color = self.cast(CastKind::FloatToFloat, color, float, site.span);
        }
        let shape = self.shape(site);
        self.library_image_call(name, &[image, coord, color, shape], TyId::VOID, site.span)
    }

    fn query_image(&mut self, site: &Site<'_>, query: Query, at: Span) -> ExprId {
        let dims = site.dims.count();
        let found = match query {
            Query::Width => Some(("__unspool_image_width", TyId::INT)),
            Query::Height if dims > 1 => Some(("__unspool_image_height", TyId::INT)),
            Query::Depth if dims > 2 => Some(("__unspool_image_depth", TyId::INT)),
            Query::Layers if site.dims.is_array() => Some(("__unspool_image_layers", TyId::ULONG)),
            Query::Order => Some(("__unspool_image_order", TyId::INT)),
            Query::Type => Some(("__unspool_image_type", TyId::INT)),
            Query::Dim if dims == 2 => Some(("__unspool_image_dim2", self.p.types.vector(TyId::INT, 2))),
            Query::Dim if dims == 3 => Some(("__unspool_image_dim3", self.p.types.vector(TyId::INT, 4))),
            Query::Height | Query::Depth | Query::Layers | Query::Dim => None,
        };
        let (Some((name, ty)), [image]) = (found, site.values) else {
            return self.bad_image_call(site.name, site.values, at, site.span, "one image that has such a property");
        };
        let image = self.rvalue(*image);
        self.library_image_call(name, &[image], ty, site.span)
    }

    fn bad_access(&mut self, site: &Site<'_>, image: ExprId, why: &str) -> ExprId {
        let at = self.span(image);
        self.error("E0497", at, format!("`{}`: {why}", site.name));
        self.err(site.span)
    }

    fn shape(&mut self, site: &Site<'_>) -> ExprId {
        let shape = site.dims.count() + if site.dims.is_array() { 4 } else { 0 };
        self.int(i128::from(shape), TyId::INT, site.span)
    }

    /// A coordinate as a vector of four, and whether it is one of floats.
    fn coordinate(&mut self, site: &Site<'_>, v: ExprId, may_be_float: bool) -> Option<(ExprId, bool)> {
        let from = self.value_ty(v);
        let want = lanes(site.dims);
        let scalar = self.p.types.scalar_of(from);
        if self.p.types.lanes(from) != want || !self.p.types.is_arithmetic(scalar) {
            return None;
        }
        let float = self.p.types.float_kind(scalar).is_some();
        let elem = if float { TyId::FLOAT } else { TyId::INT };
        if float && !may_be_float || want > 1 && scalar != elem {
            return None;
        }
        let v = if want == 1 { self.implicit(v, elem, Why::Arg) } else { self.rvalue(v) };
        if want == 4 || self.is_err(v) {
            return Some((v, float));
        }
        let mut parts = vec![v];
        for _ in want..4 {
            parts.push(self.zero(elem, site.span));
        }
        let list = self.expr_list(&parts);
        let ty = self.p.types.vector(elem, 4);
        Some((self.rv(ExprKind::VectorBuild(list), ty, site.span), float))
    }

    fn library_image_call(&mut self, name: &str, args: &[ExprId], ret: TyId, span: Span) -> ExprId {
        let func = library::find(name);
        debug_assert!(func.is_some(), "{name} has no section");
        let Some(func) = func.filter(|_| !args.iter().any(|&a| self.is_err(a))) else {
            return self.err(span);
        };
        let args = self.expr_list(args);
        self.rv(ExprKind::Builtin { meaning: Meaning::Image(func), args }, ret, span)
    }
}

/// What a coordinate is, in words.
fn coordinate_name(dims: ImageDims, may_be_float: bool) -> String {
    let n = match lanes(dims) {
        1 => String::new(),
        n => n.to_string(),
    };
    let name = dims.type_name();
    if may_be_float {
        format!("an `int{n}` or `float{n}` as the coordinate of an `{name}`")
    } else {
        format!("an `int{n}` as the coordinate of an `{name}` without a sampler")
    }
}
