//! Calls of builtins: their operands are evaluated here; what they are in IR says the crate `builtin-lower`.

use crate::func::FunctionLowering;
use crate::types::value_type;
use builtin_lower::{Callee, OperandType, Operands, Pointee, SCRATCH_BYTES};
use builtins::library::LibFn;
use builtins::{Meaning, Op};
use ir::{AddrSpace, ConstKind, GlobalData, GlobalInit, Linkage, Type, Value};
use sema::program::ExprId;
use sema::types::{Ty, TyId};
use source::Span;

impl<'a> FunctionLowering<'_, 'a> {
    /// Lowers a builtin call.
    pub(crate) fn builtin(&mut self, id: ExprId, meaning: Meaning, args: &'a [ExprId]) -> Option<Value> {
        let callee = match meaning {
            Meaning::Op(op) => {
                let mut o = self.operands(id, args);
                if let Op::Sync(op) = op
                    && op.takes_memory()
                {
                    let memory = self.group_memory();
                    o.push(memory, OperandType::default());
                }
                return self.emit(|e| e.lower(op, &o));
            }
            Meaning::Lib { func, .. } | Meaning::Image(func) => self.library_callee(func),
        };
        let Some(callee) = callee else {
            let ty = self.type_of(id);
            return (!ty.is_void()).then(|| self.func.dfg.undef(ty));
        };
        let o = self.operands(id, args);
        match meaning {
            Meaning::Lib { via_f32, .. } => self.emit(|e| e.call_library(&callee, via_f32, &o)),
            _ => self.emit(|e| e.call_plain(&callee, &o)),
        }
    }

    /// Evaluates operands, in order.
    fn operands(&mut self, id: ExprId, args: &[ExprId]) -> Operands {
        let mut o = Operands::new(self.type_of(id), self.is_signed(id));
        for &a in args {
            let v = self.expr(a);
            o.push(v, self.operand_type(self.cx.program.expr(a).ty));
        }
        o
    }

    fn operand_type(&self, ty: TyId) -> OperandType {
        let types = self.cx.types();
        let pointee = match types.get(ty) {
            Ty::Pointer { pointee, .. } => Some(Pointee {
                ty: value_type(types, *pointee),
                size: self.cx.size_of(*pointee),
                align: types.align_of(*pointee),
            }),
            _ => None,
        };
        OperandType { signed: types.is_signed(types.scalar_of(ty)), pointee }
    }

    /// Work-group memory for what a group computes together: one for the module, since barriers order its uses.
    fn group_memory(&mut self) -> Value {
        let cx = &mut *self.cx;
        let limits = cx.options.target.launch_limits();
        let sub_groups = u64::from(limits.group_items).div_ceil(u64::from(cx.options.target.warp_size()));
        let global = *cx.group_memory.get_or_insert_with(|| {
            cx.module.globals.push(GlobalData {
                name: "__unspool_group".to_owned(),
                space: AddrSpace::Shared,
                size: sub_groups * SCRATCH_BYTES,
                align: SCRATCH_BYTES as u32,
                init: GlobalInit::None,
                constant: false,
                linkage: Linkage::Internal,
                external: false,
                elem: Type::I64,
                span: Span::NONE,
            })
        });
        self.func.dfg.constant(Type::ptr(AddrSpace::Shared), ConstKind::Global(global))
    }

    /// A function of the library, which the driver lowers before its callers; its absence is a fault of ours.
    pub(crate) fn library_callee(&mut self, func: LibFn) -> Option<Callee> {
        let name = func.name();
        let Some(&id) = self.cx.symbols.get(name) else {
            let span = self.span;
            self.cx.error(
                "E0476",
                span,
                format!("the builtin library lacks `{name}`"),
                "report this as a bug of unspool",
            );
            return None;
        };
        // Where calls count in loops what they count in nvcc, they have to be there.
        let squares =
            matches!(name, "__unspool_pow" | "__unspool_powf") && !self.cx.options.target.has_measured_library();
        Some(Callee { reads: func.reads(), squares, ..Callee::new(self.cx.module, id) })
    }
}
