//! Where the work-item stands and how large the launch is.
//!
//! Offsets of implicit arguments: LLVM's "User Guide for AMDGPU Backend", kernel argument metadata of code object
//! version 5. Version 4 has none of the sizes; there they come from the dispatch packet (HSA runtime specification,
//! `hsa_kernel_dispatch_packet_t`).

use super::convention::Amd;
use super::machine::CodeObject;
use crate::LlvmError;
use crate::writer::ll::{Ll, Val};
use ir::SpecialReg;
use source::Span;

/// Implicit arguments of version 5, in bytes from where they begin.
mod implicit {
    pub(super) const BLOCK_COUNT: u64 = 0;
    pub(super) const GROUP_SIZE: u64 = 12;
    pub(super) const GLOBAL_OFFSET: u64 = 40;
    pub(super) const GRID_DIMS: u64 = 64;
    pub(super) const DYNAMIC_LDS_SIZE: u64 = 120;
}

/// The same in version 4: global offsets come first.
mod implicit_v4 {
    pub(super) const GLOBAL_OFFSET: u64 = 0;
}

/// Fields of the dispatch packet.
mod packet {
    pub(super) const SETUP: u64 = 2;
    pub(super) const WORKGROUP_SIZE: u64 = 4;
    pub(super) const GRID_SIZE: u64 = 12;
    pub(super) const GROUP_SEGMENT_SIZE: u64 = 28;
}

/// Most work-items of a group in a dimension.
const GROUP: u64 = 1024;

