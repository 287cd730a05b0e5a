//! Attributes.

use source::{Diagnostic, Fate, HintKind};
use syntax::ast::{self, AttrArg, DeclKind};

use super::{Checker, FnId};
use crate::program::{Asked, FnAttrs, Inlining, LaunchBounds};

/// Most registers that `__maxnreg__` can ask for; the target cuts it to its own limit.
const MAX_MAXNREG: i128 = 1 << 16;

/// Most blocks of a cluster on any GPU, if the program asks for more than what every one of them can do (8).
const MAX_CLUSTER: u32 = 16;

/// Names that are known; others get a warning.
const KNOWN: &[&str] = &[
    "alias",
    "align",
    "aligned",
    "alignas",
    "always_inline",
    "amdgpu_flat_work_group_size",
    "amdgpu_waves_per_eu",
    "annotate",
    "artificial",
    "assume",
    "carries_dependency",
    "cold",
    "const",
    "constant",
    "constructor",
    "convergent",
    "deprecated",
    "device",
    "device_builtin",
    "diagnose_if",
    "enable_if",
    "endian",
    "error",
    "ext_vector_type",
    "fallthrough",
    "flatten",
    "format",
    "gcc_struct",
    "getter",
    "global",
    "gnu_inline",
    "host",
    "hot",
    "intel_reqd_sub_group_size",
    "launch_bounds",
    "leaf",
    "likely",
    "loop_unroll",
    "malloc",
    "managed",
    "may_alias",
    "maxnreg",
    "maybe_unused",
    "minsize",
    "mode",
    "no_instrument_function",
    "no_sanitize",
    "no_unique_address",
    "nodebug",
    "nodiscard",
    "noduplicate",
    "noinline",
    "nonnull",
    "noreturn",
    "nosvm",
    "nothrow",
    "nv_pure",
    "nvvm",
    "opencl_unroll_hint",
    "optnone",
    "optsize",
    "overloadable",
    "packed",
    "pure",
    "reqd_work_group_size",
    "returns_nonnull",
    "section",
    "shared",
    "transparent_union",
    "unlikely",
    "unspool_unroll",
    "unused",
    "used",
    "vec_type_hint",
    "vector_size",
    "visibility",
    "warn_unused_result",
    "warning",
    "weak",
    "work_group_size_hint",
    "grid_constant",
    "block_size",
    "cluster_dims",
    "sentinel",
];

