//! The bytes of constant objects.

use super::memory::{Base, Machine};
use crate::check::Checker;
use crate::check::fold::Const;
use crate::program::{CastKind, ExprId, ExprKind, GlobalInit, Reloc, RelocTarget};
use crate::types::{AddrSpace, Ty};

/// Largest initialiser kept as bytes.
const MAX_BYTES: u64 = 64 << 20;

impl Checker<'_> {
    /// The contents of an object with this value; `None` if it is not constant.
    pub(crate) fn contents(&mut self, v: ExprId) -> Option<GlobalInit> {
        let size = self.p.types.size_of(self.ty(v))?;
        if size > MAX_BYTES {
            return None;
        }
        let mut out = GlobalInit { bytes: Vec::new(), relocs: Vec::new() };
        if self.write(v, 0, &mut out).is_some() {
            return Some(out);
        }
        self.computed_contents(v)
    }

    /// The contents of an object that functions make: a constructor, what returns one.
    fn computed_contents(&mut self, v: ExprId) -> Option<GlobalInit> {
        let ty = self.ty(v);
        let mut m = Machine::new();
        let value = self.eval(&mut m, v)?;
        let image = self.image_of(value, ty)?;
        let mut relocs = Vec::new();
        for &(offset, p) in &image.pointers {
            let target = match p.base {
                Base::Global(g) => RelocTarget::Global(g),
                Base::Function(f) => RelocTarget::Function(f),
                // Objects of the evaluation end with it.
                Base::Block(_) | Base::Null => return None,
            };
            relocs.push(Reloc { offset, target, addend: p.offset, space: AddrSpace::Generic });
        }
        Some(GlobalInit { bytes: image.bytes, relocs })
    }

    fn write(&mut self, v: ExprId, at: u64, out: &mut GlobalInit) -> Option<()> {
        let x = *self.e(v);
        let size = self.p.types.size_of(x.ty)?;
        if let Some(c) = self.constant(v) {
            let bits = match c {
                Const::Int(i) => i.all_bits(),
                Const::Float(f) => f.bits().into(),
            };
            put(out, at, &bits.to_le_bytes()[..size as usize]);
            return Some(());
        }
        match x.kind {
            ExprKind::ZeroInit | ExprKind::Null => Some(()),
            ExprKind::Aggregate { elems, .. } => {
                for i in elems.range() {
                    let el = self.p.init_pool[i];
                    let value = self.evaluate(el.value).unwrap_or(el.value);
                    let step = self.p.types.size_of(self.ty(value))?;
                    if let Some(b) = el.bits {
                        let Const::Int(c) = self.constant(value)? else { return None };
                        put_bits(out, at + el.offset, b, c.bits());
                        continue;
                    }
                    for k in 0..el.repeat.min(MAX_BYTES) {
                        self.write(value, at + el.offset + k * step, out)?;
                    }
                }
                Some(())
            }
            ExprKind::Cast { kind: CastKind::Splat, operand } => {
                let n = self.p.types.lanes(x.ty);
                let value = self.evaluate(operand)?;
                let step = self.p.types.size_of(self.ty(value))?;
                for k in 0..u64::from(n) {
                    self.write(value, at + k * step, out)?;
                }
                Some(())
            }
            ExprKind::VectorBuild(list) => {
                let mut offset = at;
                for e in self.p.exprs(list).to_vec() {
                    let value = self.evaluate(e).unwrap_or(e);
                    self.write(value, offset, out)?;
                    let t = self.ty(value);
                    let elem = self.p.types.size_of(self.p.types.scalar_of(t))?;
                    offset += elem * u64::from(self.p.types.lanes(t));
                }
                Some(())
            }
            ExprKind::BitCast(e) => self.write(e, at, out),
            ExprKind::Load(p) => match self.e(p).kind {
                ExprKind::Global(g) if self.p.globals[g.index()].quals.is_const() => {
                    let init = self.p.globals[g.index()].init.clone()?;
                    put(out, at, &init.bytes);
                    out.relocs.extend(init.relocs.iter().map(|r| Reloc { offset: r.offset + at, ..*r }));
                    Some(())
                }
                _ => {
                    let c = self.evaluate(v)?;
                    self.write(c, at, out)
                }
            },
            _ => {
                if let Some((target, addend)) = self.address_constant(v) {
                    let space = match self.p.types.get(x.ty) {
                        Ty::Pointer { space, .. } => *space,
                        _ => AddrSpace::Generic,
                    };
                    put(out, at, &[0; 8]);
                    out.relocs.push(Reloc { offset: at, target, addend, space });
                    return Some(());
                }
                let c = self.evaluate(v)?;
                self.write(c, at, out)
            }
        }
    }

    /// An address known up to where the linker puts it.
    pub(super) fn address_constant(&self, e: ExprId) -> Option<(RelocTarget, i64)> {
        match self.e(e).kind {
            ExprKind::FuncAddr(f) => Some((RelocTarget::Function(f), 0)),
            ExprKind::Cast {
                kind: CastKind::ArrayToPtr | CastKind::AddrSpace | CastKind::PtrToPtr | CastKind::NoOp,
                operand,
            }
            | ExprKind::AddrOf(operand) => self.address_constant(operand),
            ExprKind::Global(g) => Some((RelocTarget::Global(g), 0)),
            ExprKind::ArrayElem { base, index } => {
                let (t, a) = self.address_constant(base)?;
                let size = self.p.types.size_of(self.ty(e))? as i64;
                Some((t, a + self.int_constant(index)? as i64 * size))
            }
            ExprKind::Field { base, record, field } => {
                let (t, a) = self.address_constant(base)?;
                Some((t, a + self.p.types.record(record).fields[field as usize].offset as i64))
            }
            ExprKind::PtrOffset { ptr, index, negative } => {
                let (t, a) = self.address_constant(ptr)?;
                let Ty::Pointer { pointee, .. } = self.p.types.get(self.ty(ptr)) else { return None };
                let d = self.int_constant(index)? as i64 * self.p.types.size_of(*pointee)? as i64;
                Some((t, if negative { a - d } else { a + d }))
            }
            _ => None,
        }
    }
}

fn put(out: &mut GlobalInit, at: u64, bytes: &[u8]) {
    let end = at as usize + bytes.len();
    if out.bytes.len() < end {
        out.bytes.resize(end, 0);
    }
    out.bytes[at as usize..end].copy_from_slice(bytes);
}

fn put_bits(out: &mut GlobalInit, at: u64, b: crate::types::BitField, value: u64) {
    for k in 0..u32::from(b.width) {
        let bit = u32::from(b.bit) + k;
        let byte = at as usize + (bit / 8) as usize;
        if out.bytes.len() <= byte {
            out.bytes.resize(byte + 1, 0);
        }
        let mask = 1u8 << (bit % 8);
        if value >> k & 1 != 0 {
            out.bytes[byte] |= mask;
        } else {
            out.bytes[byte] &= !mask;
        }
    }
}
