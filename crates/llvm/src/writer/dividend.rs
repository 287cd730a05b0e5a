//! Dividends for code generators that take a division for a narrower one too readily ([`Convention::hide`]).
//!
//! [`Convention::hide`]: super::convention::Convention::hide

use super::func::FuncGen;
use super::ll::Val;
use ir::{Inst, Opcode, Payload, SpecialReg, Value, ValueDef};

/// Bits of quotients that are right in single precision, whatever the last bit of a reciprocal is.
const SAFE_BITS: u32 = 22;
/// How many operations are looked through.
const DEPTH: u32 = 4;

impl FuncGen<'_> {
    /// The dividend of a division of scalars or lanes of 32 or 64 bits by something that is not constant, of which the code
    /// generator does not know too much.
    pub(super) fn dividend(&self, i: Inst, a: Val) -> Val {
        let ll = self.ll;
        let dfg = &self.f.dfg;
        let ty = dfg.insts[i].ty;
        let (bits, lanes) = (ty.bits(), u32::from(ty.lanes()));
        let word = ll.int(32, 1);
        let Some(hide) = self.cx.target.hide().filter(|_| bits >= 32) else { return a };
        if self.is_safe_division(dfg.arg(i, 0), dfg.arg(i, 1)) {
            return a;
        }
        let hidden = |v: Val| {
            if bits == 32 {
                return hide(ll, v);
            }
            let (wide, half) = (ll.int(64, 1), ll.iconst(64, 1, 32));
            let low = hide(ll, ll.trunc(v, word));
            let high = hide(ll, ll.trunc(ll.lshr(v, half), word));
            ll.or(ll.zext(low, wide), ll.shl(ll.zext(high, wide), half))
        };
        if lanes == 1 {
            return hidden(a);
        }
        (0..u64::from(lanes)).fold(a, |v, n| {
            let lane = ll.iconst(32, 1, n);
            ll.insert(v, hidden(ll.extract(a, lane)), lane)
        })
    }

    /// Whether a narrower division is as good, or none will be tried: nothing is known of a kernel's argument, and where it
    /// becomes a constant the division is another.
    fn is_safe_division(&self, a: Value, b: Value) -> bool {
        let b = self.f.dfg.resolve(b);
        let argument = matches!(self.f.dfg.values[b].def, ValueDef::Param(home, _) if home == self.f.layout.entry());
        (argument && self.is_entry && !self.assumes) || [a, b].iter().all(|&v| self.magnitude(v, DEPTH) <= SAFE_BITS)
    }

    /// Bits that hold the value, read as an unsigned number: one of `n` bits less than its
    /// type has is not negative. `sext` is not looked through, since its negative values are large unsigned ones.
    fn magnitude(&self, v: Value, depth: u32) -> u32 {
        let dfg = &self.f.dfg;
        let v = dfg.resolve(v);
        let bits = dfg.ty(v).bits();
        if dfg.ty(v).is_vector() || depth == 0 {
            return bits;
        }
        if let Some(n) = dfg.as_bits(v) {
            return 64 - n.leading_zeros();
        }
        let ValueDef::Inst(i) = dfg.values[v].def else { return bits };
        let of = |n| self.magnitude(dfg.arg(i, n), depth - 1);
        let data = &dfg.insts[i];
        match (data.op, &data.payload) {
            (Opcode::ZExt, _) => of(0),
            (Opcode::And | Opcode::UMin, _) => of(0).min(of(1)),
            (Opcode::Or | Opcode::Xor | Opcode::UMax, _) => of(0).max(of(1)),
            (Opcode::URem, _) => of(0).min(of(1)),
            (Opcode::UDiv, _) => of(0),
            (Opcode::LShr, _) => match dfg.as_bits(dfg.arg(i, 1)) {
                Some(n) if n < u64::from(bits) => of(0).saturating_sub(n as u32),
                _ => bits,
            },
            (Opcode::Special, Payload::Special(reg)) => match reg {
                SpecialReg::TidX | SpecialReg::TidY | SpecialReg::TidZ => 10,
                SpecialReg::NtidX | SpecialReg::NtidY | SpecialReg::NtidZ => 16,
                SpecialReg::LaneId => 6,
                _ => bits,
            },
            _ => bits,
        }
    }
}
