//! What expressions share with builtins: instructions and conversions by [`builtin_lower::Emitter`], which is told where
//! they go; SSA construction is told of the blocks that it made.

use crate::func::FunctionLowering;
use builtin_lower::{Emitted, Emitter};
use ir::{AddrSpace, Flags, Opcode, Payload, Type, Value};

impl FunctionLowering<'_, '_> {
    /// Emits at the end of the current block, and goes on where that ends.
    pub(crate) fn emit<T>(&mut self, f: impl FnOnce(&mut Emitter<'_>) -> T) -> T {
        let context = self.cx.options.context(self.contracts());
        let mut e = Emitter::new(&mut self.func, self.block, self.span, context);
        let r = f(&mut e);
        let Emitted { block, branches } = e.finish();
        if block != self.block {
            for &(from, inst) in &branches {
                for n in 0..self.func.dfg.successor_count(inst) {
                    self.ssa.add_pred(self.func.dfg.successor(inst, n), from, inst);
                }
            }
            for &(_, inst) in &branches {
                for n in 0..self.func.dfg.successor_count(inst) {
                    let to = self.func.dfg.successor(inst, n);
                    self.ssa.seal(&mut self.func, to);
                }
            }
            self.start_sealed(block);
        }
        r
    }

    /// Makes an instruction with a result.
    pub(crate) fn make(&mut self, op: Opcode, ty: Type, flags: Flags, args: &[Value], payload: Payload) -> Value {
        self.emit(|e| e.make(op, ty, flags, args, payload))
    }

    pub(crate) fn op2(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.emit(|e| e.op2(op, a, b))
    }

    pub(crate) fn resize(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        self.emit(|e| e.resize(v, ty, signed))
    }

    pub(crate) fn splat(&mut self, v: Value, lanes: u8) -> Value {
        self.emit(|e| e.splat(v, lanes))
    }

    pub(crate) fn int_to_float(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        self.emit(|e| e.int_to_float(v, ty, signed))
    }

    pub(crate) fn float_to_int(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        self.emit(|e| e.float_to_int(v, ty, signed))
    }

    pub(crate) fn float_to_float(&mut self, v: Value, ty: Type) -> Value {
        self.emit(|e| e.float_to_float(v, ty))
    }

    pub(crate) fn reinterpret(&mut self, v: Value, ty: Type) -> Value {
        self.emit(|e| e.reinterpret(v, ty))
    }

    pub(crate) fn truth_as(&mut self, v: Value, ty: Type) -> Value {
        self.emit(|e| e.truth_as(v, ty))
    }

    pub(crate) fn truth(&mut self, v: Value) -> Value {
        self.emit(|e| e.truth(v))
    }

    pub(crate) fn unpacked(&mut self, v: Value, ty: Type) -> Value {
        self.emit(|e| e.unpacked(v, ty))
    }

    pub(crate) fn packed(&mut self, v: Value) -> Value {
        self.emit(|e| e.packed(v))
    }

    pub(crate) fn load_scalar(&mut self, ptr: Value, ty: Type, align: u32, flags: Flags) -> Value {
        self.emit(|e| e.load_scalar(ptr, ty, align, flags))
    }

    pub(crate) fn store_scalar(&mut self, ptr: Value, v: Value, align: u32, flags: Flags) {
        self.emit(|e| e.store_scalar(ptr, v, align, flags))
    }

    pub(crate) fn offset(&mut self, ptr: Value, bytes: u64) -> Value {
        self.emit(|e| e.offset(ptr, bytes))
    }

    pub(crate) fn element_ptr(&mut self, ptr: Value, index: Value, size: u64, negative: bool) -> Value {
        self.emit(|e| e.element_ptr(ptr, index, size, negative))
    }

    pub(crate) fn in_space(&mut self, ptr: Value, space: AddrSpace) -> Value {
        self.emit(|e| e.in_space(ptr, space))
    }

    pub(crate) fn fp_flags(&mut self, ty: Type) -> Flags {
        self.emit(|e| e.fp_flags(ty))
    }

    pub(crate) fn ftz(&mut self, ty: Type) -> Flags {
        self.emit(|e| e.ftz(ty))
    }
}
