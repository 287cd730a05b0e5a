//! The rules for kernels' signatures.

use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs, NameKind, TypeKind};

use super::{Checker, FnId};
use crate::types::{AddrSpace, Quals, Ty, TyId};

impl Checker<'_> {
    /// Checks a kernel's signature; nothing to do for other functions.
    pub(crate) fn kernel_rules(&mut self, f: FnId) {
        let d = self.decls[f].clone();
        if !d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL)) || !self.inst.kernels_checked.insert(f) {
            return;
        }
        // OpenCL C 6.9.i: the return type of a kernel function must be void.
        if d.ret != TyId::VOID && d.ret != TyId::ERROR || d.deduced_ret {
            let name = self.show(d.ret);
            self.report(
                Diagnostic::error("E0481", d.span, format!("kernel must have void return type (not `{name}`)"))
                    .help("return results through a pointer argument"),
            );
        }
        if d.record.is_some() && !d.is_static {
            self.error("E0482", d.span, "a kernel cannot be a member function");
        }
        if d.variadic {
            self.error("E0483", d.span, "a kernel cannot have variable arguments");
        }
        for p in &d.params {
            if p.ty == TyId::ERROR {
                continue;
            }
            if !self.is_opencl() {
                self.cuda_param(p.ty, p.span);
            } else if let Some(name) = p.decl.and_then(|d| self.size_like_param(d)) {
                self.report(
                    Diagnostic::error(
                        "E0488",
                        p.span,
                        format!("`{name}` cannot be used as the type of a kernel parameter"),
                    )
                    .note("its size depends on the device, and the host must know it (OpenCL C 1.2, 6.9.k)")
                    .help("use `uint` or `ulong`, `int` or `long`"),
                );
            } else {
                self.opencl_param(p.ty, p.span);
            }
        }
    }

    /// As nvcc has it: what a temporary is bound to is refused; another reference is an address, and whether the device
    /// can reach it is the caller's affair (an object in managed memory can be passed so).
    fn cuda_param(&mut self, ty: TyId, span: Span) {
        match self.p.types.get(ty) {
            Ty::Reference { rvalue: true, .. } => self.report(
                Diagnostic::error("E0484", span, "a __global__ function parameter cannot be an rvalue reference")
                    .help("pass it by value or as a pointer"),
            ),
            Ty::Reference { .. } => self.warn(
                Diagnostic::warning("W0338", span, "a kernel's reference must be to memory that the device can reach")
                    .help("refer to managed memory only, or pass it by value or as a pointer")
                    .group("kernel-reference"),
            ),
            Ty::Record(r) if self.has_virtual_base(*r) => self.refuse_virtual_base(span),
            _ => {}
        }
    }

    fn opencl_param(&mut self, ty: TyId, span: Span) {
        match *self.p.types.get(ty) {
            Ty::Pointer { pointee, space, .. } => {
                if self.p.types.is_pointer(pointee) && self.opencl_version() < 200 {
                    let name = self.show(ty);
                    self.error(
                        "E0486",
                        span,
                        format!("kernel parameter cannot be declared as a pointer to a pointer: `{name}`"),
                    );
                } else if matches!(space, AddrSpace::Private | AddrSpace::Generic) {
                    // 6.9.a: arguments that are pointers must be to global, constant or local.
                    self.report(
                        Diagnostic::error(
                            "E0485",
                            span,
                            "pointer arguments to kernel functions must reside in `__global`, `__constant` or `__local` address space",
                        )
                        .help("write `__global` before the type"),
                    );
                }
            }
            // 6.9.k: bool, half and events are not allowed; `size_t` and its like are known by their names only.
            Ty::Bool => self.bad_param(ty, span),
            Ty::Float(crate::types::FloatKind::Half) => self.bad_param(ty, span),
            Ty::Opaque(crate::types::Opaque::Event) => self.bad_param(ty, span),
            Ty::Record(r) => {
                self.complete_record(r);
                let fields: Vec<TyId> = self.p.types.record(r).fields.iter().map(|f| f.ty).collect();
                for t in fields {
                    if self.p.types.is_pointer(t) {
                        let name = self.show(ty);
                        self.error(
                            "E0487",
                            span,
                            format!("struct kernel parameters may not contain pointers: `{name}` does"),
                        );
                        break;
                    }
                    if t == TyId::BOOL {
                        self.bad_param(t, span);
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    /// The name by which a parameter's type is `size_t` or its like, which are plain integers once resolved.
    fn size_like_param(&self, param: ast::DeclId) -> Option<&str> {
        let DeclKind::Param { ty, .. } = self.ast[param].kind else { return None };
        self.size_like(ty).map(|s| self.sess.strings.str(s))
    }

    /// The name by which a type is `size_t`, `ptrdiff_t`, `intptr_t`, `uintptr_t` or a typedef of one.
    pub(crate) fn size_like(&self, ty: ast::TypeId) -> Option<Symbol> {
        let TypeKind::Name(n) = self.ast[ty].kind else { return None };
        let NameKind::Ident(sym) = self.ast[n].kind else { return None };
        let known = matches!(self.sess.strings.str(sym), "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t");
        (known || self.decls.size_names.contains(&sym)).then_some(sym)
    }

    fn bad_param(&mut self, ty: TyId, span: Span) {
        let name = self.show_q(ty, Quals::NONE);
        self.error("E0488", span, format!("`{name}` cannot be used as the type of a kernel parameter"));
    }
}
