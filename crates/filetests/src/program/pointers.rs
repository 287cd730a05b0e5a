//! Pointers to private integers as values. Every one of them leads to an element of some array of its work-item, so that
//! whatever happens to it, it may be read and written through.

use super::{Gen, POINTER};
use ir::{AddrSpace, Flags, MemInfo, Type, Value};

impl Gen<'_> {
    /// The address of an array of integers of this function; there is one where [`Gen::points`].
    pub(super) fn own_address(&mut self) -> Value {
        let own: Vec<_> = self.arrays.iter().filter(|a| a.elem == Type::I32).map(|a| a.slot).collect();
        let slot = self.rng.pick(&own);
        self.func.slot_addr(slot)
    }

    /// Makes a pointer, or uses one.
    pub(super) fn pointer(&mut self) {
        let mem = MemInfo::aligned(4);
        match self.rng.below(6) {
            0 => {
                let ints: Vec<_> = self.arrays.iter().copied().filter(|a| a.elem == Type::I32).collect();
                let a = self.rng.pick(&ints);
                let p = self.element(a);
                if self.func.dfg.ty(p) == POINTER {
                    self.push(p, false);
                }
            }
            1 => {
                let (p, q, cond) = (self.value(POINTER).v, self.value(POINTER).v, self.value(Type::I1).v);
                let p = self.b().select(cond, p, q);
                self.push(p, false);
            }
            2 | 3 => {
                let mut p = self.value(POINTER).v;
                if self.rng.chance(20) {
                    p = self.b().space_cast(p, AddrSpace::Generic);
                }
                let v = self.b().load(Type::I32, p, mem, Flags::NONE);
                self.push(v, false);
            }
            _ => {
                let (p, v) = (self.value(POINTER).v, self.value(Type::I32).v);
                self.b().store(p, v, mem, Flags::NONE);
            }
        }
    }
}
