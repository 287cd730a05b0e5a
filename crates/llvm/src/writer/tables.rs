//! Gathers from tables that a register or two hold: constants that the program picks by the low bits of a number.
//!
//! `table[n & 15]` of 16 numbers is a permutation of them, which looks at those bits by itself, on machines that have it
//! ([`super::convention::Convention::picks_entries`]).

use super::func::FuncGen;
use super::ll::Val;
use ir::{ConstKind, GlobalInit, Inst, Opcode, Type, Value};

/// Entries of a table.
const ENTRIES: u32 = 16;

impl FuncGen<'_> {
    /// What a gather gets, whatever its mask, if it is from such a table.
    pub(super) fn table_entries(&self, i: Inst, of: Type) -> Option<Val> {
        let bits = of.scalar().bits();
        if !self.cx.target.picks_entries(bits) || !matches!(of.scalar(), Type::F32 | Type::F64) {
            return None;
        }
        let dfg = &self.f.dfg;
        let Some(ConstKind::Global(g)) = dfg.as_const(dfg.resolve(dfg.arg(i, 0))) else { return None };
        let data = &self.cx.module.globals[g];
        let GlobalInit::Bytes(bytes, relocations) = &data.init else { return None };
        let size = (bits / 8) as usize;
        let fits = data.constant && relocations.is_empty() && data.size == u64::from(ENTRIES) * size as u64;
        if !fits || bytes.len() != data.size as usize {
            return None;
        }
        let index = self.entry_of(dfg.arg(i, 1), bits)?;
        let ll = self.ll;
        let entry = |b: &[u8]| {
            let x = match b {
                &[a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
                _ => f64::from_le_bytes(b.try_into().unwrap_or_default()),
            };
            ll.fconst(bits, 1, x)
        };
        let table: Vec<Val> = bytes.chunks(size).map(entry).collect();
        let lanes = u32::from(of.lanes());
        let (index, have) = (self.value(index), dfg.ty(index).bits());
        let word = ll.int(bits, lanes);
        let index = match have {
            b if b < bits => ll.zext(index, word),
            b if b > bits => ll.trunc(index, word),
            _ => index,
        };
        Some(self.cx.target.pick_entries(ll, &table, index, lanes))
    }

    /// The number whose low bits are the entries' numbers, of which these offsets are made.
    fn entry_of(&self, offsets: Value, bits: u32) -> Option<Value> {
        let dfg = &self.f.dfg;
        let by = u64::from((bits / 8).trailing_zeros());
        let mask = u64::from(ENTRIES) - 1;
        let operand = |v: Value, op: Opcode, constant: u64| {
            let inst = dfg.def_op(dfg.resolve(v), op)?;
            let (a, b) = (dfg.resolve(dfg.arg(inst, 0)), dfg.resolve(dfg.arg(inst, 1)));
            (dfg.as_bits(b) == Some(constant)).then_some(a)
        };
        if let Some(masked) = operand(offsets, Opcode::And, mask << by) {
            return operand(masked, Opcode::Shl, by);
        }
        let mut v = operand(offsets, Opcode::Shl, by)?;
        if let Some(extended) = dfg.def_op(v, Opcode::ZExt).or_else(|| dfg.def_op(v, Opcode::SExt)) {
            v = dfg.resolve(dfg.arg(extended, 0));
        }
        operand(v, Opcode::And, mask)
    }
}
