//! Types that attributes make: `ext_vector_type(n)`, `vector_size(bytes)`, `mode(…)`.
//!
//! The vectors are OpenCL's own, in every dialect: clang defines `ext_vector_type` as "OpenCL vectors" and GCC's
//! `vector_size` in bytes, which differs in what casts mean and not in operators (clang's language extensions, "Vectors and
//! Extended Vectors"). A vector of one element is the element.

use source::Diagnostic;
use syntax::ast::{self, AttrArg};

use super::{Checker, RTy};
use crate::types::{Ty, TyId};

/// Elements that vectors may have.
const LENGTHS: [u8; 5] = [2, 3, 4, 8, 16];
/// Elements of vectors in the headers of hosts' instructions (`__m512i` as bytes), which devices only have to lay out: they are
/// arrays here.
const HOST_LENGTHS: [u8; 2] = [32, 64];

impl Checker<'_> {
    /// What attributes make of a type.
    pub(super) fn attributed_type(&mut self, ty: ast::TypeId, attrs: ast::List<ast::Attr>) -> RTy {
        let mut r = self.resolve(ty);
        let ast = self.ast;
        for a in ast.list(attrs) {
            if r.ty == TyId::ERROR {
                return r;
            }
            r.ty = match self.attr_name(a).as_str() {
                "mode" => self.of_mode(r.ty, a),
                name => {
                    r.keeps_bits = name == "vector_size";
                    self.sized_vector(r.ty, a, name == "vector_size")
                }
            };
        }
        r
    }

    /// A vector of `elem`, of as many elements as the attribute says, or as fit into so many bytes.
    fn sized_vector(&mut self, elem: TyId, a: &ast::Attr, in_bytes: bool) -> TyId {
        let name = self.attr_name(a);
        let dependent = self.p.types.is_dependent(elem);
        if !dependent && (!self.p.types.is_arithmetic(elem) || matches!(self.p.types.get(elem), Ty::Bool | Ty::Enum(_)))
        {
            let shown = self.show(elem);
            let d = Diagnostic::error("E0329", a.span, format!("`{name}` on `{shown}`, which is no arithmetic type"))
                .help("declare the vector first: `typedef float vec4 __attribute__((ext_vector_type(4)));`");
            self.report(d);
            return TyId::ERROR;
        }
        let args = self.ast.list(a.args);
        let [AttrArg::Expr(e)] = *args else {
            self.error("E0329", a.span, format!("`{name}` takes one number"));
            return TyId::ERROR;
        };
        if self.dependent_const(e).is_some() || in_bytes && dependent {
            return self.p.types.intern(Ty::Dependent);
        }
        let Some(v) = self.constant_expr(e) else { return TyId::ERROR };
        let each = if in_bytes { self.p.types.size_of(elem).unwrap_or(1) } else { 1 };
        let n = self.int_constant(v).filter(|n| n % i128::from(each) == 0).map(|n| n / i128::from(each));
        if n == Some(1) {
            return elem;
        }
        if let Some(n) = n
            && HOST_LENGTHS.iter().any(|&l| i128::from(l) == n)
        {
            return self.p.types.array(elem, Some(n as u64));
        }
        match n.and_then(|n| LENGTHS.into_iter().find(|&l| i128::from(l) == n)) {
            Some(n) => self.p.types.vector(elem, n),
            None => {
                let what = match n {
                    Some(n) => format!("a vector of {n} elements"),
                    None => format!("`{name}` with what is no multiple of an element's {each} bytes, or no constant"),
                };
                let d = Diagnostic::error("E0329", a.span, format!("{what} is not supported"))
                    .help("vectors have 2, 3, 4, 8 or 16 elements; put several of them into a structure or an array");
                self.report(d);
                TyId::ERROR
            }
        }
    }

    /// Pointers do not say that what they point to is less aligned than its type.
    pub(super) fn unaligned_pointee(&mut self, ty: TyId, span: source::Span) {
        let name = self.show(ty);
        let d = Diagnostic::warning(
            "W0337",
            span,
            format!("accesses through this pointer still need an aligned `{name}`"),
        )
        .group("unaligned-access")
        .note("a typedef with a smaller alignment makes members and variables less aligned, not what pointers point to")
        .help("put the value into a structure with `__attribute__((packed))`, or copy its bytes");
        self.report(d);
    }

    /// The number of a machine mode's width with the signedness of `ty` (GCC, "Common Variable Attributes", `mode`).
    fn of_mode(&mut self, ty: TyId, a: &ast::Attr) -> TyId {
        let word = self.ast.list(a.args).first().and_then(|arg| match *arg {
            AttrArg::Expr(e) => Some(self.sess.sources.snippet(self.ast[e].span).trim_matches('_').to_owned()),
            _ => None,
        });
        let float = self.p.types.is_float(ty);
        let signed = self.p.types.is_signed(ty);
        let pick = |s: TyId, u: TyId| if signed { s } else { u };
        let made = match word.as_deref().unwrap_or("") {
            "QI" | "byte" if !float => pick(TyId::SCHAR, TyId::UCHAR),
            "HI" if !float => pick(TyId::SHORT, TyId::USHORT),
            "SI" if !float => pick(TyId::INT, TyId::UINT),
            "DI" | "word" | "pointer" if !float => pick(TyId::LONG, TyId::ULONG),
            "HF" if float => TyId::HALF,
            "SF" if float => TyId::FLOAT,
            "DF" if float => TyId::DOUBLE,
            // Wider than what devices have: as written, which is what declarations of host headers need.
            "TI" | "TF" | "XF" | "TC" | "XC" | "SC" | "DC" => return ty,
            other => {
                let shown = self.show(ty);
                let d = Diagnostic::error("E0329", a.span, format!("mode `{other}` for `{shown}`"))
                    .help("`QI`, `HI`, `SI` and `DI` are for integers, `HF`, `SF` and `DF` for floating-point numbers");
                self.report(d);
                return TyId::ERROR;
            }
        };
        if self.p.types.is_arithmetic(ty) { made } else { ty }
    }
}
