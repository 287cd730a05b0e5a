//! Copying and filling memory: unrolled for small constant sizes, loops otherwise.

use crate::error::EmitError;
use crate::func::Fx;
use crate::memory::{Access, Lanes};
use crate::operand::Addr;
use crate::regs::{Class, Opnd};
use ir::{Inst, Type};

/// Most accesses of each kind that are written out.
const UNROLLED: u64 = 32;
/// Loads that are in flight before the stores of their values.
const BATCH: usize = 4;

/// The type moved at once under an alignment, and its bytes.
fn unit(align: u32) -> (Type, u32) {
    match align {
        0 | 1 => (Type::I8, 1),
        2 | 3 => (Type::I16, 2),
        4..=7 => (Type::I32, 4),
        8..=15 => (Type::I64, 8),
        _ => (Type::I32.vector(4).unwrap_or(Type::I32), 16),
    }
}

impl Fx<'_> {
    /// Writes a copy.
    pub(crate) fn memcpy(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let align = f.dfg.insts[i].mem().map_or(1, |m| m.align());
        let (to, from) = (self.addr(f.dfg.arg(i, 0)), self.addr(f.dfg.arg(i, 1)));
        self.check_writable(to, i)?;
        let size = f.dfg.arg(i, 2);
        match f.dfg.as_bits(size) {
            Some(n) => self.copy_bytes(to, from, n, align),
            None => {
                let n = self.register(size, 0);
                self.each_unit(n, align, |fx, at, ty| {
                    let (to, from) = (fx.advanced(to, at), fx.advanced(from, at));
                    let lanes = fx.load_lanes(from, ty, Access::aligned(16));
                    fx.store_lanes(to, ty, Access::aligned(16), &lanes);
                });
            }
        }
        Ok(())
    }

    /// Copies a known number of bytes.
    pub(crate) fn copy_bytes(&mut self, to: Addr, from: Addr, size: u64, align: u32) {
        let (_, step) = unit(align);
        let mut done = 0;
        if size / u64::from(step) > UNROLLED {
            let whole = size / u64::from(step) * u64::from(step);
            self.each_unit(Opnd::Int(whole as i64), align, |fx, at, ty| {
                let (to, from) = (fx.advanced(to, at), fx.advanced(from, at));
                let lanes = fx.load_lanes(from, ty, Access::aligned(16));
                fx.store_lanes(to, ty, Access::aligned(16), &lanes);
            });
            done = whole;
        }
        let pieces: Vec<(u64, Type)> = pieces(done, size, align).collect();
        for batch in pieces.chunks(BATCH) {
            let loaded: Vec<Lanes> =
                batch.iter().map(|&(at, ty)| self.load_lanes(from.plus(at as i64), ty, Access::aligned(16))).collect();
            for (&(at, ty), lanes) in batch.iter().zip(&loaded) {
                self.store_lanes(to.plus(at as i64), ty, Access::aligned(16), lanes);
            }
        }
    }

    /// Writes a fill.
    pub(crate) fn memset(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let align = f.dfg.insts[i].mem().map_or(1, |m| m.align());
        let to = self.addr(f.dfg.arg(i, 0));
        self.check_writable(to, i)?;
        let byte = self.lane(f.dfg.arg(i, 1), 0);
        let word = self.splat_byte(byte);
        let size = f.dfg.arg(i, 2);
        let fill = move |fx: &mut Self, at: Addr, ty: Type| {
            let (from, lanes) = (Type::I32, usize::from(ty.lanes()));
            let value = match ty.scalar().bits() {
                32 => word,
                64 => fx.pair(word, word),
                _ => {
                    let parts = fx.regroup(Lanes::from_slice(&[word]), from, ty);
                    parts[0]
                }
            };
            fx.store_lanes(at, ty, Access::aligned(16), &Lanes::from_elem(value, lanes));
        };
        let (_, step) = unit(align);
        match f.dfg.as_bits(size) {
            Some(n) if n / u64::from(step) <= UNROLLED => {
                for (at, ty) in pieces(0, n, align) {
                    fill(self, to.plus(at as i64), ty);
                }
            }
            known => {
                let n = match known {
                    Some(n) => Opnd::Int((n / u64::from(step) * u64::from(step)) as i64),
                    None => self.register(size, 0),
                };
                self.each_unit(n, align, |fx, at, ty| {
                    let at = fx.advanced(to, at);
                    fill(fx, at, ty);
                });
                if let Some(n) = known {
                    for (at, ty) in pieces(n / u64::from(step) * u64::from(step), n, align) {
                        fill(self, to.plus(at as i64), ty);
                    }
                }
            }
        }
        Ok(())
    }

    /// A byte four times over.
    fn splat_byte(&mut self, byte: Opnd) -> Opnd {
        match byte {
            Opnd::Int(n) => Opnd::Int(i64::from(((n as u32 & 255) * 0x0101_0101) as i32)),
            _ => {
                let b = self.in_register(byte, Type::I8);
                let b = self.op_tmp(Class::B32, &["cvt.u32.u8"], &[b]);
                self.op_tmp(Class::B32, &["prmt.b32"], &[b, Opnd::Int(0), Opnd::Int(0)])
            }
        }
    }

    /// The address `at` (a register) bytes further on.
    fn advanced(&mut self, a: Addr, at: Opnd) -> Addr {
        let base = self.direct(a.base);
        let base = self.op_tmp(Class::B64, &["add.s64"], &[base, at]);
        Addr { base, ..a }
    }

    /// Loops over `size` bytes in units of the alignment, then over the bytes that are left; a constant size is a
    /// multiple of the unit.
    fn each_unit(&mut self, size: Opnd, align: u32, mut f: impl FnMut(&mut Self, Opnd, Type)) {
        let (ty, step) = unit(align);
        let at = self.tmp(Class::B64);
        self.mov(at, Opnd::Int(0));
        self.unit_loop(size, at.into(), ty, step, &mut f);
        if step > 1 && size.reg().is_some() {
            self.unit_loop(size, at.into(), Type::I8, 1, &mut f);
        }
    }

    fn unit_loop(&mut self, size: Opnd, at: Opnd, ty: Type, step: u32, f: &mut impl FnMut(&mut Self, Opnd, Type)) {
        let (head, end) = (self.new_label(), self.new_label());
        let end_of_whole = match size {
            Opnd::Int(_) => size,
            _ => self.op_tmp(Class::B64, &["and.b64"], &[size, Opnd::Int(-i64::from(step))]),
        };
        let none = self.op_tmp(Class::Pred, &["setp.ge.u64"], &[at, end_of_whole]);
        self.goto_label_if(none, false, end);
        self.place_label(head);
        f(self, at, ty);
        self.line(&["add.s64"], &[at, at, Opnd::Int(i64::from(step))]);
        let more = self.op_tmp(Class::Pred, &["setp.lt.u64"], &[at, end_of_whole]);
        self.goto_label_if(more, false, head);
        self.place_label(end);
    }
}

/// The accesses that cover `from..to` under an alignment: units, then ever smaller ones.
fn pieces(from: u64, to: u64, align: u32) -> impl Iterator<Item = (u64, Type)> {
    let mut at = from;
    let mut align = align;
    std::iter::from_fn(move || {
        while at < to {
            let (ty, size) = unit(align);
            if u64::from(size) <= to - at {
                at += u64::from(size);
                return Some((at - u64::from(size), ty));
            }
            align = size / 2;
        }
        None
    })
}
