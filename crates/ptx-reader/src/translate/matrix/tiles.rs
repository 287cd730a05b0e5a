//! `ldmatrix`, `stmatrix`: tiles of 8×8 elements of 16 bits in shared memory, whose rows' addresses other lanes give.

use super::super::func::{Entity, Fx};
use super::super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{Flags, MemInfo, Opcode, Type, Value};

impl<'a> Fx<'a, '_> {
    /// `ldmatrix`, or `stmatrix` if the tiles are stored.
    pub(in super::super) fn tiles(
        &mut self,
        i: &'a Instruction<'a>,
        m: &mut Mods<'_, 'a>,
        stores: bool,
    ) -> Outcome<()> {
        m.take("sync");
        m.take("aligned");
        let tile = m.take("m8n8");
        let count = m.one_of(&[("x1", 1), ("x2", 2), ("x4", 4)]);
        let trans = m.take("trans");
        let shared = m.pick(|w| (w.split("::").next() == Some("shared")).then_some(())).is_some();
        let (true, true, Some(count), true) = (tile, shared, count, m.take("b16")) else {
            return Err(self.not_covered(i));
        };
        let [first, second] = self.operands(i)?;
        let (words, address) = if stores { (second, first) } else { (first, second) };
        let list = self.list(words, count)?;
        let Operand::Address(Some(name), offset, _) = address else {
            return Err(PtxError::operand(address.span(), "an address in a register expected"));
        };
        let Entity::Register(var, ty) = self.entity(*name)? else {
            return Err(PtxError::operand(name.span, "an address in a register expected"));
        };
        if ty.bits() == 32 {
            self.short(*name, Type::I32, Space::Shared)?;
        } else if ty.bits() != 64 || ty.is_float() {
            return Err(PtxError::operand(name.span, format!("`{}` holds no address", name.text)));
        }
        let own = self.ssa.read(&mut self.func, self.block, var);
        let lane = self.lane_of_32();
        let (two, three) = (self.int(Type::I32, 2), self.int(Type::I32, 3));
        let row = self.op(Opcode::LShr, &[lane, two]);
        let pair = self.op(Opcode::And, &[lane, three]);
        for (n, o) in list.iter().enumerate() {
            let row_at = |fx: &mut Self, row: Value, column: Value| {
                let first = fx.int(Type::I32, 8 * n as i64);
                let from = fx.op(Opcode::Or, &[row, first]);
                let from = fx.among_32(from);
                let v = fx.fetch(own, from);
                let p = fx.pointer(v, Space::Shared, *name)?;
                let p = fx.moved(p, *offset);
                let by = fx.resize(column, Type::I64, false);
                Ok::<Value, PtxError>(fx.builder().ptradd(p, by, Flags::NONE))
            };
            let given = if stores { Some(self.value(o, PtxType::B(32))?) } else { None };
            let word = if trans {
                let (one, sixteen) = (self.int(Type::I32, 1), self.int(Type::I32, 16));
                let column = self.op(Opcode::Shl, &[row, one]);
                let upper = self.op(Opcode::Shl, &[pair, one]);
                let lower = self.op(Opcode::Or, &[upper, one]);
                let mut halves = [upper, lower];
                for (second, h) in halves.iter_mut().enumerate() {
                    let p = row_at(self, *h, column)?;
                    if let Some(word) = given {
                        let half = if second == 1 { self.op(Opcode::LShr, &[word, sixteen]) } else { word };
                        let half = self.resize(half, Type::I16, false);
                        self.builder().store(p, half, MemInfo::aligned(2), Flags::NONE);
                        continue;
                    }
                    let v = self.builder().load(Type::I16, p, MemInfo::aligned(2), Flags::NONE);
                    *h = self.resize(v, Type::I32, false);
                }
                let high = self.op(Opcode::Shl, &[halves[1], sixteen]);
                self.op(Opcode::Or, &[halves[0], high])
            } else {
                let column = self.op(Opcode::Shl, &[pair, two]);
                let p = row_at(self, row, column)?;
                if let Some(word) = given {
                    self.builder().store(p, word, MemInfo::aligned(4), Flags::NONE);
                    continue;
                }
                self.builder().load(Type::I32, p, MemInfo::aligned(4), Flags::NONE)
            };
            if !stores {
                self.set(o, word, PtxType::B(32))?;
            }
        }
        Ok(())
    }
}
