//! Special registers.

use super::func::Fx;
use crate::ast::Name;
use crate::error::{Outcome, PtxError};
use ir::{Opcode, SpecialReg, Type, Value};

impl<'a> Fx<'a, '_> {
    /// The value of a special register, as an integer of a type.
    pub(super) fn special(&mut self, n: Name<'a>, member: Option<&str>, to: Type) -> Outcome<Value> {
        let unknown = || {
            let whole = match member {
                Some(m) => format!("{}.{m}", n.text),
                None => n.text.to_owned(),
            };
            PtxError::name(n.span, format!("`{whole}` is not declared, and no special register that is covered"))
                .help("registers are declared by `.reg`")
        };
        if n.text == "%is_explicit_cluster" && to == Type::I1 {
            return Ok(self.int(to, 0));
        }
        if !to.is_int() || to.is_vector() || to == Type::I1 {
            return Err(PtxError::operand(n.span, format!("`{}` is an integer", n.text)));
        }
        if n.text == "WARP_SZ" {
            return Ok(self.int(to, self.cx.warp.into()));
        }
        let name = n.text.trim_start_matches('%');
        if let Some(dimension) = member {
            let axis = ["x", "y", "z"].iter().position(|d| *d == dimension);
            let first = match name {
                // Each group is a cluster.
                "clusterid" => SpecialReg::CtaidX,
                "nclusterid" => SpecialReg::NctaidX,
                "cluster_ctaid" if axis.is_some() => return Ok(self.int(to, 0)),
                "cluster_nctaid" if axis.is_some() => return Ok(self.int(to, 1)),
                "tid" => SpecialReg::TidX,
                "ntid" => SpecialReg::NtidX,
                "ctaid" => SpecialReg::CtaidX,
                "nctaid" => SpecialReg::NctaidX,
                _ => return Err(unknown()),
            };
            let Some(axis) = axis else { return Err(unknown()) };
            let Some(&reg) = SpecialReg::ALL.get(first as usize + axis) else { return Err(unknown()) };
            return Ok(self.register_value(reg, to));
        }
        let high = |fx: &mut Self, reg| {
            let v = fx.builder().special(reg);
            let by = fx.int(Type::I64, 32);
            let v = fx.op(Opcode::LShr, &[v, by]);
            fx.resize(v, to, false)
        };
        Ok(match name {
            "laneid" => self.register_value(SpecialReg::LaneId, to),
            "warpid" => self.register_value(SpecialReg::WarpId, to),
            "lanemask_eq" => self.lane_mask(SpecialReg::LaneMaskEq, to),
            "lanemask_lt" => self.lane_mask(SpecialReg::LaneMaskLt, to),
            "lanemask_le" => self.lane_mask(SpecialReg::LaneMaskLe, to),
            "lanemask_gt" => self.lane_mask(SpecialReg::LaneMaskGt, to),
            "lanemask_ge" => self.lane_mask(SpecialReg::LaneMaskGe, to),
            "smid" => self.register_value(SpecialReg::SmId, to),
            "nsmid" => self.register_value(SpecialReg::NsmId, to),
            "gridid" => self.register_value(SpecialReg::GridId, to),
            "clock" => self.register_value(SpecialReg::Clock, to),
            "clock64" => self.register_value(SpecialReg::Clock64, to),
            "clock_hi" => high(self, SpecialReg::Clock64),
            // What is counted there nobody knows; the clock counts, too.
            "pm0" | "pm1" | "pm2" | "pm3" | "pm4" | "pm5" | "pm6" | "pm7" => self.register_value(SpecialReg::Clock, to),
            "pm0_64" | "pm1_64" | "pm2_64" | "pm3_64" | "pm4_64" | "pm5_64" | "pm6_64" | "pm7_64" => {
                self.register_value(SpecialReg::Clock64, to)
            }
            "globaltimer" | "globaltimer_lo" => self.register_value(SpecialReg::GlobalTimer, to),
            "globaltimer_hi" => high(self, SpecialReg::GlobalTimer),
            "dynamic_smem_size" => self.register_value(SpecialReg::DynamicSharedSize, to),
            "nwarpid" => self.warps(to),
            "cluster_ctarank" => self.int(to, 0),
            "cluster_nctarank" => self.int(to, 1),
            // NVIDIA's OpenCL driver hands over the global offset there.
            "envreg3" => self.register_value(SpecialReg::OffsetX, to),
            "envreg4" => self.register_value(SpecialReg::OffsetY, to),
            "envreg5" => self.register_value(SpecialReg::OffsetZ, to),
            _ => return Err(unknown()),
        })
    }

    fn register_value(&mut self, reg: SpecialReg, to: Type) -> Value {
        let v = self.builder().special(reg);
        self.resize(v, to, false)
    }

    /// A mask of lanes from this one's place. In warps of 64 lanes it has 64 bits, and the register has the lower ones.
    fn lane_mask(&mut self, reg: SpecialReg, to: Type) -> Value {
        if self.cx.warp == 32 || to != Type::I64 {
            return self.register_value(reg, to);
        }
        let lane = self.register_value(SpecialReg::LaneId, to);
        let (one, all) = (self.int(to, 1), self.int(to, -1));
        let own = self.op(Opcode::Shl, &[one, lane]);
        let below = self.op(Opcode::Sub, &[own, one]);
        match reg {
            SpecialReg::LaneMaskEq => own,
            SpecialReg::LaneMaskLt => below,
            SpecialReg::LaneMaskLe => self.op(Opcode::Or, &[own, below]),
            SpecialReg::LaneMaskGt => {
                let up_to = self.op(Opcode::Or, &[own, below]);
                self.op(Opcode::Xor, &[up_to, all])
            }
            _ => self.op(Opcode::Xor, &[below, all]),
        }
    }

    /// Warps of a group.
    fn warps(&mut self, to: Type) -> Value {
        let mut items = self.builder().special(SpecialReg::NtidX);
        for reg in [SpecialReg::NtidY, SpecialReg::NtidZ] {
            let n = self.builder().special(reg);
            items = self.op(Opcode::Mul, &[items, n]);
        }
        let warp = self.cx.warp;
        let (more, width) = (self.int(Type::I32, i64::from(warp) - 1), self.int(Type::I32, warp.ilog2().into()));
        let up = self.op(Opcode::Add, &[items, more]);
        let n = self.op(Opcode::LShr, &[up, width]);
        self.resize(n, to, false)
    }
}
