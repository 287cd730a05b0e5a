//! Addresses of shared memory in 32 bits.
//!
//! Pointers have 64 bits in the IR, but the instructions for shared memory take 32, and with them fold a scaled index.
//! A sum that is nothing but the address of such accesses is therefore computed in 32 bits: the low half of every part
//! is enough, whatever the upper halves are.

use crate::cfg::Cfg;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use cranelift_entity::EntityRef;
use ir::{AddrSpace, ConstKind, Dfg, FnKind, Function, Inst, Module, Opcode, Type, Value, ValueDef};

/// Operations through which the low half of an index is followed.
const DEPTH: u32 = 4;

/// The low half of a 64-bit integer.
pub(crate) enum Low {
    /// A constant.
    Const(i64),
    /// A 32-bit value.
    Word(Value),
    /// The low half of a register.
    Half(Value),
    /// A power of two times another.
    Shl(Box<Low>, i64),
    /// A constant times another.
    Mul(Box<Low>, i64),
    /// A sum.
    Add(Box<Low>, Box<Low>),
}

impl Low {
    /// How the low half of `v` is computed.
    pub(crate) fn of(dfg: &Dfg, v: Value) -> Self {
        Self::within(dfg, v, DEPTH)
    }

    fn within(dfg: &Dfg, v: Value, depth: u32) -> Self {
        if let Some(n) = dfg.as_int(v) {
            return Self::Const(i64::from(n as i32));
        }
        let Some(i) = dfg.def_inst(v).filter(|_| depth > 0) else { return Self::Half(v) };
        let low = |n| Box::new(Self::within(dfg, dfg.arg(i, n), depth - 1));
        let constant = || dfg.as_int(dfg.arg(i, 1));
        match dfg.op(i) {
            Opcode::SExt | Opcode::ZExt if dfg.ty(dfg.arg(i, 0)) == Type::I32 => Self::Word(dfg.arg(i, 0)),
            Opcode::Add => Self::Add(low(0), low(1)),
            Opcode::Shl => match constant() {
                Some(n) if (0..32).contains(&n) => Self::Shl(low(0), n),
                _ => Self::Half(v),
            },
            Opcode::Mul => match constant() {
                Some(n) => Self::Mul(low(0), i64::from(n as i32)),
                None => Self::Half(v),
            },
            _ => Self::Half(v),
        }
    }

    /// Calls `f` with the values that it reads.
    pub(crate) fn for_each_value(&self, f: &mut impl FnMut(Value)) {
        match self {
            Self::Const(_) => {}
            Self::Word(v) | Self::Half(v) => f(*v),
            Self::Shl(x, _) | Self::Mul(x, _) => x.for_each_value(f),
            Self::Add(x, y) => {
                x.for_each_value(f);
                y.for_each_value(f);
            }
        }
    }
}

/// Whether a module's addresses of shared memory are computed in 32 bits. Where kernels are given places there by whoever
/// launches them (OpenCL's `local` pointers) they stay in 64: who reads the text again, as `ptx-reader` does, has an object
/// for each such place, and cannot tell from 32 bits which one is meant.
pub(crate) fn is_short(m: &Module) -> bool {
    let shared = |space| space == Some(AddrSpace::Shared);
    let kernels = m.functions.values().filter(|f| f.kind == FnKind::Kernel);
    m.globals.values().any(|g| shared(Some(g.space))) && !kernels.flat_map(|f| &f.params).any(|p| shared(p.ty.space()))
}

/// Which values are addresses of shared memory in 32 bits: sums that only accesses and other such sums use.
pub(crate) fn narrow(f: &Function, cfg: &Cfg) -> Vec<bool> {
    let dfg = &f.dfg;
    let mut wide = vec![false; dfg.values.len()];
    let is_sum = |v: Value| {
        let shared = dfg.ty(v).space() == Some(AddrSpace::Shared) && !dfg.ty(v).is_vector();
        shared && dfg.def_op(v, Opcode::PtrAdd).is_some()
    };
    // Users stand behind what they use.
    for i in cfg.order.iter().rev().flat_map(|&b| f.layout.insts_rev(b)) {
        let is_address = match dfg.op(i) {
            Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => true,
            Opcode::PtrAdd => dfg.result(i).is_some_and(|r| is_sum(r) && !wide[r.index()]),
            _ => false,
        };
        let mut n = 0;
        dfg.for_each_use(i, |v| {
            if n > 0 || !is_address {
                wide[v.index()] = true;
            }
            n += 1;
        });
    }
    let mut out = vec![false; dfg.values.len()];
    for v in cfg.order.iter().flat_map(|&b| f.layout.insts(b)).filter_map(|i| dfg.result(i)) {
        out[v.index()] = is_sum(v) && !wide[v.index()];
    }
    out
}

impl Fx<'_> {
    /// Writes a sum in 32 bits.
    pub(crate) fn narrow_sum(&mut self, i: Inst) -> Opnd {
        let f = self.f;
        let base = self.narrow_base(f.dfg.arg(i, 0));
        match Low::of(&f.dfg, f.dfg.arg(i, 1)) {
            Low::Mul(x, n) => {
                let x = self.low(&x);
                let x = self.in_register(x, Type::I32);
                self.op(Class::B32, &["mad.lo.s32"], &[x, Opnd::Int(n), base])
            }
            offset => {
                let offset = self.low(&offset);
                self.op(Class::B32, &["add.s32"], &[base, offset])
            }
        }
    }

    fn narrow_base(&mut self, p: Value) -> Opnd {
        let global = matches!(self.f.dfg.def(p), ValueDef::Const(ConstKind::Global(_)));
        let o = self.lane(p, 0);
        match o {
            Opnd::Global(g, _) if global && self.m.globals[g].space == AddrSpace::Shared => self.short_symbol(o),
            Opnd::Reg(r) if r.class() == Class::B32 => o,
            _ => {
                let o = self.in_register(o, Type::I64);
                self.op_tmp(Class::B32, &["cvt.u32.u64"], &[o])
            }
        }
    }

    /// A low half as an operand: a register or a number.
    fn low(&mut self, l: &Low) -> Opnd {
        let one = |fx: &mut Self, x: &Low, n: i64, name: &str, fold: fn(i32, i32) -> i32| match fx.low(x) {
            Opnd::Int(k) => Opnd::Int(i64::from(fold(k as i32, n as i32))),
            x => fx.op_tmp(Class::B32, &[name], &[x, Opnd::Int(n)]),
        };
        match l {
            Low::Const(n) => Opnd::Int(*n),
            Low::Word(v) => match self.operand(*v, 0) {
                Opnd::Int(n) => Opnd::Int(i64::from(n as i32)),
                o => o,
            },
            Low::Half(v) => match self.operand(*v, 0) {
                Opnd::Int(n) => Opnd::Int(i64::from(n as i32)),
                o => self.op_tmp(Class::B32, &["cvt.u32.u64"], &[o]),
            },
            Low::Shl(x, n) => one(self, x, *n, "shl.b32", |k, n| k.wrapping_shl(n as u32)),
            Low::Mul(x, n) => one(self, x, *n, "mul.lo.s32", i32::wrapping_mul),
            Low::Add(x, y) => match (self.low(x), self.low(y)) {
                (Opnd::Int(a), Opnd::Int(b)) => Opnd::Int(i64::from((a as i32).wrapping_add(b as i32))),
                (a @ Opnd::Int(_), b) => self.op_tmp(Class::B32, &["add.s32"], &[b, a]),
                (a, b) => self.op_tmp(Class::B32, &["add.s32"], &[a, b]),
            },
        }
    }
}
