//! Exit counts of loops that start from constants but are not affine, by executing them.

use super::{Scev, mask, sext};
use crate::Loop;
use ir::{Flags, Opcode, Payload, Round, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Most iterations executed.
pub(super) const MAX_ITERATIONS: u64 = 100;
/// Most instructions that the test and the next values depend on.
const MAX_INSTS: usize = 64;

/// The computation of a loop's test from its header parameters, in order.
#[derive(Default)]
struct Slice {
    /// Where each value's number is kept.
    slots: FxHashMap<Value, usize>,
    /// Instructions in an order in which operands come first.
    code: Vec<Value>,
    /// Parameters of the header: slot now, value for the next iteration.
    params: Vec<(usize, Value)>,
    numbers: Vec<u64>,
}

impl Scev<'_> {
    /// How often the loop goes on while `cond == stay`, if that is at most [`MAX_ITERATIONS`] and all it depends on is
    /// constant at the start.
    pub(super) fn brute_force(&mut self, l: Loop, cond: Value, stay: bool) -> Option<u64> {
        let mut s = Slice::default();
        self.slice(l, cond, &mut s, 0)?;
        // The values for the next iteration may need further parameters.
        let mut n = 0;
        while n < s.params.len() {
            let next = s.params[n].1;
            self.slice(l, next, &mut s, 0)?;
            n += 1;
        }
        if s.params.is_empty() {
            return None;
        }
        for k in 0..=MAX_ITERATIONS {
            for n in 0..s.code.len() {
                let v = s.code[n];
                let x = self.evaluate(v, &s)?;
                let slot = s.slots[&v];
                s.numbers[slot] = x;
            }
            if (s.numbers[s.slots[&cond]] != 0) != stay {
                return Some(k);
            }
            let next: Vec<u64> = s.params.iter().map(|(_, v)| s.numbers[s.slots[v]]).collect();
            for (n, x) in next.into_iter().enumerate() {
                let slot = s.params[n].0;
                s.numbers[slot] = x;
            }
        }
        None
    }

    /// Adds what `v` depends on.
    fn slice(&mut self, l: Loop, v: Value, s: &mut Slice, depth: u32) -> Option<()> {
        if s.slots.contains_key(&v) {
            return Some(());
        }
        if depth > 32 || self.func.dfg.ty(v).is_vector() {
            return None;
        }
        match self.func.dfg.def(v) {
            ValueDef::Const(_) => {
                let n = self.func.dfg.as_bits(v)?;
                s.add(v, n);
            }
            ValueDef::Param(b, n) if b == self.info.loops.header(l) => {
                let (entry, back) = self.incoming(l, n)?;
                let start = match self.func.dfg.as_bits(entry) {
                    Some(n) => n,
                    None if Self::has_expr(self.func.dfg.ty(entry)) => {
                        let e = self.expr(entry);
                        self.exprs.as_const(e)?
                    }
                    None => return None,
                };
                let slot = s.add(v, start);
                s.params.push((slot, back));
            }
            ValueDef::Inst(i) => {
                let block = self.func.layout.inst_block(i)?;
                if !self.info.loops.contains(l, block) || s.code.len() >= MAX_INSTS {
                    return None;
                }
                if self.info.loops.innermost(block) != Some(l) || !supported(self.func.dfg.op(i)) {
                    return None;
                }
                let args: smallvec::SmallVec<[Value; 3]> = self.func.dfg.args(i).into();
                for a in args {
                    self.slice(l, self.func.dfg.resolve(a), s, depth + 1)?;
                }
                s.add(v, 0);
                s.code.push(v);
            }
            _ => return None,
        }
        Some(())
    }

    fn evaluate(&self, v: Value, s: &Slice) -> Option<u64> {
        let i = self.func.dfg.def_inst(v)?;
        let data = &self.func.dfg.insts[i];
        let args = self.func.dfg.args(i);
        let num = |n: usize| s.numbers[s.slots[&self.func.dfg.resolve(args[n])]];
        let ty = self.func.dfg.ty(args[0]);
        if ty.is_float() {
            return float_op(data, ty, num(0), args.get(1).map(|_| num(1)));
        }
        let bits = ty.bits();
        let m = data.ty.mask();
        let signed = |n: usize| sext(num(n), bits);
        let shift = |n: usize| num(n).min(u64::from(bits));
        Some(
            m & match data.op {
                Opcode::Add | Opcode::PtrAdd => num(0).wrapping_add(num(1)),
                Opcode::Sub => num(0).wrapping_sub(num(1)),
                Opcode::Mul => num(0).wrapping_mul(num(1)),
                Opcode::UDiv => num(0).checked_div(num(1))?,
                Opcode::URem => num(0).checked_rem(num(1))?,
                Opcode::SDiv if signed(0) != i64::MIN >> (64 - bits) => signed(0).checked_div(signed(1))? as u64,
                Opcode::SRem if signed(0) != i64::MIN >> (64 - bits) => signed(0).checked_rem(signed(1))? as u64,
                Opcode::SDiv | Opcode::SRem => return None,
                Opcode::And => num(0) & num(1),
                Opcode::Or => num(0) | num(1),
                Opcode::Xor => num(0) ^ num(1),
                Opcode::Shl => num(0).checked_shl(shift(1) as u32).unwrap_or(0),
                Opcode::LShr => (num(0) & mask(bits)).checked_shr(shift(1) as u32).unwrap_or(0),
                Opcode::AShr => (signed(0) >> shift(1).min(u64::from(bits) - 1).min(63)) as u64,
                Opcode::SMin => signed(0).min(signed(1)) as u64,
                Opcode::SMax => signed(0).max(signed(1)) as u64,
                Opcode::UMin => num(0).min(num(1)),
                Opcode::UMax => num(0).max(num(1)),
                Opcode::Icmp => u64::from(data.int_cc()?.eval(num(0), num(1), bits)),
                Opcode::Select => {
                    if num(0) != 0 {
                        num(1)
                    } else {
                        num(2)
                    }
                }
                Opcode::Trunc | Opcode::ZExt => num(0),
                Opcode::SExt => signed(0) as u64,
                _ => return None,
            },
        )
    }
}

