//! Finds what is done with the address of each slot.

use analysis::Cfg;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{ConstKind, Flags, Function, Inst, Opcode, Slot, Type, Value, ValueDef};

/// A place in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) slot: Slot,
    pub(super) offset: u32,
}

/// A load or store of a value of type `ty`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) place: Place,
    pub(super) ty: Type,
}

/// A copy or fill of `bytes` bytes; at least one side is a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) dst: Option<Place>,
    pub(super) src: Option<Place>,
    pub(super) bytes: u32,
    /// The slots of both sides, whatever becomes of them.
    pub(super) slots: [Option<Slot>; 2],
}

/// Everything that is done with slots.
pub(super) struct Uses {
    /// Whether the slot may be replaced, as far as its uses tell.
    pub(super) simple: PrimaryMap<Slot, bool>,
    pub(super) accesses: Vec<Access>,
    pub(super) blocks: Vec<Block>,
    /// Bytes of the smallest scalar that is accessed at a place of the slot which is not known yet; 0 if none is.
    pub(super) grains: PrimaryMap<Slot, u32>,
    /// The place that a pointer value names.
    places: SecondaryMap<Value, PackedPlace>,
    /// The slot into which a pointer goes, where the place is not known.
    somewhere: SecondaryMap<Value, PackedOption<Slot>>,
}

#[derive(Clone, Copy, Default)]
struct PackedPlace {
    slot: PackedOption<Slot>,
    offset: i64,
}

impl Uses {
    /// The place that a pointer names, if it is one in a slot at a known offset.
    pub(super) fn place(&self, func: &Function, v: Value) -> Option<(Slot, i64)> {
        match func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Slot(s)) => Some((s, 0)),
            ValueDef::Inst(_) => {
                let p = self.places[v];
                p.slot.expand().map(|s| (s, p.offset))
            }
            _ => None,
        }
    }

    /// The place of an access of `bytes` bytes to a slot that is still simple.
    pub(super) fn in_simple(&self, func: &Function, v: Value) -> Option<Place> {
        let (slot, offset) = self.place(func, v).filter(|(s, _)| self.simple[*s])?;
        Some(Place { slot, offset: offset as u32 })
    }
}

pub(super) fn collect(func: &Function, cfg: &Cfg) -> Uses {
    let mut uses = Uses {
        simple: func.slots.keys().map(|_| true).collect(),
        accesses: Vec::new(),
        blocks: Vec::new(),
        grains: func.slots.keys().map(|_| 0).collect(),
        places: SecondaryMap::new(),
        somewhere: SecondaryMap::new(),
    };
    for &b in cfg.rpo() {
        for i in func.layout.insts(b) {
            uses.inst(func, i);
        }
    }
    uses
}

impl Uses {
    fn inst(&mut self, func: &Function, i: Inst) {
        let dfg = &func.dfg;
        let data = &dfg.insts[i];
        let args = dfg.args(i);
        match data.op {
            Opcode::PtrAdd => match (self.place(func, args[0]), constant_offset(func, args[1])) {
                (Some((slot, offset)), Some(n)) => self.derive(dfg.res(i), slot, offset.wrapping_add(n)),
                (Some((slot, _)), None) => {
                    self.simple[slot] = false;
                    self.somewhere[dfg.res(i)] = slot.into();
                }
                _ => self.somewhere[dfg.res(i)] = self.somewhere[args[0]],
            },
            Opcode::AddrSpaceCast => {
                if let Some((slot, offset)) = self.place(func, args[0]) {
                    self.derive(dfg.res(i), slot, offset);
                }
            }
            Opcode::Load => self.access(func, args[0], data.ty, data.flags),
            Opcode::Store => {
                self.escape(func, args[1]);
                self.access(func, args[0], dfg.ty(args[1]), data.flags);
            }
            Opcode::MemCpy | Opcode::MemSet => self.block(func, i),
            _ => dfg.for_each_use(i, |v| self.escape(func, v)),
        }
    }

    fn derive(&mut self, v: Value, slot: Slot, offset: i64) {
        self.places[v] = PackedPlace { slot: slot.into(), offset };
    }

    fn escape(&mut self, func: &Function, v: Value) {
        if let Some((slot, _)) = self.place(func, v) {
            self.simple[slot] = false;
        }
    }

    fn inside(&self, func: &Function, slot: Slot, offset: i64, bytes: u64) -> Option<Place> {
        let end = u64::try_from(offset).ok()?.checked_add(bytes)?;
        (end <= u64::from(func.slots[slot].size)).then_some(Place { slot, offset: offset as u32 })
    }

    fn access(&mut self, func: &Function, p: Value, ty: Type, flags: Flags) {
        let Some((slot, offset)) = self.place(func, p) else {
            if let Some(slot) = self.somewhere[p].expand() {
                let least = [self.grains[slot], ty.scalar_bytes()].into_iter().filter(|&n| n > 0).min();
                self.grains[slot] = least.unwrap_or(0);
            }
            return;
        };
        match self.inside(func, slot, offset, u64::from(ty.bytes())) {
            Some(place) if !flags.has(Flags::VOLATILE) => self.accesses.push(Access { place, ty }),
            _ => self.simple[slot] = false,
        }
    }

    fn block(&mut self, func: &Function, inst: Inst) {
        let dfg = &func.dfg;
        let args = dfg.args(inst);
        let copy = dfg.op(inst) == Opcode::MemCpy;
        let volatile = dfg.insts[inst].flags.has(Flags::VOLATILE);
        let ends = [Some(args[0]), copy.then_some(args[1])];
        let places = ends.map(|v| v.and_then(|v| self.place(func, v)));
        if places == [None, None] {
            return;
        }
        let bytes = dfg.as_bits(args[2]).filter(|&n| n <= 1 << 20 && !volatile);
        let mut found = [None; 2];
        for (n, place) in places.into_iter().enumerate() {
            let Some((slot, offset)) = place else { continue };
            found[n] = bytes.and_then(|b| self.inside(func, slot, offset, b));
            if found[n].is_none() {
                self.simple[slot] = false;
            }
        }
        // A copy within one slot stays in memory.
        if let [Some(Place { slot: a, .. }), Some(Place { slot: b, .. })] = found
            && a == b
        {
            self.simple[a] = false;
        }
        let slots = places.map(|p| p.map(|(slot, _)| slot));
        self.blocks.push(Block { dst: found[0], src: found[1], bytes: bytes.unwrap_or(0) as u32, slots });
    }
}

/// An offset that is known, also where nobody has computed yet what an index times the size of an element is.
pub(super) fn constant_offset(func: &Function, v: Value) -> Option<i64> {
    if let Some(n) = func.dfg.as_int(v) {
        return Some(n);
    }
    let i = func.dfg.def_op(v, Opcode::Mul)?;
    func.dfg.as_int(func.dfg.arg(i, 0))?.checked_mul(func.dfg.as_int(func.dfg.arg(i, 1))?)
}
