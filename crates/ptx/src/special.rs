//! Special registers.

use crate::error::EmitError;
use crate::func::Fx;
use crate::out::push_u64;
use crate::regs::{Class, Opnd, push_reg};
use ir::{Inst, SpecialReg};

impl Fx<'_> {
    /// Writes a read of a special register.
    pub(crate) fn special(&mut self, i: Inst) -> Result<(), EmitError> {
        use SpecialReg::*;
        let f = self.f;
        let reg = f.dfg.insts[i].special().unwrap_or(TidX);
        let o = match reg {
            OffsetX | OffsetY | OffsetZ => self.offset(reg as u32 - OffsetX as u32),
            // On a GPU all groups have the same size.
            GroupBaseX | GroupBaseY | GroupBaseZ => Opnd::Int(0),
            EnqueuedX | EnqueuedY | EnqueuedZ => {
                let ntid = [NtidX, NtidY, NtidZ][reg as usize - EnqueuedX as usize];
                self.read_special(Class::B32, ntid.name())
            }
            GlobalSizeX | GlobalSizeY | GlobalSizeZ => {
                let n = reg as usize - GlobalSizeX as usize;
                let groups = self.read_special(Class::B32, [NctaidX, NctaidY, NctaidZ][n].name());
                let items = self.read_special(Class::B32, [NtidX, NtidY, NtidZ][n].name());
                self.op(Class::B64, &["mul.wide.u32"], &[groups, items])
            }
            RangeOffsetX | RangeOffsetY | RangeOffsetZ => self.offset(reg as u32 - RangeOffsetX as u32),
            WorkDim => self.work_dim(),
            WarpSize => Opnd::Int(i64::from(self.t.arch.target().warp_size())),
            _ => {
                let class = if reg.bits() == 64 { Class::B64 } else { Class::B32 };
                self.read_special(class, reg.name())
            }
        };
        if let Some(v) = f.dfg.result(i) {
            self.set(v, o);
        }
        Ok(())
    }

    fn read_special(&mut self, class: Class, name: &str) -> Opnd {
        let d = self.dest(class);
        self.out.push_str(if class == Class::B64 { "\tmov.u64 \t" } else { "\tmov.u32 \t" });
        push_reg(&mut self.out, d);
        self.out.push_str(", %");
        self.out.push_str(name);
        self.out.push_str(";\n");
        d.into()
    }

    /// OpenCL's global offset: NVIDIA's OpenCL driver puts it into environment registers; CUDA launches have none.
    fn offset(&mut self, dimension: u32) -> Opnd {
        if !self.t.opencl_abi {
            return Opnd::Int(0);
        }
        let low = self.tmp(Class::B32);
        self.out.push_str("\tmov.u32 \t");
        push_reg(&mut self.out, low);
        self.out.push_str(", %envreg");
        push_u64(&mut self.out, u64::from(dimension) + 3);
        self.out.push_str(";\n");
        self.op(Class::B64, &["cvt.u64.u32"], &[low.into()])
    }

    /// Number of dimensions: the highest in which the grid has more than one work-item.
    fn work_dim(&mut self) -> Opnd {
        let mut wide = [Opnd::None; 2];
        for (slot, (groups, items)) in wide.iter_mut().zip([("nctaid.y", "ntid.y"), ("nctaid.z", "ntid.z")]) {
            let groups = self.read_special(Class::B32, groups);
            let items = self.read_special(Class::B32, items);
            let total = self.op_tmp(Class::B32, &["mul.lo.s32"], &[groups, items]);
            *slot = self.op_tmp(Class::Pred, &["setp.gt.u32"], &[total, Opnd::Int(1)]);
        }
        let low = self.op_tmp(Class::B32, &["selp.b32"], &[Opnd::Int(2), Opnd::Int(1), wide[0]]);
        self.op(Class::B32, &["selp.b32"], &[Opnd::Int(3), low, wide[1]])
    }
}