impl Amd<'_> {
    pub(super) fn register(&self, ll: &Ll<'_>, reg: SpecialReg, span: Span) -> Result<Val, LlvmError> {
        use SpecialReg::*;
        let int = |n: u64| ll.iconst(32, 1, n);
        Ok(match reg {
            TidX => self.item_id(ll, 0),
            TidY => self.item_id(ll, 1),
            TidZ => self.item_id(ll, 2),
            CtaidX => ll.intrinsic("llvm.amdgcn.workgroup.id.x", &[], &[]),
            CtaidY => ll.intrinsic("llvm.amdgcn.workgroup.id.y", &[], &[]),
            CtaidZ => ll.intrinsic("llvm.amdgcn.workgroup.id.z", &[], &[]),
            NtidX | EnqueuedX => self.group_size(ll, 0),
            NtidY | EnqueuedY => self.group_size(ll, 1),
            NtidZ | EnqueuedZ => self.group_size(ll, 2),
            NctaidX => self.groups(ll, 0),
            NctaidY => self.groups(ll, 1),
            NctaidZ => self.groups(ll, 2),
            OffsetX | RangeOffsetX => self.global_offset(ll, 0),
            OffsetY | RangeOffsetY => self.global_offset(ll, 1),
            OffsetZ | RangeOffsetZ => self.global_offset(ll, 2),
            GlobalSizeX => self.global_size(ll, 0),
            GlobalSizeY => self.global_size(ll, 1),
            GlobalSizeZ => self.global_size(ll, 2),
            // Groups are of one size: the kernels say so to the loader.
            GroupBaseX | GroupBaseY | GroupBaseZ => int(0),
            WorkDim if self.machine.code_object == CodeObject::V4 => {
                let setup = self.packet(ll, packet::SETUP, 16);
                ll.and(ll.zext(setup, ll.int(32, 1)), int(3))
            }
            WorkDim => ll.zext(self.implicit(ll, implicit::GRID_DIMS, 16), ll.int(32, 1)),
            WarpSize => int(self.machine.target.warp_size().into()),
            LaneId => self.lane(ll),
            WarpId => ll.udiv(self.linear_id(ll), int(self.machine.target.warp_size().into())),
            LaneMaskEq | LaneMaskLt | LaneMaskLe | LaneMaskGt | LaneMaskGe => self.lane_mask(ll, reg),
            DynamicSharedSize if self.machine.code_object == CodeObject::V4 => {
                let all = self.packet(ll, packet::GROUP_SEGMENT_SIZE, 32);
                ll.sub(all, ll.intrinsic("llvm.amdgcn.groupstaticsize", &[], &[]))
            }
            DynamicSharedSize => self.implicit(ll, implicit::DYNAMIC_LDS_SIZE, 32),
            GridId => ll.intrinsic("llvm.amdgcn.dispatch.id", &[], &[]),
            // The compute unit's number within its shader array and engine, bits of a hardware register: HW_ID up to
            // gfx9, HW_ID1 later (number, first bit, bits).
            SmId => {
                let (id, offset, size) = if self.machine.generation() < 10 { (4, 8, 7) } else { (23, 10, 11) };
                ll.intrinsic("llvm.amdgcn.s.getreg", &[], &[int(id | offset << 6 | (size - 1) << 11)])
            }
            Clock => ll.trunc(ll.intrinsic("llvm.readcyclecounter", &[], &[]), ll.int(32, 1)),
            Clock64 => ll.intrinsic("llvm.readcyclecounter", &[], &[]),
            // The constant clock has 100 MHz.
            GlobalTimer => ll.mul(ll.intrinsic("llvm.readsteadycounter", &[], &[]), ll.iconst(64, 1, 10)),
            NsmId => {
                return Err(LlvmError::unsupported(
                    "the register `%nsmid`",
                    span,
                    "pass the number of compute units as an argument",
                ));
            }
        })
    }

    fn item_id(&self, ll: &Ll<'_>, axis: usize) -> Val {
        const NAMES: [&str; 3] =
            ["llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y", "llvm.amdgcn.workitem.id.z"];
        let v = ll.intrinsic(NAMES[axis], &[], &[]);
        self.in_range(ll, v, 32, 0, GROUP);
        v
    }

    /// Notes that a value is at least `low` and below `high`.
    fn in_range(&self, ll: &Ll<'_>, v: Val, bits: u32, low: u64, high: u64) {
        let end = |n| ll.md_constant(ll.iconst(bits, 1, n));
        ll.set_metadata(v, "range", ll.md_node(&[end(low), end(high)]));
    }

    /// An integer in memory that nobody writes while the kernel runs.
    fn field(&self, ll: &Ll<'_>, base: &'static str, offset: u64, bits: u32) -> Val {
        let at = ll.offset(ll.intrinsic(base, &[], &[]), ll.iconst(64, 1, offset), true);
        let align = (bits / 8).min(1 << offset.trailing_zeros().min(3));
        let v = ll.load(ll.int(bits, 1), at, align);
        ll.set_metadata(v, "invariant.load", ll.md_node(&[]));
        v
    }

    fn implicit(&self, ll: &Ll<'_>, offset: u64, bits: u32) -> Val {
        self.field(ll, "llvm.amdgcn.implicitarg.ptr", offset, bits)
    }

    fn packet(&self, ll: &Ll<'_>, offset: u64, bits: u32) -> Val {
        self.field(ll, "llvm.amdgcn.dispatch.ptr", offset, bits)
    }

    fn group_size(&self, ll: &Ll<'_>, axis: u64) -> Val {
        let v = match self.machine.code_object {
            CodeObject::V4 => self.packet(ll, packet::WORKGROUP_SIZE + 2 * axis, 16),
            _ => self.implicit(ll, implicit::GROUP_SIZE + 2 * axis, 16),
        };
        self.in_range(ll, v, 16, 1, GROUP + 1);
        ll.zext(v, ll.int(32, 1))
    }

    /// Groups are of one size, so that all of them are complete.
    fn groups(&self, ll: &Ll<'_>, axis: u64) -> Val {
        match self.machine.code_object {
            CodeObject::V4 => {
                let items = self.packet(ll, packet::GRID_SIZE + 4 * axis, 32);
                ll.udiv(items, self.group_size(ll, axis))
            }
            _ => self.implicit(ll, implicit::BLOCK_COUNT + 4 * axis, 32),
        }
    }

    fn global_size(&self, ll: &Ll<'_>, axis: u64) -> Val {
        let long = ll.int(64, 1);
        ll.mul(ll.zext(self.groups(ll, axis), long), ll.zext(self.group_size(ll, axis), long))
    }

    fn global_offset(&self, ll: &Ll<'_>, axis: u64) -> Val {
        let first = match self.machine.code_object {
            CodeObject::V4 => implicit_v4::GLOBAL_OFFSET,
            _ => implicit::GLOBAL_OFFSET,
        };
        self.implicit(ll, first + 8 * axis, 64)
    }

    /// The number of the work-item in its group.
    fn linear_id(&self, ll: &Ll<'_>) -> Val {
        let row = ll.add(self.item_id(ll, 1), ll.mul(self.item_id(ll, 2), self.group_size(ll, 1)));
        ll.add(self.item_id(ll, 0), ll.mul(row, self.group_size(ll, 0)))
    }
}
