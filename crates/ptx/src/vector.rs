//! Vectors: registers under other names. Only reinterpreting lanes of another width costs instructions.

use crate::error::EmitError;
use crate::func::Fx;
use crate::memory::Lanes;
use crate::regs::{Class, Opnd};
use crate::select::Half;
use ir::{Inst, Opcode, Payload, Type};

impl Fx<'_> {
    /// Builds, takes apart and shuffles vectors.
    pub(crate) fn vector(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let args = f.dfg.args(i);
        let lane = usize::from(d.lane().unwrap_or(0));
        match d.op {
            Opcode::VecBuild => self.each_lane(i, |fx, n| Ok(fx.lane(args[n.min(args.len() - 1)], 0))),
            Opcode::Extract => {
                let lane = lane.min(usize::from(f.dfg.ty(args[0]).lanes()) - 1);
                self.each_lane(i, |fx, _| Ok(fx.lane(args[0], lane)))
            }
            Opcode::Insert => {
                self.each_lane(i, |fx, n| Ok(if n == lane { fx.lane(args[1], 0) } else { fx.lane(args[0], n) }))
            }
            _ => {
                let Payload::Shuffle(mask) = d.payload else { return Ok(()) };
                let width = usize::from(f.dfg.ty(args[0]).lanes());
                self.each_lane(i, |fx, n| {
                    let from = usize::from(mask[n]);
                    Ok(match from {
                        _ if from < width => fx.lane(args[0], from),
                        _ if from < 2 * width => fx.lane(args[1], from - width),
                        _ => Opnd::constant(d.ty.scalar(), 0),
                    })
                })
            }
        }
    }

    /// Lanes named by a value: a selection per lane.
    pub(crate) fn vector_dynamic(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let args = f.dfg.args(i);
        let count = usize::from(f.dfg.ty(args[0]).lanes());
        let elem = f.dfg.ty(args[0]).scalar();
        let extract = f.dfg.op(i) == Opcode::ExtractDyn;
        let index = self.operand(args[if extract { 1 } else { 2 }], 0);
        if let Opnd::Int(n) = index {
            let n = n as u32 as usize;
            return self.each_lane(i, |fx, k| {
                Ok(match extract {
                    true => fx.lane(args[0], n.min(count - 1)),
                    false if k == n => fx.lane(args[1], 0),
                    false => fx.lane(args[0], k),
                })
            });
        }
        if extract {
            let mut found = self.lane(args[0], 0);
            for n in 1..count {
                let p = self.op_tmp(Class::Pred, &["setp.eq.s32"], &[index, Opnd::Int(n as i64)]);
                let lane = self.lane(args[0], n);
                found = self.choose(elem, p, lane, found);
            }
            return self.each_lane(i, |_, _| Ok(found));
        }
        self.each_lane(i, |fx, n| {
            let p = fx.op_tmp(Class::Pred, &["setp.eq.s32"], &[index, Opnd::Int(n as i64)]);
            let (new, old) = (fx.lane(args[1], 0), fx.lane(args[0], n));
            Ok(fx.choose(elem, p, new, old))
        })
    }

    /// `p ? a : b` on operands.
    pub(crate) fn choose(&mut self, ty: Type, p: Opnd, a: Opnd, b: Opnd) -> Opnd {
        match Class::of(ty) {
            None => a,
            Some(Class::Pred) => self.select_bool(p, a, b),
            Some(k) => {
                let (a, b) = (self.direct(a), self.direct(b));
                self.op(k, &["selp", k.decl()], &[a, b, p])
            }
        }
    }

    /// Writes a bitcast.
    pub(crate) fn bitcast(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let arg = f.dfg.arg(i, 0);
        let lanes = self.lanes_of(arg);
        let result = self.regroup(lanes, f.dfg.ty(arg).scalar(), f.dfg.insts[i].ty.scalar());
        if let Some(v) = f.dfg.result(i) {
            self.set_lanes(v, &result);
        }
        Ok(())
    }

    /// The same bits in elements of another type; the first lane has the lowest bits.
    pub(crate) fn regroup(&mut self, lanes: Lanes, from: Type, to: Type) -> Lanes {
        let as_int = |ty: Type| Type::int(ty.bits()).unwrap_or(Type::I32);
        let mut bits = from.bits();
        if bits == to.bits() {
            return lanes.into_iter().map(|o| self.reinterpret(o, from, to)).collect();
        }
        let mut lanes: Lanes = lanes.into_iter().map(|o| self.reinterpret(o, from, as_int(from))).collect();
        while bits > to.bits() {
            let part = if bits == 8 { 1 } else { bits / 2 };
            lanes = lanes.into_iter().flat_map(|o| self.split(o, bits)).collect();
            bits = part;
        }
        while bits < to.bits() {
            let whole = if bits == 1 { 8 } else { bits * 2 };
            let group = (whole / bits) as usize;
            lanes = lanes.chunks(group).map(|c| self.join(c, bits)).collect();
            bits = whole;
        }
        lanes.into_iter().map(|o| self.reinterpret(o, as_int(to), to)).collect()
    }

    /// An integer's parts of half its width (of one bit, for 8 bits), lowest first.
    fn split(&mut self, o: Opnd, bits: u32) -> Lanes {
        let part = if bits == 8 { Type::I1 } else { Type::int(bits / 2).unwrap_or(Type::I8) };
        if let Opnd::Int(n) = o {
            let count = bits / part.bits();
            return (0..count).map(|k| Opnd::constant(part, (n as u64 >> (k * part.bits())) & part.mask())).collect();
        }
        let o = self.direct(o);
        match bits {
            64 => self.halves(o).into_iter().collect(),
            32 => {
                let (lo, hi) = (self.tmp(Class::B16), self.tmp(Class::B16));
                self.unpack("mov.b32", [lo.into(), hi.into()], o);
                [lo.into(), hi.into()].into_iter().collect()
            }
            16 => {
                let hi = self.op_tmp(Class::B16, &["shr.u16"], &[o, Opnd::Int(8)]);
                [o, hi].into_iter().collect()
            }
            _ => (0..8)
                .map(|k| {
                    let bit = self.op_tmp(Class::B16, &["and.b16"], &[o, Opnd::Int(1 << k)]);
                    self.op_tmp(Class::Pred, &["setp.ne.s16"], &[bit, Opnd::Int(0)])
                })
                .collect(),
        }
    }

    /// The integer of twice the width (of 8 bits, for single bits) out of its parts.
    fn join(&mut self, parts: &[Opnd], bits: u32) -> Opnd {
        let part = Type::int(bits).unwrap_or(Type::I8);
        let known = |o: &Opnd| match *o {
            Opnd::Int(n) => Some(n as u64 & part.mask()),
            Opnd::Bool(b) => Some(u64::from(b)),
            _ => None,
        };
        let whole = Type::int(if bits == 1 { 8 } else { bits * 2 }).unwrap_or(Type::I64);
        if parts.iter().all(|o| known(o).is_some()) {
            let value = parts.iter().rev().fold(0, |acc, o| acc << bits | known(o).unwrap_or(0));
            return Opnd::constant(whole, value);
        }
        match bits {
            32 => self.pair(parts[0], parts[1]),
            16 => {
                let (lo, hi) = (self.direct(parts[0]), self.direct(parts[1]));
                let d = self.dest(Class::B32);
                self.pack("mov.b32", d.into(), [lo, hi]);
                d.into()
            }
            8 => {
                let lo = self.normalised(parts[0], Type::I8, false);
                let hi = self.in_register(parts[1], Type::I16);
                let hi = self.op_tmp(Class::B16, &["shl.b16"], &[hi, Opnd::Int(8)]);
                self.op(Class::B16, &["or.b16"], &[hi, lo])
            }
            _ => {
                let mut sum = Opnd::Int(0);
                for (k, &p) in parts.iter().enumerate() {
                    let p = self.direct(p);
                    let bit = self.op_tmp(Class::B16, &["selp.b16"], &[Opnd::Int(1 << k), Opnd::Int(0), p]);
                    sum = if k == 0 { bit } else { self.op_tmp(Class::B16, &["or.b16"], &[sum, bit]) };
                }
                sum
            }
        }
    }

    /// Lower and upper half of 64 bits.
    pub(crate) fn halves(&mut self, o: Opnd) -> [Opnd; 2] {
        let parts: [Opnd; 2] = [self.tmp(Class::B32).into(), self.tmp(Class::B32).into()];
        self.unpack("mov.b64", parts, o);
        parts
    }

    /// 64 bits out of lower and upper half.
    pub(crate) fn pair(&mut self, lo: Opnd, hi: Opnd) -> Opnd {
        let (lo, hi) = (self.direct(lo), self.direct(hi));
        let d = self.dest(Class::B64);
        self.pack("mov.b64", d.into(), [lo, hi]);
        d.into()
    }

    /// 64 or 32 bits out of its halves.
    pub(crate) fn pack_halves(&mut self, halves: [Half; 2], ty: Type) -> Opnd {
        let (class, op, half) =
            if ty.bits() == 64 { (Class::B64, "mov.b64", Type::I32) } else { (Class::B32, "mov.b32", Type::I16) };
        let parts = halves.map(|h| {
            let o = self.lane(h.value(), 0);
            match h {
                Half::Whole(_) => self.in_register(o, half),
                Half::Of(_, upper) => {
                    let o = self.in_register(o, ty);
                    self.halves(o)[usize::from(upper)]
                }
            }
        });
        let d = self.dest(class);
        self.pack(op, d.into(), parts);
        d.into()
    }

    fn unpack(&mut self, op: &str, parts: [Opnd; 2], o: Opnd) {
        self.grouped(op, &parts, &[o]);
    }

    fn pack(&mut self, op: &str, d: Opnd, parts: [Opnd; 2]) {
        self.grouped(op, &[d], &parts);
    }

    fn grouped(&mut self, op: &str, left: &[Opnd], right: &[Opnd]) {
        self.out.push('\t');
        self.out.push_str(op);
        self.out.push_str(" \t");
        crate::memory::push_group(&mut self.out, left);
        self.out.push_str(", ");
        crate::memory::push_group(&mut self.out, right);
        self.out.push_str(";\n");
    }
}
