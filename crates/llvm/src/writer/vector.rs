//! Building, taking apart and asking vectors.

use super::func::FuncGen;
use super::ll::{Ipred, Val};
use ir::{Inst, Opcode, Payload, Type};

impl FuncGen<'_> {
    pub(super) fn vector(&mut self, i: Inst) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let lanes = u32::from(data.ty.lanes());
        match data.op {
            Opcode::VecBuild => {
                let args = self.f.dfg.args(i);
                let first = self.value(args[0]);
                if args.iter().all(|v| v == &args[0]) {
                    return ll.splat(first, lanes);
                }
                let start = ll.poison(self.cx.ty(data.ty));
                (0..lanes).zip(args).fold(start, |v, (n, &a)| ll.set_lane(v, self.value(a), n))
            }
            Opcode::Extract => ll.lane(self.arg(i, 0), data.lane().unwrap_or(0).into()),
            Opcode::Insert => ll.set_lane(self.arg(i, 0), self.arg(i, 1), data.lane().unwrap_or(0).into()),
            Opcode::ExtractDyn => {
                let index = self.lane_index(i, 1, self.arg_ty(i, 0));
                self.taken_lane(i, index)
            }
            Opcode::InsertDyn => {
                let index = self.lane_index(i, 2, data.ty);
                ll.insert(self.arg(i, 0), self.arg(i, 1), index)
            }
            Opcode::Splat => ll.splat(self.arg(i, 0), lanes),
            Opcode::Iota => {
                let all: Vec<Val> = (0..lanes).map(|n| ll.iconst(data.ty.bits(), 1, n.into())).collect();
                ll.const_vector(&all)
            }
            Opcode::AnyLane | Opcode::AllLanes => {
                let mask_lanes = u32::from(self.arg_ty(i, 0).lanes());
                let word = ll.bitcast(self.arg(i, 0), ll.int(mask_lanes, 1));
                if data.op == Opcode::AnyLane {
                    ll.icmp(Ipred::LLVMIntNE, word, ll.iconst(mask_lanes, 1, 0))
                } else {
                    ll.icmp(Ipred::LLVMIntEQ, word, ll.iconst(mask_lanes, 1, u64::MAX))
                }
            }
            Opcode::Permute => self.permute(i),
            _ => {
                let Payload::Shuffle(mask) = &data.payload else { return ll.zero(self.cx.ty(data.ty)) };
                // What is in an arbitrary lane may be looked at: one that there is.
                let of = u32::from(self.arg_ty(i, 0).lanes());
                let lane = |(n, &l): (u32, &u8)| Some(if l == ir::UNDEF_LANE { n % of } else { l.into() });
                ll.shuffle(self.arg(i, 0), self.arg(i, 1), (0..lanes).zip(&mask[..lanes as usize]).map(lane))
            }
        }
    }

    /// A lane number, some lane where it is out of range: LLVM makes poison of what the IR calls arbitrary.
    fn lane_index(&self, i: Inst, n: usize, of: Type) -> Val {
        let ll = self.ll;
        let lanes = u64::from(of.lanes());
        let index = self.arg(i, n);
        if let Some(k) = self.f.dfg.as_bits(self.f.dfg.arg(i, n)) {
            return ll.iconst(32, 1, k % lanes);
        }
        if lanes.is_power_of_two() {
            ll.and(index, ll.iconst(32, 1, lanes - 1))
        } else {
            ll.intrinsic("llvm.umin", &[ll.int(32, 1)], &[index, ll.iconst(32, 1, lanes - 1)])
        }
    }
}