impl Slice {
    fn add(&mut self, v: Value, n: u64) -> usize {
        let slot = self.numbers.len();
        self.slots.insert(v, slot);
        self.numbers.push(n);
        slot
    }
}

fn supported(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        Add | PtrAdd
            | Sub
            | Mul
            | UDiv
            | URem
            | SDiv
            | SRem
            | And
            | Or
            | Xor
            | Shl
            | LShr
            | AShr
            | SMin
            | SMax
            | UMin
            | UMax
            | Icmp
            | Select
            | Trunc
            | ZExt
            | SExt
            | FAdd
            | FSub
            | FMul
            | FDiv
            | Fcmp
    )
}

/// Float arithmetic that the host does as IEEE 754 says: nearest-even, without flushing.
fn float_op(data: &ir::InstData, ty: Type, a: u64, b: Option<u64>) -> Option<u64> {
    let plain = matches!(data.payload, Payload::None | Payload::Round(Round::NearestEven) | Payload::FloatCC(_));
    if !plain || data.flags.has(Flags::FTZ) || data.flags.has(Flags::SAT) {
        return None;
    }
    let b = b?;
    if ty == Type::F32 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let z = match data.op {
            Opcode::FAdd => x + y,
            Opcode::FSub => x - y,
            Opcode::FMul => x * y,
            Opcode::FDiv => x / y,
            Opcode::Fcmp => return Some(u64::from(data.float_cc()?.eval(x.into(), y.into()))),
            _ => return None,
        };
        return Some(u64::from(z.to_bits()));
    }
    if ty != Type::F64 {
        return None;
    }
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let z = match data.op {
        Opcode::FAdd => x + y,
        Opcode::FSub => x - y,
        Opcode::FMul => x * y,
        Opcode::FDiv => x / y,
        Opcode::Fcmp => return Some(u64::from(data.float_cc()?.eval(x, y))),
        _ => return None,
    };
    Some(z.to_bits())
}
