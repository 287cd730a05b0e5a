//! The rules for kernels' signatures.

use source::{Diagnostic, Span};
use syntax::ast::DeclSpecs;

use super::{Checker, FnId};
use crate::types::{AddrSpace, Quals, Ty, TyId};

impl Checker<'_> {
    /// Checks a kernel's signature; nothing to do for other functions.
    pub(crate) fn kernel_rules(&mut self, f: FnId) {
        let d = self.fns[f.0 as usize].clone();
        if !d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL)) || !self.kernels_checked.insert(f) {
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
            if self.is_opencl() { self.opencl_param(p.ty, p.span) } else { self.cuda_param(p.ty, p.span) }
        }
    }

    fn cuda_param(&mut self, ty: TyId, span: Span) {
        if let Ty::Reference { .. } = self.p.types.get(ty) {
            self.report(
                Diagnostic::error("E0484", span, "a __global__ function parameter cannot be a reference")
                    .help("pass it by value or as a pointer"),
            );
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
                } else if pointee == TyId::BOOL || self.is_size_like(pointee) {
                    self.bad_param(pointee, span);
                }
            }
            // 6.9.k: bool, half, size_t, ptrdiff_t, intptr_t, uintptr_t and events are not allowed.
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

    /// `size_t` is `ulong` after resolution, so the spelling decides; see [`Checker::param_spelling`].
    fn is_size_like(&self, _ty: TyId) -> bool {
        false
    }

    fn bad_param(&mut self, ty: TyId, span: Span) {
        let name = self.show_q(ty, Quals::NONE);
        self.error("E0488", span, format!("`{name}` cannot be used as the type of a kernel parameter"));
    }
}
