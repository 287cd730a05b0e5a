//! What ends or stops a work-item, and what it says.

use crate::convert::memory_type;
use crate::{Emitter, Operands};
use builtins::ControlOp;
use ir::{AddrSpace, Flags, Intrinsic, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    pub(crate) fn control(&mut self, op: ControlOp, o: &Operands) -> Option<Value> {
        match op {
            ControlOp::Trap | ControlOp::AssertFail => {
                self.effect(Intrinsic::Trap, &[]);
                if op == ControlOp::AssertFail
                    && let Some(trap) = self.func.layout.last_inst(self.block)
                {
                    self.func.dfg.insts[trap].flags = Flags::ASSERTION;
                }
                self.end();
                None
            }
            ControlOp::Exit => {
                self.effect(Intrinsic::Exit, &[]);
                self.end();
                None
            }
            ControlOp::Unreachable => {
                self.end();
                None
            }
            ControlOp::Breakpoint => self.effect(Intrinsic::Brkpt, &[]),
            ControlOp::NanoSleep => {
                let n = self.resize(o.get(0), Type::I32, false);
                self.effect(Intrinsic::Nanosleep, &[n])
            }
            ControlOp::Printf => Some(self.printf(o)),
        }
    }

    /// `printf`: arguments go to a private buffer, each at its natural alignment, as CUDA's `vprintf` wants them.
    fn printf(&mut self, o: &Operands) -> Value {
        let format = self.in_space(o.get(0), AddrSpace::Generic);
        let mut values: SmallVec<[(Value, u32); 8]> = SmallVec::new();
        let mut size = 0u32;
        for (n, &v) in o.values().iter().enumerate().skip(1) {
            let v = self.promoted(v, o.is_signed(n));
            let ty = memory_type(self.ty(v));
            let bytes = ty.scalar_bytes() * if ty.lanes() == 3 { 4 } else { u32::from(ty.lanes()) };
            let align = bytes.clamp(1, 16);
            size = size.next_multiple_of(align);
            values.push((v, size));
            size += bytes;
        }
        let buffer = match values.is_empty() {
            true => self.func.dfg.bits(Type::ptr(AddrSpace::Private), 0),
            false => self.slot(size, 16),
        };
        for (v, at) in values {
            let ptr = self.offset(buffer, u64::from(at));
            let align = if at == 0 { 16 } else { 1 << at.trailing_zeros().min(4) };
            self.store_scalar(ptr, v, align, Flags::NONE);
        }
        let r = self.build(|b| b.intrinsic(Intrinsic::VPrintf, Type::I32, &[format, buffer]));
        r.unwrap_or_else(|| self.func.dfg.undef(Type::I32))
    }

    /// A variable argument after C's default promotions; addresses are generic ones.
    fn promoted(&mut self, v: Value, signed: bool) -> Value {
        let ty = self.ty(v);
        if ty.is_ptr() {
            self.in_space(v, AddrSpace::Generic)
        } else if ty.is_int() && !ty.is_vector() && ty.bits() < 32 {
            self.resize(v, Type::I32, signed)
        } else if ty.is_float() && !ty.is_vector() && ty.bits() < 64 {
            self.float_to_float(v, Type::F64)
        } else {
            v
        }
    }
}
