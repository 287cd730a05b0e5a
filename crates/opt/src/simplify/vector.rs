//! Rules for building vectors and taking them apart.

use super::{Found, Simplifier, Step};
use ir::{ConstKind, Flags, Inst, Opcode, Payload, Type, UNDEF_LANE, Value};
use smallvec::SmallVec;

/// Most inserts looked through for one lane.
const MAX_CHAIN: usize = 16;

impl Simplifier<'_> {
    /// The value in lane `n` of a vector, where it is plain to see.
    fn lane_of(&mut self, mut v: Value, n: u8) -> Option<Value> {
        for _ in 0..MAX_CHAIN {
            let ty = self.ty(v).scalar();
            match self.func.dfg.as_const(v) {
                Some(c @ (ConstKind::Bits(_) | ConstKind::Undef)) => return Some(self.func.dfg.constant(ty, c)),
                Some(_) => return None,
                None => {}
            }
            let d = self.func.dfg.def_inst(v)?;
            let data = &self.func.dfg.insts[d];
            match (data.op, &data.payload) {
                (Opcode::VecBuild, _) => return Some(self.arg(d, usize::from(n))),
                (Opcode::Insert, Payload::Lane(l)) if *l == n => return Some(self.arg(d, 1)),
                (Opcode::Insert, _) => v = self.arg(d, 0),
                _ => return None,
            }
        }
        None
    }

    pub(super) fn extract(&mut self, inst: Inst) -> Found {
        let v = self.arg(inst, 0);
        let n = self.func.dfg.insts[inst].lane()?;
        if let Some(x) = self.lane_of(v, n) {
            return Some(Step::Value(x));
        }
        let d = self.func.dfg.def_inst(v)?;
        match self.func.dfg.insts[d].payload {
            Payload::Lane(l) if self.func.dfg.op(d) == Opcode::Insert && l != n => {
                let from = self.arg(d, 0);
                self.rewrite(inst, Opcode::Extract, Flags::NONE, &[from], Payload::Lane(n))
            }
            Payload::Shuffle(mask) => {
                let lane = mask[usize::from(n)];
                let (a, b) = (self.arg(d, 0), self.arg(d, 1));
                let lanes = self.ty(a).lanes();
                if lane == UNDEF_LANE {
                    let ty = self.func.dfg.insts[inst].ty;
                    return Some(Step::Value(self.func.dfg.undef(ty)));
                }
                let (from, lane) = if lane < lanes { (a, lane) } else { (b, lane - lanes) };
                self.rewrite(inst, Opcode::Extract, Flags::NONE, &[from], Payload::Lane(lane))
            }
            _ => None,
        }
    }

    pub(super) fn vec_build(&mut self, inst: Inst) -> Found {
        let lanes: SmallVec<[Value; 16]> = self.func.dfg.args(inst).into();
        let ty = self.func.dfg.insts[inst].ty;
        // All lanes of one vector, in order.
        let d = self.func.dfg.def_op(lanes[0], Opcode::Extract)?;
        let from = self.arg(d, 0);
        if self.ty(from) != ty {
            return None;
        }
        let whole = lanes.iter().enumerate().all(|(n, &v)| {
            self.func
                .dfg
                .def_op(v, Opcode::Extract)
                .is_some_and(|i| self.arg(i, 0) == from && self.func.dfg.insts[i].lane().map(usize::from) == Some(n))
        });
        whole.then_some(Step::Value(from))
    }

    pub(super) fn insert(&mut self, inst: Inst) -> Found {
        let (v, x) = (self.arg(inst, 0), self.arg(inst, 1));
        let n = self.func.dfg.insts[inst].lane()?;
        // Putting back what is there.
        if let Some(d) = self.func.dfg.def_op(x, Opcode::Extract)
            && self.arg(d, 0) == v
            && self.func.dfg.insts[d].lane() == Some(n)
        {
            return Some(Step::Value(v));
        }
        // With every lane known the vector is built at once.
        let ty = self.func.dfg.insts[inst].ty;
        let known_base = self.func.dfg.as_const(v).is_some()
            || self
                .func
                .dfg
                .def_inst(v)
                .is_some_and(|d| matches!(self.func.dfg.op(d), Opcode::Insert | Opcode::VecBuild));
        if !known_base {
            return None;
        }
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for k in 0..ty.lanes() {
            lanes.push(if k == n { x } else { self.lane_of(v, k)? });
        }
        self.rewrite(inst, Opcode::VecBuild, Flags::NONE, &lanes, Payload::None)
    }

    pub(super) fn dynamic_lane(&mut self, inst: Inst) -> Found {
        let insert = self.func.dfg.op(inst) == Opcode::InsertDyn;
        let v = self.arg(inst, 0);
        let n = self.c(self.arg(inst, if insert { 2 } else { 1 }))?;
        let ty = self.func.dfg.insts[inst].ty;
        if n >= u64::from(self.ty(v).lanes()) {
            let result = if insert { v } else { self.func.dfg.undef(ty) };
            return Some(Step::Value(result));
        }
        let lane = Payload::Lane(n as u8);
        if insert {
            let x = self.arg(inst, 1);
            return self.rewrite(inst, Opcode::Insert, Flags::NONE, &[v, x], lane);
        }
        self.rewrite(inst, Opcode::Extract, Flags::NONE, &[v], lane)
    }

    pub(super) fn shuffle(&mut self, inst: Inst) -> Found {
        let Payload::Shuffle(mask) = self.func.dfg.insts[inst].payload else { return None };
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty: Type = self.func.dfg.insts[inst].ty;
        let (lanes, out) = (self.ty(a).lanes(), usize::from(ty.lanes()));
        let identity = |offset: u8| {
            self.ty(a) == ty && mask[..out].iter().enumerate().all(|(n, &m)| m == UNDEF_LANE || m == n as u8 + offset)
        };
        if identity(0) {
            return Some(Step::Value(a));
        }
        if identity(lanes) {
            return Some(Step::Value(b));
        }
        let mut picked: SmallVec<[Value; 16]> = SmallVec::new();
        for &m in &mask[..out] {
            let v = match m {
                UNDEF_LANE => self.func.dfg.undef(ty.scalar()),
                m if m < lanes => self.lane_of(a, m)?,
                m => self.lane_of(b, m - lanes)?,
            };
            picked.push(v);
        }
        if out == 1 {
            return Some(Step::Value(picked[0]));
        }
        self.rewrite(inst, Opcode::VecBuild, Flags::NONE, &picked, Payload::None)
    }
}