impl Checker<'_> {
    /// An attribute's name without `__` around it.
    pub(super) fn attr_name(&self, a: &ast::Attr) -> String {
        let n = self.text(a.name);
        let inner = n.strip_prefix("__").and_then(|s| s.strip_suffix("__")).unwrap_or(n);
        inner.trim_start_matches("__").to_owned()
    }

    fn attr_text(&self, a: &ast::Attr) -> String {
        let s = self.sess.sources.snippet(a.span);
        if s.is_empty() { self.text(a.name).to_owned() } else { s.to_owned() }
    }

    fn unknown_attr(&mut self, a: &ast::Attr, name: &str) {
        let key_known = self.decls.entered.len();
        let asked = self.attr_text(a);
        let h = self.enter_hint(HintKind::Unknown, a.span, asked);
        if self.decls.entered.len() == key_known {
            return;
        }
        self.sess.ledger.settle(h, Fate::Refused, "attribute ignored", "this compiler does not know the attribute");
        let mut d = Diagnostic::warning("W0330", a.span, format!("unknown attribute `{name}` ignored"))
            .group("unknown-attributes");
        if let Some(k) = source::words::nearest(name, KNOWN.iter().copied()) {
            d = d.help(format!("did you mean `{k}`?"));
        }
        self.report(d);
    }

    pub(super) fn int_arg(&mut self, arg: &AttrArg) -> Option<i128> {
        let e = match *arg {
            AttrArg::Expr(e) | AttrArg::Named(_, e) => e,
            AttrArg::Type(_) => return None,
        };
        let v = self.constant_expr(e)?;
        self.int_constant(v)
    }

    /// The alignment that attributes ask for.
    pub(crate) fn decl_align(&mut self, attrs: ast::List<ast::Attr>) -> Option<u32> {
        let ast = self.ast;
        let mut align = None;
        for a in ast.list(attrs) {
            let name = self.attr_name(a);
            if !matches!(name.as_str(), "aligned" | "alignas" | "align" | "_Alignas") {
                continue;
            }
            let n = match ast.list(a.args).first() {
                None => Some(16),
                Some(AttrArg::Type(t)) => {
                    let t = self.resolve_ty(*t);
                    Some(i128::from(self.p.types.align_of(t)))
                }
                Some(arg) => self.int_arg(arg),
            };
            match n {
                Some(0) => {}
                Some(n) if n > 0 && n & (n - 1) == 0 && n <= 1 << 28 => {
                    align = Some(align.unwrap_or(1).max(n as u32));
                }
                _ => {
                    if !self.inst.in_pattern {
                        self.error("E0461", a.span, "alignment must be a constant power of two");
                    }
                }
            }
        }
        align
    }

    pub(crate) fn is_packed(&self, attrs: ast::List<ast::Attr>) -> bool {
        self.ast.list(attrs).iter().any(|a| self.attr_name(a) == "packed")
    }

    /// Whether a member is declared with `[[no_unique_address]]`.
    pub(crate) fn shares_its_bytes(&self, attrs: ast::List<ast::Attr>) -> bool {
        self.ast.list(attrs).iter().any(|a| self.attr_name(a) == "no_unique_address")
    }

    /// Attributes of a variable: only unknown ones matter here.
    pub(crate) fn var_attrs(&mut self, attrs: ast::List<ast::Attr>) {
        let ast = self.ast;
        for a in ast.list(attrs) {
            let name = self.attr_name(a);
            if !KNOWN.contains(&name.as_str()) && name != "_Alignas" {
                self.unknown_attr(a, &name);
            }
        }
    }

    /// Attributes before a statement.
    pub(crate) fn stmt_attrs(&mut self, attrs: ast::List<ast::Attr>) {
        self.var_attrs(attrs);
    }

    /// A function's attributes, each entered in the ledger.
    pub(crate) fn function_attrs(&mut self, f: FnId, decl: ast::DeclId) -> FnAttrs {
        let mut out = FnAttrs::default();
        let ast = self.ast;
        let first = self.decls[f].ast;
        let specs = self.decls[f].specs;
        let span = self.decls[f].span;
        let mut decls = vec![decl];
        if let Some(d) = first
            && d != decl
        {
            decls.push(d);
        }
        for d in decls {
            if !matches!(ast[d].kind, DeclKind::Function(_)) {
                continue;
            }
            for a in ast.list(ast[d].attrs) {
                self.function_attr(a, &mut out);
            }
        }
        if specs.has(ast::DeclSpecs::FORCEINLINE) {
            self.inline_request(&mut out, Inlining::Always, span, "__forceinline__");
        } else if specs.has(ast::DeclSpecs::NOINLINE) {
            self.inline_request(&mut out, Inlining::Never, span, "__noinline__");
        } else if specs.has(ast::DeclSpecs::INLINE) && out.inlining == Inlining::Auto {
            out.inlining = Inlining::Hint;
        }
        out.noreturn |= specs.has(ast::DeclSpecs::NORETURN);
        out
    }

    fn inline_request(&mut self, out: &mut FnAttrs, how: Inlining, span: source::Span, text: &str) {
        out.inlining = how;
        out.inline_hint = Some(self.enter_hint(HintKind::Inline, span, text.to_owned()));
    }

    fn three(&mut self, a: &ast::Attr) -> Option<[u32; 3]> {
        let ast = self.ast;
        let args = ast.list(a.args);
        let mut out = [1u32; 3];
        if args.len() != 3 {
            let name = self.attr_name(a);
            self.error("E0490", a.span, format!("`{name}` takes three sizes, {} given", args.len()));
            return None;
        }
        for (o, arg) in out.iter_mut().zip(args) {
            match self.int_arg(arg) {
                Some(n) if n > 0 && n <= i128::from(u32::MAX) => *o = n as u32,
                _ => {
                    self.error("E0491", a.span, "work-group sizes must be constants greater than zero");
                    return None;
                }
            }
        }
        Some(out)
    }

    fn function_attr(&mut self, a: &ast::Attr, out: &mut FnAttrs) {
        let name = self.attr_name(a);
        let text = self.attr_text(a);
        match name.as_str() {
            "reqd_work_group_size" => {
                if let Some(value) = self.three(a) {
                    let hint = self.enter_hint(HintKind::ReqdWorkGroupSize, a.span, text);
                    out.reqd_work_group_size = Some(Asked { value, hint });
                    out.written.push(written_sizes(&name, value));
                }
            }
            "work_group_size_hint" => {
                if let Some(value) = self.three(a) {
                    let hint = self.enter_hint(HintKind::WorkGroupSizeHint, a.span, text);
                    out.work_group_size_hint = Some(Asked { value, hint });
                    out.written.push(written_sizes(&name, value));
                }
            }
            "vec_type_hint" => self.vec_type_hint(a, text, out),
            "launch_bounds" => self.launch_bounds(a, text, out),
            "maxnreg" => {
                let n = self.ast.list(a.args).first().copied().and_then(|x| self.int_arg(&x));
                match n {
                    Some(n) if n > 0 && n <= MAX_MAXNREG => {
                        let hint = self.enter_hint(HintKind::LaunchBounds, a.span, text);
                        out.maxnreg = Some(Asked { value: n as u32, hint });
                    }
                    _ => self.error("E0492", a.span, format!("`__maxnreg__` takes a constant from 1 to {MAX_MAXNREG}")),
                }
            }
            "cluster_dims" => self.cluster_dims(a, text, out),
            "block_size" => self.block_size(a, text, out),
            "always_inline" => self.inline_request(out, Inlining::Always, a.span, &text),
            "noinline" => self.inline_request(out, Inlining::Never, a.span, &text),
            "optsize" => out.optsize = true,
            "minsize" => out.minsize = true,
            "optnone" => out.optnone = true,
            "cold" => out.cold = true,
            "noreturn" => out.noreturn = true,
            "pure" | "const" | "nv_pure" => out.pure = true,
            "convergent" => out.convergent = true,
            "unspool_unroll" => self.unroll_knobs(a, out),
            n if KNOWN.contains(&n) => {}
            n => self.unknown_attr(a, n),
        }
    }

    fn vec_type_hint(&mut self, a: &ast::Attr, text: String, out: &mut FnAttrs) {
        let ty = match self.ast.list(a.args).first() {
            Some(AttrArg::Type(t)) => self.resolve_ty(*t),
            Some(AttrArg::Expr(e)) => match self.ast[*e].kind {
                ast::ExprKind::Name(n) => self.resolve_type_name(n).ty,
                _ => crate::types::TyId::ERROR,
            },
            _ => crate::types::TyId::ERROR,
        };
        let scalar = self.p.types.scalar_of(ty);
        if ty == crate::types::TyId::ERROR || !self.p.types.is_arithmetic(scalar) {
            self.error("E0493", a.span, "`vec_type_hint` takes a scalar or vector type");
            return;
        }
        let hint = self.enter_hint(HintKind::VecTypeHint, a.span, text);
        out.vec_type_hint = Some(Asked { value: ty, hint });
        out.written.push(format!("vec_type_hint({})", self.api_name(ty)));
    }

    fn launch_bounds(&mut self, a: &ast::Attr, text: String, out: &mut FnAttrs) {
        let args = self.ast.list(a.args).to_vec();
        let mut v = [0u32; 3];
        if args.is_empty() || args.len() > 3 {
            self.error("E0494", a.span, "`__launch_bounds__` takes one to three constants");
            return;
        }
        for (i, arg) in args.iter().enumerate() {
            match self.int_arg(arg) {
                Some(n) if n >= 0 && n <= i128::from(u32::MAX) && (i > 0 || n > 0) => v[i] = n as u32,
                _ => {
                    self.error("E0494", a.span, "the arguments of `__launch_bounds__` must be positive constants");
                    return;
                }
            }
        }
        let hint = self.enter_hint(HintKind::LaunchBounds, a.span, text);
        let value = LaunchBounds { max_threads: v[0], min_blocks: v[1], max_cluster: v[2] };
        out.launch_bounds = Some(Asked { value, hint });
    }

    /// `__cluster_dims__(x, y, z)`, of which those that are not there are 1; without any the launch says how many.
    fn cluster_dims(&mut self, a: &ast::Attr, text: String, out: &mut FnAttrs) {
        let args = self.ast.list(a.args).to_vec();
        let mut value = if args.is_empty() { [0u32; 3] } else { [1; 3] };
        let all = args.len() <= 3
            && value.iter_mut().zip(&args).all(|(v, arg)| match self.int_arg(arg) {
                Some(n) if n > 0 && n <= i128::from(u32::MAX) => {
                    *v = n as u32;
                    true
                }
                _ => false,
            });
        let blocks = value.iter().try_fold(1u32, |p, &x| p.checked_mul(x));
        if !all || blocks.is_none_or(|n| n > MAX_CLUSTER) {
            let text =
                format!("`__cluster_dims__` takes at most three positive constants, {MAX_CLUSTER} blocks in all");
            return self.error("E0492", a.span, text);
        }
        let hint = self.enter_hint(HintKind::Cluster, a.span, text);
        out.cluster_dims = Some(Asked { value, hint });
    }

    fn unroll_knobs(&mut self, a: &ast::Attr, out: &mut FnAttrs) {
        let args = self.ast.list(a.args).to_vec();
        for arg in args {
            let pair = match arg {
                AttrArg::Named(id, _) => Some(self.text(id.sym).to_owned()),
                AttrArg::Expr(e) => match self.ast[e].kind {
                    ast::ExprKind::Assign(None, l, _) => match self.ast[l].kind {
                        ast::ExprKind::Name(n) => self.last_symbol(n).map(|s| self.text(s).to_owned()),
                        _ => None,
                    },
                    _ => None,
                },
                AttrArg::Type(_) => None,
            };
            let value = match arg {
                AttrArg::Expr(e) => match self.ast[e].kind {
                    ast::ExprKind::Assign(None, _, r) => self.int_arg(&AttrArg::Expr(r)),
                    _ => None,
                },
                _ => self.int_arg(&arg),
            };
            match (pair, value) {
                (Some(k), Some(v)) => out.unroll_knobs.push((k, v as i64)),
                _ => self.error("E0495", a.span, "`unspool_unroll` takes `knob=constant` pairs"),
            }
        }
    }
}

/// An attribute of three sizes without spaces: `reqd_work_group_size(8,4,1)`.
fn written_sizes(name: &str, [x, y, z]: [u32; 3]) -> String {
    format!("{name}({x},{y},{z})")
}
